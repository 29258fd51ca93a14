"""`dory hooks`: put in, taken out, looked at and tried, with real files, real programs and a real terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dory_tui.agent.hooks import traps
from dory_tui.agent.hooks.canary import Probe, gated_call, probe
from dory_tui.agent.hooks.install import HooksError, apply, forget
from dory_tui.agent.hooks.plans import Found, Where
from dory_tui.agent.hooks.platforms import PLATFORMS
from dory_tui.cli import dory
from tests.conftest import Workspace
from tests.process.launcher import launcher
from tests.process.terminal import Terminal

SETTINGS = {
    "claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "cursor": ".cursor/hooks.json",
}  # fmt: skip
SECRET = "sk-ant-api03-Zq7Rk2Vx9Lm4Tn8Bw1Yc6Hd3Jf5Gs0Pa-Ue4Io7Qt2Xz9Kv6Mn1"
MINE = '{\n    // mine\n    "model": "opus", // because\n    "hooks": {\n        "Stop": [],\n    },\n}\n'


@dataclass(frozen=True)
class Ran:
    returncode: int
    stdout: str
    stderr: str


@dataclass
class Machine:
    """A home with `dory-agent` in a folder whose name has a blank in it."""

    workspace: Workspace
    program: Path

    @property
    def where(self) -> Where:
        return Where(self.workspace.env)

    @property
    def home(self) -> Path:
        return Path(self.workspace.env["HOME"])

    def file(self, platform: str) -> Path:
        return self.home / SETTINGS[platform]

    def write(self, platform: str, text: str) -> Path:
        file = self.file(platform)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def install(self, platform: str, program: Path | None = None) -> None:
        plan = PLATFORMS[platform].plan_install(self.where, program or self.program, None)
        apply(plan)
        PLATFORMS[platform].applied(self.where, plan)

    def remove(self, platform: str) -> None:
        plan = PLATFORMS[platform].plan_remove(self.where)
        apply(plan)
        PLATFORMS[platform].applied(self.where, plan)

    def status(self, platform: str) -> Found:
        (found,) = PLATFORMS[platform].status(self.where)
        return found

    def probes(self, platform: str, patience: float = 20.0) -> list[Probe]:
        return probe(self.status(platform), self.where, patience)

    def dory(self, *words: str) -> Ran:
        """`dory` without a terminal, in this process: what it takes to start one is not what is tested here."""
        out, error = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(error):
            try:
                code = dory.main(list(words), open_screen=lambda _: 1, open_demo=lambda: 1)
            except SystemExit as end:
                code = int(end.code or 0)
        return Ran(code, out.getvalue(), error.getvalue())


@pytest.fixture
def machine(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(traps, "MANAGED", {sys.platform: tmp_path / "managed.json"})
    monkeypatch.setattr(os, "environ", workspace.env)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return Machine(workspace, launcher(tmp_path / "a bin" / "dory-agent"))


# --- the command


def test_it_shows_the_change_and_does_nothing_unasked(machine: Machine) -> None:
    file = machine.write("claude-code", MINE.replace('"opus"', f'"opus", "apiKey": "{SECRET}"'))
    before = file.read_bytes()
    agent = ("--agent", str(machine.program))
    shown = machine.dory("hooks", "install", "claude-code", *agent)
    assert shown.returncode == 3
    assert "+" in shown.stdout
    assert "--yes" in shown.stderr
    assert SECRET[20:] not in shown.stdout
    assert file.read_bytes() == before
    done = machine.dory("-C", str(machine.workspace.root), "hooks", "install", "claude-code", "--yes", *agent)
    assert done.returncode == 0, done.stderr
    found = machine.status("claude-code")
    assert found.state == "installed"
    assert {hook.event for hook in found.hooks} == {"PreToolUse", "SessionStart", "Stop"}
    assert found.hooks[0].command == f"'{machine.program}' hook claude-code -C {machine.workspace.root}"
    looked = machine.dory("hooks", "status", "--json")
    assert looked.returncode == 1, "a comma before a bracket makes Claude Code skip the file"
    states = {one["platform"]: one["state"] for one in json.loads(looked.stdout)["hooks"]}
    assert states.pop("claude-code") == "installed"
    assert set(states.values()) == {"not installed"}
    assert machine.dory("hooks", "remove", "claude-code").returncode == 3
    assert machine.dory("hooks", "remove", "claude-code", "--yes").returncode == 0
    assert file.read_bytes() == before
    assert "nothing to change" in machine.dory("hooks", "remove", "claude-code", "--yes").stdout


def test_at_a_terminal_it_asks(machine: Machine) -> None:
    env = {**machine.workspace.env, "TERM": "xterm-256color"}
    words = ("hooks", "install", "cursor", "--agent", str(machine.program))
    for answer, code in (("n", 3), ("y", 0)):
        terminal = Terminal.dory(machine.workspace.root, env, *words)
        terminal.see("Put them in? y, n or q, and Enter:")
        assert not machine.file("cursor").exists()
        terminal.type(f"{answer}\n")
        assert terminal.end() == code
        terminal.close()
    assert json.loads(machine.file("cursor").read_text())["version"] == 1
    assert machine.status("cursor").state == "installed"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("install", "claude"), "is no platform of these: claude-code, codex, cursor"),
        (("install", "codex", "--agent", "/nowhere/dory-agent"), "cannot be found or started (/nowhere/dory-agent)"),
        (("install", "codex", "--project", "/nowhere"), "is no folder"),
        (("remove", "codex", "--project", "/nowhere"), "is no folder"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(machine: Machine, words: tuple[str, ...], sentence: str) -> None:
    done = machine.dory("hooks", *words, "--yes")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_program_that_cannot_be_started_is_not_installed(machine: Machine) -> None:
    machine.program.chmod(0o644)
    done = machine.dory("hooks", "install", "codex", "--yes", "--agent", str(machine.program))
    assert (done.returncode, machine.file("codex").exists()) == (2, False)


# --- the files


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "line 3: a comma or `}` is missing"),
        ('{"hooks": []}', "line 1: `hooks` is no object"),
        ('{"hooks": {\n"PreToolUse": {}, "beforeShellExecution": {}}}', "is no array"),
        ("[]", "line 1: it holds no object"),
        ("{", "line 1"),
    ],
)
@pytest.mark.parametrize("platform", list(SETTINGS))
def test_a_file_that_cannot_be_understood_is_left_alone(
    machine: Machine, platform: str, text: str, sentence: str
) -> None:
    file = machine.write(platform, text)
    with pytest.raises(HooksError) as caught:
        PLATFORMS[platform].plan_install(machine.where, machine.program, None)
    assert str(caught.value).startswith(str(file))
    assert sentence in str(caught.value)
    assert file.read_bytes() == text.encode()


def test_a_file_that_is_no_text_is_left_alone(machine: Machine) -> None:
    file = machine.write("codex", "")
    file.write_bytes(b'{\n"a": "\xff"}')
    with pytest.raises(HooksError, match="line 2: it is not UTF-8"):
        PLATFORMS["codex"].plan_install(machine.where, machine.program, None)
    assert machine.status("codex").state == "unreadable"
    file.unlink()
    file.mkdir()
    assert machine.status("codex").state == "unreadable"


@pytest.mark.parametrize("platform", list(SETTINGS))
@pytest.mark.parametrize("text", [None, "", "\n"])
def test_where_there_was_nothing_nothing_is_left(machine: Machine, platform: str, text: str | None) -> None:
    if text is not None:
        machine.write(platform, text)
    machine.install(platform)
    assert machine.status(platform).state == "installed"
    json.loads(machine.file(platform).read_text())
    machine.remove(platform)
    if text is None:
        assert not machine.file(platform).parent.exists()
    else:
        assert machine.file(platform).read_text() == text


def test_links_are_followed_and_modes_kept(machine: Machine, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles/settings.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o600)
    machine.file("claude-code").parent.mkdir()
    machine.file("claude-code").symlink_to(real)
    machine.install("claude-code")
    assert machine.file("claude-code").is_symlink()
    assert "dory-agent" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600
    machine.remove("claude-code")
    assert real.read_text() == "{}"


def test_what_changed_meanwhile_is_not_overwritten(machine: Machine) -> None:
    file = machine.write("codex", "{}")
    plan = PLATFORMS["codex"].plan_install(machine.where, machine.program, None)
    file.write_text('{"other": 1}')
    with pytest.raises(HooksError, match="changed since"):
        apply(plan)
    assert file.read_text() == '{"other": 1}'


@pytest.mark.parametrize("platform", list(SETTINGS))
def test_another_program_replaces_the_old_one_and_the_first_bytes_come_back(machine: Machine, platform: str) -> None:
    text = '{"version": 1,\n "other": [1, 2]}\n'
    machine.write(platform, text)
    machine.install(platform)
    newer = launcher(machine.program.parent / "new" / "dory-agent")
    machine.install(platform, newer)
    found = machine.status(platform)
    assert {hook.program for hook in found.hooks} == {str(newer)}
    machine.remove(platform)
    assert machine.file(platform).read_text() == text


@pytest.mark.parametrize("platform", list(SETTINGS))
def test_what_others_added_since_stays(machine: Machine, platform: str) -> None:
    machine.write(platform, '{\n  "a": 1 // one\n}\n')
    machine.install(platform)
    file = machine.file(platform)
    file.write_text(file.read_text().replace('"a": 1', '"a": 2000'))
    machine.remove(platform)
    left = file.read_text()
    assert '"a": 2000' in left
    assert "// one" in left
    assert "dory" not in left
    assert machine.status(platform).state == "not installed"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"a": 1}', None),
        ('{\n\t"a": [] // one\n}\n', None),
        ('{\r\n  "a": 1, // one\r\n}\r\n', None),
        ('{ // why\n  "hooks": { // mine\n    "Stop": [1 // one\n]}}', None),
        ('{//\n"hooks"\n  ://\n{\n}}\n', "{//\n}\n"),
        ('{"hooks": {"PreToolUse": [/* none */]}}', '{"hooks": {"PreToolUse": [/* none */]}}'),
        ("{}", None),
    ],
)
def test_without_its_note_it_still_finds_its_own(machine: Machine, text: str, left: str | None) -> None:
    file = machine.write("claude-code", text)
    machine.install("claude-code")
    forget(machine.workspace.env, file)
    machine.remove("claude-code")
    assert file.read_bytes().decode() == (text if left is None else left)


def test_a_project_has_settings_of_its_own(machine: Machine, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    words = ("--project", str(project), "--yes")
    done = machine.dory("hooks", "install", "claude-code", "--agent", str(machine.program), *words)
    assert done.returncode == 0
    assert (project / ".claude/settings.json").is_file()
    assert not machine.file("claude-code").exists()
    assert machine.dory("hooks", "remove", "claude-code", *words).returncode == 0
    assert not (project / ".claude").exists()


# --- what is there


def own(machine: Machine, platform: str, event: str, *, closed: bool = True) -> dict[str, Any]:
    handler = {"type": "command", "command": f"'{machine.program}' hook {platform}"}
    entry = {**handler, "failClosed": closed} if platform == "cursor" else {"matcher": "*", "hooks": [handler]}
    return {"version": 1, "hooks": {event: [entry]}}


@pytest.mark.parametrize(
    ("platform", "event"),
    [("claude-code", "preToolUse"), ("codex", "PreTooluse"), ("cursor", "beforeShellExec"), ("cursor", "PreToolUse")],
)
def test_an_event_that_is_misspelt_is_seen_and_lets_everything_through(
    machine: Machine, platform: str, event: str
) -> None:
    machine.write(platform, json.dumps(own(machine, platform, event)))
    assert machine.status(platform).state == "misspelt event"
    (found,) = machine.probes(platform)
    assert found.outcome == "let through"
    assert "no hook of dory's stands before a tool" in found.why
    machine.install(platform)
    assert machine.status(platform).state == "installed"


def test_other_states(machine: Machine) -> None:
    assert machine.status("codex").state == "not installed"
    machine.write("codex", json.dumps(own(machine, "codex", "PreToolUse")))
    assert machine.status("codex").state == "other version"
    machine.write("cursor", json.dumps({**own(machine, "cursor", "beforeShellExecution"), "version": 2}))
    assert machine.status("cursor").state == "other version"
    machine.install("claude-code")
    assert machine.status("claude-code").state == "installed"
    machine.program.unlink()
    gone = machine.status("claude-code")
    assert gone.state == "path gone"
    assert str(machine.program) in gone.sentence
    machine.write("codex", "{")
    assert machine.status("codex").state == "unreadable"


def test_hooks_of_others_are_not_dorys(machine: Machine) -> None:
    commands = ["/x/dory-agent run --due", "dory-agent-hook claude-code", "'unclosed", "/x/dory-agent hook codex", ""]
    handlers = [{"type": "command", "command": one} for one in commands] + [{"type": "prompt"}]
    machine.write("claude-code", json.dumps({"hooks": {"PreToolUse": [{"hooks": handlers}, 7], "X": 7}}))
    assert machine.status("claude-code").state == "not installed"


# --- the canary


@pytest.mark.parametrize("platform", list(SETTINGS))
def test_what_is_installed_stops_the_canary(machine: Machine, platform: str) -> None:
    machine.install(platform)
    found = machine.probes(platform)
    assert [one.outcome for one in found] == ["stopped"] * (3 if platform == "cursor" else 1)
    assert "git push --force" in found[0].why
    assert not (machine.home / ".local/state/dory/hooks").exists()


@pytest.mark.parametrize("platform", list(SETTINGS))
def test_no_program_that_somebody_else_wrote_into_the_file_is_started(
    machine: Machine, tmp_path: Path, platform: str
) -> None:
    """Whoever can write a project's file, an agent first of all, could have dory start anything."""
    project = tmp_path / "project"
    project.mkdir()
    theirs = project / "dory-agent"
    theirs.write_text(f"#!/bin/sh\ntouch {project}/ran\n")
    theirs.chmod(0o755)
    where = Where(machine.workspace.env, project)
    apply(PLATFORMS[platform].plan_install(where, theirs, None))
    (found,) = PLATFORMS[platform].status(where)
    assert {one.outcome for one in probe(found, where)} == {"not tried"}
    assert "not this dory's own program" in probe(found, where)[0].why
    shown = machine.dory("hooks", "status", platform, "--probe", "--project", str(project))
    assert (shown.returncode, "not tried" in shown.stdout) == (1, True)
    mine = machine.write(platform, (project / SETTINGS[platform]).read_text())
    mine.write_text(mine.read_text().replace(f"hook {platform}", f"hook {platform} && touch {project}/ran"))
    assert {one.outcome for one in machine.probes(platform)} == {"not tried"}
    assert "is not a line that dory writes" in machine.probes(platform)[0].why
    assert not (project / "ran").exists()


