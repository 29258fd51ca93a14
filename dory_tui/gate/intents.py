"""Whether the same effect was asked for under another id: a human who sees a draft again should be told.

`intents` in the workspace's state folder has a line `<hash> <id> <time>` for every approval of an action, written
before it. A line whose approval the ledger lacks is of a yes that never was; where the file is missing it is made out
of the ledger. It decides nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from dory_tui.gate.action import Action
from dory_tui.gate.scan import whole
from dory_tui.ledger import records
from dory_tui.ledger.disk import LedgerError
from dory_tui.ledger.store import Item, Ledger
from dory_tui.values import dataclass
from dory_tui.workspace.timestamps import instant, parse_instant

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

NOTES = "intents"
REMEMBERED = timedelta(days=30)
_PLAIN = ("timeout_s", "ok_exit", "stdin")
"""Fields of an action that change nothing of its effect; what is on standard input counts by its bytes."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A yes to the same effect under another id, and what became of it."""

    id: str
    approved: datetime
    event: str | None
    """The last event of that attempt after the yes, such as `done`; None when it still stands."""
    when: datetime | None


def intent(action: Mapping[str, Any], stdin: str, attached: Sequence[str]) -> str:
    """SHA-256, hex, of what an action would do: its canonical form, and the hashes of its input and its files."""
    kept = {key: value for key, value in action.items() if key not in _PLAIN}
    text = json.dumps([kept, stdin, list(attached)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def of_action(action: Action, stdin: bytes, attached: Sequence[str]) -> str:
    """The intent of an action that was read with its input, and the hashes of its files in order."""
    return intent(action.canonical(), hashlib.sha256(stdin).hexdigest(), attached)


def of_approval(data: Mapping[str, Any]) -> str | None:
    """The intent of an approval; None for text."""
    if not data.get("action"):
        return None
    attached = [str(one["sha256"]) for one in data.get("attachments", ())]
    return intent({"attach": [], **data["action"]}, str(data["stdin_sha256"]), attached)


def note(ledger: Ledger, wanted: str, key: str, when: datetime) -> None:
    """Note an approval that is about to be recorded. LedgerError when it cannot be written."""
    file = ledger.state / NOTES
    try:
        if not file.exists():
            _make(ledger, file)
        with file.open("a", encoding="utf-8") as notes:
            notes.write(f"{wanted} {key} {instant(when)}\n")
    except OSError as error:
        raise LedgerError(f"{file} cannot be written ({error.strerror}): nothing was decided") from error


def _make(ledger: Ledger, file: Path) -> None:
    temporary = file.with_name(f"{NOTES}.{os.getpid()}")
    lines = [f"{wanted} {key} {instant(when)}\n" for wanted, key, when in _approvals(ledger)]
    temporary.write_text("".join(lines), "utf-8")
    try:
        with suppress(FileExistsError):  # another yes was faster, and may have added its line by now
            os.link(temporary, file)
    finally:
        temporary.unlink()


def _approvals(ledger: Ledger) -> Iterator[tuple[str, str, datetime]]:
    for record in whole(ledger, records.APPROVED):
        wanted = of_approval(record.data)
        if wanted is not None:
            yield wanted, record.id, record.when


def earlier(ledger: Ledger, wanted: str, key: str, now: datetime) -> list[Earlier]:
    """Yeses of the last 30 days to the same effect under other ids, the newest first. LedgerError as the ledger's."""
    found = {}
    for name in _noted(ledger, wanted, now):
        if name != key and (yes := _yes(ledger.history(name), name, wanted, now)) is not None:
            found[name] = yes
    return sorted(found.values(), key=lambda one: one.approved, reverse=True)


def _noted(ledger: Ledger, wanted: str, now: datetime) -> set[str]:
    try:
        lines = (ledger.state / NOTES).read_bytes().splitlines()
    except FileNotFoundError:
        return {key for of, key, when in _approvals(ledger) if of == wanted and when > now - REMEMBERED}
    start = f"{wanted} ".encode()
    parts = [line.decode("utf-8", "replace").split(" ") for line in lines if line.startswith(start)]
    return {part[1] for part in parts if len(part) == 3 and _recent(part[2], now)}


def _recent(text: str, now: datetime) -> bool:
    try:
        return parse_instant(text) > now - REMEMBERED
    except ValueError:
        return False


def _yes(items: Sequence[Item], key: str, wanted: str, now: datetime) -> Earlier | None:
    """The last yes of an item to this effect, with what came after it in its attempt."""
    for item in reversed(items):
        record = item.record
        if item.event != records.APPROVED or not item.original or record is None or record.when <= now - REMEMBERED:
            continue
        if of_approval(record.data) != wanted:
            continue
        after = [one for one in items if one.attempt == item.attempt and one.number > item.number]
        last = after[-1] if after else None
        when = last.record.when if last is not None and last.record is not None else None
        return Earlier(key, record.when, None if last is None else last.event, when)
    return None
