"""`dory-agent`: what an agent and a scheduler are given. It contains no way to say yes."""

from __future__ import annotations

import sys

from dory_tui.cli.agent_verbs import VERBS, add_verbs
from dory_tui.cli.common import UsageError, base_parser, dispatch
from dory_tui.config import ConfigError
from dory_tui.ledger.store import LedgerError
from dory_tui.workspace.document import WorkspaceError

DESCRIPTION = """\
For an agent and its scheduler. You can look, stage, propose, check, run and claim; only a human can say yes, with
`dory`. A draft you stage runs at most once, exactly as the human saw it.

exit codes: 0 fine · 1 what started failed · 2 bad input · 3 refused · 4 already claimed · 5 outcome unknown ·
6 held · 75 not yet. Anything but 0 comes with one sentence that says what to do."""


def main(argv: list[str] | None = None) -> int:
    """Entry point. Returns the exit code of commands.md."""
    words = sys.argv[1:] if argv is None else argv
    parser = base_parser("dory-agent", DESCRIPTION)
    add_verbs(parser, VERBS, words)
    options = parser.parse_args(words)
    handlers = {name: verb.handler for name, verb in VERBS.items()}
    return dispatch(handlers, options, (UsageError, WorkspaceError, LedgerError, ConfigError))


if __name__ == "__main__":
    sys.exit(main())
