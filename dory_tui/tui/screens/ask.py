"""A small question. Only its own letters answer it; Enter does nothing and Escape decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from dory_tui.tui import keys
from dory_tui.tui.guard import Guard, Guarded, Monotonic

_TOO_SOON = "that key came too soon after the one before: press it again"


@dataclass(frozen=True)
class Question:
    """`title` and `body` are visible text; each choice is the name of an answer and what it means."""

    title: str
    body: Sequence[Content]
    choices: Sequence[tuple[str, str]]


class Choice(Static):
    """One answer: its key and its meaning. A click is as good as the key."""

    class Chosen(Message):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, name: str, key: str, says: str) -> None:
        super().__init__(Content.assemble((f"{key:>5}", "bold $accent"), f"  {says}"), markup=False)
        self._answer = name

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(self._answer))


class AskScreen(Guarded, ModalScreen[str | None]):
    """Returns the name of the answer, None for nothing."""

    CSS_PATH = "ask.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*keys.ASK]

    def __init__(self, question: Question, clock: Monotonic) -> None:
        super().__init__()
        self.guard = Guard(clock)
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="ask-box"):
            with VerticalScroll(id="ask-body", can_focus=False):
                for line in self._question.body:
                    yield Static(line, markup=False, classes="ask-line")
            with Vertical(id="ask-choices"):
                yield from self.choices()

    def choices(self) -> ComposeResult:
        """A line for each answer, and for none."""
        for name, says in self._question.choices:
            yield Choice(name, self._key(f"choose('{name}')"), says)
        yield Choice("", self._key("nothing"), "nothing" if self._question.choices else "close")

    def _key(self, action: str) -> str:
        """The key of an answer, as the person has it."""
        for binding in self._bindings.key_to_bindings.values():
            for one in binding:
                if one.action == action:
                    return self.app.get_key_display(Binding(one.key, one.action))
        return "?"

    def on_mount(self) -> None:
        box = self.query_one("#ask-box")
        box.border_title = Content.styled(self._question.title, "bold $foreground")
        self.call_after_refresh(self.guard.painted)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "choose":
            return parameters[0] in [name for name, _ in self._question.choices]
        return True

    def action_choose(self, name: str) -> None:
        if self.guard.ready:
            self.dismiss(name)
        else:
            self.query_one("#ask-box").border_subtitle = Content.styled(_TOO_SOON, "$warning")

    def action_nothing(self) -> None:
        self.dismiss(None)

    def on_choice_chosen(self, event: Choice.Chosen) -> None:
        if event.name:
            self.action_choose(event.name)
        else:
            self.action_nothing()
