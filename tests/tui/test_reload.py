"""Files that change while the review is open: seen at once, nothing moved, and read again before a yes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import watchfiles

from dory_tui.review import decide
from dory_tui.review.desk import load
from dory_tui.tui import watching
from dory_tui.tui.screens.note import NoteScreen
from dory_tui.tui.watching import Say, watch
from dory_tui.tui.widgets.changes import Changes
from dory_tui.tui.widgets.entries import views
from dory_tui.workspace import layout
from tests.tui.conftest import Morning, Person, sit

pytestmark = pytest.mark.long

ANA = "state/drafts/mail-ana.md"


@dataclass
class Bell:
    """Rings when the test says that a file changed."""

    rung: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    async def __call__(self, root: Path, say: Say) -> AsyncIterator[None]:
        while True:
            words = await self.rung.get()
            if words:
                say(words)
            yield

    async def ring(self, person: Person, words: str = "") -> None:
        self.rung.put_nowait(words)
        assert any(worker.group == "watch" and worker.is_running for worker in person.app.workers)
        while not self.rung.empty():
            await person.pilot.pause()
        await person.settle()


@pytest.fixture
def bell() -> Bell:
    return Bell()


def _change(morning: Morning, path: str = ANA) -> None:
    morning.write(path, morning.read(path).replace("eight hours", "nine hours"))


async def test_what_changed_is_marked_and_nothing_moves(morning: Morning, bell: Bell) -> None:
    for number in range(30):
        morning.draft(f"more-{number:02}", f"More {number}", "x\n", ["/bin/echo"])
    async with sit(morning, watch=bell) as person:
        await person.go("more-20")
        options = person.review.panels[2].options
        before = (person.selected, person.app.focused, options.place)
        assert options.scroll_offset.y > 0
        _change(morning)
        morning.draft("newest", "Newest", "x\n", ["/bin/echo"])
        await bell.ring(person)
        assert (person.selected, person.app.focused, options.place) == before
        assert person.review.changes.fresh == {"draft:mail-ana:0", "draft:newest:0"}
        await person.press("G")
        while person.selected != "newest":
            await person.press("up")
        assert person.review.changes.fresh == {"draft:mail-ana:0"}
        await person.go("mail-ana")
        assert "•" not in person.screen_text
        assert "nine hours" in person.screen_text


async def test_the_mark_stands_in_the_list(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        assert "• mail-ana" not in person.screen_text
        _change(morning)
        await bell.ring(person)
        assert "• mail-ana" in person.screen_text


async def test_what_is_read_and_changed_shows_a_banner_and_must_be_read_again(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        _change(morning)
        morning.write(ANA, morning.read(ANA) + "one more line\n" * 60)
        await bell.ring(person)
        assert person.selected == "mail-ana"
        assert "it changed since you read it: read it again" in person.screen_text
        await person.rush("a")
        assert morning.state("mail-ana") == "pending"
        await person.press("a")
        assert morning.state("mail-ana") == "pending"
        assert "never on the screen" in person.notices[-1]
        await person.read()
        await person.press("a")
        assert morning.state("mail-ana") == "approved"


async def test_a_key_on_its_way_when_it_changed_decides_nothing(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        person.ticks.now += 0.5
        _change(morning)
        await bell.ring(person)
        await person.rush("a")
        assert morning.events("mail-ana") == []
        person.ticks.now += 0.5
        await person.rush("a")
        assert morning.state("mail-ana") == "approved"


async def test_a_change_elsewhere_leaves_the_reader_alone(morning: Morning, bell: Bell) -> None:
    morning.write(ANA, morning.read(ANA) + "one more line\n" * 60)
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        await person.press("space")
        text = person.review.detail.text
        before = (text.scroll_offset.y, text.unseen)
        assert before[0] > 0
        morning.write(layout.HOLD, morning.read(layout.HOLD) + "[2026-11-30 10:00 | main] other — wait\n")
        await bell.ring(person)
        assert "• other" in person.screen_text
        assert (text.scroll_offset.y, text.unseen) == before
        assert "it changed" not in person.screen_text
        await person.read()
        person.ticks.now += 0.5
        await person.rush("a")
        assert morning.state("mail-ana") == "approved"


async def test_an_own_decision_marks_nothing_and_is_no_change(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        await person.press("a")
        assert person.review.changes.fresh == set()
        taken = person.review._taken
        await bell.ring(person)
        assert person.review._taken == taken
        await person.go("launch-3")
        await person.press("H", "escape")
        assert "it changed" not in person.screen_text


async def test_it_waits_while_a_note_is_written(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        await person.press("r")
        _change(morning)
        await bell.ring(person)
        assert isinstance(person.app.screen, NoteScreen)
        assert "nine hours" not in str(person.review.desk)
        await person.press("enter")
        assert morning.events("mail-ana") == []  # the note was about bytes that are no more
        assert "changed since you read it" in person.notices[-1]
        assert "it changed since you read it" in person.screen_text


async def test_it_waits_while_scores_are_edited(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("lunch")
        await person.press("s", "3")
        _change(morning)
        await bell.ring(person)
        assert person.review.detail.scores.editing
        assert person.review.changes.fresh == set()
        await person.press("s")
        assert "longevity: 3" in morning.read("memory/promotions/lunch.md")
        await person.settle()
        assert "draft:mail-ana:0" in person.review.changes.fresh


async def test_what_somebody_else_decided_is_shown(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("mail-ana")
        morning.approve("mail-ana")
        await bell.ring(person)
        assert person.selected == "mail-ana"
        assert "it changed since you read it" in person.screen_text
        assert "approved: this runs" in person.screen_text


async def test_what_is_gone_is_said(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await person.go("lunch")
        (morning.root / "memory/promotions/lunch.md").unlink()
        await bell.ring(person)
        assert person.notices[-1] == "lunch is gone: somebody else took it away"
        assert person.selected == "invoice-day"


async def test_a_workspace_that_cannot_be_watched_says_so(morning: Morning, bell: Bell) -> None:
    async with sit(morning, watch=bell) as person:
        await bell.ring(person, "files are looked at every 3 s")
        assert "files are looked at every 3 s" in person.screen_text


def test_only_what_a_person_decides_by_counts_as_change(morning: Morning) -> None:
    found = Changes()
    desk = load(morning.gate())
    assert found.take(views(desk), desk) == set()
    later = load(morning.gate())
    assert not found.differ(views(later), later)
    decide.add_hold(morning.gate(), "id:mail-ana — not yet")
    held = load(morning.gate())
    assert found.differ(views(held), held)
    changed = found.take(views(held), held)
    assert "draft:mail-ana:0" in changed
    assert not {key for key in changed if key.startswith(("draft:launch", "memory:"))}


class TestWatching:
    async def _next(self, changes: AsyncIterator[None]) -> None:
        await asyncio.wait_for(anext(changes), 20)

    async def test_sees_files_that_are_replaced_and_folders_that_come(self, tmp_path: Path) -> None:
        said: list[str] = []
        changes = watch(tmp_path, said.append)
        await self._next(changes)  # it stands
        paths = ("MEMORY.md", "state/HOLD.md", "state/drafts/a.md", "memory/promotions/b.md", ".dory/ledger/a/1.json")
        for file in (tmp_path / path for path in paths):
            waiting = asyncio.create_task(self._next(changes))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("one")
            await waiting
        assert said == []
        await changes.aclose()  # type: ignore[attr-defined]

    async def test_falls_back_to_looking_where_nothing_tells(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As where the machine watches too much already: the real polling takes over."""
        real = watchfiles.awatch

        def limited(*paths: Path, **options: object) -> object:
            if not options["force_polling"]:
                raise OSError(28, "OS file watch limit reached")
            return real(*paths, **{**options, "poll_delay_ms": 20})  # type: ignore[arg-type]

        monkeypatch.setattr(watchfiles, "awatch", limited)
        (tmp_path / "state").mkdir()
        said: list[str] = []
        changes = watch(tmp_path, said.append)
        await self._next(changes)
        every = watching.POLL // 1000
        assert said == [f"too much is watched on this machine already: files are looked at every {every} s"]
        waiting = asyncio.create_task(self._next(changes))
        (tmp_path / "state/HOLD.md").write_text("one")
        await waiting
        await changes.aclose()  # type: ignore[attr-defined]
