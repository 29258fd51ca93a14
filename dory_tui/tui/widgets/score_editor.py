"""The four scores of a memory, the agent's beside yours, with the verdict and the size of MEMORY.md."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from dory_tui.memory.budget import kilobytes
from dory_tui.memory.scoring import MEANINGS, TOP, verdict
from dory_tui.tui import keys
from dory_tui.tui.widgets.pages import ScoreCard
from dory_tui.workspace.promotions import AXES

_NAMES = 12
_DOTS = 8
_BAR = 24


class ScoreEditor(Widget, can_focus=False):
    """Shows the scores; while it is edited (`s`) it has the focus and the digits."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.SCORES]

    axis: reactive[int] = reactive(0)
    editing: reactive[bool] = reactive(False, layout=True)
    compact: reactive[bool] = reactive(False, layout=True)

    class Left(Message):
        """Editing ended. `scores` is None when nothing changed."""

        def __init__(self, scores: dict[str, int] | None) -> None:
            super().__init__()
            self.scores = scores

    def __init__(self, *, id: str, metered: bool = True) -> None:
        """`metered` shows the size of MEMORY.md below the scores."""
        super().__init__(id=id)
        self._metered = metered
        self._card = ScoreCard({}, {}, 0, None, 1)
        self._scores: dict[str, int] = {}
        self._came_from: Widget | None = None

    def show(self, card: ScoreCard) -> None:
        """Show other scores. What was being edited is dropped. Only other lines have the screen laid out anew."""
        before = self._height
        self._card = card
        self._scores = dict(card.scores)
        self.refresh(layout=self._height != before)

    @property
    def _height(self) -> int:
        return self.render().plain.count("\n")

    # Editing

    def edit(self) -> None:
        self._came_from = self.screen.focused
        self.axis, self.editing, self.can_focus = 0, True, True
        self.focus()

    def action_axis(self, step: int) -> None:
        self.axis = (self.axis + step) % len(AXES)

    def action_step(self, step: int) -> None:
        self._set(self._scores[AXES[self.axis]] + step)

    def action_value(self, value: int) -> None:
        self._set(value)

    def _set(self, value: int) -> None:
        self._scores[AXES[self.axis]] = max(0, min(TOP, value))
        self.refresh()

    def action_leave(self) -> None:
        if self.editing:
            self.editing = False
            changed = self._scores != dict(self._card.scores)
            self.post_message(self.Left(dict(self._scores) if changed else None))
            self.can_focus = False
            if self.has_focus and self._came_from is not None and self._came_from.is_attached:
                self._came_from.focus(scroll_visible=False)

    def on_blur(self) -> None:
        self.action_leave()

    def on_click(self, event: events.Click) -> None:
        """A click on a dot of yours sets it; on the first set one it takes the last point away."""
        spot = event.get_content_offset(self)
        row = -1 if spot is None else spot.y - (0 if self.compact else 1)
        if not self.editing or spot is None or not 0 <= row < len(AXES):
            return
        self.axis = row
        dot = spot.x - self._yours_at
        if 0 <= dot < 2 * TOP:
            value = dot // 2 + 1
            self._set(0 if value == 1 and self._scores[AXES[row]] == 1 else value)

    @property
    def _yours_at(self) -> int:
        return _NAMES + (0 if self.compact else _DOTS)

    # Painting

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def _lines(self) -> list[Content]:
        lines = [] if self.compact else [Content.styled(f"{'':{_NAMES}}{'agent':{_DOTS}}you", "$text-muted")]
        lines += [self._axis_line(number, axis) for number, axis in enumerate(AXES)]
        if not self._scores:
            return lines
        lines.append(self._total())
        if self._metered and not self.compact:
            lines.append(self._meter())
        return lines

    def _axis_line(self, number: int, axis: str) -> Content:
        here = self.editing and number == self.axis
        mine = self._scores.get(axis, 0)
        parts = [Content.styled(f"{axis.capitalize():{_NAMES}}", "bold" if here else "")]
        if not self.compact:
            parts.append(Content.styled(f"{_dots(self._card.agent.get(axis, 0)):{_DOTS}}", "$text-muted"))
        parts.append(Content.styled(f"{_dots(mine):{_DOTS}}", "bold $secondary" if here else "$secondary"))
        parts.append(Content.styled(MEANINGS[axis][mine], "" if here else "$text-muted"))
        line = Content.assemble(*parts)
        return line.pad_right(max(0, self.size.width - line.cell_length)).stylize("on $panel") if here else line

    def _total(self) -> Content:
        judged = verdict(self._scores)
        word = ("promote", "bold $success") if judged.promote else ("stays out", "bold $foreground")
        agents = f"{sum(self._card.agent.values()):<{_DOTS}}" if not self.compact else ""
        line = Content.assemble(
            f"{'total':{_NAMES}}", (agents, "$text-muted"), (f"{judged.total:<{_DOTS}}", "bold"), word,
            (f": {judged.reason}", "$text-muted"),
        )  # fmt: skip
        # Where the reason has no room beside the totals it stands below them.
        room = self.size.width or line.cell_length
        return (
            line
            if line.cell_length <= room
            else Content("\n").join([line[: _NAMES + len(agents) + 2], line[_NAMES + len(agents) + _DOTS :]])
        )

    def _meter(self) -> Content:
        card = self._card
        after = card.before if card.after is None else card.after
        over = after > card.cap
        full = min(_BAR, round(_BAR * min(card.before, after) / card.cap))
        more = min(_BAR - full, max(0, round(_BAR * after / card.cap) - full)) or int(
            after > card.before and full < _BAR
        )
        bar = (("━" * full, "$success"), ("━" * more, "$warning"), ("─" * (_BAR - full - more), "$text-disabled"))
        grows = f"{kilobytes(card.before)} → " if kilobytes(after) != kilobytes(card.before) else ""
        added = f" ({after - card.before:+,} bytes)" if after != card.before and not grows else ""
        line = Content.assemble(
            *bar, f"  {grows}", (kilobytes(after), "bold $error" if over else "bold"), f" of {kilobytes(card.cap)} KB",
            (", over the cap" if over else "", "$error"),
        )  # fmt: skip
        room = self.size.width - line.cell_length
        return Content.assemble(line, (added, "$text-muted")) if len(added) <= room else line


def _dots(value: int) -> str:
    return " ".join("●" * value + "○" * (TOP - value))
