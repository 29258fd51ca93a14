"""`dory memory promote`, `score`: the verdict of a human about one candidate, or about all that pass.

A memory is promoted at a terminal alone, by a code that stands below the diff, as a draft is approved: `--yes` is no
way around it, so that an agent which applies its own memory needs more than an option (gate.md, "Who may say yes").
"""

from __future__ import annotations

import argparse
import hashlib

from dory_tui.cli.asking import at_terminal, choose
from dory_tui.cli.common import UsageError
from dory_tui.cli.confirm import confirm
from dory_tui.cli.log_verbs import scores
from dory_tui.cli.memory_show import replace_words, say_candidate, say_diff, say_size
from dory_tui.cli.opening import opened
from dory_tui.cli.outcome import decided
from dory_tui.cli.printing import say, say_error
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.memory.promoting import NOTHING, preview_all
from dory_tui.review import bulk, memories
from dory_tui.review.change import DecisionError
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Candidate
from dory_tui.review.previewing import Proposal, propose
from dory_tui.visible import visible_line


def find(desk: Desk, wanted: str) -> Candidate:
    """The candidate that waits under this id; UsageError or DecisionError when there is none."""
    one = desk.candidate_by_id(wanted)
    if one is None:
        raise UsageError(f"there is no candidate {wanted!r}: `dory memory review` goes through those that wait")
    if not one.waits:
        raise DecisionError(Exit.REFUSED, f"{wanted} is {one.promotion.status} already")
    if one.promotion.problem is not None or one.verdict is None:
        raise DecisionError(Exit.USAGE, str(one.promotion.problem))
    return one


def score(options: argparse.Namespace) -> int:
    given = scores(options.scores, "a score")
    gate = opened(options)
    one = find(load(gate), options.id)
    return decided(memories.score(gate, one.promotion.id, one.promotion.digest, given))


def promote(options: argparse.Namespace) -> int:
    if options.yes:
        raise UsageError("promoting has no --yes: a person reads the diff at a terminal and types the code below it")
    if options.all == (options.id is not None):
        raise UsageError("name one candidate, or --all for every one that earns its place")
    if options.all:
        return _promote_all(opened(options))
    gate = opened(options)
    desk = load(gate)
    one = find(desk, options.id)
    earned(one)
    made = _replacing(desk, one, options.replace_line)
    if made.creates is not None and not options.create:
        raise DecisionError(
            Exit.REFUSED, f"MEMORY.md has no section “{made.creates}”: with --create it is added at the end"
        )
    say(f"{one.promotion.id} · {one.promotion.title}")
    say_candidate(desk, one, made)
    return int(Exit.FINE if carried_out(gate, one, made) else Exit.REFUSED)


def earned(one: Candidate) -> None:
    """DecisionError when its scores keep it out."""
    if one.verdict is not None and not one.verdict.promote:
        name = one.promotion.id
        raise DecisionError(
            Exit.REFUSED,
            f"{name} does not earn its place: {one.verdict.reason}; `dory memory score {name} L,R,I,U` gives it yours",
        )


def _replacing(desk: Desk, one: Candidate, line: int | None) -> Proposal:
    """What would be written, with the line that it replaces as `--replace-line` says, or as a person is asked."""
    made = propose(one, desk)
    if line is None:
        return made if made.unclear is None else chosen(desk, one, made.unclear)
    if made.unclear is None:
        raise UsageError("--replace-line is for a line that stands several times, or not at all; this one is clear")
    if line != NOTHING and line not in made.unclear:
        raise UsageError(f"line {line} is not the one it replaces: {_lines(made.unclear)}")
    return propose(one, desk, line)


def _lines(lines: tuple[int, ...]) -> str:
    return f"that stands on {', '.join(map(str, lines))}; 0 replaces nothing" if lines else "0 replaces nothing"


def chosen(desk: Desk, one: Candidate, lines: tuple[int, ...]) -> Proposal:
    """Ask what a candidate should replace. Nothing is decided by the answer."""
    times = f"stands in MEMORY.md {len(lines)} times" if lines else "is not in MEMORY.md"
    if not at_terminal():
        which = f"--replace-line N says which; {_lines(lines)}"
        raise DecisionError(Exit.REFUSED, f"the line that it replaces {times}: {which}")
    say(f"the line that it replaces {times}: {one.promotion.replaces or ''}")
    for words in replace_words(desk, lines, one.promotion.section):
        say(words)
    given = choose("What should it replace? A number, and Enter", [str(n) for n in range(len(lines) + 1)])
    if given is None:
        raise DecisionError(Exit.REFUSED, "nothing was decided")
    return propose(one, desk, NOTHING if given == "0" else lines[int(given) - 1])


def carried_out(gate: Gate, one: Candidate, made: Proposal) -> bool:
    """Ask for the code and promote what was shown; False when nothing was."""
    if made.preview is None or made.refusal is not None:
        raise DecisionError(Exit.REFUSED, made.refusal or "it cannot be written")
    name = one.promotion.id
    adds = f" and add the section “{visible_line(made.creates)}”" if made.creates is not None else ""
    if not confirm(f"promote {name}{adds}"):
        return False
    after = hashlib.sha256(made.preview.after).hexdigest()
    create = made.creates is not None
    decided(memories.promote(gate, name, one.promotion.digest, after=after, create=create, over=made.over))
    return True


def _promote_all(gate: Gate) -> int:
    desk = load(gate)
    planned = bulk.plan(desk, [one.subject for one in desk.memories], "promote")
    for number, item in enumerate(planned.items, start=1):
        say(f"{number}. {item.subject.id}  {item.title}  ({item.what})")
    for left in planned.left_out:
        say(f"left out: {left.subject.id}  {left.title}  ({left.why})")
    if not planned.items:
        raise DecisionError(Exit.REFUSED, "no memory that waits can be promoted")
    together = preview_all(planned.memory, [one.promotion for one in desk.memories], desk.settings.cap).preview
    say("MEMORY.md as it would be written:")
    say_diff(together.before, together.after)
    say_size(together.before, together.after, desk.settings.cap)
    count = len(planned.items)
    if not confirm(f"promote {'this memory' if count == 1 else f'these {count} memories'}"):
        return int(Exit.REFUSED)
    failed = False
    for subject, became in bulk.carry_out(gate, planned):
        if isinstance(became, DecisionError):
            failed = True
            say_error(f"{subject.id}: {became}")
        else:
            decided(became)
    return int(Exit.REFUSED if failed else Exit.FINE)
