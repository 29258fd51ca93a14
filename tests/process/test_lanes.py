"""Lanes: starts far enough apart, no burst after a week away, and nothing late by waiting for its lane alone."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import action, lanes, runner
from dory_tui.gate.due import run_due
from dory_tui.gate.rules import Exit
from dory_tui.gate.runner import Answer
from dory_tui.ledger import records
from dory_tui.ledger.records import Record, serialise
from dory_tui.review import decide
from dory_tui.review.change import DecisionError
from dory_tui.review.inspect import inspect
from dory_tui.values import replace

if TYPE_CHECKING:
    from tests.conftest import Stop, Workspace

pytestmark = [pytest.mark.gate, pytest.mark.xdist_group("lanes")]
LANE = {"lane": "social/main", "min_interval": "20m"}


def run(workspace: Workspace, identity: str) -> Answer:
    return runner.run(workspace.gate(), identity)


def thread(workspace: Workspace, count: int, schedule: dict[str, Any], every: timedelta | None = None) -> list[str]:
    """Approved posts of one lane; with `every`, each is due that much after the one before, the first one now."""
    names = [f"launch-{number}" for number in range(1, count + 1)]
    for number, name in enumerate(names):
        start = {} if every is None else {"not_before": (workspace.clock.now + number * every).isoformat()}
        workspace.runs(name, schedule={**schedule, **start}, title=f"Launch thread {number + 1} of {count}")
        workspace.approve(name)
    return names


def claims(workspace: Workspace) -> list[tuple[datetime, str]]:
    """Every claim that the authoritative ledger has, in order."""
    ledger = workspace.gate().ledger
    items = [(key, item) for key in ledger.keys("") for item in ledger.history(key)]
    found = [(i.record.when, key) for key, i in items if i.event == records.CLAIMED and i.original and i.record]
    return sorted(found)


def policy(workspace: Workspace, text: str) -> Path:
    file = Path(workspace.env["XDG_CONFIG_HOME"]) / "dory/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


# Starts far enough apart


def test_two_starts_of_a_lane_are_at_least_the_interval_apart(workspace: Workspace) -> None:
    thread(workspace, 3, LANE)
    assert run(workspace, "launch-1").code == Exit.FINE
    for minutes in (0, 5, 14):
        workspace.clock.forward(minutes=minutes)
        for verb in (runner.check, runner.run):
            found = verb(workspace.gate(), "launch-2")
            assert found.code == Exit.NOT_YET
            assert found.sentence == "the lane social/main starts one item every 20 m: not before 10:20"
    workspace.clock.forward(minutes=1)
    assert run(workspace, "launch-2").code == Exit.FINE
    assert run(workspace, "launch-3").code == Exit.NOT_YET
    workspace.clock.forward(minutes=20)
    assert run(workspace, "launch-3").code == Exit.FINE


@pytest.mark.parametrize("came", ["a start", "a hold"])
def test_what_comes_before_the_lane_is_ours_is_seen_before_the_claim(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, came: str
) -> None:
    """Another runner, or an editor, between the first look at everything and the lane's lock."""
    thread(workspace, 2, LANE)
    last_step = action.working_folder

    def meanwhile(root: Path, wanted: action.Action) -> Path:
        monkeypatch.setattr(action, "working_folder", last_step)
        if came == "a start":
            assert run(workspace, "launch-2").code == Exit.FINE
        else:
            workspace.hold("[2026-02-05 10:00 | main] id:launch-1 — wait")
        return last_step(root, wanted)

    monkeypatch.setattr(action, "working_folder", meanwhile)
    found = run(workspace, "launch-1")
    assert found.code == (Exit.NOT_YET if came == "a start" else Exit.HELD)
    assert workspace.events("launch-1") == ["1-001-approved"], "nothing was claimed for it"
    assert workspace.count("launch-1") == 0


def test_another_lane_is_not_kept_waiting(workspace: Workspace) -> None:
    thread(workspace, 1, LANE)
    workspace.runs("mail", schedule={"lane": "mail", "min_interval": "20m"})
    workspace.approve("mail")
    assert run(workspace, "launch-1").code == Exit.FINE
    assert run(workspace, "mail").code == Exit.FINE


def test_what_failed_or_is_unknown_took_its_turn(workspace: Workspace) -> None:
    thread(workspace, 1, LANE)
    for name, words in (("fails", "exit 1"), ("dies", "kill -9 $$")):
        workspace.draft(name, action={"argv": ["/bin/sh", "-c", words]}, schedule=LANE)
        workspace.approve(name)
    assert run(workspace, "fails").code == Exit.FAILED
    assert run(workspace, "dies").code == Exit.NOT_YET
    workspace.clock.forward(minutes=20)
    assert run(workspace, "dies").code == Exit.UNKNOWN
    workspace.clock.forward(minutes=19)
    assert run(workspace, "launch-1").code == Exit.NOT_YET


