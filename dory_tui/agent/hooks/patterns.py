"""What is gated: the defaults, and what the human's `hooks.toml` adds, replaces or lets through.

`hooks.toml` lies in the human's configuration folder (`config.config_home`):

    defaults = true                     # false: nothing but what stands below is gated
    allow = ["gh gist create", "slack.com", "mcp__notes__send_note"]

    [gated]
    tools = ["mcp__*__invite_*"]        # names of tools, with * and ?
    commands = ["make deploy", "gcloud ** delete", "psql -c"]
    hosts = ["api.example.com"]         # with every name below it
    paths = ["~/.ssh/*", "infra/prod/*"]  # files that are not to be written

A pattern of a command is its name and words that must be there: options anywhere (`-f` also in `-uf`, `--force` also
as `--force=…`), other words in their order, `a|b` for either, `*` in a word, `**` for any words between. What `allow`
names is let through whatever gates it, but never what dory always denies (`rule`).

A file that cannot be used gates what the defaults gate, allows nothing, and its `problem` says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from dory_tui import homes
from dory_tui.agent.hooks.defaults import ALLOW, COMMANDS, HOSTS, TOOLS
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any

FILE = "hooks.toml"
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

    def tool(self, names: Sequence[str]) -> str | None:
        """The pattern that gates a tool known by these names; None when none does."""
        if _named(self.allow, names) is not None:
            return None
        return _named(self.tools, names)

    def command(self, name: str, arguments: Sequence[str]) -> str | None:
        """The pattern that gates a command of this name; None when none does. An unknown part of a word is a NUL."""
        found = next((one for one in self._of(self.commands, name) if fits(one, name, arguments)), None)
        return None if found is None or self.allowed(name, arguments) else found

    def allowed(self, name: str, arguments: Sequence[str]) -> bool:
        """Whether the human lets this command through."""
        return any(fits(one, name, arguments) for one in self._of(self.allow, name))

    def host(self, text: str, *, anywhere: bool = False) -> str | None:
        """The gated host that a text is, or that stands `anywhere` in it."""
        folded = text.casefold()
        if "." not in folded:
            return None
        for one in self.hosts:
            if _host(one, folded, anywhere) and not any(_host(other, folded, anywhere) for other in self.allow):
                return one
        return None

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
    if not wanted or not _word(wanted[0], name):
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
        return any(re.fullmatch(".*".join(parts), one, re.DOTALL) is not None for one in pattern.split("|"))
    return any(fnmatchcase(given, one) for one in pattern.split("|"))


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
    for one in patterns:
        folded = one.casefold().replace("-", "_")
        if any(fnmatchcase(name.casefold().replace("-", "_"), folded) for name in names):
            return one
    return None


def _host(pattern: str, text: str, anywhere: bool) -> bool:
    wanted = pattern.casefold()
    if "*" not in wanted and wanted.strip(".") not in text:
        return False
    body = re.escape(wanted).replace(r"\*", r"[\w.-]+")
    if anywhere:
        return re.search(rf"(?<![\w.-])(?:[\w-]+\.)*{body}(?![\w-]|\.\w)", text) is not None
    return re.fullmatch(rf"(?:[\w-]+\.)*{body}\.?", text) is not None


def _mentioned(part: str, tokens: frozenset[str]) -> bool:
    alternatives = part.split("|")
    if any(one in tokens for one in alternatives):
        return True
    if any("*" in one for one in alternatives):
        return any(fnmatchcase(token, one) for one in alternatives for token in tokens)
    return any(len(one) == 2 and one[0] == "-" and _option(one, token) for one in alternatives for token in tokens)


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
