"""What the History screen shows, as values: the lines of its list and the rows of one event. Pure.

All text from files, records and commits passes `visible` or `visible_line` here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets.option_list import Option

from dory_tui.history import LogEntry
from dory_tui.ledger import records
from dory_tui.review.past import Event, label, who, word
from dory_tui.tui.widgets.rows import Row, Span, message_rows
from dory_tui.visible import cell_width, visible, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.timestamps import WEEKDAYS, parse_instant, short_day

OLDER = "older"
"""The id of the line under which older events wait."""
_GREEN = (records.APPROVED, records.PROMOTED, records.LIFTED)
_RED = (records.UNKNOWN, records.FAILED)
_NAMES = {"display_from": "status was", "ok_exit": "exit that is fine", "env_pass": "passes on"}
_STATUS = {"A": "added", "M": "changed", "D": "removed", "T": "other type"}
_TIMES = ("not_before", "expires", "when", "since")
_FILES_SHOWN = 200
_ROOM_FOR_COMMIT, _ROOM_FOR_WHO = 44, 56
_MOST_WHO = 14


@dataclass(frozen=True)
class Cells:
    """Cells that the columns of one list want."""

    word: int
    who: int


class EventLine(Visual):
    """Time and word, then what it is about, which gives way; who and the commit at the right where there is room."""

    def __init__(self, time: str, word: Content, label: Content, who: str, sha: str, cells: Cells) -> None:
        self._time, self._word, self._label, self._who, self._sha, self._cells = time, word, label, who, sha, cells

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        right = Content("")
        if width >= _ROOM_FOR_WHO and self._cells.who:
            right = Content.styled(f"  {self._who}", "$text-muted").truncate(
                self._cells.who + 2, ellipsis=True, pad=True
            )
        if width >= _ROOM_FOR_COMMIT:
            right = Content.assemble(right, (f"  {self._sha:7}", "$text-muted"))
        left = Content.assemble(
            (f"{self._time} ", "$text-muted"), self._word.truncate(self._cells.word, pad=True), "  "
        )
        room = max(1, width - left.cell_length - right.cell_length)
        line = Content.assemble(left, self._label.truncate(room, ellipsis=True, pad=True), right)
        return line.truncate(width).render_strips(width, height, style, options)[:1]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return 17 + self._cells.word + self._label.cell_length + self._cells.who

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return 1


def event_options(events: Sequence[Event], today: datetime) -> Iterator[Option]:
    """Options with the events' names as ids, each day under its name; times are in the zone of `today`."""
    cells = Cells(
        max((cell_width(word(event)) for event in events), default=0),
        min(_MOST_WHO, max((cell_width(who(event)) for event in events), default=0)),
    )
    day: date | None = None
    for event in events:
        local = event.when.astimezone(today.tzinfo)
        if local.date() != day:
            day = local.date()
            yield Option(Content.styled(_day(day, today.date()), "$text-muted"), disabled=True)
        yield Option(_line(event, local, cells), id=event.name)


def _day(day: date, today: date) -> str:
    near = {0: " · today", 1: " · yesterday"}.get((today - day).days, "")
    year = f" {day.year}" if day.year != today.year else ""
    return f"{WEEKDAYS[day.weekday()]} {short_day(day).strip()}{year}{near}"


def _line(event: Event, local: datetime, cells: Cells) -> EventLine:
    quiet = event.kind == "commit"
    style = "$error" if event.problem or event.what in _RED else "$success" if event.what in _GREEN else ""
    mark = ("cannot be read  ", "$error") if event.item is not None and event.item.record is None else ""
    about = Content.assemble(mark, (label(event), "$text-muted" if quiet else ""))
    spoken = Content.styled(word(event), "$text-muted" if quiet else style)
    sha = event.commit.sha[:7] if event.commit is not None else ""
    return EventLine(local.strftime("%H:%M"), spoken, about, who(event), sha, cells)


# One event


def title(event: Event) -> Content:
    return Content.assemble((f"{word(event)} · {label(event)}", "bold"))


def event_rows(event: Event, today: datetime) -> list[Row]:
    """An event whole: its record's fields, then the commit that carries it."""
    rows: list[Row] = []
    if event.problem:
        rows += [*message_rows(f"{event.problem[:1].upper()}{event.problem[1:]}.", style="removed"), Row("", ())]
    if event.item is not None:
        rows += [Row("", (Span("The record"),), "section"), *_record(event, today), Row("", ())]
    if event.commit is not None:
        rows += [Row("", (Span("The commit"),), "section"), *_commit(event.commit, today)]
    elif event.item is not None:
        rows += message_rows("No commit holds this record yet. It comes along with the next decision on this item.")
    return rows


