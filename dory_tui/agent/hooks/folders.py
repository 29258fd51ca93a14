"""Which folders the commands of a call may run in. Pure.

A `cd` may fail, or may be in a subshell that ends: after it any folder seen so far may be the one. Only what follows it
by `&&` is sure to run where it leads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.shell import Command, Word


class Folders:
    """The folders of one call. `given` are those that it names, `seen` those and where it led since, in their order."""

    def __init__(self, given: Sequence[str], places: Places) -> None:
        self.given, self.places = tuple(given), places
        self.seen = dict.fromkeys(self.given)
        self.last = self.given[-1]
        """Where the last `cd` led."""
        self.sure: tuple[str, int] | None = None
        """The folder one is sure to stand in, and the level of the commands that do."""

    def begin(self, command: Command) -> None:
        """A command of a script begins."""
        if self.sure is not None and command.level <= self.sure[1]:
            chained = command.after == "&&" and command.level == self.sure[1]
            self.sure = self.sure if chained else None

    def of(self, command: Command) -> Collection[str]:
        """The folders that a command may run in."""
        return [self.sure[0]] if self.sure is not None and self.sure[1] == command.level else self.seen

    def move(self, words: Sequence[Word], command: Command) -> None:
        """A command changes the folder to the last of the words."""
        known = len(here := self.of(command)) == 1
        start = next(iter(here)) if known else self.last
        self.sure = None
        if not words or not words[-1].known or words[-1].text == "-":
            return
        self.last = self.places.absolute(words[-1].text, start, words[-1].open)
        self.seen[self.last] = None
        if known or words[-1].text.startswith(("/", "~")):
            self.sure = self.last, command.level
