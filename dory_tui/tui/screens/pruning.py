"""Audit and prune: the entries of MEMORY.md, to be marked; beside them the file without what is marked; one yes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from dory_tui.gate.survey import Gate
from dory_tui.memory.pruning import PruningError, pruned
from dory_tui.secrets import spans
from dory_tui.tui import keys, sizes
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.screens.auditing import Auditing
from dory_tui.tui.screens.help import Groups
from dory_tui.tui.widgets.audit_list import MOVES, EntryList
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.cap_meter import CapMeter, Size
from dory_tui.tui.widgets.diff_view import DiffView
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.memory_view import text_diff
from dory_tui.tui.widgets.rows import message_rows
from dory_tui.workspace.document import decode

_SAYS = (
    "Mark what can go: x, Space or a click. Nothing is taken out before a.",
    "MEMORY.md without what is marked is shown here.",
)
_CONTEXT = 1
"""Unchanged lines around what goes: what is to be read is what goes."""
_ABOUT_MARKED = ("take_out", "hunk", "read", "style")


class PruningScreen(Auditing):
    """Returns a line of each marked entry, None for nothing. `needed` is by how many bytes the file must shrink."""

    CSS_PATH = ["review.tcss", "pruning.tcss"]  # noqa: RUF012
    TITLE = "Audit and prune"
    AUTO_FOCUS = "#prune-list"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.PRUNE]
    HELP_GROUPS: ClassVar[Groups] = (
        ("Audit and prune", keys.PRUNE), ("Move", MOVES), ("In the diff, after Tab", keys.TEXT),
        ("Everywhere", keys.APP),
    )  # fmt: skip

    def __init__(self, gate: Gate, memory: bytes | None, cap: int, clock: Monotonic, *, needed: int = 0) -> None:
        super().__init__(gate, memory, clock)
        self._cap, self._needed = cap, needed
        self._after = self._memory
        self._reveal = False
        self._secrets = bool(spans(decode(self._memory)))

    def compose(self) -> ComposeResult:
        yield Static(id="prune-head", markup=False)
        with Container(id="prune-body"):
            with Vertical(id="prune-left"):
                with Vertical(id="prune-entries"):
                    yield Static(id="prune-labels", markup=False)
                    yield EntryList(id="prune-list", markup=False)
                yield Static(id="prune-gaps", markup=False)
            with Vertical(id="prune-right"):
                yield Static(id="prune-facts", markup=False)
                yield DiffView(id="prune-diff")
                yield CapMeter(id="prune-size")
        yield Static(id="too-small", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._marks_changed()

    @property
    def diff(self) -> DiffView:
        return self.query_one("#prune-diff", DiffView)

    # Marking

    def action_mark(self) -> None:
        at, entry = self.options.highlighted, self.entry
        if at is None or entry is None:
            return
        self.marked ^= {entry.first}
        self.options.replace_option_prompt_at_index(at, self.row(entry))
        self._marks_changed()

    @on(OptionList.OptionSelected, "#prune-list")
    def _clicked(self) -> None:
        self.action_mark()

    def _marks_changed(self) -> None:
        """Show the file without what is marked; another yes is asked for then."""
        self.guard.close()
        self.set_class(bool(self.marked), "-marked")
        refusal = ""
        try:
            self._after = pruned(self._memory, self.marked) if self.marked else self._memory
        except PruningError as error:
            self._after, refusal = self._memory, str(error)
        if refusal or not self.marked:
            says = (refusal,) if refusal else _SAYS if self._known.listed else ()
            self.diff.show(message_rows(*says), key="none", numbers=False)
        else:
            shown = replace(text_diff(self._memory, self._after, _CONTEXT), reveal=self._reveal)
            self.diff.show_diff(shown, key=f"prune:{sorted(self.marked)}")
        after = self._after if self.marked and not refusal else None
        self.query_one(CapMeter).show(Size(self._memory, after, self._cap))
        self._tell()
        self.refresh_bindings()
        self.call_after_refresh(self.guard.painted)

    def _tell(self) -> None:
        """What is marked, what still must go, and what was not read yet."""
        count, saved = len(self.marked), len(self._memory) - len(self._after)
        left = Content.styled("nothing marked", "$text-muted")
        if count:
            left = Content.styled(f"{count} marked, {saved:,} bytes", "bold $warning")
        short = self._needed - saved
        if short > 0:
            left = Content.assemble(left, (f" · {short:,} more must go", "$error"))
        elif self._needed:
            left = Content.assemble(left, (" · that is enough", "$success"))
        title = Content.styled(self.TITLE, "bold underline")
        self.query_one("#prune-head", Static).update(Columns(left, title), layout=False)
        unread = self.diff.unseen if count else 0
        lines = "1 line" if unread == 1 else f"{unread} lines"
        head = Content.assemble(("MEMORY.md", "bold"), "  without what is marked")
        edge = Content.styled(f"{lines} not seen yet: PgDn reads on" if unread else "", "$warning")
        if unread and self.has_class("-lines"):  # frames are one line there, which says both
            head = Content.assemble(head, (f"  {lines} unseen: PgDn", "$warning"))
        self.diff.border_title, self.diff.border_subtitle = head, edge

    def on_text_view_seen(self) -> None:
        self._tell()

    def on_diff_view_moved(self) -> None:
        self._tell()

    # Keys

    def action_take_out(self) -> None:
        if not self.marked or self._after == self._memory:
            return
        if not self.guard.ready:
            self.warn("that key came too soon after the one before: press it again")
        elif self.diff.unseen:
            self.warn("some lines of the diff were never on the screen: PgDn reads on, then a")
        else:
            self.dismiss(tuple(sorted(self.marked)))

    def action_close(self) -> None:
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "reveal":
            return self._secrets and bool(self.marked)
        if action == "order":
            return self._can_order
        if action == "mark" or action in _ABOUT_MARKED:
            return not self.has_class("-tiny") and bool(self._known.listed if action == "mark" else self.marked)
        return True

    def action_reveal(self) -> None:
        self._reveal = not self._reveal
        self._marks_changed()

    def action_style(self) -> None:
        self.diff.set_side(not self.diff.side)

    def action_hunk(self, step: int) -> None:
        self.diff.action_hunk(step)

    def action_read(self, step: int) -> None:
        self.diff.action_text_page(step)

    def action_pane(self) -> None:
        (self.options if self.diff.has_focus or not self.diff.display else self.diff).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(CapMeter).set_low(event.size.height < sizes.LINES)
        self.call_after_refresh(self._tell)
