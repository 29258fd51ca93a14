"""The last decision taken back: a new record and a new commit, files as they were, and nothing that ran undone."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.ledger import records
from dory_tui.review import decide, memories, session
from dory_tui.review.change import Change, DecisionError, Done, StaleError
from dory_tui.review.desk import load
from dory_tui.review.finish import finish
from dory_tui.review.putting_back import SpanChangedError
from dory_tui.review.reverting import revert
from dory_tui.review.undo import obstacle, undo, undoable
from dory_tui.workspace.promotions import Promotion, read_promotions
from tests.conftest import PATIENCE, Workspace

pytestmark = pytest.mark.gate
ROOT = Path(__file__).parents[2]
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
MEMORY = "# Memory\n\n## People\n\n- Ana\n\n## Money\n\n- Rent is due on the 1st\n"
SCORES = {"longevity": 3, "reuse": 3, "impact": 1, "uniqueness": 1}
TRACKED = ("state/STAGING.md", "state/HOLD.md", "MEMORY.md", "memory/promotions/invoice-day.md")


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with three drafts, a hold and a candidate, all of it committed."""
    made = make_workspace(git=True)
    made.runs("launch-1")
    made.draft("launch-2")
    made.draft("launch-3")
    text = (made.root / "state/STAGING.md").read_text()
    text = text.replace("### launch-2\n**Status:** pending", "### launch-2\n**Status:**  Pending-Review ")
    made.write("state/STAGING.md", text.replace("### launch-3\n**Status:** pending\n", "### launch-3\n"))
    made.write("MEMORY.md", MEMORY)
    made.write("memory/promotions/invoice-day.md", CANDIDATE)
    made.hold("[2026-02-04 09:00 | ana] Mail to Bob — not yet", "[2026-02-04 10:00 | ana] The newsletter — later")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def files(studio: Workspace) -> dict[str, bytes]:
    return {path: (studio.root / path).read_bytes() for path in TRACKED}


def dirty(studio: Workspace) -> str:
    """What git sees beside the records of holds that were noticed, which no decision commits."""
    return studio.git("status", "--porcelain", "--", ".", ":!.dory/ledger/@hold")


def subjects(studio: Workspace) -> list[str]:
    return studio.git("log", "--format=%s").splitlines()


def last_line(studio: Workspace) -> str:
    return (studio.root / "state/DECISIONS.md").read_text().rstrip().splitlines()[-1].partition("] ")[2]


def candidate(studio: Workspace) -> Promotion:
    (found,) = read_promotions(studio.root)
    return found


def reject(studio: Workspace, identity: str, note: str = "too long") -> Done:
    return decide.reject(studio.gate(), identity, studio.find(identity).digest, note)


def promote(studio: Workspace) -> Done:
    found = candidate(studio)
    after = hashlib.sha256(memories.preview(studio.gate(), found).after).hexdigest()
    return memories.promote(studio.gate(), found.id, found.digest, after=after)


def take(studio: Workspace) -> Done:
    return undo(studio.gate())


DRAFTS: dict[str, Callable[[Workspace, str], object]] = {
    "approve": lambda s, name: s.approve(name),
    "reject": reject,
    "changes": lambda s, name: decide.request_changes(s.gate(), name, s.find(name).digest, "name the date"),
}
MEMORIES: dict[str, Callable[[Workspace], object]] = {
    "promote": promote,
    "discard": lambda s: memories.discard(s.gate(), "invoice-day", candidate(s).digest, "not true"),
    "send back": lambda s: memories.send_back(s.gate(), "invoice-day", candidate(s).digest, "which month?"),
    "score": lambda s: memories.score(s.gate(), "invoice-day", candidate(s).digest, SCORES),
}
WORDS = {
    "approve": ("Approve launch-{}", "approved", "revoked", ["approved", "revoked"]),
    "reject": ("Reject launch-{}", "rejected", "pending", ["rejected", "reopened"]),
    "changes": ("Request changes to launch-{}", "changes requested", "pending", ["changes-requested", "reopened"]),
}


