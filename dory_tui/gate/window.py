"""When a yes may be used: its window, and how far apart its lane starts things (gate.md, invariants 8 and 9). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from dory_tui.gate.action import YES_HOLDS
from dory_tui.workspace.timestamps import parse_instant

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any


def apart(data: Mapping[str, Any], policy: timedelta = timedelta(0)) -> timedelta:
    """How far apart the starts in an approval's lane must be: a draft can only tighten the policy."""
    return max(policy, timedelta(seconds=int(data.get("min_interval_s") or 0)))


def window(
    data: Mapping[str, Any], given: datetime, starts: Sequence[datetime] = (), interval: timedelta = timedelta(0)
) -> tuple[datetime | None, datetime, datetime | None]:
    """(not before, end, latest on-time start) of an approval's data; `given` is when the yes was said.

    A yes said after the time itself is on time for as long as the grace from then on: else no yes to a missed item
    could let it run. A start in its lane puts the moment off by `interval` (invariant 9), but only while it could
    still have started: what was missed by then stays missed, or one start after a week away would bring all back.
    """
    start = parse_instant(data["not_before"]) if data.get("not_before") else None
    end = parse_instant(data["expires"]) if data.get("expires") else given + YES_HOLDS
    if start is None:
        return None, end, None
    grace = timedelta(seconds=int(data["grace_s"]))
    moment = max(start, given)
    for one in sorted(starts):
        if one > moment + grace:
            break
        moment = max(moment, one + interval)
    return start, end, moment + grace


def span(length: timedelta) -> str:
    """`20 m`, `1 h`, `90 s`: a length of time in the largest unit that it is a whole number of."""
    seconds = int(length.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
