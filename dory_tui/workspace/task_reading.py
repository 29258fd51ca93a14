"""The task in ACTIVE.md as it stands: its exact words, and the bytes of each of its three parts. Pure.

How the words stand, `task_edits` says. People write them otherwise too: in other quotation marks, bare, over several
lines; those are read up to the closing mark, else to the next blank line, label, box or rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dory_tui.values import dataclass
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, decode, encode, parse

LABELS = {"user said": "**User said:**", "interpretation": "**Interpretation:**", "status": "**Status:**"}
QUOTED = re.compile(r"^ {0,3}> ?")
"""The mark of a line of words that stand as a block quote."""
_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX]\]")
_PAIRS = {'"': '"', "“": "”", "«": "»", "„": "“"}


@dataclass(frozen=True, slots=True)
class Part:
    """One label with what belongs to it: its bytes without the last line end, and the label as the file spells it."""

    start: int
    stop: int
    label: str


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at `**User said:**`: `words` is None when that is nothing. Parts whose label is missing are None."""

    line: int
    words: bytes | None
    said: Part
    interpretation: Part | None
    status: Part | None
    meaning: str
    """The interpretation in one line; empty when there is none."""
    state: str
    """What stands behind `**Status:**` on its own line."""
    steps: tuple[str, ...]
    """The lines below `**Status:**`, as they stand."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that are there, the words first."""
        return tuple(part for part in (self.said, self.interpretation, self.status) if part is not None)


def said(document: Document) -> bytes | None:
    """The words that stand in ACTIVE.md as the user's, byte for byte; None when there is no task in this form."""
    found = find(document)
    return None if found is None else found.words


def find(document: Document) -> Found | None:
    """What stands at the label `**User said:**`; None where there is no such label."""
    place = _labelled(document)
    if place is None:
        return None
    quote = _quote_lines(document, place[0][place[1]])
    if quote:
        # What the words hold opens and closes nothing: the rest is read with the words blanked out.
        place = _labelled(parse(document.path, _blanked(document, quote)))
        assert place is not None
    section, at = place
    if quote:
        words: bytes | None = _from_quote(document, quote)
        stop = quote[-1].end
    else:
        words, stop = _spoken(document, section, at)
    said_part = Part(_byte(section[at], 0), stop, _spelt(section[at], "user said"))
    meaning, interpretation = _interpretation(section)
    state, steps, status = _status(section, at)
    return Found(section[at].number, words, said_part, interpretation, status, meaning, state, steps)


def _labelled(document: Document) -> tuple[list[Line], int] | None:
    """The lines of the section that has the label, and which of them the label is."""
    for section in shapes.sections(document):
        if not section.under(shapes.EXAMPLE_TITLES) and (at := _named(section.lines, "user said")) is not None:
            return list(section.lines), at
    return None


def _named(lines: Sequence[Line], name: str) -> int | None:
    return next((n for n, ln in enumerate(lines) if (found := shapes.label(ln)) and found[0] == name), None)


def _value(line: Line) -> str:
    found = shapes.label(line)
    return found[1] if found else ""


def _spelt(line: Line, name: str) -> str:
    """A label line up to its value."""
    shown = line.shown.rstrip()
    return shown[: len(shown) - len(_value(line))].rstrip() if shapes.label(line) else LABELS[name]


def _quote_lines(document: Document, label: Line) -> tuple[Line, ...]:
    """The block quote below a label that says nothing on its own line."""
    if _value(label):
        return ()
    lines, start = document.lines, label.number
    while start < len(lines) and not lines[start].text.strip():
        start += 1
    stop = start
    while stop < len(lines) and QUOTED.match(lines[stop].text):
        stop += 1
    return lines[start:stop]


def _after_mark(line: Line) -> int:
    """Where the words begin in a quoted line."""
    mark = QUOTED.match(line.text)
    return line.start + (mark.end() if mark else 0)


def _blanked(document: Document, quote: Sequence[Line]) -> bytes:
    data = bytearray(document.data)
    for line in quote:
        begun = _after_mark(line)
        data[begun : line.end] = b"x" * (line.end - begun)
    return bytes(data)


def _from_quote(document: Document, quote: Sequence[Line]) -> bytes:
    inner = [document.data[_after_mark(line) : line.stop] for line in quote[:-1]]
    return b"".join([*inner, document.data[_after_mark(quote[-1]) : quote[-1].end]])


