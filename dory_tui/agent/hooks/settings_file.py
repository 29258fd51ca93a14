"""A platform whose hooks stand in a file of JSON: Claude Code, Codex, Cursor."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from dory_tui import config
from dory_tui.agent.hooks.install import (
    HooksError,
    child,
    edit,
    forget,
    load,
    remember,
    remembered,
    understood,
)
from dory_tui.agent.hooks.plans import FileEdit, Found, Installed, Plan, State, Where
from dory_tui.platforms import jsonc
from dory_tui.platforms.jsonc import Edited, Value


@dataclass(frozen=True, slots=True)
class Settings:
    """A platform's file of hooks, by its path below the home and below a project.

    `events` are those that dory answers, `known` all that the platform has. `entry` makes what stands under an event
    from a command line; `groups` says whether commands stand in groups with a `hooks` list.
    `plain` says what more than plain JSON the platform does not read: "" where that is not known.
    """

    file: str
    events: tuple[str, ...]
    known: frozenset[str]
    entry: Callable[[str, str], dict[str, Any]]
    groups: bool
    head: tuple[tuple[str, Any], ...] = ()
    plain: Literal["", "commas", "strict"] = ""
    variable: str = ""
    """What in the environment names another folder for the user's own file."""


_GROUPS, _COMMANDS = 2, 4
"""How deep in a file the groups of an event stand, and the commands of a group."""

Trap = Callable[[Where, Path, dict[str, Any]], tuple[str, list[str]]]


