"""Daily logs and the archive: which files there are, and the day each belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from dory_tui.values import dataclass
from dory_tui.workspace.layout import ARCHIVE, LOGS

_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class Log:
    """One log file. `path` is relative to the workspace, `size` in bytes."""

    day: date
    path: str
    size: int
    archived: bool


def day_of(name: str) -> date | None:
    """The day a file name carries: `2026-02-14.md`, `2026-02-14-1322.md`, `2026-02-14-topic.md`."""
    match = _DAY.search(name)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def list_logs(root: Path) -> list[Log]:
    """Every dated log, newest day first, the archive included; within a day by name."""
    found = [
        Log(day, path, size, path.startswith(f"{ARCHIVE}/"))
        for path, size in _markdown(root / LOGS, LOGS)
        if (day := day_of(path.rpartition("/")[2])) is not None and not path.startswith(f"{LOGS}/promotions/")
    ]
    return sorted(found, key=lambda log: (-log.day.toordinal(), log.archived, log.path))


def _markdown(folder: Path, prefix: str) -> Iterator[tuple[str, int]]:
    """(path, size) of every regular `.md` file below a folder, links to folders not followed."""
    try:
        with os.scandir(folder) as listing:
            found = sorted(listing, key=lambda item: item.name)
    except OSError:
        return
    for item in found:
        if item.name.startswith("."):
            continue
        try:
            if item.is_dir(follow_symlinks=False):
                yield from _markdown(Path(item.path), f"{prefix}/{item.name}")
            elif item.name.endswith(".md") and item.is_file():
                yield f"{prefix}/{item.name}", item.stat().st_size
        except OSError:
            continue
