"""The keys: named, explained, remappable, and guarded."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.binding import Binding
from textual.widgets._footer import FooterKey

from dory_tui.tui import keys
from dory_tui.tui.guard import QUIET, Guard
from dory_tui.tui.screens.help import help_rows
from dory_tui.tui.screens.review import ReviewScreen
from dory_tui.tui.widgets.foot import SPARED
from dory_tui.tui.widgets.panel import allot
from tests.tui.conftest import Morning, Ticks, sit

EVERY = [
    *keys.DECIDE, *keys.MEMORY, *keys.PRUNE, *keys.MOVE, *keys.HISTORY, *keys.LIST, *keys.TEXT, *keys.SCORES,
    *keys.FILTER, *keys.ASK, *keys.NOTE, *keys.PROPOSE, *keys.HELP, *keys.APP, *keys.SEARCH, *keys.QUESTION,
]  # fmt: skip
DECIDING = [
    *keys.DECIDE, *(one for one in keys.MEMORY if one.action == "promote_all"),
    *(one for one in keys.PRUNE if one.action == "take_out"), *(one for one in keys.ASK if one.action != "nothing"),
]  # fmt: skip


def test_every_binding_has_an_id_of_its_own_and_a_sentence() -> None:
    ids = [binding.id for binding in EVERY]
    assert None not in ids
    assert len(set(ids)) == len(ids)
    assert all(binding.tooltip.endswith(".") for binding in EVERY)


def test_no_default_key_that_terminals_take() -> None:
    taken = {"ctrl+b", "ctrl+a", "ctrl+s", "ctrl+o", "ctrl+j"}
    assert not taken & {key for binding in EVERY for key in binding.key.split(",")}


def test_enter_and_escape_are_on_nothing_that_decides() -> None:
    assert not {"enter", "escape", "space"} & {key for one in DECIDING for key in one.key.split(",")}


@pytest.mark.parametrize("first", keys.DECIDE, ids=lambda one: one.id)
def test_a_letter_that_has_two_meanings_has_them_on_different_things(first: Binding) -> None:
    same = [one.action for one in keys.DECIDE if one.key == first.key]
    assert set(same) in ({first.action}, {"approve", "promote", "kept"}, {"reject", "discard"})


async def test_help_is_made_of_the_bindings(morning: Morning) -> None:
    async with sit(morning) as person:
        rows = "\n".join(row.gutter + row.text for row in help_rows(person.review, ReviewScreen.HELP_GROUPS))
        for _, bindings in ReviewScreen.HELP_GROUPS:
            assert all(binding.tooltip in rows for binding in bindings)


async def test_the_foot_shows_what_can_be_done(morning: Morning) -> None:
    async with sit(morning) as person:
        foot = person.screen_text.splitlines()[-1]
        assert "y it happened" in foot
        assert "approve" not in foot
        await person.go("mail-ana")
        foot = person.screen_text.splitlines()[-1]
        assert "a approve" in foot
        assert "y it happened" not in foot
        await person.go("invoice-day")
        foot = person.screen_text.splitlines()[-1]
        assert "a promote" in foot
        assert "s scores" in foot


def test_what_the_foot_spares_are_actions() -> None:
    assert set(SPARED) <= {binding.action for binding in EVERY}


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_nothing_of_the_foot_is_cut(morning: Morning, width: int) -> None:
    """On every screen, whatever is selected: what does not fit is left to `?`, which stays."""
    async with sit(morning, (width, 30)) as person:
        for keys in ([], ["j"], ["4"], ["1"], ["M"], ["s"], ["escape", "P"], ["x"], ["escape", "M", "d"], ["d", "p"]):
            await person.press(*keys)
            shown = [one for one in person.app.screen.query(FooterKey) if one.display]
            assert max(one.region.right for one in shown) <= width, keys
            assert {"q", "question_mark"} <= {one.key for one in shown}
            foot = person.screen_text.splitlines()[-1].split()
            assert foot == " ".join(f"{one.key_display} {one.description}" for one in shown).split()


async def test_a_key_can_be_another(morning: Morning) -> None:
    async with sit(morning) as person:
        person.app.set_keymap({"review.approve": "z"})
        await person.go("mail-ana")
        await person.press("a")
        assert morning.state("mail-ana") == "pending"
        await person.press("z")
        assert morning.state("mail-ana") == "approved"


@given(st.lists(st.floats(0, 2), max_size=12), st.integers(0, 12))
def test_the_guard_opens_only_after_a_pause_that_followed_the_paint(gaps: list[float], painted_before: int) -> None:
    ticks = Ticks(0)
    guard = Guard(ticks)
    times: list[float] = []
    painted: float | None = None
    for number, gap in enumerate(gaps):
        if number == painted_before:
            guard.painted()
            painted = ticks.now
        ticks.now += gap
        guard.hear()
        times.append(ticks.now)
        pauses = [(max(a, painted), b) for a, b in pairwise([0.0, *times]) if painted is not None and b >= painted]
        assert guard.ready == any(b - a >= QUIET for a, b in pauses)
    guard.close()
    guard.hear()
    assert not guard.ready


def test_a_move_needs_a_paint_and_no_pause() -> None:
    ticks = Ticks(0)
    guard = Guard(ticks)
    guard.painted()
    ticks.now += QUIET
    guard.hear()
    assert guard.ready
    guard.moved()
    guard.hear()
    before = guard.ready
    guard.painted()
    guard.hear()
    assert (before, guard.ready) == (False, True)


@given(st.integers(0, 80), st.lists(st.integers(1, 40), min_size=5, max_size=5), st.integers(0, 4))
def test_panels_share_the_room(room: int, wants: list[int], first: int) -> None:
    lines = allot(room, wants, first)
    assert sum(lines) == max(room, 5)
    assert min(lines) >= 1
    assert all(count <= want for count, want in zip(lines[:-1], wants[:-1], strict=True))
