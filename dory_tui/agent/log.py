"""Written down at once: a line in the day's log, a fact to remember, a promise kept (memory.md, "The day's log")."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from dory_tui.agent.propose import Proposed, ProposeError, propose
from dory_tui.agent.write import RefusedError, local, splice
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.values import dataclass
from dory_tui.workspace import day_log
from dory_tui.workspace.document import decode, encode, split_lines
from dory_tui.workspace.promises import Promise, close, kept_promises, open_promises


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

    RefusedError when there are no words or the file cannot take them.
    """
    now = local(gate)
    path = day_log.log_path(now.date())
    entry = _entry(kind, now.strftime("%H:%M"), text)
    line = _append(gate, path, now.date(), kind, entry)
    return Logged(path, line, True, f"{path} line {line}: {_shown(entry)}")


def remember(gate: Gate, text: str) -> Logged:
    """The words as a fact in today's log. The same fact again the same day changes nothing."""
    now = local(gate)
    path = day_log.log_path(now.date())
    entry = _entry("fact", now.strftime("%H:%M"), text)
    timeless = _entry("fact", "", text)
    found = 0

    def work(data: bytes | None) -> bytes:
        nonlocal found
        if data is not None and (found := _stands(data, timeless)):
            return data
        added = day_log.add(data, now.date(), "fact", entry)
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


def _append(gate: Gate, path: str, day: date, kind: str, entry: list[bytes]) -> int:
    line = 0

    def work(data: bytes | None) -> bytes:
        nonlocal line
        added = day_log.add(data, day, kind, entry)
        line = added.line
        return added.data

    splice(gate, path, work)
    return line


def _stands(data: bytes, timeless: list[bytes]) -> int:
    """The line of a log on which an entry of these words begins, whatever its time; 0 where there is none."""
    lines = [data[start:end] for start, end, _ in split_lines(data)]
    words, rest = timeless[0].removeprefix(b"- "), timeless[1:]
    for number, line in enumerate(lines):
        time, said = line[2:7], line[8:]
        if line[:2] == b"- " and said == words and time[2:3] == b":" and line[7:8] == b" ":
            below = lines[number + 1 : number + 1 + len(rest)]
            after = lines[number + 1 + len(rest) : number + 2 + len(rest)]
            if below == rest and not (after and after[0].startswith(b"  ")):
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
    """Tick the box of one promise, named by its number in the list or by words of it. Nothing else changes.

    RefusedError when no promise, or more than one, is meant.
    """
    today = local(gate).date()
    words = wanted.strip()
    if not words:
        raise RefusedError(
            "say which promise was kept: its number or words of it, as `dory-agent kept` lists them", Exit.USAGE
        )
    found = _meant(open_promises(gate.root, today), words)
    if not found:
        if done := [] if words.isdigit() else _meant(kept_promises(gate.root, today), words):
            last = done[-1]
            return Kept(last, False, f"{last.path} line {last.line}: it was ticked already: {last.text}")
        raise RefusedError(f"no open promise is meant by {wanted!r}: `dory-agent kept` lists them", Exit.USAGE)
    if len(found) > 1:
        raise RefusedError(
            f"{len(found)} open promises match {wanted!r}: name one by its number in `dory-agent kept`", Exit.USAGE
        )
    one = found[0]
    splice(gate, one.path, lambda data: _closed(data, one))
    return Kept(one, True, f"{one.path} line {one.line}: kept: {one.text}")


def _meant(found: tuple[Promise, ...], words: str) -> list[Promise]:
    if words.isdigit() and len(words) < 5:
        number = int(words)
        return [found[number - 1]] if 0 < number <= len(found) else []
    folded = words.casefold()
    same = [one for one in found if one.text.casefold() == folded]
    return same or [one for one in found if folded in one.text.casefold()]


def _closed(data: bytes | None, promise: Promise) -> bytes:
    try:
        return close(data or b"", promise)
    except ValueError as error:
        raise RefusedError(str(error)) from error