@dataclass(frozen=True, slots=True)
class SettingsPlatform:
    """One platform and its file. `traps` says why the platform passes hooks over, and what may make it do so."""

    name: str
    title: str
    settings: Settings
    traps: Trap

    def file(self, where: Where) -> Path:
        if where.project is not None:
            return where.project / self.settings.file
        usual = Path(self.settings.file)
        return where.folder(self.settings.variable, str(usual.parent)) / usual.name

    # --- what is there

    def status(self, where: Where) -> list[Found]:
        """What stands in its file."""
        file = self.file(where)
        try:
            data, text = load(file)
            if data is None or not text.strip():
                return [Found(self.name, file, "not installed", "not installed")]
            reading = understood(file, text)
            hooks = [replace(one, untried=self._untried(where, one)) for one in self._installed(reading.root.plain)]
        except HooksError as error:
            return [Found(self.name, file, "unreadable", str(error))]
        if not hooks:
            return [Found(self.name, file, "not installed", "not installed")]
        disabled, notes = self.traps(where, file, reading.root.plain)
        disabled = disabled or self._beyond_json(text, reading)
        notes += self._perhaps_beyond(reading)
        state, sentence = self._judged(reading.root.plain, hooks)
        return [Found(self.name, file, state, sentence, tuple(hooks), tuple(notes), disabled)]

    def _installed(self, values: Any) -> Iterator[Installed]:
        hooks = values.get("hooks")
        for event, entries in hooks.items() if isinstance(hooks, dict) else ():
            for entry in entries if isinstance(entries, list) else ():
                if not isinstance(entry, dict):
                    continue
                inner = entry.get("hooks") if self.settings.groups else [entry]
                for handler in inner if isinstance(inner, list) else ():
                    command = handler.get("command") if isinstance(handler, dict) else None
                    if (found := own(command, self.name)) is not None:
                        closed = isinstance(handler, dict) and handler.get("failClosed") is True
                        yield Installed(event, str(command), *found, fails_closed=closed)

    def _untried(self, where: Where, hook: Installed) -> str:
        """Why a hook is not started to see what it does. Who can write the file could have dory start anything."""
        workspace = Path(hook.workspace) if hook.workspace is not None else None
        if hook.command != command_line(Path(hook.program), self.name, workspace):
            return f"`{hook.command}` is not a line that dory writes"
        if where.project is not None and Path(hook.program) not in config.agent_programs(where.environment):
            return f"{hook.program} is not this dory's own program, and the file is the project's"
        return ""

    def _judged(self, values: dict[str, Any], hooks: list[Installed]) -> tuple[State, str]:
        for hook in hooks:
            if not config.startable(Path(hook.program)):
                return (
                    "path gone",
                    f"{hook.program} is gone or cannot start, so every call goes through: install again",
                )
        if strange := [hook.event for hook in hooks if hook.event not in self.settings.known]:
            return "misspelt event", f"{self.title} knows no event `{strange[0]}` and passes it over: install again"
        for key, value in self.settings.head:
            if values.get(key) != value:
                return "other version", f"`{key}` is {values.get(key)!r} and not {value!r}, so the file may not be read"
        wanted = self._wanted(hooks[0].command)
        if any(entry not in self._entries(values, event) for event, entry in wanted.items()) or len(hooks) != len(
            wanted
        ):
            return "other version", "not as this version of dory would install it: install again"
        return "installed", f"installed, by {hooks[0].program}"

    def _entries(self, values: dict[str, Any], event: str) -> list[Any]:
        hooks = values.get("hooks")
        found = hooks.get(event) if isinstance(hooks, dict) else None
        return found if isinstance(found, list) else []

    def _wanted(self, command: str) -> dict[str, dict[str, Any]]:
        return {event: self.settings.entry(event, command) for event in self.settings.events}

    def _beyond_json(self, text: str, reading: jsonc.Reading) -> str:
        """Why the platform does not read the file at all, where that is known."""
        if self.settings.plain and reading.trailing is not None:
            return f"{self.title} skips the whole file for the comma before a bracket on line {reading.trailing}"
        if self.settings.plain == "strict" and reading.comment is not None:
            return f"{self.title} skips the whole file for the comment on line {reading.comment}"
        if self.settings.plain == "strict" and text.startswith("\ufeff"):
            return f"{self.title} skips the whole file for the byte order mark at its start"
        return ""

    def _perhaps_beyond(self, reading: jsonc.Reading) -> list[str]:
        """What is said where nobody has told whether the platform reads such a file."""
        lines = [line for line in (reading.comment, None if self.settings.plain else reading.trailing) if line]
        if self.settings.plain == "strict" or not lines:
            return []
        return [f"line {lines[0]} is more than plain JSON: see in {self.title} whether it reads the file at all"]

    # --- putting in

    def plan_install(self, where: Where, program: Path, workspace: Path | None) -> Plan:
        """Its entries at the ends of their lists. Entries of dory's that are not as they should be are replaced."""
        file = self.file(where)
        data, text = load(file)
        wanted = self._wanted(command_line(program, self.name, workspace))
        left, made = text, data is None
        if text.strip():
            values = understood(file, text).root.plain
            hooks = list(self._installed(values))
            if len(hooks) == len(wanted) and all(one in self._entries(values, name) for name, one in wanted.items()):
                return Plan(self.name, (), self._notes(where, file, text))
            if hooks:
                before = self._without(where, file, data or b"", text)
                left, made = before or "", before is None
        edited = Edited(left)
        if left.strip():
            self._add(file, edited, wanted)
        else:
            fresh = {**dict(self.settings.head), "hooks": {name: [one] for name, one in wanted.items()}}
            edited.insert(len(left), json.dumps(fresh, indent=2) + "\n")
        return Plan(self.name, (edit(file, data, edited, made),), self._notes(where, file, edited.text))

    def _add(self, file: Path, edited: Edited, wanted: dict[str, dict[str, Any]]) -> None:
        for key, value in self.settings.head:
            root = understood(file, edited.text).root
            if root.get(key) is None:
                jsonc.put(edited, root, key, value)
        for event, entry in wanted.items():
            root = understood(file, edited.text).root
            hooks = child(file, edited.text, root, "hooks", "object")
            if hooks is None:
                jsonc.put(edited, root, "hooks", {name: [one] for name, one in wanted.items()})
                return
            entries = child(file, edited.text, hooks, event, "array")
            if entries is None:
                jsonc.put(edited, hooks, event, [entry])
            else:
                jsonc.put(edited, entries, None, entry)

    def _notes(self, where: Where, file: Path, text: str) -> tuple[str, ...]:
        reading = understood(file, text)
        disabled, notes = self.traps(where, file, reading.root.plain)
        notes += self._perhaps_beyond(reading)
        return tuple(one for one in (disabled or self._beyond_json(text, reading), *notes) if one)

    # --- taking out

    def plan_remove(self, where: Where) -> Plan:
        """The very bytes of before the installation, or else the file without dory's own entries."""
        file = self.file(where)
        data, text = load(file)
        if data is None or not text.strip():
            return Plan(self.name, ())
        if not list(self._installed(understood(file, text).root.plain)):
            return Plan(self.name, ())
        left = self._without(where, file, data, text)
        return Plan(self.name, (FileEdit(file, data, None if left is None else left.encode()),))

    def _without(self, where: Where, file: Path, data: bytes, text: str) -> str | None:
        if (before := remembered(where.environment, file, data)) is not None:
            return None if before[0] is None else before[0].decode()
        while (spans := self._first(text, understood(file, text).root)) is not None:
            text = jsonc.cut(text, spans)
        return text

    def _first(self, text: str, root: Value) -> list[tuple[int, int]] | None:
        """The spans of the first entry of dory's, with what would be left empty around it; None when there is none."""
        hooks = root.get("hooks")
        if hooks is None or hooks.kind != "object":
            return None
        for at, entries in enumerate(hooks.items):
            for index, entry in enumerate(entries.items if entries.kind == "array" else ()):
                if (path := self._own(entry)) is not None:
                    chain = [(root, self._index(root, hooks)), (hooks, at), (entries, index), *path]
                    return _emptied(text, chain)
        return None

    @staticmethod
    def _index(container: Value, item: Value) -> int:
        return next(at for at, one in enumerate(container.items) if one is item)

    def _own(self, entry: Value) -> list[tuple[Value, int]] | None:
        """Where in an entry dory's handler stands; an empty way when the entry is the handler itself."""
        if entry.kind != "object":
            return None
        if not self.settings.groups:
            return [] if own(entry.plain.get("command"), self.name) is not None else None
        handlers = entry.get("hooks")
        for index, handler in enumerate(handlers.items if handlers is not None and handlers.kind == "array" else ()):
            if handlers is not None and handler.kind == "object" and own(handler.plain.get("command"), self.name):
                return [(entry, self._index(entry, handlers)), (handlers, index)]
        return None

    def applied(self, where: Where, plan: Plan) -> None:
        """Remember an installation; forget what was taken out, and the folder that was made for it."""
        for one in plan.edits:
            if one.added:
                folder_made = one.before is None and len(list(one.file.parent.iterdir())) == 1
                remember(where.environment, one, folder_made)
                continue
            made = remembered(where.environment, one.file, one.before or b"")
            forget(where.environment, one.file)
            if one.after is None and made is not None and made[1]:
                with suppress(OSError):
                    one.file.parent.rmdir()


