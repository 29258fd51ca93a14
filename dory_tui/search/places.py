"""Where the index of a workspace lies, which of its files is the one, and who may write to it.

Each index is a file of its own name, `index-<n>.db`; the highest number is the one. So nothing that SQLite keeps beside
an old one can be taken for a new one's, and who has the old one open goes on reading it. The lock is the kernel's: that
of a dead process is free.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from dory_tui import config
from dory_tui.values import dataclass
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.layout import DORY

FOLDER = f"{DORY}/search"
LOCK = "lock"
BUILDING = "building.db"
"""The file that a rebuild writes; it gets its number when it is whole."""
_NAME = re.compile(r"index-([0-9]{1,9})\.db(?:-wal|-shm|-journal)?")
_HIGHEST = 999_999
"""A number above this is none that was counted up to, so the file is no index."""
_LOOK = 0.01  # seconds between two looks at a lock


class SearchError(WorkspaceError):
    """There can be no answer, not even by keyword; the sentence says why and what to do."""


def never() -> bool:
    """For who waits and is stopped by nobody."""
    return False


def taken(name: str) -> bool:
    """Whether a file beside the index would be taken for one, whatever the file system says of its letters."""
    return name.casefold().startswith(BUILDING) or _NAME.fullmatch(name.casefold()) is not None


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of the index, which need not be there. `temporary` is one that goes when the search is over."""

    folder: Path
    temporary: bool = False
    root: Path | None = None
    """The workspace, where the folder lies in it."""

    def make(self) -> None:
        """Make the folder where it is missing, for its owner alone and not for git. OSError when it cannot be.

        SearchError when the workspace is gone: to make it anew would stand in the way of the one that was moved.
        """
        if self.root is not None and not self.root.is_dir():
            raise SearchError(f"{self.root} is not there any more: open the workspace where it is now")
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "ascii")

    def current(self) -> Path | None:
        """The index, None where there is none yet."""
        numbers = self._numbers()
        return self.folder / f"index-{max(numbers)}.db" if numbers else None

    def following(self) -> Path:
        """The name of an index that is newer than every other. The lock must be held."""
        return self.folder / f"index-{max(self._numbers(), default=0) + 1}.db"

    def tidy(self) -> None:
        """Take away what is older than the index, or was not finished. The lock must be held."""
        current = self.current()
        kept = current.name if current is not None else None
        for name in os.listdir(self.folder):
            match = _NAME.fullmatch(name)
            old = match is not None and f"index-{match[1]}.db" != kept
            if old or name.startswith(BUILDING):
                with suppress(OSError):
                    (self.folder / name).unlink()

    def _numbers(self) -> list[int]:
        try:
            names = os.listdir(self.folder)
        except OSError:
            return []
        found = [int(match[1]) for name in names if name.endswith(".db") and (match := _NAME.fullmatch(name))]
        return [number for number in found if number <= _HIGHEST]

    @contextmanager
    def writing(self, patience: float, stopped: Callable[[], bool] = never) -> Iterator[bool]:
        """Whether this process may write now; it waits `patience` seconds for another one to end, or until `stopped`.

        SearchError when the lock cannot be used.
        """
        descriptor = None
        try:
            try:
                descriptor = self._lock()
                got = _locked(descriptor, patience, stopped)
                if got:
                    os.truncate(descriptor, 0)
                    os.write(descriptor, b"%d\n" % os.getpid())
            except OSError as error:
                raise SearchError(
                    f"{self.folder / LOCK} cannot be written ({error.strerror}): make room on the disk, or remove it"
                ) from error
            yield got
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _lock(self) -> int:
        """The lock's file, opened. OSError for what is no file: nothing is written through a link."""
        # Without waiting: a pipe that somebody put there would be waited for.
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(self.folder / LOCK, flags, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is no file")
        return descriptor

    def writer(self) -> int | None:
        """The process that wrote last, for a sentence."""
        try:
            return int((self.folder / LOCK).read_text("ascii"))
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        if self.temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def _locked(descriptor: int, patience: float, stopped: Callable[[], bool]) -> bool:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if stopped() or time.monotonic() >= until:
                return False
            time.sleep(_LOOK)
        except OSError:
            return True  # a file system without locks: SQLite's own are left


def place(root: Path, environment: Mapping[str, str]) -> Place:
    """`.dory/search`; where this user cannot write there the user's cache, and where not there either a temporary one.

    None but the temporary one is made here: who only looks writes nothing.
    An index holds what the files hold, so its folder is its owner's alone, and another's is not used.
    """
    name = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    for folder in (root / FOLDER, config.cache_home(environment) / "search" / name):
        if _usable(folder):
            return Place(folder, root=root if folder.is_relative_to(root) else None)
    return Place(Path(tempfile.mkdtemp(prefix="dory-search-")), temporary=True)


def _usable(folder: Path) -> bool:
    """Whether the index can be kept in a folder, or the folder be made."""
    try:
        held = folder.lstat()
    except FileNotFoundError:
        above = next(one for one in folder.parents if os.path.lexists(one))
        return above.is_dir() and os.access(above, os.W_OK | os.X_OK)
    except OSError:
        return False
    return stat.S_ISDIR(held.st_mode) and held.st_uid == os.geteuid() and os.access(folder, os.W_OK | os.X_OK)
