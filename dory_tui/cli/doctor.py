"""`dory doctor`: every area in a line or more, the bad ones with what to do."""

from __future__ import annotations

import argparse

from dory_tui.cli.common import open_gate
from dory_tui.cli.printing import say, say_json
from dory_tui.gate.rules import Exit
from dory_tui.visible import visible_line

_WIDE = {"wrong": "WRONG", "warning": "warn ", "note": "note ", "ok": "ok   "}


def examine(options: argparse.Namespace) -> int:
    """0 when nothing is wrong or soon will be, 3 when something is."""
    from dory_tui.agent.hooks.checkup import checkup
    from dory_tui.review.doctor import Finding, doctor

    gate = open_gate(options, "dory")
    platforms = checkup(gate.root, gate.environment)
    found = [*doctor(gate), *(Finding("platforms", *told) for told in platforms)]
    bad = [one for one in found if not one.fine]
    if options.json:
        say_json([
            {"area": one.area, "level": one.level, "sentence": one.sentence, "advice": one.advice} for one in found
        ])  # fmt: skip
        return int(Exit.REFUSED if bad else Exit.FINE)
    wide = max(len(one.area) for one in found)
    for one in found:
        say(f"{_WIDE[one.level]}  {one.area:<{wide}}  {visible_line(one.sentence)}")
        if one.advice:
            say(f"{'':5}  {'':<{wide}}  → {visible_line(one.advice)}")
    wrong = sum(one.level == "wrong" for one in found)
    count = len(bad)
    if not count:
        say("nothing to see to")
    else:
        say(f"{count} {'thing' if count == 1 else 'things'} to see to, {wrong} of them wrong")
    return int(Exit.REFUSED if bad else Exit.FINE)
