"""Archiving loses nothing: every line of a file stays or goes to the archive, and links lead where they led."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.memory.archive import Parted, added, part_decisions, part_recent, title_of
from dory_tui.memory.links import relinked
from dory_tui.workspace.document import split_lines

CORPUS = Path(__file__).parent.parent / "corpus"
FILES = sorted((CORPUS / "decisions").glob("*.md"))
TODAY = date(2026, 3, 5)
NOW = datetime(2026, 3, 5, 10, 0)  # noqa: DTZ001 - the workspace's own time
PIECES = [
    "# Decisions", "## Recent", "## 2026-01-02", "## 2026-03-04", "### Tea", "[2026-01-02 10:00 | a] b — c",
    "[2026-03-01 | a] d", "- 2026-02-01: e", "- f", "  more", "", "", "**Date:** 2026-01-09", "| Date | What |",
    "|---|---|", "| 2026-01-02 | g |", "```", "<!--", "-->", "[none]", "---", "words",
]  # fmt: skip
LINES = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n", "\r\n"])), max_size=14)


def counted(data: bytes) -> Counter[bytes]:
    return Counter(line for start, end, _ in split_lines(data) if (line := data[start:end]).strip())


def check(data: bytes, parted: Parted) -> None:
    """Nothing is lost, nothing is made up, and the archive's files hold what went."""
    went = sum((counted(one.data) for one in parted.old), Counter())
    there = counted(data)
    stays = counted(parted.rest)
    assert not there - (went + stays), "a line is lost"
    assert set(stays) <= {*there, b"[none]"}
    assert set(went) <= set(there)
    if not parted.old:
        assert parted.rest == data
    months: dict[str, list[bytes]] = {}
    for one in parted.old:
        months.setdefault(one.to, []).append(one.data)
    for path, blocks in months.items():
        made = added(None, title_of(path), blocks)
        assert all(block.strip(b"\r\n") in made for block in blocks)
        assert added(made, "x", blocks) == made


@given(LINES)
def test_decisions_and_recent_work_lose_no_line(parts: list[tuple[str, str]]) -> None:
    data = "".join(text + end for text, end in parts).encode()
    for parted in (part_decisions(data, TODAY), part_recent(data, NOW)):
        check(data, parted)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_decisions_lose_no_line(file: Path) -> None:
    data = file.read_bytes()
    first = part_decisions(data, date(2027, 1, 1))
    check(data, first)
    check(first.rest, part_decisions(first.rest, date(2027, 1, 1)))
    check(data, part_recent(data, datetime(2027, 1, 1)))  # noqa: DTZ001


def test_most_real_decisions_are_found_old() -> None:
    assert sum(bool(part_decisions(file.read_bytes(), date(2027, 1, 1)).old) for file in FILES) > len(FILES) / 2


DAYS = st.dates(date(2026, 1, 1), date(2026, 2, 20)).map(lambda day: f"memory/{day}.md")
TEXT = st.text(st.sampled_from("ab )(]['\n\r`#é"), max_size=6)


@given(st.lists(st.tuples(TEXT, DAYS, st.sampled_from(["[a](%s)", "%s", "`%s#L3`", "(%s)", "[x]: %s\n"])), max_size=6))
def test_every_other_byte_of_a_turned_file_is_the_same(parts: list[tuple[str, str, str]]) -> None:
    data = "".join(text + form % path for text, path, form in parts).encode()
    moves = {f"memory/{date(2026, 1, 1) + timedelta(n)}.md": f"memory/archive/n{n}.md" for n in range(20)}
    back = {new: old for old, new in moves.items()}
    made = relinked(data, "MEMORY.md", "MEMORY.md", moves.get, lambda _: True)
    assert relinked(made, "MEMORY.md", "MEMORY.md", back.get, lambda _: True) == data
    whole = relinked(data, "MEMORY.md", "MEMORY.md", lambda _: None, lambda _: True)
    assert whole == data
