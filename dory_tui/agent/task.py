"""The task in the user's exact words: captured into ACTIVE.md, and moved to the day's log when it is finished."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from dory_tui.agent.write import RefusedError, local, local_or_machine, splice
from dory_tui.gate.exact_words import digest, drift, last_captured, task_words
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import TASK_PREFIX, BusyError, LedgerError
from dory_tui.values import dataclass
from dory_tui.visible import cut, visible_line
from dory_tui.workspace import day_log, layout
from dory_tui.workspace.document import Document, WorkspaceError, decode, encode, parse, read, read_bytes, split_lines
from dory_tui.workspace.document import replace as swap
from dory_tui.workspace.entries import first_open, read_task
from dory_tui.workspace.task_edits import clear_task, log_lines, refused, said, task_bytes, write_task
from dory_tui.workspace.task_reading import Found, find

_TURN = "@task"
"""The lock of everything that changes the task."""
_NOTE = "finishing.json"
"""What is about to be logged, in the state folder: a repeat after a kill logs nothing twice."""


@dataclass(frozen=True, slots=True)
class Captured:
    """The words as they stand now. `fresh` is False when they stood there already."""

    path: str
    digest: str
    fresh: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """Where the task was logged; `path` is None and `fresh` False when there was none."""

    path: str | None
    fresh: bool
    sentence: str


def capture(
    gate: Gate, words: bytes, *, interpretation: str = "", steps: Sequence[str] = (), instead: bool = False
) -> Captured:
    """Write the user's words into ACTIVE.md, byte for byte, and their digest into the ledger.

    The same words again change nothing. Another task that stands there is refused, or with `instead` moved to the
    day's log first. RefusedError when the words cannot be kept, or their digest cannot: the words are there then, where
    no other task was.
    """
    if (reason := refused(words)) is not None:
        raise RefusedError(reason, Exit.USAGE)
    try:
        with _turn(gate):
            return _capture(gate, words, interpretation, steps, instead)
    except BusyError:
        raise
    except LedgerError as error:  # as in a sandbox, from which the ledger is out of reach
        if said(_active(gate)) not in (None, words):
            raise
        splice(gate, layout.ACTIVE, lambda data: _write(data, words, interpretation, steps))
        lost = "their digest could not be kept, so nobody would see a change of them"
        raise RefusedError(f"the words are in {layout.ACTIVE}, but {lost} ({error}): tell the human") from error


def _capture(gate: Gate, words: bytes, interpretation: str, steps: Sequence[str], instead: bool) -> Captured:
    standing = said(_active(gate))
    if standing is not None and standing != words:
        _refuse_another(gate, instead)
        _finish(gate, "replaced by another task")
    kept = last_captured(gate)
    recorded = kept is not None and not kept.finished and kept.digest == digest(words)
    if standing == words and recorded:
        return _captured(words, False, "these words stand there already: nothing was changed")
    _write(read_bytes(gate.root / layout.ACTIVE, layout.ACTIVE), words, interpretation, steps)
    if not recorded:
        _record_capture(gate, words)
    if standing == words:
        return _captured(words, True, "these words stood there already; their digest is in the ledger now")
    splice(gate, layout.ACTIVE, lambda data: _write(data, words, interpretation, steps))
    return _captured(words, True, "the words are written down as they were said, and their digest is kept")


def _captured(words: bytes, fresh: bool, sentence: str) -> Captured:
    return Captured(layout.ACTIVE, digest(words), fresh, f"{layout.ACTIVE}: {sentence}")


def _refuse_another(gate: Gate, instead: bool) -> None:
    found = find(_active(gate))
    if instead or found is None or found.words is None:
        return
    first = cut(visible_line(" ".join(decode(found.words).split())), 40)
    raise RefusedError(
        f"{layout.ACTIVE} line {found.line} has a task that is not finished (“{first}”): "
        "`dory-agent finish-task` first, or capture with --replace to move it to the day's log"
    )


def _write(data: bytes | None, words: bytes, interpretation: str, steps: Sequence[str]) -> bytes:
    standing = None if data is None else said(parse(layout.ACTIVE, data))
    if standing == words:
        return data or b""
    if standing is not None:
        raise RefusedError(f"{layout.ACTIVE} got another task just now: look at it, then capture again")
    try:
        return write_task(data, words, interpretation, steps)
    except ValueError as error:
        raise RefusedError(str(error), Exit.USAGE) from error


def _record_capture(gate: Gate, words: bytes) -> None:
    key = TASK_PREFIX + local_or_machine(gate).date().isoformat()
    gate.ledger.keep_blob(words)  # so that a later change can be shown, and not only seen
    data = {"digest": digest(words), "bytes": len(words)}
    gate.record(key, _next_attempt(gate, key), records.CAPTURED, data)


def _next_attempt(gate: Gate, key: str) -> int:
    return max((item.attempt for item in gate.ledger.history(key)), default=0) + 1


def finish_task(gate: Gate, outcome: str = "") -> Finished:
    """Move the task to today's log, under the heading for tasks, and put `[none]` in its place.

    The log is written first. After a kill in between, a repeat writes only what is missing.
    """
    with _turn(gate):
        return _finish(gate, outcome)


def _finish(gate: Gate, outcome: str) -> Finished:
    document = _active(gate)
    found = find(document)
    if found is None or found.words is None:
        if (other := first_open(read_task(document).entries)) is not None:
            raise RefusedError(
                f"{layout.ACTIVE} line {other.line}: this task has a form of its own: log it and take it out by hand"
            )
        return _taken_out(gate, document)
    task = digest(task_bytes(document))
    note = _read_note(gate)
    if note is None or note.task != task:
        note = _new_note(gate, document, found, task, outcome)
    splice(gate, note.path, note.into)
    splice(gate, layout.ACTIVE, lambda data: _without(data, task))
    _settle(gate)
    return Finished(note.path, True, f"moved the task to {note.path}; {layout.ACTIVE} is idle")


def _taken_out(gate: Gate, document: Document) -> Finished:
    """No task stands there: one whose words somebody took out by hand is finished all the same."""
    lost, kept = drift(gate, document), last_captured(gate)
    if lost is None or lost.kind != "gone" or kept is None:
        return Finished(None, False, f"{layout.ACTIVE} has no task: nothing was changed")
    gate.record(kept.key, kept.attempt, records.DONE, {"digest": kept.digest, "log": None})
    sentence = f"{layout.ACTIVE} has no task: the captured words were taken out by hand, and count as finished now"
    return Finished(None, True, sentence)


def _without(data: bytes | None, task: str) -> bytes:
    if data is None or digest(task_bytes(parse(layout.ACTIVE, data))) != task:
        raise RefusedError(f"{layout.ACTIVE} changed while its task was logged: run `dory-agent finish-task` again")
    return clear_task(data)


@dataclass(frozen=True, slots=True)
class _Note:
    """The entry of a task that is being finished. `before` is how often the log had the same lines without it."""

    task: str
    words: str
    path: str
    entry: tuple[str, ...]
    before: int

    def into(self, data: bytes | None) -> bytes:
        """The log with the entry, once."""
        lines = [encode(line) for line in self.entry]
        if data is not None and _count(data, lines) > self.before:
            return data
        day = day_log.day_of_log(self.path)
        return day_log.add(data, day, "task", lines).data


def _count(data: bytes, entry: list[bytes]) -> int:
    """How often the lines of an entry stand in a log, however they end there."""
    lines = [data[start:end] for start, end, _ in split_lines(data)]
    joined = b"\n".join(entry)
    wanted = [joined[start:end] for start, end, _ in split_lines(joined)]
    return sum(lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1))


def _new_note(gate: Gate, document: Document, found: Found, task: str, outcome: str) -> _Note:
    now = local(gate)
    path = day_log.log_path(now.date())
    entry = day_log.bullet("task", now.strftime("%H:%M"), _headline(found, outcome)) + log_lines(found)
    if (changed := task_words(gate, document)) is not None:
        entry.append(encode(f"  - {day_log.plain(changed)}"))
    data = read_bytes(gate.root / path, path)
    before = 0 if data is None else _count(data, entry)
    made = _Note(task, digest(found.words or b""), path, tuple(decode(line) for line in entry), before)
    kept = {"task": task, "words": made.words, "path": path, "entry": made.entry, "before": before}
    swap(gate.ledger.state, _NOTE, _note_bytes(gate), json.dumps(kept, indent=2).encode("ascii") + b"\n")
    return made


def _headline(found: Found, outcome: str) -> str:
    if outcome.strip():
        return f"finished: {outcome.strip()}"
    boxes = [step for step in found.steps if "[ ]" in step[:8] or "[x]" in step[:8].lower()]
    done = sum("[ ]" not in step[:8] for step in boxes)
    return f"finished, {done} of {len(boxes)} steps done" if boxes else "finished"


def _note_bytes(gate: Gate) -> bytes | None:
    return read_bytes(gate.ledger.state / _NOTE, _NOTE)


def _read_note(gate: Gate) -> _Note | None:
    data = _note_bytes(gate)
    try:
        kept = json.loads(data or b"null")
        return _Note(kept["task"], kept["words"], kept["path"], tuple(kept["entry"]), int(kept["before"]))
    except (ValueError, TypeError, KeyError):
        return None


def _settle(gate: Gate) -> None:
    """Say in the ledger that the noted task is finished, once ACTIVE.md no longer has it, and drop the note."""
    note = _read_note(gate)
    if note is None:
        return
    document = _active(gate)
    words = said(document)
    if digest(task_bytes(document)) == note.task:
        return
    log = read_bytes(gate.root / note.path, note.path) or b""
    moved = _count(log, [encode(line) for line in note.entry]) > note.before
    kept = last_captured(gate)
    if moved and (words is None or digest(words) != note.words) and kept is not None and not kept.finished:
        gate.record(kept.key, kept.attempt, records.DONE, {"digest": note.words, "log": note.path})
    with suppress(OSError):
        (gate.ledger.state / _NOTE).unlink(missing_ok=True)


@contextmanager
def _turn(gate: Gate) -> Iterator[None]:
    """One change of the task at a time; what a kill left undone of the last one is done first."""
    gate.settle()
    with gate.ledger.lock(_TURN):
        _settle(gate)
        yield


def _active(gate: Gate) -> Document:
    document = read(gate.root, layout.ACTIVE) or parse(layout.ACTIVE, b"")
    if (line := document.conflicted) is not None:
        raise WorkspaceError(f"{layout.ACTIVE} line {line}: merge conflict markers; resolve them first")
    return document
