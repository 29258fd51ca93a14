"""A review that dies in the middle of a decision: the next one finishes it, once, and touches nothing foreign."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dory_tui.gate import runner
from dory_tui.ledger import records
from dory_tui.review import decide, memories
from dory_tui.review.change import Change, unfinished
from dory_tui.review.desk import load
from dory_tui.review.finish import finish
from dory_tui.workspace.document import parse
from dory_tui.workspace.entries import read_decisions
from tests.conftest import Workspace

pytestmark = pytest.mark.gate
ROOT = Path(__file__).parents[2]
PATHS = ["state/STAGING.md", "state/DECISIONS.md", "MEMORY.md", "memory/promotions/invoice-day.md"]
CANDIDATE = """---
id: invoice-day
section: "## Money"
source: memory/2026-02-04.md#L12
scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 2}
replaces: null
status: pending
---
- Invoices are sent on the 3rd
"""


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with two drafts and a candidate, all of it committed."""
    made = make_workspace(git=True)
    made.draft("launch-1", action={"argv": ["/bin/cat"], "stdin": "body"})
    made.draft("launch-2")
    made.write("MEMORY.md", "# Memory\n\n## People\n\n- Ana\n")
    made.write("memory/promotions/invoice-day.md", CANDIDATE)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def deaths(studio: Workspace, verb: str, item: str, *, few: bool = False, **meanwhile: list[str]) -> dict[str, Any]:
    """What `deaths.py` says of one decision; `meanwhile` is what an agent replaces in a file after the death."""
    studio.gate().settle()
    folders = [str(studio.root), studio.env["XDG_STATE_HOME"]]
    for folder in folders:
        shutil.copytree(folder, f"{folder}.before", symlinks=True)
    job = {
        "verb": verb, "item": item, "root": str(studio.root), "folders": folders, "paths": PATHS, "few": few,
        "env": studio.env, "now": studio.clock.now.isoformat(), "meanwhile": meanwhile,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.process.deaths"], cwd=ROOT, input=json.dumps(job), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert len(found["deaths"]) >= (3 if few else 12), "it died at every call that counts"
    assert all(death["code"] == -9 for death in found["deaths"])
    return found


@pytest.mark.parametrize(
    ("verb", "item", "subject", "words"),
    [
        ("approve", "launch-1", "Approve launch-1", "launch-1 approved"),
        ("promote", "invoice-day", "Promote invoice-day to MEMORY.md", "invoice-day promoted to MEMORY.md"),
    ],
)
@pytest.mark.long
def test_killed_anywhere_a_decision_is_whole_or_was_never_made(
    studio: Workspace, verb: str, item: str, subject: str, words: str
) -> None:
    before = {path: (studio.root / path).read_text() for path in PATHS}
    found = deaths(studio, verb, item)
    whole = found["whole"]
    assert (whole["commits"], whole["dirty"]) == ([subject, "Drafts", "Start"], "")
    seen = set()
    for death in found["deaths"]:
        assert death["dirty"] == "", death
        assert death["again"] == [], "what is finished is not finished again"
        if not death["events"]:
            seen.add("never made")
            assert (death["files"], death["commits"], death["said"]) == (before, ["Drafts", "Start"], []), death
            continue
        # One record, one status, one line, one commit: the files are those of a decision that nothing stopped.
        assert death["events"] == whole["events"], death
        assert death["files"] == whole["files"], death
        assert death["commits"][1:] == ["Drafts", "Start"], death
        if death["commits"][0] == subject:
            seen.add("was committed")
            assert death["said"] == [], death
        else:
            seen.add("finished after git" if death["locked"] else "finished")
            assert death["commits"][0] == f"Finish what was decided: {words}", death
            assert death["locked"] or death["said"] == [f"finished a decision that was interrupted: {words}"], death
    assert seen == {"never made", "finished", "finished after git", "was committed"}


@pytest.mark.parametrize(
    ("verb", "item", "words"),
    [
        ("reject", "launch-1", "launch-1 rejected"),
        ("changes", "launch-1", "launch-1 changes requested"),
        ("discard", "invoice-day", "invoice-day discarded"),
        ("score", "invoice-day", "invoice-day scored"),
    ],
)
def test_the_other_decisions_are_finished_too(studio: Workspace, verb: str, item: str, words: str) -> None:
    found = deaths(studio, verb, item, few=True)
    for death in found["deaths"]:
        assert death["files"] == found["whole"]["files"], death
        assert death["commits"] == [f"Finish what was decided: {words}", "Drafts", "Start"], death
        assert (death["dirty"], death["again"]) == ("", []), death


def test_taking_a_yes_back_is_finished(studio: Workspace) -> None:
    studio.approve("launch-1")
    found = deaths(studio, "revoke", "launch-1", few=True)
    for death in found["deaths"]:
        assert death["files"] == found["whole"]["files"], death
        assert death["events"] == ["approved", "revoked"]
        assert death["commits"][0] == "Finish what was decided: launch-1 yes taken back", death


def test_a_foreign_status_is_left_alone(studio: Workspace) -> None:
    found = deaths(
        studio, "approve", "launch-1", few=True,
        **{"state/STAGING.md": ["**Status:** pending\n**Location:** state/drafts/launch-1.md",
                                "**Status:** rejected\n**Location:** state/drafts/launch-1.md"]},
    )  # fmt: skip
    foreign = 0
    for death in found["deaths"]:
        assert death["files"]["state/DECISIONS.md"] == found["whole"]["files"]["state/DECISIONS.md"], death
        assert death["commits"][0] == "Finish what was decided: launch-1 approved", death
        foreign += "**Status:** rejected\n**Location:** state/drafts/launch-1.md" in death["files"]["state/STAGING.md"]
    assert 0 < foreign < len(found["deaths"]), "some died before the status was written, some after"


def test_a_memory_that_somebody_changed_meanwhile_is_not_guessed_at(studio: Workspace) -> None:
    found = deaths(studio, "promote", "invoice-day", few=True, **{"MEMORY.md": ["- Ana", "- Ana (design lead)"]})
    for death in found["deaths"]:
        memory = death["files"]["MEMORY.md"]
        assert "- Ana (design lead)" in memory
        assert memory.count("Invoices are sent on the 3rd") <= 1
        promoted = "status: promoted" in death["files"]["memory/promotions/invoice-day.md"]
        assert not promoted or "Invoices are sent on the 3rd" in memory, death
        assert death["again"] == []


def begin(studio: Workspace, event: str = records.APPROVED) -> None:
    """A decision that got as far as its record: `show_status` and all that follows never came."""
    gate, draft = studio.gate(), studio.find("launch-1")
    with gate.ledger.lock("launch-1"):
        data = {"digest": draft.digest, "display_from": draft.status, "note": "too long", "path": str(gate.root)}
        Change(gate).record("launch-1", 1, event, data)


def conflict(studio: Workspace) -> str | None:
    found = load(studio.gate()).staged_by_id("launch-1")
    assert found is not None
    return found.conflict


def set_status(studio: Workspace, status: str) -> None:
    text = (studio.root / "state/STAGING.md").read_text()
    head, _, rest = text.partition("### launch-1")
    studio.write(
        "state/STAGING.md", head + "### launch-1" + re.sub(r"Status:\*\* .*", f"Status:** {status}", rest, count=1)
    )


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("rejected", "STAGING.md says rejected, but the record says approved"),
        ("pending", "STAGING.md says pending, but the record says approved"),
    ],
)
def test_a_status_changed_after_the_decision_was_whole_is_a_conflict_and_stays(
    studio: Workspace, status: str, sentence: str
) -> None:
    studio.approve("launch-1")
    set_status(studio, status)
    text = (studio.root / "state/STAGING.md").read_text()
    assert finish(studio.gate()) == []
    assert (studio.root / "state/STAGING.md").read_text() == text
    assert conflict(studio) == sentence


