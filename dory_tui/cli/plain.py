"""`dory --plain`: the review as numbered lines, for screen readers, dumb terminals and whoever likes lines.

What loosens something asks for its code here too (gate.md); what was typed ahead is thrown away before each question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dory_tui.cli.asking import answer, at_terminal
from dory_tui.cli.common import UsageError
from dory_tui.cli.confirm import confirm
from dory_tui.cli.memory_promote import carried_out, chosen, earned
from dory_tui.cli.memory_show import say_candidate
from dory_tui.cli.opening import finished
from dory_tui.cli.outcome import decided
from dory_tui.cli.plain_list import hold_line, parts
from dory_tui.cli.printing import say, say_masked
from dory_tui.cli.showing import shown_whole
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.review import decide, memories, session, summary
from dory_tui.review.change import DecisionError, Done, StaleError
from dory_tui.review.conflicts import conflicts
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Candidate, HoldView, Staged
from dory_tui.review.previewing import propose
from dory_tui.review.show import headline, scheduler, show_draft
from dory_tui.visible import Looking, visible_line
from dory_tui.workspace.document import WorkspaceError

HELP = """\
NUMBER        read it whole · V NUMBER: with its secrets as they stand
a NUMBER      yes: approve the draft, or promote the memory
r NUMBER note no, with a note for the agent
c NUMBER note send it back: the note says what should change
y NUMBER      it happened · n NUMBER: it did not (an unknown outcome)
s NUMBER 3,2,2,1   the four scores of a memory: longevity, reuse, impact, uniqueness
H text        hold something from now on · l NUMBER: lift that hold
k NUMBER      that promise was kept
u             take the last decision back
.             the list again · ? this help · q end
With the command line alone: dory override, memory promote --all, memory prune, memory audit, archive, upkeep (which
puts back what a log lost), lint, search, diff, history."""

_V = "V NUMBER"


@dataclass
class Plain:
    """What the numbers that were last printed stand for."""

    gate: Gate
    desk: Desk
    listed: list[object] = field(default_factory=list)
    revealed: object = None
    """What was read last with its secrets in sight: a yes to it shows them again."""


def review(gate: Gate) -> int:
    """Print the review; at a terminal go on asking until q. Always 0: leaving things is fine."""
    finished(gate)
    here = Plain(gate, load(gate))
    _list(here)
    if not at_terminal():
        say("\nto decide, open it at a terminal")
        return int(Exit.FINE)
    session.begin(gate)
    say("\na number reads one; ? says what else can be typed")
    while (line := answer("> ")) is not None:
        words = line.split(None, 2)
        if words and words[0] in ("q", "quit"):
            break
        try:
            _carry_out(here, words, line)
        except (DecisionError, UsageError, WorkspaceError, LedgerError) as error:
            say(str(error))
    _close(here)
    return int(Exit.FINE)


# The list


def _list(here: Plain) -> None:
    desk = here.desk
    here.listed = []
    say(f"{headline(desk)} · {scheduler(desk)}")
    say(desk.boot)
    for title, rows in parts(desk):
        if rows:
            say(f"\n{title}")
        for thing, text in rows:
            here.listed.append(thing)
            say(f"{len(here.listed):>3}  {visible_line(text)}")
    against = conflicts(desk)
    if against:
        say("\nCONFLICTS")
    for sentence in (*against, *map(str, desk.problems)):
        say(f"     {visible_line(sentence)}")


# What is typed


def _carry_out(here: Plain, words: list[str], line: str) -> None:
    try:
        _act(here, words, line)
    except StaleError as error:
        say(str(error))
        _again(here)  # what the numbers stand for is old


def _act(here: Plain, words: list[str], line: str) -> None:
    if not words:
        return
    verb = words[0]
    if verb.isdecimal():
        _read(here, _thing(here, words, 0))
    elif verb == "V" and len(words) > 1:
        _read(here, _thing(here, words, 1), reveal=True)
    elif verb == ".":
        _again(here)
    elif verb == "H" and len(words) > 1:
        _done(here, decide.add_hold(here.gate, line[1:].strip()))
    elif verb == "u":
        _undo(here)
    elif verb in _VERBS and len(words) > 1:
        _VERBS[verb](here, _thing(here, words, 1), words[2] if len(words) > 2 else "")
    else:
        say(HELP)


def _thing(here: Plain, words: list[str], at: int) -> object:
    """What a typed number stands for. UsageError when it is none of the list."""
    text = words[at]
    if not text.isdecimal() or len(text) > 6 or not 1 <= int(text) <= len(here.listed):
        raise UsageError(f"{text!r} is no number of the list; . prints it again")
    return here.listed[int(text) - 1]


def _read(here: Plain, thing: object, *, reveal: bool = False) -> None:
    """Show one thing whole."""
    here.revealed = thing if reveal else None
    with Looking(reveal=reveal) as look:
        _say_whole(here, thing)
        say_masked(look, _V)


def _say_whole(here: Plain, thing: object) -> None:
    if isinstance(thing, Staged):
        say(show_draft(here.desk, thing))
    elif isinstance(thing, Candidate):
        say(f"{thing.promotion.id} · {thing.promotion.title}")
        say_candidate(here.desk, thing, propose(thing, here.desk))
    elif isinstance(thing, HoldView):
        say(thing.hold.text)
        say(hold_line(thing))
    else:
        say(str(getattr(thing, "text", None) or getattr(thing, "said", "")))


def _yes(here: Plain, thing: object, note: str) -> None:
    del note
    if isinstance(thing, Staged):
        _approve(here, thing)
    elif isinstance(thing, Candidate):
        _promote(here, thing)
    else:
        raise UsageError("a yes is for a draft or a memory")


def _approve(here: Plain, item: Staged) -> None:
    gate = here.gate
    if not item.standing.can_approve:
        raise DecisionError(Exit.REFUSED, f"{item.draft.id}: {item.standing.reason}")
    looked, unseen = shown_whole(here.desk, item, reveal=here.revealed is item, how=_V)
    if item.held:
        say("\nit stays held until the hold is lifted, or overridden with `dory override HOLD ID`")
    if confirm(f"approve {item.draft.id}{unseen}"):
        name, digest = item.draft.id, item.draft.digest
        _done(here, decide.approve(gate, name, digest, fingerprint=looked.fingerprint, at_terminal=True))


def _promote(here: Plain, one: Candidate) -> None:
    """As `dory memory promote` does: the whole of it, what it replaces where that must be asked, then a code."""
    earned(one)
    made = propose(one, here.desk)
    if made.unclear is not None:
        made = chosen(here.desk, one, made.unclear)
    with Looking(reveal=here.revealed is one) as look:
        say(f"{one.promotion.id} · {one.promotion.title}")
        say_candidate(here.desk, one, made)
        say_masked(look, _V)
    if carried_out(here.gate, one, made):
        _again(here)


def _no(here: Plain, thing: object, note: str) -> None:
    if isinstance(thing, Staged):
        _done(here, decide.reject(here.gate, thing.draft.id, thing.draft.digest, note))
    elif isinstance(thing, Candidate):
        _done(here, memories.discard(here.gate, thing.promotion.id, thing.promotion.digest, note))
    else:
        raise UsageError("a no is for a draft or a memory")


def _back(here: Plain, thing: object, note: str) -> None:
    if not note:
        raise UsageError("say what should change after the number: the note is what reaches the agent")
    if isinstance(thing, Staged):
        _done(here, decide.request_changes(here.gate, thing.draft.id, thing.draft.digest, note))
    elif isinstance(thing, Candidate):
        _done(here, memories.send_back(here.gate, thing.promotion.id, thing.promotion.digest, note))
    else:
        raise UsageError("only a draft or a memory can be sent back")


def _happened(here: Plain, thing: object, note: str, *, happened: bool = True) -> None:
    del note
    if not isinstance(thing, Staged) or thing.standing.state != "unknown":
        raise UsageError("y and n answer whether a draft of unknown outcome happened")
    say(show_draft(here.desk, thing))
    if confirm(f"say that it {'happened' if happened else 'did not happen'}"):
        _done(here, decide.resolve(here.gate, thing.draft.id, happened))


def _not_happened(here: Plain, thing: object, note: str) -> None:
    _happened(here, thing, note, happened=False)


def _score(here: Plain, thing: object, note: str) -> None:
    from dory_tui.cli.log_verbs import scores

    if not isinstance(thing, Candidate):
        raise UsageError("scores are for a memory")
    _done(here, memories.score(here.gate, thing.promotion.id, thing.promotion.digest, scores(note)))


def _lift(here: Plain, thing: object, note: str) -> None:
    del note
    if not isinstance(thing, HoldView):
        raise UsageError("l lifts a hold: give its number")
    _read(here, thing)
    if confirm("lift this hold"):
        _done(here, decide.lift(here.gate, thing.hold.hash))


def _kept(here: Plain, thing: object, note: str) -> None:
    from dory_tui.review import promises
    from dory_tui.workspace.promises import Promise

    del note
    if not isinstance(thing, Promise):
        raise UsageError("k is for a promise: give its number")
    _done(here, promises.kept(here.gate, thing))


def _undo(here: Plain) -> None:
    from dory_tui.cli.undo import take_back

    made = take_back(here.gate, sure=False)
    if made is not None:
        _done(here, made)


_VERBS: dict[str, Callable[[Plain, object, str], None]] = {
    "a": _yes, "r": _no, "c": _back, "y": _happened, "n": _not_happened, "s": _score, "l": _lift, "k": _kept,
}  # fmt: skip


def _done(here: Plain, made: Done) -> None:
    decided(made)
    _again(here)


def _again(here: Plain) -> None:
    """Read the workspace again, and list it."""
    here.desk = load(here.gate)
    _list(here)


def _close(here: Plain) -> None:
    """What will run, and when, and whether anything is there to run it."""
    found = summary.summarise(load(here.gate), session.current(here.gate))
    say(f"\n{len(found.decided)} decided, {found.waiting} still wait")
    for run in found.runs:
        say(f"runs: {run.title} ({run.id}) · {run.when}")
    for one in found.held:
        say(f"held: {one.title} ({one.id}) · {one.by}")
    if not found.runs:
        say("nothing is approved, so nothing will run")
    say(found.scheduler)
