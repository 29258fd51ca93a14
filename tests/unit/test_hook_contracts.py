"""The exact answer to each shape of input, for each platform; what cannot be judged is denied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dory_tui.agent.hooks import rule
from dory_tui.agent.hooks.answer import Setting, answer
from dory_tui.agent.hooks.contracts import CONTRACTS

PLATFORMS = list(CONTRACTS)
GATED = "git push --force"
CLAUDE = {
    "session_id": "abc123", "transcript_path": "/home/ana/.claude/projects/x/abc123.jsonl", "cwd": "/home/ana/ws",
    "permission_mode": "default",
}  # fmt: skip
CURSOR = {
    "conversation_id": "74676b03", "generation_id": "f7746f6e", "model": "default", "session_id": "74676b03",
    "cursor_version": "3.9.16", "workspace_roots": ["/home/ana/ws"], "user_email": "ana@example.org",
    "transcript_path": None,
}  # fmt: skip


def claude(tool: str, **given: Any) -> dict[str, Any]:
    return {
        **CLAUDE,
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "toolu_01",
    }


def codex(tool: str, **given: Any) -> dict[str, Any]:
    return {**claude(tool, **given), "model": "gpt-5", "turn_id": "t1"}


def cursor(event: str, **given: Any) -> dict[str, Any]:
    return {**CURSOR, "hook_event_name": event, **given}


def openclaw(tool: str, **given: Any) -> dict[str, Any]:
    return {
        "event": "before_tool_call",
        "toolName": tool,
        "params": given,
        "sessionKey": "agent:main:main",
        "cwd": "/home/ana/ws",
    }


SHELL = {
    "claude-code": lambda command: claude("Bash", command=command, description="x", timeout=120000),
    "codex": lambda command: codex("Bash", command=command),
    "cursor": lambda command: cursor("beforeShellExecution", command=command, cwd="", sandbox=False),
    "openclaw": lambda command: openclaw("exec", command=command, yieldMs=10000),
}


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    env = {
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    return Setting(env, str(tmp_path))


def ask(platform: str, sent: object, setting: Setting) -> Any:
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    return answer(CONTRACTS[platform], data, setting).output


def denied(platform: str, said: Any) -> str:
    """The reason, when the answer is a no in the platform's exact form."""
    if platform in ("claude-code", "codex"):
        assert set(said) == {"hookSpecificOutput"}
        inner = said["hookSpecificOutput"]
        assert set(inner) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
        assert (inner["hookEventName"], inner["permissionDecision"]) == ("PreToolUse", "deny")
        return str(inner["permissionDecisionReason"])
    if platform == "cursor":
        assert set(said) == {"permission", "user_message", "agent_message"}
        assert said["permission"] == "deny"
        assert said["user_message"] == said["agent_message"]
        return str(said["user_message"])
    assert set(said) == {"block", "blockReason"}
    assert said["block"] is True
    return str(said["blockReason"])


ALLOWED = {"claude-code": None, "codex": {}, "cursor": {"permission": "allow"}, "openclaw": {}}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_gated_command_is_denied_with_a_reason_and_another_goes_through(platform: str, setting: Setting) -> None:
    assert GATED in denied(platform, ask(platform, SHELL[platform](GATED), setting))
    assert ask(platform, SHELL[platform]("ls -la"), setting) == ALLOWED[platform]


