"""`dory memory review|promote|score|prune|audit`. Thin: parse, call the review, print."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from dory_tui.cli.asking import ask, at_terminal
from dory_tui.cli.common import UsageError, add_json, add_workspace, open_gate
from dory_tui.cli.confirm import NoTerminalError
from dory_tui.cli.outcome import done
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit
from dory_tui.visible import cut, visible_line
from dory_tui.workspace.promotions import AXES

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.cli.common import Handler
    from dory_tui.memory.audit import Audited, Gap
    from dory_tui.review.auditing import Audit

_SHOWN = 90


def options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_subparsers(dest="what", metavar="review|promote|score|prune|audit", required=True)
    walking = group.add_parser("review", help="go through the candidates, one after the other")
    add_workspace(walking)
    add_json(walking)
    promoting = group.add_parser("promote", help="write a candidate into MEMORY.md: shows the diff and asks for a code")
    add_workspace(promoting)
    promoting.add_argument("id", nargs="?", metavar="ID", help="the candidate's id")
    promoting.add_argument("--all", action="store_true", help="every candidate that earns its place, listed first")
    promoting.add_argument("--create", action="store_true", help="add its section when MEMORY.md has none like it")
    promoting.add_argument(
        "--replace-line", type=int, metavar="N", help="which line it replaces, where that is unclear; 0: none"
    )
    promoting.add_argument("--yes", action="store_true", help=argparse.SUPPRESS)
    scoring = group.add_parser("score", help="your scores in place of the agent's")
    add_workspace(scoring)
    scoring.add_argument("id", metavar="ID", help="the candidate's id")
    scoring.add_argument("scores", metavar="L,R,I,U", help=f"four scores of 0 to 3: {', '.join(AXES)}")
    pruning = group.add_parser("prune", help="take entries out: shows the difference and asks, then one commit")
    add_workspace(pruning)
    pruning.add_argument("lines", nargs="+", metavar="LINE", help="a line of MEMORY.md, or a range such as 12-14")
    pruning.add_argument("--yes", action="store_true", help="do not ask")
    looking = group.add_parser("audit", help="each entry with its age, size and last mention, the stale ones first")
    add_workspace(looking)
    add_json(looking)


def memory(given: argparse.Namespace) -> int:
    ways: Mapping[str, Handler] = {
        "review": _review, "promote": _promote, "score": _score, "prune": _prune, "audit": _audit,
    }  # fmt: skip
    return ways[given.what](given)


def _promote(given: argparse.Namespace) -> int:
    from dory_tui.cli.memory_promote import promote

    return promote(given)


def _score(given: argparse.Namespace) -> int:
    from dory_tui.cli.memory_promote import score

    return score(given)


def _review(given: argparse.Namespace) -> int:
    from dory_tui.cli.memory_show import candidate_json
    from dory_tui.cli.memory_walk import walk
    from dory_tui.cli.opening import opened
    from dory_tui.review.desk import load
    from dory_tui.review.show import candidate_line

    if given.json or not at_terminal():
        desk = load(open_gate(given, "dory"))
        if given.json:
            say_json([candidate_json(desk, one) for one in desk.memories])
            return int(Exit.FINE)
        for one in desk.memories:
            say(candidate_line(one))
        if not desk.memories:
            say("no memory waits")
        say_error("dory memory review: going through them needs a terminal; --json lists all that is known of them")
        return int(Exit.USAGE)
    return walk(opened(given))


def _audit(given: argparse.Namespace) -> int:
    from dory_tui.memory.budget import meter
    from dory_tui.review.auditing import audit

    found = audit(open_gate(given, "dory"))
    if given.json:
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
    words = cut(visible_line(one.entry.words), _SHOWN)
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
                "words": one.entry.words, "size": one.size, "stale": one.stale,
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


def _prune(given: argparse.Namespace) -> int:
    from dory_tui.cli.memory_show import say_diff
    from dory_tui.cli.opening import opened
    from dory_tui.memory.budget import cut_sentences
    from dory_tui.review.pruning import preview, prune

    lines = _numbers(given.lines)
    gate = opened(given)
    would = preview(gate, lines)
    say_diff(would.before, would.after)
    say(f"{len(would.before):,} bytes become {len(would.after):,}")
    for sentence in cut_sentences(would.after):
        say(sentence)
    if not given.yes:
        if not at_terminal():
            raise NoTerminalError("without a terminal, `dory memory prune --yes` takes them out: nothing was pruned")
        if ask("Take them out?") != "y":
            say("nothing was pruned")
            return int(Exit.REFUSED)
    return done(prune(gate, would.digest, lines))


def _numbers(words: list[str]) -> list[int]:
    """Line numbers of `12`, `12-14` and `L12`."""
    found: list[int] = []
    for text in words:
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
