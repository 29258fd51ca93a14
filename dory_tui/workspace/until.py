"""Holds that name their own end (`until: 2026-03-10`), and when a hold is stale (memory.md, "Upkeep"). Pure."""

from __future__ import annotations

import re
from datetime import date

from dory_tui.workspace import dates

STALE_DAYS = 14
_UNTIL = re.compile(r"(?<![\w-])until\b\s*[:：]?\s*(?:the\s+)?", re.IGNORECASE)


def until(words: str, since: date) -> date | None:
    """The day that a hold's words hold it until, that day included; None where they name none.

    `since` is the day of the hold: a day without a year is the next one of that name from then on.
    """
    for match in _UNTIL.finditer(words):
        rest = words[match.end() :].lstrip("*_`[( ")
        for year in (since.year, since.year + 1):
            found = dates.find(rest, year)
            if found is not None and found.start == 0 and (found.day >= since or str(found.day.year) in rest):
                return found.day
    return None


def stale(words: str, since: date | None, today: date) -> str | None:
    """Why a hold should be looked at again, in a few words; None when it should not, or its day is not known."""
    end = until(words, since or today)
    if end is not None:
        return f"its `until` of {end} has passed" if today > end else None
    if since is None or (today - since).days < STALE_DAYS:
        return None
    return f"it is {(today - since).days} days old and names no `until: DATE`"
