"""The Memory screen: candidates with their scores at the left, MEMORY.md as it would be written at the right."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from dory_tui.memory.near import Likeness
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, Subject
from dory_tui.review.previewing import likeness_to
from dory_tui.tui import keys, sizes, verbs
from dory_tui.tui.screens.browsing import Browsing
from dory_tui.tui.screens.help import Groups
from dory_tui.tui.screens.remembering import NOT_HERE
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.candidates import CandidateList, candidate_list, clickable, head_line, mode_names
from dory_tui.tui.widgets.entries import Entry, PanelView, views
from dory_tui.tui.widgets.filtering import FilterLine, filtered
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.lines import Signed
from dory_tui.tui.widgets.memory_detail import MemoryDetail
from dory_tui.tui.widgets.memory_view import (
    CONTEXTS,
    MemoryView,
    candidate_view,
    plain_view,
    revealing,
    together_view,
)
from dory_tui.tui.widgets.near import NearPane
from dory_tui.tui.widgets.page_for import page_for
from dory_tui.tui.widgets.pages import no_workspace
from dory_tui.visible import visible_line

_DECIDE = [one for one in keys.DECIDE if one.action not in NOT_HERE]
_MOVE = [replace(one, show=False) for one in keys.MOVE if not one.action.startswith("panel")]
_VERBS = frozenset(binding.action for binding in (*keys.DECIDE, *keys.MEMORY))


class MemoryScreen(Browsing):
    """Shows the candidates of a desk and what each would make of MEMORY.md."""

    CSS_PATH = ["review.tcss", "memory.tcss"]  # noqa: RUF012
    TITLE = "Memory"
    AUTO_FOCUS = "#memory-list"
    BINDINGS: ClassVar[list[BindingType]] = [*_DECIDE, *keys.MEMORY, *_MOVE]
    HELP_GROUPS: ClassVar[Groups] = (
        ("Decide", _DECIDE), ("Memory", keys.MEMORY), ("Move", [*_MOVE, *keys.LIST]),
        ("In the text, after Enter", keys.TEXT), ("Scores, after s", keys.SCORES), ("Filter, after /", keys.FILTER),
        ("Everywhere", keys.APP),
    )  # fmt: skip

    def compose(self) -> ComposeResult:
        detail = MemoryDetail(id="detail")
        yield Static(id="memory-head", markup=False)
        with Horizontal(id="memory-body"):
            with Vertical(id="memory-left"):
                yield CandidateList(id="memory-list", markup=False)
                yield FilterLine()
                yield detail.scores
                yield NearPane(id="memory-near")
            yield detail
        yield Static(id="too-small", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._entries: tuple[Entry, ...] = ()
        self._view: PanelView | None = None
        self._words = ""
        self._headed: Desk | None = None
        self._edged: PanelView | None = None
        self._edge = (False, False)
        """What the head and the edge of the list were painted from: the same again paints nothing."""
        self._likeness = Likeness(b"")
        self._memory_known: bytes | None = b""
        self.run_worker(self._load(), group="load")

    async def _load(self) -> None:
        found = await asyncio.to_thread(verbs.read, self.gate)
        if found.desk is None:
            self.detail.show(no_workspace(found.refusal))
            return
        self.take(found.desk, None)
        self.follow()

    # The parts

    @property
    def selected(self) -> Entry | None:
        at = self.options.highlighted
        return self._entries[at] if self.desk is not None and at is not None and at < len(self._entries) else None

    def shown(self) -> bool:
        here = self._shown is not None and self._shown is self.selected
        return here and not self.has_class("-tiny") and self._of_one == (not self.together)

    @property
    def _of_one(self) -> bool:
        page = self.detail.page
        return page is not None and not page.key.startswith("together:")

    def say(self, words: str) -> None:
        said, self._words = self._words, words or self.marked_words
        if self._words != said or self._headed is not self.desk:
            self._paint_head()

    def _paint_head(self) -> None:
        right = Content.styled(self._words, "$warning") if self._words else mode_names("memory")
        left = head_line(self.desk) if self.desk is not None else Content("")
        self._headed = self.desk
        self.query_one("#memory-head", Static).update(Columns(left, right), layout=False)

    # The desk

    def take(self, desk: Desk, onward: Subject | None, *, own: bool = True) -> None:
        old, before = self.desk, self.selected
        place = -1 if old is None or onward is None else [one.subject for one in old.memories].index(onward)
        self.desk = desk
        self._taken += 1
        here = before.key if before is not None else ""
        changed = self.changes.take(views(desk), desk, own=here if own else None)
        self._check_marks()
        self.forget_choices()
        self._view = candidate_list(desk)
        self._fill()
        self.say("")
        if place >= 0 and desk.memories:
            self._go_to(desk.memories[min(place, len(desk.memories) - 1)].subject)
        now = self.selected
        if own or here in changed or (now.key if now is not None else "") != here:
            self.guard.close()
        if now is not None and now.key == here and here in changed:
            self._stale = here
        elif not own and before is not None and before.subject is not None and self._gone(here):
            self.tell(visible_line(f"{before.subject.id} is gone: somebody else took it away"))
        self.show_selected()

    def _gone(self, key: str) -> bool:
        return self._view is not None and all(entry.key != key for entry in self._view.entries)

    def _fill(self) -> None:
        """Fill the list with what the filter lets through; what is pointed out stays so, or its neighbour is."""
        assert self._view is not None
        shown = filtered(self._view, self.filter.words)
        before, at, line = self.selected, self.options.highlighted or 0, self.options.place
        self._entries = shown.entries
        self.options.set_options([Option(Signed(entry.row, self._sign(entry))) for entry in shown.entries])
        kept = None if before is None else self._index(before.key)
        self.options.highlighted = min(at, len(shown.entries) - 1) if kept is None else kept
        if line is not None:
            self.options.put(line)
        self.options.border_title = Content.assemble(("Candidates", "bold"), "  ", shown.count)
        self._tell_together()

    def _tell_together(self) -> None:
        """At the edge of the list: what its columns are, and what `w` does, for the mouse."""
        now = (self.together, "together" in self._possible)
        if self._edged is self._view and now == self._edge:
            return
        self._edged, self._edge = self._view, now
        edge = self._view.edge if self._view is not None else Content("")
        words = "one alone" if self.together else "all together"
        offers = clickable(words, "screen.together") if "together" in self._possible else Content("")
        self.options.border_subtitle = Content.assemble(edge, (" · ", "$text-muted"), offers) if offers else edge

    def _index(self, key: str) -> int | None:
        return next((at for at, entry in enumerate(self._entries) if entry.key == key), None)

    def panel_sign(self, entry: Entry, sign: Content) -> None:
        at = self._index(entry.key)
        if at is not None:
            self.options.replace_option_prompt_at_index(at, Signed(entry.row, sign))

    def _go_to(self, subject: Subject) -> None:
        at = next((n for n, entry in enumerate(self._entries) if entry.subject == subject), None)
        if at is not None:
            self.options.highlighted = at
            self.show_selected()

    # The page

    def show_selected(self, *, again: bool = False) -> None:
        entry = self.selected
        if entry is not None and entry is self._showing and not again:
            return
        self.turn_to(entry)
        self.run_worker(self._look(entry), group="look", exclusive=True)

    async def _look(self, entry: Entry | None) -> None:
        """Work out what would be written, which reads a log and compares every line, so not in the loop."""
        if entry is None or self.desk is None:
            return
        with self.looking(entry) as look:
            view = await asyncio.to_thread(self._looked_at, entry, self.desk)
        if entry is self._showing:
            self._present(entry, revealing(view, look))

    def show_again(self) -> None:
        self.show_selected(again=True)

    def _looked_at(self, entry: Entry, desk: Desk) -> MemoryView:
        """Called in a thread."""
        context = CONTEXTS[self._around]
        if self.together:
            return together_view(desk, context)
        thing = entry.thing
        if not isinstance(thing, Candidate):
            return plain_view(page_for(entry, desk, ""), desk)
        if self._memory_known != desk.memory:
            self._likeness, self._memory_known = likeness_to(desk.memory or b""), desk.memory
        over = self.choice(thing.subject)
        return candidate_view(thing, desk, self._position(entry), context=context, over=over, likeness=self._likeness)

    def _position(self, entry: Entry) -> str:
        waiting = [one.subject for one in self.desk.memories] if self.desk is not None else []
        return f"{waiting.index(entry.subject) + 1} of {len(waiting)}" if entry.subject in waiting else ""

    def _present(self, entry: Entry, view: MemoryView) -> None:
        view = replace(view, page=replace(view.page, facts=self.changed_facts(entry, view.page.facts)))
        revealed = self.reveals
        self.detail.show_view(view)
        if revealed != self.reveals:
            self.refresh_bindings()
        self.near.border_title = Content.styled(view.beside_title, "$text-muted")
        self.near.display = bool(view.beside)
        self.near.show(view.beside, key=view.page.key)
        self.is_shown(entry)

    @property
    def reads_one(self) -> bool:
        return not self.together

    def refresh_verbs(self, entry: Entry | None) -> None:
        super().refresh_verbs(entry)
        self._tell_together()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if self.desk is None or self.detail.scores.editing:
            return action not in _VERBS and not action.startswith(
                ("hunk", "context", "walk", "pane", "open", "back", "reveal")
            )
        if action in _VERBS:
            return not self.has_class("-tiny") and action in self._possible
        return not (action == "filter" and self.filter.typing) and (action != "reveal" or self.reveals)

    # Sizes

    def on_screen_resume(self) -> None:
        self.guard.close()
        self.call_after_refresh(self.guard.painted)
        if self.desk is not None:
            self.look_again()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.update_classes(sizes.classes(width, height))
        self.query_one("#too-small", Static).update(sizes.too_small(width, height))
        self.detail.set_low(height < sizes.LOW)
        self.detail.scores.compact = height < sizes.LINES
        self.detail.meter.set_low(height < sizes.LINES)
        self._fit_style()
        self._paint_head()
