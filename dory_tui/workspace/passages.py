"""A section's lines cut into passages: stamp lines, list items, table rows, labels, paragraphs. Pure.

Cutting says nothing about meaning: whether a passage is an entry, part of one or an introduction is `recognise`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dory_tui.values import dataclass
from dory_tui.workspace import shapes, words
from dory_tui.workspace.document import Line

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Literal

    Form = Literal["stamp", "bullet", "row", "head", "label", "quote", "fence", "prose"]

_ITEM = re.compile(r"^([ \t]*)(?:[-*+•]|\d{1,9}[.)])(?=\s|$)")
_BOX = re.compile(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s+\[(?P<tick>[ xX✓✔~-])\](?:\s+|$)(?P<text>.*)$")
_DELIMITER = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL = re.compile(r"(?:\\.|`[^`]*`|[^|\\`]|`)+")
_FIELD = re.compile(
    r"^\s*(?:[-*+•]\s+)?(?:\*\*|__)?(?P<name>[^*_:：|\[\]()`<>{}#]{1,40}?)\s*"
    r"(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：]|：|:(?=\s|$|[^\x00-\x7f/\d]))\s*(?P<value>.*)$"
)
_BOLD = re.compile(r"^\s*(?:[-*+•]\s+)?(?:\*\*|__)(?P<name>[^*_]{1,60}?)(?:[:：.]?(?:\*\*|__))")


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines that belong together. `stamp` is set for a stamp or date line, `head` for the rows of a table."""

    form: Form
    lines: tuple[Line, ...]
    stamp: shapes.Stamp | None = None
    head: tuple[str, ...] = ()
    box: str | None = None
    """What stands in the check-box: " ", "x"; None where there is no box."""
    fields: tuple[tuple[str, str], ...] = ()
    """Every label of its first line whose name is known."""

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def field(self) -> tuple[str, str] | None:
        """(name, value) of a label whose name is known, such as `- **Status:** open` or `原因：…`."""
        return self.fields[0] if self.fields else None


def _passage(
    form: Form, lines: Sequence[Line], stamp: shapes.Stamp | None = None, head: tuple[str, ...] = ()
) -> Passage:
    """A passage with what is asked of it again and again: its box and its labels."""
    box = None
    if form == "bullet" and (match := _BOX.match(lines[0].shown)) is not None:
        box = "x" if match["tick"] in "xX✓✔" else match["tick"]
    fields = known_fields(lines[0]) if form in ("label", "bullet") else ()
    return Passage(form, tuple(lines), stamp, head, box, fields)


def known_field(line: Line) -> tuple[str, str] | None:
    """(name, value) of a label line, bold or bare, that names a property of an entry."""
    if ":" not in line.shown and "：" not in line.shown:
        return None
    found = _FIELD.match(line.shown)
    if found is None or not words.is_field(found["name"]):
        return None
    return found["name"].strip(), found["value"].strip()


_NEXT_LABEL = re.compile(r"\s+[·|•]\s+(?=\*\*)")


def known_fields(line: Line) -> tuple[tuple[str, str], ...]:
    """Every label of a line that names a property: `**Date:** … · **Status:** …` has two."""
    first = known_field(line)
    if first is None or "**" not in first[1]:
        return () if first is None else (first,)
    parts = _NEXT_LABEL.split(line.shown)
    found = [_FIELD.match(part) for part in parts]
    return tuple((one["name"].strip(), one["value"].strip()) for one in found if one and words.is_field(one["name"]))


def labelled(line: Line) -> tuple[str, str] | None:
    """(name, value) of a label line, whatever its name."""
    found = _FIELD.match(line.shown) if ":" in line.shown or "：" in line.shown else None
    return None if found is None else (found["name"].strip(), found["value"].strip())


def bold_lead(line: Line) -> bool:
    """Whether a line begins with a bold phrase that ends as a label does."""
    return _BOLD.match(line.shown) is not None


def cells(row: str) -> tuple[str, ...]:
    """The cells of a table row; an escaped pipe and one in a code span do not part them."""
    return tuple(row[start:stop] for start, stop in cell_spans(row))


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Where the words of each cell stand in a row, spaces around them left out; (n, n) for an empty cell."""
    first, last = len(row) - len(row.lstrip()), len(row.rstrip())
    first += row.startswith("|", first)
    if last > first and row[last - 1] == "|" and not row.endswith("\\|", 0, last):
        last -= 1
    found: list[tuple[int, int]] = []
    position = first
    while position <= last:
        match = _CELL.match(row, position, last)
        stop = match.end() if match else position
        words = row[position:stop]
        start = position + len(words) - len(words.lstrip())
        found.append(
            (min(start, stop), max(start, position + len(words.rstrip()))) if words.strip() else _middle(position, stop)
        )
        position = stop + 1
    return found


def _middle(start: int, stop: int) -> tuple[int, int]:
    """Where the words of an empty cell would go: after one space."""
    at = min(start + 1, stop)
    return at, at


def cut(lines: Sequence[Line]) -> list[Passage]:
    """The passages of a section's own lines, in order. Blank lines, rules and comments are in none."""
    found: list[Passage] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.mask in ("comment", "front") or (not line.mask and (line.blank or shapes.is_rule(line.shown))):
            index += 1
            continue
        stop, passages = _next(lines, index)
        found.extend(passages)
        index = stop
    return found


