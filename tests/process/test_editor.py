"""`e` at a real terminal: the editor has it, the review gets it back, and no error leaves it unusable."""

from __future__ import annotations

import os
import signal
import stat
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dory_tui.demo.build import build
from dory_tui.gate.survey import Gate
from tests.process.terminal import Terminal

DRAFT = "state/drafts/launch-1.md"
Opened = Callable[[str], Terminal]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    (home / "tmp").mkdir(parents=True)
    return {
        "HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color",
        "TMPDIR": str(home / "tmp"), "GIT_CONFIG_GLOBAL": str(home / "gitconfig"), "GIT_CONFIG_SYSTEM": os.devnull,
    }  # fmt: skip


@pytest.fixture
def gate(tmp_path: Path, env: dict[str, str]) -> Gate:
    return build(tmp_path / "workspace", env)


@pytest.fixture
def opened(gate: Gate, env: dict[str, str], tmp_path: Path) -> Iterator[Opened]:
    """The review on a draft, with a script as the editor."""
    terminals = []

    def with_editor(script: str) -> Terminal:
        file = tmp_path / "editor.py"
        file.write_text(f"import os, sys, signal, pathlib\nfile = pathlib.Path(sys.argv[1])\n{script}")
        terminal = Terminal.dory(gate.root, {**env, "EDITOR": f"{sys.executable} {file}"})
        terminals.append(terminal)
        terminal.see("Mail to Bob about the invoice")
        terminal.quiet()
        terminal.type("j")
        terminal.see("Launch thread 1 of 7")
        terminal.see("if approved, this runs")
        terminal.quiet()
        return terminal

    yield with_editor
    for terminal in terminals:
        terminal.close()


def _leave(terminal: Terminal) -> None:
    terminal.quiet()
    terminal.type("q")
    assert terminal.end() == 0
    assert terminal.flags() & termios.ECHO
    assert terminal.flags() & termios.ICANON


def test_what_the_editor_wrote_is_the_draft_and_needs_a_yes(
    gate: Gate, env: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    terminal = opened(
        "print('here I am', os.isatty(0), oct(file.stat().st_mode), file.suffix, flush=True)\n"
        f"pathlib.Path({str(tmp_path / 'mode')!r}).write_text(oct(file.stat().st_mode))\n"
        "os.kill(os.getppid(), signal.SIGINT)\n"  # Ctrl+C goes to both: it is the editor's alone
        "input()\nfile.write_text(file.read_text() + 'by my own hand\\n')\n"
    )
    terminal.type("e")
    terminal.see("here I am True")
    terminal.see(".md")
    terminal.type("\r")
    terminal.see("launch-1 is edited")
    terminal.quiet()
    terminal.type(" ")
    terminal.see("by my own hand")
    assert stat.S_IMODE(int((tmp_path / "mode").read_text(), 8)) == 0o600
    assert (gate.root / DRAFT).read_text().endswith("by my own hand\n")
    assert list(Path(env["TMPDIR"]).iterdir()) == []
    assert gate.ledger.history("launch-1") == ()
    terminal.quiet()
    terminal.type("a")
    terminal.see("launch-1 is approved")
    _leave(terminal)


@pytest.mark.parametrize(
    ("script", "says"),
    [("", "wrote nothing other"), ("file.write_text('no')\nsys.exit(1)", "ended with 1"), ("file.unlink()", "left no")],
)
def test_an_editor_that_leaves_nothing_changes_nothing(gate: Gate, opened: Opened, script: str, says: str) -> None:
    before = (gate.root / DRAFT).read_bytes()
    terminal = opened(script)
    terminal.type("e")
    terminal.see(says)
    terminal.see("Launch thread 1 of 7")
    assert (gate.root / DRAFT).read_bytes() == before
    _leave(terminal)


def test_what_was_written_over_a_draft_that_changed_is_kept(gate: Gate, env: dict[str, str], opened: Opened) -> None:
    draft = gate.root / DRAFT
    terminal = opened(
        f"file.write_text('mine')\nother = pathlib.Path({str(draft)!r})\n"
        "other.write_text(other.read_text() + 'theirs')\n"
    )
    terminal.type("e")
    terminal.see("what you wrote is kept in")
    assert draft.read_text().endswith("theirs")
    assert [file.read_text() for file in Path(env["TMPDIR"]).glob("*/*.md")] == ["mine"]
    _leave(terminal)


def test_a_signal_while_the_editor_is_open_ends_both(gate: Gate, opened: Opened) -> None:
    terminal = opened("print('waiting', flush=True)\nsignal.pause()\n")
    terminal.type("e")
    terminal.see("waiting")
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 128 + signal.SIGTERM
    assert terminal.flags() & termios.ECHO
    assert b"\x1b[?1049l" in terminal.raw[-4000:]
