"""The entries of MEMORY.md with their age and last mention, and how far your scores lie from the agent's.

The entries stand there at once; git and the logs are asked in a thread, which takes seconds where there are many.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events, on
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from dory_tui.gate.survey import Gate
from dory_tui.memory.pruning import Entry
from dory_tui.tui import sizes, verbs
from dory_tui.tui.guard import Guard, Guarded, Monotonic
from dory_tui.tui.widgets.audit_facts import NO_ENTRIES, NO_FILE, compared, entry_facts, gap_line, gap_lines
from dory_tui.tui.widgets.audit_list import EntryList, Known, labels, lines, row
from dory_tui.tui.widgets.candidates import clickable
from dory_tui.tui.widgets.lines import Signed
from dory_tui.visible import visible_line

if TYPE_CHECKING:
    from dory_tui.memory.audit import Mention

_TICK = 0.1
"""Seconds between two looks at how far the reading of the logs is."""


class Auditing(Guarded, Screen[tuple[int, ...] | None]):
    """Shows what is known of each entry of one MEMORY.md. The subclass has the parts, marks entries and decides."""

    def __init__(self, gate: Gate, memory: bytes | None, clock: Monotonic) -> None:
        super().__init__()
        self.guard = Guard(clock)
        self.marked: set[int] = set()
        """The first lines of the entries that are marked."""
        self._gate, self._there, self._memory = gate, memory is not None, memory or b""
        self._known = Known.of_file(self._memory)
        self._words: Mapping[Mention, str] = {}
        self._places: list[Entry | Content] = []
        self._by_file = False
        self._moved = False
        """Whether a key was pressed here; before that the first entry of any order is pointed out."""
        self._timer: Timer | None = None
        self._done, self._count, self._left = 0, 0, False
        """Logs that were read, of how many, and whether nobody waits for them any more; the audit's thread reads it."""

    def on_mount(self) -> None:
        if self._known.listed:
            self.query_one("#prune-labels", Static).update(Signed(labels(), Content("")), layout=False)
        self.facts.border_title = Content.styled("This entry", "bold")
        self._fill()
        self._tell_gaps()
        if self._known.listed:
            self._timer = self.set_interval(_TICK, self._tell_list)
            self.run_worker(self._look(), group="audit")

    def on_unmount(self) -> None:
        self._left = True

    def hear(self) -> None:
        super().hear()
        self._moved = True

    # The parts

    @property
    def options(self) -> EntryList:
        return self.query_one("#prune-list", EntryList)

    @property
    def facts(self) -> Static:
        return self.query_one("#prune-facts", Static)

    @property
    def entry(self) -> Entry | None:
        """What is pointed out."""
        at = self.options.highlighted
        found = self._places[at] if at is not None and at < len(self._places) else None
        return found if isinstance(found, Entry) else None

    @property
    def _room(self) -> int:
        """Cells for a line of facts; many before anything is laid out."""
        return self.facts.content_size.width or 1_000

    @property
    def _can_order(self) -> bool:
        return self._known.audit is not None and bool(self._known.listed)

    # The audit

    async def _look(self) -> None:
        found = await asyncio.to_thread(verbs.audit, self._gate, self._progress)
        if self._left:
            return
        if self._timer is not None:
            self._timer.stop()
        self._count = 0
        if found.audit is None:
            self.warn(visible_line(found.refusal))
        elif found.audit.digest != hashlib.sha256(self._memory).hexdigest():
            self.warn("MEMORY.md changed meanwhile: Esc, then P, looks through it as it is now")
        else:
            self._known, self._words = replace(self._known, audit=found.audit), found.words
            self._fill()
            self._tell_gaps()
        self._tell_list()
        self.refresh_bindings()

    def _progress(self, done: int, count: int) -> None:
        """Called in the thread of the audit."""
        if self._left:
            raise verbs.EndedError
        self._done, self._count = done, count

    def warn(self, words: str) -> None:
        """A notice. Never markup."""
        self.notify(words, severity="warning", markup=False, timeout=8)

    # The list

    def _fill(self) -> None:
        """Fill the list. What is pointed out stays so, at its place on the screen; before any key, the first is."""
        before, line = self.entry, self.options.place
        self._places = lines(self._known, self._by_file)
        self.options.set_options(
            Option(self.row(one)) if isinstance(one, Entry) else Option(one, disabled=True) for one in self._places
        )
        shown = [at for at, one in enumerate(self._places) if isinstance(one, Entry)]
        kept = next((at for at in shown if self._moved and self._places[at] == before), None)
        self.options.highlighted = kept if kept is not None else next(iter(shown), None)
        if kept is not None and line is not None:
            self.options.put(line)
        self._tell_entry()

    def row(self, entry: Entry) -> Signed:
        return row(entry, self._known, entry.first in self.marked)

    def action_order(self) -> None:
        self._by_file = not self._by_file
        self._fill()
        self._tell_list()

    def _tell_list(self) -> None:
        """How many there are, how far the reading is, and what `o` does, for the mouse."""
        count = len(self._known.listed)
        reads = self._count and self._known.audit is None
        told = f"  reading {self._count:,} logs: {100 * self._done // self._count} %" if reads else ""
        frame = self.query_one("#prune-entries")
        amount = "1 entry" if count == 1 else f"{count} entries"
        old = 0 if self._known.audit is None else len(self._known.audit.stale)
        frame.border_title = Content.assemble(
            ("MEMORY.md", "bold"), f"  {amount}", (f", {old} stale" if old else "", "$error"), (told, "$warning")
        )
        words = "stale first" if self._by_file else "in the order of the file"
        offer = Content.assemble(("o ", "bold $accent"), clickable(words, "screen.order"))
        frame.border_subtitle = offer if self._can_order else Content("")

    # What is known

    @on(OptionList.OptionHighlighted, "#prune-list")
    def _tell_entry(self) -> None:
        """What is known of the entry that is pointed out."""
        entry = self.entry
        if entry is None:
            self.facts.update(Content(NO_ENTRIES if self._there else NO_FILE), layout=False)
            return
        one = self._known.of(entry)
        words = self._words.get(one.mention) if one is not None and one.mention is not None else None
        self.facts.update(entry_facts(entry, self._known, words, self._room), layout=False)

    def _tell_gaps(self) -> None:
        """How far the scores are apart; in one line where lines are few."""
        found = self._known.audit
        pane = self.query_one("#prune-gaps", Static)
        pane.set_class(found is None, "-empty")
        if found is None:
            return
        count = compared(found.gaps)
        pane.border_title = Content.assemble(("Your scores", "bold"), "  beside the agent's")
        amount = "1 memory compared" if count == 1 else f"{count} memories compared"
        pane.border_subtitle = Content.styled(amount if count else "", "$text-muted")
        pane.update((gap_line if self.has_class("-lines") else gap_lines)(found.gaps))

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.update_classes(sizes.classes(width, height))
        self.query_one("#too-small", Static).update(sizes.too_small(width, height))
        self._tell_gaps()
        self.call_after_refresh(self._tell_entry)
