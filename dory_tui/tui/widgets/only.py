"""One item of the ledger: what the History screen shows when it was opened from a line of the review. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from dory_tui.ledger.store import HOLD_PREFIX, MEMORY_PREFIX
from dory_tui.review.items import Candidate, HoldView, Staged
from dory_tui.tui.widgets.entries import Entry


@dataclass(frozen=True)
class Only:
    """An item's key in the ledger, the path of its file if it has one of its own, and what to call it."""

    key: str
    path: str | None
    name: str


def only_of(entry: Entry | None) -> Only | None:
    """The item that a line of a panel stands for; None where it is none of the ledger's."""
    match None if entry is None else entry.thing:
        case Staged(draft=draft):
            return Only(draft.id, draft.path if draft.origin != "inline" else None, draft.id)
        case Candidate(promotion=found):
            return Only(MEMORY_PREFIX + found.id, found.path, found.id)
        case HoldView(hold=hold) if hold.kind != "file":
            return Only(HOLD_PREFIX + hold.hash, None, hold.subject)
    return None
