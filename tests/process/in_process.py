"""The two commands in the process of the test: real files and records, without the price of a start of Python."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence

import pytest

from dory_tui.cli import dory, dory_agent


class Told:
    """What a call answered: its exit code, standard output, standard error."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"exit {self.code}\n{self.out}\n{self.err}"


class Commands:
    """`dory` and `dory-agent` in an environment of their own, with nobody at the terminal."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], env: Mapping[str, str]
    ) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        for name, value in env.items():
            monkeypatch.setenv(name, value)

    def agent(self, *words: str, stdin: str | bytes = "") -> Told:
        return self._call(lambda: dory_agent.main(list(words)), stdin)

    def dory(self, *words: str, stdin: str | bytes = "") -> Told:
        return self._call(lambda: dory.main(list(words), open_screen=lambda _: 9, open_demo=lambda: 9), stdin)

    def call(self, words: Sequence[str], stdin: str | bytes = "") -> Told:
        """A whole command line, its first word the command."""
        return {"dory": self.dory, "dory-agent": self.agent}[words[0]](*words[1:], stdin=stdin)

    def _call(self, main: Callable[[], int], stdin: str | bytes) -> Told:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        try:
            code = main()
        except SystemExit as ended:
            code = int(str(ended.code))
        told = self.capsys.readouterr()
        return Told(code, told.out, told.err)
