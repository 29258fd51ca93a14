"""The logs with the same foot as every screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer

from dory_tui.gate.survey import Gate
from dory_tui.review.change import local
from dory_tui.tui.screens.logs import LogsScreen


class BrowseLogs(LogsScreen):
    """The Logs screen on a gate's workspace and its days."""

    CSS_PATH = "logs.tcss"

    def __init__(self, gate: Gate) -> None:
        super().__init__(gate.root, lambda: local(gate).date())

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Footer(show_command_palette=False)
