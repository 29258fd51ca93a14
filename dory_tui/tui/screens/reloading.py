"""Files change while the review is open: it reads them again, moves nothing, and marks what became other."""

from __future__ import annotations

import asyncio
from typing import Any

from dory_tui.tui import verbs
from dory_tui.tui.screens.bulk import Bulk
from dory_tui.tui.watching import Watch
from dory_tui.tui.widgets.entries import views
from dory_tui.visible import visible_line


class Reloading(Bulk):
    """Takes another desk when a file changed, but not while something is decided or asked."""

    def __init__(self, *args: Any, watch: Watch | None = None) -> None:
        super().__init__(*args)
        self._watch = watch
        self._reading = False
        self._behind = False
        self._taken = 0

    # Files that change

    def follow(self) -> None:
        """Begin to watch the workspace. Called once the first desk is shown."""
        if self._watch is not None:
            self.run_worker(self._follow(self._watch), group="watch")

    async def _follow(self, watch: Watch) -> None:
        async for _ in watch(self.gate.root, self.say):
            self.look_again()

    def look_again(self) -> None:
        """Something changed: read the workspace now, or after what must not be disturbed."""
        self._behind = True
        self.catch_up()

    def catch_up(self) -> None:
        if self._behind and not self._reading and self._free:
            self._behind, self._reading = False, True
            self.run_worker(self._reload(), group="reload")

    @property
    def _free(self) -> bool:
        """Whether nothing is being decided, asked or scored."""
        return self.desk is not None and self.is_active and not self.in_flight and not self.detail.scores.editing

    async def _reload(self) -> None:
        taken = self._taken
        found, other = await asyncio.to_thread(self._read_anew)
        self._reading = False
        if not self._free or taken != self._taken:
            self._behind = True
        elif found.desk is None:
            self.say(visible_line(found.refusal or ""))
        elif other:
            self.take(found.desk, None, own=False)
        self.catch_up()

    def _read_anew(self) -> tuple[verbs.Outcome, bool]:
        """The workspace, and whether anything that is shown of it is other. Called in a thread."""
        found = verbs.read(self.gate)
        if found.desk is None:
            return found, False
        return found, self.changes.differ(views(found.desk), found.desk) or self._elsewhere(found)

    def _elsewhere(self, found: verbs.Outcome) -> bool:
        """Whether something that stands in no list changed: a problem, the size of MEMORY.md, the scheduler."""
        now, before = found.desk, self.desk
        if now is None or before is None:
            return False
        return (now.problems, now.memory, now.settings, now.last_look, now.queue) != (
            before.problems, before.memory, before.settings, before.last_look, before.queue,
        )  # fmt: skip