def _emptied(text: str, chain: list[tuple[Value, int]]) -> list[tuple[int, int]]:
    """Take out the last of a chain of containers: the file, its hooks, an event, a group with its commands.

    A group goes with its last command, and a list that would be left empty goes too, unless comments stand in it.
    """
    depth = len(chain) - 1
    if depth == _COMMANDS and len(chain[depth][0].items) == 1:
        depth = _GROUPS
    while 0 < depth <= _GROUPS and len(chain[depth][0].items) == 1 and not jsonc.remarks(text, chain[depth][0]):
        depth -= 1
    container, index = chain[depth]
    return jsonc.without(text, container, index)


def command_line(program: Path, platform: str, workspace: Path | None) -> str:
    """What the platform's shell runs: absolute paths, quoted."""
    words = [str(program), "hook", platform, *(["-C", str(workspace)] if workspace is not None else [])]
    return shlex.join(words)


def own(command: object, platform: str) -> tuple[str, str | None] | None:
    """(program, workspace) of a command line that is dory's hook for a platform; None for any other."""
    if not isinstance(command, str) or "hook" not in command:
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if "hook" not in words or Path(words[0]).name not in ("dory-agent", "dory"):
        return None
    if words[words.index("hook") + 1 : words.index("hook") + 2] != [platform]:
        return None
    workspace = words[words.index("-C") + 1 : words.index("-C") + 2] if "-C" in words else []
    return words[0], workspace[0] if workspace else None
