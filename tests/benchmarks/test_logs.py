"""How soon the Logs screen stands on a long day and on a large one, beside an app that shows one word. Processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

WORDS = "mapped scenes 12 to 19 to the new timing, "
SIZES = {"5,000 lines": (5000, f"- 09:12 {WORDS}{{}}\n"), "760 KB": (4000, f"- 09:12 {WORDS * 4}{{}}\n")}
HEAD = "line 0 ends"


class Bare(App[None]):
    """The floor: what Textual itself needs to show anything."""

    def compose(self) -> ComposeResult:
        yield Static(HEAD, markup=False)

    def on_mount(self) -> None:
        self.call_after_refresh(self.end)

    def end(self) -> None:
        """Leave once the words are on the screen."""
        painted = "".join(strip.text for strip in self.screen._compositor.render_strips())
        if HEAD in painted:
            self.exit()
        else:
            self.call_after_refresh(self.end)


class Reader(Bare):
    """The Logs screen on a folder of logs."""

    def compose(self) -> ComposeResult:
        return iter(())

    def on_mount(self) -> None:
        from dory_tui.tui.screens.logs import LogsScreen

        self.push_screen(LogsScreen(Path(sys.argv[2]), lambda: date(2026, 2, 14)))
        super().on_mount()


def first_paint(kind: str, root: Path) -> float:
    """Seconds of a whole process that starts an app, paints once and ends."""
    began = time.perf_counter()
    subprocess.run([sys.executable, __file__, kind, str(root)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


@pytest.mark.parametrize("kind", SIZES)
def test_a_long_day_opens_at_once(tmp_path: Path, kind: str, record_property: Callable[[str, object], None]) -> None:
    lines, text = SIZES[kind]
    log = tmp_path / "memory/2026-02-14.md"
    log.parent.mkdir()
    log.write_text("".join(text.format(f"line {number} ends") for number in range(lines)))
    # In turn, and the best of each: the machine has other things to do.
    pairs = [(first_paint("bare", tmp_path), first_paint("logs", tmp_path)) for _ in range(4)]
    bare, logs = (min(times) for times in zip(*pairs, strict=True))
    record_property("ratio", round(logs / bare, 2))
    size = log.stat().st_size / 1024
    print(f"{kind} ({size:.0f} KB): {1000 * logs:.0f} ms, an empty app {1000 * bare:.0f} ms, {logs / bare:.2f} times")
    assert logs < 3 * bare


if __name__ == "__main__":
    (Bare() if sys.argv[1] == "bare" else Reader()).run(headless=True, size=(120, 40))
