"""Where OpenClaw keeps its configuration and its agents' workspace, as plain text. Pure but for one look at folders.

The order is that of OpenClaw 2026.9 itself: what the configuration names comes before what the environment does.
"""

# `pathlib` costs half a start of Python, and every tool call comes through here.
# ruff: noqa: PTH100, PTH112, PTH118

from __future__ import annotations

import os
from collections.abc import Mapping

from dory_tui import homes

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any

CONFIGURATION = "openclaw.json"
FOLDER = ".openclaw"


def home(environment: Mapping[str, str]) -> str:
    """OpenClaw's home, which may be another than the user's."""
    named = environment.get("OPENCLAW_HOME", "").strip()
    own = homes.home(environment)
    return own if named in ("", "undefined", "null") else _expanded(named, own)


def state(environment: Mapping[str, str]) -> str:
    """The folder of its state: each profile has one of its own."""
    if named := environment.get("OPENCLAW_STATE_DIR", "").strip():
        return _expanded(named, home(environment))
    profile = _profile(environment)
    return os.path.join(home(environment), f"{FOLDER}-{profile}" if profile else FOLDER)


def configuration(environment: Mapping[str, str]) -> str:
    """The file of its configuration, JSON5."""
    if named := environment.get("OPENCLAW_CONFIG_PATH", "").strip():
        return _expanded(named, home(environment))
    return os.path.join(state(environment), CONFIGURATION)


def workspace(environment: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """The folder in which its agents work, by what its configuration says ({} for nothing)."""
    found: Any = settings
    for key in ("agents", "defaults", "workspace"):
        found = found.get(key) if isinstance(found, dict) else None
    if isinstance(found, str) and found.strip():
        return _expanded(found.strip(), home(environment))
    if named := environment.get("OPENCLAW_WORKSPACE_DIR", "").strip():
        return _expanded(named, home(environment))
    usual = state(environment)
    profile = _profile(environment)
    earlier = os.path.join(home(environment), FOLDER, f"workspace-{profile}")  # where earlier versions had it
    if profile and os.path.isdir(earlier) and not os.path.isdir(usual):
        return earlier
    return os.path.join(usual, "workspace")


def _profile(environment: Mapping[str, str]) -> str:
    named = environment.get("OPENCLAW_PROFILE", "").strip()
    return "" if named.casefold() == "default" else named


def _expanded(path: str, below: str) -> str:
    if path == "~" or path.startswith("~/"):
        return os.path.join(below, path[1:].lstrip("/"))
    return os.path.abspath(path)
