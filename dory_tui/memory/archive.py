"""What goes to memory/archive/: which logs, decisions and recent work are old, and the bytes that stay. Pure.

Ages are those of memory.md, "Upkeep": logs older than seven days, decisions older than a month, recent work of more
than 48 hours. Nothing is overwritten: names that are taken get a suffix, months' files are added to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dory_tui.memory.pruning import entries, without
from dory_tui.workspace import dates, shapes
from dory_tui.workspace.document import Document, Line, decode, parse, split_lines
from dory_tui.workspace.edits import NOTHING
from dory_tui.workspace.layout import ARCHIVE, DECISIONS, LOGS
from dory_tui.workspace.logs import RECENT, Log
from dory_tui.workspace.recognise import recognise
from dory_tui.workspace.timestamps import parse_stamp

LOG_DAYS = 7
RECENT_SPAN = timedelta(hours=48)


@dataclass(frozen=True, slots=True)
class Old:
    """An entry that goes: the file of the archive it goes to, its own bytes, and its first line in the old file."""

    to: str
    data: bytes
    line: int


@dataclass(frozen=True, slots=True)
class Parted:
    """A file cut in two: the bytes that stay, and the old entries in the file's order."""

    rest: bytes
    old: tuple[Old, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that stay or go together, and when they are from (naive; a day alone is its end)."""

    when: datetime
    lines: tuple[Line, ...]
    bare: bool
    """Whether it is a line or a list item, in whose place "nothing here" may stand."""
    head: bytes = b""
    """The head of the table that a row stands in."""


def is_old(log: Log, today: date) -> bool:
    """Whether a log's day lies more than seven days back and it is not in the archive yet."""
    return not log.archived and (today - log.day).days > LOG_DAYS


def place(path: str, taken: Callable[[str], bool]) -> str:
    """Where a log goes: the same name below memory/archive/, with `-2`, `-3`… before `.md` where that is taken."""
    base = f"{ARCHIVE}/{path.removeprefix(f'{LOGS}/')}"
    stem, number, name = base.removesuffix(".md"), 2, base
    while taken(name):
        name, number = f"{stem}-{number}.md", number + 1
    return name


def month_before(day: date) -> date:
    """The same day of the month before, or that month's last day."""
    last = day.replace(day=1) - timedelta(days=1)
    return last.replace(day=min(day.day, last.day))


def part_decisions(data: bytes, today: date) -> Parted:
    """DECISIONS.md without the decisions of more than a month ago. Proposed and undated ones stay."""
    document = parse(DECISIONS, data)
    since = datetime.combine(month_before(today), time.min)
    found = recognise(document, "decisions").entries
    waiting = {line.number for entry in found if entry.proposed for line in entry.lines}
    units = [unit for unit in _sections(document) if not waiting & {line.number for line in unit.lines}]
    for entry in found:
        when = _of_entry(entry.stamp, entry.when)
        if when is not None and not entry.proposed:
            head = _table_head(document, entry.lines[0]) if entry.shape == "row" else b""
            units.append(_Unit(when, entry.lines, entry.shape in ("stamp", "bullet"), head))
    parted, gone = _part(document, units, since, "decisions")
    if not gone or recognise(parse(DECISIONS, parted.rest), "decisions").entries:
        return parted
    return _with_nothing(document, gone, parted)


def part_recent(data: bytes, now: datetime) -> Parted:
    """recent-work.md without what is more than 48 hours old. `now` is local; sections and entries without date stay."""
    document = parse(RECENT, data)
    since = now.replace(tzinfo=None) - RECENT_SPAN
    units = _sections(document)
    for entry in entries(document):
        line = document.lines[entry.first - 1]
        when = _of_entry(shapes.stamp(line), _leading(entry.words))
        if when is not None:
            units.append(_Unit(when, document.lines[entry.first - 1 : entry.last], bare=True))
    return _part(document, units, since, "recent-work")[0]


def added(archive: bytes | None, title: str, blocks: Sequence[bytes]) -> bytes:
    """A month's file of the archive with more entries at its end; one that stands there already is not added again."""
    data = f"# {title}\n".encode() if archive is None else archive
    end = parse("", data).line_end
    for block in blocks:
        body = _missing(data, block)
        if not body:
            continue
        last = _last_line(data)
        gap = b"" if _listed(last) and _listed(body) else end
        data += (b"" if not data or data.endswith((b"\n", b"\r")) else end) + gap + body
        data += b"" if data.endswith((b"\n", b"\r")) else end
    return data


def title_of(path: str) -> str:
    """The heading of a month's file: `Decisions of 2026-01`, `Recent work of 2026-01`."""
    kind, _, month = path.rpartition("/")[2].removesuffix(".md").rpartition("-20")
    return f"{kind.replace('-', ' ').capitalize()} of 20{month}"


def _of_entry(stamp: shapes.Stamp | None, when: dates.Moment | None) -> datetime | None:
    """The moment of an entry, by its stamp first; the end of its day where no time is said."""
    if stamp is not None:
        found = parse_stamp(stamp.day, stamp.time)
        if found is not None:
            return found if stamp.time else datetime.combine(found.date(), time.max)
    return None if when is None else datetime.combine(when.day, when.time or time.max)


def _leading(words: str) -> dates.Moment | None:
    """The date that a line begins with, emphasis and brackets aside."""
    text = words.lstrip("*_[(` ")
    found = dates.find(text[:40])
    return found if found is not None and found.start == 0 else None


def _sections(document: Document) -> list[_Unit]:
    """Every section whose heading bears a date, with all that is below it. A file's title is no such heading."""
    heads = [(line, line.heading) for line in document.lines]
    headings = [(line, found) for line, found in heads if found is not None]
    units: list[_Unit] = []
    for number, (line, (level, title)) in enumerate(headings):
        moment = dates.find(title)
        if moment is None or (number == 0 and level == 1):
            continue
        after = next((later for later, (depth, _) in headings[number + 1 :] if depth <= level), None)
        stop = after.number - 1 if after is not None else len(document.lines)
        when = datetime.combine(moment.day, moment.time or time.max)
        units.append(_Unit(when, document.lines[line.number - 1 : stop], bare=False))
    return units


def _part(document: Document, units: Iterable[_Unit], since: datetime, kind: str) -> tuple[Parted, list[_Unit]]:
    """The file without its old units, and those. What stands in a dated section goes or stays with it."""
    gone: list[_Unit] = []
    judged: set[int] = set()
    old: list[Old] = []
    for unit in sorted(units, key=lambda one: (one.lines[0].number, -len(one.lines))):
        numbers = {line.number for line in unit.lines}
        if numbers & judged:
            continue
        judged |= numbers
        if unit.when >= since or document.conflicted is not None:
            continue
        gone.append(unit)
        data = document.data[unit.lines[0].start : unit.lines[-1].stop]
        to = f"{ARCHIVE}/{kind}-{unit.when:%Y-%m}.md"
        old.append(Old(to, unit.head + data, unit.lines[0].number))
    return Parted(without(document, {line.number for unit in gone for line in unit.lines}), tuple(old)), gone


def _with_nothing(document: Document, gone: Sequence[_Unit], parted: Parted) -> Parted:
    """`[none]` in the place of the first entry, when the last one went."""
    first = next((unit for unit in gone if unit.bare), None)
    if first is None:
        return parted
    rest = without(document, {line.number for unit in gone if unit is not first for line in unit.lines})
    at = rest.index(document.data[first.lines[0].start : first.lines[-1].stop])
    last = first.lines[-1]
    stop = at + last.stop - first.lines[0].start
    return Parted(rest[:at] + NOTHING + document.data[last.end : last.stop] + rest[stop:], parted.old)


def _table_head(document: Document, row: Line) -> bytes:
    """The line of column names and the one below it, of the table that a row stands in."""
    first = row.number - 1
    while first > 0 and document.lines[first - 1].shown.lstrip().startswith("|"):
        first -= 1
    head = document.lines[first : first + 2]
    return b"" if row in head else document.data[head[0].start : head[-1].stop]


def _missing(data: bytes, block: bytes) -> bytes:
    """A block as it is added: without blank lines around it, "" when all of it stands in the file already."""
    body = block.strip(b"\r\n")
    if body not in data:
        return body
    lines = [data[start:end] for start, end, _ in split_lines(data)]
    wanted = [body[start:end] for start, end, _ in split_lines(body)]
    there = any(lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1))
    return b"" if there else body


def _last_line(data: bytes) -> bytes:
    spans = split_lines(data)
    return data[spans[-1][0] : spans[-1][1]] if spans else b""


def _listed(line: bytes) -> bool:
    """Whether a line is a list item or a stamp line, which stand below one another without a blank line."""
    text = decode(line.partition(b"\n")[0])
    return shapes.is_bullet(text) or text.startswith("[2")
