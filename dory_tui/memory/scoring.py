"""The four scores and the verdict (memory.md, "Scores"). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from dory_tui.values import dataclass
from dory_tui.workspace.promotions import AXES

ENOUGH = 8
ENOUGH_WITH_TOP = 6
TOP = 3

MEANINGS: Mapping[str, tuple[str, str, str, str]] = {
    "longevity": ("gone tomorrow", "weeks", "months", "years"),
    "reuse": ("one-off", "occasional", "frequent", "every session"),
    "impact": ("trivial", "nice to know", "changes outputs", "changes decisions"),
    "uniqueness": ("obvious", "slightly helpful", "hard to rederive", "impossible without"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The total (0 to 12), whether it earns a place in MEMORY.md, and why in a few words."""

    total: int
    promote: bool
    reason: str


def verdict(scores: Mapping[str, int]) -> Verdict:
    """Promoted when the total is at least 8, or any axis is 3 and the total is at least 6.

    `scores` has all four axes, 0 to 3 each; ValueError otherwise.
    """
    if set(scores) != set(AXES) or any(not 0 <= value <= TOP for value in scores.values()):
        raise ValueError(f"four scores of 0 to 3 are needed: {', '.join(AXES)}")
    total = sum(scores.values())
    if total >= ENOUGH:
        return Verdict(total, True, f"{total} is at least {ENOUGH}")
    top = next((axis for axis in AXES if scores[axis] == TOP), None)
    if top is not None and total >= ENOUGH_WITH_TOP:
        return Verdict(total, True, f"{top} is {TOP} and {total} is at least {ENOUGH_WITH_TOP}")
    if top is not None:
        return Verdict(total, False, f"{total} is below {ENOUGH_WITH_TOP}, even with {top} at {TOP}")
    if total >= ENOUGH_WITH_TOP:
        return Verdict(total, False, f"{total} is below {ENOUGH}, and no axis is {TOP}")
    return Verdict(total, False, f"{total} is below {ENOUGH}")


def flow(scores: Mapping[str, int]) -> str:
    """`{longevity: 3, reuse: 2, impact: 2, uniqueness: 1}`, as front matter carries it."""
    return "{" + ", ".join(f"{axis}: {scores[axis]}" for axis in AXES) + "}"
