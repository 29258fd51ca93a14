"""The filter: what it hides, what it never changes, and how it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from dory_tui.review.desk import load
from dory_tui.tui.widgets.entries import Entry, Nothing, PanelView, StateText
from dory_tui.tui.widgets.filtering import filtered, searchable
from dory_tui.workspace.entries import Decision
from tests.tui.conftest import Morning, Person, sit

pytestmark = pytest.mark.long


def _decision(item: str) -> Entry:
    thing = Decision(text=item, item=item, reason="", when=None, session=None, line=1)
    return Entry(f"decision:{item}", thing, Content(item))


@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=6))
def test_what_stays_has_every_word_and_what_goes_lacks_one(items: list[str], typed: str) -> None:
    entries = tuple(map(_decision, items))
    view = PanelView("DECISIONS", Content(str(len(entries))), entries, Content(""), Content(""))
    found = filtered(view, typed)
    words = typed.casefold().split()
    if not words:
        assert found is view
        return
    wanted = [entry for entry in entries if all(word in searchable(entry) for word in words)]
    assert [entry for entry in found.entries if not isinstance(entry.thing, Nothing)] == wanted
    assert len(found.entries) == max(1, len(wanted))
    assert found.count.plain == (f"{len(wanted)} of {len(items)}" if items else "0")


def test_a_file_that_cannot_be_read_is_never_hidden() -> None:
    broken = Entry("file:x", StateText("state/X.md", None, ("no",)), Content("x"))
    view = PanelView("HOLD", Content("?"), (broken, _decision("other")), Content(""), Content(""))
    assert filtered(view, "zebra").entries == (broken,)


async def _type(person: Person, words: str) -> None:
    await person.press("slash")
    await person.write(words)
    await person.settle()


def _ids(person: Person, panel: int) -> list[str]:
    return [entry.subject.id for entry in person.review.panels[panel].entries if entry.subject is not None]


async def test_filters_every_panel_and_counts_what_is_left(morning: Morning) -> None:
    async with sit(morning) as person:
        await _type(person, "MAIL")
        assert _ids(person, 2) == ["mail-bob", "mail-ana"]
        assert _ids(person, 3) == ["ana-slack"]
        assert "3 STAGING  2 of 10" in person.screen_text
        assert "4 MEMORY  1 of 3" in person.screen_text
        assert "no match" in person.screen_text
        assert "1 of 12 · Mail to Bob" in person.screen_text  # the queue is what it was
        assert len(load(morning.gate()).queue) == 12


async def test_letters_that_are_typed_decide_nothing(morning: Morning) -> None:
    async with sit(morning) as person:
        before = morning.everything()
        await _type(person, "yarncHLux")
        await person.press("enter")
        assert morning.everything() == before
        assert person.review.filter.words == "yarncHLux"


async def test_enter_keeps_it_and_walking_skips_what_is_hidden(morning: Morning) -> None:
    async with sit(morning) as person:
        await _type(person, "mail")
        await person.press("enter", "j")
        assert person.selected == "mail-ana"
        await person.press("j")
        assert person.selected == "ana-slack"
        await person.press("k", "a")
        assert morning.state("mail-ana") == "approved"
        assert person.selected == "ana-slack"  # on to what waits and is shown
        await person.press("escape")
        assert person.review.filter.words == ""
        assert person.selected == "ana-slack"
        assert "3 STAGING  8" in person.screen_text


async def test_escape_while_typing_shows_everything_again(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.go("mail-ana")
        await _type(person, "ana")
        assert person.selected == "mail-ana"
        await person.press("escape")
        assert len(_ids(person, 2)) == 10
        assert person.selected == "mail-ana"
        assert person.review.panels[2].options.has_focus


async def test_a_panel_without_a_match_gives_way_to_one_that_has(morning: Morning) -> None:
    async with sit(morning, (80, 24)) as person:
        await _type(person, "slack")
        assert person.selected == "ana-slack"
        await person.press("enter")
        assert person.review.panels[3].options.has_focus


async def test_states_can_be_filtered_by(morning: Morning) -> None:
    async with sit(morning) as person:
        await _type(person, "held launch")
        assert _ids(person, 2) == [f"launch-{number}" for number in range(2, 8)]


async def test_markup_and_controls_in_the_filter_are_letters(morning: Morning) -> None:
    async with sit(morning) as person:
        await _type(person, "[/] [b")
        assert "Nothing in STAGING matches “[/] [b”" in person.screen_text