def _next(lines: Sequence[Line], index: int) -> tuple[int, list[Passage]]:
    line = lines[index]
    if line.mask == "fence":
        return _run(lines, index, "fence", lambda one: one.mask == "fence")
    stamp = shapes.stamp(line)
    if stamp is not None:
        stop = _stamp_end(lines, index + 1)
        return stop, [_passage("stamp", tuple(lines[index:stop]), stamp)]
    if _is_row(line.shown):
        return _table(lines, index)
    if _ITEM.match(line.shown):
        stop = _item_end(lines, index)
        return stop, [_passage("bullet", tuple(lines[index:stop]))]
    if shapes.is_quote(line.shown):
        return _run(lines, index, "quote", lambda one: not one.blank and shapes.is_quote(one.shown))
    if known_field(line) is not None:
        return index + 1, [_passage("label", (line,))]
    return _run(lines, index, "prose", _goes_on)


def _goes_on(line: Line) -> bool:
    """Whether a line belongs to the paragraph above it."""
    return (
        not line.blank
        and line.mask == ""
        and not shapes.is_rule(line.shown)
        and not _ITEM.match(line.shown)
        and not _is_row(line.shown)
        and known_field(line) is None
        and shapes.stamp(line) is None
    )


def _run(lines: Sequence[Line], index: int, form: Form, same: Callable[[Line], bool]) -> tuple[int, list[Passage]]:
    stop = index + 1
    while stop < len(lines) and same(lines[stop]):
        stop += 1
    return stop, [_passage(form, tuple(lines[index:stop]))]


def _stamp_end(lines: Sequence[Line], index: int) -> int:
    """Where the lines that belong to a stamp line end: see `entries.continuation`, and indented lines after a blank."""
    while index < len(lines):
        line = lines[index]
        indented = line.text[:1] in (" ", "\t") and bool(line.text.strip())
        if line.mask == "fence" or (indented and shapes.stamp(line) is None):
            index += 1
            continue
        if line.blank or shapes.is_rule(line.shown) or shapes.stamp(line) is not None:
            break
        if shapes.is_bullet(line.shown) or shapes.is_quote(line.shown) or _is_row(line.shown):
            break
        index += 1
    return index


def _item_end(lines: Sequence[Line], index: int) -> int:
    """Where a list item ends: nested items, indented lines and lazy continuations belong to it."""
    opened = _ITEM.match(lines[index].shown)
    assert opened is not None
    margin = _width(opened[1])
    stop = index + 1
    while stop < len(lines):
        line = lines[stop]
        if line.mask == "fence":
            if lines[stop - 1].mask != "fence" and line.text[:1] not in (" ", "\t"):
                break
            stop += 1
            continue
        if line.blank:
            ahead = next((n for n in range(stop, len(lines)) if lines[n].text.strip()), len(lines))
            if ahead == len(lines) or _width(_indent(lines[ahead].text)) <= margin:
                break
            stop = ahead
            continue
        item = _ITEM.match(line.shown)
        indent = _width(_indent(line.shown))
        if item is not None and indent <= margin + 1 and indent < margin + 2:
            break
        if indent <= margin and item is None and not _lazy(line):
            break
        if shapes.stamp(line) is not None and indent <= margin:
            break
        stop += 1
    return stop


def _lazy(line: Line) -> bool:
    return not (
        shapes.is_rule(line.shown)
        or _is_row(line.shown)
        or shapes.is_quote(line.shown)
        or known_field(line) is not None
        or bold_lead(line)
        or shapes.is_italic(line.shown)
    )


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t"))]


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _is_row(text: str) -> bool:
    inner = text.strip()
    return inner.startswith("|") and inner.count("|") > 1


def _table(lines: Sequence[Line], index: int) -> tuple[int, list[Passage]]:
    """A table's passages: its head (with the delimiter), then each row."""
    stop = index
    while stop < len(lines) and not lines[stop].mask and _is_row(lines[stop].shown):
        stop += 1
    rows = list(lines[index:stop])
    head: tuple[str, ...] = ()
    found: list[Passage] = []
    if len(rows) > 1 and _DELIMITER.match(rows[1].shown):
        head = cells(rows[0].shown)
        found.append(_passage("head", (rows[0], rows[1]), head=head))
        rows = rows[2:]
    found.extend(_passage("row", (row,), head=head) for row in rows if not _DELIMITER.match(row.shown))
    return stop, found


if TYPE_CHECKING:
    from collections.abc import Callable
