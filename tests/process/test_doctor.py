"""`dory doctor`: each fault is found, in its area, with what to do; nothing is found in a sound workspace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dory_tui.agent.hooks.checkup import checkup, runs_dory
from dory_tui.agent.hooks.install import apply
from dory_tui.agent.hooks.plans import Where
from dory_tui.agent.hooks.platforms import PLATFORMS
from dory_tui.gate.due import run_due
from dory_tui.gate.rules import Exit
from dory_tui.review.doctor import AREAS, Finding, doctor
from dory_tui.review.init import init
from tests.conftest import Workspace

NOW = datetime(2026, 3, 5, 10, 0, tzinfo=UTC)


@pytest.fixture
def sound(make_workspace: Callable[..., Workspace]) -> Workspace:
    """Everything in its place, committed, and a scheduler that looked just now."""
    made = make_workspace(git=True)
    made.clock.now = NOW
    made.write("dory.toml", 'time_zone = "Europe/Vienna"\n')
    init(made.gate())
    run_due(made.gate())
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Start")
    return made


def told(made: Workspace, area: str) -> list[Finding]:
    return [one for one in doctor(made.gate()) if one.area == area]


def test_in_a_sound_workspace_every_area_is_looked_at_and_nothing_is_to_be_seen_to(sound: Workspace) -> None:
    found = doctor(sound.gate())
    assert [one for one in found if not one.fine] == []
    assert list(dict.fromkeys(one.area for one in found)) == list(AREAS)


def _conflict(made: Workspace) -> None:
    made.write("state/HOLD.md", "# HOLD\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n")


def _not_text(made: Workspace) -> None:
    made.write("state/DECISIONS.md", b"# D\n\n## Recent\n\n[2026-03-01 09:00 | a] caf\xe9\n")


def _folder(made: Workspace) -> None:
    (made.root / "state/STAGING.md").unlink()
    (made.root / "state/STAGING.md").mkdir()


def _large(made: Workspace) -> None:
    made.write("MEMORY.md", "# M\n\n" + "- a line about something\n" * 600)


def _loud(made: Workspace) -> None:
    made.write("AGENTS.md", "# A\n\n" + "Read this.\n" * 250)


def _settings(made: Workspace) -> None:
    made.write("dory.toml", "time_zone = 'Europe/Nowhere'\n")


def _ignored(made: Workspace) -> None:
    made.git("rm", "-r", "--cached", "--quiet", "state")
    made.write(".gitignore", "state/\n.dory/\n")


def _ahead(made: Workspace) -> None:
    made.write("memory/2026-03-06.md", "# 2026-03-06\n\n- 01:00 written in UTC\n")


def _torn(made: Workspace) -> None:
    made.runs("post")
    made.approve("post")
    record = next((made.gate().ledger.original / "post").glob("*approved.json"))
    record.write_bytes(record.read_bytes()[:-20])


def _open_to_all(made: Workspace) -> None:
    made.gate().state_home.chmod(0o777)


def _no_scheduler(made: Workspace) -> None:
    made.runs("post")
    made.approve("post")
    (made.gate().ledger.state / "looked.json").unlink()


def _no_agent(made: Workspace) -> None:
    made.env["PATH"] = "/nowhere"


@pytest.mark.parametrize(
    ("breaks", "area", "level", "says"),
    [
        (_conflict, "files", "wrong", "state/HOLD.md line 3: merge conflict markers"),
        (_not_text, "files", "warning", "state/DECISIONS.md line 5 is not UTF-8"),
        (_folder, "files", "wrong", "state/STAGING.md is a folder, where a file should be"),
        (_large, "memory", "wrong", "MEMORY.md is over its cap: 14.7 of 10.0 KB"),
        (_loud, "memory", "warning", "AGENTS.md: "),
        (_settings, "workspace", "wrong", "dory.toml: time_zone 'Europe/Nowhere' is not a known zone"),
        (_ignored, "git", "warning", "git is told to ignore state/HOLD.md"),
        (_ahead, "days", "warning", "memory/2026-03-06.md is of a day that has not come"),
        (_torn, "ledger", "wrong", "approved.json"),
        (_open_to_all, "workspace", "wrong", "others may write into the state folder"),
        (_no_scheduler, "scheduler", "warning", "nothing has ever run `dory-agent run --due` here"),
        (_no_agent, "programs", "warning", "git is not on the path"),
    ],
)
def test_each_fault_is_found_in_its_area(
    sound: Workspace, breaks: Callable[[Workspace], None], area: str, level: str, says: str
) -> None:
    breaks(sound)
    found = [one for one in told(sound, area) if one.level == level and says in one.sentence]
    assert len(found) == 1, doctor(sound.gate())
    assert found[0].advice


def test_words_that_were_changed_since_they_were_captured_are_found(sound: Workspace) -> None:
    from dory_tui.agent.task import capture

    capture(sound.gate(), b"post it at nine, not before")
    assert told(sound, "words")[0].level == "ok"
    active = sound.root / "state/ACTIVE.md"
    active.write_bytes(active.read_bytes().replace(b"post it at nine, not before", b"post it around nine"))
    changed, *lines = told(sound, "words")
    assert changed.level == "wrong"
    assert "not those captured" in changed.sentence
    assert [one.sentence for one in lines] == ["- post it at nine, not before", "+ post it around nine"]


def test_a_clock_that_stands_too_early_is_found(sound: Workspace) -> None:
    sound.runs("post")
    sound.approve("post")
    sound.clock.now = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
    assert any("the clock is earlier than the last record" in one.sentence for one in told(sound, "days"))


def test_a_copy_beside_the_workspace_is_found(sound: Workspace, tmp_path: Path) -> None:
    sound.runs("post")
    sound.approve("post")
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(sound.root), str(other)], check=True)
    gate = type(sound.gate()).open(other, sound.env, sound.clock)
    gate.settle()
    assert any("is a workspace of the same id" in one.sentence for one in doctor(gate))


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A `dory-agent` that runs this clone."""
    file = tmp_path / "bin/dory-agent"
    file.parent.mkdir()
    root = Path(__file__).parents[2]
    file.write_text(f'#!/bin/sh\nPYTHONPATH={root} exec {sys.executable} -m dory_tui.cli.dory_agent "$@"\n')
    file.chmod(0o755)
    return file


