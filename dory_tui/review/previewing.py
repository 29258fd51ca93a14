"""What promoting a candidate would write, what stands in the way, and what helps to judge it.

The screen and the command line show the same (memory.md, "The diff").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dory_tui.memory import promoting
from dory_tui.memory.promoting import Preview, PromotingError, ReplacesError, SectionMissingError, lines_like
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate
from dory_tui.visible import Looking, visible_line
from dory_tui.workspace import layout, shapes
from dory_tui.workspace.document import WorkspaceError, decode, parse, read_bytes, split_lines
from dory_tui.workspace.promotions import Promotion

if TYPE_CHECKING:
    from dory_tui.memory.near import Likeness, Near, Passage

_LONG = 400


@dataclass(frozen=True)
class Proposal:
    """What promoting would write: the exact bytes, or the sentence that stands in the way."""

    preview: Preview | None
    creates: str | None = None
    """The heading that would be made, after asking."""
    refusal: str | None = None
    over: int | None = None
    """What a human said that it replaces (`promoting.preview`)."""
    unclear: tuple[int, ...] | None = None
    """The lines that could be the one it replaces, when a human must say which; empty when there is none."""


def propose(one: Candidate, desk: Desk, over: int | None = None) -> Proposal:
    """MEMORY.md as it is on the desk and as it would be."""
    if layout.MEMORY in desk.unread:
        return Proposal(None, refusal=desk.unread[layout.MEMORY])
    if one.promotion.problem is not None:
        return Proposal(None, refusal=str(one.promotion.problem))
    memory = desk.memory or b""
    creates = None
    try:
        try:
            would = promoting.preview(memory, one.promotion, over=over)
        except SectionMissingError as error:
            creates = error.section
            would = promoting.preview(memory, one.promotion, create=True, over=over)
    except ReplacesError as error:
        return Proposal(None, refusal=str(error), unclear=error.lines)
    except PromotingError as error:
        return Proposal(None, refusal=str(error))
    try:
        promoting.check_cap(would, desk.settings.cap)
    except PromotingError as error:
        return Proposal(would, creates, str(error), over)
    return Proposal(would, creates, over=over)


def could_replace(memory: bytes, lines: Sequence[int]) -> list[tuple[int, str]]:
    """(line, title of the heading above it) of each line that a candidate could replace; "" where there is none."""
    above = [line for line in parse(layout.MEMORY, memory).lines if line.heading is not None]
    found = []
    for number in lines:
        title = next((line.heading[1] for line in reversed(above) if line.heading and line.number < number), "")
        found.append((number, title))
    return found


def replaced(memory: bytes, found: Promotion, over: int | None) -> int | None:
    """The line that a candidate would supersede."""
    if found.replaces is None:
        return None
    lines = [line.number for line in lines_like(parse(layout.MEMORY, memory), found.replaces)]
    if len(lines) == 1:
        return lines[0]
    return over if over in lines else None


def likeness_to(memory: bytes) -> Likeness:
    """What compares candidates with MEMORY.md: by words, and by meaning where the vectors of search are there."""
    from dory_tui.memory.near import Likeness

    return Likeness(memory, _by_meaning)


def _by_meaning(texts: Sequence[str], known: Sequence[str]) -> Sequence[Sequence[float]]:
    from dory_tui.search.embedding import ModelError, alike

    try:
        return alike(texts, known)
    except ModelError:
        return [[0.0] * len(known)] * len(texts)


def nears(likeness: Likeness, found: Promotion, line: int | None) -> list[Near]:
    """The passages most like a candidate, and the one on the line that it supersedes."""
    from dory_tui.memory.near import Near  # the first paint does not wait for it

    made = list(likeness.near(found.text))
    if line is not None and not any(_holds(near.passage, line) for near in made):
        passage = next((one for one in likeness.passages if _holds(one, line)), None)
        made += [Near(passage, 0.0, False)] if passage is not None else []
    return made


def near_word(near: Near, line: int | None) -> str:
    """What is to be said of a passage that is like a candidate; empty for no more than that it is."""
    if line is not None and _holds(near.passage, line):
        return "replaces this"
    return "says the same already" if near.exact else ""


def near_number(near: Near) -> str:
    """`.81`, `1.0`; empty for the passage that is only superseded."""
    return "1.0" if near.exact else f"{near.likeness:.2f}"[1:] if near.likeness else ""


def _holds(passage: Passage, line: int) -> bool:
    return passage.first <= line <= passage.last


def source_words(root: Path, source: str) -> str | None:
    """The words of the line that a candidate was learnt from; None when there is none to be read."""
    path, mark, number = source.partition("#L")
    if not mark or not number.isdecimal() or len(number) > 7:
        return None
    return line_words(root, path, int(number))


def line_words(root: Path, path: str, number: int) -> str | None:
    """The words of one line of a file of the workspace, from 1; None when there is none to be read."""
    try:
        data = read_bytes(layout.inside(root, path), path)
    except (WorkspaceError, ValueError):
        return None
    spans: Sequence[tuple[int, int, int]] = () if data is None else split_lines(data)
    if data is None or not 0 < number <= len(spans):
        return None
    start, end, _ = spans[number - 1]
    with Looking(of=(decode(data),)):
        return visible_line(shapes.strip_marks(decode(data[start:end])))[:_LONG] or None
