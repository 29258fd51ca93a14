"""The review: five panels at the left, what is selected at the right, and one queue that the decision keys walk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from dory_tui.gate import due
from dory_tui.review import session
from dory_tui.review.desk import Desk
from dory_tui.review.inspect import inspect
from dory_tui.review.items import Staged, Subject
from dory_tui.tui import going_on, keys, sizes, verbs
from dory_tui.tui.screens.help import Groups
from dory_tui.tui.screens.walking import Walking
from dory_tui.tui.widgets.closing import CLOSING, closing_page
from dory_tui.tui.widgets.detail import Detail
from dory_tui.tui.widgets.draft_page import draft_page
from dory_tui.tui.widgets.entries import NAMES, STAGING, Entry, PanelView, views
from dory_tui.tui.widgets.filtering import FilterLine, filtered
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.headline import Headline
from dory_tui.tui.widgets.page_for import page_for
from dory_tui.tui.widgets.pages import Page, no_workspace, with_secrets
from dory_tui.tui.widgets.panel import Panel, arrange, panel_width
from dory_tui.visible import Looking, visible_line

_VERBS = frozenset(binding.action for binding in keys.DECIDE)


class ReviewScreen(Walking):
    """Shows a desk and walks its queue."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*keys.DECIDE, *keys.MOVE]
    HELP_GROUPS: ClassVar[Groups] = (
        ("Decide", keys.DECIDE), ("Move", [*keys.MOVE, *keys.LIST]),
        ("In the text, after Enter", keys.TEXT), ("Scores, after s", keys.SCORES),
        ("Filter, after /", keys.FILTER),
        ("Everywhere", keys.APP),
    )  # fmt: skip

    def compose(self) -> ComposeResult:
        yield Headline(id="headline")
        with Horizontal(id="body"):
            with Vertical(id="panels"):
                for number in range(len(NAMES)):
                    yield Panel(number)
                yield FilterLine()
            yield Detail(id="detail")
        yield Static(id="too-small", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._panel = STAGING
        self._ended = False
        self._place = going_on.Place(self.gate)
        self._views: Sequence[PanelView] = ()
        self.say("reading the workspace…")
        self.set_interval(20, self._time_passes)
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self._place.finish()

    def _begin(self) -> None:
        self.run_worker(self._load(), group="load")

    async def _load(self) -> None:
        """The first look, after the first paint; then what a crash left undone is finished."""
        found = await asyncio.to_thread(verbs.read, self.gate)
        self.say("")
        if found.desk is None:
            self._show_page(no_workspace(found.refusal))
            return
        here = await asyncio.to_thread(going_on.begin, self.gate, found.desk)
        self.take(found.desk, here)
        for sentence in await asyncio.to_thread(verbs.finish, self.gate):
            self.tell(visible_line(sentence))
            again = await asyncio.to_thread(verbs.read, self.gate)
            if again.desk is not None:
                self.take(again.desk, None)
        self.follow()

    # The parts

    @property
    def detail(self) -> Detail:
        return self.query_one("#detail", Detail)

    @property
    def headline(self) -> Headline:
        return self.query_one("#headline", Headline)

    @property
    def selected(self) -> Entry | None:
        return None if self._ended or self.desk is None else self.panels[self._panel].entry

    def shown(self) -> bool:
        page = self.detail.page
        ended = self._ended and page is not None and page.key.startswith(CLOSING)
        return (self._shown is not None or ended) and self._shown is self.selected and not self.has_class("-tiny")

    def say(self, words: str) -> None:
        self.headline.busy(words or self.marked_words)

    def _time_passes(self) -> None:
        """Ages grow, and a scheduler may have looked, which no watched file tells."""
        if self.desk is not None:
            self.desk = replace(self.desk, last_look=due.last_look(self.gate))
            self._tick()

    def _tick(self) -> None:
        if self.desk is not None:
            self.headline.show(self.desk, self.gate.clock().astimezone(self.desk.now.tzinfo))

    # The desk

    def take(self, desk: Desk, onward: Subject | None, *, own: bool = True) -> None:
        old, before = self.desk, self.selected
        self.desk = desk
        self._taken += 1
        self._views = views(desk)
        here = before.key if before is not None else ""
        changed = self.changes.take(self._views, desk, own=here if own else None)
        self._check_marks()
        self._fill()
        self._tick()
        self._arrange()
        now = self.selected
        if own or here in changed or (now.key if now is not None else "") != here:
            self.guard.close()
        if old is None or onward is not None:
            queue = (desk if old is None else old).queue
            self._go_on(queue.index(onward) if onward in queue else 0)
        else:
            self._keep(before, changed, own=own)

    def _fill(self) -> None:
        """Fill the panels with what the filter lets through."""
        words = self.filter.words
        for panel, view in zip(self.panels, self._views, strict=True):
            panel.show(filtered(view, words), self._sign)

    def _go_on(self, place: int) -> None:
        """To what stands at a place of the queue now, or to the end of the review. A filter is not left."""
        assert self.desk is not None
        queue = self.desk.queue
        if not queue:
            self._end()
            return
        shown = {entry.subject for panel in self.panels for entry in panel.entries}
        place = min(place, len(queue) - 1)
        found = next((one for one in (*queue[place:], *queue[:place][::-1]) if one in shown), None)
        if found is not None:
            self._go_to(found)
        else:
            self.tell("nothing that waits matches the filter: Esc ends it")
            self._show_selected()

    def _keep(self, before: Entry | None, changed: set[str], *, own: bool) -> None:
        """Stay where we are. What changed under the reader is pointed out, and must be read again."""
        now = self.selected
        if before is not None and now is not None and now.key == before.key and now.key in changed:
            self._stale = now.key
        elif not own and before is not None and before.subject is not None:
            there = {entry.key for view in self._views for entry in view.entries}
            if before.key not in there:
                self.tell(visible_line(f"{before.subject.id} is gone: somebody else took it away"))
        self._show_selected()

    def _end(self) -> None:
        self._ended = True
        if not self.has_class("-tiny"):
            self.panels[self._panel].options.focus()
        self._show_selected()

    # The page

    def _show_selected(self) -> None:
        entry = self.selected
        for panel in self.panels:
            panel.set_class(panel.number == self._panel and not self._ended, "-current")
        if entry is not None and entry is self._showing:
            return
        self.turn_to(entry)
        look = self.looking(entry)
        if entry is not None and isinstance(entry.thing, Staged):
            self.run_worker(self._look(entry, entry.thing, look), group="look", exclusive=True)
        elif entry is None:
            self.run_worker(self._look_back(), group="look", exclusive=True)
        elif self.desk is not None:
            self.workers.cancel_group(self, "look")
            with look:
                page = page_for(entry, self.desk, self._position(entry))
            self._present(entry, with_secrets(page, look))

    async def _look_back(self) -> None:
        """The end of the review, out of what was noted of its decisions."""
        found = await asyncio.to_thread(session.current, self.gate)
        if self._showing is None and self.desk is not None:
            self._present(None, closing_page(self.desk, found))

    def show_again(self) -> None:
        self._showing = None
        self._show_selected()

    async def _look(self, entry: Entry, item: Staged, look: Looking) -> None:
        """Look closely at a draft. It hashes what would run, so not in the loop."""
        assert self.desk is not None
        with look:
            looked = await asyncio.to_thread(inspect, self.gate.root, item.draft, self.desk.now, gate=self.gate)
            page = draft_page(item, looked, self.desk, self._position(entry))
        if entry is self._showing:
            self._present(entry, with_secrets(page, look))

    def _position(self, entry: Entry | None) -> str:
        queue = self.desk.queue if self.desk is not None else ()
        if entry is None or entry.subject not in queue:
            return ""
        return f"{queue.index(entry.subject) + 1} of {len(queue)}"

    def _present(self, entry: Entry | None, page: Page) -> None:
        self._show_page(replace(page, facts=self.changed_facts(entry, page.facts)))
        self._note_place(entry)
        self.is_shown(entry)

    def _note_place(self, entry: Entry | None) -> None:
        """Where the next start goes on: at what waits and was shown last, or at the end."""
        if self.desk is None or (entry is not None and entry.subject not in self.desk.queue):
            return
        here = going_on.END if entry is None or entry.subject is None else going_on.key(entry.subject)
        self.run_worker(self._place.note(here), group="place")

    def panel_sign(self, entry: Entry, sign: Content) -> None:
        for panel in self.panels:
            panel.sign(entry.key, sign)

    def _show_page(self, page: Page) -> None:
        before = self.detail.page
        self.detail.show(page)
        if bool(page.secrets) != (before is not None and bool(before.secrets)):
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in _VERBS:
            ready = self.desk is not None and not self.has_class("-tiny")
            return ready and not self.detail.scores.editing and action in self._possible
        if action == "filter":
            return self.desk is not None and not self.detail.scores.editing and not self.filter.typing
        if action == "reveal" and not self.reveals:
            return False
        moves = ("walk", "panel", "pane", "open", "back", "read", "reveal")
        return action not in moves or not self.detail.scores.editing

    def on_screen_resume(self) -> None:
        self.guard.close()
        self.call_after_refresh(self.guard.painted)
        self.catch_up()

    # Sizes

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.update_classes(sizes.classes(width, height))
        self.query_one("#too-small", Static).update(sizes.too_small(width, height))
        self.detail.set_low(height < sizes.LOW)
        self._arrange()

    def _arrange(self) -> None:
        """Give the panels their heights."""
        width, height = self.size
        if self.desk is not None and width:
            above = (1 if height < sizes.LOW else 2) + int(self.headline.has_problem) + int(self.filter.display)
            arrange(self.panels, panel_width(width), height - above - 1, None if height >= sizes.LINES else self._panel)