def test_the_hooks_of_a_project_are_tried_where_they_start_this_dory(machine: Machine, tmp_path: Path) -> None:
    machine.workspace.env["PATH"] = f"{machine.program.parent}:{machine.workspace.env['PATH']}"
    where = Where(machine.workspace.env, tmp_path)
    apply(PLATFORMS["codex"].plan_install(where, machine.program, machine.workspace.root))
    (found,) = PLATFORMS["codex"].status(where)
    assert [one.outcome for one in probe(found, where)] == ["stopped"]


def test_the_command_shows_what_happened(machine: Machine) -> None:
    machine.install("codex")
    shown = machine.dory("hooks", "status", "codex", "--probe")
    assert shown.returncode == 0, shown.stdout
    assert "PreToolUse: stopped" in shown.stdout
    assert "until you trust it" in shown.stdout
    machine.program.write_text("#!/bin/sh\nexit 1\n")
    shown = machine.dory("hooks", "status", "codex", "--probe", "--json")
    assert shown.returncode == 1
    (found,) = json.loads(shown.stdout)["probes"]
    assert (found["outcome"], found["event"]) == ("let through", "PreToolUse")


CLAUDE_ALLOWS = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
DENIES = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "x"}}'  # fmt: skip  # noqa: E501
MORE = DENIES.replace('"x"', '"x", "more": 1')
BEHAVIOURS = [
    ("claude-code", "exit 1", "let through", "exit code 1"),
    ("claude-code", "exit 0", "let through", "answered nothing"),
    ("claude-code", "echo nonsense", "let through", "cannot be read"),
    ("claude-code", f"echo '{CLAUDE_ALLOWS}'", "let through", "allow"),
    ("claude-code", "exit 2", "stops everything", "was stopped too"),
    ("claude-code", f"echo '{DENIES}'", "stops everything", "was stopped too"),
    ("codex", f"echo '{MORE}'", "let through", "it answered"),
    ("codex", "exit 2", "let through", "without a reason"),
    ("codex", "echo no >&2; exit 2", "stops everything", "was stopped too"),
    ("cursor", "exit 1", "stops everything", "was stopped too"),
    ("cursor", "echo '{}'", "stops everything", "was stopped too"),
    ("cursor", 'echo \'{"permission": "allow"}\'', "let through", "allow"),
]


