"""The verbs of `dory-agent`, which `dory` has too: stage, propose, check, run, claim, finish.

Those that look are in `boot_verb`, those that write down what was said and done in `log_verbs`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Mapping

from dory_tui.cli.boot_verb import BOOT_VERBS, BY
from dory_tui.cli.common import UsageError, add_json, add_workspace, open_gate, read_input
from dory_tui.cli.log_verbs import LOG_VERBS, scores, wrote
from dory_tui.cli.printing import advise, say, say_error, say_json
from dory_tui.cli.search_verbs import SEARCH_VERBS
from dory_tui.gate import due, runner
from dory_tui.gate.rules import Exit
from dory_tui.gate.runner import Answer
from dory_tui.values import dataclass
from dory_tui.visible import Looking, visible
from dory_tui.workspace.promotions import AXES

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.cli.common import Handler


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its help, what adds its arguments, and what carries it out. An agent's verb has a manual besides."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    handler: Handler
    manual: bool = False


def _one_id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the draft's id")
    add_json(parser)


def _running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the draft's id")
    parser.add_argument("--due", action="store_true", help="start everything that is due, at most one per lane")
    parser.add_argument("--max", type=int, metavar="N", help="with --due: start at most N")
    parser.add_argument(
        "--refusal-exit", type=int, metavar="N", help="exit with N where nothing was started (for schedulers)"
    )
    add_json(parser)


def _staging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="a draft file in the workspace; else the draft comes by standard input")
    parser.add_argument("--id", help="its id, when its front matter has none")
    parser.add_argument("--title", help="its name in STAGING.md")
    add_json(parser)


def _proposing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="the Markdown to add; `-` or nothing reads standard input")
    parser.add_argument("--section", required=True, help='where in MEMORY.md, such as "## People"')
    parser.add_argument("--scores", required=True, metavar="L,R,I,U", help=f"four scores of 0 to 3: {', '.join(AXES)}")
    parser.add_argument("--source", default="", help="where it was learnt, such as memory/2026-02-07.md#L12")
    parser.add_argument("--replaces", metavar="LINE", help="the exact line of MEMORY.md that it supersedes")
    parser.add_argument("--id", help="its id, when the first words do not make a good one")
    add_json(parser)


def _finishing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the draft's id")
    parser.add_argument("outcome", choices=("ok", "failed"), help="what became of it")
    add_json(parser)


def _hooking(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "platform", help="claude-code, codex, cursor or openclaw, which sends the call by standard input"
    )


def _hook(options: argparse.Namespace) -> int:
    from dory_tui.agent.hooks.answer import main

    return main(options.platform, options.workspace)


def _answer(options: argparse.Namespace, found: Answer) -> int:
    """Print one answer: what it printed on standard output, the sentence on standard error."""
    if options.json:
        say_json(_as_json(found))
        return int(found.code)
    if found.output:
        sys.stdout.write(visible(found.output).text)
        if not found.output.endswith(b"\n"):
            sys.stdout.write("\n")
        sys.stdout.flush()
    say_error(f"{found.id}: {found.sentence}")
    return int(found.code)


def _as_json(found: Answer) -> dict[str, object]:
    return {
        "id": found.id, "code": int(found.code), "state": found.state, "sentence": found.sentence,
        "started": found.started, "output": found.output.decode("utf-8", "replace"),
    }  # fmt: skip


def _check(options: argparse.Namespace) -> int:
    found = runner.check(open_gate(options, BY), options.id)
    if options.json:
        say_json(_as_json(found))
    else:
        say(f"{found.id}: {'it would run now' if found.code == Exit.FINE else found.sentence}")
    return int(found.code)


def _run(options: argparse.Namespace) -> int:
    if options.due == (options.id is not None):
        raise UsageError("say `run ID`, such as `run post-3`, or `run --due`")
    if options.refusal_exit is not None and not 0 <= options.refusal_exit <= 255:
        raise UsageError("--refusal-exit takes an exit code of 0 to 255, such as --refusal-exit 0")
    if options.max is not None and (options.max < 1 or not options.due):
        raise UsageError("--max takes a number from 1 and goes with --due, such as `run --due --max 1`")
    gate = open_gate(options, BY)
    if not options.due:
        code = _answer(options, found := runner.run(gate, options.id))
        return code if found.started or options.refusal_exit is None else int(options.refusal_exit)
    answers = due.run_due(gate, options.max)
    if options.json:
        say_json([_as_json(found) for found in answers])
    else:
        for found in answers:
            _answer(options, found)
        if not answers:
            say_error("nothing is due")
    return _due_code(answers)


def _due_code(answers: list[Answer]) -> int:
    """0 unless something it started failed (1) or is unknown (5)."""
    started = [found.code for found in answers if found.started]
    if Exit.UNKNOWN in started:
        return int(Exit.UNKNOWN)
    return int(Exit.FAILED if Exit.FAILED in started else Exit.FINE)


def _claim(options: argparse.Namespace) -> int:
    found = runner.claim(open_gate(options, BY), options.id)
    # The body goes out exactly as it was approved, secrets too; at a terminal it is made visible first.
    if options.json or found.code != Exit.FINE:
        with Looking(reveal=True):
            return _answer(options, found)
    if sys.stdout.isatty():
        with Looking(reveal=True):
            sys.stdout.write(visible(found.output).text)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(found.output)
    say_error(f"{found.id}: {found.sentence}")
    return int(found.code)


def _finish(options: argparse.Namespace) -> int:
    return _answer(options, runner.finish(open_gate(options, BY), options.id, options.outcome == "ok"))


def _stage(options: argparse.Namespace) -> int:
    from dory_tui.agent.stage import StageError, stage, stage_file
    from dory_tui.config import load
    from dory_tui.workspace.timestamps import today

    gate = open_gate(options, BY)
    day = today(gate.clock(), load(gate.root).time_zone).isoformat()
    try:
        if options.file not in (None, "-"):
            if options.id:
                raise UsageError("a file's id is in its front matter or is its name: --id is for standard input")
            made = stage_file(gate, options.file, title=options.title, today=day)
        else:
            made = stage(gate, read_input(), identity=options.id, title=options.title, today=day)
    except StageError as error:
        raise UsageError(f"not staged: {error}") from error
    return wrote(options, made.sentence, id=made.id, path=made.path, digest=made.digest, fresh=made.fresh)


def _propose(options: argparse.Namespace) -> int:
    from dory_tui.agent.propose import ProposeError, propose

    given = options.text not in (None, "-")
    text = options.text.encode("utf-8", "surrogateescape") if given else read_input()
    try:
        made = propose(
            open_gate(options, BY), text, section=options.section, scores=scores(options.scores),
            identity=options.id, source=options.source, replaces=options.replaces,
        )  # fmt: skip
    except ProposeError as error:
        raise UsageError(f"not proposed: {error}") from error
    advise(text)
    total, promote = made.verdict.total, made.verdict.promote
    return wrote(options, made.sentence, id=made.id, path=made.path, total=total, promote=promote, fresh=made.fresh)


VERBS: Mapping[str, Verb] = {
    **{name: Verb(*parts, manual=True) for name, parts in {**BOOT_VERBS, **LOG_VERBS}.items()},
    "stage": Verb("put a draft before the human; it runs only after their yes", _staging, _stage, True),
    "propose": Verb("propose something for MEMORY.md, with four scores", _proposing, _propose, True),
    "check": Verb("would it run now? 0 yes, else the code and the reason that run would give", _one_id, _check, True),
    "run": Verb("run one approved draft, or whatever is due; each at most once", _running, _run, True),
    "claim": Verb("print the approved text of a draft without an action, once", _one_id, _claim, True),
    "finish": Verb("say what became of a text you claimed", _finishing, _finish, True),
    "hook": Verb("for a platform's settings: whether a tool call may go ahead", _hooking, _hook),
    **{name: Verb(*parts, manual=True) for name, parts in SEARCH_VERBS.items()},
}


def add_verbs(
    parser: argparse.ArgumentParser, verbs: Mapping[str, Verb], argv: list[str], *, required: bool = True,
    unlisted: Collection[str] = (),
) -> None:  # fmt: skip
    """Add the verbs' parsers; only the one that is called when it is known, since each costs start-up time.

    Verbs that are `unlisted` work and are left out of the help.
    """
    group = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", required=required)
    words = [word for before, word in zip(["", *argv], argv, strict=False) if before != "-C"]
    called = next((word for word in words if word in verbs), None)
    asked_for_help = not argv or argv[0] in ("-h", "--help")
    for name, verb in verbs.items():
        if called is None or asked_for_help or name == called:
            if name in unlisted:
                made = group.add_parser(name, description=verb.help)
            else:
                made = group.add_parser(name, help=verb.help, description=verb.help)
            if verb.manual and ("-h" in argv or "--help" in argv):
                _explain(made, name)
            add_workspace(made)
            verb.arguments(made)


def _explain(parser: argparse.ArgumentParser, name: str) -> None:
    """Give a verb's help its instructions."""
    from dory_tui.cli.agent_help import manual

    parser.description, parser.epilog = manual(name)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