@pytest.mark.parametrize("number", [1, 2, 3], ids=["pending", "own spelling", "no status"])
@pytest.mark.parametrize("verb", DRAFTS)
def test_a_decision_on_a_draft_is_taken_back(studio: Workspace, verb: str, number: int) -> None:
    name = f"launch-{number}"
    before = files(studio)
    DRAFTS[verb](studio, name)
    assert files(studio) != before
    done = take(studio)
    subject, words, state, events = WORDS[verb]
    assert done.problems == ()
    assert files(studio) == before, "to the byte"
    assert studio.standing(name).state == state
    assert studio.events(name) == [f"1-{n:03}-{event}" for n, event in enumerate(events, start=1)]
    assert subjects(studio)[:2] == [f"Undo: {subject.format(number)}", subject.format(number)]
    assert done.commit is not None
    assert studio.git("rev-parse", "HEAD").startswith(done.commit)
    assert last_line(studio) == f"{name}: undone: {words} — {studio.find(name).short}"
    assert f"{name}: {words}" in (studio.root / "state/DECISIONS.md").read_text(), "history is never erased"
    assert dirty(studio) == ""
    trailers = studio.git("show", "--no-patch", "--format=%(trailers:unfold)").splitlines()
    assert trailers[:2] == ["Dory-Decision: undone", f"Dory-Id: {name}"]
    assert runner.run(studio.gate(), name).code == Exit.REFUSED
    with pytest.raises(DecisionError, match="nothing was decided in this review") as refused:
        take(studio)
    assert refused.value.code == Exit.REFUSED


@pytest.mark.parametrize("verb", MEMORIES)
def test_a_decision_on_a_memory_is_taken_back(studio: Workspace, verb: str) -> None:
    before = files(studio)
    MEMORIES[verb](studio)
    subject = subjects(studio)[0]
    assert files(studio) != before
    done = take(studio)
    assert files(studio) == before
    assert subjects(studio)[:2] == [f"Undo: {subject}", subject]
    assert done.commit is not None
    assert [item.event for item in studio.gate().ledger.history("@memory/invoice-day")][1:] == ["reopened"]
    assert [one.promotion.id for one in load(studio.gate()).memories] == ["invoice-day"]
    assert last_line(studio).startswith("invoice-day: undone: ")
    assert dirty(studio) == ""
    promote(studio)
    assert b"3rd" in files(studio)["MEMORY.md"], "it can be decided anew"


def test_other_changes_of_memory_survive(studio: Workspace) -> None:
    promote(studio)
    text = (studio.root / "MEMORY.md").read_text()
    studio.write("MEMORY.md", text.replace("- Ana", "- Ana (design lead)").replace("3rd\n", "3rd\n- Tax in May\n"))
    take(studio)
    assert (studio.root / "MEMORY.md").read_text() == MEMORY.replace("- Ana", "- Ana (design lead)") + "- Tax in May\n"
    assert candidate(studio).status == "pending"


def test_what_was_changed_since_is_refused_with_the_diff(studio: Workspace) -> None:
    promote(studio)
    text = (studio.root / "MEMORY.md").read_text()
    studio.write("MEMORY.md", text.replace("on the 3rd", "on the 5th\x1b[2J"))
    before, head = files(studio), studio.git("rev-parse", "HEAD")
    last = undoable(studio.gate())
    assert last is not None
    assert "changed since" in str(obstacle(studio.gate(), last))
    with pytest.raises(SpanChangedError, match=r"what was written in MEMORY\.md was changed since") as refused:
        take(studio)
    assert refused.value.lines == (
        "- - Invoices are sent on the 3rd", "+ - Invoices are sent on the 5th⟦U+001B ESCAPE⟧[2J",
    )  # fmt: skip
    assert refused.value.code == Exit.REFUSED
    assert (files(studio), studio.git("rev-parse", "HEAD")) == (before, head), "nothing was written"
    assert len(studio.gate().ledger.history("@memory/invoice-day")) == 1
    assert undoable(studio.gate()) == last, "it is not reached past"


def test_a_candidate_thrown_away_meanwhile_waits_again(studio: Workspace) -> None:
    promote(studio)
    (studio.root / "memory/promotions/invoice-day.md").unlink()
    take(studio)
    assert files(studio)["MEMORY.md"] == MEMORY.encode()
    assert files(studio)["memory/promotions/invoice-day.md"] == CANDIDATE.encode()


