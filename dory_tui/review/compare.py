"""Ledger, mirror and journal compared with each other, record by record. Pure: bytes in, findings out.

It finds a hand that touched one of the three. Who changes all of them alike leaves no trace here; git may have one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dory_tui.ledger import records
from dory_tui.ledger.journal import Entry, Line
from dory_tui.ledger.records import Record, RecordError

Place = tuple[str, str]
"""A record's item and file name."""
Copies = Mapping[Place, bytes | str]
"""One ledger: the bytes of each record, or why they cannot be read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `verify` tells. `wrong`: it must not be so; else it is worth knowing and nothing more.

    `kind`: edited deleted added torn reordered chain copy-missing copy-differs elsewhere late journal unreported
    bytes-gone stray.
    """

    kind: str
    file: str
    sentence: str
    wrong: bool = True

    def __str__(self) -> str:
        return f"{self.file}: {self.sentence}"


@dataclass
class Compared:
    """The three, record by record. `machine` is this one's name; `unentered` gathers what no journal has."""

    workspace: str
    machine: str
    original: Copies
    mirror: Copies
    journals: Sequence[Sequence[Line]]
    findings: list[Finding] = field(default_factory=list)
    unentered: list[Place] = field(default_factory=list)
    entries: dict[Place, Entry] = field(default_factory=dict)
    before: dict[Place, Place | None] = field(default_factory=dict)
    """The last record that its item had when each was written, as far as a journal tells."""
    parsed: dict[Place, Record] = field(default_factory=dict)
    former: tuple[str, ...] = ()
    touched: set[str] = field(default_factory=set)
    """Items of which a record is edited, torn or gone: their chains need not be told of as well."""

    def tell(self, kind: str, place: Place | str, sentence: str, *, wrong: bool = True) -> None:
        file = place if isinstance(place, str) else "/".join(place)
        self.findings.append(Finding(kind, file, sentence, wrong))


def order(place: Place) -> tuple[str, int, int, str]:
    """Where a record stands in the history of all."""
    return (place[0], *(records.parse_name(place[1]) or (0, 0, "")))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def compare(
    workspace: str,
    machine: str,
    original: Copies,
    mirror: Copies,
    journals: Sequence[Sequence[Line]],
    former: Sequence[str] = (),
) -> Compared:
    """Every record of either ledger, and every line of the journals, against the others. Never raises.

    `former` are ids that the workspace had before it was said to be a copy: its mirror holds records of theirs.
    """
    seen = Compared(workspace, machine, original, mirror, journals, former=tuple(former))
    for lines in journals:
        _entries(seen, lines)
    for place in sorted({*original, *mirror, *seen.entries}, key=order):
        ours, theirs = original.get(place), mirror.get(place)
        if ours is None:
            _not_in_the_ledger(seen, place, theirs)
        else:
            _in_the_ledger(seen, place, ours, theirs)
    _chains(seen)
    return seen


def _entries(seen: Compared, lines: Sequence[Line]) -> None:
    """What one journal says of each record, and whether it says it in order."""
    last: dict[str, Place] = {}
    newest: dict[tuple[str, int], Place] = {}
    for line in lines:
        entry = line.entry
        place = (entry.key, entry.name)
        known = seen.entries.get(place)
        if known is not None and known.sha256 != entry.sha256:
            seen.tell("journal", place, "the journal names it twice with different bytes, so one line is forged")
        if known is None or known.late:
            seen.entries[place] = entry
        if not entry.late:
            attempt = (entry.key, order(place)[1])
            if order(place) < order(newest.get(attempt, place)):
                other = newest[attempt][1]
                seen.tell("reordered", place, f"the journal has it after {other}, so it was renamed or renumbered")
            newest[attempt] = place
            seen.before[place] = last.get(entry.key)
        last[entry.key] = max(place, last.get(entry.key, place), key=order)


def _in_the_ledger(seen: Compared, place: Place, ours: bytes | str, theirs: bytes | str | None) -> None:
    problem = _read(seen, place, ours)
    entry = seen.entries.get(place)
    if problem is not None:
        seen.touched.add(place[0])
        seen.tell("torn", place, f"{problem}; it blocks its item{_back(theirs, entry)}")
        return
    if entry is None:
        seen.unentered.append(place)
    elif isinstance(ours, bytes) and entry.sha256 != sha256(ours):
        seen.touched.add(place[0])
        seen.tell("edited", place, f"it was edited after it was written{_back(theirs, entry)}")
    elif entry.late:
        sentence = "it was entered in the journal later, since a crash came between or a hand put it there: read it"
        seen.tell("late", place, sentence, wrong=False)
    if theirs is None:
        sentence = "the copy in the workspace is missing (git or a hand took it away); it counts all the same"
        seen.tell("copy-missing", place, f"{sentence}: put it back from the state folder")
    elif theirs != ours and place[0] not in seen.touched:
        sentence = "the copy in the workspace is not what was written, and blocks its item"
        seen.tell("copy-differs", place, f"{sentence}: put it back from the state folder")


def _back(theirs: bytes | str | None, entry: Entry | None) -> str:
    """What to do about a record that is not what was written."""
    if isinstance(theirs, bytes) and entry is not None and sha256(theirs) == entry.sha256:
        return ": the copy in the workspace is as it was written, put it back from there"
    return ": look who could write in the state folder, and restore it from a backup"


