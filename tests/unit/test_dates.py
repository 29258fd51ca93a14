"""Dates as people write them in headings, labels and cells."""

from datetime import date, time

import pytest

from dory_tui.workspace.dates import Moment, ambiguous, find

# text, day, time, the part that is read
READ = [
    ("2026-02-14", "2026-02-14", None, "2026-02-14"),
    ("## 2026-2-5 — text", "2026-02-05", None, "2026-2-5"),
    ("at 2026-02-14T13:22:05.123456+00:00.", "2026-02-14", "13:22:05.123456", "2026-02-14T13:22:05.123456+00:00"),
    ("2026-02-14T13:22:05Z", "2026-02-14", "13:22:05", "2026-02-14T13:22:05Z"),
    ("2026-02-14T09:00-05:00", "2026-02-14", "09:00", "2026-02-14T09:00-05:00"),
    ("2026-02-14 13:22:05 UTC] text", "2026-02-14", "13:22:05", "2026-02-14 13:22:05 UTC"),
    ("2026-02-14 13:22 GMT+7 | x", "2026-02-14", "13:22", "2026-02-14 13:22 GMT+7"),
    ("2026-02-14 13:22 | s", "2026-02-14", "13:22", "2026-02-14 13:22"),
    ("2026-02-14 13:22 | 14:00", "2026-02-14", "13:22", "2026-02-14 13:22"),
    ("[2026-01-05, 17:41] [Ana]", "2026-01-05", "17:41", "2026-01-05, 17:41"),
    ("2026-02-14 (13:22 KST): x", "2026-02-14", "13:22", "2026-02-14 (13:22 KST)"),
    ("2026-02-14 ~07:10", "2026-02-14", "07:10", "2026-02-14 ~07:10"),
    ("2026-02-14 9:05 PM EST", "2026-02-14", "21:05", "2026-02-14 9:05 PM EST"),
    ("2026-02-14 12:05 am", "2026-02-14", "00:05", "2026-02-14 12:05 am"),
    ("2026-02-14 09:00-10:30 walk", "2026-02-14", "09:00", "2026-02-14 09:00"),
    ("2026-02-14 (Sat) 13：45 x", "2026-02-14", "13:45", "2026-02-14 (Sat) 13：45"),
    ("2026-02-14 25:00", "2026-02-14", None, "2026-02-14"),
    ("2026-02-14 13:5", "2026-02-14", None, "2026-02-14"),
    ("2026-02-14-1322.md", "2026-02-14", "13:22", "2026-02-14-1322"),
    ("2026-02-14-topic.md", "2026-02-14", None, "2026-02-14"),
    ("### DEC-2026-01-05-02: x", "2026-01-05", None, "2026-01-05"),
    ("2026/02/14", "2026-02-14", None, "2026/02/14"),
    ("20260214", "2026-02-14", None, "20260214"),
    ("JOB-20260214-1322", "2026-02-14", "13:22", "20260214-1322"),
    ("(20260214_135213)", "2026-02-14", "13:52:13", "20260214_135213"),
    ("20260214135213", "2026-02-14", "13:52:13", "20260214135213"),
    ("(20260505-166051)", "2026-05-05", None, "20260505"),
    ("# Notes — Saturday, February 14, 2026", "2026-02-14", None, "February 14, 2026"),
    ("Feb 14th, 2026 at 9:05 pm, x", "2026-02-14", "21:05", "Feb 14th, 2026 at 9:05 pm"),
    ("Sun Feb 22 23:00:13 CST 2026", "2026-02-22", "23:00:13", "Feb 22 23:00:13 CST 2026"),
    ("2026 Feb 14", "2026-02-14", None, "2026 Feb 14"),
    ("14 Feb 2026", "2026-02-14", None, "14 Feb 2026"),
    ("14-Feb-2026", "2026-02-14", None, "14-Feb-2026"),
    ("14. Februar 2026, 13:45 Uhr", "2026-02-14", "13:45", "14. Februar 2026, 13:45"),
    ("1. März 2026", "2026-03-01", None, "1. März 2026"),
    ("le 1er août 2026", "2026-08-01", None, "1er août 2026"),
    ("mar 5 mai 2026", "2026-05-05", None, "5 mai 2026"),
    ("3 de enero del 2026", "2026-01-03", None, "3 de enero del 2026"),
    ("27 de fevereiro de 2026 às 10:00", "2026-02-27", "10:00", "27 de fevereiro de 2026 às 10:00"),
    ("3 gennaio 2026", "2026-01-03", None, "3 gennaio 2026"),
    ("5 out 2026", "2026-10-05", None, "5 out 2026"),
    ("**Обновлено:** 21 февраля 2026, 20:35 (Мск)", "2026-02-21", "20:35", "21 февраля 2026, 20:35 (Мск)"),
    ("**27-28 февраля 2026**", "2026-02-27", None, "27-28 февраля 2026"),
    ("14.02.2026", "2026-02-14", None, "14.02.2026"),
    ("(03.04.2026)", "2026-04-03", None, "03.04.2026"),
    ("Keys (29/03/2026)", "2026-03-29", None, "29/03/2026"),
    ("03/29/2026", "2026-03-29", None, "03/29/2026"),
    ("04/04/2026", "2026-04-04", None, "04/04/2026"),
    ("29-03-2026", "2026-03-29", None, "29-03-2026"),
    ("2026年2月17日（火）13：45 JST", "2026-02-17", "13:45", "2026年2月17日（火）13：45 JST"),
    ("2026 年 2 月 17 日", "2026-02-17", None, "2026 年 2 月 17 日"),
    ("２０２６年２月１７日", "2026-02-17", None, "２０２６年２月１７日"),
    ("2026년 2월 17일", "2026-02-17", None, "2026년 2월 17일"),
    ("OpenClaw 2026.4.2 (04/04/2026)", "2026-04-04", None, "04/04/2026"),
]


