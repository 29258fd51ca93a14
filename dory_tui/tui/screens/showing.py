"""What the review and the Memory screen share in showing one entry: what was painted, read, changed; secrets."""

from __future__ import annotations

from typing import Any

from dory_tui.tui.screens.reloading import Reloading
from dory_tui.tui.widgets.entries import Entry
from dory_tui.tui.widgets.pages import Fact
from dory_tui.visible import Looking

CHANGED = Fact("it changed since you read it: read it again", "asks")


class Showing(Reloading):
    """Shows the page of what is selected. The subclass makes the page."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.revealed: str | None = None
        """The key of the entry whose secrets are shown as they stand."""
        self._showing: Entry | None = None
        """What the page is made for, perhaps not painted yet; `_shown` is what was."""
        self._shown: Entry | None = None
        self._stale: str | None = None
        """The key of an entry that changed under the reader."""
        self._possible: frozenset[str] = frozenset()

    # What is shown

    def turn_to(self, entry: Entry | None) -> None:
        """Another page is wanted: what was said of the one before goes, and no key decides until it is painted."""
        self._showing = entry
        if entry is None or entry.key != self._stale:
            self._stale = None
        if self.in_flight == "":
            self.say("")
        self.guard.moved()
        self.refresh_verbs(entry)

    def changed_facts(self, entry: Entry | None, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """The facts above a page, the first of them that the entry changed since it was read."""
        return (CHANGED, *facts) if entry is not None and entry.key == self._stale else facts

    def is_shown(self, entry: Entry | None) -> None:
        """A page was given to its widgets; once they are painted keys may decide about it."""
        self._shown = entry
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self.guard.painted()
        self.note_shown()

    @property
    def reads_one(self) -> bool:
        """Whether the page is of what is selected alone."""
        return True

    def note_shown(self) -> None:
        """What is on the screen is no longer new; what was read to its end may be decided with others."""
        entry = self._shown
        if entry is None or entry is not self.selected or not self.reads_one or not self.detail.display:
            return
        if entry.key in self.changes.fresh:
            self.changes.fresh.discard(entry.key)
            self.panel_sign(entry, self._sign(entry))
        if not self.detail.unseen:
            self.note_read(entry, self.detail.page)

    def on_detail_seen(self) -> None:
        self.note_shown()

    def refresh_verbs(self, entry: Entry | None) -> None:
        """Show in the foot what can be decided about an entry."""
        possible = self.possible(entry)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()

    # Secrets

    def looking(self, entry: Entry | None) -> Looking:
        """How the text of an entry is looked at: its secrets are masked until they are asked for, and again later."""
        if entry is None or entry.key != self.revealed:
            self.revealed = None
        return Looking(reveal=self.revealed is not None)

    def show_again(self) -> None:
        """Show what is selected, which looks different now."""
        raise NotImplementedError

    @property
    def reveals(self) -> bool:
        """Whether the text that is shown has secrets."""
        page = self.detail.page
        return page is not None and page.secrets > 0

    def action_reveal(self) -> None:
        entry = self.selected
        if entry is not None and not self.in_flight:
            self.revealed = None if self.revealed == entry.key else entry.key
            self.show_again()
