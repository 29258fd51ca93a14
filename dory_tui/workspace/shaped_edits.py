"""Splices in files that do not follow the template: a status, a lifted hold, a new line, in the shape that is there.

Pure: bytes in, bytes out. Each changes one span and nothing else, in the raw spelling of its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from dory_tui.workspace import headings, passages, shapes, vocabulary, words
from dory_tui.workspace.document import Document, Line, encode, parse
from dory_tui.workspace.entry_shapes import Entry
from dory_tui.workspace.holds import Hold, split_reason
from dory_tui.workspace.layout import HOLD, STAGING
from dory_tui.workspace.recognise import recognise
from dory_tui.workspace.shaped_bytes import shaped_bytes, status_line
from dory_tui.workspace.shaped_holds import entry_hash


def set_status(data: bytes, wanted: bytes, word: str) -> bytes:
    """STAGING.md with the display status of one draft set. `wanted` are its `shaped_bytes`.

    An entry that states no status is left as it is. ValueError when the entry is gone.
    """
    document = parse(STAGING, data)
    found = recognise(document, "staging").entries
    entry = next((one for one in found if shaped_bytes(document, one) == wanted), None)
    if entry is None:
        raise ValueError(f"that entry is gone from {STAGING}")
    place = status_line(entry)
    if place is None:
        return data
    line, start, stop = place
    return _replaced(document, line, start, stop, spelled(word, (one.status for one in found)))


def spelled(word: str, neighbours: Iterable[str]) -> str:
    """A status word as the file spells its kind: the very word of a neighbour, else its case and its separators."""
    seen = [one for one in neighbours if one]
    same = next((one for one in seen if words.plain(one) == words.plain(word)), None)
    if same is not None:
        return same
    model = next((one for one in seen if re.search(r"[A-Za-z]{2}", one)), "")
    letters = re.sub(r"[^A-Za-z]", "", model)
    if letters and letters.isupper():
        word = word.upper()
    elif letters and letters[0].isupper():
        word = word.capitalize()
    for separator in ("_", "-"):
        if re.search(rf"[A-Za-z]{separator}[A-Za-z]", model):
            word = word.replace(" ", separator)
    return word


def _replaced(document: Document, line: Line, start: int, stop: int, text: str) -> bytes:
    """The bytes with some characters of one line replaced."""
    base = line.end - len(encode(line.text))
    first, last = (base + len(encode(line.text[:at])) for at in (start, stop))
    return document.data[:first] + encode(text) + document.data[last:]


def close_hold(data: bytes, hold: Hold, day: date) -> bytes:
    """HOLD.md in which one entry is over: its box ticked, its status or heading saying so, else its lines taken out.

    ValueError when it is not there.
    """
    document, entry, found = _standing(data, hold)
    place = status_line(entry)
    if place is not None:
        line, start, stop = place
        return _replaced(document, line, start, stop, spelled("resolved", (one.status for one in found)))
    first = entry.lines[0]
    box = (
        re.match(r"^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[(?P<box> )\]", first.text)
        if entry.shape == "bullet"
        else None
    )
    if box is not None:
        return _replaced(document, first, box.start("box"), box.end("box"), "x")
    if entry.shape == "heading":
        stop = len(first.text.rstrip().rstrip("#").rstrip())
        return _replaced(document, first, stop, stop, f" — {_resolved_word(found)} ({day.isoformat()})")
    return _without_entry(document, entry, found)


def take_out_hold(data: bytes, hold: Hold) -> bytes:
    """HOLD.md without the lines of one entry. ValueError when it is not there."""
    return _without_entry(*_standing(data, hold))


def _standing(data: bytes, hold: Hold) -> tuple[Document, Entry, tuple[Entry, ...]]:
    document = parse(HOLD, data)
    found = recognise(document, "hold").entries
    same = [one for one in found if not one.resolved and entry_hash(one) == hold.hash]
    entry = next((one for one in same if one.line == hold.line), same[0] if same else None)
    if entry is None:
        raise ValueError("that hold does not stand in HOLD.md")
    return document, entry, found


def _resolved_word(found: Sequence[Entry]) -> str:
    """The word with which the file's own headings say that a hold is over."""
    for one in found:
        if one.shape == "heading" and one.resolved:
            state, word = words.in_heading(one.title)
            if state == "resolved" and word != "✅":
                return word
    return "RESOLVED"


def _without_entry(document: Document, entry: Entry, found: Sequence[Entry]) -> bytes:
    """The bytes without an entry's lines; the last bullet of a list leaves `[none]` where it stood."""
    data = document.data
    start, stop = entry.span
    alone = not any(one is not entry and one.shape == entry.shape and not one.resolved for one in found)
    if alone and entry.shape == "bullet":
        last = entry.lines[-1]
        return data[:start] + b"[none]" + data[last.end : stop] + data[stop:]
    if stop == len(data) and not data.endswith((b"\n", b"\r")):
        start = next((line.end for line in document.lines if line.stop == start), start)
    return data[:start] + data[stop:]


