"""A file cut into the passages that search answers with: bullets packed within one heading. Pure.

A bullet with all that is indented below it is one unit, as are a paragraph, a table row and a fence; units of one
heading and one day are packed to about 800 characters, and a passage begins with the last unit of the one before it.

Secrets are masked before anything is cut, since half of one is no longer known as one: no passage holds any.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, tzinfo
from functools import cached_property

from dory_tui.secrets import masked, masked_file
from dory_tui.values import dataclass
from dory_tui.workspace import dates
from dory_tui.workspace.document import Document, Line, parse
from dory_tui.workspace.logs import day_of

CHUNKER = "3"
"""Changes whenever the same file would be masked, cut or embedded otherwise: another chunker's index is made anew."""
TARGET = 800
_OVERLAP = 300
"""A longer unit is not said twice."""
_LEAST_INDENT = 2  # columns from which a bullet belongs to the one above it
_ITEM = re.compile(r"(?:[-*+•]|[0-9]{1,9}[.)])(?:\s|\Z)")
_STAMP_LINE = re.compile(r"\*{0,2}\[?(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?![0-9])")
_STAMPED = re.compile(r"[^\w]{0,12}((?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})(?![0-9])")
_PIECE = re.compile(rf".{{1,{TARGET}}}(?:\s|\Z)|.{{1,{TARGET}}}", re.DOTALL)
_BEFORE = re.compile(r"^[ \t]*(?:[-*+•][ \t]+)?(?:\[[ xX]\][ \t]+)?(?:[0-9]{1,2}[:：][0-9]{2}[ \t]*)?", re.MULTILINE)
_NOT_STORED = re.compile("[\0\ud800-\udfff]")
"""What SQLite's text cannot hold: NUL, and bytes that are not UTF-8."""
_WORD = re.compile(r"[^\W_]")
_DECISIONS = re.compile(r"(?:\A|/)decisions(?:-20[0-9]{2}-[0-9]{2})?\.md\Z", re.IGNORECASE)
"""state/DECISIONS.md and the months' files of the archive."""
_DECISION = re.compile(
    r"\bdecisions?\b|entscheidung|décision|decisi[oó]n|decis(?:ão|ões)|решени|决策|决定|決定|결정", re.IGNORECASE
)


@dataclass(frozen=True)
class Chunk:
    """One passage. Lines count from 1, both ends included; `heading` has the headings above it, outermost first."""

    line_start: int
    line_end: int
    day: date | None
    heading: str
    text: str
    decision: bool = False
    """Whether it is one decision: those are passages of their own, so that a later one can be told from it."""

    @cached_property
    def prefix(self) -> str:
        """`2026-02-07 > Decisions`: what is searched before the text."""
        return " > ".join(part for part in (self.day.isoformat() if self.day else "", self.heading) if part)

    @property
    def searched(self) -> str:
        return f"{self.prefix}\n{self.text}"

    @property
    def embedded(self) -> str:
        return meaning(self.heading, self.text)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of what is searched, shortened to 128 bits, hex: the same text has the same vector."""
        return hashlib.sha256(self.searched.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _Unit:
    first: int
    last: int
    day: date | None
    text: str


def meaning(heading: str, text: str) -> str:
    """What of a passage is embedded: not its day, nor the marks, boxes and times before bullets.

    They say nothing of what it is about, and digits are a good part of a short text's vector.
    """
    return f"{heading}\n{_BEFORE.sub('', text)}"


def file_day(path: str) -> date | None:
    """The day a file belongs to: of its name, else of a folder (`2026-02-14/notes.md`, `2026/02/14.md`)."""
    parts = path.split("/")
    for part in reversed(parts):
        if (day := day_of(part)) is not None:
            return day
    return day_of("-".join(parts[-3:]))


def keys(path: str, chunks: Sequence[Chunk]) -> list[str]:
    """An id for each passage of a file, of path and text, so that it stays while other lines move."""
    seen: dict[str, int] = {}
    found = []
    for chunk in chunks:
        made = chunk.hash
        seen[made] = number = seen.get(made, 0) + 1
        found.append(hashlib.sha256(f"{path}\0{made}\0{number}".encode()).hexdigest()[:32])
    return found


def chunks(path: str, data: bytes, zone: tzinfo | None = None) -> list[Chunk]:
    """The passages of a file, in its order, secrets masked. `zone` is the workspace's, for the times of records."""
    if path.endswith(".json"):
        return _note(data, zone)
    document, day = parse(path, masked_file(data)), file_day(path)
    found: list[Chunk] = []
    for heading, said, lines in _sections(document):
        units = _units(lines, day or said)
        if _DECISIONS.search(path) or _DECISION.search(heading):
            found.extend(_chunk(heading, [unit], decision=True) for unit in units)
        else:
            found.extend(_packed(heading, units))
    return found


