"""`boot` and `status`: what an agent looks at first. Thin: parse, look, print."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from dory_tui.cli.common import UsageError, add_json, open_gate, read_text
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.agent.boot import Look
    from dory_tui.cli.common import Handler

BY = "dory-agent"


def _booting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--context", action="store_true", help="print what you should know, not the line alone")
    parser.add_argument("--budget", type=int, metavar="N", help="with --context: at most N characters (8000)")
    parser.add_argument(
        "--verify", metavar="LINE", help="compare a boot line, or a message with one, with the truth; `-` reads it"
    )
    add_json(parser)


def _boot(options: argparse.Namespace) -> int:
    if options.verify is not None:
        if options.context or options.budget is not None:
            raise UsageError("--verify compares a line and prints no context: call boot twice")
        return _verify(options)
    if options.context:
        return _context(options)
    if options.budget is not None:
        raise UsageError("--budget goes with --context, such as `boot --context --budget 4000`")
    from dory_tui.agent.boot import look

    found = look(open_gate(options, BY))
    if options.json:
        say_json({"line": found.line, "problems": list(found.problems)})
    else:
        _say_line(found)
    return int(Exit.FINE)


def _say_line(found: Look) -> None:
    say(found.line)
    for problem in found.problems:
        say_error(problem)


def _context(options: argparse.Namespace) -> int:
    from dory_tui.agent.context import context, note_boot
    from dory_tui.agent.context_text import BUDGET, LEAST, as_json, text

    budget = BUDGET if options.budget is None else options.budget
    if budget < LEAST:
        raise UsageError(f"--budget takes a number of characters from {LEAST}, such as --budget {BUDGET}")
    gate = open_gate(options, BY)
    found = context(gate)
    shown = text(found, budget)
    if options.json:
        say_json(as_json(found, shown))
    else:
        say(shown.removesuffix("\n"))
    note_boot(gate)
    return int(Exit.FINE)


def _verify(options: argparse.Namespace) -> int:
    from dory_tui.agent.boot import look
    from dory_tui.workspace.boot import differences, find_boot_line

    given = read_text() if options.verify == "-" else options.verify
    if not given.strip():
        raise UsageError("--verify needs a boot line, such as the one that `dory-agent boot` prints")
    found = look(open_gate(options, BY))
    truth, said = find_boot_line(found.line), find_boot_line(given)
    assert truth is not None
    wrong = ("there is no boot line in it",) if said is None else differences(said, truth)
    if options.json:
        say_json({"same": not wrong, "differences": list(wrong), "line": found.line})
    elif wrong:
        say_error(f"the boot line does not say what is true: {'; '.join(wrong)}")
        say(found.line)
    else:
        say("the boot line says what is true")
    return int(Exit.REFUSED if wrong else Exit.FINE)


def _status(options: argparse.Namespace) -> int:
    from dory_tui.agent.boot import look

    found = look(open_gate(options, BY))
    if options.json:
        say_json(
            {
                "boot": found.line,
                "holds": [{"hold": h.text, "line": h.line, "present": h.present} for h in found.holds],
                "drafts": [
                    {"id": d.id, "state": s.state, "reason": s.reason, "code": int(s.code)} for d, s in found.drafts
                ],
                "problems": list(found.problems),
            }
        )
        return int(Exit.FINE)
    say(found.line)
    for draft, standing in found.drafts:
        say(f"{draft.id}: {standing.state}; {standing.reason}")
    for problem in found.problems:
        say_error(problem)
    return int(Exit.FINE)


BOOT_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "boot": ("print the boot line, or with --context all you should know: first, in every session", _booting, _boot),
    "status": ("list every draft with its state and the reason", add_json, _status),
}
