"""What the detail side shows, as values: a page for whatever is selected. Pure, but for what a desk already read.

All text from files passes `visible` or `visible_line` here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dory_tui.gate.exact_words import Drift
from dory_tui.review.conflicts import overruled_by
from dory_tui.review.desk import Desk
from dory_tui.review.items import HoldView, Past
from dory_tui.secrets import ADVICE, counted
from dory_tui.tui.widgets.duties import age_of, blocking, stale
from dory_tui.tui.widgets.entries import Nothing, StateText
from dory_tui.tui.widgets.rows import Row, Span, message_rows, source_rows
from dory_tui.visible import Looking, Visible, Warning, cut, visible, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.promises import Promise
from dory_tui.workspace.timestamps import age, stamp

Tone = Literal["quiet", "asks", "held"]
_FLAGS_SHOWN = 3
_CHANGES_SHOWN = 6
_SAID = 60


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
    secrets: int = 0
    """How many secrets its text has."""
    masked: int = 0
    """How many of them are not shown as they stand."""


def with_secrets(page: Page, look: Looking) -> Page:
    """A page with what is to be said of the secrets that were met when it was made."""
    count = len(look.secrets)
    if not count:
        return page
    at = 1 if page.facts and page.facts[0].tone == "quiet" else 0
    facts = (*page.facts[:at], Fact(about_secrets(count, masked=bool(look.masked)), "asks"), *page.facts[at:])
    return replace(page, facts=facts, secrets=count, masked=look.masked)


def about_secrets(count: int, *, masked: bool) -> str:
    """What is said above a text that has secrets."""
    it = "it" if count == 1 else "them"
    how = f"masked as …(n characters): V shows {it}" if masked else f"in sight: V masks {it} again"
    return f"{counted(count)} {how} · {ADVICE}"


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


def no_workspace(refusal: str | None) -> Page:
    """What is shown of a workspace that cannot be opened: the sentence for it."""
    return Page("none", "This workspace cannot be opened", (Fact(visible_line(refusal or ""), "held"),), ())


def hold_page(view: HoldView, desk: Desk) -> Page:
    hold = view.hold
    parts = [f"held for {age(view.age)}" if view.age is not None else "held"]
    if hold.session:
        parts.append(f"by {visible_line(hold.session)}")
    if hold.line:
        parts.append(f"{layout.HOLD} line {hold.line}")
    facts = [Fact(" · ".join(parts))]
    facts += [Fact(_asked_for(task), "held") for task in desk.tasks if hold in blocking(task, desk)]
    if view.stale:
        facts.append(Fact("it has stood for two weeks or longer: is it still meant?", "held"))
    if not hold.present:
        facts.append(Fact(f"its line is gone from {layout.HOLD}; it holds until a human lifts it", "held"))
    if hold.marks:
        facts.append(Fact("it fits no form dory knows, so it holds everything until L marks it as not a hold", "held"))
    if hold.kind == "file":
        facts.append(Fact("mend the file; nothing else lifts this", "held"))
    return Page(
        f"hold:{hold.hash}", visible_line(hold.subject), tuple(facts), text_rows(hold.text), block=_covers(view, desk)
    )


def _asked_for(task: Task) -> str:
    return f"ACTIVE asks for what this holds, and this comes first: “{cut(visible_line(task.said), _SAID)}”"


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


def past_page(one: Past) -> Page:
    facts = (Fact(f"{one.path} line {one.line} says it is over, so it holds nothing and is not counted"),)
    return Page(f"past:{one.path}:{one.title}", visible_line(one.title), facts, text_rows(one.text, "dim"))


def task_page(task: Task, desk: Desk) -> Page:
    made = _task_page(task, desk.drifted(task))
    against = [Fact(_held_by(hold), "held") for hold in blocking(task, desk)]
    return replace(made, facts=(made.facts[0], *against, *made.facts[1:]))


def _held_by(hold: Hold) -> str:
    where = f" ({layout.HOLD} line {hold.line})" if hold.line else ""
    subject = cut(visible_line(hold.subject), _SAID)
    return visible_line(f"it asks for what HOLD blocks, and that comes first: “{subject}”{where}")


def _task_page(task: Task, changed: Drift | None) -> Page:
    if task.text:
        made = _named_task(task)
        return made if changed is None else replace(made, facts=(*made.facts, *_drift_facts(changed)))
    rows = text_rows(f"“{task.said}”", "heading")
    if task.interpretation:
        rows += [Row("", ()), *text_rows(task.interpretation)]
    if task.steps:
        rows.append(Row("", ()))
    for done, words in task.steps:
        rows.append(Row("", (Span(f"[{'x' if done else ' '}] {visible_line(words)}", "dim" if done else ""),)))
    facts = [Fact(f"the task in your exact words · {layout.ACTIVE} line {task.line}")]
    if changed is not None:
        facts = [Fact(f"{layout.ACTIVE} line {task.line}"), *_drift_facts(changed)]
    if task.steps:
        facts.append(Fact(f"{task.done} of {len(task.steps)} steps done"))
    return Page(f"task:{task.said}:{task.done}", "The task at hand", tuple(facts), rows)


def _drift_facts(changed: Drift) -> list[Fact]:
    """That the task is not in the words captured, and what they were."""
    lines = [Fact(visible_line(line), "held") for line in changed.changes[:_CHANGES_SHOWN]]
    if (more := len(changed.changes) - len(lines)) > 0:
        lines.append(Fact(f"and {more} more", "held"))
    return [Fact(visible_line(changed.sentence), "held"), *lines]


def _named_task(task: Task) -> Page:
    """A task as its file writes it."""
    parts = [f"{layout.ACTIVE} line {task.line}"]
    parts += [visible_line(task.status)] if task.status else []
    parts += (
        ["done" if task.over else f"{task.done} of {len(task.steps)} steps done"] if task.over or task.steps else []
    )
    facts = [Fact(" · ".join(parts))]
    facts += [Fact(visible_line(f"the file contradicts itself: {task.conflict}"), "held")] if task.conflict else []
    return Page(f"task:{task.said}:{task.line}", visible_line(task.said), tuple(facts), text_rows(task.text))


def promise_page(one: Promise, desk: Desk) -> Page:
    facts = [Fact(f"promised {age_of(one, desk)}{'' if one.day >= desk.today else ' ago'} · {place_of(one)}")]
    if stale(one, desk):
        facts.append(Fact("it has been open for two weeks or longer: was it kept, or is it still meant?", "held"))
    rows = text_rows(one.text)
    rows += [Row("", ()), *message_rows("a says that it was kept, and ticks its box in the log, after asking.")]
    return Page(f"promise:{one.path}:{one.time}:{one.text}", "A promise", tuple(facts), rows)


def place_of(one: Promise) -> str:
    """`memory/2026-02-07.md line 12`."""
    return f"{visible_line(one.path)} line {one.line}"


def decision_page(decision: Decision, desk: Desk) -> Page:
    parts = [stamp(decision.when)] if decision.when else []
    if decision.session:
        parts.append(f"by {visible_line(decision.session)}")
    parts.append(f"{layout.DECISIONS} line {decision.line}")
    if decision.status:
        parts.append(visible_line(decision.status))
    facts = [Fact(" · ".join(parts))]
    if decision.over:
        facts.append(Fact("the file says it no longer stands"))
    if decision.conflict:
        facts.append(Fact(visible_line(f"the file contradicts itself: {decision.conflict}"), "held"))
    if (later := overruled_by(desk, decision)) is not None:
        where = f"{layout.DECISIONS} line {later.line}"
        facts.append(
            Fact(visible_line(f"a later decision says the contrary and comes first: “{later.item}” ({where})"), "held")
        )
    rows = text_rows(decision.item)
    if decision.reason:
        rows += [Row("", ()), *text_rows(decision.reason)]
    rows += [Row("", ()), *text_rows(decision.text, "dim")]
    return Page(f"decision:{decision.text}", visible_line(decision.item), tuple(facts), rows)


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
