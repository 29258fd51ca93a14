"""What a review comes to: what was decided, what will run and when, and whether anything is there to run it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from dory_tui.gate import due
from dory_tui.review import decide, session
from dory_tui.review.desk import load
from dory_tui.review.scheduling import crontab_line, program
from dory_tui.review.summary import Summary, summarise
from dory_tui.review.undo import undo
from tests.conftest import NOW, Workspace


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace()
    made.write("dory.toml", 'time_zone = "Europe/Vienna"\n')
    made.runs("soon", title="Soon \u202e")
    made.runs("late", {"not_before": "2026-02-06T09:00:00+01:00", "grace": "15m", "lane": "social/main"})
    made.runs("noon", {"not_before": "2026-02-05T12:00:00+01:00", "expires": "2026-02-05T12:10:00+01:00"})
    made.draft("words")
    made.draft("post-1")
    made.draft("post-2")
    return made


def look(studio: Workspace) -> Summary:
    gate = studio.gate()
    return summarise(load(gate), session.current(gate))


def test_before_anything_is_decided(studio: Workspace) -> None:
    found = look(studio)
    assert (found.decided, found.runs, found.held, found.waiting) == ((), (), (), 6)
    assert found.scheduler.startswith("nothing has ever run `dory-agent run --due` here")
    assert not found.scheduler_ok
    assert found.setup == crontab_line(program(studio.env), str(studio.root))


def test_what_runs_stands_in_order_with_its_window_and_lane(studio: Workspace) -> None:
    for name in ("late", "soon", "words", "noon"):
        studio.approve(name)
    found = look(studio)
    assert [(run.id, run.when, run.lane) for run in found.runs] == [
        ("soon", "when a scheduler next looks, until tomorrow 10:00", "default"),
        ("words", "the agent may use it once, until tomorrow 10:00", "default"),
        ("noon", "12:00 to 12:10", "default"),
        ("late", "tomorrow 09:00 to tomorrow 09:15", "social/main"),
    ]
    assert [run.text for run in found.runs] == [False, True, False, False]
    assert found.runs[0].title == "Soon ⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧"
    assert found.runs[0].starts is None
    assert found.runs[3].starts == NOW.replace(day=6, hour=9)
    assert found.runs[3].ends == NOW.replace(day=6, hour=9, minute=15)
    assert len(found.decided) == 4
    assert found.decided[0] == "late is approved until tomorrow 10:00"
    assert found.waiting == 2


def test_what_is_held_is_named_with_its_hold_and_does_not_run(studio: Workspace) -> None:
    studio.approve("post-1")
    decide.reject(studio.gate(), "words", studio.find("words").digest, "")
    studio.hold("[2026-02-04 09:00 | ana] Posts — not yet")
    found = look(studio)
    assert [(one.id, one.by, one.approved) for one in found.held] == [
        ("post-1", "held by “Posts — not yet”", True), ("post-2", "held by “Posts — not yet”", False),
    ]  # fmt: skip
    assert found.runs == ()


def test_what_was_undone_was_not_decided(studio: Workspace) -> None:
    studio.approve("soon")
    decide.add_hold(studio.gate(), "mail — wait")
    undo(studio.gate())
    assert [words.partition(" until")[0] for words in look(studio).decided] == ["soon is approved"]
    undo(studio.gate())
    assert look(studio).decided == ()
    assert look(studio).runs == ()


@pytest.mark.parametrize(
    ("span", "words", "fine"),
    [
        (timedelta(), "the scheduler last looked just now", True),
        (timedelta(minutes=4), "the scheduler last looked 4 m ago", True),
        (timedelta(hours=1), "the scheduler last looked 1 h ago", False),
        (timedelta(days=3), "the scheduler last looked 3 d ago", False),
    ],
)
def test_whether_anything_is_there_to_run_it(studio: Workspace, span: timedelta, words: str, fine: bool) -> None:
    studio.gate().settle()
    due.run_due(studio.gate())
    studio.clock.now += span
    found = look(studio)
    assert (found.scheduler, found.scheduler_ok, found.setup is None) == (words, fine, fine)


def test_the_line_to_set_it_up_has_whole_paths_since_cron_knows_few(studio: Workspace) -> None:
    setup = look(studio).setup
    assert setup is not None
    assert re.fullmatch(r'\*/5 \* \* \* \* out="\$\(/\S+/dory-agent -C /\S+ run --due 2>&1\)" .*', setup)
