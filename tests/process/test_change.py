"""A decision is one commit of its own files: postponed where git cannot take it now, and lost in no race."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dory_tui.review import decide
from dory_tui.review.change import Change, Done, flush_postponed, postponed, unfinished
from dory_tui.review.finish import finish
from dory_tui.workspace.document import parse
from dory_tui.workspace.entries import read_decisions
from tests.conftest import Workspace

ROOT = Path(__file__).parents[2]
REJECT = """
import json, os, sys
from datetime import datetime
from pathlib import Path
from dory_tui.gate.survey import Gate
from dory_tui.review import decide
job = json.loads(sys.argv[1])
gate = Gate.open(Path(job["root"]), job["env"], lambda: datetime.fromisoformat(job["now"]))
digest = gate.staging().find(job["item"]).digest
print(flush=True)
sys.stdin.read()
done = decide.reject(gate, job["item"], digest, "no " + job["item"])
print(json.dumps([done.commit, done.postponed, done.problems]))
"""


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with eight drafts, all of it committed."""
    made = make_workspace(git=True)
    for number in range(1, 9):
        made.draft(f"launch-{number}", action={"argv": ["/bin/cat"], "stdin": "body"})
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def reject(studio: Workspace, identity: str) -> Done:
    return decide.reject(studio.gate(), identity, studio.find(identity).digest, "too long")


def subjects(studio: Workspace) -> list[str]:
    return studio.git("log", "--format=%s", "HEAD").splitlines()


def files_of(studio: Workspace, commit: str) -> set[str]:
    return set(studio.git("show", "--format=", "--name-only", commit).split())


def decided(studio: Workspace) -> list[str]:
    """The ids in DECISIONS.md, in its order."""
    document = parse("state/DECISIONS.md", (studio.root / "state/DECISIONS.md").read_bytes())
    return [one.item.partition(":")[0] for one in read_decisions(document).entries]


def test_a_commit_holds_what_the_decision_touched_and_its_trailers(studio: Workspace) -> None:
    done = reject(studio, "launch-1")
    assert done.commit is not None
    assert (done.postponed, done.problems) == (None, ())
    assert files_of(studio, "HEAD") == {
        "state/STAGING.md", "state/DECISIONS.md", ".dory/workspace", ".dory/.gitattributes",
        ".dory/ledger/launch-1/1-001-rejected.json",
    }  # fmt: skip
    body = studio.git("show", "--format=%(trailers:unfold)", "--no-patch", "HEAD").split("\n")
    digest = studio.find("launch-1").digest
    assert body[:3] == ["Dory-Decision: rejected", "Dory-Id: launch-1", f"Dory-Digest: {digest}"]
    assert studio.git("status", "--porcelain") == ""
    assert reject(studio, "launch-2").commit is not None
    assert files_of(studio, "HEAD") == {
        "state/STAGING.md", "state/DECISIONS.md", ".dory/ledger/launch-2/1-001-rejected.json",
    }  # fmt: skip


def begin_merge(studio: Workspace) -> None:
    """Two branches that change one file: the merge stops at the conflict."""
    studio.write("SOUL.md", "one\n")
    studio.git("checkout", "--quiet", "-b", "other")
    studio.git("add", "--all")
    studio.git("commit", "--quiet", "--message", "One")
    studio.git("checkout", "--quiet", "main")
    studio.write("SOUL.md", "two\n")
    studio.git("add", "--all")
    studio.git("commit", "--quiet", "--message", "Two")
    merged = subprocess.run(
        ["git", "merge", "other"], cwd=studio.root, env=studio.env, capture_output=True, check=False
    )
    assert merged.returncode == 1


def end_merge(studio: Workspace) -> None:
    studio.write("SOUL.md", "both\n")
    studio.git("add", "SOUL.md")
    studio.git("commit", "--quiet", "--no-edit")


def begin_lock(studio: Workspace) -> None:
    (studio.root / ".git/index.lock").touch()


def end_lock(studio: Workspace) -> None:
    (studio.root / ".git/index.lock").unlink()


def detach(studio: Workspace) -> None:
    studio.git("checkout", "--quiet", "--detach")


