"""Which page an entry has."""

from __future__ import annotations

from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, HoldView, Past, Staged
from dory_tui.tui.widgets import pages
from dory_tui.tui.widgets.entries import Entry, Nothing, StateText
from dory_tui.tui.widgets.memory_page import memory_page
from dory_tui.tui.widgets.pages import Page
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.promises import Promise


def page_for(entry: Entry, desk: Desk, position: str) -> Page:
    """The page of anything but a draft, which must be looked at closely first."""
    thing = entry.thing
    match thing:
        case HoldView():
            return pages.hold_page(thing, desk)
        case Task():
            return pages.task_page(thing, desk)
        case Promise():
            return pages.promise_page(thing, desk)
        case Past():
            return pages.past_page(thing)
        case Decision():
            return pages.decision_page(thing, desk)
        case Candidate():
            return memory_page(thing, desk, position)
        case StateText():
            return pages.file_page(thing)
        case Nothing():
            return pages.nothing_page(thing)
        case Staged():
            raise TypeError("the page of a draft is draft_page's")
