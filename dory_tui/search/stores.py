"""Where vectors are kept and asked for: one interface, and the store that is in the index itself.

The text of passages and the keyword index stay on this machine. A store holds vectors with the path, lines and day of
their passage, and nothing else of it. `NumpyStore` needs numpy only to be asked, not to forget a path.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date

from dory_tui.search.damage import broken
from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing and numpy cost more than a start of Python, and a keyword search needs neither
if TYPE_CHECKING:
    from typing import Any, Protocol

    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
else:
    Protocol = object

Days = tuple[date, date]
"""The first and the last day, both included."""


class StoreError(Exception):
    """The store cannot answer or cannot keep: search goes on by keyword, with this sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """The vector of one passage. `path` is relative to the workspace, lines count from 1, both ends included."""

    id: str
    path: str
    line_start: int
    line_end: int
    day: date | None
    vector: Vector
    """float32 of length one, shape (dimensions,); all zeros where a text has no known word."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a store found. `score` is the dot product of both vectors, from -1 to 1."""

    id: str
    score: float


class Store(Protocol):
    """What keeps vectors. Every method may raise StoreError, with one sentence that says what to do."""

    def upsert(self, rows: Sequence[Row]) -> None:
        """Keep rows; one whose id is kept already is replaced whole."""

    def delete_by_path(self, path: str) -> None:
        """Forget every row of a file."""

    def query(self, vector: Vector, k: int, days: Days | None = None) -> list[Hit]:
        """The `k` nearest, best first and ties by id. With `days` only rows that have a day within them."""

    def count(self) -> int:
        """How many rows are kept."""

    def identity(self) -> str:
        """The model and chunker that the vectors were made with; "" when nobody has said so yet."""

    def set_identity(self, identity: str) -> None:
        """Say what the vectors are made with. The caller clears first where it was another."""

    def clear(self) -> None:
        """Forget every row and the identity."""

    def close(self) -> None:
        """Let go of files and connections. Nothing may be asked afterwards."""


def batches(values: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """Some values in parts that fit into one statement of any SQLite."""
    for at in range(0, len(values), size):
        yield values[at : at + size]


_TABLES = """
CREATE TABLE IF NOT EXISTS vectors (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
    day INTEGER, vector BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS vectors_of_path ON vectors (path);
CREATE TABLE IF NOT EXISTS vectors_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class NumpyStore:
    """Exact search over float32 rows of a SQLite file, all of them in memory after the first question.

    It writes in the transaction of its connection, where one is open: rows of a file change with its text. A damaged
    file is no StoreError but SQLite's own, since all of the index is to be made anew then.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ids: list[str] = []
        self._days: NDArray[np.int32] | None = None
        self._matrix: NDArray[np.float32] | None = None
        self._version = -1
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                self._run(statement)

    def upsert(self, rows: Sequence[Row]) -> None:
        import numpy as np

        self._matrix = None
        try:
            self._connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (
                        row.id, row.path, row.line_start, row.line_end,
                        None if row.day is None else row.day.toordinal(),
                        np.ascontiguousarray(row.vector, dtype="<f4").tobytes(),
                    )
                    for row in rows
                ],
            )  # fmt: skip
        except sqlite3.Error as error:
            if broken(error):
                raise
            raise StoreError(f"the index does not take vectors ({error})") from error

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The vectors that are kept of some passages, by id: the same text is not embedded twice."""
        import numpy as np

        rows = [
            row
            for some in batches(ids)
            for row in self._run(f"SELECT id, vector FROM vectors WHERE id IN ({', '.join('?' * len(some))})", *some)
        ]
        return {row[0]: np.frombuffer(row[1], dtype="<f4") for row in rows}

    def delete_by_path(self, path: str) -> None:
        self._matrix = None
        self._run("DELETE FROM vectors WHERE path = ?", path)

    def query(self, vector: Vector, k: int, days: Days | None = None) -> list[Hit]:
        import numpy as np

        matrix, known = self._load()
        if k <= 0 or not self._ids:
            return []
        if matrix.shape[1] != len(vector):
            raise StoreError("the index has vectors of another length: `dory index --rebuild` makes it anew")
        # Row by row: for a product that takes a millisecond the threads of BLAS cost more than they save. Rounded, so
        # that equal rows are equal whatever their place is.
        scores = np.asarray(np.vecdot(matrix, np.asarray(vector, dtype=np.float32))).round(6)
        if days is None:
            places = np.arange(len(scores))
        else:
            first, last = days[0].toordinal(), days[1].toordinal()
            places = np.flatnonzero((known >= first) & (known <= last))
        if len(places) > k:
            least = np.partition(scores[places], len(places) - k)[len(places) - k]
            places = places[scores[places] >= least]
        found = [Hit(self._ids[at], round(float(scores[at]), 6)) for at in places.tolist()]
        return sorted(found, key=lambda hit: (-hit.score, hit.id))[:k]

    def count(self) -> int:
        return int(self._run("SELECT count(*) FROM vectors")[0][0])

    def identity(self) -> str:
        found = self._run("SELECT value FROM vectors_meta WHERE key = 'identity'")
        return str(found[0][0]) if found else ""

    def set_identity(self, identity: str) -> None:
        self._run("INSERT OR REPLACE INTO vectors_meta VALUES ('identity', ?)", identity)

    def clear(self) -> None:
        self._matrix = None
        self._run("DELETE FROM vectors")
        self._run("DELETE FROM vectors_meta")

    def close(self) -> None:
        self._matrix = None
        self._connection.close()

    def _load(self) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """All rows, read again when this connection or another process has changed them."""
        import numpy as np

        version = int(self._run("PRAGMA data_version")[0][0])
        if self._matrix is not None and self._days is not None and version == self._version:
            return self._matrix, self._days
        rows = self._run("SELECT id, coalesce(day, -1), vector FROM vectors")
        data = b"".join(row[2] for row in rows)
        if rows and (len(data) % (4 * len(rows)) or len({len(row[2]) for row in rows}) > 1):
            raise StoreError("the index has vectors of several lengths: `dory index --rebuild` makes it anew")
        matrix = np.frombuffer(data, dtype="<f4").reshape(len(rows), -1) if rows else np.zeros((0, 1), np.float32)
        self._ids = [row[0] for row in rows]
        self._days = np.array([row[1] for row in rows], dtype=np.int32)
        self._matrix, self._version = matrix, version
        return matrix, self._days

    def _run(self, statement: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            if broken(error):
                raise
            raise StoreError(f"the index has no vectors ({error}): `dory index --rebuild` makes it anew") from error
