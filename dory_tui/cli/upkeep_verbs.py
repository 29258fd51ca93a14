"""The verbs of maintenance: memory audit and prune, archive, lint, upkeep. Thin: parse, call the review, print."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from dory_tui.cli.asking import ask, at_terminal
from dory_tui.cli.common import UsageError, add_json, add_workspace, open_gate
from dory_tui.cli.confirm import NoTerminalError
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit
from dory_tui.review.change import Done
from dory_tui.visible import cut

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.cli.common import Handler
    from dory_tui.memory.audit import Audited, Gap
    from dory_tui.review.auditing import Audit

_SHOWN = 90
_AT_A_TIME = 10


def masked(text: str) -> str:
    """Text that may hold a secret, as it may be shown."""
    from dory_tui.memory import secrets

    return secrets.masked(text)


def done(made: Done) -> int:
    """Say what was done, and what of it was not."""
    say(made.sentence + (f" · commit {made.commit}" if made.commit else ""))
    if made.postponed:
        say(f"not committed: {made.postponed}")
    for problem in made.problems:
        say_error(problem)
    return int(Exit.REFUSED if made.problems else Exit.FINE)


def _memory_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_subparsers(dest="what", metavar="audit|prune", required=True)
    looking = group.add_parser("audit", help="each entry with its age, size and last mention, the stale ones first")
    add_workspace(looking)
    add_json(looking)
    pruning = group.add_parser("prune", help="take entries out: shows the difference and asks, then one commit")
    add_workspace(pruning)
    pruning.add_argument("lines", nargs="+", metavar="LINE", help="a line of MEMORY.md, or a range such as 12-14")
    pruning.add_argument("--yes", action="store_true", help="do not ask")


def _archive_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would move, and move nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_json(parser)


def _lint_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Look for secrets, entries and logs that are too long, and a MEMORY.md that only grows. "
        "Exit code 0: nothing was found; 3: something was."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders of the workspace; else all of it")
    add_json(parser)


def _memory(options: argparse.Namespace) -> int:
    return _audit(options) if options.what == "audit" else _prune(options)


def _audit(options: argparse.Namespace) -> int:
    from dory_tui.memory.budget import meter
    from dory_tui.review.auditing import audit

    found = audit(open_gate(options, "dory"))
    if options.json:
        say_json(_audit_json(found))
        return int(Exit.FINE)
    origin = f" (from {found.cap_origin})" if found.cap_origin else ""
    say(f"MEMORY.md: {meter(found.size, found.cap)}{origin}, {len(found.lines)} entries, {len(found.stale)} stale")
    age = f"stale: older than {found.stale_days} days and not mentioned for as long"
    say(age + (f" (from {found.stale_origin})" if found.stale_origin else ""))
    if not found.dated:
        say("git has no history of MEMORY.md: ages are that of the file")
    for one in found.lines:
        say(_audit_line(one, found))
    for gap in found.gaps:
        if gap.compared:
            say(_gap(gap))
    if found.stale:
        say(f"to take them out: dory memory prune {' '.join(str(one.entry.first) for one in found.stale)}")
    return int(Exit.FINE)


def _audit_line(one: Audited, found: Audit) -> str:
    age, silent = one.age(found.today), one.silent(found.today)
    old = "age unknown" if age is None else f"{age} d old"
    spoken = "never mentioned" if silent is None else f"mentioned {silent} d ago"
    mark = "stale" if one.stale else "     "
    words = cut(masked(one.entry.words), _SHOWN)
    where = f"line {one.entry.first}"
    return f"{mark} {where:>9} · {old} · {spoken} · {one.size} bytes · {one.entry.section or 'no section'}: {words}"


def _gap(gap: Gap) -> str:
    mean = "as the agent gave it" if not gap.changed else f"on average {gap.mean:+.1f} against the agent's"
    return f"{gap.axis}: you changed {gap.changed} of {gap.compared} scores, {mean}"


def _audit_json(found: Audit) -> dict[str, object]:
    return {
        "size": found.size, "cap": found.cap, "cap_origin": found.cap_origin, "stale_days": found.stale_days,
        "stale_origin": found.stale_origin, "dated": found.dated,
        "entries": [
            {
                "line": one.entry.first, "last_line": one.entry.last, "section": one.entry.section,
                "words": masked(one.entry.words), "size": one.size, "stale": one.stale,
                "age_days": one.age(found.today),
                "since": one.since.isoformat() if one.since else None,
                "mention": None if one.mention is None else {
                    "day": one.mention.day.isoformat(), "path": one.mention.path, "line": one.mention.line,
                },
            }
            for one in found.lines
        ],
        "scores": [
            {"axis": gap.axis, "compared": gap.compared, "changed": gap.changed, "mean": gap.mean}
            for gap in found.gaps
        ],
    }  # fmt: skip


def _prune(options: argparse.Namespace) -> int:
    from dory_tui.diff import diff
    from dory_tui.memory.budget import cut_sentences
    from dory_tui.review.pruning import preview, prune
    from dory_tui.workspace.document import decode

    gate = open_gate(options, "dory")
    lines = _numbers(options.lines)
    would = preview(gate, lines)
    for hunk in diff(decode(would.before), decode(would.after), 1).hunks:
        for row in hunk.rows:
            mark = {"removed": "-", "added": "+"}.get(row.kind, " ")
            say(f"{mark} {row.old if row.old is not None else '':>4} {masked(row.text)}")
    say(f"{len(would.before):,} bytes become {len(would.after):,}")
    for sentence in cut_sentences(would.after):
        say(sentence)
    if not options.yes:
        if not at_terminal():
            raise NoTerminalError("without a terminal, `dory memory prune --yes` takes them out: nothing was pruned")
        if ask("Take them out?") != "y":
            say("nothing was pruned")
            return int(Exit.REFUSED)
    return done(prune(gate, would.digest, lines))


def _numbers(given: list[str]) -> list[int]:
    """Line numbers of `12`, `12-14` and `L12`."""
    found: list[int] = []
    for text in given:
        first, dash, last = text.replace("L", "").replace("l", "").partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(first + last) > 12:
            raise UsageError(
                f"{text!r} is no line: give numbers such as 12 or 12-14, as `dory memory audit` lists them"
            )
        stop = int(last) if dash else int(first)
        if not int(first) <= stop < int(first) + 10_000:
            raise UsageError(f"{text!r} is no range of lines: the first comes first")
        found.extend(range(int(first), stop + 1))
    return found


def _archive(options: argparse.Namespace) -> int:
    from dory_tui.review.archiving import archive, plan

    gate = open_gate(options, "dory")
    todo = plan(gate)
    if options.json and not options.yes:
        say_json({
            "moves": dict(todo.moves), "stays": dict(todo.stays), "decisions": todo.decisions, "recent": todo.recent,
            "unfinished": todo.unfinished,
        })  # fmt: skip
        return int(Exit.FINE)
    if not options.json:
        for old, new in todo.moves.items():
            say(f"{old} → {new}")
        for path, why in todo.stays.items():
            say(f"{path} stays: {why}")
        say(todo.sentence or ("an archiving was cut short" if todo.unfinished else "nothing is old enough"))
    if options.dry_run or not todo.due:
        return int(Exit.FINE)
    if not options.yes:
        if not at_terminal():
            say("nothing was moved: `dory archive --yes` moves it without asking")
            return int(Exit.FINE)
        if ask("Move them?") != "y":
            say("nothing was moved")
            return int(Exit.FINE)
    made = archive(gate)
    if options.json:
        say_json({"sentence": made.sentence, "commit": made.commit, "problems": list(made.problems)})
        return int(Exit.REFUSED if made.problems else Exit.FINE)
    return done(made)


def _lint(options: argparse.Namespace) -> int:
    from dory_tui.review.linting import lint

    found = lint(open_gate(options, "dory"), options.paths)
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


def _upkeep(options: argparse.Namespace) -> int:
    from dory_tui.review.desk import load
    from dory_tui.review.upkeep import due

    gate = open_gate(options, "dory")
    desk = load(gate)
    found = due(desk)
    if options.json:
        say_json([
            {"kind": one.kind, "sentence": one.sentence, "count": one.count, "does": one.does,
             "items": [masked(item) for item in one.items]}
            for one in found
        ])  # fmt: skip
        return int(Exit.FINE)
    if not found:
        say("nothing is due")
        return int(Exit.FINE)
    if at_terminal() and not options.list:
        from dory_tui.cli.walk import walk

        return walk(desk, found)
    for one in found:
        say(f"{one.sentence} (`{one.does}`)")
        for item in one.items[:_AT_A_TIME]:
            say(f"  {masked(item)}")
        if len(one.items) > _AT_A_TIME:
            say(f"  and {len(one.items) - _AT_A_TIME} more")
    return int(Exit.FINE)


def _upkeep_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="list what is due and ask nothing")
    add_json(parser)


UPKEEP_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "memory": ("look through MEMORY.md, and take out what is stale", _memory_options, _memory),
    "archive": ("move old logs, decisions and recent work to memory/archive/", _archive_options, _archive),
    "lint": ("look for secrets and for text too long to be read; exit 3 when something is found", _lint_options, _lint),
    "upkeep": ("walk through whatever is due", _upkeep_options, _upkeep),
}
