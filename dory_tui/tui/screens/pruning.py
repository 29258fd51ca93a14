"""Pruning: the entries of MEMORY.md at the left, to be marked; the file without them at the right; one yes."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from dory_tui.memory.pruning import Entry, PruningError, entries, pruned
from dory_tui.tui import keys
from dory_tui.tui.guard import Guard, Guarded, Monotonic
from dory_tui.tui.widgets.browser import Browser, Columns
from dory_tui.tui.widgets.cap_meter import CapMeter, Size
from dory_tui.tui.widgets.diff_view import DiffView, side_by_side
from dory_tui.tui.widgets.foot import Foot
from dory_tui.tui.widgets.lines import Signed
from dory_tui.tui.widgets.memory_view import CONTEXTS, USUAL, text_diff
from dory_tui.tui.widgets.rows import message_rows
from dory_tui.visible import visible_line
from dory_tui.workspace.document import encode, parse
from dory_tui.workspace.layout import MEMORY

_SAYS = (
    "Mark what can go: x, Space or a click. Nothing is taken out before a.",
    "MEMORY.md without what is marked is shown here.",
)


class EntryList(Browser, inherit_bindings=False):
    """The entries, with the keys of a list that does not page: Space marks, and PgDn reads the diff."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in Browser.BINDINGS if isinstance(one, Binding) and not one.key.startswith("page")
    ]


class PruningScreen(Guarded, Screen[tuple[int, ...] | None]):
    """Returns a line of each marked entry, None for nothing. `needed` is by how many bytes the file must shrink."""

    CSS_PATH = ["review.tcss", "pruning.tcss"]  # noqa: RUF012
    TITLE = "Prune MEMORY.md"
    AUTO_FOCUS = "#prune-list"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.PRUNE]

    def __init__(self, memory: bytes, cap: int, clock: Monotonic, *, needed: int = 0) -> None:
        super().__init__()
        self.guard = Guard(clock)
        self.marked: set[int] = set()
        """The first lines of the entries that are marked."""
        self._memory, self._cap, self._needed = memory, cap, needed
        self._listed = entries(parse(MEMORY, memory))
        self._places: list[Entry | None] = []  # by option: None is a section's title
        self._after = memory
        self._style: bool | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="prune-head", markup=False)
        with Horizontal(id="prune-body"):
            yield EntryList(id="prune-list", markup=False)
            with Vertical(id="prune-right"):
                yield DiffView(id="prune-diff")
                yield CapMeter(id="prune-size")
        yield Foot()

    def on_mount(self) -> None:
        options = []
        section = None
        for entry in self._listed:
            if entry.section != section:
                section = entry.section
                title = visible_line(section) or "before the first section"
                options.append(Option(Content.styled(title, "bold $secondary"), disabled=True))
                self._places.append(None)
            options.append(Option(self._row(entry)))
            self._places.append(entry)
        self.options.add_options(options)
        if self._listed:
            self.options.highlighted = next(at for at, entry in enumerate(self._places) if entry is not None)
        self._marks_changed()

    # The parts

    @property
    def options(self) -> Browser:
        return self.query_one("#prune-list", Browser)

    @property
    def diff(self) -> DiffView:
        return self.query_one("#prune-diff", DiffView)

    def _row(self, entry: Entry) -> Signed:
        """An entry with its size in bytes, marked or not."""
        on = entry.first in self.marked
        words = Content.styled(visible_line(entry.words), "$error" if on else "")
        size = Content.styled(f"{len(encode(entry.text)):,}", "$text-muted")
        return Signed(Columns(words, size), Content.styled("◆", "$accent") if on else Content(""))

    # Marking

    def action_mark(self) -> None:
        at = self.options.highlighted
        entry = self._places[at] if at is not None else None
        if at is None or entry is None:
            return
        self.marked ^= {entry.first}
        self.options.replace_option_prompt_at_index(at, self._row(entry))
        self._marks_changed()

    @on(OptionList.OptionSelected, "#prune-list")
    def _clicked(self) -> None:
        self.action_mark()

    def _marks_changed(self) -> None:
        """Show the file without what is marked; another yes is asked for then."""
        self.guard.close()
        refusal = ""
        try:
            self._after = pruned(self._memory, self.marked) if self.marked else self._memory
        except PruningError as error:
            self._after, refusal = self._memory, str(error)
        if refusal or not self.marked:
            says = (refusal,) if refusal else _SAYS if self._listed else ("MEMORY.md has no entries to take out.",)
            self.diff.show(message_rows(*says), key="none", numbers=False)
        else:
            shown = text_diff(self._memory, self._after, CONTEXTS[USUAL])
            self.diff.show_diff(shown, key=f"prune:{sorted(self.marked)}")
        after = self._after if self.marked and not refusal else None
        self.query_one(CapMeter).show(Size(self._memory, after, self._cap))
        self._tell()
        self.refresh_bindings()
        self.call_after_refresh(self.guard.painted)

    def _tell(self) -> None:
        """What is marked, what still must go, and what was not read yet."""
        count, saved = len(self.marked), len(self._memory) - len(self._after)
        self.options.border_title = Content.assemble(("MEMORY.md", "bold"), f"  {len(self._listed)}")
        self.options.border_subtitle = Content.styled("bytes", "$text-muted")
        left = Content.styled(f"{count} marked, {saved:,} bytes" if count else "nothing marked", "bold $warning")
        short = self._needed - saved
        if short > 0:
            left = Content.assemble(left, (f" · {short:,} more must go", "$error"))
        elif self._needed:
            left = Content.assemble(left, (" · that is enough", "$success"))
        says = Content.styled("Prune: Esc takes nothing out", "$text-muted")
        self.query_one("#prune-head", Static).update(Columns(left, says), layout=False)
        self.diff.border_title = Content.assemble(("MEMORY.md", "bold"), "  without what is marked")
        unread = self.diff.unseen if count else 0
        lines = "1 line" if unread == 1 else f"{unread} lines"
        edge = Content.styled(f"{lines} not seen yet: PgDn reads on", "$warning") if unread else Content("")
        self.diff.border_subtitle = edge

    def on_text_view_seen(self) -> None:
        self._tell()

    def on_diff_view_moved(self) -> None:
        self._tell()

    # Keys

    def action_take_out(self) -> None:
        if not self.marked or self._after == self._memory:
            return
        if not self.guard.ready:
            self._warn("that key came too soon after the one before: press it again")
        elif self.diff.unseen:
            self._warn("some lines of the diff were never on the screen: PgDn reads on, then a")
        else:
            self.dismiss(tuple(sorted(self.marked)))

    def _warn(self, words: str) -> None:
        self.notify(words, severity="warning", markup=False, timeout=8)

    def action_close(self) -> None:
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action not in ("take_out", "hunk", "read") or bool(self.marked)

    def action_style(self) -> None:
        self._style = not self.diff.side
        self._fit_style()

    def _fit_style(self) -> None:
        self.diff.set_side(side_by_side(self.size.width, self._style))

    def action_hunk(self, step: int) -> None:
        self.diff.action_hunk(step)

    def action_read(self, step: int) -> None:
        self.diff.action_text_page(step)

    def action_pane(self) -> None:
        (self.options if self.diff.has_focus else self.diff).focus()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.update_classes({"-narrow": width < 80, "-wide": width >= 140, "-lines": height < 30})
        self.query_one(CapMeter).set_low(height < 30)
        self._fit_style()
