"""What a scheduler is given in `templates/schedulers`: each line, taken out of its file, as the scheduler starts it."""

from __future__ import annotations

import json
import plistlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate.due import last_look
from dory_tui.workspace import templates
from tests.process.launcher import launcher

if TYPE_CHECKING:
    from tests.conftest import Workspace

SCHEDULERS = templates.folder() / "schedulers"
AGENT, WORKSPACE = "/ABS/PATH/dory-agent", "/ABS/WORKSPACE"


def filled(name: str, agent: Path, workspace: Path) -> str:
    text = (SCHEDULERS / name).read_text()
    assert AGENT in text
    assert WORKSPACE in text
    return text.replace(AGENT, str(agent)).replace(WORKSPACE, str(workspace))


def cron(text: str) -> list[str]:
    """cron gives all after the five fields to /bin/sh; an unescaped % would end the command."""
    (line,) = [line for line in text.splitlines() if line and not line.startswith("#")]
    fields = line.split(None, 5)
    assert re.fullmatch(r"\*/\d+", fields[0])
    assert fields[1:5] == ["*"] * 4
    assert "%" not in fields[5]
    return ["/bin/sh", "-c", fields[5]]


def ini(text: str) -> ConfigParser:
    parser = ConfigParser(interpolation=None, comment_prefixes=("#",), delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def systemd(text: str) -> list[str]:
    line = ini(text)["Service"]["ExecStart"]
    assert not re.search(r"[%$]", line), "systemd would put something else in its place"
    return shlex.split(line)


def openclaw(text: str) -> list[str]:
    words = shlex.split(text, comments=True)
    assert words[:4] == ["exec", "openclaw", "cron", "add"]
    found: list[str] = json.loads(words[words.index("--command-argv") + 1])
    return found


def launchd(text: str) -> list[str]:
    job = plistlib.loads(text.encode())
    assert job["StartInterval"] == 300
    found: list[str] = job["ProgramArguments"]
    return found


TEMPLATES: dict[str, Callable[[str], list[str]]] = {
    "crontab": cron,
    "dory-agent.service": systemd,
    "openclaw.sh": openclaw,
    "dory-agent.plist": launchd,
}


@pytest.fixture
def due(workspace: Workspace) -> Workspace:
    """One approved, one that waits, one held and one whose time has not come; the state lies where HOME says."""
    del workspace.env["XDG_STATE_HOME"], workspace.env["XDG_CONFIG_HOME"]
    workspace.live()
    for name in ("approved", "waiting", "held"):
        workspace.runs(name, schedule={"lane": name})
    workspace.runs("later", schedule={"not_before": "2099-01-01T00:00:00Z"})
    workspace.approve("approved")
    workspace.approve("held")
    workspace.approve("later")
    workspace.hold("[2026-02-05 10:00 | main] id:held — wait")
    return workspace


def as_a_scheduler(
    workspace: Workspace, line: list[str], path: str = "/usr/bin:/bin"
) -> subprocess.CompletedProcess[str]:
    """Start a line with what cron gives: hardly any environment, and a folder that is not the workspace."""
    bare = ["env", "-i", f"PATH={path}", f"HOME={workspace.env['HOME']}", "SHELL=/bin/sh"]
    return subprocess.run([*bare, *line], cwd="/", capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", TEMPLATES)
def test_its_very_line_starts_what_was_approved_once(due: Workspace, tmp_path: Path, name: str) -> None:
    agent = launcher(tmp_path / "bin" / "dory-agent")
    assert last_look(due.gate()) is None
    line = TEMPLATES[name](filled(name, agent, due.root))
    for _ in range(3):
        done = as_a_scheduler(due, line)
        assert done.returncode == 0, done.stderr
        assert due.effects.read_text().split() == ["approved"]
    assert last_look(due.gate()) is not None
    assert due.standing("approved").state == "done"
    if name == "crontab":
        assert (done.stdout, done.stderr) == ("", ""), "cron mails every word"


def test_cron_is_told_when_something_failed(workspace: Workspace, tmp_path: Path) -> None:
    del workspace.env["XDG_STATE_HOME"], workspace.env["XDG_CONFIG_HOME"]
    workspace.live().draft("post", action={"argv": ["/bin/sh", "-c", "echo no network; exit 7"]})
    workspace.approve("post")
    line = cron(filled("crontab", launcher(tmp_path / "bin" / "dory-agent"), workspace.root))
    said = as_a_scheduler(workspace, line).stdout
    assert "no network" in said
    assert "post: it ran and failed: exit code 7" in said
    assert as_a_scheduler(workspace, line).stdout == ""


def test_a_line_whose_paths_were_not_put_in_says_so(workspace: Workspace) -> None:
    done = as_a_scheduler(workspace, cron((SCHEDULERS / "crontab").read_text()))
    assert AGENT in done.stdout
    assert "not found" in done.stdout


def test_the_openclaw_job_hands_its_words_over_whole(due: Workspace, tmp_path: Path) -> None:
    """The script is run with an `openclaw` that only writes down what it was given."""
    agent = launcher(tmp_path / "bin" / "dory-agent")
    script, given = tmp_path / "job.sh", tmp_path / "given"
    script.write_text(filled("openclaw.sh", agent, due.root))
    script.chmod(0o755)
    stand_in = tmp_path / "path" / "openclaw"
    stand_in.parent.mkdir()
    stand_in.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{given}'\n")
    stand_in.chmod(0o755)
    done = as_a_scheduler(due, [str(script), "--token", "T"], f"{stand_in.parent}:/usr/bin:/bin")
    assert done.returncode == 0, done.stderr
    words = given.read_text().splitlines()
    assert words[:2] == ["cron", "add"]
    assert words[words.index("--cron") + 1] == "*/5 * * * *"
    assert json.loads(words[words.index("--command-argv") + 1])[0] == str(agent)
    assert words[-2:] == ["--token", "T"]


def test_the_timer_looks_every_five_minutes_and_belongs_to_the_service() -> None:
    timer = ini((SCHEDULERS / "dory-agent.timer").read_text())
    assert timer["Timer"]["OnCalendar"] == "*:0/5"
    assert timer["Install"]["WantedBy"] == "timers.target"
    assert "Unit" not in timer["Timer"], "by its name it starts dory-agent.service"
    assert ini((SCHEDULERS / "dory-agent.service").read_text())["Service"]["KillMode"] == "mixed"


def test_systemd_takes_the_units_as_they_are(workspace: Workspace, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    agent = launcher(tmp_path / "bin" / "dory-agent")
    (tmp_path / "dory-agent.service").write_text(filled("dory-agent.service", agent, workspace.root))
    shutil.copy(SCHEDULERS / "dory-agent.timer", tmp_path)
    units = [str(tmp_path / f"dory-agent.{kind}") for kind in ("service", "timer")]
    env = {**workspace.env, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", *units],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if "Failed to" in done.stderr and "dory-agent" not in done.stderr:
        pytest.skip(f"systemd-analyze does not work here: {done.stderr.strip()[:200]}")
    assert "dory-agent" not in done.stderr, done.stderr
