"""How full MEMORY.md is and would be, and what the platforms would cut of it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.widget import Widget

from dory_tui.memory.budget import cut_sentences, cuts, kilobytes

_BAR = 40
_LEAST_BAR = 10


@dataclass(frozen=True)
class Size:
    """MEMORY.md in bytes as it is and as it would be; None when nothing would be written."""

    before: bytes
    after: bytes | None
    cap: int

    @property
    def now(self) -> bytes:
        """The bytes that are judged: what would be written, else what is there."""
        return self.before if self.after is None else self.after


class CapMeter(Widget, can_focus=False):
    """A bar of the cap, the bytes of it, and below what falls under the platforms' cuts."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._memory = Size(b"", None, 1)
        self.low = False
        """Few lines: where nothing is cut nothing is said of it."""

    def on_mount(self) -> None:
        self.border_title = "Size"

    def show(self, size: Size) -> None:
        """Show another size. The screen is laid out anew only when that takes other lines."""
        before = self._lines()
        self._memory = size
        after = self._lines()
        wraps = any(line.cell_length > self.content_size.width for line in (*before, *after))
        self.refresh(layout=wraps or len(before) != len(after))

    def set_low(self, low: bool) -> None:
        if low != self.low:
            self.low = low
            self.refresh(layout=True)

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def _lines(self) -> list[Content]:
        lines = size_lines(self._memory, self.content_size.width)
        return lines[:1] if self.low and not cuts(self._memory.now) else lines


def size_lines(size: Size, width: int) -> list[Content]:
    """The bar with its numbers, then a line for each cut."""
    found = cuts(size.now)
    style = "$warning" if found else "$text-muted"
    says = [Content.styled(sentence, style) for sentence in cut_sentences(size.now)]
    return [_meter(size, width), *says]


def _meter(size: Size, width: int) -> Content:
    words = _words(size)
    room = min(_BAR, width - words.cell_length - 2)
    return Content.assemble(_bar(size, room), "  ", words) if room >= _LEAST_BAR else words


def _words(size: Size) -> Content:
    before, after, cap = len(size.before), len(size.now), size.cap
    over = after > cap
    grows = f"{kilobytes(before)} → " if kilobytes(after) != kilobytes(before) else ""
    change = f" ({after - before:+,} bytes)" if after != before else ""
    tail = f", {after - cap:,} bytes over the cap" if over else ""
    return Content.assemble(
        grows, (kilobytes(after), "bold $error" if over else "bold"), f" of {kilobytes(cap)} KB",
        (change, "$text-muted"), (tail, "$error"),
    )  # fmt: skip


def _bar(size: Size, width: int) -> Content:
    """What stays, what comes or goes, and what is free. Over the cap all of it is red."""
    before, after = len(size.before), len(size.now)
    if after > size.cap:
        return Content.styled("━" * width, "$error")
    kept = min(width, round(width * min(before, after) / size.cap))
    moved = min(width - kept, max(int(before != after), round(width * abs(after - before) / size.cap)))
    sign = "━" if after > before else "╌"
    rest = max(0, width - kept - moved)
    return Content.assemble(("━" * kept, "$success"), (sign * moved, "$warning"), ("─" * rest, "$text-disabled"))
