"""The task and decisions: what stands in ACTIVE.md and DECISIONS.md. Holds are in `holds`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from dory_tui.values import dataclass
from dory_tui.workspace import shapes, task_reading
from dory_tui.workspace.document import Document, Problem, decode
from dory_tui.workspace.holds import split_reason
from dory_tui.workspace.layout import ACTIVE, DECISIONS
from dory_tui.workspace.timestamps import parse_stamp

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Generic, TypeVar

    from dory_tui.workspace import entry_shapes
    from dory_tui.workspace.recognise import Recognised

    Entry = TypeVar("Entry")
else:
    Entry = None

    class Generic:
        """typing.Generic at run time, where nobody asks it for anything."""

        __class_getitem__ = classmethod(lambda cls, _: cls)


_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[(?P<tick>[ xX])\]\s*(?P<text>.*)$")
DOUBT = "it mixes forms under headings that say little, so the count may be off: its text is what counts"
AS_TEXT = "nothing in it has the form of an entry, so it is shown as text"


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `said` are the user's exact words in the canonical form, else the task as the file names it."""

    said: str
    interpretation: str
    steps: tuple[tuple[bool, str], ...]
    line: int
    over: bool = False
    """Whether the file says that it is done; such a task is shown dimmed and not counted."""
    status: str = ""
    text: str = ""
    """The whole entry, where it is not in the canonical form."""
    conflict: str = ""

    @property
    def done(self) -> int:
        return sum(ticked for ticked, _ in self.steps)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. `when` is naive, in the workspace's zone."""

    item: str
    reason: str
    when: datetime | None
    session: str | None
    line: int
    text: str
    over: bool = False
    """Whether the file says that it no longer stands: superseded, revoked, struck through."""
    proposed: bool = False
    status: str = ""
    conflict: str = ""


@dataclass(frozen=True, slots=True)
class Reading(Generic[Entry]):
    """What a state file holds: its entries, and the sentences a human should see about the rest."""

    document: Document
    entries: tuple[Entry, ...]
    text: tuple[Problem, ...]

    @property
    def recognised(self) -> bool:
        """False when the file has content of its own and none of it is an entry: it is shown as text."""
        return bool(self.entries) or not self.text


def read_decisions(document: Document) -> Reading[Decision]:
    """The decisions of DECISIONS.md, in the file's order."""
    canonical = _stamps_alone(document)
    if canonical is not None:
        return Reading(document, tuple(canonical), document.problems)
    from dory_tui.workspace.recognise import recognise

    found = recognise(document, "decisions")
    entries = tuple(_decision(entry) for entry in found.entries)
    return Reading(document, entries, _said(DECISIONS, document, found))


def _stamps_alone(document: Document) -> list[Decision] | None:
    """The decisions of a file in which nothing but stamp lines and what introduces them stands; None of any other."""
    found: list[Decision] = []
    for section in shapes.sections(document):
        example = section.under(shapes.EXAMPLE_TITLES)
        for run in shapes.blocks(section.lines):
            before = len(found)
            for line in run:
                parsed = shapes.stamp(line)
                if parsed is not None and not shapes.unfilled(parsed):
                    found.append(_stamped(parsed, over=section.under(shapes.RESOLVED_TITLES)))
            introduction = section.level <= 1 and not any(shapes.is_bullet(line.shown) for line in run)
            if len(found) == before and not example and not (introduction or all(_quiet(line.shown) for line in run)):
                return None
    return found


def _quiet(text: str) -> bool:
    return shapes.is_quote(text) or shapes.is_italic(text) or shapes.is_nothing(text) or shapes.is_placeholder(text)


def _stamped(parsed: shapes.Stamp, *, over: bool) -> Decision:
    item, _, reason = split_reason(parsed.text)
    moment = parse_stamp(parsed.day, parsed.time)
    return Decision(item, reason, moment, parsed.session, parsed.line.number, parsed.source, over)


def _decision(entry: entry_shapes.Entry) -> Decision:
    if entry.stamp is not None:
        return _stamped(entry.stamp, over=entry.resolved)
    when = None
    if entry.when is not None:
        when = datetime.combine(entry.when.day, entry.when.time or datetime.min.time())
    item, _, reason = split_reason(entry.title.strip("*_ "))
    return Decision(
        item, reason, when, None, entry.line, entry.text, entry.resolved, entry.proposed, entry.status, entry.conflict
    )


def read_task(document: Document) -> Reading[Task]:
    """The tasks of ACTIVE.md: the one in the user's exact words, else those that the file names, done ones too."""
    found = task_reading.find(document)
    if found is not None:
        if found.words is None:
            return Reading(document, (), document.problems)
        steps = tuple((box["tick"] != " ", box["text"].strip()) for line in found.steps if (box := _BOX.match(line)))
        words = re.sub(r"\r\n?", "\n", decode(found.words)).strip()
        task = Task(words, found.meaning, steps, found.line, status=found.state)
        return Reading(document, (task,), document.problems)
    from dory_tui.workspace.recognise import recognise

    read = recognise(document, "active")
    tasks = tuple(
        Task(
            entry.title.strip("*_ "), "", entry.steps, entry.line, entry.resolved, entry.status, entry.text,
            entry.conflict,
        )
        for entry in read.entries
    )  # fmt: skip
    return Reading(document, tasks, _said(ACTIVE, document, read))


def first_open(tasks: Sequence[Task]) -> Task | None:
    """The task that is on: the first one that is not done."""
    return next((task for task in tasks if not task.over), None)


BESIDE = "this paragraph is no entry, shown as text"


def _said(path: str, document: Document, read: Recognised) -> tuple[Problem, ...]:
    """A file's own problems, and whether its count can be trusted."""
    if read.as_text:
        return (*document.problems, Problem(path, read.rest[0].first.number, AS_TEXT))
    if any(entry.shape == "stamp" for entry in read.entries) and (read.beside or read.rest):
        passages = sorted((*read.beside, *read.rest), key=lambda part: part.first.number)
        return (*document.problems, *(Problem(path, part.first.number, BESIDE) for part in passages))
    if read.doubt:
        return (*document.problems, Problem(path, read.entries[0].line, DOUBT))
    return document.problems
