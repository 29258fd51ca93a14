"""`templates/own-user`, run for real: the runner has the credentials, the human the password, the agent a shell."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.workspace import templates
from tests.process.terminal import Terminal
from tests.process.worlds import CannotError, World

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.long

SECRET = "token-5f3a9c"
PASSWORD = "a long one"


class Household(World):
    """Ana reviews, mira is the agent, dory-runner runs; the workspace is mira's old one."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for user in ("ana", "mira"):
            self.add_user(user)
        self.root("chpasswd", stdin=f"ana:{PASSWORD}\nmira:another\n")
        self.workspace, self.home = folder / "workspace", folder / "runner"
        (self.workspace / "state/drafts").mkdir(parents=True)
        (self.workspace / "notes.md").write_text("What mira wrote before.\n")
        shutil.chown(self.workspace / "notes.md", 0, 0)
        self.said = self.setup()
        self.effects = self.home / "effects"
        secret = self.home / "credentials/token"
        secret.write_text(f"{SECRET}\n")
        # A program where only root may write, which uses what only the runner may read.
        self.poster = folder / "bin/post"
        self.poster.write_text(
            f'#!/bin/sh\nread -r token < {secret} && echo "$DORY_ID with $token" >> {self.effects}\n'
        )
        self.poster.chmod(0o755)
        for file in (secret, secret.parent):
            self.root("chown", "dory-runner:dory-runner", str(file))
        secret.chmod(0o600)

    def setup(self, **other: str) -> str:
        script = templates.folder() / "own-user/setup.sh"
        values = {
            "human": "ana", "agent": "mira", "workspace": str(self.workspace), "program": str(self.dory),
            "home": str(self.home), "scheduler": "cron", **other,
        }  # fmt: skip
        words = [word for name, value in values.items() for word in (f"--{name}", value)]
        done = self.run("root", str(script), *words)
        return done.stdout + done.stderr

    def agent_says(self, *words: str, stdin: str = "", codes: tuple[int, ...] = (0,)) -> str:
        """`dory-agent`, as the agent's user calls it."""
        done = self.run("mira", str(self.agent), "-C", str(self.workspace), *words, stdin=stdin, codes=codes)
        return done.stdout + done.stderr

    def stage(self, identity: str) -> None:
        draft = f'---\nid: {identity}\naction:\n  argv: ["{self.poster}"]\nschedule:\n  lane: {identity}\n---\nHello.\n'
        self.agent_says("stage", stdin=draft)

    def tick(self) -> str:
        """What the line that setup.sh wrote for cron does when its time comes."""
        text = self.root("cat", "/etc/cron.d/dory-runner")
        (line,) = [line for line in text.splitlines() if line and not line.startswith("#")]
        user, command = line.split(None, 6)[5:]
        assert user == "dory-runner"
        assert "%" not in command
        done = self.run(user, "/bin/sh", "-c", command, HOME=str(self.home), PATH="/usr/bin:/bin")
        return done.stdout + done.stderr

    def looked(self) -> str:
        """What the runner noted of its last look: what it started, and why it refused the rest."""
        notes = sorted(self.home.glob(".local/state/dory/*/looked.json"))
        return "\n".join(note.read_text() for note in notes)

    def posted(self) -> list[str]:
        return self.effects.read_text().splitlines() if self.effects.exists() else []

    def review(self, *words: str) -> Terminal:
        """`dory-review` at a terminal: by sudo, where there is one, as ana types it."""
        if shutil.which("sudo"):
            return Terminal(
                ["/usr/bin/env", *self.line("ana", "dory-review", *words)], {"PATH": "/usr/bin:/bin:/usr/sbin"}
            )
        command = self.line("dory-runner", "/usr/local/bin/dory-review", *words, HOME=str(self.home))
        return Terminal(["/usr/bin/env", *command], {"PATH": "/usr/bin:/bin:/usr/sbin"})

    def approve(self, identity: str) -> None:
        terminal = self.review("approve", identity)
        try:
            if shutil.which("sudo"):
                terminal.see("password")
                terminal.type(f"{PASSWORD}\n")
            terminal.see("type ")
            terminal.see("and Enter")
            (code,) = re.findall(r"type ([a-z]{4}) and Enter", terminal.text)
            terminal.type(f"{code}\n")
            assert terminal.end() == 0, terminal.text
        finally:
            terminal.close()


@pytest.fixture(scope="module")
def household() -> Iterator[Household]:
    with tempfile.TemporaryDirectory() as name:
        try:
            made = Household(Path(name))
        except CannotError as error:
            pytest.skip(f"a world of its own users cannot be made here: {error}")
        yield made
        made.close()


