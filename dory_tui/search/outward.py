"""Vectors kept by a program outside of this one: what every such store shares, and its errors as StoreError."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite

from dory_tui.search.stores import Days, Hit, Row, Store, StoreError
from dory_tui.visible import cut, visible_line

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.search.stores import Vector

IDENTITY = "~identity"
"""The id of the row that says what the vectors are made with. It is never found and not counted."""
NO_DAY = -1
"""The day of a row without one: before every other."""
QUICK = 5.0
"""Seconds that a question may take: a person waits for it."""
LONG = 60.0
"""Seconds that making a collection, or writing to it, may take."""
REST = 20.0
"""Seconds that a store which did not answer is left alone: each question would wait for it anew."""
_SAID = 160


@contextmanager
def asking(name: str, extra: str) -> Iterator[None]:
    """Whatever a store's client raises becomes StoreError: it may be its own, grpc's, or that of a decoder.

    `name` says which store it is, `extra` what of dory-tui brings its client.
    """
    try:
        yield
    except StoreError:
        raise
    except ImportError as error:
        raise StoreError(f"{name} cannot be asked: {error}; install it with pip install 'dory-tui[{extra}]'") from error
    except Exception as error:
        said = cut(visible_line(str(error).partition("\n")[0]), _SAID) or type(error).__name__
        raise StoreError(f"{name} does not answer: {said}") from error


def day_number(row: Row) -> int:
    """A day as stores keep it: its number, counted from the first of January of the year 1."""
    return NO_DAY if row.day is None else row.day.toordinal()


def ranked(found: Iterator[tuple[str, float]], k: int) -> list[Hit]:
    """What a server answered, in the order that a store promises. What is no number is left out."""
    hits = [Hit(id, float(score)) for id, score in found if isfinite(score)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]


def batches(rows: Sequence[Row], size: int) -> Iterator[list[Row]]:
    """Rows in parts that fit into one request; of those with the same id the last."""
    last = list({row.id: row for row in rows}.values())
    for start in range(0, len(last), size):
        yield last[start : start + size]


class Filling:
    """Which files an empty store has rows of by now, while the process that holds the index's lock fills it.

    Forgetting a file takes a server longer than keeping one, and each file is forgotten before it is kept.
    """

    def __init__(self) -> None:
        self._paths: set[str] | None = None

    def begin(self) -> None:
        """The store is empty now."""
        self._paths = set()

    def end(self) -> None:
        """Others may have written."""
        self._paths = None

    def kept(self, rows: Sequence[Row]) -> None:
        if self._paths is not None:
            self._paths.update(row.path for row in rows)

    def lacks(self, path: str) -> bool:
        """Whether there can be no row of a file."""
        return self._paths is not None and path not in self._paths


class Later:
    """A store that is opened when it is first asked, so that a question by keyword needs none of its libraries.

    After it failed it is not asked again for `REST` seconds: it says the same once more.
    """

    def __init__(self, open_store: Callable[[], Store], clock: Callable[[], float] = time.monotonic) -> None:
        self._open_store, self._clock = open_store, clock
        self._store: Store | None = None
        self._failed: tuple[float, str] | None = None

    def upsert(self, rows: Sequence[Row]) -> None:
        with self._asked() as store:
            store.upsert(rows)

    def delete_by_path(self, path: str) -> None:
        with self._asked() as store:
            store.delete_by_path(path)

    def query(self, vector: Vector, k: int, days: Days | None = None) -> list[Hit]:
        with self._asked() as store:
            return store.query(vector, k, days)

    def count(self) -> int:
        with self._asked() as store:
            return store.count()

    def identity(self) -> str:
        with self._asked() as store:
            return store.identity()

    def set_identity(self, identity: str) -> None:
        with self._asked() as store:
            store.set_identity(identity)

    def clear(self) -> None:
        with self._asked() as store:
            store.clear()

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    @contextmanager
    def _asked(self) -> Iterator[Store]:
        if self._failed is not None and self._clock() < self._failed[0] + REST:
            raise StoreError(self._failed[1])
        try:
            if self._store is None:
                self._store = self._open_store()
            yield self._store
        except StoreError as error:
            self._failed = self._clock(), str(error)
            raise
        self._failed = None
