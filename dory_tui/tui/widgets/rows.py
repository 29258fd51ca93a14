"""What a `TextView` shows: rows of styled text, from a file's source, a diff or a log. Pure.

All text that comes from files passes `dory_tui.visible` here, on whole lines, so that an emoji or a word that
spans two styles is judged as one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from dory_tui.diff import Diff, Hunk, Piece
from dory_tui.diff import Row as DiffRow
from dory_tui.visible import Looking, Mark, Visible, visible, written_out
from dory_tui.workspace.document import Line, encode, parse

_SIGNS = {"same": " ", "removed": "-", "added": "+"}
_LEVEL = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
# What may never reach a terminal: controls, bidi and zero-width marks, surrogates, tags. A fast look, not the rule.
_RAW = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_CARRIAGE_RETURN = "U+000D CARRIAGE RETURN"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text that went through `visible`, and the name of its style. Never read as markup."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `gutter` is its number or nothing, `sign` one of `+`, `-` and space."""

    gutter: str
    spans: tuple[Span, ...]
    style: str = ""
    sign: str = " "

    @property
    def text(self) -> str:
        return self.spans[0].text if len(self.spans) == 1 else "".join(span.text for span in self.spans)

    def clean(self) -> Row:
        """The row with tabs as four blanks. What else `visible` would write out is, should someone have forgotten."""
        if all(span.text.isprintable() or not _RAW.search(span.text) for span in self.spans):
            return self
        spans = tuple(Span(written_out(span.text.replace("\t", "    ")), span.style) for span in self.spans)
        return Row(self.gutter, spans, self.style, self.sign)

    def styles_in(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """(start, end, style) of the styled spans that touch a piece of the text."""
        ends = list(accumulate(len(span.text) for span in self.spans))
        first, last = bisect_right(ends, start), bisect_left(ends, end)
        return [
            (ends[number] - len(span.text), ends[number], span.style)
            for number, span in enumerate(self.spans[first : last + 1], start=first)
            if span.style
        ]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a log: the index of its row, its level from 1, and its title as it is shown."""

    row: int
    level: int
    title: str


def message_rows(*paragraphs: str, style: str = "dim") -> list[Row]:
    """Sentences of the program itself, or with names from files in them, as rows with a blank one between."""
    rows = [Row("", (Span(visible(text, newlines=False).text),), style) for text in paragraphs]
    return [row for one in rows for row in (Row("", ()), one)][1:]


def source_rows(shown: Visible) -> list[Row]:
    """Numbered lines of a file, what was made visible and what looks like something else highlighted."""
    rows = []
    marks, next_mark = shown.marks, 0
    for number, (start, end) in enumerate(_lines(shown), start=1):
        first = next_mark
        while next_mark < len(marks) and marks[next_mark].start < end:
            next_mark += 1
        spans = tuple(styled(shown.text, start, end, _mark_styles(marks[first:next_mark])))
        rows.append(Row(str(number), spans))
    return rows


def _lines(shown: Visible) -> Iterator[tuple[int, int]]:
    """Start and end of each line. They end where the workspace's do: a lone CR, written out, ends one too."""
    text, start = shown.text, 0
    ends = [at.start() for at in re.finditer("\n", text)]
    breaks = [(end, end + 1) for end in ends]
    breaks += [(mark.end, mark.end) for mark in shown.marks if mark.label == _CARRIAGE_RETURN]
    for end, following in sorted(breaks):
        yield start, end
        start = following
    if start < len(text):
        yield start, len(text)


def _mark_styles(marks: Iterable[Mark]) -> list[tuple[int, int, str]]:
    names = {"lookalike": "flag", "spaces": "flag", "secret": "note"}
    return [(mark.start, mark.end, names.get(mark.kind, "mark")) for mark in marks]


def styled(text: str, start: int, end: int, styles: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """The spans of `text[start:end]`. Of styles that overlap the innermost, given last, is taken."""
    if not styles:
        if end > start:
            yield Span(text[start:end])
        return
    edges = {start, end}
    for low, high, _ in styles:
        edges.update(edge for edge in (low, high) if start < edge < end)
    for low, high in pairwise(sorted(edges)):
        style = next((name for a, b, name in reversed(styles) if a <= low and high <= b), "")
        yield Span(text[low:high], style)


def markdown_rows(text: str | bytes) -> list[Row]:
    """A log's source: headings, quotes and what is no entry (front matter, comments) in their styles."""
    data = text if isinstance(text, bytes) else encode(text)
    rows = source_rows(visible(data))
    lines = parse("", data).lines
    return [
        row if not (style := _markdown_style(line)) else Row(row.gutter, row.spans, style)
        for row, line in zip(rows, lines, strict=False)  # a file that is only a BOM has a line and nothing to show
    ]


def _markdown_style(line: Line) -> str:
    if line.mask:
        return "code" if line.mask == "fence" else "dim"
    if line.heading is not None:
        return "heading"
    return "quote" if line.text.lstrip().startswith(">") else ""


def outline(rows: Sequence[Row]) -> list[Heading]:
    """The headings among the rows that `markdown_rows` made."""
    found = []
    for index, row in enumerate(rows):
        match = _LEVEL.match(row.text) if row.style == "heading" else None
        if match is not None:
            found.append(Heading(index, len(match[1]), match[2] or ""))
    return found


def section_titles(old: str, new: str) -> Callable[[Hunk], str]:
    """For a diff of two texts: the heading line under which a hunk stands, empty where the hunk shows it itself."""
    headings = tuple(_heading_lines(text) for text in (old, new))

    def title(hunk: Hunk) -> str:
        first = hunk.rows[0]
        numbers, texts = headings[first.new is not None]
        at = bisect_right(numbers, first.new or first.old or 0)
        return texts[at - 1] if at and numbers[at - 1] != (first.new or first.old) else ""

    return title


def _heading_lines(text: str) -> tuple[list[int], list[str]]:
    found = [line for line in parse("", encode(text)).lines if line.heading is not None]
    return [line.number for line in found], [line.text for line in found]


def diff_rows(diff: Diff, old: str, new: str) -> list[Row]:
    """A unified diff of two texts: one number per row (of the old text where a line went), signs, word marks, titles
    and separators."""
    title_of = section_titles(old, new)
    rows: list[Row] = []
    with Looking(of=(old, new)):
        for hunk in diff.hunks:
            if hunk.before:
                rows.extend(separator(hunk.before, first=not rows))
            elif rows:
                rows.append(Row("", ()))
            title = visible(title_of(hunk), newlines=False).text
            if title:
                rows.append(Row("", (Span(title),), "section"))
            rows.extend(diff_row(row) for row in hunk.rows)
    if diff.after:
        rows.extend(separator(diff.after, first=not rows))
    return rows if diff.hunks else message_rows("Nothing would change.")


def separator(count: int, first: bool) -> list[Row]:
    """The row that stands for so many unshown lines."""
    says = f"··· {count} line{'s' if count > 1 else ''} the same ···"
    return [*([] if first else [Row("", ())]), Row("", (Span(says),), "dim")]


def diff_row(row: DiffRow) -> Row:
    """One line of a diff as it is shown."""
    shown = visible(row.text, newlines=False)
    words = f"{row.kind}-word"
    styles = [(_moved(shown, start), _moved(shown, end, end=True), words) for start, end in _changed(row.pieces)]
    masks = [mark for mark in shown.marks if mark.kind == "secret"]  # one that changed is drawn as what changed
    others = [mark for mark in shown.marks if mark.kind != "secret"]
    all_styles = [*_mark_styles(masks), *styles, *_mark_styles(others)]
    spans = list(styled(shown.text, 0, len(shown.text), all_styles))
    if row.note:
        spans.append(Span(f"  {visible(row.note, newlines=False).text}", "note"))
    number = row.old if row.new is None else row.new
    return Row(str(number), tuple(spans), "" if row.kind == "same" else row.kind, _SIGNS[row.kind])


def _changed(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Where a line changed. Changed words with only blanks between them are one change to the eye."""
    start = end = at = 0
    for number, piece in enumerate(pieces):
        last, at = at, at + len(piece.text)
        if piece.changed:
            start = start if end > start else last
            end = at
        elif end > start and (piece.text.strip() or number == len(pieces) - 1):
            yield start, end
            start = end = at
    if end > start:
        yield start, end


def _moved(shown: Visible, offset: int, *, end: bool = False) -> int:
    """Where an offset of the text before `visible` stands in the text after it.

    One inside a masked secret stands at its start, or at its end: a part of it is not to be told apart.
    """
    grown = 0
    for mark in shown.marks:
        if mark.kind in ("lookalike", "spaces"):
            continue
        start = mark.start - grown
        if offset <= start:
            break
        if offset < start + mark.was:
            return mark.end if end else mark.start
        grown += mark.end - mark.start - mark.was
    return offset + grown
