"""`dory upkeep` at a terminal: each thing that is due, one after the other; y sees to it, n leaves it, q ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

from dory_tui.cli.asking import Answer, ask
from dory_tui.cli.confirm import confirm
from dory_tui.cli.outcome import done
from dory_tui.cli.printing import say, say_error
from dory_tui.gate.rules import Exit
from dory_tui.review import decide, promises, restoring
from dory_tui.review.archiving import archive
from dory_tui.review.change import DecisionError
from dory_tui.review.desk import Desk
from dory_tui.review.upkeep import Duty, Kind, shrunken, stale_holds
from dory_tui.visible import Looking
from dory_tui.workspace.document import decode

_SHOWN = 10


class _Ended(Exception):  # noqa: N818 - no error: the person has had enough
    """The person typed q."""


def walk(desk: Desk, found: Sequence[Duty]) -> int:
    """Go through what is due. What cannot be done is said, and the walk goes on. Always 0: leaving things is fine."""
    ways: dict[Kind, Callable[[Desk], None]] = {
        "promises": _promises, "shrunken": _shrunken, "holds": _holds, "archive": _archive, "memories": _memories,
    }  # fmt: skip
    try:
        for duty in found:
            say(duty.sentence)
            for item in duty.items[:_SHOWN] if duty.kind not in ("promises", "shrunken", "holds") else ():
                say(f"  {item}")
            if len(duty.items) > _SHOWN:
                say(f"  {len(duty.items)} in all")
            if duty.kind in ways:
                ways[duty.kind](desk)
            else:
                say(f"  `{duty.does}` sees to it")
        say("that is all")
    except _Ended:
        say("the rest waits")
    return int(Exit.FINE)


def _asked(question: str) -> bool:
    answer: Answer = ask(question)
    if answer == "q":
        raise _Ended
    return answer == "y"


def _tried(work: Callable[[], int]) -> None:
    try:
        work()
    except DecisionError as error:
        say_error(str(error))


def _promises(desk: Desk) -> None:
    for one in desk.promises:
        say(f"  {one.text} ({one.path} line {one.line})")
        if _asked("  Was it kept?"):
            _tried(lambda one=one: done(promises.kept(desk.gate, one)))  # type: ignore[misc]


def _shrunken(desk: Desk) -> None:
    for one in shrunken(desk):
        say(f"  {one.path} lost:")
        with Looking(of=(decode(one.restored),)):
            for number, text in one.lines[:_SHOWN]:
                say(f"  - {number:>4} {text}")
        if len(one.lines) > _SHOWN:
            say(f"  and {len(one.lines) - _SHOWN} more")
        if _asked("  Put back what it lost?"):
            _tried(lambda one=one: done(restoring.restore(desk.gate, one.path, one.digest)))  # type: ignore[misc]


def _holds(desk: Desk) -> None:
    for view, reason in stale_holds(desk):
        covered = "everything" if view.hold.everything else ", ".join(view.covers) or "no draft"
        say(f"  {view.hold.text} — {reason}; it covers {covered}")
        if _asked("  Lift it?") and confirm("lift this hold"):
            _tried(lambda view=view: done(decide.lift(desk.gate, view.hold.hash)))  # type: ignore[misc]


def _archive(desk: Desk) -> None:
    if _asked("  Move them?"):
        _tried(lambda: done(archive(desk.gate)))


def _memories(desk: Desk) -> None:
    if _asked("  Open the review now?"):
        subprocess.run([sys.executable, "-m", "dory_tui", "-C", str(desk.gate.root)], check=False)