def test_a_hold_is_taken_back_and_a_lift_too(studio: Workspace) -> None:
    before = files(studio)
    decide.add_hold(studio.gate(), "launch threads — wait for Ana")
    added = files(studio)
    take(studio)
    assert files(studio) == before
    assert [hold.subject for hold in studio.gate().holds()] == ["Mail to Bob", "The newsletter"]
    decide.lift(studio.gate(), studio.gate().holds()[0].hash)
    assert [hold.subject for hold in studio.gate().holds()] == ["The newsletter"]
    done = take(studio)
    assert done.sentence == "undone: held again: Mail to Bob"
    assert files(studio) == before != added
    found = studio.gate().holds()
    assert [(hold.subject, hold.present) for hold in found] == [("Mail to Bob", True), ("The newsletter", True)]
    assert [i.event for i in studio.gate().ledger.history(f"@hold/{found[0].hash}")] == ["seen", "lifted", "seen"]
    assert subjects(studio)[:4] == [
        "Undo: Lift the hold on Mail to Bob", "Lift the hold on Mail to Bob", "Undo: Hold launch threads",
        "Hold launch threads",
    ]  # fmt: skip
    assert last_line(studio) == f"hold {found[0].handle}: Mail to Bob — undone: lifted"
    assert undoable(studio.gate()) is None


def test_a_lifted_line_comes_back_where_it_stood_or_in_its_section(studio: Workspace) -> None:
    first = studio.gate().holds()[0]
    decide.lift(studio.gate(), first.hash)
    text = (studio.root / "state/HOLD.md").read_text()
    studio.write("state/HOLD.md", text + "[2026-02-05 11:00 | agent] Posts — rate limit\n")
    take(studio)
    assert [hold.subject for hold in studio.gate().holds()] == ["Mail to Bob", "The newsletter", "Posts"]
    decide.lift(studio.gate(), first.hash)
    studio.hold("[2026-02-05 12:00 | agent] All new — rewritten")
    take(studio)
    found = studio.gate().holds()
    assert {(h.subject, h.present) for h in found} >= {("Mail to Bob", True), ("All new", True)}
    assert next(h for h in found if h.subject == "Mail to Bob").hash == first.hash


def test_what_was_marked_as_no_hold_holds_again(studio: Workspace) -> None:
    text = (studio.root / "state/HOLD.md").read_text()
    studio.write("state/HOLD.md", text + "\nEverything that costs money.\n")
    (passage,) = (hold for hold in studio.gate().holds() if hold.kind == "text")
    decide.lift(studio.gate(), passage.hash)
    before = files(studio)
    take(studio)
    assert files(studio) == before
    assert passage.hash in {hold.hash for hold in studio.gate().holds()}


def test_it_goes_back_one_by_one_to_the_start_of_the_review(studio: Workspace) -> None:
    reject(studio, "launch-1")
    session.end(studio.gate())
    before = files(studio)
    session.begin(studio.gate())
    studio.approve("launch-2")
    reject(studio, "launch-2")
    promote(studio)
    decide.add_hold(studio.gate(), "launch threads — wait")
    names = []
    while (one := undoable(studio.gate())) is not None:
        names.append(one.subject)
        assert obstacle(studio.gate(), one) is None
        take(studio)
    assert names == ["Hold launch threads", "Promote invoice-day to MEMORY.md", "Reject launch-2", "Approve launch-2"]
    after = files(studio)
    assert after.pop("state/STAGING.md") == before.pop("state/STAGING.md").replace(b"Pending-Review", b"pending")
    assert after == before
    assert studio.standing("launch-2").state == "revoked"
    assert studio.standing("launch-1").state == "rejected", "of the review before"
    found = session.current(studio.gate())
    assert found is not None
    assert [one.undone for one in found.decided] == [True] * 4


