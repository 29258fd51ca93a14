"""The platforms dory has hooks for: where each keeps them, and what dory puts there.

`PLATFORMS` is the register that `dory hooks`, the canary and the doctor go by: whatever has the methods of
`plans.Platform` may stand in it. A platform that keeps its hooks in a file of JSON is a `SettingsPlatform`; one that
needs more (OpenClaw's plugin) has a class of its own.
"""

from __future__ import annotations

from typing import Any

from dory_tui.agent.hooks import traps
from dory_tui.agent.hooks.openclaw import OpenClaw
from dory_tui.agent.hooks.plans import Platform
from dory_tui.agent.hooks.settings_file import Settings, SettingsPlatform
from dory_tui.agent.hooks.tables import words


def _claude_code(event: str, command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command}
    return {"matcher": "*", "hooks": [handler]} if event == "PreToolUse" else {"hooks": [handler]}


def _codex(_: str, command: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": command}]}  # without a matcher it is for every tool


_CURSOR_WRITES = "Write|StrReplace|Edit|MultiEdit|ApplyPatch|Delete|NotebookEdit|EditNotebook|WebFetch"
"""Cursor asks for commands and MCP tools by events of their own: a second hook for each would only cost time."""


def _cursor(event: str, command: str) -> dict[str, Any]:
    if event in ("sessionStart", "stop"):
        return {"command": command}
    entry: dict[str, Any] = {"command": command, "failClosed": True}
    return {**entry, "matcher": _CURSOR_WRITES} if event == "preToolUse" else entry


CLAUDE_CODE = Settings(
    ".claude/settings.json",
    ("PreToolUse", "SessionStart", "Stop"),
    words(
        """
        ConfigChange CwdChanged Elicitation ElicitationResult FileChanged InstructionsLoaded Notification
        PermissionDenied PermissionRequest PostCompact PostToolBatch PostToolUse PostToolUseFailure PreCompact
        PreToolUse SessionEnd SessionStart Setup Stop StopFailure SubagentStart SubagentStop TaskCompleted TaskCreated
        TeammateIdle UserPromptExpansion UserPromptSubmit WorktreeCreate WorktreeRemove
        """
    ),
    _claude_code,
    groups=True,
    plain="commas",
    variable="CLAUDE_CONFIG_DIR",
)
CODEX = Settings(
    ".codex/hooks.json",
    ("PreToolUse", "SessionStart", "Stop"),
    words(
        """
        Interrupt PermissionRequest PostCompact PostToolUse PreCompact PreToolUse SessionEnd SessionStart Stop
        StopFailure SubagentStart SubagentStop UserPromptSubmit
        """
    ),
    _codex,
    groups=True,
    plain="strict",
    variable="CODEX_HOME",
)
CURSOR = Settings(
    ".cursor/hooks.json",
    ("beforeShellExecution", "beforeMCPExecution", "preToolUse", "sessionStart", "stop"),
    words(
        """
        afterAgentResponse afterAgentThought afterFileEdit afterMCPExecution afterShellExecution afterTabFileEdit
        beforeMCPExecution beforeReadFile beforeShellExecution beforeSubmitPrompt beforeTabFileRead postToolUse
        postToolUseFailure preCompact preToolUse sessionEnd sessionStart stop subagentStart subagentStop
        workspaceOpen
        """
    ),
    _cursor,
    groups=False,
    head=(("version", 1),),
)

PLATFORMS: dict[str, Platform] = {
    one.name: one
    for one in (
        SettingsPlatform("claude-code", "Claude Code", CLAUDE_CODE, traps.claude_code),
        SettingsPlatform("codex", "Codex", CODEX, traps.codex),
        SettingsPlatform("cursor", "Cursor", CURSOR, traps.cursor),
        OpenClaw(),
    )
}
"""By the name that `dory hooks` and `dory-agent hook` take."""
