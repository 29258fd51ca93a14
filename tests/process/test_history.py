"""History against the real git binary, in repositories made for each test."""

import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.history import AS_FOUND, Outcome, Readiness, Repository, Touched
from dory_tui.history.git import FailedError, one_line

WHEN = datetime(2026, 2, 7, 9, 30, tzinfo=timezone(timedelta(hours=1)))
TRAILERS = {"Dory-Decision": "approve", "Dory-Id": "launch-3", "Dory-Digest": "sha256:ab12"}
TITLE = "Approve launch-3"


@dataclass
class Sandbox:
    """A repository at `top`, its workspace, and an environment that knows no user."""

    top: Path
    workspace: Path
    env: dict[str, str]

    def git(self, *arguments: str, cwd: Path | None = None, stdin: bytes = b"", ok: bool = True) -> bytes:
        user = ["-c", "user.name=Agent", "-c", "user.email=agent@example.org"]
        line = ["git", *user, *arguments]
        done = subprocess.run(line, cwd=cwd or self.top, env=self.env, input=stdin, capture_output=True, check=False)
        assert done.returncode == 0 or not ok, done.stderr.decode()
        return done.stdout

    def write(self, path: str, content: bytes) -> bytes:
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return content

    def seed(self, files: Mapping[str, bytes], message: str = "Start") -> None:
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def head(self) -> bytes:
        return self.git("rev-parse", "-q", "--verify", "HEAD", ok=False)

    def blob(self, path: str, revision: str = "HEAD") -> bytes:
        return self.git("cat-file", "blob", f"{revision}:{path}")

    def status(self, *paths: str) -> bytes:
        return self.git("status", "--porcelain=v2", "-z", "--untracked-files=all", "--", *paths)

    def subjects(self) -> list[str]:
        return self.git("log", "--format=%s").decode().splitlines()

    def repository(self, patience: float = 5.0, timeout: float = 20.0) -> Repository:
        return Repository(self.workspace, self.env, patience=patience, timeout=timeout)

    def decide(self, path: str, before: bytes | None, after: bytes | None, **options: float) -> Outcome:
        """What a review does: write (or remove) the file, then commit it."""
        if after is None:
            (self.workspace / path).unlink()
        else:
            self.write(path, after)
        touched = [Touched(path, before, after)]
        return self.repository(**options).commit(touched, TITLE, TRAILERS, WHEN)

    def wrap(self, script: str) -> None:
        """Put a `git` before the real one in PATH; `$GIT` is the real one."""
        real = shutil.which("git", path=self.env["PATH"])
        folder = self.top.parent / "wrapped"
        folder.mkdir()
        (folder / "git").write_text(f'#!/bin/sh\nGIT={real}\n{script}\nexec $GIT "$@"\n')
        (folder / "git").chmod(0o755)
        self.env["PATH"] = f"{folder}:{self.env['PATH']}"

    def unwrap(self) -> None:
        self.env["PATH"] = self.env["PATH"].partition(":")[2]


@pytest.fixture
def bare_env(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "gitconfig").touch()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }


@pytest.fixture
def empty(tmp_path: Path, bare_env: dict[str, str]) -> Sandbox:
    """A repository without a commit."""
    top = tmp_path / "repo"
    top.mkdir()
    sandbox = Sandbox(top, top, bare_env)
    sandbox.git("init", "-q", "-b", "main")
    return sandbox


@pytest.fixture
def box(empty: Sandbox) -> Sandbox:
    empty.seed({"state/STAGING.md": b"pending\n", "notes.md": b"one\n", "other.md": b"two\n"})
    return empty


STAGING = "state/STAGING.md"


# --- exactly the touched files ---------------------------------------------------------------


def test_commits_only_the_touched_file(box: Sandbox) -> None:
    box.seed({"hidden.md": b"h\n"}, "More")
    box.git("update-index", "--assume-unchanged", "hidden.md")
    box.write("hidden.md", b"changed, but nobody is to know\n")
    box.write("notes.md", b"staged\n")
    box.git("add", "notes.md")
    box.write("notes.md", b"staged, then modified\n")
    box.write("other.md", b"modified\n")
    box.write("untracked.md", b"new\n")
    box.write("announced.md", b"later\n")
    box.git("add", "--intent-to-add", "announced.md")
    others = [".", f":!{STAGING}"]
    status, staged = box.status(*others), box.git("diff", "--cached")
    entries = box.git("ls-files", "-s", "-v", "--debug", "--", *others)
    assert status.count(b"\0") == 4

    outcome = box.decide(STAGING, b"pending\n", b"approved\n")

    assert [commit.subject for commit in outcome.commits] == [TITLE]
    assert outcome.postponed is None
    assert outcome.commits[0].sha == box.head().decode().strip()
    assert box.git("show", "--format=", "--name-only", "HEAD").decode() == f"{STAGING}\n"
    assert box.git("ls-files", "-s", "-v", "--debug", "--", *others) == entries
    assert box.git("diff", "--cached") == staged
    assert box.status(*others) == status
    assert box.status(STAGING) == b""


def test_the_message_and_the_date(box: Sandbox) -> None:
    box.decide(STAGING, b"pending\n", b"approved\n")
    message = box.git("log", "-1", "--format=%B").decode()
    assert message.rstrip("\n") == (
        "Approve launch-3\n\nDory-Decision: approve\nDory-Id: launch-3\nDory-Digest: sha256:ab12"
    )
    assert box.git("log", "-1", "--format=%aI %cI").decode().split() == [WHEN.isoformat()] * 2
    reflog = box.git("reflog", "-1", "--format=%gs").decode().strip()
    assert reflog == f"commit: {TITLE}"


def test_given_bytes_are_committed_not_the_file(box: Sandbox) -> None:
    box.write(STAGING, b"written by somebody a moment later\n")
    touched = [Touched(STAGING, b"pending\n", b"approved\n")]
    box.repository().commit(touched, TITLE, {})
    assert box.blob(STAGING) == b"approved\n"
    assert box.status(STAGING).startswith(b"1 .M")


