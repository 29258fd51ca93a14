"""Days on which the workspace was committed to and no log was written (memory.md, "The day's log")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.review.change import local
from dory_tui.workspace.logs import Log

BACK = 30
"""How many days back they are looked for."""


def without_log(gate: Gate, logs: Iterable[Log]) -> Mapping[date, int]:
    """How many commits each such day has, the last `BACK` days before today. Asks git, so not in the loop of a screen.

    Days are the workspace's.
    """
    now = local(gate)
    first = now.date() - timedelta(days=BACK)
    # Git asks when a commit was applied, which may be later than the day it was made, and the zone's day begins apart.
    made = Repository(gate.root, gate.environment).moments(now - timedelta(days=BACK + 1))
    days = Counter(when.astimezone(now.tzinfo).date() for when in made)
    logged = {log.day for log in logs}
    return {day: count for day, count in days.items() if first <= day < now.date() and day not in logged}
