"""Entries made out of headings and passages: a heading block, a list item, a table row, a label block. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dory_tui.values import dataclass, replace
from dory_tui.workspace import dates, passages, shapes, vocabulary, words
from dory_tui.workspace.document import Document, Line
from dory_tui.workspace.headings import Node, id_of, stated, uncounted
from dory_tui.workspace.passages import Passage

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Literal

    Slot = Literal["hold", "active", "staging", "decisions", "memory", "daily"]
    Shape = Literal["stamp", "heading", "bullet", "row", "labels", "prose", "file"]

_SLOT = re.compile(r"^\s*\[[^\]]{1,120}\](?!\()\s*%?\s*$")
PARENTHESIS = re.compile(r"^\s*[(（].*[)）]\s*$")
_BRACKETED = re.compile(r"^\s*[(_*\[]+(?:nothing|none)(?: [\w-]+){0,3}[.)_*\]]+\s*$", re.IGNORECASE)
"""`(nothing waiting yet)`: in brackets or italics a few words after "nothing" say no more than that."""
_DECORATED = re.compile(r"^[*_~`]+(?=[\[【])")
_BOX_MARKS = re.compile(r"^[✅☑✔]️?\s*")
_NESTED = re.compile(r"^\s+(?:[-*+•]|\d{1,9}[.)])\s+\[(?P<tick>[ xX])\]\s*(?P<text>.*)$")
TITLES = frozenset(
    {"title", "name", "task", "subject", "reason", "text", "decision", "what", "draft", "post", "titel", "标题"}
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as the file writes it. `lines` are all of its lines, in order, without a gap."""

    shape: Shape
    title: str
    lines: tuple[Line, ...]
    resolved: bool = False
    proposed: bool = False
    status: str = ""
    """The status word as the file spells it; "" where there is none."""
    conflict: str = ""
    """A sentence, where a field and the section it stands in, or a box, say different things."""
    fields: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[bool, str], ...] = ()
    stamp: shapes.Stamp | None = None
    head: tuple[str, ...] = ()
    """The column names, for a row."""
    when: dates.Moment | None = None
    """The date it bears: in its first line, a field, or the heading it stands below."""

    @property
    def line(self) -> int:
        return self.lines[0].number

    @property
    def span(self) -> tuple[int, int]:
        """Bytes of the entry, line ends included."""
        return self.lines[0].start, self.lines[-1].stop

    @property
    def text(self) -> str:
        """Its words as they stand, without blank lines at the ends."""
        return "\n".join(line.text.rstrip() for line in self.lines).strip()


