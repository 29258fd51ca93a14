"""What makes a folder a workspace, and the nearest one, as plain text: a hook is spared `pathlib`."""

# `pathlib` costs half a start of Python.
# ruff: noqa: PTH110, PTH112, PTH113, PTH120

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from dory_tui import homes

MEMORY = "MEMORY.md"
LOGS = "memory"
IDENTITY = ".dory/workspace"

STATE_FILES = ("state/HOLD.md", "state/ACTIVE.md", "state/STAGING.md", "state/DECISIONS.md")
PLATFORM_HOMES = (".openclaw/workspace", "clawd")


def looks_like_workspace(folder: str) -> bool:
    """Whether a folder met on the way up is a workspace: its id, a state file, or the memory files."""
    if os.path.isfile(f"{folder}/{IDENTITY}") or any(os.path.exists(f"{folder}/{name}") for name in STATE_FILES):
        return True
    return os.path.isfile(f"{folder}/{MEMORY}") and os.path.isdir(f"{folder}/{LOGS}")


def nearest(environment: Mapping[str, str], current: str) -> tuple[str, str] | None:
    """(folder, where it was found) of the workspace upward from `current`, else of a platform's home."""
    for folder in _upward(current):
        if looks_like_workspace(folder):
            return folder, "here"
    for name in PLATFORM_HOMES:
        folder = f"{homes.home(environment)}/{name}"
        if looks_like_workspace(folder):
            return folder, name
    return None


def _upward(folder: str) -> Iterator[str]:
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        yield folder
