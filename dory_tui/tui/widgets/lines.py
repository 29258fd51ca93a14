"""A line of a panel: a visual whose height is known without wrapping, so that a thousand mount at once."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

_ROOM_FOR_TIMES = 34


@dataclass(frozen=True)
class Widths:
    """Cells that the columns of one list want."""

    name: int
    word: int
    time: int


class StateLine(Visual):
    """A name that gives way, a state word that never does, and a time at the right where there is room."""

    def __init__(self, name: Content, word: Content, time: Content, widths: Widths) -> None:
        self._name, self._word, self._time, self._widths = name, word, time, widths

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        wanted = self._widths
        time = wanted.time + 2 if wanted.time and width >= _ROOM_FOR_TIMES else 0
        name = max(1, min(wanted.name, width - wanted.word - time - 2))
        line = Content.assemble(self._name.truncate(name, ellipsis=True, pad=True), "  ", self._word)
        if time:
            line = Content.assemble(line.truncate(width - time, pad=True), self._time.right(time))
        return line.truncate(width, ellipsis=True).render_strips(width, height, style, options)[:1]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return self._widths.name + self._widths.word + self._widths.time + 4

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return 1


GUTTER = 2
"""Cells at the left of every line of a panel, for its sign."""


class Signed(Visual):
    """A line with a sign before it, such as `•`, or with as much blank."""

    def __init__(self, row: Visual, sign: Content) -> None:
        self._row, self._sign = row, sign

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        lines = self._row.render_strips(max(1, width - GUTTER), height, style, options)
        first = self._sign.truncate(GUTTER, pad=True).render_strips(GUTTER, 1, style, options)[0]
        rest = Strip([Segment(" " * GUTTER, style.rich_style)], GUTTER)
        return [Strip.join([first if at == 0 else rest, line]) for at, line in enumerate(lines)]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return GUTTER + self._row.get_optimal_width(rules, container_width - GUTTER)

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self._row.get_height(rules, max(1, width - GUTTER))