def test_a_label_never_claims_again_what_does_not_stand(studio: Workspace) -> None:
    studio.approve("launch-2")
    reject(studio, "launch-2")
    take(studio)
    assert studio.find("launch-2").status == "pending"
    assert studio.standing("launch-2").state == "pending", "the yes before the no is not given back"
    assert load(studio.gate()).staged_by_id("launch-2").conflict is None  # type: ignore[union-attr]
    decide.request_changes(studio.gate(), "launch-1", studio.find("launch-1").digest, "name the date")
    reject(studio, "launch-1")
    take(studio)
    assert (studio.find("launch-1").status, studio.standing("launch-1").state) == ("pending", "pending")
    take(studio)
    assert studio.standing("launch-1").state == "pending"
    studio.approve("launch-1")
    assert runner.run(studio.gate(), "launch-1").state == "done", "a fresh yes is one"


def test_a_no_before_a_yes_is_reached_through_it(studio: Workspace) -> None:
    reject(studio, "launch-1")
    studio.approve("launch-1")
    take(studio)
    assert studio.standing("launch-1").state == "revoked"
    take(studio)
    assert studio.events("launch-1") == ["1-001-rejected", "1-002-approved", "1-003-revoked", "1-004-reopened"]
    assert studio.standing("launch-1").state == "pending"


def test_a_status_that_somebody_wrote_since_stays(studio: Workspace) -> None:
    reject(studio, "launch-1")
    text = (studio.root / "state/STAGING.md").read_text()
    studio.write("state/STAGING.md", text.replace("**Status:** rejected", "**Status:** on my desk"))
    take(studio)
    assert (
        "### launch-1\n**Status:** on my desk\n**Note:** too long\n" in (studio.root / "state/STAGING.md").read_text()
    )
    assert studio.standing("launch-1").state == "pending"


def test_other_entries_that_changed_meanwhile_stay_as_they_are(studio: Workspace) -> None:
    reject(studio, "launch-1")
    text = (studio.root / "state/STAGING.md").read_text()
    studio.write(
        "state/STAGING.md", text.replace("# STAGING.md", "# What waits") + "\n### New\n**Status:** rejected\n\nHi\n"
    )
    take(studio)
    now = (studio.root / "state/STAGING.md").read_text()
    assert now.startswith("# What waits\n")
    assert now.endswith("### New\n**Status:** rejected\n\nHi\n")
    assert "### launch-1\n**Status:** pending\n**Location:**" in now


def test_never_past_something_that_ran(studio: Workspace) -> None:
    reject(studio, "launch-2")
    studio.approve("launch-1")
    assert runner.run(studio.gate(), "launch-1").state == "done"
    last = undoable(studio.gate())
    assert last is not None
    assert "launch-1 was started since" in str(obstacle(studio.gate(), last))
    head = studio.git("rev-parse", "HEAD")
    for _ in range(2):
        with pytest.raises(DecisionError, match=r"launch-1 was started since .*: undo never reaches past that") as ran:
            take(studio)
        assert ran.value.code == Exit.CLAIMED
    assert studio.git("rev-parse", "HEAD") == head
    assert studio.standing("launch-2").state == "rejected", "what lies before it is not reached"


def test_no_yes_comes_from_undo_and_no_outcome_is_unsaid(studio: Workspace) -> None:
    studio.approve("launch-1")
    decide.revoke(studio.gate(), "launch-1", studio.find("launch-1").digest)
    with pytest.raises(DecisionError, match="undo gives no yes: read it again and approve it anew"):
        take(studio)
    studio.approve("launch-2")
    assert runner.claim(studio.gate(), "launch-2").code == Exit.FINE
    decide.resolve(studio.gate(), "launch-2", happened=False)
    with pytest.raises(DecisionError, match="what you said of launch-2 stands"):
        take(studio)
    assert studio.standing("launch-2").state == "not-happened"


def test_a_decision_made_elsewhere_since_is_not_gone_over(studio: Workspace) -> None:
    reject(studio, "launch-1")
    gate = studio.gate()
    with gate.ledger.lock("launch-1"):
        gate.record("launch-1", 1, records.REJECTED, {"digest": studio.find("launch-1").digest, "note": "by hand"})
    with pytest.raises(DecisionError, match="something was decided about launch-1 since"):
        take(studio)
    assert studio.standing("launch-1").state == "rejected"


