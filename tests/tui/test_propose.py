"""Proposing out of a log, lines that a log lost, and days without one: with a real repository."""

from __future__ import annotations

import asyncio
import os
import random
import string
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.review.proposing import headings, passage, words
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.tui.screens.browse_logs import BrowseLogs
from dory_tui.tui.screens.propose import ProposeScreen
from dory_tui.workspace.document import parse
from dory_tui.workspace.promotions import Promotion, read_promotions
from tests.tui.conftest import Morning, Person, sit

pytestmark = pytest.mark.long

LOG = """# 2026-11-29

## Tasks
- 09:12 mapped scenes 12 to 19
- 09:40 wrote the launch thread
  seven posts, six of them wait
- 10:00 called Bob

## People
- 11:30 Ana answers in the afternoon
"""


@pytest.fixture
def logged(morning: Morning) -> Morning:
    """The morning with yesterday's log, and with one of the week before."""
    morning.write("memory/2026-11-29.md", LOG)
    morning.write("memory/2026-11-20.md", "# 2026-11-20\n- quiet\n")
    morning.git("add", "-A")
    morning.git("commit", "-q", "-m", "Logs", "--date", "2026-11-29T12:00:00+00:00")
    for name in ("2026-11-29", "2026-11-20"):
        when = datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp()
        os.utime(morning.root / f"memory/{name}.md", (when, when))
    return morning


@asynccontextmanager
async def reading(morning: Morning, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Person]:
    """The Logs screen, on the newest day, with the cursor on the first line of its text."""
    async with sit(morning, size) as person:
        await person.press("d", "enter")
        yield person


def logs(person: Person) -> BrowseLogs:
    return next(screen for screen in person.app.screen_stack if isinstance(screen, BrowseLogs))


