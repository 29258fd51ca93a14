"""The screen steps aside for a piece of work that asks something at the terminal itself: a passphrase, a touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App, SuspendNotSupported

from dory_tui.gate.survey import Gate
from dory_tui.tui import signals
from dory_tui.tui.verbs import Work
from dory_tui.visible import visible_line

if TYPE_CHECKING:
    from dory_tui.review.change import Done


def aside(app: App[object], work: Work, about: str) -> Work:
    """The same work with the terminal given to it. It is carried out in a thread, as every decision is."""

    def at_the_terminal(gate: Gate) -> Done | None:
        outcome: list[Done | Exception | None] = []

        def give() -> None:
            try:
                with app.suspend():
                    signals.remove()
                    print(f"dory: signing the yes to {visible_line(about)}", flush=True)
                    outcome.append(_kept(work, gate))
                    signals.install(lambda code: app.exit(return_code=code))
            except SuspendNotSupported:
                outcome.append(_kept(work, gate))

        app.call_from_thread(give)
        found = outcome[0]
        if isinstance(found, Exception):
            raise found
        return found

    return at_the_terminal


def _kept(work: Work, gate: Gate) -> Done | Exception | None:
    """What a piece of work gives, its error too: nothing may be raised while the terminal is given away."""
    try:
        return work(gate)
    except Exception as error:
        return error
