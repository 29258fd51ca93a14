"""Shows what would deceive the eye, and masks secrets. Takes text and returns text; no file is altered by it.

Everything from a file passes `visible` before it reaches a screen or a terminal. Which code points
count as assigned is what the running Python's Unicode tables say: an unknown one is shown, not
trusted. `Looking` says whether secrets are masked, and tells which there were.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from functools import lru_cache

from dory_tui import secrets
from dory_tui.emoji_sequences import cell_width, cut, passing
from dory_tui.lookalikes import flags
from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing costs 2 ms, and this module is on the path of `check`
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["hidden", "control", "bidi", "invalid", "lookalike", "spaces", "secret"]
    from dory_tui.lookalikes import WarningKind

__all__ = [
    "Looking",
    "Mark",
    "Visible",
    "Warning",
    "cell_width",
    "cut",
    "masked",
    "refused_in_field",
    "visible",
    "visible_line",
    "warnings",
    "written_out",
]

_BOM = "\ufeff"
_FEW = 50

# U+0000 to U+001F, then U+007F to U+009F: Unicode gives controls no name, only these aliases.
_CONTROL_NAMES = (
    "NULL|START OF HEADING|START OF TEXT|END OF TEXT|END OF TRANSMISSION|ENQUIRY|ACKNOWLEDGE|ALERT|"
    "BACKSPACE|CHARACTER TABULATION|LINE FEED|LINE TABULATION|FORM FEED|CARRIAGE RETURN|SHIFT OUT|"
    "SHIFT IN|DATA LINK ESCAPE|DEVICE CONTROL ONE|DEVICE CONTROL TWO|DEVICE CONTROL THREE|"
    "DEVICE CONTROL FOUR|NEGATIVE ACKNOWLEDGE|SYNCHRONOUS IDLE|END OF TRANSMISSION BLOCK|CANCEL|"
    "END OF MEDIUM|SUBSTITUTE|ESCAPE|INFORMATION SEPARATOR FOUR|INFORMATION SEPARATOR THREE|"
    "INFORMATION SEPARATOR TWO|INFORMATION SEPARATOR ONE|DELETE|PADDING CHARACTER|"
    "HIGH OCTET PRESET|BREAK PERMITTED HERE|NO BREAK HERE|INDEX|NEXT LINE|START OF SELECTED AREA|"
    "END OF SELECTED AREA|CHARACTER TABULATION SET|CHARACTER TABULATION WITH JUSTIFICATION|"
    "LINE TABULATION SET|PARTIAL LINE FORWARD|PARTIAL LINE BACKWARD|REVERSE LINE FEED|"
    "SINGLE SHIFT TWO|SINGLE SHIFT THREE|DEVICE CONTROL STRING|PRIVATE USE ONE|PRIVATE USE TWO|"
    "SET TRANSMIT STATE|CANCEL CHARACTER|MESSAGE WAITING|START OF GUARDED AREA|"
    "END OF GUARDED AREA|START OF STRING|SINGLE GRAPHIC CHARACTER INTRODUCER|"
    "SINGLE CHARACTER INTRODUCER|CONTROL SEQUENCE INTRODUCER|STRING TERMINATOR|"
    "OPERATING SYSTEM COMMAND|PRIVACY MESSAGE|APPLICATION PROGRAM COMMAND"
)
_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Not format characters (Cf), yet nothing is drawn for them: joiners and fillers, Mongolian and
# other variation selectors, Braille blank, a musical and a Khitan filler. First and last of each range.
_UNSEEN = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180D), (0x180F, 0x180F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159), (0xE0100, 0xE01EF),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """What a screen highlights: a span of `Visible.text`, in code points. `was` of them stood there before."""

    start: int
    end: int
    kind: Kind
    label: str
    was: int = 1


@dataclass(frozen=True, slots=True)
class Visible:
    """Text that can be shown as it is, and what in it needs the reader's eye."""

    text: str
    marks: tuple[Mark, ...]

    @property
    def hidden(self) -> int:
        """How many characters had to be made visible."""
        return sum(mark.kind not in ("lookalike", "spaces", "secret") for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Warning:
    """Something that can be seen and still deceives. Line and column count from 1."""

    line: int
    column: int
    sentence: str
    kind: WarningKind


class Looking:
    """While it is entered `visible` masks secrets, or with `reveal` shows them. `secrets` are those that it met.

    Without one they are masked. It holds for the code that runs inside, and for the threads that code asks. One inside
    another that does not say whether to reveal does as the other, which is told what it met.

    `of` are the whole texts whose lines are shown one by one, or behind a number or a sign: the lines of a private key
    are known there as they are in the whole.
    """

    def __init__(self, *, reveal: bool | None = None, of: Iterable[str] = ()) -> None:
        self._inherits = reveal is None
        self.reveal = bool(reveal)
        self.secrets: set[str] = set()
        self.lines = frozenset[str]().union(*map(secrets.key_lines, of))

    def __enter__(self) -> Looking:
        outer = _looking.get()
        if outer is not None:
            self.lines |= outer.lines
            self.reveal = outer.reveal if self._inherits else self.reveal
        self._before = _looking.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _looking.reset(self._before)
        outer = _looking.get()
        if outer is not None and self._inherits:
            outer.secrets |= self.secrets

    @property
    def masked(self) -> int:
        """How many different secrets were masked."""
        return 0 if self.reveal else len(self.secrets)


_looking: ContextVar[Looking | None] = ContextVar("looking", default=None)


def _name(char: str) -> str:
    from unicodedata import category, name

    fallback = "PRIVATE USE" if category(char) == "Co" else "UNASSIGNED"
    return name(char, fallback)


@lru_cache(maxsize=4096)
def _hidden(char: str) -> tuple[Kind, str] | None:
    """Why a character cannot be shown as it is, and what to call it; None when it can."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return "invalid", f"byte 0x{code - 0xDC00:02X}"
    kind: Kind = "hidden"
    if code < 0x20 or 0x7F <= code <= 0x9F:
        names = _CONTROL_NAMES.split("|")
        kind, name = "control", names[code if code < 0x20 else code - 0x7F + 0x20]
    elif char in "\u2028\u2029":
        kind, name = "control", _name(char)
    elif 0xD800 <= code <= 0xDFFF:
        kind, name = "invalid", "LONE SURROGATE"
    elif code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        kind, name = "invalid", "NONCHARACTER"
    elif char.isspace() or (char.isprintable() and not any(first <= code <= last for first, last in _UNSEEN)):
        return None
    else:
        kind, name = "bidi" if char in _BIDI else "hidden", _name(char)
    return kind, f"U+{code:04X} {name}"


def _hidden_in(text: str, newlines: bool) -> Iterator[tuple[int, Kind, str]]:
    """Offset, kind and label of every character that may not be shown or passed on as it is."""
    if text.isascii() and text.isprintable():
        return  # most texts
    allowed = "\t\n" if newlines else ""
    # A pattern of all that may pass would cost every start of Python more than a look at each different character.
    bad = {char: found for char in set(text) if char not in allowed and (found := _hidden(char)) is not None}
    if not bad:
        return
    in_emoji = passing(text)
    for at in _positions(text, bad):
        if at not in in_emoji:
            yield at, *bad[text[at]]


def _positions(text: str, chars: Collection[str]) -> Iterator[int]:
    """Where any of some characters stand. A pattern is quicker while they are few, and slow once they are many."""
    if len(chars) > _FEW:
        return (at for at, char in enumerate(text) if char in chars)
    return (match.start() for match in re.finditer(f"[{re.escape(''.join(sorted(chars)))}]", text))


def _written_out(text: str, newlines: bool) -> tuple[str, list[Mark]]:
    parts: list[str] = []
    marks: list[Mark] = []
    done = length = 0
    for at, kind, label in _hidden_in(text, newlines):
        start = length + at - done
        shown = f"⟦{label}⟧"
        length = start + len(shown)
        marks.append(Mark(start, length, kind, label))
        parts += text[done:at], shown
        done = at + 1
    return ("".join((*parts, text[done:])) if parts else text), marks


def visible(text: str | bytes, *, newlines: bool = True) -> Visible:
    """The text with everything that cannot be seen written out, as `⟦U+001B ESCAPE⟧`, and with secrets masked.

    With `newlines` the text is a file's: a leading BOM is left out, CRLF is shown as a line end,
    newline and tab stay. Without, it is a one-line field and all of these are written out.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    if newlines:
        text = text.removeprefix(_BOM)
        text = text.replace("\r\n", "\n") if "\r" in text else text
    text, secret = _masked(text)
    text, marks = _written_out(text, newlines)
    if secret:
        marks = _together(secret, marks)
    seen = [
        Mark(start, end, "spaces" if kind == "spaces" else "lookalike", says) for start, end, kind, says in flags(text)
    ]
    if seen and marks:
        return Visible(text, tuple(sorted(marks + seen, key=lambda mark: mark.start)))
    return Visible(text, tuple(marks or seen))


def visible_line(text: str) -> str:
    """One line of visible text: newlines and tabs are written out too, and secrets are masked."""
    return _written_out(_masked(text)[0], newlines=False)[0]


def written_out(text: str) -> str:
    """As `visible_line`, with secrets as they stand: for what a person types, and for what went through already."""
    return _written_out(text, newlines=False)[0]


def masked(text: str) -> str:
    """The text with its secrets masked and all else as it is: for what is no terminal, such as JSON."""
    return _masked(text)[0]


def _masked(text: str) -> tuple[str, list[Mark]]:
    """The text with its secrets masked, and where they are in it.

    Characters in one that cannot be seen are left, to be written out between what is masked.
    """
    look = _looking.get()
    lines = look.lines if look is not None else ()
    found = secrets.spans(text, lines)
    if not found:
        return text, []
    if look is not None:
        look.secrets.update(text[one.start : one.stop] for one in found)
        if look.reveal:
            return text, []
    pieces = [piece for one in found for piece in _seen_of(text, one)]
    shown, places = secrets.covered(text, pieces)
    marks = [
        Mark(start, end, "secret", one.kind, one.stop - one.start)
        for one, (start, end) in zip(pieces, places, strict=True)
    ]
    return shown, marks


def _seen_of(text: str, one: secrets.Secret) -> Iterator[secrets.Secret]:
    """The parts of a secret between its characters that cannot be seen."""
    start = one.start
    for at, _, _ in _hidden_in(text[one.start : one.stop], newlines=False):
        if one.start + at > start:
            yield secrets.Secret(one.kind, start, one.start + at)
        start = one.start + at + 1
    if start < one.stop:
        yield secrets.Secret(one.kind, start, one.stop)


def _together(secret: list[Mark], written: list[Mark]) -> list[Mark]:
    """Marks of the masked text, moved to where they stand after other characters were written out in it."""
    made: list[Mark] = []
    grown, rest = 0, iter(written)
    ahead = next(rest, None)
    for mark in secret:
        while ahead is not None and ahead.start < mark.start + grown:
            made.append(ahead)
            grown += ahead.end - ahead.start - 1
            ahead = next(rest, None)
        made.append(Mark(mark.start + grown, mark.end + grown, mark.kind, mark.label, mark.was))
    return [*made, *([ahead] if ahead is not None else []), *rest]


def refused_in_field(text: str, *, allow_newlines: bool = False) -> str | None:
    """Why a text may not stand in argv, environment, a path or front matter; None when it may.

    Names the first character only. `allow_newlines` (for argv items) admits newline and tab.
    """
    if text.isascii() and text.isprintable():
        return None
    if allow_newlines:
        text = text.replace("\r\n", "\n\n")  # a line end, and the count stays right
    for at, _, label in _hidden_in(text, allow_newlines):
        return f"character {at + 1} is {label}, which is not allowed here: remove it"
    return None


def warnings(text: str) -> list[Warning]:
    """What can be seen in a text and still deceives, in the order of the text."""
    found_flags = flags(text)
    if not found_flags:
        return []
    # Lines end at newline, CRLF and lone CR only.
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]
    found = []
    for start, _, kind, says in found_flags:
        line = bisect_right(starts, start)
        found.append(Warning(line, start - starts[line - 1] + 1, f"{says}, line {line}", kind))
    return found
