"""Disks that fail in every way that can be had for real: full at any moment, read-only, an fsync that reports an error,
a claim that was torn at any byte. Refused or unknown, and never a second effect.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.gate
BLOCK = 4096
NO_START = (Exit.REFUSED, Exit.CLAIMED, Exit.UNKNOWN)


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True, capture_output=True)


def leave(disk: Path, blocks: int) -> Path:
    """Take all space of a disk but so many blocks."""
    file = disk / "full"
    free = os.statvfs(disk).f_bavail
    file.write_bytes(b"\0" * BLOCK * max(0, free - blocks))
    return file


@pytest.mark.parametrize("where", ["state", "workspace"])
def test_with_any_amount_of_space_left_it_runs_at_most_once(workspace: Workspace, small_disk: Path, where: str) -> None:
    """From nothing left to enough: refused at the claim, unknown at the outcome, done."""
    if where == "state":
        workspace.env["XDG_STATE_HOME"] = str(small_disk / "state")
    else:
        workspace.root = Path(shutil.move(workspace.root, small_disk / "workspace"))
    seen = Counter[int]()
    for blocks in range(40):
        name = f"post-{blocks}"
        workspace.runs(name)
        workspace.approve(name)
        full = leave(small_disk, blocks)
        found = runner.run(workspace.gate(), name)
        seen[int(found.code)] += 1
        count = workspace.count(name)
        assert found.code in (Exit.FINE, Exit.REFUSED, Exit.UNKNOWN)
        assert count == (0 if found.code == Exit.REFUSED else 1), found.sentence
        claimed = any("claimed" in event for event in workspace.events(name))
        full.unlink()
        again = runner.run(workspace.gate(), name)
        if claimed:
            assert again.code in NO_START
            assert workspace.count(name) == count
        else:
            assert (again.code, workspace.count(name)) == (Exit.FINE, 1), "nothing was claimed, so it may run"
        if seen[0] > 2:
            break
    assert seen[int(Exit.REFUSED)], f"it was never full at the claim: {seen}"
    assert seen[int(Exit.FINE)], f"there was never room enough: {seen}"


@pytest.mark.parametrize("where", ["state", "workspace"])
def test_on_a_read_only_file_system_nothing_starts(workspace: Workspace, small_disk: Path, where: str) -> None:
    if where == "state":
        workspace.env["XDG_STATE_HOME"] = str(small_disk / "state")
    else:
        workspace.root = Path(shutil.move(workspace.root, small_disk / "workspace"))
    workspace.live().runs("post")
    workspace.approve("post")
    remount(small_disk, "ro")
    for words in (["run", "post"], ["run", "--due"], ["run", "post"]):
        call = workspace.agent(*words)
        _, said = call.communicate()
        assert call.returncode == (0 if "--due" in words else Exit.REFUSED), said
        assert "Traceback" not in said
        assert workspace.count("post") == 0
    remount(small_disk, "rw")
    if where == "workspace":  # the claim stands in the user's ledger: only a human opens it again
        assert runner.run(workspace.gate(), "post").code in NO_START
        workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert workspace.count("post") == 1


@pytest.fixture(scope="module")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of `failing_fsync.c`, compiled."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler here to make an fsync that fails")
    made = tmp_path_factory.mktemp("preload") / "failing_fsync.so"
    source = Path(__file__).with_name("failing_fsync.c")
    built = subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"],
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        pytest.skip(f"the C compiler cannot make a library here: {built.stderr.strip()[:200]}")
    return made


def test_an_fsync_that_fails_is_a_refusal_or_an_unknown_and_is_never_tried_again(
    workspace: Workspace, preload: Path, tmp_path: Path
) -> None:
    workspace.live()
    seen, calls = Counter[tuple[int, int]](), 0
    for number in range(1, 100):
        name, log = f"post-{number}", tmp_path / f"log-{number}"
        workspace.runs(name)
        workspace.approve(name)
        workspace.env |= {"LD_PRELOAD": str(preload), "FSYNC_FAIL": str(number), "FSYNC_LOG": str(log)}
        call = workspace.agent("run", name)
        _, said = call.communicate()
        for variable in ("LD_PRELOAD", "FSYNC_FAIL", "FSYNC_LOG"):
            del workspace.env[variable]
        lines = [line.split(maxsplit=1) for line in log.read_text().splitlines()] if log.exists() else []
        results = [result for result, _ in lines]
        if "failed" not in results:
            calls = number - 1
            break
        at = results.index("failed")
        failed, after = lines[at][1], [file for _, file in lines[at + 1 :]]
        # A folder and the journal are synced again for the next name or line in them; a record never is.
        grows = Path(failed).is_dir() or Path(failed).suffix == ".jsonl"
        assert grows or failed not in after, f"fsync was tried again: {lines}"
        count = workspace.count(name)
        assert call.returncode in (0, 3, 5), said
        assert count == (0 if call.returncode == Exit.REFUSED else 1), said
        assert "Traceback" not in said
        seen[(call.returncode, count)] += 1
        claimed = any("claimed" in event for event in workspace.events(name))
        again = runner.run(workspace.gate(), name)
        assert again.code in NO_START if claimed else again.code == Exit.FINE, again.sentence
        assert workspace.count(name) == (count if claimed else 1)
    assert calls >= 6, "both ledgers and both events sync their files and folders"
    assert {code for code, _ in seen} >= {3, 5}, seen


@pytest.mark.parametrize("torn", ["original", "mirror", "both", "original alone", "mirror alone"])
def test_a_claim_torn_at_any_byte_still_refuses(workspace: Workspace, torn: str) -> None:
    workspace.runs("post")
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    ledger = workspace.gate().ledger
    files = {name: base / "post" / "1-500-claimed.json" for name, base in places(workspace)}
    for base in (ledger.original, ledger.mirror):
        (base / "post" / "1-501-done.json").unlink()
    whole = files["original"].read_bytes()
    if torn.endswith("alone"):
        files["mirror" if torn.startswith("original") else "original"].unlink()
    targets = [file for name, file in files.items() if torn == "both" or torn.startswith(name)]
    for length in range(len(whole) + 1):
        for file in targets:
            file.write_bytes(whole[:length])
        found = runner.run(workspace.gate(), "post")
        assert found.code in NO_START, (length, found)
        assert workspace.count("post") == 1, length


def places(workspace: Workspace) -> list[tuple[str, Path]]:
    ledger = workspace.gate().ledger
    return [("original", ledger.original), ("mirror", ledger.mirror)]
