"""Records as files: their names, their bytes, and everything that is not one."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from dory_tui.ledger import records
from dory_tui.ledger.records import Record, RecordError, file_name, parse, parse_name, serialise

WHEN = datetime(2026, 2, 5, 10, 0, 0, 250, tzinfo=timezone(timedelta(hours=1)))
RECORD = Record("w" * 32, "launch-3", 1, 2, "rejected", "ana@desk (dory)", WHEN, "sha256:ab", {"note": "später ⏳"})
NAME = "1-002-rejected.json"


def _with(**changes: Any) -> bytes:
    values = json.loads(serialise(RECORD))
    return json.dumps({name: value for name, value in (values | changes).items() if value != "-"}).encode()


def test_a_record_is_a_pretty_printed_file_whose_times_are_utc() -> None:
    text = serialise(RECORD).decode()
    assert text.startswith('{\n  "format": 1,\n')
    assert text.endswith("}\n")
    assert '"when": "2026-02-05T09:00:00.000250+00:00"' in text
    assert "später ⏳" in text, "a person reads it without a decoder"


def test_a_record_comes_back_from_its_bytes() -> None:
    found = parse(serialise(RECORD), NAME, RECORD.workspace, RECORD.id)
    assert found == RECORD
    assert found.when.tzinfo is UTC
    assert serialise(found) == serialise(RECORD)


def test_a_listing_of_names_reads_as_history() -> None:
    names = [file_name(*one) for one in ((1, 1, "approved"), (1, 12, "revoked"), (1, 500, "claimed"), (1, 501, "done"))]
    assert names == ["1-001-approved.json", "1-012-revoked.json", "1-500-claimed.json", "1-501-done.json"]
    assert sorted(names) == names
    assert [parse_name(name) for name in names][2] == (1, 500, "claimed")


@pytest.mark.parametrize(
    "name",
    [
        "0-001-approved.json", "01-001-approved.json", "1-01-approved.json", "1-001-blessed.json", "1-001-approved",
        "1-001-approved.json.tmp", ".1-001-approved.json", "1-001-Approved.json", "1-001-approved.json\n",
        "1000000-001-approved.json", "１-001-approved.json",
    ],
)  # fmt: skip
def test_other_files_are_no_records(name: str) -> None:
    assert parse_name(name) is None


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not a record"),
        (b"{", "not a record"),
        (b"\xff\xfe", "not a record"),
        (b"[" * 200_000, "not a record"),
        (b"<<<<<<< ours\n{}\n", "conflict markers"),
        (b"[]", "format"),
        (b"{}", "format"),
        (_with(format=2), "format"),
        (_with(when="2026-02-05T10:00:00"), "no zone"),
        (_with(when="yesterday"), "yesterday"),
        (_with(when=7), "mistypes"),
        (_with(when="0001-01-01T00:00:00+14:00"), "mistypes"),
        (_with(data=[1]), "mistypes"),
        (_with(who="-"), "who"),
        (_with(attempt="first"), "first"),
        (_with(attempt=2), "its name"),
        (_with(event="approved"), "its name"),
        (_with(number=3), "its name"),
        (_with(id="launch-4"), "its name"),
        (_with(workspace="v" * 32), "another workspace"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(data: bytes, word: str) -> None:
    with pytest.raises(RecordError, match=word):
        parse(data, NAME, RECORD.workspace, RECORD.id)


def test_what_loosens_something_is_a_yes_and_what_blocks_is_not() -> None:
    assert {"approved", "lifted", "not-a-hold", "not-happened", "promoted", "reopened"} == records.YESES
    assert not records.YESES & {"rejected", "changes-requested", "revoked", "claimed", "seen", "unknown", "happened"}
