"""Where the files of a desk contradict each other, in their order of precedence. Pure."""

from __future__ import annotations

from dory_tui.gate import conflicts as rules
from dory_tui.review.desk import Desk
from dory_tui.workspace.entries import Decision


def conflicts(desk: Desk) -> tuple[str, ...]:
    """A sentence for each contradiction of a task, a hold and decisions (`gate.conflicts`)."""
    return rules.conflicts(desk.tasks, [view.hold for view in desk.holds], desk.decisions)


def overruled_by(desk: Desk, decision: Decision) -> Decision | None:
    """The later decision that says the contrary of this one; None when it stands."""
    return next((later for earlier, later in rules.contradicted(desk.decisions) if earlier == decision), None)
