"""`dory archive`: old logs, decisions and recent work go to memory/archive/, and no link into a log breaks.

Copies are written first, then the links to them, then the old files go, then all of it is one commit: whenever it is
cut short, doing it again finishes it. What may not change to the byte (holds, the task's exact words, drafts that
wait) is never rewritten; a log that one of those points to stays where it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Touched
from dory_tui.ledger.store import BusyError, LedgerError
from dory_tui.memory import archive as rules
from dory_tui.memory.links import Moved, mentioned
from dory_tui.review.archived import Cut, begin, by_file, noted, settled, whole, with_blocks, would
from dory_tui.review.change import Change, DecisionError, Done, as_it_stands, flush_postponed, local, of_files
from dory_tui.review.relinking import markdown, moved_bytes, turns, went
from dory_tui.review.session import FILES_PREFIX
from dory_tui.review.undo import finish_undo
from dory_tui.workspace import layout, logs
from dory_tui.workspace.document import ChangedError, WorkspaceError, read_bytes, remove, replace
from dory_tui.workspace.promises import in_log

ARCHIVED = "archived"
_ABOUT = layout.ARCHIVE
_OVER = ("done", "happened", "rejected", "past")
_EXACT = (layout.HOLD, layout.ACTIVE, layout.STAGING)
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """What archiving would do. Paths are relative to the workspace."""

    moves: Mapping[str, str]
    """Log → where it goes, the oldest first."""
    stays: Mapping[str, str]
    """Old log that stays → why."""
    decisions: int
    """How many entries of DECISIONS.md go."""
    recent: int
    """How many entries or sections of recent-work.md go."""
    unfinished: bool
    """Whether an earlier archiving was cut short."""

    @property
    def due(self) -> bool:
        return bool(self.moves or self.decisions or self.recent or self.unfinished)

    @property
    def sentence(self) -> str:
        """`3 logs, 1 decision, 2 pieces of recent work`; "" when there is nothing."""
        counts = ((len(self.moves), "log", "logs"), (self.decisions, "decision", "decisions"))
        recent = (self.recent, "piece of recent work", "pieces of recent work")
        return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in (*counts, recent) if n)


def plan(gate: Gate) -> Plan:
    """What is due. WorkspaceError when a file that must be read cannot be."""
    now = local(gate)
    moves, stays = _moves(gate, now.date())
    data = read_bytes(gate.root / layout.DECISIONS, layout.DECISIONS)
    decisions = 0 if data is None else len(rules.part_decisions(data, now.date()).old)
    recent = read_bytes(gate.root / logs.RECENT, logs.RECENT)
    pieces = 0 if recent is None else len(rules.part_recent(recent, now).old)
    return Plan(moves, stays, decisions, pieces, bool(noted(gate)))


def _moves(gate: Gate, today: date) -> tuple[dict[str, str], dict[str, str]]:
    old = [log for log in reversed(logs.list_logs(gate.root)) if rules.is_old(log, today)]
    pinned = _pinned(gate, {log.path for log in old}) if old else {}
    moves: dict[str, str] = {}
    stays: dict[str, str] = {}
    for log in old:
        if (gate.root / log.path).is_symlink():
            stays[log.path] = "it is a link to another file"
            continue
        data = read_bytes(gate.root / log.path, log.path)
        if data is None:
            continue
        if b"[ ]" in data and any(not one.kept for one in in_log(log.path, log.day, data)):
            stays[log.path] = "a promise in it is open"
        elif log.path in pinned:
            stays[log.path] = f"{pinned[log.path]} points to it, and its words may not change"
        else:
            moves[log.path] = _destination(gate, log.path, data, set(moves.values()))
    return moves, stays


def _destination(gate: Gate, path: str, data: bytes, given: set[str]) -> str:
    """A free name; a copy that an archiving made before it was cut short is its own."""
    own = set(noted(gate))

    def taken(name: str) -> bool:
        there = read_bytes(gate.root / name, name)
        return name in given or (there is not None and there != data and name not in own)

    return rules.place(path, taken)


def _pinned(gate: Gate, paths: set[str]) -> dict[str, str]:
    """Old logs that something points to which may not change to the byte, and what."""
    found: dict[str, str] = {}
    sources = list(_EXACT)
    try:
        holds = gate.holds()
        for draft in gate.staging().drafts:
            if draft.path is not None and gate.standing(draft, holds).state not in _OVER:
                sources.append(draft.path)
    except (WorkspaceError, LedgerError):
        sources += [path for path in markdown(gate.root) if path.startswith(f"{layout.DRAFTS}/")]
    for source in dict.fromkeys(sources):
        with suppress(WorkspaceError):
            for path in mentioned(read_bytes(layout.inside(gate.root, source), source) or b"", source) & paths:
                found.setdefault(path, source)
    return found


def archive(gate: Gate) -> Done:
    """Do all that is due, in one commit. DecisionError when nothing is, or when another archiving goes on."""
    try:
        if undone := finish_undo(gate):
            raise DecisionError(Exit.REFUSED, f"{undone[0]}: archive again, if that is meant")
        with gate.ledger.lock(FILES_PREFIX + _ABOUT):
            change = of_files(gate, _ABOUT)
            flush_postponed(gate)
            todo = plan(gate)
            if not todo.due:
                raise DecisionError(Exit.REFUSED, "nothing is old enough for the archive")
            try:
                return _carry_out(change, todo)
            finally:
                change.let_go()
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def _carry_out(change: Change, todo: Plan) -> Done:
    gate = change.gate
    now = local(gate)
    moved = went(gate.root, todo.moves)
    links = turns(gate.root, moved, {*todo.moves, *_EXACT})
    cuts: dict[str, Cut] = {
        layout.DECISIONS: partial(rules.part_decisions, today=now.date()),
        logs.RECENT: _recent(now),
    }
    files = would(gate, todo.moves, moved, links, cuts)
    earlier = noted(gate)
    begin(gate, files, earlier)
    for old, new in todo.moves.items():
        _copy(change, old, new, moved)
    for path, work in links.items():
        change.edit(path, work)
    for path, cut in cuts.items():
        _part(change, path, cut)
    for old, new in todo.moves.items():
        _remove(change, old, new, moved)
    for path in earlier.keys() - change.touched.keys():
        with suppress(WorkspaceError):
            change.touched[path] = as_it_stands(gate, path)
    change.whole = whole(change, files, earlier, set(todo.moves.values()))
    sentence = f"archived: {todo.sentence}" if todo.sentence else "the archiving that was cut short is finished"
    subject = f"Archive {todo.sentence}" if todo.sentence else "Archive old logs"
    done = change.commit(sentence, subject, ARCHIVED, layout.ARCHIVE, "")
    settled(gate)
    return done


# Files


def _recent(now: datetime) -> Cut:
    return lambda data: rules.part_recent(data, now)


def _copy(change: Change, old: str, new: str, moved: Moved) -> None:
    """A log's copy in the archive, with its own links turned, and its time and mode kept."""
    gate = change.gate
    data = read_bytes(gate.root / old, old)
    if data is None:
        return
    made, there = moved_bytes(gate.root, data, old, new, moved), read_bytes(gate.root / new, new)
    if there != made:
        replace(gate.root, new, there, made)
    with suppress(OSError):
        shutil.copystat(gate.root / old, gate.root / new)
    change.touched[new] = Touched(new, None, made, own=True)


