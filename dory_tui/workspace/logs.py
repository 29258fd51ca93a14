"""Daily logs and the archive: which files there are, the day each belongs to, and whether that day can be right."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from dory_tui.values import dataclass
from dory_tui.workspace import dates
from dory_tui.workspace.document import parse
from dory_tui.workspace.layout import ARCHIVE, LOGS, PROMOTIONS

RECENT = f"{LOGS}/recent-work.md"
HEAD = 4096  # bytes of a log that `flags` wants

_DAY = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})([-_.]?)([0-9]{2})\2([0-9]{2})(?![0-9])")
_CLOCK = re.compile(r"[-_]([01][0-9]|2[0-3])([0-5][0-9])(?:[0-5][0-9])?\Z")
_FAR = timedelta(days=2)  # a note after midnight and a zone on the other side of the world stay within it
_ALONE, _AMONG = timedelta(days=45), timedelta(days=7)
_NEVER_WRITTEN_BEFORE = 2010  # what unpacks archives or builds images may set 1970 or 1980


@dataclass(frozen=True, slots=True)
class Log:
    """One log file. `path` is relative to the workspace, `size` in bytes."""

    day: date
    path: str
    size: int
    archived: bool


def day_of(name: str) -> date | None:
    """The day a file name carries: `2026-02-14.md`, `2026-02-14-1322.md`, `2026-02-14_topic.md`, `20260214.md`."""
    found = _dated(name)
    return found[0] if found else None


def topic_of(name: str) -> str:
    """What a file name says besides its day, `13:22` for `2026-02-14-1322.md`; empty for nothing."""
    stem = name.removesuffix(".md")
    found = _dated(stem)
    if found is None:
        return stem
    _, start, stop = found
    at = _CLOCK.match(stem, stop)
    before, after = stem[:start].strip("-_. "), f"{at[1]}:{at[2]}" if at else stem[stop:].strip("-_. ")
    return " ".join(part for part in (before, after) if part)


def folder_of(log: Log) -> str:
    """The folder a log lies in where that says more than its day: `journal`, but not `archive/2026-02`."""
    folder = log.path.rpartition("/")[0].removeprefix(ARCHIVE if log.archived else LOGS)
    return "/".join(part for part in folder.split("/") if part and not any(char.isdigit() for char in part))


def _dated(name: str) -> tuple[date, int, int] | None:
    """The day in a name and its place there."""
    match = _DAY.search(name)
    if match is None:
        found = dates.find(name.removesuffix(".md").replace("_", " "))
        return (found.day, found.start, found.stop) if found else None
    if match[2] == "." and name[match.start() - 1 : match.start()] in ("v", "V"):
        return None  # a version
    try:
        return date(int(match[1]), int(match[3]), int(match[4])), match.start(), match.end()
    except ValueError:
        return None


def list_logs(root: Path) -> list[Log]:
    """Every dated log, newest day first, the archive included; within a day by name. No file is opened."""
    found = [
        Log(day, path, held.st_size, path.startswith(f"{ARCHIVE}/"))
        for path, held, _ in markdown(root / LOGS, LOGS)
        if (day := day_of(path.rpartition("/")[2])) is not None
    ]
    return sorted(found, key=lambda log: (-log.day.toordinal(), log.archived, log.path))


def undated(root: Path) -> list[str]:
    """Paths of the Markdown files below memory/ whose names carry no day, recent-work.md left out; sorted."""
    paths = (path for path, _, _ in markdown(root / LOGS, LOGS))
    return sorted(path for path in paths if path != RECENT and day_of(path.rpartition("/")[2]) is None)


Found = tuple[str, os.stat_result, bool]


def markdown(folder: Path | str, prefix: str) -> list[Found]:
    """(path, stat, whether it is a link) of every regular `.md` file below a folder, in no order.

    Links to folders are left out, and so are candidates, unless theirs is the folder.
    """
    found: list[Found] = []
    _walk(str(folder), prefix, found)
    return found


def _walk(folder: str, prefix: str, found: list[Found]) -> None:
    """Called for each of thousands of files before every answer of search: one call of the system for each, no more."""
    try:
        with os.scandir(folder) as listing:
            items = list(listing)
    except OSError:
        return
    for item in items:
        name = item.name
        if name.startswith(".") or (path := f"{prefix}/{name}") == PROMOTIONS:
            continue
        try:
            if item.is_dir(follow_symlinks=False):
                _walk(item.path, path, found)
            elif name.endswith(".md") and item.is_file():
                found.append((path, item.stat(), item.is_symlink()))
        except OSError:
            continue


# Whether the day of a log can be right (workspace.md, "Days")


def flags(root: Path, log: Log, head: bytes, logs: Iterable[Log] = ()) -> str | None:
    """A sentence when a log's day is far from its heading, its last writing or the other logs; else None.

    `head` is its first `HEAD` bytes or more. A file written *after* its day is not far: clones, copies and
    corrections are. Written more than two days *before* it, no log of that day can be.
    """
    found = doubt(root, log, head, logs)
    if found is None:
        return None
    line, sentence = found
    return f"{log.path}{'' if line is None else f' line {line}'}: {sentence}"


def doubt(root: Path, log: Log, head: bytes, logs: Iterable[Log] = ()) -> tuple[int | None, str] | None:
    """What `flags` says: the line, where one says it, and the sentence without the path."""
    try:
        written = datetime.fromtimestamp((root / log.path).stat().st_mtime, UTC).date()
    except (OSError, OverflowError, ValueError):
        written = None
    heading = _heading(log, head)
    if heading is not None:
        return heading
    sentence = _written_before(log, written) or _other_year(log, {one.day for one in logs})
    return None if sentence is None else (None, sentence)


def _heading(log: Log, head: bytes) -> tuple[int, str] | None:
    """Speaks when headings of the first level have days and none is the name's, give or take two."""
    cut = head[:HEAD]
    if len(head) > HEAD:
        cut = cut[: cut.rfind(b"\n") + 1]
    first: tuple[date, int] | None = None
    for line in parse(log.path, cut).lines:
        heading = line.heading
        said = _nearest(heading[1], log.day) if heading is not None and heading[0] == 1 else None
        if said is None:
            continue
        if abs(said - log.day) <= _FAR:
            return None
        first = first or (said, line.number)
    if first is None:
        return None
    said, number = first
    return number, f"the heading says {said}, the name {log.day}; correct the heading, or rename the file"


def _nearest(title: str, day: date) -> date | None:
    """The day a title says; one without a year is of the year that brings it nearest."""
    found = (dates.find(title, year) for year in (day.year, day.year - 1, day.year + 1))
    return min((one.day for one in found if one), key=lambda said: abs(said - day), default=None)


def _written_before(log: Log, written: date | None) -> str | None:
    if written is None or written.year < _NEVER_WRITTEN_BEFORE or log.day - written <= _FAR:
        return None
    days = (log.day - written).days
    return f"last written on {written}, {days} days before the day in its name; rename it if the day is wrong"


def _other_year(log: Log, days: set[date]) -> str | None:
    """A slip of the year: alone where it stands, and amid others a year later or earlier."""
    if sum(1 for day in days if day != log.day and abs(day - log.day) <= _ALONE) > 1:
        return None
    for year in (log.day.year + 1, log.day.year - 1):
        moved = _in_year(log.day, year)
        if sum(1 for day in days if abs(day - moved) <= _AMONG) >= 3:
            return f"its neighbours are of {year}; rename it to {moved} if the year is wrong"
    return None


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February
        return day.replace(year=year, day=28)
