"""`dory`: the human's command. Thin: parse, call the review, print."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping

from dory_tui.cli.agent_verbs import VERBS as AGENT_VERBS
from dory_tui.cli.agent_verbs import Verb, add_verbs
from dory_tui.cli.asking import at_terminal
from dory_tui.cli.common import UsageError, add_json, base_parser, dispatch, open_gate
from dory_tui.cli.confirm import confirm
from dory_tui.cli.log_verbs import add_text, words
from dory_tui.cli.looking import diff, diff_options, history, history_options
from dory_tui.cli.opening import opened
from dory_tui.cli.outcome import decided
from dory_tui.cli.place import copied, moved
from dory_tui.cli.printing import say, say_error, say_json, say_masked
from dory_tui.cli.search_verbs import INDEX_VERBS
from dory_tui.cli.undo import options as undo_options
from dory_tui.cli.undo import take_back
from dory_tui.cli.upkeep_verbs import UPKEEP_VERBS
from dory_tui.config import ConfigError
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.review import decide
from dory_tui.review.change import DecisionError
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Staged
from dory_tui.visible import Looking
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.timestamps import parse_duration

DESCRIPTION = """\
The human's side of an agent's memory: review what your agent wants to do and
to remember. Without a verb it opens the review. Nothing an agent staged runs
without your yes to exactly those bytes.

  the first time    demo, an example workspace to try everything out
                    init --for PLATFORM, your own; then hooks install
  every morning     dory alone: the review; ? there lists its keys
  one at a time     status, show; then approve, reject, changes, revoke,
                    hold, lift, override, resolve, undo
  what happened     history, diff, search, verify
  once a week       upkeep, a walk through whatever is due; memory review,
                    promote, prune, audit; archive; lint
  if in doubt       doctor

The agent has a command of its own, `dory-agent`, which cannot say yes. Its
verbs work here too: `dory-agent --help`.

