"""Git goes back in time; what ran stays run, a no stays said, and a yes is used once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review import decide

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = [pytest.mark.gate, pytest.mark.xdist_group("time travel")]
Travel = Callable[["Workspace"], Gate]

IDS = ("ran", "failed", "killed", "text", "revoked", "rejected", "changed", "waits", "held", "free")


@pytest.fixture(scope="module")
def decided(shared_workspace: Workspace) -> Workspace:
    """A repository in which everything that can become of an item has, one item each.

    Tagged `draft` before the first decision and `approved` before anything ran, was taken back or was held.
    """
    workspace = shared_workspace
    ends = {"failed": "exit 1", "killed": "kill -9 $$"}
    for identity in IDS:
        words = f'echo "$DORY_ID" >> "$0"; {ends.get(identity, "exit 0")}'
        action = {"argv": ["/bin/sh", "-c", words, str(workspace.effects)]}
        workspace.draft(identity, "Dear Bob\n", action=None if identity == "text" else action)
    workspace.git("add", "--all")
    workspace.git("commit", "--quiet", "--message", "Draft")
    workspace.git("tag", "draft")
    for identity in IDS:
        assert workspace.approve(identity).commit
    workspace.git("tag", "approved")
    codes = [runner.run(workspace.gate(), identity).code for identity in ("ran", "failed", "killed")]
    assert codes == [Exit.FINE, Exit.FAILED, Exit.UNKNOWN]
    assert runner.claim(workspace.gate(), "text").output == b"Dear Bob\n"
    decide.add_hold(workspace.gate(), "id:free — wait for Ana")
    decide.lift(workspace.gate(), workspace.gate().holds()[0].hash)
    decide.add_hold(workspace.gate(), "id:held — wait for Bob")
    decide.reject(workspace.gate(), "rejected", workspace.find("rejected").digest, "not today")
    decide.request_changes(workspace.gate(), "changed", workspace.find("changed").digest, "shorter")
    decide.revoke(workspace.gate(), "revoked", workspace.find("revoked").digest)
    workspace.git("gc", "--quiet")  # fewer files to copy
    for folder in (workspace.root, Path(workspace.env["XDG_STATE_HOME"])):
        shutil.copytree(folder, f"{folder}.before", symlinks=True)
    return workspace


@pytest.fixture
def workspace(decided: Workspace) -> Workspace:
    """That repository as it was, at the same path: an approval is for one place."""
    for folder in (decided.root, Path(decided.env["XDG_STATE_HOME"])):
        shutil.rmtree(folder)
        shutil.copytree(f"{folder}.before", folder, symlinks=True)
    shutil.rmtree(decided.root.with_name("clone"), ignore_errors=True)
    decided.effects.write_text("ran\nfailed\nkilled\n")
    return decided


def stash(workspace: Workspace) -> Gate:
    workspace.git("stash", "--all")
    return workspace.gate()


def stash_and_pop(workspace: Workspace) -> Gate:
    stash(workspace)
    workspace.git("stash", "pop")
    return workspace.gate()


def clean(workspace: Workspace) -> Gate:
    workspace.git("clean", "-ffdx")
    return workspace.gate()


def reset_by_one(workspace: Workspace) -> Gate:
    """Before the revoke."""
    workspace.git("reset", "--hard", "HEAD~1")
    return workspace.gate()


def reset_to_the_yes(workspace: Workspace) -> Gate:
    workspace.git("reset", "--hard", "approved")
    return workspace.gate()


def reset_to_the_draft(workspace: Workspace) -> Gate:
    workspace.git("clean", "-ffdx")
    workspace.git("reset", "--hard", "draft")
    return workspace.gate()


def checkout(workspace: Workspace) -> Gate:
    workspace.git("checkout", "approved", "--", ".")
    return workspace.gate()


def branch(workspace: Workspace) -> Gate:
    workspace.git("checkout", "--quiet", "--force", "draft")
    return workspace.gate()


def revert(workspace: Workspace) -> Gate:
    """Every decision after the yes."""
    workspace.git("revert", "--no-edit", "approved..HEAD")
    return workspace.gate()


def delete(workspace: Workspace) -> Gate:
    shutil.rmtree(workspace.root / ".dory", ignore_errors=True)
    return workspace.gate()


def delete_and_check_out(workspace: Workspace) -> Gate:
    delete(workspace)
    return checkout(workspace)


def clone(workspace: Workspace) -> Gate:
    there = workspace.root.with_name("clone")
    workspace.git("clone", "--quiet", str(workspace.root), str(there))
    return workspace.gate(there)


def clone_in_place(workspace: Workspace) -> Gate:
    """The workspace is cloned anew to where it was."""
    there = clone(workspace).root
    shutil.rmtree(workspace.root)
    there.rename(workspace.root)
    return workspace.gate()


TRAVELS = [
    stash, stash_and_pop, clean, reset_by_one, reset_to_the_yes, reset_to_the_draft, checkout, branch, revert, delete,
    delete_and_check_out, clone, clone_in_place,
]  # fmt: skip


def test_a_decision_is_committed_and_leaves_nothing_of_its_own_behind(workspace: Workspace) -> None:
    assert "Dory-Id: revoked" in workspace.git("log", "-1", "--format=%B")
    left = workspace.git("status", "--porcelain", "--untracked-files=all").splitlines()
    assert left, "what ran is recorded in the mirror, and is committed with the next decision"
    assert [line for line in left if not line.startswith("?? .dory/ledger/")] == []


@pytest.mark.parametrize("travel", TRAVELS, ids=lambda travel: travel.__name__)
def test_nothing_runs_twice_and_no_yes_comes_back(workspace: Workspace, travel: Travel) -> None:
    there = travel(workspace)
    for _ in range(2):
        answers = {
            identity: runner.run(there, identity) for identity in IDS if identity not in ("text", "waits", "free")
        }
        assert {identity: (int(found.code), found.state) for identity, found in answers.items()} == {
            "ran": (4, "done"), "failed": (3, "failed"), "killed": (5, "unknown"), "revoked": (3, "revoked"),
            "rejected": (3, "rejected"), "changed": (3, "changes-requested"),
            "held": (6, "pending" if travel is clone else "approved"),
        }  # fmt: skip
        assert "wait for Bob" in answers["held"].sentence
        found = runner.claim(there, "text")
        assert (found.code, found.output) == (Exit.CLAIMED, b"")
    assert workspace.effects.read_text().split() == ["ran", "failed", "killed"]
    _a_lifted_hold_holds_again_when_its_line_is_back_and_only_then(there)
    _a_yes_is_out_of_gits_reach_and_used_once(workspace, there)


def _a_lifted_hold_holds_again_when_its_line_is_back_and_only_then(there: Gate) -> None:
    back = "wait for Ana" in (there.root / "state/HOLD.md").read_text()
    assert (runner.check(there, "free").code == Exit.HELD) is back
    assert [hold.reason for hold in there.holds()].count("wait for Ana") == back


def _a_yes_is_out_of_gits_reach_and_used_once(workspace: Workspace, there: Gate) -> None:
    found = runner.run(there, "waits")
    if there.root != workspace.root:
        assert (found.code, workspace.count("waits")) == (Exit.REFUSED, 0)
        assert "not for this copy" in found.sentence
        found = runner.run(workspace.gate(), "waits")
    assert (found.code, workspace.count("waits")) == (Exit.FINE, 1)
    for again in (delete, clean, checkout):
        assert runner.run(again(workspace), "waits").code == Exit.CLAIMED
    assert workspace.count("waits") == 1


def test_going_round_and_round_never_runs_it_again(workspace: Workspace) -> None:
    for travel in (stash, checkout, clean, branch, delete, reset_to_the_draft, delete_and_check_out, clean, revert):
        if travel is revert:
            workspace.git("reset", "--hard", "HEAD")
            workspace.git("checkout", "--quiet", "--force", "main")
        there = travel(workspace)
        assert [int(runner.run(there, identity).code) for identity in ("ran", "failed", "killed")] == [4, 3, 5]
        assert runner.run(there, "revoked").code == Exit.REFUSED
    assert workspace.effects.read_text().split() == ["ran", "failed", "killed"]
