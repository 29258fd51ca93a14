"""Decisions that are no more than their files, taken back: to the byte, in a commit of their own, or refused."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review import promises, proposing, pruning, restoring
from dory_tui.review.archiving import archive, plan
from dory_tui.review.change import DecisionError, Done
from dory_tui.review.finish import finish
from dory_tui.review.putting_back import SpanChangedError
from dory_tui.review.undo import obstacle, undo, undoable
from dory_tui.workspace.logs import Log
from dory_tui.workspace.promises import open_promises
from tests.conftest import Workspace
from tests.process.test_archive import EXPECTED, FILES, copy_of, cut_short, everything, filled

LOG = "memory/2026-03-05.md"
TODAY = """# 2026-03-05

## Tasks
- 09:12 mapped scenes
- 09:40 wrote it

## Promises
- [ ] 10:20 send the poster
"""
SCORES = {"longevity": 3, "reuse": 3, "impact": 1, "uniqueness": 1}
MOVED = {
    "memory/2026-02-01.md": "memory/archive/2026-02-01.md", "memory/2026-02-02.md": "memory/archive/2026-02-02-2.md",
    "memory/2026-02-25.md": "memory/archive/2026-02-25.md",
}  # fmt: skip
START = {**FILES, LOG: TODAY, "state/STAGING.md": EXPECTED["state/STAGING.md"]}


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    """The workspace of the archive's tests, with something to do in today's log."""
    made = filled(make_workspace(git=True))
    made.write(LOG, TODAY)
    made.git("commit", "--quiet", "--all", "--message", "Today")
    assert everything(made.root) == START
    return made


def _prune(gate: Gate) -> Done:
    data = (gate.root / "MEMORY.md").read_bytes()
    return pruning.prune(gate, hashlib.sha256(data).hexdigest(), [5])


def _propose(gate: Gate, text: str = "Bo likes tea") -> Done:
    return proposing.propose(gate, f"- {text}", section="## People", scores=SCORES, source=f"{LOG}#L4")


def _kept(gate: Gate) -> Done:
    (one,) = [one for one in open_promises(gate.root, date(2026, 3, 5)) if one.path == LOG]
    return promises.kept(gate, one)


def _restore(gate: Gate) -> Done:
    (gate.root / LOG).write_text(TODAY.replace("- 09:40 wrote it\n", ""))
    lost = restoring.lost(gate, Log(date(2026, 3, 5), LOG, 0, False))
    assert lost is not None
    return restoring.restore(gate, LOG, lost.digest)


# How it is decided, the sentence of its undo, and where what is changed in it since.
DECISIONS: dict[str, tuple[Callable[[Gate], Done], str, str, tuple[str, str]]] = {
    "prune": (
        _prune, "what was pruned stands in MEMORY.md again", "MEMORY.md", ("## People", "## People and pets"),
    ),
    "propose": (
        _propose, "bo-likes-tea is as it was before it was proposed", "memory/promotions/bo-likes-tea.md",
        ("likes", "hates"),
    ),
    "revise": (
        lambda gate: _propose(gate, "Ana"), "x is as it was before it was proposed", "memory/promotions/x.md",
        ("reuse: 3", "reuse: 1"),
    ),
    "keep": (_kept, f"the promise at {LOG}#L8 is open again", LOG, ("send the poster", "send it")),
    "restore": (_restore, f"what was put back into {LOG} is out of it again", LOG, ("wrote it", "wrote all")),
    "archive": (
        archive, "what went to memory/archive is back in its place", "memory/archive/2026-02-01.md",
        ("met Ana", "met Bo"),
    ),
}  # fmt: skip


def _newer(decisions: str) -> str:
    """DECISIONS.md with another decision."""
    return decisions.replace("## Recent\n\n", "## Recent\n\n[2026-03-05 11:00 | a] newer\n")


def without_lines(made: Workspace) -> dict[str, str]:
    """Every file, DECISIONS.md without what dory wrote into it."""
    found = everything(made.root)
    lines = found["state/DECISIONS.md"].splitlines(keepends=True)
    return {**found, "state/DECISIONS.md": "".join(line for line in lines if "| dory]" not in line)}


@pytest.mark.parametrize("name", DECISIONS)
def test_it_is_taken_back_to_the_byte_in_a_commit_of_its_own(desk: Workspace, name: str) -> None:
    decide, words, _, _ = DECISIONS[name]
    done = decide(desk.gate())
    assert done.commit is not None
    before = START if name != "restore" else {**START, LOG: TODAY.replace("- 09:40 wrote it\n", "")}
    assert without_lines(desk) != before
    one = undoable(desk.gate())
    assert one is not None
    assert obstacle(desk.gate(), one) is None
    made = undo(desk.gate())
    assert (made.sentence, made.problems) == (f"undone: {words}", ())
    assert without_lines(desk) == before
    assert desk.git("status", "--porcelain") == ""
    decided, undone = desk.git("log", "--format=%s", "-2", "--reverse").splitlines()
    assert undone == f"Undo: {decided}"
    assert undoable(desk.gate()) is None
    lines = [line.partition("] ")[2] for line in (desk.root / "state/DECISIONS.md").read_text().splitlines()]
    digest = hashlib.sha256(FILES["MEMORY.md"].encode()).hexdigest()[:12]
    said = {line for line in lines if line.startswith("MEMORY.md: ")}
    wanted = {f"MEMORY.md: pruned 1 entry — {digest}", f"MEMORY.md: undone: pruned — {digest}"}
    assert said == (wanted if name == "prune" else set())


@pytest.mark.parametrize("name", DECISIONS)
def test_what_was_changed_since_is_refused_with_the_lines_and_nothing_is_written(desk: Workspace, name: str) -> None:
    decide, _, path, (old, new) = DECISIONS[name]
    decide(desk.gate())
    now = (desk.root / path).read_text()
    assert old in now
    desk.write(path, now.replace(old, new))
    found, head = everything(desk.root), desk.git("rev-parse", "HEAD")
    with pytest.raises(SpanChangedError) as refused:
        undo(desk.gate())
    assert refused.value.code == Exit.REFUSED
    assert path in str(refused.value)
    assert any(line.startswith("+ ") for line in refused.value.lines)
    assert (everything(desk.root), desk.git("rev-parse", "HEAD")) == (found, head)


def test_what_others_wrote_elsewhere_in_the_same_files_stays(desk: Workspace) -> None:
    archive(desk.gate())
    _kept(desk.gate())
    _propose(desk.gate())
    decisions, log = desk.root / "state/DECISIONS.md", desk.root / LOG
    decisions.write_text(_newer(decisions.read_text()))
    log.write_text(log.read_text() + "- [ ] 11:30 call Bob\n")
    (desk.root / "memory/2026-02-02.md").touch()  # an empty one is another
    undo(desk.gate())
    undo(desk.gate())
    with pytest.raises(SpanChangedError, match=r"memory/2026-02-02\.md was changed since"):
        undo(desk.gate())
    (desk.root / "memory/2026-02-02.md").unlink()
    undo(desk.gate())
    assert everything(desk.root) == {
        **START, LOG: TODAY + "- [ ] 11:30 call Bob\n",
        "state/DECISIONS.md": _newer(START["state/DECISIONS.md"]),
    }  # fmt: skip


def test_an_archive_taken_back_keeps_the_ages_of_logs_and_can_be_made_again(desk: Workspace) -> None:
    old = desk.root / "memory/2026-02-01.md"
    os.utime(old, (1_770_000_000, 1_770_000_000))
    old.chmod(0o640)
    archive(desk.gate())
    undo(desk.gate())
    assert (old.stat().st_mtime, old.stat().st_mode & 0o777) == (1_770_000_000, 0o640)
    archive(desk.gate())
    assert everything(desk.root) == {**EXPECTED, LOG: TODAY}


def test_without_a_repository_it_is_the_same(workspace: Workspace) -> None:
    archive(filled(workspace).gate())
    assert undo(workspace.gate()).commit is None
    assert everything(workspace.root) == {**FILES, "state/STAGING.md": EXPECTED["state/STAGING.md"]}


def test_what_is_not_kept_any_more_is_refused_in_a_sentence(desk: Workspace) -> None:
    archive(desk.gate())
    one = undoable(desk.gate())
    assert one is not None
    for file in (desk.gate().ledger.state / "review").glob("?" * 64):
        file.unlink()
    with pytest.raises(DecisionError, match="are not kept any more: put them back by hand, git has them"):
        undo(desk.gate())
    desk.clock.forward(hours=19)
    with pytest.raises(DecisionError, match="nothing was decided in this review"):
        undo(desk.gate())


def _at_once(*works: Callable[[Gate], object]) -> Callable[[Gate], object]:
    return lambda gate: [work(gate) for work in works]


@pytest.mark.gate
@pytest.mark.long
@pytest.mark.parametrize("again", [undo, finish], ids=["by doing it again", "at the next start"])
def test_an_undo_killed_at_any_point_is_finished(
    desk: Workspace, quick_folder: Path, again: Callable[[Gate], object]
) -> None:
    archive(desk.gate())
    expected = {**START, "state/DECISIONS.md": _newer(START["state/DECISIONS.md"])}
    desk.write("state/DECISIONS.md", _newer((desk.root / "state/DECISIONS.md").read_text()))
    at = finished = 0
    while True:
        made = copy_of(desk, quick_folder)
        if not cut_short(made, at, undo):
            break
        (made.root / ".git/index.lock").unlink(missing_ok=True)  # nobody but a human may take it away
        found = everything(made.root)
        assert all(path in found or copy in found for path, copy in MOVED.items()), "never is a log nowhere"
        begun = found != everything(desk.root)
        if again is undo and undoable(made.gate()) is not None:
            undo(made.gate())
        said = finish(made.gate())
        if again is undo or begun:
            assert everything(made.root) == expected, at
            assert [one for one in made.git("status", "--porcelain").splitlines() if not one.endswith(".tmp")] == [], at
            assert undoable(made.gate()) is None
        finished += bool(said)
        at += 1
    assert at > 15
    assert (finished > 5) is (again is finish)


@pytest.mark.gate
@pytest.mark.long
def test_an_archive_killed_and_made_again_is_taken_back_whole(desk: Workspace, quick_folder: Path) -> None:
    at = taken = 0
    while True:
        made = copy_of(desk, quick_folder)
        if not cut_short(made, at):
            break
        (made.root / ".git/index.lock").unlink(missing_ok=True)
        log = made.root / LOG
        log.write_text(TODAY + "- [ ] 11:30 call Bob\n")  # the agent goes on
        if plan(made.gate()).due:
            archive(made.gate())
        if undoable(made.gate()) is not None:
            undo(made.gate())
            assert everything(made.root) == {**START, LOG: TODAY + "- [ ] 11:30 call Bob\n"}, at
            taken += 1
        at += 1
    assert taken > 15


def test_an_undo_cut_short_is_finished_before_another_archiving(desk: Workspace, quick_folder: Path) -> None:
    archive(desk.gate())
    made = copy_of(desk, quick_folder)
    assert cut_short(made, 6, undo)
    assert START != everything(made.root) != {**EXPECTED, LOG: TODAY}
    made.clock.now += timedelta(minutes=5)
    with pytest.raises(
        DecisionError, match="finished an undo that was interrupted: what went to memory/archive is back"
    ):
        archive(made.gate())
    assert everything(made.root) == START
    archive(made.gate())
    assert everything(made.root) == {**EXPECTED, LOG: TODAY}
