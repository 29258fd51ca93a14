"""The repository around a workspace: where it lies, what HEAD and the index hold, what is going on.

Paths of files are relative to the top of the work tree, with slashes, as git names them.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dory_tui.history.git import CannotError, FailedError, Git, Readiness

_UNDER_WAY = {
    Readiness.MERGING: "A merge",
    Readiness.REBASING: "A rebase",
    Readiness.CHERRY_PICKING: "A cherry-pick",
    Readiness.REVERTING: "A revert",
    Readiness.BISECTING: "A bisect",
}
_HEADS = {
    "MERGE_HEAD": Readiness.MERGING,
    "CHERRY_PICK_HEAD": Readiness.CHERRY_PICKING,
    "REVERT_HEAD": Readiness.REVERTING,
}


@dataclass(frozen=True)
class Entry:
    """What an index holds for a path; `tag` is the letter of `git ls-files -v`."""

    mode: str
    sha: str
    tag: str


@dataclass(frozen=True)
class Place:
    """A work tree and its git directory; `index` has its symlinks followed."""

    git: Git
    top: Path
    git_dir: Path
    index: Path
    hashing: str  # "sha1" or "sha256"

    @property
    def lock(self) -> Path:
        return self.index.with_name(self.index.name + ".lock")

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        index: Path | None = None,
        tree: Path | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git here, with another index or work tree where given."""
        there = {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(tree or self.top)}
        if index:
            there["GIT_INDEX_FILE"] = str(index)
        cwd = tree or self.top
        return self.git.run(*arguments, cwd=cwd, stdin=stdin, extra={**there, **(extra or {})})

    def head(self) -> tuple[str, str | None]:
        """The branch and its commit (None: unborn); CannotError when HEAD must not move now."""
        asked = "".join(f"{name}\n" for name in ["HEAD", *_HEADS]).encode()
        # Asked of git, not of files: a repository with reftables keeps these names elsewhere.
        answers = self.run("cat-file", "--batch-check", stdin=asked).decode().splitlines()
        shas = [line.split()[0] if " commit " in line else None for line in answers]
        held = [state for state, sha in zip(_HEADS.values(), shas[1:], strict=True) if sha]
        state = self._unfinished() or next(iter(held), None)
        if state:
            sentence = f"{_UNDER_WAY[state]} is under way: finish or abort it to have commits."
            raise CannotError(state, sentence)
        try:
            branch = os.fsdecode(self.run("symbolic-ref", "-q", "HEAD")).strip()
        except FailedError as error:
            sentence = "HEAD is detached: check out a branch to have commits."
            raise CannotError(Readiness.DETACHED, sentence) from error
        return branch.removeprefix("refs/heads/"), shas[0]

    def _unfinished(self) -> Readiness | None:
        if any((self.git_dir / name).exists() for name in ("rebase-merge", "rebase-apply")):
            return Readiness.REBASING
        if (self.git_dir / "BISECT_LOG").exists():
            return Readiness.BISECTING
        todo = self.git_dir / "sequencer/todo"  # more than one pick, and the present one is done
        if todo.exists():
            reverting = todo.read_bytes().startswith(b"revert")
            return Readiness.REVERTING if reverting else Readiness.CHERRY_PICKING
        return None

    def no_object(self) -> str:
        """The object name that stands for none."""
        return "0" * (2 * hashlib.new(self.hashing).digest_size)

    def blob(self, content: bytes) -> str:
        """The name of a file with this content, as it is."""
        return hashlib.new(self.hashing, b"blob %d\0" % len(content) + content).hexdigest()

    def entries(
        self, paths: Iterable[str], index: Path | None = None, *, ignore_case: bool = False
    ) -> dict[str, Entry | None]:
        """The index's entries of these paths; None where it holds a conflict."""
        magic = "icase,literal" if ignore_case else "literal"
        specs = [f":({magic}){path}" for path in paths]
        listed = self.run("ls-files", "-s", "-v", "-z", "--", *specs, index=index)
        entries: dict[str, Entry | None] = {}
        for line in os.fsdecode(listed).split("\0")[:-1]:
            facts, _, path = line.partition("\t")
            tag, mode, sha, stage = facts.split(" ")
            entries[path] = Entry(mode, sha, tag) if stage == "0" else None
        return entries

    def locked(self) -> CannotError:
        sentence = (
            f"Another git is at work here: {self.lock} exists. Wait for it, or remove that file if no git is running."
        )
        return CannotError(Readiness.LOCKED, sentence)

    @contextmanager
    def index_lock(self, patience: float) -> Iterator[None]:
        """Hold the index as git does, so that no other git stages or commits meanwhile."""
        deadline = time.monotonic() + patience
        while True:
            try:
                os.close(os.open(self.lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
                break
            except FileExistsError:
                if time.monotonic() >= deadline:
                    raise self.locked() from None
                time.sleep(0.01)
        try:
            yield
        finally:
            self.lock.unlink(missing_ok=True)

    def located(self, home: Path, paths: Sequence[str]) -> dict[str, str | None]:
        """Workspace paths and what git calls them, symlinks followed; None: not of this one."""
        return {path: self._name(home, path) for path in paths}

    def _name(self, home: Path, path: str) -> str | None:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts:
            return None
        file = home / pure
        # A removed file's last part cannot be followed any more; its folder can.
        real = file.resolve() if file.is_symlink() else file.parent.resolve() / file.name
        if not real.is_relative_to(self.top) or real == self.top:
            return None
        name = real.relative_to(self.top)
        inner = list(name.parents)[:-1]
        nested = any((self.top / folder / ".git").exists() for folder in inner)
        inside_git = any(part.casefold() == ".git" for part in name.parts)
        return None if nested or inside_git else name.as_posix()


def find(git: Git, home: Path) -> Place:
    """The place around a folder (its real path); CannotError where there is none to use."""
    asked = ("--absolute-git-dir", "--git-path", "index", "--show-toplevel", "--show-object-format")
    try:
        answer = git.run("rev-parse", *asked, cwd=home)
    except FailedError as error:
        if "not a git repository (or any" in error.stderr or "work tree" in error.stderr:
            sentence = "The workspace is in no git repository: `git init` there starts one."
            raise CannotError(Readiness.NO_REPOSITORY, sentence) from error
        hint = ""
        if "safe.directory" in error.stderr or "unsafe repository" in error.stderr:
            hint = f" If it is yours: `git config --global --add safe.directory {home}`."
        sentence = f"Git refuses this repository: {error.line}.{hint}"
        raise CannotError(Readiness.REFUSED, sentence) from error
    git_dir, index, top, hashing = os.fsdecode(answer).removesuffix("\n").split("\n")
    return Place(git, Path(top), Path(git_dir), (home / index).resolve(), hashing)
