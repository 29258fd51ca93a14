"""Which drafts a hold covers, as people and agents are shown it."""

from __future__ import annotations

from collections.abc import Iterable

from dory_tui.gate.covering import covers
from dory_tui.gate.rules import Standing
from dory_tui.gate.survey import Gate
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.holds import Hold

_OVER = ("done", "happened", "rejected", "past")


def covered(hold: Hold, drafts: Iterable[tuple[Draft, Standing]]) -> tuple[str, ...]:
    """The ids of the open drafts that a hold covers, those whose front matter cannot be read among them."""
    found = []
    for draft, standing in drafts:
        if standing.state in _OVER:
            continue
        facts, _ = Gate.facts(draft)
        if hold.everything or facts is None or covers(hold, facts):
            found.append(draft.id)
    return tuple(found)
