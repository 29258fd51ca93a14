"""The History screen: records and commits newest first, their fields at the right, and no text that breaks it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from dory_tui.ledger import records
from dory_tui.ledger.store import MEMORY_PREFIX
from dory_tui.review import decide
from dory_tui.review.desk import load
from dory_tui.review.past import past, searchable, who, word
from dory_tui.tui.screens import history
from dory_tui.tui.screens.history import HistoryScreen
from dory_tui.tui.screens.review import ReviewScreen
from dory_tui.tui.widgets.happened import event_rows
from tests.tui.conftest import Morning, Person, sit

pytestmark = pytest.mark.long


def screen(person: Person) -> HistoryScreen:
    assert isinstance(person.app.screen, HistoryScreen)
    return person.app.screen


def listed(person: Person) -> list[str]:
    """The lines of the list, as they stand on the screen."""
    region = screen(person).browser.content_region
    lines = person.screen_text.splitlines()[region.y : region.bottom]
    return [line[region.x : region.right].rstrip() for line in lines if line[region.x : region.right].strip()]


def focused(person: Person) -> str | None:
    return None if person.app.focused is None else person.app.focused.id


def pointed(person: Person) -> tuple[str, str]:
    event = screen(person).pointed
    assert event is not None
    return event.what, event.id


async def test_newest_first_with_days_words_people_and_commits(morning: Morning) -> None:
    morning.clock.now += timedelta(minutes=12)
    morning.approve("mail-ana")
    sha = morning.git("rev-parse", "--short=7", "HEAD").strip()
    async with sit(morning, (120, 40)) as person:
        await person.press("p")
        lines = listed(person)
        decided = next(line for line in lines if "mail-ana" in line)
        by = who(past(morning.gate(), 1)[0])
        assert decided.split() == ["10:42", "approved", "mail-ana", by, sha]
        done = next(line for line in lines if " done " in line)
        assert done.split() == ["10:30", "done", "launch-1", by]
        assert lines.index(decided) < lines.index(done)
        assert any(line.startswith("Mon 30 Nov · today") for line in lines)
        start = morning.git("rev-parse", "--short=7", ":/^Start").strip()
        assert next(line for line in lines if "Start" in line).split()[1:] == ["commit", "Start", "Mira", start]


async def test_the_right_side_shows_the_record_and_its_commit(morning: Morning) -> None:
    found = load(morning.gate()).staged_by_id("mail-ana")
    assert found is not None
    decide.request_changes(morning.gate(), "mail-ana", found.subject.digest, "shorter, please")
    async with sit(morning, (160, 60)) as person:
        await person.press("p", "slash")
        await person.write("sent back")
        await person.press("enter")
        assert pointed(person) == ("changes-requested", "mail-ana")
        text, by = person.screen_text, morning.gate().who
        for words in (
            "shorter, please", by, "Request changes to mail-ana", "Dory-Decision: changes-requested",
            "state/STAGING.md", ".dory/ledger/mail-ana/1-001-changes-requested.json",
            "the ledger, and its copy in the workspace",
        ):  # fmt: skip
            assert words in text
        await person.press("enter", "space")
        assert focused(person) == "past-text"
        await person.press("escape")
        assert focused(person) == "past-list"


async def test_the_filter_counts_keeps_and_ends(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.press("p")
        every = len(listed(person))
        await person.press("slash")
        await person.write("launch-1 DONE")
        await person.settle()
        assert [line.split()[1] for line in listed(person)[1:]] == ["done"]
        assert "1 of " in str(screen(person).browser.border_title)
        await person.press("enter")
        assert focused(person) == "past-list"
        await person.press("slash")
        await person.write("zzz")
        await person.settle()
        assert "Nothing that happened matches" in person.screen_text
        await person.press("escape")
        assert len(listed(person)) == every
        assert focused(person) == "past-list"


async def test_one_item_from_the_review_and_everything_again(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.go("mail-bob")
        await person.press("i")
        assert "History of mail-bob" in person.screen_text
        kept = [event for event in past(morning.gate(), 99) if event.id == "mail-bob"]
        assert [line.split()[1] for line in listed(person) if "mail-bob" in line] == [word(one) for one in kept]
        assert not any("launch" in line for line in listed(person))
        assert any(line.split()[1:3] == ["commit", "Start"] for line in listed(person) if "Start" in line)
        await person.press("escape")
        assert any("launch-1" in line for line in listed(person))
        while pointed(person) != ("done", "launch-1"):
            await person.press("j")
        await person.press("i")
        assert "History of launch-1" in person.screen_text
        assert pointed(person) == ("done", "launch-1")
        await person.press("i")
        assert any("mail-bob" in line for line in listed(person))


async def test_an_item_without_a_past_says_so(morning: Morning) -> None:
    (morning.root / ".git").rename(morning.root.parent / "git-away")
    for size in ((60, 16), (80, 24), (120, 40)):
        async with sit(morning, size) as person:
            await person.go("lunch")
            await person.press("i")
            assert "Nothing was decided about this item yet." in person.screen_text
            await person.press("escape")
            assert "launch-1" in person.screen_text


async def test_nothing_happened_yet(bare: Morning) -> None:
    async with sit(bare) as person:
        await person.press("p")
        assert "Nothing has happened here yet." in person.screen_text
        await person.press("j", "left", "right", "slash", "i", "enter", "escape", "p")
        assert isinstance(person.app.screen, ReviewScreen)


async def test_the_keys_lead_to_every_mode_and_back(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.go("mail-ana")
        found = []
        for key in "pdppdd":
            await person.press(key)
            found.append(type(person.app.screen).__name__)
        assert found == ["HistoryScreen", "BrowseLogs", "HistoryScreen", "ReviewScreen", "BrowseLogs", "ReviewScreen"]
        assert person.selected == "mail-ana"


async def test_left_and_right_go_day_by_day(morning: Morning) -> None:
    for _ in range(3):
        morning.clock.now += timedelta(days=1)
        gate = morning.gate()
        with gate.ledger.lock("x"):
            gate.record("x", 1, records.REJECTED, {})
            gate.record("x", 1, records.REJECTED, {})
    async with sit(morning) as person:
        await person.press("p")
        assert "today" in listed(person)[0]
        first = screen(person).pointed
        assert first is not None
        await person.press("left")
        second = screen(person).pointed
        assert second is not None
        assert (first.when - second.when).days == 1
        await person.press("left", "left", "left", "left")
        last = screen(person).pointed
        assert last is not None
        assert last.when.date() == min(event.when.date() for event in past(morning.gate(), 99))
        await person.press("right", "right", "right", "right", "right")
        assert screen(person).pointed == first


async def test_what_cannot_be_read_is_a_line_that_says_so(morning: Morning) -> None:
    file = morning.gate().ledger.original / "launch-1/1-501-done.json"
    file.write_bytes(b"{")
    async with sit(morning, (160, 40)) as person:
        await person.press("p", "slash")
        await person.write("launch-1 done")
        await person.press("enter")
        assert "done" in listed(person)[1]
        assert "cannot be read  launch-1" in listed(person)[1]
        assert "Launch-1/1-501-done.json cannot be used: it is not a record." in person.screen_text


async def test_older_ones_are_read_when_asked_for(morning: Morning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_LIMIT", 3)
    every = past(morning.gate(), 99)
    async with sit(morning) as person:
        await person.press("p")
        for count in range(3, len(every), 3):
            assert str(screen(person).browser.border_title).endswith(f"  {count}")
            await person.press("G", "enter")
            assert focused(person) == "past-list"
            assert pointed(person) == (every[count].what, every[count].id)
        assert str(screen(person).browser.border_title).endswith(f"  {len(every)}")
        assert screen(person).browser.options[-1].id == every[-1].name


async def test_coming_back_reads_again_and_stays_where_it_was(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.press("p", "j", "j")
        before = screen(person).pointed
        await person.press("p")
        morning.approve("mail-ana")
        await person.press("p")
        assert screen(person).pointed == before
        assert any("mail-ana" in line for line in listed(person))


async def test_hostile_words_are_shown_and_do_nothing(morning: Morning) -> None:
    evil = "[@click=app.quit]x[/] \x1b[31m \u202e [/etc] ⟦"
    decide.add_hold(morning.gate(), f"{evil} — [b]why[/b]")
    gate = morning.gate()
    with gate.ledger.lock(MEMORY_PREFIX + "odd"):
        gate.record(MEMORY_PREFIX + "odd", 1, records.DISCARDED, {"note": evil, evil: {evil: [evil]}, "n": [1, None]})
    morning.write("x.md", "x")
    morning.git("add", "x.md")
    morning.git("commit", "-q", "-m", evil, "-m", f"Dory-Id: {evil}")
    for event in past(gate, 99):
        for row in event_rows(event, morning.clock.now):
            assert row.clean() == row
        assert searchable(event) == searchable(event).casefold()
    for size in ((60, 16), (200, 60)):
        async with sit(morning, size) as person:
            await person.press("p")
            for _ in range(6):
                await person.press("j")
                assert person.screen_text.replace("\n", "").isprintable()
            assert person.app.return_code is None


@pytest.mark.parametrize(
    ("whole", "short"), [("mira (dory)", "mira"), ("mira (dory-agent)", "dory-agent"), ("Mira", "Mira"), ("", "")]
)
def test_people_are_short_in_the_list(morning: Morning, whole: str, short: str) -> None:
    assert who(replace(past(morning.gate(), 1)[0], who=whole)) == short
