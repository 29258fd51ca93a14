"""The five panels as values: what stands in each, one line for each entry. Pure.

All text from files passes `visible_line` here. No string is ever read as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from textual.content import Content
from textual.visual import Visual

from dory_tui.memory.budget import meter
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, HoldView, Past, Staged, Subject
from dory_tui.tui.widgets.browser import Columns
from dory_tui.tui.widgets.duties import blocking, promise_row
from dory_tui.tui.widgets.lines import StateLine, Widths
from dory_tui.visible import cell_width, visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.document import Problem
from dory_tui.workspace.entries import DOUBT, Decision, Task
from dory_tui.workspace.promises import Promise
from dory_tui.workspace.timestamps import age, short_day, when

NAMES = ("HOLD", "ACTIVE", "STAGING", "MEMORY", "DECISIONS")
ACTIVE, STAGING, MEMORY = 1, 2, 3
_PATHS = ((layout.HOLD,), (layout.ACTIVE,), (layout.STAGING,), (layout.MEMORY, layout.PROMOTIONS), (layout.DECISIONS,))
_OVER = ("done", "happened", "rejected", "not-happened", "revoked", "expired", "changes-requested")
_ASKS = ("pending", "superseded", "missed", "expired")


@dataclass(frozen=True)
class StateText:
    """A file shown as it stands: `data` is None when it cannot be read, and `sentences` say why."""

    path: str
    data: bytes | None
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Nothing:
    """A panel without entries, and what to do about it."""

    title: str
    sentences: tuple[str, ...]


Thing: TypeAlias = HoldView | Past | Task | Promise | Staged | Candidate | Decision | StateText | Nothing


@dataclass(frozen=True)
class Entry:
    """One line of a panel. `key` finds it again after a reload; `subject` is what a decision would be about."""

    key: str
    thing: Thing
    row: Visual
    subject: Subject | None = None


@dataclass(frozen=True)
class PanelView:
    """One panel: its number of what is open or waits, its entries, what stands at its lower edge and its gist."""

    name: str
    count: Content
    entries: tuple[Entry, ...]
    edge: Content
    gist: Content


def views(desk: Desk) -> tuple[PanelView, ...]:
    """The five panels of a desk, in their order."""
    makers: tuple[Callable[[Desk], PanelView], ...] = (_holds, _active, _staging, _memory, _decisions)
    made = [_with_state(desk, number, make(desk)) for number, make in enumerate(makers)]
    made[ACTIVE] = replace(made[ACTIVE], entries=(*made[ACTIVE].entries, *_promises(desk)))
    return tuple(made)


def _plain(text: str, style: str = "") -> Content:
    return Content.styled(visible_line(text), style)


def _panel(number: int, count: str, entries: Iterable[Entry], edge: Content | None = None) -> PanelView:
    return PanelView(NAMES[number], Content(count), tuple(entries), edge or Content(""), Content(""))


def _holds(desk: Desk) -> PanelView:
    count = "?" if desk.open_holds is None else str(desk.open_holds)
    return _panel(0, count, (*(_hold(view) for view in desk.holds), *(_past(one) for one in desk.lifted)))


def _past(one: Past) -> Entry:
    """What a file itself says is over: dimmed, and not counted."""
    row = Columns(_plain(one.title, "$text-disabled"), Content.styled("over", "$text-disabled"))
    return Entry(f"past:{one.path}:{one.title}", one, row)


def _hold(view: HoldView) -> Entry:
    hold = view.hold
    red = "$error" if view.stale or hold.everything or not hold.present else "$text-muted"
    span = age(view.age) if view.age is not None else ""
    if hold.everything:
        span = "holds all"
    elif not hold.present:
        span = f"line gone  {span}".strip()
    return Entry(f"hold:{hold.hash}", view, Columns(_plain(hold.subject), Content.styled(span, red)))


def _active(desk: Desk) -> PanelView:
    task = desk.task
    if task is None and not desk.tasks:
        return _panel(1, "", ())
    seen: Counter[str] = Counter()
    entries = []
    for one in sorted(desk.tasks, key=lambda one: one.over):
        seen[one.said] += 1
        key = "task" if len(desk.tasks) == 1 else f"task:{one.said}:{seen[one.said]}"
        entries.append(Entry(key, one, _task_row(one, desk)))
    open_ones = sum(not one.over for one in desk.tasks)
    made = _panel(1, "" if len(desk.tasks) == 1 else str(open_ones), entries)
    gist = Content("") if task is None else Content.styled(_said(task), "italic")
    return PanelView(made.name, made.count, made.entries, made.edge, gist)


def _said(task: Task) -> str:
    """The task in one line, in quotation marks where it is in the user's own words."""
    words = visible_line(" ".join(task.said.split()))
    return f"“{words}”" if not task.text else words