def _record(event: Event, today: datetime) -> Iterator[Row]:
    item = event.item
    assert item is not None
    yield _field(event.kind, label(event))
    if event.kind == "hold":
        yield _field("handle", event.id)
    if item.record is not None:
        yield _field("when", _moment(item.record.when, today))
        yield _field("who", item.record.who)
        yield from _values(item.record.data, today)
    yield _field("kept in", _where(item.original, item.mirror))
    yield _field("file", f"{layout.MIRROR}/{event.name}", "dim")
    if item.hash:
        yield _field("hash", item.hash, "dim")
    if item.record is not None and item.record.prev:
        yield _field("follows", item.record.prev, "dim")


def _where(original: bool, mirror: bool) -> str:
    if original and mirror:
        return "the ledger, and its copy in the workspace"
    return "the ledger; its copy in the workspace is missing" if original else "the workspace alone"


def _values(data: Mapping[str, object], today: datetime) -> Iterator[Row]:
    """A record's own fields. What is empty says nothing; a note comes first, hashes last and dim."""
    shown = {name: value for name, value in data.items() if value not in (None, "", [], {})}
    order = sorted(shown, key=lambda name: (name != "note", name.endswith(("digest", "sha256")), name == "facts"))
    for name in order:
        value = shown[name]
        style = "dim" if name.endswith(("digest", "sha256")) else ""
        yield from _value(name, value, style, today)


def _value(name: str, value: object, style: str, today: datetime) -> Iterator[Row]:
    spoken = _spoken(name)
    if isinstance(value, Mapping):
        kept = {str(inner): one for inner, one in value.items() if one not in (None, "", [], {})}
        for number, (inner, one) in enumerate(kept.items()):
            words = f"{_spoken(inner)}  {_plain(inner, one, today)}"
            yield _field(spoken if number == 0 else "", words, style)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield _field(spoken if number == 0 else "", _plain(name, one, today), style)
    else:
        lines = _plain(name, value, today).split("\n")
        for number, line in enumerate(lines):
            yield _field(spoken if number == 0 else "", line, style)


def _spoken(name: str) -> str:
    """A field's name in words; `_s` says that its value is in seconds, which `_plain` says."""
    return _NAMES.get(name) or name.removesuffix("_s").replace("_", " ")


def _plain(name: str, value: object, today: datetime) -> str:
    if isinstance(value, str):
        if name in _TIMES:
            try:
                return _moment(parse_instant(value), today)
            except ValueError:
                return value
        return value
    return f"{json.dumps(value, ensure_ascii=False)}{' s' if name.endswith('_s') else ''}"


def _commit(commit: LogEntry, today: datetime) -> Iterator[Row]:
    yield _field("commit", commit.sha)
    yield _field("subject", commit.subject)
    yield _field("when", _moment(commit.when, today))
    yield _field("author", commit.author)
    for name, value in commit.trailers.items():
        yield _field("", f"{name}: {value}", "dim")
    yield Row("", ())
    for letter, path in commit.files[:_FILES_SHOWN]:
        yield _field(_STATUS.get(letter[:1], letter), path)
    if len(commit.files) > _FILES_SHOWN:
        yield _field("", f"and {len(commit.files) - _FILES_SHOWN:,} more files", "dim")
    if not commit.files:
        yield _field("", "no file of this workspace", "dim")


def _field(name: str, text: str, style: str = "") -> Row:
    return Row(visible_line(name), (Span(visible(text, newlines=False).text, style),))


def _moment(moment: datetime, today: datetime) -> str:
    local = moment.astimezone(today.tzinfo)
    return f"{WEEKDAYS[local.weekday()]} {local:%Y-%m-%d %H:%M:%S %z}".rstrip()


def nothing_rows(only: str | None) -> list[Row]:
    """What to do where nothing happened yet."""
    if only is not None:
        return message_rows("Nothing was decided about this item yet.", "Esc shows what happened everywhere.", style="")
    first = message_rows("Nothing has happened here yet.", style="")
    then = message_rows("Each yes, no and hold, each run and each commit then stands here, the newest first.")
    return [*first, Row("", ()), *then]
