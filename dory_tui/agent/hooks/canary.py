"""Fire a harmless call at each hook that is really installed, and report what happened.

The command line is read out of the settings file and run as the platform runs it: by its shell, with little in the
environment, the call on standard input. The call names what is gated, and nothing ever runs it. A second call, that
must go through, shows a hook that stops everything. Every platform has ways to let a call through; they are told apart.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dory_tui.agent.hooks import patterns
from dory_tui.agent.hooks.plans import Found, Installed, Where

Outcome = Literal["stopped", "let through", "stops everything", "not tried"]

HARMLESS = "true"
PATIENCE = 20.0
"""Seconds a hook gets to answer; the platforms give more."""
_KEPT = ("HOME", "USER", "LOGNAME", "SHELL", "LANG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "DORY_WORKSPACE", "TMPDIR")
_PATH = "/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Probe:
    """What one installed hook did on the canary. `why` is a sentence; `notes` what could not be tried from here."""

    platform: str
    file: Path
    event: str
    command: str
    outcome: Outcome
    why: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended. `code` is None when it did not in time."""

    code: int | None
    output: str
    error: str


def probe(found: Found, where: Where, patience: float = PATIENCE) -> list[Probe]:
    """Fire the canary at each hook before a tool that stands in one place."""
    made = []
    calls = CALLS.get(found.platform, {})
    for hook in found.hooks:
        if (call := calls.get(hook.event)) is None:
            continue
        outcome: Outcome
        if found.disabled:
            outcome, why = "let through", f"the platform passes it over: {found.disabled}"
        elif hook.untried:
            outcome, why = "not tried", hook.untried
        else:
            outcome, why = _fired(found.platform, hook, call, where, patience)
        made.append(Probe(found.platform, found.file, hook.event, hook.command, outcome, why, found.notes))
    if found.hooks and not made:
        events = ", ".join(sorted({hook.event for hook in found.hooks}))
        why = f"no hook of dory's stands before a tool, only under {events}: {found.sentence}"
        made.append(Probe(found.platform, found.file, "", found.hooks[0].command, "let through", why, found.notes))
    return made


def gated_call(environment: Mapping[str, str]) -> str:
    """A command that the human's own patterns gate; else one that is denied whatever they say."""
    known = patterns.load(environment)
    if known.command("git", ["push", "--force"]) is not None:
        return "git push --force dory-canary dory-canary"
    for pattern in known.commands:
        words = [part.split("|")[0] for part in pattern.split() if part != "**"]
        if not any(char in word for word in words for char in "*?["):
            return " ".join(words)
    return "rm .dory/canary"


def _fired(
    platform: str, hook: Installed, call: Callable[[str, str], dict[str, Any]], where: Where, patience: float
) -> tuple[Outcome, str]:
    folder = str(where.project or where.home)
    gated = gated_call(where.environment)
    stopped, why = _heard(platform, hook, run(platform, hook.command, call(gated, folder), where, patience))
    if not stopped:
        return "let through", f"`{gated}` would have run: {why}"
    harmless = run(platform, hook.command, call(HARMLESS, folder), where, patience)
    if _heard(platform, hook, harmless)[0]:
        return "stops everything", f"`{HARMLESS}` was stopped too: {_said(harmless)}"
    return "stopped", f"`{gated}` was stopped, `{HARMLESS}` was not"