def checked(made: Workspace) -> list[tuple[str, str]]:
    return [(level, sentence) for level, sentence, _ in checkup(made.root, made.env)]


def test_the_canary_is_fired_at_what_is_installed(sound: Workspace, agent: Path) -> None:
    assert checked(sound) == [("note", "no agent platform that dory knows is used here")]
    settings = Path(sound.env["HOME"]) / ".claude/settings.json"
    settings.parent.mkdir(parents=True)
    assert checked(sound) == [("note", "Claude Code is used here, and dory's hooks are not in it")]
    where = Where(sound.env)
    apply(PLATFORMS["claude-code"].plan_install(where, agent, sound.root))
    assert checked(sound) == [("ok", "Claude Code: PreToolUse stopped the canary")]
    settings.write_text(settings.read_text().replace('"hooks"', '"disableAllHooks": true, "hooks"', 1))
    ((level, sentence),) = checked(sound)
    assert level == "wrong"
    assert "`disableAllHooks` is on" in sentence
    settings.write_text(settings.read_text().replace('"disableAllHooks": true, ', ""))
    agent.write_text("#!/bin/sh\nexit 1\n")
    assert [level for level, _ in checked(sound)] == ["wrong"]


ALLOWS = (
    (".claude/settings.json", '{{"permissions": {{"allow": ["Bash(dory-agent:*)", "Bash({}:*)"]}}}}'),
    (".cursor/cli-config.json", '{{"permissions": {{"allow": ["Shell(dory-agent)", "Shell({})"]}}}}'),
    (".codex/rules/default.rules", 'prefix_rule(pattern=["{}", "status"], decision="allow")\n'),
    (".openclaw/exec-approvals.json", '{{"agents": {{"main": {{"allowlist": [{{"pattern": "/usr/bin/{}"}}]}}}}}}'),
)


@pytest.mark.parametrize(("name", "text"), ALLOWS)
def test_an_allow_list_with_the_humans_command_is_found(sound: Workspace, name: str, text: str) -> None:
    file = Path(sound.env["HOME"]) / name
    file.parent.mkdir(parents=True)
    file.write_text(text.format("dory-agent"))
    assert all(level != "wrong" for level, _ in checked(sound))
    file.write_text(text.format("dory"))
    (sentence,) = [sentence for level, sentence in checked(sound) if level == "wrong"]
    assert f"{file} lets agents run `dory` without asking" in sentence


@pytest.mark.parametrize(
    ("allowed", "runs"),
    [
        ("dory", True), ("dory:*", True), ("dory approve:*", True), ("/home/ana/bin/dory *", True), ("dory-tui", True),
        ("uv run dory:*", True), ("env LANG=C dory", True), ("sudo -n dory approve x", True),
        ("python -m dory_tui:*", True), ("python3.12 -m dory_tui.cli.dory", True),
        ("dory-agent:*", False), ("ls ~/code/dory/**", False), ("git -C /code/dory log:*", False), ("cat dory", False),
        ("python -m dory_tui.cli.dory_agent", False), ("python -m pytest tests/dory", False), ("", False), ("*", False),
    ],
)  # fmt: skip
def test_what_starts_the_humans_command_is_told_from_what_names_it(allowed: str, runs: bool) -> None:
    assert runs_dory(allowed) is runs


@pytest.mark.parametrize("rule", ["Bash", "Bash(*)", "Bash(:*)"])
def test_an_allow_list_with_every_command_is_a_warning(sound: Workspace, rule: str) -> None:
    file = sound.root / ".claude/settings.local.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["%s", "Read"]}} // mine\n' % rule)  # noqa: UP031
    assert checked(sound) == [("warning", f"{file} lets agents run every command without asking, `dory` too")]


