"""A log that lost lines since it was last committed: what they are, and how they are put back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from dory_tui.diff import Row, diff
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.review.change import DecisionError, Done, StaleError, of_files
from dory_tui.workspace import shapes
from dory_tui.workspace.document import WorkspaceError, decode, read_bytes, split_lines
from dory_tui.workspace.logs import Log

RESTORED = "restored"
_ALIKE = 0.6
"""From so much alike a line that took another's place is that line, edited."""
_COMPARED = 20_000
"""So many pairs of lines are compared in one place; where there are more the text was rewritten."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What HEAD has of a log and the file has not. `digest` is of the file as it is, SHA-256, hex.

    `lines` are (number in HEAD, text) of the lost lines that are not blank; `restored` is the file with them.
    """

    path: str
    digest: str
    lines: tuple[tuple[int, str], ...]
    restored: bytes


def lost(gate: Gate, log: Log) -> Lost | None:
    """What a log lost since it was last committed; None when nothing is missing, or no commit has it.

    Asks git, so not in the loop of a screen. A line that was edited, ticked or moved is not lost. WorkspaceError when
    the log cannot be read.
    """
    return _lost(gate, log.path, read_bytes(gate.root / log.path, log.path))


def _lost(gate: Gate, path: str, now: bytes | None) -> Lost | None:
    if now is None:
        return None
    before = Repository(gate.root, gate.environment).last_committed(path)
    if before is None:
        return None
    lines, restored = merge(before, now)
    return Lost(path, hashlib.sha256(now).hexdigest(), lines, restored) if lines else None


def restore(gate: Gate, path: str, digest: str) -> Done:
    """Put back what a log lost, in one commit `Restore …`; what was written since stays.

    `digest` is that of the file as it was shown: StaleError when it is another by now.
    """
    change = of_files(gate, path)
    try:
        now = read_bytes(gate.root / path, path)
        if now is None or hashlib.sha256(now).hexdigest() != digest:
            raise StaleError(path)
        found = _lost(gate, path, now)
        if found is None:
            raise DecisionError(Exit.REFUSED, f"{path} has lost nothing since it was last committed")
        change.edit(path, lambda data: _swapped(data, now, found))
        if path not in change.touched:
            raise DecisionError(Exit.REFUSED, change.problems[0])
        made = hashlib.sha256(found.restored).hexdigest()
        count = f"{len(found.lines):,} {'line' if len(found.lines) == 1 else 'lines'}"
        return change.commit(f"{count} of {path} stand in it again", f"Restore {count} of {path}", RESTORED, path, made)
    except WorkspaceError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    finally:
        change.let_go()


def _swapped(data: bytes | None, now: bytes, found: Lost) -> bytes:
    if data != now:
        raise ValueError(f"{found.path} changed just now, so nothing was written: look at it again")
    return found.restored


# What is missing, and where it goes. Pure.


def merge(before: bytes, now: bytes) -> tuple[tuple[tuple[int, str], ...], bytes]:
    """The lines of `before` that are lost in `now`, as (number, text), and `now` with them where they stood.

    Every line of `now` stays, in its order and to the byte; a line end is added only where one is missing in between.
    """
    old, new = _lines(before), _lines(now)
    missing = Counter(text for text, _ in old) - Counter(text for text, _ in new)
    if not any(_says_something(text) for text in missing):
        return (), now
    made: list[bytes] = []
    gone: list[tuple[int, str]] = []
    at = 0
    for place, removed, added in _changes(decode(before), decode(now)):
        made += [whole for _, whole in new[at:place]]
        at = place + added
        for number, whole in _merged(old, removed, new[place:at], missing, inside=place > 0):
            made.append(whole)
            if number is not None and old[number][0].strip():
                gone.append((number + 1, decode(old[number][0])))
    made += [whole for _, whole in new[at:]]
    return tuple(gone), _joined(made, before) if gone else now


def _lines(data: bytes) -> list[tuple[bytes, bytes]]:
    """(text, the same with its line end) of each line."""
    return [(data[start:end].rstrip(), data[start:stop]) for start, end, stop in split_lines(data)]


