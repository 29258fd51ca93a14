"""Whatever is done to a journal or a ledger by hand shows; whatever a crash leaves does not look like a hand."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dory_tui.ledger import journal, records
from dory_tui.ledger.journal import Entry, Line
from dory_tui.ledger.records import Record
from dory_tui.review.compare import Compared, Place, compare

NOON = datetime(2026, 2, 5, 12, 0, tzinfo=UTC)
WORKSPACE = "w" * 32
entries = st.builds(
    Entry,
    st.text(min_size=1, max_size=20),
    st.sampled_from(["1-001-approved.json", "1-500-claimed.json", "2-001-rejected.json"]),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.booleans(),
)


def chain(given_entries: list[Entry]) -> list[bytes]:
    """The lines of a journal, with their line feeds."""
    lines: list[bytes] = []
    last: Line | None = None
    for one in given_entries:
        lines.append(journal.serialise(one, last))
        last = journal.parse(lines[-1][:-1])
        assert last is not None
    return lines


@settings(deadline=None)  # a busy machine is no failure
@given(st.lists(entries, max_size=8))
def test_what_is_written_comes_back_whole(given_entries: list[Entry]) -> None:
    lines, faults = journal.read(b"".join(chain(given_entries)))
    assert [line.entry for line in lines] == given_entries
    assert faults == []


@settings(deadline=None)  # a busy machine is no failure
@given(st.lists(entries, min_size=1, max_size=5), st.data())
def test_a_journal_cut_short_anywhere_has_its_whole_lines_and_no_sign_of_a_hand(
    given_entries: list[Entry], data: st.DataObject
) -> None:
    lines = chain(given_entries)
    whole = b"".join(lines)
    size = data.draw(st.integers(0, len(whole)))
    found, faults = journal.read(whole[:size])
    assert len(found) == whole[:size].count(b"}\n") + whole[:size].endswith(b"}")
    assert [line.entry for line in found] == given_entries[: len(found)]
    assert all(fault.torn for fault in faults)
    assert len(faults) == (0 if whole[:size].endswith((b"\n", b"}")) or size == 0 else 1)


@settings(deadline=None)  # a busy machine is no failure
@given(st.lists(entries, min_size=3, max_size=8), st.data())
def test_a_line_taken_out_moved_doubled_or_edited_is_noticed_unless_it_is_the_last(
    given_entries: list[Entry], data: st.DataObject
) -> None:
    lines = chain(given_entries)
    at = data.draw(st.integers(0, len(lines) - 2))
    hand = data.draw(st.sampled_from(["out", "moved", "doubled", "edited", "other bytes"]))
    changed = list(lines)
    if hand == "out":
        del changed[at]
    elif hand == "moved":
        changed.insert(data.draw(st.integers(0, len(lines) - 1)), changed.pop(at))
    elif hand == "doubled":
        changed.insert(data.draw(st.integers(at, len(lines))), lines[at])
    elif hand == "edited":
        other = data.draw(entries)
        assume(other != given_entries[at])
        changed[at] = journal.serialise(other, journal.parse(lines[at - 1][:-1]) if at else None)
    else:
        position = data.draw(st.integers(0, len(lines[at]) - 2))
        byte = data.draw(st.integers(0, 255).filter(lambda b: b not in (lines[at][position], 10)))
        changed[at] = lines[at][:position] + bytes([byte]) + lines[at][position + 1 :]
    assume(changed != lines)
    _, faults = journal.read(b"".join(changed))
    assert any(not fault.torn for fault in faults)


@settings(deadline=None)  # a busy machine is no failure
@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(data: bytes) -> None:
    lines, faults = journal.read(data)
    assert len(lines) + len(faults) >= bool(data.strip(b"\n"))


# Ledger, mirror and journal against each other

EVENTS = st.lists(st.sampled_from(["approved", "rejected", "revoked", "changes-requested"]), min_size=1, max_size=4)


def ledger(items: dict[str, list[str]]) -> tuple[dict[Place, bytes | str], list[Line]]:
    """Records such as the store makes, and the lines of their journal, item by item in turn."""
    files: dict[Place, bytes | str] = {}
    written: list[Entry] = []
    last: dict[str, bytes] = {}
    turns = sorted((number, key) for key, events in items.items() for number in range(len(events)))
    for moment, (number, key) in enumerate(turns):
        before = last.get(key)
        prev = None if before is None else records.digest(before)
        when = NOON + timedelta(minutes=moment)
        record = Record(
            WORKSPACE, key, 1, number + 1, items[key][number], "ana@desk (dory)", when, prev, {"digest": key}
        )
        data = records.serialise(record)
        last[key] = data
        files[key, record.name] = data
        written.append(Entry(key, record.name, hashlib.sha256(data).hexdigest(), when))
    return files, journal.read(b"".join(chain(written)))[0]


items_given = st.dictionaries(st.sampled_from(["a", "b", "@hold/c"]), EVENTS, min_size=1)


def told(original: dict[Place, bytes | str], mirror: dict[Place, bytes | str], lines: list[Line]) -> Compared:
    return compare(WORKSPACE, "desk", original, mirror, [lines])


@settings(deadline=None)  # a busy machine is no failure
@given(items_given)
def test_records_as_they_were_written_have_nothing_to_tell(items: dict[str, list[str]]) -> None:
    files, lines = ledger(items)
    seen = told(files, dict(files), lines)
    assert (seen.findings, seen.unentered) == ([], [])


@settings(deadline=None)  # a busy machine is no failure
@given(items_given, st.data())
def test_a_record_that_a_hand_touched_is_named(items: dict[str, list[str]], data: st.DataObject) -> None:
    files, lines = ledger(items)
    original, mirror = dict(files), dict(files)
    place = data.draw(st.sampled_from(sorted(files)))
    whole = files[place]
    assert isinstance(whole, bytes)
    hand = data.draw(st.sampled_from(["edited", "deleted", "torn", "mirror edited", "mirror deleted", "both", "gone"]))
    edited = whole.replace(b"ana@desk", b"eve@desk")
    if hand in ("edited", "both"):
        original[place] = edited
    if hand in ("mirror edited", "both"):
        mirror[place] = edited
    if hand == "torn":
        original[place] = whole[: data.draw(st.integers(0, len(whole) - 3))]
    if hand in ("deleted", "gone"):
        del original[place]
    if hand in ("mirror deleted", "gone"):
        del mirror[place]
    kinds = {one.kind for one in told(original, mirror, lines).findings if one.file == "/".join(place) and one.wrong}
    expected = {
        "edited": "edited", "both": "edited", "deleted": "deleted", "gone": "deleted", "torn": "torn",
        "mirror edited": "copy-differs", "mirror deleted": "copy-missing",
    }  # fmt: skip
    assert expected[hand] in kinds


@settings(deadline=None)  # a busy machine is no failure
@given(items_given, st.data())
def test_a_record_that_a_hand_added_is_named(items: dict[str, list[str]], data: st.DataObject) -> None:
    files, lines = ledger(items)
    key = data.draw(st.sampled_from(sorted(items)))
    forged = Record(WORKSPACE, key, 2, 1, "approved", "ana@desk (dory)", NOON, None, {"digest": key})
    place = (key, forged.name)
    added: dict[Place, bytes | str] = {**files, place: records.serialise(forged)}
    seen = told(added, dict(files), lines)
    assert seen.unentered == [place]
    assert {"copy-missing", "chain"} <= {one.kind for one in seen.findings if one.file == "/".join(place)}
    seen = told(files, added, lines)
    assert [one.kind for one in seen.findings] == ["added"]


def test_a_record_of_an_earlier_attempt_that_came_later_is_no_sign_of_a_hand() -> None:
    files: dict[Place, bytes | str] = {}
    written = []
    prev = None
    for moment, (attempt, number, event) in enumerate([(1, 1, "approved"), (2, 1, "approved"), (1, 2, "revoked")]):
        when = NOON + timedelta(hours=moment)
        record = Record(WORKSPACE, "a", attempt, number, event, "ana@desk (dory)", when, prev, {})
        data = records.serialise(record)
        prev = records.digest(data)
        files["a", record.name] = data
        written.append(Entry("a", record.name, hashlib.sha256(data).hexdigest(), when))
    lines, _ = journal.read(b"".join(chain(written)))
    assert told(files, dict(files), lines).findings == []


def test_two_machines_that_write_in_turn_are_no_sign_of_a_hand() -> None:
    files, lines = ledger({"a": ["approved", "revoked", "approved", "rejected"]})
    assert compare(WORKSPACE, "desk", files, dict(files), [lines[::2], lines[1::2]]).findings == []
    assert compare(WORKSPACE, "desk", files, dict(files), [[lines[1], lines[0]], lines[2:]]).findings


@settings(deadline=None)  # a busy machine is no failure
@given(items_given)
def test_a_no_from_elsewhere_is_no_reason_to_worry(items: dict[str, list[str]]) -> None:
    files, lines = ledger(items)
    key = sorted(items)[0]
    no = Record(WORKSPACE, key, 1, 1, "rejected", "ana@laptop (dory)", NOON, None, {"digest": key})
    assume((key, no.name) not in files)
    seen = told(files, {**files, (key, no.name): records.serialise(no)}, lines)
    assert [(one.kind, one.wrong) for one in seen.findings] == [("elsewhere", False)]
