"""`dory memory review` at a terminal: each candidate that waits, whole, one after the other, and what becomes of it.

The letters are those of the screen. Enter alone decides nothing, and a yes is the code that stands below the diff.
"""

from __future__ import annotations

from typing import Literal

from dory_tui.cli.asking import answer, choose
from dory_tui.cli.common import UsageError
from dory_tui.cli.log_verbs import scores
from dory_tui.cli.memory_promote import carried_out, chosen, earned
from dory_tui.cli.memory_show import say_candidate
from dory_tui.cli.outcome import decided
from dory_tui.cli.printing import say, say_error
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.memory.scoring import MEANINGS
from dory_tui.review import memories
from dory_tui.review.change import DecisionError, StaleError
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Candidate
from dory_tui.review.previewing import Proposal, propose
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.promotions import read_promotions

Next = Literal["on", "again", "end"]
_QUESTION = "a promote · s score · c send back · r discard · j skip · q quit; a letter, and Enter"
_BROKEN = "c send back · r discard · j skip · q quit; a letter, and Enter"


def walk(gate: Gate) -> int:
    """Go through what waits. What is refused is said, and asked again. Always 0: leaving things is fine."""
    past: list[str] = []
    current: str | None = None
    while True:
        desk = load(gate)
        left = [one for one in desk.memories if one.promotion.id not in past]
        if not left:
            say("that is all" if past else "no memory waits: an agent proposes with `dory-agent propose`")
            return int(Exit.FINE)
        one = next((one for one in left if one.promotion.id == current), left[0])
        say(f"\n{len(past) + 1} of {len(past) + len(left)} · {one.promotion.id} · {one.promotion.title}")
        made = propose(one, desk)
        say_candidate(desk, one, made)
        found = _asked(gate, desk, one, made)
        if found == "end":
            say("the rest waits")
            return int(Exit.FINE)
        current = one.promotion.id
        past += [current] if found == "on" else []


def _asked(gate: Gate, desk: Desk, one: Candidate, made: Proposal) -> Next:
    """Ask until something is decided about it, or it is left."""
    sound = one.verdict is not None
    while True:
        letter = choose(_QUESTION if sound else _BROKEN, "ascrjq" if sound else "crjq")
        if letter is None or letter == "q":
            return "end"
        if letter == "j":
            return "on"
        try:
            if letter == "a":
                made, found = _promote(gate, desk, one, made)
            else:
                found = {"s": _score, "c": _send_back, "r": _discard}[letter](gate, one)
        except (DecisionError, WorkspaceError, LedgerError, UsageError) as error:
            say_error(str(error))
            if isinstance(error, StaleError) or _changed(gate, one):
                return "again"
            continue
        if found is not None:
            return found


def _changed(gate: Gate, one: Candidate) -> bool:
    """Whether what was shown is gone, or another by now: to be asked about it again would lead nowhere."""
    shown = (one.promotion.id, one.promotion.digest)
    return shown not in ((found.id, found.digest) for found in read_promotions(gate.root))


def _promote(gate: Gate, desk: Desk, one: Candidate, made: Proposal) -> tuple[Proposal, Next | None]:
    """What was shown is promoted. What it replaces may have to be asked first: then the diff is shown anew."""
    earned(one)
    if made.unclear is not None:
        made = chosen(desk, one, made.unclear)
        say_candidate(desk, one, made)
    return made, "on" if carried_out(gate, one, made) else None


def _score(gate: Gate, one: Candidate) -> Next | None:
    for axis, meanings in MEANINGS.items():
        say(f"  {axis}: " + ", ".join(f"{value} {words}" for value, words in enumerate(meanings)))
    given = answer("Your four scores, such as 3,2,2,1, and Enter (nothing leaves them as they are): ")
    if not given:
        return None
    decided(memories.score(gate, one.promotion.id, one.promotion.digest, scores(given, "a score")))
    return "again"


def _send_back(gate: Gate, one: Candidate) -> Next | None:
    note = answer("What should change? The agent reads it (nothing sends nothing back): ")
    if not note:
        return None
    decided(memories.send_back(gate, one.promotion.id, one.promotion.digest, note))
    return "on"


def _discard(gate: Gate, one: Candidate) -> Next | None:
    note = answer("Why? The agent reads it; it may stay empty: ")
    if note is None:
        return "end"
    decided(memories.discard(gate, one.promotion.id, one.promotion.digest, note))
    return "on"
