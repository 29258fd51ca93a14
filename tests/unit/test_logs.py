"""Which logs there are, and the day each belongs to."""

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from dory_tui.workspace.logs import HEAD, Log, day_of, flags, folder_of, list_logs, topic_of, undated


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-02-14.md", "2026-02-14"),
        ("2026-02-14-1322.md", "2026-02-14"),
        ("2026-02-14-topic.md", "2026-02-14"),
        ("2026-02-14_topic.md", "2026-02-14"),
        ("2026-02-14-session2.md", "2026-02-14"),
        ("daily-2026-02-14.md", "2026-02-14"),
        ("2026-02-14-see-2026-02-13.md", "2026-02-14"),
        ("2026-02-30.md", None),
        ("2026-13-01.md", None),
        ("2026-02.md", None),
        ("12026-02-14.md", None),
        ("2026-02-141.md", None),
        ("2026_02_14.md", "2026-02-14"),
        ("2026.02.14-notes.md", "2026-02-14"),
        ("v2026.02.14-notes.md", None),
        ("20260214.md", "2026-02-14"),
        ("20260214-1322.md", "2026-02-14"),
        ("20260214135213.md", "2026-02-14"),
        ("20261314.md", None),
        ("2026-02-14-部署记录.md", "2026-02-14"),
        ("2026年2月14日.md", "2026-02-14"),
        ("daily_14-02-2026.md", "2026-02-14"),
        ("14-feb-2026.md", "2026-02-14"),
        ("03-04-2026.md", None),
        ("feb-14.md", None),
        ("recent-work.md", None),
    ],
)
def test_the_day_of_a_name(name: str, day: str | None) -> None:
    assert day_of(name) == (day and date.fromisoformat(day))


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(path.encode())


def test_the_newest_day_comes_first_and_the_archive_last_within_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        "memory/2026-02-05.md",
        "memory/2026-02-07-topic.md",
        "memory/2026-02-07-1322.md",
        "memory/archive/2026-02-07.md",
        "memory/archive/2026-02/2026-02-06-summary.md",
        "memory/deep/er/2025-12-31.md",
        "memory/deep/2026-02-07.md",
    )
    assert [(log.day.isoformat(), log.path, log.archived) for log in list_logs(tmp_path)] == [
        ("2026-02-07", "memory/2026-02-07-1322.md", False),
        ("2026-02-07", "memory/2026-02-07-topic.md", False),
        ("2026-02-07", "memory/deep/2026-02-07.md", False),
        ("2026-02-07", "memory/archive/2026-02-07.md", True),
        ("2026-02-06", "memory/archive/2026-02/2026-02-06-summary.md", True),
        ("2026-02-05", "memory/2026-02-05.md", False),
        ("2025-12-31", "memory/deep/er/2025-12-31.md", False),
    ]


def test_what_is_no_log(tmp_path: Path) -> None:
    write(
        tmp_path,
        "memory/recent-work.md",
        "memory/2026-02-07.txt",
        "memory/.2026-02-07.md",
        "memory/.git/2026-02-07.md",
        "memory/promotions/2026-02-07-invoice-day.md",
        "2026-02-07.md",
    )
    (tmp_path / "memory/2026-02-08.md").mkdir()
    assert list_logs(tmp_path) == []


def test_a_log_knows_its_size(tmp_path: Path) -> None:
    write(tmp_path, "memory/2026-02-07.md")
    assert list_logs(tmp_path) == [Log(date(2026, 2, 7), "memory/2026-02-07.md", 20, archived=False)]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "memory/2026-02-07.md")
    (tmp_path / "memory/again").symlink_to(tmp_path / "memory")
    (tmp_path / "memory/2026-02-09.md").symlink_to("nowhere.md")
    assert [log.path for log in list_logs(tmp_path)] == ["memory/2026-02-07.md"]


def test_no_folder_is_no_log(tmp_path: Path) -> None:
    assert list_logs(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("2026-02-14.md", ""),
        ("2026-02-14-1322.md", "13:22"),
        ("20260214_135213.md", "13:52"),
        ("2026-02-14-2561.md", "2561"),
        ("2026-02-14-2025-review.md", "2025-review"),
        ("2026-02-14-session2.md", "session2"),
        ("2026-02-14_topic.md", "topic"),
        ("20260214.md", ""),
        ("daily_2026-02-14-部署.md", "daily 部署"),
        ("recent-work.md", "recent-work"),
    ],
)
def test_what_a_name_says_besides_its_day(name: str, topic: str) -> None:
    assert topic_of(name) == topic


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("memory/2026-02-14.md", ""),
        ("memory/journal/2026-02-14.md", "journal"),
        ("memory/reflection/journal/2026-02-14.md", "reflection/journal"),
        ("memory/archive/2026-02/2026-02-14.md", ""),
        ("memory/archive/daily_2026-Q1/2026-02-14.md", ""),
        ("memory/archive/sessions/2026-02-14.md", "sessions"),
    ],
)
def test_a_folder_is_named_where_it_says_more_than_the_day(tmp_path: Path, path: str, folder: str) -> None:
    write(tmp_path, path)
    assert [folder_of(log) for log in list_logs(tmp_path)] == [folder]


