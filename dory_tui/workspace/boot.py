"""The boot line: one line that proves the state files were read (workspace.md). Pure."""

from __future__ import annotations

import re

from dory_tui.visible import cut, visible_line

TASK_CELLS = 40


def boot_line(task: str | None, holds: int | None, drafts: int | None) -> str:
    """The status line, byte for byte.

    `task` is the user's words, "" for no task; `holds` and `drafts` are counts of open holds and of drafts that
    need a yes. None stands for what cannot be read or recognised and is written `?`.
    """
    first = "?" if task is None else _first_line(task) or "none"
    return (
        f"📋 Boot: ACTIVE=[{first}]"
        f" | HOLD=[{_count(holds)}] {'item' if holds == 1 else 'items'}"
        f" | STAGING=[{_count(drafts)}] {'draft' if drafts == 1 else 'drafts'}"
    )


def _first_line(task: str) -> str:
    line = next((part for part in re.split("[\r\n]+", task) if part.strip()), "")
    return cut(visible_line(line.strip()), TASK_CELLS)


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)