class Maker:
    """Makes the entries of one file, and remembers what is none."""

    def __init__(self, document: Document, slot: Slot) -> None:
        self.document = document
        self.slot = slot
        self.entries: list[Entry] = []
        self.rest: list[Passage] = []
        self.beside: list[Passage] = []
        self.said_nothing = False
        self.notes = slot in ("memory", "daily")
        self.quiet: set[int] = set()
        self.days: list[dates.Moment] = []
        self.guessed: set[int] = set()
        """Lines of entries whose section says nothing of what stands in it."""
        self.told_first: set[int] = set()
        """Lines of headings that are entries for being told in prose alone."""
        self.strong: dict[int, bool] = {}
        self.judged: dict[int, bool] = {}
        self.beside_each_other: dict[int, tuple[int, int, int]] = {}
        """What is known of a heading or of a list of them, by their identity: each is looked at once."""
        self.listing = False
        """Whether the file's title says that what stands in it are tasks."""

    def _heading(self, node: Node, resolved: bool) -> Entry | None:
        fields = tuple(field for part in node.parts for field in part.fields)
        more = tuple(field for kid in node.kids for part in kid.parts for field in part.fields)
        steps = tuple(step(part) for one in node.walk() for part in one.parts if part.box is not None)
        state, word = stated(fields, node.title)
        if self._idle(word, fields):
            self.said_nothing = True
            return None
        conflict = ""
        if state:
            over = self._over(state)
            if resolved and not over and state == "open":
                conflict = f"it stands among what is over, and says {word}"
            if not over and steps and all(done for done, _ in steps) and state == "open":
                conflict = f"every step is ticked, and it says {word}"
        else:
            over = resolved or (self.slot == "active" and bool(steps) and all(done for done, _ in steps))
        if any(words.resolving(name, value) for name, value in (*fields, *more)) and self.slot != "decisions":
            over, conflict = True, ""
        if shapes.struck(uncounted(node.title)) or self._approved_long_ago(resolved, word):
            over, conflict = True, ""
        lines = trimmed([*node.all_lines()])
        return Entry(
            "heading", node.title, lines, over, state == "proposed", word, conflict, fields, steps,
        )  # fmt: skip

    def _approved_long_ago(self, resolved: bool, word: str) -> bool:
        """Whether a draft says approved and stands among what is over."""
        return resolved and self.slot == "staging" and words.plain(word) in vocabulary.APPROVED

    def _over(self, state: str) -> bool:
        """Whether a state means that the entry is over; a decision that was carried out still stands."""
        if self.slot == "decisions":
            return state in ("superseded", "rejected")
        if self.slot == "hold":  # what somebody else rejected blocks on
            return state in ("resolved", "superseded")
        return state in ("resolved", "superseded", "rejected")

    def _label_block(self, node: Node, content: Sequence[Passage], resolved: bool) -> Entry | None:
        """One thing told in labels below a heading that names no thing: `## Current Project` and `- **Task**: …`."""
        if self.slot not in ("active", "hold") or node.heading is None or len(content) < 3:
            return None
        fields = tuple(field for part in content for field in part.fields)
        led = [part for part in content if part.field or (part.box is None and passages.bold_lead(part.first))]
        if len(fields) < 2 or len(led) * 5 < len(content) * 4 or node.kids:
            return None
        state, word = stated(fields, node.title)
        if self._idle(word, fields):
            self.said_nothing = True
            return None
        title = next((v for n, v in fields if words.plain(n) in TITLES), node.title)
        lines = trimmed([line for part in content for line in part.lines])
        first, last = lines[0].number, lines[-1].number
        whole = tuple(line for line in node.lines if first <= line.number <= last)
        over = self._over(state) if state else resolved
        return Entry("labels", title, whole, over, state == "proposed", word, "", fields)

    def _label_groups(self, content: Sequence[Passage], resolved: bool) -> list[Entry] | None:
        """Entries told in labels without headings: the first label begins one, wherever it comes again."""
        if self.notes or len(content) < 4 or any(part.form not in ("label", "prose") for part in content):
            return None
        names = [words.plain(found[0]) if (found := passages.labelled(part.first)) else "" for part in content]
        if not names[0] or names.count(names[0]) < 2 or names.count("") * 2 > len(names):
            return None
        starts = [at for at, name in enumerate(names) if name == names[0]]
        made = []
        for first, stop in zip(starts, [*starts[1:], len(content)], strict=True):
            made.append(self._label_group(content[first:stop], resolved))
        return made

    def _label_group(self, parts: Sequence[Passage], resolved: bool) -> Entry:
        fields = tuple(found for part in parts for line in part.lines if (found := passages.labelled(line)) is not None)
        state, word = stated(fields, "")
        over = self._over(state) if state else resolved
        over = over or any(words.resolving(name, value) for name, value in fields)
        title = next((value for name, value in fields if words.plain(name) in TITLES and value), fields[0][1])
        first, last = parts[0].first.number, parts[-1].lines[-1].number
        lines = tuple(line for line in self.document.lines if first <= line.number <= last)
        return Entry("labels", title, lines, over, state == "proposed", word, "", fields)

    def _idle(self, word: str, fields: Iterable[tuple[str, str]]) -> bool:
        """Whether a task's status, or what it names as the task, says that there is none."""
        if self.slot != "active":
            return False
        said = [value for name, value in fields if words.plain(name) in vocabulary.STATUS_FIELDS]
        said = said or [value for name, value in fields if words.plain(name) in vocabulary.TASK_FIELDS]
        return any(words.says_nothing(value) for value in [word, *said] if value)

    def _skipped(self, part: Passage) -> bool:
        """An introduction, a footer, a slot of the template."""
        if part.form == "fence":
            return False
        if (
            self.slot != "hold"
            and part.form == "prose"
            and PARENTHESIS.match(part.first.shown)
            and len(part.lines) == 1
        ):
            return True
        return all(
            line.mask == "comment"
            or line.blank
            or shapes.is_italic(line.shown)
            or shapes.is_footer(line.shown)
            or self._slot(line)
            for line in part.lines
        )

    def _slot(self, line: Line) -> bool:
        """An unfilled slot. In HOLD.md only those of the template: what only looks like one may be meant."""
        return shapes.is_placeholder(line.shown) if self.slot == "hold" else unfilled(line)

    def _nothing(self, part: Passage) -> bool:
        if part.form == "row":
            values = passages.cells(part.first.shown)
            filled = [one for one in values if one and not words.says_nothing(one) and not shapes.is_placeholder(one)]
            return not filled or (len(filled) == 1 and filled[0] == values[0] and len(values) > 2)
        if part.form in ("stamp", "fence"):
            return False
        first = part.first.shown
        if part.form == "bullet" and len(part.lines) > 1:
            return False
        if part.form == "prose" and _BRACKETED.match(first) is not None:
            return True
        return shapes.is_nothing(first) or (part.form == "prose" and words.says_nothing(inner(first)))

    def _stamp(self, part: Passage, resolved: bool) -> Entry | None:
        assert part.stamp is not None
        if shapes.unfilled(part.stamp):
            return None
        return Entry("stamp", part.stamp.text, part.lines, resolved, stamp=part.stamp)

    def _bullet(self, part: Passage, resolved: bool) -> Entry | None:
        source = shapes.strip_marks(part.first.shown)
        title = source if self.slot == "memory" else _BOX_MARKS.sub("", source)
        if not title.strip():
            return None
        over, status, conflict = self._bullet_state(part, source, title, resolved)
        steps = tuple(step for line in part.lines[1:] if (step := nested_step(line)) is not None)
        return Entry("bullet", title, part.lines, over, False, status, conflict, (), steps)

    def _bullet_state(self, part: Passage, source: str, title: str, resolved: bool) -> tuple[bool, str, str]:
        """(over, raw status, conflict) of a list item: by a nested status, its own words, its box, its section."""
        struck = shapes.struck(part.first.shown)
        nested = next(
            (field[1] for line in part.lines[1:] for field in passages.known_fields(line) if _is_status(field)), ""
        )
        state, word = (words.condition(nested), nested) if nested and words.condition(nested) else ("", "")
        if not state and self.slot not in ("memory", "daily"):
            state, word = words.in_heading(_DECORATED.sub("", source))
        ticked = title != source and not words.hedged(title)
        if part.box == " " and resolved and not state:
            return False, word, "its box is open, and it stands among what is over"
        if self.slot == "decisions":
            return resolved or struck or self._over(state), word, ""
        if state and state != "proposed":
            return self._over(state) or struck or part.box == "x", word, ""
        return resolved or struck or part.box == "x" or ticked, "✅" if ticked else word, ""

    def _row(self, node: Node, part: Passage, resolved: bool) -> Entry | None:
        values = passages.cells(part.first.shown)
        if not self.notes and not self._table_counts(node, part):
            self.rest.append(part)
            return None
        fields = tuple(zip(part.head, values, strict=False))
        word = next((value for name, value in fields if words.plain(name) in vocabulary.STATUS_FIELDS), "")
        state = words.condition(word) if word else ""
        struck = any(shapes.struck(value) for value in values if value)
        over = self._over(state) if state else resolved
        title = row_title(fields, values)
        return Entry(
            "row",
            title,
            part.lines,
            over or struck,
            state == "proposed",
            word if state else "",
            "",
            fields,
            head=part.head,
        )

    def _table_counts(self, node: Node, part: Passage) -> bool:
        """Whether a table's rows are entries: by its column names, or by the section it stands in."""
        names = [words.plain(name) for name in part.head]
        if len(names) == 2 and names[1] in vocabulary.MEANING_COLUMNS:
            return False
        known = sum(name in vocabulary.COLUMNS or name.split(" ")[0] in vocabulary.COLUMNS for name in names if name)
        if self.slot == "active":
            return known >= 2 and any(name in vocabulary.TASK_COLUMNS for name in names)
        return known >= 1 or node.role in ("live", "todo", "resolved") or node.level <= 1

    def _prose(self, node: Node, parts: Sequence[Passage], resolved: bool) -> Entry:
        lines = list(node.all_lines()) if node.heading is not None and not node.kids else []
        first, last = parts[0].first.number, parts[-1].lines[-1].number
        kept = trimmed(lines) if lines else tuple(line for line in node.lines if first <= line.number <= last)
        title = node.title or first_words(kept)
        state, word = words.in_heading(node.title) if node.heading is not None else ("", "")
        words_of = [line.shown for part in parts for line in part.lines if not line.blank]
        struck = bool(words_of) and all(map(shapes.struck, words_of))
        over = self._over(state) if state else resolved or struck
        return Entry("prose", title, kept, over, state == "proposed", word)

    def _keep(self, entry: Entry) -> None:
        """Add an entry, with its date where a pane shows it."""
        if self.slot in ("hold", "decisions") and entry.stamp is None:
            entry = replace(entry, when=self._date(entry))
        self.entries.append(entry)

    def _date(self, entry: Entry) -> dates.Moment | None:
        """The date an entry bears: in its first line, a field, or the heading it stands below."""
        found = dates.find(entry.lines[0].shown) if entry.shape != "file" else dates.find(entry.title)
        if found is None:
            values = (value for name, value in entry.fields if words.plain(name) in vocabulary.DATE_FIELDS)
            found = next((day for value in values if (day := dates.find(value)) is not None), None)
        return found or (self.days[-1] if self.days else None)

    def _hush(self, lines: Iterable[Line]) -> None:
        self.quiet.update(line.number for line in lines)