async def until(person: Person, true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await person.pilot.pause(0.01)


def top(person: Person) -> type[object]:
    """What kind of screen is in front."""
    return type(person.app.screen)


def candidates(morning: Morning) -> dict[str, Promotion]:
    return {one.id: one for one in read_promotions(morning.root)}


# --- lines that a log lost


async def test_what_a_log_lost_is_said_above_it_and_r_puts_it_back(logged: Morning) -> None:
    logged.write("memory/2026-11-29.md", "# 2026-11-29\n\n## Tasks\n- 12:00 written since\n")
    async with reading(logged) as person:
        await until(person, lambda: "missing since" in person.screen_text)
        assert "6 lines missing since this log was last committed; R puts them back" in person.screen_text
        assert "4  - 09:12 mapped scenes 12 to 19" in person.screen_text
        assert "and 4 more" in person.screen_text
        await person.press("R")
        assert isinstance(person.app.screen, AskScreen)
        assert "11:30 Ana answers" in person.screen_text
        await person.press("enter", "escape")
        assert "Ana" not in logged.read("memory/2026-11-29.md")
        await person.press("R", "R")
        assert logged.read("memory/2026-11-29.md") == LOG.replace(
            "\n\n## People", "\n- 12:00 written since\n\n## People"
        )
        assert logged.git("log", "-1", "--format=%s").strip() == "Restore 6 lines of memory/2026-11-29.md"
        assert any("6 lines of memory/2026-11-29.md stand in it again" in one for one in person.notices)
        await until(person, lambda: "missing since" not in person.screen_text)
        assert logs(person).check_action("restore", ()) is False


async def test_a_few_lost_lines_are_all_shown_and_a_ticked_box_is_none(logged: Morning) -> None:
    logged.write("memory/2026-11-29.md", LOG.replace("- 10:00 called Bob\n", "").replace("wrote the", "wrote a"))
    async with reading(logged) as person:
        await until(person, lambda: "1 line missing since" in person.screen_text)
        assert "6  - 10:00" not in person.screen_text
        assert "7  - 10:00 called Bob" in person.screen_text
        await person.press("left")
        await until(person, lambda: "- quiet" in person.screen_text)
        assert "missing since" not in person.screen_text


async def test_a_log_that_changed_since_is_refused_in_a_sentence(logged: Morning) -> None:
    logged.write("memory/2026-11-29.md", LOG[:40])
    async with reading(logged) as person:
        await until(person, lambda: "missing since" in person.screen_text)
        await person.press("R")
        logged.write("memory/2026-11-29.md", LOG[:60])
        await person.press("R")
        assert logged.read("memory/2026-11-29.md") == LOG[:60]
        assert any("memory/2026-11-29.md changed since you read it" in one for one in person.notices)


async def test_thousands_of_lost_lines_are_asked_about_at_once(logged: Morning) -> None:
    logged.write("memory/2026-11-29.md", "".join(f"- thing {number}\n" for number in range(5000)))
    logged.git("commit", "-qam", "Much")
    logged.write("memory/2026-11-29.md", "")
    async with reading(logged) as person:
        await until(person, lambda: "memory/2026-11-29.md is empty" in person.screen_text)
        await until(person, lambda: "5,000 lines missing since" in person.screen_text)
        await person.press("R")
        assert "Put back 5,000 lines?" in person.screen_text
        assert len(person.app.screen.query(".ask-line")) == 3


# --- days without a log


async def test_a_day_with_commits_and_no_log_stands_in_the_list_and_cannot_be_opened(logged: Morning) -> None:
    for day, times in (("2026-10-01", 3), ("2026-11-24", 1), ("2026-11-25", 2), ("2026-11-29", 1), ("2026-11-30", 1)):
        for number in range(times):
            logged.env["GIT_COMMITTER_DATE"] = f"{day}T0{number}:30:00+00:00"
            logged.git("commit", "-q", "--allow-empty", "-m", "Work", "--date", f"{day}T0{number}:30:00+00:00")
    async with reading(logged) as person:
        await until(person, lambda: "no log" in person.screen_text)
        days = [line[2:29].strip() for line in person.screen_text.splitlines()[1:7]]
        assert days == [
            "November 2026",
            "Sun 29  yesterday   0.2 KB",
            "Wed 25  no log (2 commits)",
            "Tue 24   no log (1 commit)",
            "Fri 20              0.0 KB",
            "",
        ]
        assert not any(one.disabled for one in logs(person).days.options if one.id is not None)
        await person.press("left")
        assert "Fri 20 November" in person.screen_text


# --- proposing


async def test_m_proposes_the_entry_under_the_cursor_with_its_source_and_no_time(logged: Morning) -> None:
    async with reading(logged) as person:
        await person.press("j", "j", "j", "j", "m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert asked.words.text == "- wrote the launch thread\n  seven posts, six of them wait"
        assert "from memory/2026-11-29.md line 5" in person.screen_text
        await person.press("j", "tab", "3", "j", "2", "j", "3", "m")
    made = candidates(logged)["wrote-the-launch-thread"]
    assert made.source == "memory/2026-11-29.md#L5"
    assert made.section == "## Money"
    assert dict(made.scores) == {"longevity": 3, "reuse": 2, "impact": 3, "uniqueness": 0}
    assert made.text == b"- wrote the launch thread\n  seven posts, six of them wait"
    assert made.status == "pending"
    assert logged.git("log", "-1", "--format=%s").strip() == "Propose wrote-the-launch-thread"
    assert logged.git("show", "--format=", "--name-only", "HEAD").split() == [made.path]


async def test_several_marked_entries_become_one_memory_and_the_marks_go(logged: Morning) -> None:
    async with reading(logged) as person:
        await person.press("j", "j", "j", "space", "space", "j", "j", "j", "x")
        text = logs(person).text
        assert text.marked == {3, 4, 5, 9}
        assert "4 lines marked" in person.screen_text
        await person.press("m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert asked.words.text.splitlines() == [
            "- mapped scenes 12 to 19",
            "- wrote the launch thread",
            "  seven posts, six of them wait",
            "- Ana answers in the afternoon",
        ]
        await person.press("m")
        assert not text.marked
    made = candidates(logged)["mapped-scenes-12-to-19"]
    assert made.source == "memory/2026-11-29.md#L4"
    assert made.section == "## People"


async def test_a_mark_is_taken_off_by_the_same_key_and_all_of_them_by_escape(logged: Morning) -> None:
    async with reading(logged) as person:
        text = logs(person).text
        await person.press("j", "j", "j", "j", "j", "space")
        assert text.marked == {4, 5}
        await person.press("k", "space")
        assert text.marked == frozenset()
        await person.press("g", "space", "space", "escape")
        assert text.marked == frozenset()
        assert text.has_focus
        await person.press("g", "space", "left")
        assert text.marked == frozenset()


async def test_the_section_is_the_one_that_the_log_names_or_a_new_one(logged: Morning) -> None:
    logged.write("MEMORY.md", "# MEMORY.md\n\n## Money\n\n## People and how they like to be reached\n")
    async with reading(logged) as person:
        await person.press("G", "m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert asked.section == "## People and how they like to be reached"
        await person.press("j", "m")
        assert "name the new section" in person.screen_text
        assert asked.name_field.has_focus
        await person.write("Habits of mine")
        await person.press("enter", "m")
    made = candidates(logged)["ana-answers-in-the-afternoon"]
    assert made.section == "## Habits of mine"


async def test_enter_and_escape_propose_nothing_and_a_burst_does_not_either(logged: Morning) -> None:
    async with reading(logged) as person:
        before = logged.everything()
        await person.press("G", "m", "enter", "enter", "escape")
        assert top(person) is BrowseLogs
        await person.rush("m", "m", "m")
        assert top(person) is ProposeScreen
        assert "that key came too soon" in person.screen_text
        await person.press("shift+tab", "escape")
        assert top(person) is ProposeScreen
        await person.press("escape")
        assert top(person) is BrowseLogs
        assert logged.everything() == before


async def test_the_text_can_be_changed_and_m_is_a_letter_in_it(logged: Morning) -> None:
    async with reading(logged) as person:
        await person.press("G", "m", "shift+tab", "end")
        await person.write(", mostly")
        await person.press("escape", "m")
    made = candidates(logged)["ana-answers-in-the-afternoon-mostly"]
    assert made.text == b"- Ana answers in the afternoon, mostly"


async def test_the_same_words_fold_into_what_waits_and_keep_the_agents_scores(logged: Morning) -> None:
    scores = "{longevity: 1, reuse: 1, impact: 1, uniqueness: 1}"
    logged.candidate("ana-hours", "Ana answers in the afternoon", "## People", scores)
    async with reading(logged) as person:
        await person.press("G", "m")
        assert "these words wait already, as ana-hours" in person.screen_text
        await person.press("tab", "3", "m")
        assert any("revised ana-hours" in one for one in person.notices)
    made = candidates(logged)["ana-hours"]
    assert made.scores["longevity"] == 3
    assert "agent_scores: {longevity: 1," in made.data.decode()
    assert made.source == "memory/2026-11-29.md#L10"
    assert "ana-answers-in-the-afternoon" not in candidates(logged)


async def test_another_memory_of_the_same_first_words_is_never_written_over(logged: Morning) -> None:
    scores = "{longevity: 1, reuse: 1, impact: 1, uniqueness: 1}"
    logged.candidate("ana-answers-in-the-afternoon", "Ana answers in the afternoon, on Mondays", "## People", scores)
    async with reading(logged) as person:
        await person.press("G", "m", "m")
    found = candidates(logged)
    assert found["ana-answers-in-the-afternoon"].text == b"- Ana answers in the afternoon, on Mondays"
    assert found["ana-answers-in-the-afternoon-2"].text == b"- Ana answers in the afternoon"


async def test_nothing_hides_in_the_field(logged: Morning) -> None:
    logged.write("memory/2026-11-29.md", "- pay \x1b[31mBob\u202e to\u200bday\n")
    async with reading(logged) as person:
        await person.press("m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert asked.words.text.isprintable()
        assert "⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧" in asked.words.text
        asked.words.insert("\u2066x")
        await person.settle()
        assert "⟦U+2066" in asked.words.text


async def test_a_line_of_a_private_key_is_masked_though_it_is_marked_alone(logged: Morning) -> None:
    chance = random.Random(4)
    key = ["".join(chance.choices(string.ascii_letters + string.digits, k=64)) for _ in range(3)]
    lines = ["```", "-----BEGIN PRIVATE KEY-----", *key, "-----END PRIVATE KEY-----", "```"]
    logged.write("memory/2026-11-29.md", "\n".join(lines) + "\n")
    async with reading(logged) as person:
        await person.press("g", "j", "j", "j", "space", "m")
        asked = person.app.screen
        assert isinstance(asked, ProposeScreen)
        assert asked.words.text == "- …(64 characters)"
        assert "a secret is left out of them" in " ".join(person.screen_text.split())


async def test_without_an_entry_there_is_nothing_to_propose(bare: Morning) -> None:
    bare.write("memory/2026-11-29.md", "")
    async with sit(bare) as person:
        await person.press("d", "m", "x", "enter", "m", "space", "R")
        assert isinstance(person.app.screen, BrowseLogs)
        await person.press("m")
        assert isinstance(person.app.screen, BrowseLogs)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (160, 50)])
async def test_the_words_and_the_way_out_are_on_the_screen_at_every_size(
    logged: Morning, size: tuple[int, int]
) -> None:
    async with reading(logged, size) as person:
        await person.press("G", "m")
        assert "- Ana answers in the afternoon" in person.screen_text
        assert "m  propose it   Esc  nothing" in person.screen_text
        await person.press("tab")
        await person.pilot.click("#propose-it")
        await person.settle()
    assert "ana-answers-in-the-afternoon" in candidates(logged)


# --- what belongs together, and as what it is proposed


DAY = parse(
    "x",
    b"# Day\n\n- 09:10 one\n  more of one\n  - below one\n    and below that\n* [x] two\nlazy\n\npara\nof two\n"
    b"10:30 three\n11:00 four\n| a | b |\n| c | d |\n---\n```\n- in a fence\n```\n",
)


@pytest.mark.parametrize(
    ("number", "first", "last"),
    [
        (1, 1, 1), (2, 2, 2), (3, 3, 6), (4, 3, 6), (5, 5, 6), (6, 5, 6), (7, 7, 8), (8, 7, 8), (10, 10, 11),
        (11, 10, 11), (12, 12, 12), (13, 13, 13), (14, 14, 14), (15, 15, 15), (16, 16, 16), (18, 18, 18),
    ],
)  # fmt: skip
def test_an_entry_is_its_lines_and_those_below_it(number: int, first: int, last: int) -> None:
    assert passage(DAY, number) == range(first, last + 1)


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (["- [ ] 10:20 send it"], "- send it"),
        (["  * 9:05 - Bob called", "    about money"], "- Bob called\n  about money"),
        (["- a", "  - 10:00 b", "    c"], "- a\n  - b\n    c"),
        (["### 14:05 Fixed the build", "It was the cache."], "- Fixed the build\n- It was the cache."),
        (["plain words", "that run on"], "- plain words\n  that run on"),
        (["\t- deep", "", "- flat"], "- deep\n- flat"),
        (["10:30 three", "[11:00] four"], "- three\n- four"),
        (["- 3:1 is a ratio"], "- 3:1 is a ratio"),
        ([""], ""),
    ],
)
def test_lines_of_a_log_become_bullets_without_times_and_boxes(lines: list[str], made: str) -> None:
    assert words(lines) == made


PIECE = st.text(st.sampled_from("ab -*#[]x:1290\t|>~"), max_size=12)


@given(st.lists(PIECE, max_size=8))
def test_every_letter_of_a_marked_line_is_proposed(lines: list[str]) -> None:
    letters = "ab"
    made = words(lines)
    assert [char for char in made if char in letters] == [char for line in lines for char in line if char in letters]
    assert all(line.startswith(("- ", "  ")) or line == "-" for line in made.splitlines())


@given(st.lists(PIECE, min_size=1, max_size=12))
def test_the_lines_of_a_log_fall_into_passages_that_hold_their_line(lines: list[str]) -> None:
    document = parse("x", "\n".join(lines).encode() + b"\n")
    for number in range(1, len(document.lines) + 1):
        found = passage(document, number)
        assert number in found
        assert 1 <= found.start < found.stop <= len(document.lines) + 1


def test_the_sections_of_memory_are_its_headings_without_its_title() -> None:
    memory = b"# MEMORY\n\n## People\n\n### Ana ##\n```\n## no heading\n```\n## Money\n## People\n"
    assert headings(memory) == ("## People", "### Ana", "## Money")
    assert headings(b"# One\n\n# Two\n") == ("# One", "# Two")
    assert headings(b"") == ()
