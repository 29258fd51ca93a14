"""Holds that name their own end, and when one is stale."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.workspace.until import stale, until

SINCE = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Mail — until: 2026-12-01", date(2026, 12, 1)),
        ("Mail — until 2026-12-01, then ask", date(2026, 12, 1)),
        ("**Until:** `2026-12-01`", date(2026, 12, 1)),
        ("UNTIL： 1 Dec", date(2026, 12, 1)),
        ("until 5 January", date(2027, 1, 5)),
        ("until the 3rd of March 2027", date(2027, 3, 3)),
        ("not until 2026-01-01", date(2026, 1, 1)),
        ("until Ana says so; until: 2026-12-01", date(2026, 12, 1)),
        ("until Ana answers the mail of 2026-12-01", None),
        ("until 01/02/2026", None),
        ("until: 2026-13-01", None),
        ("fruntil: 2026-12-01", None),
        ("2026-12-01", None),
    ],
)
def test_the_end_a_hold_names(words: str, day: date | None) -> None:
    assert until(words, SINCE) == day


def test_a_hold_is_stale_after_two_weeks_or_after_its_own_end() -> None:
    assert stale("Mail", SINCE, date(2026, 12, 3)) is None
    assert stale("Mail", SINCE, date(2026, 12, 4)) == "it is 14 days old and names no `until: DATE`"
    assert stale("Mail until: 2026-12-31", SINCE, date(2026, 12, 31)) is None
    assert stale("Mail until: 2026-12-31", SINCE, date(2027, 1, 1)) == "its `until` of 2026-12-31 has passed"
    assert stale("Mail until: 2026-11-21", SINCE, date(2026, 11, 22)) is not None
    assert stale("Mail", None, date(2027, 1, 1)) is None
    assert stale("Mail until: 2026-12-31", None, date(2027, 1, 1)) is not None


@given(st.dates(date(2020, 1, 1), date(2090, 1, 1)), st.dates(date(2020, 1, 1), date(2090, 1, 1)))
def test_a_whole_date_is_honoured_whatever_the_day_of_the_hold(day: date, since: date) -> None:
    assert until(f"Mail — until: {day}", since) == day
    assert (stale(f"Mail — until: {day}", since, since) is None) == (since <= day)
