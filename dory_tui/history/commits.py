"""Commits of given bytes at given paths, made beside everything else that is going on.

Content goes in from memory through an index of its own, so that nothing others staged, changed or
write meanwhile comes along. HEAD then moves by compare-and-swap while `index.lock` is held, and
the real index's entries of these paths follow under the same lock: a `git commit` of somebody
else in between would otherwise put the old content back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from dory_tui.history.git import CannotError, FailedError
from dory_tui.history.place import Entry, Place

AS_FOUND = "As found before the review"
_LOOK_BACK = 50  # commits of the same files
_REGULAR = ("100644", "100755")


@dataclass(frozen=True)
class Touched:
    """One file that a decision changed; `path` is relative to the workspace, with slashes."""

    path: str
    before: bytes | None  # what was read just before the write; None: there was no file
    after: bytes | None  # what was written; None: the file was removed
    own: bool = False  # dory's own bookkeeping: whatever stood there before is nobody's edit, and `before` is not asked


@dataclass(frozen=True)
class Commit:
    """A commit that was made."""

    sha: str
    subject: str


@dataclass(frozen=True)
class Request:
    """What to commit: files by git's path, the subject, the whole message, and who and when."""

    files: Mapping[str, Touched]
    subject: str
    message: bytes
    identity: Mapping[str, str]  # GIT_AUTHOR_NAME and its like
    ignore_case: bool  # core.ignorecase
    trust_mode: bool  # core.filemode


@dataclass(frozen=True)
class _Blobs:
    """The touched paths' blobs in HEAD, as found and as decided; None where there is no file."""

    modes: Mapping[str, str]
    head: Mapping[str, str | None]
    found: Mapping[str, str | None]
    decided: Mapping[str, str | None]


class LostRaceError(CannotError):
    """HEAD did not move: another commit was faster, or a lock was held. Worth another attempt."""


def attempt(place: Place, request: Request, patience: float) -> tuple[Commit, ...]:
    """Commit on the present HEAD, oldest first; empty when nothing would change.

    Raises LostRaceError, and CannotError for what another attempt would not help.
    """
    _, old = place.head()
    # Beside the index, since the new one is renamed into its place.
    with TemporaryDirectory(prefix="dory-", dir=place.index.parent) as name:
        scratch = Path(name)
        base = scratch / "base"
        place.run("read-tree", old or "--empty", index=base)
        blobs = _hashed(place, request, scratch)
        if old and blobs.found != blobs.head:
            blobs = _without_superseded(place, blobs, old)
        commits = _committed(place, request, blobs, base, old)
        if commits:
            with place.index_lock(patience):
                prepared = _prepared_index(place, scratch / "index", blobs)
                with _index_first(place, prepared, scratch / "kept"):
                    _move_head(place, commits[-1], old, request.identity)
    return commits


def _hashed(place: Place, request: Request, scratch: Path) -> _Blobs:
    """Write the blobs as `git add` would, with HEAD as the index.

    Not `hash-object --path`: it knows no index, and where line ends are automatic it would convert
    those of a file that is in HEAD with CRLF, which `git add` leaves alone.
    """
    index = scratch / "hashing"
    shutil.copy2(scratch / "base", index)
    held = place.entries(request.files, index, ignore_case=request.ignore_case)
    spelled = {path.casefold(): path for path in held}
    files = {
        path if path in held else spelled.get(path.casefold(), path): touched for path, touched in request.files.items()
    }
    entries = {path: held.get(path) for path in files}
    modes = {}
    for path, entry in entries.items():
        executable = request.trust_mode and _executable(place.top / path)
        fresh = "100755" if executable else "100644"
        modes[path] = entry.mode if entry and entry.mode in _REGULAR else fresh
    head = {path: entry.sha if entry else None for path, entry in entries.items()}
    before = {path: touched.before for path, touched in files.items() if not touched.own}
    after = {path: touched.after for path, touched in files.items()}
    # Usually nothing was changed before, which git need not be asked: it is what HEAD holds to the byte.
    same = all((None if content is None else place.blob(content)) == head[path] for path, content in before.items())
    found = head if same else {**head, **_added(place, index, scratch / "before", before)}
    return _Blobs(modes, head, found, _added(place, index, scratch / "after", after))


def _executable(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & 0o100)


def _added(place: Place, index: Path, tree: Path, contents: Mapping[str, bytes | None]) -> dict[str, str | None]:
    """Add these contents to the index from a work tree of their own; the blobs they became."""
    tree.mkdir()
    for path in contents:
        for folder in Path(path).parents:  # what decides about line ends and filters
            rules = place.top / folder / ".gitattributes"
            if rules.is_file() and not rules.is_symlink():
                (tree / folder).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(rules, tree / folder / ".gitattributes")
    for path, content in contents.items():
        if content is None:
            (tree / path).unlink(missing_ok=True)  # rules that are removed themselves
        else:
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(content)
    listed = b"".join(os.fsencode(path) + b"\0" for path in contents)
    take = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"]
    place.run(*take, stdin=listed, index=index, tree=tree)
    entries = place.entries(contents, index)
    return {path: entry.sha if (entry := entries.get(path)) else None for path in contents}


