"""A candidate from proposal to MEMORY.md: what was previewed is what is written, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dory_tui.agent.propose import ProposeError, propose
from dory_tui.gate.rules import Exit
from dory_tui.memory.promoting import PromotingError, SectionMissingError
from dory_tui.review import memories
from dory_tui.review.change import Change, DecisionError, Done, StaleError
from dory_tui.review.desk import load
from dory_tui.review.memories import preview, set_front
from dory_tui.workspace import frontmatter
from dory_tui.workspace.edits import one_line
from dory_tui.workspace.promotions import AXES, Promotion, parse_promotion, read_promotions
from tests.conftest import Workspace

CORPUS = Path(__file__).parent.parent / "corpus"
SHAPES = ("004", "007", "008", "012", "013", "022", "030", "033", "038", "042", "050")
"""One MEMORY.md of each shape: bullets, topics, tables, several H1, CRLF, CJK, right to left."""
FILES = [*(CORPUS / f"memory/{name}.md" for name in SHAPES), CORPUS / "misc/006.md", CORPUS / "misc/014.md"]
SCORES = {"longevity": 3, "reuse": 2, "impact": 2, "uniqueness": 1}
TEXT = b"- Invoices are sent on the 3rd; \xe6\xbc\xa2"


def add(
    workspace: Workspace, *, section: str = "## People", text: bytes = TEXT, replaces: str | None = None
) -> Promotion:
    propose(workspace.gate(), text, section=section, scores=SCORES, identity="invoices", replaces=replaces)
    return find(workspace)


def find(workspace: Workspace, identity: str = "invoices") -> Promotion:
    return next(one for one in read_promotions(workspace.root) if one.id == identity)


def promote(workspace: Workspace, *, create: bool = False) -> Done:
    found = find(workspace)
    after = hashlib.sha256(preview(workspace.gate(), found, create=create).after).hexdigest()
    return memories.promote(workspace.gate(), found.id, found.digest, after=after, create=create)


def everything(workspace: Workspace) -> dict[str, bytes]:
    """Every file of the workspace but git's own."""
    files = (file for file in workspace.root.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {file.relative_to(workspace.root).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}-{f.stem}" for f in FILES])
def test_what_was_previewed_is_what_is_written(workspace: Workspace, file: Path) -> None:
    memory = file.read_bytes()
    workspace.write("MEMORY.md", memory)
    found = add(workspace, section="## A section of its own")
    would = preview(workspace.gate(), found, create=True)
    assert would.before == memory
    if len(would.after) > 10_240:
        before = everything(workspace)
        with pytest.raises(
            DecisionError, match=f"{len(would.after) - 10_240:,} over the cap of 10,240: prune at least"
        ):
            promote(workspace, create=True)
        assert everything(workspace) == before
        assert workspace.events("@memory/invoices") == []
        return
    done = promote(workspace, create=True)
    assert done.problems == ()
    assert (workspace.root / "MEMORY.md").read_bytes() == would.after
    assert find(workspace).status == "promoted"
    (item,) = workspace.gate().ledger.history("@memory/invoices")
    assert item.record is not None
    assert item.record.data["before_sha256"] == hashlib.sha256(memory).hexdigest()
    assert item.record.data["after_sha256"] == hashlib.sha256(would.after).hexdigest()


def test_a_promotion_touches_four_files_and_is_one_commit(make_workspace: Callable[..., Workspace]) -> None:
    workspace = make_workspace(git=True)
    workspace.write("dory.toml", 'time_zone = "Europe/Vienna"\n')
    workspace.write("MEMORY.md", b"# M\r\n\r\n## People\r\n\r\n- Invoices go out early  \r\n- x")
    found = add(workspace, replaces="- Invoices go out early")
    workspace.git("add", "--all")
    workspace.git("commit", "--quiet", "--message", "Candidate")
    workspace.gate().settle()
    before = everything(workspace)
    done = promote(workspace)
    after = everything(workspace)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    record = ".dory/ledger/@memory/invoices/1-001-promoted.json"
    assert changed == {"MEMORY.md", found.path, "state/DECISIONS.md", record}
    assert after["MEMORY.md"] == b"# M\r\n\r\n## People\r\n\r\n" + TEXT + b"\r\n- x"
    assert after[found.path] == before[found.path].replace(b"status: pending", b"status: promoted")
    assert after["state/DECISIONS.md"].endswith(
        f"[2026-02-05 10:00 | dory] invoices: promoted to MEMORY.md — {found.short}\n".encode()
    )
    assert done.commit is not None
    assert workspace.git("log", "--format=%s", "-1") == "Promote invoices to MEMORY.md\n"
    assert set(workspace.git("show", "--format=", "--name-only").split()) >= changed
    assert load(workspace.gate()).memories == ()


def test_a_workspace_without_a_memory_gets_one(workspace: Workspace) -> None:
    add(workspace)
    with pytest.raises(SectionMissingError, match="has no section “## People”"):
        preview(workspace.gate(), find(workspace))
    promote(workspace, create=True)
    assert (workspace.root / "MEMORY.md").read_bytes() == b"## People\n\n" + TEXT + b"\n"


def test_a_section_is_made_only_when_that_was_asked(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "# M\n")
    found = add(workspace)
    before = everything(workspace)
    after = hashlib.sha256(preview(workspace.gate(), found, create=True).after).hexdigest()
    with pytest.raises(DecisionError, match="no section") as refused:
        memories.promote(workspace.gate(), found.id, found.digest, after=after)
    assert refused.value.code == Exit.REFUSED
    assert everything(workspace) == before


def test_a_memory_that_changed_since_it_was_previewed_is_not_written(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    found = add(workspace)
    seen = hashlib.sha256(preview(workspace.gate(), found).after).hexdigest()
    workspace.write("MEMORY.md", "# M\n\n## People\n\n- somebody else\n")
    before = everything(workspace)
    with pytest.raises(StaleError, match=r"MEMORY\.md changed since you read it"):
        memories.promote(workspace.gate(), found.id, found.digest, after=seen)
    assert everything(workspace) == before
    assert workspace.events("@memory/invoices") == []


def test_a_candidate_that_changed_since_it_was_read_is_not_promoted(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    found = add(workspace)
    workspace.write(found.path, found.data + b"- and more\n")
    with pytest.raises(StaleError, match="invoices changed since you read it"):
        memories.promote(workspace.gate(), found.id, found.digest, after="")
    for work in (memories.discard, memories.send_back):
        with pytest.raises(StaleError):
            work(workspace.gate(), found.id, found.digest, "no")
    with pytest.raises(StaleError):
        memories.score(workspace.gate(), found.id, found.digest, SCORES)


def test_a_memory_that_changes_in_the_very_moment_leaves_the_candidate_waiting(workspace: Workspace) -> None:
    """Between the preview and the write somebody else was faster: nothing says that it was promoted."""
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    found = add(workspace)
    would = preview(workspace.gate(), found)
    workspace.write("MEMORY.md", "# M\n\n## People\n\n- somebody else\n")
    change = Change(workspace.gate())
    assert memories.write_promotion(change, found, would) is False
    assert change.problems == ["MEMORY.md changed in the meantime, so it was not written: promote again"]
    assert find(workspace).status == "pending"
    assert b"somebody else" in (workspace.root / "MEMORY.md").read_bytes()
    change.let_go()


def test_below_the_verdict_it_stays_out(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    found = add(workspace)
    low = {"longevity": 2, "reuse": 2, "impact": 2, "uniqueness": 1}
    memories.score(workspace.gate(), found.id, found.digest, low)
    with pytest.raises(DecisionError, match="does not earn its place: 7 is below 8, and no axis is 3"):
        promote(workspace)
    memories.score(workspace.gate(), found.id, find(workspace).digest, {**low, "impact": 3})
    assert promote(workspace).sentence == "invoices is in MEMORY.md"


def test_the_agents_scores_are_kept_beside_the_humans(workspace: Workspace) -> None:
    found = add(workspace)
    first, second = {**SCORES, "reuse": 0}, {**SCORES, "impact": 0}
    done = memories.score(workspace.gate(), found.id, found.digest, first)
    assert done.sentence == "invoices scores 6: promote"
    memories.score(workspace.gate(), found.id, find(workspace).digest, second)
    scored = find(workspace)
    assert scored.scores == second
    assert memories.agent_scores(scored) == SCORES
    assert scored.data == found.data.replace(
        b"scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\n",
        b"scores: {longevity: 3, reuse: 2, impact: 0, uniqueness: 1}\n",
    ).replace(
        b"status: pending\n",
        b"status: pending\nagent_scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\n",
    )  # fmt: skip
    data = [item.record.data for item in workspace.gate().ledger.history("@memory/invoices") if item.record]
    assert [one["agent_scores"] for one in data] == [SCORES, SCORES]
    assert [one["scores"] for one in data] == [first, second]


def test_discarded_and_sent_back(workspace: Workspace) -> None:
    found = add(workspace)
    memories.send_back(workspace.gate(), found.id, found.digest, 'say "which" month\nand why')
    sent = find(workspace)
    assert sent.status == "changes requested"
    assert frontmatter.load(sent.data).values["note"] == 'say "which" month and why'
    assert load(workspace.gate()).memories == ()
    propose(workspace.gate(), TEXT + b" of the month", section="## People", scores=SCORES, identity="invoices")
    assert find(workspace).status == "pending", "the agent may revise what was sent back"
    memories.discard(workspace.gate(), "invoices", find(workspace).digest)
    assert find(workspace).status == "discarded"
    with pytest.raises(ProposeError, match="was discarded already: propose it under another --id"):
        propose(workspace.gate(), TEXT, section="## People", scores=SCORES, identity="invoices")
    with pytest.raises(DecisionError, match="say what should change"):
        memories.send_back(workspace.gate(), "invoices", find(workspace).digest, " \n ")
    lines = (workspace.root / "state/DECISIONS.md").read_text().splitlines()[-2:]
    assert [line.split("] ")[1].rpartition(" (")[0] for line in lines] == [
        'invoices: changes requested — say "which" month and why', "invoices: discarded —",
    ]  # fmt: skip


SHARED = """---
{id: bare, status: pending, section: "## P", source: x, scores: {longevity: 3, reuse: 3, impact: 3, uniqueness: 3}}
---
- Ana
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- Ana\n", "there is no front matter to write `status` into: add one, or delete the file"),
        (SHARED, "`status` shares its line with other keys: give each its own line, then decide again"),
    ],
    ids=["none", "on one line"],
)
def test_what_its_file_cannot_hold_is_not_decided(workspace: Workspace, text: str, says: str) -> None:
    workspace.write("MEMORY.md", "# M\n\n## P\n")
    workspace.write("memory/promotions/bare.md", text)
    gate, found = workspace.gate(), find(workspace, "bare")
    ways: list[Callable[[], Done]] = [
        lambda: memories.discard(gate, "bare", found.digest),
        lambda: memories.send_back(gate, "bare", found.digest, "why?"),
    ]
    if found.problem is None:
        after = hashlib.sha256(preview(gate, found).after).hexdigest()
        ways.append(lambda: memories.promote(gate, "bare", found.digest, after=after))
    before = everything(workspace)
    for decide in ways:
        with pytest.raises(DecisionError) as refused:
            decide()
        assert (refused.value.code, str(refused.value)) == (Exit.USAGE, f"memory/promotions/bare.md line 1: {says}")
    if found.problem is None:
        with pytest.raises(DecisionError, match="line 1: `agent_scores` shares its line"):
            memories.score(gate, "bare", found.digest, dict.fromkeys(AXES, 2))
    assert everything(workspace) == before
    assert not gate.ledger.history("@memory/bare")


NOTES = st.one_of(
    st.text(min_size=1),
    st.sampled_from(
        ["a\nstatus: promoted", '"\\', "\ufffe\uffff\ufeff", "\udcff", "---", "x\x85y\u2028z", "#: {[*&", "\\u0041"]
    ),
)


@given(note=NOTES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_no_note_breaks_a_candidate(note: str) -> None:
    data = b"---\r\nsection: x\r\nscores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\r\n---\r\n- text\r\n"
    made = data
    values = memories.closing("discarded", one_line(note))
    for key, value in values.items():
        made = set_front(made, key, value)
    read = parse_promotion("memory/promotions/x.md", made)
    assert read.problem is None
    assert (read.status, read.text) == ("discarded", b"- text")
    whole = re.sub("[\ud800-\udfff]", "\ufffd", one_line(note))
    assert frontmatter.load(made).values.get("note", "") == whole


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("status: pending\nid: a\n", "status: new\nid: a\n"),
        ("id: a\nstatus:   pending # as it was\n", "id: a\nstatus: new\n"),
        ("id: a\nstatus : pending\n", "id: a\nstatus: new\n"),
        ("'status': pending\nid: a\n", "status: new\nid: a\n"),
        ("id: a\n", "id: a\nstatus: new\n"),
        ("status: >\n  a\n\n  b\n# comment\nid: a\n", "status: new\n# comment\nid: a\n"),
        ("status:\n- a\n- b\n\nid: a\n", "status: new\n\nid: a\n"),
        ("status:\n  a: 1\nid: status\n", "status: new\nid: status\n"),
        ("", "status: new\n"),
        ("id: status:\nnot: [yaml\n", "id: status:\nnot: [yaml\nstatus: new\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_key_of_front_matter(front: str, expected: str, end: str) -> None:
    body = "status: of the body\n\x00\udcff no end"
    file = f"---\n{front}---\n{body}".replace("\n", end).encode("utf-8", "surrogateescape")
    made = set_front(file, "status", "new")
    assert made == f"---\n{expected}---\n{body}".replace("\n", end).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"- no front matter\n", "no front matter to write `status` into"),
        (b"---\nid: a\n- never closed\n", "no front matter"),
        (b"---\n{id: a,\nstatus: pending, section: b}\n---\n- x\n", "shares its line with other keys"),
    ],
)
def test_front_matter_that_cannot_be_changed_by_lines(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        set_front(data, "status", "new")


@pytest.mark.parametrize(
    ("front", "words"),
    [
        ("section: x", "give four scores"),
        ("section: x\nscores: {longevity: 4, reuse: 2, impact: 2, uniqueness: 1}", "longevity must be 0, 1, 2 or 3"),
        ("section: x\nscores: {longevity: 1, reuse: 2}", "impact must be"),
        ("scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}", "say where in MEMORY.md it goes"),
        ("section: [x", "not valid YAML"),
    ],
)
def test_a_broken_candidate_is_shown_and_not_promoted(workspace: Workspace, front: str, words: str) -> None:
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    workspace.write("memory/promotions/broken.md", f"---\nid: broken\n{front}\n---\n- text\n")
    add(workspace)
    desk = load(workspace.gate())
    assert [one.promotion.id for one in desk.memories] == ["invoices", "broken"], "broken ones last"
    found = desk.candidate_by_id("BROKEN")
    assert found is not None
    assert found.verdict is None
    with pytest.raises(DecisionError) as refused:
        memories.promote(workspace.gate(), "broken", found.subject.digest, after="")
    assert refused.value.code == Exit.USAGE
    assert words in str(refused.value)
    assert str(refused.value).startswith("memory/promotions/broken.md line ")
    with pytest.raises(DecisionError, match="no candidate 'other'"):
        memories.promote(workspace.gate(), "other", "", after="")


def test_a_lower_cap_of_the_workspace_counts(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    workspace.write("dory.toml", "[memory]\ncap = 40\n")
    add(workspace)
    with pytest.raises(DecisionError, match="over the cap of 40: prune at least"):
        promote(workspace)
    workspace.write("dory.toml", "[memory]\ncap = 99999\n")
    with pytest.raises(DecisionError, match="may only tighten the cap"):
        promote(workspace)


def test_over_the_cap_a_line_may_still_be_made_shorter(workspace: Workspace) -> None:
    memory = (CORPUS / "memory/038.md").read_bytes()
    long = max((line for line in memory.split(b"\n") if memory.count(line) == 1), key=len)
    workspace.write("MEMORY.md", memory)
    add(workspace, text=b"- short", replaces=long.decode())
    promote(workspace)
    assert (workspace.root / "MEMORY.md").read_bytes() == memory.replace(long, b"- short")


def test_unreadable_is_not_empty(workspace: Workspace) -> None:
    (workspace.root / "MEMORY.md").mkdir()
    found = add(workspace)
    with pytest.raises(PromotingError, match=r"MEMORY\.md is a folder"):
        preview(workspace.gate(), found, create=True)
    with pytest.raises(DecisionError, match=r"MEMORY\.md is a folder"):
        memories.promote(workspace.gate(), found.id, found.digest, after="", create=True)


def test_the_same_proposal_folds_into_one(workspace: Workspace) -> None:
    gate = workspace.gate()
    first = propose(gate, TEXT, section="## People", scores=SCORES)
    again = propose(gate, b"\n" + TEXT + b"\n\n", section="## People", scores=SCORES)
    assert (first.fresh, again.fresh, again.id) == (True, False, first.id)
    revised = propose(gate, TEXT, section="## Money", scores={**SCORES, "reuse": 3}, source="memory/2026-02-04.md#L3")
    assert (revised.fresh, revised.id) == (True, first.id)
    (only,) = read_promotions(workspace.root)
    assert (only.section, only.scores["reuse"], only.source) == ("## Money", 3, "memory/2026-02-04.md#L3")
    assert "revised" in revised.sentence


@given(
    text=st.text(min_size=1).map(
        lambda t: t.encode("utf-8", "surrogateescape") if t.isprintable() else t.encode("utf-8", "replace")
    ),
    section=st.text(min_size=1, max_size=20),
    scores=st.tuples(*[st.integers(0, 3)] * 4),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_whatever_is_proposed_is_read_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, section: str, scores: tuple[int, ...]
) -> None:
    root = tmp_path_factory.mktemp("proposed")
    workspace = Workspace(root / "w", {"HOME": str(root), "XDG_STATE_HOME": str(root / "state")}, root / "effects")
    workspace.root.mkdir()
    given_scores = dict(zip(AXES, scores, strict=True))
    try:
        made = propose(workspace.gate(), text, section=section, scores=given_scores)
    except ProposeError:
        assert read_promotions(workspace.root) == [], "what is refused is not on disk"
        return
    (found,) = read_promotions(workspace.root)
    assert found.problem is None
    assert (found.id, found.scores, found.text) == (made.id, given_scores, text.strip(b"\r\n"))
    assert found.section == section.strip()


def test_json_is_not_needed_to_read_a_record_by_eye(workspace: Workspace) -> None:
    """What a promotion leaves in the ledger, in full: it is what an audit goes by."""
    workspace.write("MEMORY.md", "# M\n\n## People\n")
    found = add(workspace)
    promote(workspace)
    file = workspace.root / ".dory/ledger/@memory/invoices/1-001-promoted.json"
    values = json.loads(file.read_bytes())
    assert set(values["data"]) == {"digest", "scores", "section", "before_sha256", "after_sha256", "created"}
    assert (values["id"], values["event"], values["data"]["digest"]) == ("@memory/invoices", "promoted", found.digest)
