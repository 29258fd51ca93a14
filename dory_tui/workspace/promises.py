"""Promises in the days' logs: those still open, and one of them closed (memory.md, "The day's log")."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from dory_tui.values import dataclass
from dory_tui.workspace import shapes
from dory_tui.workspace.day_log import kind_of
from dory_tui.workspace.document import Document, Line, WorkspaceError, encode, parse, read_bytes
from dory_tui.workspace.layout import ARCHIVE, LOGS, PROMOTIONS
from dory_tui.workspace.logs import day_of

DAYS = 60
"""How many days back a promise is looked for."""
_BOX = re.compile(r"^ ?(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<tick>[ xX])\][ \t]+(?P<text>\S.*)$")
_TIME = re.compile(r"^(?P<time>\d{1,2}:\d{2})\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Promise:
    """One box below a heading for promises. `text` is one line, without its time."""

    day: date
    path: str
    line: int
    time: str | None
    text: str
    kept: bool = False


def age_of(days: int) -> str:
    """`today`, `1 day old`, `5 days old`."""
    return "today" if days <= 0 else "1 day old" if days == 1 else f"{days} days old"


def handle(promise: Promise) -> str:
    """The short name of a promise: it stays the same when others are kept, and a number in a list would not."""
    words = f"{promise.day.isoformat()} {promise.time or ''} {promise.text}"
    return hashlib.sha256(encode(words)).hexdigest()[:6]


def open_promises(root: Path, today: date) -> tuple[Promise, ...]:
    """Every unticked promise of the logs of the last `DAYS` days, the oldest first; the archive is left out.

    WorkspaceError when a log cannot be read. Only logs that hold a `[ ]` are parsed.
    """
    return _promises(root, today, (b"[ ]",), kept=False)


def kept_promises(root: Path, today: date) -> tuple[Promise, ...]:
    """Every ticked promise of the same logs, the oldest first."""
    return _promises(root, today, (b"[x]", b"[X]"), kept=True)


def _promises(root: Path, today: date, marks: tuple[bytes, ...], *, kept: bool) -> tuple[Promise, ...]:
    found: list[Promise] = []
    for day, path in sorted(_logs(root / LOGS, LOGS, today - timedelta(days=DAYS), today + timedelta(days=1))):
        data = read_bytes(root / path, path)
        if data is not None and any(mark in data for mark in marks):
            found.extend(one for one in in_log(path, day, data) if one.kept == kept)
    return tuple(found)


def _logs(folder: Path, prefix: str, first: date, last: date) -> Iterator[tuple[date, str]]:
    """(day, path) of the logs of some days, links to folders not followed. Tomorrow's too: zones differ."""
    try:
        with os.scandir(folder) as listing:
            entries = list(listing)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WorkspaceError(f"{prefix} cannot be listed ({error.strerror})") from error
    for entry in entries:
        path = f"{prefix}/{entry.name}"
        if entry.name.startswith(".") or path in (ARCHIVE, PROMOTIONS):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _logs(Path(entry.path), path, first, last)
        elif entry.name.endswith(".md") and (day := day_of(entry.name)) is not None and first <= day <= last:
            yield day, path


def in_log(path: str, day: date, data: bytes) -> list[Promise]:
    """The promises of one log, open and kept. Boxes below another box are its steps and no promises."""
    found = []
    for section in shapes.sections(parse(path, data)):
        if section.under(shapes.EXAMPLE_TITLES) or not any(kind_of(title) == "promise" for title in section.path):
            continue
        for line in section.lines:
            box = _BOX.match(line.shown)
            if box is None or shapes.is_nothing(box["text"]) or shapes.is_placeholder(box["text"]):
                continue
            text = box["text"].rstrip()
            stamp = _TIME.match(text)
            words = text[stamp.end() :] if stamp else text
            found.append(Promise(day, path, line.number, stamp["time"] if stamp else None, words, box["tick"] != " "))
    return found


def close(data: bytes, promise: Promise) -> bytes:
    """The log with that promise's box ticked and nothing else changed.

    It is looked for on its line first, then by its words. ValueError when it is gone or ticked already.
    """
    document = parse(promise.path, data)
    same = [
        one for one in in_log(promise.path, promise.day, data) if (one.time, one.text) == (promise.time, promise.text)
    ]
    open_ones = [one for one in same if not one.kept]
    if not open_ones:
        state = "is ticked already" if same else "is not there any more"
        raise ValueError(f"{promise.path}: the promise {promise.text!r} {state}: look again with `dory-agent kept`")
    one = min(open_ones, key=lambda found: abs(found.line - promise.line))
    at = _tick(document, document.lines[one.line - 1])
    return data[:at] + b"x" + data[at + 1 :]


def _tick(document: Document, line: Line) -> int:
    """The byte between the brackets."""
    box = _BOX.match(line.shown)
    assert box is not None, document.path
    return line.end - len(encode(line.text[box.start("tick") :]))
