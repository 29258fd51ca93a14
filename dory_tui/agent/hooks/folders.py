"""Which folders the commands of a call may run in. Pure.

A `cd` may fail, or may be in a subshell that ends: after it any folder seen so far may be the one. Only what follows it
by `&&` is sure to run where it leads.
"""

from __future__ import annotations

from collections.abc import Sequence

from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.shell import Command, Word


class Folders:
    """The folders of one call. `seen` has all of them, beginning with those that the call names."""

    def __init__(self, given: Sequence[str], places: Places) -> None:
        self.given, self.seen, self.places = tuple(given), list(dict.fromkeys(given)), places
        self.sure: tuple[str, int] | None = None
        """The folder one is sure to stand in, and the level of the commands that do."""

    def begin(self, command: Command) -> None:
        """A command of a script begins."""
        if self.sure is not None and command.level <= self.sure[1]:
            chained = command.after == "&&" and command.level == self.sure[1]
            self.sure = self.sure if chained else None

    def of(self, command: Command) -> Sequence[str]:
        """The folders that a command may run in."""
        return [self.sure[0]] if self.sure is not None and self.sure[1] == command.level else self.seen

    def move(self, words: Sequence[Word], command: Command) -> None:
        """A command changes the folder to the last of the words."""
        here = tuple(self.of(command))
        self.sure = None
        if not words or not words[-1].known or words[-1].text == "-":
            return
        folder = self.places.absolute(words[-1].text, here[-1], words[-1].open)
        if folder not in self.seen:
            self.seen.append(folder)
        if len(here) == 1 or words[-1].text.startswith(("/", "~")):
            self.sure = folder, command.level
