"""Holds, the task and decisions: what stands in HOLD.md, ACTIVE.md and DECISIONS.md. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime

from dory_tui.values import dataclass, replace
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, Problem, encode
from dory_tui.workspace.layout import ACTIVE, DECISIONS, HOLD
from dory_tui.workspace.timestamps import parse_stamp

CANONICAL_DASH = " — "
_DASH = re.compile(r" (?:—|–|--|-) ")
_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[(?P<tick>[ xX])\]\s*(?P<text>.*)$")

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Generic, Literal, TypeVar

    Entry = TypeVar("Entry")
    HoldKind = Literal["stamp", "text", "file"]
else:
    Entry = None

    class Generic:
        """typing.Generic at run time, where nobody asks it for anything."""

        __class_getitem__ = classmethod(lambda cls, _: cls)


@dataclass(frozen=True, slots=True)
class Hold:
    """One thing that is blocked.

    `stamp` has a subject and covers what `gate.covering` says; `text` is a passage that fits no form, and
    `file` a HOLD.md that cannot be trusted: those hold everything.
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

    @property
    def handle(self) -> str:
        """The short name a person types: the first eight digits of the hash."""
        return self.hash[:8]

    @property
    def everything(self) -> bool:
        return self.kind != "stamp"


@dataclass(frozen=True, slots=True)
class Task:
    """The current task, in the user's exact words."""

    said: str
    interpretation: str
    steps: tuple[tuple[bool, str], ...]
    line: int

    @property
    def done(self) -> int:
        return sum(ticked for ticked, _ in self.steps)


@dataclass(frozen=True, slots=True)
class Decision:
    """One stamp line of DECISIONS.md."""

    item: str
    reason: str
    when: datetime | None
    session: str | None
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading(Generic[Entry]):
    """What a state file holds: its entries, and the passages that fit no canonical form."""

    document: Document
    entries: tuple[Entry, ...]
    text: tuple[Problem, ...]

    @property
    def recognised(self) -> bool:
        """False when the file has content of its own and none of it is an entry: it is shown as text."""
        return bool(self.entries) or not self.text


def hold_hash(source: str) -> str:
    """The hash of a hold's own words: its stamp line without bullet, or its passage."""
    return hashlib.sha256(encode(source.strip())).hexdigest()


def holds(document: Document) -> list[Hold]:
    """Every hold of HOLD.md, erring towards holding (gate.md, "Holds").

    Stamp and date lines are found by a scan over unmasked lines, whatever a Markdown parser would make of
    them. Every other passage outside introductions, examples and "nothing here" is a hold over everything.
    """
    if (line := document.conflicted) is not None:
        return [_file_hold(line, "HOLD.md has merge conflict markers")]
    found: list[Hold] = []
    cut = shapes.sections(document)
    # What stands before the first heading, or between the title and its first sub-heading, introduces the file. A
    # first section that is neither, as on a board, is read like any other.
    first = next((n for n, section in enumerate(cut) if section.heading is not None), len(cut))
    for number, section in enumerate(cut):
        title = number == first and section.level == 1
        deeper = number + 1 < len(cut) and cut[number + 1].level > section.level
        found.extend(_section_holds(section, introduction=deeper and (number < first or title), title=title))
    found.extend(_front_holds(document))
    return sorted(found, key=lambda hold: hold.line)


def _front_holds(document: Document) -> list[Hold]:
    """Stamp lines between two rules at the top of the file, which only look like front matter."""
    seen = (replace(line, shown=line.text) for line in document.lines if line.mask == "front")
    stamps = [stamp for line in seen if (stamp := shapes.stamp(line)) is not None]
    return [_stamp_hold(stamp, (stamp.line,)) for stamp in stamps if not shapes.unfilled(stamp)]


def _section_holds(section: shapes.Section, introduction: bool, title: bool) -> list[Hold]:
    found: list[Hold] = []
    if section.under(shapes.RESOLVED_TITLES):
        return found
    example = section.under(shapes.EXAMPLE_TITLES)
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
            found.append(_stamp_hold(found_stamp, lines[index:stop]))
        index = stop
    if example:
        return found
    passages = [run for run in _passages(rest) if not _ignorable(run, introduction)]
    named = section.heading is not None and not title and not _structural(section)
    said_none = not passages and any(shapes.is_nothing(line.shown) for line in rest)
    if named and not found and not said_none and section.heading is not None:
        whole = (section.heading, *(line for run in passages for line in run))
        found.append(_text_hold(whole))
    else:
        found.extend(_text_hold(run) for run in passages)
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
        shapes.is_quote(line.shown)
        or shapes.is_italic(line.shown)
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
    subject, _, reason = _split_reason(found.text)
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


def restore_hold(source: str) -> Hold:
    """A hold that is only remembered: from the words the ledger kept, its line being gone from HOLD.md."""
    line = Line(0, 0, 0, 0, source, "", source)
    found = shapes.stamp(line) if "\n" not in source else None
    if found is not None:
        hold = _stamp_hold(found, (line,))
        return replace(hold, present=False, line=0, span=(0, 0))
    return Hold("text", hold_hash(source), source, source, "", None, None, 0, (0, 0), present=False)