def _note(data: bytes, zone: tzinfo | None) -> list[Chunk]:
    """The note of a record of the ledger: what a human wanted changed, or why the answer was no."""
    if b'"note"' not in data:
        return []
    try:
        found = json.loads(data)
        note, identity, event = found["data"]["note"], str(found["id"]), str(found["event"])
        day = datetime.fromisoformat(found["when"]).astimezone(zone).date()
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return []
    if not isinstance(note, str) or not note.strip():
        return []
    line = data.count(b"\n", 0, data.index(b'"note"')) + 1
    identity = _stored(masked(identity))
    said = _stored(f"{identity}: {event.replace('-', ' ')} — {masked(note)}")
    return [Chunk(line, line, day, f"ledger > {identity}", said)]


def _sections(document: Document) -> Iterator[tuple[str, date | None, list[Line]]]:
    """(headings, the day that the innermost of them says, lines) of each section that has any.

    A heading with nothing below it, not even another heading, is a line of its own.
    """
    above: list[tuple[int, str, date | None]] = []
    lines: list[Line] = []
    title: Line | None = None
    for line in document.lines:
        heading = line.heading
        if heading is None:
            lines.append(line)
            continue
        deeper = bool(above) and heading[0] > above[-1][0]
        yield from _section(above, lines, None if deeper else title)
        while above and above[-1][0] >= heading[0]:
            above.pop()
        said = dates.find(heading[1])
        above.append((heading[0], heading[1], said.day if said else None))
        lines, title = [], line
    yield from _section(above, lines, title)


def _section(
    above: Sequence[tuple[int, str, date | None]], lines: list[Line], title: Line | None
) -> Iterator[tuple[str, date | None, list[Line]]]:
    day = next((said for _, _, said in reversed(above) if said), None)
    if any(_WORD.search(line.text) for line in lines):
        yield " > ".join(_stored(name) for _, name, _ in above if _says_more(name)), day, lines
    elif title is not None:
        yield " > ".join(_stored(name) for _, name, _ in above[:-1] if _says_more(name)), day, [title]


def _says_more(title: str) -> bool:
    """Whether a heading says more than a day that the prefix has anyway."""
    return bool(title) and _STAMPED.sub("", title).strip(" -–—:#") != ""


def _units(lines: Iterable[Line], day: date | None) -> Iterator[_Unit]:
    """Bullets, paragraphs, rows and fences, none longer than `TARGET`."""
    held: list[Line] = []
    gap = False
    for line in lines:
        if not line.text.strip():
            gap = True
            continue
        if held and _begins(line, gap):
            yield from _cut(held, day)
            held = []
        held.append(line)
        gap = False
    yield from _cut(held, day)


def _begins(line: Line, gap: bool) -> bool:
    if line.mask == "fence":
        return False
    text = line.text.lstrip()
    indent = len(line.text.expandtabs(4)) - len(text.expandtabs(4)) if text else 0
    if indent >= _LEAST_INDENT:
        return False
    return gap or text.startswith("|") or bool(_ITEM.match(text)) or bool(_STAMP_LINE.match(text))


def _cut(lines: Sequence[Line], day: date | None) -> Iterator[_Unit]:
    """One unit, or several where it is too long for one: cut at lines, and a line at its blanks."""
    if not any(_WORD.search(line.text) for line in lines):
        return
    if day is None and (said := _STAMPED.match(lines[0].text)):
        day = day_of(said[1])
    texts: list[str] = []
    first = last = size = 0
    for line in lines:
        for piece in _pieces(line.text):
            if texts and size + len(piece) > TARGET:
                yield _Unit(first, last, day, "\n".join(texts))
                texts, size = [], 0
            if not texts:
                first = line.number
            texts.append(piece)
            size += len(piece) + 1
            last = line.number
    yield _Unit(first, last, day, "\n".join(texts))


def _pieces(text: str) -> Sequence[str]:
    if len(text) <= TARGET:
        return (_stored(text.rstrip()),)
    return [_stored(piece.rstrip()) for piece in _PIECE.findall(text)]


def _packed(heading: str, units: Iterable[_Unit]) -> Iterator[Chunk]:
    pack: list[_Unit] = []
    size, fresh = 0, False
    for unit in units:
        other = bool(pack) and unit.day != pack[0].day
        if pack and (other or (fresh and size + len(unit.text) > TARGET)):
            if fresh:
                yield _chunk(heading, pack)
            repeat = not other and fresh and len(pack[-1].text) <= _OVERLAP
            pack = [pack[-1]] if repeat else []
            size, fresh = sum(len(one.text) + 1 for one in pack), False
        pack.append(unit)
        size, fresh = size + len(unit.text) + 1, True
    if fresh:
        yield _chunk(heading, pack)


def _chunk(heading: str, pack: Sequence[_Unit], decision: bool = False) -> Chunk:
    text = "\n".join(unit.text for unit in pack)
    return Chunk(pack[0].first, pack[-1].last, pack[0].day, heading, text, decision)


def _stored(text: str) -> str:
    return text if text.isascii() and "\0" not in text else _NOT_STORED.sub("\ufffd", text)
