"""The app: its modes, its colours, and the way in and out. What it shows is the screens'."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from dory_tui.gate.survey import Gate
from dory_tui.tui import keys, palette, signals, theme
from dory_tui.tui.guard import Guarded, Monotonic
from dory_tui.tui.screens.help import HelpScreen, help_rows
from dory_tui.tui.screens.review import ReviewScreen


class DoryApp(App[int]):
    """The review of one workspace. `clock` counts seconds; it only tells how long no key was pressed."""

    TITLE = "dory"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.APP]
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, gate: Gate, *, theme: str | None = None, clock: Monotonic = time.monotonic) -> None:
        super().__init__()
        self.gate = gate
        self.clock = clock
        self._wanted_theme = theme

    def on_mount(self) -> None:
        theme.install(self, self._wanted_theme)
        self.add_mode("review", lambda: ReviewScreen(self.gate, self.clock))
        self.add_mode("logs", self._logs)
        self.switch_mode("review")
        if not self.is_headless:
            signals.install(self._leave)

    def on_unmount(self) -> None:
        if not self.is_headless:
            signals.remove()

    def _logs(self) -> Screen[None]:
        from dory_tui.tui.screens.browse_logs import BrowseLogs

        return BrowseLogs(self.gate)

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
            editing = isinstance(self.screen, ReviewScreen) and self.screen.detail.scores.editing
            return self.current_mode != parameters[0] and not editing
        return True

    def action_mode(self, name: str) -> None:
        self.switch_mode(name)

    def action_help(self) -> None:
        groups = self.screen.HELP_GROUPS if isinstance(self.screen, ReviewScreen) else None
        self.push_screen(HelpScreen(help_rows(self.screen, groups)))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        yield from palette.commands(self, screen)


def run(gate: Gate) -> int:
    """Open the review on a workspace. Returns the exit code, once the person closed it or a signal did."""
    app = DoryApp(gate, theme=gate.environment.get("DORY_THEME"))
    app.run()
    return app.return_code or 0
