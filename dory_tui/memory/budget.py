"""How full MEMORY.md is, and what of it the platforms would not read (memory.md, "The diff"). Pure."""

from __future__ import annotations

from dory_tui.values import dataclass
from dory_tui.workspace.document import decode, split_lines

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Limit:
    """Where a platform stops reading: after so many characters, lines or bytes, whichever comes first; 0: no limit."""

    name: str
    characters: int = 0
    lines: int = 0
    bytes: int = 0


LIMITS = (
    Limit("12,000 characters", characters=12_000),
    Limit("20,000 characters", characters=20_000),
    Limit("200 lines or 25 KB", lines=200, bytes=25 * 1024),
)


@dataclass(frozen=True, slots=True)
class Cut:
    """What falls below a limit: `count` lines from `line` on, the first perhaps only in part."""

    limit: Limit
    line: int
    count: int


def cuts(data: bytes, limits: Sequence[Limit] = LIMITS) -> tuple[Cut, ...]:
    """What each of the limits would cut of a file, in their order; nothing for a limit that it keeps."""
    spans = split_lines(data)
    found = []
    for limit in limits:
        characters = size = 0
        for number, (start, _, stop) in enumerate(spans, start=1):
            if limit.characters:
                characters += len(decode(data[start:stop]))
            size += stop - start
            if 0 < limit.characters < characters or 0 < limit.bytes < size or 0 < limit.lines < number:
                found.append(Cut(limit, number, len(spans) - number + 1))
                break
    return tuple(found)


def cut_sentences(data: bytes) -> tuple[str, ...]:
    """What the platforms would cut, a sentence each; one sentence when that is nothing."""
    found = cuts(data)
    if not found:
        return ("nothing is cut at 12,000 characters or at 200 lines or 25 KB",)
    return tuple(_sentence(cut) for cut in found)


def _sentence(cut: Cut) -> str:
    last = cut.line + cut.count - 1
    where = f"line {cut.line}" if cut.count == 1 else f"lines {cut.line} to {last}"
    fall = "falls" if cut.count == 1 else "fall"
    return f"{where} {fall} below the cut at {cut.limit.name}"


def kilobytes(size: int) -> str:
    """`7.9`, in units of 1,024 bytes."""
    return f"{size / 1024:.1f}"


def meter(size: int, cap: int) -> str:
    """`7.9 of 10.0 KB`."""
    return f"{kilobytes(size)} of {kilobytes(cap)} KB"
