"""Where each file of a workspace lives, and which workspace this is."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from dory_tui.values import dataclass
from dory_tui.workspace import marks
from dory_tui.workspace.document import WorkspaceError, read_bytes, sync_folder

HOLD, ACTIVE, STAGING, DECISIONS = marks.STATE_FILES
DRAFTS = "state/drafts"
MEMORY, LOGS, IDENTITY = marks.MEMORY, marks.LOGS, marks.IDENTITY
PROMOTIONS = "memory/promotions"
ARCHIVE = "memory/archive"
DORY = ".dory"
MIRROR = ".dory/ledger"
FORMER = "former"
"""In the state folder of a copy: the ids its workspace had before, one a line."""

STATE_FILES, PLATFORM_HOMES = marks.STATE_FILES, marks.PLATFORM_HOMES

_ID = re.compile(r"[0-9a-f]{32}")


def looks_like_workspace(folder: Path) -> bool:
    """Whether a folder met on the way up is a workspace: its id, a state file, or the memory files."""
    return marks.looks_like_workspace(str(folder))


def discover(named: str | None, environment: Mapping[str, str], current: Path) -> Path:
    """The workspace: `-C`, `$DORY_WORKSPACE`, upward from `current`, then the platforms' homes.

    WorkspaceError, with what to do, when there is none or the named one cannot be used.
    """
    for source, value in (("-C", named), ("DORY_WORKSPACE", environment.get("DORY_WORKSPACE"))):
        if value:
            try:
                folder = current / Path(value).expanduser()
            except RuntimeError as error:
                raise WorkspaceError(f"{value} ({source}) names no user's home: write the path out") from error
            return _usable(folder, source)
    if (found := marks.nearest(environment, str(current))) is not None:
        return _usable(Path(found[0]), found[1])
    raise WorkspaceError("no workspace here or above: name one with -C PATH, or make one with `dory -C PATH init`")


def _usable(folder: Path, source: str) -> Path:
    try:
        if not folder.is_dir():
            kind = "is not a folder" if folder.exists() else "does not exist"
            raise WorkspaceError(f"{folder} ({source}) {kind}: name the workspace with -C PATH")
        os.listdir(folder)
    except OSError as error:
        raise WorkspaceError(f"{folder} ({source}) cannot be read ({error.strerror})") from error
    return Path(os.path.realpath(folder))


def inside(root: Path, path: str) -> Path:
    """The file that a workspace-relative path names. WorkspaceError when it leaves the workspace."""
    if not path or path.startswith(("/", "~")) or "\0" in path:
        raise WorkspaceError(f"{path!r} is not a path relative to the workspace")
    file = Path(os.path.realpath(root / path))
    if not file.is_relative_to(os.path.realpath(root)):
        raise WorkspaceError(f"{path} leads out of the workspace")
    return file


def relative(root: Path, file: Path) -> str:
    """A file's path as everything shows it: relative to the workspace, with `/`."""
    return file.relative_to(root).as_posix()


@dataclass(frozen=True, slots=True)
class Identity:
    """Which workspace this is. `stored` is False when the id must be written before the first record."""

    id: str
    stored: bool


def identify(root: Path, state: Path) -> Identity:
    """The workspace's id: its file, else the one the state folder remembers for this path, else a new one.

    Looking never writes. WorkspaceError when the id file holds something else.
    """
    data = read_bytes(root / IDENTITY, IDENTITY)
    if data is not None:
        text = data.decode("ascii", "replace").strip()
        if _ID.fullmatch(text) is None:
            raise WorkspaceError(
                f"{IDENTITY} line 1: this is not a workspace id; restore it with `git checkout HEAD -- {IDENTITY}`"
            )
        return Identity(text, stored=True)
    if (known := _remembered(root, state)) is not None:
        return Identity(known, stored=False)
    return Identity(os.urandom(16).hex(), stored=False)