@pytest.mark.parametrize(("text", "day", "at", "part"), READ)
def test_a_date_is_read(text: str, day: str, at: str | None, part: str) -> None:
    start = text.index(part)
    moment = Moment(date.fromisoformat(day), time.fromisoformat(at) if at else None, start, start + len(part))
    assert find(text) == moment
    assert find(text, 1999) == moment
    assert ambiguous(text) is None


NO_YEAR = [
    ("(Wednesday, Feb 25) x", "02-25", "Feb 25"),
    ("May 5", "05-05", "May 5"),
    ("oct 24", "10-24", "oct 24"),
    ("14 Feb, 20:35", "02-14", "14 Feb"),
    ("5. Mai", "05-05", "5. Mai"),
    ("27 февраля (КОЛО)", "02-27", "27 февраля"),
    ("27 de fevereiro", "02-27", "27 de fevereiro"),
    ("2月17日", "02-17", "2月17日"),
    ("2월 17일", "02-17", "2월 17일"),
]


@pytest.mark.parametrize(("text", "day", "part"), NO_YEAR)
def test_without_a_year_the_year_must_be_known(text: str, day: str, part: str) -> None:
    assert find(text) is None
    assert ambiguous(text) == part
    moment = find(text, 2026)
    assert moment is not None
    assert moment.day == date.fromisoformat(f"2026-{day}")
    assert text[moment.start :].startswith(part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("### Keys never in chat (01/04/2026)", "01/04/2026"),
        ("01-04-2026", "01-04-2026"),
        ("01/04/2026, again 2026-04-01", "01/04/2026"),
        ("due 16/02", "16/02"),
        ("| 12/02 ", "12/02"),
    ],
)
def test_two_readings_are_none(text: str, part: str) -> None:
    assert find(text, 2026) is None
    assert ambiguous(text) == part


@pytest.mark.parametrize(
    "text",
    ["", "never", "now", "—", "null", "YYYY-MM-DD", "[timestamp]", "2026-02-XX", "{{date}}", "~mid-November", "~09h",
     "2026-02", "March 2025", "2026-02-30", "2026-13-01", "12026-02-14", "2026-02-141", "31/31/2026", "30.02.2026",
     "29 February 2025", "20260230", "1234567890", "5023940803895", "v2026.4.15", "2026.2.22-2", "10.12.2026.1",
     "3/4 done", "24/7", "13:45", "5 out of 9", "8 may be", "10 march on", "Set 10", "Gen 2", "2 ago", "Mai 5",
     "Q1 2026", "7 marbles 2026", "Janus 5", "1999 items", "a/2026/02/14/b", "1005-01-01"],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert find(text, 2025) is None
    assert ambiguous(text) is None


def test_the_29th_of_february_needs_its_year() -> None:
    assert find("Feb 29", 2026) is None
    assert find("Feb 29", 2028) == Moment(date(2028, 2, 29), None, 0, 6)


def test_an_impossible_date_is_not_passed_over() -> None:
    assert find("2026-02-30, then 2026-03-01") is None
