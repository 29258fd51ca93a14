"""The agent platforms that `dory init --for` knows: where each looks for skills, rules and its workspace.

Facts as documented in autumn 2026. All four read the open skill format, a folder with a SKILL.md in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dory_tui.platforms import json5, openclaw
from dory_tui.platforms.jsonc import JsoncError
from dory_tui.workspace.document import Document, WorkspaceError, read, read_bytes

RULES = "AGENTS.md"
CLAUDE = ("CLAUDE.md", ".claude/CLAUDE.md")
_IMPORTS = {
    "CLAUDE.md": re.compile(r"(?:^|\s)@(?:\./)?AGENTS\.md(?![\w.-])"),
    ".claude/CLAUDE.md": re.compile(r"(?:^|\s)@\.\./AGENTS\.md(?![\w.-])"),
}
_CODE = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Platform:
    """`skills` is a folder relative to the workspace; `shown` is how much of a rules file is sure to be read."""

    name: str
    title: str
    skills: str
    shown: int | None = None


PLATFORMS: Mapping[str, Platform] = {
    one.name: one
    for one in (
        Platform("openclaw", "OpenClaw", "skills", shown=12_000),
        Platform("claude-code", "Claude Code", ".claude/skills"),
        Platform("codex", "Codex", ".agents/skills", shown=32_768),
        Platform("cursor", "Cursor", ".cursor/skills"),
    )
}


@dataclass(frozen=True, slots=True)
class Place:
    """The folder that is set up, and a sentence where another may be meant."""

    folder: Path
    doubt: str | None = None


def place(platform: Platform, environment: Mapping[str, str], current: Path) -> Place:
    """Where a platform's workspace is unless `-C` says otherwise: OpenClaw's own, for the others the current folder."""
    if platform.name != "openclaw":
        return Place(current)
    settings, doubt = openclaw.configuration(environment), None
    found: Mapping[str, Any] = {}
    try:
        data = read_bytes(Path(settings), settings)
        found = {} if data is None or not data.strip() else json5.read(data.decode("utf-8")).root.plain
    except (WorkspaceError, UnicodeDecodeError, JsoncError) as error:
        line = f" line {error.line}" if isinstance(error, JsoncError) else ""
        doubt = f"{settings}{line} could not be read: if it names another workspace, call again with -C"
    return Place(Path(openclaw.workspace(environment, found)), doubt)


def rules_file(platform: Platform, root: Path) -> str:
    """The file in which a platform reads its rules in this workspace. WorkspaceError when one cannot be read.

    Claude Code reads CLAUDE.md, which may import AGENTS.md; Codex takes AGENTS.override.md where there is one.
    """
    if platform.name == "codex":
        override = read_bytes(root / "AGENTS.override.md", "AGENTS.override.md")
        return "AGENTS.override.md" if override is not None and override.strip() else RULES
    if platform.name == "claude-code":
        found = [(path, document) for path in CLAUDE if (document := read(root, path)) is not None]
        if found and not any(_imports(root, path, document) for path, document in found):
            return found[0][0]
    return RULES


def lacks_import(platform: Platform, root: Path) -> bool:
    """Whether Claude Code has no file of its own here, and needs one that imports AGENTS.md."""
    return platform.name == "claude-code" and not any(os.path.lexists(root / path) for path in CLAUDE)


def _imports(root: Path, path: str, document: Document) -> bool:
    """Whether a CLAUDE.md is AGENTS.md, or imports it; what stands in code or in a comment imports nothing."""
    try:
        if (root / path).samefile(root / RULES):
            return True
    except OSError:
        pass
    return any(_IMPORTS[path].search(_CODE.sub("", line.shown)) for line in document.lines if not line.mask)
