"""A command line as the simple commands that a shell would start from it. Pure.

Quotes, escapes, here-documents, subshells and substitutions are followed, so that a command inside `$(…)` is a command
like any other. The reader errs towards seeing commands: what is a command in some reading is one here. ShellError
where it cannot tell where things end.

A variable is known from the plain assignment that gives it its only value, `PY=.venv/bin/python; $PY -m pytest`. One
that is named a second time in any way but `$PY`, or whose assignment may be passed over, is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dory_tui.agent.hooks.expansions import HOLE, Command, Expansions, ShellError, Word, braces

__all__ = ["HOLE", "Command", "ShellError", "Word", "read"]

_PLAIN = re.compile(r"[^\s'\"\\$`;&|<>()#*?\[]+")
_REDIRECTS = ("<<<", "<<-", "<<", "<>", "<&", "<(", "<", "&>>", "&>", ">>", ">|", ">&", ">(", ">")
_WRITES = (">", ">>", ">|", "<>", "&>", "&>>")
_MOST = 4_096
_BEFORE = frozenset({"do", "then", "else", "elif", "if", "while", "until", "{", "!", "time"})
"""Words that a command may follow, for finding `case`."""
_COMPOUND = frozenset({"if", "while", "until", "for", "case", "select", "function", "{", "then", "else", "do"})
"""Words after which a command may run never, or more than once."""
_DECLARES = frozenset({"export", "local", "readonly"})
_GO_ON = frozenset({"&&", "||", "|", "|&"})
"""After these a line break means nothing."""
_VARIABLES = 64
"""So many are known at most: each is looked for in the whole text."""
_ENDS = frozenset({"", ";", "\n", "&&"})
"""What may follow an assignment that lasts."""
_ASSIGNED = re.compile(r"(?s)([A-Za-z_]\w*)=(.*)")


def read(text: str, variables: Mapping[str, str] | None = None) -> list[Command]:
    """The commands of a script, those of substitutions before the command that they stand in.

    `variables` are those whose values are known, such as HOME. ShellError when the text cannot be read to its end.
    """
    if HOLE in text:
        raise ShellError("a NUL character stands in it")
    reader = _Reader(text, dict(variables or {}), 0)
    reader.script("")
    return reader.commands


class _Reader(Expansions):
    def __init__(self, text: str, variables: dict[str, str], depth: int) -> None:
        super().__init__(text, variables, depth)
        self.waiting: list[tuple[Command, str, bool, bool]] = []
        self.command = Command()
        self.learns = True
        self.tried: set[str] = set()
        self.chained: list[str] = []
        """Variables that are only set where all went well since."""
        self.redirect = ""
        self.actions = {
            "\\": self.escape, "'": self.single, '"': self.double, "$": self.dollar, "`": self.backticks,
            "#": self._comment, "(": self._parenthesis, ")": self._end_command, "\n": self._line,
        }  # fmt: skip

    # --- words and commands

    def _end_word(self) -> None:
        if not self.started:
            return
        text, quoted, opened = "".join(self.buffer), self.quoted, self.open
        self.fresh()
        operator, self.redirect = self.redirect, ""
        if operator in ("<<", "<<-"):
            self.waiting.append((self.command, text, operator == "<<-", quoted))
        elif operator == "<<<":
            self.command.fed.append(text)
        elif operator in _WRITES or (operator == ">&" and not (text.isdigit() or text == "-")):
            self.command.writes.append(Word(text, opened))
        elif not operator:
            parts = [text] if quoted or "{" not in text else braces(text)
            self.command.words += [Word(part, opened or len(parts) > 1) for part in parts]

    def _end_command(self, operator: str = "") -> None:
        """The command ends at an operator, or at the end of what it stands in."""
        self._end_word()
        if self.redirect:
            raise ShellError("a redirection names no file")
        command = self.command
        empty = not (command.words or command.writes or command.fed)
        if operator == "\n" and empty and command.after in _GO_ON:
            return
        self.command = Command(piped=operator in ("|", "|&"), after=operator, level=self.depth)
        if not empty or command.piped:
            self.commands.append(command)
            if len(self.commands) > _MOST:
                raise ShellError("it has too many commands")
        self._learn(command, operator)

    # --- variables

    def split(self, value: str) -> None:
        """The value of a variable without quotes: its words, in which `*` still means something."""
        if self.started and not self.command.words and _ASSIGNED.match("".join(self.buffer)):
            self.add(value)
            return
        for number, part in enumerate(re.split(r"\s+", value)):
            if number:
                self._end_word()
            if part:
                self.add(part)
                self.open = self.open or re.search(r"[*?\[]", part) is not None

    def _learn(self, command: Command, operator: str) -> None:
        """Know what the assignments of a command give, where they are sure to happen and stand alone."""
        if self.depth > 1:
            return
        words = [word.text for word in command.words]
        self.learns = self.learns and not command.defines and not (words and words[0] in _COMPOUND)
        words = words[1:] if words and words[0] in _DECLARES else words
        found = [] if any(word.open for word in command.words) else [_ASSIGNED.fullmatch(word) for word in words]
        if self.learns and all(found) and not command.piped and command.after != "||" and operator in _ENDS:
            for name, value in (match.groups() for match in found if match is not None):
                if HOLE not in value and name not in self.tried and self._named_once(name):
                    at_home = value == "~" or value.startswith("~/")
                    self.variables[name] = self.variables.get("HOME", "~") + value[1:] if at_home else value
                    self.chained += [name] if command.after == "&&" else []
        if operator != "&&":
            for name in self.chained:
                self.variables.pop(name, None)
            self.chained = []

    def _named_once(self, name: str) -> bool:
        """Whether nothing but this assignment can give a variable its value."""
        self.tried.add(name)
        return (
            len(self.tried) <= _VARIABLES
            and "IFS" not in self.text
            and len(re.findall(rf"(?<![\w$-])(?<!\$\{{){name}(?!\w)", self.text)) == 1
        )

    # --- the text

    def script(self, end: str) -> None:
        """Read commands up to `end`, which is taken too; to the end of the text for ""."""
        self.deeper()
        cases = 0
        while self.position < len(self.text):
            if (plain := _PLAIN.match(self.text, self.position)) is not None:
                self.open = self.open or (not self.started and plain[0][0] == "~")
                self.add(plain[0])
                self.position = plain.end()
                continue
            char = self.text[self.position]
            if char in ";&|\n)":
                cases += self._case()
            if char == ")" and end and not cases:
                break
            self._character(char)
        else:
            if end:
                raise ShellError(f"`{end}` is missing")
        self.position += 1
        self._end_command()
        self.depth -= 1

    def _case(self) -> int:
        """1 where the command that ends here opens a `case`, -1 where it closes one: its `)` close nothing."""
        words = [word.text for word in self.command.words] or ["".join(self.buffer)]
        first = next((word for word in words if word not in _BEFORE), "")
        return 1 if first == "case" and len(words) > 1 else -1 if first == "esac" else 0

    def _character(self, char: str) -> None:
        position = self.position
        if char in "<>" or self.text.startswith("&>", position):
            self._redirect()
            return
        self.position += 1
        if (action := self.actions.get(char)) is not None:
            action()
        elif char in ";&|":
            double = self.text[position : position + 2]
            operator = double if double in ("&&", "||", "|&", ";;", ";&") else char
            self.position = position + len(operator)
            self._end_command(operator)
        elif char.isspace():
            self._end_word()
        else:  # one of * ? [
            self.open = True
            self.add(char)

    def _line(self) -> None:
        self._end_command("\n")
        waiting, self.waiting = self.waiting, []
        for command, end, tabs, quoted in waiting:
            body = self._document(end, tabs)
            command.fed.append(body)
            if not quoted:
                self.inner(body).expand()

    def _comment(self) -> None:
        if self.started:
            self.add("#")
            return
        stop = self.text.find("\n", self.position)
        self.position = len(self.text) if stop < 0 else stop

    def _parenthesis(self) -> None:
        position = self.position - 1
        if not self.started and self.text.startswith("((", position) and self.arithmetic(position + 2):
            return
        self._end_word()
        if self.command.words:  # `f()`, `a=(…)`, `if (…)`
            self.command.defines = self.text.startswith("()", position)
            self._end_command("(")
        self.nested(position + 1)
        self.command.after = ")"

    def nested(self, start: int) -> None:
        """A script up to its `)`, with a command of its own around it."""
        kept = (self.buffer, self.started, self.quoted, self.open, self.command, self.redirect)
        self.fresh()
        self.command, self.redirect = Command(level=self.depth + 1), ""
        self.position = start
        self.script(")")
        self.buffer, self.started, self.quoted, self.open, self.command, self.redirect = kept

    # --- redirections

    def _redirect(self) -> None:
        position = self.position
        operator = next(one for one in _REDIRECTS if self.text.startswith(one, position))
        self.position = position + len(operator)
        if operator in ("<(", ">("):
            self.nested(self.position)
            self.add(HOLE)
            return
        before = "".join(self.buffer)
        if not self.quoted and (before.isdigit() or (before[:1] == "{" and before[-1:] == "}")):
            self.fresh()  # `2>` and `{out}>` name a descriptor
        self._end_word()
        if self.redirect:
            raise ShellError("a redirection names no file")
        self.redirect = operator

    def _document(self, end: str, tabs: bool) -> str:
        """The here-document that begins on this line; one that is never closed goes to the end, as for a shell."""
        lines: list[str] = []
        while self.position < len(self.text):
            stop = self.text.find("\n", self.position)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[self.position : stop]
            self.position = stop + 1
            line = line.lstrip("\t") if tabs else line
            if line.removesuffix("\r") == end:
                return "\n".join(lines)
            lines.append(line)
        return "\n".join(lines)
