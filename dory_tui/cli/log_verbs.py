"""The verbs that write down: capture, finish-task, log, remember, kept, hold, decide. Thin: parse, call, print."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from dory_tui.cli.boot_verb import BY
from dory_tui.cli.common import UsageError, add_json, open_gate, read_input, read_text
from dory_tui.cli.printing import advise, say, say_json
from dory_tui.gate.rules import Exit
from dory_tui.workspace.promotions import AXES

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.agent.lines import Added
    from dory_tui.cli.common import Handler

KINDS = ("task", "decision", "bug", "fact", "promise")


def scores(text: str, name: str = "--scores") -> dict[str, int]:
    """The four scores of `3,2,2,1`. UsageError, with the option's name, when they are not four numbers of 0 to 3."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(AXES) or any(part not in ("0", "1", "2", "3") for part in parts):
        raise UsageError(f"{name} takes four numbers of 0 to 3, such as 3,2,2,1: {', '.join(AXES)}")
    return dict(zip(AXES, map(int, parts), strict=True))


def words(given: list[str]) -> str:
    """The arguments joined by a space; standard input for none or `-`."""
    return " ".join(given) if given not in ([], ["-"]) else read_text()


def _exact(given: str | None) -> bytes:
    """An argument's bytes, else standard input without the one line end that ends its last line."""
    if given not in (None, "-"):
        return str(given).encode("utf-8", "surrogateescape")
    data = read_input()
    return data[: -2 if data.endswith(b"\r\n") else -1] if data.endswith((b"\n", b"\r")) else data


def add_text(parser: argparse.ArgumentParser, what: str) -> None:
    """The words of a verb, as arguments or by standard input, and `--json`."""
    parser.add_argument("text", nargs="*", metavar="TEXT", help=f"{what}; `-` or nothing reads standard input")
    add_json(parser)


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", default="agent", metavar="NAME", help="the session it is signed with (agent)")


def _capturing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="?", help="the user's words; `-` or nothing reads standard input")
    parser.add_argument("--interpretation", default="", metavar="TEXT", help="what you take them to mean, in one line")
    parser.add_argument("--step", action="append", default=[], metavar="TEXT", help="a step to do; may be repeated")
    parser.add_argument("--replace", action="store_true", help="move a task that is not finished to the log first")
    add_json(parser)


def _finishing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--outcome", default="", metavar="TEXT", help="what came of it, such as a commit; `-` reads it")
    add_json(parser)


def _logging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", required=True, choices=KINDS, help="which heading of the day's log it goes under")
    add_text(parser, "what happened")


def _remembering(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--section", help='propose it for MEMORY.md too, in a section such as "## People"')
    parser.add_argument("--scores", metavar="L,R,I,U", help=f"with --section, four scores of 0 to 3: {', '.join(AXES)}")
    add_text(parser, "what to remember")


def _keeping(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "promise", nargs="*", help="its handle in the list, or words of it; `-` reads them; nothing lists what is open"
    )
    add_json(parser)


def _holding(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    add_text(parser, "what must wait, as `Item — reason`")


def _deciding(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    add_text(parser, "what was chosen and why, as `Item — reason`")


def _capture(options: argparse.Namespace) -> int:
    from dory_tui.agent.task import capture

    exact = _exact(options.words)
    made = capture(
        open_gate(options, BY), exact, interpretation=options.interpretation, steps=options.step,
        instead=options.replace,
    )  # fmt: skip
    advise(exact)
    return wrote(options, made.sentence, path=made.path, digest=made.digest, fresh=made.fresh)


def _finish(options: argparse.Namespace) -> int:
    from dory_tui.agent.task import finish_task

    outcome = read_text() if options.outcome == "-" else options.outcome
    made = finish_task(open_gate(options, BY), outcome)
    return wrote(options, made.sentence, path=made.path, fresh=made.fresh)


def _log(options: argparse.Namespace) -> int:
    from dory_tui.agent.log import log

    text = words(options.text)
    made = log(open_gate(options, BY), options.kind, text)
    advise(text)
    return wrote(options, made.sentence, path=made.path, line=made.line, fresh=made.fresh)


def _remember(options: argparse.Namespace) -> int:
    from dory_tui.agent.log import remember, remember_for_good

    if (options.section is None) != (options.scores is None):
        raise UsageError("to propose it for MEMORY.md give both --section and --scores; without them it is logged")
    gate, text = open_gate(options, BY), words(options.text)
    if options.section is None:
        made, proposed = remember(gate, text), None
    else:
        made, proposed = remember_for_good(gate, text, options.section, scores(options.scores))
    advise(text)
    found = None
    if proposed is not None:
        found = {"id": proposed.id, "path": proposed.path, "total": proposed.verdict.total, "fresh": proposed.fresh}
    sentences = [made.sentence, *([proposed.sentence] if proposed else [])]
    return wrote(options, "\n".join(sentences), path=made.path, line=made.line, fresh=made.fresh, proposed=found)


def _kept(options: argparse.Namespace) -> int:
    from dory_tui.agent.log import kept, promises
    from dory_tui.workspace.promises import age_of, handle

    gate = open_gate(options, BY)
    if options.promise:
        made = kept(gate, words(options.promise))
        path, line = made.promise.path, made.promise.line
        return wrote(options, made.sentence, path=path, line=line, fresh=made.fresh)
    found = promises(gate)
    if options.json:
        say_json(
            [
                {"handle": handle(one), "text": one.text, "path": one.path, "line": one.line, "days": days}
                for one, days in found
            ]
        )
        return int(Exit.FINE)
    for one, days in found:
        say(f"{handle(one)}  {one.text} ({age_of(days)}, {one.path} line {one.line})")
    if not found:
        say("no promise is open")
    return int(Exit.FINE)


def _hold(options: argparse.Namespace) -> int:
    from dory_tui.agent.lines import hold

    return _added(options, hold(open_gate(options, BY), words(options.text), options.session))


def _decide(options: argparse.Namespace) -> int:
    from dory_tui.agent.lines import decide

    return _added(options, decide(open_gate(options, BY), words(options.text), options.session))


def _added(options: argparse.Namespace, made: Added) -> int:
    return wrote(options, made.sentence, path=made.path, line=made.line, fresh=made.fresh)


def wrote(options: argparse.Namespace, sentence: str, **facts: object) -> int:
    """Say what was written and where; with `--json` the facts besides."""
    if options.json:
        say_json({**facts, "sentence": sentence})
    else:
        say(sentence)
    return int(Exit.FINE)


LOG_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "capture": ("write the user's exact words into ACTIVE.md, before you interpret them", _capturing, _capture),
    "finish-task": ("move the task to today's log when it is done, and leave ACTIVE.md idle", _finishing, _finish),
    "log": ("write one line into today's log, right after the action", _logging, _log),
    "remember": ("told to remember something: write it down now; with scores, propose it too", _remembering, _remember),
    "kept": ("list the promises that are open, or tick the one you kept", _keeping, _kept),
    "hold": ("told to wait or to stop: write a hold at once; only a human lifts it", _holding, _hold),
    "decide": ("write a choice of yours and its reason into DECISIONS.md", _deciding, _decide),
}