def add_in_shape(document: Document, slot: str, stamped: str) -> bytes | None:
    """The bytes with a hold or decision added as the file writes them: a table row, a heading block, a bullet.

    `stamped` is the canonical line. None where the file writes stamp lines, or nothing in one shape.
    """
    found = recognise(document, "hold" if slot == HOLD else "decisions").entries
    shaped = [one for one in found if not one.resolved and one.shape in ("row", "heading", "bullet")]
    if not shaped or any(one.shape == "stamp" for one in found):
        return None
    last = shaped[-1] if slot == HOLD else _newest_end(shaped)
    if any(one.shape != last.shape for one in shaped):
        return None
    line = Line(0, 0, 0, 0, stamped, "", stamped)
    stamp = shapes.stamp(line)
    if stamp is None:
        return None
    if last.shape == "row":
        return _beside(document, last, _row(last, stamp, len(shaped), shaped), above=last is not shaped[-1])
    if last.shape == "heading" and slot == HOLD:
        return _block(document, last, stamp)
    if last.shape == "bullet" and slot == HOLD:
        mark = re.match(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?", last.lines[0].text)
        lead = mark[0] if mark else "- "
        lead = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), lead).replace("[x]", "[ ]")
        return _beside(document, last, lead + stamped, above=False)
    return None


def _newest_end(shaped: Sequence[Entry]) -> Entry:
    """The entry beside which a newer one goes: the last, or the first where the newest stand on top."""
    first, last = shaped[0].when, shaped[-1].when
    newest_first = first is not None and last is not None and first.day > last.day
    return shaped[0] if newest_first else shaped[-1]


def _beside(document: Document, entry: Entry, text: str, *, above: bool) -> bytes:
    """A new line above an entry or below it; a file that ends there without a line end still does."""
    data = document.data
    line = entry.lines[0] if above else entry.lines[-1]
    end = data[line.end : line.stop] or document.line_end
    if above:
        return data[: line.start] + encode(text) + end + data[line.start :]
    if line.stop > line.end:
        return data[: line.stop] + encode(text) + end + data[line.stop :]
    return data[: line.stop] + end + encode(text) + data[line.stop :]


_WHAT = frozenset(
    {"what", "item", "task", "description", "blocked", "blocker", "issue", "title", "name", "waiting", "topic"}
)
_NUMBERS = frozenset({"#", "no", "nr", "id", "№", "n"})


def _row(like: Entry, stamp: shapes.Stamp, rows: int, shaped: Sequence[Entry]) -> str:
    """A row with the stamp's words in the columns that are there for them; the others say `—`."""
    item, _, reason = split_reason(stamp.text)
    names = [words.plain(name) or name.strip() for name in like.head]
    where = next((n for n, name in enumerate(names) if name in vocabulary.SUBJECT_COLUMNS or name in _WHAT), None)
    cells = passages.cells(like.lines[0].text)
    where = cells.index(like.title) if where is None and like.title in cells else where
    where = max(range(len(cells)), key=lambda n: len(cells[n])) if where is None else where
    values = []
    for number, name in enumerate([*names, *[""] * (len(cells) - len(names))]):
        if number == where:
            whole = item if any(one in _REASONS for one in names) or not reason else f"{item} — {reason}"
            values.append(whole)
        elif name in _REASONS:
            values.append(reason or "—")
        elif name in vocabulary.DATE_FIELDS:
            values.append(stamp.day)
        elif name in vocabulary.STATUS_FIELDS:
            values.append(spelled("blocked", (one.status for one in shaped)))
        elif name in _NUMBERS or (not name and cells[number].isdigit()):
            values.append(str(rows + 1))
        else:
            values.append(stamp.session or "—" if name in ("owner", "who", "by", "session") else "—")
    return "| " + " | ".join(value.replace("|", "\\|") for value in values) + " |"


_REASONS = frozenset({"reason", "why", "motivo", "grund", "context", "контекст", "причина", "原因", "理由", "이유"})


def _block(document: Document, last: Entry, stamp: shapes.Stamp) -> bytes:
    """A heading of the same level below the last block, numbered where they are."""
    data = document.data
    line = last.lines[-1]
    end = document.line_end
    marks = re.match(r"\s*#+", last.lines[0].text)
    level = (marks[0].strip() if marks else "##") + " "
    number = re.match(r"(\d{1,3})\.", headings.bare(last.title))
    name = f"{int(number[1]) + 1}. " if number else ""
    item, _, reason = split_reason(stamp.text)
    made = encode(f"{level}{name}{item} ({stamp.day})") + (end + end + encode(reason) if reason else b"")
    ended = line.stop > line.end
    before = data[: line.stop] + (b"" if ended else end) + end
    after = data[line.stop :]
    gap = end if after and not after.startswith((b"\n", b"\r")) else b""
    return before + made + (end if ended or after else b"") + gap + after
