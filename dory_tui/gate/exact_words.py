"""Whether the words quoted in ACTIVE.md are those that were captured (workspace.md, "Exact words")."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from dory_tui import config
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import TASK_PREFIX
from dory_tui.values import dataclass
from dory_tui.workspace import timestamps
from dory_tui.workspace.document import Document, decode
from dory_tui.workspace.entries import first_open, read_task
from dory_tui.workspace.task_reading import find, said

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Literal

    DriftKind = Literal["changed", "gone", "unreadable"]


@dataclass(frozen=True, slots=True)
class Captured:
    """The last words captured: where their record stands, their SHA-256 in hex, when, and whether they are finished.

    `digest` and `when` are None when the record cannot be read.
    """

    key: str
    attempt: int
    digest: str | None
    when: datetime | None
    finished: bool


@dataclass(frozen=True, slots=True)
class Drift:
    """Captured words that stand in ACTIVE.md no more.

    `changed`: others are quoted as the user's, or another task stands there. `gone`: no task stands there at all, and
    none was finished. `unreadable`: the record cannot be read. `line` is of ACTIVE.md, the first that differs, 0 where
    nothing stands. `captured` is None where the ledger has only a digest of the words.
    """

    kind: DriftKind
    line: int
    sentence: str
    captured: bytes | None = None
    now: bytes | None = None

    @property
    def changes(self) -> tuple[str, ...]:
        """The lines of the captured words that are gone, as `- …`, and those in their place, as `+ …`, in order."""
        if self.captured is None:
            return ()
        from dory_tui.diff import diff

        marks = {"removed": "- ", "added": "+ "}
        rows = (row for hunk in diff(decode(self.captured), decode(self.now or b""), 0).hunks for row in hunk.rows)
        return tuple(marks[row.kind] + row.text for row in rows if row.kind in marks)


def last_captured(gate: Gate) -> Captured | None:
    """The newest capture of the authoritative ledger; None when there never was one. LedgerError as below."""
    for key in reversed(gate.ledger.keys(TASK_PREFIX)):
        items = [item for item in gate.ledger.history(key) if item.original]
        captures = [item for item in items if item.event == records.CAPTURED]
        if not captures:
            continue
        item = captures[-1]
        finished = any(one.event == records.DONE and one.attempt >= item.attempt for one in items)
        kept = item.record
        digest = None if kept is None else str(kept.data.get("digest"))
        return Captured(key, item.attempt, digest, None if kept is None else kept.when, finished)
    return None


def drift(gate: Gate, document: Document) -> Drift | None:
    """How ACTIVE.md differs from the words that were captured and not finished; None when it does not.

    LedgerError when the ledger cannot be read.
    """
    captured = last_captured(gate)
    if captured is None or captured.finished:
        return None
    words = said(document)
    if captured.digest is None or captured.when is None:
        if words is None:
            return None
        where = f"the record of the captured words ({captured.key})"
        sentence = f"{where} cannot be read, so nobody can say if these are they"
        return Drift("unreadable", _line(document), sentence, now=words)
    if words is not None and captured.digest == digest(words):
        return None
    kept, on = gate.ledger.blob(captured.digest), local_time(gate, captured.when)
    if words is not None:
        sentence = f"the quoted words are not those captured on {on}: somebody changed them since"
        return Drift("changed", _first_other(document, kept, words), sentence, kept, words)
    reading = read_task(document)
    other = first_open(reading.entries)
    if other is not None or not reading.recognised:
        sentence = f"the words captured on {on} are quoted here no more: something else stands in their place"
        return Drift("changed", other.line if other is not None else reading.text[0].line, sentence, kept)
    sentence = f"the words captured on {on} were taken out, and `finish-task` was not called"
    return Drift("gone", 0, sentence, kept)


def task_words(gate: Gate, document: Document) -> str | None:
    """The sentence for a task in ACTIVE.md that is not in the words captured; None when it is, or none is open.

    LedgerError when the ledger cannot be read.
    """
    found = drift(gate, document)
    return None if found is None or found.kind == "gone" else found.sentence


def digest(words: bytes) -> str:
    """The SHA-256 of the exact bytes, in hex."""
    return hashlib.sha256(words).hexdigest()


def local_time(gate: Gate, moment: datetime) -> str:
    """`30 Nov 09:12`, in the workspace's zone."""
    try:
        name = config.load(gate.root).time_zone
    except config.ConfigError:
        name = None
    local = moment.astimezone(timestamps.zone(name))
    return f"{timestamps.short_day(local.date()).strip()} {local.strftime('%H:%M')}"


def _line(document: Document) -> int:
    found = find(document)
    return found.line if found is not None else 0


def _first_other(document: Document, captured: bytes | None, words: bytes) -> int:
    """The line of ACTIVE.md with the first quoted line that was not captured, else the one of the label."""
    label = _line(document)
    if captured is None:
        return label
    before = re.split("\r\n|\r|\n", decode(captured))
    for number, line in enumerate(re.split("\r\n|\r|\n", decode(words))):
        if number >= len(before) or before[number] != line:
            return next((one.number for one in document.lines[label - 1 :] if line and line in one.text), label)
    return label
