"""The filter: which entries of the panels match the typed words, and the line that they are typed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from dory_tui.review.items import Candidate, HoldView, Past, Staged
from dory_tui.tui import keys
from dory_tui.tui.widgets.entries import Entry, Nothing, PanelView, StateText
from dory_tui.visible import visible_line, written_out
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.promises import Promise


def searchable(entry: Entry) -> str:
    """The title, id and state word of an entry, casefolded."""
    thing = entry.thing
    match thing:
        case Staged():
            words = [thing.draft.id, thing.title, thing.word]
        case Candidate():
            found = thing.promotion
            words = [found.id, found.title, _verdict(thing)]
        case HoldView():
            words = [thing.hold.handle, thing.hold.subject, thing.hold.reason, "held"]
        case Task():
            words = [thing.said, thing.status]
        case Promise():
            words = [thing.text, "promised"]
        case Past():
            words = [thing.title, "over"]
        case Decision():
            words = [thing.item, thing.reason]
        case StateText():
            words = [thing.path]
        case Nothing():
            words = []
    return " ".join(words).casefold()


def _verdict(one: Candidate) -> str:
    if one.verdict is None or not one.waits:
        return one.promotion.status
    return "promote" if one.verdict.promote else "stays out"


def filtered(view: PanelView, typed: str) -> PanelView:
    """A panel with only what has every typed word in it. What says that a file cannot be read always stays."""
    words = typed.casefold().split()
    if not words:
        return view
    real = [entry for entry in view.entries if not isinstance(entry.thing, Nothing)]
    kept = [entry for entry in real if isinstance(entry.thing, StateText) or _has(entry, words)]
    count = Content(f"{len(kept)} of {len(real)}") if real else view.count
    if not kept:
        row = Content.styled("no match" if real else "nothing here", "$text-muted")
        sentence = f"Nothing in {view.name} matches “{visible_line(typed.strip())}”. Esc ends the filter."
        kept = [Entry(f"nothing:filter:{view.name}", Nothing("No match", (sentence,)), row)]
    return replace(view, count=count, entries=tuple(kept))


def _has(entry: Entry, words: Sequence[str]) -> bool:
    text = searchable(entry)
    return all(word in text for word in words)


class FilterLine(Horizontal):
    """One line under the panels. Enter keeps what was typed, Escape clears it; both go back to the list."""

    class Changed(Message):
        """Other words are filtered by; none when the filter ended."""

    class Left(Message):
        """The focus goes back to the list."""

    def __init__(self) -> None:
        super().__init__(id="filter")
        self._line = _Words(id="filter-words", compact=True, select_on_focus=False)

    def compose(self) -> ComposeResult:
        yield Static("/", id="filter-slash", markup=False)
        yield self._line

    def on_mount(self) -> None:
        self.display = False

    @property
    def words(self) -> str:
        """What is filtered by; empty for everything."""
        return self._line.value if self.display else ""

    @property
    def typing(self) -> bool:
        return self._line.has_focus

    def open(self) -> None:
        self.display = True
        self._line.focus()

    def clear(self) -> None:
        """End the filter."""
        if self.display:
            self._line.value = ""
            self.display = False
            self.post_message(self.Changed())

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._line.value.strip():
            self.clear()
        self.post_message(self.Left())


class _Words(Input):
    """A line to type in. What cannot be seen is written out in it, as it is in the lists."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.FILTER]

    def validate_value(self, value: str) -> str:
        return written_out(value.replace("\t", " "))

    def action_keep(self) -> None:
        self.post_message(Input.Submitted(self, self.value))

    def action_clear(self) -> None:
        line = self.parent
        if isinstance(line, FilterLine):
            line.clear()
            line.post_message(FilterLine.Left())
