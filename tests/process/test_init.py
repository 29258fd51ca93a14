"""`dory init` on workspaces that are not dory's: what is missing comes, no byte changes, what is not read is named."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dory_tui.review.desk import load
from dory_tui.review.init import init, not_understood
from dory_tui.workspace import templates
from tests.conftest import Workspace

CORPUS = Path(__file__).parents[1] / "corpus" / "dory"
CONFLICT = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"
STATE = ("state/ACTIVE.md", "state/DECISIONS.md", "state/HOLD.md", "state/STAGING.md")


@pytest.fixture
def bare(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with nothing of dory's in it."""
    made = make_workspace(git=True)
    shutil.rmtree(made.root / "state")
    made.git("add", "-A")
    made.git("commit", "-qm", "empty", "--allow-empty")
    return made


def hashes(root: Path) -> dict[str, str]:
    """Path → digest of every file outside .git."""
    files = (file for file in root.rglob("*") if file.is_file() and ".git" not in file.relative_to(root).parts)
    return {file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def dory_init(workspace: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dory_tui", "-C", str(workspace.root), "init", *words]
    return subprocess.run(line, env=workspace.env, input="", capture_output=True, text=True, timeout=60, check=False)


def notices(workspace: Workspace) -> list[str]:
    return [str(one) for one in not_understood(workspace.gate())]


def commit(workspace: Workspace) -> str:
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "as it was")
    return workspace.git("rev-parse", "HEAD")


def test_an_unfilled_workspace_of_the_original_template(bare: Workspace) -> None:
    for name, file in (("ACTIVE", "004"), ("HOLD", "005"), ("STAGING", "006")):
        bare.write(f"state/{name}.md", (CORPUS / f"{file}.md").read_bytes())
    bare.write("AGENTS.md", "# AGENTS\r\nno final line end")
    before, head = hashes(bare.root), commit(bare)
    first = dory_init(bare)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines() == [
        "added state/drafts/",
        "added memory/promotions/",
        "added memory/archive/",
        "added MEMORY.md",
        "added SOUL.md",
        "added USER.md",
        "added state/DECISIONS.md",
        "added .dory/workspace",
    ]
    after = hashes(bare.root)
    assert {path: after.get(path) for path in before} == before
    again = dory_init(bare)
    assert (again.returncode, again.stdout, again.stderr) == (0, "nothing was missing\n", "")
    assert hashes(bare.root) == after
    assert bare.git("rev-parse", "HEAD") == head, "what is added is the human's to commit"
    assert all(line.startswith("?? ") for line in bare.git("status", "--porcelain").splitlines())


def test_an_agents_workspace_without_state(bare: Workspace) -> None:
    bare.write("AGENTS.md", "# Rules\n")
    bare.write("CLAUDE.md", "See AGENTS.md\n")
    bare.write("SOUL.md", b"\xef\xbb\xbf# Soul\r\n")
    bare.write("MEMORY.md", "# Memory\n\n- likes \x00 tea\n")
    bare.write("BLOCKED.md", "- [ ] the vendor form\n")
    bare.write("TODO.md", "- [ ] taxes\n")
    bare.write("NOW.md", "writing\n")
    bare.write("memory/2026-02-03.md", "# 2026-02-03\n- x\n")
    bare.write("memory/2026-02-04-1322.md", "# 2025-02-04\n- x\n")
    bare.write("memory/people.md", "# People\n")
    bare.write("memory/notes.md", "# 2026-02-01 — Kickoff\n")
    bare.write("memory/03-04-2026.md", "- x\n")
    before = hashes(bare.root)
    done = dory_init(bare, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert {*STATE, "USER.md"} <= set(found["added"])
    assert found["kept"] == ["AGENTS.md", "MEMORY.md", "SOUL.md"]
    assert found["failed"] == []
    unread = "dory does not read this file; "
    assert [(one["path"], one["line"], one["sentence"]) for one in found["not_understood"]] == [
        ("BLOCKED.md", None, f"{unread}what is blocked belongs in state/HOLD.md"),
        ("NOW.md", None, f"{unread}the task at hand belongs in state/ACTIVE.md"),
        ("TODO.md", None, f"{unread}the task at hand belongs in state/ACTIVE.md"),
        (
            "memory/03-04-2026.md",
            None,
            "its name tells no one day, so it is not listed as a log; rename it to YYYY-MM-DD.md",
        ),
        (
            "memory/notes.md",
            None,
            "its heading begins with a day and its name has none; rename it to 2026-02-01.md if it is a log",
        ),
        (
            "memory/2026-02-04-1322.md",
            1,
            "the heading says 2025-02-04, the name 2026-02-04; correct the heading, or rename the file",
        ),
    ]
    after = hashes(bare.root)
    assert {path: after.get(path) for path in before} == before
    again = dory_init(bare)
    assert again.stdout.splitlines()[:3] == [
        "nothing was missing",
        "not understood, and left as it is:",
        "  BLOCKED.md: dory does not read this file; what is blocked belongs in state/HOLD.md",
    ]
    assert len(again.stdout.splitlines()) == 8
    assert hashes(bare.root) == after


def test_what_fits_no_form_is_named_with_its_file_and_line(workspace: Workspace) -> None:
    workspace.write("state/STAGING.md", f"# Staging\n\n{CONFLICT}")
    workspace.write("state/HOLD.md", "# Hold\n\n## Currently Blocked\n\n<!-- never closed\n")
    workspace.write("memory/promotions/odd.md", "no front matter\n")
    init(workspace.gate())
    said = notices(workspace)
    assert "state/STAGING.md line 3: merge conflict markers; resolve them first" in said
    assert any(line.startswith("state/HOLD.md line 5: ") for line in said), said
    for problem in load(workspace.gate()).problems:
        assert any(problem.sentence in line and line.startswith(problem.path) for line in said)


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("WAITING.md", "HOLD"),
        ("state/BLOCKED.md", "HOLD"),
        ("state/on_hold.md", "HOLD"),
        ("HOLD.md", "HOLD"),
        ("QUEUE.md", "STAGING"),
        ("DRAFTS.md", "STAGING"),
        ("state/APPROVAL_QUEUE.md", "STAGING"),
        ("current-task.md", "ACTIVE"),
        ("SESSION-STATE.md", "ACTIVE"),
        ("Active Tasks.md", "ACTIVE"),
        ("DECISIONS.md", "DECISIONS"),
        ("README.md", None),
        ("KNOWLEDGE.md", None),
        ("threshold.md", None),
        ("TODO.txt", None),
        ("notes/TODO.md", None),
        ("state/drafts/queue.md", None),
    ],
)
def test_files_like_others_state_files_are_named(workspace: Workspace, path: str, read: str | None) -> None:
    init(workspace.gate())
    workspace.write(path, "- x\n")
    found = [line for line in notices(workspace) if "dory does not read this file" in line]
    assert [line.partition(": ")[0] for line in found] == ([path] if read else [])
    assert not read or found[0].endswith(f" state/{read}.md")


