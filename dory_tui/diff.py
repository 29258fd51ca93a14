"""The difference of two texts, by lines and by words inside changed lines. Pure.

Lines are split at `\\n`, `\\r\\n` and lone `\\r` and compared with their line ends, so a change of a line end or of the
final newline is a change, and says so. So does a change of nothing but white space or characters that have no shape.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_END_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_SHAPELESS = ("Cc", "Cf", "Cn", "Co", "Cs")
"""Unicode categories of characters without a shape of their own."""
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_WORTH_PAIRING = 0.35
_SHORT_WORD = 3
"""Characters that may stand unchanged between two changes without parting them."""
_EXHAUSTIVE = 250_000
"""Up to so many pairs of items each is looked at: difflib's cost grows with their number, and faster with repeats."""


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
    usual = next((end for _, end in before or after if end), "\n")
    rows: list[Row] = []
    for same, a1, a2, b1, b2 in _opcodes(before, after):
        if same:
            rows.extend(Row("same", a + 1, b1 + (a - a1) + 1, (Piece(before[a][0], False),)) for a in range(a1, a2))
        else:
            rows.extend(_changed(before[a1:a2], after[b1:b2], a1, b1, usual))
    return _hunks(rows, context)


def _opcodes(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[tuple[bool, int, int, int, int]]:
    """(same, start and stop in `a`, start and stop in `b`), in order, each item of both in exactly one."""
    at_a = at_b = 0
    for start_a, start_b, length in [*_matches(a, b), (len(a), len(b), 0)]:
        if at_a < start_a or at_b < start_b:
            yield False, at_a, start_a, at_b, start_b
        at_a, at_b = start_a + length, start_b + length
        if length:
            yield True, start_a, at_a, start_b, at_b


def _matches(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """(start in `a`, start in `b`, length) of runs that are the same in both, in order.

    What begins and ends alike is set aside; a large rest is cut at the items that stand once in both.
    """
    found: list[tuple[int, int, int]] = []
    todo = [(0, len(a), 0, len(b))]
    while todo:
        a1, a2, b1, b2 = todo.pop()
        length = _alike(a, b, range(a1, a2), range(b1, b2))
        found.append((a1, b1, length))
        a1, b1 = a1 + length, b1 + length
        length = _alike(a, b, range(a2 - 1, a1 - 1, -1), range(b2 - 1, b1 - 1, -1))
        a2, b2 = a2 - length, b2 - length
        found.append((a2, b2, length))
        left, right = a[a1:a2], b[b1:b2]
        small = len(left) * len(right) <= _EXHAUSTIVE
        anchors = [] if small else [(a1 + i, b1 + j) for i, j in _anchors(left, right)]
        if anchors:
            for i, j in [*anchors, (a2, b2)]:
                todo.append((a1, i, b1, j))
                found.append((i, j, int(i < a2)))
                a1, b1 = i + 1, j + 1
        elif left and right:
            found.extend((a1 + i, b1 + j, n) for i, j, n in _compared(left, right, small))
    return sorted(run for run in found if run[2])


def _alike(a: Sequence[Hashable], b: Sequence[Hashable], at_a: range, at_b: range) -> int:
    """How many items are the same, one by one along both ranges, before the first that is not."""
    pairs = zip(at_a, at_b, strict=False)
    return next((n for n, (i, j) in enumerate(pairs) if a[i] != b[j]), min(len(at_a), len(at_b)))


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest row of items that stand once in `a` and once in `b` and come in the same order in both."""
    counts_a, counts_b = Counter(a), Counter(b)
    place = {item: j for j, item in enumerate(b) if counts_b[item] == 1}
    pairs = [(i, place[item]) for i, item in enumerate(a) if counts_a[item] == 1 and item in place]
    ends: list[int] = []  # the smallest place in b that a row of each length can end with
    last: list[int] = []  # the pair that does
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        last[length : length + 1] = [number]
    row: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]


def _compared(a: Sequence[Hashable], b: Sequence[Hashable], small: bool) -> list[tuple[int, int, int]]:
    """difflib's runs. Where it left as many items out of both, those at the same place are compared as well."""
    found: list[tuple[int, int, int]] = []
    at_a = at_b = 0
    for start_a, start_b, length in SequenceMatcher(None, a, b, autojunk=not small).get_matching_blocks():
        if start_a - at_a == start_b - at_b and not small:
            found.extend((i, at_b + i - at_a, 1) for i in range(at_a, start_a) if a[i] == b[at_b + i - at_a])
        found.append((start_a, start_b, length))
        at_a, at_b = start_a + length, start_b + length
    return found


def _changed(
    removed: Sequence[tuple[str, str]], added: Sequence[tuple[str, str]], first_old: int, first_new: int, usual: str
) -> Iterator[Row]:
    """Removed lines, then added ones; those that pair by position share their words.

    A line without a counterpart is new or gone as a whole; its line end is named when it is not the `usual` one.
    """
    minus: list[Row] = []
    plus: list[Row] = []
    paired = min(len(removed), len(added))
    for number in range(paired):
        (line_a, end_a), (line_b, end_b) = removed[number], added[number]
        left, right = words(line_a, line_b)
        note = "; ".join(filter(None, (_end_changed(end_a, end_b, usual), _unseen_change(line_a, line_b))))
        minus.append(Row("removed", first_old + number + 1, None, left))
        plus.append(Row("added", None, first_new + number + 1, right, note))
    for number, (line, end) in enumerate(removed[paired:], start=first_old + paired + 1):
        minus.append(Row("removed", number, None, (Piece(line, True),), _unusual(end, usual)))
    for number, (line, end) in enumerate(added[paired:], start=first_new + paired + 1):
        plus.append(Row("added", None, number, (Piece(line, True),), _unusual(end, usual)))
    yield from minus
    yield from plus


def _unusual(end: str, usual: str) -> str:
    if not end:
        return "no final newline"
    return "" if end == usual else f"line end: {_END_NAMES[end]}"


def _end_changed(old: str, new: str, usual: str) -> str:
    if old == new:
        return ""
    if not new:
        return "final newline removed"
    if not old:
        return "final newline added" + ("" if new == usual else f": {_END_NAMES[new]}")
    return f"line end: {_END_NAMES[old]} → {_END_NAMES[new]}"


def _unseen_change(old: str, new: str) -> str:
    """What changed between two lines that look the same, or nearly so: white space, characters without a shape."""
    if old == new or "".join(_shaped(old).split()) != "".join(_shaped(new).split()):
        return ""
    if "".join(old.split()) == "".join(new.split()):
        return "white space only"
    return "hidden characters only" if _shaped(old) == _shaped(new) else "white space and hidden characters only"


def _shaped(line: str) -> str:
    """A line without the characters that have no shape; white space stays."""
    if line.isascii() and line.isprintable():
        return line
    kept = (one for one in line if one.isspace() or unicodedata.category(one) not in _SHAPELESS)
    return _SELECTORS.sub("", "".join(kept))


def words(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two lines as pieces, the differing words marked. Lines with few words in common are marked whole."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    found = list(_opcodes(a, b))
    kept = sum(not token.isspace() for same, a1, a2, _, _ in found if same for token in a[a1:a2])
    total = sum(not token.isspace() for token in (*a, *b))
    if total and 2 * kept / total < _WORTH_PAIRING:
        return (Piece(old, True),), (Piece(new, True),)
    found = _joined(found, a)
    left = tuple(Piece("".join(a[a1:a2]), not same) for same, a1, a2, _, _ in found if a2 > a1)
    right = tuple(Piece("".join(b[b1:b2]), not same) for same, _, _, b1, b2 in found if b2 > b1)
    return left or (Piece("", False),), right or (Piece("", False),)


def _joined(runs: list[tuple[bool, int, int, int, int]], a: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    """Runs with short words between two changes counted as changed: one mark reads better than four."""
    joined: list[tuple[bool, int, int, int, int]] = []
    for number, (same, a1, a2, b1, b2) in enumerate(runs):
        inside = 0 < number < len(runs) - 1 and not joined[-1][0] and not runs[number + 1][0]
        changed = not same or (inside and len("".join(a[a1:a2]).strip()) <= _SHORT_WORD)
        if changed and joined and not joined[-1][0]:
            _, start_a, _, start_b, _ = joined[-1]
            joined[-1] = (False, start_a, a2, start_b, b2)
        else:
            joined.append((not changed, a1, a2, b1, b2))
    return joined


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
