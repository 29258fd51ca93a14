"""Searching the workspace of a gate: what `dory search`, `dory-agent search` and the Search screen ask with."""

from __future__ import annotations

from dory_tui.agent.write import local
from dory_tui.gate.survey import Gate
from dory_tui.search.answers import Searcher
from dory_tui.search.elsewhere import remote


def searcher(gate: Gate) -> Searcher:
    """A searcher of the workspace, with the store that its settings name; secrets are masked in what it finds.

    ConfigError for settings that cannot be used, SearchError when there can be no index.
    """
    store = remote(gate.root, gate.environment, gate.identity.id if gate.identity.stored else None)
    return Searcher(gate.root, gate.environment, zone=local(gate).tzinfo, remote=store)
