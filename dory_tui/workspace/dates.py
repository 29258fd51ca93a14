"""Dates as people write them in a line of text. Pure; forms are compiled at the first line with a digit.

The first thing in a line that looks like a date decides: where it reads two ways, has no year or names no day of the
calendar, nothing later in the line is taken instead. Years run from 1900 to 2099.
"""

from __future__ import annotations

import re
from datetime import date
from datetime import time as clock

from dory_tui.values import dataclass

_DIGITS = re.compile("[0-9０-９]+")
# One character for one, so that places in the text stay what they are.
_NARROW = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９：／－．，", "0123456789:/-.,", strict=True)}
# English names, then German, French, Spanish, Portuguese, Italian and Russian ones.
_NAMES = (
    "january jan|januar janvier janv enero ene janeiro gennaio gen января январь янв",
    "february feb|februar février févr fév fevrier febrero fevereiro fev febbraio февраля февраль фев февр",
    "march mar|märz maerz mrz mär mars marzo março marco marz марта март мар",
    "april apr|avril avr abril abr aprile апреля апрель апр",
    "may|mai mayo maio maggio mag мая май",
    "june jun|juni juin junio junho giugno giu июня июнь июн",
    "july jul|juli juillet juil julio julho luglio lug июля июль июл",
    "august aug|août aout agosto ago августа август авг",
    "september sep sept|septembre septiembre setembro settembre set сентября сентябрь сен сент",
    "october oct|oktober okt octobre octubre outubro out ottobre ott октября октябрь окт",
    "november nov|novembre noviembre novembro ноября ноябрь ноя нояб",
    "december dec|dezember dez décembre déc decembre diciembre dic dezembro dicembre декабря декабрь дек",
)
_MONTHS = {name: at for at, names in enumerate(_NAMES, 1) for name in names.replace("|", " ").split()}
_ENGLISH = {name for names in _NAMES for name in names.partition("|")[0].split()}
# Common words at once: `5 out of 9`, `2 ago`, `8 may be`. They are months where a year follows.
_ONLY_WITH_YEAR = {"ago", "gen", "mag", "marco", "out", "set"}
_ONLY_CAPITAL = {"mar", "march", "may"}

