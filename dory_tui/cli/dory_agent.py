"""`dory-agent`: what an agent and a scheduler are given. It contains no way to say yes."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def main(argv: list[str] | None = None) -> int:
    """Entry point. Returns the exit code of commands.md."""
    words = sys.argv[1:] if argv is None else argv
    for verb, call in (("hook", _hook), ("check", _check)):
        if (asked := plain_verb(words, verb)) is not None:
            return call(*asked) if argv is not None else _at_once(call, *asked)
    from dory_tui.cli.agent_help import GENERAL
    from dory_tui.cli.agent_verbs import VERBS, add_verbs
    from dory_tui.cli.common import UsageError, base_parser, dispatch
    from dory_tui.config import ConfigError
    from dory_tui.ledger.store import LedgerError
    from dory_tui.workspace.document import WorkspaceError

    parser = base_parser("dory-agent", GENERAL)
    add_verbs(parser, VERBS, words)
    options = parser.parse_args(words)
    handlers = {name: verb.handler for name, verb in VERBS.items()}
    return dispatch(handlers, options, (UsageError, WorkspaceError, LedgerError, ConfigError))


def _at_once(call: Callable[[str | None, str], int], named: str | None, what: str) -> NoReturn:
    """End with the code of a call, and without taking Python down in order: that and collecting are a tenth of it all.

    What it wrote is on its way by then (`guarded` flushes), and what it holds open ends with the process.
    """
    gc.disable()
    os._exit(call(named, what))


def plain_verb(words: list[str], verb: str) -> tuple[str | None, str] | None:
    """(workspace, name) of `[-C PATH] VERB NAME [-C PATH]`; None for anything else, which the parser takes.

    Platforms call `hook`, and schedulers `check`, all the time, and argparse costs as much as half a start of Python.
    """
    rest, named = list(words), None
    if len(rest) == 4 and "-C" in (rest[0], rest[2]):
        at = rest.index("-C")
        named = rest[at + 1]
        del rest[at : at + 2]
    if len(rest) != 2 or rest[0] != verb or rest[1].startswith("-"):
        return None
    return named, rest[1]


def _hook(named: str | None, platform: str) -> int:
    """A hook that cannot even start must not let a call through: platforms take most exit codes for a yes."""
    try:
        from dory_tui.agent.hooks.answer import main as answer

        return answer(platform, named)
    except BaseException as error:
        try:
            said = f"dory: denied, because dory's hook failed: {type(error).__name__}: {error}\n"
            os.write(2, said.encode("utf-8", "replace"))
            packed = b"".join(os.read(0, 65_536).split())
        except OSError:
            packed = b""
        # The end of a turn, and the start of a session, are nobody's to hold up.
        free = (b"Stop", b"stop", b"SessionStart", b"sessionStart")
        ends = any(b'"hook_event_name":"%s"' % name in packed for name in free)
        return 0 if ends else 2


def _check(named: str | None, identity: str) -> int:
    from pathlib import Path

    from dory_tui.cli.guarded import guarded
    from dory_tui.cli.printing import say
    from dory_tui.config import ConfigError
    from dory_tui.gate.rules import Exit
    from dory_tui.gate.runner import check
    from dory_tui.gate.survey import Gate
    from dory_tui.ledger.store import LedgerError
    from dory_tui.workspace.document import WorkspaceError
    from dory_tui.workspace.layout import discover

    def checked() -> int:
        found = check(Gate.open(discover(named, os.environ, Path.cwd()), by="dory-agent"), identity)
        say(f"{found.id}: {'it would run now' if found.code == Exit.FINE else found.sentence}")
        return int(found.code)

    return guarded(checked, (WorkspaceError, LedgerError, ConfigError, OSError))


if __name__ == "__main__":
    sys.exit(main())
