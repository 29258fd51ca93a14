"""`dory-agent hook` as a platform starts it: whole processes, sessions, and what happens when things are broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dory_tui.agent.hooks.answer import Setting, answer
from dory_tui.agent.hooks.contracts import CONTRACTS
from dory_tui.agent.log import log
from tests.conftest import Workspace
from tests.process.test_cold_start import NOT_TO_LOOK, imported

NOBODY = 65_534
SITE = {"imported package", "sitecustomize", "usercustomize", "_distutils_hack"}
"""The head of a listing, and what an installation of Python may start with."""
PLATFORMS = ["claude-code", "codex", "cursor", "openclaw"]


def event(name: str, session: str = "s1", **more: object) -> dict[str, Any]:
    return {"session_id": session, "cwd": "/", "hook_event_name": name, **more}


def call(platform: str, command: str) -> dict[str, Any]:
    if platform == "openclaw":
        return {"event": "before_tool_call", "toolName": "exec", "params": {"command": command}}
    if platform == "cursor":
        return {"hook_event_name": "beforeShellExecution", "conversation_id": "c1", "command": command}
    return event("PreToolUse", tool_name="Bash", tool_input={"command": command})


def start(workspace: Workspace, platform: str, **streams: Any) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "dory_tui.cli.dory_agent", "-C", str(workspace.root), "hook", platform]
    return subprocess.Popen(line, env=workspace.env, **{"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})


def said(workspace: Workspace, sent: dict[str, Any], platform: str = "claude-code") -> Any:
    """The answer, in this process; None for none."""
    setting = Setting(workspace.env, "/", str(workspace.root))
    return answer(CONTRACTS[platform], json.dumps(sent).encode(), setting).output


# --- whole processes


def test_a_whole_process_answers_and_reads_all_of_its_input(workspace: Workspace) -> None:
    process = start(workspace, "codex", stdout=subprocess.PIPE)
    assert process.stdin is not None
    sent = json.dumps(
        event("PreToolUse", tool_name="Write", tool_input={"file_path": "x", "content": "x" * 10_000_000})
    )
    process.stdin.write(sent.encode())  # Codex takes a hook that leaves input unread for a failed one
    process.stdin.close()
    assert process.stdout is not None
    assert (process.stdout.read(), process.wait()) == (b"{}\n", 0)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_answer_that_cannot_be_printed_denies_by_the_exit_code(workspace: Workspace, platform: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY) if Path("/dev/full").exists() else os.open(os.devnull, os.O_RDONLY)
    process = start(workspace, platform, stdout=full)
    os.close(full)
    _, error = process.communicate(json.dumps(call(platform, "git push --force")).encode())
    assert process.returncode == 2
    assert b"git push --force" in error


def test_a_closed_standard_output_denies_by_the_exit_code(workspace: Workspace) -> None:
    line = f"exec '{sys.executable}' -m dory_tui.cli.dory_agent hook claude-code >&-"
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=json.dumps(call("claude-code", "git push --force")).encode(), env=workspace.env,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"git push --force" in done.stderr


def test_a_platform_nobody_knows_is_a_no(workspace: Workspace) -> None:
    process = start(workspace, "claude", stdout=subprocess.PIPE)
    out, error = process.communicate(b"{}")
    assert (process.returncode, out) == (2, b"")
    assert b"claude-code" in error


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (call("claude-code", "git push --force"), 2),
        (event("Stop"), 0),
        (event("SessionStart"), 0),
        (event("sessionStart"), 0),
        (event("stop"), 0),
    ],
)
def test_a_hook_that_cannot_even_start_denies_calls_and_holds_up_no_turn(sent: dict[str, Any], code: int) -> None:
    script = (
        "import sys; sys.modules['dory_tui.agent.hooks.answer'] = None\n"
        "from dory_tui.cli.dory_agent import main\nsys.exit(main(['hook', 'claude-code']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(sent).encode(), capture_output=True, check=False
    )
    assert done.returncode == code
    assert b"dory's hook failed" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["ls -la", "git push --force"])
def test_a_call_imports_little(workspace: Workspace, command: str) -> None:
    line = [sys.executable, "-X", "importtime", "-m", "dory_tui.cli.dory_agent", "hook", "claude-code"]
    sent = json.dumps(call("claude-code", command))
    done = subprocess.run(line, input=sent, env=workspace.env, capture_output=True, text=True, check=True)
    never = NOT_TO_LOOK | {"pathlib", "shlex", "tomllib", "dory_tui.gate", "dory_tui.ledger", "dory_tui.visible"}
    assert imported(done.stderr) & never == set()


def test_the_start_of_a_session_and_a_check_stay_on_the_standard_library(workspace: Workspace) -> None:
    workspace.live().hold("[2026-02-05 10:00 | main] another matter — wait")
    workspace.runs("one", schedule={"lane": "mail"}, kind="post")
    workspace.runs("two", title="Thread 2/7: “hello”", part="2/7")
    workspace.approve("one")
    agent = [sys.executable, "-X", "importtime", "-m", "dory_tui.cli.dory_agent", "-C", str(workspace.root)]
    for line in (["hook", "claude-code"], ["check", "two"]):
        done = subprocess.run(
            [*agent, *line],
            input=json.dumps(event("SessionStart")),
            env=workspace.env,
            capture_output=True,
            text=True,
            check=False,
        )
        found = {name.partition(".")[0].strip() for name in imported(done.stderr)}
        assert "two" in done.stdout
        assert found - set(sys.stdlib_module_names) - SITE == {"dory_tui"}


MOVED: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "/home/.openclaw/openclaw.json"),
    ({}, "/home/.openclaw-work/openclaw.json"),
    ({"OPENCLAW_PROFILE": "work"}, "/home/.openclaw-work/openclaw.json"),
    ({"OPENCLAW_STATE_DIR": "~/claw"}, "/home/claw/openclaw.json"),
    ({"OPENCLAW_CONFIG_PATH": "/etc/claw.json5"}, "/etc/claw.json5"),
    ({"CLAUDE_CONFIG_DIR": "/cc"}, "/cc/settings.json"),
    ({"CODEX_HOME": "/cx"}, "/cx/hooks.json"),
)  # fmt: skip


@pytest.mark.parametrize(("moved", "path"), MOVED)
@pytest.mark.parametrize("how", ["echo > {}", "python -c \"open('{}', 'w')\"", "Write"])
def test_what_keeps_the_hooks_is_kept_where_variables_move_it(
    workspace: Workspace, moved: dict[str, str], path: str, how: str
) -> None:
    workspace.env |= {"HOME": "/home", **moved}

    def sent(file: str) -> dict[str, Any]:
        if how == "Write":
            return event("PreToolUse", tool_name="Write", tool_input={"file_path": file, "content": ""})
        return call("claude-code", how.format(file))

    answered = said(workspace, sent(path))
    assert answered["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "Nobody but dory and your human writes there" in answered["hookSpecificOutput"]["permissionDecisionReason"]
    assert said(workspace, sent(path + ".txt")) is None


# --- what cannot be read


def as_nobody(workspace: Workspace, sent: dict[str, Any]) -> Any:
    """The answer to another user, whom modes bind."""

    def work() -> Any:
        return said(workspace, sent)

    if os.geteuid() != 0:
        return work()
    for folder in workspace.root.parents:
        if folder.name.startswith(("pytest", "test", "popen")):
            folder.chmod(0o755)
    said(workspace, call("claude-code", "mail"))  # so that all is imported that another user may not read
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(writer, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        found = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(found)


def test_patterns_that_may_not_be_read_gate_what_the_defaults_gate(workspace: Workspace) -> None:
    file = Path(workspace.env["XDG_CONFIG_HOME"]) / "dory/hooks.toml"
    file.parent.mkdir(parents=True)
    file.write_text('allow = ["git push --force"]\n')
    file.chmod(0)
    found = as_nobody(workspace, call("claude-code", "git push --force"))
    assert "cannot be read" in found["hookSpecificOutput"]["permissionDecisionReason"]
    assert as_nobody(workspace, call("claude-code", "ls")) is None


def test_a_workspace_that_may_not_be_read_denies_no_less_and_holds_nobody_up(workspace: Workspace) -> None:
    workspace.root.chmod(0)
    assert as_nobody(workspace, call("claude-code", "git push --force")) is not None
    told = as_nobody(workspace, event("SessionStart", source="startup"))
    assert "HOLD=[?]" in str(told) or "could not look" in str(told)
    assert as_nobody(workspace, event("Stop")) is None
    workspace.root.chmod(0o755)


# --- the start of a session


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_is_told_what_is_held_and_what_waits(workspace: Workspace, source: str) -> None:
    workspace.hold("[2026-02-05 10:00 | main] X thread tweets 2-7 — awaiting \x1b[2J approval")
    workspace.runs("post-1")
    told = said(workspace, event("SessionStart", source=source))
    assert set(told) == {"hookSpecificOutput"}
    assert set(told["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    text = told["hookSpecificOutput"]["additionalContext"]
    assert text.startswith("📋 Boot: ACTIVE=[none] | HOLD=[1] item | STAGING=[1] draft\n")
    assert "X thread tweets 2-7" in text
    assert "- post-1: pending" in text
    assert "dory-agent stage" in text
    assert "\x1b" not in text


def test_other_platforms_are_told_in_their_own_form(workspace: Workspace) -> None:
    codex = said(workspace, event("SessionStart", source="startup", model="gpt-5"), "codex")
    assert set(codex["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    cursor = said(workspace, {"hook_event_name": "sessionStart", "conversation_id": "c", "session_id": "c"}, "cursor")
    assert set(cursor) == {"additional_context"}
    openclaw = said(workspace, {"event": "boot", "workspace": str(workspace.root)}, "openclaw")
    assert set(openclaw) == {"context"}
    assert openclaw["context"].startswith("📋 Boot:")


def test_where_there_is_no_workspace_a_session_is_told_nothing(workspace: Workspace, tmp_path: Path) -> None:
    setting = Setting(workspace.env, str(tmp_path / "home"))
    sent = json.dumps({**event("SessionStart"), "cwd": str(tmp_path / "home")}).encode()
    assert answer(CONTRACTS["claude-code"], sent, setting).output is None
    told = answer(
        CONTRACTS["claude-code"], json.dumps(call("claude-code", "git push --force")).encode(), setting
    ).denial
    assert "no workspace here" in told


# --- the end of a turn


def turn(workspace: Workspace, *commands: str, platform: str = "claude-code") -> None:
    for command in commands:
        said(workspace, call(platform, command), platform)


def test_after_a_turn_with_tools_and_no_log_it_asks_once_and_never_twice_in_a_row(workspace: Workspace) -> None:
    turn(workspace, "make build")
    asked = said(workspace, event("Stop", stop_hook_active=False))
    assert set(asked) == {"decision", "reason"}
    assert asked["decision"] == "block"
    assert "dory-agent log" in asked["reason"]
    turn(workspace, "make test")
    assert said(workspace, event("Stop", stop_hook_active=False)) is None, "not twice in a row"
    turn(workspace, "make test")
    assert said(workspace, event("Stop", stop_hook_active=False)) is not None
    turn(workspace, "make test")
    assert said(workspace, event("Stop", stop_hook_active=True)) is None
    assert said(workspace, event("Stop", stop_hook_active=False)) is None, "no tool ran"


def test_a_turn_that_logged_or_only_looked_is_not_asked(workspace: Workspace) -> None:
    assert said(workspace, event("Stop")) is None
    turn(workspace, "dory-agent boot", "dory-agent status")
    said(workspace, event("PreToolUse", tool_name="Read", tool_input={"file_path": "x"}))
    assert said(workspace, event("Stop")) is None
    (workspace.root / "memory").mkdir()
    turn(workspace, "make build")
    log(workspace.live().gate(), "task", "built it")
    assert said(workspace, event("Stop")) is None
    for one in (workspace.root / "memory").iterdir():
        os.utime(one, (one.stat().st_mtime - 1,) * 2)  # clocks of file systems are coarse, and this turn is quick
    turn(workspace, "make build")
    assert said(workspace, event("Stop")) is not None


def test_a_denied_call_is_no_tool_that_ran(workspace: Workspace) -> None:
    turn(workspace, "git push --force")
    assert said(workspace, event("Stop")) is None


def test_sessions_do_not_answer_for_each_other(workspace: Workspace) -> None:
    (workspace.root / "memory").mkdir()
    said(workspace, {**call("claude-code", "make"), "session_id": "one/../../x"})
    assert said(workspace, event("Stop", "two")) is None
    assert said(workspace, event("Stop", "one/../../x")) is not None
    assert said(workspace, event("Stop", "")) is None
    folder = Path(workspace.env["XDG_STATE_HOME"]) / "dory/hooks"
    assert [one.name for one in folder.iterdir()] == ["claude-code-one_______x.asked"]


def test_cursor_asks_by_a_message_and_not_while_it_follows_one_up(workspace: Workspace) -> None:
    (workspace.root / "memory").mkdir()
    stop = {"hook_event_name": "stop", "conversation_id": "c1", "status": "completed", "loop_count": 0}
    turn(workspace, "make", platform="cursor")
    assert set(said(workspace, stop, "cursor")) == {"followup_message"}
    turn(workspace, "make", platform="cursor")
    assert said(workspace, {**stop, "loop_count": 1}, "cursor") == {}
    for status in ("aborted", "error"):
        turn(workspace, "make", platform="cursor")
        assert said(workspace, {**stop, "status": status}, "cursor") == {}


def test_what_old_sessions_left_is_taken_away(workspace: Workspace) -> None:
    turn(workspace, "make")
    folder = Path(workspace.env["XDG_STATE_HOME"]) / "dory/hooks"
    old = folder / "codex-old.asked"
    old.touch()
    os.utime(old, (1, 1))
    (folder / "installed").mkdir()
    said(workspace, event("SessionStart"))
    assert {one.name for one in folder.iterdir()} == {"claude-code-s1.ran", "installed"}


def test_a_state_folder_that_cannot_be_written_changes_no_answer(workspace: Workspace) -> None:
    (workspace.root / "memory").mkdir()
    Path(workspace.env["XDG_STATE_HOME"]).mkdir(exist_ok=True)
    (Path(workspace.env["XDG_STATE_HOME"]) / "dory").write_text("no folder")
    assert said(workspace, call("claude-code", "ls")) is None
    assert said(workspace, call("claude-code", "git push --force")) is not None
    assert said(workspace, event("Stop")) is None