def test_a_mirror_cannot_take_a_no_back(studio: Workspace) -> None:
    reject(studio, "launch-1")
    gate = studio.gate()
    (no,) = gate.ledger.history("launch-1")
    forged = records.Record(
        gate.ledger.workspace, "launch-1", 1, 2, records.REOPENED, "agent", gate.clock(), no.hash, {"reopens": no.hash}
    )
    studio.write(f".dory/ledger/launch-1/{forged.name}", records.serialise(forged))
    assert studio.standing("launch-1").state == "rejected"
    take(studio)
    assert studio.standing("launch-1").state == "pending", "ours does, whatever stands beside it"


def test_what_was_asked_about_is_what_is_undone(studio: Workspace) -> None:
    reject(studio, "launch-1")
    asked = undoable(studio.gate())
    reject(studio, "launch-2")
    with pytest.raises(StaleError, match="the last decision changed"):
        undo(studio.gate(), expected=asked)
    assert studio.standing("launch-2").state == "rejected"
    undo(studio.gate(), expected=undoable(studio.gate()))
    assert studio.standing("launch-2").state == "pending"


def test_a_draft_that_is_gone_loses_its_yes_all_the_same(studio: Workspace) -> None:
    studio.approve("launch-1")
    (studio.root / "state/drafts/launch-1.md").unlink()
    studio.write("state/STAGING.md", "# STAGING.md\n\n## Currently Staged\n\n[none]\n")
    take(studio)
    assert studio.events("launch-1")[-1] == "1-002-revoked"


def test_without_a_repository(workspace: Workspace) -> None:
    workspace.draft("launch-1")
    before = (workspace.root / "state/STAGING.md").read_bytes()
    reject(workspace, "launch-1")
    done = take(workspace)
    assert done.commit is None
    assert (workspace.root / "state/STAGING.md").read_bytes() == before


# The review that goes on


def test_a_review_goes_on_where_it_stopped(studio: Workspace) -> None:
    gate = studio.gate()
    started = session.begin(gate).started
    assert not gate.ledger.state.exists(), "looking writes nothing"
    decide.reject(gate, "launch-1", studio.find("launch-1").digest, "too long")
    session.move(gate, "draft:launch-2")
    studio.clock.forward(hours=17)
    found = session.begin(studio.gate())
    assert (found.started, found.here) == (started, "draft:launch-2")
    (one,) = found.decided
    assert (one.kind, one.id, one.decision, one.key) == ("draft", "launch-1", "rejected", "launch-1")
    assert one.sentence == "launch-1 is rejected"
    assert one.record == studio.gate().ledger.history("launch-1")[0].hash
    assert studio.git("rev-parse", "HEAD").startswith(str(one.commit))
    assert [file.path for file in one.files] == ["state/STAGING.md"]
    studio.clock.forward(hours=1)
    assert session.current(studio.gate()) is None
    assert undoable(studio.gate()) is None
    fresh = session.begin(studio.gate())
    assert (fresh.started, fresh.here, fresh.decided) == (studio.clock.now, None, ())
    assert [file.name for file in (studio.gate().ledger.state / "review").iterdir()] == ["session.json"]
    assert not [file for file in studio.root.rglob("*") if file.name == "session.json"], "nothing in the workspace"


def test_an_ended_review_is_over(studio: Workspace) -> None:
    reject(studio, "launch-1")
    session.end(studio.gate())
    assert session.current(studio.gate()) is None
    studio.clock.forward(minutes=1)
    reject(studio, "launch-2")
    found = session.current(studio.gate())
    assert found is not None
    assert ([one.id for one in found.decided], found.started) == (["launch-2"], studio.clock.now)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"ended": false}', '{"ended": false, "started": "x"}'])
def test_a_damaged_note_stops_nothing(studio: Workspace, text: str) -> None:
    reject(studio, "launch-1")
    (studio.gate().ledger.state / "review/session.json").write_text(text)
    assert undoable(studio.gate()) is None
    reject(studio, "launch-2")
    assert undoable(studio.gate()).id == "launch-2"  # type: ignore[union-attr]