def unfilled(line: Line) -> bool:
    """A slot of a template: `[Item Name]`, `**Goal:** [what to do]`, `- [X]%`."""
    if shapes.is_placeholder(line.shown):
        return True
    if "[" not in line.shown:
        return False
    field = passages.labelled(line)
    own = shapes.strip_marks(line.shown)
    return any(_SLOT.match(text) is not None for text in (own, field[1] if field else ""))


def ids_in(entry: Entry) -> list[str]:
    """The ids that a row's first cells, or an item's first word, are; a bare number as it is."""
    if entry.shape == "row":
        first = [value.strip("*`[ ") for value in passages.cells(entry.lines[0].shown)[:3]]
        return [value if value.isdigit() and len(value) > 2 else id_of(value) for value in first]
    return [id_of(entry.title.strip("*`[ "))]


def _is_status(field: tuple[str, str]) -> bool:
    return words.plain(field[0]) in vocabulary.STATUS_FIELDS


def step(part: Passage) -> tuple[bool, str]:
    return part.box == "x", re.sub(r"^\[.\]\s*", "", shapes.strip_marks(part.first.shown))


def nested_step(line: Line) -> tuple[bool, str] | None:
    match = _NESTED.match(line.shown)
    return None if match is None else (match["tick"] != " ", match["text"].strip())


