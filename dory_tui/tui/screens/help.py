"""What every key does here, made from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen

from dory_tui.tui import keys
from dory_tui.tui.widgets.rows import Row, Span
from dory_tui.tui.widgets.text_view import TextView

Groups: TypeAlias = Sequence[tuple[str, Sequence[Binding]]]

_CAN = "Enter and Esc never decide. Keys that are pasted, held down or typed ahead decide nothing."


class HelpScreen(ModalScreen[None]):
    """Lists bindings by group; those that do nothing just now are dim."""

    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "#help-text"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.HELP]

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        with Vertical(id="help-box"):
            yield TextView(id="help-text")

    def on_mount(self) -> None:
        box = self.query_one("#help-box")
        box.border_title = Content.styled("Keys", "bold $foreground")
        box.border_subtitle = Content.styled("Esc closes", "$text-muted")
        self.query_one(TextView).show(self._rows, key="help")

    def action_close(self) -> None:
        self.dismiss(None)


def help_rows(screen: Screen[Any], groups: Groups | None) -> list[Row]:
    """The help of a screen: its groups, or else whatever is bound on it right now."""
    active = {binding.id or binding.action: binding for _, binding, enabled, _ in _active(screen) if enabled}
    if groups is None:
        named = [binding for binding in active.values() if binding.description]
        groups = [("Here", [one for one in named if not _everywhere(one)]), ("Everywhere", keys.APP)]
    rows: list[Row] = []
    for name, bindings in groups:
        rows += [Row("", ())] if rows else []
        rows.append(Row("", (Span(name),), "section"))
        rows += [_row(screen, list(same), active) for _, same in groupby(bindings, _says)]
    return [*rows, Row("", ()), Row("", (Span(_CAN, "dim"),))]


def _active(screen: Screen[Any]) -> Iterable[tuple[object, Binding, bool, str]]:
    return screen.active_bindings.values()


def _everywhere(binding: Binding) -> bool:
    return (binding.id or "").startswith("app.") or binding.action.startswith(("quit", "app.", "screen."))


def _says(binding: Binding) -> str:
    return binding.tooltip or binding.description


def _row(screen: Screen[Any], bindings: Sequence[Binding], active: Mapping[str, object]) -> Row:
    """One line for bindings that say the same."""
    first, others = [], []
    for binding in bindings:
        drawn = [screen.app.get_key_display(Binding(key, "")) for key in binding.key.split(",")]
        first.append(drawn[0])
        others += drawn[1:]
    now = any((binding.id or binding.action) in active for binding in bindings)
    also = Span(f"  also {' '.join(dict.fromkeys(others))}" if others else "", "dim")
    return Row(" ".join(dict.fromkeys(first)), (Span(_says(bindings[0]), "" if now else "dim"), also))
