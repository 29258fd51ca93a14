"""Which files are searched, and what tells without opening them that one changed. Nothing is read here."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from dory_tui.ledger import records
from dory_tui.values import dataclass
from dory_tui.workspace.layout import LOGS, MEMORY, MIRROR, PROMOTIONS
from dory_tui.workspace.logs import Found, markdown

STATE = "state"
LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is still searched: a log is some kilobytes."""
_NOTED = tuple(f"-{event}.json" for event in (records.REJECTED, records.CHANGES, records.DISCARDED))
"""The records of the ledger in which a human may have left a note."""

Stat = tuple[int, int, int, int]
"""Size in bytes, time of writing and of the last change in nanoseconds, and inode."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that are searched, by path relative to the workspace, and a sentence for each that cannot be."""

    files: dict[str, Stat]
    left_out: tuple[str, ...]


def listing(root: Path) -> Listing:
    """MEMORY.md, state files and drafts, logs and the archive, promotions, and the ledger's notes."""
    files: dict[str, Stat] = {}
    left_out: list[str] = []
    found = [*_memory(root), *_notes(root)]
    for folder in (STATE, LOGS, PROMOTIONS):
        found += markdown(root / folder, folder)
    for path, held, link in found:
        if link or held.st_size > LARGEST or not path.isascii():
            sentence = _refused(root, path, held.st_size, link)
            if sentence:
                left_out.append(sentence)
                continue
        files[path] = (held.st_size, held.st_mtime_ns, held.st_ctime_ns, held.st_ino)
    return Listing(files, tuple(left_out))


def _memory(root: Path) -> Iterator[Found]:
    try:
        held = (root / MEMORY).stat()
        if stat.S_ISREG(held.st_mode):
            yield MEMORY, held, (root / MEMORY).is_symlink()
    except OSError:
        return


def _notes(root: Path) -> Iterator[Found]:
    """The records that may have a note, in the ledger's copy in the workspace."""
    try:
        keys = sorted(os.listdir(root / MIRROR))
    except OSError:
        return
    for key in keys:
        try:
            with os.scandir(root / MIRROR / key) as items:
                yield from (
                    (f"{MIRROR}/{key}/{item.name}", item.stat(), False)
                    for item in sorted(items, key=lambda item: item.name)
                    if item.name.endswith(_NOTED) and item.is_file(follow_symlinks=False)
                )
        except OSError:
            continue


def _refused(root: Path, path: str, size: int, link: bool) -> str | None:
    """Why a file is not searched; None when it is."""
    if size > LARGEST:
        return f"{path} is larger than {LARGEST // 1024 // 1024} MB, so it is not searched: split it"
    if path.encode("utf-8", "replace") != path.encode("utf-8", "surrogateescape"):
        return f"{path} has a name that is not UTF-8, so it is not searched: rename it"
    if link and not Path(os.path.realpath(root / path)).is_relative_to(os.path.realpath(root)):
        return f"{path} leads out of the workspace, so it is not searched"
    return None