def test_a_staged_draft_runs_once_after_the_humans_yes_and_not_before(household: Household) -> None:
    assert "done. ana reviews" in household.said
    household.stage("post")
    household.tick()
    assert household.posted() == []
    household.approve("post")
    assert "approved elsewhere" in household.agent_says("run", "post", codes=(3,)), "the yes is not the agent's to use"
    for _ in range(3):
        household.tick()
    assert household.posted() == [f"post with {SECRET}"]
    log = household.run("dory-runner", "git", "-C", str(household.workspace), "log", "--format=%an %s", codes=(0,))
    assert "ana Approve post" in log.stdout


def test_the_agent_and_the_runner_write_in_the_same_files(household: Household) -> None:
    """By turns, each with the umask that it has; whatever the one made the other can change."""
    for number in (1, 2):
        household.agent_says("log", "--kind", "bug", f"Lesson {number}.")
        household.agent_says("hold", f"id:nothing-{number} — wait")
        household.agent_says("decide", f"Choice {number} — since it was so")
        proposal = f"- Ana prefers way {number}"
        household.agent_says(
            "propose", "--section", "## People", "--scores", "3,3,1,1", "--id", f"p-{number}", proposal
        )
        household.stage(f"both-{number}")
        household.approve(f"both-{number}")
        said = household.tick()
        assert household.posted()[-1:] == [f"both-{number} with {SECRET}"], f"{said}{household.looked()}"
    status = household.run("dory-runner", "/usr/local/bin/dory-review", "status", HOME=str(household.home), codes=(0,))
    assert "MEMORY 2" in status.stdout
    assert "HOLD 2" in status.stdout
    decisions = (household.workspace / "state/DECISIONS.md").read_text()
    assert all(f"Choice {n}" in decisions and f"both-{n}: approved" in decisions for n in (1, 2))


def test_the_agent_reaches_neither_credentials_nor_ledger(household: Household) -> None:
    household.stage("quiet")
    household.tick()
    state = household.home / ".local/state/dory"
    for path in (household.home / "credentials/token", state, household.effects):
        assert "Permission denied" in household.run("mira", "ls", str(path)).stderr
        assert "Permission denied" in household.run("mira", "cat", str(path)).stderr
    for words in (["touch", f"{state}/x"], ["mv", str(household.home), f"{household.folder}/y"]):
        assert household.run("mira", *words).returncode != 0
    for file in (household.dory, household.agent, household.poster, Path("/usr/local/bin/dory-review")):
        assert "Permission denied" in household.run("mira", "/bin/sh", "-c", f"echo >> {file}").stderr


def test_a_yes_that_the_agent_writes_itself_runs_nothing(household: Household) -> None:
    """It has a shell and all of the workspace: it approves in its own ledger, forges the mirror and the status."""
    household.stage("forged")
    before = household.posted()
    gate = "import sys; sys.path[:0] = sys.argv[3:]; from pathlib import Path\n"
    gate += "from dory_tui.gate.survey import Gate; from dory_tui.review import decide\n"
    gate += "g = Gate.open(Path(sys.argv[1])); decide.approve(g, sys.argv[2], g.staging().find(sys.argv[2]).digest)\n"
    python = household.agent.read_text().splitlines()[0].split()[0].removeprefix("#!")
    paths = [str(household.folder / name) for name in ("site", "clone")]
    household.run("mira", python, "-B", "-c", gate, str(household.workspace), "forged", *paths, codes=(0,))
    mirrored = household.workspace / ".dory/ledger/forged"
    assert [file.name for file in mirrored.iterdir()] == ["1-001-approved.json"]
    household.run(
        "mira", "sed", "-i", "s/Status:\\*\\* pending/Status:** approved/", f"{household.workspace}/state/STAGING.md"
    )
    household.tick()
    assert household.posted() == before
    done = household.run(
        "dory-runner", str(household.agent), "-C", str(household.workspace), "check", "forged", HOME=str(household.home)
    )
    assert done.returncode == 3
    assert "approved elsewhere" in done.stdout


def test_a_link_to_the_credentials_gives_nothing_away(household: Household) -> None:
    """What the runner reads as HOLD.md it writes down where the agent can read it."""
    hold = household.workspace / "state/HOLD.md"
    household.run("mira", "mv", str(hold), f"{hold}.kept", codes=(0,))
    household.run("mira", "ln", "-s", f"{household.home}/credentials/token", str(hold), codes=(0,))
    household.stage("linked")
    said = household.tick()
    household.run("mira", "mv", f"{hold}.kept", str(hold), codes=(0,))
    assert SECRET not in said
    leaked = household.run("mira", "grep", "-rl", SECRET, str(household.workspace))
    assert (leaked.returncode, leaked.stdout) == (1, "")


