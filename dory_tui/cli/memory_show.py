"""A candidate for MEMORY.md as plain lines: what it says, where it goes, its scores, what it would change.

Secrets are masked wherever text of a file is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from dory_tui import secrets
from dory_tui.cli.printing import say
from dory_tui.memory.budget import cut_sentences, kilobytes, meter
from dory_tui.memory.scoring import MEANINGS
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate
from dory_tui.review.memories import agent_scores
from dory_tui.review.previewing import (
    Proposal,
    could_replace,
    likeness_to,
    near_number,
    near_word,
    nears,
    propose,
    replaced,
    source_words,
)  # fmt: skip
from dory_tui.visible import Looking, visible, warnings
from dory_tui.workspace.document import decode
from dory_tui.workspace.promotions import AXES, Promotion

_SIGNS = {"removed": "-", "added": "+"}
_CONTEXT = 1


def say_diff(before: bytes, after: bytes, context: int = _CONTEXT) -> None:
    """What changes, line by line: its sign, its number in the file as it is, its words; notes stand behind them."""
    with Looking(of=(decode(before), decode(after))):
        for line in _diff_lines(before, after, context):
            say(line)


def _diff_lines(before: bytes, after: bytes, context: int = _CONTEXT) -> Iterator[str]:
    from dory_tui.diff import diff

    for number, hunk in enumerate(diff(decode(before), decode(after), context).hunks):
        if number:
            yield "  ..."
        for row in hunk.rows:
            line = row.new if row.old is None else row.old
            note = f"  ({row.note})" if row.note else ""
            yield f"{_SIGNS.get(row.kind, ' ')} {line:>4} {row.text}{note}"


def say_size(before: bytes, after: bytes, cap: int) -> None:
    """The size against the cap, and what the platforms would cut of it."""
    for line in _size_lines(before, after, cap):
        say(line)


def _size_lines(before: bytes, after: bytes, cap: int) -> Iterator[str]:
    grows = f"{kilobytes(len(before))} → " if kilobytes(len(before)) != kilobytes(len(after)) else ""
    yield f"{grows}{meter(len(after), cap)} ({len(after) - len(before):+,} bytes)"
    yield from cut_sentences(after)


def say_candidate(desk: Desk, one: Candidate, made: Proposal) -> None:
    """Print `candidate_text`."""
    say(candidate_text(desk, one, made))


def candidate_text(desk: Desk, one: Candidate, made: Proposal) -> str:
    """The whole of it, made visible, ending in what promoting would write, or in what stands in the way."""
    with Looking(of=(decode(desk.memory or b""), decode(one.promotion.data))):
        return visible("\n".join(_lines(desk, one, made))).text


def _lines(desk: Desk, one: Candidate, made: Proposal) -> Iterator[str]:
    found = one.promotion
    yield from (f"  {line}" for line in decode(found.text).split("\n"))
    if found.problem is not None or one.verdict is None:
        yield f"it cannot be read: {found.problem}"
        return
    yield from _flags(found)
    yield f"into {found.section}{_learnt(desk, found)}"
    if found.replaces is not None:
        yield f"replaces: {found.replaces}"
    yield f"scores: {score_words(found)}"
    word = "promote" if one.verdict.promote else "stays out"
    yield f"{one.verdict.total} points, {word}: {one.verdict.reason}{_agents(found)}"
    yield from _near_lines(desk, found, made)
    if made.preview is not None:
        yield "MEMORY.md as it would be written:"
        yield from _diff_lines(made.preview.before, made.preview.after)
        yield from _size_lines(made.preview.before, made.preview.after, desk.settings.cap)
        if made.creates is not None:
            yield f"MEMORY.md has no section “{made.creates}” yet: it is added at the end"
    if made.refusal is not None:
        yield made.refusal


def _flags(found: Promotion) -> Iterator[str]:
    """What would deceive the eye, and secrets."""
    hidden = visible(found.text).hidden
    if hidden:
        yield f"{hidden} hidden character{'' if hidden == 1 else 's'}, shown as ⟦…⟧"
    for flag in warnings(decode(found.text)):
        yield f"line {flag.line}: {flag.sentence}"
    for line, secret in secrets.in_text(decode(found.text)):
        yield f"line {line}: {secret.kind} stands here; {secrets.ADVICE}"


def _learnt(desk: Desk, found: Promotion) -> str:
    if not found.source:
        return ""
    words = source_words(desk.gate.root, found.source)
    said = f": “{words}”" if words else ""
    return f", learnt from {found.source.replace('#L', ' line ')}{said}"


def score_words(found: Promotion) -> str:
    """`longevity 3 (years), reuse 2 (frequent), …`."""
    return ", ".join(f"{axis} {found.scores[axis]} ({MEANINGS[axis][found.scores[axis]]})" for axis in AXES)


def _agents(found: Promotion) -> str:
    """The agent's scores where they are others."""
    agent = agent_scores(found)
    if agent == dict(found.scores):
        return ""
    return f" (the agent gave {','.join(str(agent[axis]) for axis in AXES)})"


def _near_lines(desk: Desk, found: Promotion, made: Proposal) -> Iterator[str]:
    memory = desk.memory or b""
    line = replaced(memory, found, made.over)
    for near in nears(likeness_to(memory), found, line):
        word, number = near_word(near, line), near_number(near)
        tail = f" ({word})" if word else ""
        yield f"like it: {number:>3}  line {near.passage.first}: {near.passage.text}{tail}"


def replace_words(desk: Desk, lines: tuple[int, ...], section: str) -> list[str]:
    """What a candidate could replace, one line each, the first numbered 1; then 0 for nothing."""
    words = []
    for number, (line, title) in enumerate(could_replace(desk.memory or b"", lines), start=1):
        words.append(f"{number}  replace line {line}" + (f", under “{title}”" if title else ""))
    return [*words, f"0  replace nothing, and add it to {section}"]


def candidate_json(desk: Desk, one: Candidate) -> dict[str, object]:
    """One candidate that waits: all that a person would judge it by."""
    found, made = one.promotion, propose(one, desk)
    would = made.preview
    sound = found.problem is None and one.verdict is not None
    return {
        "id": found.id, "path": found.path, "text": decode(found.text), "section": found.section,
        "source": found.source, "replaces": None if found.replaces is None else found.replaces,
        "scores": dict(found.scores) if sound else None, "agent_scores": agent_scores(found) if sound else None,
        "total": one.verdict.total if one.verdict else None,
        "verdict": None if one.verdict is None else "promote" if one.verdict.promote else "stays out",
        "reason": one.verdict.reason if one.verdict else None,
        "creates": made.creates,
        "before_bytes": len(desk.memory or b""), "after_bytes": None if would is None else len(would.after),
        "cap": desk.settings.cap,
        "refusal": None if made.refusal is None or not sound else made.refusal,
        "problem": None if found.problem is None else str(found.problem),
    }  # fmt: skip
