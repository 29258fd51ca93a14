"""The difference of two texts, by lines and by words inside changed lines. Pure.

Lines are split at `\\n`, `\\r\\n` and lone `\\r` and compared with their line ends, so a change of a line end or of the
final newline is a change, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_END_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR", "": "no line end"}
_WORTH_PAIRING = 0.35


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a line's text, and whether it is what changed in it."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a diff. `old` and `new` are line numbers from 1; `note` names what the eye would not see."""

    kind: Kind
    old: int | None
    new: int | None
    pieces: tuple[Piece, ...]
    note: str = ""

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changed lines with their context; `before` lines of the old text stand unshown above it."""

    rows: tuple[Row, ...]
    before: int


@dataclass(frozen=True, slots=True)
class Diff:
    """All hunks, and how many unshown lines of the old text stand below the last."""

    hunks: tuple[Hunk, ...]
    after: int

    @property
    def empty(self) -> bool:
        return not self.hunks


def split(text: str) -> list[tuple[str, str]]:
    """(line, line end) pairs; joined again they are `text`."""
    found = []
    position = 0
    while position < len(text):
        match = _LINE.match(text, position)
        assert match is not None
        line = match[0].rstrip("\r\n")
        found.append((line, match[0][len(line) :]))
        position = match.end()
    return found


def diff(old: str, new: str, context: int = 3) -> Diff:
    """The difference of two texts with `context` lines around each change."""
    before, after = split(old), split(new)
    rows: list[Row] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            rows.extend(Row("same", a + 1, b1 + (a - a1) + 1, (Piece(before[a][0], False),)) for a in range(a1, a2))
        else:
            rows.extend(_changed(before[a1:a2], after[b1:b2], a1, b1))
    return _hunks(rows, context)


def _changed(
    removed: Sequence[tuple[str, str]], added: Sequence[tuple[str, str]], first_old: int, first_new: int
) -> Iterator[Row]:
    """Removed lines, then added ones; those that pair by position share their words."""
    minus: list[Row] = []
    plus: list[Row] = []
    for number, (line, _) in enumerate(removed):
        minus.append(Row("removed", first_old + number + 1, None, (Piece(line, len(added) == 0),)))
    for number, (line, _) in enumerate(added):
        plus.append(Row("added", None, first_new + number + 1, (Piece(line, len(removed) == 0),)))
    for number in range(min(len(removed), len(added))):
        (line_a, end_a), (line_b, end_b) = removed[number], added[number]
        left, right = words(line_a, line_b)
        note = "" if end_a == end_b else f"line end: {_END_NAMES[end_a]} → {_END_NAMES[end_b]}"
        minus[number] = Row("removed", minus[number].old, None, left)
        plus[number] = Row("added", None, plus[number].new, right, note)
    yield from minus
    yield from plus


def words(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two lines as pieces, the differing words marked. Lines with little in common are marked whole."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < _WORTH_PAIRING:
        return (Piece(old, True),), (Piece(new, True),)
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        for pieces, text in ((left, "".join(a[a1:a2])), (right, "".join(b[b1:b2]))):
            if text:
                pieces.append(Piece(text, tag != "equal"))
    return tuple(left) or (Piece("", False),), tuple(right) or (Piece("", False),)


def _hunks(rows: Sequence[Row], context: int) -> Diff:
    shown = [False] * len(rows)
    for number, row in enumerate(rows):
        if row.kind != "same":
            low, high = max(0, number - context), min(len(rows), number + context + 1)
            shown[low:high] = [True] * (high - low)
    hunks: list[Hunk] = []
    skipped = 0
    current: list[Row] = []
    before = 0
    for row, visible in zip(rows, shown, strict=True):
        if visible:
            if not current:
                before, skipped = skipped, 0
            current.append(row)
            continue
        if current:
            hunks.append(Hunk(tuple(current), before))
            current = []
        skipped += 1
    if current:
        hunks.append(Hunk(tuple(current), before))
        skipped = 0
    return Diff(tuple(hunks), skipped)
