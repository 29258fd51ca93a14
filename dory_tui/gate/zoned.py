"""Times in a draft's schedule: an instant with its offset, or a local time with the name of its zone. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from dory_tui.workspace.timestamps import parse_instant

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_LOCAL = re.compile(
    r"(?P<time>\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2})?) +"
    r"(?P<zone>[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*)"
)


def moment(text: str) -> datetime:
    """An instant out of `2026-12-01T09:00:00-05:00` or `2026-12-01T09:00:00 America/New_York`.

    ValueError, with a sentence, for a time without offset and zone, in an unknown zone, or one that the zone's clocks
    never show or show twice: the sentence then has both readings.
    """
    match = _LOCAL.fullmatch(text)
    if match is None:
        return parse_instant(text)
    return _in_zone(text, match["time"], match["zone"])


def _in_zone(text: str, time: str, name: str) -> datetime:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        local = datetime.fromisoformat(time.upper())
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time: {error}") from error
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{text!r}: {name} is not a known zone, such as Europe/Berlin") from error
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    # The offset before a change and the one after it: in a gap neither reading comes back as it was written.
    readings = [_reading(one, zone) for one in (first, second)]
    shown = f"{local:%H:%M} on {local:%Y-%m-%d}"
    if _reading(first, zone).replace(tzinfo=None) == local:
        what = f"{shown} comes twice in {name}, since its clocks are put back"
    else:
        what = f"{shown} does not exist in {name}, since its clocks are put forward"
    either, other = (one.isoformat() for one in readings)
    raise ValueError(f"{what}: write {either} or {other}")


def _reading(local: datetime, zone: ZoneInfo) -> datetime:
    return local.astimezone(UTC).astimezone(zone)
