"""The days that a question names: `2025-03-04`, `on Monday`, `last week`, `in March`, `il y a 3 jours`, `上周`. Pure.

"Today" is the workspace's. Logs tell what was, so a weekday, a month or a day without a year is the last one that has
come; a weekday that is today's may be that of a week ago too. Weeks begin on Monday.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from dory_tui.search import day_words as spoken
from dory_tui.search.stores import Days
from dory_tui.values import dataclass
from dory_tui.workspace import dates

EVER = (date(1, 1, 1), date(9999, 12, 31))
_MOST_BACK = 40_000  # days: more than a century is no count that a person means
_BETWEEN = re.compile(
    r"\s*(?:to|until|till|through|and|bis|und|au|à|et|al?|hasta|y|-|–|—|\.\.|到|至|から|~)\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Named:
    """What a question says about days. `spans` are the places of dates whose digits are no words to look for."""

    ranges: tuple[Days, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    written: tuple[date, ...] = ()
    """The days that are written out in it: other lines may have them too."""

    def has(self, day: date | None) -> bool:
        return day is not None and any(first <= day <= last for first, last in self.ranges)

    @property
    def close(self) -> bool:
        """Whether it names days, and no more than a week of them."""
        return bool(self.ranges) and sum((last - first).days + 1 for first, last in self.ranges) <= 7

    @property
    def within(self) -> Days | None:
        """From the first day to the last; None where no day is named."""
        if not self.ranges:
            return None
        return min(first for first, _ in self.ranges), max(last for _, last in self.ranges)


def named(question: str, today: date) -> Named:
    """The days that a question names; nothing for one that names none."""
    ranges: list[Days] = []
    spans: list[tuple[int, int]] = []
    written = list(_written(question, today))
    for day, start, stop in written:
        joined = bool(spans) and _BETWEEN.fullmatch(question, spans[-1][1], start) is not None
        if joined and ranges[-1][0] == ranges[-1][1] <= day:
            ranges[-1] = (ranges[-1][0], day)
        else:
            ranges.append((day, day))
        spans.append((start, stop))
    rest = _blanked(question, spans)
    for pattern, read in _forms() if _may_name(rest) else ():
        for match in pattern.finditer(rest):
            found = read(match, today)
            if found:
                ranges.extend(found)
                rest = _blanked(rest, [match.span()])
                spans.extend([match.span()] if any(char.isdigit() for char in match[0]) else [])
    return Named(tuple(dict.fromkeys(ranges)), tuple(sorted(spans)), tuple(day for day, _, _ in written))


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, stop in spans:
        text = text[:start] + " " * (stop - start) + text[stop:]
    return text


def _written(question: str, today: date) -> Iterator[tuple[date, int, int]]:
    """Days that are written out, such as `2025-03-04`, `4 March 2025`, `4. März`, `3月4日`."""
    at = 0
    while found := dates.find(question[at:], today.year):
        day = found.day
        if day > today and (before := dates.find(question[at:], today.year - 1)) is not None:
            day = before.day  # the same day again, where the question has its year
        yield day, at + found.start, at + found.stop
        at += found.stop


# Most questions name no day, and compiling the forms costs more than an answer does.
_WIDE = re.compile(r"[0-9\u3000-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+")


def _may_name(text: str) -> bool:
    """Whether a text has a digit, a character of Chinese or Japanese, or a word that a form may hold."""
    if _WIDE.search(text):
        return True
    return any(word in spoken.HINTS or dates.month_named(word, "2000") for word in _WORD.findall(text.casefold()))


Read = Callable[[re.Match[str], date], tuple[Days, ...]]
_made: list[tuple[re.Pattern[str], Read]] = []


def _forms() -> list[tuple[re.Pattern[str], Read]]:
    """Every form, a longer one before those that stand in it; compiled at the first question."""
    if not _made:
        _made.extend((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _patterns())
    return _made


def _patterns() -> Iterator[tuple[str, Read]]:
    yield _either(*spoken.NIGHT), lambda _, today: ((today - timedelta(1), today),)
    for back, words, wide in spoken.DAYS_BACK:
        yield _either(words, wide), _day_back(back)
    for unit, words, last, this in spoken.SPANS:
        ago = rf"(?P<n>{spoken.NUMBER})\s+(?:{words})\s+ago|(?:vor|il y a|hace)\s+(?P<m>{spoken.NUMBER})\s+(?:{words})"
        yield _either(ago, rf"(?P<w>{spoken.WIDE_NUMBER})\s?{spoken.AGO[unit]}"), _ago(unit)
        since = (
            rf"(?:{spoken.LAST}|les|los)\s+(?P<n>{spoken.NUMBER})\s+(?:derni(?:er|ère)s\s+|últim[oa]s\s+)?(?:{words})"
        )
        yield _either(since, ""), _for_the_last(unit)
        if last:
            yield _either(rf"{spoken.LAST}\s+(?:{words})|(?:{words})\s+{spoken.LAST_AFTER}", last), _span(unit, 1)
            yield _either(rf"{spoken.THIS}\s+(?:{words})", this), _span(unit, 0)
    for number, (words, chinese, japanese) in enumerate(spoken.WEEKDAYS):
        wide = f"(?P<week>上)?个?(?:周|週|星期|礼拜){chinese}|{japanese}曜日?"
        yield (
            _either(rf"(?P<last>{spoken.LAST}\s+)?(?:{words})(?P<after>\s+{spoken.LAST_AFTER})?", wide),
            _weekday(number),
        )
    yield r"(?<![0-9.-])(?P<year>(?:19|20)[0-9]{2})-(?P<month>0[1-9]|1[0-2])(?![0-9-])", _numbers
    yield r"(?:(?P<year>(?:19|20)[0-9]{2})\s?年)?(?<![0-9])(?P<month>1[0-2]|[1-9])\s?月份?(?![0-9曜])", _numbers
    yield (
        rf"(?P<before>(?<![^\W_]){spoken.IN}\s+)?(?<![^\W_])(?P<name>[^\W\d_]{{3,10}})\.?(?:\s+(?:de\s+)?(?P<year>(?:19|20)[0-9]{{2}}))?(?![^\W_])",
        _month,
    )
    yield (
        _either(rf"{spoken.IN}\s+(?P<year>(?:19|20)[0-9]{{2}})(?![-./][0-9])", "(?P<wide>(?:19|20)[0-9]{2})\\s?年"),
        _year,
    )


def _either(words: str, wide: str) -> str:
    spaced = rf"(?<![^\W_])(?:{words})(?![^\W_])"
    return f"{spaced}|{wide}" if wide else spaced


def _said(match: re.Match[str], *names: str) -> str:
    """The first of some groups that the form has and that matched."""
    found = match.groupdict()
    return next((found[name] for name in names if found.get(name)), "")


def _day_back(back: int) -> Read:
    return lambda _, today: (_one(today - timedelta(back)),)


def _one(day: date) -> Days:
    return day, day


def _count(match: re.Match[str]) -> int:
    text = _said(match, "n", "m", "w").casefold()
    return spoken.COUNTS.get(text) or int(text)


def _back(today: date, unit: str, count: int) -> date | None:
    """The day so many units before; None before the calendar of logs begins."""
    if count > _MOST_BACK:
        return None
    if unit in ("day", "week"):
        days = count * (7 if unit == "week" else 1)
        return today - timedelta(days) if days <= _MOST_BACK else None
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    if months < 1900 * 12:
        return None
    first = date(months // 12, months % 12 + 1, 1)
    return min(first + timedelta(today.day - 1), _last_of(first))


def _last_of(first: date) -> date:
    """The last day of the month that begins on a day."""
    return (first + timedelta(31)).replace(day=1) - timedelta(1)


def _ago(unit: str) -> Read:
    """A day, or all of the week, month or year in which that day lies."""

    def read(match: re.Match[str], today: date) -> tuple[Days, ...]:
        day = _back(today, unit, _count(match))
        return () if day is None else (_around(day, unit),)

    return read


def _for_the_last(unit: str) -> Read:
    def read(match: re.Match[str], today: date) -> tuple[Days, ...]:
        day = _back(today, unit, _count(match))
        return () if day is None else ((day, today),)

    return read


def _span(unit: str, back: int) -> Read:
    def read(_: re.Match[str], today: date) -> tuple[Days, ...]:
        day = _back(today, unit, back)
        return () if day is None else (_around(day, unit),)

    return read


def _around(day: date, unit: str) -> Days:
    """The week, month or year of a day."""
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return monday, monday + timedelta(6)
    if unit == "month":
        return day.replace(day=1), _last_of(day.replace(day=1))
    if unit == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    return _one(day)


def _weekday(number: int) -> Read:
    def read(match: re.Match[str], today: date) -> tuple[Days, ...]:
        back = (today.weekday() - number) % 7
        if _said(match, "week"):
            return (_one(today - timedelta(today.weekday() + 7 - number)),)
        if _said(match, "last", "after"):
            return (_one(today - timedelta(back or 7)),)
        days = (today - timedelta(back), today - timedelta(7)) if back == 0 else (today - timedelta(back),)
        return tuple(map(_one, days))

    return read


def _numbers(match: re.Match[str], today: date) -> tuple[Days, ...]:
    return _of_month(_said(match, "year"), int(match["month"]), today)


def _month(match: re.Match[str], today: date) -> tuple[Days, ...]:
    """A month's name. Short and common ones need a year or "in" beside them: `mar`, `may`, `sept`."""
    name = match["name"].capitalize() if match["before"] else match["name"]
    number = dates.month_named(name, match["year"])
    if number is None or (len(name) <= 4 and not match["before"] and not match["year"]):
        return ()
    return _of_month(match["year"] or "", number, today)


def _of_month(year: str, month: int, today: date) -> tuple[Days, ...]:
    of = int(year) if year else today.year - (month > today.month)
    return (_around(date(of, month, 1), "month"),)


def _year(match: re.Match[str], _: date) -> tuple[Days, ...]:
    return (_around(date(int(_said(match, "year", "wide")), 1, 1), "year"),)
