"""Pictures of the review. Each says in its docstring what to look for."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from itertools import product
from typing import Any

import pytest
from textual.pilot import Pilot

from dory_tui.tui.app import DoryApp
from tests.tui.conftest import NOW, Morning, Person, Ticks, age

Compare = Callable[..., bool]
Story = Callable[[Person], Awaitable[None]]


@pytest.fixture
def look(snap_compare: Compare, morning: Morning) -> Callable[..., None]:
    """Compare the screen after a story with the picture of it."""

    def compare(story: Story, size: tuple[int, int] = (120, 40), theme: str = "dory-dark") -> None:
        ticks = Ticks()
        app = DoryApp(morning.gate(), theme=theme, clock=ticks)

        async def before(pilot: Pilot[Any]) -> None:
            person = Person(app, pilot, ticks)
            await person.settle()
            await story(person)
            await person.still()

        assert snap_compare(app, run_before=before, terminal_size=size)

    return compare


SIZES = [(80, 24), (120, 40), (200, 60)]


EVERY_SIZE = pytest.mark.parametrize(
    ("size", "theme"),
    [
        ((120, 40), "dory-dark"),
        *(
            pytest.param(size, theme, marks=pytest.mark.long)
            for size, theme in product(SIZES, ("dory-dark", "dory-light"))
            if (size, theme) != ((120, 40), "dory-dark")
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "x".join(map(str, value)),
)


async def _held(person: Person) -> None:
    await person.go("launch-3")


async def _memory(person: Person) -> None:
    await person.go("invoice-day")


async def _first(person: Person) -> None:
    await person.settle()


async def _asked(person: Person) -> None:
    await person.go("launch-4")
    await person.press("a")


async def _scores(person: Person) -> None:
    await person.go("lunch")
    await person.press("s", "j", "3")


async def _help(person: Person) -> None:
    await person.press("question_mark")


async def _memory_screen(person: Person) -> None:
    await person.press("M", "j")


@pytest.mark.parametrize("theme", ["dory-dark", "dory-light"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_memory_screen(look: Callable[..., None], size: tuple[int, int], theme: str) -> None:
    """Candidates with their scores, the diff (two columns at 200), the size, and the line that is like it."""
    look(_memory_screen, size, theme)


DAYS = {
    "memory/2026-11-29.md": "# 2026-11-29\n\n## Tasks\n\n- 09:20 read poster v3\n- 10:05 mail to Ana staged\n\n"
    "## Facts\n\n- 11:25 the printer closes at four\n\n## Promises\n\n- [ ] 12:00 send Noor the timing sheet\n",
    "memory/2026-11-27.md": "# 2026-11-27\n\n## Decisions\n\n- 09:10 no newsletter in December\n",
    "memory/2026-11-26-deploy.md": "# Deploy\n\n- 18:30 staging is up\n",
    "memory/archive/2026-10-02.md": "# 2026-10-02\n\n- 08:00 the board is a text file now\n",
}


async def _days(person: Person) -> None:
    await person.press("d", "enter", "j", "j", "j", "j", "x")


@EVERY_SIZE
def test_days(look: Callable[..., None], morning: Morning, size: tuple[int, int], theme: str) -> None:
    """Days newest first, one of the archive; an entry marked; the outline where there is room."""
    for path, text in DAYS.items():
        morning.write(path, text)
        os.utime(morning.root / path, (NOW.timestamp(), NOW.timestamp()))
    look(_days, size, theme)


async def _auditing(person: Person) -> None:
    await person.press("M", "P", "j", "x", "j", "j", "j")


@EVERY_SIZE
def test_audit(look: Callable[..., None], morning: Morning, size: tuple[int, int], theme: str) -> None:
    """The stale ones first, in rose; one marked; the facts of another; MEMORY.md without the marked one; the scores."""
    age(morning)
    look(_auditing, size, theme)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
class TestDark:
    def test_unknown(self, look: Callable[..., None], size: tuple[int, int]) -> None:
        """The first thing of the morning: an outcome that nobody knows, in rose, with y and n at the foot."""
        look(_first, size)

    def test_held(self, look: Callable[..., None], size: tuple[int, int]) -> None:
        """A held post with a look-alike letter: the hold in rose, the flag above the text, what would run below."""
        look(_held, size)

    def test_memory(self, look: Callable[..., None], size: tuple[int, int]) -> None:
        """A memory: the diff of MEMORY.md by words, the scores of agent and human, the size."""
        look(_memory, size)


def test_light(look: Callable[..., None]) -> None:
    """The same held post on paper."""
    look(_held, (120, 40), "dory-light")


def test_narrow(look: Callable[..., None]) -> None:
    """Sixty by sixteen: one panel at a time."""
    look(_held, (60, 16))


def test_asked(look: Callable[..., None]) -> None:
    """The question about a held draft names the hold; no answer is on Enter."""
    look(_asked)


def test_scores(look: Callable[..., None]) -> None:
    """Editing scores: one axis lit, the verdict moved."""
    look(_scores)


def test_help(look: Callable[..., None]) -> None:
    """Every key; those that do nothing just now are dim."""
    look(_help)
