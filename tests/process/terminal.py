"""A real terminal for tests: a pty, and pyte as the emulator that draws what a person would see."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

PATIENCE = 60.0


class Terminal:
    """One program at a pty. `screen` is what stands on it, `raw` every byte it ever got."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = (120, 40)) -> None:
        self.columns, self.rows = size
        self.screen = pyte.Screen(self.columns, self.rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status: int | None = None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(command[0], list(command), dict(env))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))

    @staticmethod
    def dory(root: Path, env: Mapping[str, str], *words: str, size: tuple[int, int] = (120, 40)) -> Terminal:
        return Terminal([sys.executable, "-m", "dory_tui", "-C", str(root), *words], env, size)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def _read(self, seconds: float) -> bool:
        """Take what comes within `seconds`; False when the program closed its side."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            chunk = os.read(self.master, 65_536)
        except OSError:
            return False
        self.raw += chunk
        self._stream.feed(chunk)
        return bool(chunk)

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Read until a condition of the screen, or of anything else, holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"never came: {what}\n{self.text}"
            assert self._read(0.05) or condition(), f"ended before: {what}\n{self.text}"

    def take(self, condition: Callable[[], bool]) -> None:
        """Read bytes until a condition of `raw` holds, without drawing them, which takes long."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.raw[-400:]
            if select.select([self.master], [], [], 1.0)[0]:
                self.raw += os.read(self.master, 65_536)

    def see(self, words: str) -> None:
        self.wait(lambda: words in self.text, words)

    def quiet(self, seconds: float = 0.5) -> None:
        """Read until nothing has come for `seconds`: the program has painted what it wanted to."""
        deadline = time.monotonic() + PATIENCE
        size = -1
        while size != len(self.raw) and time.monotonic() < deadline:
            size = len(self.raw)
            self._read(seconds)

    def type(self, keys: str | bytes) -> None:
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def end(self) -> int:
        """Wait for the program to end; its exit code, negative for a signal."""
        deadline = time.monotonic() + PATIENCE
        while self.status is None:
            assert time.monotonic() < deadline, f"never ended\n{self.text}"
            self._read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        while self._read(0.05) and select.select([self.master], [], [], 0)[0]:
            pass
        return self.status

    def flags(self) -> int:
        """The local modes of the terminal: ECHO and ICANON are on when it is usable."""
        return int(termios.tcgetattr(self.master)[3])

    def close(self) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)
