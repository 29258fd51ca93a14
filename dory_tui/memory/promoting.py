"""The exact bytes of MEMORY.md after a promotion: what is previewed is what is written. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dory_tui.memory.scoring import verdict
from dory_tui.secrets import ADVICE, spans
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, decode, encode, parse, split_lines
from dory_tui.workspace.layout import MEMORY
from dory_tui.workspace.promotions import Promotion


class PromotingError(Exception):
    """The promotion cannot be written; the message says why and what to do."""


class SectionMissingError(PromotingError):
    """The section is not in MEMORY.md; it is made only after asking. `section` is its heading."""

    def __init__(self, section: str) -> None:
        super().__init__(f"MEMORY.md has no section “{section}”")
        self.section = section


class ReplacesError(PromotingError):
    """The line it replaces does not stand there exactly once: a human says what it replaces.

    `lines` are the numbers of the lines that it could be, none when there is no such line.
    """

    def __init__(self, wanted: str, lines: Sequence[int]) -> None:
        times = f"stands in MEMORY.md {len(lines)} times" if lines else "is not in MEMORY.md"
        super().__init__(f"the line it replaces {times}: “{wanted}”; change `replaces` in the candidate")
        self.lines = tuple(lines)


NOTHING = 0
"""For `preview(over=…)`: the candidate replaces nothing and goes into its section."""


@dataclass(frozen=True, slots=True)
class Preview:
    """MEMORY.md as it is and as it would be, in bytes; `created` is the heading that would be made, or None."""

    before: bytes
    after: bytes
    created: str | None


def preview(memory: bytes, candidate: Promotion, *, create: bool = False, over: int | None = None) -> Preview:
    """The bytes that promoting would write, whatever the cap says. `over` is what a human said that it replaces: the
    number of one of the lines of ReplacesError, or `NOTHING`. It counts only where that error would be raised.

    SectionMissingError when the section is absent and `create` is not set; ReplacesError when the line it replaces
    does not stand there exactly once; PromotingError when the file has merge conflict markers.
    """
    document = parse(MEMORY, memory)
    if (line := document.conflicted) is not None:
        raise PromotingError(f"MEMORY.md line {line}: merge conflict markers; resolve them first")
    text = _with_ends(candidate.text, document.line_end)
    span = None if candidate.replaces is None else _replaced(document, candidate.replaces, over)
    if span is not None:
        return Preview(memory, memory[: span[0]] + text + memory[span[1] :], None)
    section = _find(document, candidate.section)
    if section is not None:
        return Preview(memory, _into(document, section, text), None)
    heading = _heading(candidate.section)
    if not create:
        raise SectionMissingError(heading)
    return Preview(memory, _at_end(document, encode(heading), text), heading)


def check_cap(change: Preview, cap: int) -> None:
    """PromotingError when the file would stand over the cap and not shrink (memory.md, "The diff")."""
    before, after = len(change.before), len(change.after)
    if after <= cap or after < before:
        return
    over = after - cap
    raise PromotingError(
        f"MEMORY.md would be {after:,} bytes, {over:,} over the cap of {cap:,}: prune at least {over:,} bytes first"
    )


@dataclass(frozen=True, slots=True)
class Together:
    """Several promotions written one after the other: the file after all of them, who is in it, and who is not and
    why. `created` are the headings that would be made."""

    preview: Preview
    taken: tuple[Promotion, ...]
    left_out: tuple[tuple[Promotion, str], ...]
    created: tuple[str, ...]


def preview_all(memory: bytes, candidates: Sequence[Promotion], cap: int) -> Together:
    """MEMORY.md after every candidate that earns its place and fits, in their order."""
    now, taken, left, created = memory, [], [], []
    for one in candidates:
        try:
            now, made = _added(now, one, cap)
        except PromotingError as error:
            left.append((one, str(error)))
            continue
        taken.append(one)
        created += [made] if made is not None else []
    return Together(Preview(memory, now, None), tuple(taken), tuple(left), tuple(created))


def _added(memory: bytes, one: Promotion, cap: int) -> tuple[bytes, str | None]:
    if one.problem is not None:
        raise PromotingError(str(one.problem))
    judged = verdict(one.scores)
    if not judged.promote:
        raise PromotingError(f"it does not earn its place: {judged.reason}")
    check_secrets(one)
    would = preview(memory, one, create=True)
    check_cap(would, cap)
    return would.after, would.created


def check_secrets(one: Promotion) -> None:
    """PromotingError when it holds a secret: that is promoted by itself, after asking, if at all."""
    if spans(decode(one.text)):
        raise PromotingError(f"it holds a secret ({ADVICE}): decide on it alone")


def _with_ends(text: bytes, end: bytes) -> bytes:
    """The lines of a candidate with the line end of the file they go into; none after the last."""
    lines = [text[start:stop] for start, stop, _ in split_lines(text)]
    return end.join(lines)


def _replaced(document: Document, wanted: str, over: int | None) -> tuple[int, int] | None:
    """The span of the one line that is superseded, without its line end; None when a human said that none is."""
    found = lines_like(document, wanted)
    if len(found) != 1:
        if over == NOTHING:
            return None
        chosen = [line for line in found if line.number == over]
        if not chosen:
            raise ReplacesError(wanted, [line.number for line in found])
        found = chosen
    line = found[0]
    mark = len(document.data[line.start : line.end]) - len(encode(line.text))  # a byte order mark stays
    return line.start + mark, line.end


def lines_like(document: Document, wanted: str) -> list[Line]:
    """The lines that are the one a candidate replaces; blanks at their ends do not count."""
    return [line for line in document.lines if line.text.rstrip() == wanted.rstrip()]


def _heading(section: str) -> str:
    return section if section.startswith("#") else f"## {section}"


def _find(document: Document, wanted: str) -> shapes.Section | None:
    """The section of a heading: the same level and words, else the same words at any level."""
    named = _heading(wanted)
    level = len(named) - len(named.lstrip("#"))
    title = shapes.normal(named.lstrip("#"))
    found = [s for s in shapes.sections(document) if s.heading is not None and shapes.normal(s.title) == title]
    return next((s for s in found if s.level == level), found[0] if found else None)


def _into(document: Document, section: shapes.Section, text: bytes) -> bytes:
    """The text at the end of the section's own lines, before what separates it from the next."""
    assert section.heading is not None
    lines = list(section.lines)
    while lines and (not lines[-1].text.strip() or shapes.is_rule(lines[-1].shown)):
        lines.pop()
    nothing = [ln for ln in lines if shapes.is_nothing(ln.shown) and not ln.blank and not ln.mask]
    if nothing and all(ln is nothing[0] or ln.blank or ln.mask for ln in lines):
        return document.data[: nothing[0].start] + text + document.data[nothing[0].end :]
    last = lines[-1] if lines else section.heading
    end = document.line_end
    gap = end if _needs_gap(lines, text) else b""
    return document.data[: last.end] + end + gap + text + document.data[last.end :]


def _needs_gap(lines: Sequence[Line], text: bytes) -> bool:
    """Whether a blank line must stand before the new text: below a heading, a comment or another kind of block."""
    if not lines or lines[-1].mask:
        return True
    if not shapes.is_bullet(decode(text.split(b"\n", 1)[0])):
        return True
    # A bullet runs on over plain lines, so the last block is the end of a list wherever a bullet begins in it.
    for line in reversed(lines):
        if line.blank or shapes.is_bullet(line.shown):
            return line.blank
    return True


def _at_end(document: Document, heading: bytes, text: bytes) -> bytes:
    """A new section at the end of the file, one blank line before it; the file's way of ending is kept."""
    end = document.line_end
    data = document.data
    if not data.strip():
        return data + heading + end + end + text + end
    ended = document.lines[-1].stop > document.lines[-1].end
    blank = ended and not document.lines[-1].text.strip()
    gap = b"" if blank else end
    body = (b"" if ended else end) + gap + heading + end + end + text
    return data + body + (end if ended else b"")