def test_the_text_of_a_lane_is_handed_out_by_the_same_rules(workspace: Workspace, stop: Stop) -> None:
    workspace.live()
    for name in ("one", "two"):
        workspace.draft(name, schedule=LANE)
        workspace.approve(name)
    workspace.draft("slow", action={"argv": ["/bin/sh", "-c", stop.words]}, schedule={"lane": "other"})
    workspace.draft("three", schedule={"lane": "other"})
    workspace.approve("slow")
    workspace.approve("three")
    assert runner.claim(workspace.gate(), "one").code == Exit.FINE
    found = runner.claim(workspace.gate(), "two")
    assert (found.code, found.output) == (Exit.NOT_YET, b"")
    process = workspace.agent("run", "slow")
    stop.reached()
    assert runner.claim(workspace.gate(), "three").code == Exit.NOT_YET
    stop.let_go()
    process.communicate()
    assert runner.claim(workspace.gate(), "three").code == Exit.FINE


# Whose word counts


def test_the_humans_policy_counts_for_drafts_that_ask_for_nothing(workspace: Workspace) -> None:
    for name in ("one", "two"):
        workspace.runs(name)
        workspace.approve(name)
    file = policy(workspace, '[lanes."*"]\nmin_interval = "1h"\n')
    assert run(workspace, "one").code == Exit.FINE
    workspace.clock.forward(minutes=59)
    found = run(workspace, "two")
    assert (found.code, found.sentence) == (
        Exit.NOT_YET, "the lane default starts one item every 1 h: not before 11:00",
    )  # fmt: skip
    file.unlink()
    assert run(workspace, "two").code == Exit.FINE


def test_the_workspace_and_a_draft_only_tighten(workspace: Workspace) -> None:
    policy(workspace, '[lanes."social/main"]\nmin_interval = "30m"\n')
    workspace.write("dory.toml", '[lanes."social/main"]\nmin_interval = "1m"\n')
    thread(workspace, 2, LANE)
    assert run(workspace, "launch-1").code == Exit.FINE
    workspace.clock.forward(minutes=21)
    assert "every 30 m" in run(workspace, "launch-2").sentence
    workspace.write("dory.toml", '[lanes."social/main"]\nmin_interval = "40m"\n')
    workspace.clock.forward(minutes=10)
    assert "every 40 m" in run(workspace, "launch-2").sentence
    workspace.write("dory.toml", "")
    assert run(workspace, "launch-2").code == Exit.FINE


def test_what_was_approved_with_a_tighter_policy_keeps_to_it(workspace: Workspace) -> None:
    workspace.write("dory.toml", '[lanes."*"]\nmin_interval = "1h"\n')
    thread(workspace, 2, {"lane": "a"})
    looked = inspect(workspace.root, workspace.find("launch-1"), workspace.clock.now, gate=workspace.gate())
    assert dict(looked.lines)["when"].endswith("· lane a, 1 h after its last start or later")
    (workspace.root / "dory.toml").unlink()
    assert run(workspace, "launch-1").code == Exit.FINE
    assert "every 1 h" in run(workspace, "launch-2").sentence


@pytest.mark.parametrize("whose", ["human", "workspace"])
def test_a_policy_that_cannot_be_read_starts_nothing_and_approves_nothing(workspace: Workspace, whose: str) -> None:
    workspace.runs("post")
    workspace.runs("next")
    workspace.approve("post")
    text = '[lanes."*"]\nmin_interval = 5\n'
    file = policy(workspace, text) if whose == "human" else workspace.write("dory.toml", text)
    found = run(workspace, "post")
    assert (found.code, found.state) == (Exit.REFUSED, "approved")
    assert f"{file.name}: min_interval of" in found.sentence
    assert {a.code for a in run_due(workspace.gate()) if a.id == "post"} == {Exit.REFUSED}
    with pytest.raises(DecisionError, match="min_interval of"):
        workspace.approve("next")
    file.unlink()
    assert run(workspace, "post").code == Exit.FINE


# A backlog never bursts


def test_seven_overdue_posts_in_one_lane_go_out_one_by_one(workspace: Workspace) -> None:
    names = thread(workspace, 7, LANE)
    for _ in range(40):
        run_due(workspace.gate())
        workspace.clock.forward(minutes=5)
    found = claims(workspace)
    assert [name for _, name in found] == names
    times = [when for when, _ in found]
    assert {later - earlier for earlier, later in itertools.pairwise(times)} == {timedelta(minutes=20)}
    assert workspace.effects.read_text().split() == names


