"""What besides its own file makes a platform pass hooks over: each of them has a way to let every call through."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dory_tui import config
from dory_tui.agent.hooks.install import settings
from dory_tui.agent.hooks.plans import Where

MANAGED = {
    "darwin": Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
    "linux": Path("/etc/claude-code/managed-settings.json"),
}


def claude_files(where: Where) -> Iterator[Path]:
    """The files of settings that Claude Code reads: the user's, the project's, those of where the agent works."""
    folders = (where.folder("CLAUDE_CONFIG_DIR", ".claude"), *(
        one / ".claude" for one in (where.project, where.workspace) if one is not None
    ))  # fmt: skip
    for folder in dict.fromkeys(folders):
        yield from (folder / name for name in ("settings.json", "settings.local.json"))


def claude_code(where: Where, file: Path, values: dict[str, Any]) -> tuple[str, list[str]]:
    """(why it passes the hooks over, what may make it do so): settings that turn hooks off, here and elsewhere."""
    files: dict[Path, Mapping[str, Any]] = {file: values}
    for one in (*claude_files(where), *([MANAGED[sys.platform]] if sys.platform in MANAGED else [])):
        files.setdefault(one, settings(one))
    for one, found in files.items():
        if found.get("disableAllHooks") is True:
            return f"`disableAllHooks` is on in {one}", []
        if found.get("allowManagedHooksOnly") is True:
            return f"`allowManagedHooksOnly` is on in {one}", []
    return "", []


def codex(where: Where, file: Path, _: dict[str, Any]) -> tuple[str, list[str]]:
    """Hooks may be turned off in `config.toml`, and a new or changed one waits there until the person trusts it."""
    trust = where.folder("CODEX_HOME", ".codex") / "config.toml"
    try:
        found = config.parse_settings(config.read_settings(trust, str(trust)) or b"", str(trust))
    except config.ConfigError as error:
        return "", [str(error)]
    features = found.get("features")
    if isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks")):
        return f"hooks are off under [features] in {trust}", []
    hooks = found.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    own = [
        state
        for key, state in (states.items() if isinstance(states, dict) else ())
        if isinstance(state, dict) and str(key).startswith((f"{file}:", f"{os.path.realpath(file)}:"))
    ]
    if any(state.get("enabled") is False for state in own):
        return f"a hook of {file} is turned off in {trust}", []
    if any(state.get("trusted_hash") for state in own):
        return "", []
    return "", ["Codex passes a new or changed hook over until you trust it: start Codex and look through /hooks"]


def cursor(_: Where, __: Path, ___: dict[str, Any]) -> tuple[str, list[str]]:
    """Nothing but the file itself is known to turn Cursor's hooks off."""
    return "", []