def test_an_empty_file_a_folder_and_another_spelling_are_not_named(workspace: Workspace) -> None:
    init(workspace.gate())
    workspace.write("TODO.md", "")
    (workspace.root / "QUEUE.md").mkdir()
    other = workspace.root / "state/hold.md"
    if not other.exists():  # where case counts, a link stands for the other spelling
        other.hardlink_to(workspace.root / "state/HOLD.md")
    assert notices(workspace) == []


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("memory/feb-14.md", True),
        ("memory/2026-02-30.md", True),
        ("memory/daily/03_04_2026.md", True),
        ("memory/20261345.md", True),
        ("memory/2026-02-01.md", False),
        ("memory/journal/20260201.md", False),
        ("memory/topics.md", False),
        ("memory/port-8080.md", False),
        ("memory/2026-W06.md", False),
        ("memory/promotions.md", False),
    ],
)
def test_logs_whose_name_tells_no_one_day_are_named(workspace: Workspace, path: str, named: bool) -> None:
    init(workspace.gate())
    workspace.write(path, "- x\n")
    assert [line.partition(": ")[0] for line in notices(workspace)] == ([path] if named else [])


def test_recent_work_is_no_log_whatever_its_heading(workspace: Workspace) -> None:
    init(workspace.gate())
    workspace.write("memory/recent-work.md", "# 2026-02-04\n")
    workspace.write("memory/plan.md", "# Plan of 2026-02-04\n")
    workspace.write("memory/talk.md", "## 2026-02-04\n# 2026-02-04\n")
    assert notices(workspace) == []


def test_many_such_logs_are_counted(workspace: Workspace) -> None:
    init(workspace.gate())
    for number in range(1, 24):
        workspace.write(f"memory/01-02-20{number:02}.md", "- x\n")
    said = notices(workspace)
    assert len(said) == 21
    assert said[-1] == "memory: and 3 more such logs"


def test_nothing_in_a_name_reaches_the_terminal_raw(workspace: Workspace) -> None:
    workspace.write("memory/a\x1b[31m\nb-03-04-2026.md", "- x\n")
    done = dory_init(workspace)
    assert "\x1b" not in done.stdout
    line = next(line for line in done.stdout.splitlines() if "03-04-2026" in line)
    assert line.endswith("rename it to YYYY-MM-DD.md")


def test_the_template_of_memory_has_the_sections_that_people_need() -> None:
    text = dict(templates.files())["MEMORY.md"].decode()
    titles = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["People", "Projects", "Decisions", "Lessons", "Where things are", "Waiting on others"]
