"""`dory verify`: read ledger, its mirror and the journal, mend what a crash kept out of the journal, tell the rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import journal, records
from dory_tui.ledger.journal import Entry, Fault, Line
from dory_tui.ledger.store import LedgerError
from dory_tui.review.compare import (
    Compared,
    Finding,
    Place,
    compare,
    order,
    sha256,
    tell_lost_bytes,
    tell_unreported,
)
from dory_tui.workspace.document import WorkspaceError, read_bytes


class VerifyError(LedgerError):
    """A ledger cannot be looked at, so nothing can be said of it."""

    code = Exit.REFUSED


_CRASH = "a crash or a full disk came between"
_PATIENCE = 5.0
"""Seconds to wait for an item's lock: who holds it may be just about to write the missing line."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, the worst first, and how much was looked at."""

    findings: tuple[Finding, ...]
    records: int
    lines: int

    @property
    def whole(self) -> bool:
        return not any(one.wrong for one in self.findings)


def verify(gate: Gate) -> Report:
    """Compare the three, and enter in the journal what is missing there. VerifyError when a folder cannot be listed."""
    strays: list[str] = []
    ledger = gate.ledger
    journals, faults = _journals(ledger.state)
    lines = sum(len(found) for found in journals)
    mirror = read_tree(ledger.mirror, strays)
    original = read_tree(ledger.original, strays)
    seen = compare(ledger.workspace, gate.machine, original, mirror, journals, ledger.former)
    for name, fault in faults:
        seen.tell("journal", name, fault.sentence, wrong=not fault.torn)
    if not any(fault.at == 0 for _, fault in faults):  # what cannot be read may have them all
        _enter(gate, seen)
    tell_unreported(seen, ledger.running)
    tell_lost_bytes(seen, lambda name: ledger.blob(name) is not None)
    for stray in strays:
        seen.tell("stray", stray, "it is no record, and nothing reads it: move it away", wrong=False)
    findings = sorted(seen.findings, key=lambda one: not one.wrong)
    return Report(tuple(findings), len({*original, *mirror}), lines)


def _journals(state: Path) -> tuple[list[list[Line]], list[tuple[str, Fault]]]:
    """Each journal's lines, and what is wrong with them; a fault at line 0 is of a file that cannot be read."""
    journals: list[list[Line]] = []
    faults: list[tuple[str, Fault]] = []
    for file in journal.files(state):
        name = f"journal/{file.name}"
        try:
            lines, bad = journal.read(read_bytes(file, name) or b"")
        except WorkspaceError as error:
            faults.append((name, Fault(0, f"the records cannot be compared with it: {error}")))
            continue
        journals.append(lines)
        faults += [(name, fault) for fault in bad]
    return journals, faults


def _enter(gate: Gate, seen: Compared) -> None:
    """Enter what no journal has, and tell of it. Under each item's lock: who is just writing it enters it himself."""
    if seen.unentered and not any(seen.journals):
        count = len(seen.unentered)
        words = f"it is missing, so nothing vouches for the {count} records of the ledger; it begins anew with them"
        seen.tell("journal", f"journal/{journal.file_of(gate.ledger.state, gate.machine).name}", words)
        _add(gate, seen, seen.unentered)
        return
    in_order = sorted(seen.original, key=order)
    following = {one: other for one, other in pairwise(in_order) if one[0] == other[0]}
    for place in seen.unentered:
        data = seen.original[place]
        assert isinstance(data, bytes)
        try:
            with gate.ledger.lock(place[0], _PATIENCE):
                if journal.has(gate.ledger.state, sha256(data)):
                    continue
                entered = _add(gate, seen, [place])
        except LedgerError as error:
            entered = f"not added ({error})"
        event = (records.parse_name(place[1]) or (0, 0, ""))[2]
        after = seen.entries.get(following.get(place, place))
        if after is not None and not after.late:  # whoever wrote that one looked whether this one was there
            words = "the one after it is: a hand put it there"
        elif event in records.YESES:
            words = "that is a yes which a hand put there, or a crash cut short: if you did not give it, revoke it"
        else:
            words = _CRASH
        crash = words == _CRASH
        seen.tell("late" if crash else "added", place, f"it is not in the journal: {words}; {entered}", wrong=not crash)


def _add(gate: Gate, seen: Compared, places: Sequence[Place]) -> str:
    entries = []
    for place in sorted(places, key=lambda one: seen.parsed[one].when):
        data = seen.original[place]
        assert isinstance(data, bytes)
        entries.append(Entry(*place, sha256(data), seen.parsed[place].when, late=True))
    try:
        descriptor = journal.open_for(gate.ledger.state, gate.machine)
        try:
            journal.add(descriptor, gate.ledger.state, entries)
        finally:
            os.close(descriptor)
    except (OSError, LedgerError) as error:
        return f"not added ({error})"
    return "added now"


def read_tree(base: Path, strays: list[str]) -> dict[Place, bytes | str]:
    """Every record file of a ledger folder. VerifyError when a folder cannot be listed."""
    found: dict[Place, bytes | str] = {}
    for key, folder in _items(base):
        for name in _names(folder):
            if records.parse_name(name) is not None:
                found[key, name] = _content(folder / name)
            elif not name.startswith("."):
                strays.append(f"{folder / name}")
    return found


def _items(base: Path) -> list[tuple[str, Path]]:
    found = []
    for name in _names(base):
        if name.startswith("@"):
            found += [(f"{name}/{sub}", base / name / sub) for sub in _names(base / name)]
        elif not name.startswith("."):
            found.append((name, base / name))
    return found


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise VerifyError(f"{folder} cannot be listed ({error.strerror}): nothing was compared") from error


def _content(file: Path) -> bytes | str:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as handle:
            return handle.read()
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
