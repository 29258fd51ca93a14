"""The verbs of maintenance: archive, lint, upkeep, and those of memory. Thin: parse, call the review, print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from dory_tui.cli import memory_verbs
from dory_tui.cli.asking import ask, at_terminal
from dory_tui.cli.common import add_json, open_gate
from dory_tui.cli.confirm import NoTerminalError
from dory_tui.cli.outcome import done
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.cli.common import Handler

_AT_A_TIME = 10
_NOT_DUE = "nothing is old enough"
_LONG = 2.0
"""Seconds after which it is said what takes so long."""
_FIRST = "reading the rules by which secrets are found; the first time takes some seconds"
_ALONE = "only the forms that dory knows itself were looked for"


def _archive_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would move, and move nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_json(parser)


def _lint_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Look for secrets, entries and logs that are too long, a MEMORY.md that only grows, and files that cannot be "
        "read. "
        "Exit code 0: nothing was found; 3: something was."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders of the workspace; else all of it")
    add_json(parser)


def _archive(options: argparse.Namespace) -> int:
    from dory_tui.cli.opening import opened
    from dory_tui.review.archiving import archive, plan

    lists = options.dry_run or (options.json and not options.yes)
    gate = open_gate(options, "dory") if lists else opened(options)
    todo = plan(gate)
    if options.json and lists:
        say_json({
            "moves": dict(todo.moves), "stays": dict(todo.stays), "decisions": todo.decisions, "recent": todo.recent,
            "unfinished": todo.unfinished,
        })  # fmt: skip
    elif options.json and not todo.due:
        say_json({"sentence": _NOT_DUE, "commit": None, "problems": []})
    elif not options.json:
        for old, new in todo.moves.items():
            say(f"{old} → {new}")
        for path, why in todo.stays.items():
            say(f"{path} stays: {why}")
        say(todo.sentence or ("an archiving was cut short" if todo.unfinished else _NOT_DUE))
    if lists or not todo.due:
        return int(Exit.FINE)
    if not options.yes:
        if not at_terminal():
            raise NoTerminalError("without a terminal, `dory archive --yes` moves them: nothing was moved")
        if ask("Move them?") != "y":
            say("nothing was moved")
            return int(Exit.REFUSED)
    made = archive(gate)
    if options.json:
        say_json({"sentence": made.sentence, "commit": made.commit, "problems": list(made.problems)})
        return int(Exit.REFUSED if made.problems else Exit.FINE)
    return done(made)


def _lint(options: argparse.Namespace) -> int:
    from dory_tui.review.linting import detector, lint

    with _patience():
        found = lint(open_gate(options, "dory"), options.paths)
    if (problem := detector().problem) is not None:
        say_error(f"{problem}: {_ALONE}")
    if options.json:
        say_json([
            {"kind": one.kind, "path": one.path, "line": one.line, "sentence": one.sentence, "advice": one.advice}
            for one in found
        ])  # fmt: skip
    else:
        for one in found:
            say(str(one))
        if not found:
            say("nothing to see to")
    return int(Exit.REFUSED if found else Exit.FINE)


@contextmanager
def _patience() -> Iterator[None]:
    """Say at a terminal what takes so long, when it does."""
    import threading

    timer = threading.Timer(_LONG, say_error, [_FIRST])
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _upkeep(options: argparse.Namespace) -> int:
    from dory_tui.cli.opening import opened
    from dory_tui.review.desk import load
    from dory_tui.review.upkeep import due

    walks = at_terminal() and not (options.list or options.json)
    desk = load(opened(options) if walks else open_gate(options, "dory"))
    with _patience():
        found = due(desk)
    if options.json:
        say_json([
            {"kind": one.kind, "sentence": one.sentence, "count": one.count, "does": one.does,
             "items": list(one.items)}
            for one in found
        ])  # fmt: skip
        return int(Exit.FINE)
    if not found:
        say("nothing is due")
        return int(Exit.FINE)
    if walks:
        from dory_tui.cli.walk import walk

        return walk(desk, found)
    for one in found:
        say(f"{one.sentence} (`{one.does}`)")
        for item in one.items[:_AT_A_TIME]:
            say(f"  {item}")
        if len(one.items) > _AT_A_TIME:
            say(f"  and {len(one.items) - _AT_A_TIME} more")
    return int(Exit.FINE)


def _upkeep_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="list what is due and ask nothing")
    add_json(parser)


UPKEEP_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "memory": (
        "what is to be remembered: review candidates, promote, score; audit MEMORY.md, and prune it",
        memory_verbs.options,
        memory_verbs.memory,
    ),
    "archive": ("move old logs, decisions and recent work to memory/archive/", _archive_options, _archive),
    "lint": ("look for secrets and for text too long to be read; exit 3 when something is found", _lint_options, _lint),
    "upkeep": ("walk through whatever is due", _upkeep_options, _upkeep),
}
