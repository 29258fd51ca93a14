"""What the detail side shows, as values: a page for whatever is selected. Pure, but for what a desk already read.

All text from files passes `visible` or `visible_line` here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dory_tui.review.desk import Desk, HoldView
from dory_tui.tui.widgets.entries import Nothing, StateText
from dory_tui.tui.widgets.rows import Row, Span, message_rows, source_rows
from dory_tui.visible import Visible, Warning, visible, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.timestamps import age, stamp, when

Tone = Literal["quiet", "asks", "held"]
_FLAGS_SHOWN = 3
_INIT = "`dory init` adds what is missing, and overwrites nothing."


@dataclass(frozen=True)
class Fact:
    """A line above the text. `asks` is amber: it wants the eye; `held` is rose: held, stale or unknown."""

    text: str
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Block:
    """What stays at the bottom, whatever the text above scrolls to."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class ScoreCard:
    """What the score editor shows: your scores, the agent's, and MEMORY.md in bytes now and after."""

    scores: Mapping[str, int]
    agent: Mapping[str, int]
    before: int
    after: int | None
    cap: int


@dataclass(frozen=True)
class Page:
    """`key` names what is shown and its bytes. With `counted` the lines not yet seen are told."""

    key: str
    title: str
    facts: tuple[Fact, ...]
    rows: Sequence[Row]
    numbers: bool = False
    counted: bool = False
    block: Block | None = None
    card: ScoreCard | None = None
    asks: bool = False
    """Whether `a` could say yes to it."""
    refusal: str | None = None
    """Why it cannot be approved or promoted as it is, in one sentence."""
    fingerprint: str | None = None
    """Of what was shown besides the draft's own bytes: the program and its input."""


def text_rows(text: str, style: str = "") -> list[Row]:
    """A text of several lines, made visible."""
    return [Row("", (Span(line, style),)) for line in visible(text).text.split("\n")]


def flag_facts(shown: Visible, flags: Sequence[Warning]) -> list[Fact]:
    """What would deceive the eye, counted first."""
    found = []
    if shown.hidden:
        plural = "" if shown.hidden == 1 else "s"
        found.append(Fact(f"{shown.hidden} hidden character{plural}, written out as ⟦…⟧ in the text", "asks"))
    kept = flags if len(flags) <= _FLAGS_SHOWN else flags[: _FLAGS_SHOWN - 1]
    found.extend(Fact(visible_line(flag.sentence), "asks") for flag in kept)
    if len(flags) > len(kept):
        found.append(Fact(f"and {len(flags) - len(kept)} more such places, marked in the text", "asks"))
    return found


def hold_page(view: HoldView, desk: Desk) -> Page:
    hold = view.hold
    parts = [f"held for {age(view.age)}" if view.age is not None else "held"]
    if hold.session:
        parts.append(f"by {visible_line(hold.session)}")
    if hold.line:
        parts.append(f"{layout.HOLD} line {hold.line}")
    facts = [Fact(" · ".join(parts))]
    if view.stale:
        facts.append(Fact("it has stood for two weeks or longer: is it still meant?", "held"))
    if not hold.present:
        facts.append(Fact(f"its line is gone from {layout.HOLD}; it holds until a human lifts it", "held"))
    if hold.kind == "text":
        facts.append(Fact("it fits no form dory knows, so it holds everything until L marks it as not a hold", "held"))
    if hold.kind == "file":
        facts.append(Fact("mend the file; nothing else lifts this", "held"))
    return Page(
        f"hold:{hold.hash}", visible_line(hold.subject), tuple(facts), text_rows(hold.text), block=_covers(view, desk)
    )


def _covers(view: HoldView, desk: Desk) -> Block:
    if view.hold.everything:
        return Block("while it stands", message_rows("nothing runs, whatever was approved", style=""))
    if not view.covers:
        return Block("while it stands", message_rows("covers no draft", style=""))
    rows = []
    for name in view.covers:
        item = desk.staged_by_id(name)
        rows.append(Row(name, (Span(visible_line(item.title) if item else ""),)))
    count = len(rows)
    return Block(f"while it stands, {'this draft waits' if count == 1 else f'these {count} drafts wait'}", rows)


