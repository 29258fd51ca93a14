"""What the path of `check` and the runner import: schedulers and hooks start them all the time."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Workspace

NEVER = {
    "yaml", "textual", "rich", "git", "dory_tui.review", "dory_tui.history", "dory_tui.tui", "dory_tui.demo",
    "dory_tui.memory", "kingfisher_sdk",
}  # fmt: skip
NOT_TO_LOOK = NEVER | {"subprocess", "argparse", "dataclasses", "inspect", "tempfile", "dory_tui.gate.spawn"}


def imported(stderr: str) -> set[str]:
    """The names of a `-X importtime` listing, each with the packages around it."""
    names = {line.rpartition("|")[2].strip() for line in stderr.splitlines() if line.startswith("import time:")}
    return {".".join(parts[:end]) for name in names for parts in [name.split(".")] for end in range(1, len(parts) + 1)}


@pytest.mark.parametrize("module", ["runner", "due", "spawn", "survey"])
def test_the_gate_imports_no_parser_no_screen_and_nothing_that_says_yes(module: str) -> None:
    line = [sys.executable, "-X", "importtime", "-c", f"import dory_tui.gate.{module}"]
    found = imported(subprocess.run(line, capture_output=True, text=True, check=True).stderr)
    assert f"dory_tui.gate.{module}" in found
    assert found & NEVER == set()


def test_check_imports_nothing_to_start_programs_with(workspace: Workspace) -> None:
    workspace.live().runs("post", schedule={"lane": "mail"}, kind="post")
    workspace.approve("post")
    workspace.hold("[2026-02-05 10:00 | main] another matter — wait")
    for code in (0, 4):
        process = workspace.agent("check", "post", python=["-X", "importtime"])
        _, said = process.communicate()
        assert process.returncode == code
        assert imported(said) & NOT_TO_LOOK == set()
        workspace.agent("run", "post").communicate()


def test_a_whole_run_imports_no_parser_and_no_screen(workspace: Workspace) -> None:
    workspace.live().runs("post")
    workspace.approve("post")
    process = workspace.agent("run", "post", python=["-X", "importtime"])
    _, said = process.communicate()
    assert process.returncode == 0
    assert imported(said) & NEVER == set()
    assert "subprocess" in imported(said), "the listing is one of what was imported"
