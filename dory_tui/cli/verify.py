"""`dory verify`: whether the records are as they were written."""

from __future__ import annotations

import argparse
from collections import Counter

from dory_tui.cli.common import open_gate
from dory_tui.cli.printing import say, say_json
from dory_tui.gate.rules import Exit
from dory_tui.review.verify import Report, verify

_SHOWN = 200
"""Findings that are printed; a ledger that was taken away whole has thousands, and JSON has them all."""


def check(given: argparse.Namespace) -> int:
    """0 when all is whole, 3 when something is wrong."""
    report = verify(open_gate(given, "dory"))
    if given.json:
        say_json(_as_json(report))
    else:
        _print(report)
    return int(Exit.FINE if report.whole else Exit.REFUSED)


def _as_json(report: Report) -> dict[str, object]:
    return {
        "whole": report.whole,
        "records": report.records,
        "journal_lines": report.lines,
        "findings": [
            {"kind": one.kind, "file": one.file, "wrong": one.wrong, "sentence": one.sentence}
            for one in report.findings
        ],
    }


def _print(report: Report) -> None:
    for one in report.findings[:_SHOWN]:
        say(f"{'wrong' if one.wrong else 'note '}  {one}")
    if len(report.findings) > _SHOWN:
        more = Counter(one.kind for one in report.findings[_SHOWN:])
        said = ", ".join(f"{count} × {kind}" for kind, count in sorted(more.items()))
        say(f"and more (`dory verify --json` has them all): {said}")
    looked = f"{report.records} records and {report.lines} journal lines"
    wrong = sum(one.wrong for one in report.findings)
    say(f"{looked}: {'all whole' if report.whole else f'{wrong} wrong'}")
