"""The same effect under another id, in sentences for the human: approved lately, or staged beside this draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from dory_tui.gate import action, attached, intents
from dory_tui.gate.action import Action, ActionError
from dory_tui.gate.intents import Earlier
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import LedgerError
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.timestamps import short_day

_BECAME = {
    None: "has not run yet",
    records.CLAIMED: "was started, with no word since",
    records.DONE: "ran",
    records.FAILED: "ran and failed",
    records.UNKNOWN: "was started, with an unknown outcome",
    records.HAPPENED: "happened",
    records.NOT_HAPPENED: "did not happen",
    records.ABORTED: "was stopped before its start",
    records.REVOKED: "was revoked",
    records.REJECTED: "was rejected",
    records.CHANGES: "was sent back",
}


def same_elsewhere(
    gate: Gate, draft: Draft, wanted: Action, stdin: bytes, hashes: Sequence[str], now: datetime
) -> list[str]:
    """One sentence for each other id that has the same effect. Never raises: a warning is no condition."""
    mine = intents.of_action(wanted, stdin, hashes)
    try:
        yeses = intents.earlier(gate.ledger, mine, draft.id, now)
        found = [_approved(one, now) for one in yeses]
        said = {one.id for one in yeses}
        found += [f"the same action is staged as {name} too" for name in _staged(gate, draft, wanted, mine, said)]
    except (LedgerError, WorkspaceError, OSError):
        return []
    return found


def _approved(one: Earlier, now: datetime) -> str:
    became = _BECAME.get(one.event, one.event)
    moment = f" on {_day(one.when, now)}" if one.when is not None else ""
    return f"the same action was approved as {one.id} on {_day(one.approved, now)}, and {became}{moment}"


def _day(moment: datetime, now: datetime) -> str:
    """`5 Feb 10:00`, today too."""
    local = moment.astimezone(now.tzinfo)
    return f"{short_day(local.date()).strip()} {local:%H:%M}"


def _staged(gate: Gate, draft: Draft, wanted: Action, mine: str, said: set[str]) -> Iterator[str]:
    """Ids of other drafts in the workspace that would do the same. Their front matter is read once for its bytes."""
    body = draft.body
    for other in gate.staging().drafts:
        if other.id == draft.id or other.id in said or other.over or b"argv" not in other.data:
            continue
        if wanted.stdin == "body" and other.body != body:
            continue
        found = _action(other.data)
        if found is None or found.argv != wanted.argv:
            continue
        try:
            files = [one.sha256 for one in attached.read(gate.root, found)]
            if intents.of_action(found, action.stdin_bytes(gate.root, other, found), files) == mine:
                yield other.id
        except WorkspaceError:
            continue


@lru_cache(maxsize=4096)
def _action(data: bytes) -> Action | None:
    try:
        return action.plan(Draft("x", "x", "file", "x", data, None)).action
    except ActionError:
        return None
