"""Which logs there are, and the day each belongs to."""

from datetime import date
from pathlib import Path

import pytest

from dory_tui.workspace.logs import Log, day_of, list_logs


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
        ("20260214.md", None),
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
