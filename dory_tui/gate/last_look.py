"""The last look between the claim and the start: what must not have come in the meantime."""

from __future__ import annotations

from pathlib import Path

from dory_tui.gate import action, rules
from dory_tui.gate.covering import covers
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.drafts import Draft


def hindrance(gate: Gate, snapshot: Draft, approval: records.Record) -> tuple[Exit, str] | None:
    """A hold or a no that came between the check and the claim: the lock keeps dory away, but not an editor or git."""
    holds = gate.holds()
    gate.notice_holds(holds)
    items = gate.ledger.history(snapshot.id)
    facts, bad = gate.facts(snapshot, items)
    overridden = set(approval.data.get("overrides", ()))
    held = tuple(h for h in holds if h.hash not in overridden and (facts is None or covers(h, facts)))
    if held or bad:
        return Exit.HELD, rules.held_sentence(held) if held else str(bad)
    noes = (records.REVOKED, records.REJECTED, records.CHANGES)
    if any(i.attempt == approval.attempt and i.number > approval.number and i.event in noes for i in items):
        return Exit.REFUSED, "the yes was taken back"
    return None


def swapped(root: Path, job: action.Job | None) -> tuple[Exit, str] | None:
    """A program that was put in the place of the approved one while the claim was made."""
    if job is None:
        return None
    try:
        same = action.resolve_executable(root, job.action) == job.executable
    except WorkspaceError:
        same = False
    return None if same else (Exit.REFUSED, f"the program {job.executable.path} changed just before its start")
