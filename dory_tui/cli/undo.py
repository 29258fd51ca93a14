"""`dory undo`: what it would take back, the question, and the answer."""

from __future__ import annotations

import argparse

from dory_tui.cli.asking import answer, at_terminal
from dory_tui.cli.confirm import NoTerminalError, confirm
from dory_tui.cli.printing import say
from dory_tui.gate.survey import Gate
from dory_tui.review import undo
from dory_tui.review.change import Done
from dory_tui.review.putting_back import SpanChangedError
from dory_tui.review.session import Decided
from dory_tui.workspace.timestamps import age


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask")


def take_back(gate: Gate, *, sure: bool) -> Done | None:
    """Undo the last decision, after asking; None when the answer was no."""
    last = undo.undoable(gate)
    if last is None:
        return undo.undo(gate)  # which says why there is nothing
    span = age(gate.clock() - last.when)
    say(f"the last decision, {'just now' if span == 'now' else f'{span} ago'}: {last.sentence}")
    reason = undo.obstacle(gate, last)
    if reason is None and not _agreed(last, sure):
        return None
    try:
        return undo.undo(gate, expected=last)
    except SpanChangedError as error:
        for line in error.lines:
            say(line)
        raise


def _agreed(last: Decided, sure: bool) -> bool:
    if last.decision == undo.HELD:
        return confirm("lift this hold")  # as `dory lift` asks: --yes from no terminal lifts nothing
    return sure or _yes_or_no()


def _yes_or_no() -> bool:
    if not at_terminal():
        raise NoTerminalError("without a terminal, `dory undo --yes` takes it back: nothing was undone")
    if (answer("Take it back? y or n, and Enter: ") or "").casefold() in ("y", "yes"):
        return True
    say("nothing was undone")
    return False
