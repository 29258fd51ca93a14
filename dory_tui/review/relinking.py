"""Which files of a workspace lead to logs that moved to the archive, and how their links are turned."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from dory_tui.memory.archive import place
from dory_tui.memory.links import Moved, named, relinked
from dory_tui.workspace import layout, logs
from dory_tui.workspace.document import WorkspaceError, read_bytes

Turn = Callable[[bytes | None], bytes]


def went(root: Path, moves: Mapping[str, str]) -> Moved:
    """Where a log of a path is or goes, in this archiving (`moves`) or an earlier one."""
    return lambda path: moves.get(path) or moved_to(root, path)


def moved_to(root: Path, path: str) -> str | None:
    """Where in the archive a log lies that is not at this path any more; None when it is, or is nowhere."""
    if not path.startswith(f"{layout.LOGS}/") or path.startswith((f"{layout.ARCHIVE}/", f"{layout.PROMOTIONS}/")):
        return None
    if logs.day_of(posixpath.basename(path)) is None or (root / path).exists():
        return None
    there = place(path, lambda _: False)
    return there if (root / there).is_file() else None


def turns(root: Path, moved: Moved, but: Collection[str]) -> dict[str, Turn]:
    """Path → what turns its links, for every file with links to turn but those of `but` and drafts."""
    found: dict[str, Turn] = {}
    for path in markdown(root):
        if path in but or path.startswith(f"{layout.DRAFTS}/"):
            continue
        with suppress(WorkspaceError):
            data = read_bytes(root / path, path) or b""
            if any(logs.day_of(name) is not None for name in named(data)):
                turn = _turn(root, path, moved)
                if turn(data) != data:
                    found[path] = turn
    return found


def _turn(root: Path, path: str, moved: Moved) -> Turn:
    return lambda data: relinked(data or b"", path, path, moved, lambda one: (root / one).exists())


def moved_bytes(root: Path, data: bytes, old: str, new: str, moved: Moved) -> bytes:
    """A log's bytes as they are in its new place."""
    return relinked(data, old, new, moved, lambda path: (root / path).exists())


def markdown(root: Path) -> Iterator[str]:
    """Every Markdown file that stands at the top, in state/ or in memory/; links to other files are left out."""
    for folder in (root, *_folders(root / "state"), *_folders(root / layout.LOGS)):
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                file = folder / name
                if name.endswith(".md") and not name.startswith(".") and file.is_file() and not file.is_symlink():
                    yield layout.relative(root, file)


def _folders(folder: Path) -> Iterator[Path]:
    for here, inner, _ in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        yield Path(here)