def _says_something(text: bytes) -> bool:
    return bool(text.strip()) and not shapes.is_nothing(decode(text))


def _changes(before: str, now: str) -> Iterator[tuple[int, list[int], int]]:
    """(line of `now`, lines of `before` that stood there, how many stand there now), counted from 0, in order."""
    shift = 0
    for hunk in diff(before, now, context=0).hunks:
        for rows in _runs(hunk.rows):
            removed = [row.old - 1 for row in rows if row.kind == "removed" and row.old is not None]
            added = [row.new - 1 for row in rows if row.kind == "added" and row.new is not None]
            place = added[0] if added else removed[0] + shift
            shift += len(added) - len(removed)
            yield place, removed, len(added)


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that changed, without those between them that did not."""
    run: list[Row] = []
    for row in rows:
        if row.kind != "same":
            run.append(row)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _merged(
    old: Sequence[tuple[bytes, bytes]], removed: Sequence[int], added: Sequence[tuple[bytes, bytes]],
    missing: Counter[bytes], *, inside: bool,
) -> Iterator[tuple[int | None, bytes]]:  # fmt: skip
    """The lines of one place: (index in `old`, bytes) of a lost one, (None, bytes) of one that stands there now.

    What stands there now stays under its heading: it comes before the first heading that was lost, if there is
    something before that (`inside`: above the place).
    """
    edited = _edited([(n, old[n][0]) for n in removed], [text for text, _ in added], missing)
    gone = set()
    for number in removed:
        text = old[number][0]
        if number not in edited and missing[text] > 0 and _says_something(text):
            missing[text] -= 1
            gone.add(number)
    gone |= _blanks(old, removed, gone)
    told, within = 0, inside
    for number in removed:
        if number in gone:
            if within and _opens(old, number, gone):
                stop = min((place for other, place in edited.items() if other > number), default=len(added))
                yield from ((None, whole) for _, whole in added[told:stop])
                told = max(told, stop)
            within = True
            yield number, old[number][1]
        elif number in edited and edited[number] >= told:
            yield from ((None, whole) for _, whole in added[told : edited[number] + 1])
            told = edited[number] + 1
    yield from ((None, whole) for _, whole in added[told:])


def _opens(old: Sequence[tuple[bytes, bytes]], number: int, gone: set[int]) -> bool:
    """Whether a lost line is a heading, or blank above one that is lost too."""
    while number in gone and not old[number][0].strip():
        number += 1
    return number in gone and old[number][0].lstrip().startswith(b"#")


def _blanks(old: Sequence[tuple[bytes, bytes]], removed: Sequence[int], gone: set[int]) -> set[int]:
    """The blank lines before, between and after lost ones."""
    found, waiting, after = set(), set[int](), False
    for number in removed:
        if not old[number][0].strip():
            waiting.add(number)
            found |= {number} if after else set()
        else:
            after = number in gone
            found |= waiting if after else set()
            waiting = set()
    return found


def _edited(removed: Sequence[tuple[int, bytes]], added: Sequence[bytes], missing: Counter[bytes]) -> dict[int, int]:
    """Index of a line that went → place in `added` of the line that it became, each of those once."""
    if len(removed) * len(added) > _COMPARED:
        return {}
    free = [place for place, text in enumerate(added) if text.strip()]
    found: dict[int, int] = {}
    for number, text in removed:
        if missing[text] > 0 and text.strip():
            place = next((one for one in free if _alike(text, added[one])), None)
            if place is not None:
                found[number] = place
                free.remove(place)
    return found


def _alike(before: bytes, now: bytes) -> bool:
    one, other = decode(before).strip(" \t-*+[]xX"), decode(now)
    if len(one) > 3 and one in other:
        return True
    matcher = SequenceMatcher(None, one, other.strip(" \t-*+[]xX"), autojunk=False)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _joined(lines: Sequence[bytes], before: bytes) -> bytes:
    """The lines one below the other; only the last may be without a line end."""
    end = next((before[end:stop] for _, end, stop in split_lines(before) if stop > end), b"\n")
    ended = [line if line.endswith((b"\n", b"\r")) else line + end for line in lines[:-1]]
    return b"".join([*ended, *lines[-1:]])
