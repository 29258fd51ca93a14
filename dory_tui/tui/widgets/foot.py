"""The keys that work now, in the last line: closer together, then fewer, where columns are few."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

SPARED = (
    "hold", "style", "mode('search')", "leave('search')", "mode('memory')", "leave('memory')", "mode('logs')",
    "leave('logs')", "leave('history')", "only", "hunk(-1)", "passage(-1)", "order", "question", "filter", "changes",
    "prune", "promote_all", "day(1)", "scores", "edit", "revoke",
)  # fmt: skip
"""What goes, in this order, when not all fits. `?` names every key, and help and quit stay."""


class Foot(Footer):
    """A footer of which nothing is cut."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    def compose(self) -> ComposeResult:
        found = list(super().compose())
        self._fit([one for one in found if isinstance(one, FooterKey)])
        yield from found

    def on_resize(self) -> None:
        self._fit([*self.query(FooterKey)])

    def _fit(self, found: Sequence[FooterKey]) -> None:
        width = self.outer_size.width
        if not width:
            return  # not laid out yet
        widths = {id(one): cell_len(one.key_display) + 1 + cell_len(one.description) for one in found}
        tight = sum(widths.values()) + 2 * len(found) > width - 2
        kept = list(found)
        for action in SPARED if tight else ():
            if sum(widths[id(one)] + 1 for one in kept) <= width:
                break
            kept = [one for one in kept if one.action != action]
        self.set_class(tight, "-tight")
        for one in found:
            one.display = one in kept
