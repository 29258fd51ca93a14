"""Times as the files write them, and as records keep them."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from dory_tui.workspace import timestamps

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 2, 5, 10, 0, tzinfo=NEW_YORK)


@pytest.mark.parametrize(
    ("day", "time", "expected"),
    [
        ("2026-02-05", "10:00", "2026-02-05T10:00:00"),
        ("2026-02-05", "9:05", "2026-02-05T09:05:00"),
        ("2026-02-05", "13：45", "2026-02-05T13:45:00"),
        ("2026-02-05", None, "2026-02-05T00:00:00"),
        ("2028-02-29", "00:00", "2028-02-29T00:00:00"),
        ("2026-02-29", "10:00", None),
        ("2026-13-01", None, None),
        ("2026-02-05", "24:00", None),
        ("2026-02-05", "10:60", None),
        ("0000-01-01", None, None),
        ("٢٠٢٦-٠٢-٠٥", None, None),
    ],
)
def test_stamps_are_local_times_or_none(day: str, time: str | None, expected: str | None) -> None:
    found = timestamps.parse_stamp(day, time)
    assert (found and found.isoformat()) == expected
    assert found is None or found.tzinfo is None


def test_a_written_stamp_is_read_back() -> None:
    assert timestamps.stamp(NOW) == "2026-02-05 10:00"
    day, time = timestamps.stamp(NOW).split()
    assert timestamps.parse_stamp(day, time) == NOW.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-12-01T09:00:00-05:00", "2026-12-01T14:00:00+00:00"),
        ("2026-12-01T09:00-05:00", "2026-12-01T14:00:00+00:00"),
        ("2026-12-01 09:00+0530", "2026-12-01T03:30:00+00:00"),
        ("2026-12-01t09:00:00z", "2026-12-01T09:00:00+00:00"),
        ("2026-12-01T09:00:00.25Z", "2026-12-01T09:00:00.250000+00:00"),
        ("2026-12-01T09:00:00.123456+14:00", "2026-11-30T19:00:00.123456+00:00"),
    ],
)
def test_instants(text: str, utc: str) -> None:
    assert timestamps.parse_instant(text).astimezone(UTC).isoformat() == utc


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2026-12-01T09:00", "'2026-12-01T09:00' has no offset: write it with one, such as 2026-12-01T09:00Z"),
        ("2026-12-01T09:00:00", "has no offset"),
        ("tomorrow", "'tomorrow' is not a time such as 2026-12-01T09:00:00-05:00"),
        ("2026-12-01", "is not a time such as"),
        ("12:30", "is not a time such as"),
        ("", "is not a time such as"),
        ("2026-12-01T09:00Z ", "is not a time such as"),
        ("2026-12-01T09:00 Z", "is not a time such as"),
        ("2026-12-01T9:00Z", "is not a time such as"),
        ("2026-13-01T09:00Z", "'2026-13-01T09:00Z' is not a time: "),
        ("2026-02-30T09:00Z", "is not a time: "),
        ("2026-12-01T25:00Z", "is not a time: "),
        ("2026-12-01T09:00:60Z", "is not a time: "),
        ("2026-12-01T09:00+25:00", "is not a time: "),
        ("２０２６-12-01T09:00Z", "is not a time"),
    ],
)
def test_what_is_no_instant_says_why(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"is not a time|has no offset") as caught:
        timestamps.parse_instant(text)
    assert sentence in str(caught.value)


def test_records_keep_utc_to_the_microsecond() -> None:
    moment = datetime(2026, 2, 5, 10, 0, 0, 7, tzinfo=timezone(timedelta(hours=-5)))
    assert timestamps.instant(moment) == "2026-02-05T15:00:00.000007Z"
    assert timestamps.instant(moment.replace(microsecond=0)) == "2026-02-05T15:00:00.000000Z"
    assert timestamps.parse_instant(timestamps.instant(moment)) == moment


@pytest.mark.parametrize(("text", "seconds"), [("60s", 60), ("15m", 900), ("12h", 43_200), ("1d", 86_400), ("0s", 0)])
def test_lengths_of_time(text: str, seconds: int) -> None:
    assert timestamps.parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "15", "m", "-1m", "1.5h", "1h30m", " 1m", "1m ", "1M", "1w", "6٠s", "1234567s"])
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(ValueError, match="is not a length of time such as 60s, 15m, 12h or 1d"):
        timestamps.parse_duration(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "now"),
        (0, "now"),
        (59, "now"),
        (60, "1 m"),
        (3599, "59 m"),
        (3600, "1 h"),
        (86_399, "23 h"),
        (864_000, "10 d"),
    ],
)
def test_ages(seconds: int, text: str) -> None:
    assert timestamps.age(timedelta(seconds=seconds)) == text


def test_today_is_the_day_of_the_zone() -> None:
    late = datetime(2026, 2, 5, 23, 30, tzinfo=NEW_YORK)
    assert timestamps.today(late, "America/New_York").isoformat() == "2026-02-05"
    assert timestamps.today(late, "Europe/Berlin").isoformat() == "2026-02-06"
    assert timestamps.today(late, "Pacific/Kiritimati").isoformat() == "2026-02-06"
    assert timestamps.today(late, None) == late.astimezone().date()
    assert timestamps.zone(None) is None


@pytest.mark.parametrize(
    ("utc", "text"),
    [
        ("2026-02-05T14:00+00:00", "09:00"),
        ("2026-02-06T04:59+00:00", "23:59"),
        ("2026-02-06T05:00+00:00", "tomorrow 00:00"),
        ("2026-02-05T04:59+00:00", "yesterday 23:59"),
        ("2026-02-07T14:00+00:00", "7 Feb 09:00"),
        ("2026-12-12T14:00+00:00", "12 Dec 09:00"),
        ("2026-02-03T14:00+00:00", "3 Feb 09:00"),
    ],
)
def test_when_in_the_zone_of_now(utc: str, text: str) -> None:
    assert timestamps.when(datetime.fromisoformat(utc), NOW) == text


def test_short_days_line_up() -> None:
    assert timestamps.short_day(datetime(2026, 2, 5, tzinfo=UTC).date()) == " 5 Feb"
    assert timestamps.short_day(datetime(2026, 11, 29, tzinfo=UTC).date()) == "29 Nov"
