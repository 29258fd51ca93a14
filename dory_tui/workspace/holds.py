"""Holds: what HOLD.md blocks, erring towards holding (gate.md, "Holds"). Pure.

Stamp and date lines are found by a scan of the lines, whatever a Markdown parser would make of them. What else stands
there is a hold with a subject where it has the shape of an entry (`shaped_holds`), and otherwise one over everything.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime

from dory_tui.values import dataclass, replace
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, Problem, encode
from dory_tui.workspace.layout import HOLD
from dory_tui.workspace.timestamps import parse_stamp

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Literal

    HoldKind = Literal["stamp", "entry", "text", "file"]

CANONICAL_DASH = " — "
_DASH = re.compile(r" (?:—|–|--|-) ")


@dataclass(frozen=True, slots=True)
class Hold:
    """One thing that is blocked.

    `stamp` has a subject and covers what `gate.covering` says; so has `entry`, which has another shape and covers by
    all of its words. `text` is a passage that fits no form, and `file` a HOLD.md that cannot be trusted: those hold
    everything.
    """

    kind: HoldKind
    hash: str
    """SHA-256 of the hold's own words, hex: what a lift, an override or "not a hold" is recorded against."""
    text: str
    subject: str
    reason: str
    when: datetime | None
    session: str | None
    line: int
    span: tuple[int, int]
    """Bytes of the whole entry in HOLD.md, line ends included."""
    present: bool = True
    """False for a hold that was seen once and whose line is gone: it stays until a human lifts it."""
    over_all: bool = False
    """Whether an entry's own words hold everything: `Nothing goes out this week`."""
    shape: str = ""
    """How an entry is written: `heading`, `bullet`, `row` or `labels`."""
    counted: bool = True
    """False for a HOLD.md in which nothing was recognised: it holds everything, and nobody can say how many."""

    @property
    def handle(self) -> str:
        """The short name a person types: the first eight digits of the hash."""
        return self.hash[:8]

    @property
    def marks(self) -> bool:
        """Whether lifting it marks it as not a hold and leaves its words: there is nothing to take out or to tick."""
        return self.kind == "text" or (self.kind == "entry" and self.shape not in ("heading", "bullet", "row"))

    @property
    def everything(self) -> bool:
        return self.kind in ("text", "file") or self.over_all


def hold_hash(source: str) -> str:
    """The hash of a hold's own words: its stamp line without bullet, an entry's first line, or its passage."""
    return hashlib.sha256(encode(source.strip())).hexdigest()


def holds(document: Document) -> list[Hold]:
    """Every hold of HOLD.md. Time and recognition are spent only where more than stamp lines stand in it."""
    if (line := document.conflicted) is not None:
        return [_file_hold(line, "HOLD.md has merge conflict markers")]
    scanned = _scan(document)
    if len(scanned) > _MANY or all(hold.kind == "stamp" for hold, _ in scanned):
        return [hold for hold, _ in scanned]
    from dory_tui.workspace.shaped_holds import shaped

    return shaped(document, scanned)


def count(found: Sequence[Hold]) -> int | None:
    """How many holds are open; None where one of them is a text of which nobody can say that."""
    return len(found) if all(hold.counted for hold in found) else None


_MANY = 4000
"""So many passages no person wrote: they hold everything as they are, and cost no time."""


# The scan: stamp lines, and passages that are none


def _scan(document: Document) -> list[tuple[Hold, tuple[Line, ...]]]:
    """Stamp holds, and a hold over everything for each other passage, with its lines, in the file's order."""
    found: list[tuple[Hold, tuple[Line, ...]]] = []
    cut = shapes.sections(document)
    # What stands before the first heading, or between the title and its first sub-heading, introduces the file. A
    # first section that is neither, as on a board, is read like any other.
    first = next((n for n, section in enumerate(cut) if section.heading is not None), len(cut))
    for number, section in enumerate(cut):
        title = number == first and section.level == 1
        deeper = number + 1 < len(cut) and cut[number + 1].level > section.level
        found.extend(_section_holds(section, introduction=deeper and (number < first or title), title=title))
    found.extend(_front_holds(document))
    return sorted(found, key=lambda one: one[0].line)


def _front_holds(document: Document) -> list[tuple[Hold, tuple[Line, ...]]]:
    """Stamp lines between two rules at the top of the file, which only look like front matter."""
    seen = (replace(line, shown=line.text) for line in document.lines if line.mask == "front")
    stamps = [stamp for line in seen if (stamp := shapes.stamp(line)) is not None]
    return [(_stamp_hold(one, (one.line,)), (one.line,)) for one in stamps if not shapes.unfilled(one)]


def _section_holds(section: shapes.Section, introduction: bool, title: bool) -> list[tuple[Hold, tuple[Line, ...]]]:
    found: list[tuple[Hold, tuple[Line, ...]]] = []
    if section.under(shapes.RESOLVED_TITLES):
        return found
    rest: list[Line] = []
    index, lines = 0, section.lines
    while index < len(lines):
        line = lines[index]
        found_stamp = shapes.stamp(line)
        if found_stamp is None:
            rest.append(line)
            index += 1
            continue
        stop = continuation(lines, index + 1)
        if not shapes.unfilled(found_stamp):
            found.append((_stamp_hold(found_stamp, lines[index:stop]), lines[index:stop]))
        index = stop
    passages = [run for run in _passages(rest) if not _ignorable(run, introduction)]
    if section.under(shapes.EXAMPLE_TITLES):
        meant = [run for run in passages if any(shapes.forbids(line.shown) for line in run)]
        return found + [(text_hold(run), run) for run in meant]
    named = section.heading is not None and not title and not _structural(section)
    said_none = not passages and any(shapes.is_nothing(line.shown) for line in rest)
    if named and not found and not said_none and section.heading is not None:
        whole = (section.heading, *(line for run in passages for line in run))
        found.append((text_hold(whole), whole))
    else:
        found.extend((text_hold(run), run) for run in passages)
    return found


