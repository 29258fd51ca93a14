"""Disks that are full or may not be written: refused, or unknown, and never run twice."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.review import decide
from dory_tui.review.change import DecisionError

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.gate
NOBODY = 65534


def fill(disk: Path) -> Path:
    """Take every byte that is left."""
    file = disk / "full"
    with file.open("wb", buffering=0) as handle:
        while _took(handle, b"x" * 4096):
            pass
    return file


def _took(handle: RawIOBase, data: bytes) -> bool:
    try:
        return handle.write(data) == len(data)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return False
        raise


def test_a_state_folder_that_is_full_at_the_claim_refuses(workspace: Workspace, small_disk: Path) -> None:
    workspace.env["XDG_STATE_HOME"] = str(small_disk)
    workspace.runs("post")
    workspace.approve("post")
    full = fill(small_disk)
    for _ in range(2):
        found = runner.run(workspace.gate(), "post")
        assert found.code == Exit.REFUSED
        assert "No space left on device" in found.sentence
    assert runner.check(workspace.gate(), "post").code == Exit.FINE, "a look needs no space"
    assert workspace.count("post") == 0
    assert workspace.events("post") == ["1-001-approved"]
    full.unlink()
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert workspace.count("post") == 1


def test_a_state_folder_that_is_full_at_the_outcome_leaves_it_unknown(workspace: Workspace, small_disk: Path) -> None:
    workspace.env["XDG_STATE_HOME"] = str(small_disk)
    words = f'echo "$DORY_ID" >> "$0"; cat /dev/zero > {small_disk}/full 2>/dev/null; echo sent'
    workspace.draft("post", action={"argv": ["/bin/sh", "-c", words, str(workspace.effects)]})
    workspace.approve("post")
    found = runner.run(workspace.gate(), "post")
    assert (found.code, found.state, found.output) == (Exit.UNKNOWN, "unknown", b"sent\n")
    assert "its outcome could not be written" in found.sentence
    for _ in range(2):
        assert runner.run(workspace.gate(), "post").code == Exit.UNKNOWN
    (small_disk / "full").unlink()
    assert runner.run(workspace.gate(), "post").code == Exit.UNKNOWN, "also when there is room again"
    assert workspace.count("post") == 1
    decide.resolve(workspace.gate(), "post", happened=True)
    assert runner.run(workspace.gate(), "post").code == Exit.CLAIMED


def test_a_workspace_that_is_full_at_the_claim_refuses(workspace: Workspace, small_disk: Path) -> None:
    root = small_disk / "workspace"
    shutil.move(workspace.root, root)
    workspace.root = root
    workspace.runs("post")
    workspace.approve("post")
    full = fill(small_disk)
    found = runner.run(workspace.gate(), "post")
    assert found.code == Exit.REFUSED
    assert workspace.count("post") == 0
    full.unlink()
    assert runner.run(workspace.gate(), "post").code == Exit.REFUSED, "the claim was made in the other ledger"
    assert workspace.standing("post").state == "aborted-before-start"
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert workspace.count("post") == 1


def test_a_full_disk_decides_nothing(workspace: Workspace, small_disk: Path) -> None:
    workspace.env["XDG_STATE_HOME"] = str(small_disk)
    workspace.runs("post")
    workspace.gate().settle()
    full = fill(small_disk)
    with pytest.raises(DecisionError, match="No space left"):
        workspace.approve("post")
    assert workspace.standing("post").state == "pending"
    full.unlink()
    workspace.approve("post")
    full = fill(small_disk)
    with pytest.raises(DecisionError, match="No space left"):
        decide.revoke(workspace.gate(), "post", workspace.find("post").digest)
    full.unlink()
    assert runner.run(workspace.gate(), "post").code == Exit.FINE, "the human was told that the yes still stands"


def test_a_hold_that_cannot_be_noted_holds_all_the_same(workspace: Workspace, small_disk: Path) -> None:
    workspace.env["XDG_STATE_HOME"] = str(small_disk)
    workspace.runs("post")
    workspace.runs("other")
    workspace.approve("post")
    workspace.approve("other")
    workspace.hold("[2026-02-05 10:00 | main] id:post — wait")
    fill(small_disk)
    assert runner.check(workspace.gate(), "post").code == Exit.HELD
    assert runner.run(workspace.gate(), "post").code == Exit.REFUSED
    assert runner.run(workspace.gate(), "other").code == Exit.REFUSED
    assert not workspace.effects.exists()


def test_a_process_that_may_write_no_file_runs_nothing(workspace: Workspace) -> None:
    """A limit on file sizes stands in for a full disk where none can be mounted."""
    workspace.live().runs("post")
    workspace.approve("post")
    process = workspace.agent("run", "post", through=["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh"])
    _, said = process.communicate()
    assert process.returncode == Exit.REFUSED
    assert "File too large" in said
    assert workspace.events("post") == ["1-001-approved"]
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert workspace.count("post") == 1


@pytest.fixture
def everyones(workspace: Workspace) -> Iterator[Workspace]:
    """A workspace that another user may enter and read, with an approved item; root may not do as it likes there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        workspace.root = Path(shutil.move(workspace.root, folder / "workspace"))
        workspace.env["XDG_STATE_HOME"] = str(folder / "state")
        workspace.env["XDG_CONFIG_HOME"] = str(folder / "config")  # where nothing is, which must be seen
        workspace.effects = folder / "effects"
        workspace.runs("post")
        workspace.approve("post")
        for entry in [workspace.root, *workspace.root.rglob("*")]:
            entry.chmod(0o555 if entry.is_dir() else 0o444)
        if os.geteuid() == 0:
            for entry in [folder / "state", *(folder / "state").rglob("*")]:
                os.chown(entry, NOBODY, NOBODY)
        yield workspace
        for entry in [workspace.root, *workspace.root.rglob("*")]:
            if entry.is_dir():
                entry.chmod(0o755)


def test_a_mirror_that_may_not_be_written_refuses_to_claim(everyones: Workspace) -> None:
    found = everyones.forks("nobody", items=[[str(everyones.root), "post"]], nobody=NOBODY)
    assert found["code"] == Exit.REFUSED
    assert "the ledger cannot be written (Permission denied)" in found["sentence"]
    assert everyones.count("post") == 0
    assert everyones.standing("post").state == "aborted-before-start"


def test_a_state_folder_that_may_not_be_written_refuses_to_claim(everyones: Workspace) -> None:
    state = Path(everyones.env["XDG_STATE_HOME"])
    for entry in [state, *state.rglob("*")]:
        entry.chmod(0o555 if entry.is_dir() else 0o444)
    found = everyones.forks("nobody", items=[[str(everyones.root), "post"]], nobody=NOBODY)
    assert found["code"] == Exit.REFUSED
    assert "Permission denied" in found["sentence"]
    assert everyones.count("post") == 0
    assert everyones.standing("post").state == "approved"
    for entry in [state, *state.rglob("*")]:
        entry.chmod(0o755)


def test_a_state_folder_that_may_not_be_read_refuses(everyones: Workspace) -> None:
    everyones.gate().ledger.original.chmod(0)
    found = everyones.forks("nobody", items=[[str(everyones.root), "post"]], nobody=NOBODY)
    assert found["code"] == Exit.REFUSED
    assert "cannot be" in found["sentence"]
    assert everyones.count("post") == 0
    everyones.gate().ledger.original.chmod(0o755)