def test_what_the_agent_wrote_goes_first(box: Sandbox) -> None:
    box.write(STAGING, b"pending\nmore by the agent\n")
    box.write("notes.md", b"not touched by the decision\n")
    outcome = box.decide(STAGING, b"pending\nmore by the agent\n", b"approved\nmore by the agent\n")
    assert [commit.subject for commit in outcome.commits] == [AS_FOUND, TITLE]
    assert box.subjects() == [TITLE, AS_FOUND, "Start"]
    assert box.blob(STAGING, "HEAD~1") == b"pending\nmore by the agent\n"
    assert box.blob(STAGING) == b"approved\nmore by the agent\n"
    assert box.git("log", "-1", "--format=%B", "HEAD~1").decode().strip() == AS_FOUND
    assert box.git("show", "--format=", "--name-only", "HEAD~1").decode() == f"{STAGING}\n"
    assert box.status() == b"1 .M N... 100644 100644 100644 " + b" ".join(
        [box.git("rev-parse", "HEAD:notes.md").strip()] * 2 + [b"notes.md\0"]
    )


def test_an_untracked_file_goes_first_too(box: Sandbox) -> None:
    box.write("draft.md", b"draft\n")
    outcome = box.decide("draft.md", b"draft\n", b"draft, approved\n")
    assert len(outcome.commits) == 2
    assert box.blob("draft.md", "HEAD~1") == b"draft\n"
    assert box.status() == b""


def test_files_of_its_own_are_never_somebodys_edit(box: Sandbox) -> None:
    """A record that lies there uncommitted goes into the decision's commit, and so does one that HEAD has already."""
    box.seed({".dory/workspace": b"id\n"})
    before, after = b"old\n", b"new\n"
    box.seed({"state/STAGING.md": before})
    box.write("state/STAGING.md", after)
    box.write(".dory/ledger/a/1.json", b"{}\n")
    touched = [
        Touched("state/STAGING.md", before, after),
        Touched(".dory/ledger/a/1.json", None, b"{}\n", own=True),
        Touched(".dory/workspace", None, b"id\n", own=True),
    ]
    outcome = box.repository().commit(touched, TITLE, TRAILERS, WHEN)
    assert [commit.subject for commit in outcome.commits] == [TITLE]
    assert box.status() == b""


def test_a_file_removed_by_the_agent_and_written_again(box: Sandbox) -> None:
    (box.workspace / STAGING).unlink()
    outcome = box.decide(STAGING, None, b"fresh\n")
    assert len(outcome.commits) == 2
    assert box.git("ls-tree", "-r", "--name-only", "HEAD~1", STAGING) == b""
    assert box.blob(STAGING) == b"fresh\n"
    assert box.status() == b""


def test_new_removed_and_twice_written_files(box: Sandbox) -> None:
    box.write("new.md", b"second\n")
    (box.workspace / "other.md").unlink()
    touched = [
        Touched("new.md", None, b"first\n"),
        Touched("other.md", b"two\n", None),
        Touched("new.md", b"first\n", b"second\n"),
    ]
    outcome = box.repository().commit(touched, TITLE, {})
    assert len(outcome.commits) == 1
    assert box.git("show", "--format=", "--name-status", "HEAD") == b"A\tnew.md\nD\tother.md\n"
    assert box.status() == b""


def test_no_commit_when_nothing_changes(box: Sandbox) -> None:
    head = box.head()
    assert box.decide(STAGING, b"pending\n", b"pending\n") == Outcome((), None)
    assert box.repository().commit([], TITLE, {}) == Outcome((), None)
    assert box.head() == head


def test_unchanged_bytes_are_still_recorded_as_found(box: Sandbox) -> None:
    box.write(STAGING, b"by the agent\n")
    outcome = box.decide(STAGING, b"by the agent\n", b"by the agent\n")
    assert [commit.subject for commit in outcome.commits] == [AS_FOUND]
    assert box.status() == b""


def test_a_decision_already_under_later_ones_is_not_played_back(box: Sandbox) -> None:
    """Two reviews wrote the file in turn; the later one was faster to commit."""
    second = box.decide(STAGING, b"pending\nfirst\n", b"pending\nfirst\nsecond\n")
    assert len(second.commits) == 1 + 1
    late = box.repository().commit(
        [Touched(STAGING, b"pending\n", b"pending\nfirst\n"), Touched("new.md", None, b"n\n")], "Late", {}
    )
    assert [commit.subject for commit in late.commits] == ["Late"]
    assert box.git("show", "--format=", "--name-only", "HEAD") == b"new.md\n"
    assert box.blob(STAGING) == b"pending\nfirst\nsecond\n"
    again = box.repository().commit([Touched(STAGING, b"pending\n", b"pending\nfirst\n")], "Late", {})
    assert again == Outcome((), None)


def test_a_reverted_edit_of_the_agent_is_kept_in_the_log(box: Sandbox) -> None:
    box.write(STAGING, b"approved by the agent itself\n")
    outcome = box.decide(STAGING, b"approved by the agent itself\n", b"pending\n")
    assert [commit.subject for commit in outcome.commits] == [AS_FOUND, TITLE]
    assert box.blob(STAGING, "HEAD~1") == b"approved by the agent itself\n"
    assert box.status() == b""


def test_ignored_files_are_committed(box: Sandbox) -> None:
    box.seed({".gitignore": b".dory/\n"}, "Ignore")
    outcome = box.decide(".dory/ledger/1.json", None, b"{}\n")
    assert len(outcome.commits) == 1
    assert box.blob(".dory/ledger/1.json") == b"{}\n"
    assert box.status() == b""


# --- the real index --------------------------------------------------------------------------


