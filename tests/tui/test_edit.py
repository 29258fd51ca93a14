"""Editing where no editor can be opened, the editor's copy, and undo after asking."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from dory_tui.tui.editor import Copy
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.workspace import layout
from tests.tui.conftest import Morning, sit

pytestmark = pytest.mark.long

SCRIPTS = {
    "changes": ("import sys; open(sys.argv[1], 'a').write('more')", b"text\nmore", ""),
    "replaces": ("import os,sys; open('x', 'w').write('new'); os.rename('x', sys.argv[1])", b"new", ""),
    "writes nothing": ("", None, "wrote nothing other, so nothing was changed"),
    "fails": ("import sys; open(sys.argv[1], 'a').write('more'); sys.exit(1)", None, "ended with 1, so nothing"),
    "removes": ("import os,sys; os.unlink(sys.argv[1])", None, "left no file"),
    "dies": ("import os; os.kill(os.getpid(), 9)", None, "was ended by signal 9"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_an_editor_leaves(tmp_path: Path, name: str) -> None:
    script, data, sentence = SCRIPTS[name]
    copy = Copy("a.md", b"text\n")
    assert stat.S_IMODE(copy.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.folder.stat().st_mode) == 0o700
    edited = copy.edit([sys.executable, "-c", script], tmp_path, {})
    assert edited.data == data
    assert sentence in edited.sentence
    assert bool(edited.sentence) == (data is None)
    copy.drop()
    assert not copy.folder.exists()


def test_an_editor_that_is_not_there(tmp_path: Path) -> None:
    copy = Copy("a.md", b"text\n")
    edited = copy.edit([str(tmp_path / "none")], tmp_path, {})
    assert edited.data is None
    assert "cannot be started (No such file or directory), so nothing was changed" in edited.sentence
    copy.drop()


class TestInTheReview:
    async def test_a_terminal_that_cannot_be_handed_over_is_a_sentence(self, morning: Morning) -> None:
        morning.env["EDITOR"] = sys.executable
        async with sit(morning) as person:
            before = morning.everything()
            await person.go("mail-ana")
            await person.press("e")
            assert "an editor cannot be opened in this terminal" in person.notices[-1]
            assert "state/drafts/mail-ana.md" in person.notices[-1]
            assert morning.everything() == before
            await person.press("a")  # and everything works on
            assert morning.state("mail-ana") == "approved"

    async def test_an_editor_that_cannot_be_found_is_a_sentence(self, morning: Morning) -> None:
        morning.env["EDITOR"] = "no-such-editor --wait"
        async with sit(morning) as person:
            await person.go("invoice-day")
            await person.press("e")
            assert "$EDITOR names 'no-such-editor', which cannot be found" in person.notices[-1]
            await person.press("a")
            assert "on the 3rd" in morning.read("MEMORY.md")

    async def test_what_ran_cannot_be_edited(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("e")  # an unknown outcome
            await person.press("3", "G", "e")
            assert person.notices == []


class TestUndo:
    async def test_asks_with_what_would_be_undone_and_shows_it_again(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("r", "enter")
            assert morning.state("mail-ana") == "rejected"
            await person.press("u")
            assert isinstance(person.app.screen, AskScreen)
            assert "Undo this?" in person.screen_text
            assert "mail-ana is rejected" in person.screen_text
            await person.press("enter", "a", "escape")
            assert morning.state("mail-ana") == "rejected"
            await person.press("u", "u")
            assert morning.state("mail-ana") == "pending"
            assert person.selected == "mail-ana"
            assert "**Status:** pending" in morning.read(layout.STAGING)

    async def test_a_hold_is_lifted_again(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("1", "H")
            await person.write("all posts")
            await person.press("enter")
            assert "all posts" in morning.read(layout.HOLD)
            await person.press("u", "u")
            assert "all posts" not in morning.read(layout.HOLD)

    async def test_when_nothing_is_left_to_undo_it_says_so_and_works_on(self, bare: Morning) -> None:
        async with sit(bare) as person:
            await person.press("u")
            assert person.notices == ["nothing was decided in this review that can be undone"]
            assert not isinstance(person.app.screen, AskScreen)
            await person.press("H")
            await person.write("all posts")
            await person.press("enter")
            assert "all posts" in bare.read(layout.HOLD)
