"""The context in words, within a number of characters. Pure: everything from a file is made visible here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dory_tui.agent.context import Answer, Context
from dory_tui.agent.fitting import Block, Whole, fit
from dory_tui.gate.conflicts import PRECEDENCE
from dory_tui.gate.rules import Standing
from dory_tui.visible import visible, visible_line
from dory_tui.workspace.document import decode
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.layout import ACTIVE, DECISIONS, HOLD, STAGING
from dory_tui.workspace.promises import Promise, age_of, handle
from dory_tui.workspace.timestamps import when

BUDGET = 8000
"""Characters, unless the agent says otherwise: about 2,000 tokens, and below what platforms take from a hook."""
LEAST = 2000
"""Below this there is no room for the titles and for what was left out."""
_SHORT = 12


def text(found: Context, budget: int) -> str:
    """The boot line, then the parts, the most important first; at most `budget` characters, cut by whole lines."""
    head = f"{found.look.line}\nWhere files disagree: {PRECEDENCE}."
    files = [Whole(visible_line(path), visible(data).text) for path, data in found.files]
    return fit(head, list(_blocks(found)), files, budget)


def _blocks(found: Context) -> Iterator[Block]:
    if found.problems:
        yield _block("CANNOT BE READ (say so; it is not empty)", found.problems, "`dory-agent status`", 0.1)
    if found.conflicts:
        yield _block("CONFLICTS (tell the human)", found.conflicts, f"{HOLD}, {ACTIVE}, {DECISIONS}", 0.1)
    holds = [_hold(hold, ids) for hold, ids in found.holds]
    yield _block(f"HOLD ({len(holds)})", holds or ["nothing is held"], HOLD, 0.15, mark="- " if holds else "")
    yield Block("ACTIVE", tuple(_task(found)), ACTIVE, 0.15, apart=False)
    if found.unknown:
        unknown = [_unknown(*one) for one in found.unknown]
        yield _block("OUTCOME UNKNOWN (never start these again)", unknown, "`dory-agent status`", 0.1)
    if found.answers:
        last = f", * since the last boot {when(found.last, found.now)}" if found.last is not None else ""
        title = f"ANSWERED (since {when(found.since, found.now)}{last})"
        yield _block(title, [_answer(one, found) for one in found.answers], f"`dory-agent status`, {DECISIONS}", 0.15)
    if found.waiting:
        waiting = [_waiting(*one) for one in found.waiting]
        yield _block(f"WAITING FOR A HUMAN'S YES ({len(waiting)})", waiting, STAGING, 0.05)
    if found.promises:
        promised = [_promise(*one) for one in found.promises]
        yield _block(f"PROMISED AND OPEN ({len(promised)})", promised, "`dory-agent kept`", 0.05)
    if found.decisions:
        yield _block("DECISIONS (the newest first)", [_line(one.text) for one in found.decisions], DECISIONS, 0.1)
    if found.files:
        paths = " · ".join(visible_line(path) for path, _ in found.files)
        yield _block("READ NEXT, IN THIS ORDER", [paths], "them", 0.05, mark="")


def _block(title: str, lines: tuple[str, ...] | list[str], where: str, share: float, mark: str = "- ") -> Block:
    return Block(title, tuple(f"{mark}{visible_line(line)}" for line in lines), where, share)


def _line(text: str) -> str:
    """Several lines as one."""
    return " ".join(text.split())


def _hold(hold: Hold, ids: tuple[str, ...]) -> str:
    what = "everything" if hold.everything else ", ".join(ids) or "no draft"
    gone = "" if hold.present else "; its line is gone from HOLD.md and it holds all the same"
    return f"{_line(hold.text)} (covers {what}{gone})"


def _task(found: Context) -> Iterator[str]:
    task, changed = found.task, found.drift
    if task is None:
        yield "no task" if changed is None or changed.kind == "gone" else "the task cannot be read"
        if changed is not None:
            yield visible_line(f"but {changed.sentence}; if that was not you, capture them again or ask:")
            yield from _quoted(decode(changed.captured or b"(only their digest was kept)"))
        return
    if task.text:
        yield "The task, as the file writes it; the user's own words are not on record:"
        yield from _quoted(task.text)
    else:
        yield f"The user said, word for word ({_digest(found)}):"
        yield from _quoted(task.said)
    if changed is not None and changed.kind != "gone":
        yield from _drift(found)
    if task.interpretation:
        yield f"Taken to mean: {visible_line(task.interpretation)}"
    for done, words in task.steps:
        yield f"- [{'x' if done else ' '}] {visible_line(words)}"


def _quoted(words: str) -> Iterator[str]:
    for line in re.split("\r\n|\r|\n", words):
        yield f"> {visible_line(line)}".rstrip()


def _digest(found: Context) -> str:
    captured = found.captured
    if found.drift is not None and found.drift.kind != "gone":
        return "NOT AS CAPTURED, see below"
    if captured is None or captured.finished or captured.digest is None or captured.when is None:
        return "written by hand, never captured: no digest proves them"
    return f"as captured {when(captured.when, found.now)}, sha256 {captured.digest[:_SHORT]}"


def _drift(found: Context) -> Iterator[str]:
    changed = found.drift
    assert changed is not None
    yield visible_line(f"{ACTIVE} line {changed.line}: {changed.sentence}. Work from what was captured, and ask.")
    for line in changed.changes:
        yield f"  {visible_line(line)}"
    if changed.captured is None:
        yield "  (what was captured is not kept here, only its digest)"


def _unknown(draft: Draft, standing: Standing) -> str:
    text = standing.approval is not None and not standing.approval.data.get("action")
    to_do = f"`dory-agent finish {draft.id} ok` or `failed` if you know" if text else "only a human says what happened"
    return f"{draft.id}: {standing.reason} {to_do}"


def _answer(one: Answer, found: Context) -> str:
    at = f" ({when(one.when, found.now)})" if one.when is not None else ""
    fresh = "* " if one.fresh and found.last is not None else ""
    return f"{fresh}{one.id}: {_said(one)}{at}{_next(one)}"


def _said(one: Answer) -> str:
    return f"approved; {one.sentence}" if one.state == "approved" else one.sentence


def _next(one: Answer) -> str:
    if one.state == "changes-requested":
        verb = "propose" if one.kind == "memory" else "stage"
        return f" → change {one.path}, then `dory-agent {verb}` it again under the same id"
    if one.state == "approved" and one.text and one.code == 0:
        return f" → `dory-agent claim {one.id}`, once"
    if one.state == "approved" and not one.text and one.code == 0:
        return " → the scheduler starts it; leave it"
    return ""


def _waiting(draft: Draft, standing: Standing) -> str:
    return f"{draft.id} “{_line(draft.title)}”: {standing.reason} ({draft.where})"


def _promise(one: Promise, days: int) -> str:
    return f"{handle(one)} {one.text} ({age_of(days)}, {one.path} line {one.line})"


def as_json(found: Context, shown: str) -> dict[str, object]:
    """The whole of it, without a budget, and `text` within one."""
    task, changed, captured = found.task, found.drift, found.captured
    return {
        "line": found.look.line,
        "problems": list(found.problems),
        "conflicts": list(found.conflicts),
        "holds": [{"hold": hold.text, "line": hold.line, "covers": list(ids), "present": hold.present}
                  for hold, ids in found.holds],
        "task": None if task is None else {
            "said": task.said, "exact": not task.text, "interpretation": task.interpretation, "line": task.line,
            "steps": [{"done": done, "step": words} for done, words in task.steps],
        },
        "captured": None if captured is None or captured.finished else {
            "sha256": captured.digest, "when": captured.when, "same": changed is None,
        },
        "drift": None if changed is None else {
            "kind": changed.kind, "line": changed.line, "sentence": changed.sentence, "changes": list(changed.changes),
        },
        "unknown": [_standing(*one) for one in found.unknown],
        "answered": [
            {"id": one.id, "kind": one.kind, "state": one.state, "sentence": one.sentence, "when": one.when,
             "new": one.fresh, "to_do": one.to_do, "path": one.path}
            for one in found.answers
        ],
        "waiting": [_standing(*one) for one in found.waiting],
        "promises": [{"handle": handle(one), "text": one.text, "path": one.path, "line": one.line, "days": days}
                     for one, days in found.promises],
        "decisions": [{"text": one.text, "line": one.line} for one in found.decisions],
        "read": [path for path, _ in found.files],
        "text": shown,
    }  # fmt: skip


def _standing(draft: Draft, standing: Standing) -> dict[str, object]:
    return {"id": draft.id, "title": draft.title, "state": standing.state, "reason": standing.reason,
            "path": draft.where}  # fmt: skip
