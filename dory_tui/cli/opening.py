"""Opening a workspace to decide something in it: what a crash left undone is finished first (workspace.md, "History").

The human's verbs alone: `dory-agent` reaches nothing of this.
"""

from __future__ import annotations

import argparse

from dory_tui.cli.common import open_gate
from dory_tui.cli.printing import say, say_error
from dory_tui.gate.survey import Gate
from dory_tui.review.finish import finish


def opened(options: argparse.Namespace) -> Gate:
    """The workspace that the options name, with nothing in it that was cut short."""
    gate = open_gate(options, "dory")
    finished(gate, aside=getattr(options, "json", False))
    return gate


def finished(gate: Gate, *, aside: bool = False) -> None:
    """Finish what was cut short and say so, or with `aside` on standard error, where JSON goes to the other."""
    for sentence in finish(gate):
        (say_error if aside else say)(sentence)
