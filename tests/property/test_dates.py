"""For any day, however it is written: the same day is read, at its place; for any text: no error and no made-up day."""

from collections.abc import Callable
from datetime import date, time

from hypothesis import example, given
from hypothesis import strategies as st

from dory_tui.workspace.dates import ambiguous, find

days = st.dates(date(2000, 1, 1), date(2099, 12, 31))
minutes = st.times().map(lambda at: at.replace(second=0, microsecond=0))
_ENGLISH = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December")  # fmt: skip
_RUSSIAN = ("января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября",
            "декабря")  # fmt: skip
Form = Callable[[date], str]
_FORMS: tuple[Form, ...] = (
    lambda day: day.isoformat(),
    lambda day: f"{day:%Y%m%d}",
    lambda day: f"{day:%Y/%m/%d}",
    lambda day: f"{_ENGLISH[day.month - 1]} {day.day}, {day.year}",
    lambda day: f"{_ENGLISH[day.month - 1][:3]} {day.day} {day.year}",
    lambda day: f"{day.day} {_ENGLISH[day.month - 1][:3]} {day.year}",
    lambda day: f"{day.day} {_RUSSIAN[day.month - 1]} {day.year}",
    lambda day: f"{day.day}.{day.month}.{day.year}",
    lambda day: f"{day.year}年{day.month}月{day.day}日",
    lambda day: f"{day.year}년 {day.month}월 {day.day}일",
)
forms = st.sampled_from(_FORMS)
around = st.text("ab#*—[]() \t|:→", max_size=8)
pieces = st.lists(
    st.sampled_from(
        [
            "2026",
            "-",
            "02",
            "14",
            "/",
            ".",
            " ",
            "T",
            ":",
            "Feb",
            "mar",
            "5",
            "月",
            "日",
            "年",
            "(",
            ")",
            "１",
            "z",
            "+",
        ]
    ),
    max_size=14,
).map("".join)


@given(days, forms, around, around)
def test_every_form_is_read_where_it_stands(day: date, form: Form, before: str, after: str) -> None:
    written = form(day)
    found = find(f"{before} {written} {after}")
    assert found is not None
    assert found.day == day
    assert found.start == len(before) + 1
    assert found.time is None


@given(days, minutes, forms, st.sampled_from([" ", ", ", " — ", " (", " at ", " ~"]))
def test_the_time_that_follows_is_read(day: date, at: time, form: Form, join: str) -> None:
    written = f"{form(day)}{join}{at:%H:%M}"
    found = find(f"{written} | session")
    assert found is not None
    assert (found.day, found.time, found.stop) == (day, at, len(written))


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.sampled_from("/-"))
def test_a_day_and_month_in_figures_are_read_when_only_one_reading_is_possible(day: date, sep: str) -> None:
    for order in ((day.day, day.month), (day.month, day.day)):
        text = f"{order[0]:02}{sep}{order[1]:02}{sep}{day.year}"
        found = find(text)
        if day.day > 12 or day.day == day.month:
            assert found is not None
            assert found.day == day
            assert ambiguous(text) is None
        else:
            assert found is None
            assert ambiguous(text) == text


@given(st.one_of(st.text(max_size=60), pieces), st.none() | st.integers(1900, 2099))
@example("1月1日" * 3, 2026)
@example("²月14日 Feb ² 2026-²-14", 2026)
def test_no_text_breaks_it_and_what_is_read_is_in_the_text(text: str, year: int | None) -> None:
    found, twice = find(text, year), ambiguous(text)
    assert twice is None or twice in text
    if found is None:
        return
    assert 0 <= found.start < found.stop <= len(text)
    part = text[found.start : found.stop]
    again = find(part, year)
    assert again is not None
    assert (again.day, again.time) == (found.day, found.time)
    assert find(text, None) in (None, found)
    assert not (twice and find(text, None))
