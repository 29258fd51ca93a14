"""Searching the workspace of a gate: what `dory search`, `dory-agent search` and the Search screen ask with."""

from __future__ import annotations

from collections.abc import Callable

from dory_tui.agent.write import local
from dory_tui.gate.survey import Gate
from dory_tui.search.answers import Searcher
from dory_tui.search.elsewhere import remote
from dory_tui.search.files import listing
from dory_tui.search.places import SearchError, never
from dory_tui.workspace.marks import looks_like_workspace


def searcher(gate: Gate, stopped: Callable[[], bool] = never) -> Searcher:
    """A searcher of the workspace, with the store that its settings name; `stopped` is as in `Searcher`.

    ConfigError for settings that cannot be used, SearchError for a folder that is no workspace and has nothing to
    search: an index would be the first thing that is written there.
    """
    if not looks_like_workspace(str(gate.root)) and not listing(gate.root).files:
        raise SearchError(
            f"{gate.root} is no workspace and has nothing to search: name one with -C PATH, "
            "or make one with `dory -C PATH init`"
        )
    store = remote(gate.root, gate.environment, gate.identity.id if gate.identity.stored else None)
    return Searcher(gate.root, gate.environment, zone=local(gate).tzinfo, remote=store, stopped=stopped)
