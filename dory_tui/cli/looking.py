"""`dory diff` and `dory history`: looking back at one item, or at everything. They decide nothing."""

from __future__ import annotations

import argparse
from datetime import datetime

from dory_tui.cli.common import UsageError, add_json, open_gate
from dory_tui.cli.printing import say, say_json
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.review.desk import Desk
    from dory_tui.review.past import Event
    from dory_tui.review.since import Since

_MOST = 10_000
_CONTEXT = 3
"""Lines shown around a change."""


def diff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the id of a draft or of a memory candidate")
    add_json(parser)


def history_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="a draft's or a memory's id, or the handle of a hold; else everything")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="the newest N (50)")
    add_json(parser)


def diff(options: argparse.Namespace) -> int:
    """A draft's changes since it was last decided about; of a candidate, what promoting it would change."""
    from dory_tui.cli.memory_show import say_diff
    from dory_tui.diff import diff as compare
    from dory_tui.memory.promoting import PromotingError
    from dory_tui.review.desk import load
    from dory_tui.visible import Looking
    from dory_tui.workspace.document import decode

    try:
        found = _since(load(open_gate(options, "dory")), options.id)
    except PromotingError as error:
        raise UsageError(f"{options.id}: {error}") from error
    if options.json:
        old, new = decode(found.before), decode(found.after)
        rows = [row for hunk in compare(old, new).hunks for row in hunk.rows]
        lines = [{"kind": row.kind, "old": row.old, "new": row.new, "text": row.text} for row in rows]
        with Looking(of=(old, new)):
            say_json({"path": found.path, "since": found.sentence, "changed": bool(rows), "lines": lines})
        return int(Exit.FINE)
    say(f"{found.path}: {found.sentence}")
    say_diff(found.before, found.after, _CONTEXT)
    return int(Exit.FINE)


def _since(desk: Desk, wanted: str) -> Since:
    from dory_tui.review import since

    item, candidate = desk.staged_by_id(wanted), desk.candidate_by_id(wanted)
    if item is not None:
        return since.of_draft(desk, item)
    if candidate is None:
        raise UsageError(f"there is no draft and no candidate {wanted!r}: `dory status` lists them")
    return since.of_candidate(desk, candidate)


def history(options: argparse.Namespace) -> int:
    """Records and commits, the newest first."""
    from dory_tui.review.change import local
    from dory_tui.review.past import label, past, who, word

    if not 1 <= options.limit <= _MOST:
        raise UsageError(f"--limit takes a number from 1 to {_MOST:,}")
    gate = open_gate(options, "dory")
    key, path = (None, None) if options.id is None else _key(options, options.id)
    events = past(gate, options.limit, key=key, path=path)
    if options.json:
        say_json([_as_json(one) for one in events])
        return int(Exit.FINE)
    zone = local(gate).tzinfo
    for one in events:
        commit = f"  {one.commit.sha[:7]}" if one.commit is not None else ""
        problem = f"  — {one.problem}" if one.problem else ""
        say(f"{_stamp(one.when.astimezone(zone))}  {word(one):<15} {label(one)}  ({who(one)}){commit}{problem}")
    if not events:
        say("nothing is on record yet" if options.id is None else f"nothing is on record of {options.id}")
    return int(Exit.FINE)


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def _key(options: argparse.Namespace, wanted: str) -> tuple[str, str | None]:
    """The item's key in the ledger and its file. UsageError when neither workspace nor ledger knows it."""
    from dory_tui.ledger.store import HOLD_PREFIX, MEMORY_PREFIX, TASK_PREFIX
    from dory_tui.review.desk import load

    gate = open_gate(options, "dory")
    folded = wanted.casefold()
    desk = load(gate)
    item, candidate = desk.staged_by_id(folded), desk.candidate_by_id(folded)
    if item is not None:
        return item.draft.id, item.draft.path
    if candidate is not None:
        return MEMORY_PREFIX + candidate.promotion.id, candidate.promotion.path
    for prefix in ("", MEMORY_PREFIX, TASK_PREFIX):
        if prefix + folded in gate.ledger.keys(prefix):
            return prefix + folded, None
    holds = [key for key in gate.ledger.keys(HOLD_PREFIX) if key.removeprefix(HOLD_PREFIX).startswith(folded)]
    if len(holds) == 1 and len(folded) >= 4:
        return holds[0], None
    raise UsageError(f"nothing is known of {wanted!r}: `dory history` lists what is on record")


def _as_json(event: Event) -> dict[str, object]:
    commit = event.commit
    return {
        "when": event.when.isoformat(), "what": event.what, "kind": event.kind, "id": event.id, "about": event.about,
        "who": event.who, "commit": commit.sha if commit is not None else None,
        "subject": commit.subject if commit is not None else None, "problem": event.problem,
    }  # fmt: skip
