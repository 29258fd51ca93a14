"""What is old enough for the archive, what stays, and which spans of a link change."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from dory_tui.memory.archive import added, is_old, month_before, part_decisions, part_recent, place, title_of
from dory_tui.memory.links import mentioned, relinked
from dory_tui.workspace.logs import Log

TODAY = date(2026, 3, 5)
NOW = datetime(2026, 3, 5, 10, 0)  # noqa: DTZ001 - the workspace's own time


@pytest.mark.parametrize(
    ("day", "archived", "old"),
    [(date(2026, 2, 26), False, False), (date(2026, 2, 25), False, True), (date(2026, 2, 25), True, False),
     (date(2026, 3, 9), False, False)],
)  # fmt: skip
def test_a_log_is_old_after_seven_days(day: date, archived: bool, old: bool) -> None:
    assert is_old(Log(day, f"memory/{day}.md", 1, archived), TODAY) is old


def test_a_name_that_is_taken_gets_a_suffix() -> None:
    assert place("memory/2026-02-07.md", lambda _: False) == "memory/archive/2026-02-07.md"
    assert place("memory/notes/2026-02-07.md", lambda _: False) == "memory/archive/notes/2026-02-07.md"
    there = {"memory/archive/2026-02-07.md", "memory/archive/2026-02-07-2.md"}
    assert place("memory/2026-02-07.md", there.__contains__) == "memory/archive/2026-02-07-3.md"


def test_a_month_before() -> None:
    assert month_before(date(2026, 3, 31)) == date(2026, 2, 28)
    assert month_before(date(2026, 1, 5)) == date(2025, 12, 5)


def decided(text: str) -> tuple[str, dict[str, list[str]]]:
    parted = part_decisions(text.encode(), TODAY)
    found: dict[str, list[str]] = {}
    for one in parted.old:
        found.setdefault(one.to.removeprefix("memory/archive/"), []).append(one.data.decode())
    return parted.rest.decode(), found


def test_stamp_lines_of_more_than_a_month_go_by_their_month() -> None:
    assert decided(
        "# D\n\n## Recent\n\n[2026-02-05 10:00 | dory] at the limit — stays\n[2026-02-04 23:59 | ana] b — old\n  more\n"
        "[2026-01-31 | ana] c — older\n\n## Rules\n\nKeep it short.\n"
    ) == (
        "# D\n\n## Recent\n\n[2026-02-05 10:00 | dory] at the limit — stays\n\n## Rules\n\nKeep it short.\n",
        {"decisions-2026-02.md": ["[2026-02-04 23:59 | ana] b — old\n  more\n"],
         "decisions-2026-01.md": ["[2026-01-31 | ana] c — older\n"]},
    )  # fmt: skip


def test_the_last_decision_leaves_nothing_here_in_its_place() -> None:
    rest, _ = decided("# D\r\n\r\n## Recent\r\n\r\n[2026-01-05 | a] b\r\n[2026-01-04 | a] c\r\n")
    assert rest == "# D\r\n\r\n## Recent\r\n\r\n[none]\r\n"
    assert decided(rest) == (rest, {})


def test_a_day_goes_with_its_heading_and_what_has_its_own_date_goes_alone() -> None:
    rest, found = decided(
        "# Decisions\n\n## 2026-01-03\n\n### Move the site\n\n**Why:** it is slow\n\n"
        "## 2026-03-01\n\n### Keep it\n\nYes.\n\n## D1 — Tea\n\n**Date:** 2026-01-09\n\nGreen.\n\n"
        "## D2 — Cups\n\nNo date.\n"
    )
    assert rest == ("# Decisions\n\n## 2026-03-01\n\n### Keep it\n\nYes.\n\n## D2 — Cups\n\nNo date.\n")
    assert found == {
        "decisions-2026-01.md": [
            "## 2026-01-03\n\n### Move the site\n\n**Why:** it is slow\n\n",
            "## D1 — Tea\n\n**Date:** 2026-01-09\n\nGreen.\n",
        ]
    }


def test_a_row_takes_the_names_of_its_columns_along() -> None:
    rest, found = decided("# D\n\n| Date | Decision |\n|---|---|\n| 2026-01-02 | Tea |\n| 2026-03-02 | Cups |\n")
    assert rest == "# D\n\n| Date | Decision |\n|---|---|\n| 2026-03-02 | Cups |\n"
    assert found == {"decisions-2026-01.md": ["| Date | Decision |\n|---|---|\n| 2026-01-02 | Tea |\n"]}


def test_examples_conflicts_and_proposed_decisions_stay() -> None:
    for text in (
        "# D\n\n## Format\n\n[2026-01-05 | a] Item — reason\n",
        "# D\n\n<<<<<<< HEAD\n[2026-01-05 | a] b\n=======\n[2026-01-05 | a] c\n>>>>>>> x\n",
        "# D\n\n```\n[2026-01-05 | a] b\n```\n",
        "# D\n\n## D1: Tea\n\n**Date:** 2026-01-09\n**Status:** proposed\n\nGreen?\n",
    ):
        assert decided(text) == (text, {})


def test_recent_work_keeps_two_days() -> None:
    text = (
        b"# Recent work (2026-01-01)\n\nWhat happened lately.\n\n## 2026-03-03\n\n- late on that day\n\n"
        b"## 2026-03-02\n\n- old\n\n### More\n\n- [2026-03-05] inside\n\n"
        b"## Notes\n\n- 2026-03-01: old\n  nested\n- 2026-03-03 10:01 new\n"
        b"- 2026-03-03 09:59 old\n- see 2026-01-01\n- no date\n"
    )
    parted = part_recent(text, NOW)
    assert parted.rest == (
        b"# Recent work (2026-01-01)\n\nWhat happened lately.\n\n## 2026-03-03\n\n- late on that day\n\n"
        b"## Notes\n\n- 2026-03-03 10:01 new\n- see 2026-01-01\n- no date\n"
    )
    assert [(one.to, one.line) for one in parted.old] == [
        ("memory/archive/recent-work-2026-03.md", line) for line in (9, 19, 22)
    ]
    assert parted.old[0].data == b"## 2026-03-02\n\n- old\n\n### More\n\n- [2026-03-05] inside\n\n"


def test_a_months_file_is_added_to_once() -> None:
    assert title_of("memory/archive/decisions-2026-01.md") == "Decisions of 2026-01"
    assert title_of("memory/archive/recent-work-2026-03.md") == "Recent work of 2026-03"
    first = added(None, "Decisions of 2026-01", [b"[2026-01-02 | a] b\r\n", b"[2026-01-03 | a] c\n\n"])
    assert first == b"# Decisions of 2026-01\n\n[2026-01-02 | a] b\n[2026-01-03 | a] c\n"
    more = added(first, "x", [b"## A day\n\nwords", b"[2026-01-03 | a] c"])
    assert more == first + b"\n## A day\n\nwords\n"
    assert added(more, "x", [b"words\n", b"## A day\n\nwords\n"]) == more


MOVES = {"memory/2026-02-07.md": "memory/archive/2026-02-07.md", "memory/a b.md": "memory/archive/a b.md"}
OTHERS = {"MEMORY.md", "memory/2026-03-01.md", "memory/archive/2026-01-01.md", *MOVES}


def turned(text: str, path: str = "MEMORY.md", at: str | None = None) -> str:
    return relinked(text.encode(), path, at or path, MOVES.get, OTHERS.__contains__).decode()


@pytest.mark.parametrize(
    ("path", "text", "made"),
    [
        ("MEMORY.md", "[a](memory/2026-02-07.md#L12)", "[a](memory/archive/2026-02-07.md#L12)"),
        ("MEMORY.md", "[a](./memory/2026-02-07.md 'T')", "[a](memory/archive/2026-02-07.md 'T')"),
        ("MEMORY.md", "[a](<memory/a b.md>) [b](memory/a%20b.md)",
         "[a](<memory/archive/a b.md>) [b](memory/archive/a%20b.md)"),
        ("MEMORY.md", "[a]: memory/2026-02-07.md", "[a]: memory/archive/2026-02-07.md"),
        ("MEMORY.md", "- x (`memory/2026-02-07.md#L3`)", "- x (`memory/archive/2026-02-07.md#L3`)"),
        ("MEMORY.md", "见memory/2026-02-07.md。", "见memory/archive/2026-02-07.md。"),
        ("memory/2026-03-01.md", "[a](2026-02-07.md)", "[a](archive/2026-02-07.md)"),
        ("memory/2026-03-01.md", "[a](memory/2026-02-07.md)", "[a](memory/archive/2026-02-07.md)"),
        ("memory/archive/2026-01-01.md", "[a](../2026-02-07.md)", "[a](2026-02-07.md)"),
        ("memory/promotions/x.md", "---\nsource: memory/2026-02-07.md#L12\n---\n",
         "---\nsource: memory/archive/2026-02-07.md#L12\n---\n"),
    ],
)  # fmt: skip
def test_a_link_leads_to_where_the_log_is(path: str, text: str, made: str) -> None:
    assert turned(text, path) == made


@pytest.mark.parametrize(
    "text",
    ["https://x.org/memory/2026-02-07.md", "[a](https://x.org/memory/2026-02-07.md)", "/memory/2026-02-07.md",
     "other-memory/2026-02-07.md", "memory/2026-02-07.mdx", "[a](memory/2026-03-01.md)", "[a](#memory)",
     "```\nmemory/2026-02-07.md\n```", "[a](../../memory/2026-02-07.md)", "2026-02-07.md", "[[2026-02-07]]"],
)  # fmt: skip
def test_what_leads_elsewhere_stays(text: str) -> None:
    assert turned(text) == text


def test_a_log_that_moves_keeps_its_own_links() -> None:
    text = "[m](../MEMORY.md) [n](2026-03-01.md#L2) [o](archive/2026-01-01.md) [self](2026-02-07.md) [gone](x.md)"
    made = "[m](../../MEMORY.md) [n](../2026-03-01.md#L2) [o](2026-01-01.md) [self](2026-02-07.md) [gone](x.md)"
    assert turned(text, "memory/2026-02-07.md", "memory/archive/2026-02-07.md") == made


def test_what_a_file_may_mean() -> None:
    assert mentioned(b"see [a](2026-02-07.md) and memory/b.md", "memory/x.md") == {
        "memory/2026-02-07.md", "2026-02-07.md", "memory/b.md",
    }  # fmt: skip