def attach(studio: Workspace) -> None:
    studio.git("checkout", "--quiet", "main")


@pytest.mark.parametrize(
    ("stop", "go_on", "words"),
    [
        (begin_merge, end_merge, "A merge is under way"),
        (begin_lock, end_lock, "Another git is at work here"),
        (detach, attach, "HEAD is detached"),
    ],
    ids=["merge", "index.lock", "detached"],
)
def test_a_commit_that_cannot_be_made_now_is_made_by_the_next_decision(
    studio: Workspace, stop: Callable[[Workspace], None], go_on: Callable[[Workspace], None], words: str
) -> None:
    stop(studio)
    head = studio.git("rev-parse", "HEAD")
    for number in (1, 2):
        done = reject(studio, f"launch-{number}")
        assert done.commit is None
        assert done.postponed is not None
        assert words in done.postponed
        assert studio.standing(f"launch-{number}").state == "rejected", "the decision stands"
    assert studio.git("rev-parse", "HEAD") == head
    assert [one["subject"] for one in postponed(studio.gate())] == ["Reject launch-1", "Reject launch-2"]
    assert unfinished(studio.gate()) == [], "it is postponed, not unfinished"
    if stop is not detach:
        go_on(studio)
    else:
        studio.git("stash", "--quiet", "--include-untracked")
        go_on(studio)
        studio.git("stash", "pop", "--quiet")
    assert reject(studio, "launch-3").commit is not None
    assert subjects(studio)[:3] == ["Reject launch-3", "Reject launch-2", "Reject launch-1"]
    assert files_of(studio, "HEAD") == {
        "state/STAGING.md", "state/DECISIONS.md", ".dory/ledger/launch-3/1-001-rejected.json",
    }  # fmt: skip
    assert ".dory/ledger/launch-1/1-001-rejected.json" in files_of(studio, "HEAD~2")
    assert postponed(studio.gate()) == []
    assert studio.git("status", "--porcelain") == ""
    assert decided(studio) == ["launch-1", "launch-2", "launch-3"]


def test_the_next_start_makes_them_too(studio: Workspace) -> None:
    begin_lock(studio)
    reject(studio, "launch-1")
    assert finish(studio.gate()) == []
    assert len(postponed(studio.gate())) == 1, "still locked, still waiting"
    end_lock(studio)
    assert finish(studio.gate()) == []
    assert subjects(studio)[0] == "Reject launch-1"
    assert postponed(studio.gate()) == []


def test_what_the_human_committed_meanwhile_is_not_committed_again(studio: Workspace) -> None:
    begin_lock(studio)
    reject(studio, "launch-1")
    end_lock(studio)
    studio.git("add", "--all")
    studio.git("commit", "--quiet", "--message", "All of it")
    flush_postponed(studio.gate())
    assert subjects(studio)[0] == "All of it"
    assert postponed(studio.gate()) == []


def test_a_damaged_list_of_postponed_commits_stops_nothing(studio: Workspace) -> None:
    studio.gate().settle()
    for text in ("{", "[1, 2]", '{"a": 1}', '[{"subject": "x"}, {"paths": 3, "trailers": []}]'):
        (studio.gate().ledger.state / "postponed.json").write_text(text)
        flush_postponed(studio.gate())
    assert reject(studio, "launch-1").commit is not None


def test_without_a_repository_the_decision_stands_and_nothing_waits(workspace: Workspace) -> None:
    workspace.draft("launch-1")
    done = decide.reject(workspace.gate(), "launch-1", workspace.find("launch-1").digest, "too long")
    assert done.commit is None
    assert done.postponed is not None
    assert "no git repository" in done.postponed
    assert postponed(workspace.gate()) == []
    assert workspace.standing("launch-1").state == "rejected"
    assert decided(workspace) == ["launch-1"]


def test_without_git_at_all(workspace: Workspace, tmp_path: Path) -> None:
    workspace.draft("launch-1")
    workspace.env["PATH"] = str(tmp_path / "nothing")
    done = decide.reject(workspace.gate(), "launch-1", workspace.find("launch-1").digest, "too long")
    assert done.postponed == "The program git cannot be started, so decisions have no history."
    assert postponed(workspace.gate()) == []
    assert workspace.standing("launch-1").state == "rejected"


