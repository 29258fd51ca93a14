"""A file's headings as a tree, and what a title says of what stands below it: an id, a number, a date. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from dory_tui.values import dataclass
from dory_tui.workspace import dates, passages, shapes, vocabulary, words
from dory_tui.workspace.document import Document, Line
from dory_tui.workspace.passages import Passage

NUMBER = re.compile(
    r"^(?:#\s?\d{1,3}[.:)]?|No\.?\s?\d{1,3}[.:)]?|\d{1,3}\s*[.)、:：·]|\d{1,3}\s+[—–-]|\(\d{1,3}\)|\[\d{1,3}\]|[①-⑳]|[A-Z][.)])\s*\S"
)
_IDENT = re.compile(
    r"\[?(?:[A-Za-z]{1,12}[-_]?#?\d{1,6}(?:-[\w-]*\w)?|[A-Z][A-Z_]{1,14}(?:-[\w]+)*-\d+[\w-]*)\]?(?=\s*[:：.—–)\]-]|$|\s)"
    r"|\w{2,14} #?\d{1,6}(?=\s*[:：]|\s+[—–-]\s)"
)
_PIECE = re.compile(
    r"(?:step|phase|stage|part|chapter|section|option|day|tag|schritt|paso|etapa|шаг)\s?#?\d", re.IGNORECASE
)
_LEADING = re.compile(r"^[^\w\[#]+")
_GROUP = re.compile(r"^(?:week|sprint|month|quarter|q|year|kw|woche|semana|semaine|неделя)\s?#?\d", re.IGNORECASE)
BARE_DAY = re.compile(r"(?<![\d/.])\d{1,2}/\d{1,2}(?![\d/])|(?<!\d)\d{1,2}月\d{1,2}日")
PRIORITY = re.compile(r"^\W*(?:P|Priority |Priorität |Prioridad )\d\b", re.IGNORECASE)
CLOCK = re.compile(r"^\W*~?\d{1,2}[:：]\d{2}")
_DAY_WORDS = re.compile(
    r"[\W\d]|\b(?:mon|tue|wed|thu|fri|sat|sun)\w*\b|[年月日]|[周週]?[一二三四五六日]\b", re.IGNORECASE
)
_ID = re.compile(r"[A-Z][A-Za-z_]{0,14}-?\d[\w.-]*")
LISTS = frozenset({"live", "todo", "resolved", "rejected"})
CONTAINERS = frozenset({"live", "todo", "resolved", "rejected", "example", "about", "part"})
_TURN = re.compile(r"^(?:\*\*)?(?:user|assistant|human|system)(?:\*\*)?\s*[:：]", re.IGNORECASE)


@dataclass(slots=True)
class Node:
    """A heading with its own lines and the deeper headings below it."""

    level: int
    title: str
    heading: Line | None
    lines: tuple[Line, ...]
    parts: list[Passage]
    kids: list[Node]
    role: words.Role = ""
    """What its title says of what stands below; a title with an id of its own says nothing of the kind."""

    def all_lines(self) -> Iterator[Line]:
        if self.heading is not None:
            yield self.heading
        yield from self.lines
        for kid in self.kids:
            yield from kid.all_lines()

    def walk(self) -> Iterator[Node]:
        yield self
        for kid in self.kids:
            yield from kid.walk()


def tree(document: Document) -> Node:
    root = Node(0, "", None, (), [], [])
    path = [root]
    for section in shapes.sections(document):
        if section.heading is None:
            root.lines = section.lines
            root.parts = passages.cut(section.lines)
            continue
        node = Node(section.level, section.title, section.heading, section.lines, passages.cut(section.lines), [])
        node.role = _role(section.title)
        while path[-1].level >= section.level:
            path.pop()
        path[-1].kids.append(node)
        path.append(node)
    return root


def _role(title: str) -> words.Role:
    return "" if has_id(title) and not NUMBER.match(bare(title)) else words.role(title)


@lru_cache(maxsize=4096)
def has_id(title: str) -> bool:
    """Whether a title begins with an id or a number of its own: `ADR-0003 — …`, `2. Vendor form`, `[BLOCKER-007] …`."""
    own = bare(title)
    if _GROUP.match(own):
        return False
    if PRIORITY.match(own):
        return bool(re.match(r"^\W*\w+ ?\d\s*[:：—–-]\s*\S", own))
    return bool(NUMBER.match(own) or _IDENT.match(own))


def bare(title: str) -> str:
    """A title without the marks before its first word."""
    return _LEADING.sub("", title.strip())


@lru_cache(maxsize=4096)
def has_own_id(title: str) -> bool:
    """Whether a title begins with an id, not only with the number of a section or of a step."""
    own = bare(title)
    return has_id(title) and not NUMBER.match(own) and not _PIECE.match(own)


def id_of(title: str) -> str:
    """The id that a title begins with, such as `ADR-0003`; "" where there is none."""
    found = _ID.match(bare(title).lstrip("["))
    return found[0].rstrip(".-") if found and not PRIORITY.match(found[0]) else ""


@lru_cache(maxsize=4096)
def only_date(title: str) -> bool:
    """Whether a title is a day and nothing else, as one that groups entries is."""
    found = dates.find(title)
    if found is None:
        return False
    return not _DAY_WORDS.sub("", title[: found.start] + title[found.stop :]).strip()


_COUNTED = re.compile(r"^\W*(?:#\s?)?\d{1,3}\s*[.)、:：·—–-]\s*")


def uncounted(title: str) -> str:
    """A title without the number that it begins with."""
    return _COUNTED.sub("", title, count=1)


def stated(fields: Iterable[tuple[str, str]], title: str) -> tuple[words.Condition, str]:
    """(condition, raw word): a field beats the heading."""
    for name, value in fields:
        if words.plain(name) in vocabulary.STATUS_FIELDS and (state := words.condition(value)):
            return state, value
    return words.in_heading(uncounted(title))


def is_title(node: Node, root: Node, notes: bool) -> bool:
    """Whether a heading names the file and is no entry of it. In a log every first-level heading with more below is."""
    if node.level > 1 or (notes and not node.kids):
        return False
    return node is root.kids[0] or notes


def transcript(root: Node) -> bool:
    """Whether a log is what two said to each other, line by line."""
    turns = sum(_TURN.match(line.shown) is not None for node in root.walk() for line in node.lines)
    return turns > 1