def test_twenty_schedulers_at_once_start_one_of_a_lane(workspace: Workspace) -> None:
    workspace.live()
    thread(workspace, 7, LANE)
    calls = [workspace.agent("run", "--due") for _ in range(20)]
    for call in calls:
        call.communicate()
        assert call.returncode == 0
    assert workspace.effects.read_text().split() == ["launch-1"]
    assert len(claims(workspace)) == 1


def test_the_week_away(workspace: Workspace) -> None:
    """Seven posts approved for this morning, the machine off for three days: what run --due does on return."""
    names = thread(workspace, 7, {**LANE, "grace": "15m"}, timedelta(minutes=20))
    workspace.clock.forward(days=3)
    answers = {found.id: found for found in run_due(workspace.gate())}
    assert {answers[name].code for name in names} == {Exit.REFUSED}
    assert {answers[name].state for name in names} == {"expired"}, "and a yes without an end held for a day"
    for _ in range(30):
        workspace.clock.forward(minutes=10)
        run_due(workspace.gate())
    assert not workspace.effects.exists()


def test_the_week_away_with_windows_still_open(workspace: Workspace) -> None:
    """With an end far off they are missed, each by its own time; a start on return brings none of them back."""
    end = (workspace.clock.now + timedelta(days=9)).isoformat()
    names = thread(workspace, 7, {**LANE, "grace": "15m", "expires": end}, timedelta(minutes=20))
    later = (workspace.clock.now + timedelta(days=3)).isoformat()
    workspace.runs("fresh", schedule={**LANE, "not_before": later, "expires": end})
    workspace.approve("fresh")
    workspace.clock.forward(days=3)
    answers = {found.id: found for found in run_due(workspace.gate())}
    assert {answers[name].state for name in names} == {"missed"}
    assert answers["fresh"].code == Exit.FINE
    for _ in range(30):
        workspace.clock.forward(minutes=5)
        run_due(workspace.gate())
    assert workspace.effects.read_text().split() == ["fresh"]
    # A fresh yes to one of them is on time for its grace, and waits for its lane like any other.
    workspace.approve("launch-3")
    assert run(workspace, "launch-3").code == Exit.FINE
    assert workspace.events("launch-3")[-1] == "2-501-done"


def test_the_week_away_with_a_grace_that_bridges_it(workspace: Workspace) -> None:
    end = (workspace.clock.now + timedelta(days=9)).isoformat()
    names = thread(workspace, 7, {**LANE, "grace": "4d", "expires": end}, timedelta(minutes=20))
    workspace.clock.forward(days=3)
    begun = workspace.clock.now
    for _ in range(60):
        run_due(workspace.gate())
        workspace.clock.forward(minutes=3)
    times = [when for when, _ in claims(workspace)]
    assert [name for _, name in claims(workspace)] == names
    assert times[0] == begun
    assert all(later - earlier >= timedelta(minutes=20) for earlier, later in itertools.pairwise(times))


def test_seven_posts_due_at_one_time_are_none_of_them_missed_by_waiting_for_each_other(workspace: Workspace) -> None:
    names = thread(workspace, 7, {**LANE, "grace": "5m"}, timedelta(0))
    for _ in range(130):
        run_due(workspace.gate())
        workspace.clock.forward(minutes=1)
    assert [name for _, name in claims(workspace)] == names


def test_a_lane_that_was_taken_too_late_lets_the_rest_be_missed(workspace: Workspace) -> None:
    names = thread(workspace, 3, {**LANE, "grace": "5m"}, timedelta(0))
    run_due(workspace.gate())
    workspace.clock.forward(minutes=26)  # the second was to start by 10:25
    states = {found.id: found.state for found in run_due(workspace.gate())}
    assert states == {"launch-2": "missed", "launch-3": "missed"}
    assert workspace.count(names[0]) == 1


# The notes of starts are an index; the ledger decides


def test_lost_notes_are_made_out_of_the_ledger(workspace: Workspace) -> None:
    thread(workspace, 3, LANE)
    assert run(workspace, "launch-1").code == Exit.FINE
    folder = workspace.gate().ledger.state / lanes.FOLDER
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert run(workspace, "launch-2").code == Exit.NOT_YET
    workspace.clock.forward(minutes=20)
    assert run(workspace, "launch-2").code == Exit.FINE
    assert (folder / "social~main").read_text().count("\n") == 2, "the one before them is noted again"
    assert run(workspace, "launch-3").code == Exit.NOT_YET