_YEAR = r"(?:19|20)[0-9]{2}"
# Every form is tried at the start of a run of digits; which forms, its length decides.
_LONG = (
    rf"(?P<year>{_YEAR})(?:-(?P<month>[0-9]{{1,2}})-(?P<day>[0-9]{{1,2}})(?![0-9])"
    r"|(?<![\w./][0-9]{4})/(?P<month_2>[0-9]{1,2})/(?P<day_2>[0-9]{1,2})(?![\w/])"
    r"|\s?[年년]\s?(?P<month_3>[0-9]{1,2})\s?[月월]\s?(?P<day_3>[0-9]{1,2})\s?[日号號일])"
)
_RUN = (
    r"(?<![A-Za-z.])(?P<year>20[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?=(?:[0-9]{6})?(?![0-9A-Za-z])|T[0-9])(?!\.[0-9])"
)
_SHORT = (
    r"(?P<month>[0-9]{1,2})\s?[月월]\s?(?P<day>[0-9]{1,2})\s?[日号號일]"
    rf"|(?<![\w.])(?P<day_2>[0-9]{{1,2}})\.\s?(?P<month_2>[0-9]{{1,2}})\.\s?(?P<year>{_YEAR})(?!\.?\w)"
    rf"|(?<![\w./-])(?P<one>[0-9]{{1,2}})(?P<sep>[/-])(?P<two>[0-9]{{1,2}})(?P=sep)(?P<last>{_YEAR})(?![\w/-])"
)
_WORD = r"(?P<month>[^\W\d_]{3,10})"
_AND_YEAR = rf"(?:[\s,./-]{{1,2}}(?:del?\s)?(?P<year>{_YEAR})(?![0-9]))?"
_DAY = r"(?P<day>[0-9]{1,2})(?:\s?[-–/]\s?[0-9]{1,2})?"  # of `27–28 February` the first
_DAY_FIRST = (
    rf"(?<![\w.:/]){_DAY}(?:(?:st|nd|rd|th|er|[ºª°])\s|\.\s?|[\s/-])(?:of\s|de\s|d['’])?{_WORD}(?![^\W_])\.?{_AND_YEAR}"
)
_MONTH_BEFORE = rf"(?:(?<![0-9])(?P<before>{_YEAR})[\s,-]{{1,2}})?(?<![^\W_]){_WORD}\.?[\s-]\Z"
# The first alternative is what the command `date` prints: `Sun Feb 22 23:00:13 CST 2026`.
_DAY_AFTER = (
    rf"{_DAY}(?:st|nd|rd|th)?(?![\w:])"
    rf"(?:\s[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}\s[A-Z]{{2,5}}\s(?P<late>{_YEAR})(?![0-9])|{_AND_YEAR})"
)
_REACH = 18  # characters: `2026, September. ` and one before it
_JOIN = (
    r"(?:\s?[(（][^\W\d_]{1,10}\.?[)）])?"  # a weekday
    r"(?:[\s,;·(（@~–—T_-]{0,3}(?:(?:at|um|à|às|alle|kl\.?|в)\s~?)?)"
)
_TIME = (
    rf"(?P<join>{_JOIN})(?P<h>[0-9]{{1,2}}):(?P<m>[0-9]{{2}})(?::(?P<s>[0-9]{{2}})(?:[.,](?P<part>[0-9]{{1,9}}))?)?"
    r"(?![0-9:])(?:\s?(?P<half>[AaPp])\.?[Mm]\b\.?)?"
    r"|[-_T](?P<run_h>[0-9]{2})(?P<run_min>[0-9]{2})(?P<run_s>[0-9]{2})?(?![0-9A-Za-z])"
    r"|(?P<all_h>[0-9]{2})(?P<all_min>[0-9]{2})(?P<all_s>[0-9]{2})(?![0-9A-Za-z])"
)
_OFFSET = r"\s?[+-][0-9]{2}:?[0-9]{2}(?![0-9])"  # not after `09:00`: `09:00-10:00` is a range
_ZONE = (
    r"\s?[Zz](?!\w)|\s?\+[0-9]{2}:?[0-9]{2}(?![0-9])|\s\(?(?:(?:UTC|GMT)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?"
    r"|CES?T|KST|JST|SGT|HKT|WIB|IST|BST|MSK|BRT|AE[SD]T|[ECMP][SD]?T|М[Сс][Кк])(?!\w)\)?"
)
# A day and a month without a year: only where a zero or an empty surrounding tells it from a fraction.
_PAIR = r"(?<![\w./])([0-9]{1,2})/([0-9]{1,2})(?![\w./])"
_SMALL = (("m", "run_min", "all_min"), ("s", "run_s", "all_s"))
_compiled: dict[str, re.Pattern[str]] = {}


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, and a naive local time where one follows it; `text[start:stop]` is what was read, its zone included."""

    day: date
    time: clock | None
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Found:
    """What looks like a date: year (None: not said), month, day and its place; `twice` when it reads two ways."""

    year: int | None
    month: int
    day: int
    start: int
    stop: int
    twice: bool = False


def find(text: str, year: int | None = None) -> Moment | None:
    """The first date of a line; `year` is taken where it has none. None: no date, two readings, or no such day."""
    if _DIGITS.search(text) is None:
        return None
    text = text.translate(_NARROW) if not text.isascii() else text
    found = _first(text)
    if found is None or found.twice:
        return None
    of = found.year if found.year is not None else year
    try:
        day = date(of, found.month, found.day) if of is not None else None
    except ValueError:
        return None
    if day is None:
        return None
    time, stop = _time(text, found)
    return Moment(day, time, found.start, stop)


def month_named(word: str, year: str | None = None) -> int | None:
    """The month, 1 to 12, that a word names; `out`, `may` and other common words do only where a year follows."""
    return _month(word, year)


def ambiguous(text: str) -> str | None:
    """The part of a line that is like a date and reads two ways (`01/04/2026`) or has no year (`Feb 14`, `16/02`)."""
    if _DIGITS.search(text) is None:
        return None
    narrow = text.translate(_NARROW)
    found = _first(narrow)
    if found is not None:
        return text[found.start : found.stop] if found.twice or found.year is None else None
    for pair in _form(_PAIR).finditer(narrow):
        low, high = sorted((int(pair[1]), int(pair[2])))
        padded = "0" in (pair[1][0], pair[2][0])
        alone = len(pair[0]) == 5 and pair[0] == narrow.strip(" \t|*_()[]")
        if 1 <= low <= 12 and high <= 31 and (padded or alone):
            return text[pair.start() : pair.end()]
    return None


def _first(text: str) -> _Found | None:
    """The first thing that looks like a date."""
    for run in _DIGITS.finditer(text):
        at, length = run.start(), run.end() - run.start()
        if length == 4:
            found = _numeric(_form(_LONG).match(text, at))
        elif length <= 2:
            found = _numeric(_form(_SHORT).match(text, at)) or _day_first(text, at) or _month_first(text, at)
        else:
            found = _numeric(_form(_RUN).match(text, at)) if length in (8, 14) else None
        if found is not None:
            return found
    return None


def _numeric(match: re.Match[str] | None) -> _Found | None:
    if match is None:
        return None
    parts = match.groupdict()
    if parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        month, day = (one, two) if two > 12 else (two, one)
        return _Found(
            int(parts["last"]), month, day, match.start(), match.end(), twice=one <= 12 and two <= 12 and one != two
        )
    month, day = (
        int(next(value for name, value in parts.items() if value and name.startswith(kind)))
        for kind in ("month", "day")
    )
    return _Found(_number(parts["year"]), month, day, match.start(), match.end())


def _day_first(text: str, at: int) -> _Found | None:
    match = _form(_DAY_FIRST).match(text, at)
    month = _month(match["month"], match["year"]) if match else None
    if match is None or month is None:
        return None
    return _Found(_number(match["year"]), month, int(match["day"]), at, match.end())


def _month_first(text: str, at: int) -> _Found | None:
    """English where no year is said; Spanish, French or Italian `mar 5` is a Tuesday."""
    if at < 4 or not (text[at - 1] == "-" or text[at - 1].isspace()):
        return None
    name = _form(_MONTH_BEFORE).search(text[max(0, at - _REACH) : at])
    match = _form(_DAY_AFTER).match(text, at) if name else None
    if name is None or match is None:
        return None
    year = name["before"] or match["year"] or match["late"]
    month = _month(name["month"], year)
    if month is None or (year is None and name["month"].lower() not in _ENGLISH):
        return None
    return _Found(_number(year), month, int(match["day"]), max(0, at - _REACH) + name.start(), match.end())


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _month(word: str, year: str | None) -> int | None:
    plain = word.lower()
    if year is None and (plain in _ONLY_WITH_YEAR or (plain in _ONLY_CAPITAL and word == plain)):
        return None
    return _MONTHS.get(plain)


def _time(text: str, found: _Found) -> tuple[clock | None, int]:
    """The time of day that stands at or inside a date, and where both end."""
    inside = _form(_TIME).search(text, found.start, found.stop) if ":" in text[found.start : found.stop] else None
    match = inside or _form(_TIME).match(text, found.stop)
    if match is None:
        return None, found.stop
    hour = int(match["h"] or match["run_h"] or match["all_h"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None, found.stop
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    minute, second = (int(match[a] or match[b] or match[c] or 0) for a, b, c in _SMALL)
    try:
        time = clock(hour, minute, second, int(f"{match['part'] or 0:0<6}"[:6]))
    except ValueError:
        return None, found.stop
    return time, found.stop if inside else _end(text, match)


def _end(text: str, time: re.Match[str]) -> int:
    """Where a time ends with its zone and the bracket that was opened for it."""
    join, stop = time["join"] or "", time.end()
    exact = time["s"] is not None or join == "T"
    zone = (_form(_OFFSET).match(text, stop) if exact else None) or _form(_ZONE).match(text, stop)
    stop = zone.end() if zone else stop
    opened = join.count("(") + join.count("（") > join.count(")") + join.count("）")
    return stop + 1 if opened and text[stop : stop + 1] in (")", "）") else stop


def _form(pattern: str) -> re.Pattern[str]:
    """A form, compiled once, when it is first wanted."""
    form = _compiled.get(pattern)
    if form is None:
        form = _compiled[pattern] = re.compile(pattern)
    return form
