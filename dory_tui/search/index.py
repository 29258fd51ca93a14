"""The index of a workspace: a SQLite file with its passages, their words, and the vectors that `stores` keeps.

It is derived: whatever is wrong with it, it is made anew from the files. Nothing in it decides anything.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from dory_tui.search import terms
from dory_tui.search.chunks import CHUNKER, Chunk
from dory_tui.search.damage import VALUES, DamagedError, broken, code
from dory_tui.search.files import Stat
from dory_tui.search.lookup import TOKENIZER
from dory_tui.search.stores import batches

_APPLICATION = 0x444F5259  # "DORY", so that another program's file is not taken for ours
_LAYOUT = 2
"""Of the tables; 1 had secrets in them, and must not answer even until it is made anew."""
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, written INTEGER, changed INTEGER,
        inode INTEGER, read INTEGER NOT NULL, hash BLOB NOT NULL, embedded INTEGER NOT NULL)""",
    """CREATE TABLE chunks (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, file INTEGER NOT NULL, line_start INTEGER NOT NULL,
        line_end INTEGER NOT NULL, day INTEGER, decision INTEGER NOT NULL, heading TEXT NOT NULL, hash TEXT NOT NULL,
        prefix TEXT NOT NULL, body TEXT NOT NULL)""",
    # Files that went while the store of vectors could not be reached.
    "CREATE TABLE owed (path TEXT PRIMARY KEY)",
    "CREATE INDEX chunks_of_file ON chunks (file)",
    "CREATE INDEX chunks_of_day ON chunks (day)",
    "CREATE INDEX chunks_of_hash ON chunks (hash)",
    f"""CREATE VIRTUAL TABLE words USING fts5 (
        prefix, body, content = 'chunks', content_rowid = 'id', tokenize = '{TOKENIZER}')""",
    # Runs of characters with blanks between them, of the passages that have any. Nothing of it is read back.
    """CREATE VIRTUAL TABLE grams USING fts5 (
        runs, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'")""",
)
_SETTLED = 2_000_000_000
"""Nanoseconds: what clocks of file systems may be coarse by."""


class Known(NamedTuple):
    """What the index has of a file: its stat, when it was read, in nanoseconds, and the SHA-256 of what it held."""

    size: int
    written: int
    changed: int
    inode: int
    read: int
    hash: bytes
    embedded: int
    settled: int = 0
    """Whether it was written so long before it was read that it cannot have been written again without showing it."""


