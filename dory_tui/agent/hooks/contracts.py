"""What each platform sends to a hook and what it takes as an answer (agents.md). Pure.

    claude-code  deny by JSON with exit 0; nothing at all where it may go ahead, so that the person's own rules decide
    codex        deny by the same JSON, else `{}`: any other field would let the call through
    cursor       `permission` always, since a hook that says nothing counts as failed; the model reads `user_message`
    openclaw     `{"block": true, "blockReason": …}` or `{}`, to the plugin that asks

Exit code 2 with the reason on standard error denies on each of them, and is kept for when nothing can be printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    Kind = Literal["tool", "start", "stop", "other"]
    Values: TypeAlias = Mapping[str, Any]
    Output: TypeAlias = "dict[str, object]"


class InputError(Exception):
    """What the platform sent cannot be judged; the message says why."""


@dataclass(frozen=True, slots=True)
class Event:
    """What a platform tells. `again` when the turn goes on already because a hook asked for it."""

    kind: Kind
    session: str = ""
    folder: str = ""
    workspace: str = ""
    """The workspace that the platform itself names; "" where it names none."""
    call: ToolCall | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """One platform: how its input is read, and the object it takes for each answer. None prints nothing."""

    name: str
    read: Callable[[Values], Event]
    allow: Output | None
    deny: Callable[[str], Output]
    context: Callable[[str], Output]
    ask: Callable[[str], Output]


def parse(data: bytes) -> Values:
    """The object a platform sent. InputError says what is wrong with it."""
    if not data.strip():
        raise InputError("the platform sent nothing")
    try:
        values = json.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError("what the platform sent is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise InputError("what the platform sent is not JSON") from error
    if not isinstance(values, dict):
        raise InputError("what the platform sent is not an object")
    return values


def only_reads(data: bytes) -> bool:
    """Whether input that could not be used is of the start of a session or the end of a turn: nothing denies these."""
    packed = b"".join(data[:65_536].split())
    return any(
        b'"hook_event_name":"%s"' % name in packed for name in (b"SessionStart", b"Stop", b"sessionStart", b"stop")
    ) or packed.startswith(b'{"event":"boot"')


def _text(values: Values, *keys: str) -> str:
    return next((value for key in keys if isinstance(value := values.get(key), str) and value), "")


def _call(tool: object, given: object, folder: str) -> ToolCall:
    if not isinstance(tool, str) or not tool.strip():
        raise InputError("the call names no tool")
    if isinstance(given, str):  # Cursor sends the arguments of an MCP tool as a text of JSON
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"input": given}
    if isinstance(given, list):
        given = {"arguments": given}
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise InputError(f"the arguments of `{tool[:80]}` are not an object")
    return ToolCall(tool.strip(), given, folder)


def _folder(values: Values) -> str:
    found = _text(values, "cwd")
    if not found and isinstance(roots := values.get("workspace_roots"), list):
        found = next((root for root in roots if isinstance(root, str)), "")
    return found if found.startswith("/") else ""


def _claude_code(values: Values) -> Event:
    """Claude Code's events, which are Codex's too."""
    name, session, folder = values.get("hook_event_name"), _text(values, "session_id"), _folder(values)
    if name == "SessionStart":
        return Event("start", session, folder)
    if name == "Stop":
        return Event("stop", session, folder, again=values.get("stop_hook_active") is True)
    if name == "PreToolUse" or (name is None and "tool_name" in values):
        return Event("tool", session, folder, call=_call(values.get("tool_name"), values.get("tool_input"), folder))
    if not isinstance(name, str):
        raise InputError("the event has no name")
    return Event("other", session, folder)


def _cursor(values: Values) -> Event:
    name, session, folder = (
        values.get("hook_event_name"),
        _text(values, "conversation_id", "session_id"),
        _folder(values),
    )
    if name == "sessionStart":
        return Event("start", session, folder)
    if name == "stop":
        count = values.get("loop_count")
        ended = values.get("status", "completed") != "completed"
        return Event("stop", session, folder, again=ended or (isinstance(count, int) and count > 0))
    if name == "beforeShellExecution":
        if not isinstance(command := values.get("command"), str):
            raise InputError("the call has no command")
        return Event("tool", session, folder, call=ToolCall("Shell", {"command": command}, folder))
    if name == "beforeMCPExecution":
        call = _call(values.get("tool_name"), values.get("tool_input"), folder)
        # The address of the server, and its own command line, are what the person configured.
        return Event("tool", session, folder, call=ToolCall(f"MCP:{call.tool}", call.arguments, folder))
    if name == "preToolUse" or (name is None and "tool_name" in values):
        return Event("tool", session, folder, call=_call(values.get("tool_name"), values.get("tool_input"), folder))
    if not isinstance(name, str):
        raise InputError("the event has no name")
    return Event("other", session, folder)


def _openclaw(values: Values) -> Event:
    name, session = values.get("event"), _text(values, "sessionKey")
    folder, workspace = _folder(values) or _text(values, "workspace"), _text(values, "workspace")
    if name == "boot":
        return Event("start", session, folder, workspace)
    if name == "before_tool_call" or (name is None and "toolName" in values):
        call = _call(values.get("toolName"), values.get("params"), folder)
        return Event("tool", session, folder, workspace, call)
    if not isinstance(name, str):
        raise InputError("the event has no name")
    return Event("other", session, folder, workspace)


def _deny_claude_code(reason: str) -> Output:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
        }
    }  # fmt: skip


def _context_claude_code(text: str) -> Output:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}


def _ask_claude_code(text: str) -> Output:
    return {"decision": "block", "reason": text}


def _deny_cursor(reason: str) -> Output:
    return {"permission": "deny", "user_message": reason, "agent_message": reason}


CONTRACTS: Mapping[str, Contract] = {
    "claude-code": Contract(
        "claude-code", _claude_code, None, _deny_claude_code, _context_claude_code, _ask_claude_code
    ),
    "codex": Contract("codex", _claude_code, {}, _deny_claude_code, _context_claude_code, _ask_claude_code),
    "cursor": Contract(
        "cursor", _cursor, {"permission": "allow"}, _deny_cursor,
        lambda text: {"additional_context": text}, lambda text: {"followup_message": text},
    ),
    "openclaw": Contract(
        "openclaw", _openclaw, {}, lambda reason: {"block": True, "blockReason": reason},
        lambda text: {"context": text}, lambda _: {},
    ),
}  # fmt: skip