def test_a_note_that_cannot_be_written_stops_nothing(studio: Workspace) -> None:
    studio.gate().settle()
    (studio.gate().ledger.state / "review").write_text("in the way")
    assert reject(studio, "launch-1").commit is not None
    assert session.begin(studio.gate()).decided == ()
    assert undoable(studio.gate()) is None


def test_a_decision_that_could_not_be_noted_is_not_passed_over(studio: Workspace) -> None:
    studio.approve("launch-1")
    assert undoable(studio.gate()) is not None
    (studio.gate().ledger.state / "review" / f"session.{os.getpid()}.tmp").mkdir()  # in the way of the note
    made = reject(studio, "launch-2")
    assert made.problems == ("it could not be noted for undo, which takes nothing of this review back any more",)
    assert made.commit is not None
    assert undoable(studio.gate()) is None
    with pytest.raises(DecisionError, match="nothing was decided in this review"):
        take(studio)
    assert studio.standing("launch-1").state == "approved"


def test_bytes_that_are_lost_are_not_made_up(studio: Workspace) -> None:
    promote(studio)
    for file in (studio.gate().ledger.state / "review").iterdir():
        if file.name != "session.json":
            file.write_bytes(b"torn")
    with pytest.raises(DecisionError, match=r"the earlier bytes of MEMORY\.md are not kept any more"):
        take(studio)


def test_what_reached_no_file_is_taken_back_in_the_ledger(studio: Workspace) -> None:
    gate, found = studio.gate(), candidate(studio)
    with gate.ledger.lock("@memory/invoice-day"):
        change = Change(gate)
        change.record("@memory/invoice-day", 1, records.DISCARDED, {"digest": found.digest, "note": ""})
        change.commit("invoice-day is discarded", "Discard invoice-day", records.DISCARDED, found.id, found.digest)
    studio.write(found.path, found.data.replace(b"status: pending", b"status: discarded"))
    with pytest.raises(DecisionError, match="what invoice-day was before is not kept on this machine"):
        take(studio)
    studio.write(found.path, found.data)
    assert take(studio).sentence == "undone: invoice-day waits again"
    assert candidate(studio) == found
    assert [item.event for item in studio.gate().ledger.history("@memory/invoice-day")] == ["discarded", "reopened"]


def test_a_note_lost_in_the_middle_of_an_undo_is_made_up_for_by_the_ledger(studio: Workspace) -> None:
    reject(studio, "launch-1")
    note = studio.gate().ledger.state / "review/session.json"
    before = note.read_bytes()
    take(studio)
    note.write_bytes(before)
    assert undoable(studio.gate()) is None, "the record says that it was taken back"


# The command