class Index:
    """An open index. Its own process may write only while it holds the lock of its place."""

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self.file, self.connection = file, connection
        self._known: tuple[tuple[int, int], dict[str, Known]] | None = None

    @staticmethod
    def create(file: Path) -> Index:
        """A new, empty index under a name at which nobody looks yet; `finish` it before it gets its own."""
        connection = _connect(file, "rwc")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('chunker', ?)", (CHUNKER,))
        connection.execute(f"PRAGMA user_version = {_LAYOUT}")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute("COMMIT")
        return Index(file, connection)

    def finish(self) -> None:
        """Close a new index so that it can be renamed: one file, on the disk, whose readers no writer stops."""
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.close()
        descriptor = os.open(self.file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    @staticmethod
    def open(file: Path) -> Index:
        """The index in a file. DamagedError when it is none, FileNotFoundError when it went away just now.

        Where its folder cannot take another byte it is opened to be read alone; writing to it is then an error.
        """
        for beside in ("-wal", "-shm", "-journal", ""):
            with suppress(FileNotFoundError) if beside else nullcontext():
                if not stat.S_ISREG(file.with_name(f"{file.name}{beside}").lstat().st_mode):
                    raise DamagedError(f"{file.name}{beside} is no file")  # a pipe would be waited for
        try:
            return Index._opened(file, "rw")
        except sqlite3.Error as error:
            log = file.with_name(f"{file.name}-wal")
            if broken(error) or (log.exists() and log.stat().st_size):
                raise
        return Index._opened(file, "ro&immutable=1")

    @staticmethod
    def _opened(file: Path, mode: str) -> Index:
        connection = None
        try:
            connection = _connect(file, mode)
            marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
            if marks != [_APPLICATION, _LAYOUT]:
                raise DamagedError("another version of dory made it" if marks[0] == _APPLICATION else "it is no index")
            connection.execute("PRAGMA synchronous = NORMAL")
            for table in ("meta", "files", "chunks", "owed", "words", "grams"):
                connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
            return Index(file, connection)
        except (sqlite3.Error, DamagedError, *VALUES) as error:
            if connection is not None:
                connection.close()
            if broken(error) or (isinstance(error, sqlite3.Error) and code(error) == sqlite3.SQLITE_ERROR):
                raise DamagedError(str(error)) from error
            raise

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def meta(self, key: str) -> str:
        """What is noted under a name; "" for nothing. `chunker` cut the passages, `store` has their vectors."""
        found = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(found[0]) if found else ""

    def set_meta(self, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def known(self) -> dict[str, Known]:
        """What is known of each file, by path. Kept until this or another process has written. Not to be changed."""
        state = (self.connection.execute("PRAGMA data_version").fetchone()[0], self.connection.total_changes)
        if self._known is None or self._known[0] != state:
            rows = self.connection.execute(
                "SELECT path, size, written, changed, inode, read, hash, embedded, max(written, changed) < read - ?"
                " FROM files",
                (_SETTLED,),
            )
            self._known = (state, {row[0]: Known(*row[1:]) for row in rows})
        return self._known[1]

    # Writing: within a transaction

    def put(self, path: str, known: Known, chunks: Sequence[Chunk], keys: Sequence[str]) -> None:
        """Make the passages of a file what they are now; what stays the same is not written again."""
        self.connection.execute(
            """INSERT INTO files (path, size, written, changed, inode, read, hash, embedded)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT (path) DO UPDATE SET size = excluded.size, written = excluded.written,
               changed = excluded.changed, inode = excluded.inode, read = excluded.read, hash = excluded.hash,
               embedded = excluded.embedded""",
            (path, *known[:7]),
        )
        file = self.connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()[0]
        there = dict(self.connection.execute("SELECT key, id FROM chunks WHERE file = ?", (file,)).fetchall())
        self._forget([there[key] for key in there.keys() - set(keys)])
        for key, chunk in zip(keys, chunks, strict=True):
            if key in there:
                self.connection.execute(
                    "UPDATE chunks SET line_start = ?, line_end = ? WHERE id = ?",
                    (chunk.line_start, chunk.line_end, there[key]),
                )
            else:
                self._add(file, key, chunk)

    def _add(self, file: int, key: str, chunk: Chunk) -> None:
        day = None if chunk.day is None else chunk.day.toordinal()
        prefix, body = chunk.prefix, chunk.text
        made = self.connection.execute(
            """INSERT INTO chunks (key, file, line_start, line_end, day, decision, heading, hash, prefix, body)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (key, file, chunk.line_start, chunk.line_end, day, chunk.decision, chunk.heading, chunk.hash, prefix, body),
        ).lastrowid
        self.connection.execute("INSERT INTO words (rowid, prefix, body) VALUES (?, ?, ?)", (made, prefix, body))
        if runs := terms.grams(chunk.searched):
            self.connection.execute("INSERT INTO grams (rowid, runs) VALUES (?, ?)", (made, runs))

    def _forget(self, ids: Iterable[int]) -> None:
        for one in ids:
            prefix, body = self.connection.execute("SELECT prefix, body FROM chunks WHERE id = ?", (one,)).fetchone()
            self.connection.execute(
                "INSERT INTO words (words, rowid, prefix, body) VALUES ('delete', ?, ?, ?)", (one, prefix, body)
            )
            if runs := terms.grams(f"{prefix}\n{body}"):
                self.connection.execute("INSERT INTO grams (grams, rowid, runs) VALUES ('delete', ?, ?)", (one, runs))
            self.connection.execute("DELETE FROM chunks WHERE id = ?", (one,))

    def drop(self, path: str) -> None:
        """Leave nothing of a file."""
        found = self.connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
        if found:
            rows = self.connection.execute("SELECT id FROM chunks WHERE file = ?", found).fetchall()
            self._forget(row[0] for row in rows)
            self.connection.execute("DELETE FROM files WHERE id = ?", found)

    def touch(self, path: str, stat: Stat, read: int) -> None:
        """A file was looked at and holds what it held."""
        self.connection.execute(
            "UPDATE files SET size = ?, written = ?, changed = ?, inode = ?, read = ? WHERE path = ?",
            (*stat, read, path),
        )

    def set_embedded(self, path: str | None, embedded: bool) -> None:
        """Whether the store has the vectors of a file, or of every file."""
        self.connection.execute("UPDATE files SET embedded = ? WHERE path = coalesce(?, path)", (embedded, path))

    def owe(self, path: str) -> None:
        self.connection.execute("INSERT OR IGNORE INTO owed VALUES (?)", (path,))

    def owed(self) -> list[str]:
        """The files whose vectors the store still has to forget."""
        return [row[0] for row in self.connection.execute("SELECT path FROM owed")]

    def paid(self, path: str) -> None:
        self.connection.execute("DELETE FROM owed WHERE path = ?", (path,))

    # Reading

    def count(self) -> tuple[int, int]:
        """How many files and passages there are."""
        row = self.connection.execute("SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks)").fetchone()
        return int(row[0]), int(row[1])

    def faults(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing for a whole one. sqlite3.Error when it cannot look."""
        found = []
        for look in (
            "PRAGMA quick_check",
            "SELECT 'ok', path FROM files",
            "SELECT 'ok', key, heading, prefix, body FROM chunks",
            "INSERT INTO words (words) VALUES ('integrity-check')",
            "INSERT INTO grams (grams) VALUES ('integrity-check')",
        ):
            try:
                found += [str(row[0]) for row in self.connection.execute(look) if row[0] != "ok"]
            except sqlite3.Error as error:
                if not broken(error):
                    raise
                found.append(str(error))
        return found

    def keys_of(self, hashes: Sequence[str]) -> dict[str, str]:
        """The passages whose text has one of these hashes: hash by key."""
        found: dict[str, str] = {}
        for some in batches(hashes):
            marks = ", ".join("?" * len(some))
            found |= self.connection.execute(f"SELECT key, hash FROM chunks WHERE hash IN ({marks})", some).fetchall()
        return found


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    from urllib.parse import quote

    connection = sqlite3.connect(f"file:{quote(str(file))}?mode={mode}", uri=True, timeout=5, isolation_level=None)
    # An index is a file that somebody else may have written: nothing in it may be more than rows.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA cache_size = -65536")  # what questions ask of ten years stays in memory
    return connection
