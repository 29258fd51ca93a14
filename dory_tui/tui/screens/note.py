"""One line of words for the agent, or the text of a hold. Enter sends it, Escape decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from dory_tui.tui import keys
from dory_tui.tui.guard import QUIET, Guard, Guarded, Monotonic

_AT_ONCE = 0.03  # keys closer than this are a paste without brackets, or were typed ahead


@dataclass(frozen=True)
class Prompt:
    """`title`, `says` and `start` are visible text. With `needed` an empty line is not sent."""

    title: str
    says: str
    start: str = ""
    needed: str = ""
    """What to say when nothing was written; empty when nothing is fine."""


class NoteScreen(Guarded, ModalScreen[str | None]):
    """Returns the line, None for nothing.

    Enter counts 400 ms after the line was painted and after the last Enter, and not in one burst with other keys.
    """

    CSS_PATH = "note.tcss"
    AUTO_FOCUS = "#note-line"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.NOTE]

    def __init__(self, prompt: Prompt, clock: Monotonic) -> None:
        super().__init__()
        self.guard = Guard(clock)
        self._prompt, self._clock = prompt, clock
        self._enter_from: float | None = None
        self._last_key = clock()
        self._burst = False

    def compose(self) -> ComposeResult:
        with Vertical(id="note-box"):
            yield Static(Content(self._prompt.says), markup=False, id="note-says")
            yield Input(self._prompt.start, id="note-line", select_on_focus=False, compact=True)

    def on_mount(self) -> None:
        box = self.query_one("#note-box")
        box.border_title = Content.styled(self._prompt.title, "bold $foreground")
        box.border_subtitle = Content.styled("Enter sends · Esc decides nothing", "$text-muted")
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._enter_from = self._clock() + QUIET

    def hear(self) -> None:
        """A key came, before it acts."""
        now = self._clock()
        self._burst = now - self._last_key < _AT_ONCE
        self._last_key = now

    @on(Input.Submitted)
    def _sent(self, event: Input.Submitted) -> None:
        event.stop()
        now = self._clock()
        early = self._enter_from is None or now < self._enter_from or self._burst
        if self._enter_from is not None and early:
            self._enter_from = now + QUIET
        if early:
            self._say("that Enter came too soon: press it again")
        elif not event.value.strip() and self._prompt.needed:
            self._say(self._prompt.needed)
        else:
            self.dismiss(event.value)

    def _say(self, words: str) -> None:
        self.query_one("#note-box").border_subtitle = Content.styled(words, "$warning")

    def action_nothing(self) -> None:
        self.dismiss(None)