def _read(seen: Compared, place: Place, data: bytes | str) -> str | None:
    """Parse it; why it cannot be used."""
    if isinstance(data, str):
        return data
    try:
        former = seen.former if place not in seen.original else ()
        seen.parsed[place] = records.parse(data, place[1], seen.workspace, place[0], former)
    except RecordError as error:
        return f"it cannot be used, since {error}"
    return None


def _not_in_the_ledger(seen: Compared, place: Place, theirs: bytes | str | None) -> None:
    if place in seen.entries:
        seen.touched.add(place[0])
        if theirs is None:
            seen.tell("deleted", place, "it was deleted from the ledger and from the workspace: look in git for it")
            return
        event = (records.parse_name(place[1]) or (0, 0, ""))[2]
        counts = "and its yes counts no more: decide again" if event in records.YESES else "and it counts all the same"
        seen.tell("deleted", place, f"it was deleted from the ledger; the workspace still has a copy, {counts}")
        return
    problem = _read(seen, place, theirs or b"")
    if problem is not None:
        seen.tell("torn", place, f"{problem}; it stands in the workspace alone and blocks its item: take it out")
        return
    record = seen.parsed[place]
    if record.workspace in seen.former:
        counts = "its yes counts for nothing here" if record.event in records.YESES else "it counts here too"
        seen.tell("elsewhere", place, f"it is from the workspace that this is a copy of; {counts}", wrong=False)
        return
    counts = "its yes counts for nothing" if record.event in records.YESES else "it counts"
    host = record.who.partition(" ")[0].rpartition("@")[2]
    if host and host != seen.machine:
        seen.tell("elsewhere", place, f"it came by git and says it is from {host}; {counts} here", wrong=False)
        return
    sentence = "only the workspace has it, and this machine never wrote it: a hand put it there, or the state folder"
    seen.tell("added", place, f"{sentence} is another than it was; {counts}")


def _chains(seen: Compared) -> None:
    """Whether each record of the ledger names the one before it."""
    hashes = {place: "sha256:" + sha256(data) for place, data in seen.original.items() if isinstance(data, bytes)}
    by_git = {"sha256:" + sha256(d) for p, d in seen.mirror.items() if p not in seen.original and isinstance(d, bytes)}
    before: Place | None = None
    for place in sorted(seen.original, key=order):
        last = before if before is not None and before[0] == place[0] else None
        before = place
        record = seen.parsed.get(place)
        if record is None or place[0] in seen.touched:
            continue
        expected = {None if one is None else hashes.get(one) for one in (last, seen.before.get(place, last))}
        if record.prev in expected or record.prev in by_git:
            continue
        if record.prev is None:
            sentence = f"it says that it is the first, but {last[1] if last else ''} stands before it: one was added"
        elif record.prev in hashes.values():
            sentence = "it follows from another record than the one before it: one was added, moved or taken out"
        else:
            sentence = "the record that it follows from is gone, or was edited: look in git for it"
        seen.tell("chain", place, sentence)


def tell_unreported(seen: Compared, running: Callable[[str], bool]) -> None:
    """Claims of which nobody knows what became. `running` says whether an item runs now."""
    claims: dict[tuple[str, int], Place] = {}
    outcomes: dict[tuple[str, int], str] = {}
    for place in sorted({*seen.original, *seen.mirror}, key=order):
        attempt, _, event = records.parse_name(place[1]) or (0, 0, "")
        this = (place[0], attempt)
        if event == records.CLAIMED:
            claims[this] = place
            continue
        ours = place in seen.original or claims.get(this) not in seen.original  # as the rules count them
        if event in records.OUTCOMES and place in seen.parsed and this in claims and ours:
            outcomes[this] = event
    for this, place in claims.items():
        if outcomes.get(this, records.UNKNOWN) != records.UNKNOWN:
            continue
        if running(place[0]):
            seen.tell("unreported", place, "it is running now", wrong=False)
            continue
        words = "it was started, and what became of it is not known" if this in outcomes else "nobody reported back"
        say = f"`dory resolve {place[0]} happened` or `not-happened`"
        seen.tell("unreported", place, f"{words}: look whether it happened, and say {say}")


def tell_lost_bytes(seen: Compared, kept: Callable[[str], bool]) -> None:
    """Yeses of the ledger whose approved bytes are gone. `kept` says whether the bytes of a hash are stored whole."""
    for place, record in seen.parsed.items():
        if record.event != records.APPROVED or place not in seen.original:
            continue
        data = record.data
        named = [("the draft", data.get("digest")), ("its standard input", data.get("stdin_sha256"))]
        attached = data.get("attachments")
        for one in attached if isinstance(attached, list) else []:
            named.append((f"{one.get('path')}", one.get("sha256")) if isinstance(one, dict) else ("an attachment", one))
        lost = [what for what, name in named if name is not None and not kept(str(name))]
        if lost:
            words = f"the approved bytes of {', '.join(lost)} are missing or damaged in the state folder"
            seen.tell("bytes-gone", place, f"{words}, so it cannot run: approve {place[0]} again")
