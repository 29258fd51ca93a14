"""The app: its modes, its colours, and the way in and out. What it shows is the screens'."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from dory_tui.gate.survey import Gate
from dory_tui.tui import keys, palette, signals, theme
from dory_tui.tui.guard import Guarded, Monotonic
from dory_tui.tui.screens.deciding import Deciding
from dory_tui.tui.screens.help import Groups, HelpScreen, help_rows
from dory_tui.tui.screens.review import ReviewScreen
from dory_tui.tui.watching import Watch, watch
from dory_tui.tui.widgets.only import Only, only_of

if TYPE_CHECKING:
    from dory_tui.tui.screens.browse_logs import BrowseLogs
    from dory_tui.tui.screens.history import HistoryScreen
    from dory_tui.tui.screens.search import SearchScreen


class DoryApp(App[int]):
    """The review of one workspace. `clock` counts seconds; it only tells how long no key was pressed.

    `watch` tells of files that change meanwhile; without one they are read again after each decision only.
    """

    TITLE = "dory"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.APP]
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self, gate: Gate, *, theme: str | None = None, clock: Monotonic = time.monotonic, watch: Watch | None = None
    ) -> None:
        super().__init__()
        self.gate = gate
        self.clock = clock
        self._wanted_theme, self._watch = theme, watch
        self._past: HistoryScreen | None = None
        self._days: BrowseLogs | None = None

    def on_mount(self) -> None:
        theme.install(self, self._wanted_theme)
        self.add_mode("review", lambda: ReviewScreen(self.gate, self.clock, watch=self._watch))
        self.add_mode("logs", self._logs)
        self.add_mode("history", self._history)
        self.add_mode("memory", self._memory)
        self.add_mode("search", self._search)
        self.switch_mode("review")
        if not self.is_headless:
            signals.install(self._leave)

    def on_unmount(self) -> None:
        if not self.is_headless:
            signals.remove()

    def _logs(self) -> BrowseLogs:
        if self._days is None:
            from dory_tui.tui.screens.browse_logs import BrowseLogs

            self._days = BrowseLogs(self.gate, self.clock)
        return self._days

    def show_log(self, path: str, line: int) -> None:
        """Open a log with the cursor on a line."""
        self._logs().open_at(path, line)
        self.switch_mode("logs")

    def on_search_screen_opened(self, event: SearchScreen.Opened) -> None:
        self.show_log(event.path, event.line)

    def _search(self) -> Screen[None]:
        from dory_tui.tui.screens.search import SearchScreen

        return SearchScreen(self.gate, self.clock)

    def _memory(self) -> Screen[None]:
        from dory_tui.tui.screens.memory import MemoryScreen

        return MemoryScreen(self.gate, self.clock, watch=self._watch)

    def _history(self) -> HistoryScreen:
        """One screen, which keeps its place. It brings git along, which the first paint does not wait for."""
        if self._past is None:
            from dory_tui.tui.screens.history import HistoryScreen

            self._past = HistoryScreen(self.gate)
        return self._past

    def show_past(self, only: Only | None) -> None:
        """Open the history of one item, or of everything."""
        self._history().show_only(only)
        self.switch_mode("history")

    def _leave(self, code: int) -> None:
        self.exit(return_code=code)

    async def on_event(self, event: events.Event) -> None:
        """Tell the screen's guard of every key, click and paste before anything acts on it."""
        if isinstance(event, events.Key | events.MouseDown | events.Paste) and not event.is_forwarded:
            screen: object = self.screen_stack[-1] if self.screen_stack else None
            if isinstance(screen, Guarded):
                screen.hear()
        await super().on_event(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "mode":
            editing = isinstance(self.screen, Deciding) and self.screen.detail.scores.editing
            return self.current_mode != parameters[0] and not editing
        if action == "past_item":
            return self._selected_item() is not None
        if action == "leave":
            editing = isinstance(self.screen, Deciding) and self.screen.detail.scores.editing
            return self.current_mode == parameters[0] and not editing
        return True

    def action_mode(self, name: str) -> None:
        if name == "history":
            self.show_past(None)
        else:
            self.switch_mode(name)
            self._look_again()

    def _selected_item(self) -> Only | None:
        screen = self.screen
        if not isinstance(screen, Deciding) or screen.detail.scores.editing:
            return None
        return only_of(screen.selected)

    def action_past_item(self) -> None:
        self.show_past(self._selected_item())

    def action_leave(self, _: str) -> None:
        self.switch_mode("review")
        self._look_again()

    def _look_again(self) -> None:
        """What was decided on another screen is other on this one."""
        if isinstance(self.screen, ReviewScreen):
            self.call_after_refresh(self.screen.look_again)

    def action_help(self) -> None:
        groups: Groups | None = getattr(self.screen, "HELP_GROUPS", None)
        self.push_screen(HelpScreen(help_rows(self.screen, groups)))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        yield from palette.commands(self, screen)


def run(gate: Gate) -> int:
    """Open the review on a workspace. Returns the exit code, once the person closed it or a signal did."""
    app = DoryApp(gate, theme=gate.environment.get("DORY_THEME"), watch=watch)
    app.run()
    return app.return_code or 0