def test_the_agents_staged_version_leaves_no_reversal(box: Sandbox) -> None:
    box.write(STAGING, b"by the agent\n")
    box.git("add", STAGING)
    box.decide(STAGING, b"by the agent\n", b"approved\n")
    assert box.subjects()[:2] == [TITLE, AS_FOUND]
    assert box.status() == b""


def test_what_the_user_staged_stays(box: Sandbox) -> None:
    box.write(STAGING, b"what the user staged\n")
    box.git("add", STAGING)
    entry = box.git("ls-files", "-s", STAGING)
    box.write(STAGING, b"pending\n")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.git("ls-files", "-s", STAGING) == entry
    assert box.blob(STAGING) == b"approved\n"
    assert box.status().startswith(b"1 MM")


def test_a_staged_removal_stays(box: Sandbox) -> None:
    box.git("rm", "-q", "--cached", STAGING)
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.git("ls-files", "-s", STAGING) == b""


def test_a_staged_mode_survives_with_the_new_content(box: Sandbox) -> None:
    box.git("update-index", "--chmod=+x", STAGING)
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.git("diff", "--cached", "--summary").decode().strip() == f"mode change 100644 => 100755 {STAGING}"
    assert b"@@" not in box.git("diff", "--cached")


@pytest.mark.parametrize("content", [b"draft\n", b""])
def test_an_announced_file_becomes_a_plain_one(box: Sandbox, content: bytes) -> None:
    box.write("draft.md", b"before\n")
    box.git("add", "--intent-to-add", "draft.md")
    box.decide("draft.md", b"before\n", content)
    assert box.status() == b""
    assert box.git("diff", "--cached") == b""


@pytest.mark.parametrize(("flag", "tag"), [("--skip-worktree", b"S"), ("--assume-unchanged", b"h")])
def test_flags_of_the_touched_path_survive(box: Sandbox, flag: str, tag: bytes) -> None:
    box.git("update-index", flag, STAGING)
    box.decide(STAGING, b"pending\n", b"approved\n")
    blob = box.git("rev-parse", f"HEAD:{STAGING}").strip()
    assert box.git("ls-files", "-s", "-v", STAGING) == tag + b" 100644 " + blob + b" 0\t" + STAGING.encode() + b"\n"


def test_a_conflict_in_the_index_is_left_to_the_user(box: Sandbox) -> None:
    box.write(STAGING, b"stashed\n")
    box.git("stash", "-q")
    box.seed({STAGING: b"moved on\n"}, "Moved on")
    box.git("stash", "pop", "-q", ok=False)
    entries = box.git("ls-files", "-s")
    assert b" 2\t" in entries
    found = (box.workspace / STAGING).read_bytes()
    box.decide(STAGING, found, b"approved\n")
    assert box.blob(STAGING) == b"approved\n"
    assert box.git("ls-files", "-s") == entries


def test_a_conflict_about_a_removed_file_is_left_to_the_user(box: Sandbox) -> None:
    box.write(STAGING, b"stashed\n")
    box.git("stash", "-q")
    box.git("rm", "-q", STAGING)
    box.git("commit", "-q", "-m", "Removed")
    box.git("stash", "pop", "-q", ok=False)
    entries = box.git("ls-files", "-s")
    assert b" 3\t" in entries
    box.decide(STAGING, b"stashed\n", b"approved\n")
    assert box.blob(STAGING) == b"approved\n"
    assert box.git("ls-files", "-s") == entries


def test_a_change_that_git_has_not_noticed_yet_stays_visible(box: Sandbox) -> None:
    """Same size, same time as the index: git tells such a file apart only by the index's own time."""
    box.git("config", "core.trustctime", "false")
    notes, index = box.workspace / "notes.md", box.top / ".git/index"
    stamp = notes.stat().st_mtime_ns - 3600 * 10**9  # many a git looks at whole seconds only
    os.utime(notes, ns=(stamp, stamp))
    box.git("update-index", "--refresh")
    with notes.open("r+b") as file:
        file.write(b"two\n")
    os.utime(notes, ns=(stamp, stamp))
    os.utime(index, ns=(stamp, stamp))
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.status().startswith(b"1 .M")


def test_a_split_index(box: Sandbox) -> None:
    box.git("config", "core.splitIndex", "true")
    box.git("update-index", "--split-index")
    box.write("notes.md", b"staged\n")
    box.git("add", "notes.md")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.status(STAGING) == b""
    assert box.status("notes.md").startswith(b"1 M.")


def test_no_other_git_can_stage_or_commit_in_between(box: Sandbox) -> None:
    """A commit from the old index after HEAD moved would put the old content back."""
    script = 'case "$*" in *update-ref*) $GIT commit -q --allow-empty -m no; echo $? > "$HOME/rc";; esac'
    box.wrap(script)
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert Path(box.env["HOME"], "rc").read_text().strip() == "128"
    assert box.subjects() == [TITLE, "Start"]
    assert not (box.top / ".git/index.lock").exists()


# --- postponed -------------------------------------------------------------------------------


def conflict(box: Sandbox, *command: str) -> None:
    """Two branches that disagree about notes.md, then a command that stops at it."""
    box.git("checkout", "-q", "-b", "side")
    box.seed({"notes.md": b"side\n"}, "Side")
    box.git("checkout", "-q", "main")
    box.seed({"notes.md": b"main\n"}, "Main")
    box.git(*command, ok=False)


def picking_several(box: Sandbox) -> None:
    box.git("checkout", "-q", "-b", "side")
    box.seed({"notes.md": b"side\n"}, "Side")
    box.seed({"third.md": b"3\n"}, "Third")
    box.git("checkout", "-q", "main")
    box.seed({"notes.md": b"main\n"}, "Main")
    box.git("cherry-pick", "main..side", ok=False)
    box.write("notes.md", b"resolved\n")
    box.git("add", "notes.md")
    box.git("commit", "-q", "-m", "Resolved")


def bisecting(box: Sandbox) -> None:
    box.seed({"notes.md": b"more\n"}, "More")
    box.git("bisect", "start", "--no-checkout", "HEAD", "HEAD~1")


