"""Questions about a workspace, asked in a thread: the searcher stays open, so that the next answer comes at once."""

from __future__ import annotations

from datetime import date
from threading import Event
from typing import TYPE_CHECKING

from dory_tui.gate.survey import Gate

if TYPE_CHECKING:
    from dory_tui.search.answers import Answer, Searcher, Wanted
    from dory_tui.search.building import Progress


class Questions:
    """One searcher, opened by the first question. Every method but `stop` is called in one and the same thread."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._searcher: Searcher | None = None
        self._stopped = Event()

    def stop(self) -> None:
        """Nobody waits for an answer any more. From any thread: Python ends no sooner than its threads."""
        self._stopped.set()

    def ask(self, words: str, today: date, wanted: Wanted, progress: Progress) -> Answer:
        """The answer; an index of another version is made anew first. SearchError when there can be none."""
        if self._searcher is None:
            from dory_tui.agent.search import searcher

            self._searcher = searcher(self._gate, self._stopped.is_set)
        answer = self._searcher.ask(words, today, wanted, progress)
        if answer.stale:
            self._searcher.rebuild(progress)
            answer = self._searcher.ask(words, today, wanted, progress)
        return answer

    def close(self) -> None:
        if self._searcher is not None:
            self._searcher.close()
