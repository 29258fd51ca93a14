"""The page of a memory: where it goes and comes from, the diff of MEMORY.md, scores and size. Pure."""

from __future__ import annotations

from dataclasses import replace

from dory_tui.diff import diff
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate
from dory_tui.review.previewing import Proposal, propose
from dory_tui.tui.widgets.pages import Fact, Page, ScoreCard, flag_facts
from dory_tui.tui.widgets.rows import diff_rows, source_rows
from dory_tui.visible import visible, visible_line, warnings
from dory_tui.workspace.document import decode
from dory_tui.workspace.promotions import Promotion


def memory_page(one: Candidate, desk: Desk, position: str) -> Page:
    """The page in the review: the diff with the context that diffs usually have."""
    made = propose(one, desk)
    page = page_of(one, desk, position, made)
    if made.unclear is not None and one.waits:
        page = replace(page, facts=(*page.facts, Fact("the Memory screen (M) asks what it should replace", "asks")))
    if made.preview is None or not one.waits:
        return page
    old, new = decode(made.preview.before), decode(made.preview.after)
    return replace(page, rows=diff_rows(diff(old, new), old, new))


def page_of(one: Candidate, desk: Desk, position: str, made: Proposal) -> Page:
    """The page without the diff: the candidate's own text, which is all there is where none can be made."""
    found = one.promotion
    title = visible_line(found.title)
    facts = [Fact(_state_line(found))]
    if not one.waits:
        made = Proposal(None)
    if found.replaces:
        facts.append(Fact(f"replaces “{visible_line(found.replaces)}”"))
    if made.refusal:
        facts.append(Fact(visible_line(made.refusal), "held"))
    elif made.creates:
        facts.append(Fact(f"MEMORY.md has no section “{visible_line(made.creates)}”: a asks whether to add it", "asks"))
    shown = visible(found.text)
    facts.extend(flag_facts(shown, warnings(decode(found.text))))
    rows = source_rows(visible(found.data) if found.problem else shown)
    return Page(
        f"memory:{found.id}:{found.digest}:{hash(desk.memory)}:{made.over}",
        f"{position} · {title}" if position else title,
        tuple(facts),
        rows,
        numbers=True,
        counted=one.waits,
        asks=one.waits,
        card=_card(one, desk, made),
        refusal=made.refusal,
    )


def _state_line(found: Promotion) -> str:
    parts = [visible_line(found.status)]
    if found.section:
        parts.append(f"into {visible_line(found.section.lstrip('# ') or found.section)}")
    path, mark, line = found.source.partition("#L")
    if found.source:
        parts.append(f"learnt {visible_line(path)}" + (f" line {visible_line(line)}" if mark else ""))
    return " · ".join(parts)


def _card(one: Candidate, desk: Desk, made: Proposal) -> ScoreCard | None:
    from dory_tui.review.memories import agent_scores  # brings git along, which the first paint does not wait for

    if one.verdict is None:
        return None
    after = len(made.preview.after) if made.preview is not None else None
    return ScoreCard(
        one.promotion.scores, agent_scores(one.promotion), len(desk.memory or b""), after, desk.settings.cap
    )
