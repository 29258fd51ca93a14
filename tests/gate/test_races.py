"""The races of the suite at full size, with the figures printed (`make test-gate`)."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from tests.gate.sizes import IDS, RACERS, batches
from tests.process.test_race import approved, items

if TYPE_CHECKING:
    from tests.conftest import Stop, Workspace

pytestmark = pytest.mark.gate
Make = Callable[..., "Workspace"]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure past pytest's capture."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}")

    return say


def in_batches(make: Make, folder: Path, total: int) -> Iterator[list[Workspace]]:
    """Approved workspaces, one id each, a batch at a time."""
    for number, size in enumerate(batches(total)):
        place = folder / f"batch{number}"
        place.mkdir()
        yield approved(make, place, size)
        shutil.rmtree(place)


def test_fifty_racers_on_every_id_leave_one_effect_each(
    make_workspace: Make, quick_folder: Path, tell: Callable[[str], None]
) -> None:
    begun, effects, codes = time.monotonic(), 0, Counter[str]()
    for made in in_batches(make_workspace, quick_folder, IDS):
        for answer in made[0].forks("race", items=items(made), racers=RACERS):
            assert answer == {"0": 1, "4": RACERS - 1}
            codes.update(answer)
        for number, workspace in enumerate(made):
            assert workspace.count(f"post-{number}") == 1
            assert workspace.events(f"post-{number}") == ["1-001-approved", "1-500-claimed", "1-501-done"]
            effects += 1
    took = time.monotonic() - begun
    tell(f"{RACERS} racers on each of {IDS} ids: {effects} effects, exit codes {dict(codes)}, {took:.0f} s")


def test_with_half_of_the_racers_killed_there_is_never_a_second_effect(
    make_workspace: Make, quick_folder: Path, tell: Callable[[str], None]
) -> None:
    begun, ends, codes, effects = time.monotonic(), Counter[str](), Counter[str](), 0
    for made in in_batches(make_workspace, quick_folder, IDS):
        seed = random.randrange(1 << 32)
        answers = made[0].forks("race", items=items(made), racers=RACERS, killed=RACERS // 2, within=0.15, seed=seed)
        for number, (workspace, answer) in enumerate(zip(made, answers, strict=True)):
            assert set(answer) <= {"0", "4", "5", "-9"}, (seed, answer)
            codes.update(answer)
            state, count = after_the_kills(workspace, f"post-{number}")
            ends[state] += 1
            effects += count
    took = time.monotonic() - begun
    assert codes["-9"] > IDS * RACERS // 20, f"the kills came too late to matter: {codes}"
    tell(
        f"{RACERS} racers with {RACERS // 2} killed on each of {IDS} ids: {effects} effects before anyone looked "
        f"again, states {dict(ends)}, exit codes {dict(codes)}, {took:.0f} s"
    )


def after_the_kills(workspace: Workspace, identity: str) -> tuple[str, int]:
    """The state that the dead left and the effects so far; whatever runs again is what nobody had claimed."""
    lock = workspace.gate().ledger.open_lock(identity, "run")
    fcntl.flock(lock, fcntl.LOCK_EX)  # a child of a dead runner may still hold it
    os.close(lock)
    state, before = workspace.standing(identity).state, workspace.count(identity)
    assert before <= 1
    again = runner.run(workspace.gate(), identity)
    if state == "approved":
        assert (before, again.code) == (0, Exit.FINE), "what nobody claimed runs, once"
    else:
        assert state in ("unknown", "done")
        assert again.code in (Exit.CLAIMED, Exit.UNKNOWN)
        assert workspace.count(identity) == before, "what was claimed is not run again by itself"
    assert runner.run(workspace.gate(), identity).code in (Exit.CLAIMED, Exit.UNKNOWN)
    assert workspace.count(identity) <= 1
    return state, before


def test_a_revoke_against_a_run_never_lets_both_through(
    make_workspace: Make, quick_folder: Path, tell: Callable[[str], None]
) -> None:
    total, won = max(IDS, 200), Counter[str]()
    for made in in_batches(make_workspace, quick_folder, total):
        answers = made[0].forks("revoke", items=items(made), seed=random.randrange(1 << 32))
        for number, (workspace, (refused, code)) in enumerate(zip(made, answers, strict=True)):
            events = [name.split("-", 2)[2] for name in workspace.events(f"post-{number}")]
            count = workspace.count(f"post-{number}")
            if refused:
                assert (code, events, count) == (Exit.FINE, ["approved", "claimed", "done"], 1)
            else:
                assert code in (Exit.REFUSED, Exit.CLAIMED)
                assert (events, count) == (["approved", "revoked"], 0)
            won["run" if refused else "revoke"] += 1
    assert min(won["run"], won["revoke"]) > 0, f"one of them was always first, so nothing was tested: {won}"
    tell(f"revoke against run on {total} ids: {dict(won)}")


def test_twenty_schedulers_at_once_start_each_item_once(make_workspace: Make, tell: Callable[[str], None]) -> None:
    turns = max(2, IDS // 30)
    for turn in range(turns):
        workspace = make_workspace(f"turn{turn}").live()
        names = [f"post-{lane}" for lane in "abcd"]
        for name in names:
            workspace.runs(name, schedule={"lane": name})
            workspace.approve(name)
        calls = [workspace.agent("run", "--due") for _ in range(20)]
        for call in calls:
            _, said = call.communicate()
            assert call.returncode == 0, said
        assert sorted(workspace.effects.read_text().split()) == names
    tell(f"20 x `run --due` at once, {turns} times over 4 lanes: {4 * turns} effects")


def test_seven_overdue_posts_of_a_lane_go_out_one_for_each_call(workspace: Workspace, stop: Stop) -> None:
    """Twenty schedulers at once, when all seven are due and the first is still running, start one and no more."""
    workspace.live()
    names = [f"launch-{number}" for number in range(1, 8)]
    words = f'echo "$DORY_ID" >> "$0"; [ "$DORY_ID" != launch-1 ] || {{ {stop.words}; }}'
    for name in names:
        action = {"argv": ["/bin/bash", "-c", words, str(workspace.effects)]}
        workspace.draft(name, action=action, schedule={"lane": "social/main"})
        workspace.approve(name)
    first = workspace.agent("run", "--due")
    stop.reached()
    calls = [workspace.agent("run", "--due") for _ in range(20)]
    for call in calls:
        call.communicate()
        assert call.returncode == 0
    assert workspace.effects.read_text().split() == names[:1], "while it runs, its lane is taken"
    stop.let_go()
    first.communicate()
    assert workspace.effects.read_text().split() == names[:1]
    for number in range(2, 8):
        call = workspace.agent("run", "--due")
        call.communicate()
        assert workspace.effects.read_text().split() == names[:number]
    workspace.agent("run", "--due").communicate()
    assert workspace.effects.read_text().split() == names
