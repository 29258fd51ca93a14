"""The days that a question names, in the workspace's day and in several languages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.search.when import named

TODAY = date(2026, 2, 5)  # a Thursday


def days(question: str, today: date = TODAY) -> list[str]:
    return [str(first) if first == last else f"{first}..{last}" for first, last in named(question, today).ranges]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which bug did Sam report on Monday?", ["2026-02-02"]),
        ("what happened yesterday", ["2026-02-04"]),
        ("the day before yesterday", ["2026-02-03"]),
        ("today's decisions", ["2026-02-05"]),
        ("what went wrong this morning?", ["2026-02-05"]),
        ("how long was the write lock last night", ["2026-02-04..2026-02-05"]),
        ("heute Nacht", ["2026-02-04..2026-02-05"]),
        ("ce matin", ["2026-02-05"]),
        ("¿qué pasó anoche?", ["2026-02-04..2026-02-05"]),
        ("今朝", ["2026-02-05"]),
        ("昨晚的部署", ["2026-02-04..2026-02-05"]),
        ("on Thursday", ["2026-02-05", "2026-01-29"]),
        ("last Thursday", ["2026-01-29"]),
        ("last week's deployments", ["2026-01-26..2026-02-01"]),
        ("this week", ["2026-02-02..2026-02-08"]),
        ("last month", ["2026-01-01..2026-01-31"]),
        ("this year", ["2026-01-01..2026-12-31"]),
        ("3 days ago", ["2026-02-02"]),
        ("two weeks ago", ["2026-01-19..2026-01-25"]),
        ("3 months ago", ["2025-11-01..2025-11-30"]),
        ("in the last 10 days", ["2026-01-26..2026-02-05"]),
        ("deployed 2025-03-04", ["2025-03-04"]),
        ("between 2025-03-04 and 2025-03-09", ["2025-03-04..2025-03-09"]),
        ("from 4 March 2025 to 9 March 2025", ["2025-03-04..2025-03-09"]),
        ("2025-03-04 or 2025-04-04", ["2025-03-04", "2025-04-04"]),
        ("4.3.2025", ["2025-03-04"]),
        ("on 31 December", ["2025-12-31"]),
        ("Feb 3", ["2026-02-03"]),
        ("in March", ["2025-03-01..2025-03-31"]),
        ("in January", ["2026-01-01..2026-01-31"]),
        ("in may", ["2025-05-01..2025-05-31"]),
        ("March 2024 invoices", ["2024-03-01..2024-03-31"]),
        ("2025-03", ["2025-03-01..2025-03-31"]),
        ("in 2024", ["2024-01-01..2024-12-31"]),
        ("heute oder gestern", ["2026-02-04", "2026-02-05"]),
        ("letzte Woche", ["2026-01-26..2026-02-01"]),
        ("vor drei Tagen", ["2026-02-02"]),
        ("am Montag im März", ["2026-02-02", "2025-03-01..2025-03-31"]),
        ("avant-hier", ["2026-02-03"]),
        ("la semaine dernière", ["2026-01-26..2026-02-01"]),
        ("il y a deux jours", ["2026-02-03"]),
        ("lundi", ["2026-02-02"]),
        ("¿qué pasó el lunes pasado?", ["2026-02-02"]),
        ("el mes pasado", ["2026-01-01..2026-01-31"]),
        ("hace 3 días", ["2026-02-02"]),
        ("en marzo de 2025", ["2025-03-01..2025-03-31"]),
        ("昨天发布了什么", ["2026-02-04"]),
        ("上周一谁报告了错误", ["2026-01-26"]),
        ("上周的决定", ["2026-01-26..2026-02-01"]),
        ("三天前", ["2026-02-02"]),
        ("2025年3月", ["2025-03-01..2025-03-31"]),
        ("3月4日", ["2025-03-04"]),
        ("月曜日に", ["2026-02-02"]),
        ("先週", ["2026-01-26..2026-02-01"]),
    ],
)
def test_named_days(question: str, wanted: list[str]) -> None:
    assert sorted(days(question)) == sorted(wanted)


@pytest.mark.parametrize(
    "question",
    ["who likes mail", "May I ask who decided", "the set of rules", "in set theory", "a common monitor", "version 3.4",
     "march on", "999999 days ago", "the ledger of launch-3", "un problema", "10:30"],
)  # fmt: skip
def test_no_day_is_named(question: str) -> None:
    assert days(question) == []


def test_across_the_turn_of_the_year() -> None:
    new_year = date(2026, 1, 1)
    assert days("yesterday", new_year) == ["2025-12-31"]
    assert days("last month", new_year) == ["2025-12-01..2025-12-31"]
    assert days("a month ago", date(2026, 3, 31)) == ["2026-02-01..2026-02-28"]


def test_the_digits_of_dates_are_no_words_and_names_of_days_are() -> None:
    question = "deploy of 2025-03-04, on Monday, 3 days ago"
    found = named(question, TODAY)
    assert [question[start:stop] for start, stop in found.spans] == ["2025-03-04", "3 days ago"]
    assert found.written == (date(2025, 3, 4),)


@given(
    st.text(alphabet=st.sampled_from("0123456789-./ daygolstwek月年上周 marchjn"), max_size=40),
    st.dates(date(1950, 1, 1), date(2090, 1, 1)),
)
def test_whatever_is_asked_there_is_no_error(question: str, today: date) -> None:
    assert all(first <= last for first, last in named(question, today).ranges)