def _remove(change: Change, old: str, new: str, moved: Moved) -> None:
    """The old file goes, when its copy holds all that it holds; what was written since is copied first."""
    gate = change.gate
    for _ in range(_TRIES):
        data = read_bytes(gate.root / old, old)
        if data is None:
            return
        made = moved_bytes(gate.root, data, old, new, moved)
        if change.touched[new].after != made:
            _copy(change, old, new, moved)
            continue
        try:
            remove(gate.root, old, data)
        except ChangedError:
            continue
        change.touched[old] = Touched(old, data, None)
        return
    change.problems.append(f"{old} kept changing, so it stays beside its copy {new}: archive again")


def _part(change: Change, path: str, cut: Cut) -> None:
    """Old entries of a file to the archive: added there first, then taken out here."""
    data = read_bytes(change.gate.root / path, path)
    if data is None:
        return
    blocks = by_file(cut(data))
    for to, texts in blocks.items():
        change.edit(to, with_blocks(to, texts))
    if blocks and not change.problems:
        change.edit(path, _taken(cut, {text for texts in blocks.values() for text in texts}, path))


def _taken(cut: Cut, copied: set[bytes], path: str) -> Callable[[bytes | None], bytes]:
    def work(data: bytes | None) -> bytes:
        parted = cut(data or b"")
        if any(one.data not in copied for one in parted.old):
            raise ValueError(f"{path} changed meanwhile: archive again")
        return parted.rest

    return work