def detaching(box: Sandbox) -> None:
    box.git("checkout", "-q", "--detach")


def hold_the_index(box: Sandbox) -> None:
    (box.top / ".git/index.lock").touch()


def hold_the_branch(box: Sandbox) -> None:
    (box.top / ".git/refs/heads/main.lock").touch()


STATES: list[tuple[Readiness, Callable[[Sandbox], None], str]] = [
    (Readiness.MERGING, lambda box: conflict(box, "merge", "side"), "A merge is under way"),
    (Readiness.REBASING, lambda box: conflict(box, "rebase", "side"), "A rebase is under way"),
    (Readiness.CHERRY_PICKING, lambda box: conflict(box, "cherry-pick", "side"), "A cherry-pick is under way"),
    (Readiness.CHERRY_PICKING, picking_several, "A cherry-pick is under way"),
    (Readiness.REVERTING, lambda box: conflict(box, "revert", "side"), "A revert is under way"),
    (Readiness.BISECTING, bisecting, "A bisect is under way"),
    (Readiness.DETACHED, detaching, "HEAD is detached"),
    (Readiness.LOCKED, hold_the_index, "index.lock exists"),
    (Readiness.READY, hold_the_branch, "main.lock': File exists"),
]


@pytest.mark.parametrize(("expected", "arrange", "words"), STATES, ids=[f"{s[0]}-{i}" for i, s in enumerate(STATES)])
def test_postponed(box: Sandbox, expected: Readiness, arrange: Callable[[Sandbox], None], words: str) -> None:
    arrange(box)
    head, index = box.head(), (box.top / ".git/index").read_bytes()
    listing = sorted((box.top / ".git").iterdir())
    readiness, sentence = box.repository().readiness()
    outcome = box.decide(STAGING, b"pending\n", b"approved\n", patience=0.02)
    assert readiness == expected
    assert outcome.commits == ()
    assert outcome.postponed is not None
    assert words in outcome.postponed
    assert readiness == Readiness.READY or outcome.postponed == sentence
    assert sentence.endswith(".")
    assert "\n" not in outcome.postponed
    assert box.head() == head
    assert (box.top / ".git/index").read_bytes() == index
    assert sorted((box.top / ".git").iterdir()) == listing


def test_after_the_merge_the_same_decision_is_committed(box: Sandbox) -> None:
    conflict(box, "merge", "side")
    assert box.decide(STAGING, b"pending\n", b"approved\n").commits == ()
    box.git("merge", "--abort")
    outcome = box.repository().commit([Touched(STAGING, b"pending\n", b"approved\n")], TITLE, TRAILERS)
    assert len(outcome.commits) == 1
    assert box.status() == b""


def test_no_repository(tmp_path: Path, bare_env: dict[str, str]) -> None:
    box = Sandbox(tmp_path / "plain", tmp_path / "plain", bare_env)
    box.workspace.mkdir()
    readiness, sentence = box.repository().readiness()
    assert readiness == Readiness.NO_REPOSITORY
    assert "git init" in sentence
    assert box.decide("notes.md", None, b"n\n") == Outcome((), sentence)
    assert box.repository().log() == []
    assert box.repository().last_committed("notes.md") is None


def test_a_bare_repository_and_a_missing_folder_are_none(tmp_path: Path, bare_env: dict[str, str]) -> None:
    box = Sandbox(tmp_path, tmp_path / "bare", bare_env)
    box.git("init", "-q", "--bare", "bare")
    assert box.repository().readiness()[0] == Readiness.NO_REPOSITORY
    readiness, sentence = Repository(tmp_path / "gone", bare_env).readiness()
    assert readiness == Readiness.NO_REPOSITORY
    assert str(tmp_path / "gone") in sentence


def test_no_git(box: Sandbox, tmp_path: Path) -> None:
    head = box.head()
    environment = {**box.env, "PATH": str(tmp_path / "nothing")}
    repository = Repository(box.workspace, environment)
    readiness, sentence = repository.readiness()
    assert readiness == Readiness.NO_GIT
    outcome = repository.commit([Touched(STAGING, b"pending\n", b"approved\n")], TITLE, {})
    assert outcome == Outcome((), sentence)
    assert repository.log() == []
    assert box.head() == head