def _remembered(root: Path, state: Path) -> str | None:
    try:
        folders = sorted(state.iterdir())
    except OSError:
        return None
    for folder in folders:
        if _ID.fullmatch(folder.name) and str(root) in noted_paths(folder):
            return folder.name
    return None


def noted_paths(folder: Path) -> list[str]:
    """Every path at which a workspace was seen, the first one first: a copy must not make the first forgotten."""
    try:
        return (folder / "path").read_text("utf-8", "surrogateescape").split("\n")[:-1]
    except OSError:
        return []


def twin(root: Path, state: Path, identity: Identity) -> str | None:
    """The path, seen before this one, at which a workspace of the same id still is: one of the two is a copy.

    None for the first of them, and where every earlier one is gone: that workspace was moved.
    """
    for path in noted_paths(state / identity.id):
        if path == str(root):
            return None
        try:
            if (Path(path) / IDENTITY).read_bytes().strip() == identity.id.encode("ascii"):
                return path
        except OSError:
            continue
    return None


def moved(root: Path, state: Path, identity: Identity) -> None:
    """A human says that this path is the workspace now: the notes of all others are dropped. OSError on failure."""
    _note_paths(state / identity.id, [str(root)])


def copied(root: Path, state: Path, identity: Identity) -> Identity:
    """A human says that this is a copy: it gets an id of its own, and its mirror is known to be of the former one.

    No yes goes along; every no of the mirror still counts. OSError on failure.
    """
    fresh = Identity(os.urandom(16).hex(), stored=True)
    folder = state / fresh.id
    folder.mkdir(parents=True, mode=0o700)
    former = [*former_ids(state / identity.id), identity.id]
    (folder / FORMER).write_text("".join(f"{one}\n" for one in former), "ascii")
    _note_paths(folder, [str(root)])
    temporary = root / f"{IDENTITY}.new"
    with temporary.open("wb") as handle:
        handle.write(f"{fresh.id}\n".encode("ascii"))
        handle.flush()
        os.fsync(handle.fileno())
    temporary.rename(root / IDENTITY)
    sync_folder(root / DORY)
    kept = [path for path in noted_paths(state / identity.id) if path != str(root)]
    _note_paths(state / identity.id, kept)
    return fresh


def former_ids(folder: Path) -> tuple[str, ...]:
    """The ids that a workspace had before it was said to be a copy, out of its state folder."""
    try:
        lines = (folder / FORMER).read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(line for line in lines if _ID.fullmatch(line))


def _note_paths(folder: Path, paths: list[str]) -> None:
    temporary = folder / f"path.{os.getpid()}"
    with temporary.open("w", encoding="utf-8", errors="surrogateescape") as note:
        note.write("".join(f"{path}\n" for path in paths))
        note.flush()
        os.fsync(note.fileno())
    temporary.rename(folder / "path")
    sync_folder(folder)


def _write_once(file: Path, data: bytes) -> None:
    """Two processes may both be the first: whoever comes second must not give the workspace another id."""
    try:
        with file.open("xb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
    except FileExistsError:
        if file.read_bytes() != data:
            raise WorkspaceError(f"{IDENTITY} was written by another process just now: try again") from None


def remember(root: Path, state: Path, identity: Identity) -> bool:
    """Write what is missing of the id file, `.gitattributes` and the state folder's note of the path.

    Returns whether the id file was written. OSError when a write fails.
    """
    folder = state / identity.id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if str(root) not in noted_paths(folder):
        with (folder / "path").open("a", encoding="utf-8", errors="surrogateescape") as note:
            note.write(f"{root}\n")
        sync_folder(folder)
    if identity.stored and (root / DORY / ".gitattributes").exists():
        return False
    (root / DORY).mkdir(exist_ok=True)
    attributes = root / DORY / ".gitattributes"
    if not attributes.exists():
        attributes.write_text("** -text\n", "utf-8")
    if not identity.stored:
        _write_once(root / IDENTITY, f"{identity.id}\n".encode("ascii"))
    sync_folder(root / DORY)
    return True
