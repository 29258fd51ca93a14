"""What the Logs screen shows, as values: the lines of the day list, titles, and the rows of one log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from textual.content import Content
from textual.widgets.option_list import Option

from dory_tui.memory.budget import kilobytes
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.rows import Row, markdown_rows, message_rows
from dory_tui.visible import Looking, visible_line
from dory_tui.wording import some
from dory_tui.workspace.document import WorkspaceError, parse, read_bytes
from dory_tui.workspace.logs import Log, folder_of, topic_of
from dory_tui.workspace.recognise import count
from dory_tui.workspace.timestamps import WEEKDAYS

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """One log as rows; `data` is what was read, None when there is only a sentence to say. `about` is its size.

    `secrets` is how many it has, `masked` whether they are.
    """

    rows: list[Row]
    data: bytes | None = None
    about: str = ""
    secrets: int = 0
    masked: bool = True


def empty_page() -> Page:
    """What to do in a workspace without logs."""
    first = message_rows("No logs yet.", style="")
    then = message_rows(
        "An agent writes memory/YYYY-MM-DD.md as it works, one line for each thing done:",
        '    dory-agent log --kind task "what was done"',
        "Each day then stands here, the newest first, and stays when it is archived.",
    )
    return Page([*first, Row("", ()), *then])


def read_page(root: Path, log: Log, known: bytes | None, *, reveal: bool = False) -> Page | None:
    """A log's page; None when its bytes are still the known ones. With `reveal` its secrets are shown."""
    try:
        data = read_bytes(root / log.path, log.path)
    except WorkspaceError as error:
        return Page(message_rows(f"{error}.", "Look at its permissions, then come back to this screen."))
    if data is None:
        return Page(message_rows(f"{log.path} is gone: it was moved or deleted after the list was read."))
    if not data:
        return Page(message_rows(f"{log.path} is empty."))
    if data == known:
        return None
    with Looking(reveal=reveal) as look:
        rows = markdown_rows(data)
    entries = sum(count(parse(log.path, data), "daily") or ())
    counts = [some(len(rows), "line", "lines"), *([some(entries, "entry", "entries")] if entries else [])]
    return Page(rows, data, " · ".join(counts), len(look.secrets), not reveal)


def waiting_page(log: Log) -> Page:
    return Page(message_rows(f"Reading {kilobytes(log.size)} KB…"))


def day_options(logs: Sequence[Log], today: date, bare: Mapping[date, int] | None = None) -> Iterator[Option]:
    """Options with paths as their ids, newest first, each month under its name.

    `bare` has the commits of days that have no log: those stand among the others, and cannot be opened.
    """
    month = None
    for day, log in _by_day(logs, bare or {}):
        if month != (day.year, day.month):
            month = (day.year, day.month)
            yield Option(Content(f"{_MONTHS[day.month - 1]} {day.year}"), disabled=True)
        name = f" {WEEKDAYS[day.weekday()]} {day.day:>2}"
        if isinstance(log, int):
            says = f"no log ({some(log, 'commit', 'commits')})"
            yield Option(Columns(Content.styled(name, "$text-muted"), Content.styled(says, "$warning")), disabled=True)
            continue
        notes = "".join(f"  {note}" for note in _notes(log, today, visible_line(folder_of(log))))
        left = Content.assemble((name, "$text-muted" if log.archived else ""), (notes, "$text-muted"))
        yield Option(Columns(left, Content.styled(f"{kilobytes(log.size)} KB", "$text-muted")), id=log.path)


def _by_day(logs: Sequence[Log], bare: Mapping[date, int]) -> Iterator[tuple[date, Log | int]]:
    """Logs, which come newest first, and between them the days without one and how many commits those have."""
    without = sorted(bare.items(), reverse=True)
    for log in logs:
        while without and without[0][0] > log.day:
            yield without.pop(0)
        yield log.day, log
    yield from without


def _notes(log: Log, today: date, folder: str = "") -> list[str]:
    """What sets a log apart: what its name and folder add to the day, else how near the day is; the archive."""
    near = {today: "today", today - timedelta(days=1): "yesterday"}.get(log.day)
    topic = visible_line(topic_of(log.path.rpartition("/")[2]))
    return [note for note in (topic, folder, None if topic or folder else near, log.archived and "archive") if note]


def title(log: Log | None, today: date) -> Content:
    if log is None:
        return Content("Logs")
    day = f"{WEEKDAYS[log.day.weekday()]} {log.day.day} {_MONTHS[log.day.month - 1]} {log.day.year}"
    notes = "".join(f" · {note}" for note in _notes(log, today))
    return Content.assemble((day, "bold"), (f"{notes}  {visible_line(log.path)}", "$text-muted"))
