"""How soon a day of 5,000 lines stands on the screen, beside an app that shows one word. Whole processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

LINES = {
    "short": "- 09:12 mapped scenes 12 to 19 to the new timing, {}",
    "wrapping": "- 09:12 " + "mapped scenes 12 to 19 to the new timing, and noted it, " * 4 + "{}",
    "accents and dashes": "- 09:12 révisé les scènes 12–19 — “à revoir”, " * 4 + "{}",
    "han and kana": "- 09:12 漢字のファイル名は文字の途中で切れていた。修正済み。" * 3 + "{}",
    "emoji": "- ⚠\ufe0f the build failed again, see the log 👩\u200d💻 " * 3 + "{}",
}


class Bare(App[None]):
    """The floor: what Textual itself needs to show anything."""

    def compose(self) -> ComposeResult:
        yield Static("line 0 ends", markup=False)

    def on_mount(self) -> None:
        self.call_after_refresh(self.end)

    def end(self) -> None:
        """Leave once the words are on the screen."""
        painted = "".join(strip.text for strip in self.screen._compositor.render_strips())
        if "line 0 ends" in painted:
            self.exit()
        else:
            self.call_after_refresh(self.end)


class Reader(Bare):
    """Reads a log from disk and shows it."""

    def compose(self) -> ComposeResult:
        from dory_tui.tui.widgets.text_view import TextView

        yield TextView()

    def on_mount(self) -> None:
        from dory_tui.tui.widgets.text_view import TextView, markdown_rows
        from dory_tui.workspace.document import read_bytes

        self.query_one(TextView).show(markdown_rows(read_bytes(Path(sys.argv[2]), "log") or b""), key="log")
        super().on_mount()


def first_paint(kind: str, log: Path) -> float:
    """Seconds of a whole process that starts an app, paints once and ends."""
    began = time.perf_counter()
    subprocess.run([sys.executable, __file__, kind, str(log)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


@pytest.mark.parametrize("kind", LINES)
def test_5000_lines_are_on_the_screen_at_once(
    tmp_path: Path, kind: str, record_property: Callable[[str, object], None]
) -> None:
    log = tmp_path / "2026-02-14.md"
    log.write_text("".join(LINES[kind].format(f"line {number} ends\n") for number in range(5000)))
    # In turn, and the best of each: the machine has other things to do.
    pairs = [(first_paint("bare", log), first_paint("reader", log)) for _ in range(4)]
    bare, reader = (min(times) for times in zip(*pairs, strict=True))
    record_property("ratio", round(reader / bare, 2))
    print(f"{kind}: {1000 * reader:.0f} ms, an empty app {1000 * bare:.0f} ms, {reader / bare:.2f} times as long")
    assert reader < 2.5 * bare


if __name__ == "__main__":
    (Bare() if sys.argv[1] == "bare" else Reader()).run(headless=True, size=(120, 40))