def continuation(lines: Sequence[Line], index: int) -> int:
    """Where the lines that belong to a stamp line end: at a blank line, a rule, a bullet at the margin, a stamp."""
    while index < len(lines):
        line = lines[index]
        indented = line.shown[:1] in (" ", "\t")
        if (
            line.blank
            or shapes.is_rule(line.shown)
            or shapes.stamp(line) is not None
            or (not indented and (shapes.is_bullet(line.shown) or shapes.is_quote(line.shown)))
        ):
            break
        index += 1
    return index


def _passages(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """Runs of lines, a closed fence counted as content (its lines are masked but may be what is meant)."""
    runs: list[tuple[Line, ...]] = []
    run: list[Line] = []
    for line in lines:
        content = line.mask == "fence" or (not line.blank and not shapes.is_rule(line.shown))
        if content:
            run.append(line)
        elif run:
            runs.append(tuple(run))
            run = []
    if run:
        runs.append(tuple(run))
    return runs


def _ignorable(run: Sequence[Line], introduction: bool) -> bool:
    """Whether a passage is an introduction, a footer, a slot of the template or "nothing here"."""
    return all(
        (shapes.is_quote(line.shown) and not shapes.forbids(line.shown))
        or (shapes.is_italic(line.shown) and not shapes.forbids(line.shown))
        or shapes.is_nothing(line.shown)
        or shapes.struck(line.shown)
        or (shapes.is_placeholder(line.shown) and not line.mask)
        or (introduction and not shapes.is_bullet(line.shown) and not line.shown.lstrip().startswith("|"))
        for line in run
    )


def _structural(section: shapes.Section) -> bool:
    name = section.path[-1] if section.path else ""
    return name in shapes.LIVE_TITLES or name in shapes.EXAMPLE_TITLES or not name


def _stamp_hold(found: shapes.Stamp, lines: Sequence[Line]) -> Hold:
    subject, _, reason = split_reason(found.text)
    return Hold(
        kind="stamp",
        hash=hold_hash(found.source),
        text=found.source,
        subject=subject,
        reason=reason,
        when=parse_stamp(found.day, found.time),
        session=found.session,
        line=found.line.number,
        span=(lines[0].start, lines[-1].stop),
    )


def restore_hold(source: str, kind: object = None, subject: object = None, digest: str | None = None) -> Hold:
    """A hold that is only remembered: from the words the ledger kept, its line being gone from HOLD.md."""
    line = Line(0, 0, 0, 0, source, "", source)
    found = shapes.stamp(line) if "\n" not in source else None
    own = digest or hold_hash(source)
    if kind == "entry":
        about, _, reason = split_reason(str(subject or source))
        from dory_tui.workspace.shaped_holds import universal

        return Hold(
            "entry", own, source, about, reason, None, None, 0, (0, 0), present=False, over_all=universal(about)
        )
    if found is not None:
        hold = _stamp_hold(found, (line,))
        return replace(hold, present=False, line=0, span=(0, 0), hash=own)
    about = str(subject or source)
    return Hold("text", own, source, about, "", None, None, 0, (0, 0), present=False)


def split_reason(text: str) -> tuple[str, str, str]:
    """(subject, dash, reason) of `Item — reason`; the canonical dash decides where there is one."""
    if CANONICAL_DASH in text:
        return _parts(text.partition(CANONICAL_DASH))
    match = _DASH.search(text)
    if match is None:
        return text.strip(), "", ""
    return text[: match.start()].strip(), match[0], text[match.end() :].strip()


def _parts(parts: tuple[str, str, str]) -> tuple[str, str, str]:
    return parts[0].strip(), parts[1], parts[2].strip()


def text_hold(lines: Sequence[Line]) -> Hold:
    source = "\n".join(line.text.rstrip() for line in lines).strip()
    first = next((shapes.strip_marks(line.text) for line in lines if line.text.strip()), source)
    return Hold(
        "text", hold_hash(source), source, first.lstrip("# ").strip(), "", None, None,
        lines[0].number, (lines[0].start, lines[-1].stop),
    )  # fmt: skip


def _file_hold(line: int, sentence: str) -> Hold:
    return Hold("file", hold_hash(sentence), sentence, sentence, "", None, None, line, (0, 0))


def unreadable_holds(sentence: str) -> Hold:
    """The hold that an unreadable HOLD.md is."""
    return Hold("file", hold_hash(sentence), sentence, sentence, "", None, None, 0, (0, 0))


def hold_problems(document: Document, found: Sequence[Hold]) -> tuple[Problem, ...]:
    """What a human should know about HOLD.md: its own problems, and the passages that hold everything."""
    text = [
        Problem(HOLD, hold.line, "this fits no form dory knows, so it holds everything until you mark it")
        for hold in found
        if hold.kind == "text"
    ]
    return (*document.problems, *text)
