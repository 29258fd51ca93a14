"""OpenClaw's hooks: a plugin of dory's, and the entries in OpenClaw's configuration that load it.

The plugin is copied into dory's state folder: there it outlives an update of dory, and stops calls when `dory-agent` is
gone. OpenClaw loads no plugin that everybody may write or whose files are hard links, as some installers make them.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dory_tui import config
from dory_tui.agent.hooks import openclaw_config
from dory_tui.agent.hooks.install import HooksError, edit, forget, load, remember, remembered, understood
from dory_tui.agent.hooks.openclaw_config import ID, entry, listed, mapping
from dory_tui.agent.hooks.plans import FileEdit, Found, Installed, Plan, State, Where
from dory_tui.platforms import json5, jsonc
from dory_tui.platforms import openclaw as place
from dory_tui.platforms.jsonc import Edited
from dory_tui.workspace import layout, templates
from dory_tui.workspace.document import WorkspaceError, read_bytes

FOLDER = "openclaw-plugin"
FILES = ("openclaw.plugin.json", "index.mjs", "canary.mjs")
EVENTS = ("before_tool_call", "before_prompt_build")
_TAKEN_UP = "a running gateway takes this up by itself; where its `gateway.reload.mode` is `off`, restart it"
_RELOAD = f"the plugin changed: a running gateway takes it up with `openclaw plugins reload {ID}`"


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The platform for `platforms.PLATFORMS`."""

    name: str = "openclaw"
    title: str = "OpenClaw"

    def file(self, where: Where) -> Path:
        """The configuration, where OpenClaw looks for it. HooksError for a project: OpenClaw has none."""
        if where.project is not None:
            raise HooksError("OpenClaw has one configuration, and none for a project: leave --project out")
        return Path(place.configuration(where.environment))

    def plugin(self, where: Where) -> Path:
        """The folder of the plugin's copy."""
        return config.state_home(where.environment) / FOLDER

    # --- what is there

    def status(self, where: Where) -> list[Found]:
        """What stands in the configuration, and whether the plugin is there as this version of dory has it."""
        if where.project is not None:
            return []
        file = self.file(where)
        try:
            values = openclaw_config.read(file, load(file)[1])
        except HooksError as error:
            return [Found(self.name, file, "unreadable", str(error))]
        if entry(values) is None and str(self.plugin(where)) not in listed(values, "plugins", "load", "paths"):
            return [Found(self.name, file, "not installed", "not installed")]
        settings = mapping(mapping(entry(values)).get("config"))
        state, sentence = self._judged(where, values, settings)
        hooks, notes = self._hooks(where, settings)
        if mapping(mapping(entry(values)).get("hooks")).get("allowConversationAccess") is not True:
            notes += (f"`allowConversationAccess` of `{ID}` is not on, so no session is told what is held",)
        return [Found(self.name, file, state, sentence, hooks, notes, self._disabled(where, values))]

    def _judged(self, where: Where, values: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[State, str]:
        folder = self.plugin(where)
        there = all((folder / name).is_file() for name in FILES)
        if not there or str(folder) not in listed(values, "plugins", "load", "paths"):
            what = "is not loaded from" if there else "is not in"
            return "path gone", f"the plugin {what} {folder}, so every call goes through: install again"
        program, workspace = (str(settings.get(name, "")) for name in ("agent", "workspace"))
        if program and not config.startable(Path(program)):
            return "path gone", f"{program} is gone or cannot start, so whatever can act is stopped: install again"
        if entry(values) != openclaw_config.wanted(Path(program), Path(workspace)) or self._outdated(where):
            return "other version", "not as this version of dory would install it: install again"
        return "installed", f"installed, by {program}"

    def _hooks(self, where: Where, settings: Mapping[str, Any]) -> tuple[tuple[Installed, ...], tuple[str, ...]]:
        """The two handlers, with the command line that calls them as OpenClaw would. It takes a node."""
        node = shutil.which("node", path=where.environment.get("PATH"))
        if node is None:
            return (), ("node is not on the path, so the canary cannot be fired at the plugin",)
        line = shlex.join([node, str(self.plugin(where) / "canary.mjs"), json.dumps(settings)])
        program, workspace = (str(settings.get(name, "")) for name in ("agent", "workspace"))
        return tuple(Installed(event, line, program, workspace) for event in EVENTS), ()

    def _disabled(self, where: Where, values: Mapping[str, Any]) -> str:
        """Why OpenClaw does not load the plugin; "" where nothing says so."""
        if why := openclaw_config.refusal(values):
            return why
        if mapping(entry(values)).get("enabled") is not True:
            return f"`plugins.entries.{ID}.enabled` is not on"
        folder = self.plugin(where)
        for one in (folder, *(folder / name for name in FILES)):
            with suppress(OSError):
                held = one.stat()
                if held.st_mode & 0o002:
                    return f"everybody may write {one}"
                if one.is_file() and held.st_nlink > 1:
                    return f"{one} is a hard link"
        return ""

    def _outdated(self, where: Where) -> bool:
        try:
            return any(one.before != one.after for one in self._copies(where))
        except WorkspaceError:
            return True

    def _copies(self, where: Where) -> list[FileEdit]:
        """The plugin's files as they are and as they should be."""
        folder, source = self.plugin(where), templates.folder() / FOLDER
        files = [(folder / name, (source / name).read_bytes()) for name in FILES]
        return [FileEdit(file, read_bytes(file, str(file)), data, own=True) for file, data in files]

    # --- putting in

    def plan_install(self, where: Where, program: Path, workspace: Path | None) -> Plan:
        """The plugin's files, and the entries that load it at the ends of what they belong to."""
        file, folder = self.file(where), str(self.plugin(where))
        data, text = load(file)
        if data is None or not text.strip():
            raise HooksError(f"{file} is not there: set OpenClaw up first, with `openclaw onboard`")
        _may_change(file, where)
        values = openclaw_config.read(file, text)
        wanted = openclaw_config.wanted(program, workspace or self._workspace(where, values))
        copies = tuple(one for one in self._copies(where) if one.before != one.after)
        edits: tuple[FileEdit, ...] = ()
        if not openclaw_config.stands(values, folder, wanted):
            edited = Edited(self._without(where, file, data, text))
            openclaw_config.add(file, edited, folder, wanted)
            edits, values = (edit(file, data, edited, False),), openclaw_config.read(file, edited.text)
        off = openclaw_config.refusal(values)
        updated = any(one.before is not None for one in copies)
        said = (off and f"OpenClaw does not load it: {off}", edits and _TAKEN_UP, updated and _RELOAD)
        return Plan(self.name, (*copies, *edits), tuple(str(one) for one in said if one))

    def _workspace(self, where: Where, values: Mapping[str, Any]) -> Path:
        """The workspace of OpenClaw's agents. HooksError where that is none of dory's."""
        folder = Path(place.workspace(where.environment, values))
        if not layout.looks_like_workspace(folder):
            raise HooksError(f"{folder}, where OpenClaw's agents work, is no workspace: name one with -C PATH")
        return Path(os.path.realpath(folder))

    # --- taking out

    def plan_remove(self, where: Where) -> Plan:
        """The very bytes of before the installation, or else the configuration without dory's own entries."""
        file = self.file(where)
        data, text = load(file)
        edits = []
        if data is not None and (left := self._without(where, file, data, text).encode()) != data:
            _may_change(file, where)
            edits.append(FileEdit(file, data, left))
        edits += [replace(one, after=None) for one in self._copies(where) if one.before is not None]
        return Plan(self.name, tuple(edits), (_TAKEN_UP,) if edits else ())

    def _without(self, where: Where, file: Path, data: bytes, text: str) -> str:
        """A configuration without what is dory's in it."""
        before = remembered(where.environment, file, data)
        if before is not None and before[0] is not None:
            return before[0].decode()
        openclaw_config.read(file, text)
        folder = str(self.plugin(where))
        while text.strip() and (chain := openclaw_config.own(understood(file, text, json5.read).root, folder)):
            text = jsonc.cut(text, openclaw_config.emptied(text, chain))
        return text

    def applied(self, where: Where, plan: Plan) -> None:
        """Remember an installation; give the plugin to nobody else; take its folder away when it is empty."""
        folder = self.plugin(where)
        for one in plan.edits:
            if one.own:
                with suppress(OSError):
                    one.file.chmod(0o600)
            elif one.added:
                remember(where.environment, one, folder_made=False)
            else:
                forget(where.environment, one.file)
        with suppress(OSError):
            folder.chmod(0o700)
            folder.rmdir()


def _may_change(file: Path, where: Where) -> None:
    """HooksError where somebody else manages the configuration."""
    for name in ("OPENCLAW_CONFIG_READONLY", "OPENCLAW_NIX_MODE"):
        if where.environment.get(name) == "1":
            raise HooksError(f"{file} is managed elsewhere ({name}=1): change it there")
