"""Written down at once: a line in the day's log, a fact to remember, a promise kept (memory.md, "The day's log")."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dory_tui.agent.propose import Proposed, ProposeError, propose
from dory_tui.agent.write import RefusedError, local, splice
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.values import dataclass
from dory_tui.workspace import day_log
from dory_tui.workspace.document import decode, encode, split_lines
from dory_tui.workspace.promises import Promise, close, handle, kept_promises, open_promises

AGAIN = 10
"""Minutes in which the same words of the same kind are one entry of the log."""
_ENTRY_MARK = re.compile(rb"^- (?:\[ \] )?")
_ENTRY = re.compile(rb"^- (?:\[[ xX]\] )?(?P<hour>\d\d):(?P<minute>\d\d) (?P<words>.*)$")


@dataclass(frozen=True, slots=True)
class Logged:
    """Where the words stand. `fresh` is False when they stood there already."""

    path: str
    line: int
    fresh: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A promise that is closed; `fresh` is False when it was closed before."""

    promise: Promise
    fresh: bool
    sentence: str


def log(gate: Gate, kind: str, text: str) -> Logged:
    """One line with its time in today's log, under the heading for its kind (`day_log.KINDS`).

    The same words of the same kind within `AGAIN` minutes are a call made twice, and change nothing. RefusedError when
    there are no words or the file cannot take them.
    """
    return _written(gate, kind, text, AGAIN)


def remember(gate: Gate, text: str) -> Logged:
    """The words as a fact in today's log. The same fact again the same day changes nothing."""
    return _written(gate, "fact", text, None)


def _written(gate: Gate, kind: str, text: str, again: int | None) -> Logged:
    """An entry of today's log. It is there already when its words are, in the last `again` minutes or the whole day."""
    now = local(gate)
    path = day_log.log_path(now.date())
    entry, timeless = _entry(kind, now.strftime("%H:%M"), text), _entry(kind, "", text)
    earliest = 0 if again is None else now.hour * 60 + now.minute - again
    found = 0

    def work(data: bytes | None) -> bytes:
        nonlocal found
        if data is not None and (found := _stands(data, kind if again is not None else None, timeless, earliest)):
            return data
        added = day_log.add(data, now.date(), kind, entry)
        found = added.line
        return added.data

    fresh = splice(gate, path, work)
    said = _shown(entry) if fresh else "it stands there already, so nothing was written"
    return Logged(path, found, fresh, f"{path} line {found}: {said}")


def remember_for_good(gate: Gate, text: str, section: str, scores: Mapping[str, int]) -> tuple[Logged, Proposed]:
    """Remember the words, and propose them for MEMORY.md with the line of the log as their source.

    When they cannot be proposed they are in the log all the same, and the RefusedError says so.
    """
    logged = remember(gate, text)
    body = text.strip()
    if not body.startswith(("- ", "* ", "+ ", "#", "|", ">")):
        body = decode(b"\n".join(day_log.bullet("fact", "", body)))
    try:
        made = propose(gate, encode(body), section=section, scores=scores, source=f"{logged.path}#L{logged.line}")
    except ProposeError as error:
        raise RefusedError(f"written down in {logged.path}, but not proposed: {error}", Exit.USAGE) from error
    return logged, made


def _entry(kind: str, time: str, text: str) -> list[bytes]:
    try:
        return day_log.bullet(kind, time, text)
    except ValueError as error:
        raise RefusedError(f"{error}: give them as an argument or by standard input", Exit.USAGE) from error


def _stands(data: bytes, kind: str | None, timeless: list[bytes], earliest: int) -> int:
    """The line of a log on which an entry of this kind, or of any, and these words begins; 0 where there is none.

    One that is older than the minute `earliest` of the day does not count.
    """
    lines = [data[start:end] for start, end, _ in split_lines(data)]
    words, rest = _ENTRY_MARK.sub(b"", timeless[0]), timeless[1:]
    section = None
    for number, line in enumerate(lines):
        if line.startswith(b"#"):
            section = day_log.kind_of(decode(line).strip("# "))
        match = _ENTRY.match(line)
        if kind not in (None, section) or match is None or match["words"] != words:
            continue
        below = lines[number + 1 : number + 1 + len(rest)]
        after = lines[number + 1 + len(rest) : number + 2 + len(rest)]
        minute = int(match["hour"]) * 60 + int(match["minute"])
        if below == rest and minute >= earliest and not (after and after[0].startswith(b"  ")):
            return number + 1
    return 0


def _shown(entry: list[bytes]) -> str:
    rest = len(entry) - 1
    more = f" (and {rest} more {'line' if rest == 1 else 'lines'})" if rest else ""
    return decode(entry[0]) + more


def promises(gate: Gate) -> tuple[tuple[Promise, int], ...]:
    """Every open promise of the last 60 days with its age in days, the oldest first."""
    today = local(gate).date()
    return tuple((one, (today - one.day).days) for one in open_promises(gate.root, today))


def kept(gate: Gate, wanted: str) -> Kept:
    """Tick the box of one promise, named by its handle in the list or by words of it. Nothing else changes.

    RefusedError when no promise, or more than one, is meant.
    """
    today = local(gate).date()
    words = wanted.strip()
    if not words:
        raise RefusedError(
            "say which promise was kept: its handle or words of it, as `dory-agent kept` lists them", Exit.USAGE
        )
    still, done = open_promises(gate.root, today), kept_promises(gate.root, today)
    # What a call that is made again means is looked for before what its words might mean besides.
    found = _named(still, words)
    ticked = [] if found else _named(done, words)
    if not found and not ticked and not words.isdigit():
        found = _about(still, words)
        ticked = [] if found else _about(done, words)
    if ticked:
        last = ticked[-1]
        return Kept(last, False, f"{last.path} line {last.line}: it was ticked already: {last.text}")
    if not found:
        raise RefusedError(f"no open promise is meant by {wanted!r}: `dory-agent kept` lists them", Exit.USAGE)
    if len(found) > 1:
        raise RefusedError(
            f"{len(found)} open promises match {wanted!r}: name one by its handle in `dory-agent kept`", Exit.USAGE
        )
    one = found[0]
    splice(gate, one.path, lambda data: _closed(data, one))
    return Kept(one, True, f"{one.path} line {one.line}: kept: {one.text}")


def _named(found: tuple[Promise, ...], words: str) -> list[Promise]:
    """The promise of a handle, else those of exactly these words."""
    folded = words.casefold()
    by_handle = [one for one in found if handle(one) == folded]
    return by_handle[:1] or [one for one in found if one.text.casefold() == folded]


def _about(found: tuple[Promise, ...], words: str) -> list[Promise]:
    return [one for one in found if words.casefold() in one.text.casefold()]


def _closed(data: bytes | None, promise: Promise) -> bytes:
    try:
        return close(data or b"", promise)
    except ValueError as error:
        raise RefusedError(str(error)) from error
