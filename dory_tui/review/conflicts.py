"""Where the files of a workspace contradict each other, in their order of precedence (workspace.md). Pure."""

from __future__ import annotations

from dory_tui.gate.covering import words
from dory_tui.review.desk import Desk
from dory_tui.visible import cut
from dory_tui.workspace.entries import Task
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.layout import ACTIVE, HOLD

_SHOWN = 60


def conflicts(desk: Desk) -> tuple[str, ...]:
    """A sentence for each task that is on and each hold that blocks what it asks for. HOLD comes before ACTIVE."""
    found = []
    for task in desk.tasks:
        if task.over:
            continue
        for view in desk.holds:
            if asks_for(task, view.hold):
                held = cut(view.hold.subject, _SHOWN)
                first = cut(task.said.partition("\n")[0], _SHOWN)
                line = f" line {view.hold.line}" if view.hold.line else ""
                found.append(
                    f"ACTIVE asks for what HOLD blocks: “{held}” ({HOLD}{line}) comes before “{first}”"
                    f" ({ACTIVE} line {task.line})"
                )
    return tuple(found)


def asks_for(task: Task, hold: Hold) -> bool:
    """Whether a task's words share a hold's subject: at least two of its words and half of them, or its only one.

    Stricter than covering, where one word is enough to hold a draft: nothing is held here, it is only said. A passage
    that holds everything for want of a form is not about the task, and shown elsewhere.
    """
    if hold.kind in ("file", "text"):
        return False
    if hold.over_all:
        return True
    subject = _plain(words(hold.subject))
    shared = subject & words(f"{task.said} {task.interpretation}")
    enough = min(2, len(subject))
    return bool(subject) and len(shared) >= enough and 2 * len(shared) >= len(subject)


def _plain(found: frozenset[str]) -> frozenset[str]:
    """Words without the plurals that stand beside their singular, so that each counts once."""
    return frozenset(word for word in found if not (word.endswith("s") and ({word[:-1], word[:-2]} & found)))
