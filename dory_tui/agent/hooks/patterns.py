"""What is gated: the defaults, and what the human's `hooks.toml` adds, replaces or lets through.

`hooks.toml` lies in the human's configuration folder (`config.config_home`):

    defaults = true                     # false: nothing but what stands below is gated
    allow = ["gh gist create", "slack.com", "mcp__notes__send_note"]

    [gated]
    tools = ["mcp__*__invite_*"]        # names of tools, with * and ?
    commands = ["make deploy", "gcloud ** delete", "psql -c"]
    hosts = ["api.example.com"]         # with every name below it; also "example.com/api", "POST example.com"
    paths = ["~/.ssh/*", "infra/prod/*"]  # files that are not to be written

A pattern of a command is its name and words that must be there: options anywhere (`-f` also in `-uf`, `--force` also
as `--force=…`), other words in their order, `a|b` for either, `*` in a word, `**` for any words between; `_` in the
name of a program is `-`. `POST host` gates what sends something there, and lets reading through. What `allow` names is
let through whatever gates it, but never what dory always denies (`rule`). The defaults have exceptions, for what only
reads or only says what it would do (`harmless`); a pattern of the human's own has none but `allow`.

A file that cannot be used gates what the defaults gate, allows nothing, and its `problem` says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from dory_tui import homes
from dory_tui.agent.hooks.defaults import ACTS, ALLOW, COMMANDS, HOSTS, TOOLS
from dory_tui.agent.hooks.harmless import counted, harmless
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any

FILE = "hooks.toml"
SENT = "POST "
"""Before a host that may be read."""
_LISTS = ("tools", "commands", "hosts", "paths")


@dataclass(frozen=True, slots=True)
class Patterns:
    """What is gated and what is let through. `problem` is set when the human's file could not be used."""

    tools: tuple[str, ...] = TOOLS
    commands: tuple[str, ...] = COMMANDS
    hosts: tuple[str, ...] = HOSTS
    paths: tuple[str, ...] = ()
    allow: tuple[str, ...] = ALLOW
    special: bool = True
    """Whether what is gated by rules of its own is gated too: deleting broad paths, and by SQL (`deleting`)."""
    problem: str = ""

    def tool(self, names: Sequence[str], *, inside: bool = False) -> str | None:
        """The pattern that gates a tool known by these names; None when none does.

        With `inside`, where the tool reaches nobody whatever its name says, only the human's own patterns count.
        """
        found = _named(self.tools, names)
        if found is None or _named([one for one in self.allow if one not in ALLOW], names) is not None:
            return None
        if self._default(found, self.tools, TOOLS) and (inside or _named(self.allow, self._short(names)) is not None):
            return None
        return found

    def command(self, name: str, arguments: Sequence[str], *, known: bool = True) -> str | None:
        """The pattern that gates a command of this name; None when none does. An unknown part of a word is a NUL.

        Without `known` the program may be a script that is only called like it (`harmless`).
        """
        said = counted(name, arguments)
        found = next((one for one in self._of(self.commands, name) if fits(one, name, said)), None)
        return self._counts(found, name, arguments, known)

    def perhaps(self, name: str, arguments: Sequence[str], loose: Iterable[str], *, known: bool = True) -> str | None:
        """The pattern that gates a command of this name if what is not known in its arguments is one of the words."""
        found = self.mentioned(frozenset(loose) | {text.casefold() for text in arguments}, name)
        return self._counts(found, name, arguments, known)

    def _counts(self, found: str | None, name: str, arguments: Sequence[str], known: bool) -> str | None:
        if found is None or self.allowed(name, arguments):
            return None
        if self._default(found, self.commands, COMMANDS) and harmless(name, arguments, known=known):
            return None
        return found

    def allowed(self, name: str, arguments: Sequence[str]) -> bool:
        """Whether the human lets this command through."""
        return any(fits(one, name, arguments) for one in self._of(self.allow, name))

    def host(self, text: str, *, anywhere: bool = False, sends: bool = True) -> str | None:
        """The gated host that a text is, or that stands `anywhere` in it; `sends` says whether more than a GET."""
        folded = text.casefold()
        if "." not in folded:
            return None
        for one in self.hosts:
            if one.startswith(SENT) and not sends:
                continue
            for found in _hosts(one.removeprefix(SENT), folded, anywhere):
                if not any(_hosts(other, found, False) for other in self.allow):
                    return one
        return None

    def _default(self, found: str, all_of_them: tuple[str, ...], defaults: tuple[str, ...]) -> bool:
        """Whether a pattern is dory's: what the human writes down has no exceptions, even where both say the same."""
        return self.special and found in defaults and all_of_them.count(found) == 1

    def _short(self, names: Sequence[str]) -> list[str]:
        """The names, and the last without the service before it: `slack_get_post` is `get_post`."""
        service, _, rest = names[-1].partition("_")
        acts = service in ACTS or _named(self.tools, [f"{service}_"]) is not None
        return [*names, *([] if acts or not rest else [rest])]

    def mentioned(self, tokens: frozenset[str], name: str = "") -> str | None:
        """The pattern of a command all of whose words are among the tokens of a text; None when there is none.

        With a `name` it is a command of that name, and the tokens have the rest.
        """
        for one in self.commands:
            parts = [part for part in one.casefold().split() if part != "**"]
            if name:
                if len(parts) < 2 or not _word(parts[0], name):
                    continue
                parts = parts[1:]
            if all(_mentioned(part, tokens) for part in parts):
                return one
        return None

    @staticmethod
    def _of(patterns: Iterable[str], name: str) -> Iterable[str]:
        """The patterns whose first word may be this name: most are ruled out by their first letter."""
        first = name[:1]
        return (one for one in patterns if one[:1].casefold() == first or one[:1] in "*?[\0" or "|" in one or not first)


