"""The review at a real terminal: started as a command, a yes said, the terminal left as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from dory_tui.demo.build import build
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.workspace import layout
from tests.process.terminal import Terminal

ALTERNATE_OFF, MOUSE_OFF, CURSOR_ON = b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?25h"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_SYSTEM": os.devnull,
    }


@pytest.fixture
def gate(tmp_path: Path, env: dict[str, str]) -> Gate:
    return build(tmp_path / "workspace", env)


@pytest.fixture
def terminal(gate: Gate, env: dict[str, str]) -> Iterator[Terminal]:
    opened = Terminal.dory(gate.root, env)
    yield opened
    opened.close()


def git(gate: Gate, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=gate.root, env=dict(gate.environment), check=True, capture_output=True, text=True
    ).stdout


def usable(terminal: Terminal) -> bool:
    """Alternate screen, mouse and hidden cursor off again, echo and line mode on."""
    off = all(mark in terminal.raw for mark in (ALTERNATE_OFF, MOUSE_OFF, CURSOR_ON))
    return off and bool(terminal.flags() & termios.ECHO) and bool(terminal.flags() & termios.ICANON)


def test_a_yes_said_at_the_terminal(gate: Gate, terminal: Terminal) -> None:
    terminal.see("1 outcome unknown")
    terminal.see("Mail to Bob about the invoice")
    terminal.quiet()
    terminal.type("j")
    terminal.see("Launch thread 1 of 7")
    terminal.see("if approved, this runs")
    terminal.quiet()
    terminal.type("a")
    terminal.see("launch-1 is approved")
    terminal.quiet()
    terminal.type("q")
    assert terminal.end() == 0
    assert usable(terminal)

    assert "launch-1: approved" in (gate.root / layout.DECISIONS).read_text()
    for ledger in (gate.ledger.original, gate.ledger.mirror):
        assert [file.name for file in (ledger / "launch-1").iterdir()] == ["1-001-approved.json"]
    assert gate.ledger.history("launch-1")[-1].event == records.APPROVED
    assert git(gate, "log", "-1", "--format=%s").strip() == "Approve launch-1"
    assert git(gate, "status", "--porcelain", "state", "MEMORY.md", ".dory/ledger/launch-1") == ""

    ran = subprocess.run(
        [sys.executable, "-m", "dory_tui.cli.dory_agent", "-C", str(gate.root), "run", "--due"],
        env=dict(gate.environment), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.startswith("posted as mira")
    assert ran.stderr.count("held by “X thread tweets 2-7") == 6
    assert ran.stderr.count("\n") == 7


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_the_terminal_usable(gate: Gate, terminal: Terminal, number: signal.Signals) -> None:
    terminal.see("Mail to Bob about the invoice")
    terminal.quiet()
    before = git(gate, "rev-parse", "HEAD")
    terminal.kill(number)
    assert terminal.end() != -number
    assert usable(terminal)
    assert git(gate, "rev-parse", "HEAD") == before


def test_typing_ahead_and_pasting_decide_nothing(gate: Gate, terminal: Terminal) -> None:
    terminal.type("aaaayyyy\r\r")
    terminal.see("Mail to Bob about the invoice")
    terminal.quiet()
    terminal.type(b"\x1b[200~y y y\r\x1b[201~")
    terminal.quiet()
    terminal.type("\x1b")
    terminal.quiet()
    terminal.type("q")
    assert terminal.end() == 0
    assert [item.event for item in gate.ledger.history("mail-bob")] == [records.APPROVED, records.CLAIMED]
    assert gate.ledger.history("launch-1") == ()


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
def test_other_sizes(gate: Gate, env: dict[str, str], size: tuple[int, int]) -> None:
    terminal = Terminal.dory(gate.root, env, size=size)
    try:
        terminal.see("STAGING")
        terminal.quiet()
        terminal.type("q")
        assert terminal.end() == 0
        assert usable(terminal)
    finally:
        terminal.close()


def test_nothing_of_a_file_reaches_the_terminal_as_a_control(gate: Gate, env: dict[str, str]) -> None:
    """ESC, C1, OSC 8 and OSC 52 in a draft, a title, a hold and a note are shown, never sent."""
    evil = "\x1b]52;c;ZXZpbA==\x07 \x1b]8;;http://evil\x1b\\x \x9b31m \x1b[2Jgone \u202e"
    draft = gate.root / "state/drafts/launch-1.md"
    draft.write_text(draft.read_text() + evil)
    (gate.root / layout.STAGING).write_text(
        (gate.root / layout.STAGING).read_text().replace("### Launch thread 1 of 7", f"### Launch {evil}")
    )
    with (gate.root / layout.HOLD).open("a") as file:
        file.write(f"\n[2026-11-01 10:00 | main] {evil} — no\n")
    terminal = Terminal.dory(gate.root, env)
    try:
        terminal.see("Mail to Bob about the invoice")
        terminal.quiet()
        terminal.type("j")
        terminal.see("ESCAPE")
        terminal.type("q")
        assert terminal.end() == 0
    finally:
        terminal.close()
    for payload in (b"\x1b]52", b"\x1b]8;;http://evil", b"\xc2\x9b31m", b"\x1b[2Jgone", "\u202e".encode()):
        assert payload not in terminal.raw


def test_a_terminal_that_cannot_show_it(gate: Gate, env: dict[str, str]) -> None:
    terminal = Terminal.dory(gate.root, {**env, "TERM": ""})
    try:
        assert terminal.end() == 2
        assert b"the review needs a terminal" in terminal.raw
        assert b"\x1b" not in terminal.raw
    finally:
        terminal.close()


def test_a_dumb_terminal_gets_the_review_in_lines(gate: Gate, env: dict[str, str]) -> None:
    terminal = Terminal.dory(gate.root, {**env, "TERM": "dumb"})
    try:
        terminal.take(lambda: terminal.raw.endswith(b"> "))
        terminal.type("q\n")
        assert terminal.end() == 0
        assert b"\x1b" not in terminal.raw
    finally:
        terminal.close()
