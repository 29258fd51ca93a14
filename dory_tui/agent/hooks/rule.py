"""Whether a tool call may go ahead: one pure function from the call and the patterns to a ruling.

Gated is a call whose tool, host, path or command the human's patterns name. Denied always, whatever they name: to
write what only dory and its human write (`places`), and to run the human's verbs of `dory`. `dory-agent` goes through;
what else stands on its line is looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dory_tui.agent.hooks import arguments as taken
from dory_tui.agent.hooks import unloading
from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.deleting import deletes, source_of
from dory_tui.agent.hooks.folders import Folders
from dory_tui.agent.hooks.harmless import is_known
from dory_tui.agent.hooks.loose import loose, tokens
from dory_tui.agent.hooks.network import reached
from dory_tui.agent.hooks.patterns import SENT, Patterns
from dory_tui.agent.hooks.places import SETTINGS, Places
from dory_tui.agent.hooks.shell import HOLE, Command, ShellError, Word, read
from dory_tui.agent.hooks.tables import words
from dory_tui.agent.hooks.unwrap import bare, inner, names, script
from dory_tui.agent.hooks.writes import Change, changes
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["gated", "protected", "human", "unclear"]

READ_VERBS = words(
    """
    status show diff history verify lint doctor search index init help --help -h --version boot capture
    finish-task log remember kept stage propose hold decide check run claim finish hook
    """
)
"""The verbs of `dory` that decide nothing: all others are the human's."""
_HUMAN = frozenset({"dory", "dory-tui", "dory_tui", "dory_tui.cli.dory", "dory_tui.__main__"})
_LONGEST = 131_072
"""Characters of a command line that is still read as one."""
_DEEPEST = 12
_DELETES = r"\brm\s+(?:-\S+\s+)*-(?:-rec|\w*[rR])|\s-delete\b|-exec(?:dir)?\s+rm\b"
_MOST = 40_000
"""Words looked at in one call; commands inside of commands have their words counted each time."""
_RUNS = r"(?i)system|popen|subprocess|spawn|exec|child_process|\brun\(|\bcall\(|check_|\bsh\(|`|do shell script"
_SENDS = (
    r"\b(?:POST|PUT|PATCH|DELETE)\b|\.(?:post|put|patch|delete|send\w*|click|fill|submit|request|urlopen)\(|"
    r"[(,{]\s*(?:data|json|files|body|method)\s*[=:]"
)
"""What in code may do more than read an address."""
_LITERAL = r"'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`]*)`"
_CODE_WORDS = (
    ("smtplib", "mailing"), ("nodemailer", "mailing"), ("net/smtp", "mailing"), ("net::smtp", "mailing"),
    ('application "mail"', "mailing"), ('application "messages"', "posting"),
)  # fmt: skip
_UNLOADS = " may keep OpenClaw from loading dory's plugin"


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a call is denied. `what` says what it would do, `pattern` what gates it, `argv` the command, where known."""

    kind: Kind
    what: str
    pattern: str = ""
    argv: tuple[str, ...] = ()


def judge(call: ToolCall, patterns: Patterns, places: Places) -> Denial | None:
    """Why a call is denied; None when it may go ahead."""
    known_as = taken.called(call.tool)
    inside = taken.inside(call.tool, known_as[-1])
    if (pattern := patterns.tool(known_as, inside=inside)) is not None:
        return Denial("gated", f"the tool `{call.tool}`", pattern)
    if unloading.by_tool(known_as[-1], call.arguments):
        return Denial("protected", f"the tool `{call.tool}`{_UNLOADS}")
    found = taken.take(known_as[-1], call.arguments)
    if found.unclear:
        return Denial("unclear", found.unclear)
    folders = [call.folder or "/"]
    folders = [*(places.absolute(folder, folders[0]) for folder in found.folders), *folders]
    for path in found.paths:
        if (denial := _write(Change(path, path.startswith("~")), folders, patterns, places)) is not None:
            return denial
    for url in found.urls:
        if (host := patterns.host(url, anywhere=True, sends=found.sends)) is not None:
            return Denial("gated", f"the tool `{call.tool}` at {host.removeprefix(SENT)}", host)
    judged = _Judge(patterns, places, folders)
    try:
        return judged.started(found)
    except _TooMuchError:
        text = "\n".join([*found.scripts, *found.code, *(" ".join(argv) for argv in found.argvs)])
        if patterns.special and re.search(_DELETES, text):  # many harmless lines may hide one that is not
            return Denial("gated", "a command line with too many commands, which deletes recursively", "deleting")
        return judged.unread(text, "it has too many commands")


def _write(change: Change, folders: Collection[str], patterns: Patterns, places: Places) -> Denial | None:
    if (what := places.protected(change, folders)) is not None:
        return Denial("protected", f"{change.path.replace(HOLE, '…')} is in {what}")
    if (pattern := places.gated(change, folders, patterns.paths)) is not None:
        return Denial("gated", f"writing {change.path.replace(HOLE, '…')}", pattern)
    return None


class _TooMuchError(Exception):
    """More stands in a call than can be looked at in time."""


class _Judge:
    """The commands of one call, with the folders they may run in and the words that expansions may give."""

    def __init__(self, patterns: Patterns, places: Places, folders: Sequence[str]) -> None:
        self.patterns, self.places, self.folders = patterns, places, Folders(folders, places)
        self.loose: set[str] = set()
        self.functions: set[str] = set()
        self.seen = 0

    def started(self, found: taken.Taken) -> Denial | None:
        """All that a tool's arguments would start."""
        for argv in found.argvs:
            words = [Word(text) for text in argv]
            if (denial := self.command(words, Command(words=words), [], 0)) is not None:
                return denial
        for text in found.scripts:
            if (denial := self.script(text, 0)) is not None:
                return denial
        return next((denial for text in found.code if (denial := self.code(text, 0)) is not None), None)

    def script(self, text: str, depth: int) -> Denial | None:
        """A text that a shell would read."""
        if len(text) > _LONGEST or depth > _DEEPEST:
            return self.unread(text, "it is too long or too deep")
        try:
            # Where one is, whatever folder that is by then; what one came from may be where the call began.
            commands = read(text, {"HOME": self.places.home, "PWD": ".", "OLDPWD": self.folders.given[0]})
        except ShellError as error:
            return self.unread(text, str(error))
        self.loose |= loose(commands)
        self.functions |= {one.words[-1].text.casefold() for one in commands if one.defines and one.words}
        outside, self.folders.sure = self.folders.sure, None
        for number, command in enumerate(commands):
            self.folders.begin(command)
            for word in command.writes:
                if (denial := self._write(Change(word.text, word.open))) is not None:
                    return denial
            words = bare(command.words)
            if words and (denial := self.command(words, command, commands[:number], depth)) is not None:
                return denial
        self.folders.sure = outside
        return None

    def _write(self, change: Change) -> Denial | None:
        self.seen += 2 * len(self.folders.seen)
        if self.seen > _MOST:
            raise _TooMuchError
        return _write(change, self.folders.seen, self.patterns, self.places)

    def unread(self, text: str, why: str) -> Denial | None:
        """What cannot be read as a shell would is denied where it names what is gated."""
        named = tokens(text)
        named |= {token.rpartition("/")[2] for token in named}
        pattern = self.patterns.mentioned(frozenset(named)) or self.patterns.host(text, anywhere=True)
        if pattern is not None:
            return Denial("unclear", f"a command line that cannot be read ({why}) and names what is gated", pattern)
        if (kept := self._kept(text)) is not None:
            return Denial("protected", f"a command line that cannot be read ({why}) names {kept}")
        return None

    def _kept(self, text: str) -> str | None:
        folded = text.casefold()
        marks = [".dory", "dory_tui", *SETTINGS, *(kept.casefold() for kept, _ in self.places.kept)]
        # A file of settings may have a `*` in its name.
        known = ((mark, re.escape(mark).replace(r"\*", r"[\w.-]*")) for mark in marks)
        return next((mark for mark, pattern in known if re.search(rf"{pattern}(?![\w.-])", folded)), None)

    def command(self, words: Sequence[Word], command: Command, before: Sequence[Command], depth: int) -> Denial | None:
        """One command, and what it starts. `words` begin with its name; `before` are the commands before it."""
        if depth > _DEEPEST:
            return self.unread(" ".join(word.text for word in words), "it is nested too deeply")
        self.seen += 8 + len(words)
        if self.seen > _MOST:
            raise _TooMuchError
        name, rest = names(words[0])[-1], words[1:]
        if name in _HUMAN or (name == "dory" and not words[0].known):
            return _verb(rest)
        if name == "dory-agent":
            return None
        source = source_of(command, before)
        if (denial := self._changes(name, rest, command, source)) is not None:
            return denial
        if (denial := self._gated(words, command, source)) is not None:
            return denial
        if name in ("cd", "pushd", "popd"):
            self.folders.move(rest, command)
        return self._inner(name, words, command, before, depth)

    def _changes(self, name: str, rest: Sequence[Word], command: Command, source: Sequence[Word]) -> Denial | None:
        if name == "openclaw" and unloading.by_command([word.text for word in rest]):
            return Denial("protected", f"`openclaw`{_UNLOADS}")
        found = changes(name, rest, command)
        if name in ("rm", "grm"):
            found += [Change(word.text, True, True) for word in source[1:] if not word.text.startswith("-")]
        for change in found:
            if (denial := self._write(change)) is not None:
                return denial
            if HOLE in change.path and ".dory" in self.loose:
                return Denial(
                    "protected", f"`{name}` on a path that may be in .dory/, where dory keeps what was decided"
                )
        return None

    def _gated(self, words: Sequence[Word], command: Command, source: Sequence[Word]) -> Denial | None:
        rest = words[1:]
        texts = [word.text for word in rest]
        argv = tuple(word.text for word in words) if all(word.known and not word.open for word in words) else ()
        known = is_known(words[0].text)
        for name in names(words[0]):
            if (pattern := self._pattern(name, words[0], texts, known)) is not None:
                return Denial("gated", f"`{_short(words)}`", pattern, argv)
            if self.patterns.allowed(name, texts):
                return None
        name = names(words[0])[-1]
        around, folders = self.folders.given, self.folders.of(command)
        if (
            self.patterns.special
            and (what := deletes(name, rest, command, source, self.places, folders, around)) is not None
        ):
            return Denial("gated", f"`{_short(words)}`: {what}", "deleting", argv)
        if (host := reached(name, texts, self.loose, self.patterns)) is not None:
            return Denial("gated", f"`{_short(words)}`: {host.removeprefix(SENT)}", host, argv)
        return None

    def _pattern(self, name: str, word: Word, texts: Sequence[str], known: bool) -> str | None:
        if (pattern := self.patterns.command(name, texts, known=known)) is not None:
            return pattern
        if not name.replace(HOLE, "").strip("*?"):
            given = frozenset(self.loose) | {text.casefold() for text in texts}
            return self.patterns.mentioned(given) if self.loose else None
        if word.open and re.search(r"[*?\[]", name):
            name = re.sub(r"\[[^\]]*\]?|[*?]+", HOLE, name)
            return self.patterns.command(name, texts)
        if any(HOLE in text for text in texts):
            return self.patterns.perhaps(name, texts, self.loose, known=known)
        return None

    def _inner(
        self, name: str, words: Sequence[Word], command: Command, before: Sequence[Command], depth: int
    ) -> Denial | None:
        found = inner(words, command)
        if found.more:
            raise _TooMuchError
        if name in self.functions and len(words) > 1:
            found.commands.append(words[1:])
        for started in found.commands:
            if (stripped := bare(started)) and (
                denial := self.command(stripped, command, before, depth + 1)
            ) is not None:
                return denial
        if found.reads_input:
            texts = list(command.fed)
            for one in before if command.piped else ():
                said = [word.text for word in one.words[1:]]
                texts += [*one.fed, *said, " ".join(said)]
            if found.reads_input == "script":
                found.scripts += [script(text) for text in texts]
            else:
                found.code += texts
        for text in found.scripts:
            if (denial := self.script(text, depth + 1)) is not None:
                return denial
        return next((denial for text in found.code if (denial := self.code(text, depth + 1)) is not None), None)

    def code(self, text: str, depth: int) -> Denial | None:
        """A text in another language: what it names, and what its literals would run."""
        if (kept := self._kept(text)) is not None:
            return Denial("protected", f"code that names {kept}")
        if (host := self.patterns.host(text, anywhere=True, sends=re.search(_SENDS, text) is not None)) is not None:
            return Denial("gated", f"code that names {host.removeprefix(SENT)}", host)
        folded = text.casefold()
        if self.patterns.special and (word := next((one for one in _CODE_WORDS if one[0] in folded), None)) is not None:
            return Denial("gated", f"code that uses {word[0]}", word[1])
        if re.search(_RUNS, text) is None or depth > _DEEPEST:
            return None
        literals = ["".join(groups).replace(HOLE, "") for groups in re.findall(_LITERAL, text[:_LONGEST])]
        for one in (*literals, " ".join(literals)):
            if (denial := self.script(one, depth + 1)) is not None and denial.kind != "unclear":
                return denial
        return None


def _verb(rest: Sequence[Word]) -> Denial | None:
    """Whether a verb of `dory` is the human's."""
    texts = [word.text for word in rest]
    while texts[:1] == ["-C"] or (texts and texts[0].startswith("-C")):
        texts = texts[2:] if texts[0] == "-C" else texts[1:]
    verb = texts[0] if texts else ""
    return None if verb in READ_VERBS else Denial("human", f"`dory {verb}`".replace(" `", "`"))


def _short(words: Sequence[Word]) -> str:
    text = " ".join(word.text for word in words).replace(HOLE, "…")
    text = "".join(char if char.isprintable() and char != "`" else " " for char in text)
    return text if len(text) < 80 else f"{text[:77]}…"
