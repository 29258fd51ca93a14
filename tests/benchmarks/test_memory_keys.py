"""A key on the Memory screen to its repaint, at a real terminal, beside the same keys in a minimal Textual app.

50 candidates and a MEMORY.md of 10 KB. `make bench` prints the 95th percentiles and their ratios.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.memory.scoring import MEANINGS
from dory_tui.review.init import init
from tests.process.terminal import Terminal

CANDIDATES = 50
BYTES = 10_000
PRESSES = 40
QUIET = 0.15
"""Seconds without output after which a terminal has painted what it wanted to."""
PAUSE = 0.6
"""Seconds after which a key counts that decides something."""
LINES = {"minimal": re.compile(r"fact (\d{3}) "), "dory": re.compile(r"\d   - fact (\d{3}) ")}
"""A line of the text, as each of the two shows it."""
MINIMAL = """
import sys
from textual.app import App
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
LINES = sys.argv[1].split("|")
class List(OptionList):
    BINDINGS = [Binding("j", "cursor_down", "")]
class Text(VerticalScroll):
    BINDINGS = [Binding("j", "line", "")]
    def action_line(self):
        self.scroll_down(animate=False)
class Minimal(App):
    CSS = "List { height: 10; } #meaning, #title { height: 1; } Text { height: 1fr; }"
    BINDINGS = [Binding("enter", "into", "", priority=True), Binding("escape", "back", "")]
    BINDINGS += [Binding(str(n), f"value({n})", "") for n in range(4)]
    def compose(self):
        yield List(*(f"fact number {n}" for n in range(1, 51)))
        yield Static(id="title")
        yield Static("meaning", id="meaning")
        with Text():
            for n in range(200):
                yield Static(f"fact {n:03} of the file")
    def on_option_list_option_highlighted(self, event):
        self.query_one("#title", Static).update(f"{event.option_index + 1} of 50 · it")
    def action_into(self):
        self.query_one(Text).focus()
    def action_back(self):
        self.query_one(List).focus()
    def action_value(self, n):
        self.query_one("#meaning", Static).update(LINES[n])
Minimal().run()
"""
CANDIDATE = """---
id: fact-{n:02}
section: "## Facts"
source: memory/2026-11-24.md#L{n}
scores: {{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}}
replaces: null
status: pending
---
- fact number {n}, which an agent learnt on a day in autumn
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Path:
    root = tmp_path_factory.mktemp("ws")
    init(Gate.open(root, env))
    memory, number = "# MEMORY.md\n\n## Facts\n\n", 0
    while len(memory) < BYTES:
        memory += f"- fact {number:03} of the file, as long as facts are\n"
        number += 1
    (root / "MEMORY.md").write_text(memory)
    for n in range(1, CANDIDATES + 1):
        (root / f"memory/promotions/fact-{n:02}.md").write_text(CANDIDATE.format(n=n))
    log = ["# 2026-11-24", ""] + [f"- 09:{n:02} learnt fact number {n}" for n in range(1, CANDIDATES + 1)]
    (root / "memory/2026-11-24.md").write_text("\n".join(log) + "\n")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=root, env=env, check=True)
    return root


@contextmanager
def opened(command: list[str], env: dict[str, str], words: str) -> Iterator[Terminal]:
    terminal = Terminal(command, env)
    try:
        terminal.see(words)
        terminal.quiet(1.0)
        yield terminal
    finally:
        terminal.close()


def latency(terminal: Terminal, key: str, wanted: str) -> float:
    """Milliseconds from a key to the paint that has these words, once nothing else is painted."""
    terminal.quiet(QUIET)
    start = len(terminal.raw)
    begun = time.perf_counter()
    terminal.type(key)
    terminal.take(lambda: wanted.encode() in terminal.raw[start:])
    return 1000 * (time.perf_counter() - begun)


def pressed(terminal: Terminal, keys: str) -> None:
    """Press keys, each once the one before was painted and may be followed by one that decides."""
    for key in keys:
        terminal.quiet(PAUSE)
        terminal.type(key)
    terminal.quiet(PAUSE)


def moves(terminal: Terminal) -> list[float]:
    """From candidate to candidate."""
    return [latency(terminal, "j", f"{number} of {CANDIDATES} · ") for number in range(2, 2 + PRESSES)]


def scrolls(terminal: Terminal, name: str) -> list[float]:
    """Line by line through the text, each time to the line that comes up at its foot.

    To be measured first: `take` draws nothing, so that later nobody knows what stands on the screen.
    """
    last = max(int(found) for found in LINES[name].findall(terminal.text))
    return [latency(terminal, "j", f"fact {number:03}") for number in range(last + 1, last + 1 + PRESSES)]


def scores(terminal: Terminal) -> list[float]:
    """Another value on the first axis, to its meaning."""
    return [latency(terminal, str(n % 4), MEANINGS["longevity"][n % 4]) for n in range(PRESSES)]


def test_keys_of_the_memory_screen(workspace: Path, env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, list[list[float]]] = {"a line on in the diff": [], "to another candidate": [], "another score": []}
    minimal = [sys.executable, "-c", MINIMAL, "|".join(MEANINGS["longevity"])]
    with opened(minimal, env, "1 of 50") as terminal:
        pressed(terminal, "\r")
        found["a line on in the diff"].append(scrolls(terminal, "minimal"))
        pressed(terminal, "\x1b")
        found["to another candidate"].append(moves(terminal))
        found["another score"].append(scores(terminal))
    with opened([sys.executable, "-m", "dory_tui", "-C", str(workspace)], env, "MEMORY") as terminal:
        pressed(terminal, "M}}}}\rg")
        found["a line on in the diff"].append(scrolls(terminal, "dory"))
        pressed(terminal, "{{{{\x1b")
        found["to another candidate"].append(moves(terminal))
        pressed(terminal, "s")
        found["another score"].append(scores(terminal))
    with capsys.disabled():
        print(f"\n{CANDIDATES} candidates, a MEMORY.md of {BYTES:,} bytes; a key to its repaint, in ms, at a pty")
        print(f"{'':<24}{'minimal app':>24}{'dory':>24}{'ratio':>16}")
        print(f"{'':<24}{'median':>12}{'95th':>12}{'median':>12}{'95th':>12}{'median':>8}{'95th':>8}")
        for name, both in found.items():
            (base, base95), (ours, ours95) = (
                (statistics.median(some), statistics.quantiles(some, n=20)[-1]) for some in both
            )
            times = "".join(f"{value:>12.0f}" for value in (base, base95, ours, ours95))
            print(f"{name:<24}{times}{ours / base:>8.1f}{ours95 / base95:>8.1f}")
