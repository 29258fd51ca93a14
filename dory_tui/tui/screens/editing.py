"""`e` and `u` of the review: a draft or memory in a person's own editor, and the last decision taken back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported
from textual.content import Content

from dory_tui.gate.survey import Gate
from dory_tui.review.items import Subject
from dory_tui.tui import signals, verbs
from dory_tui.tui.editor import Copy, Edited, Ready, ready
from dory_tui.tui.screens.ask import Question
from dory_tui.tui.screens.deciding import Deciding
from dory_tui.visible import visible_line

if TYPE_CHECKING:
    from dory_tui.review.session import Decided

_NO_TERMINAL = "an editor cannot be opened in this terminal: edit {path} there, the screen follows"


class Editing(Deciding):
    """Decides, edits and undoes."""

    # Editing

    def action_edit(self, asked: bool = False) -> None:
        found = self._draft() or self._memory()
        if found is not None and self._may(asked=asked):
            self._begin_work(f"editing {found[1].id}…")
            self.run_worker(self._edit(found[1]), group="decide")

    async def _edit(self, subject: Subject) -> None:
        found = await asyncio.to_thread(ready, self.gate, subject)
        if isinstance(found, str):
            self._give_up(found)
            return
        try:
            copy = Copy(found.name, found.data)
        except OSError as error:
            self._give_up(f"no file for the editor can be made ({error.strerror}), so nothing was changed")
            return
        edited = self._in_editor(copy, found)
        if edited.data is None:
            copy.drop()
            self._give_up(edited.sentence)
        else:
            self._end_work()
            work = verbs.edit(subject, edited.data)
            self._decide(f"saving {subject.id}…", work, then=lambda stands: self._edited(copy, stands))
        if edited.signal is not None:
            self.app.exit(return_code=128 + edited.signal)

    def _in_editor(self, copy: Copy, found: Ready) -> Edited:
        """Give the terminal to the editor until it ends. Nothing may be raised while it has it."""
        try:
            with self.app.suspend():
                signals.remove()
                edited = copy.edit(found.command, self.gate.root, self.gate.environment)
                signals.install(lambda code: self.app.exit(return_code=code))
                return edited
        except SuspendNotSupported:
            return Edited(None, _NO_TERMINAL.format(path=found.path))

    def _edited(self, copy: Copy, stands: bool) -> None:
        """What a person wrote is never thrown away."""
        if stands:
            copy.drop()
        else:
            self.tell(visible_line(f"what you wrote is kept in {copy.file}"), bad=True)

    # Undoing

    def action_undo(self, asked: bool = False) -> None:
        if self._may(asked=asked):
            self._begin_work("looking what can be undone…")
            self.run_worker(self._undo(), group="decide")

    async def _undo(self) -> None:
        last = await asyncio.to_thread(_undoable, self.gate)
        if last is None:
            self._give_up("nothing was decided in this review that can be undone", bad=False)
            return
        self._end_work()
        body = [Content.styled(visible_line(last.sentence), "bold")]
        body.append(Content.styled("It is taken back with a record and a commit of its own.", "$text-muted"))
        self._ask(
            Question("Undo this?", body, [("undo", "undo it")]),
            lambda _: self._decide("undoing…", verbs.undo(last), then=lambda stands: self._undone(last, stands)),
        )

    def _undone(self, last: Decided, stands: bool) -> None:
        """Show what was undone, where it waits again."""
        subjects = () if self.desk is None or not stands else self.desk.queue
        found = next((one for one in subjects if one.id == last.id), None)
        if found is not None:
            self._go_to(found)

    def _go_to(self, subject: Subject) -> None:
        """Select what waits. The subclass knows where."""
        raise NotImplementedError


def _undoable(gate: Gate) -> Decided | None:
    from dory_tui.review import undo  # brings git along

    return undo.undoable(gate)
