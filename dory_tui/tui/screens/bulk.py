"""Marks, and one decision about everything that is marked: all of it is listed first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from dory_tui.gate.survey import Gate
from dory_tui.review.items import Subject
from dory_tui.tui import verbs
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.screens.ask import Question
from dory_tui.tui.screens.ask_all import AskAllScreen, plan_rows, report_rows
from dory_tui.tui.screens.editing import Editing
from dory_tui.tui.screens.note import Prompt
from dory_tui.tui.widgets.changes import Changes
from dory_tui.tui.widgets.entries import Entry
from dory_tui.tui.widgets.pages import Page
from dory_tui.visible import visible_line

if TYPE_CHECKING:
    from dory_tui.review.bulk import Plan, Verb
    from dory_tui.review.change import DecisionError, Done

_MANY = frozenset({"approve", "reject", "changes"})
_ONE = frozenset({"approve", "promote", "reject", "discard", "changes"})
_WORDS = {
    "approve": ("approve", "approved"), "promote": ("promote", "promoted"), "reject": ("reject", "rejected"),
    "discard": ("discard", "discarded"), "changes": ("send back", "sent back"),
}  # fmt: skip
_UNREAD = "it was never wholly on the screen: read it first"
_OTHER = "what it would run is other than what you read: read it again"


class Bulk(Editing):
    """Decides about what is selected, or, with marks, about all that is marked."""

    def __init__(self, gate: Gate, clock: Monotonic) -> None:
        super().__init__(gate, clock)
        self.changes = Changes()
        self.marked: dict[str, Subject] = {}
        """By the key of the entry: what was marked, with the bytes it had then."""
        self._read: dict[Subject, tuple[bytes | None, str | None]] = {}
        """What was read to its end: MEMORY.md as a memory's diff had it, and the fingerprint of what would run."""

    def panel_sign(self, entry: Entry, sign: Content) -> None:
        """Give an entry in the lists another sign. The subclass knows where it stands."""
        raise NotImplementedError

    # Marks

    @property
    def marked_words(self) -> str:
        """What the headline says of the marks."""
        return f"{len(self.marked)} marked: a, r and c decide them all" if self.marked else ""

    def _sign(self, entry: Entry) -> Content:
        if entry.key in self.marked:
            return Content.styled("◆", "$accent")
        return Content.styled("•", "$warning") if entry.key in self.changes.fresh else Content("")

    def possible(self, entry: Entry | None) -> frozenset[str]:
        """The decisions that make sense now."""
        found = verbs.possible(entry) | {"undo"}
        if entry is not None and self.desk is not None and entry.subject in self.desk.queue:
            found |= {"mark"}
        return (found - _ONE) | _MANY if self.marked else found

    def action_mark(self, asked: bool = False) -> None:  # noqa: ARG002
        entry = self.selected
        if entry is None or entry.subject is None or self.in_flight:
            return
        if self.marked.pop(entry.key, None) is None:
            self.marked[entry.key] = entry.subject
        self.panel_sign(entry, self._sign(entry))
        self.say("")

    def _check_marks(self) -> None:
        """Take the marks off what changed or waits no more."""
        assert self.desk is not None
        queue = set(self.desk.queue)
        ids = {(one.kind, one.id) for one in queue}
        for key, subject in list(self.marked.items()):
            if subject not in queue:
                del self.marked[key]
                if (subject.kind, subject.id) in ids:
                    self.tell(visible_line(f"{subject.id} changed since you marked it: its mark is gone"), bad=True)

    def note_read(self, entry: Entry, page: Page | None) -> None:
        """Every line of an entry's page was on the screen."""
        if entry.subject is not None and page is not None and self.desk is not None:
            self._read[entry.subject] = (self._memory_of(entry.subject), page.fingerprint)

    def _memory_of(self, subject: Subject) -> bytes | None:
        return self.desk.memory if self.desk is not None and subject.kind == "memory" else None

    # The keys

    def action_approve(self, asked: bool = False) -> None:
        if self.marked:
            self._all(("approve", "promote"), asked)
        else:
            super().action_approve(asked)

    def action_reject(self, asked: bool = False) -> None:
        if self.marked:
            self._all(("reject", "discard"), asked)
        else:
            super().action_reject(asked)

    def action_changes(self, asked: bool = False) -> None:
        if self.marked:
            self._all(("changes",), asked)
        else:
            super().action_changes(asked)

    def _all(self, doing: Sequence[Verb], asked: bool) -> None:
        """Work out what a decision about everything marked would do, and ask."""
        if self._may(asked=asked):
            self._begin_work("looking at what is marked…")
            self.run_worker(self._plan(doing), group="decide")

    async def _plan(self, doing: Sequence[Verb]) -> None:
        assert self.desk is not None
        subjects = [subject for subject in self.desk.queue if subject in set(self.marked.values())]
        plans = []
        for verb in doing:
            kind = "memory" if verb in ("promote", "discard") else "draft"
            of_kind = [one for one in subjects if one.kind == kind or len(doing) == 1]
            if of_kind:
                plans.append(self._read_only(await asyncio.to_thread(verbs.plan, self.desk, of_kind, verb)))
        self._end_work()
        count = sum(len(plan.items) for plan in plans)
        parts = [f"{_WORDS[plan.verb][0]} {_count(plan)}" for plan in plans if plan.items]
        title = f"{' and '.join(parts).capitalize()}?" if count else f"None of these can be {_WORDS[plans[0].verb][1]}"
        says = next((_WORDS[plan.verb][0] for plan in plans if plan.items), "")
        choices = [(doing[0], f"{says} {'it' if count == 1 else f'all {count}'}")] if count else []
        self.app.push_screen(
            AskAllScreen(Question(title, (), choices), self.clock, plan_rows(plans)),
            lambda name: self._answered(plans) if name else None,
        )

    def _read_only(self, plan: Plan) -> Plan:
        """A plan without what was never wholly on the screen: a yes is to what was read."""
        from dory_tui.review.bulk import LeftOut, Plan

        if plan.verb not in ("approve", "promote"):
            return plan
        kept, left = [], list(plan.left_out)
        for item in plan.items:
            memory, fingerprint = self._read.get(item.subject, (b"", None))
            if item.subject not in self._read or memory != self._memory_of(item.subject):
                left.append(LeftOut(item.subject, item.title, _UNREAD))
            elif fingerprint != item.fingerprint:
                left.append(LeftOut(item.subject, item.title, _OTHER))
            else:
                kept.append(item)
        return Plan(plan.verb, tuple(kept), tuple(left), plan.memory)

    def _answered(self, plans: Sequence[Plan]) -> None:
        verb = plans[0].verb
        if verb in ("approve", "promote"):
            self._carry_all(plans, "")
            return
        needed = "say what should change: the note is what reaches the agent" if verb == "changes" else ""
        says = "One note for the agent, for all of them." + ("" if needed else " It may stay empty.")
        prompt = Prompt(f"{_WORDS[verb][0].capitalize()} all that is marked", says, needed=needed)
        self._write(prompt, partial(self._carry_all, plans))

    def _carry_all(self, plans: Sequence[Plan], note: str) -> None:
        self._begin_work("deciding all that is marked…")
        self.run_worker(self._decide_all(plans, note), group="decide")

    async def _decide_all(self, plans: Sequence[Plan], note: str) -> None:
        made: list[tuple[Subject, Done | DecisionError]] = []
        desk = None
        for plan in plans:
            if plan.items:
                found = await asyncio.to_thread(verbs.bulk, self.gate, plan, note)
                made += found.made
                desk = found.desk or desk
                if found.refusal is not None:
                    self.tell(visible_line(found.refusal), bad=True)
        tried = {subject for subject, _ in made}
        self.marked = {key: subject for key, subject in self.marked.items() if subject not in tried}
        self._end_work()
        stand = [subject for subject, became in made if not isinstance(became, Exception)]
        self.decided += len(stand)
        if desk is not None:
            self.take(desk, stand[0] if stand else None, own=bool(stand))
        if made:
            dropped = len(made) - len(stand)
            left = f", {dropped} left as {'it was' if dropped == 1 else 'they were'}" if dropped else ""
            question = Question(f"{len(stand)} decided{left}", (), ())
            self.app.push_screen(AskAllScreen(question, self.clock, report_rows(made)))
        self.catch_up()


def _count(plan: Plan) -> str:
    number = len(plan.items)
    one, many = ("memory", "memories") if plan.verb in ("promote", "discard") else ("draft", "drafts")
    return f"1 {one}" if number == 1 else f"{number} {many}"