def test_one_that_was_cut_short_is_no_conflict_afterwards(studio: Workspace) -> None:
    begin(studio, records.REJECTED)
    assert finish(studio.gate()) == ["finished a decision that was interrupted: launch-1 rejected"]
    assert conflict(studio) is None
    assert "**Status:** rejected\n**Note:** too long\n" in (studio.root / "state/STAGING.md").read_text()
    assert unfinished(studio.gate()) == []


def test_the_line_of_an_earlier_decision_is_not_taken_for_this_one(studio: Workspace) -> None:
    studio.approve("launch-1")
    decide.revoke(studio.gate(), "launch-1", studio.find("launch-1").digest)
    studio.clock.forward(minutes=5)
    begin(studio)
    assert len(finish(studio.gate())) == 1
    lines = [one.text for one in read_decisions(parse("", (studio.root / "state/DECISIONS.md").read_bytes())).entries]
    assert [line.split("] ")[1].split(" — ")[0] for line in lines] == [
        "launch-1: approved", "launch-1: yes taken back", "launch-1: approved",
    ]  # fmt: skip
    assert finish(studio.gate()) == []


def test_a_run_between_the_death_and_the_next_start(studio: Workspace) -> None:
    """The record is the yes: a scheduler may run it before anything is finished, and the rest is made up for."""
    studio.approve("launch-2")
    gate = studio.gate()
    draft = studio.find("launch-1")
    begin_note = gate.ledger.state / "unfinished" / "launch-1.json"
    begin_note.write_text(json.dumps({"key": "launch-1", "after": None}))
    decide_record_only(studio, draft.digest)
    assert runner.run(studio.gate(), "launch-1").state == "done"
    assert finish(studio.gate()) == ["finished a decision that was interrupted: launch-1 approved"]
    assert studio.git("status", "--porcelain", "--", *PATHS) == ""
    assert "### launch-1\n**Status:** approved" in (studio.root / "state/STAGING.md").read_text()