def _split_reason(text: str) -> tuple[str, str, str]:
    """(subject, dash, reason); the canonical dash decides where there is one."""
    if CANONICAL_DASH in text:
        return _parts(text.partition(CANONICAL_DASH))
    match = _DASH.search(text)
    if match is None:
        return text.strip(), "", ""
    return text[: match.start()].strip(), match[0], text[match.end() :].strip()


def _parts(parts: tuple[str, str, str]) -> tuple[str, str, str]:
    return parts[0].strip(), parts[1], parts[2].strip()


def _text_hold(lines: Sequence[Line]) -> Hold:
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


def read_holds(document: Document) -> Reading[Hold]:
    """HOLD.md as the review shows it; passages that fit no form are also listed as text, with the sentence."""
    found = holds(document)
    text = [
        Problem(
            HOLD,
            hold.line,
            "this fits no form dory knows, so it holds everything until you mark it",
        )
        for hold in found
        if hold.kind == "text"
    ]
    return Reading(document, tuple(found), (*document.problems, *text))


def read_decisions(document: Document) -> Reading[Decision]:
    """The stamp lines of DECISIONS.md in the file's order; what stands between them is text."""
    entries: list[Decision] = []
    text: list[Problem] = list(document.problems)
    for section in shapes.sections(document):
        example = section.under(shapes.EXAMPLE_TITLES)
        for run in shapes.blocks(section.lines):
            before = len(entries)
            entries.extend(_decisions(run))
            introduction = section.level <= 1 and not any(shapes.is_bullet(ln.shown) for ln in run)
            if len(entries) == before and not example and not _ignorable(run, introduction):
                text.append(Problem(DECISIONS, run[0].number, "no decision line, shown as text"))
    return Reading(document, tuple(entries), tuple(text))


def _decisions(run: Sequence[Line]) -> list[Decision]:
    found = []
    for line in run:
        parsed = shapes.stamp(line)
        if parsed is None or shapes.unfilled(parsed):
            continue
        item, _, reason = _split_reason(parsed.text)
        moment = parse_stamp(parsed.day, parsed.time)
        found.append(Decision(item, reason, moment, parsed.session, line.number, parsed.source))
    return found


def read_task(document: Document) -> Reading[Task]:
    """ACTIVE.md in its canonical form: at most one task; anything else is text."""
    for section in shapes.sections(document):
        if section.under(shapes.EXAMPLE_TITLES):
            continue
        labels = [(n, shapes.label(line)) for n, line in enumerate(section.lines)]
        said_at = next((n for n, found in labels if found and found[0] == "user said"), None)
        if said_at is not None:
            return _task(document, section, said_at)
    text: list[Problem] = list(document.problems)
    for section in shapes.sections(document):
        if section.under(shapes.EXAMPLE_TITLES):
            continue
        for run in shapes.blocks(section.lines):
            if not _ignorable(run, introduction=section.level <= 1):
                text.append(Problem(ACTIVE, run[0].number, "no `**User said:**` line, shown as text"))
    return Reading(document, (), tuple(text))


def _task(document: Document, section: shapes.Section, said_at: int) -> Reading[Task]:
    said = _label_text(section.lines, said_at)
    words = _unquote(said)
    if not words or shapes.is_nothing(words) or shapes.is_slot(words):
        return Reading(document, (), document.problems)
    interpretation = ""
    for index, line in enumerate(section.lines):
        found = shapes.label(line)
        if found and found[0] == "interpretation":
            interpretation = _label_text(section.lines, index)
    steps = [
        (box["tick"] != " ", box["text"].strip())
        for line in section.lines
        if (box := _BOX.match(line.shown)) is not None
    ]
    if shapes.is_nothing(interpretation) or shapes.is_slot(interpretation):
        interpretation = ""
    task = Task(words, interpretation, tuple(steps), section.lines[said_at].number)
    return Reading(document, (task,), document.problems)


def _label_text(lines: Sequence[Line], index: int) -> str:
    """A label's value with the lines it runs on over, up to the next label, box or blank line after text."""
    found = shapes.label(lines[index])
    parts = [found[1]] if found else []
    said = [part for part in parts if part]
    for line in lines[index + 1 :]:
        stops = shapes.label(line) is not None or _BOX.match(line.shown) or shapes.is_rule(line.shown)
        if stops or (line.blank and said and not _open_quote(said)):
            break
        parts.append(line.shown.strip())
        said += parts[-1:] if parts[-1] else []
    return "\n".join(parts).strip()


def _open_quote(said: Sequence[str]) -> bool:
    """Whether words that begin with a quotation mark have not met the closing one yet."""
    if said[0][0] == "“":
        return not any("”" in part for part in said)
    return said[0][0] == '"' and (said[-1][-1] != '"' or said == ['"'])


def _unquote(text: str) -> str:
    inner = text.strip()
    if len(inner) > 1 and (inner[0], inner[-1]) in (('"', '"'), ("“", "”"), ("«", "»"), ("„", "“")):
        inner = inner[1:-1]
    return inner.strip()