def test_one_day_may_have_several_files_anywhere_below_memory(tmp_path: Path) -> None:
    paths = ["memory/2026-02-14-0900.md", "memory/2026-02-14.md", "memory/20260214-topic.md",
             "memory/journal/2026-02-14.md", "memory/archive/2026-02/2026-02-14-1322.md",
             "memory/archive/daily_2026-Q1/2026-02-14.md"]  # fmt: skip
    write(tmp_path, *paths, "memory/topics.md", "memory/feb-14.md", "memory/promotions/x.md")
    found = list_logs(tmp_path)
    assert {log.day for log in found} == {date(2026, 2, 14)}
    assert [log.path for log in found] == paths
    assert undated(tmp_path) == ["memory/feb-14.md", "memory/topics.md"]


# --- whether the day can be right


def flag(root: Path, name: str, text: str, written: str = "2026-02-14", logs: list[Log] | None = None) -> str | None:
    """What is said of memory/<name>.md with this text, last written at noon of a day."""
    file = root / "memory" / f"{name}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    noon = datetime.fromisoformat(f"{written}T12:00:00").replace(tzinfo=UTC).timestamp()
    os.utime(file, (noon, noon))
    day = day_of(name)
    assert day is not None
    return flags(root, Log(day, f"memory/{name}.md", len(text), archived=False), text.encode(), logs or [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- no heading\n",
        "# 2026-02-14\n",
        "# 14. Februar 2026\n",
        "# Notes — Saturday, Feb 14\n",
        "# 2026-02-16 and after\n",
        "# 2026-02-12\n",
        "# Session\n\n# 2026-01-01\n# 2026-02-14\n",
        "## About 2025-01-01\n",
        "```\n# 2025-01-01\n```\n",
        "<!--\n# 2025-01-01\n-->\n",
        "---\ntitle: x\n# 2025-01-01\n---\n",
        "# 01/04/2026\n",
        "#\n# {{date}}\n",
    ],
)
def test_a_heading_of_the_day_or_none_is_no_flag(tmp_path: Path, text: str) -> None:
    assert flag(tmp_path, "2026-02-14", text) is None


def test_a_heading_far_from_the_name_is_pointed_out_with_its_line(tmp_path: Path) -> None:
    assert flag(tmp_path, "2026-02-13", "\n# 2025-02-13\n") == (
        "memory/2026-02-13.md line 2: the heading says 2025-02-13, the name 2026-02-13; "
        "correct the heading, or rename the file"
    )
    assert "says 2026-02-10," in str(flag(tmp_path, "2026-02-13-topic", "# Feb 10\n"))


def test_a_heading_without_a_year_is_of_the_nearest_one(tmp_path: Path) -> None:
    assert flag(tmp_path, "2026-01-01", "# Dec 31\n", "2026-02-14") is None
    assert flag(tmp_path, "2025-12-31", "# Jan 1\n") is None


def test_only_the_head_of_a_log_is_looked_at(tmp_path: Path) -> None:
    filler = "x" * (HEAD - 8) + "\n"
    assert flag(tmp_path, "2026-02-13", f"{filler}# 2025-02-13\n") is None
    assert flag(tmp_path, "2026-02-13", f"# 2025-02-13\n{filler}") is not None


def test_a_log_last_written_before_its_day_is_pointed_out_and_a_clone_is_not(tmp_path: Path) -> None:
    assert flag(tmp_path, "2026-02-14", "- x\n", "2026-02-11") == (
        "memory/2026-02-14.md: last written on 2026-02-11, 3 days before the day in its name; "
        "rename it if the day is wrong"
    )
    for written in ("2026-02-12", "2026-02-14", "2026-07-01", "2031-01-01", "1980-01-01"):
        assert flag(tmp_path, "2026-02-14", "- x\n", written) is None


def test_a_log_that_is_gone_has_no_time_of_writing(tmp_path: Path) -> None:
    assert flags(tmp_path, Log(date(2026, 2, 14), "memory/2026-02-14.md", 1, archived=False), b"x") is None


def several(first: str, count: int) -> list[Log]:
    start = date.fromisoformat(first)
    days = [start + timedelta(days=number) for number in range(count)]
    return [Log(day, f"memory/{day}.md", 1, archived=False) for day in days]


def test_a_slip_of_the_year_is_pointed_out(tmp_path: Path) -> None:
    slipped = several("2025-02-13", 2)
    assert flag(tmp_path, "2025-02-13", "# 2025-02-13\n", logs=[*several("2026-02-09", 4), *slipped]) == (
        "memory/2025-02-13.md: its neighbours are of 2026; rename it to 2026-02-13 if the year is wrong"
    )
    assert "of 2027;" in str(flag(tmp_path, "2028-02-29", "- x\n", "2028-03-01", several("2027-02-25", 6)))


def test_a_year_of_logs_is_no_slip(tmp_path: Path) -> None:
    assert flag(tmp_path, "2025-02-13", "", logs=several("2025-02-01", 400)) is None
    assert flag(tmp_path, "2025-02-13", "", logs=[*several("2025-02-13", 3), *several("2026-02-09", 9)]) is None
    assert flag(tmp_path, "2025-02-13", "", logs=[*several("2025-02-13", 1), *several("2026-04-01", 9)]) is None
