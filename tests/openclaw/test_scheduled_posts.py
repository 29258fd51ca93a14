"""Seven posts, one of them approved, and a gateway that was down when they came due."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.openclaw.gateway import TOKEN, Gateway, wait_until
from tests.openclaw.outside import Outside
from tests.process.launcher import launcher
from tests.process.test_schedulers import filled

if TYPE_CHECKING:
    from tests.conftest import Workspace

POSTS = [f"post-{number}" for number in range(1, 8)]
APPROVED = "post-3"


@pytest.fixture
def runs(place: Workspace, post: Path, tmp_path: Path) -> dict[str, list[str]]:
    """The seven as drafts, one of them approved; the line that a job runs for each."""
    agent = launcher(tmp_path / "bin/dory-agent")
    for name in POSTS:
        place.draft(name, action={"argv": [str(post), name]})
    place.approve(APPROVED)
    return {name: [str(agent), "-C", str(place.root), "run", name, "--refusal-exit", "0"] for name in POSTS}


def restarted_after_the_last(gateway: Gateway, jobs: dict[str, list[str]]) -> None:
    took = gateway.start()
    due = gateway.schedule(jobs)
    gateway.stop()
    wait_until(due[-1])
    again = gateway.start()
    print(f"\nready in {took:.0f} s, and in {again:.0f} s the second time; {len(jobs)} jobs 5 s apart came due between")


def test_without_dory_all_seven_go_out_in_a_burst(gateway: Gateway, outside: Outside, post: Path) -> None:
    restarted_after_the_last(gateway, {name: [str(post), name] for name in POSTS})
    outside.wait_for_posts(7)
    print("without dory, seconds after the first:", outside.times())
    assert sorted(outside.posted) == POSTS
    seconds = [moment for _, moment in outside.times()]
    assert seconds[4] < 3, "five of them at once"
    assert seconds[6] < 20, "and all seven sooner than they were planned"


def test_with_dory_only_the_approved_one_goes_and_once(
    gateway: Gateway, outside: Outside, place: Workspace, runs: dict[str, list[str]]
) -> None:
    restarted_after_the_last(gateway, runs)
    first = gateway.finished()
    gateway.stop()
    gateway.start()
    gateway.crash()
    gateway.start()
    states = gateway.finished()
    assert outside.posted == [APPROVED]
    assert states == first, "the restarts ran nothing again"
    for name in POSTS:
        said, reason = states[name]["lastDiagnosticSummary"], place.live().standing(name).reason
        print(f"with dory, three restarts: job {states[name]['lastRunStatus']}; {said}")
        assert said.endswith(f"{name}: {reason}")
        assert ("no human has said yes" in reason) == (name != APPROVED)
        assert (states[name]["lastRunStatus"], states[name]["consecutiveErrors"]) == ("ok", 0)
        assert states[name]["lastDeliveryStatus"] == "not-requested"
    forced = gateway.runs_now(APPROVED)
    print(f"run once more by hand: {forced['status']}; {forced['summary']}")
    assert "it ran once and is done" in forced["summary"]
    assert outside.posted == [APPROVED]
    assert place.standing(APPROVED).state == "done"


def test_a_machine_that_dies_in_the_middle_posts_twice_without_dory_and_once_with_it(
    gateway: Gateway, outside: Outside, place: Workspace, post: Path, runs: dict[str, list[str]]
) -> None:
    """The platform starts an interrupted one-shot again; the gate refuses what it claimed and never heard of again."""
    gateway.start()
    outside.slow.set()
    gateway.schedule({"bare": [str(post), "bare"], APPROVED: runs[APPROVED]}, apart=0)
    outside.wait_for_posts(2)
    gateway.crash()
    outside.let_go()
    gateway.start()
    said = gateway.finished()[APPROVED]["lastDiagnosticSummary"]
    print(f"\nafter a crash in mid-post: {outside.posted}; {said}")
    assert sorted(outside.posted) == ["bare", "bare", APPROVED]
    assert place.live().standing(APPROVED).state == "unknown"
    assert "did it happen?" in said


def test_the_job_of_the_template_starts_what_is_due_once(
    gateway: Gateway, outside: Outside, place: Workspace, runs: dict[str, list[str]], tmp_path: Path
) -> None:
    """`templates/schedulers/openclaw.sh` as a person runs it, with the gateway's address behind it."""
    script = tmp_path / "job.sh"
    script.write_text(filled("openclaw.sh", Path(runs[APPROVED][0]), place.root))
    gateway.start()
    line = ["sh", str(script), "--url", gateway.url, "--token", TOKEN]
    subprocess.run(line, env=gateway.env, cwd="/", capture_output=True, check=True)
    for _ in range(2):
        done = gateway.runs_now("dory")
        print(f"\n`run --due`: {done['status']}; {done['summary']}")
        assert (done["status"], outside.posted) == ("ok", [APPROVED])
    assert "nothing is due" in done["summary"]
