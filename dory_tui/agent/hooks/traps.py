"""What besides its own file makes a platform pass hooks over: each of them has a way to let every call through."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from dory_tui.agent.hooks.plans import Where

MANAGED = {
    "darwin": Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
    "linux": Path("/etc/claude-code/managed-settings.json"),
}


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def claude_code(where: Where, file: Path, values: dict[str, Any]) -> tuple[str, list[str]]:
    """(why it passes the hooks over, what may make it do so): settings that turn hooks off, here and elsewhere."""
    files = {file: values}
    folders = [where.home, *([where.project] if where.project is not None else [])]
    for folder in folders:
        for name in ("settings.json", "settings.local.json"):
            files.setdefault(folder / ".claude" / name, _json(folder / ".claude" / name))
    managed = MANAGED.get(sys.platform)
    if managed is not None:
        files[managed] = _json(managed)
    for one, found in files.items():
        if found.get("disableAllHooks") is True:
            return f"`disableAllHooks` is on in {one}", []
        if found.get("allowManagedHooksOnly") is True:
            return f"`allowManagedHooksOnly` is on in {one}", []
    return "", []


def codex(where: Where, file: Path, _: dict[str, Any]) -> tuple[str, list[str]]:
    """Hooks may be turned off in `config.toml`, and a new or changed one waits there until the person trusts it."""
    home = where.environment.get("CODEX_HOME")
    settings = (Path(home) if home else where.home / ".codex") / "config.toml"
    try:
        found = tomllib.loads(settings.read_text("utf-8"))
    except (OSError, ValueError):
        found = {}
    features = found.get("features")
    if isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks")):
        return f"hooks are off under [features] in {settings}", []
    hooks = found.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    own = [
        state
        for key, state in (states.items() if isinstance(states, dict) else ())
        if isinstance(state, dict) and str(key).startswith((f"{file}:", f"{os.path.realpath(file)}:"))
    ]
    if any(state.get("enabled") is False for state in own):
        return f"a hook of {file} is turned off in {settings}", []
    if any(state.get("trusted_hash") for state in own):
        return "", []
    return "", ["Codex passes a new or changed hook over until you trust it: start Codex and look through /hooks"]


def cursor(_: Where, __: Path, ___: dict[str, Any]) -> tuple[str, list[str]]:
    """Nothing but the file itself is known to turn Cursor's hooks off."""
    return "", []
