"""One item whole, as the command line shows it before anything is decided about it."""

from __future__ import annotations

from dory_tui.cli.memory_show import candidate_text
from dory_tui.cli.printing import say, say_masked
from dory_tui.review.desk import Desk
from dory_tui.review.inspect import Inspection, inspect
from dory_tui.review.items import Candidate, Staged
from dory_tui.review.previewing import Proposal, propose
from dory_tui.review.show import show_draft
from dory_tui.secrets import counted
from dory_tui.visible import Looking, visible_line


def show_candidate(desk: Desk, one: Candidate) -> str:
    """A memory whole, made visible, whether it waits or was decided about: `candidate_text` under its name."""
    found = one.promotion
    made = propose(one, desk) if one.waits else Proposal(None)
    heads = [visible_line(found.title), f"{found.id} · {visible_line(found.status)} · {visible_line(found.path)}"]
    return "\n".join([*heads, candidate_text(desk, one, made)])


def shown_whole(desk: Desk, item: Staged, *, reveal: bool, how: str = "--reveal") -> tuple[Inspection, str]:
    """Show a draft before the yes to it; what the question for the yes must say of what was not shown.

    `how` is what shows its secrets.
    """
    with Looking(reveal=reveal) as look:
        looked = inspect(desk.gate.root, item.draft, desk.now, gate=desk.gate)
        say(show_draft(desk, item, looked))
        say_masked(look, how)
    return looked, f", {counted(look.masked)} of it unseen" if look.masked else ""