def fits(pattern: str, name: str, arguments: Sequence[str]) -> bool:
    """Whether a command is what a pattern says: its name, the pattern's options anywhere, its words in order."""
    wanted = pattern.casefold().split()
    if not wanted or not _word(wanted[0].replace("_", "-"), name.replace("_", "-")):
        return False
    options = [part for part in wanted[1:] if part.startswith("-")]
    words = [part for part in wanted[1:] if not part.startswith("-")]
    folded = [argument.casefold() for argument in arguments]
    if not all(any(_option(part, given) for given in arguments) for part in options):
        return False
    return _in_order(words, folded)


def _in_order(wanted: list[str], given: list[str]) -> bool:
    """Whether the words come next among what is given; what follows an option may be its value and is passed over."""
    position, loose = 0, False
    for part in wanted:
        if part == "**":
            loose = True
            continue
        while position < len(given):
            here = given[position]
            position += 1
            if not here.startswith("-") and _word(part, here):
                break
            after_option = position > 1 and given[position - 2].startswith("-")
            if not (loose or here.startswith("-") or after_option):
                return False
        else:
            return False
        loose = False
    return True


def _word(pattern: str, given: str) -> bool:
    """One word against `a|b`, each with `*`, `?` and `[…]`; a NUL in what is given may be anything."""
    if "\0" in given:
        if not given.replace("\0", ""):
            return False
        parts = [re.escape(part) for part in given.split("\0")]
        return any(
            _both(one, given) if "*" in one else re.fullmatch(".*".join(parts), one, re.DOTALL) is not None
            for one in pattern.split("|")
        )
    return any(given == one or (_globs(one) and fnmatchcase(given, one)) for one in pattern.split("|"))


def _globs(text: str) -> bool:
    """Whether `fnmatch` is needed: it makes a regular expression of each pattern, at a tenth of a millisecond."""
    return "*" in text or "?" in text or "[" in text


def _both(pattern: str, given: str) -> bool:
    """Whether a pattern with `*` and a text with unknown parts may be the same, by what they begin and end with."""
    begin, begun = pattern.partition("*")[0], given.partition("\0")[0]
    end, ended = pattern.rpartition("*")[2], given.rpartition("\0")[2]
    return (begin.startswith(begun) or begun.startswith(begin)) and (end.endswith(ended) or ended.endswith(end))


def _option(pattern: str, given: str) -> bool:
    """Whether a given word is one of the options `a|b`: `-f` in a cluster, `--force` with a value or cut short."""
    for one in pattern.split("|"):
        if one.startswith("--"):
            name = given.casefold().partition("=")[0]
            if name == one or (len(name) > 4 and one.startswith(name)):
                return True
        elif len(one) == 2:
            if re.fullmatch(r"-[A-Za-z0-9]*", given) and one[1] in given.casefold()[1:]:
                return True
        elif given.casefold().partition("=")[0] == one:
            return True
    return False