def _without_superseded(place: Place, blobs: _Blobs, old: str) -> _Blobs:
    """Leave out paths whose very change is in the log already, with others on top of it.

    So it is when two reviews wrote the same file and the later one committed first, with the
    earlier one's bytes "as found": to commit them again would go back and forth.
    """
    ahead = [path for path, sha in blobs.found.items() if sha != blobs.head[path]]
    specs = [f":(literal){path}" for path in ahead]
    shown = ["log", f"--max-count={_LOOK_BACK}", "--format=", "--raw", "--no-abbrev", "-z", "--root"]
    quiet = ["--no-renames", "--no-show-signature", "--no-color"]
    fields = place.run(*shown, *quiet, old, "--", *specs).split(b"\0")
    none = place.no_object()
    recorded = set()
    for facts, path in pairwise(fields):  # ":mode mode blob blob letter", the path, and so on
        if facts.startswith(b":"):
            recorded.add((os.fsdecode(path), *os.fsdecode(facts).split()[2:4]))
    change = {path: (path, blobs.found[path] or none, blobs.decided[path] or none) for path in ahead}
    kept = [path for path in blobs.modes if change.get(path) not in recorded]
    head, found, decided = ({path: side[path] for path in kept} for side in (blobs.head, blobs.found, blobs.decided))
    return _Blobs(blobs.modes, head, found, decided)


def _committed(place: Place, request: Request, blobs: _Blobs, base: Path, old: str | None) -> tuple[Commit, ...]:
    """Write what was found and what was decided, each as a commit unless it changes nothing."""
    commits: list[Commit] = []
    steps = [
        (AS_FOUND, f"{AS_FOUND}\n".encode(), blobs.head, blobs.found),
        (request.subject, request.message, blobs.found, blobs.decided),
    ]
    for subject, message, earlier, later in steps:
        changed = {path: sha for path, sha in later.items() if sha != earlier[path]}
        if not changed:
            continue
        _enter(place, base, [(blobs.modes[path], sha, path) for path, sha in changed.items()])
        tree = place.run("write-tree", index=base).decode().strip()
        parent = commits[-1].sha if commits else old
        line = ["commit-tree", "--no-gpg-sign", tree, *(["-p", parent] if parent else [])]
        sha = place.run(*line, stdin=message, extra=request.identity).decode().strip()
        commits.append(Commit(sha, subject))
    return tuple(commits)


def _enter(place: Place, index: Path, entries: Sequence[tuple[str, str | None, str]]) -> None:
    """Set (mode, blob, path) in the index; without a blob the path is removed."""
    lines = b"".join(
        f"{mode if sha else 0} {sha or place.no_object()}\t".encode() + os.fsencode(path) + b"\0"
        for mode, sha, path in entries
    )
    place.run("update-index", "-z", "--index-info", stdin=lines, index=index)


def _prepared_index(place: Place, copy: Path, blobs: _Blobs) -> Path | None:
    """A copy of the real index in which the touched paths hold what was decided.

    An entry with content of its own, which the user staged, stays. None: nothing to change.
    """
    present = place.entries(blobs.head)
    updates: list[tuple[str, str | None, str]] = []
    flags: dict[str, list[str]] = {"--skip-worktree": [], "--assume-unchanged": []}
    for path, decided in blobs.decided.items():
        entry = present.get(path)
        if path in present and entry is None:
            continue  # a conflict is the user's to resolve
        expected = {blobs.head[path], blobs.found[path]}
        sha = entry.sha if entry else None
        announced = blobs.head[path] is None and sha == place.blob(b"")  # git add --intent-to-add
        if not announced and (sha == decided or sha not in expected):
            continue
        updates.append((_mode(entry, blobs.modes[path]), decided, path))
        if entry and decided:
            if entry.tag in "Ss":
                flags["--skip-worktree"].append(path)
            if entry.tag.islower():
                flags["--assume-unchanged"].append(path)
    if not updates:
        return None
    if place.index.exists():
        # With its time: git compares it with the files' to tell which it has to read again.
        shutil.copy2(place.index, copy)
    _enter(place, copy, updates)
    for flag, paths in flags.items():
        if paths:
            listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
            place.run("update-index", flag, "-z", "--stdin", stdin=listed, index=copy)
    return copy


def _mode(entry: Entry | None, otherwise: str) -> str:
    """The mode the user gave the entry, if it is a file's."""
    return entry.mode if entry and entry.mode in _REGULAR else otherwise


@contextmanager
def _index_first(place: Place, prepared: Path | None, kept: Path) -> Iterator[None]:
    """The new index in place before HEAD moves, and the old one back when it did not.

    Killed in between, the index then holds the decision that HEAD lacks; the other way round it would hold what the
    decision replaced, and the next commit of the user would take the decision back.
    """
    if prepared is None:
        yield
        return
    there = place.index.exists()
    if there:
        shutil.copy2(place.index, kept)
    prepared.replace(place.index)
    try:
        yield
    except BaseException:
        if there:
            kept.replace(place.index)
        else:
            place.index.unlink()
        raise


def _move_head(place: Place, last: Commit, old: str | None, identity: Mapping[str, str]) -> None:
    """Point the branch to the commit if it still points where it did."""
    reason = f"commit: {last.subject}"
    try:
        place.run("update-ref", "-m", reason, "HEAD", last.sha, old or "", extra=identity)
    except FailedError as error:
        raise LostRaceError(error.readiness, error.sentence) from error
