"""What tells an index that is damaged, which is made anew, from one that cannot be asked just now."""

from __future__ import annotations

import sqlite3

_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_CONSTRAINT)
_NO_TEXT = "Could not decode to UTF-8"
"""What the module says, without a code, of bytes in the place of a text."""
VALUES = (ValueError, TypeError, OverflowError)
"""What comes of a value in an index that this program did not write: a day that is none, bytes for a text."""


class DamagedError(Exception):
    """The file is no index that this version can read; it is to be made anew."""


def broken(error: Exception) -> bool:
    """Whether an error says that the file itself is wrong, and not that it is locked or the disk full."""
    if isinstance(error, sqlite3.Error):
        return code(error) in _BROKEN or str(error).startswith(_NO_TEXT)
    return isinstance(error, (DamagedError, *VALUES))


def code(error: sqlite3.Error) -> int:
    """SQLite's primary code; -1 for an error of the module's own."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF
