"""`dory init --for`: skill and rules where a platform looks, all of somebody else's as it was, and again at will."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from dory_tui.gate.rules import Exit
from dory_tui.review import scheduling, setting_up
from dory_tui.review.platforms import PLATFORMS, place
from dory_tui.workspace import marked, templates
from dory_tui.workspace.layout import discover
from tests.process.in_process import Commands, Told

SKILL = [path for path, _ in templates.skill()]
HOME = {"openclaw": "skills", "claude-code": ".claude/skills", "codex": ".agents/skills", "cursor": ".cursor/skills"}
RULES = b"\xef\xbb\xbf# Ours\r\n\r\n- be kind\r\nno end \xff"


class Human(Commands):
    """Somebody with a home and a project, who runs `dory init`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "dory-agent").write_text("#!/bin/sh\n")
        (bin_folder / "dory-agent").chmod(0o755)
        env = {"HOME": str(folder / "home"), "XDG_STATE_HOME": str(folder / "state"),
               "PATH": f"{bin_folder}:{os.environ['PATH']}"}  # fmt: skip
        super().__init__(monkeypatch, capsys, env)
        for name in list(os.environ):
            if name.startswith("OPENCLAW_"):
                monkeypatch.delenv(name)
        self.home, self.root = folder / "home", folder / "project"
        self.home.mkdir()
        self.root.mkdir()
        monkeypatch.chdir(self.root)

    def init(self, platform: str, *words: str) -> Told:
        return self.dory(*words, "init", "--for", platform)

    def files(self, root: Path | None = None) -> dict[str, bytes]:
        base = root or self.root
        return {file.relative_to(base).as_posix(): file.read_bytes() for file in base.rglob("*") if file.is_file()}


@pytest.fixture
def human(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Human:
    return Human(monkeypatch, capsys, tmp_path)


def has_section(data: bytes) -> bool:
    return marked.section("x", data) is not None


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_empty_folder_gets_all_and_the_second_time_nothing(human: Human, platform: str) -> None:
    told = human.init(platform)
    assert (told.code, told.err) == (0, "")
    root = human.home / ".openclaw/workspace" if platform == "openclaw" else human.root
    before = human.files(root)
    for path, data in templates.skill():
        assert before[f"{HOME[platform]}/{path}"].startswith(data)
    for path in ("state/HOLD.md", "MEMORY.md", "SOUL.md", ".dory/workspace"):
        assert path in before
    assert has_section(before["AGENTS.md"])
    assert before.get("CLAUDE.md") == (b"@AGENTS.md\n" if platform == "claude-code" else None)
    named = f" -C {root}" if platform == "openclaw" else ""
    assert f"\n     dory hooks install {platform}{named}\n" in told.out
    again = human.init(platform)
    assert (again.code, "\nnothing was missing\n" in again.out) == (0, True)
    assert human.files(root) == before
    assert discover(str(root), {}, root) == root


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_agents_md_that_is_there_keeps_every_byte_and_gets_a_section(human: Human, platform: str) -> None:
    (human.root / "AGENTS.md").write_bytes(RULES)
    (human.root / "SOUL.md").write_bytes(b"mine\r\n")
    assert human.init(platform, "-C", str(human.root)).code == 0
    after = human.files()
    assert after["AGENTS.md"].startswith(RULES)
    added = after["AGENTS.md"].removeprefix(RULES)
    assert added.startswith(b"\r\n\r\n<!-- dory:begin sha256=")
    assert added.count(b"\n") == added.count(b"\r\n"), "with the file's line ends"
    assert after["SOUL.md"] == b"mine\r\n"
    again = human.init(platform, "-C", str(human.root))
    assert "nothing was missing" in again.out
    assert human.files() == after


def test_four_platforms_in_one_workspace(human: Human) -> None:
    for platform in PLATFORMS:
        assert human.init(platform, "-C", str(human.root)).code == 0
    after = human.files()
    assert after["AGENTS.md"].count(b"dory:begin") == 1
    for folder in HOME.values():
        assert f"{folder}/dory/SKILL.md" in after


# Claude Code reads CLAUDE.md


@pytest.mark.parametrize(
    ("files", "gets"),
    [
        ({}, "AGENTS.md"),
        ({"CLAUDE.md": "# Mine\n"}, "CLAUDE.md"),
        ({"CLAUDE.md": "# Mine\n\n@AGENTS.md\n"}, "AGENTS.md"),
        ({"CLAUDE.md": "See @./AGENTS.md for the rest.\n"}, "AGENTS.md"),
        ({"CLAUDE.md": "Write `@AGENTS.md` here.\n\n```\n@AGENTS.md\n```\n<!-- @AGENTS.md -->\n"}, "CLAUDE.md"),
        ({"CLAUDE.md": "ask me@AGENTS.md or @AGENTS.mdx\n"}, "CLAUDE.md"),
        ({".claude/CLAUDE.md": "# Mine\n"}, ".claude/CLAUDE.md"),
        ({".claude/CLAUDE.md": "@../AGENTS.md\n"}, "AGENTS.md"),
        ({"CLAUDE.md": "@../AGENTS.md\n"}, "CLAUDE.md"),
        ({".claude/CLAUDE.md": "@AGENTS.md\n"}, ".claude/CLAUDE.md"),
        ({"CLAUDE.md": "# One\n", ".claude/CLAUDE.md": "@../AGENTS.md\n"}, "AGENTS.md"),
    ],
)
def test_the_section_goes_where_claude_code_reads_it(human: Human, files: dict[str, str], gets: str) -> None:
    (human.root / "AGENTS.md").write_text("# Others\n")
    for path, text in files.items():
        (human.root / path).parent.mkdir(exist_ok=True)
        (human.root / path).write_text(text)
    assert human.init("claude-code").code == 0
    after = human.files()
    rules = {path for path in ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md") if path in after}
    assert [path for path in sorted(rules) if has_section(after[path])] == [gets]
    for path, text in {"AGENTS.md": "# Others\n", **files}.items():
        assert after[path].startswith(text.encode())
    assert ("CLAUDE.md" in after) == ("CLAUDE.md" in files or not files)
    human.init("claude-code")
    assert human.files() == after


def test_a_claude_md_that_is_a_link_to_agents_md_is_that_file(human: Human) -> None:
    (human.root / "AGENTS.md").write_text("# Rules\n")
    (human.root / "CLAUDE.md").symlink_to("AGENTS.md")
    assert human.init("claude-code").code == 0
    assert (human.root / "CLAUDE.md").is_symlink()
    assert (human.root / "AGENTS.md").read_bytes().count(b"dory:begin") == 1


def test_codex_reads_the_override_where_there_is_one(human: Human) -> None:
    (human.root / "AGENTS.override.md").write_text("# Over\n")
    (human.root / "AGENTS.md").write_text("# Under\n")
    assert human.init("codex").code == 0
    assert has_section((human.root / "AGENTS.override.md").read_bytes())
    assert (human.root / "AGENTS.md").read_text() == "# Under\n"


# What dory wrote earlier


def test_what_nobody_edited_is_brought_up_to_date(human: Human, monkeypatch: pytest.MonkeyPatch) -> None:
    (human.root / "AGENTS.md").write_bytes(RULES)
    monkeypatch.setattr(setting_up, "section", lambda: "## An older one\n")
    old_skill = [(path, b"# older\n") for path in SKILL]
    monkeypatch.setattr(templates, "skill", lambda: iter(old_skill))
    assert human.init("cursor").code == 0
    monkeypatch.undo()
    for name, value in (("HOME", human.home), ("XDG_STATE_HOME", human.root.parent / "state")):
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(human.root)
    told = human.init("cursor")
    assert told.code == 0
    lines = told.out.splitlines()
    assert f"brought up to date {HOME['cursor']}/{SKILL[0]}" in lines
    assert any(line.startswith("brought up to date AGENTS.md (the section at line ") for line in lines)
    after = human.files()
    assert after["AGENTS.md"].startswith(RULES)
    assert marked.section("x", after["AGENTS.md"]) == setting_up.section()
    assert "nothing was missing" in human.init("cursor").out


def test_what_somebody_edited_is_left_alone_and_said(human: Human) -> None:
    human.init("cursor")
    skill = human.root / HOME["cursor"] / SKILL[0]
    skill.write_text(skill.read_text().replace("# Working", "# My working"))
    rules = human.root / "AGENTS.md"
    rules.write_text(rules.read_text().replace("Every session starts blank.", "You know me."))
    before = human.files()
    told = human.init("cursor")
    assert (told.code, human.files() == before) == (0, True)
    notes = [line for line in told.out.splitlines() if line.startswith("note: ")]
    assert notes == [
        f"note: {HOME['cursor']}/{SKILL[0]} was edited, so it was left as it is: move it away to get the one of this"
        " version",
        "note: AGENTS.md line 3: the dory section was edited, so it was left as it is: take it out, marks and all, to"
        " get the one of this version",
    ]


def test_a_skill_of_that_name_that_is_somebody_elses_stays(human: Human) -> None:
    file = human.root / HOME["codex"] / SKILL[0]
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: dory\n---\nanother\n")
    told = human.init("codex")
    assert file.read_text() == "---\nname: dory\n---\nanother\n"
    assert f"note: {HOME['codex']}/{SKILL[0]} was edited" in told.out


# What goes wrong


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<<<<<<< HEAD\na\n=======\n>>>>>>> x\n", "AGENTS.md line 1: merge conflict markers"),
        ("# Rules\n".encode("utf-16"), "AGENTS.md is not UTF-8 text"),
        (b"<!-- dory:end -->\n", "AGENTS.md line 1: one `<!-- dory:begin"),
    ],
)
def test_a_file_that_cannot_take_the_section_is_a_sentence_and_the_rest_is_done(
    human: Human, data: bytes, says: str
) -> None:
    (human.root / "AGENTS.md").write_bytes(data)
    told = human.init("codex")
    assert (told.code, told.err.count("\n")) == (Exit.USAGE, 1)
    assert told.err.startswith(says)
    assert (human.root / "AGENTS.md").read_bytes() == data
    assert (human.root / HOME["codex"] / SKILL[0]).is_file()


def test_folders_in_the_way_and_links_that_lead_out(human: Human) -> None:
    (human.root / "AGENTS.md").mkdir()
    outside = human.home / "elsewhere"
    outside.mkdir()
    (human.root / ".agents").symlink_to(outside)
    told = human.init("codex")
    assert told.code == Exit.USAGE
    assert "AGENTS.md is a folder, where a file should be: move it away" in told.err
    assert "leads out of the workspace" in told.err
    assert list(outside.iterdir()) == []


def test_a_platform_it_does_not_know_is_one_sentence(human: Human) -> None:
    told = human.init("emacs")
    assert (told.code, told.err.count("\n")) == (Exit.USAGE, 1)
    assert "openclaw" in told.err


@pytest.mark.parametrize(("platform", "more"), [("openclaw", 12_000), ("codex", 32_768), ("cursor", 100_000)])
def test_a_section_below_what_the_platform_reads_is_said(human: Human, platform: str, more: int) -> None:
    (human.root / "AGENTS.md").write_text("# Rules\n\n" + "x" * more + "\n")
    told = human.init(platform, "-C", str(human.root))
    assert ("is longer than the" in told.out) == (platform != "cursor")


def test_an_agent_that_would_not_find_the_command_is_said(human: Human, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "note: dory-agent is not on the PATH" in human.init("cursor").out


def test_a_sandbox_that_keeps_the_ledger_out_of_reach_is_said(human: Human) -> None:
    state = human.root.parent / "state/dory"
    assert f"unless {state} is among the writable_roots of [sandbox_workspace_write]" in human.init("codex").out


# Where, and what next


@pytest.mark.parametrize(
    ("env", "settings", "folder"),
    [
        ({}, None, ".openclaw/workspace"),
        ({}, {}, ".openclaw/workspace"),
        ({}, {"agents": {"defaults": {"workspace": "~/mine"}}}, "mine"),
        ({}, {"agents": []}, ".openclaw/workspace"),
        ({"OPENCLAW_PROFILE": "work"}, None, ".openclaw-work/workspace"),
        ({"OPENCLAW_PROFILE": "default"}, None, ".openclaw/workspace"),
        ({"OPENCLAW_STATE_DIR": "~/state"}, None, "state/workspace"),
        ({"OPENCLAW_WORKSPACE_DIR": "~/there"}, {"agents": {"defaults": {"workspace": "~/mine"}}}, "mine"),
        ({"OPENCLAW_WORKSPACE_DIR": "~/there"}, {}, "there"),
        ({"OPENCLAW_HOME": "~/other"}, None, "other/.openclaw/workspace"),
        ({"OPENCLAW_HOME": "undefined", "OPENCLAW_PROFILE": "Default"}, None, ".openclaw/workspace"),
    ],
)
def test_openclaws_own_workspace(tmp_path: Path, env: dict[str, str], settings: object, folder: str) -> None:
    if settings is not None:
        (tmp_path / ".openclaw").mkdir()
        (tmp_path / ".openclaw/openclaw.json").write_text(json.dumps(settings))
    found = place(PLATFORMS["openclaw"], {"HOME": str(tmp_path), **env}, tmp_path / "here")
    assert (found.folder, found.doubt) == (tmp_path / folder, None)
    assert place(PLATFORMS["codex"], {"HOME": str(tmp_path), **env}, tmp_path / "here").folder == tmp_path / "here"


def test_a_profile_of_an_earlier_openclaw(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "OPENCLAW_PROFILE": "work"}
    (tmp_path / ".openclaw/workspace-work").mkdir(parents=True)
    assert place(PLATFORMS["openclaw"], env, tmp_path).folder == tmp_path / ".openclaw/workspace-work"
    (tmp_path / ".openclaw-work").mkdir()
    assert place(PLATFORMS["openclaw"], env, tmp_path).folder == tmp_path / ".openclaw-work/workspace"


def test_openclaws_settings_are_read_as_it_writes_them(human: Human) -> None:
    (human.home / ".openclaw").mkdir()
    (human.home / ".openclaw/openclaw.json").write_text("{agents: {defaults: {workspace: '~/mine'}}} // mine\n")
    told = human.init("openclaw")
    assert (told.code, f"dory hooks install openclaw -C {human.home / 'mine'}" in told.out) == (0, True)
    (human.home / ".openclaw/openclaw.json").write_text("{\nagents:\n")
    told = human.init("openclaw")
    assert (told.code, "openclaw.json line 3 could not be read: if it names another workspace" in told.out) == (0, True)


@pytest.mark.parametrize("workspace", ["/home/ana/ws", '/home/ana o\'brien/50% "ws"'])
def test_the_schedulers_line_starts_this_agent_in_this_workspace(workspace: str) -> None:
    agent = "/opt/dory y/bin/dory-agent"
    line = scheduling.scheduler_line("openclaw", agent, workspace)
    words = shlex.split(line)
    argv = json.loads(words[words.index("--command-argv") + 1])
    assert words[:3] == ["openclaw", "cron", "add"]
    assert argv == [agent, "-C", workspace, "run", "--due", "--refusal-exit", "0"]
    line = scheduling.scheduler_line("cursor", agent, workspace)
    inside = line.replace("\\%", "%").partition('"$(')[2].partition(' 2>&1)"')[0]
    assert shlex.split(inside) == [agent, "-C", workspace, "run", "--due"]
    assert line.count("%") == line.count("\\%")


def test_as_json(human: Human) -> None:
    (human.root / "TODO.md").write_text("- x\n")
    told = human.dory("-C", str(human.root), "init", "--for", "cursor", "--json")
    found = json.loads(told.out)
    assert found["workspace"] == str(human.root)
    assert found["platform"] == "cursor"
    assert f".cursor/skills/{SKILL[0]}" in found["added"]
    assert found["next"][0] == "dory hooks install cursor"
    assert [one["path"] for one in found["not_understood"]] == ["TODO.md"]
    again = json.loads(human.dory("-C", str(human.root), "init", "--for", "cursor", "--json").out)
    assert (again["added"], again["updated"], again["left"], again["failed"]) == ([], [], [], [])
    assert "AGENTS.md" in again["kept"]
