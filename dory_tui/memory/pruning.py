"""The entries of MEMORY.md and of other notes, and a file without some of them. Pure: bytes in, bytes out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, parse
from dory_tui.workspace.layout import MEMORY

_SEPARATOR = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_FENCE = re.compile(r"^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})")


class PruningError(ValueError):
    """The lines cannot be taken out; the message names the file and line and says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level entry: a bullet with all that is nested in it, a table row, a paragraph or a fenced block.

    `first` and `last` are its lines, from 1; `text` is its lines as they stand, joined by a line feed; `section` is
    the title of the heading above it, "" where there is none.
    """

    first: int
    last: int
    section: str
    text: str

    @property
    def words(self) -> str:
        """Its first line without bullet, box or quote marks."""
        return shapes.strip_marks(self.text.partition("\n")[0])


def entries(document: Document) -> tuple[Entry, ...]:
    """The entries of a document in its order.

    Headings, rules, comments, front matter and "nothing here" are none, nor is a quoted or italic introduction.
    """
    return tuple(_Reader(document).read())


def span(document: Document, entry: Entry) -> tuple[int, int]:
    """Where the bytes of an entry start and stop, its last line end among them."""
    return document.lines[entry.first - 1].start, document.lines[entry.last - 1].stop


def entries_of(data: bytes) -> tuple[tuple[int, int, str], ...]:
    """(first line, last line, words) of each entry of MEMORY.md, lines from 1."""
    return tuple((one.first, one.last, one.words) for one in entries(parse(MEMORY, data)))


def pruned(data: bytes, lines: Collection[int], path: str = MEMORY) -> bytes:
    """The file without the entries that these lines belong to, nested lines and all; other bytes as they were.

    Of the blank lines on both sides of what goes, one side stays. PruningError when a line is not of an entry.
    """
    document = parse(path, data)
    if (line := document.conflicted) is not None:
        raise PruningError(f"{path} line {line}: merge conflict markers; resolve them first")
    found = entries(document)
    owner = {number: one for one in found for number in range(one.first, one.last + 1)}
    for number in sorted(lines):
        if number not in owner:
            raise PruningError(f"{path} line {number}: no entry stands there; name a line of one")
    chosen = {owner[number].first for number in lines}
    gone = {n for one in found if one.first in chosen for n in range(one.first, one.last + 1)}
    made = without(document, gone)
    left = [one.text for one in found if one.first not in chosen]
    if [one.text for one in entries(parse(path, made))] == left:
        return made
    # What stood apart only because of the entry between would run together: a blank line takes its place.
    return without(document, gone, instead=document.line_end)


def without(document: Document, gone: Collection[int], *, instead: bytes = b"") -> bytes:
    """The bytes without some lines. Where blank lines stood on both sides of them, those below go too."""
    lines, kept, at = document.lines, bytearray(), 0
    while at < len(lines):
        if lines[at].number not in gone:
            kept += document.data[lines[at].start : lines[at].stop]
            at += 1
            continue
        apart = at == 0 or _empty(lines[at - 1])
        start = lines[at].start
        at = _run(lines, at, gone, below=apart)
        if at == len(lines) and apart:
            _drop_blank(kept, document, start)
        elif not apart and not _empty(lines[at] if at < len(lines) else None):
            kept += instead
    return bytes(kept)


def _run(lines: Sequence[Line], at: int, gone: Collection[int], *, below: bool) -> int:
    """Where a run of lines that go ends, with the blank ones below it where those go too."""
    while at < len(lines):
        if lines[at].number in gone:
            at += 1
            continue
        after = at
        while below and after < len(lines) and _empty(lines[after]):
            after += 1
        if after == at:
            break
        at = after
        if at < len(lines) and lines[at].number not in gone:
            break
    return at


def _drop_blank(kept: bytearray, document: Document, start: int) -> None:
    """Take the blank lines off the end of what is left of a file, when its last lines went."""
    above = [line for line in document.lines if line.start < start]
    while above and _empty(above[-1]) and kept.endswith(raw := document.data[above[-1].start : above[-1].stop]):
        del kept[len(kept) - len(raw) :]
        above.pop()


def _empty(line: Line | None) -> bool:
    return line is None or (not line.text.strip() and not line.mask)


class _Reader:
    """Cuts the lines of a document into entries."""

    def __init__(self, document: Document) -> None:
        self.lines = document.lines
        self.found: list[Entry] = []
        self.section = ""
        self.introduction = any(line.heading is not None and line.heading[0] > 1 for line in document.lines)
        """Whether what stands here introduces the file: above its first heading below the title."""
        self.open: list[Line] = []
        self.bullet: int | None = None
        """How far the bullet of the open entry is indented; None where it is no bullet."""
        self.gap = False
        """Whether blank lines stand below the open entry."""

    def read(self) -> list[Entry]:
        at = 0
        while at < len(self.lines):
            at = self._one(at)
        self._close()
        return self.found

    def _one(self, at: int) -> int:
        """Read what begins on a line; the index of the next one to read."""
        line = self.lines[at]
        if line.mask == "fence":
            return self._fence(at)
        if line.mask:
            self._close()
        elif line.blank:
            self.gap = True
        elif line.heading is not None:
            self._close()
            level, self.section = line.heading
            self.introduction = self.introduction and level == 1
        elif shapes.is_rule(line.shown):
            self._rule()
        elif line.shown.lstrip().startswith("|") and not self._nested(line):
            self._row(at)
        else:
            self._text(line)
        return at + 1

    def _text(self, line: Line) -> None:
        if shapes.is_bullet(line.shown) and not line.shown.lstrip().startswith(">"):
            if self._nested(line):
                self._extend(line)
            else:
                self._begin(line, _indent(line))
        elif self.open and (self._nested(line) or not self.gap):
            self._extend(line)
        else:
            self._begin(line, None)

    def _nested(self, line: Line) -> bool:
        """Whether a line stands further in than the bullet of the entry that is open."""
        return bool(self.open) and self.bullet is not None and _indent(line) >= self.bullet + 2

    def _begin(self, line: Line, bullet: int | None) -> None:
        self._close()
        self.open, self.bullet = [line], bullet

    def _extend(self, line: Line) -> None:
        # Blank lines in between are of the entry too.
        self.open.extend(self.lines[self.open[-1].number : line.number])
        self.gap = False

    def _rule(self) -> None:
        """A rule ends an entry; below a paragraph it makes a heading of it."""
        if self.open and self.bullet is None and not self.gap:
            self.section = shapes.strip_marks(self.open[-1].text)
            self.open = []
        self._close()

    def _row(self, at: int) -> None:
        """A row of a table is an entry of its own; the line of column names and the one below it are none."""
        line = self.lines[at]
        below = self.lines[at + 1].shown if at + 1 < len(self.lines) else ""
        self._close()
        if not _SEPARATOR.match(line.shown) and not (below.strip().startswith("|") and _SEPARATOR.match(below)):
            self.open, self.bullet = [line], None
            self._close()

    def _fence(self, at: int) -> int:
        """A fenced block: of the bullet that it stands in, else an entry of its own."""
        line = self.lines[at]
        opened = _FENCE.match(line.text)
        mark = opened[1] if opened else "```"
        stop = at + 1
        while stop < len(self.lines) and self.lines[stop].mask == "fence":
            text = self.lines[stop].text.strip()
            stop += 1
            if text.startswith(mark) and not text.strip(mark[0]):
                break
        if self._nested(line):
            self._extend(self.lines[stop - 1])
            return stop
        self._begin(line, _indent(line) if shapes.is_bullet(line.text) else None)
        self.open = list(self.lines[at:stop])
        if self.bullet is None:
            self._close()
        return stop

    def _close(self) -> None:
        block, self.open, self.bullet, self.gap = self.open, [], None, False
        shown = [line.shown for line in block if not line.mask]
        nothing = len(shown) == len(block) and all(shapes.is_nothing(text) for text in shown)
        introduces = self.introduction and all(shapes.is_quote(text) or shapes.is_italic(text) for text in shown)
        if not block or nothing or (introduces and shown):
            return
        text = "\n".join(line.text.rstrip() for line in block)
        self.found.append(Entry(block[0].number, block[-1].number, self.section, text))


def _indent(line: Line) -> int:
    """How many columns of white space a line begins with, a tab counted as four."""
    text = line.text.expandtabs(4)
    return len(text) - len(text.lstrip())
