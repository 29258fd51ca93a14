"""What is wrong with the files an agent writes (memory.md, "Upkeep"): secrets, and text too long to be read. Pure.

A secret is never in a finding, only how it begins and how long it is. The detector that is asked besides our own table
is passed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal, Protocol

from dory_tui import secrets
from dory_tui.memory.budget import cuts
from dory_tui.memory.pruning import entries
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, decode, parse
from dory_tui.workspace.layout import LOGS, MEMORY, PROMOTIONS

ENTRY = 500
"""Characters of a log's entry from which it is too long."""
LOG = 64 * 1024
"""Bytes of a log from which it is too large to be read at boot."""
GROWING = timedelta(days=30)

Kind = Literal["secret", "long-entry", "large-log", "growing", "over-cap", "cut", "restated", "unread"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to see to. `line` counts from 1; `advice` says what to do."""

    kind: Kind
    path: str
    line: int
    sentence: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path} line {self.line}: {self.sentence}; {self.advice}"


class Finds(Protocol):
    """What finds secrets in a text: (line from 1, what it is, value) of each."""

    def find(self, text: str) -> Iterator[tuple[int, str, str]]: ...


def lint_file(path: str, data: bytes, *, cap: int, log: bool, detector: Finds | None = None) -> list[Finding]:
    """The findings of one file, in the order of its lines. `log` says whether it is a log of a day."""
    found = _secrets(path, data, detector)
    if path == MEMORY:
        found += _memory(parse(path, data), cap)
    elif log:
        found += _log(path, data)
    return sorted(found, key=lambda one: one.line)


def _secrets(path: str, data: bytes, detector: Finds | None) -> list[Finding]:
    text = decode(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    found: list[tuple[int, str, str]] = []
    for number, one in secrets.in_text(text):
        found.append((number, one.kind, lines[number - 1][one.start : one.stop]))
    if detector is not None:
        known = [(number, value) for number, _, value in found]
        for number, kind, value in detector.find(text):
            if not any(line == number and (same in value or value in same) for line, same in known):
                found.append((number, kind, value))
    return [
        Finding("secret", path, number, f"{kind} stands here: {secrets.mask(value)}", secrets.ADVICE)
        for number, kind, value in sorted(found, key=lambda one: one[0])
    ]


def _log(path: str, data: bytes) -> list[Finding]:
    found = []
    if len(data) > LOG:
        sentence = f"the log has {len(data):,} bytes, too many to be read at boot"
        advice = f"keep what matters in short lines, or split it below {LOG:,} bytes"
        found.append(Finding("large-log", path, 1, sentence, advice))
    if len(data) <= ENTRY:
        return found
    long = [(one.first, len(one.text)) for one in entries(parse(path, data)) if len(one.text) > ENTRY]
    if long:
        first, size = long[0]
        more = f", the first of {len(long)} such entries" if len(long) > 1 else ""
        sentence = f"this entry has {size:,} characters{more}; a log's lines are read whole"
        found.append(Finding("long-entry", path, first, sentence, f"say it in {ENTRY} or fewer, and point to the rest"))
    return found


def _memory(document: Document, cap: int) -> list[Finding]:
    size = len(document.data)
    found = []
    if size > cap:
        over = size - cap
        advice = f"prune at least {over:,} bytes: `dory memory audit` lists what is stale"
        found.append(Finding("over-cap", MEMORY, 1, f"it has {size:,} bytes, {over:,} over the cap of {cap:,}", advice))
    for cut in cuts(document.data):
        last = cut.line + cut.count - 1
        lines = f"line {cut.line}" if cut.count == 1 else f"lines {cut.line} to {last}"
        sentence = f"{lines} fall below the cut of platforms that read {cut.limit.name}, and reach no agent there"
        found.append(Finding("cut", MEMORY, cut.line, sentence, "prune, or move what matters most to the top"))
    return [*found, *_restated(document)]


def _restated(document: Document) -> list[Finding]:
    """Entries that say the same as one further up, word for word."""
    first: dict[str, int] = {}
    found = []
    for one in entries(document):
        words = " ".join(shapes.strip_marks(one.text).casefold().split()).rstrip(".")
        if words in first:
            sentence = f"it says the same as line {first[words]}"
            found.append(Finding("restated", MEMORY, one.first, sentence, "prune one of the two"))
        elif words:
            first[words] = one.first
    return found


def growing(sizes: Sequence[tuple[datetime, int]], now: datetime) -> Finding | None:
    """A finding when MEMORY.md only ever grew for 30 days or more.

    `sizes` has (when, bytes) after each commit of the last `GROWING` days and one before them, the oldest first.
    """
    before = [one for one in sizes if now - one[0] >= GROWING]
    since = [one for one in sizes if now - one[0] < GROWING]
    run = [*before[-1:], *since]
    amounts = [size for _, size in run]
    if not before or len(since) < 2 or amounts[-1] <= amounts[0]:
        return None
    if any(later < earlier for earlier, later in pairwise(amounts)):
        return None
    grown = amounts[-1] - amounts[0]
    sentence = f"it grew by {grown:,} bytes in {GROWING.days} days and never shrank"
    return Finding("growing", MEMORY, 1, sentence, "prune what is stale: `dory memory audit` lists it")


def is_log(path: str) -> bool:
    """Whether a path is that of a log or of recent work, and not of a candidate."""
    return path.startswith(f"{LOGS}/") and not path.startswith(f"{PROMOTIONS}/")
