"""One id at two paths: the human says which of the two this one is (gate.md, "Workspace id")."""

from __future__ import annotations

from collections.abc import Callable

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review.change import DecisionError
from dory_tui.workspace import layout
from dory_tui.workspace.document import locked

Work = Callable[[Gate], str]


def other(gate: Gate) -> str:
    """The path at which this workspace's id was seen first. DecisionError when it is nowhere else."""
    found = gate.twin()
    if found is None:
        raise DecisionError(Exit.REFUSED, "this workspace's id is at no earlier path: there is nothing to say")
    return found


def moved(gate: Gate) -> str:
    """This path is the workspace: the other one has to say what it is before anything runs there."""
    gone = other(gate)
    try:
        layout.moved(gate.root, gate.state_home, gate.identity)
    except OSError as error:
        raise DecisionError(Exit.REFUSED, f"that cannot be noted ({error.strerror}): nothing was decided") from error
    return f"the workspace is at {gate.root} now, and no longer at {gone}: what was approved there needs a fresh yes"


def copied(gate: Gate) -> str:
    """This copy gets an id of its own. No yes goes along; every no that its mirror has still counts."""
    other(gate)
    try:
        with locked(gate.root):
            layout.copied(gate.root, gate.state_home, gate.identity)
    except OSError as error:
        raise DecisionError(
            Exit.REFUSED, f"the copy's id cannot be written ({error.strerror}): nothing was decided"
        ) from error
    return "this copy is a workspace of its own now: every yes must be given anew, and every no still counts"
