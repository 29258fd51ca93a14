"""Proposing lines of a file for MEMORY.md: asked about, written by the review's service, and told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from textual.screen import Screen

from dory_tui.gate.survey import Gate
from dory_tui.memory.proposing import pending
from dory_tui.review import proposing
from dory_tui.review.change import DecisionError, Done
from dory_tui.tui.guard import Monotonic
from dory_tui.tui.screens.propose import Proposal, ProposeScreen
from dory_tui.visible import visible_line
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, WorkspaceError, encode


class Proposing(Screen[None]):
    """What a screen needs to propose. The subclass sets `gate` and `clock`, which counts seconds."""

    gate: Gate
    clock: Monotonic
    _busy = False

    def tell(self, words: str, *, bad: bool = False) -> None:
        """A notice. Never markup."""
        self.notify(visible_line(words), severity="warning" if bad else "information", markup=False, timeout=8)

    def ask_about(self, document: Document, numbers: Sequence[int], title: str) -> None:
        """Ask how lines are to be proposed. `numbers` count from 1, `title` is that of the heading they stand under."""
        self.run_worker(self._ask_about(document, numbers, title), group="propose")

    async def _ask_about(self, document: Document, numbers: Sequence[int], title: str) -> None:
        text, secret = proposing.taken(document, numbers)
        source = f"{document.path}#L{numbers[0]}"
        start, sections, same = await asyncio.to_thread(self._prepared, text, title)
        asked = ProposeScreen(start, sections, source, self.clock, pending=same, secret=secret)

        def answered(found: Proposal | None) -> None:
            if found is not None:
                self.carry_out(lambda: _propose(self.gate, found, source), self.proposed)

        self.app.push_screen(asked, answered)

    def _prepared(self, text: str, title: str) -> tuple[Proposal, tuple[str, ...], str | None]:
        sections = proposing.read_headings(self.gate)
        try:
            same = pending(self.gate.root, encode(text))
        except WorkspaceError:
            same = None
        if same is not None and same.problem is None:
            return Proposal(same.section, same.scores, text), sections, same.id
        return Proposal(_like(title, sections), {}, text), sections, None

    def proposed(self) -> None:
        """Something was proposed. For who shows what it was made of."""

    def carry_out(self, work: Callable[[], Done], then: Callable[[], None]) -> None:
        """Do something in a thread, one thing at a time, tell what came of it, and then `then`."""
        if not self._busy:
            self._busy = True
            self.run_worker(self._done(work, then), group="decide")

    async def _done(self, work: Callable[[], Done], then: Callable[[], None]) -> None:
        try:
            done = await asyncio.to_thread(work)
        except DecisionError as error:
            self.tell(str(error), bad=True)
        else:
            self.tell(f"{done.sentence}{f' · commit {done.commit}' if done.commit else ''}")
            for problem in (*done.problems, *([f"not committed: {done.postponed}"] if done.postponed else [])):
                self.tell(problem, bad=True)
            then()
        finally:
            self._busy = False


def _propose(gate: Gate, found: Proposal, source: str) -> Done:
    return proposing.propose(gate, found.text, section=found.section, scores=found.scores, source=source)


def _like(title: str, sections: tuple[str, ...]) -> str:
    """The section whose title begins like that of a heading of the log; none when there is none."""
    wanted = shapes.normal(title).split()
    names: Mapping[str, list[str]] = {one: shapes.normal(one.lstrip("#")).split() for one in sections}
    return next((one for one, name in names.items() if wanted and name[: len(wanted)] == wanted), "")
