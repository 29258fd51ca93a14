"""Front matter as people and agents mostly write it, read without a YAML parser. Pure.

Importing yaml costs as much as starting Python, and a hook at the start of each session must do without it. What is
read here is read just as the parser would (a property test holds them together); whatever is less than certain is None:
a rare escape, a text over several lines, a comment, a mapping in a list, and all that is an error.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Path: TypeAlias = tuple[str | int, ...]

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +(.*))?")
_QUOTED = re.compile(r"'([^']*)'")
_ESCAPE = re.compile(r"\\(?![\"\\nt])")
"""An escape of JSON that YAML may know otherwise."""
# No sign that YAML gives a meaning to may begin a plain text, and neither `: ` nor ` #` stand in one.
_PLAIN = re.compile(r"(?:[^\W_]|[/.~_+(]|-(?=\d))(?:[^:#]|:(?=[^ ])|(?<! )#)*")
_ITEM = r"(?:'[^']*'|[A-Za-z0-9_./+-]*[A-Za-z0-9_/+])"
_LIST = rf"\[ *(?:{_ITEM} *(?:, *{_ITEM} *)*)?\]"  # compiled when one is met, which is seldom
_NAME = re.compile(r"[\w./ -]{1,64}")
_DEPTH = 8


def read(text: str, scalar: Callable[[str], Any]) -> tuple[dict[str, Any], dict[Path, int]] | None:
    """(values, the line of each) of front matter; None when it takes a parser to be sure.

    `scalar` gives the value of a text without quotes. Lines count from the first of the file, which is the marker's.
    """
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable():
        return None
    reader = _Reader(text.split("\n"), scalar)
    try:
        values = reader.mapping((), reader.indent(), 0)
    except _UnsureError:
        return None
    return (values, reader.lines) if reader.at == len(reader.rows) else None


class _UnsureError(Exception):
    """It takes a parser."""


class _Reader:
    def __init__(self, texts: list[str], scalar: Callable[[str], Any]) -> None:
        self.rows = [(number, text.rstrip(" ")) for number, text in enumerate(texts, start=2) if text.strip(" ")]
        self.at = 0
        self.scalar = scalar
        self.lines: dict[Path, int] = {}

    def indent(self) -> int:
        """How far the next line is indented; -1 behind the last."""
        if self.at == len(self.rows):
            return -1
        text = self.rows[self.at][1]
        return len(text) - len(text.lstrip(" "))

    def mapping(self, path: Path, indent: int, depth: int) -> dict[str, Any]:
        """The `key: value` lines from here on that are indented alike, with all that belongs to them."""
        if depth > _DEPTH or indent < 0:
            raise _UnsureError
        found: dict[str, Any] = {}
        self.lines[path] = self.rows[self.at][0]
        while self.indent() == indent:
            line, text = self.rows[self.at]
            match = _KEY.fullmatch(text, indent)
            if match is None or match[1] in found:
                raise _UnsureError
            self.at += 1
            place = (*path, match[1])
            self.lines[(*path, "?")] = line
            found[match[1]] = self.value(match[2] or "", place, line) if match[2] else self._below(place, indent, depth)
            self.lines[place] = line
        if self.indent() > indent:
            raise _UnsureError
        return found

    def _below(self, path: Path, indent: int, depth: int) -> Any:
        """What stands on the lines below a key: a mapping, a list, or nothing."""
        inner = self.indent()
        if inner >= indent and self.rows[self.at][1].startswith("- ", inner):
            return self._sequence(path, inner)
        return self.mapping(path, inner, depth + 1) if inner > indent else self.scalar("")

    def _sequence(self, path: Path, indent: int) -> list[Any]:
        found: list[Any] = []
        while self.indent() == indent and self.rows[self.at][1].startswith("- ", indent):
            line, text = self.rows[self.at]
            self.at += 1
            found.append(self.value(text[indent + 2 :].lstrip(" "), (*path, len(found)), line))
        if self.indent() > indent:
            raise _UnsureError
        return found

    def value(self, said: str, path: Path, line: int) -> Any:
        """A value that ends with its line."""
        self.lines[path] = line
        if (quoted := _QUOTED.fullmatch(said)) is not None:
            return quoted[1]
        if said[0] in '"[{' and _ESCAPE.search(said) is None and (found := _json(said, self.scalar)):
            return self._placed(found[0], path, line)
        if said[0] == "[" and re.fullmatch(_LIST, said):
            items = re.findall(_ITEM, said)
            return [self.value(item, (*path, number), line) for number, item in enumerate(items)]
        if _PLAIN.fullmatch(said) and not said.endswith(":"):
            return self.scalar(said)
        raise _UnsureError

    def _placed(self, value: Any, path: Path, line: int) -> Any:
        """A value with all that is in it on one line."""
        if len(path) > _DEPTH:
            raise _UnsureError
        self.lines[path] = line
        for key, inner in value.items() if isinstance(value, dict) else ():
            self.lines[(*path, "?")] = line
            self._placed(inner, (*path, key), line)
        for number, inner in enumerate(value if isinstance(value, list) else ()):
            self._placed(inner, (*path, number), line)
        return value


def _json(text: str, scalar: Callable[[str], Any]) -> tuple[Any] | None:
    """The value of a text that is JSON too; None for any other."""
    import json

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs) or any(not _NAME.fullmatch(key) for key, _ in pairs):
            raise ValueError
        return dict(pairs)

    def constant(_: str) -> Any:
        raise ValueError

    try:
        return (
            json.loads(text, parse_int=scalar, parse_float=scalar, parse_constant=constant, object_pairs_hook=members),
        )
    except (ValueError, RecursionError):
        return None