def _named(patterns: Iterable[str], names: Sequence[str]) -> str | None:
    asked = [name.casefold().replace("-", "_") for name in names]
    for one in patterns:
        folded = one.casefold().replace("-", "_")
        if any(_word(folded, name) for name in asked):
            return one
    return None


def _hosts(pattern: str, text: str, anywhere: bool) -> list[str]:
    """The hosts, with their paths, that are what a pattern says, `host` or `host/path`."""
    wanted, _, path = pattern.casefold().partition("/")
    if "*" not in wanted and wanted.strip(".") not in text:
        return []
    body = rf"(?:[\w-]+\.)*{re.escape(wanted)}".replace(r"\*", r"[\w.-]+")
    tail = rf"(?::\d+)?/+{re.escape(path)}(?!\w)[^\s'\"<>\\]*" if path else r"(?:(?::\d+)?/[^\s'\"<>\\]*)?"
    if anywhere:
        return [match[0] for match in re.finditer(rf"(?<![\w.-]){body}(?![\w-]|\.\w)\.?{tail}", text)]
    return [text] if re.fullmatch(rf"{body}\.?{tail}", text) else []


def _mentioned(part: str, tokens: frozenset[str]) -> bool:
    alternatives = part.split("|")
    if any(one in tokens for one in alternatives):
        return True
    if any("*" in one for one in alternatives):
        return any(_meets(one, tokens) for one in alternatives)
    options = [one for one in alternatives if len(one) == 2 and one[0] == "-"]
    return any(_option(one, token) for one in options for token in tokens if token[:1] == "-")


def _meets(pattern: str, tokens: frozenset[str]) -> bool:
    """Whether a pattern fits a token; what it begins with rules most of them out, of a page of words too."""
    head = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    return any(token.startswith(head) and fnmatchcase(token, pattern) for token in tokens)


def load(environment: Mapping[str, str]) -> Patterns:
    """The human's patterns. It never fails: what cannot be used becomes the defaults and their `problem`."""
    file = f"{homes.configuration(environment)}/{FILE}"
    if not os.path.lexists(file):
        return Patterns()
    from pathlib import Path

    from dory_tui.config import ConfigError, read_settings

    data: bytes | None = None
    try:
        data = read_settings(Path(file), file)
        return Patterns() if data is None else parse(data, file)
    except ConfigError as error:
        said = re.sub(r"\(at line (\d+), column \d+\)", r"(line \1)", str(error))
        last = len((data or b"").splitlines())
        return Patterns(allow=(), problem=said.replace("(at end of document)", f"(line {last}, where it ends)"))


def parse(data: bytes, file: str) -> Patterns:
    """The patterns of a `hooks.toml`. ConfigError names the file and the line."""
    from dory_tui.config import parse_settings

    values = parse_settings(data, file)
    gated = values.get("gated", {})
    if not isinstance(gated, dict):
        raise _wrong(data, file, "gated", "must be a table, as in [gated]")
    # `allow` below [gated] is in that table for TOML, and above it for the person who wrote it.
    merged: dict[str, Any] = {**{key: value for key, value in values.items() if key != "gated"}, **gated}
    for key in merged:
        if key not in (*_LISTS, "allow", "defaults"):
            raise _wrong(data, file, key, f"is not a setting: it has {', '.join(_LISTS)}, allow and defaults")
    defaults = merged.get("defaults", True)
    if not isinstance(defaults, bool):
        raise _wrong(data, file, "defaults", "must be true or false")
    own = {key: _texts(data, file, key, merged.get(key, [])) for key in (*_LISTS, "allow")}
    if not defaults:
        return Patterns(own["tools"], own["commands"], own["hosts"], own["paths"], own["allow"], special=False)
    return Patterns(
        own["tools"] + TOOLS, own["commands"] + COMMANDS, own["hosts"] + HOSTS, own["paths"], own["allow"] + ALLOW
    )


def _texts(data: bytes, file: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
        raise _wrong(data, file, key, 'must be a list of texts in quotes, as in ["one", "two"]')
    return tuple(one.strip() for one in value)


def _wrong(data: bytes, file: str, key: str, what: str) -> Exception:
    from dory_tui.config import ConfigError

    lines = data.decode("utf-8", "replace").splitlines()
    found = (number for number, line in enumerate(lines, start=1) if re.match(rf"\s*\[?\s*\"?{re.escape(key)}\b", line))
    return ConfigError(f"{file} line {next(found, 1)}: `{key}` {what}")
