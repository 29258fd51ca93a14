"""Taking back a decision that is no more than its files: a pruning, a proposal, a promise kept, a log restored, an
archiving.

There is no record that says what stands, so a note of what is being put back is kept until the commit is made: cut
short anywhere, doing it again finishes it. All of it is looked at before anything is written; what was changed since is
refused with the lines that differ.
"""

from __future__ import annotations

import hashlib
import posixpath
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from dory_tui.diff import diff
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review import session
from dory_tui.review.change import Change, DecisionError, as_it_stands, local
from dory_tui.review.reverting import revert
from dory_tui.review.session import Decided, FileChange, read_note, write_note
from dory_tui.visible import visible_line
from dory_tui.workspace import layout, timestamps
from dory_tui.workspace.document import decode, encode, read_bytes
from dory_tui.workspace.edits import add_line

NOTE = "undoing.json"
WORDS = {
    "pruned": "what was pruned stands in {} again",
    "proposed": "{} is as it was before it was proposed",
    "kept": "the promise at {} is open again",
    "restored": "what was put back into {} is out of it again",
    "archived": "what went to {} is back in its place",
}
"""What became of a decision that is no more than its files."""


class SpanChangedError(DecisionError):
    """What a decision wrote was changed since, so it is not taken back. `lines` are the changes, `-` and `+` before."""

    def __init__(self, path: str, wrote: bytes, now: bytes) -> None:
        super().__init__(
            Exit.REFUSED, f"what was written in {path} was changed since, so it is not taken back: change it by hand"
        )
        self.path = path
        shown = [row for hunk in diff(decode(wrote), decode(now), 0).hunks for row in hunk.rows]
        self.lines = tuple(f"{'-' if row.kind == 'removed' else '+'} {visible_line(row.text)}" for row in shown)


@dataclass(frozen=True, slots=True)
class Step:
    """One file as it is and as it would be; None where there is no file. `done` when it was put back before."""

    file: FileChange
    now: bytes | None
    made: bytes | None

    @property
    def done(self) -> bool:
        return self.now == self.made

    @property
    def order(self) -> int:
        """What comes back first, then what changes, then what goes: never is something nowhere."""
        return 0 if self.file.after is None else 2 if self.made is None else 1


def steps(gate: Gate, one: Decided) -> list[Step]:
    """Each file of a decision, in the order in which they are put back.

    DecisionError when what it was is not kept, SpanChangedError when it was changed since.
    """
    note = _noted(gate, one)
    found = [_step(gate, file, note.get(file.path, "")) for file in one.files]
    if not found:
        sentence = "what was there before is not kept on this machine: put it back by hand, git has it"
        raise DecisionError(Exit.REFUSED, sentence)
    return sorted(found, key=lambda step: step.order)


def _step(gate: Gate, file: FileChange, noted: str | None) -> Step:
    before, after = session.kept(gate, file.before), session.kept(gate, file.after)
    if (before is None) is not (file.before is None) or (after is None) is not (file.after is None):
        sentence = f"the earlier bytes of {file.path} are not kept any more: put them back by hand, git has them"
        raise DecisionError(Exit.REFUSED, sentence)
    now = read_bytes(gate.root / file.path, file.path)
    if now == before or noted == _digest(now):
        return Step(file, now, now)
    if before is None or after is None:
        if now != after:
            raise SpanChangedError(file.path, after or b"", now or b"")
        return Step(file, now, before)
    made = None if now is None else revert(before, after, now)
    if made is None:
        raise SpanChangedError(file.path, after, now or b"")
    return Step(file, now, made)


def put_back(change: Change, one: Decided, line: str | None) -> None:
    """Put every file of a decision back; `line` is what DECISIONS.md says of it, where it says anything."""
    gate = change.gate
    todo = steps(gate, one)
    line = _begin(gate, one, todo, line)
    for step in todo:
        if step.done:
            change.touched.setdefault(step.file.path, as_it_stands(gate, step.file.path))
        elif step.made is None:
            assert step.now is not None
            change.take_away(step.file.path, step.now)
        else:
            _write(change, one, step, step.made)
    if change.problems:
        raise DecisionError(Exit.REFUSED, f"{change.problems[0]}: undo it again")
    if line is not None:
        change.edit(layout.DECISIONS, lambda data: _with_line(data, line))
        change.touched.setdefault(layout.DECISIONS, as_it_stands(gate, layout.DECISIONS))


def finished(gate: Gate) -> None:
    """The commit is made, so a repeat is another undo."""
    with suppress(OSError):
        (gate.ledger.state / NOTE).unlink(missing_ok=True)


def begun(gate: Gate) -> Decided | None:
    """The decision whose undo was cut short; None when none was, or the review that made it is over."""
    found = read_note(gate.ledger.state / NOTE)
    review = session.current(gate)
    if not isinstance(found, dict) or review is None:
        return None
    return next((one for one in review.decided if one.name == found.get("name") and not one.undone), None)


def _write(change: Change, one: Decided, step: Step, made: bytes) -> None:
    """Write what was planned; planned anew when another writer was faster."""
    gate, path = change.gate, step.file.path

    def work(data: bytes | None) -> bytes:
        if data == step.now:
            return made
        again = next(other for other in steps(gate, one) if other.file.path == path)
        if again.now != data or again.made is None:
            raise ValueError(f"{path} keeps changing")
        return again.made

    change.edit(path, work)
    if step.file.after is None:
        _age_of_its_copy(gate, one, path)


def _age_of_its_copy(gate: Gate, one: Decided, path: str) -> None:
    """A log that comes back out of the archive is as old as its copy there: a log's day is told by that, too."""
    folder, name = posixpath.split(path)
    stem = name.removesuffix(".md")
    made = [file.path for file in one.files if file.before is None and posixpath.dirname(file.path) != folder]
    same = [copy for copy in made if posixpath.basename(copy) == name]
    for copy in same or [copy for copy in made if posixpath.basename(copy).startswith(f"{stem}-")]:
        with suppress(OSError):
            shutil.copystat(gate.root / copy, gate.root / path)
            return


def _begin(gate: Gate, one: Decided, todo: Sequence[Step], line: str | None) -> str | None:
    """Note what is about to be put back; the line for DECISIONS.md, with the time at which this began."""
    found = read_note(gate.ledger.state / NOTE)
    if isinstance(found, dict) and found.get("name") == one.name:
        said = found.get("line")
        line = None if said is None else str(said)
    elif line is not None:
        line = f"[{timestamps.stamp(local(gate))} | dory] {line}"
    made = {step.file.path: _digest(step.made) for step in todo}
    write_note(gate.ledger.state / NOTE, {"name": one.name, "line": line, "made": made})
    return line


def _noted(gate: Gate, one: Decided) -> dict[str, str | None]:
    """Path → SHA-256 of what an undo that was cut short was to write there, None for no file."""
    found = read_note(gate.ledger.state / NOTE)
    made = found.get("made") if isinstance(found, dict) and found.get("name") == one.name else None
    return dict(made) if isinstance(made, dict) else {}


def _with_line(data: bytes | None, line: str) -> bytes:
    return data if data is not None and encode(line) in data else add_line(layout.DECISIONS, data, line)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
