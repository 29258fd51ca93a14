"""The Search screen: asked as one types, answered with passages, opened at the line, proposed as a memory."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import string
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from dory_tui.search import places
from dory_tui.tui.app import DoryApp
from dory_tui.tui.screens.browse_logs import BrowseLogs
from dory_tui.tui.screens.propose import ProposeScreen
from dory_tui.tui.screens.search import SearchScreen
from tests.conftest import PATIENCE
from tests.tui.conftest import Morning, Person, Ticks, sit

LOGS = {
    "memory/2026-11-23.md": "# 2026-11-23\n\n## Bugs\n\n- 09:40 Sam reported that the login page hangs on Safari\n"
    "- 11:05 the poster cannot be printed in A3\n",
    "memory/2026-11-24.md": "# 2026-11-24\n\n## Tasks\n\n- 10:00 rewrote the login page, without the old library\n",
    "memory/archive/2026-03/2026-03-02.md": "# 2026-03-02\n\n## Decisions\n\n- Resend instead of SES: one key\n",
    "memory/2026-11-20.md": "# 2026-11-20\n\n## Facts\n\n- a \x1b[31mred\x1b[0m herring [/b] [@click=x] \u202eevil "
    + "herring " * 200
    + "\n",
}


@pytest.fixture
def written(morning: Morning) -> Morning:
    for path, text in LOGS.items():
        morning.write(path, text)
    return morning


def screen(person: Person) -> SearchScreen:
    assert isinstance(person.app.screen, SearchScreen)
    return person.app.screen


async def ask(person: Person, words: str) -> None:
    """Open the screen, type a question, and wait for its answer."""
    if not isinstance(person.app.screen, SearchScreen):
        await person.press("f")
    screen(person).query_one("#ask", Input).value = words
    await person.settle()


async def test_a_question_is_answered_opened_at_its_line_and_proposed(written: Morning) -> None:
    async with sit(written) as person:
        await person.press("f")
        assert "Ask in your own words" in person.screen_text
        await person.write("login saf")
        await person.settle()
        text = person.screen_text
        assert "Mon 23 Nov" in text
        assert "login page hangs on Safari" in text
        assert screen(person).pointed is not None
        await person.press("down", "up", "enter")
        assert screen(person).found.has_focus
        await person.press("o")
        logs = person.app.screen
        assert isinstance(logs, BrowseLogs)
        assert logs.text.has_focus
        assert logs.text.cursor == 4
        assert "Sam reported" in person.screen_text
        await person.press("f")
        assert screen(person).line.value == "login saf"
        await person.press("m")
        assert isinstance(person.app.screen, ProposeScreen)
        assert "from memory/2026-11-23.md line 5" in person.screen_text
        await person.press("j", "tab", "3", "j", "2", "j", "3", "m")
    made = [p for p in (written.root / "memory/promotions").glob("*.md") if "login" in p.read_text("utf-8")]
    assert len(made) == 1
    assert "source: " in made[0].read_text("utf-8")


async def test_days_hostile_text_and_nothing_found(written: Morning) -> None:
    async with sit(written, size=(60, 16)) as person:
        await ask(person, "herring")
        assert "⟦" in person.screen_text
        await person.press("tab", "enter")
        for size in ((20, 6), (80, 24), (200, 60)):
            await person.pilot.resize_terminal(*size)
            await person.settle()
        assert "\x1b" not in person.screen_text
        assert "\u202e" not in person.screen_text
        await ask(person, "what came up on monday the 23rd of november: Sam")
        assert "that day" in person.screen_text
        await ask(person, "\u2d63\u2d30\u2d53")  # no log has it, and the model knows nothing of its script
        assert "Nothing was found for “\u2d63\u2d30\u2d53”." in person.screen_text
        written.write("memory/2026-11-24.md", "# 2026-11-24\n\n- quokka seen at the harbour\n")
        await ask(person, "quokka")
        assert "quokka seen at the harbour" in person.screen_text
        (written.root / "memory/2026-11-24.md").unlink()
        await ask(person, "quokka harbour")
        assert "quokka seen" not in person.screen_text


async def test_words_of_one_file_are_never_proposed_as_those_of_another(written: Morning) -> None:
    async with sit(written) as person:
        await ask(person, "login page")
        await person.press("enter")
        found = screen(person)
        assert found.pointed is not None
        first = found.pointed.path
        assert found._answer is not None
        other = next(one.path for one in found._answer.results if one.path not in (first, "MEMORY.md"))
        (written.root / other).unlink()
        while found.pointed.path != other:
            await person.press("down")
        assert "It is gone since it was read" in person.screen_text
        await person.press("m")
        assert person.app.screen is found, "nothing of it is there to be proposed"
        await person.press("up", "m")
        assert isinstance(person.app.screen, ProposeScreen)


async def test_a_file_that_goes_or_shrinks_under_the_reader_ends_nothing(written: Morning) -> None:
    written.write(
        "memory/2026-11-22.md", "# 2026-11-22\n\n" + "- nothing\n" * 60 + "\n## Tasks\n\n- a wombat was seen\n"
    )
    written.write("memory/2026-11-21.md", "# 2026-11-21\n\n- a wombat slept\n")
    async with sit(written) as person:
        await ask(person, "wombat seen")
        found = screen(person)
        while found.pointed is None or found.pointed.line_start < 60:
            await person.press("down")
        await person.press("enter", "enter")
        written.write("memory/2026-11-22.md", "# 2026-11-22\n")
        await person.press("escape", "down", "up", "enter", "j", "k", "G", "j")
        (written.root / "memory/2026-11-22.md").unlink()
        await person.press("escape", "down", "up", "enter", "j", "j", "k")
        assert "It is gone since it was read" in person.screen_text


async def test_a_part_of_a_secret_is_neither_shown_nor_proposed(written: Morning) -> None:
    chance = random.Random(4)
    key = ["".join(chance.choices(string.ascii_letters + string.digits, k=64)) for _ in range(80)]
    lines = ["-----BEGIN PRIVATE KEY-----", *key, "-----END PRIVATE KEY-----"]
    written.write(
        "memory/2026-11-22.md", "# 2026-11-22\n\n- the key of the wombat:\n" + "\n".join(f"  {one}" for one in lines)
    )
    async with sit(written) as person:
        await ask(person, "characters")
        await person.press("enter")
        found = screen(person)
        while found.pointed is None or found.pointed.path != "memory/2026-11-22.md" or found.pointed.line_start < 5:
            await person.press("down")
        assert not any(one[:8] in person.screen_text for one in key)
        await person.press("m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert "…(64 characters)" in asked.words.text
        assert not any(one[:8] in asked.words.text for one in key)
        assert "a secret is left out of them" in " ".join(person.screen_text.split())


async def test_after_an_error_nothing_of_the_answer_before_is_left(written: Morning) -> None:
    async with sit(written) as person:
        await ask(person, "login page")
        shown = screen(person)
        subtitle = shown.query_one("#ask-line")
        before = str(subtitle.border_subtitle)
        shown._progress(shown._asked_for - 1, 3, 9)
        assert str(subtitle.border_subtitle) == before, "that question was dropped"
        folder = written.root / ".dory/search"
        shutil.rmtree(folder)
        (folder / "lock").mkdir(parents=True)
        await ask(person, "login")
        assert "lockcannotbewritten" in "".join(re.split(r"[\s│]+", person.screen_text))
        assert (shown.pointed, str(subtitle.border_subtitle), shown.has_class("-noticed")) == (None, "", False)
        (folder / "lock").rmdir()
        await ask(person, "login page")
        assert "rewrote the login page" in person.screen_text


async def test_to_leave_does_not_wait_for_who_writes_the_index(written: Morning) -> None:
    place = places.place(written.root, written.env)
    place.make()
    with place.writing(0) as got:
        assert got
        async with sit(written) as person:
            await person.press("f")
            asked = screen(person)
            asked.line.value = "login"
            while not asked._thread._threads or asked._questions._searcher is None:
                await person.pilot.pause()
            while "another process may be writing the index" not in person.screen_text:
                await person.pilot.pause()
        (thread,) = asked._thread._threads
        await asyncio.to_thread(thread.join, PATIENCE)
        assert not thread.is_alive()


async def test_escape_leads_back_and_nothing_is_decided(written: Morning) -> None:
    async with sit(written) as person:
        before = files(written)
        await ask(person, "resend")
        await person.press("enter", "enter")
        await person.press("escape", "escape", "escape", "escape")
        assert person.review.is_current
        await person.press("f")
        await person.rush(*"aaarrr", "enter", "enter")
        assert files(written) == before


def files(made: Morning) -> dict[str, bytes]:
    """Every file but the index."""
    return {path: data for path, data in made.everything().items() if "/.dory/search/" not in path}


Compare = Callable[..., bool]


@pytest.fixture
def look(snap_compare: Compare, written: Morning) -> Callable[..., None]:
    """Compare a picture of the screen after a question."""

    def compare(size: tuple[int, int], theme: str) -> None:
        ticks = Ticks()
        app = DoryApp(written.gate(), theme=theme, clock=ticks)

        async def before(pilot: Pilot[Any]) -> None:
            person = Person(app, pilot, ticks)
            await person.settle()
            await ask(person, "which bug did Sam report on Monday the 23rd of November?")
            screen(person).line.cursor_blink = False
            screen(person).line._cursor_visible = True
            screen(person).query_one("#ask-line").border_subtitle = "by words and meaning"
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)

    return compare


@pytest.mark.long
@pytest.mark.parametrize("theme", ["dory-dark", "dory-light"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_picture(look: Callable[..., None], size: tuple[int, int], theme: str) -> None:
    look(size, theme)
