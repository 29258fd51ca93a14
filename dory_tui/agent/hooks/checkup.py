"""What `dory doctor` says of the agent platforms: whether the hooks really stop a call, and the traps known of each.

The facts of the traps are those of agents.md.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from dory_tui.agent.hooks.canary import PATIENCE, probe
from dory_tui.agent.hooks.install import settings
from dory_tui.agent.hooks.openclaw_config import listed, mapping
from dory_tui.agent.hooks.plans import Found, Platform, Where
from dory_tui.agent.hooks.platforms import PLATFORMS
from dory_tui.agent.hooks.tables import words
from dory_tui.agent.hooks.traps import claude_files
from dory_tui.platforms import json5, openclaw
from dory_tui.workspace.document import WorkspaceError, read_bytes

Level = Literal["wrong", "warning", "note", "ok"]
Told = Iterator[tuple[Level, str, str]]

_HUMAN = ("dory", "dory-tui")
_MODULES = ("dory_tui", "dory_tui.cli.dory")
_BEFORE = words("command env exec hatch nice nohup pdm pipx poetry run rye stdbuf sudo time timeout uv uvx xargs")
"""Words that start the command behind them."""
_EVERY = ("", "*", "**", ":*")


def checkup(root: Path, environment: Mapping[str, str], patience: float = PATIENCE) -> Told:
    """(level, sentence, what to do) for each platform that is used here; one sentence where none is."""
    told = 0
    for platform in PLATFORMS.values():
        for look in (_hooks(platform, root, environment, patience), _traps(platform.name, root, environment)):
            for one in _guarded(platform, look):
                told += 1
                yield one
    if not told:
        yield "note", "no agent platform that dory knows is used here", "`dory hooks install PLATFORM` puts hooks in"


def _guarded(platform: Platform, look: Told) -> Told:
    """What is said of a platform; a file of its that cannot be looked at costs no other platform its words."""
    try:
        yield from look
    except (OSError, ValueError, RecursionError, WorkspaceError) as error:
        what = str(error).split("\n", 1)[0][:300] or type(error).__name__
        yield "wrong", f"{platform.title} could not be looked at: {what}", "see what is wrong with that file"


def _hooks(platform: Platform, root: Path, environment: Mapping[str, str], patience: float) -> Told:
    """The canary at whatever is installed for the user and in the workspace; a word where nothing is."""
    installed = False
    seen: set[Path] = set()
    for where in (Where(environment, None, root), Where(environment, root)):
        for found in platform.status(where):
            if found.state == "not installed" or found.file in seen:
                continue
            seen.add(found.file)
            installed = True
            yield from _place(platform, found, where, patience)
    if not installed and _home(platform.name, Where(environment)).is_dir():
        yield (
            "note",
            f"{platform.title} is used here, and dory's hooks are not in it",
            (f"`dory hooks install {platform.name}` has it stop what your patterns gate"),
        )


def _place(platform: Platform, found: Found, where: Where, patience: float) -> Told:
    project = f" --project {shlex.quote(str(where.project))}" if where.project is not None else ""
    again = f"`dory hooks install {platform.name}{project}`"
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
        elif one.outcome == "not tried":
            yield "wrong", f"{name} was not tried: {one.why}", f"look at {found.file}; {again} puts dory's own line in"
        else:
            yield "wrong", f"{name} stops everything: {one.why}", again
    for note in found.notes:
        yield "warning", f"{platform.title}: {note}", ""


def _home(name: str, where: Where) -> Path:
    """A platform's own folder of the user."""
    if name == "openclaw":
        return Path(openclaw.state(where.environment))
    variable, usual = _HOMES[name]
    return where.folder(variable, usual)


_HOMES = {"claude-code": ("CLAUDE_CONFIG_DIR", ".claude"), "codex": ("CODEX_HOME", ".codex"), "cursor": ("", ".cursor")}


# Traps


