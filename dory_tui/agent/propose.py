"""Propose something for MEMORY.md, with four scores. The human decides, and may change the scores."""

from __future__ import annotations

from collections.abc import Mapping

from dory_tui.gate.survey import Gate
from dory_tui.memory.proposing import ProposeError, prepare
from dory_tui.memory.scoring import Verdict
from dory_tui.values import dataclass
from dory_tui.workspace.document import replace

__all__ = ["ProposeError", "Proposed", "propose"]


@dataclass(frozen=True, slots=True)
class Proposed:
    """What was written and where. `fresh` is False when the same candidate was pending already."""

    id: str
    path: str
    verdict: Verdict
    fresh: bool
    sentence: str


def propose(
    gate: Gate, text: bytes, *, section: str, scores: Mapping[str, int], identity: str | None = None,
    source: str = "", replaces: str | None = None,
) -> Proposed:  # fmt: skip
    """Write `memory/promotions/<id>.md`. The same proposal again folds into the one that is pending."""
    made = prepare(gate.root, text, section=section, scores=scores, identity=identity, source=source, replaces=replaces)
    if made.fresh:
        replace(gate.root, made.path, made.before, made.data)
    return Proposed(made.id, made.path, made.verdict, made.fresh, made.sentence)
