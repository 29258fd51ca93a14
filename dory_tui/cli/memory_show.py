"""A candidate for MEMORY.md as plain lines: what it says, where it goes, its scores, what it would change.

Secrets are masked wherever text of a file is shown.
"""

from __future__ import annotations

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
    from dory_tui.diff import diff

    old, new = decode(before), decode(after)
    with Looking(of=(old, new)):
        for number, hunk in enumerate(diff(old, new, context).hunks):
            if number:
                say("  ...")
            for row in hunk.rows:
                line = row.new if row.old is None else row.old
                note = f"  ({row.note})" if row.note else ""
                say(f"{_SIGNS.get(row.kind, ' ')} {line:>4} {row.text}{note}")


def say_size(before: bytes, after: bytes, cap: int) -> None:
    """The size against the cap, and what the platforms would cut of it."""
    grows = f"{kilobytes(len(before))} → " if kilobytes(len(before)) != kilobytes(len(after)) else ""
    say(f"{grows}{meter(len(after), cap)} ({len(after) - len(before):+,} bytes)")
    for sentence in cut_sentences(after):
        say(sentence)


def say_candidate(desk: Desk, one: Candidate, made: Proposal) -> None:
    """The whole of it, ending in what promoting would write, or in what stands in the way."""
    with Looking(of=(decode(desk.memory or b""), decode(one.promotion.data))):
        _say_candidate(desk, one, made)


def _say_candidate(desk: Desk, one: Candidate, made: Proposal) -> None:
    found = one.promotion
    say("\n".join(f"  {line}" for line in decode(found.text).split("\n")))
    if found.problem is not None or one.verdict is None:
        say(f"it cannot be read: {found.problem}")
        return
    _say_flags(found)
    say(f"into {found.section}{_learnt(desk, found)}")
    if found.replaces is not None:
        say(f"replaces: {found.replaces}")
    say(f"scores: {score_words(found)}")
    word = "promote" if one.verdict.promote else "stays out"
    say(f"{one.verdict.total} points, {word}: {one.verdict.reason}{_agents(found)}")
    _say_near(desk, found, made)
    if made.preview is not None:
        say("MEMORY.md as it would be written:")
        say_diff(made.preview.before, made.preview.after)
        say_size(made.preview.before, made.preview.after, desk.settings.cap)
        if made.creates is not None:
            say(f"MEMORY.md has no section “{made.creates}” yet: it is added at the end")
    if made.refusal is not None:
        say(made.refusal)


def _say_flags(found: Promotion) -> None:
    """What would deceive the eye, and secrets."""
    hidden = visible(found.text).hidden
    if hidden:
        say(f"{hidden} hidden character{'' if hidden == 1 else 's'}, shown as ⟦…⟧")
    for flag in warnings(decode(found.text)):
        say(f"line {flag.line}: {flag.sentence}")
    for line, secret in secrets.in_text(decode(found.text)):
        say(f"line {line}: {secret.kind} stands here; {secrets.ADVICE}")


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


def _say_near(desk: Desk, found: Promotion, made: Proposal) -> None:
    memory = desk.memory or b""
    line = replaced(memory, found, made.over)
    for near in nears(likeness_to(memory), found, line):
        word, number = near_word(near, line), near_number(near)
        tail = f" ({word})" if word else ""
        say(f"like it: {number:>3}  line {near.passage.first}: {near.passage.text}{tail}")


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
