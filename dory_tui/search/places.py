"""Where the index of a workspace lies, which of its files is the one, and who may write to it.

Each index is a file of its own name, `index-<n>.db`; the highest number is the one. So nothing that SQLite keeps beside
an old one can be taken for a new one's, and who has the old one open goes on reading it. The lock is the kernel's: that
of a dead process is free.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from dory_tui import config
from dory_tui.values import dataclass
from dory_tui.workspace.layout import DORY

FOLDER = f"{DORY}/search"
LOCK = "lock"
BUILDING = "building.db"
"""The file that a rebuild writes; it gets its number when it is whole."""
_NAME = re.compile(r"index-([0-9]{1,9})\.db(?:-wal|-shm|-journal)?")
_LOOK = 0.01  # seconds between two looks at a lock


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of the index. `temporary` is one that goes when the search is over."""

    folder: Path
    temporary: bool = False

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
        for name in os.listdir(self.folder):
            match = _NAME.fullmatch(name)
            old = match is not None and current is not None and f"index-{match[1]}.db" != current.name
            if old or name.startswith(BUILDING):
                with suppress(OSError):
                    (self.folder / name).unlink()

    def _numbers(self) -> list[int]:
        try:
            names = os.listdir(self.folder)
        except OSError:
            return []
        return [int(match[1]) for name in names if name.endswith(".db") and (match := _NAME.fullmatch(name))]

    @contextmanager
    def writing(self, patience: float) -> Iterator[bool]:
        """Whether this process may write now; it waits `patience` seconds for another one to end."""
        descriptor = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            got = _locked(descriptor, patience)
            if got:
                os.truncate(descriptor, 0)
                os.write(descriptor, b"%d\n" % os.getpid())
            yield got
        finally:
            os.close(descriptor)

    def writer(self) -> int | None:
        """The process that wrote last, for a sentence."""
        try:
            return int((self.folder / LOCK).read_text("ascii"))
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        if self.temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def _locked(descriptor: int, patience: float) -> bool:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK)
        except OSError:
            return True  # a file system without locks: SQLite's own are left


def place(root: Path, environment: Mapping[str, str]) -> Place:
    """`.dory/search`; where this user cannot write there the user's cache, and where not there either a temporary one.

    An index holds what the files hold, so its folder is its owner's alone, and another's is not used.
    """
    name = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    for folder in (root / FOLDER, config.cache_home(environment) / "search" / name):
        if _usable(folder):
            return Place(folder)
    return Place(Path(tempfile.mkdtemp(prefix="dory-search-")), temporary=True)


def _usable(folder: Path) -> bool:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        held = folder.lstat()
        if not stat.S_ISDIR(held.st_mode) or held.st_uid != os.geteuid() or not os.access(folder, os.W_OK | os.X_OK):
            return False
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "ascii")
        return True
    except OSError:
        return False
