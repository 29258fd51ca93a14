"""A runner that dies, at every call it makes; a disk that fails, at every call; a no that comes in between."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.ledger.records import Record, serialise
from dory_tui.review import decide
from dory_tui.review.change import DecisionError

if TYPE_CHECKING:
    from tests.conftest import Stop, Workspace

pytestmark = pytest.mark.gate


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], quick_folder: Path) -> Workspace:
    return make_workspace(folder=quick_folder)


def sweep(workspace: Workspace, draft: Mapping[str, Any] | None = None, **job: Any) -> list[dict[str, Any]]:
    """One answer for each call that a run makes, with a fault there; the last is of the run without one."""
    workspace.draft("post", **(draft or {"action": {"argv": workspace.effect}}))
    workspace.approve("post")
    folders = [str(workspace.root), workspace.env["XDG_STATE_HOME"]]
    for folder in folders:
        shutil.copytree(folder, f"{folder}.before", symlinks=True)
    answers: list[dict[str, Any]] = workspace.forks(
        "sweep", items=[[str(workspace.root), "post"]], folders=folders, **job
    )
    assert len(answers) > 20, "it looked at every call"
    assert answers.pop()["codes"] == [0, 4, 4]
    return answers


@pytest.mark.parametrize("before", [True, False], ids=["before each call", "after each call"])
def test_killed_anywhere_it_has_run_at_most_once_and_a_claim_is_never_run_again(
    workspace: Workspace, before: bool
) -> None:
    answers = sweep(workspace, fault="die", before=before)
    for answer in answers:
        first, second, third = answer["codes"]
        assert first == -signal.SIGKILL, answer
        assert answer["effects"] <= 1, answer
        if not answer["claimed"]:
            assert (second, third, answer["effects"]) == (0, 4, 1), answer
            continue
        assert {second, third} <= {int(Exit.CLAIMED), int(Exit.UNKNOWN)}, answer
        reported = "done" in answer["events"]
        assert third == (Exit.CLAIMED if reported else Exit.UNKNOWN), answer
        assert answer["state"] == ("done" if reported else "unknown"), answer
        assert answer["effects"] or not reported, answer
    # It died before the claim, between claim and start, between start and outcome, and after the outcome.
    seen = {(answer["claimed"], answer["effects"], answer["codes"][1]) for answer in answers}
    assert {(False, 1, 0), (True, 0, 5), (True, 1, 5), (True, 1, 4)} <= seen


@pytest.mark.parametrize("fault", ["die", "fail"])
def test_with_attachments_and_a_spaced_lane_it_is_no_different(workspace: Workspace, fault: str) -> None:
    """The notes of lanes and the copies of files add calls; none of them makes a second effect or loses a claim."""
    workspace.write("img/a.png", b"a picture")
    words = 'test "$(cat "$1")" = "a picture" && echo "$DORY_ID" >> "$0"'
    argv = ["/bin/sh", "-c", words, str(workspace.effects), "img/a.png"]
    draft = {
        "action": {"argv": argv, "attach": ["img/a.png"]}, "schedule": {"lane": "social/main", "min_interval": "20m"},
    }  # fmt: skip
    answers = sweep(workspace, draft, fault=fault, before=True)
    assert {"fsync", "link", "mkdir", "fork_exec"} <= {answer["at"] for answer in answers}
    for answer in answers:
        first, second, third = answer["codes"]
        assert answer["effects"] <= 1, answer
        if not answer["claimed"]:
            assert (second, third, answer["effects"]) == (0, 4, 1), answer
        else:
            assert second in (3, 4, 5), answer
            assert third in (3, 4, 5), answer
        assert fault == "fail" or first == -signal.SIGKILL, answer
        assert fault == "die" or first in (0, 3, 5), answer


def test_a_call_that_fails_anywhere_is_a_refusal_or_an_unknown_and_never_a_second_try(workspace: Workspace) -> None:
    answers = sweep(workspace, fault="fail", before=True)
    assert {"fsync", "link", "mkdir", "flock", "fork_exec", "unlink"} <= {answer["at"] for answer in answers}
    for answer in answers:
        first, second, third = answer["codes"]
        assert first in (0, 3, 5), answer
        assert answer["effects"] <= 1, answer
        if not answer["claimed"]:
            assert (first, second, answer["effects"]) == (3, 0, 1), answer
        else:
            assert second in (3, 4, 5), answer
            assert third == second, answer
        if first == 3 and answer["claimed"]:
            assert answer["effects"] == 0, answer
            assert answer["state"] in ("aborted-before-start", "unknown"), answer
        if first == 5:
            assert answer["effects"] == 1, answer
    # A failing disk before the claim, at the claim and at the outcome.
    assert {answer["codes"][0] for answer in answers if answer["at"] == "fsync"} == {0, 3, 5}


def test_a_hold_that_is_written_between_the_claim_and_the_start_stops_it(workspace: Workspace) -> None:
    hold = "# HOLD.md\n\n## Currently Blocked\n\n[2026-02-05 10:01 | main] post — wait\n"
    answers = sweep(workspace, fault="meddle", before=False, writes={str(workspace.root / "state/HOLD.md"): hold})
    _stopped(answers, Exit.HELD)


def test_a_no_that_git_brings_between_the_claim_and_the_start_stops_it(workspace: Workspace) -> None:
    """The item's lock keeps dory's own revoke away; a merge takes no lock."""
    workspace.gate().settle()
    no = Record(workspace.gate().identity.id, "post", 1, 2, "revoked", "ana@laptop", workspace.clock.now, None, {})
    file = workspace.root / ".dory/ledger/post/1-002-revoked.json"
    answers = sweep(workspace, fault="meddle", before=False, writes={str(file): serialise(no).decode()})
    _stopped(answers, Exit.REFUSED)


def _stopped(answers: list[dict[str, Any]], code: Exit) -> None:
    """Whenever it came before the last look, nothing ran; claimed or not, nothing runs later."""
    last_look = max(n for n, answer in enumerate(answers) if answer["codes"][0] == code)
    stopped, late = answers[: last_look + 1], answers[last_look + 1 :]
    for answer in stopped:
        assert answer["codes"] == [code] * 3, answer
        assert answer["effects"] == 0, answer
    aborted = [answer["at"] for answer in stopped if "aborted-before-start" in answer["events"]]
    assert aborted.count("link") == 2, "right after the claim's name appeared in the one ledger and in the other"
    assert aborted[-1] == "fsync", "and until the claim was on disk"
    assert "fork_exec" in [answer["at"] for answer in late][:2], "what comes after that look is too late to be seen"
    for answer in late:
        assert (answer["codes"][0], answer["effects"]) == (0, 1), answer


def test_killed_in_mid_effect_it_is_running_until_the_child_ends_and_unknown_from_then_on(
    workspace: Workspace, stop: Stop
) -> None:
    words = f'echo "$DORY_ID" >> "$0"; {stop.words}; echo "$DORY_ID" >> "$0.end"'
    workspace.live().draft("post", action={"argv": ["/bin/sh", "-c", words, str(workspace.effects)]})
    workspace.approve("post")
    dying = workspace.agent("run", "post")
    stop.reached()
    dying.kill()
    assert dying.wait() == -signal.SIGKILL
    dying.communicate()
    for _ in range(3):
        assert runner.run(workspace.gate(), "post").code == Exit.CLAIMED
    assert workspace.standing("post").state == "running"
    with pytest.raises(DecisionError, match="running now"):
        decide.resolve(workspace.gate(), "post", happened=False)

    stop.let_go()
    lock = workspace.gate().ledger.open_lock("post", "run")
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.close(lock)
    assert workspace.effects.with_name(f"{workspace.effects.name}.end").exists(), "the child was not disturbed"
    for _ in range(10):
        assert runner.run(workspace.gate(), "post").code == Exit.UNKNOWN
    assert workspace.count("post") == 1
    assert workspace.standing("post").needs_yes, "it is shown first, and waits for a human's word"


def test_after_a_kill_only_a_humans_word_and_a_fresh_yes_run_it_again(workspace: Workspace) -> None:
    answers = sweep(workspace, fault="die", before=True)
    claimed = next(answer["number"] for answer in answers if answer["claimed"])
    for folder in (str(workspace.root), workspace.env["XDG_STATE_HOME"]):
        shutil.rmtree(folder)
        shutil.copytree(f"{folder}.before", folder)
    folders = [str(workspace.root), workspace.env["XDG_STATE_HOME"]]
    job = {"items": [[str(workspace.root), "post"]], "folders": folders, "fault": "die", "before": True}
    workspace.forks("sweep", first=claimed, last=claimed + 1, **job)
    with pytest.raises(DecisionError, match="did it happen"):
        workspace.approve("post")
    decide.resolve(workspace.gate(), "post", happened=False)
    assert runner.run(workspace.gate(), "post").code == Exit.REFUSED
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert runner.run(workspace.gate(), "post").code == Exit.CLAIMED
    assert workspace.count("post") == 1
    assert workspace.events("post") == [
        "1-001-approved", "1-500-claimed", "1-501-not-happened", "2-001-approved", "2-500-claimed", "2-501-done",
    ]  # fmt: skip