def row_title(fields: Sequence[tuple[str, str]], values: Sequence[str]) -> str:
    """The cells that say what a row is about: those of the known columns, else the longest."""
    for name, value in fields:
        if words.plain(name) in vocabulary.SUBJECT_COLUMNS and value:
            return shapes.strip_marks(value)
    telling = [value for value in values if not words.condition(value) and re.search(r"[^\W\d]", value)]
    return max(telling or values, key=len, default="")


def leads(part: Passage) -> bool:
    """Whether a paragraph only leads on to the list below it: `Waiting for Ana:`."""
    return part.lines[-1].shown.rstrip(" *_").endswith((":", "："))


def first_words(lines: Sequence[Line]) -> str:
    first = next((line.shown for line in lines if line.shown.strip()), "")
    return shapes.strip_marks(first).lstrip("# ").strip()


def inner(text: str) -> str:
    inner = shapes.strip_marks(text)
    for _ in range(3):
        if len(inner) > 1 and (inner[0], inner[-1]) in shapes.PAIRS:
            inner = inner[1:-1].strip()
    return inner.lstrip("(（*_[").strip()


def trimmed(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines without blank ones, a rule and a footer at the end."""
    last = len(lines)
    while last > 1 and (
        not lines[last - 1].text.strip()
        or (not lines[last - 1].mask and (shapes.is_rule(lines[last - 1].shown) or _footer(lines[last - 1].shown)))
    ):
        last -= 1
    return tuple(lines[:last])


def _footer(text: str) -> bool:
    return shapes.is_italic(text) and any(word in text.casefold() for word in ("updated", "更新", "aktualisiert"))
