"""What `dory doctor` says of the agent platforms: whether the hooks really stop a call, and the traps known of each.

The facts of the traps are those of agents.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from dory_tui import config
from dory_tui.agent.hooks.canary import PATIENCE, probe
from dory_tui.agent.hooks.install import HooksError, load
from dory_tui.agent.hooks.openclaw_config import mapping, read
from dory_tui.agent.hooks.plans import Found, Platform, Where
from dory_tui.agent.hooks.platforms import PLATFORMS

Level = Literal["wrong", "warning", "note", "ok"]
Told = Iterator[tuple[Level, str, str]]

_HOMES = {"claude-code": ".claude", "codex": ".codex", "cursor": ".cursor", "openclaw": ".openclaw"}
# `dory`, by any path, as the first word of a command; `dory-agent` is made for allow-lists.
_DORY = re.compile(r"(?:^|[\s\"'(\[/:,])dory(?![\w.-])")


def checkup(root: Path, environment: Mapping[str, str], patience: float = PATIENCE) -> Told:
    """(level, sentence, what to do) for each platform that is used here; one sentence where none is."""
    told = 0
    for platform in PLATFORMS.values():
        for one in (*_hooks(platform, root, environment, patience), *_traps(platform.name, root, environment)):
            told += 1
            yield one
    if not told:
        yield "note", "no agent platform that dory knows is used here", "`dory hooks install PLATFORM` puts hooks in"


def _hooks(platform: Platform, root: Path, environment: Mapping[str, str], patience: float) -> Told:
    """The canary at whatever is installed for the user and in the workspace; a word where nothing is."""
    installed = False
    seen: set[Path] = set()
    for where in (Where(environment), Where(environment, root)):
        for found in platform.status(where):
            if found.state == "not installed" or found.file in seen:
                continue
            seen.add(found.file)
            installed = True
            yield from _place(platform, found, where, patience)
    if not installed and _used(platform.name, environment):
        yield (
            "note",
            f"{platform.title} is used here, and dory's hooks are not in it",
            (f"`dory hooks install {platform.name}` has it stop what your patterns gate"),
        )


def _place(platform: Platform, found: Found, where: Where, patience: float) -> Told:
    again = f"`dory hooks install {platform.name}`"
    if found.state != "installed":
        level: Level = "warning" if found.state == "other version" else "wrong"
        yield level, f"{platform.title}: {found.file}: {found.sentence}", again
    if found.state == "unreadable":
        return
    for one in probe(found, where, patience):
        name = f"{platform.title}: {one.event or 'its hook'}"
        if one.outcome == "stopped":
            yield "ok", f"{name} stopped the canary", ""
        elif one.outcome == "let through":
            yield "wrong", f"{name} let the canary through: {one.why}", f"{again}, or turn hooks on there"
        else:
            yield "wrong", f"{name} stops everything: {one.why}", again
    for note in found.notes:
        yield "warning", f"{platform.title}: {note}", ""


def _used(name: str, environment: Mapping[str, str]) -> bool:
    return (config.home(environment) / _HOMES[name]).is_dir()


# Traps


def _traps(name: str, root: Path, environment: Mapping[str, str]) -> Told:
    home = config.home(environment)
    if name == "openclaw":
        yield from _openclaw(home, root)
    for file, allowed in _allowed(name, home, root):
        if _DORY.search(allowed):
            yield (
                "wrong",
                f"{file} lets agents run `dory` without asking: {allowed}",
                ("take it out: `dory` is the human's command, and `dory-agent` the one to allow"),
            )


def _allowed(name: str, home: Path, root: Path) -> Iterator[tuple[Path, str]]:
    """What a platform's settings let an agent run without asking."""
    if name == "claude-code":
        names = (".claude/settings.json", ".claude/settings.local.json")
        yield from _rules([folder / one for folder in (home, root) for one in names], "Bash(")
    elif name == "cursor":
        yield from _rules([home / ".cursor/cli-config.json", root / ".cursor/cli.json"], "Shell(")
    elif name == "codex":
        yield from _prefixes([home / ".codex/rules", root / ".codex/rules"])
    elif name == "openclaw":
        yield from _approvals(home / ".openclaw/exec-approvals.json")


def _rules(files: Iterable[Path], start: str) -> Iterator[tuple[Path, str]]:
    """Claude Code's and Cursor's: `permissions.allow`."""
    for file in files:
        for rule in _list(_mapping(_json(file), "permissions"), "allow"):
            if rule.startswith(start):
                yield file, rule


def _prefixes(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Codex's: `prefix_rule(pattern = ["git", "status"], decision = "allow")`."""
    for file in (file for folder in folders for file in sorted(folder.glob("*.rules"))):
        for rule in re.findall(r"prefix_rule\((.*?)\)", _text(file), re.DOTALL):
            if "decision" not in rule or re.search(r"decision\s*=\s*[\"']allow", rule):
                pattern = re.search(r"pattern\s*=\s*(\[.*\])", rule, re.DOTALL)
                yield file, " ".join((pattern[1] if pattern else rule).split())


def _approvals(file: Path) -> Iterator[tuple[Path, str]]:
    """OpenClaw's: the patterns of programs that each agent may start."""
    for agent in _mapping(_json(file), "agents").values():
        listed = agent.get("allowlist") if isinstance(agent, dict) else None
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict):
                yield file, str(one.get("pattern", ""))


def _openclaw(home: Path, root: Path) -> Told:
    """What OpenClaw does not read, and what it may stop reading, of a workspace that is its own."""
    file = home / ".openclaw/openclaw.json"
    try:
        values = read(file, load(file)[1])
    except HooksError:
        values = {}
    defaults = mapping(mapping(values.get("agents")).get("defaults"))
    named = str(defaults.get("workspace") or home / ".openclaw/workspace")
    folder = Path(f"{home}{named[1:]}" if named.startswith("~/") else named)
    if not folder.exists() or not root.exists() or not folder.samefile(root):
        return
    searched = mapping(defaults.get("memorySearch")).get("extraPaths")
    if not any("state" in str(one) for one in (searched if isinstance(searched, list) else ())):
        yield (
            "note",
            "OpenClaw neither reads nor indexes `state/` by itself",
            (
                "the boot line and `dory-agent boot --context` tell the agent; "
                "`agents.defaults.memorySearch.extraPaths` can add `state/` to its search"
            ),
        )
    yield (
        "note",
        "after an edit of MEMORY.md here and another by the agent, OpenClaw may stop reading it, unsaid",
        ("ask the agent what MEMORY.md says; its `/context list` shows what was read"),
    )


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(_text(file))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def _mapping(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _list(values: Mapping[str, Any], key: str) -> list[str]:
    found = values.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
