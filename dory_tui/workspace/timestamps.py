"""Times as the files write them. Pure: the clock and the zone are passed in."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

_DURATION = re.compile(r"([0-9]{1,6})(s|m|h|d)")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?P<offset>[Zz]|[+-]\d{2}:?\d{2})?")


def parse_stamp(day: str, time: str | None) -> datetime | None:
    """A naive local time from `YYYY-MM-DD` and `HH:MM`; None when no such day or time exists."""
    hours, minutes = ("0", "0") if time is None else re.split("[:：]", time)
    try:
        return datetime.fromisoformat(day).replace(hour=int(hours), minute=int(minutes))
    except ValueError:
        return None


def stamp(moment: datetime) -> str:
    """`YYYY-MM-DD HH:MM`, the form of every line dory writes."""
    return moment.strftime("%Y-%m-%d %H:%M")


def parse_instant(text: str) -> datetime:
    """An instant with its offset. ValueError, with a sentence, when naive or not a time."""
    match = _INSTANT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a time such as 2026-12-01T09:00:00-05:00")
    if match["offset"] is None:
        raise ValueError(f"{text!r} has no offset: write it with one, such as {text}Z or {text}+01:00")
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time: {error}") from error


def instant(moment: datetime) -> str:
    """UTC, to the microsecond, as records keep it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_duration(text: str) -> timedelta:
    """`60s`, `15m`, `12h`, `1d`. ValueError, with a sentence, otherwise."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a length of time such as 60s, 15m, 12h or 1d")
    return timedelta(seconds=int(match[1]) * _SECONDS[match[2]])


def age(span: timedelta) -> str:
    """`now`, `4 m`, `2 h`, `3 d`: an age as narrow as a list needs it."""
    seconds = int(span.total_seconds())
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{seconds // 60} m"
    if seconds < 86_400:
        return f"{seconds // 3600} h"
    return f"{seconds // 86_400} d"


def zone(name: str | None) -> tzinfo | None:
    """The workspace's zone; None means the machine's own."""
    if name is None:
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def today(now: datetime, name: str | None) -> date:
    """The workspace's day at `now` (workspace.md, "Days")."""
    return now.astimezone(zone(name)).date()


WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def short_day(day: date) -> str:
    """`29 Nov`."""
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return f"{day.day:>2} {months[day.month - 1]}"


def when(moment: datetime, now: datetime) -> str:
    """`09:00` today, `tomorrow 09:00`, else `2 Dec 09:00`, in the zone of `now`."""
    local = moment.astimezone(now.tzinfo)
    clock = local.strftime("%H:%M")
    days = (local.date() - now.date()).days
    if days == 0:
        return clock
    if days == 1:
        return f"tomorrow {clock}"
    if days == -1:
        return f"yesterday {clock}"
    return f"{short_day(local.date()).strip()} {clock}"