def _task_row(task: Task, desk: Desk) -> Content:
    style = "$text-disabled" if task.over else "italic" if not task.text else ""
    row = Content.styled(_said(task), style)
    if task.steps and not task.over:
        row = Content.assemble(row, "\n", (f"{task.done} of {len(task.steps)} steps done", "$text-muted"))
    if desk.drifted(task) is not None:
        row = Content.assemble(row, "\n", ("not the words you gave", "$error"))
    if blocking(task, desk):
        row = Content.assemble(row, "\n", ("asks for what is held", "$error"))
    return row


def _promises(desk: Desk) -> list[Entry]:
    """What is still owed, below the task."""
    seen: Counter[str] = Counter()
    entries = []
    for one in desk.promises:
        name = f"promise:{one.path}:{one.time}:{one.text}"
        seen[name] += 1
        entries.append(Entry(f"{name}:{seen[name]}", one, promise_row(one, desk)))
    return entries


def _staging(desk: Desk) -> PanelView:
    waiting = desk.waiting
    rest = [item for item in desk.staged if not item.standing.needs_yes]
    rest.sort(key=lambda item: item.standing.state in _OVER)
    items = [*waiting, *rest]
    times = [_time(item, desk) for item in items]
    widths = Widths(
        max((cell_width(visible_line(_named(item))) for item in items), default=0),
        max((len(item.word) for item in items), default=0),
        max((len(time) for time in times), default=0),
    )
    seen: Counter[str] = Counter()
    entries = []
    for item, time in zip(items, times, strict=True):
        key = f"draft:{item.draft.id}:{seen[item.draft.id]}"
        seen[item.draft.id] += 1
        entries.append(Entry(key, item, _staged(item, time, widths), item.subject))
    count = "?" if layout.STAGING in desk.unread else str(len(waiting))
    return _panel(2, count, entries)


def _time(item: Staged, desk: Desk) -> str:
    return when(item.not_before, desk.now) if item.not_before is not None else "any time"


def word_style(item: Staged) -> str:
    """Rose for held, unknown and unreadable, amber for what asks, green for a yes, nothing for what is over."""
    state = item.standing.state
    if state == "unknown" or item.word in ("held", "cannot be read"):
        return "$error"
    if state in _ASKS and item.standing.needs_yes:
        return "$warning"
    if state in ("approved", "running"):
        return "$success"
    return "$text-disabled" if state in _OVER else "$text-muted"


def _named(item: Staged) -> str:
    """What a draft is listed by: its id; its own words where it has another shape, and its id was made of them."""
    return item.title if item.draft.shaped is not None and item.draft.entry is None else item.draft.id


def _staged(item: Staged, time: str, widths: Widths) -> Visual:
    style = word_style(item)
    state = item.standing.state
    name = "$error" if state == "unknown" else "" if item.standing.needs_yes else "$text-muted"
    if state in _OVER and not item.standing.needs_yes:
        name = "$text-disabled"
    return StateLine(
        _plain(_named(item), name), Content.styled(item.word, style), Content.styled(time, "$text-muted"), widths
    )


def _memory(desk: Desk) -> PanelView:
    waiting = desk.memories
    rest = [one for one in desk.candidates if not one.waits]
    seen: Counter[str] = Counter()
    entries = []
    for one in [*waiting, *rest]:
        key = f"memory:{one.promotion.id}:{seen[one.promotion.id]}"
        seen[one.promotion.id] += 1
        entries.append(Entry(key, one, _candidate(one), one.subject if one.waits else None))
    size, cap = len(desk.memory or b""), desk.settings.cap
    over = size > cap
    edge = Content.styled(meter(size, cap) + (", over the cap" if over else ""), "$error" if over else "$text-muted")
    return _panel(3, str(len(waiting)), entries, edge)