def decide_record_only(studio: Workspace, digest: str) -> None:
    """A whole approval of which only the record is left, as if everything after it had been lost."""
    before = {path: (studio.root / path).read_bytes() for path in PATHS}
    head = studio.git("rev-parse", "HEAD").strip()
    note = studio.gate().ledger.state / "unfinished" / "launch-1.json"
    kept = note.read_bytes()
    decide.approve(studio.gate(), "launch-1", digest)
    studio.git("reset", "--quiet", "--mixed", head)
    for path, data in before.items():
        studio.write(path, data)
    note.write_bytes(kept)


def test_without_a_repository_the_files_are_finished_all_the_same(workspace: Workspace) -> None:
    workspace.draft("launch-1")
    begin(workspace)
    assert finish(workspace.gate()) == ["finished a decision that was interrupted: launch-1 approved"]
    assert finish(workspace.gate()) == []
    assert "**Status:** approved" in (workspace.root / "state/STAGING.md").read_text()
    assert (workspace.root / "state/DECISIONS.md").read_text().count("launch-1: approved") == 1


def test_a_note_without_its_record_is_dropped(studio: Workspace) -> None:
    studio.approve("launch-1")
    history = studio.gate().ledger.history("launch-1")
    folder = studio.gate().ledger.state / "unfinished"
    for name, after in (("launch-1", history[-1].hash), ("launch-2", None), ("gone", None), ("odd", "sha256:0")):
        (folder / f"{name}.json").write_text(json.dumps({"key": name, "after": after}))
    (folder / "torn.json").write_text("{")
    head = studio.git("rev-parse", "HEAD")
    assert finish(studio.gate()) == []
    assert studio.git("rev-parse", "HEAD") == head
    assert unfinished(studio.gate()) == []