@pytest.mark.parametrize(("platform", "script", "outcome", "why"), BEHAVIOURS)
def test_every_way_to_fail_is_told_apart(machine: Machine, platform: str, script: str, outcome: str, why: str) -> None:
    machine.install(platform)
    machine.program.write_text(f"#!/bin/sh\ncat > /dev/null\n{script}\n")
    found = machine.probes(platform)[0]
    assert found.outcome == outcome
    assert why in found.why


def test_a_hook_that_is_gone_or_hangs_lets_through_but_where_it_fails_closed(machine: Machine) -> None:
    machine.install("claude-code")
    machine.install("cursor")
    machine.program.write_text("#!/bin/sh\nsleep 60\n")
    assert "in time" in machine.probes("claude-code", 0.3)[0].why
    assert machine.probes("claude-code", 0.3)[0].outcome == "let through"
    machine.program.unlink()
    assert "missing" in machine.probes("claude-code")[0].why
    assert machine.probes("cursor")[0].outcome == "stops everything"
    machine.write("cursor", json.dumps(own(machine, "cursor", "beforeShellExecution", closed=False)))
    assert machine.probes("cursor")[0].outcome == "let through"


@pytest.mark.parametrize(
    ("platform", "file", "text", "why"),
    [
        ("claude-code", ".claude/settings.json", None, "disableAllHooks"),
        ("claude-code", ".claude/settings.local.json", '{"disableAllHooks": true}', "disableAllHooks"),
        ("claude-code", ".claude/settings.local.json", '{"disableAllHooks": true} // for now', "disableAllHooks"),
        ("claude-code", "../managed.json", '{"allowManagedHooksOnly": true}', "allowManagedHooksOnly"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "[features]"),
        ("codex", ".codex/config.toml", '[hooks.state."{file}:pre_tool_use:0:0"]\nenabled = false\n', "turned off"),
    ],
)
def test_settings_that_turn_hooks_off_are_found(
    machine: Machine, platform: str, file: str, text: str | None, why: str
) -> None:
    if text is None:
        machine.write(platform, '{"disableAllHooks": true}')
    machine.install(platform)
    if text is not None:
        (machine.home / file).write_text(text.replace("{file}", str(machine.file(platform))))
    (found,) = machine.probes(platform)
    assert found.outcome == "let through"
    assert why in found.why
    assert why in machine.status(platform).disabled


