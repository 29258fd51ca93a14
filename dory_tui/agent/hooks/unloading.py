"""What would take dory's plugin out of OpenClaw, and what OpenClaw's scheduler starts, where no hook sees it. Pure.

OpenClaw gives its agents tools that change OpenClaw itself, and its command line changes it too. A command job of its
scheduler runs without any hook, so its command is looked at when the job is made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from dory_tui.agent.hooks.tables import words

_HARMLESS = words("list inspect info search enable reload doctor registry validate")
_DORY = re.compile(r"(?i)\bdory\b")
_JOBS = words("cron automations")
_SCRIPTS = words("--command --on-exit")
_ARGVS = words("--command-argv --stream-command")


def by_tool(name: str, arguments: Mapping[str, object]) -> bool:
    """Whether a call of one of OpenClaw's own tools takes the plugin out, or may."""
    action = str(arguments.get("action", ""))
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if name == "plugins":
        return action not in _HARMLESS and "dory" in texts
    if name == "gateway":  # in versions before 2026.9 it writes the configuration
        return action.startswith("config.") and action.rpartition(".")[2] in ("apply", "patch", "set", "unset")
    return name == "openclaw" and any(_DORY.search(text) for text in texts)


def by_command(texts: Sequence[str]) -> bool:
    """Whether the words after `openclaw` take the plugin out, or may."""
    rest = _from(texts, words("plugins config reset uninstall"))
    if not rest:
        return False
    verb = next((text for text in rest[1:] if not text.startswith("-")), "")
    if rest[0] == "plugins":
        return verb not in _HARMLESS and "dory" in rest
    if rest[0] == "config":
        whole = verb in ("patch", "apply") or "--batch-file" in rest or "--batch-json" in rest
        return whole or (verb in ("set", "unset") and any(text.startswith("plugins") for text in rest))
    return "--dry-run" not in rest


def started(texts: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """(scripts, commands as their words) that a job made by the words after `openclaw` will run."""
    rest = _from(texts, _JOBS)
    pairs = [text.partition("=")[::2] for text in rest if text.startswith("--") and "=" in text]
    pairs += list(pairwise(rest))
    scripts = [value for option, value in pairs if option in _SCRIPTS]
    commands = []
    for value in (value for option, value in pairs if option in _ARGVS):
        try:
            argv = json.loads(value)
        except ValueError:
            argv = None
        if isinstance(argv, list) and argv and all(isinstance(one, str) for one in argv):
            commands.append(argv)
        else:
            scripts.append(value)
    return scripts, commands


def _from(texts: Sequence[str], verbs: frozenset[str]) -> Sequence[str]:
    """The words from one of these verbs on; before it stand only options and their values."""
    at = next((at for at, text in enumerate(texts) if text in verbs), len(texts))
    before = [text for at, text in enumerate(texts[:at]) if not text.startswith("-")]
    return texts[at:] if len(before) <= 1 else ()
