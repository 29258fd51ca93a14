"""One morning's state: counts, order, conflicts, what cannot be read; and that the agent is told the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from dory_tui.agent.boot import look
from dory_tui.agent.stage import stage
from dory_tui.cli.memory_show import candidate_text
from dory_tui.cli.showing import show_candidate
from dory_tui.gate import runner
from dory_tui.gate.due import run_due
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.desk import Desk, load
from dory_tui.review.init import init
from dory_tui.review.inspect import inspect
from dory_tui.review.items import Staged
from dory_tui.review.previewing import propose
from dory_tui.review.show import headline, overdue, scheduler, show_draft, status
from tests.conftest import Workspace

CONFLICT = b"<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"
TASK = '## Current Instruction\n\n**User said:** "revise to 37 scenes"\n\n**Status:**\n- [x] one\n- [ ] two\n'
GOOD = '---\nsection: "## People"\nscores: {longevity: 3, reuse: 2, impact: 2, uniqueness: %d}\n---\n- %s\n'


def staged(desk: Desk, identity: str) -> Staged:
    found = desk.staged_by_id(identity)
    assert found is not None
    return found


def set_status(workspace: Workspace, identity: str, word: str) -> None:
    """Write a status by hand, as an agent would."""
    text = (workspace.root / "state/STAGING.md").read_text()
    head, middle, rest = text.partition(f"### {identity}\n")
    assert middle
    first, _, others = rest.partition("\n")
    assert first.startswith("**Status:**")
    workspace.write("state/STAGING.md", f"{head}{middle}**Status:** {word}\n{others}")


def same(workspace: Workspace) -> str:
    """The boot line, after making sure that the review and the agent get the same one."""
    line = load(workspace.gate()).boot
    assert look(workspace.gate()).line == line
    return line


# Conflicts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["approved", "Approved", "**approved**"])
def test_approved_by_hand_is_no_approval_and_says_so(workspace: Workspace, word: str) -> None:
    workspace.runs("post")
    set_status(workspace, "post", word)
    desk = load(workspace.gate())
    assert staged(desk, "post").conflict == "STAGING.md says approved, but no approval is on record"
    assert staged(desk, "post").standing.state == "pending"
    assert [subject.id for subject in desk.queue] == ["post"]
    assert "but no approval is on record" in status(desk)
    assert "but no approval is on record" in show_draft(desk, staged(desk, "post"))


def test_a_status_against_the_record(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    assert staged(load(workspace.gate()), "post").conflict is None
    for word, sentence in (
        ("rejected", "STAGING.md says rejected, but the record says approved"),
        ("pending", "STAGING.md says pending, but the record says approved"),
    ):
        set_status(workspace, "post", word)
        assert staged(load(workspace.gate()), "post").conflict == sentence
    decide.reject(workspace.gate(), "post", workspace.find("post").digest, "no")
    assert staged(load(workspace.gate()), "post").conflict is None
    set_status(workspace, "post", "approved")
    assert staged(load(workspace.gate()), "post").conflict == "STAGING.md says approved, but no approval is on record"


# The queue, the counts -----------------------------------------------------------------------------------------------


def test_the_queue_has_what_wants_a_word_unknown_first(workspace: Workspace) -> None:
    start = (workspace.clock.now - timedelta(minutes=1)).isoformat()
    for identity in ("waits", "gone", "late", "done", "yes"):
        schedule = {"not_before": start, "grace": "5m"} if identity == "late" else None
        workspace.runs(identity, schedule=schedule)
    for identity in ("gone", "late", "done", "yes"):
        workspace.approve(identity)
    workspace.write("memory/promotions/low.md", GOOD % (1, "low"))
    workspace.write("memory/promotions/high.md", GOOD % (3, "high"))
    workspace.write("memory/promotions/broken.md", "---\nsection: x\n---\n- x\n")
    workspace.write("memory/promotions/old.md", (GOOD % (3, "old")).replace("section", "status: promoted\nsection"))
    assert runner.run(workspace.gate(), "done").state == "done"
    gate = workspace.gate()
    with gate.ledger.lock("gone"):
        gate.record("gone", 1, records.CLAIMED, {"digest": workspace.find("gone").digest, "machine": gate.machine})
    workspace.clock.forward(minutes=10)
    desk = load(workspace.gate())
    assert [(s.kind, s.id) for s in desk.queue] == [
        ("draft", "gone"), ("draft", "late"), ("draft", "waits"), ("memory", "high"), ("memory", "low"),
        ("memory", "broken"),
    ]  # fmt: skip
    words = {item.draft.id: item.word for item in desk.staged}
    assert words == {"gone": "did it happen?", "late": "missed", "waits": "waits", "done": "done", "yes": "approved"}
    assert (desk.unknown, len(desk.waiting), len(desk.memories), len(desk.candidates)) == (1, 3, 3, 4)
    assert headline(desk) == "2 drafts and 3 memories wait · 1 outcome unknown"
    assert same(workspace).endswith("STAGING=[3] drafts")
    text = status(desk)
    assert "STAGING 3" in text
    assert "MEMORY 3" in text
    assert "NEXT\n  yes: when the scheduler next looks" in text
    assert all(subject.digest for subject in desk.queue)


def test_the_queue_is_the_same_after_a_restart_and_after_looking(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.draft("text")
    first = load(workspace.gate()).queue
    assert load(workspace.gate()).queue == first
    workspace.write("state/drafts/text.md", "---\nid: text\n---\nOther words.\n")
    again = load(workspace.gate()).queue
    assert [one.id for one in again] == [one.id for one in first]
    assert again[0] == first[0]
    assert again[1].digest != first[1].digest, "a yes names the bytes"


@pytest.mark.parametrize(
    ("drafts", "memories", "words"),
    [
        (0, 0, "nothing waits"),
        (1, 0, "1 draft waits"),
        (2, 0, "2 drafts wait"),
        (0, 1, "1 memory waits"),
        (1, 1, "1 draft and 1 memory wait"),
        (3, 2, "3 drafts and 2 memories wait"),
    ],
)
def test_the_headline(workspace: Workspace, drafts: int, memories: int, words: str) -> None:
    for number in range(drafts):
        workspace.draft(f"draft-{number}")
    for number in range(memories):
        workspace.write(f"memory/promotions/memory-{number}.md", GOOD % (1, number))
    assert headline(load(workspace.gate())) == words


def test_what_a_hold_covers_and_how_old_it_is(workspace: Workspace) -> None:
    for number in (1, 2, 3):
        workspace.runs(f"launch-{number}", title=f"Launch thread {number} of 3")
    workspace.hold(
        "[2026-02-01 08:00 | main] launch thread 2-3 — awaiting approval",
        "[2026-01-10 08:00 | main] Stripe payout — unpaid",
        "",
        "Nothing goes out while the router is being replaced.",
    )
    desk = load(workspace.gate())
    views = {view.hold.subject: view for view in desk.holds}
    assert views["launch thread 2-3"].covers == ("launch-2", "launch-3")
    assert views["Stripe payout"].covers == ()
    assert views["Nothing goes out while the router is being replaced."].covers == ("launch-1", "launch-2", "launch-3")
    assert not views["launch thread 2-3"].stale
    assert views["Stripe payout"].stale
    assert desk.open_holds == 3
    assert {item.word for item in desk.staged} == {"held"}
    assert "HOLD=[3] items" in same(workspace)
    assert "covers no draft" in status(desk)
    assert any("this fits no form dory knows" in problem.sentence for problem in desk.problems)


def test_a_hold_whose_line_is_gone_is_still_shown(workspace: Workspace) -> None:
    workspace.runs("launch-1")
    workspace.hold("[2026-02-01 08:00 | main] launch — wait")
    load(workspace.gate())
    workspace.write("state/HOLD.md", "# HOLD.md\n\n## Currently Blocked\n\n[none]\n")
    desk = load(workspace.gate())
    assert [view.hold.present for view in desk.holds] == [False]
    assert "its line is gone from HOLD.md" in status(desk)
    assert "HOLD=[1] item " in same(workspace)


def test_decisions_newest_first(workspace: Workspace) -> None:
    workspace.write(
        "state/DECISIONS.md",
        "## Recent\n\n[2026-02-03 09:00 | x] C — c\n[2026-02-01 09:00 | x] A — a\n[2026-02-02 09:00 | x] B — b\n",
    )
    assert [one.item for one in load(workspace.gate()).decisions] == ["C", "B", "A"]


def test_the_scheduler_that_looked(workspace: Workspace) -> None:
    assert scheduler(load(workspace.gate())).startswith("nothing has ever run `dory-agent run --due` here")
    run_due(workspace.gate())
    assert scheduler(load(workspace.gate())) == "the scheduler looked just now"
    workspace.clock.forward(hours=3)
    assert scheduler(load(workspace.gate())) == "the scheduler looked 3 h ago"


def test_what_has_waited_too_long(workspace: Workspace) -> None:
    workspace.draft("new")
    workspace.draft("old")
    text = (workspace.root / "state/STAGING.md").read_text()
    text = text.replace("### old\n", "### old\n**Created:** 2026-01-20\n").replace(
        "### new\n", "### new\n**Created:** 2026-02-05\n"
    )
    workspace.write("state/STAGING.md", text)
    desk = load(workspace.gate())
    assert overdue(desk, timedelta(days=2)) == ["old"]
    assert overdue(desk, timedelta(days=20)) == []


# What cannot be read -------------------------------------------------------------------------------------------------


def full(workspace: Workspace) -> None:
    """A bit of everything."""
    workspace.runs("post")
    workspace.draft("text")
    workspace.write("state/ACTIVE.md", TASK)
    workspace.write("MEMORY.md", "# M\n")
    workspace.write("memory/promotions/good.md", GOOD % (1, "good"))
    workspace.hold("[2026-02-01 08:00 | main] Stripe payout — unpaid")
    workspace.write("state/DECISIONS.md", "## Recent\n\n[2026-02-03 09:00 | main] C — c\n")


def a_folder(workspace: Workspace, path: str) -> None:
    (workspace.root / path).unlink()
    (workspace.root / path).mkdir()


def conflicted(workspace: Workspace, path: str) -> None:
    file = workspace.root / path
    file.write_bytes(file.read_bytes() + CONFLICT)


@pytest.mark.parametrize("damage", [a_folder, conflicted], ids=["a folder", "conflict markers"])
@pytest.mark.parametrize(
    "path", ["state/HOLD.md", "state/ACTIVE.md", "state/STAGING.md", "state/DECISIONS.md", "MEMORY.md"]
)
def test_one_file_that_cannot_be_read_leaves_the_rest(
    workspace: Workspace, path: str, damage: Callable[[Workspace, str], None]
) -> None:
    full(workspace)
    damage(workspace, path)
    desk = load(workspace.gate())
    mentioned = [str(problem) for problem in desk.problems] + [view.hold.text for view in desk.holds]
    assert any(path.rpartition("/")[2] in sentence for sentence in mentioned)
    if path != "state/ACTIVE.md":
        assert desk.task is not None
        assert desk.task.said == "revise to 37 scenes"
    if path != "state/STAGING.md":
        assert [item.draft.id for item in desk.staged] == ["post", "text"]
    if path != "state/DECISIONS.md":
        assert [one.item for one in desk.decisions] == ["C"]
    assert [one.promotion.id for one in desk.memories] == ["good"]
    line = same(workspace)
    expected = {
        "state/ACTIVE.md": "ACTIVE=[?] | HOLD=[1] item | STAGING=[2] drafts",
        "state/STAGING.md": "ACTIVE=[revise to 37 scenes] | HOLD=[1] item | STAGING=[?] drafts",
    }
    if path == "state/HOLD.md":
        assert {item.word for item in desk.staged} == {"held"}, "an unreadable HOLD.md holds everything"
        if damage is a_folder:
            assert "HOLD=[?] items" in line
    else:
        assert line.endswith(expected.get(path, "ACTIVE=[revise to 37 scenes] | HOLD=[1] item | STAGING=[2] drafts"))
    assert status(desk), "and it can be shown"


def test_a_broken_draft_and_a_broken_promotion_name_file_and_line(workspace: Workspace) -> None:
    full(workspace)
    workspace.write("state/drafts/post.md", "---\nid: post\naction:\n  argv: post --all\n---\nx\n")
    workspace.write("memory/promotions/bad.md", "---\nsection: x\nscores:\n  longevity: 9\n---\n- x\n")
    desk = load(workspace.gate())
    assert staged(desk, "post").standing.state == "invalid"
    assert staged(desk, "post").standing.reason.startswith("state/drafts/post.md line 4: ")
    assert staged(desk, "text").standing.state == "pending"
    bad = desk.candidate_by_id("bad")
    assert bad is not None
    assert bad.verdict is None
    sentence = "memory/promotions/bad.md line 4: the score of longevity must be 0, 1, 2 or 3"
    assert str(bad.promotion.problem) == sentence
    assert sentence in status(desk)
    assert sentence in show_candidate(desk, bad)
    good = desk.candidate_by_id("good")
    assert good is not None
    assert candidate_text(desk, good, propose(good, desk)) in show_candidate(desk, good)
    assert [one.promotion.id for one in desk.memories] == ["good", "bad"]


def test_a_ledger_that_cannot_be_listed_holds_everything(workspace: Workspace) -> None:
    full(workspace)
    load(workspace.gate())
    holds = workspace.root / ".dory/ledger/@hold"
    holds.rename(workspace.root / "away")
    holds.write_text("no folder\n")
    desk = load(workspace.gate())
    assert desk.open_holds is None
    assert {item.word for item in desk.staged} == {"held"}
    assert any("the ledger cannot be listed" in problem.sentence for problem in desk.problems)
    assert "HOLD=[?] items | STAGING=[2] drafts" in same(workspace)


def test_records_that_cannot_be_listed_block_their_own_item(workspace: Workspace) -> None:
    full(workspace)
    loop = workspace.root / ".dory/ledger/post"
    loop.parent.mkdir(parents=True, exist_ok=True)
    loop.symlink_to(loop)
    desk = load(workspace.gate())
    assert staged(desk, "post").standing.state == "invalid"
    assert staged(desk, "text").standing.state == "pending"
    assert same(workspace).endswith("STAGING=[1] draft")


def test_settings_that_cannot_be_read_are_a_sentence(workspace: Workspace) -> None:
    full(workspace)
    workspace.write("dory.toml", "[memory\n")
    desk = load(workspace.gate())
    assert desk.settings.cap == 10_240
    assert any(problem.path == "dory.toml" for problem in desk.problems)
    assert len(desk.queue) == 3


# The boot line -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("active", "shown"),
    [
        (None, "none"),
        ("", "none"),
        ("# ACTIVE.md\n\n> Words go in here.\n\n## Current Instruction\n\n[none]\n", "none"),
        ('## Current Instruction\n\n**User said:** "[waiting for task]"\n', "none"),
        (TASK, "revise to 37 scenes"),
        (
            '**User said:** "revise to 37 scenes and map it to that timing"\n',
            "revise to 37 scenes and map it to that …",
        ),
        ('**User said:** "first\nsecond"\n', "first"),
        ("# Board\n\n- [ ] fix the hum\n", "fix the hum"),
        ("## Now\n\nWe are at the harbour.\n", "?"),
        ('**User said:** "a\x1b[2Jb"\n', "a⟦U+001B ESCAPE⟧[2Jb"),
    ],
)
def test_the_task_in_the_boot_line(workspace: Workspace, active: str | None, shown: str) -> None:
    if active is not None:
        workspace.write("state/ACTIVE.md", active)
    assert same(workspace) == f"📋 Boot: ACTIVE=[{shown}] | HOLD=[0] items | STAGING=[0] drafts"


def test_the_boot_line_on_other_workspaces(workspace: Workspace, make_workspace: Callable[..., Workspace]) -> None:
    full(workspace)
    assert same(workspace).endswith("HOLD=[1] item | STAGING=[2] drafts")
    workspace.approve("post")
    assert same(workspace).endswith("HOLD=[1] item | STAGING=[1] draft")
    decide.reject(workspace.gate(), "text", workspace.find("text").digest, "")
    assert same(workspace).endswith("STAGING=[0] drafts")
    stage(workspace.gate(), b"Dear Ana\n", identity="reply", title="Reply", today="2026-02-05")
    workspace.write("state/drafts/unlisted.md", "words\n")
    assert same(workspace).endswith("STAGING=[2] drafts")
    bare = make_workspace("bare")
    for name in ("HOLD", "STAGING", "DECISIONS"):
        (bare.root / f"state/{name}.md").unlink()
    assert same(bare) == "📋 Boot: ACTIVE=[none] | HOLD=[0] items | STAGING=[0] drafts"
    init(bare.gate())
    assert same(bare) == "📋 Boot: ACTIVE=[none] | HOLD=[0] items | STAGING=[0] drafts"
    assert load(bare.gate()).problems == (), "what init writes fits the forms"


def test_init_adds_what_is_missing_and_touches_nothing_else(workspace: Workspace) -> None:
    workspace.write("SOUL.md", "mine\n")
    (workspace.root / "USER.md").mkdir()
    before = {path: path.read_bytes() for path in workspace.root.rglob("*") if path.is_file()}
    first = init(workspace.gate())
    assert "SOUL.md" in first.kept
    assert first.failed == ("USER.md is not a file: move it away",)
    assert {"AGENTS.md", "MEMORY.md", "state/ACTIVE.md", "state/drafts/", ".dory/workspace"} <= set(first.added)
    again = init(workspace.gate())
    assert again.added == ()
    assert set(again.kept) == {*first.added, *first.kept}
    assert {path: path.read_bytes() for path in before} == before


# One item closely ----------------------------------------------------------------------------------------------------


def test_what_runs_is_shown_argument_by_argument(workspace: Workspace) -> None:
    long = "x" * 5_000
    action = {
        "argv": ["/bin/echo", "a b", "\u202eevil", long],
        "env": {"LANG": "C"},
        "stdin": "body",
        "ok_exit": [0, 3],
    }
    workspace.draft("post", body="one\ntwo\n", action={**action, "argv": ["/bin/echo", "a b", long]})
    looked = inspect(workspace.root, workspace.find("post"), workspace.clock.now)
    assert looked.refusal is None
    assert looked.executable is not None
    lines = list(looked.lines)
    assert lines[0][0] == "program"
    assert lines[0][1].endswith(f"sha256 {looked.executable.sha256[:12]}…")
    assert lines[1:4] == [("0", "/bin/echo"), ("1", "a b"), ("2", long)]
    labels = dict(lines)
    assert labels["stdin"].endswith(": 2 lines, 8 characters")
    assert labels["sets"] == "LANG=C"
    assert labels["ok exit"] == "0, 3"
    assert labels["when"].startswith("once, when a scheduler next looks, until ")
    assert looked.stdin == b"one\ntwo\n"
    workspace.draft("evil", action=action)
    refused = inspect(workspace.root, workspace.find("evil"), workspace.clock.now)
    assert refused.refusal is not None
    assert refused.refusal.startswith("state/drafts/evil.md line ")
    assert "\u202e" not in refused.source.text


def test_text_says_that_nothing_runs(workspace: Workspace) -> None:
    workspace.draft("text", body="Dear Ana\u202e\n")
    looked = inspect(workspace.root, workspace.find("text"), workspace.clock.now)
    assert (looked.action, looked.executable, looked.refusal) == (None, None, None)
    assert looked.lines[0] == ("text", "nothing runs; the agent may use these words, once")
    assert looked.source.hidden == 1
    assert "\u202e" not in looked.source.text
    shown = show_draft(load(workspace.gate()), staged(load(workspace.gate()), "text"))
    assert "1 hidden character, shown as ⟦…⟧" in shown


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"argv": ["/no/such/program"]}, "/no/such/program"),
        ({"argv": ["/bin/cat"], "stdin": "file:gone.txt"}, "gone.txt"),
        ({"argv": ["/bin/cat"], "cwd": "nowhere"}, "nowhere"),
    ],
)
def test_what_cannot_run_is_refused_with_a_sentence(
    workspace: Workspace, action: dict[str, object], words: str
) -> None:
    workspace.draft("post", action=action)
    looked = inspect(workspace.root, workspace.find("post"), workspace.clock.now)
    assert looked.refusal is not None
    assert words in looked.refusal
    assert [label for label, _ in looked.lines][:1] == ["0"], "its arguments are shown all the same"
