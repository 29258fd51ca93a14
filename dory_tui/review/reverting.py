"""Taking one change of a file back while other changes of it stay. Pure: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from dory_tui.workspace.document import split_lines

_AROUND = ((2, 2), (1, 1), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0))
"""How many lines above and below the changed ones are looked for together with them, the most first."""
_ENDS = (b"\n", b"\r")


def revert(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """`now` without the change that made `before` into `after`; None when that change does not stand there as it was.

    The lines that were written are looked for exactly, with as many of their neighbours as still stand beside them.
    Where they stand more than once, nothing is guessed; a place where lines were only taken out is known by its
    neighbours on both sides.
    """
    if now == after:
        return before
    old, new, there = _lines(before), _lines(after), _lines(now)
    first = _alike(old, new)
    last = len(new) - min(_alike(old[::-1], new[::-1]), len(old) - first, len(new) - first)
    put_back = old[first : len(old) - (len(new) - last)]
    gap = not any(line.strip() for line in new[first:last])
    for wished_above, wished_below in _AROUND:
        above, below = min(wished_above, first), min(wished_below, len(new) - last)
        if gap and ((first and not above) or (last < len(new) and not below)):
            continue
        found = _places(there, new[first - above : last + below])
        if len(found) > 1:
            return None
        if found:
            start = found[0] + above
            return _joined([*there[:start], *put_back, *there[start + last - first :]])
    return None


def _lines(data: bytes) -> list[bytes]:
    return [data[start:stop] for start, _, stop in split_lines(data)]


def _alike(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    """How many lines two texts have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _places(lines: Sequence[bytes], wanted: Sequence[bytes]) -> list[int]:
    """Where some lines stand, one after another; none where there is nothing to look for."""
    if not any(line.strip() for line in wanted):
        return []
    last = len(lines) - len(wanted)
    return [at for at in range(last + 1) if all(map(_same, lines[at : at + len(wanted)], wanted))]


def _same(a: bytes, b: bytes) -> bool:
    """Whether two lines are the same; the last one of a file may have got, or lost, its line end."""
    return a == b or (a.rstrip(b"\r\n") == b.rstrip(b"\r\n") and not (a.endswith(_ENDS) and b.endswith(_ENDS)))


def _joined(lines: Sequence[bytes]) -> bytes:
    """The lines as one text: one that is not the last any more gets a line end."""
    usual = next((line[len(line.rstrip(b"\r\n")) :] for line in lines if line.endswith(_ENDS)), b"\n")
    ended = [line if line.endswith(_ENDS) else line + usual for line in lines[:-1]]
    return b"".join([*ended, *lines[-1:]])
