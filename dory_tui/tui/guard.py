"""Keeps pasted, held-down and typed-ahead keys from deciding anything. Pure: the clock is passed in."""

from __future__ import annotations

from collections.abc import Callable

QUIET = 0.4
"""Seconds without a key before a decision key counts."""

Monotonic = Callable[[], float]


class Guard:
    """Opens when what would be decided was painted and then 400 ms passed without a key (tui.md, "Review").

    Every key, click and paste is told to `hear` before anything acts on it; what acts asks `ready`.
    """

    def __init__(self, clock: Monotonic) -> None:
        self._clock = clock
        self._painted: float | None = None
        self._last = clock()
        self._open = False

    def close(self) -> None:
        """Something else is asked about now, and nobody has seen it."""
        self._painted, self._open = None, False

    def moved(self) -> None:
        """The person went to another item: it must be painted, but an open guard stays open."""
        self._painted = None

    def painted(self) -> None:
        """What is asked about is on the screen."""
        if self._painted is None:
            self._painted = self._clock()

    def hear(self) -> None:
        """A key came."""
        now = self._clock()
        if self._painted is not None and now - max(self._painted, self._last) >= QUIET:
            self._open = True
        self._last = now

    @property
    def ready(self) -> bool:
        """Whether the key that was heard last may decide."""
        return self._open and self._painted is not None


class Guarded:
    """A screen on which keys decide something. The app tells it of every key, click and paste before they act."""

    guard: Guard

    def hear(self) -> None:
        self.guard.hear()
