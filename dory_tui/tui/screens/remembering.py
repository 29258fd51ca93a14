"""The decisions of the Memory screen that the review has not: all that pass, what is replaced, and pruning."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

from textual.content import Content

from dory_tui.review.items import Candidate, Subject
from dory_tui.review.previewing import Proposal, could_replace, propose
from dory_tui.tui import verbs
from dory_tui.tui.screens.ask import Question
from dory_tui.tui.screens.ask_all import AskAllScreen, plan_rows
from dory_tui.tui.screens.pruning import PruningScreen
from dory_tui.tui.screens.showing import Showing
from dory_tui.tui.widgets.entries import Entry
from dory_tui.tui.widgets.memory_view import CONTEXTS, USUAL, text_diff, together
from dory_tui.tui.widgets.rows import Row, Span, diff_rows
from dory_tui.visible import visible_line
from dory_tui.workspace import layout
from dory_tui.workspace.document import parse

NOT_HERE = frozenset({"happened", "not_happened", "revoke", "lift", "hold", "kept"})
"""Decisions that are the review's. Approve and reject are here for what is marked, as in the review."""
_LINES_ASKED = 9
"""Lines that can be chosen from: one for each digit."""


class Remembering(Showing):
    """Decides about memories alone. The subclass shows them."""

    together = False
    """Whether the diff is of all that pass, and not of what is selected."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._choices: dict[tuple[Subject, bytes], int] = {}
        """What a human said that a candidate replaces in a MEMORY.md (`promoting.preview`)."""

    def show_selected(self, *, again: bool = False) -> None:
        """Show what is selected; `again` when it is the same and looks different now."""
        raise NotImplementedError

    def possible(self, entry: Entry | None) -> frozenset[str]:
        found, desk = super().possible(entry), self.desk
        if self.together:  # what would be decided about one is not shown
            found = (found & {"undo"}) | {"together"}
        if desk is not None and any(one.verdict is not None and one.verdict.promote for one in desk.memories):
            found |= {"promote_all", "together"}
        return (found - NOT_HERE) | {"style", "prune"}

    # What is replaced

    def proposal(self, one: Candidate) -> Proposal:
        assert self.desk is not None
        return propose(one, self.desk, self.choice(one.subject))

    def choice(self, subject: Subject) -> int | None:
        return self._choices.get((subject, self._memory_bytes))

    @property
    def _memory_bytes(self) -> bytes:
        return (self.desk.memory if self.desk is not None else None) or b""

    def forget_choices(self) -> None:
        """A choice is about the lines of one MEMORY.md."""
        self._choices = {key: line for key, line in self._choices.items() if key[1] == self._memory_bytes}

    def action_promote(self, asked: bool = False) -> None:
        found = self._memory()
        if found is None or not self._may(asked=asked):
            return
        one, subject = found
        made = self.proposal(one)
        earns = one.verdict is not None and one.verdict.promote
        if earns and made.unclear is not None:
            self._ask_replaced(one, subject, made.unclear)
        elif earns and made.refusal is not None and made.preview is not None:
            body = [Content(visible_line(made.refusal))]
            question = Question("MEMORY.md has no room for this", body, [("prune", "mark what can go")])
            self._ask(question, lambda _: self.action_prune(asked=True))
        else:
            super().action_promote(asked)

    def _ask_replaced(self, one: Candidate, subject: Subject, lines: tuple[int, ...]) -> None:
        """What the candidate should replace: one of the lines that are alike, or nothing. The diff shows it then."""
        wanted = visible_line(one.promotion.replaces or "")
        times = f"stands in MEMORY.md {len(lines)} times" if lines else "is not in MEMORY.md"
        body = [Content.styled(f"“{wanted}”", "bold"), Content.styled(f"It {times}.", "$text-muted")]
        more = len(lines) - _LINES_ASKED
        if more > 0:
            which = f"`dory memory promote {one.promotion.id} --replace-line N` takes one of those too"
            body.append(Content.styled(f"{more} of them are not among these: {which}.", "$warning"))
        memory = self._memory_bytes
        answers = []
        for number, (line, title) in enumerate(could_replace(memory, lines[:_LINES_ASKED]), start=1):
            under = f", under “{visible_line(title)}”" if title else ""
            answers.append((f"line-{number}", f"replace line {line}{under}"))
        section = visible_line(one.promotion.section)
        answers.append(("approve", f"replace nothing and add it to {section}"))

        def chosen(name: str) -> None:
            at = 0 if name == "approve" else lines[int(name.removeprefix("line-")) - 1]
            self._choices[subject, memory] = at
            self.show_selected(again=True)

        self._ask(Question("What should this replace?", body, answers), chosen)

    # All that pass

    def action_together(self, asked: bool = False) -> None:  # noqa: ARG002
        self.together = not self.together
        self.guard.close()
        self.show_selected(again=True)

    def action_promote_all(self, asked: bool = False) -> None:
        """List all that pass with the diff of them together, and ask."""
        if self.desk is None or self.in_flight or not (asked or self._ready()):
            return
        self._begin_work("looking at all that pass…")
        self.run_worker(self._plan_all(), group="decide")

    def _ready(self) -> bool:
        if not self.guard.ready:
            self.say("that key came too soon after the one before: press it again")
        return self.guard.ready

    async def _plan_all(self) -> None:
        assert self.desk is not None
        desk = self.desk
        subjects = [one.subject for one in desk.memories]
        plan = await asyncio.to_thread(verbs.plan, desk, subjects, "promote")
        made = await asyncio.to_thread(together, desk)
        shown = await asyncio.to_thread(text_diff, made.preview.before, made.preview.after, CONTEXTS[USUAL])
        self._end_work()
        count = len(plan.items)
        rows = plan_rows([plan])
        if count:
            rows += [Row("", ()), Row("", (Span("MEMORY.md as it would be written"),), "section"), Row("", ())]
            rows += diff_rows(shown.diff, shown.old, shown.new)
        title = "Promote this memory?" if count == 1 else f"Promote these {count} memories?"
        choices = [("approve", "promote it" if count == 1 else f"promote all {count}")] if count else []
        question = Question(title if count else "None of these can be promoted", (), choices)
        self.app.push_screen(
            AskAllScreen(question, self.clock, rows), lambda name: self._carry_all([plan], "") if name else None
        )
        self.call_after_refresh(self.guard.painted)

    # Pruning

    def action_prune(self, asked: bool = False) -> None:  # noqa: ARG002
        """Marking decides nothing, so no pause is asked for; the yes is the pruning screen's."""
        desk = self.desk
        if desk is None or self.in_flight:
            return
        memory = desk.memory or b""
        conflict = parse(layout.MEMORY, memory).conflicted
        if layout.MEMORY in desk.unread:
            self.tell(visible_line(desk.unread[layout.MEMORY]), bad=True)
            return
        if conflict is not None:
            self.tell(f"MEMORY.md line {conflict}: merge conflict markers; resolve them first", bad=True)
            return
        found = self._memory()
        made = self.proposal(found[0]) if found is not None else None
        would = len(made.preview.after) - len(memory) if made is not None and made.preview is not None else 0
        over = max(len(memory) + would - desk.settings.cap, len(memory) - desk.settings.cap, 0)
        digest = hashlib.sha256(memory).hexdigest()
        self.app.push_screen(
            PruningScreen(self.gate, desk.memory, desk.settings.cap, self.clock, needed=over),
            lambda lines: self._decide("pruning MEMORY.md…", verbs.prune(digest, lines)) if lines else None,
        )
