"""`dory moved` and `dory copied`: what a human says of a workspace whose id is at another path too."""

from __future__ import annotations

import argparse

from dory_tui.cli.common import open_gate
from dory_tui.cli.confirm import confirm
from dory_tui.cli.printing import say
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review import place
from dory_tui.visible import visible_line


def moved(options: argparse.Namespace) -> int:
    """This path is the workspace now; the other one will have to say what it is."""
    return _say(open_gate(options, "dory"), "say that the workspace is here now", place.moved)


def copied(options: argparse.Namespace) -> int:
    """This is a copy, and becomes a workspace of its own."""
    return _say(open_gate(options, "dory"), "make this copy a workspace of its own", place.copied)


def _say(gate: Gate, what: str, work: place.Work) -> int:
    other = place.other(gate)
    say(f"this workspace: {visible_line(str(gate.root))}")
    say(f"the same id at: {visible_line(other)}")
    if not confirm(what):
        return int(Exit.REFUSED)
    say(visible_line(work(gate)))
    return int(Exit.FINE)
