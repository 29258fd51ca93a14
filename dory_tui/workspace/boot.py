"""The boot line: one line that proves the state files were read (workspace.md). Pure."""

from __future__ import annotations

import re

from dory_tui.values import dataclass
from dory_tui.visible import cut, visible_line

TASK_CELLS = 40
# Compiled when it is asked for: each start of a session writes such a line, and few read one.
_LINE = (
    r"Boot:\s*ACTIVE=\[(?P<active>[^\r\n]*)\]\s*\|\s*HOLD=\[(?P<hold>[^\]\r\n]*)\]\s*items?\s*"
    r"\|\s*STAGING=\[(?P<staging>[^\]\r\n]*)\]\s*drafts?\b"
)


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


@dataclass(frozen=True, slots=True)
class Said:
    """What a boot line says, part by part, as it stands in its brackets."""

    active: str
    hold: str
    staging: str


def find_boot_line(text: str) -> Said | None:
    """The first boot line in a text, whatever stands around it on its line; None when there is none."""
    match = re.search(_LINE, text)
    if match is None:
        return None
    return Said(*(match[name].strip() for name in ("active", "hold", "staging")))


def differences(said: Said, truth: Said) -> tuple[str, ...]:
    """A sentence for each part that says something else; empty when all three say the same."""
    found = []
    for name in ("active", "hold", "staging"):
        was, is_ = getattr(said, name), getattr(truth, name)
        if was != is_:
            found.append(f"{name.upper()} says [{visible_line(was)}], and it should be [{visible_line(is_)}]")
    return tuple(found)