def test_a_codex_rule_with_either_of_two_programs_is_found(sound: Workspace) -> None:
    file = Path(sound.env["HOME"]) / ".codex/rules/mine.rules"
    file.parent.mkdir(parents=True)
    file.write_text('prefix_rule(\n  pattern = [["ls", "/opt/dory"], ["approve", "show"]],\n)\n')
    assert f"{file} lets agents run `dory` without asking: /opt/dory approve show" in dict(checked(sound)).get(
        "wrong", ""
    )


def test_hooks_that_the_workspace_turns_off_are_found(sound: Workspace, agent: Path) -> None:
    apply(PLATFORMS["claude-code"].plan_install(Where(sound.env), agent, sound.root))
    file = sound.root / ".claude/settings.local.json"
    file.parent.mkdir()
    file.write_text('{"disableAllHooks": true /* for an hour */}')
    ((level, sentence),) = checked(sound)
    assert (level, f"`disableAllHooks` is on in {file}" in sentence) == ("wrong", True)


def test_folders_that_variables_move_are_looked_at(sound: Workspace, tmp_path: Path) -> None:
    sound.env |= {
        "CLAUDE_CONFIG_DIR": f"{tmp_path}/cc",
        "CODEX_HOME": f"{tmp_path}/cx",
        "OPENCLAW_STATE_DIR": f"{tmp_path}/oc",
    }
    (tmp_path / "cc").mkdir()
    (tmp_path / "cx/rules").mkdir(parents=True)
    (tmp_path / "oc").mkdir()
    (tmp_path / "cc/settings.json").write_text('{"permissions": {"allow": ["Bash(dory:*)"]}}')
    (tmp_path / "cx/rules/mine.rules").write_text('prefix_rule(pattern=["dory"])\n')
    (tmp_path / "oc/exec-approvals.json").write_text('{"agents": {"main": {"allowlist": [{"pattern": "/bin/dory"}]}}}')
    found = [sentence for level, sentence in checked(sound) if level == "wrong"]
    assert [Path(one.split()[0]).name for one in found] == ["settings.json", "mine.rules", "exec-approvals.json"]
    notes = [sentence.split(" is used")[0] for level, sentence in checked(sound) if level == "note"]
    assert notes == ["Claude Code", "Codex", "OpenClaw"]


def _deep(file: Path) -> None:
    file.write_text("a = " + "[" * 5000 + "]" * 5000)


def _long_number(file: Path) -> None:
    file.write_text("a = " + "1" * 5000)


def _pipe(file: Path) -> None:
    os.mkfifo(file)


@pytest.mark.parametrize("bad", [_deep, _long_number, _pipe, Path.mkdir], ids=lambda one: one.__name__)
@pytest.mark.parametrize(
    "name",
    [
        ".codex/config.toml",
        ".codex/hooks.json",
        ".claude/settings.json",
        ".openclaw/openclaw.json",
        ".codex/rules/x.rules",
    ],
)
def test_one_bad_file_of_a_platform_costs_no_other_its_words(
    sound: Workspace, agent: Path, name: str, bad: Callable[[Path], None]
) -> None:
    home = Path(sound.env["HOME"])
    for platform in ("codex", "cursor"):
        if not name.endswith("hooks.json") or platform == "cursor":
            apply(PLATFORMS[platform].plan_install(Where(sound.env), agent, sound.root))
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    bad(home / name)
    found = checked(sound)
    assert [sentence for level, sentence in found if level == "ok" and sentence.startswith("Cursor")]
    if name == ".codex/config.toml":
        assert any(f"{home / name} " in sentence for level, sentence in found if level != "ok"), found


def test_what_openclaw_does_not_read_is_told_of_its_own_workspace(sound: Workspace) -> None:
    home = Path(sound.env["HOME"]) / ".openclaw"
    home.mkdir(parents=True)
    (home / "openclaw.json").write_text('{/* mine */ agents: {defaults: {workspace: "%s"}}}' % sound.root)  # noqa: UP031
    assert any("`state/`" in sentence for _, sentence in checked(sound))
    (home / "openclaw.json").write_text("{}")
    assert not any("`state/`" in sentence for _, sentence in checked(sound))


def test_the_command_says_it_in_lines_and_in_json_and_with_its_code(sound: Workspace) -> None:
    sound.live()
    line = [sys.executable, "-m", "dory_tui", "-C", str(sound.root), "doctor"]
    sound.write("state/HOLD.md", "# HOLD\n\n<<<<<<< \x1b[31mHEAD\na\n=======\nb\n>>>>>>> x\n")
    plain = subprocess.run(line, env=sound.env, capture_output=True, text=True, check=False)
    assert plain.returncode == Exit.REFUSED
    assert "WRONG  files      state/HOLD.md line 3: merge conflict markers\n" in plain.stdout
    assert "→ resolve them in an editor" in plain.stdout
    assert "\x1b" not in plain.stdout
    spoken = subprocess.run([*line, "--json"], env=sound.env, capture_output=True, text=True, check=False)
    assert spoken.returncode == Exit.REFUSED
    assert {one["area"] for one in json.loads(spoken.stdout)} == {*AREAS, "platforms"}
