"""Records: one immutable JSON file per event. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from dory_tui.values import dataclass, field

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
CLAIM_NUMBER = 500
"""The number of every claim: one file name per (id, attempt), so that the file system decides a race."""

APPROVED = "approved"
REJECTED = "rejected"
CHANGES = "changes-requested"
REVOKED = "revoked"
CLAIMED = "claimed"
DONE = "done"
FAILED = "failed"
UNKNOWN = "unknown"
ABORTED = "aborted-before-start"
HAPPENED = "happened"
NOT_HAPPENED = "not-happened"
SEEN = "seen"
LIFTED = "lifted"
NOT_A_HOLD = "not-a-hold"
PROMOTED = "promoted"
DISCARDED = "discarded"
SCORED = "scored"
REOPENED = "reopened"
"""A no, or a decision on a memory, was taken back: what it was about waits again."""
CAPTURED = "captured"

SIGNATURE = "signature"
"""The name, in a record's data, of the signature over all the rest of it (`ledger.signing`)."""

OUTCOMES = (DONE, FAILED, UNKNOWN, ABORTED, HAPPENED, NOT_HAPPENED)
YESES = frozenset({APPROVED, LIFTED, NOT_A_HOLD, NOT_HAPPENED, PROMOTED, REOPENED})
"""What loosens something: it counts only when the authoritative ledger has it."""

EVENTS = frozenset(
    {APPROVED, REJECTED, CHANGES, REVOKED, CLAIMED, *OUTCOMES, SEEN, LIFTED, NOT_A_HOLD, PROMOTED,
     DISCARDED, SCORED, REOPENED, CAPTURED}
)  # fmt: skip

_NAME = re.compile(r"(?P<attempt>[1-9]\d{0,5})-(?P<number>\d{3})-(?P<event>[a-z-]+)\.json")


class RecordError(Exception):
    """A record's bytes are not a record; the message says why."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was decided, claimed, or became of an item. `when` is UTC; `prev` the hash of the record before it."""

    workspace: str
    id: str
    attempt: int
    number: int
    event: str
    who: str
    when: datetime
    prev: str | None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return file_name(self.attempt, self.number, self.event)


def file_name(attempt: int, number: int, event: str) -> str:
    """`<attempt>-<n>-<event>.json`, n on three digits so that a listing reads as history."""
    return f"{attempt}-{number:03}-{event}.json"


def parse_name(name: str) -> tuple[int, int, str] | None:
    """(attempt, number, event) of a record's file name; None for any other file."""
    match = _NAME.fullmatch(name)
    if match is None or match["event"] not in EVENTS:
        return None
    return int(match["attempt"]), int(match["number"]), match["event"]


def serialise(record: Record) -> bytes:
    """The record's file: pretty-printed JSON with one final newline."""
    return json.dumps(values(record), indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def values(record: Record) -> dict[str, object]:
    """A record's fields by the names that its file has."""
    return {
        "format": FORMAT,
        "workspace": record.workspace,
        "id": record.id,
        "attempt": record.attempt,
        "number": record.number,
        "event": record.event,
        "who": record.who,
        "when": record.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "prev": record.prev,
        "data": dict(record.data),
    }


def parse(data: bytes, name: str, workspace: str, identity: str, former: Sequence[str] = ()) -> Record:
    """A record out of its file's bytes. RecordError when it does not say what its place says.

    `former` are ids that the workspace had before it was said to be a copy.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        conflict = " (merge conflict markers)" if b"<<<<<<<" in data else ""
        raise RecordError(f"it is not a record{conflict}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RecordError("it is not a record of a format this version knows")
    try:
        moment = datetime.fromisoformat(found["when"])
        if moment.tzinfo is None:
            raise RecordError("its time has no zone")
        moment = moment.astimezone(UTC)
        record = Record(
            str(found["workspace"]), str(found["id"]), int(found["attempt"]), int(found["number"]),
            str(found["event"]), str(found["who"]), moment, found["prev"], dict(found["data"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"it lacks or mistypes {error}") from error
    if record.name != name or record.id != identity:
        raise RecordError("what it says is not what its name says")
    if record.workspace != workspace and record.workspace not in former:
        raise RecordError("it belongs to another workspace")
    return record


def digest(data: bytes) -> str:
    """`sha256:` and the hash of a record's bytes, as `prev` carries it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