def _traps(name: str, root: Path, environment: Mapping[str, str]) -> Told:
    where = Where(environment, None, root)
    if name == "openclaw":
        yield from _openclaw(where, root)
    for file, allowed in _allowed(name, where, root):
        if runs_dory(allowed):
            yield (
                "wrong",
                f"{file} lets agents run `dory` without asking: {allowed}",
                "take it out: `dory` is the human's command, and `dory-agent` the one to allow",
            )
        elif allowed in _EVERY:
            yield (
                "warning",
                f"{file} lets agents run every command without asking, `dory` too",
                "name the commands that need no asking, `dory-agent` among them, and not all",
            )


def runs_dory(allowed: str) -> bool:
    """Whether what an allow-list lets an agent start is the human's command: `dory`, by any path or way to start it."""
    said = allowed.removesuffix(":*").split()
    while said and (said[0] in _BEFORE or "=" in said[0] or said[0].startswith("-")):
        said = said[1:]
    name = said[0].rpartition("/")[2] if said else ""
    if re.fullmatch(r"python[\d.]*", name) and "-m" in said[1:]:
        return any(word in _MODULES for word in said)
    return name in _HUMAN


def _allowed(name: str, where: Where, root: Path) -> Iterator[tuple[Path, str]]:
    """(file, command) that a platform's settings let an agent run without asking; one of `_EVERY` is every command."""
    home = _home(name, where)
    if name == "claude-code":
        yield from _rules(claude_files(where), "Bash")
    elif name == "cursor":
        yield from _rules((home / "cli-config.json", root / ".cursor/cli.json"), "Shell")
    elif name == "codex":
        yield from _prefixes((home / "rules", root / ".codex/rules"))
    elif name == "openclaw":
        yield from _approvals(home / "exec-approvals.json")


def _rules(files: Iterable[Path], tool: str) -> Iterator[tuple[Path, str]]:
    """Claude Code's and Cursor's: `permissions.allow`."""
    for file in files:
        for rule in map(str, listed(settings(file), "permissions", "allow")):
            if rule == tool:
                yield file, ""
            elif rule.startswith(f"{tool}(") and rule.endswith(")"):
                yield file, rule[len(tool) + 1 : -1].strip()


def _prefixes(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Codex's: `prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow")`; a list is one of its words."""
    for file in (file for folder in folders for file in sorted(folder.glob("*.rules"))):
        text = (read_bytes(file, str(file)) or b"").decode("utf-8", "replace")
        for rule in re.findall(r"prefix_rule\((.*?)\)", text, re.DOTALL):
            if "decision" in rule and not re.search(r"decision\s*=\s*[\"']allow", rule):
                continue
            pattern = re.search(r"pattern\s*=\s*\[\s*(\[[^\]]*\]|[\"'][^\"']*[\"'])(.*)\]", rule, re.DOTALL)
            if pattern is None:
                continue
            rest = " ".join(_QUOTED.findall(pattern[2]))
            yield from ((file, f"{first} {rest}".strip()) for first in _QUOTED.findall(pattern[1]))


def _approvals(file: Path) -> Iterator[tuple[Path, str]]:
    """OpenClaw's: the patterns of programs that each agent may start."""
    for agent in mapping(settings(file).get("agents")).values():
        for one in listed(mapping(agent), "allowlist"):
            yield file, str(mapping(one).get("pattern", "")) or "?"


def _openclaw(where: Where, root: Path) -> Told:
    """What OpenClaw does not read, and what it may stop reading, of a workspace that is its own."""
    values = settings(Path(openclaw.configuration(where.environment)), json5.read)
    folder = Path(openclaw.workspace(where.environment, values))
    if not folder.exists() or not root.exists() or not folder.samefile(root):
        return
    if not any("state" in str(one) for one in listed(values, "agents", "defaults", "memorySearch", "extraPaths")):
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


_QUOTED = re.compile(r"[\"']([^\"']*)[\"']")
