"""`dory key` at a real terminal: on with one command, off again, and what a person reads."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.ledger.sshsig import NAMESPACE
from dory_tui.review import keys
from dory_tui.review.change import DecisionError
from tests.process.terminal import Terminal
from tests.process.test_signing import config, line, new_key, public, turn_on

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH's ssh-keygen is not installed")
WORDS = "a few good words"


@pytest.fixture
def at_terminal(workspace: Workspace) -> Iterator[Callable[..., Terminal]]:
    """Starts `dory` at a terminal of its own."""
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        env = {**workspace.env, "TERM": "xterm-256color"}
        opened.append(Terminal.dory(workspace.root, env, *words, size=(150, 60)))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def type_code(terminal: Terminal, code: str | None = None) -> None:
    terminal.see("and Enter (anything else decides nothing)")
    found = re.search(r"type ([a-z]{4}) and Enter", terminal.text)
    assert found is not None
    terminal.type(f"{code or found[1]}\r")


def answer(terminal: Terminal, question: str, words: str = WORDS) -> None:
    """Answer a prompt of ssh-keygen."""
    terminal.wait(lambda: question in terminal.text, question)
    terminal.type(f"{words}\r")


def dory(workspace: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dory_tui", "-C", str(workspace.root), *words]
    return subprocess.run(
        command, env=workspace.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def test_one_command_makes_a_key_and_from_then_on_every_yes_is_signed(
    workspace: Workspace, at_terminal: Callable[..., Terminal]
) -> None:
    workspace.live().runs("post")
    workspace.runs("before")
    workspace.approve("before")

    setup = at_terminal("key", "setup")
    setup.see("It does not keep a program that runs as you from going around dory")
    type_code(setup)
    answer(setup, "Enter passphrase (empty for no passphrase):")
    answer(setup, "Enter same passphrase again:")
    answer(setup, "Enter passphrase:")
    setup.see("signing is on")
    setup.see("it has a passphrase")
    assert setup.end() == 0
    folder = config(workspace)
    assert sorted(file.name for file in folder.iterdir()) == [
        "approval_key", "approval_key.pub", "signing.toml", "trusted_keys",
    ]  # fmt: skip
    assert f'namespaces="{NAMESPACE}" ssh-ed25519 ' in (folder / "trusted_keys").read_text()
    for file, mode in ((folder, 0o700), (folder / "trusted_keys", 0o600), (folder / "signing.toml", 0o600)):
        assert file.stat().st_mode & 0o777 == mode, file

    assert "has no signature" in runner.run(workspace.gate(), "before").sentence
    with pytest.raises(DecisionError, match="`dory approve post`"):
        workspace.approve("post")
    yes = at_terminal("approve", "post")
    type_code(yes)
    answer(yes, "Enter passphrase:")
    yes.see("post is approved until")
    assert yes.end() == 0
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert (workspace.count("post"), workspace.count("before")) == (1, 0)


def test_a_wrong_passphrase_decides_nothing(
    workspace: Workspace, at_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    workspace.live().runs("post")
    locked = new_key(tmp_path / "keys", passphrase=WORDS)
    turn_on(workspace, line(public(locked)), locked)
    yes = at_terminal("approve", "post")
    type_code(yes)
    yes.see("Enter passphrase")
    yes.type("not it\r")
    yes.see("ssh-keygen did not sign")
    assert yes.end() == Exit.REFUSED
    assert workspace.events("post") == []
    assert workspace.standing("post").state == "pending"


def test_a_key_of_ones_own_is_named_and_others_stay_trusted(
    workspace: Workspace, at_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    mine, backup = new_key(tmp_path / "keys", "mine"), new_key(tmp_path / "keys", "backup")
    for _ in range(2):
        for one in (mine, backup):
            setup = at_terminal("key", "setup", "--file", str(one))
            type_code(setup)
            setup.see("signing is on")
            setup.see("it has no passphrase")
            assert setup.end() == 0
    found = json.loads(dory(workspace, "key", "--json").stdout)
    assert found["signing"] is True
    assert found["key"] == str(backup)
    assert found["passphrase"] is False
    assert len(found["trusted"]) == 2, "each of them once"
    text = dory(workspace, "key").stdout
    assert text.count("trusted: ") == 2
    assert text.count("this is your key") == 1
    workspace.runs("post")
    workspace.approve("post")
    assert runner.check(workspace.gate(), "post").code == Exit.FINE


def test_off_needs_a_terminal_and_the_code_and_lets_a_plain_yes_count(
    workspace: Workspace, at_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    key = new_key(tmp_path / "keys")
    turn_on(workspace, line(public(key)), key)
    refused = dory(workspace, "key", "off")
    assert (refused.returncode, "needs a terminal" in refused.stderr) == (Exit.REFUSED, True)
    wrong = at_terminal("key", "off")
    type_code(wrong, "none")
    wrong.see("nothing was decided")
    assert wrong.end() == Exit.REFUSED
    assert json.loads(dory(workspace, "key", "--json").stdout)["signing"] is True

    off = at_terminal("key", "off")
    type_code(off)
    off.see("signing is off")
    assert off.end() == 0
    assert dory(workspace, "key").stdout.startswith("signing is off")
    assert (config(workspace) / "trusted_keys").exists()
    (config(workspace) / "trusted_keys").chmod(0o666)
    workspace.runs("post")
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE


def test_setup_without_a_terminal_or_with_another_code_changes_nothing(
    workspace: Workspace, at_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    key = new_key(tmp_path / "keys")
    for words in (("setup",), ("setup", "--file", str(key))):
        assert dory(workspace, "key", *words).returncode == Exit.REFUSED
    wrong = at_terminal("key", "setup")
    type_code(wrong, "none")
    assert wrong.end() == Exit.REFUSED
    assert not config(workspace).exists()
    assert dory(workspace, "key", "--file", str(key)).returncode == Exit.USAGE


def test_a_key_that_cannot_sign_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    gate = workspace.gate()
    other, mine = new_key(tmp_path / "keys", "other"), new_key(tmp_path / "keys", "mine")
    broken = tmp_path / "keys" / "broken"
    broken.write_text("no key\n")
    broken.chmod(0o600)
    swapped = tmp_path / "keys" / "swapped"
    shutil.copy(mine, swapped)
    shutil.copy(f"{other}.pub", f"{swapped}.pub")
    inside = new_key(workspace.root / "keys")
    link = tmp_path / "keys" / "link"
    link.symlink_to(inside)
    for one, words in (
        (tmp_path / "none", "there is no key"), (broken, "no private key"), (swapped, "did not sign"),
        (inside, "lies in the workspace"), (link, "lies in the workspace"),
    ):  # fmt: skip
        with pytest.raises(DecisionError, match=words):
            keys.turn_on(gate, one)
        assert not config(workspace).exists(), one
    assert keys.turn_on(gate, mine).problem is None


def test_a_folder_that_others_can_write_is_not_turned_on(workspace: Workspace, tmp_path: Path) -> None:
    config(workspace).mkdir(parents=True)
    config(workspace).chmod(0o777)
    with pytest.raises(DecisionError, match="others can write"):
        keys.turn_on(workspace.gate(), new_key(tmp_path / "keys"))


def test_setup_mends_settings_that_were_taken_away(workspace: Workspace, tmp_path: Path) -> None:
    key = new_key(tmp_path / "keys")
    turn_on(workspace, line(public(key)), key)
    (config(workspace) / "signing.toml").unlink()
    assert "missing beside" in str(keys.state(workspace.gate()).problem)
    made = keys.turn_on(workspace.gate(), key)
    assert (made.problem, made.settings.on) == (None, True)
    assert len(made.trusted) == 1


def test_a_key_is_not_written_over(workspace: Workspace) -> None:
    new_key(config(workspace), "approval_key")
    before = (config(workspace) / "approval_key").read_bytes()
    with pytest.raises(DecisionError, match="exists already"):
        keys.make_key(workspace.gate())
    assert (config(workspace) / "approval_key").read_bytes() == before


def test_a_state_that_cannot_sign_says_so(workspace: Workspace, tmp_path: Path) -> None:
    key, other = new_key(tmp_path / "keys"), new_key(tmp_path / "keys", "other")
    turn_on(workspace, line(public(other)), key)
    found = dory(workspace, "key")
    assert (found.returncode, "is not among those" in found.stdout) == (Exit.REFUSED, True)
    assert dory(workspace, "key", "--json").returncode == Exit.REFUSED


def test_the_demo_says_no_yes_in_ones_name(workspace: Workspace, tmp_path: Path) -> None:
    locked = new_key(tmp_path / "keys", passphrase=WORDS)
    turn_on(workspace, line(public(locked)), locked)
    workspace.env["TMPDIR"] = str(tmp_path)
    shown = dory(workspace, "demo")
    assert (shown.returncode, shown.stderr.count("fault in dory")) == (Exit.FINE, 0), shown
    assert "newsletter" in shown.stdout


@pytest.mark.parametrize(("typed", "state"), [(WORDS, "approved"), ("not these words", "pending")])
def test_the_screen_steps_aside_for_the_passphrase(
    workspace: Workspace, at_terminal: Callable[..., Terminal], tmp_path: Path, typed: str, state: str
) -> None:
    locked = new_key(tmp_path / "keys", passphrase=WORDS)
    turn_on(workspace, line(public(locked)), locked)
    workspace.live().runs("post")
    screen = at_terminal()
    screen.see("if approved, this runs")
    screen.quiet()
    screen.type(" ")
    screen.quiet()
    screen.type("a")
    screen.see("Enter passphrase")
    screen.type(f"{typed}\r")
    screen.see("is approved" if state == "approved" else "did not sign")
    screen.quiet()
    screen.type("q")
    assert screen.end() == 0
    assert workspace.standing("post").state == state
