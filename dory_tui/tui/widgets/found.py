"""What the Search screen shows, as values: a passage in two lines, and its file with what was found pointed out. Pure.

All text from files passes `visible` or `visible_line` here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets.option_list import Option

from dory_tui.search.answers import Answer, Result
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.rows import Row, message_rows, styled
from dory_tui.visible import visible_line
from dory_tui.workspace.timestamps import WEEKDAYS, short_day

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_BEFORE = 24
"""Cells of a passage that are shown before the first word that was found in it."""

EXAMPLES = (
    "which bug did Sam report on Monday?",
    "why did we choose Resend?",
    "what did I promise last week?",
)


class TwoLines(Visual):
    """One line of two columns, and one below it. Its height is known without wrapping."""

    def __init__(self, first: Columns, second: Content) -> None:
        self._first, self._second = first, second

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        below = self._second.truncate(width, ellipsis=True, pad=True)
        lines = (self._first, below)
        return [strip for one in lines for strip in one.render_strips(width, height, style, options)[:1]]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return max(self._first.get_optimal_width(rules, container_width), self._second.cell_length)

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return 2


def result_options(answer: Answer, today: date) -> Iterator[Option]:
    """The passages as options, best first, numbered by their ids."""
    for number, one in enumerate(answer.results):
        left = Content.assemble((day_of(one, today), "bold"), (f"  {visible_line(place_of(one))}", "$text-muted"))
        yield Option(TwoLines(Columns(left, _mark(one)), _snippet(one)), id=str(number))


def day_of(one: Result, today: date) -> str:
    """`Tue 24 Nov`, with the year where it is another; the file's name where a passage has no day."""
    if one.day is None:
        return visible_line(one.path.rpartition("/")[2])
    year = f" {one.day.year}" if one.day.year != today.year else ""
    return f"{WEEKDAYS[one.day.weekday()]} {short_day(one.day).strip()}{year}"


def place_of(one: Result) -> str:
    """What the passage stands under: its heading, else its file."""
    return one.heading.rpartition(" > ")[2] or (one.path if one.day is not None else "")


def _mark(one: Result) -> Content:
    """What sets a passage apart: a decision that no longer stands, one found by meaning alone, the day asked for."""
    if one.over or one.newer is not None:
        return Content.styled("superseded", "$warning")
    if one.dated:
        return Content.styled("that day", "$success")
    return Content.styled("" if one.terms or one.alike is None else "by meaning", "$text-muted")


def _snippet(one: Result) -> Content:
    """The passage in one line, from a little before the first word that was found, which is pointed out."""
    lines = [_BULLET.sub("", line) for line in one.text.splitlines() if line.strip("- ")]
    found = _finder(one.terms)
    at = next((n for n, line in enumerate(lines) if found is not None and found.search(line)), 0)
    text = visible_line(" · ".join(line.strip() for line in lines[at : at + 3]))
    first = found.search(text) if found is not None else None
    if first is not None and first.start() > 2 * _BEFORE:
        text = f"…{text[first.start() - _BEFORE :]}"
    parts: list[tuple[str, str]] = []
    last = 0
    for match in found.finditer(text) if found is not None else ():
        parts += [(text[last : match.start()], "$text-muted"), (match[0], "bold $accent")]
        last = match.end()
    return Content.assemble("  ", *parts, (text[last:], "$text-muted"))


def _finder(terms: Sequence[str]) -> re.Pattern[str] | None:
    """What finds these words in a text that passed `visible`."""
    words = sorted({visible_line(term) for term in terms if term.strip()}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None


def pointed_out(rows: Sequence[Row], one: Result) -> list[Row]:
    """The rows of a file, the words that were found in the passage highlighted."""
    found = _finder(one.terms)
    if found is None:
        return list(rows)
    passage = range(one.line_start - 1, one.line_end)
    return [_highlighted(row, found) if at in passage else row for at, row in enumerate(rows)]


def _highlighted(row: Row, found: re.Pattern[str]) -> Row:
    text = row.text
    hits = [match.span() for match in found.finditer(text)]
    if not hits:
        return row
    styles = [*row.styles_in(0, len(text)), *((*hit, "match") for hit in hits)]
    return replace(row, spans=tuple(styled(text, 0, len(text), styles)))


def title(one: Result, today: date) -> Content:
    """The file and the lines of a passage."""
    lines = f"line {one.line_start}" if one.line_start == one.line_end else f"lines {one.line_start} to {one.line_end}"
    name = visible_line(one.path)
    head = f"{day_of(one, today)}  {name}" if one.day is not None else name
    return Content.assemble((head, "bold"), (f"  {lines}", "$text-muted"))


def why(one: Result) -> Content:
    """Why it was found, in a few words."""
    parts = [f"“{visible_line(word)}”" for word in one.terms[:4]]
    said = [f"has {', '.join(parts)}"] if parts else []
    said += ["its day is asked for"] if one.dated else []
    said += [f"alike {one.alike:.2f}"] if one.alike is not None and not parts else []
    if one.over:
        said.append("it says itself that it no longer stands")
    elif one.newer is not None:
        said.append(f"a later decision: {visible_line(one.newer.path)} line {one.newer.line}")
    return Content.styled(" · ".join(said), "$warning" if one.over or one.newer else "$text-muted")


def first_rows() -> list[Row]:
    """What to do before anything is asked."""
    first = message_rows("Ask in your own words, or type some of those you remember.", style="")
    asked = message_rows(*(f"    {one}" for one in EXAMPLES))
    then = message_rows(
        "MEMORY.md, the state files, every log and its archive, the candidates and your notes are looked through.",
        "Days count: “on Monday”, “last week”, “in March”, 2026-02-07. Words in quotes stand together.",
    )
    return [*first, Row("", ()), *asked, Row("", ()), *then]


def nothing_rows(question: str) -> list[Row]:
    """What to do when nothing was found."""
    return message_rows(
        f"Nothing was found for “{visible_line(question.strip())}”.",
        "Fewer words find more; another spelling, a name or a day may be what the log has.",
    )
