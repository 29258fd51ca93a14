"""Where the files of a workspace contradict each other, in their order of precedence (workspace.md). Pure.

HOLD comes before ACTIVE, ACTIVE before DECISIONS, and a later decision before an earlier one. What is said here holds
nothing and decides nothing, so it is stricter than `covering`: it speaks only where the words leave little doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dory_tui.gate.covering import words
from dory_tui.values import dataclass
from dory_tui.visible import cut, masked
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.layout import ACTIVE, DECISIONS, HOLD

PRECEDENCE = "HOLD > ACTIVE > DECISIONS > AGENTS.md"
HUMAN = "dory"
"""The session that a human's decisions are signed with: those are verdicts on drafts, which records tell better."""
_SHOWN = 60
_AT_MOST = 200
"""Decisions that are compared with each other: the newest. A file with more is one that nobody archives."""
# What turns the words behind it into their contrary, up to the next mark or to a word that turns back.
_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|no|stop|drop|cancel|without|instead of|rather than|don['’]?t|doesn['’]?t)\b"
    r"(?P<what>[^,.;:()—]*?)(?=$|[,.;:()—]|\b(?:but|and use|use)\b)",
    re.IGNORECASE,
)
_SWITCH = re.compile(r"\b(?:instead of|rather than|no longer|no more)\b", re.IGNORECASE)


_WORD = re.compile(r"[^\W_]+")

Tokens = tuple[frozenset[str], ...]
"""The words of a text that can match, each as the forms that `covering` compares."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a text wants and what it does not want."""

    wants: Tokens
    refuses: Tokens
    switched: bool
    """Whether it is said against something: one word is then enough to tell what."""


def conflicts(tasks: Sequence[Task], holds: Sequence[Hold], decisions: Sequence[Decision]) -> tuple[str, ...]:
    """One sentence for each contradiction, in the order of precedence. Decisions may come in any order."""
    open_tasks = [task for task in tasks if not task.over]
    found = [_held(task, hold) for task in open_tasks for hold in holds if asks_for(task, hold)]
    standing = _standing(decisions)
    found += [_outranked(task, one) for task in open_tasks for one in standing if _refused(_task(task), one)]
    return (*found, *(_overruled(earlier, later) for earlier, later in contradicted(standing)))


def asks_for(task: Task, hold: Hold) -> bool:
    """Whether a task's words share a hold's subject: at least two of its words and half of them, or its only one.

    Stricter than covering, where one word is enough to hold a draft: nothing is held here, it is only said. A passage
    that holds everything for want of a form is not about the task, and shown elsewhere.
    """
    if hold.kind in ("file", "text"):
        return False
    if hold.over_all:
        return True
    subject = _tokens(hold.subject)
    shared = _shared(subject, _tokens(f"{task.said} {task.interpretation}"))
    return bool(subject) and shared >= min(2, len(subject)) and 2 * shared >= len(subject)


def contradicted(decisions: Sequence[Decision]) -> tuple[tuple[Decision, Decision], ...]:
    """(earlier, later) for each of the newest decisions that a later one says the contrary of, each earlier one once.

    The contrary is the same words with "not", "no longer", "instead of" and the like. A human's verdicts and what no
    longer stands are left out.
    """
    ordered = _standing(decisions)
    read = [_said(one.item) for one in ordered]
    found = []
    for number, earlier in enumerate(ordered):
        later = next((n for n in range(len(ordered) - 1, number, -1) if _contrary(read[number], read[n])), None)
        if later is not None:
            found.append((earlier, ordered[later]))
    return tuple(found)


def _standing(decisions: Sequence[Decision]) -> list[Decision]:
    """The newest decisions that count, the oldest of them first."""
    kept = (one for one in decisions if not one.over and not one.proposed and (one.session or "").casefold() != HUMAN)
    return sorted(kept, key=lambda one: (one.when.isoformat() if one.when else "", one.line))[-_AT_MOST:]


def _said(text: str) -> _Said:
    refused = " ".join(match["what"] for match in _NOT.finditer(text))
    return _Said(_tokens(_NOT.sub(" ", text)), _tokens(refused), _SWITCH.search(text) is not None)


def _task(task: Task) -> _Said:
    return _said(" ".join(task.said.split()))


def _refused(task: _Said, one: Decision) -> bool:
    """Whether a decision refuses what a task asks for."""
    refused = _said(one.item).refuses
    return len(refused) > 1 and _shared(refused, task.wants) == len(refused)


def _contrary(earlier: _Said, later: _Said) -> bool:
    return _turns(later, earlier) or _turns(earlier, later)


def _turns(one: _Said, other: _Said) -> bool:
    """Whether all that one refuses is what the other wants, and is at least half of that."""
    enough = 1 if one.switched else 2
    count = len(one.refuses)
    return count >= enough and 2 * count >= len(other.wants) and _shared(one.refuses, other.wants) == count


@lru_cache(maxsize=1024)
def _tokens(text: str) -> Tokens:
    """Each word once, whatever its number. A script without spaces is cut into its pairs."""
    found: list[frozenset[str]] = []
    for word in _WORD.findall(text):
        forms = words(word)
        pairs = len(word) > 2 and any(len(form) < 3 for form in forms)
        for one in [frozenset({form}) for form in sorted(forms)] if pairs else [forms]:
            if one and not any(one & other for other in found):
                found.append(one)
    return tuple(found)


def _shared(these: Tokens, those: Tokens) -> int:
    """How many of these words are among those."""
    other = frozenset().union(*those)
    return sum(bool(one & other) for one in these)


def _held(task: Task, hold: Hold) -> str:
    line = f" line {hold.line}" if hold.line else ""
    return f"ACTIVE asks for what HOLD blocks: “{_short(hold.subject)}” ({HOLD}{line}) comes before {_asked(task)}"


def _asked(task: Task) -> str:
    return f"“{_short(task.said.partition(chr(10))[0])}” ({ACTIVE} line {task.line})"


def _outranked(task: Task, one: Decision) -> str:
    return f"ACTIVE asks for what a decision refuses: {_asked(task)} comes before {_decided(one)}"


def _overruled(earlier: Decision, later: Decision) -> str:
    return f"DECISIONS contradicts itself: {_decided(later)} is the later one and comes before {_decided(earlier)}"


def _decided(one: Decision) -> str:
    return f"“{_short(one.item)}” ({DECISIONS} line {one.line})"


def _short(text: str) -> str:
    """As much of a text as is shown. A secret is masked first: cut in two it is not known for one."""
    return cut(masked(text), _SHOWN)
