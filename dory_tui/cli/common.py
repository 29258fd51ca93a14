"""What both commands share: options, finding the workspace, and one sentence for every error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dory_tui import __version__
from dory_tui.cli.guarded import guarded
from dory_tui.cli.printing import say_error
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.workspace.layout import discover

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import NoReturn

    Handler = Callable[[argparse.Namespace], int]


class UsageError(Exception):
    """Bad input: one sentence, exit code 2."""


class Parser(argparse.ArgumentParser):
    """argparse with its errors as one sentence."""

    def error(self, message: str) -> NoReturn:
        say_error(f"{self.prog}: {message} (see `{self.prog} --help`)")
        raise SystemExit(Exit.USAGE)


def base_parser(prog: str, description: str) -> Parser:
    """A parser with the options that every command has."""
    parser = Parser(prog=prog, description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-C", dest="workspace", metavar="PATH", help="the workspace (else found from here upward)")
    parser.add_argument("--version", action="version", version=f"{prog} {__version__}")
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_workspace(parser: argparse.ArgumentParser) -> None:
    """`-C` after the verb too: people and job files write it in both places."""
    parser.add_argument("-C", dest="workspace", metavar="PATH", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def open_gate(options: argparse.Namespace, by: str) -> Gate:
    """The gate of the workspace the options name."""
    try:
        here = Path.cwd()
    except OSError:
        here = Path("/")
    return Gate.open(discover(options.workspace, os.environ, here), by=by)


def read_input(name: str | None = None) -> bytes:
    """A file's bytes, or standard input for `-` or None. UsageError when nobody sends anything."""
    if name in (None, "-"):
        if sys.stdin.isatty():
            raise UsageError("give the words as an argument, or send them by standard input")
        return sys.stdin.buffer.read()
    try:
        return Path(str(name)).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} cannot be read ({error.strerror})") from error


def read_text() -> str:
    """Standard input as text that keeps every byte."""
    return read_input().decode("utf-8", "surrogateescape")


def dispatch(handlers: Mapping[str, Handler], options: argparse.Namespace, errors: Sequence[type[Exception]]) -> int:
    """Run a handler; every expected error becomes one sentence."""
    return guarded(lambda: handlers[options.verb](options), errors)