def dory(studio: Workspace, *words: str, answer: str | None = None) -> tuple[int, str]:
    """Exit code and all that `dory` printed: without a terminal, or at one with what is typed at its question."""
    line = [sys.executable, "-m", "dory_tui", "-C", str(studio.root), *words]
    if answer is None:
        done = subprocess.run(line, env=studio.env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr
    pid, master = pty.fork()
    if pid == 0:
        os.execve(sys.executable, line, studio.env)
    seen, answered = b"", False
    while select.select([master], [], [], PATIENCE)[0]:
        try:
            seen += os.read(master, 65_536)
        except OSError:
            break
        if not answered and (asked := re.search(rb"(?:type ([a-z]{4}) and Enter[^:]*|y or n, and Enter): $", seen)):
            os.write(master, answer.replace("CODE", (asked[1] or b"").decode()).encode() + b"\n")
            answered = True
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


def test_the_command_says_what_it_takes_back_and_asks(studio: Workspace) -> None:
    studio.live()
    reject(studio, "launch-1")
    code, said = dory(studio, "undo")
    assert code == Exit.REFUSED
    assert said.splitlines() == [
        "the last decision, just now: launch-1 is rejected",
        "without a terminal, `dory undo --yes` takes it back: nothing was undone",
    ]
    code, said = dory(studio, "undo", answer="n")
    assert (code, said.splitlines()[-1]) == (Exit.REFUSED, "nothing was undone")
    assert studio.standing("launch-1").state == "rejected"
    code, said = dory(studio, "undo", answer="y")
    head = studio.git("rev-parse", "HEAD")[:10]
    assert (code, said.splitlines()[-1]) == (0, f"undone: launch-1 waits again · commit {head}")
    code, said = dory(studio, "undo", "--yes")
    assert (code, said) == (
        Exit.REFUSED, "nothing was decided in this review, so there is nothing to take back\n",
    )  # fmt: skip


def test_what_the_command_decided_is_undone_too(studio: Workspace) -> None:
    studio.live()
    assert dory(studio, "reject", "launch-2", "--note", "no")[0] == 0
    code, said = dory(studio, "undo", "--yes")
    assert code == 0
    assert "undone: launch-2 waits again" in said
    assert studio.standing("launch-2").state == "pending"


def test_the_command_shows_the_diff_that_stands_in_the_way(studio: Workspace) -> None:
    studio.live()
    promote(studio)
    text = (studio.root / "MEMORY.md").read_text()
    studio.write("MEMORY.md", text.replace("3rd", "5th"))
    code, said = dory(studio, "undo", "--yes")
    assert code == Exit.REFUSED
    assert said.splitlines()[1:] == [
        "- - Invoices are sent on the 3rd", "+ - Invoices are sent on the 5th",
        "what was written in MEMORY.md was changed since, so it is not taken back: change it by hand",
    ]  # fmt: skip


def test_the_command_lifts_no_hold_without_a_person(studio: Workspace) -> None:
    """As `dory lift`: else whoever can run `dory` could take the last hold away."""
    assert dory(studio, "hold", "launch threads — wait")[0] == 0
    code, said = dory(studio, "undo", "--yes")
    assert code == Exit.REFUSED
    assert "a terminal and a person" in said
    assert dory(studio, "undo", answer="y")[0] == Exit.REFUSED
    assert [hold.subject for hold in studio.gate().holds()][-1] == "launch threads"
    code, said = dory(studio, "undo", answer="CODE")
    assert code == 0, said
    assert "launch threads" not in [hold.subject for hold in studio.gate().holds()]


# Killed at any point


UNDO = """
from tests.process import deaths
from dory_tui.review.undo import undo
deaths.VERBS["undo"] = lambda gate, item: undo(gate)
deaths.main()
"""


def die(studio: Workspace, item: str, *, few: bool = False) -> dict[str, Any]:
    """What `deaths.py` says of the last decision being undone and killed at each call that changes something."""
    folders = [str(studio.root), studio.env["XDG_STATE_HOME"]]
    for folder in folders:
        shutil.copytree(folder, f"{folder}.before", symlinks=True)
    job = {
        "verb": "undo", "item": item, "root": str(studio.root), "folders": folders, "few": few, "meanwhile": {},
        "paths": [*TRACKED, "state/DECISIONS.md"], "env": studio.env, "now": studio.clock.now.isoformat(),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", UNDO], cwd=ROOT, input=json.dumps(job), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert len(found["deaths"]) >= 3
    return found


@pytest.mark.parametrize(
    ("verb", "item", "few"),
    [("reject", "launch-2", False), ("approve", "launch-1", True), ("promote", "invoice-day", True)],
)
@pytest.mark.long
def test_killed_anywhere_an_undo_is_whole_or_was_never_made(studio: Workspace, verb: str, item: str, few: bool) -> None:
    before = files(studio)
    DRAFTS[verb](studio, item) if verb in DRAFTS else MEMORIES[verb](studio)
    decided = {path: (studio.root / path).read_text() for path in (*TRACKED, "state/DECISIONS.md")}
    found = die(studio, item, few=few)
    whole = found["whole"]
    assert whole["commits"][0].startswith("Undo: ")
    assert {path: whole["files"][path].encode() for path in TRACKED} == before
    seen = set()
    for death in found["deaths"]:
        assert death["code"] == -9
        assert (death["dirty"], death["again"]) == ("", []), death
        if len(death["events"]) == 1:
            seen.add("never made")
            assert death["files"] == decided, death
            continue
        assert death["events"] == whole["events"], death
        assert death["files"] == whole["files"], death
        was = "was committed" if death["commits"][0] == whole["commits"][0] else "finished"
        seen.add(was)
        assert death["commits"][1:] == whole["commits"][1:], death
        assert was == "was committed" or " undone: " in death["commits"][0]
    assert seen >= ({"finished"} if few else {"never made", "finished", "was committed"})


def test_a_finished_decision_can_be_undone_and_a_finished_undo_is_one(studio: Workspace) -> None:
    gate, draft = studio.gate(), studio.find("launch-2")
    before = files(studio)
    with gate.ledger.lock("launch-2"):
        data = {"digest": draft.digest, "display_from": draft.status, "note": "too long"}
        Change(gate).record("launch-2", 1, records.REJECTED, data)
    assert len(finish(studio.gate())) == 1
    last = undoable(studio.gate())
    assert last is not None
    assert last.record == studio.gate().ledger.history("launch-2")[0].hash
    gate = studio.gate()
    with gate.ledger.lock("launch-2"):
        data = {"digest": draft.digest, "undoes": last.record, "reopens": last.record, "undone": "rejected"}
        Change(gate).record("launch-2", 1, records.REOPENED, data)
    assert finish(studio.gate()) == ["finished a decision that was interrupted: launch-2 undone: rejected"]
    assert files(studio) == before
    assert undoable(studio.gate()) is None
    assert finish(studio.gate()) == []


# Taking one change out of a file


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"- one\r\n", b"- two\n", b"x\r"]), max_size=6)


