"""Taking the last decision of this review back: a new record and a new commit, never a reset.

(workspace.md, "History".) Undo reaches back to the start of the review, and never past something that ran. The lines in
DECISIONS.md stay; one more says what was undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.records import Record
from dory_tui.ledger.store import HOLD_PREFIX, BusyError, Item, LedgerError
from dory_tui.review import putting_back, session
from dory_tui.review.change import Change, DecisionError, Done, StaleError, as_it_stands
from dory_tui.review.labels import label_back, line_back, line_out
from dory_tui.review.putting_back import SpanChangedError
from dory_tui.review.reverting import revert
from dory_tui.review.session import Decided, FileChange
from dory_tui.secrets import masked
from dory_tui.workspace import layout, timestamps
from dory_tui.workspace.document import WorkspaceError, read_bytes
from dory_tui.workspace.edits import one_line
from dory_tui.workspace.promotions import read_promotions

EDITED = "edited"
HELD = "held"
SPOKEN = {
    records.CHANGES: "changes requested", records.NOT_A_HOLD: "marked as not a hold",
    records.PROMOTED: "promoted to MEMORY.md",
}  # fmt: skip
"""How a line in DECISIONS.md says a decision, where that is not its event."""


def undoable(gate: Gate) -> Decided | None:
    """What the next undo is about: the last decision of this review that was not taken back. See `obstacle`."""
    found = session.current(gate)
    decided = () if found is None else found.decided
    return next((one for one in reversed(decided) if not _undone(gate, one)), None)


def obstacle(gate: Gate, one: Decided) -> str | None:
    """Why this decision cannot be taken back, as far as can be told without trying; None when it can."""
    try:
        _check(gate, one)
        if one.kind == "files":
            putting_back.steps(gate, one)
        else:
            _plans(gate, one)
    except (DecisionError, LedgerError, WorkspaceError) as error:
        return str(error)
    return None


def undo(gate: Gate, *, expected: Decided | None = None) -> Done:
    """Take the last decision back. `expected` is the one that was asked about: if it is another by now, nothing is.

    SpanChangedError, with the differing lines, when what it wrote was changed since; DecisionError for all else.
    """
    one = undoable(gate)
    if one is None:
        raise DecisionError(Exit.REFUSED, "nothing was decided in this review, so there is nothing to take back")
    if expected is not None and expected.name != one.name:
        raise StaleError("the last decision")
    return _taken_back(gate, one)


def _taken_back(gate: Gate, one: Decided) -> Done:
    try:
        with gate.ledger.lock(one.key):
            _check(gate, one)
            change = Change(gate, about=one.key, undoes=one.name)
            try:
                return _WAYS[one.kind](change, one)
            finally:
                change.let_go()
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def _undone(gate: Gate, one: Decided) -> bool:
    """Whether it was taken back; the ledger knows even where the note does not."""
    if one.undone or one.record is None:
        return one.undone
    try:
        items = gate.ledger.history(one.key)
    except LedgerError:
        return False
    return any(item.original and _undoes(item) == one.record for item in items)


def _undoes(item: Item) -> object:
    return None if item.record is None else item.record.data.get("undoes")


def _check(gate: Gate, one: Decided) -> None:
    """DecisionError when it may not be taken back, whatever the files say."""
    if one.decision == records.REVOKED:
        sentence = f"the yes to {one.id} was taken back, and undo gives no yes: read it again and approve it anew"
        raise DecisionError(Exit.REFUSED, sentence)
    if one.decision in (records.HAPPENED, records.NOT_HAPPENED):
        sentence = f"what you said of {one.id} stands: it was started, and undo never reaches past that"
        raise DecisionError(Exit.REFUSED, sentence)
    if one.kind == "draft" and (ran := _ran(gate, one)) is not None:
        sentence = f"{one.id} was started since ({timestamps.when(ran, gate.clock())}): undo never reaches past that"
        raise DecisionError(Exit.CLAIMED, sentence)
    if one.record is None or one.decision in (records.APPROVED, records.LIFTED, records.NOT_A_HOLD):
        return  # to tighten is always possible
    review = session.current(gate)
    known = {other.record for other in (review.decided if review else ()) if other.undone}
    later = [i for i in _since(gate, one) if _undoes(i) is None and i.hash not in known and i.event != records.REOPENED]
    if later:
        raise DecisionError(Exit.REFUSED, f"something was decided about {one.id} since: undo does not reach past it")


def _since(gate: Gate, one: Decided) -> Sequence[Item]:
    """The records after that of the decision."""
    items = gate.ledger.history(one.key)
    at = next((n for n, item in enumerate(items) if item.hash == one.record), None)
    if at is None:
        raise DecisionError(Exit.REFUSED, f"the record of what was decided about {one.id} is gone from the ledger")
    return items[at + 1 :]


def _ran(gate: Gate, one: Decided) -> datetime | None:
    """When something that the decision is about was started after it."""
    if one.record is not None:
        later = list(_since(gate, one))
    else:  # an edit may have given the draft another id
        paths = {file.path for file in one.files}
        ids = {one.key, *(draft.id for draft in gate.staging().drafts if draft.path in paths)}
        items = [item for name in ids for item in gate.ledger.history(name)]
        later = [item for item in items if item.record is None or item.record.when >= one.when]
    ran = [item for item in later if item.event == records.CLAIMED or item.event in records.OUTCOMES]
    return next((item.record.when if item.record else gate.clock() for item in ran), None)


# One way for each kind of thing; the item's lock is held.


def _draft(change: Change, one: Decided) -> Done:
    gate = change.gate
    if one.decision == EDITED:
        for file, now, made in _plans(gate, one):
            _swap(change, one, file, now, made)
        words = f"undone: {one.id} has its earlier text again"
    else:
        yes = one.decision == records.APPROVED
        items = gate.ledger.history(one.key)
        mine = next(item for item in items if item.hash == one.record)
        draft = gate.staging().find(one.id)
        data = {**_marks(one), "display_from": draft.status if draft else ""}
        if not yes:
            same = [item for item in items if item.attempt == mine.attempt and item.event != records.REOPENED]
            data["reopens"] = same[-1].hash
        change.record(one.key, mine.attempt, records.REVOKED if yes else records.REOPENED, data)
        words = f"undone: the yes to {one.id} is taken back" if yes else f"undone: {one.id} waits again"
    label_back(change, one)
    change.decision_line(f"{one.id}: {undone_words(one.decision)} — {one.digest[:12]}")
    return _commit(change, one, words)


def _memory(change: Change, one: Decided) -> Done:
    plans = _plans(change.gate, one)
    if one.decision != EDITED:
        change.record(one.key, 1, records.REOPENED, _marks(one))
    for file, now, made in plans:
        _swap(change, one, file, now, made)
    change.decision_line(f"{one.id}: {undone_words(one.decision)} — {one.digest[:12]}")
    words = {
        records.PROMOTED: f"undone: {one.id} is out of MEMORY.md and waits again",
        records.SCORED: f"undone: {one.id} has its earlier scores again",
        EDITED: f"undone: {one.id} has its earlier text again",
    }.get(one.decision, f"undone: {one.id} waits again")
    return _commit(change, one, words)


def _hold(change: Change, one: Decided) -> Done:
    again = one.decision != HELD
    digest = one.key.removeprefix(HOLD_PREFIX)
    items = change.gate.ledger.history(one.key)
    seen = [item.record for item in items if item.record and (item.event == records.SEEN or item.hash == one.record)]
    said = {name: value for record in seen for name, value in record.data.items()}  # what a hold is remembered by
    text = str(said.get("text") or "")
    change.record(one.key, 1, records.SEEN if again else records.LIFTED, {**said, **_marks(one)})
    file = next((file for file in one.files if file.path == layout.HOLD), None)
    if file is not None:
        work = line_back(change.gate, file, digest, text) if again else line_out(change.gate, file, digest)
        change.edit(layout.HOLD, work)
    subject = one_line(masked(one.sentence.partition(": ")[2]))
    change.decision_line(f"hold {one.id}: {subject[:80]} — {undone_words(one.decision)}")
    return _commit(change, one, f"undone: {'held again' if again else 'lifted'}: {subject}")


def _files(change: Change, one: Decided) -> Done:
    pruned = f"{one.id}: {undone_words(one.decision)} — {one.digest[:12]}" if one.decision == "pruned" else None
    putting_back.put_back(change, one, pruned)
    made = _commit(change, one, f"undone: {putting_back.WORDS[one.decision].format(one.id)}")
    putting_back.finished(change.gate)
    return made


_WAYS: dict[str, Callable[[Change, Decided], Done]] = {
    "draft": _draft, "memory": _memory, "hold": _hold, "files": _files,
}  # fmt: skip


def finish_undo(gate: Gate) -> list[str]:
    """Finish an undo of files that was cut short, if one was: a sentence of it. What stands in its way is left."""
    one = putting_back.begun(gate)
    if one is None:
        putting_back.finished(gate)
        return []
    try:
        return [f"finished an undo that was interrupted: {_taken_back(gate, one).sentence.removeprefix('undone: ')}"]
    except DecisionError:
        return []


def undone_words(decision: str) -> str:
    """How DECISIONS.md says that a decision was taken back."""
    return f"undone: {SPOKEN.get(decision, decision)}"


def _marks(one: Decided) -> dict[str, object]:
    """What every record of an undo carries."""
    return {"digest": one.digest, "undoes": one.record, "undone": one.decision}


def _commit(change: Change, one: Decided, sentence: str) -> Done:
    return change.commit(sentence, f"Undo: {one.subject}", "undone", one.id, one.digest)


def _plans(gate: Gate, one: Decided) -> list[tuple[FileChange, bytes | None, bytes]]:
    """Each file as it is and as it would be. DecisionError when that cannot be known, or it was changed since."""
    if one.kind == "hold" or (one.kind == "draft" and one.decision != EDITED):
        return []  # a label and a line are put back by what they are, not by their bytes
    if not one.files and one.kind == "memory" and _as_it_was(gate, one):
        return []  # its file could not be written, so there is nothing to put back
    files = [file for file in one.files if not (one.kind == "draft" and _only_a_label(one, file))]
    if not files or (one.decision == records.PROMOTED and layout.MEMORY not in {file.path for file in files}):
        sentence = f"what {one.id} was before is not kept on this machine: put it back by hand, git has it"
        raise DecisionError(Exit.REFUSED, sentence)
    return [(file, *_planned(gate, one, file)) for file in files]


def _as_it_was(gate: Gate, one: Decided) -> bool:
    """Whether a candidate that was decided about, and not promoted, is still as it was then."""
    same = any(found.id == one.id and found.digest == one.digest for found in read_promotions(gate.root))
    return same and one.decision not in (EDITED, records.PROMOTED)


def _only_a_label(one: Decided, file: FileChange) -> bool:
    """Whether an edit changed a file of the draft's own, and in STAGING.md no more than its status."""
    return file.path == layout.STAGING and any(other.path != layout.STAGING for other in one.files)