def test_the_agents_own_edits_go_first(studio: Workspace) -> None:
    text = (studio.root / "state/STAGING.md").read_text()
    studio.write("state/STAGING.md", text.replace("# STAGING.md", "# What waits"))
    reject(studio, "launch-1")
    assert subjects(studio)[:3] == ["Reject launch-1", "As found before the review", "Drafts"]
    assert files_of(studio, "HEAD~1") == {"state/STAGING.md"}
    assert studio.git("show", "--format=", "--stat", "HEAD", "--", "state/STAGING.md").count("insertion") == 1


def test_a_file_that_cannot_be_written_is_a_problem_and_no_reason_to_refuse(studio: Workspace) -> None:
    (studio.root / "state/DECISIONS.md").unlink()
    (studio.root / "state/DECISIONS.md").mkdir()
    done = reject(studio, "launch-1")
    assert done.problems == ("state/DECISIONS.md is a folder, where a file should be: move it away",)
    assert studio.standing("launch-1").state == "rejected"
    assert files_of(studio, "HEAD") >= {"state/STAGING.md", ".dory/ledger/launch-1/1-001-rejected.json"}


def test_an_edit_is_tried_again_when_another_writer_was_faster(workspace: Workspace) -> None:
    change = Change(workspace.gate())
    seen: list[bytes] = []

    def work(data: bytes | None) -> bytes:
        seen.append(data or b"")
        if len(seen) == 1:
            workspace.write("state/HOLD.md", "somebody else\n")
        return (data or b"") + b"mine\n"

    change.edit("state/HOLD.md", work)
    assert seen[1:] == [b"somebody else\n"]
    assert (workspace.root / "state/HOLD.md").read_bytes() == b"somebody else\nmine\n"
    assert change.touched["state/HOLD.md"].before == b"somebody else\n"
    assert change.problems == []


def test_a_file_that_never_stands_still_is_given_up(workspace: Workspace) -> None:
    change = Change(workspace.gate())
    count = 0

    def work(data: bytes | None) -> bytes:
        nonlocal count
        count += 1
        workspace.write("state/HOLD.md", f"{count}\n")
        return b"mine\n"

    change.edit("state/HOLD.md", work)
    assert change.problems == ["state/HOLD.md kept changing, so it was not written"]
    assert change.touched == {}
    assert count > 5


@pytest.mark.gate
def test_eight_processes_reject_eight_drafts_at_once(studio: Workspace) -> None:
    """Every record, line, status and commit is there, and the work tree holds what HEAD holds."""
    studio.gate().settle()
    processes = []
    for number in range(1, 9):
        job = {"root": str(studio.root), "env": studio.env, "now": studio.clock.now.isoformat()}
        line = [sys.executable, "-c", REJECT, json.dumps({**job, "item": f"launch-{number}"})]
        processes.append(subprocess.Popen(line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "\n", "it has read its draft"
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()  # all of them, at once
    answers = []
    for process in processes:
        assert process.stdout is not None
        answers.append(json.loads(process.stdout.read()))
        process.stdout.close()
        assert process.wait() == 0
    assert all(commit and not problems for commit, _, problems in answers), answers
    every = [f"launch-{number}" for number in range(1, 9)]
    for identity in every:
        assert studio.events(identity) == ["1-001-rejected"]
        draft = studio.find(identity)
        assert (draft.status, draft.note) == ("rejected", f"no {identity}")
    assert sorted(decided(studio)) == every
    made = [subject for subject in subjects(studio) if subject not in ("Drafts", "Start")]
    assert sorted(made) == [f"Reject {identity}" for identity in every]
    assert [subject.removeprefix("Reject ") for subject in made[::-1]] == decided(studio), "both in one order"
    assert postponed(studio.gate()) == []
    assert studio.git("status", "--porcelain") == ""
    text = (studio.root / "state/STAGING.md").read_text()
    assert len(re.findall(r"^\*\*Status:\*\* rejected$", text, re.M)) == 8
