"""Many processes at one item: one effect, whoever wins and whoever dies."""

from __future__ import annotations

import fcntl
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.gate
Make = Callable[..., "Workspace"]


def approved(make: Make, folder: Path, count: int) -> list[Workspace]:
    """One workspace for each id, so that a racer reads one draft and not all of them."""
    made = [make(f"w{number}", folder=folder) for number in range(count)]
    for number, workspace in enumerate(made):
        workspace.env["PATH"] = "/nonexistent"  # without git, which is not what races here
        workspace.runs(f"post-{number}")
        workspace.approve(f"post-{number}")
    return made


def items(made: list[Workspace]) -> list[list[str]]:
    return [[str(workspace.root), f"post-{number}"] for number, workspace in enumerate(made)]


@pytest.mark.long
def test_fifty_racers_on_each_of_fifty_ids_leave_fifty_effects(make_workspace: Make, quick_folder: Path) -> None:
    made = approved(make_workspace, quick_folder, 50)
    answers = made[0].forks("race", items=items(made), racers=50)
    assert answers == [{"0": 1, "4": 49}] * 50
    assert [workspace.count(f"post-{n}") for n, workspace in enumerate(made)] == [1] * 50
    for number, workspace in enumerate(made):
        assert workspace.events(f"post-{number}") == ["1-001-approved", "1-500-claimed", "1-501-done"]


@pytest.mark.long
def test_with_half_of_them_killed_there_are_never_two_effects(make_workspace: Make, quick_folder: Path) -> None:
    made = approved(make_workspace, quick_folder, 12)
    answers = made[0].forks(
        "race", items=items(made), racers=50, killed=25, within=0.15, seed=random.randrange(1 << 32)
    )
    ends = Counter[str]()
    for number, (workspace, codes) in enumerate(zip(made, answers, strict=True)):
        identity = f"post-{number}"
        assert set(codes) <= {"0", "4", "5", "-9"}, codes
        assert codes.get("0", 0) <= 1, codes
        _until_it_ended(workspace, identity)
        state, before = workspace.standing(identity).state, workspace.count(identity)
        assert before <= 1
        assert state in ("approved", "unknown", "done")
        ends[state] += 1
        again = runner.run(workspace.gate(), identity)
        if state == "approved":
            assert (before, again.code) == (0, Exit.FINE), "what nobody claimed runs, once"
        else:
            assert again.code in (Exit.CLAIMED, Exit.UNKNOWN)
            assert workspace.count(identity) == before, "what was claimed is not run again by itself"
        assert runner.run(workspace.gate(), identity).code in (Exit.CLAIMED, Exit.UNKNOWN)
        assert workspace.count(identity) <= 1
    assert sum(codes.get("-9", 0) for codes in answers) > 10, f"the kills came too late to matter: {answers}"
    assert ends.total() == 12


def _until_it_ended(workspace: Workspace, identity: str) -> None:
    """Wait for the run lock, which a child of a dead runner still holds."""
    lock = workspace.gate().ledger.open_lock(identity, "run")
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.close(lock)


@pytest.mark.parametrize("number", range(3))
def test_whole_processes_race_as_forked_ones_do(workspace: Workspace, number: int) -> None:
    workspace.live().runs("post")
    workspace.approve("post")
    racers = [workspace.agent("run", "post") for _ in range(12)]
    codes = Counter[int]()
    for racer in racers:
        racer.communicate()
        codes[racer.returncode] += 1
    assert codes == {0: 1, 4: 11}
    assert workspace.count("post") == 1


def test_the_scheduler_that_calls_twenty_times_at_once_starts_each_item_once(workspace: Workspace) -> None:
    workspace.live()
    for lane in "abc":
        workspace.runs(f"post-{lane}", schedule={"lane": lane})
        workspace.approve(f"post-{lane}")
    calls = [workspace.agent("run", "--due") for _ in range(20)]
    for call in calls:
        assert call.communicate()[1] is not None
        assert call.returncode == 0
    assert sorted(workspace.effects.read_text().split()) == ["post-a", "post-b", "post-c"]


@pytest.mark.long
def test_a_revoke_and_a_run_at_once_never_both_succeed(make_workspace: Make, quick_folder: Path) -> None:
    made = approved(make_workspace, quick_folder, 200)
    answers = made[0].forks("revoke", items=items(made), seed=random.randrange(1 << 32))
    for number, (workspace, (refused, code)) in enumerate(zip(made, answers, strict=True)):
        events = [name.split("-", 2)[2] for name in workspace.events(f"post-{number}")]
        if refused:
            assert code == Exit.FINE
            assert events == ["approved", "claimed", "done"]
            assert workspace.count(f"post-{number}") == 1
        else:
            assert code in (Exit.REFUSED, Exit.CLAIMED), "refused, or told that another was at it"
            assert events == ["approved", "revoked"]
            assert workspace.count(f"post-{number}") == 0
    won = Counter(refused for refused, _ in answers)
    assert min(won[0], won[1]) > 0, f"one of them was always first, so nothing was tested: {won}"


def test_whoever_looks_stands_in_nobodys_way(make_workspace: Make, quick_folder: Path) -> None:
    """Looking whether an item is running takes its run lock for a moment; a run must not take that for a rival."""
    workspace = make_workspace(folder=quick_folder)
    workspace.draft(
        "post", action={"argv": ["/bin/sh", "-c", 'echo "$DORY_ID" >> "$0"; exit 1', str(workspace.effects)]}
    )
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FAILED
    for _ in range(5):
        workspace.approve("post")
        answers = workspace.forks("look", items=[[str(workspace.root), "post"]], racers=4)
        assert answers[0] == Exit.FAILED
        assert Exit.UNKNOWN not in answers, "between two looks it ended, and its outcome was there"
    assert workspace.count("post") == 6
