"""Run a command so that every error is one sentence, and its exit code is true whoever stopped listening.

`argparse` is not needed here: `dory-agent check` is asked all the time and does without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from dory_tui.cli.printing import say_error
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import TextIO


def guarded(call: Callable[[], int], errors: Sequence[type[Exception]]) -> int:
    """The exit code of a call. Expected errors are told; no traceback ever reaches a user."""
    _opened()
    try:
        code = call()
    except tuple(errors) as error:
        _tell(str(error))
        code = int(getattr(error, "code", Exit.USAGE))
    except BrokenPipeError:
        code = int(Exit.FINE)  # the reader went away, as `| head` does: no error of ours
    except KeyboardInterrupt:
        _tell("stopped")
        code = 130
    except OSError as error:
        code = int(Exit.FAILED)
        if error.filename is None:  # no file of ours, then, but what it prints to
            _unprinted(error)
        else:
            _tell(f"{os.fsdecode(error.filename)} cannot be used ({error.strerror})")
    except Exception as error:  # the last resort, so that a bug is a sentence too
        if os.environ.get("DORY_DEBUG"):
            raise
        _tell(f"this is a fault in dory, not in your files: {type(error).__name__}: {error} (DORY_DEBUG=1 shows where)")
        code = int(Exit.FAILED)
    return _printed(code)


def _opened() -> None:
    """Something to read from and print to where the caller closed it: else the next file opened would stand there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def _printed(code: int) -> int:
    """The exit code once everything is printed; nobody may still write to a pipe without a reader at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _nowhere(sys.stdout)
    except OSError as error:
        _unprinted(error)
        return code or int(Exit.FAILED)
    return code


def _unprinted(error: OSError) -> None:
    _nowhere(sys.stdout)
    _tell(f"what was to be printed could not be ({error.strerror})")


def _tell(sentence: str) -> None:
    """Say it where anybody listens: the exit code is true all the same."""
    try:
        say_error(sentence)
    except OSError:
        _nowhere(sys.stderr)


def _nowhere(stream: TextIO) -> None:
    """What is left to be printed goes to nobody: at its exit Python would fail on it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