def test_a_decision_that_another_process_is_making_is_left_to_it(studio: Workspace) -> None:
    begin(studio)
    gate = studio.gate()
    with gate.ledger.lock("launch-1"):
        # flock is per open file: a second gate in this process waits as another process would.
        assert finish(studio.gate()) == []
    assert len(finish(studio.gate())) == 1


def test_staging_that_cannot_be_read_now_is_finished_later(studio: Workspace) -> None:
    begin(studio)
    text = (studio.root / "state/STAGING.md").read_bytes()
    studio.write("state/STAGING.md", text + b"<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    assert finish(studio.gate()) == []
    studio.write("state/STAGING.md", text)
    assert len(finish(studio.gate())) == 1


def promoting(studio: Workspace) -> bytes:
    """A promotion that got as far as its record; MEMORY.md as it was to be."""
    gate = studio.gate()
    (found,) = load(gate).candidates
    would = memories.preview(gate, found.promotion, create=True)
    with gate.ledger.lock("@memory/invoice-day"):
        data = {
            "digest": found.promotion.digest, "created": would.created,
            "before_sha256": hashlib.sha256(would.before).hexdigest(),
            "after_sha256": hashlib.sha256(would.after).hexdigest(),
        }  # fmt: skip
        Change(gate).record("@memory/invoice-day", 1, records.PROMOTED, data)
    return would.after


def test_a_promotion_is_finished_with_the_bytes_that_were_seen(studio: Workspace) -> None:
    after = promoting(studio)
    assert finish(studio.gate()) == ["finished a decision that was interrupted: invoice-day promoted to MEMORY.md"]
    assert (studio.root / "MEMORY.md").read_bytes() == after


@pytest.mark.parametrize(
    ("path", "what"),
    [("MEMORY.md", "MEMORY.md"), ("memory/promotions/invoice-day.md", "the candidate invoice-day")],
)
def test_a_promotion_that_cannot_be_finished_says_so(studio: Workspace, path: str, what: str) -> None:
    promoting(studio)
    changed = (studio.root / path).read_bytes() + b"- more\n"
    studio.write(path, changed)
    assert finish(studio.gate()) == [
        f"a decision that was interrupted cannot be finished: invoice-day was to be promoted, and {what} changed since:"
        " if MEMORY.md lacks it, promote it again"
    ]
    assert (studio.root / path).read_bytes() == changed
    assert finish(studio.gate()) == []


@pytest.mark.parametrize(
    "words",
    [("memory", "prune", "5", "--yes"), ("memory", "promote", "--all"), ("archive", "--yes"),
     ("archive", "--yes", "--json"), ("lift", "nothing"), ("--plain",)],
    ids=" ".join,
)  # fmt: skip
def test_every_verb_that_decides_finishes_first(studio: Workspace, words: tuple[str, ...]) -> None:
    promoting(studio.live())
    line = [sys.executable, "-m", "dory_tui", "-C", str(studio.root), *words]
    done = subprocess.run(line, env=studio.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    said = done.stderr if "--json" in words else done.stdout
    assert said.startswith("finished a decision that was interrupted: invoice-day promoted to MEMORY.md\n")
    assert "- Invoices are sent on the 3rd\n" in (studio.root / "MEMORY.md").read_text()
    assert "--json" not in words or json.loads(done.stdout)["commit"] is None


@pytest.mark.parametrize("words", [("archive",), ("archive", "--dry-run", "--yes")], ids=" ".join)
def test_what_only_lists_writes_nothing(studio: Workspace, words: tuple[str, ...]) -> None:
    promoting(studio.live())
    before = (studio.root / "MEMORY.md").read_bytes()
    line = [sys.executable, "-m", "dory_tui", "-C", str(studio.root), *words, "--json"]
    subprocess.run(line, env=studio.env, capture_output=True, check=True, stdin=subprocess.DEVNULL)
    assert (studio.root / "MEMORY.md").read_bytes() == before
