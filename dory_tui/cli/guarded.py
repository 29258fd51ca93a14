"""Run a command so that every error is one sentence, and its exit code is true whoever stopped listening.

`argparse` is not needed here: `dory-agent check` is asked all the time and does without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from dory_tui.cli.printing import say_error
from dory_tui.gate.rules import Exit


def guarded(call: Callable[[], int], errors: Sequence[type[Exception]]) -> int:
    """The exit code of a call. Expected errors are told; no traceback ever reaches a user."""
    _opened()
    try:
        code = call()
    except tuple(errors) as error:
        say_error(str(error))
        code = int(getattr(error, "code", Exit.USAGE))
    except BrokenPipeError:
        code = int(Exit.FINE)  # the reader went away, as `| head` does: no error of ours
    except KeyboardInterrupt:
        say_error("stopped")
        code = 130
    except Exception as error:  # the last resort, so that a bug is a sentence too
        if os.environ.get("DORY_DEBUG"):
            raise
        say_error(
            f"this is a fault in dory, not in your files: {type(error).__name__}: {error} (DORY_DEBUG=1 shows where)"
        )
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
        _nowhere()
    except OSError as error:
        _nowhere()
        say_error(f"what was to be printed could not be ({error.strerror})")
        return code or int(Exit.FAILED)
    return code


def _nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