def _spoken(document: Document, section: list[Line], at: int) -> tuple[bytes | None, int]:
    """(words, end of their bytes) behind the label, in quotation marks or bare, on one line or running on."""
    first, value = at, _value(section[at])
    while not value and first + 1 < len(section) and not _stops(section[first + 1]):
        first += 1
        value = section[first].shown.strip()
    if not value:
        return None, section[at].end
    last, closing = first, _PAIRS.get(value[0])
    run = _run(section, first)
    if closing is not None and not (len(value) > 1 and value.endswith(closing)):
        ends = (n for n, ln in enumerate(run, 1) if ln.shown.rstrip().endswith(closing))
        # The mark may stand inside a line, `two” and more`: the words then run on to that line's end.
        inside = (n for n, ln in enumerate(run, 1) if closing in ln.shown) if closing not in "\"'" else iter(())
        last += next(ends, 0) or (next(inside, 0) if closing not in value[1:] else 0)
    if last == first and not (closing is not None and value.endswith(closing)):
        last += next((n for n, ln in enumerate(run) if ln.blank), len(run))
    begun = _byte(section[first], len(section[first].shown.rstrip()) - len(value))
    stop = _byte(section[last], len(section[last].shown.rstrip()))
    words = encode(value) if last == first else document.data[begun:stop]
    text = decode(words)
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        text = text[1:-1]
    nothing = not text.strip() or shapes.is_nothing(text) or shapes.is_slot(text)
    return None if nothing else encode(text), section[last].end


def _byte(line: Line, column: int) -> int:
    """The byte at which a character of a line stands; a BOM before the first is left out."""
    return line.end - len(encode(line.text[column:]))


def _run(section: list[Line], at: int) -> list[Line]:
    """The lines below one, up to the next label, box, quote or rule."""
    stop = next((n for n in range(at + 1, len(section)) if _stops(section[n])), len(section))
    return section[at + 1 : stop]


def _stops(line: Line) -> bool:
    marked = _BOX.match(line.shown) is not None or shapes.is_rule(line.shown) or shapes.is_quote(line.shown)
    return marked or shapes.label(line) is not None


def _interpretation(section: list[Line]) -> tuple[str, Part | None]:
    """The interpretation in one line, and its part: to the next label, else to the end of its first paragraph."""
    at = _named(section, "interpretation")
    if at is None:
        return "", None
    run, value = _run(section, at), _value(section[at])
    behind = at + len(run) + 1
    if behind == len(section) or shapes.label(section[behind]) is None:
        begun = 0 if value else next((n for n, ln in enumerate(run) if not ln.blank), len(run))
        run = run[: next((n for n in range(begun, len(run)) if run[n].blank), len(run))]
    lines = [line for line in run if not line.blank]
    text = " ".join(part for part in (value, *(line.shown.strip() for line in lines)) if part)
    hollow = shapes.is_nothing(text) or shapes.is_slot(text)
    part = Part(_byte(section[at], 0), (lines or [section[at]])[-1].end, _spelt(section[at], "interpretation"))
    return "" if hollow else text, part


def _status(section: list[Line], said_at: int) -> tuple[str, tuple[str, ...], Part | None]:
    """(what the label says, the lines below it, the part): boxes and bullets, with what is indented below them."""
    at = _named(section, "status")
    first = at
    if first is None:
        boxes = (n for n in range(said_at + 1, len(section)) if _BOX.match(section[n].shown))
        if (first := next(boxes, None)) is None:
            return "", (), None
    stop = first + 1
    while stop < len(section) and _step(section[stop]):
        stop += 1
    while section[stop - 1].blank and stop > first + 1:
        stop -= 1
    below = section[first + (at is not None) : stop]
    state = "" if at is None else _value(section[first])
    hollow = shapes.is_nothing(state) or shapes.is_slot(state)
    part = Part(_byte(section[first], 0), section[stop - 1].end, _spelt(section[first], "status"))
    return "" if hollow else state, tuple(line.shown.rstrip() for line in below), part


def _step(line: Line) -> bool:
    if shapes.label(line) is not None or shapes.is_rule(line.shown):
        return False
    return line.blank or shapes.is_bullet(line.shown) or line.shown[:1] in (" ", "\t")
