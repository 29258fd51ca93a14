"""The page of a draft: its state, who holds it, what would deceive the eye, its source, and what would run. Pure."""

from __future__ import annotations

from datetime import date, datetime

from dory_tui.gate.rules import held_sentence
from dory_tui.review.desk import Desk
from dory_tui.review.inspect import Inspection
from dory_tui.review.items import Staged
from dory_tui.tui.widgets.pages import Block, Fact, Page, flag_facts
from dory_tui.tui.widgets.rows import Row, Span, source_rows
from dory_tui.visible import visible_line
from dory_tui.workspace.document import split_lines
from dory_tui.workspace.timestamps import age, short_day, when

_SPENT = ("done", "happened", "running", "unknown")


def draft_page(item: Staged, looked: Inspection, desk: Desk, position: str) -> Page:
    """`position` is such as `1 of 8`, or nothing for a draft that does not wait."""
    title = visible_line(item.title)
    notices = [Fact(sentence, "asks") for sentence in looked.notices]
    facts = [Fact(_state_line(item, desk)), *_state_facts(item), *notices, *flag_facts(looked.source, looked.flags)]
    return Page(
        f"draft:{item.draft.id}:{item.draft.digest}:{item.standing.state}",
        f"{position} · {title}" if position else title,
        tuple(facts),
        _source(item, looked),
        numbers=True,
        counted=True,
        asks=item.standing.can_approve or (item.standing.state == "approved" and item.held),
        block=_block(item, looked),
        refusal=looked.refusal,
        fingerprint=looked.fingerprint,
    )


def _state_line(item: Staged, desk: Desk) -> str:
    parts = [item.standing.state.replace("-", " ")]
    if item.draft.origin == "unlisted":
        parts.append("STAGING.md does not list it")
    created = _created(item, desk.now)
    if created:
        parts.append(created)
    if item.standing.since is not None and item.standing.state != "pending":
        parts.append(f"since {when(item.standing.since, desk.now)}")
    held = [desk.now.replace(tzinfo=None) - hold.when for hold in item.standing.held_by if hold.when is not None]
    if item.held and held:
        parts.append(f"held for {age(max(held))}")
    parts.append(visible_line(item.draft.where))
    return " · ".join(parts)


def _created(item: Staged, now: datetime) -> str:
    """`staged 26 Nov`, out of the `Created:` label; what stands there when that is no date."""
    raw = (item.draft.entry.value("created") or "").strip() if item.draft.entry else ""
    try:
        day = date.fromisoformat(raw[:10])
    except ValueError:
        return f"staged {visible_line(raw)}" if raw else ""
    if day == now.date():
        return "staged today"
    return f"staged {short_day(day).strip()}"


def _state_facts(item: Staged) -> list[Fact]:
    """Why it stands where it stands, the weightiest first."""
    standing = item.standing
    found = []
    if standing.state == "unknown":
        found.append(Fact(visible_line(standing.reason), "held"))
        found.append(Fact("y it happened · n it did not · until then nothing runs it again"))
    elif standing.state == "invalid":
        found.append(Fact(visible_line(standing.reason), "held"))
    if item.held:
        asks = ": a asks" if standing.can_approve or standing.state == "approved" else ""
        found.append(Fact(visible_line(held_sentence(standing.held_by)) + asks, "held"))
    elif standing.state not in ("unknown", "invalid"):
        plain = standing.state == "pending" and standing.approval is None and "revised" not in standing.reason
        if not plain:
            found.append(Fact(visible_line(standing.reason), "asks" if standing.needs_yes else "quiet"))
    if item.conflict:
        found.append(Fact(visible_line(item.conflict), "asks"))
    if item.draft.note:
        found.append(Fact(f"your note: {visible_line(item.draft.note)}"))
    return found


def _source(item: Staged, looked: Inspection) -> list[Row]:
    """Every line of the draft; its front matter, which the block below says in words, is dim."""
    rows = source_rows(looked.source)
    data = item.draft.data
    front = len(split_lines(data[: len(data) - len(item.draft.body)])) if item.draft.origin != "inline" else 0
    return [Row(row.gutter, row.spans, "dim") if at < front else row for at, row in enumerate(rows)]


def _block(item: Staged, looked: Inspection) -> Block:
    rows = [_line(label, text) for label, text in looked.lines if label != "notice"]  # those are facts above
    if looked.refusal is not None:
        rows.insert(0, Row("", (Span(visible_line(f"cannot be approved: {looked.refusal}"), "removed"),)))
    return Block(_block_title(item, looked), rows)


def _block_title(item: Staged, looked: Inspection) -> str:
    state = item.standing.state
    if looked.refusal is not None:
        return "this cannot run as it is"
    if looked.action is None:
        return "if approved" if state not in (*_SPENT, "approved") else "approved"
    if state == "approved":
        return "approved: this runs"
    return "what it ran" if state in _SPENT else "if approved, this runs"


def _line(label: str, text: str) -> Row:
    words, mark, digest = text.partition("  sha256 ")
    if label not in ("program", "attach") or not mark:
        return Row(label, (Span(text),))
    return Row(label, (Span(words), Span(f"{mark}{digest}", "dim")))
