"""The review as plain text: `dory status`, `dory show`, and what `dory approve` shows before it asks."""

from __future__ import annotations

from datetime import datetime, timedelta

from dory_tui.review.conflicts import conflicts
from dory_tui.review.desk import Desk
from dory_tui.review.inspect import Inspection, inspect
from dory_tui.review.items import Candidate, Staged
from dory_tui.review.summary import NEVER_LOOKED
from dory_tui.visible import visible_line
from dory_tui.workspace.timestamps import age, when


def headline(desk: Desk) -> str:
    """`3 drafts and 4 memories wait · 1 outcome unknown`."""
    drafts = len(desk.waiting) - desk.unknown
    memories = len(desk.memories)
    parts = [f"{drafts} draft{'' if drafts == 1 else 's'}"] if drafts else []
    if memories:
        parts.append(f"{memories} memor{'y' if memories == 1 else 'ies'}")
    waits = "wait" if drafts + memories != 1 else "waits"
    text = f"{' and '.join(parts)} {waits}" if parts else "nothing waits"
    if desk.unknown:
        text += f" · {desk.unknown} outcome{'' if desk.unknown == 1 else 's'} unknown"
    return text


def scheduler(desk: Desk) -> str:
    """When a scheduler last looked, or that none ever did."""
    if desk.last_look is None:
        return NEVER_LOOKED
    span = age(desk.now - desk.last_look)
    return "the scheduler looked just now" if span == "now" else f"the scheduler looked {span} ago"


def status(desk: Desk) -> str:
    """What waits, what is held, what runs next, what cannot be read."""
    lines = [f"{headline(desk)} · {scheduler(desk)}", desk.boot, ""]
    lines.append(f"HOLD {len(desk.holds) if desk.open_holds is not None else '?'}")
    for view in desk.holds:
        span = age(view.age) if view.age is not None else ""
        covers = ", ".join(view.covers) if view.covers else "no draft"
        gone = "" if view.hold.present else " · its line is gone from HOLD.md"
        what = "everything" if view.hold.everything else covers
        lines.append(f"  {view.hold.handle}  {visible_line(view.hold.subject)}  {span}  covers {what}{gone}")
    lines += ["", f"STAGING {len(desk.waiting)}"]
    for item in desk.staged:
        lines.append(f"  {item.draft.id:<24} {item.word:<15} {visible_line(item.title)}")
        if item.standing.state not in ("done", "happened"):
            lines.append(f"  {'':<24} {visible_line(item.standing.reason)}")
        if item.conflict:
            lines.append(f"  {'':<24} {item.conflict}")
    lines += ["", f"MEMORY {len(desk.memories)}"]
    lines.extend(f"  {candidate_line(one)}" for one in desk.memories)
    against = conflicts(desk)
    if against:
        lines += ["", "CONFLICTS", *(f"  {visible_line(one)}" for one in against)]
    nxt = _next(desk)
    if nxt:
        lines += ["", "NEXT", *nxt]
    if desk.problems:
        lines += ["", "CANNOT BE READ, OR FITS NO FORM", *(f"  {visible_line(str(one))}" for one in desk.problems)]
    return "\n".join(lines)


def candidate_line(one: Candidate) -> str:
    """` 9  invoice-day  Invoices are sent on the 3rd  (earns its place)`."""
    if one.verdict is None:
        return f"{one.promotion.id}: {visible_line(str(one.promotion.problem))}"
    words = "earns its place" if one.verdict.promote else f"stays out: {one.verdict.reason}"
    return f"{one.verdict.total:>2}  {one.promotion.id:<20} {visible_line(one.promotion.title)}  ({words})"


def _next(desk: Desk) -> list[str]:
    """What a scheduler would start, and when."""
    found = []
    for item in desk.staged:
        if item.standing.state != "approved" or item.held or item.standing.approval is None:
            continue
        approval = item.standing.approval
        if not approval.data.get("action"):
            found.append(f"  {item.draft.id}: text, for the agent to claim")
        elif item.not_before is not None and item.not_before > desk.now:
            found.append(f"  {item.draft.id}: {when(item.not_before, desk.now)}")
        else:
            found.append(f"  {item.draft.id}: when the scheduler next looks")
    return found


def overdue(desk: Desk, limit: timedelta) -> list[str]:
    """Ids of drafts that have waited longer than `limit`, by the day in `Created:` or their file's age."""
    return [item.draft.id for item in desk.waiting if (waited := _waited(desk, item)) is not None and waited > limit]


def _waited(desk: Desk, item: Staged) -> timedelta | None:
    if item.standing.since is not None:
        return desk.now - item.standing.since
    created = item.draft.entry.value("created") if item.draft.entry else None
    try:
        day = datetime.fromisoformat((created or "").strip()[:10]).replace(tzinfo=desk.now.tzinfo)
        return desk.now - day
    except ValueError:
        pass
    if item.draft.path is None:
        return None
    try:
        changed = (desk.gate.root / item.draft.path).stat().st_mtime
    except OSError:
        return None
    return timedelta(seconds=max(0.0, desk.now.timestamp() - changed))


def show_draft(desk: Desk, item: Staged, looked: Inspection | None = None) -> str:
    """One draft whole: its state, its source with line numbers, what runs, what would deceive the eye."""
    looked = looked or inspect(desk.gate.root, item.draft, desk.now, gate=desk.gate)
    lines = [
        visible_line(item.title),
        f"{item.draft.id} · {item.standing.state} · {visible_line(item.standing.reason)}",
        f"{visible_line(item.draft.where)} · sha256 {item.draft.digest}",
    ]
    if item.conflict:
        lines.append(item.conflict)
    if looked.source.hidden:
        count = looked.source.hidden
        lines.append(f"{count} hidden character{'' if count == 1 else 's'}, shown as ⟦…⟧")
    lines.extend(f"line {flag.line}: {flag.sentence}" for flag in looked.flags)
    lines.append("")
    lines.extend(f"{number:>4}  {text}" for number, text in enumerate(looked.source.text.split("\n"), start=1))
    lines.append("")
    lines.append("if approved, this runs" if looked.action else "if approved")
    lines.extend(f"  {label:<8} {text}" for label, text in looked.lines)
    if looked.refusal:
        lines.append(f"  cannot be approved: {visible_line(looked.refusal)}")
    return "\n".join(lines)