@pytest.mark.parametrize("torn", [b"2026-02-05T09:1", b"\xff\xfe\n", b"2026-02-05T09:10:00Z 1 nobody\n", b"\n\n"])
def test_a_note_that_is_torn_or_of_a_start_that_never_was_keeps_nobody_waiting(
    workspace: Workspace, torn: bytes
) -> None:
    thread(workspace, 3, LANE)
    file = workspace.gate().ledger.state / lanes.FOLDER / "social~main"
    file.write_bytes(torn)
    assert run(workspace, "launch-1").code == Exit.FINE
    with file.open("ab") as notes:
        notes.write(torn)
    assert run(workspace, "launch-2").code == Exit.NOT_YET
    workspace.clock.forward(minutes=20)
    assert run(workspace, "launch-2").code == Exit.FINE
    assert run(workspace, "launch-3").code == Exit.NOT_YET


def test_a_claim_that_only_the_mirror_has_is_no_start_here(workspace: Workspace) -> None:
    thread(workspace, 1, LANE)
    gate = workspace.gate()
    data = {"lane": "social/main", "machine": "laptop"}
    claim = Record(gate.identity.id, "other", 1, 500, "claimed", "ana", workspace.clock.now, None, data)
    workspace.write(f".dory/ledger/other/{claim.name}", serialise(claim))
    assert run(workspace, "launch-1").code == Exit.FINE


def test_many_starts_are_read_from_the_end(workspace: Workspace) -> None:
    thread(workspace, 2, LANE)
    assert run(workspace, "launch-1").code == Exit.FINE
    file = workspace.gate().ledger.state / lanes.FOLDER / "social~main"
    last = file.read_bytes()
    file.write_bytes(b"2025-01-01T00:00:00.000000Z 1 gone\n" * 20_000 + last)
    since = workspace.clock.now - timedelta(days=1)
    assert lanes.starts(workspace.gate().ledger, "social/main", since) == (workspace.clock.now,)
    assert run(workspace, "launch-2").code == Exit.NOT_YET


# Time


def test_a_clock_behind_any_record_of_this_machine_refuses(workspace: Workspace) -> None:
    thread(workspace, 1, LANE)
    workspace.clock.forward(hours=1)
    workspace.runs("later")
    workspace.approve("later")
    workspace.clock.forward(minutes=-3)
    for verb in (runner.check, runner.run):
        found = verb(workspace.gate(), "launch-1")
        assert found.code == Exit.REFUSED
        assert "the clock stands before the last record (2026-02-05 10:00 UTC): set the clock" in found.sentence
    workspace.runs("new")
    with pytest.raises(DecisionError, match="the clock stands before") as caught:
        workspace.approve("new")
    assert caught.value.code == Exit.REFUSED
    workspace.clock.forward(minutes=1)
    assert run(workspace, "launch-1").code == Exit.FINE


def test_a_clock_put_forward_expires_and_misses_but_never_runs(workspace: Workspace) -> None:
    end = (workspace.clock.now + timedelta(days=300)).isoformat()
    workspace.runs("timed", schedule={"not_before": workspace.clock.now.isoformat(), "expires": end})
    workspace.runs("loose")
    for name in ("timed", "loose"):
        workspace.approve(name)
    workspace.clock.forward(days=40)
    assert {found.id: found.state for found in run_due(workspace.gate())} == {"timed": "missed", "loose": "expired"}
    assert not workspace.effects.exists()


def test_a_time_in_a_named_zone_is_that_instant(workspace: Workspace) -> None:
    workspace.runs("post", schedule={"not_before": "2026-02-05T05:00:00 America/New_York"})
    workspace.approve("post")
    found = run(workspace, "post")
    assert (found.code, found.sentence) == (Exit.NOT_YET, "not before 11:00")
    workspace.clock.forward(hours=1)
    assert run(workspace, "post").code == Exit.FINE


@pytest.mark.parametrize("when", ["2026-10-25T02:30:00", "2026-03-29T02:30:00"])
def test_a_time_that_comes_twice_or_never_cannot_be_approved(workspace: Workspace, when: str) -> None:
    workspace.runs("post", schedule={"not_before": f"{when} Europe/Berlin"})
    with pytest.raises(DecisionError, match=r"state/drafts/post\.md line 4: .*: write .* or ") as caught:
        workspace.approve("post")
    assert caught.value.code == Exit.USAGE
    assert run(workspace, "post").code == Exit.USAGE


# The machine


def test_a_yes_is_for_the_machine_it_was_given_on(workspace: Workspace) -> None:
    workspace.runs("post")
    here = replace(workspace.gate(), machine="laptop")
    decide.approve(here, "post", workspace.find("post").digest)
    desk = replace(workspace.gate(), machine="desk")
    for verb in (runner.check, runner.run):
        found = verb(desk, "post")
        assert found.code == Exit.REFUSED
        assert "for the machine laptop, and this is desk" in found.sentence
    assert runner.run(replace(workspace.gate(), machine="laptop"), "post").code == Exit.FINE
