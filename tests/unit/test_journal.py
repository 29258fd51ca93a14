"""The journal's lines: what they hold, how they follow each other, and what a crash or a hand leaves."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from dory_tui.ledger import journal
from dory_tui.ledger.disk import BusyError
from dory_tui.ledger.journal import Entry

NOON = datetime(2026, 2, 5, 12, 0, tzinfo=UTC)


def entry(number: int, *, late: bool = False) -> Entry:
    sha = hashlib.sha256(str(number).encode()).hexdigest()
    return Entry(f"post-{number}", "1-001-approved.json", sha, NOON + timedelta(minutes=number), late)


@contextmanager
def opened(state: Path, machine: str = "desk") -> Iterator[int]:
    descriptor = journal.open_for(state, machine)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def add(state: Path, *entries: Entry, machine: str = "desk") -> Path:
    """Each in a call of its own, as records are made."""
    for one in entries:
        with opened(state, machine) as descriptor:
            journal.add(descriptor, state, [one])
    return journal.file_of(state, machine)


def test_a_line_names_its_record_and_the_line_before_it(tmp_path: Path) -> None:
    zoned = Entry(
        "@hold/ab", "1-001-seen.json", "f" * 64, datetime(2026, 2, 5, 13, tzinfo=timezone(timedelta(hours=1)))
    )
    file = add(tmp_path, zoned, entry(1, late=True))
    first, second, rest = file.read_bytes().split(b"\n")
    assert rest == b""
    assert json.loads(first) == {
        "n": 1, "prev": None, "key": "@hold/ab", "name": "1-001-seen.json", "sha256": "f" * 64,
        "when": "2026-02-05T12:00:00.000000+00:00",
    }  # fmt: skip
    assert json.loads(second) == {
        "n": 2, "prev": "sha256:" + hashlib.sha256(first).hexdigest(), "key": "post-1", "name": "1-001-approved.json",
        "sha256": entry(1).sha256, "when": "2026-02-05T12:01:00.000000+00:00", "late": True,
    }  # fmt: skip
    assert (file.parent.name, file.name, file.stat().st_mode & 0o777) == ("journal", "desk.jsonl", 0o600)


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    file = add(tmp_path, *(entry(number) for number in range(5)))
    lines, faults = journal.read(file.read_bytes())
    assert [line.entry for line in lines] == [entry(number) for number in range(5)]
    assert [(line.n, line.at) for line in lines] == [(number, number) for number in range(1, 6)]
    assert faults == []
    assert journal.read(b"") == ([], [])


@pytest.mark.parametrize(
    ("machine", "name"),
    [("desk.local", "desk.local"), ("../../x", "_.._x"), ("a/b", "a_b"), (".hidden", "hidden"), ("", "machine")],
)
def test_a_machines_name_is_a_file_name_and_nothing_else(tmp_path: Path, machine: str, name: str) -> None:
    assert journal.file_of(tmp_path, machine) == tmp_path / "journal" / f"{name}.jsonl"


def test_each_machine_has_a_chain_of_its_own(tmp_path: Path) -> None:
    add(tmp_path, entry(1), machine="desk")
    add(tmp_path, entry(2), machine="laptop")
    assert [file.name for file in journal.files(tmp_path)] == ["desk.jsonl", "laptop.jsonl"]
    for file in journal.files(tmp_path):
        (line,), faults = journal.read(file.read_bytes())
        assert (line.n, line.prev, faults) == (1, None, [])


def test_two_who_write_at_once_make_one_chain(tmp_path: Path) -> None:
    start = threading.Barrier(4)

    def write(begin: int) -> None:
        start.wait()
        add(tmp_path, *(entry(number) for number in range(begin, begin + 20)))

    threads = [threading.Thread(target=write, args=[at]) for at in range(0, 400, 100)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    lines, faults = journal.read(journal.file_of(tmp_path, "desk").read_bytes())
    assert (len(lines), faults) == (80, [])


def test_who_does_not_get_the_lock_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.02)
    with opened(tmp_path) as holder, opened(tmp_path) as other:
        journal.add(holder, tmp_path, [entry(1)])
        with pytest.raises(BusyError):
            journal.add(other, tmp_path, [entry(2)])


def test_a_line_that_lost_but_its_line_feed_is_whole(tmp_path: Path) -> None:
    file = add(tmp_path, entry(1), entry(2))
    file.write_bytes(file.read_bytes()[:-1])
    assert journal.last_time(tmp_path) == entry(2).when
    add(tmp_path, entry(3))
    lines, faults = journal.read(file.read_bytes())
    assert ([line.entry for line in lines], faults) == ([entry(1), entry(2), entry(3)], [])


@pytest.mark.parametrize("cut", [2, 3, 40, 200])
def test_a_torn_last_line_is_told_and_does_not_break_what_follows(tmp_path: Path, cut: int) -> None:
    file = add(tmp_path, entry(1), entry(2), entry(3))
    file.write_bytes(file.read_bytes()[:-cut])
    lines, faults = journal.read(file.read_bytes())
    assert [line.n for line in lines] == [1, 2]
    assert [(fault.at, fault.torn) for fault in faults] == [(3, True)]
    assert journal.last_time(tmp_path) == entry(2).when

    add(tmp_path, entry(3), entry(4))
    lines, faults = journal.read(file.read_bytes())
    assert [line.entry for line in lines] == [entry(number) for number in range(1, 5)]
    assert [fault.torn for fault in faults] == [True]


def test_what_stands_in_a_torn_line_alone_is_not_there(tmp_path: Path) -> None:
    file = add(tmp_path, entry(1), entry(2))
    file.write_bytes(file.read_bytes()[:-2])
    assert entry(2).sha256.encode() in file.read_bytes()
    assert not journal.has(tmp_path, entry(2).sha256)
    add(tmp_path, entry(2, late=True))
    assert journal.has(tmp_path, entry(2).sha256)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (lambda lines: [lines[0], lines[3]], "2 lines were taken out before line 2"),
        (lambda lines: [lines[0], lines[2], lines[3]], "1 line was taken out before line 2"),
        (lambda lines: [lines[1], lines[2], lines[3]], "1 line was taken out before line 1"),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "moved or doubled"),
        (lambda lines: [lines[0], lines[1], lines[1], lines[2], lines[3]], "moved or doubled"),
        (lambda lines: [lines[0], lines[1].replace(b"post-1", b"post-7"), *lines[2:]], "one of the two was edited"),
        (lambda lines: [lines[0], b"{}", lines[2], lines[3]], "line 2 was changed"),
        (lambda lines: [lines[0], b"x", *lines[1:]], None),
    ],
)  # fmt: skip
def test_a_hand_in_the_journal_is_noticed(tmp_path: Path, hand: object, words: str | None) -> None:
    assert callable(hand)
    file = add(tmp_path, *(entry(number) for number in range(4)))
    lines = file.read_bytes().splitlines()
    _, faults = journal.read(b"".join(line + b"\n" for line in hand(lines)))
    if words is None:
        assert [fault.torn for fault in faults] == [True], "a piece that the chain goes around is what a crash leaves"
    else:
        assert [fault for fault in faults if words in fault.sentence and not fault.torn]


def test_a_late_entry_that_is_there_by_now_is_passed_over(tmp_path: Path) -> None:
    file = add(tmp_path, entry(1))
    with opened(tmp_path) as descriptor:
        journal.add(descriptor, tmp_path, [entry(1, late=True), entry(2, late=True), entry(3)])
    lines, faults = journal.read(file.read_bytes())
    assert [line.entry for line in lines] == [entry(1), entry(2, late=True), entry(3)]
    assert faults == []


def test_a_record_is_found_in_whichever_journal_and_however_far_back(tmp_path: Path) -> None:
    add(tmp_path, entry(1), machine="laptop")
    with opened(tmp_path) as descriptor:
        journal.add(descriptor, tmp_path, [entry(number) for number in range(2, 1000)])
    assert journal.file_of(tmp_path, "desk").stat().st_size > 3 * 65_536
    assert all(journal.has(tmp_path, entry(number).sha256) for number in range(1, 1000)), "across every seam as well"
    assert not journal.has(tmp_path, entry(1000).sha256)
    assert not journal.has(tmp_path / "none", entry(1).sha256)


# The last time


def test_there_is_no_last_time_without_a_line(tmp_path: Path) -> None:
    assert journal.last_time(tmp_path) is None
    with opened(tmp_path):
        pass
    assert journal.last_time(tmp_path) is None
    journal.file_of(tmp_path, "desk").write_bytes(b"{torn")
    assert journal.last_time(tmp_path) is None


def test_the_last_time_is_that_of_the_last_line_of_the_latest_journal(tmp_path: Path) -> None:
    add(tmp_path, entry(9), entry(5), machine="desk")
    assert journal.last_time(tmp_path) == entry(5).when
    add(tmp_path, entry(7), machine="laptop")
    assert journal.last_time(tmp_path) == entry(7).when
    found = journal.last_time(tmp_path)
    assert found is not None
    assert found.tzinfo is UTC


def test_the_last_time_is_found_behind_a_long_torn_piece(tmp_path: Path) -> None:
    file = add(tmp_path, entry(1), entry(2))
    for junk in (b"x" * 9_000, b"x" * 200_000, b"y\n" * 9_000):
        with file.open("ab") as handle:
            handle.write(junk)
        assert journal.last_time(tmp_path) == entry(2).when


def test_what_is_no_journal_hangs_nobody(tmp_path: Path) -> None:
    (tmp_path / "journal").mkdir()
    os.mkfifo(tmp_path / "journal" / "pipe.jsonl")
    (tmp_path / "journal" / "folder.jsonl").mkdir()
    (tmp_path / "journal" / "note.txt").write_text("x")
    assert journal.last_time(tmp_path) is None