def test_what_is_more_than_json_makes_some_platforms_skip_the_file(machine: Machine) -> None:
    for platform in SETTINGS:
        machine.write(platform, MINE)
        machine.install(platform)
    assert "comma" in machine.status("claude-code").disabled
    assert "comma" in machine.status("codex").disabled
    assert machine.status("cursor").disabled == ""
    assert "more than plain JSON" in machine.status("cursor").notes[0]
    for platform in SETTINGS:
        machine.remove(platform)
        machine.write(platform, "{} // mine\n")
        machine.install(platform)
    assert machine.status("claude-code").disabled == ""
    assert "more than plain JSON" in machine.status("claude-code").notes[0]
    assert "comment" in machine.status("codex").disabled


def test_codex_trusts_a_hook_before_it_runs_it(machine: Machine) -> None:
    machine.install("codex")
    assert "until you trust it" in machine.status("codex").notes[0]
    key = f"{machine.file('codex')}:pre_tool_use:0:0"
    (machine.home / ".codex/config.toml").write_text(f'[hooks.state."{key}"]\ntrusted_hash = "sha256:x"\n')
    assert machine.status("codex").notes == ()


def test_the_canary_is_what_the_humans_own_patterns_gate(machine: Machine) -> None:
    file = Path(machine.workspace.env["XDG_CONFIG_HOME"]) / "dory/hooks.toml"
    file.parent.mkdir(parents=True)
    file.write_text('defaults = false\n[gated]\ncommands = ["s*p", "make ship|send ** now"]\n')
    assert gated_call(machine.workspace.env) == "make ship now"
    machine.install("codex")
    assert machine.probes("codex")[0].outcome == "stopped"
    file.write_text("defaults = false\n")
    assert gated_call(machine.workspace.env) == "rm .dory/canary"
    assert [one.outcome for platform in SETTINGS for one in machine.probes(platform)] == ["stopped"]


def test_folders_that_a_variable_moves_are_found(machine: Machine, tmp_path: Path) -> None:
    machine.workspace.env["CODEX_HOME"] = str(tmp_path / "codex")
    machine.install("codex")
    assert (tmp_path / "codex/hooks.json").is_file()
    assert machine.status("codex").state == "installed"
    assert os.listdir(tmp_path / "codex") == ["hooks.json"]
