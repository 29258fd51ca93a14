"""A review goes on where it stopped, and its last page says what it came to."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.review import decide, session
from dory_tui.review.desk import load
from dory_tui.tui import verbs
from dory_tui.tui.going_on import END
from dory_tui.workspace import layout
from tests.tui.conftest import Morning, sit

pytestmark = pytest.mark.long


def decide_all(gate: Gate) -> None:
    """No to everything that waits, but for the unknown outcome, which happened."""
    for item in load(gate).waiting:
        if item.standing.state == "unknown":
            decide.resolve(gate, item.draft.id, True)
        else:
            verbs.carry_out(gate, verbs.reject(item.subject, ""))
    for one in load(gate).memories:
        verbs.carry_out(gate, verbs.reject(one.subject, ""))


async def test_the_next_start_goes_on_with_what_was_shown(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.go("mail-ana")
        await person.press("5")
    async with sit(morning) as person:
        assert person.selected == "mail-ana"


async def test_what_no_longer_waits_is_not_gone_on_with(morning: Morning) -> None:
    async with sit(morning) as person:
        first = person.selected
        await person.go("mail-ana")
    found = load(morning.gate()).staged_by_id("mail-ana")
    assert found is not None
    decide.reject(morning.gate(), "mail-ana", found.subject.digest, "")
    async with sit(morning) as person:
        assert person.selected == first


async def test_a_review_of_yesterday_is_over(morning: Morning) -> None:
    async with sit(morning) as person:
        first = person.selected
        await person.go("mail-ana")
    morning.clock.now += timedelta(hours=19)
    async with sit(morning) as person:
        assert person.selected == first
        begun = session.current(morning.gate())
        assert begun is not None
        assert begun.started == morning.clock.now
        assert begun.decided == ()


async def test_a_finished_review_goes_on_until_something_new_waits(morning: Morning) -> None:
    decide_all(morning.gate())
    async with sit(morning) as person:
        assert "All reviewed" in person.screen_text
    before = session.current(morning.gate())
    assert before is not None
    assert before.here == END
    async with sit(morning) as person:
        assert f"{len(before.decided)} decisions in this review" in person.screen_text
    morning.draft("late", "A late one", "Late.\n", ["/bin/echo"])
    morning.clock.now += timedelta(minutes=5)
    async with sit(morning) as person:
        assert person.selected == "late"
        after = session.current(morning.gate())
        assert after is not None
        assert (after.started, after.decided) == (morning.clock.now, ())


async def test_the_last_page(morning: Morning) -> None:
    gate = morning.gate()
    for name in ("launch-2", "deploy-web"):
        morning.approve(name)
    text = "id:mail-ana — she is away"
    decide.add_hold(gate, text)
    morning.approve("mail-ana")
    decide_all(gate)
    async with sit(morning, (120, 60)) as person:
        shown = person.screen_text
    lines = [line[47:-1].strip() for line in shown.splitlines()]
    runs = lines.index("What your yes lets run, and nothing else")
    assert lines[runs + 1] == "deploy-web  Deploy the site"
    assert lines[runs + 2].startswith("when a scheduler next looks, until ")
    held = lines.index("What a hold keeps from running")
    assert lines[held + 1 : held + 3] == [
        "held by “X thread tweets 2-7 — awaiting explicit approval”:", "launch-2  Launch thread 2 of 7",
    ]  # fmt: skip
    assert lines[held + 3 : held + 5] == [
        "held by “id:mail-ana — she is away”:",
        "mail-ana  Mail to Ana about the poster",
    ]
    assert "The scheduler last looked 4 m ago." in lines
    told = lines.index("What you decided")
    assert any(line.startswith("deploy-web is approved until") for line in lines[told:])
    assert "launch-3 is rejected" in lines[told:]


async def test_the_last_page_where_nothing_ever_looked(bare: Morning) -> None:
    bare.write(layout.STAGING, "# STAGING.md\n\n## Currently Staged\n")
    async with sit(bare) as person:
        assert "Nothing waits for you" in person.screen_text
        assert "Nothing is approved, so nothing will run." in person.screen_text
        assert "With `crontab -e`, for a look every five minutes:" in person.screen_text
        assert '*/5 * * * * out="$(/' in person.screen_text
        assert "takes the last decision back" not in person.screen_text


async def test_the_last_page_follows_an_undo(morning: Morning) -> None:
    decide_all(morning.gate())
    async with sit(morning) as person:
        assert "All reviewed" in person.screen_text
        await person.press("u", "u")
        assert "All reviewed" not in person.screen_text
        assert person.selected is not None