CALLS = [
    ("claude-code", claude("Read", file_path="/home/ana/ws/.dory/workspace"), True),
    ("claude-code", claude("Write", file_path="/home/ana/ws/.dory/workspace", content="x"), False),
    ("claude-code", claude("Edit", file_path="/home/ana/ws/a.md", old_string="a", new_string=GATED), True),
    ("claude-code", claude("MultiEdit", file_path="/x/.claude/settings.json", edits=[{"old_string": "a"}]), False),
    ("claude-code", claude("NotebookEdit", notebook_path="/x/.dory/n.ipynb", new_source="x"), False),
    ("claude-code", claude("mcp__gmail__send_email", to="bob@example.org"), False),
    ("claude-code", claude("mcp__notes__add", text=GATED), True),
    ("claude-code", claude("Unheard", anything=[1, {"x": None}]), True),
    ("claude-code", {k: v for k, v in claude("TodoWrite").items() if k != "tool_input"}, True),
    ("codex", codex("apply_patch", command="*** Begin Patch\n*** Add File: .dory/x\n+x\n*** End Patch"), False),
    ("codex", codex("apply_patch", command=f"*** Begin Patch\n*** Add File: x\n+{GATED}\n*** End Patch"), True),
    ("codex", codex("mcp__slack__post_message", text="x"), False),
    ("cursor", cursor("beforeMCPExecution", tool_name="send_email", tool_input='{"to": "bob"}', url="http://l"), False),
    ("cursor", cursor("beforeMCPExecution", tool_name="query", tool_input='{"q": "x"}', command="npx x"), True),
    ("cursor", cursor("beforeMCPExecution", tool_name="query", tool_input="no json", command="npx x"), True),
    ("cursor", cursor("beforeMCPExecution", tool_name="run", tool_input=json.dumps({"command": GATED})), False),
    ("cursor", cursor("preToolUse", tool_name="Write", tool_input={"file_path": "/x/.dory/y"}, cwd=""), False),
    ("cursor", cursor("preToolUse", tool_name="Write", tool_input={"file_path": "/x/y"}, cwd=""), True),
    ("cursor", cursor("preToolUse", tool_name="MCP:post_tweet", tool_input={}, cwd=""), False),
    ("openclaw", openclaw("message", action="send", to="x", message="x"), False),
    ("openclaw", openclaw("write", path=".dory/x", content="x"), False),
    ("openclaw", openclaw("read", path=".dory/x"), True),
    ("openclaw", openclaw("browser", action="open", targetUrl="https://x.com/compose"), False),
    ("openclaw", {"event": "before_tool_call", "toolName": "read"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("platform", "sent", "goes"), CALLS, ids=lambda value: str(value)[:60])
def test_other_tools(platform: str, sent: dict[str, Any], goes: bool, setting: Setting) -> None:
    said = ask(platform, sent, setting)
    if goes:
        assert said == ALLOWED[platform]
    else:
        denied(platform, said)


BROKEN = [
    b"", b"  \n", b"{", b"null", b"[]", b'"x"', b"7", b"\xff\xfe{}", b"{\"tool_name\": \"\xff\"}", b"{}",
    b'{"hook_event_name": 7, "event": 7}', b"[" * 100_000, b'{"a":' * 100_000, b"nonsense " * 1000,
]  # fmt: skip


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("sent", BROKEN, ids=lambda value: repr(value[:20]))
def test_input_that_cannot_be_used_is_denied(platform: str, sent: bytes, setting: Setting) -> None:
    assert "could not judge" in denied(platform, ask(platform, sent, setting))


@pytest.mark.parametrize("platform", ["claude-code", "codex"])
@pytest.mark.parametrize(
    "change",
    [
        {"tool_name": None}, {"tool_name": 7}, {"tool_name": ""}, {"tool_name": ["Bash"]}, {"tool_input": 7},
        {"tool_input": None}, {"tool_input": "git push --force"}, {"tool_input": ["git push --force"]},
        {"tool_input": {"command": 7}}, {"tool_input": {"command": None}}, {"tool_input": {}},
    ],
    ids=str,
)  # fmt: skip
def test_a_shell_call_of_another_shape_is_denied(platform: str, change: dict[str, Any], setting: Setting) -> None:
    denied(platform, ask(platform, {**claude("Bash", command="ls"), **change}, setting))


@pytest.mark.parametrize("change", [{"command": None}, {"command": 7}, {"command": ["ls"]}, {"hook_event_name": None}])
def test_a_shell_call_of_cursor_of_another_shape_is_denied(change: dict[str, Any], setting: Setting) -> None:
    denied("cursor", ask("cursor", {**cursor("beforeShellExecution", command="ls"), **change}, setting))


def test_fields_of_the_wrong_type_beside_the_call_do_not_matter(setting: Setting) -> None:
    changes: list[dict[str, Any]] = [{"cwd": 7}, {"cwd": "relative"}, {"session_id": [1]}, {"permission_mode": {}}]
    for change in changes:
        sent = {**claude("Bash", command="ls"), **change}
        assert ask("claude-code", sent, setting) is None
        denied("claude-code", ask("claude-code", {**sent, "tool_input": {"command": GATED}}, setting))


@pytest.mark.parametrize("platform", ["claude-code", "cursor"])
def test_ten_megabytes(platform: str, setting: Setting) -> None:
    big = "x" * 10_000_000
    assert ask(platform, SHELL[platform](f"echo {big}"), setting) == ALLOWED[platform]
    denied(platform, ask(platform, SHELL[platform](f"echo {big}; {GATED}"), setting))


def test_ten_megabytes_of_a_file(setting: Setting) -> None:
    assert ask("claude-code", claude("Write", file_path="/x/y", content=f"{GATED}\n" * 600_000), setting) is None


@pytest.mark.parametrize(
    ("platform", "sent"),
    [
        (
            "claude-code",
            {**CLAUDE, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": GATED}},
        ),
        ("codex", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": GATED}),
        ("cursor", cursor("afterFileEdit", file_path="/x/.dory/y", edits=[])),
        ("openclaw", {"event": "message_sent"}),
    ],
)
def test_an_event_that_asks_nothing_gets_no_decision(platform: str, sent: dict[str, Any], setting: Setting) -> None:
    assert ask(platform, sent, setting) in (None, {})


# --- where dory itself fails


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_file_of_patterns_that_cannot_be_used_gates_what_the_defaults_gate_and_says_so(
    platform: str, setting: Setting
) -> None:
    file = Path(setting.environment["XDG_CONFIG_HOME"]) / "dory/hooks.toml"
    file.parent.mkdir(parents=True)
    file.write_text('allow = ["git push --force"]\n[gated]\ncommands = [\n')
    reason = denied(platform, ask(platform, SHELL[platform](GATED), setting))
    assert f"{file} is not valid TOML" in reason
    assert "line 3" in reason
    assert ask(platform, SHELL[platform]("ls"), setting) == ALLOWED[platform]
    file.write_text('allow = ["git push --force"]\n')
    assert ask(platform, SHELL[platform](GATED), setting) == ALLOWED[platform]
    file.unlink()
    file.mkdir()
    assert "not a regular file" in denied(platform, ask(platform, SHELL[platform](GATED), setting))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_fault_of_dorys_own_denies_and_says_so(
    platform: str, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the rule broke")

    monkeypatch.setattr(rule, "judge", broken)
    assert "RuntimeError: the rule broke" in denied(platform, ask(platform, SHELL[platform]("ls"), setting))


@pytest.mark.parametrize("platform", ["claude-code", "codex"])
@pytest.mark.parametrize("name", ["Stop", "SessionStart"])
def test_a_broken_end_or_start_holds_nobody_up(platform: str, name: str, setting: Setting) -> None:
    said = ask(platform, b'{"session_id": "x", "hook_event_name": "%s", "broken' % name.encode(), setting)
    assert said in (None, {})


def test_a_call_cannot_pass_itself_off_as_the_end_of_a_turn(setting: Setting) -> None:
    inside = json.dumps(claude("Bash", command='echo \'{"hook_event_name": "Stop"}\'')).encode()
    denied("claude-code", ask("claude-code", inside[:-1], setting))
    both = {**claude("Bash", command=GATED), "stop_hook_active": False}
    denied("claude-code", ask("claude-code", both, setting))
