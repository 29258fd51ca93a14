"""Where a review stands, noted as it is read, so that the next start goes on from there."""

from __future__ import annotations

import asyncio

from dory_tui.gate.survey import Gate
from dory_tui.review import session
from dory_tui.review.desk import Desk
from dory_tui.review.items import Subject

END = "end"
"""What is noted when the closing page is shown."""


def begin(gate: Gate, desk: Desk) -> Subject | None:
    """Go on with the open review, and with what was last shown if it still waits. Called in a thread.

    A review that came to its end is over once something new waits.
    """
    here = session.begin(gate).here
    if here == END and desk.queue:
        session.end(gate)
        session.begin(gate)
    return next((subject for subject in desk.queue if key(subject) == here), None)


def key(subject: Subject) -> str:
    """Such as `draft:launch-3`."""
    return f"{subject.kind}:{subject.id}"


class Place:
    """Notes what is shown, one write at a time: of what was shown meanwhile only the last is written."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._wanted: str | None = None
        self._noted: str | None = None
        self._writing = False

    async def note(self, here: str) -> None:
        self._wanted = here
        if self._writing:
            return
        self._writing = True
        try:
            while self._wanted != self._noted:
                self._noted = self._wanted
                await asyncio.to_thread(session.move, self._gate, self._noted)
        finally:
            self._writing = False

    def finish(self) -> None:
        """Write now what waits to be written."""
        if self._wanted is not None and self._wanted != self._noted:
            session.move(self._gate, self._wanted)
