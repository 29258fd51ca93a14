"""A settings file as JSON with comments and trailing commas, and as spans. Pure.

Adding puts text in and takes none away; taking out is its inverse. So all else in the file stays to the byte.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_DEEPEST = 100


class JsoncError(Exception):
    """The text is no JSON even with comments. `line` counts from 1."""

    def __init__(self, text: str, position: int, what: str) -> None:
        super().__init__(what)
        self.line = text.count("\n", 0, position) + 1


@dataclass(slots=True)
class Value:
    """A value and its span. Of an object, `keys` has a name and its start for each item; `commas` where one follows."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    scalar: Any = None
    items: list[Value] = field(default_factory=list)
    keys: list[tuple[str, int]] = field(default_factory=list)
    commas: list[int | None] = field(default_factory=list)

    @property
    def plain(self) -> Any:
        """The value as Python's own. Of a key that stands twice the last one counts, as for every reader of JSON."""
        if self.kind == "object":
            return {name: item.plain for (name, _), item in zip(self.keys, self.items, strict=True)}
        return [item.plain for item in self.items] if self.kind == "array" else self.scalar

    def get(self, name: str) -> Value | None:
        return next(
            (item for (key, _), item in reversed(list(zip(self.keys, self.items, strict=True))) if key == name), None
        )

    def begins(self, index: int) -> int:
        """Where an item begins: at its key in an object."""
        return self.keys[index][1] if self.kind == "object" else self.items[index].start


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says, and whether it is more than plain JSON."""

    root: Value
    comment: int | None
    """The line of the first comment."""
    trailing: int | None
    """The line of the first comma before a closing bracket."""


def read(text: str, form: type[Reader] | None = None) -> Reading:
    """Read a text, in another form of JSON where one is given. JsoncError says what is wrong and on which line."""
    reader = (form or Reader)(text)
    root = reader.value(0)
    reader.blank()
    if reader.position < len(text):
        raise JsoncError(text, reader.position, "something stands after the end of the value")
    return Reading(root, reader.comment, reader.trailing)


class Reader:
    """Reads a text from its start on. `json5` has a form of its own: other blanks, quotes, scalars and names."""

    BLANK = re.compile(r"[ \t\r\n]+|//[^\n]*|/\*.*?\*/", re.DOTALL)
    STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
    QUOTES: tuple[str, ...] = ('"',)

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 1 if text.startswith("\ufeff") else 0
        self.comment: int | None = None
        self.trailing: int | None = None

    def blank(self) -> None:
        while (match := self.BLANK.match(self.text, self.position)) is not None:
            if match[0][0] == "/" and self.comment is None:
                self.comment = self.text.count("\n", 0, match.start()) + 1
            self.position = match.end()

    def value(self, depth: int) -> Value:
        self.blank()
        if depth > _DEEPEST:
            raise JsoncError(self.text, self.position, "it is nested too deeply")
        char = self.text[self.position : self.position + 1]
        if char in ("{", "["):
            return self._container("object" if char == "{" else "array", depth)
        start = self.position
        scalar = self.quoted() if char in self.QUOTES else self.bare()
        return Value("scalar", start, self.position, scalar)

    def bare(self) -> Any:
        """A number, true, false or null."""
        if (match := _SCALAR.match(self.text, self.position)) is None:
            ends = self.position == len(self.text)
            raise JsoncError(self.text, self.position, "it ends before its value" if ends else "a value is missing")
        self.position = match.end()
        try:
            return json.loads(match[0])
        except ValueError as error:
            raise JsoncError(self.text, match.start(), "a number has too many digits") from error

    def quoted(self) -> str:
        """A text in quotes."""
        if (match := self.STRING.match(self.text, self.position)) is None:
            raise JsoncError(self.text, self.position, "a text is never closed")
        self.position = match.end()
        return self.decoded(match[0])

    def decoded(self, said: str) -> str:
        try:
            return str(json.loads(said))
        except ValueError as error:
            what = "a text has a character or an escape that JSON does not know"
            raise JsoncError(self.text, self.position - len(said), what) from error

    def _container(self, kind: Literal["object", "array"], depth: int) -> Value:
        made = Value(kind, self.position, self.position)
        close = "}" if kind == "object" else "]"
        self.position += 1
        while True:
            self.blank()
            if self.text.startswith(close, self.position):
                self.position += 1
                made.end = self.position
                if made.commas and (comma := made.commas[-1]) is not None and self.trailing is None:
                    self.trailing = self.text.count("\n", 0, comma) + 1
                return made
            if made.items and made.commas[-1] is None:
                raise JsoncError(self.text, self.position, f"a comma or `{close}` is missing")
            if kind == "object":
                self._key(made)
            made.items.append(self.value(depth + 1))
            self.blank()
            made.commas.append(self.position if self.text.startswith(",", self.position) else None)
            self.position += made.commas[-1] is not None

    def _key(self, made: Value) -> None:
        start = self.position
        made.keys.append((self.name(), start))
        self.blank()
        if not self.text.startswith(":", self.position):
            raise JsoncError(self.text, self.position, f"a colon is missing after `{made.keys[-1][0]}`")
        self.position += 1

    def name(self) -> str:
        """The name of a member."""
        if not self.text.startswith(self.QUOTES, self.position):
            raise JsoncError(self.text, self.position, "a name in quotes is missing")
        return self.quoted()


# --- adding


@dataclass(slots=True)
class Edited:
    """A text to which things were added, and the spans of what was added."""

    text: str
    added: list[tuple[int, int]] = field(default_factory=list)

    def insert(self, position: int, text: str) -> None:
        """Put text in. Spans behind it move, the one around it grows."""
        size, inside = len(text), False
        spans = []
        for start, end in self.added:
            inside = inside or start < position < end
            moved = size if start >= position else 0
            spans.append((start + moved, end + (size if end > position else 0)))
        self.added = spans if inside else [*spans, (position, position + size)]
        self.text = self.text[:position] + text + self.text[position:]


def put(edited: Edited, container: Value, key: str | None, what: object) -> None:
    """Add a value at the end of an array, or under a key at the end of an object, in the manner of the file."""
    text = edited.text
    newline = "\r\n" if "\r\n" in text else "\n"
    head = "" if key is None else f"{json.dumps(key)}: "
    inside = text[container.start : container.end]
    if "\n" not in text.strip() or (container.items and "\n" not in inside):
        _put_beside(edited, container, head + json.dumps(what))
        return
    outer = _indent_of_line(text, container.start)
    unit = _unit(text)
    inner = outer + unit
    if container.items:
        own = _indent_before(text, container.begins(0))
        inner = inner if own is None else own
    lines = json.dumps(what, indent=unit).split("\n")
    said = newline + inner + head + (newline + inner).join(lines)
    if not container.items:
        edited.insert(container.start + 1, said if "\n" in inside else said + newline + outer)
        return
    comma = container.commas[-1]
    after = container.items[-1].end if comma is None else comma + 1
    edited.insert(_end_of_remark(text, after), said + ("" if comma is None else ","))
    if comma is None:
        edited.insert(container.items[-1].end, ",")


def _put_beside(edited: Edited, container: Value, said: str) -> None:
    if not container.items:
        edited.insert(container.start + 1, said)
        return
    comma = container.commas[-1]
    if comma is None:
        edited.insert(container.items[-1].end, f", {said}")
    else:
        edited.insert(comma + 1, f" {said},")


def _indent_of_line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    line = text[start:position].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_before(text: str, position: int) -> str | None:
    """The white space between the start of the line and a position, when nothing else stands there."""
    start = text.rfind("\n", 0, position) + 1
    return text[start:position] if start and not text[start:position].strip(" \t") else None


def _unit(text: str) -> str:
    """One step of indentation, as the first indented line of the file has it."""
    match = re.search(r"\n([ \t]+)(?:[\"'\[{]|[\w$]+\s*:)", text)
    return match[1] if match is not None else "  "


def _end_of_remark(text: str, position: int) -> int:
    """Where what belongs to a line ends: after the comments that stand behind a value on its line."""
    while True:
        ahead = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\n]*?\*/)").match(text, position)
        if ahead is None:
            return position
        position = ahead.end()


# --- taking out


def cut(text: str, spans: list[tuple[int, int]]) -> str:
    """A text without its spans, which do not overlap."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def without(text: str, container: Value, index: int) -> list[tuple[int, int]]:
    """The spans to cut for taking an item out of its container, with the comma and the line that came with it."""
    begin, end, comma = container.begins(index), container.items[index].end, container.commas[index]
    if comma is not None and index < len(container.items) - 1:
        behind = comma + 1  # what follows moves up to where this one stood
        while text[behind] in " \t\r\n":
            behind += 1
        return [(begin, behind)]
    before = container.commas[index - 1] if index else None
    lower = container.start + 1 if before is None else before + 1
    rest = text[end:] if comma is None else text[end:comma] + text[comma + 1 :]
    start = _after_remarks(text, lower, begin, rest)
    if comma is not None:  # a comma at the end, as the others of this file have it
        return [(start, end), (comma, comma + 1)]
    if before is not None:
        return [(before, before + 1), (start, end)]
    if start == container.start + 1 and not text[end : container.end - 1].strip():
        end = container.end - 1  # nothing else is left in it
    return [(start, end)]


def _after_remarks(text: str, lower: int, begin: int, rest: str) -> int:
    """Where what belongs to an item begins: behind the comments before it, whose own line ends stay."""
    start, line = lower, False
    position = lower
    while position < begin and (match := Reader.BLANK.match(text, position)) is not None:
        position = match.end()
        if match[0].startswith("/"):
            line = match[0].startswith("//")
            start = match.start() + len(match[0].rstrip("\r")) if line else position
    if line and re.match(r"[ \t]*\r?\n", rest) is None:
        start = text.index("\n", start) + 1
    return start


def remarks(text: str, container: Value) -> bool:
    """Whether comments stand in a container, outside of its items."""
    left = cut(text, [(container.begins(at), item.end) for at, item in enumerate(container.items)])
    inside = left[container.start : container.end - (len(text) - len(left))]
    return "/" in inside
