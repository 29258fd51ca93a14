"""Quotes, escapes and expansions of a shell: what a word says, and the commands inside of it. Pure.

What an expansion would give is not known: it stands in a word as `HOLE`.
"""

from __future__ import annotations

import re

from dory_tui.values import dataclass, field

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Self

HOLE = "\0"
"""Stands for what an expansion gives; no command line can hold this character itself."""
DEEPEST = 40
_QUOTED = re.compile(r"[^\"\\$`]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_ANSI = r"(?s)\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))"
_ANSI_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}


class ShellError(Exception):
    """The text ends inside of something, or is nested too deeply: what it would start is not known."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word. `open` when unquoted `*`, `?`, `[` or braces stand in it, or an unquoted `~` at its start."""

    text: str
    open: bool = False

    @property
    def known(self) -> bool:
        return HOLE not in self.text


@dataclass(slots=True)
class Command:
    """A simple command: its words, the files it writes to by `>`, and the text it is given by `<<` and `<<<`."""

    words: list[Word] = field(default_factory=list)
    writes: list[Word] = field(default_factory=list)
    fed: list[str] = field(default_factory=list)
    piped: bool = False
    """Whether its input is what another command prints."""
    defines: bool = False
    """Whether it is the head of a function, `name()`."""
    after: str = ""
    """The operator before it: `&&` when it only starts after the one before went well; "" for the first."""
    level: int = 1
    """1 where the script itself starts it, more inside of parentheses and substitutions."""


