"""The entries of MEMORY.md as a list: how old each is, when a log last spoke of it, and its size. Pure.

All text from files passes `visible_line` here. No string is ever read as markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from dory_tui.memory.pruning import Entry, entries, span
from dory_tui.tui.widgets.browser import Browser, Columns
from dory_tui.tui.widgets.lines import Signed
from dory_tui.visible import visible_line
from dory_tui.workspace.document import parse
from dory_tui.workspace.layout import MEMORY

if TYPE_CHECKING:
    from dory_tui.memory.audit import Audited
    from dory_tui.review.auditing import Audit

_AGE, _MENTION, _SIZE = 7, 9, 6
"""Cells of the columns at the right."""
_NOT_YET = "…"


class EntryList(Browser, inherit_bindings=False):
    """The entries, with the keys of a list that does not page: Space marks, and PgDn reads the diff."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in Browser.BINDINGS if isinstance(one, Binding) and not one.key.startswith("page")
    ]


MOVES = [one for one in EntryList.BINDINGS if isinstance(one, Binding) and one.action != "select"]
"""What moves in the list, for the help."""


@dataclass(frozen=True)
class Known:
    """The entries in the order of the file, their bytes by first line, and what is known of them.

    There is no `audit` while the logs are being read.
    """

    listed: tuple[Entry, ...]
    sizes: Mapping[int, int]
    audit: Audit | None = None

    @classmethod
    def of_file(cls, memory: bytes) -> Known:
        document = parse(MEMORY, memory)
        listed = entries(document)
        return cls(listed, {one.first: stop - start for one in listed for start, stop in [span(document, one)]})

    def of(self, entry: Entry) -> Audited | None:
        return self._by_line.get(entry.first)

    @cached_property
    def _by_line(self) -> dict[int, Audited]:
        return {} if self.audit is None else {one.entry.first: one for one in self.audit.lines}


def lines(known: Known, by_file: bool) -> list[Entry | Content]:
    """Headings and entries: the stale ones first and the others old to new, or by section as in the file."""
    audit = known.audit
    if by_file or audit is None:
        return _by_section(known.listed)
    if not known.listed:
        return []
    stale = [one.entry for one in audit.stale]
    others = [one.entry for one in audit.lines if not one.stale]
    return [_stale_title(audit, len(stale)), *stale, *([_others_title(len(others))] if others else []), *others]


def _by_section(listed: Sequence[Entry]) -> list[Entry | Content]:
    made: list[Entry | Content] = []
    section = None
    for entry in listed:
        if entry.section != section:
            section = entry.section
            made.append(Content.styled(visible_line(section) or "before the first section", "bold $secondary"))
        made.append(entry)
    return made


def _stale_title(audit: Audit, count: int) -> Content:
    days = f"untouched and unmentioned for over {audit.stale_days} days"
    origin = f", as {audit.stale_origin} says" if audit.stale_origin else ""
    word = (f"{count} stale", "bold $error") if count else ("none stale", "bold $success")
    return Content.assemble(word, (f": {days}{origin}", "$text-muted"))


def _others_title(count: int) -> Content:
    words = "1 other" if count == 1 else f"{count} others, old to new"
    return Content.styled(words, "bold $secondary")


def labels() -> Columns:
    """What the columns of `row` are."""
    words = f"{'age':>{_AGE}}  {'mentioned':>{_MENTION}}  {'bytes':>{_SIZE}}"
    return Columns(Content(""), Content.styled(words, "$text-muted"))


def row(entry: Entry, known: Known, marked: bool) -> Signed:
    """`◆ Old studio site: archived on the gr…   412 d      never      95`."""
    age = mention = _NOT_YET
    one = known.of(entry)
    if one is not None and known.audit is not None:
        today = known.audit.today
        age = days(one.age(today), "?")
        mention = days(one.silent(today), "never")
    tone = "$error" if one is not None and one.stale else "$text-muted"
    right = Content.assemble(
        (f"{age:>{_AGE}}  {mention:>{_MENTION}}", tone), (f"  {known.sizes[entry.first]:>{_SIZE},}", "$text-muted")
    )
    words = Content.styled(visible_line(entry.words), "$warning" if marked else "")
    return Signed(Columns(words, right), Content.styled("◆", "$accent") if marked else Content(""))


def days(count: int | None, unknown: str) -> str:
    """`today`, `412 d`; a date that is still to come counts as today's."""
    return unknown if count is None else "today" if count <= 0 else f"{count:,} d"