@given(above=LINES, old=LINES, new=LINES, below=LINES)
def test_the_very_file_goes_back_to_the_very_bytes(
    above: list[bytes], old: list[bytes], new: list[bytes], below: list[bytes]
) -> None:
    before, after = b"".join([*above, *old, *below]), b"".join([*above, *new, *below])
    assert revert(before, after, after) == before


@given(old=LINES, more=LINES, end=st.sampled_from([b"\n", b"\r\n"]))
def test_changes_around_it_survive(old: list[bytes], more: list[bytes], end: bytes) -> None:
    left, right, new = b"left" + end, b"right" + end, b"- written" + end
    before, after = b"".join([left, *old, right]), left + new + right
    top, bottom = b"".join(more), b"last, without an end"
    made = revert(before, after, top + after + bottom)
    assert made == top + before + bottom
    assert revert(before, after, top + left + b"others\n" + new + bottom) == b"".join(
        [top, left, b"others\n", *old, bottom]
    )


@given(before=st.binary(max_size=20), after=st.binary(max_size=20), now=st.binary(max_size=20))
def test_what_is_not_there_as_it_was_is_left(before: bytes, after: bytes, now: bytes) -> None:
    made = revert(before, after, now)
    if made is None or now == after:
        return
    assert all(line in before + now for line in made.splitlines())


@pytest.mark.parametrize(
    ("before", "after", "now", "made"),
    [
        (b"- a", b"- a\n- b", b"- a\n- b\n- c", b"- a\n- c"),
        (b"a\nb\n", b"a\n", b"a\nc\n", b"a\nb\nc\n"),
        (b"a\nb\nc\n", b"a\nc\n", b"top\na\nc\nend\n", b"top\na\nb\nc\nend\n"),
        (b"a\nb\nc\n", b"a\nc\n", b"a\nother\nc\n", None),
        (b"a\n", b"a\nb\n", b"b\na\nb\n", b"b\na\n"),
        (b"a\n", b"a\nb\n", b"b\nx\nb\n", None),
        (b"", b"a\n", b"a\nb\n", b"b\n"),
        (b"a\n", b"", b"b\n", None),
        (b"a\n", b"a\n\n", b"x\n\n\n", None),
    ],
)
def test_where_a_change_is_found(before: bytes, after: bytes, now: bytes, made: bytes | None) -> None:
    assert revert(before, after, now) == made


def test_ages_of_a_review_are_those_of_the_workspaces_clock(studio: Workspace) -> None:
    reject(studio, "launch-1")
    studio.clock.forward(hours=-1)
    assert session.current(studio.gate()) is not None, "a clock set back ends no review"
    studio.clock.now += timedelta(days=2)
    assert session.current(studio.gate()) is None