class Expansions:
    """A text with a place in it, and the word that is being read. What raises NotImplementedError is the reader's."""

    def __init__(self, text: str, variables: dict[str, str], depth: int) -> None:
        self.text, self.variables, self.depth = text, variables, depth - 1
        self.deeper()
        self.position = 0
        self.commands: list[Command] = []
        self.fresh()

    def script(self, end: str) -> None:
        raise NotImplementedError

    def nested(self, start: int) -> None:
        raise NotImplementedError

    def split(self, value: str) -> None:
        raise NotImplementedError

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ShellError("it is nested too deeply")

    # --- the word

    def fresh(self) -> None:
        self.buffer: list[str] = []
        self.started = self.quoted = self.open = False

    def add(self, text: str, quoted: bool = False) -> None:
        self.buffer.append(text)
        self.started = True
        self.quoted = self.quoted or quoted

    # --- quotes

    def escape(self) -> None:
        following = self.text[self.position : self.position + 1]
        self.position += 1
        if following == "\r" and self.text.startswith("\n", self.position):
            self.position += 1
        elif following != "\n":
            self.add(following or "\\", quoted=True)

    def single(self) -> None:
        self.add(self._until("'"), quoted=True)

    def _until(self, end: str) -> str:
        stop = self.text.find(end, self.position)
        if stop < 0:
            raise ShellError("a quote is never closed")
        found = self.text[self.position : stop]
        self.position = stop + 1
        return found

    def double(self) -> None:
        self.add("", quoted=True)
        while self.position < len(self.text):
            if (plain := _QUOTED.match(self.text, self.position)) is not None:
                self.add(plain[0])
                self.position = plain.end()
                continue
            char = self.text[self.position]
            self.position += 1
            if char == '"':
                return
            self.in_double(char)
        raise ShellError("a quote is never closed")

    def in_double(self, char: str) -> None:
        """One of `\\`, `$` and a backtick where only these mean something."""
        if char == "$":
            self.dollar(inside=True)
        elif char == "`":
            self.backticks()
        else:
            following = self.text[self.position : self.position + 1]
            if following and following in '$`"\\\n':
                self.position += 1
                self.add("" if following == "\n" else following)
            else:
                self.add(char)

    def _ansi(self) -> None:
        start = self.position
        while (stop := self.text.find("'", self.position)) >= 0:
            said = self.text[start:stop]
            self.position = stop + 1
            if (len(said) - len(said.rstrip("\\"))) % 2 == 0:
                self.add(re.sub(_ANSI, _ansi_character, said), quoted=True)
                return
        raise ShellError("a quote is never closed")

    # --- expansions

    def dollar(self, inside: bool = False) -> None:
        """What follows a `$`; `inside` of double quotes."""
        text, position = self.text, self.position
        if text.startswith("((", position) and self.arithmetic(position + 2):
            self.add(HOLE)
        elif text.startswith("(", position):
            self.nested(position + 1)
            self.add(HOLE)
        elif text.startswith("{", position):
            self.position += 1
            self._parameter(inside)
        elif not inside and text.startswith("'", position):
            self.position += 1
            self._ansi()
        elif not inside and text.startswith('"', position):
            self.position += 1
            self.double()
        elif (name := _NAME.match(text, position)) is not None:
            self.position = name.end()
            self._value(name[0], inside)
        else:
            self.add("$")

    def _parameter(self, inside: bool) -> None:
        """`${…}`, whose default values may hold commands."""
        start = self.position
        self.deeper()
        while self.position < len(self.text):
            char = self.text[self.position]
            self.position += 1
            if char == "}":
                self.depth -= 1
                self._value(self.text[start : self.position - 1], inside)
                return
            self._skip(char, inside)
        raise ShellError("`}` is missing")

    def _value(self, name: str, inside: bool) -> None:
        value = self.variables.get(name, HOLE)
        if inside or value == HOLE:
            self.add(value)
        else:
            self.split(value)

    def _skip(self, char: str, inside: bool) -> None:
        """One character of what gives no known text, with the commands in it."""
        kept = (self.buffer, self.started, self.quoted, self.open, self.variables)
        self.fresh()
        self.variables = {}  # a value would only be split into words that are none
        if char == "\\":
            self.position += 1
        elif char == "'" and not inside:
            self.single()
        elif char == '"':
            self.double()
        elif char == "$":
            self.dollar(inside)
        elif char == "`":
            self.backticks()
        self.buffer, self.started, self.quoted, self.open, self.variables = kept

    def arithmetic(self, start: int) -> bool:
        """Whether `((` at `start - 2` is arithmetic; then it is read to its `))`."""
        depth, position = 0, start
        while position < len(self.text):
            char = self.text[position]
            if char == ")" and not depth:
                if not self.text.startswith("))", position):
                    return False
                said = self.text[start:position]
                self.inner(said).expand()
                self._tried(said.replace("<<", "  "))
                self.position = position + 2
                return True
            depth += (char == "(") - (char == ")")
            position += 1
        return False

    def _tried(self, text: str) -> None:
        """What is in arithmetic, as the script that a shell takes it for where it is none."""
        try:
            self.inner(text).script("")
        except ShellError:
            return

    def inner(self, text: str) -> Self:
        """A reader of a text inside of this one, whose commands are this one's."""
        made = type(self)(text, self.variables, self.depth + 1)
        made.commands = self.commands
        return made

    def expand(self) -> None:
        """The commands that the expansions of the whole text start, as in double quotes."""
        while self.position < len(self.text):
            char = self.text[self.position]
            self.position += 1
            if char in "\\$`":
                self.in_double(char)

    def backticks(self) -> None:
        parts: list[str] = []
        while self.position < len(self.text):
            char = self.text[self.position]
            self.position += 1
            if char == "`":
                self.inner("".join(parts)).script("")
                self.add(HOLE)
                return
            if char == "\\" and self.text[self.position : self.position + 1] in ("`", "\\", "$"):
                char = self.text[self.position]
                self.position += 1
            parts.append(char)
        raise ShellError("a backtick is never closed")


def _ansi_character(match: re.Match[str]) -> str:
    two, four, eight, octal, control, other = match.groups()
    try:
        if number := two or four or eight:
            return chr(int(number, 16)).replace(HOLE, "")
        if octal:
            return chr(int(octal, 8) & 0xFF).replace(HOLE, "")
    except (ValueError, OverflowError):
        return ""
    return chr(ord(control[0]) & 0x1F) if control else _ANSI_NAMED.get(other, other)


def braces(text: str) -> list[str]:
    """`a{b,c}d` in its words; no more than some hundred of them."""
    done: list[str] = []
    todo = [text]
    while todo and len(done) + len(todo) < 256:
        one = todo.pop(0)
        close = one.find("}")
        start = one.rfind("{", 0, max(close, 0))
        middle = one[start + 1 : close] if start >= 0 else ""
        if "," not in middle:
            done.append(one)
        else:
            todo += [f"{one[:start]}{part}{one[close + 1 :]}" for part in middle.split(",")]
    return done + todo
