"""The command palette: every verb by name. Enter chooses a command there, so a yes chosen there is asked for again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.screen import Screen

from dory_tui.tui import keys
from dory_tui.tui.screens.deciding import Deciding
from dory_tui.tui.screens.showing import Showing
from dory_tui.tui.screens.walking import Walking

if TYPE_CHECKING:
    from dory_tui.tui.app import DoryApp

_NAMES = {
    "approve": "Approve this draft", "promote": "Promote this memory", "happened": "It happened",
    "not_happened": "It did not happen", "reject": "Reject this draft", "discard": "Discard this memory",
    "changes": "Request changes", "scores": "Edit the scores", "revoke": "Take back the yes",
    "lift": "Lift this hold", "hold": "Hold something", "edit": "Edit this in your editor",
    "undo": "Undo the last decision", "kept": "This promise was kept", "mark": "Mark this for a decision about several",
    "promote_all": "Promote all memories that pass", "prune": "Audit and prune",
    "together": "Show the diff of all that pass, or of one", "style": "Show the diff in two columns, or in one",
}  # fmt: skip


def commands(app: DoryApp, screen: Screen[object]) -> Iterator[SystemCommand]:
    """What can be done here and now. Titles are markup to Textual, so no text of a file is in them."""
    if isinstance(screen, Deciding):
        for binding in (*keys.DECIDE, *keys.MEMORY):
            act: Callable[..., None] | None = getattr(screen, f"action_{binding.action}", None)
            if act is not None and screen.check_action(binding.action, ()):
                yield SystemCommand(_NAMES[binding.action], binding.tooltip, partial(act, asked=True))
    if isinstance(screen, Showing) and screen.check_action("reveal", ()):
        yield SystemCommand("Show or mask the secrets", keys.REVEAL, screen.action_reveal)
    if isinstance(screen, Walking):
        yield SystemCommand("Filter", "Only what has your words in it", screen.action_filter)
    if app.current_mode != "logs":
        yield SystemCommand("Logs", "The logs, day by day", partial(app.action_mode, "logs"))
    if app.current_mode != "search":
        says = "Search in everything that was ever written down here"
        yield SystemCommand("Search", says, partial(app.action_mode, "search"))
    if app.current_mode != "memory":
        says = "What would be remembered: the diff of MEMORY.md, scores and size"
        yield SystemCommand("Memory", says, partial(app.action_mode, "memory"))
    if app.current_mode != "history":
        says = "What was decided and what became of it, newest first"
        yield SystemCommand("History", says, partial(app.action_mode, "history"))
    if app.current_mode != "review":
        yield SystemCommand("Review", "Back to the review", partial(app.action_mode, "review"))
    yield SystemCommand("Keys", "What every key does here", app.action_help)
    yield SystemCommand("Theme", "Choose other colours", app.action_change_theme)
    yield SystemCommand("Quit", "Close dory; closing decides nothing", app.action_quit)