def run(platform: str, command: str, call: dict[str, Any], where: Where, patience: float) -> Ended:
    """Run a command line as a platform does, with a call on standard input."""
    environment = {"PATH": _PATH, **{name: where.environment[name] for name in _KEPT if name in where.environment}}
    environment.setdefault("HOME", str(where.home))
    shell = [environment.get("SHELL", "/bin/sh"), "-lc"] if platform == "codex" else ["/bin/sh", "-c"]
    folder = where.project or where.home
    try:
        process = subprocess.Popen(
            [*shell, command], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        return Ended(127, "", str(error))
    try:
        out, err = process.communicate(json.dumps(call).encode("ascii"), patience)
    except subprocess.TimeoutExpired:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Ended(None, "", "")
    return Ended(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


# --- what a platform makes of an answer


def _heard(platform: str, hook: Installed, ended: Ended) -> tuple[bool, str]:
    """(whether the platform would stop the call, why)."""
    if ended.code is None:
        return hook.fails_closed, "it did not answer in time"
    if ended.code == 2:
        if platform == "codex" and not ended.error.strip():
            return False, "exit code 2 without a reason on standard error lets the call through"
        return True, "exit code 2"
    if ended.code != 0:
        missing = "the command is missing or cannot start" if ended.code in (126, 127) else "the hook failed"
        return hook.fails_closed, f"{missing} (exit code {ended.code}: {_said(ended)})"
    try:
        values = json.loads(ended.output) if ended.output.strip() else {}
    except ValueError:
        return hook.fails_closed, f"its output cannot be read: {_said(ended)}"
    if not isinstance(values, dict):
        return hook.fails_closed, f"its output cannot be read: {_said(ended)}"
    if platform == "cursor" and values.get("permission") not in ("allow", "deny", "ask"):
        return hook.fails_closed, "it gave no permission"
    return ANSWERS[platform](values), f"it answered {_said(ended) or 'nothing'}"


def _said(ended: Ended) -> str:
    text = " ".join((ended.output.strip() or ended.error.strip()).split())
    return text if len(text) < 200 else f"{text[:199]}…"


def _denied(values: dict[str, Any]) -> bool:
    inner = values.get("hookSpecificOutput")
    return isinstance(inner, dict) and inner.get("permissionDecision") == "deny"


def _denied_codex(values: dict[str, Any]) -> bool:
    """A field more than Codex knows makes it take the answer for a failure, and the call goes through."""
    inner = values.get("hookSpecificOutput")
    known = {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    return (
        set(values) == {"hookSpecificOutput"} and isinstance(inner, dict) and set(inner) == known
        and inner["permissionDecision"] == "deny" and bool(str(inner["permissionDecisionReason"]).strip())
    )  # fmt: skip


def _permitted(values: dict[str, Any]) -> bool:
    return values.get("permission") in ("deny", "ask")


ANSWERS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "claude-code": _denied,
    "codex": _denied_codex,
    "cursor": _permitted,
    "openclaw": lambda values: values.get("block") is True,
}
"""Whether what a hook printed stops the call, for each platform."""


# --- the calls


def _bash(command: str, folder: str) -> dict[str, Any]:
    return {
        "session_id": "", "transcript_path": None, "cwd": folder, "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": "dory-canary",
    }  # fmt: skip


def _cursor(event: str, folder: str, **more: object) -> dict[str, Any]:
    return {
        "conversation_id": "", "generation_id": "", "hook_event_name": event, "workspace_roots": [folder],
        "cwd": folder, **more,
    }  # fmt: skip


CALLS: dict[str, dict[str, Callable[[str, str], dict[str, Any]]]] = {
    "claude-code": {"PreToolUse": _bash},
    "codex": {"PreToolUse": lambda command, folder: {**_bash(command, folder), "turn_id": "1", "model": "none"}},
    "cursor": {
        "beforeShellExecution": lambda command, folder: _cursor(
            "beforeShellExecution", folder, command=command, sandbox=False
        ),
        "beforeMCPExecution": lambda command, folder: _cursor(
            "beforeMCPExecution", folder, tool_name="run", tool_input=json.dumps({"command": command})
        ),
        "preToolUse": lambda command, folder: _cursor(
            "preToolUse", folder, tool_name="Shell", tool_input={"command": command}, tool_use_id="dory-canary"
        ),
    },
    "openclaw": {
        "before_tool_call": lambda command, folder: {
            "event": "before_tool_call", "toolName": "exec", "params": {"command": command}, "cwd": folder,
        }
    },
}  # fmt: skip
"""For each platform and event before a tool: the call that would run a command there."""
