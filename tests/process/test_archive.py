"""Archiving a workspace on disk: one commit, nothing overwritten, and finished by doing it again after any death."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review.archiving import archive, plan
from dory_tui.review.change import DecisionError
from tests.conftest import Workspace

pytestmark = pytest.mark.long

NOW = datetime(2026, 3, 5, 10, 0, tzinfo=timezone(timedelta(hours=1)))
PROMISE = "# 2026-02-03\n\n## Promises\n\n- [ ] 09:00 write to Bo\n"
FILES = {
    "MEMORY.md": "# M\n\n## People\n\n- Ana ([log](memory/2026-02-01.md#L3), memory/2026-02-02.md)\n",
    "memory/2026-02-01.md": "# 2026-02-01\n\n- met Ana, see [next](2026-02-02.md) and [m](../MEMORY.md)\n"
    + "- a\n" * 9,
    "memory/2026-02-02.md": "# 2026-02-02\n\n- tea\n",
    "memory/2026-02-03.md": PROMISE,
    "memory/2026-02-04-topic.md": "# Topic\n\n- held\n",
    "memory/2026-02-25.md": "# 2026-02-25\n\n- eight days, see memory/2026-02-01.md\n",
    "memory/2026-02-26.md": "# 2026-02-26\n\n- seven days, see [x](2026-02-25.md)\n",
    "memory/2026-03-05.md": "# 2026-03-05\n\n- today\n",
    "memory/archive/2026-02-02.md": "# another log of that name\n",
    "memory/recent-work.md": "# Recent work\n\n## 2026-03-04\n\n- new\n\n## 2026-03-01\n\n- old\n",
    "memory/promotions/x.md": '---\nid: x\nsection: "## People"\nsource: memory/2026-02-01.md#L3\n'
    "scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\nreplaces: null\nstatus: pending\n---\n- Ana\n",
    "state/DECISIONS.md": "# D\n\n## Recent\n\n[2026-03-01 10:00 | a] new — see memory/2026-02-02.md\n"
    "[2026-01-02 10:00 | a] old\n",
    "state/HOLD.md": "# HOLD.md\n\n## Currently Blocked\n\n"
    "[2026-03-01 09:00 | a] Mail — see memory/2026-02-04-topic.md\n",
}


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace(git=True)
    return filled(made)


def filled(made: Workspace) -> Workspace:
    made.clock.now = NOW
    for path, text in FILES.items():
        made.write(path, text)
    if (made.root / ".git").exists():
        made.gate().settle()
        made.git("add", "--all")
        made.git("commit", "--quiet", "--message", "Logs")
    return made


def everything(root: Path) -> dict[str, str]:
    """Every file but git's, dory's own, and what a death leaves of a write that did not happen."""
    files = (file for file in root.rglob("*.*") if file.is_file() and not {".git", ".dory"} & set(file.parts))
    return {file.relative_to(root).as_posix(): file.read_text() for file in files if file.suffix != ".tmp"}


EXPECTED = {
    **{path: FILES[path] for path in ("memory/2026-02-03.md", "memory/2026-02-04-topic.md", "memory/2026-03-05.md")},
    "state/HOLD.md": FILES["state/HOLD.md"],
    "state/STAGING.md": "# STAGING.md\n\n## Currently Staged\n",
    "MEMORY.md": "# M\n\n## People\n\n- Ana ([log](memory/archive/2026-02-01.md#L3), memory/archive/2026-02-02-2.md)\n",
    "memory/2026-02-26.md": "# 2026-02-26\n\n- seven days, see [x](archive/2026-02-25.md)\n",
    "memory/archive/2026-02-01.md": "# 2026-02-01\n\n- met Ana, see [next](2026-02-02-2.md) and [m](../../MEMORY.md)\n"
    + "- a\n" * 9,
    "memory/archive/2026-02-02-2.md": FILES["memory/2026-02-02.md"],
    "memory/archive/2026-02-02.md": FILES["memory/archive/2026-02-02.md"],
    "memory/archive/2026-02-25.md": "# 2026-02-25\n\n- eight days, see memory/archive/2026-02-01.md\n",
    "memory/promotions/x.md": FILES["memory/promotions/x.md"].replace("memory/2026", "memory/archive/2026"),
    "memory/recent-work.md": "# Recent work\n\n## 2026-03-04\n\n- new\n",
    "memory/archive/recent-work-2026-03.md": "# Recent work of 2026-03\n\n## 2026-03-01\n\n- old\n",
    "state/DECISIONS.md": "# D\n\n## Recent\n\n[2026-03-01 10:00 | a] new — see memory/archive/2026-02-02-2.md\n",
    "memory/archive/decisions-2026-01.md": "# Decisions of 2026-01\n\n[2026-01-02 10:00 | a] old\n",
}


def test_all_that_is_old_goes_in_one_commit(desk: Workspace) -> None:
    desk.write("notes.txt", "not mine")
    todo = plan(desk.gate())
    assert everything(desk.root) == {**FILES, "state/STAGING.md": EXPECTED["state/STAGING.md"], "notes.txt": "not mine"}
    assert list(todo.moves) == ["memory/2026-02-01.md", "memory/2026-02-02.md", "memory/2026-02-25.md"]
    assert todo.stays == {
        "memory/2026-02-03.md": "a promise in it is open",
        "memory/2026-02-04-topic.md": "state/HOLD.md points to it, and its words may not change",
    }
    assert todo.sentence == "3 logs, 1 decision, 1 piece of recent work"
    done = archive(desk.gate())
    assert done.problems == ()
    assert everything(desk.root) == {**EXPECTED, "notes.txt": "not mine"}
    assert desk.git("log", "--format=%s", "-2").splitlines() == [f"Archive {todo.sentence}", "Logs"]
    assert "R" in {line[0] for line in desk.git("show", "--format=", "--name-status", "-M").splitlines()}
    assert desk.git("status", "--porcelain") == "?? notes.txt\n"
    assert not plan(desk.gate()).due
    with pytest.raises(DecisionError, match="nothing is old enough") as refused:
        archive(desk.gate())
    assert refused.value.code == Exit.REFUSED


def test_without_git_the_files_are_the_same(workspace: Workspace) -> None:
    done = archive(filled(workspace).gate())
    assert done.commit is None
    assert everything(workspace.root) == EXPECTED


def test_a_log_goes_when_its_promise_is_kept(desk: Workspace) -> None:
    archive(desk.gate())
    desk.write("memory/2026-02-03.md", PROMISE.replace("[ ]", "[x]"))
    assert list(plan(desk.gate()).moves) == ["memory/2026-02-03.md"]


def test_a_draft_that_waits_keeps_the_log_it_points_to(desk: Workspace) -> None:
    file = desk.draft("post", body="As in memory/2026-02-25.md.\n")
    before = file.read_bytes()
    assert plan(desk.gate()).stays["memory/2026-02-25.md"].startswith("state/drafts/post.md points to it")
    archive(desk.gate())
    assert file.read_bytes() == before
    assert (desk.root / "memory/2026-02-25.md").exists()


def test_what_was_written_in_between_is_kept(desk: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that still writes into an old log loses nothing: the copy has its line too."""
    from dory_tui.review import archiving

    copied = archiving._copy
    times = 0

    def late(change: Any, old: str, new: str, moved: Any) -> None:
        nonlocal times
        copied(change, old, new, moved)
        times += 1
        if times == 1:
            with (desk.root / old).open("a") as log:
                log.write("- late\n")

    monkeypatch.setattr(archiving, "_copy", late)
    archive(desk.gate())
    assert (desk.root / "memory/archive/2026-02-01.md").read_text() == EXPECTED[
        "memory/archive/2026-02-01.md"
    ] + "- late\n"
    assert not (desk.root / "memory/2026-02-01.md").exists()
    assert desk.git("status", "--porcelain") == ""


