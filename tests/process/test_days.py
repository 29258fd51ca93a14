"""Days with commits and no log: real git, in the workspace's zone, also in a folder of a larger repository."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from dory_tui.review.days import without_log
from dory_tui.workspace.logs import list_logs
from tests.conftest import Workspace


def commit(workspace: Workspace, when: str, path: str = "note.txt") -> None:
    workspace.write(path, when)
    workspace.git("add", "--all")
    workspace.env["GIT_COMMITTER_DATE"] = when
    workspace.git("commit", "--quiet", "--message", "Work", "--date", when)
    del workspace.env["GIT_COMMITTER_DATE"]


def found(workspace: Workspace) -> dict[date, int]:
    gate = workspace.gate()
    return dict(without_log(gate, list_logs(gate.root)))


def begun(workspace: Workspace) -> Workspace:
    """A repository whose first commit is of a year ago."""
    workspace.git("init", "--quiet")
    commit(workspace, "2025-02-05T10:00:00+01:00")
    return workspace


def test_the_commits_of_days_without_a_log_are_counted(make_workspace: Callable[..., Workspace]) -> None:
    workspace = begun(make_workspace())
    commit(workspace, "2026-01-05T12:00:00+01:00")  # 31 days ago
    commit(workspace, "2026-01-06T12:00:00+01:00")
    commit(workspace, "2026-02-02T12:00:00+01:00")
    commit(workspace, "2026-02-02T18:00:00+01:00")
    commit(workspace, "2026-02-03T12:00:00+01:00")
    commit(workspace, "2026-02-05T08:00:00+01:00")  # today is not over
    workspace.write("memory/archive/2026-02/2026-02-03-deploy.md", "- x\n")
    assert found(workspace) == {date(2026, 1, 6): 1, date(2026, 2, 2): 2}


def test_the_day_of_a_commit_is_that_of_the_workspace(make_workspace: Callable[..., Workspace]) -> None:
    workspace = begun(make_workspace())
    workspace.write("dory.toml", 'time_zone = "Asia/Tokyo"\n')
    commit(workspace, "2026-02-02T16:30:00+00:00")
    assert found(workspace) == {date(2026, 2, 3): 1}


def test_commits_beside_the_workspace_do_not_count(make_workspace: Callable[..., Workspace]) -> None:
    outer = begun(make_workspace())
    inner = make_workspace("workspace/ag[en]t")
    commit(outer, "2026-02-02T12:00:00+01:00", "ag[en]t/note.txt")
    commit(outer, "2026-02-03T12:00:00+01:00", "beside.txt")
    assert found(inner) == {date(2026, 2, 2): 1}


def test_without_a_repository_there_are_none(workspace: Workspace) -> None:
    assert found(workspace) == {}