def _candidate(one: Candidate) -> Visual:
    title = visible_line(one.promotion.title)
    if not one.waits:
        word = visible_line(one.promotion.status)
        return Columns(Content.styled(f"    {title}", "$text-disabled"), Content.styled(word, "$text-disabled"))
    if one.verdict is None:
        return Columns(Content.assemble((" ?", "$error"), f"  {title}"), Content.styled("cannot be read", "$error"))
    good = one.verdict.promote
    total = (f"{one.verdict.total:>2}", "bold $success" if good else "$text-muted")
    left = Content.assemble(total, (f"  {title}", "" if good else "$text-muted"))
    return Columns(left, Content.styled("promote" if good else "stays out", "$success" if good else "$text-muted"))


def _decisions(desk: Desk) -> PanelView:
    entries = []
    seen: Counter[str] = Counter()
    for one in desk.decisions:
        key = f"decision:{one.text}:{seen[one.text]}"
        seen[one.text] += 1
        day = short_day(one.when.date()) if one.when else "      "
        style = "$text-disabled" if one.over else ""
        row = Content.assemble((f"{day}  ", "$text-muted"), (visible_line(one.item), style))
        word, tone = _standing(one)
        entries.append(Entry(key, one, Columns(row, Content.styled(word, tone))))
    return _panel(4, str(desk.standing_decisions), entries)


def _standing(one: Decision) -> tuple[str, str]:
    """What its file says of a decision, in a word: nothing where it simply stands."""
    if one.conflict:
        return "contradicts itself", "$error"
    if one.over:
        return "no longer stands", "$text-disabled"
    return ("proposed", "$warning") if one.proposed else ("", "")


def _with_state(desk: Desk, number: int, view: PanelView) -> PanelView:
    """A panel with what its files are: unreadable, in no known form, partly so, or empty."""
    paths = _PATHS[number]
    extra: list[Entry] = []
    count = view.count
    for path in paths:
        if path in desk.unread:
            extra.append(_unread(path, desk.unread[path]))
            continue
        odd = [one for one in desk.problems if one.path == path and not _is_hold(desk, one)]
        if odd and path in desk.texts:
            extra.append(_as_text(path, desk.texts[path].data, odd, alone=not view.entries))
    entries = (*view.entries, *extra)
    if not entries:
        entries = (_nothing(desk, number),)
    if extra and not view.entries:
        count = Content("?")
    return PanelView(view.name, count, entries, view.edge, view.gist)


def _is_hold(desk: Desk, problem: Problem) -> bool:
    """Whether a passage of HOLD.md stands in the list already, as the hold that it is."""
    return problem.path == layout.HOLD and any(view.hold.line == problem.line for view in desk.holds)


def _unread(path: str, sentence: str) -> Entry:
    row = Columns(_plain(path), Content.styled("cannot be read", "$error"))
    return Entry(f"file:{path}", StateText(path, None, (sentence,)), row)


def _as_text(path: str, data: bytes, problems: Sequence[Problem], alone: bool) -> Entry:
    where = tuple(f"line {one.line}: {one.sentence}" for one in problems)
    if alone:
        sentences = ("nothing in this file has a form dory knows, so it is shown as it stands", *where)
        return Entry(f"file:{path}", StateText(path, data, sentences), Content.styled("shown as text", "$warning"))
    if any(one.sentence == DOUBT for one in problems):
        row = Content.styled("the count may be off", "$warning")
        return Entry(f"file:{path}", StateText(path, data, where), row)
    passages = "1 passage fits" if len(where) == 1 else f"{len(where)} passages fit"
    row = Content.styled(f"{passages} no form", "$warning")
    return Entry(f"file:{path}", StateText(path, data, where), row)


_EMPTY = (
    ("Nothing is held", "H holds something: a thread, a payment, a name. Nothing that a hold covers runs."),
    ("No task", "Your agent writes your exact words here before it begins to work on them."),
    ("No drafts", "An agent puts one before you with `dory-agent stage`. It runs only after your yes."),
    ("No candidates", "An agent proposes one, scored, with `dory-agent propose`. Your yes puts it in MEMORY.md."),
    ("No decisions", "Every yes, no and hold is written here, one line each, with its day."),
)  # fmt: skip


def _nothing(desk: Desk, number: int) -> Entry:
    title, sentence = _EMPTY[number]
    sentences = [sentence]
    path = _PATHS[number][0]
    if path not in desk.texts and path not in desk.unread:
        sentences.append(f"{path} is not there. `dory init` adds what is missing and overwrites nothing.")
    row = Content.styled(title.lower(), "$text-muted")
    return Entry(f"nothing:{number}", Nothing(title, tuple(sentences)), row)
