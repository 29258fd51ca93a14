"""`dory search` and `dory index` on their own, for a start without the review."""

from __future__ import annotations

from dory_tui.cli.agent_verbs import Verb, add_verbs
from dory_tui.cli.common import UsageError, base_parser, dispatch
from dory_tui.cli.search_verbs import INDEX_VERBS, SEARCH_VERBS
from dory_tui.config import ConfigError
from dory_tui.ledger.store import LedgerError
from dory_tui.workspace.document import WorkspaceError


def alone(words: list[str]) -> int:
    """What `dory` does with one of these verbs. Returns the exit code."""
    parser = base_parser("dory", "Search everything the agent wrote.")
    verbs = {name: Verb(*parts) for name, parts in {**SEARCH_VERBS, **INDEX_VERBS}.items()}
    add_verbs(parser, verbs, words)
    options = parser.parse_args(words)
    handlers = {name: verb.handler for name, verb in verbs.items()}
    return dispatch(handlers, options, (UsageError, WorkspaceError, LedgerError, ConfigError))