def test_the_agent_cannot_put_its_own_git_in_place_of_the_runners(household: Household) -> None:
    git = household.workspace / ".git"
    assert household.run("mira", "mv", str(git), f"{household.workspace}/old").returncode != 0
    assert household.run("mira", "/bin/sh", "-c", f"echo >> {git}/config").returncode != 0
    assert household.run("mira", "touch", f"{git}/hooks/post-commit").returncode != 0
    household.run("mira", "/bin/sh", "-c", f"echo more >> {household.workspace}/notes.md", codes=(0,))


def test_only_the_human_with_her_password_gets_into_the_review(household: Household) -> None:
    if shutil.which("sudo") is None:
        pytest.skip("sudo is not installed here")
    assert household.run("mira", "sudo", "-n", "-u", "dory-runner", "/usr/local/bin/dory-review", "status").returncode
    said = household.run("mira", "sudo", "-S", "-u", "dory-runner", "/usr/local/bin/dory-review", stdin="another\n")
    assert "not" in said.stderr
    assert household.run("ana", "sudo", "-n", "dory-review", "status").returncode
    line = ["sudo", "-S", "-H", "-u", "dory-runner", "/usr/local/bin/dory-review", "status"]
    assert "HOLD" in household.run("ana", *line, stdin=f"{PASSWORD}\n", codes=(0,)).stdout
    assert household.run("ana", "sudo", "-n", *line[2:]).returncode, "it asks every time"
    shell = household.run("ana", "sudo", "-S", "-u", "dory-runner", "/bin/sh", "-c", "id", stdin=f"{PASSWORD}\n")
    assert shell.returncode, "and lets her run nothing else as the runner"


def test_it_may_be_run_again_and_refuses_what_would_be_no_boundary(household: Household) -> None:
    assert "done." in household.setup()
    loose = household.folder / "loose"
    loose.mkdir()
    shutil.copy(household.dory, loose / "dory")
    shutil.copy(household.agent, loose / "dory-agent")
    loose.chmod(0o777)
    assert f"{loose} may be changed by others than root" in household.setup(program=str(loose / "dory"))
    loose.chmod(0o755)
    shutil.chown(loose / "dory-agent", 12345)
    assert "does not belong to root" in household.setup(program=str(loose / "dory"))
    assert "must be a user of its own" in household.setup(runner="mira")
    assert "there is no user nobody-here" in household.setup(human="nobody-here")
    assert "only letters" in household.setup(workspace="/tmp/x;id")
    assert "it can type into your terminal" in household.setup(human="ana", agent="ana")


def test_the_mirror_is_as_open_as_its_folder_and_the_ledger_is_its_owners(workspace: Workspace) -> None:
    """Without root: what makes a workspace shareable. A tight umask must not close what the group works in."""
    workspace.runs("post")
    gate = workspace.gate()
    gate.settle()
    (workspace.root / ".dory").chmod(0o770)
    before = os.umask(0o077)
    try:
        workspace.approve("post")
        assert runner.run(workspace.gate(), "post").code == Exit.FINE
    finally:
        os.umask(before)
    for base, folder_mode, file_mode in ((gate.ledger.mirror, 0o770, 0o660), (gate.ledger.original, 0o700, 0o600)):
        modes = {stat.S_IMODE(file.stat().st_mode) & 0o777 for file in (base / "post").iterdir()}
        assert modes == {file_mode}
        assert stat.S_IMODE((base / "post").stat().st_mode) & 0o777 == folder_mode
    assert stat.S_IMODE(gate.ledger.state.stat().st_mode) == 0o700


def test_a_hold_file_that_leads_out_of_the_workspace_holds_everything_and_is_not_read(
    workspace: Workspace, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(f"## Currently Blocked\n\n{SECRET}\n")
    workspace.runs("post")
    workspace.approve("post")
    hold = workspace.root / "state/HOLD.md"
    kept = hold.read_bytes()
    hold.unlink()
    hold.symlink_to(secret)
    found = runner.run(workspace.gate(), "post")
    assert found.code == Exit.HELD
    assert "leads out of the workspace" in found.sentence
    everything = [file.read_bytes() for base in (workspace.root, tmp_path / "state") for file in base.rglob("*.json")]
    assert everything
    assert not any(SECRET.encode() in data for data in everything)
    hold.unlink()
    hold.write_bytes(kept)
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
