"""What ledger and journal share on disk: errors, folders made durable, and locks that nobody waits for without end."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from dory_tui.workspace.document import sync_folder

LOOK_SECONDS = 0.25
"""How long one who looks whether a lock is held may stand in the way of one who takes it."""


class LedgerError(Exception):
    """The ledger cannot be read or written; the message says what and why."""


class TakenError(LedgerError):
    """A record of this name exists already."""


class BusyError(LedgerError):
    """Another process holds the lock."""


def make_folder(folder: Path, base: Path) -> None:
    """Make a folder below `base`, each new name made durable in its parent. OSError when that fails.

    `base` is for its owner alone; below it, who may read and write is as in the folder above.
    """
    missing = []
    current = folder
    while not current.exists():
        missing.append(current)
        current = current.parent
    for made in reversed(missing):
        below = base in made.parents
        mode = permissions(made.parent) if below else 0o700 if made == base else 0o755
        with suppress(FileExistsError):  # another process made it just now
            made.mkdir(mode=mode)
            if below:
                widen(made, mode)
        sync_folder(made.parent)


def permissions(folder: Path) -> int:
    """Who may read, write and enter a folder. OSError when it is not there."""
    return folder.stat().st_mode & 0o777


def widen(made: Path | int, mode: int) -> None:
    """Give back what the umask took of the mode of what was just made, so that a shared folder stays shared."""
    found = os.stat(made).st_mode  # noqa: PTH116 - of a descriptor as well
    if mode & ~found:
        os.chmod(made, stat.S_IMODE(found) | mode)  # noqa: PTH101


def try_lock(descriptor: int) -> bool:
    """Take a lock; False when another holds it. One who only looks at it is waited for."""
    try:
        wait(descriptor, LOOK_SECONDS)
    except BusyError:
        return False
    return True


def take(descriptor: int, kind: int) -> bool:
    """Take a lock (`fcntl.LOCK_EX` or `LOCK_SH`) without waiting; False when another holds it."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise LedgerError(f"a lock of the ledger cannot be taken ({error.strerror})") from error
    return True


def wait(descriptor: int, seconds: float) -> None:
    """Take a lock alone. BusyError when another holds it for longer than `seconds`."""
    deadline = time.monotonic() + seconds
    pause = 0.001
    while not take(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            raise BusyError("another dory process is at this item: try again in a moment")
        time.sleep(pause)
        pause = min(pause * 2, 0.02)
