"""The splices dory makes in state files, each of one span. Pure: bytes in, bytes out."""

from __future__ import annotations

from datetime import date

from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, encode, parse
from dory_tui.workspace.drafts import Entry, entries
from dory_tui.workspace.holds import Hold, continuation, holds
from dory_tui.workspace.layout import DECISIONS, HOLD, STAGING
from dory_tui.workspace.shaped_edits import add_in_shape, close_hold, take_out_hold

NOTHING = b"[none]"
_EMPTY = {
    HOLD: b"# HOLD.md\n\n## Currently Blocked\n\n[none]\n",
    STAGING: b"# STAGING.md\n\n## Currently Staged\n\n[none]\n",
    DECISIONS: b"# DECISIONS.md\n\n## Recent\n\n[none]\n",
}
_LIVE = {
    HOLD: ("currently blocked", "blocked", "holds", "hold"),
    DECISIONS: ("recent", "recent decisions", "decisions"),
    STAGING: ("currently staged", "staged", "drafts", "pending"),
}


def one_line(text: str) -> str:
    """Text as one line of a state file: line ends and control characters become spaces."""
    return " ".join(
        "".join(" " if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u2028\u2029" else c for c in text).split()
    )


def add_line(path: str, data: bytes | None, line: str) -> bytes:
    """A hold or decision line added to its live section, in the order the section already has.

    `[none]` is replaced; with no such section or file one is made at the end.
    """
    base = _EMPTY[path] if data is None else data
    document = parse(path, base)
    if _shaped(document) and (made := add_in_shape(document, path, one_line(line))) is not None:
        return made
    new = encode(one_line(line))
    section = _live(document, _LIVE[path])
    if section is None:
        return _append_section(document, path, new)
    stamps = [found for ln in section.lines if (found := shapes.stamp(ln)) and not shapes.is_placeholder(found.source)]
    if stamps:
        bullet = b"- " if all(shapes.is_bullet(s.line.shown) for s in stamps) else b""
        return _beside(document, section, stamps, bullet + new)
    nothing = next((ln for ln in section.lines if not ln.blank and shapes.is_nothing(ln.shown)), None)
    if nothing is not None:
        return base[: nothing.start] + new + base[nothing.end :]
    return _below_heading(document, section, new)


def _shaped(document: Document) -> bool:
    """Whether a file may write its entries as rows, blocks or bullets without stamps: cheap, to be asked first."""
    return not any(shapes.stamp(line) is not None for line in document.lines) and any(
        line.shown.lstrip()[:1] in ("|", "-", "*", "+", "•", "#") for line in document.lines
    )


def new_hold(data: bytes | None, source: str) -> Hold | None:
    """The hold that adding a canonical line makes, in the shape that HOLD.md has. None: it makes none."""
    known = [] if data is None else [hold.hash for hold in holds(parse(HOLD, data))]
    made = holds(parse(HOLD, add_line(HOLD, data, source)))
    return next((hold for hold in made if hold.kind in ("stamp", "entry") and hold.hash not in known), None)


def _beside(document: Document, section: shapes.Section, stamps: list[shapes.Stamp], new: bytes) -> bytes:
    """Above the first or below the last stamp line, whichever end is the newest."""
    keys = [(s.day, s.time or "") for s in stamps]
    if len(keys) > 1 and keys[0] > keys[-1]:
        first = stamps[0].line
        return document.data[: first.start] + new + _end_of(document, first) + document.data[first.start :]
    below = continuation(section.lines, section.lines.index(stamps[-1].line) + 1)
    return _after(document, section.lines[below - 1], new)


def _after(document: Document, line: Line, new: bytes) -> bytes:
    """A new line below another; a file that ends there without a line end still does."""
    data, end = document.data, _end_of(document, line)
    if line.stop > line.end:
        return data[: line.stop] + new + end + data[line.stop :]
    return data[: line.stop] + end + new + data[line.stop :]


def _end_of(document: Document, line: Line) -> bytes:
    """A line's own end, for a neighbour of it; the file's where it has none."""
    return document.data[line.end : line.stop] or document.line_end


def _live(document: Document, titles: tuple[str, ...]) -> shapes.Section | None:
    found = [s for s in shapes.sections(document) if s.heading is not None and s.level > 1 and s.path[-1] in titles]
    return next((s for title in titles for s in found if s.path[-1] == title), None)


def _below_heading(document: Document, section: shapes.Section, new: bytes) -> bytes:
    """At the end of a live section that has no such line yet."""
    assert section.heading is not None
    end = document.line_end
    lines = list(section.lines)
    while lines and (
        not lines[-1].text.strip() or shapes.is_rule(lines[-1].shown) or shapes.is_italic(lines[-1].shown)
    ):
        lines.pop()
    last = lines[-1] if lines else section.heading
    if last is section.heading and not section.lines:
        return document.data[: last.end] + end + end + new + document.data[last.end :]
    tail = document.data[last.end :]
    return document.data[: last.end] + end + end + new + (tail or end)


def _append_section(document: Document, path: str, new: bytes) -> bytes:
    end = document.line_end
    heading = {HOLD: b"## Currently Blocked", DECISIONS: b"## Recent", STAGING: b"## Currently Staged"}[path]
    data = document.data
    if not data.strip():
        return data + heading + end + end + new + end
    ended = document.lines[-1].stop > document.lines[-1].end
    return data + (b"" if ended else end) + end + heading + end + end + new + end


def remove_hold(data: bytes, hold: Hold, day: date | None = None) -> bytes:
    """HOLD.md without one hold; `[none]` comes back after the last stamp line. ValueError when it is not there.

    On a `day`, an entry of another shape is not taken out but closed in the file's own way: ticked, or said to be over.
    """
    document = parse(HOLD, data)
    found = holds(document)
    mine = next((h for h in found if h.hash == hold.hash and h.kind in ("stamp", "entry")), None)
    if mine is not None and mine.kind == "entry":
        return close_hold(data, mine, day) if day is not None else take_out_hold(data, mine)
    if mine is None:
        raise ValueError("that hold does not stand in HOLD.md")
    start, stop = mine.span
    if len(found) > 1:
        return _without(document, start, stop)
    last = next(ln for ln in document.lines if ln.stop == stop)
    return data[:start] + NOTHING + data[last.end : stop] + data[stop:]


def _without(document: Document, start: int, stop: int) -> bytes:
    """The bytes without some whole lines. A file that ended without a line end still does."""
    data = document.data
    if stop == len(data) and not data.endswith((b"\n", b"\r")):
        start = next((line.end for line in document.lines if line.stop == start), start)
    return data[:start] + data[stop:]


def set_labels(data: bytes, heading: str, position: int, labels: dict[str, str | None]) -> bytes:
    """STAGING.md with label values of one entry set; None takes a label out.

    `heading` and `position` (which entry of that name, from 0) name the entry. ValueError when it is gone.
    """
    for name, value in labels.items():
        document = parse(STAGING, data)
        found, _ = entries(document)
        same = [entry for entry in found if entry.name == heading]
        if position >= len(same):
            raise ValueError(f"the entry {heading!r} is gone from {STAGING}")
        data = _set_label(document, same[position], name, value)
    return data


def _set_label(document: Document, entry: Entry, name: str, value: str | None) -> bytes:
    data = document.data
    if name.casefold() in entry.labels:
        before, line = entry.labels[name.casefold()]
        if value is None:
            return _without(document, line.start, line.stop)
        # `shown` is `text` with comments blanked, so what stands behind the value stays: spaces, a comment.
        stop = len(line.shown.rstrip())
        start = stop - len(before)
        gap = "" if line.text[:start].endswith((" ", "\t")) else " "
        new = line.text[:start] + gap + one_line(value) + line.text[stop:]
        return data[: line.start] + encode(new) + data[line.end :]
    if value is None:
        return data
    status = entry.labels["status"][1] if "status" in entry.labels else None
    bullet = "" if status is None else status.shown.partition("**")[0]
    above = status or next(line for line in document.lines if line.stop == entry.label_stop)
    return _after(document, above, encode(f"{bullet}**{name.capitalize()}:** {one_line(value)}"))


def staged_entry(data: bytes | None, block: str) -> bytes:
    """STAGING.md with a new entry at the end of its live section; `[none]` is replaced."""
    base = _EMPTY[STAGING] if data is None else data
    document = parse(STAGING, base)
    end = document.line_end
    new = encode(block).replace(b"\n", end)
    section = _live(document, _LIVE[STAGING])
    if section is None:
        return _append_section(document, STAGING, new)
    nothing = next((ln for ln in section.lines if not ln.blank and shapes.is_nothing(ln.shown)), None)
    if nothing is not None:
        return base[: nothing.start] + new + base[nothing.end :]
    found, _ = entries(document)
    stop = max((e.stop for e in found if e.heading.number in _numbers(document, section)), default=0)
    if not stop:
        return _below_heading(document, section, new)
    ended = base[:stop].endswith((b"\n", b"\r"))
    return base[:stop] + (b"" if ended else end) + end + new + (end if ended or base[stop:] else b"") + base[stop:]


def _numbers(document: Document, section: shapes.Section) -> range:
    """The numbers of the lines of a section and of the deeper ones in it."""
    assert section.heading is not None
    first = section.heading.number
    after = (s.heading.number for s in shapes.sections(document) if s.heading and s.level <= section.level)
    return range(first, next((number for number in after if number > first), len(document.lines) + 1))
