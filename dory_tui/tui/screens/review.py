"""The review: five panels at the left, what is selected at the right, and one queue that the decision keys walk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Footer, OptionList, Static

from dory_tui.review.desk import Desk, Staged, Subject
from dory_tui.review.inspect import inspect
from dory_tui.tui import keys, verbs
from dory_tui.tui.screens.deciding import Deciding
from dory_tui.tui.screens.help import Groups
from dory_tui.tui.widgets.detail import Detail
from dory_tui.tui.widgets.draft_page import draft_page
from dory_tui.tui.widgets.entries import MEMORY, NAMES, STAGING, Entry, views
from dory_tui.tui.widgets.headline import Headline
from dory_tui.tui.widgets.page_for import page_for
from dory_tui.tui.widgets.pages import Fact, Page
from dory_tui.tui.widgets.panel import Panel, PanelList, arrange, panel_width
from dory_tui.visible import visible_line

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
LINES = 30
"""Under so many lines the panels are titles, of which one is open."""
LOW = 20
"""Under so many lines the boot line goes, and facts scroll with the text."""
_CHANGED = Fact("it changed since you read it: read it again", "asks")
_VERBS = frozenset(binding.action for binding in keys.DECIDE)


class ReviewScreen(Deciding):
    """Shows a desk and walks its queue."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*keys.DECIDE, *keys.MOVE]
    HELP_GROUPS: ClassVar[Groups] = (
        ("Decide", keys.DECIDE), ("Move", [*keys.MOVE, *keys.LIST]),
        ("In the text, after Enter", keys.TEXT), ("Scores, after s", keys.SCORES),
        ("Everywhere", keys.APP),
    )  # fmt: skip

    def compose(self) -> ComposeResult:
        yield Headline(id="headline")
        with Horizontal(id="body"):
            with Vertical(id="panels"):
                for number in range(len(NAMES)):
                    yield Panel(number)
            yield Detail(id="detail")
        yield Static(id="too-small", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self._panel = STAGING
        self._ended = False
        self._showing: Entry | None = None
        self._shown: Entry | None = None
        self._possible: frozenset[str] = frozenset()
        self._stale: str | None = None
        self.say("reading the workspace…")
        self.set_interval(20, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._load(), group="load")

    async def _load(self) -> None:
        """The first look, after the first paint; then what a crash left undone is finished."""
        found = await asyncio.to_thread(verbs.read, self.gate)
        self.say("")
        if found.desk is None:
            self._show_page(Page("none", "This workspace cannot be opened", (Fact(found.refusal or "", "held"),), ()))
            return
        self.take(found.desk, None)
        for sentence in await asyncio.to_thread(verbs.finish, self.gate):
            self.tell(visible_line(sentence))
            again = await asyncio.to_thread(verbs.read, self.gate)
            if again.desk is not None:
                self.take(again.desk, None)

    # The parts

    @property
    def detail(self) -> Detail:
        return self.query_one("#detail", Detail)

    @property
    def headline(self) -> Headline:
        return self.query_one("#headline", Headline)

    @property
    def panels(self) -> list[Panel]:
        return list(self.query(Panel))

    @property
    def selected(self) -> Entry | None:
        return None if self._ended or self.desk is None else self.panels[self._panel].entry

    def shown(self) -> bool:
        return self._shown is not None and self._shown is self.selected and not self.has_class("-tiny")

    def say(self, words: str) -> None:
        self.headline.busy(words)

    def _tick(self) -> None:
        if self.desk is not None:
            self.headline.show(self.desk, self.gate.clock().astimezone(self.desk.now.tzinfo))

    # The desk

    def take(self, desk: Desk, onward: Subject | None) -> None:
        old, before = self.desk, self.selected
        self.desk = desk
        for panel, view in zip(self.panels, views(desk), strict=True):
            panel.show(view)
        self._tick()
        self._arrange()
        self.guard.close()
        if old is None or onward is not None:
            place = 0 if old is None or onward not in old.queue else old.queue.index(onward)
            self._go_on(place)
        else:
            self._keep(before)

    def _go_on(self, place: int) -> None:
        """To what stands at a place of the queue now, or to the end of the review."""
        assert self.desk is not None
        queue = self.desk.queue
        if not queue:
            self._end()
            return
        self._go_to(queue[min(place, len(queue) - 1)])

    def _keep(self, before: Entry | None) -> None:
        """Stay where we are. What changed under the reader is marked, and must be read again."""
        now = self.selected
        if before is not None and now is not None and before.subject and now.subject:
            changed = before.key == now.key and before.subject.digest != now.subject.digest
            self._stale = now.key if changed and self.stale else None
        self._show_selected()

    def _end(self) -> None:
        self._ended = True
        if not self.has_class("-tiny"):
            self.panels[self._panel].options.focus()
        self._show_selected()

    def _go_to(self, subject: Subject) -> None:
        for panel in self.panels:
            at = next((n for n, entry in enumerate(panel.entries) if entry.subject == subject), None)
            if at is not None:
                panel.options.highlighted = at
                self._enter(panel.number)
                return

    def _enter(self, number: int, *, focus: bool = True) -> None:
        """Make a panel the current one."""
        self._panel, self._ended = number, False
        self._arrange()
        if focus and not self.has_class("-tiny"):
            self.panels[number].options.focus()
        self._show_selected()

    # The page

    def _show_selected(self) -> None:
        entry = self.selected
        for panel in self.panels:
            panel.set_class(panel.number == self._panel and not self._ended, "-current")
        if entry is not None and entry is self._showing:
            return
        self._showing = entry
        if self.in_flight == "":
            self.say("")
        self.guard.moved()
        self._refresh_verbs(entry)
        if entry is not None and isinstance(entry.thing, Staged):
            self.run_worker(self._look(entry, entry.thing), group="look", exclusive=True)
        elif self.desk is not None:
            self.workers.cancel_group(self, "look")
            self._present(entry, page_for(entry, self.desk, self._position(entry), self.decided))

    async def _look(self, entry: Entry, item: Staged) -> None:
        """Look closely at a draft. It hashes what would run, so not in the loop."""
        assert self.desk is not None
        looked = await asyncio.to_thread(inspect, self.gate.root, item.draft, self.desk.now)
        if entry is self._showing and self.desk is not None:
            self._present(entry, draft_page(item, looked, self.desk, self._position(entry)))

    def _position(self, entry: Entry | None) -> str:
        queue = self.desk.queue if self.desk is not None else ()
        if entry is None or entry.subject not in queue:
            return ""
        return f"{queue.index(entry.subject) + 1} of {len(queue)}"

    def _present(self, entry: Entry | None, page: Page) -> None:
        if entry is not None and entry.key == self._stale:
            page = replace(page, facts=(_CHANGED, *page.facts))
        self._show_page(page)
        self._shown = entry
        self.call_after_refresh(self.guard.painted)

    def _show_page(self, page: Page) -> None:
        self.detail.show(page)

    def _refresh_verbs(self, entry: Entry | None) -> None:
        possible = verbs.possible(entry)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in _VERBS:
            ready = self.desk is not None and not self.has_class("-tiny")
            return ready and not self.detail.scores.editing and action in self._possible
        return action not in ("walk", "panel", "pane", "open", "back", "read") or not self.detail.scores.editing

    # Moving

    def action_walk(self, step: int) -> None:
        if self._panel in (STAGING, MEMORY) or self._ended:
            self._walk(step)
        elif step > 0:
            self.panels[self._panel].options.action_cursor_down()
        else:
            self.panels[self._panel].options.action_cursor_up()

    def _walk(self, step: int) -> None:
        """To the next thing that waits, in the order of the panels, which is the queue's."""
        if self.desk is None:
            return
        waiting = set(self.desk.queue)
        every = [entry for panel in self.panels[STAGING : MEMORY + 1] for entry in panel.entries]
        here = self.selected
        at = next((n for n, entry in enumerate(every) if entry is here), -1)
        ahead: Sequence[Entry] = every[at + 1 :] if step > 0 else every[: max(at, 0)][::-1]
        found = next((entry for entry in ahead if entry.subject in waiting), None)
        if found is not None and found.subject is not None:
            self._go_to(found.subject)

    def action_panel(self, number: int) -> None:
        self.remove_class("-reading")
        self._enter(number)

    def action_pane(self, step: int) -> None:
        if self.has_class("-tiny"):
            return
        panes: list[Widget] = [*(panel.options for panel in self.panels), self.detail.text]
        panes += [self.detail.block] if self.detail.block.display else []
        at = next((n for n, pane in enumerate(panes) if pane is self.focused), self._panel)
        at = (at + step) % len(panes)
        if at < len(NAMES):
            self.action_panel(at)
        else:
            self.add_class("-reading")
            panes[at].focus()

    def action_open(self) -> None:
        self.add_class("-reading")
        self.detail.text.focus()

    def action_back(self) -> None:
        self.remove_class("-reading")
        self.panels[self._panel].options.focus()

    def action_read(self, step: int) -> None:
        self.add_class("-reading")
        self.detail.read(step)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        panel = event.option_list.parent
        if isinstance(panel, Panel) and panel.number == self._panel and not self._ended:
            self._show_selected()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        panel = event.widget.parent
        if isinstance(event.widget, PanelList) and isinstance(panel, Panel) and panel.number != self._panel:
            self._enter(panel.number, focus=False)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        """A click on an entry; Enter is not one of the list's keys."""
        panel = event.option_list.parent
        if isinstance(panel, Panel):
            self._enter(panel.number)

    def on_panel_wanted(self, event: Panel.Wanted) -> None:
        self.action_panel(event.number)

    def on_screen_resume(self) -> None:
        self.guard.close()
        self.call_after_refresh(self.guard.painted)

    # Sizes

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        tiny = width < LEAST_WIDTH or height < LEAST_HEIGHT
        classes = {
            "-tiny": tiny, "-narrow": width < 80, "-wide": width >= 140, "-middle": 100 <= width < 140,
            "-lines": height < LINES, "-low": height < LOW,
        }  # fmt: skip
        self.update_classes(classes)
        self.query_one("#too-small", Static).update(
            f"dory needs {LEAST_WIDTH} × {LEAST_HEIGHT}; this is {width} × {height}."
        )
        self.detail.set_low(height < LOW)
        self._arrange()

    def _arrange(self) -> None:
        """Give the panels their heights."""
        width, height = self.size
        if self.desk is not None and width:
            above = (1 if height < LOW else 2) + int(self.headline.has_problem)
            arrange(self.panels, panel_width(width), height - above - 1, None if height >= LINES else self._panel)