def task_page(task: Task) -> Page:
    rows = text_rows(f"“{task.said}”", "heading")
    if task.interpretation:
        rows += [Row("", ()), *text_rows(task.interpretation)]
    if task.steps:
        rows.append(Row("", ()))
    for done, words in task.steps:
        rows.append(Row("", (Span(f"[{'x' if done else ' '}] {visible_line(words)}", "dim" if done else ""),)))
    facts = [Fact(f"the task in your exact words · {layout.ACTIVE} line {task.line}")]
    if task.steps:
        facts.append(Fact(f"{task.done} of {len(task.steps)} steps done"))
    return Page(f"task:{task.said}:{task.done}", "The task at hand", tuple(facts), rows)


def decision_page(decision: Decision) -> Page:
    parts = [stamp(decision.when)] if decision.when else []
    if decision.session:
        parts.append(f"by {visible_line(decision.session)}")
    parts.append(f"{layout.DECISIONS} line {decision.line}")
    rows = text_rows(decision.item)
    if decision.reason:
        rows += [Row("", ()), *text_rows(decision.reason)]
    rows += [Row("", ()), *text_rows(decision.text, "dim")]
    return Page(f"decision:{decision.text}", visible_line(decision.item), (Fact(" · ".join(parts)),), rows)


def file_page(text: StateText) -> Page:
    tone: Tone = "held" if text.data is None else "asks"
    facts = [Fact(visible_line(sentence), tone) for sentence in text.sentences[:4]]
    if len(text.sentences) > 4:
        facts.append(Fact(f"and {len(text.sentences) - 4} more", tone))
    path = visible_line(text.path)
    if text.data is None:
        sentence = "Until it can be read, nothing in it is known, and nothing is guessed."
        return Page(f"unread:{path}", f"{path} cannot be read", tuple(facts), message_rows(sentence))
    rows = source_rows(visible(text.data))
    return Page(f"file:{path}:{hash(text.data)}", f"{path} as it stands", tuple(facts), rows, numbers=True)


def nothing_page(nothing: Nothing) -> Page:
    return Page(f"nothing:{nothing.title}", nothing.title, (), message_rows(*nothing.sentences, style=""))


def closing_page(desk: Desk, decided: int) -> Page:
    """The end of a review: what will run, when, and whether anything is there to run it."""
    from dory_tui.review.show import (
        NEVER_LOOKED,
        scheduler,
    )  # brings git along, which the first paint does not wait for

    rows: list[Row] = []
    if not any(path in desk.texts or path in desk.unread for path in layout.STATE_FILES):
        rows += message_rows(
            "This folder has no state files yet.", _INIT, "The README says how an agent uses them.", style=""
        )
        rows.append(Row("", ()))
    runs = [item for item in desk.staged if item.standing.state == "approved"]
    if runs:
        rows += [Row("", (Span("What your yes lets run", "heading"),)), Row("", ())]
        for item in runs:
            rows.append(Row("", (Span(f"{item.draft.id}  {visible_line(item.title)}"),)))
            rows.append(Row("", (Span(f"    {_start(desk, item.draft.id)}", "dim"),)))
        rows.append(Row("", ()))
    else:
        rows += [*message_rows("Nothing is approved, so nothing will run.", style=""), Row("", ())]
    if desk.last_look is None:
        rows += message_rows(f"{NEVER_LOOKED[0].upper()}{NEVER_LOOKED[1:]}.", style="note")
        rows += [Row("", ()), *message_rows("In a crontab, for one look a minute:", style="")]
        rows.append(Row("", (Span(f"    * * * * * dory-agent -C {_tilde(desk)} run --due", "code"),)))
    else:
        rows += message_rows(f"{scheduler(desk).capitalize()}.", style="")
    title = "All reviewed" if decided else "Nothing waits for you"
    facts = (Fact(f"{decided} decision{'' if decided == 1 else 's'} in this review"),) if decided else ()
    return Page(f"end:{desk.now.isoformat()}:{decided}", title, facts, rows)


def _tilde(desk: Desk) -> str:
    home, root = desk.gate.environment.get("HOME", ""), str(desk.gate.root)
    return visible_line(f"~{root[len(home) :]}" if home and root.startswith(f"{home}/") else root)


def _start(desk: Desk, name: str) -> str:
    """When an approved draft runs, at the earliest."""
    item = desk.staged_by_id(name)
    if item is None or item.standing.approval is None:
        return ""
    if item.held:
        return visible_line(item.standing.reason)
    if not item.standing.approval.data.get("action"):
        return "text: the agent may use it once"
    if item.not_before is not None and item.not_before > desk.now:
        return f"not before {when(item.not_before, desk.now)}"
    return "when a scheduler next looks"
