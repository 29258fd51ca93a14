"""What a person waits for: the first paint and a key to its repaint, at a real terminal, beside a minimal Textual app.

The workspace has ten years of logs and 1,000 drafts. `make bench` prints the ratios.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.review.init import init
from tests.process.terminal import Terminal

RUNS = 7
DRAFTS = 1000
DAYS = 3650
MINIMAL = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("STAGING")
Minimal().run()
"""
DRAFT = """---
id: post-{n}
title: Post {n} of 1000
kind: post
part: {n}/1000
action:
  argv: ["/bin/cat"]
  stdin: body
schedule:
  lane: social/main
---
Text of post {n}.
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Path:
    root = tmp_path_factory.mktemp("ws")
    gate = Gate.open(root, env)
    init(gate)
    (root / "state/HOLD.md").write_text(
        "## Currently Blocked\n\n[2026-11-01 10:00 | main] X thread tweets 2-7 — awaiting explicit approval\n"
    )
    listed = ["# STAGING.md", "", "## Currently Staged", ""]
    for number in range(1, DRAFTS + 1):
        path = f"state/drafts/post-{number}.md"
        (root / path).write_text(DRAFT.format(n=number))
        listed += [f"### Post {number}", "**Created:** 2026-11-01", "**Status:** pending", f"**Location:** {path}", ""]
    (root / "state/STAGING.md").write_text("\n".join(listed))
    for back in range(DAYS):
        day = date(2026, 11, 30) - timedelta(days=back)
        folder = root / ("memory" if back < 7 else "memory/archive")
        (folder / f"{day}.md").write_text(f"# {day}\n\n## Tasks\n" + "- 09:12 something was done\n" * 20)
    return root


def first_paint(command: list[str], env: dict[str, str], words: str) -> tuple[float, Terminal]:
    started = time.perf_counter()
    terminal = Terminal(command, env)
    terminal.see(words)
    return time.perf_counter() - started, terminal


def test_first_paint_and_a_key(workspace: Path, env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    minimal = [sys.executable, "-c", MINIMAL]
    review = [sys.executable, "-m", "dory_tui", "-C", str(workspace)]
    bare: list[float] = []
    frame: list[float] = []
    whole: list[float] = []
    keys: list[float] = []
    for run in range(RUNS + 1):
        for command, words, kept in ((minimal, "STAGING", bare), (review, "STAGING", frame)):
            seconds, terminal = first_paint(command, env, words)
            if run:
                kept.append(seconds)
            if command is review:
                started = time.perf_counter()
                terminal.see("if approved, this runs")
                if run:
                    whole.append(seconds + time.perf_counter() - started)
                if run == RUNS:
                    keys = _keys(terminal)
            terminal.close()
    base = statistics.median(bare)
    with capsys.disabled():
        print(f"\n{DRAFTS:,} drafts, {DAYS:,} days of logs, wall time at a pty, median of {RUNS}")
        print(f"minimal Textual app, first paint        {base * 1000:6.0f} ms   1.0")
        for name, kept in (("dory, first paint", frame), ("dory, first draft shown whole", whole)):
            print(f"{name:<38}  {statistics.median(kept) * 1000:6.0f} ms  {statistics.median(kept) / base:4.1f}")
        median, worst = statistics.median(keys) * 1000, statistics.quantiles(keys, n=20)[-1] * 1000
        print(f"a key to its repaint: median {median:.0f} ms, 95th percentile {worst:.0f} ms")


def _keys(terminal: Terminal) -> list[float]:
    """Seconds from each `j` to the title of the next draft."""
    found = []
    for number in range(2, 42):
        terminal.quiet(0.2)
        wanted, start = f"{number} of {DRAFTS} · ".encode(), len(terminal.raw)
        started = time.perf_counter()
        terminal.type("j")
        terminal.take(lambda: wanted in terminal.raw[start:])  # noqa: B023 - called within the round
        found.append(time.perf_counter() - started)
    return found