def test_a_repository_of_another_owner(box: Sandbox) -> None:
    box.wrap("export GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
    readiness, sentence = box.repository().readiness()
    assert readiness == Readiness.REFUSED
    assert "dubious ownership" in sentence or "unsafe repository" in sentence
    assert f"--add safe.directory {box.workspace}" in sentence
    assert box.decide(STAGING, b"pending\n", b"approved\n").postponed == sentence


def test_a_gitfile_that_leads_nowhere(box: Sandbox) -> None:
    (box.top / ".git").rename(box.top / "elsewhere")
    (box.top / ".git").write_text("gitdir: /nowhere/at/all\n")
    readiness, sentence = box.repository().readiness()
    assert readiness == Readiness.REFUSED
    assert "/nowhere/at/all" in sentence


def test_a_filter_that_hangs_is_ended(box: Sandbox) -> None:
    box.seed({".gitattributes": b"*.md filter=slow\n"}, "Filter")
    box.git("config", "filter.slow.clean", "sleep 600")
    head = box.head()
    outcome = box.decide(STAGING, b"pending\n", b"approved\n", timeout=0.5)
    assert outcome.postponed == "Git could not do it: git update-index took longer than 0.5 seconds."
    assert box.head() == head
    assert list((box.top / ".git").glob("dory-*")) == []


def test_the_reason_is_not_the_warning_before_it() -> None:
    failure = FailedError("warning: LF will be replaced\n\nfatal: no\x1b space.\nhint: more\n")
    assert failure.sentence == "Git could not do it: fatal: no space."
    assert FailedError("").sentence == "Git could not do it: it gave no reason."


def test_a_failing_required_filter_gives_its_reason(box: Sandbox) -> None:
    box.seed({".gitattributes": b"*.md filter=strict\n"}, "Filter")
    box.git("config", "filter.strict.clean", "false")
    box.git("config", "filter.strict.required", "true")
    outcome = box.decide(STAGING, b"pending\n", b"approved\n")
    assert outcome.postponed is not None
    assert outcome.postponed.startswith("Git could not do it: error: external filter 'false' failed")


# --- whose commit, and what does not run ------------------------------------------------------


def ident(box: Sandbox) -> list[str]:
    return box.git("log", "-1", "--format=%an <%ae>|%cn <%ce>").decode().strip().split("|")


def test_dory_where_git_knows_nobody(box: Sandbox) -> None:
    box.git("config", "user.useConfigOnly", "true")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert ident(box) == ["dory <dory@localhost>"] * 2


def test_the_users_own_name(box: Sandbox) -> None:
    box.git("config", "--file", box.env["GIT_CONFIG_GLOBAL"], "user.name", "Zoë Ünal")
    box.git("config", "user.email", "zoe@example.org")
    box.git("config", "committer.name", "Night Desk")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert ident(box) == ["Zoë Ünal <zoe@example.org>", "Night Desk <zoe@example.org>"]
    box.env |= {"GIT_AUTHOR_NAME": "Env", "GIT_COMMITTER_EMAIL": "env@example.org"}
    box.decide(STAGING, b"approved\n", b"rejected\n")
    assert ident(box) == ["Env <zoe@example.org>", "Night Desk <env@example.org>"]


def test_hooks_signing_and_monitors_are_off(box: Sandbox) -> None:
    hooks = box.top / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg", "post-index-change", "reference-transaction", "fsmonitor"):
        (hooks / name).write_text(f'#!/bin/sh\necho {name} >> "$HOME/ran"\nexit 1\n')
        (hooks / name).chmod(0o755)
    box.git("config", "commit.gpgSign", "true")
    box.git("config", "gpg.program", "false")
    box.git("config", "core.fsmonitor", str(hooks / "fsmonitor"))
    assert len(box.decide(STAGING, b"pending\n", b"approved\n").commits) == 1
    assert not Path(box.env["HOME"], "ran").exists()


def test_variables_of_another_git_do_not_lead_astray(box: Sandbox, tmp_path: Path) -> None:
    box.git("init", "-q", str(tmp_path / "other"))
    box.write(STAGING, b"approved\n")
    astray = {
        "GIT_DIR": str(tmp_path / "other/.git"),
        "GIT_WORK_TREE": str(tmp_path / "other"),
        "GIT_INDEX_FILE": str(tmp_path / "other/index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "other/.git/objects"),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_TRACE": "1",
        "GIT_AUTHOR_DATE": "nonsense",
    }
    repository = Repository(box.workspace, box.env | astray)
    assert repository.readiness() == (Readiness.READY, "Decisions are committed to the branch main.")
    assert len(repository.commit([Touched(STAGING, b"pending\n", b"approved\n")], TITLE, {}).commits) == 1
    assert box.status() == b""
    assert not (tmp_path / "other/index").exists()


def test_git_is_run_in_english_and_without_asking(box: Sandbox) -> None:
    box.wrap('env > "$HOME/env"')
    box.env |= {"LC_ALL": "de_DE.UTF-8", "GIT_TERMINAL_PROMPT": "1"}
    box.repository().readiness()
    seen = Path(box.env["HOME"], "env").read_text().splitlines()
    assert {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"} <= set(seen)


# --- messages --------------------------------------------------------------------------------


def test_a_subject_and_trailers_cannot_break_out(box: Sandbox) -> None:
    box.write(STAGING, b"approved\n")
    trailers = {"Dory-Decision": "no\nDory-Decision: yes\r", "Dory Id:": "a\x1b[31m\u2028b"}
    subject = "  Approve\n\nDory-Decision: approve\x00\ud800 ✓ "
    outcome = box.repository().commit([Touched(STAGING, b"pending\n", b"approved\n")], subject, trailers)
    assert outcome.commits[0].subject == "Approve Dory-Decision: approve ✓"
    entry = box.repository().log(1)[0]
    assert entry.subject == "Approve Dory-Decision: approve ✓"
    assert entry.trailers == {"Dory-Decision": "no Dory-Decision: yes", "Dory-Id-": "a [31m b"}


def test_an_empty_subject_is_replaced(box: Sandbox) -> None:
    box.write(STAGING, b"approved\n")
    box.repository().commit([Touched(STAGING, b"pending\n", b"approved\n")], " \n", {})
    assert box.git("log", "-1", "--format=%B").decode() == "Decision\n\n"


@given(st.text())
def test_one_line_is_one_line_and_keeps_the_words(text: str) -> None:
    line = one_line(text)
    assert line.splitlines() in ([line], [])
    assert line == one_line(line) == line.strip()
    assert [char for char in line if not char.isspace()] == [
        char for char in text if not char.isspace() and char >= " " and not "\x7f" <= char < "\xa0"
    ]
    line.encode()


# --- where the workspace may lie --------------------------------------------------------------


def test_a_workspace_in_a_bigger_repository(box: Sandbox) -> None:
    box.workspace = box.top / "agents/night desk"
    box.seed({"MEMORY.md": b"m\n"}, "Workspace")
    box.seed({"../../outside.md": b"o\n"}, "Elsewhere")
    box.write("../../outside.md", b"o2\n")
    outcome = box.decide("MEMORY.md", b"m\n", b"m2\n")
    assert len(outcome.commits) == 1
    assert box.git("show", "--format=", "--name-only", "HEAD").decode() == "agents/night desk/MEMORY.md\n"
    assert [entry.subject for entry in box.repository().log()] == [TITLE, "Workspace"]
    assert [entry.subject for entry in box.repository().log(paths=["MEMORY.md"], limit=1)] == [TITLE]
    assert box.repository().last_committed("MEMORY.md") == b"m2\n"
    assert box.status("agents") == b""


def test_an_unborn_branch(empty: Sandbox) -> None:
    box = empty
    assert box.repository().readiness()[0] == Readiness.READY
    assert box.repository().log() == []
    assert box.repository().last_committed(STAGING) is None
    outcome = box.decide(STAGING, None, b"approved\n")
    assert len(outcome.commits) == 1
    assert box.subjects() == [TITLE]
    assert box.status() == b""


def test_an_unborn_branch_with_something_staged(empty: Sandbox) -> None:
    box = empty
    box.write("notes.md", b"staged\n")
    box.write(STAGING, b"pending\n")
    box.git("add", "-A")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.subjects() == [TITLE, AS_FOUND]
    assert box.git("ls-tree", "-r", "--name-only", "HEAD~1").decode() == f"{STAGING}\n"
    assert box.status().startswith(b"1 A. N... 000000 100644 100644 ")
    assert box.status(STAGING) == b""


def test_another_worktree(box: Sandbox, tmp_path: Path) -> None:
    box.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    side = Sandbox(tmp_path / "tree", tmp_path / "tree", box.env)
    status = box.status()
    assert len(side.decide(STAGING, b"pending\n", b"approved\n").commits) == 1
    assert side.status() == b""
    assert side.subjects() == [TITLE, "Start"]
    assert (box.subjects(), box.status()) == (["Start"], status)


def test_a_submodule(box: Sandbox, tmp_path: Path) -> None:
    local = ["-c", "protocol.file.allow=always"]
    outer = Sandbox(tmp_path / "outer", tmp_path / "outer", box.env)
    outer.top.mkdir()
    outer.git("init", "-q", "-b", "main")
    outer.git(*local, "submodule", "--quiet", "add", str(box.top), "inner")
    outer.git("commit", "-q", "-m", "Add")
    inner = Sandbox(outer.top / "inner", outer.top / "inner", box.env)
    assert len(inner.decide(STAGING, b"pending\n", b"approved\n").commits) == 1
    assert inner.status() == b""
    assert outer.subjects() == ["Add"]
    # From outside, the submodule's files are not the outer repository's.
    outcome = outer.repository().commit([Touched(f"inner/{STAGING}", b"approved\n", b"x\n")], TITLE, {})
    assert outcome.left_out == (f"inner/{STAGING}",)
    assert outcome.postponed == f"inner/{STAGING} is not part of this git repository, so nothing was committed."


def test_symlinks(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(box.top)
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"o\n")
    (box.workspace / "MEMORY.md").symlink_to("notes.md")
    (box.workspace / "USER.md").symlink_to(outside)
    (box.workspace / "today").symlink_to("state", target_is_directory=True)
    box.git("add", "-A")
    box.git("commit", "-q", "-m", "Links")
    (box.workspace / "notes.md").write_bytes(b"through the link\n")
    (box.workspace / STAGING).write_bytes(b"approved\n")
    touched = [
        Touched("MEMORY.md", b"one\n", b"through the link\n"),
        Touched("today/STAGING.md", b"pending\n", b"approved\n"),
        Touched("USER.md", b"o\n", b"o2\n"),
        Touched("../outside.md", b"o\n", b"o2\n"),
        Touched(str(outside), b"o\n", b"o2\n"),
        Touched(".git/config", b"", b"[core]\n"),
    ]
    repository = Repository(tmp_path / "link", box.env)
    outcome = repository.commit(touched, TITLE, {})
    assert len(outcome.commits) == 1
    assert outcome.left_out == ("USER.md", "../outside.md", str(outside), ".git/config")
    assert box.git("show", "--format=", "--name-only", "HEAD").decode().split() == ["notes.md", STAGING]
    assert repository.last_committed("MEMORY.md") == b"through the link\n"
    assert box.status() == b""


def test_a_symlink_in_head_that_became_a_file(box: Sandbox) -> None:
    (box.workspace / "MEMORY.md").symlink_to("notes.md")
    box.git("add", "-A")
    box.git("commit", "-q", "-m", "Link")
    (box.workspace / "MEMORY.md").unlink()
    box.decide("MEMORY.md", None, b"a file now\n")
    assert box.git("ls-tree", "HEAD", "MEMORY.md").startswith(b"100644 blob")
    assert box.status() == b""


def test_a_file_in_head_that_became_a_folder(box: Sandbox) -> None:
    (box.workspace / "notes.md").unlink()
    box.decide("notes.md/today.md", None, b"t\n")
    assert box.git("ls-tree", "-r", "--name-only", "HEAD").split() == [
        b"notes.md/today.md", b"other.md", STAGING.encode()
    ]  # fmt: skip
    assert box.status() == b""


ODD = [
    "a b.md",
    "übung.md",
    "-rf",
    'q"u.md',
    "tab\t.md",
    "line\nend.md",
    "*.md",
    "[a].md",
    ":(top)x",
    "back\\slash",
    "日/本.md",
]


@pytest.mark.parametrize("path", ODD)
def test_odd_names(box: Sandbox, path: str) -> None:
    box.write(path, b"found\n")
    outcome = box.decide(path, b"found\n", b"decided\n")
    assert len(outcome.commits) == 2
    assert box.git("show", "--format=", "--name-only", "-z", "HEAD") == path.encode() + b"\0"
    assert box.repository().last_committed(path) == b"decided\n"
    assert [entry.subject for entry in box.repository().log(paths=[path])] == [TITLE, AS_FOUND]
    assert box.status() == b""


def test_a_sha256_repository(tmp_path: Path, bare_env: dict[str, str]) -> None:
    box = Sandbox(tmp_path / "repo", tmp_path / "repo", bare_env)
    box.top.mkdir()
    box.git("init", "-q", "-b", "main", "--object-format=sha256")
    box.seed({STAGING: b"pending\n", "notes.md": b"n\n"})
    box.write(STAGING, b"agent\n")
    box.write("draft.md", b"")
    box.git("add", "--intent-to-add", "draft.md")
    box.write("draft.md", b"d\n")
    (box.workspace / "notes.md").unlink()
    touched = [
        Touched(STAGING, b"agent\n", b"approved\n"),
        Touched("notes.md", b"n\n", None),
        Touched("draft.md", None, b"d\n"),
    ]
    box.write(STAGING, b"approved\n")
    outcome = box.repository().commit(touched, TITLE, TRAILERS)
    assert [len(commit.sha) for commit in outcome.commits] == [64, 64]
    assert box.status() == b""


def test_a_sparse_checkout(box: Sandbox) -> None:
    box.seed({"far/away/file.md": b"f\n", "far/near.md": b"n\n", "in/side.md": b"i\n"}, "More")
    box.git("sparse-checkout", "set", "--cone", "--sparse-index", "in", "state")
    assert not (box.top / "far").exists()
    entries = box.git("ls-files", "-s", "-v", "far")
    box.decide(STAGING, b"pending\n", b"approved\n")
    assert box.git("ls-files", "-s", "-v", "far") == entries
    assert box.git("show", "--format=", "--name-only", "HEAD").decode() == f"{STAGING}\n"
    assert len(box.decide("far/near.md", b"n\n", b"n2\n").commits) == 1
    assert box.git("show", "--format=", "--name-only", "HEAD") == b"far/near.md\n"
    assert box.repository().last_committed("far/away/file.md") == b"f\n"
    assert box.status() == b""


def test_a_case_insensitive_disk_keeps_heads_spelling(box: Sandbox) -> None:
    box.seed({"Memory.md": b"m\n"}, "Memory")
    box.git("config", "core.ignorecase", "true")
    box.write("Memory.md", b"m2\n")
    outcome = box.repository().commit([Touched("MEMORY.md", b"m\n", b"m2\n")], TITLE, {})
    assert len(outcome.commits) == 1
    assert box.git("show", "--format=", "--name-only", "HEAD") == b"Memory.md\n"
    assert box.status() == b""


# --- what git makes of the bytes ---------------------------------------------------------------


def test_modes(box: Sandbox) -> None:
    for path in ("tracked.sh", "untracked.sh"):
        box.write(path, b"#!/bin/sh\n")
        (box.workspace / path).chmod(0o755)
    box.git("add", "tracked.sh")
    box.git("commit", "-q", "-m", "Script")
    for path in ("tracked.sh", "untracked.sh"):
        box.decide(path, b"#!/bin/sh\n", b"#!/bin/sh\n:\n")
        assert (box.workspace / path).stat().st_mode & stat.S_IXUSR
    box.decide("plain.md", None, b"p\n")
    listed = box.git("ls-tree", "HEAD", "tracked.sh", "untracked.sh", "plain.md")
    assert [line.split()[0] for line in listed.splitlines()] == [b"100644", b"100755", b"100755"]
    assert box.status() == b""


def test_automatic_line_ends(empty: Sandbox) -> None:
    box = empty
    box.git("config", "core.autocrlf", "true")
    box.seed({STAGING: b"pending\r\nmore\r\n"})
    assert box.blob(STAGING) == b"pending\nmore\n"
    outcome = box.decide(STAGING, b"pending\r\nmore\r\n", b"approved\r\nmore\r\n")
    assert len(outcome.commits) == 1
    assert box.blob(STAGING) == b"approved\nmore\n"
    assert box.repository().last_committed(STAGING) == b"approved\r\nmore\r\n"
    assert box.status() == b""


def test_line_ends_that_are_in_head_stay(box: Sandbox) -> None:
    """As `git add` does: automatic conversion leaves a file alone that is in the repository with CRLF."""
    box.seed({STAGING: b"pending\r\nmore\r\n"}, "With CRLF")
    box.write(".gitattributes", b"* text=auto\n")
    outcome = box.decide(STAGING, b"pending\r\nmore\r\n", b"approved\r\nmore\r\n")
    assert len(outcome.commits) == 1
    assert box.blob(STAGING) == b"approved\r\nmore\r\n"
    assert box.status(STAGING) == b""


def test_rules_that_nobody_committed_yet(box: Sandbox) -> None:
    box.write("state/.gitattributes", b"*.md text eol=crlf\n")
    box.decide(STAGING, b"pending\n", b"approved\r\n")
    assert box.blob(STAGING) == b"approved\n"
    assert box.status(STAGING) == b""


def test_filters(box: Sandbox) -> None:
    box.git("config", "filter.turn.clean", "tr a-z n-za-m")
    box.git("config", "filter.turn.smudge", "tr a-z n-za-m")
    box.seed({"state/.gitattributes": b"*.md filter=turn\n", STAGING: b"pending 2\n"}, "Filter")
    assert box.blob(STAGING) == b"craqvat 2\n"
    outcome = box.decide(STAGING, b"pending 2\n", b"approved\n")
    assert len(outcome.commits) == 1
    assert box.blob(STAGING) == b"nccebirq\n"
    assert box.repository().last_committed(STAGING) == b"approved\n"
    assert box.status() == b""


def test_rules_that_are_touched_themselves(box: Sandbox) -> None:
    box.seed({".gitattributes": b"*.md text eol=crlf\n"}, "Rules")
    (box.workspace / ".gitattributes").unlink()
    touched = [Touched(".gitattributes", b"*.md text eol=crlf\n", None), Touched("new.md", None, b"a\r\n")]
    box.write("new.md", b"a\r\n")
    assert len(box.repository().commit(touched, TITLE, {}).commits) == 1
    assert box.blob("new.md") == b"a\r\n"
    assert box.status() == b""


def test_rules_that_are_new_are_not_taken_as_found(box: Sandbox) -> None:
    box.write(STAGING, b"approved\n")
    box.write(".gitattributes", b"*.md text\n")
    touched = [Touched(".gitattributes", None, b"*.md text\n"), Touched(STAGING, b"by the agent\n", b"approved\n")]
    assert len(box.repository().commit(touched, TITLE, {}).commits) == 2
    assert box.git("show", "--format=", "--name-only", "HEAD~1").decode() == f"{STAGING}\n"
    assert box.status() == b""


# --- reading -----------------------------------------------------------------------------------


def test_log(box: Sandbox) -> None:
    box.git("config", "log.showSignature", "true")
    box.git("config", "i18n.logOutputEncoding", "latin1")
    box.decide(STAGING, b"pending\n", b"approved\n")
    box.git("commit", "-q", "--allow-empty", "-m", "Ünrelated\n\nNot: a trailer\n\nbody")
    newest, decision, start = box.repository().log()
    assert (newest.subject, newest.trailers) == ("Ünrelated", {})
    assert (decision.subject, decision.when, decision.trailers) == (TITLE, WHEN, TRAILERS)
    assert decision.when.utcoffset() == timedelta(hours=1)
    assert decision.sha == box.git("rev-parse", "HEAD~1").decode().strip()
    assert start.when.tzinfo is not None
    assert [entry.subject for entry in box.repository().log(1)] == ["Ünrelated"]
    assert [entry.subject for entry in box.repository().log(paths=["notes.md"])] == ["Start"]
    assert box.repository().log(paths=["never.md"]) == []
    assert box.repository().log(paths=["../outside.md"]) == []


def test_log_survives_a_date_no_calendar_has(box: Sandbox) -> None:
    tree = box.git("rev-parse", "HEAD^{tree}").decode().strip()
    raw = f"tree {tree}\nauthor a <a> 999999999999999 +0000\ncommitter a <a> 1 +0000\n\nFar\n".encode()
    sha = box.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw).decode().strip()
    box.git("update-ref", "HEAD", sha)
    (entry,) = box.repository().log()
    assert (entry.subject, entry.when.tzinfo) == ("Far", UTC)


def test_last_committed(box: Sandbox) -> None:
    box.write(STAGING, b"shorter\n")
    repository = box.repository()
    assert repository.last_committed(STAGING) == b"pending\n"
    assert repository.last_committed("state") is None
    assert repository.last_committed("never.md") is None
    assert repository.last_committed("../repo/notes.md") is None
    (box.workspace / "notes.md").unlink()
    assert repository.last_committed("notes.md") == b"one\n"


def test_reading_changes_nothing(box: Sandbox) -> None:
    os.utime(box.workspace / "notes.md")  # a `git status` would refresh the index now
    index = (box.top / ".git/index").read_bytes()
    box.repository().readiness()
    box.repository().log()
    box.repository().last_committed(STAGING)
    assert (box.top / ".git/index").read_bytes() == index


# --- races -------------------------------------------------------------------------------------


def test_a_lost_race_is_run_again_on_the_new_head(box: Sandbox) -> None:
    other = (
        'case "$*" in *update-ref*) if mkdir "$HOME/once"; then '
        "NEW=$($GIT -c user.name=o -c user.email=o commit-tree 'HEAD^{tree}' -p HEAD -m Other); "
        "$GIT update-ref HEAD $NEW; fi;; esac"
    )
    box.wrap(other)
    outcome = box.decide(STAGING, b"pending\n", b"approved\n")
    box.unwrap()
    assert len(outcome.commits) == 1
    assert box.subjects() == [TITLE, "Other", "Start"]
    assert box.status() == b""


def test_an_endless_race_is_postponed(box: Sandbox) -> None:
    other = (
        'case "$*" in *update-ref*) '
        "NEW=$($GIT -c user.name=o -c user.email=o commit-tree 'HEAD^{tree}' -p HEAD -m Other); "
        "$GIT update-ref HEAD $NEW;; esac"
    )
    box.wrap(other)
    outcome = box.decide(STAGING, b"pending\n", b"approved\n")
    box.unwrap()
    assert outcome.commits == ()
    assert outcome.postponed is not None
    assert "cannot lock ref 'HEAD'" in outcome.postponed
    assert TITLE not in box.subjects()


def test_a_lock_that_goes_away_is_waited_for(box: Sandbox) -> None:
    lock = box.top / ".git/index.lock"
    lock.touch()
    release = threading.Timer(0.3, lock.unlink)
    release.start()
    outcome = box.decide(STAGING, b"pending\n", b"approved\n", patience=20)
    release.join()
    assert len(outcome.commits) == 1
    assert box.status() == b""


RACER = """
import sys
from pathlib import Path
from dory_tui.history import Repository, Touched
workspace, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
repository = Repository(workspace, patience=30)
print("ready", flush=True)
sys.stdin.readline()
for number in range(rounds):
    path, content = f"{name}-{number}.md", f"{name} {number}\\n".encode()
    (workspace / path).write_bytes(content)
    outcome = repository.commit([Touched(path, None, content)], f"{name} {number}", {})
    assert len(outcome.commits) == 1, outcome
"""


def race(box: Sandbox, names: Sequence[str], rounds: int) -> None:
    command = [sys.executable, "-c", RACER, str(box.workspace)]
    racers = [
        subprocess.Popen([*command, name, str(rounds)], env=box.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in names
    ]
    for racer in racers:
        assert racer.stdout
        assert racer.stdout.readline() == b"ready\n"
    for racer in racers:
        assert racer.stdin
        racer.stdin.write(b"go\n")
        racer.stdin.flush()
    for racer in racers:
        racer.communicate(timeout=120)
        assert racer.returncode == 0


def test_two_processes_that_commit_at_once(box: Sandbox) -> None:
    race(box, ["one", "two"], rounds=5)
    expected = {f"{name} {number}" for name in ("one", "two") for number in range(5)}
    assert sorted(box.subjects()) == sorted({*expected, "Start"})
    assert box.status() == b""
    assert list((box.top / ".git").glob("dory-*")) == []
    assert b"error" not in box.git("fsck", "--strict")