exit codes: 0 fine · 1 what started failed · 2 bad input · 3 refused, or
something to see to · 4 already claimed · 5 the outcome is unknown · 6 held ·
75 not yet"""

OpenScreen = Callable[[Gate], int]


def _nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the draft's id")


def _reveal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reveal", action="store_true", help="show secrets as they stand, and not masked")


def _id_reveal(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    _reveal(parser)


def _id_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the id of a draft or of a memory candidate")
    _reveal(parser)
    add_json(parser)


def _id_note(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("--note", default="", help="what the agent should know")


def _id_changes(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("--note", required=True, help="what should change")


def _initing(parser: argparse.ArgumentParser) -> None:
    from dory_tui.review.platforms import PLATFORMS

    parser.add_argument(
        "--for",
        dest="platform",
        choices=tuple(PLATFORMS),
        help="put skill and rules where this platform looks; for openclaw in its own workspace, unless -C names one",
    )
    add_json(parser)


def _hold_text(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what is held, such as: X thread tweets 2-7 — awaiting approval")


def _hold_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hold", help="the hold's handle, as `dory status` shows it, or words of it")


def _hold_and_id(parser: argparse.ArgumentParser) -> None:
    _hold_name(parser)
    _id_reveal(parser)


def _outcome(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("outcome", choices=("happened", "not-happened"))


def _max_age(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-age", metavar="AGE", help="exit 1 when something has waited longer, such as 12h or 2d")
    add_json(parser)


def _status(options: argparse.Namespace) -> int:
    from dory_tui.review.show import overdue, status

    limit = None
    if options.max_age is not None:
        try:
            limit = parse_duration(options.max_age)
        except ValueError as error:
            raise UsageError(f"--max-age: {error}") from error
    desk = load(open_gate(options, "dory"))
    if options.json:
        say_json(_desk_json(desk))
    else:
        say(status(desk))
    return int(Exit.FAILED if limit is not None and overdue(desk, limit) else Exit.FINE)


def _desk_json(desk: Desk) -> dict[str, object]:
    return {
        "boot": desk.boot,
        "holds": [
            {"handle": v.hold.handle, "hold": v.hold.text, "covers": list(v.covers), "present": v.hold.present}
            for v in desk.holds
        ],
        "drafts": [
            {
                "id": i.draft.id, "title": i.title, "state": i.standing.state, "held": i.held,
                "reason": i.standing.reason, "digest": i.draft.digest, "path": i.draft.path,
            }
            for i in desk.staged
        ],
        "memories": [
            {"id": c.promotion.id, "total": c.verdict.total if c.verdict else None,
             "promote": c.verdict.promote if c.verdict else None, "path": c.promotion.path}
            for c in desk.memories
        ],
        "last_look": desk.last_look.isoformat() if desk.last_look else None,
        "problems": [str(problem) for problem in desk.problems],
    }  # fmt: skip


def _show(options: argparse.Namespace) -> int:
    from dory_tui.cli.showing import show_candidate
    from dory_tui.review.show import show_draft

    desk = load(open_gate(options, "dory"))
    item, candidate = desk.staged_by_id(options.id), desk.candidate_by_id(options.id)
    if item is None and candidate is None:
        raise UsageError(f"there is no draft and no candidate {options.id!r}")
    with Looking(reveal=options.reveal) as look:
        texts = [show_draft(desk, item)] if item else []
        texts += [show_candidate(desk, candidate)] if candidate else []
        if options.json:
            say_json({"id": options.id, "text": "\n\n".join(texts), "masked": look.masked})
        else:
            say("\n\n".join(texts))
            say_masked(look)
    return int(Exit.FINE)


def _draft(options: argparse.Namespace) -> tuple[Gate, Desk, Staged]:
    """The draft a decision is about. What a crash left undone is finished first."""
    gate = opened(options)
    desk = load(gate)
    item = desk.staged_by_id(options.id)
    if item is None:
        raise UsageError(f"there is no draft {options.id!r}: `dory status` lists them")
    return gate, desk, item


def _approve(options: argparse.Namespace) -> int:
    from dory_tui.cli.showing import shown_whole

    gate, desk, item = _draft(options)
    if not item.standing.can_approve:
        raise DecisionError(item.standing.code or Exit.REFUSED, f"{item.draft.id}: {item.standing.reason}")
    looked, unseen = shown_whole(desk, item, reveal=options.reveal)
    if item.held:
        say("\nit stays held until the hold is lifted, or overridden with `dory override HOLD ID`")
    if not confirm(f"approve {item.draft.id}{unseen}"):
        return int(Exit.REFUSED)
    made = decide.approve(gate, item.draft.id, item.draft.digest, fingerprint=looked.fingerprint, at_terminal=True)
    return decided(made)


def _override(options: argparse.Namespace) -> int:
    from dory_tui.cli.showing import shown_whole

    gate, desk, item = _draft(options)
    hold = decide.find_hold(gate, options.hold)
    if hold.hash not in {held.hash for held in item.standing.held_by}:
        raise DecisionError(Exit.REFUSED, f"that hold does not hold {item.draft.id}")
    looked, unseen = shown_whole(desk, item, reveal=options.reveal)
    say(f"\nthis goes over the hold “{hold.text}”, for these bytes alone")
    if not confirm(f"approve {item.draft.id} over that hold{unseen}"):
        return int(Exit.REFUSED)
    made = decide.approve(
        gate, item.draft.id, item.draft.digest, [hold.hash], fingerprint=looked.fingerprint, at_terminal=True
    )
    return decided(made)


def _reject(options: argparse.Namespace) -> int:
    gate, _, item = _draft(options)
    return decided(decide.reject(gate, item.draft.id, item.draft.digest, options.note))


def _changes(options: argparse.Namespace) -> int:
    gate, _, item = _draft(options)
    return decided(decide.request_changes(gate, item.draft.id, item.draft.digest, options.note))


def _revoke(options: argparse.Namespace) -> int:
    gate, _, item = _draft(options)
    return decided(decide.revoke(gate, item.draft.id, item.draft.digest))


def _hold(options: argparse.Namespace) -> int:
    return decided(decide.add_hold(open_gate(options, "dory"), words(options.text)), as_json=options.json)


def _lift(options: argparse.Namespace) -> int:
    gate = opened(options)
    hold = decide.find_hold(gate, options.hold)
    desk = load(gate)
    view = next((one for one in desk.holds if one.hold.hash == hold.hash), None)
    say(hold.text)
    covered = ", ".join(view.covers) if view and view.covers else "no draft"
    say(f"covers {'everything' if hold.everything else covered}")
    if not confirm("lift this hold"):
        return int(Exit.REFUSED)
    return decided(decide.lift(gate, hold.hash))


def _resolve(options: argparse.Namespace) -> int:
    from dory_tui.review.show import show_draft

    gate, desk, item = _draft(options)
    happened = options.outcome == "happened"
    if item.standing.state != "unknown":
        raise DecisionError(item.standing.code or Exit.REFUSED, f"nothing to resolve: {item.standing.reason}")
    say(show_draft(desk, item))
    if not confirm(f"say that it {'happened' if happened else 'did not happen'}"):
        return int(Exit.REFUSED)
    return decided(decide.resolve(gate, item.draft.id, happened))


def _undo(options: argparse.Namespace) -> int:
    made = take_back(opened(options), sure=options.yes)
    return int(Exit.REFUSED) if made is None else decided(made)


def _init(options: argparse.Namespace) -> int:
    from dory_tui.cli.init_verb import init

    return init(options)


def _verify(options: argparse.Namespace) -> int:
    from dory_tui.cli.verify import check

    return check(options)


def _doctor(options: argparse.Namespace) -> int:
    from dory_tui.cli.doctor import examine

    return examine(options)


def _key_options(parser: argparse.ArgumentParser) -> None:
    from dory_tui.cli.key import options

    options(parser)


def _key(options: argparse.Namespace) -> int:
    from dory_tui.cli.key import key

    return key(options)


def _hooks_options(parser: argparse.ArgumentParser) -> None:
    from dory_tui.cli.hooks_verbs import options

    options(parser)


def _hooks(options: argparse.Namespace) -> int:
    from dory_tui.cli.hooks_verbs import hooks

    return hooks(options)


VERBS: Mapping[str, Verb] = {
    "init": Verb(
        "add what a workspace lacks, and with --for what an agent's platform needs; overwrites nothing", _initing, _init
    ),
    "status": Verb("what waits, what is held, what runs next", _max_age, _status),
    "show": Verb("one item as the review shows it", _id_json, _show),
    "diff": Verb("a draft's changes since it was last decided about; what a memory would change", diff_options, diff),
    "history": Verb("what was decided, claimed and became of it, newest first", history_options, history),
    "approve": Verb("say yes to a draft: shows it whole and asks for a code", _id_reveal, _approve),
    "reject": Verb("say no to a draft", _id_note, _reject),
    "changes": Verb("send a draft back with a note", _id_changes, _changes),
    "revoke": Verb("take a yes back, before it ran", _id, _revoke),
    "hold": Verb("block something from now on", _hold_text, _hold),
    "lift": Verb("lift a hold, or mark a passage of HOLD.md as not a hold", _hold_name, _lift),
    "override": Verb("say yes to a draft over a hold, for these bytes alone", _hold_and_id, _override),
    "resolve": Verb("say what became of an unknown outcome", _outcome, _resolve),
    "undo": Verb("take the last decision of this review back, if nothing ran since", undo_options, _undo),
    "verify": Verb("whether ledger, its copy and the journal are as they were written", add_json, _verify),
    "doctor": Verb(
        "whether all that the workspace rests on works, and what to do where it does not", add_json, _doctor
    ),
    "key": Verb("whether a yes must be signed, and with what", _key_options, _key),
    "hooks": Verb("stop an agent platform's tools from going past the gate", _hooks_options, _hooks),
    "moved": Verb("say that a workspace whose id is at another path too is here now", _nothing, moved),
    "copied": Verb("say that this is a copy, which becomes a workspace of its own", _nothing, copied),
    **{name: Verb(*parts) for name, parts in {**UPKEEP_VERBS, **INDEX_VERBS}.items()},
    **{name: verb for name, verb in AGENT_VERBS.items() if name not in ("status", "hold")},
}


def main(argv: list[str] | None = None, *, open_screen: OpenScreen, open_demo: Callable[[], int]) -> int:
    """Entry point of `dory`. `open_screen` and `open_demo` start the screen, which this module does not import."""
    words = sys.argv[1:] if argv is None else argv
    parser = base_parser("dory", DESCRIPTION)
    parser.add_argument("--plain", action="store_true", help="the review as numbered lines, without the screen")
    demo = Verb("the review on a throw-away example workspace", _nothing, lambda _: open_demo())
    screen = Verb("", _nothing, lambda options: _review(options, open_screen))
    verbs = {**VERBS, "demo": demo}
    handlers = {name: verb.handler for name, verb in verbs.items()} | {"": screen.handler}
    add_verbs(parser, verbs, words, required=False, unlisted=AGENT_VERBS.keys() - {"status", "hold", "search"})
    options = parser.parse_args(words)
    options.verb = options.verb or ""
    return dispatch(handlers, options, (UsageError, DecisionError, WorkspaceError, LedgerError, ConfigError))


def _review(options: argparse.Namespace, open_screen: OpenScreen) -> int:
    gate = open_gate(options, "dory")
    if options.plain or (os.environ.get("TERM") == "dumb" and at_terminal()):
        from dory_tui.cli.plain import review

        return review(gate)
    if not screen_possible():
        from dory_tui.review.show import status

        say(status(load(gate)))
        say_error("dory: the review needs a terminal; this is `dory status`")
        return int(Exit.USAGE)
    return open_screen(gate)


def screen_possible() -> bool:
    """Whether standard input and output are a terminal that can show the screen."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