def _planned(gate: Gate, one: Decided, file: FileChange) -> tuple[bytes | None, bytes]:
    before, after = session.kept(gate, file.before), session.kept(gate, file.after)
    if after is None or (before is None and file.before is not None):
        sentence = f"the earlier bytes of {file.path} are not kept any more: put them back by hand, git has them"
        raise DecisionError(Exit.REFUSED, sentence)
    now = read_bytes(gate.root / file.path, file.path)
    if now is None and one.kind == "memory" and file.path != layout.MEMORY:
        return None, before or b""  # a candidate that was thrown away waits again
    made = revert(before or b"", after, now or b"")
    if made is None:
        raise SpanChangedError(file.path, after, now or b"")
    return now, made


def _swap(change: Change, one: Decided, file: FileChange, now: bytes | None, made: bytes) -> None:
    """Write what was planned; planned anew when another writer was faster."""

    def work(data: bytes | None) -> bytes:
        return made if data == now else _planned(change.gate, one, file)[1]

    change.edit(file.path, work)


def put_back(change: Change, record: Record) -> str | None:
    """The files of an undo that a crash cut short; what DECISIONS.md says of it. The item's lock is held."""
    undone, name = record.data.get("undone"), str(record.data.get("undoes"))
    change.undoes = name
    found = session.current(change.gate)
    one = next((one for one in (found.decided if found else ()) if one.record == name), None)
    if one is not None and one.kind == "draft":
        label_back(change, one)
    if one is not None and one.kind == "memory":
        for file in one.files:
            _again(change, one, file)
    return undone_words(str(undone)) if undone else None


def _again(change: Change, one: Decided, file: FileChange) -> None:
    """One file of such an undo; where it was put back before the crash, or changed since, it is left as it stands."""
    try:
        now, made = _planned(change.gate, one, file)
        _swap(change, one, file, now, made)
    except DecisionError:
        change.touched.setdefault(file.path, as_it_stands(change.gate, file.path))