def copy_of(desk: Workspace, folder: Path) -> Workspace:
    """Another workspace, with a state folder of its own, in place of the one that a folder had before."""
    state = folder / "state"
    shutil.rmtree(folder / "w", ignore_errors=True)
    shutil.rmtree(state, ignore_errors=True)
    shutil.copytree(desk.root, folder / "w", symlinks=True)
    shutil.copytree(desk.env["XDG_STATE_HOME"], state)
    return Workspace(folder / "w", {**desk.env, "XDG_STATE_HOME": str(state)}, desk.effects, desk.clock)


CALLS = {"rename", "unlink"}
OF_GIT = 5
"""Of git's processes, which are many and mostly look, every fifth is died at."""


def cut_short(desk: Workspace, at: int, work: Callable[[Gate], object] = archive) -> bool:
    """Archive, or do something else, in a child that is killed at its n-th call which changes something; whether so."""
    child = os.fork()
    if child == 0:  # pragma: no cover - it ends here
        left, started = at, 0

        def die(frame: FrameType, event: str, function: Any) -> None:
            nonlocal left, started
            name = getattr(function, "__name__", "") if event == "c_call" else ""
            started += name == "fork_exec"
            if name in CALLS or (name == "fork_exec" and started % OF_GIT == 0):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(die)
        try:
            work(desk.gate())
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.gate
def test_a_death_at_any_point_is_finished_by_doing_it_again(desk: Workspace, quick_folder: Path) -> None:
    at, deaths = 0, 0
    while True:
        again = copy_of(desk, quick_folder)
        if not cut_short(again, at):
            break
        deaths += 1
        lock = again.root / ".git/index.lock"
        lock.unlink(missing_ok=True)  # what git itself leaves behind: nobody but a human may take it away
        if plan(again.gate()).due:
            archive(again.gate())
        assert everything(again.root) == EXPECTED, at
        assert [line for line in again.git("status", "--porcelain").splitlines() if not line.endswith(".tmp")] == [], at
        assert not plan(again.gate()).due
        at += 1
    assert deaths > 20
