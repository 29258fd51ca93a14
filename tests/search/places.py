"""Stores to test, each as a place that several processes can open. As a script: one of two that write at once.

Arguments: a place as JSON, the name of the writer, how many rows. It waits for a line, and writes and asks in turn.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from dory_tui.search.stores import NumpyStore, Row, Store

DIMENSIONS = 64
FIRST = date(2024, 1, 1)
BATCH = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is: `at` is a file or an address, `name` the collection or namespace."""

    kind: str
    """numpy, milvus or pinecone."""
    at: str
    name: str
    key: str = ""

    @property
    def alone(self) -> bool:
        """Whether one process at a time can open it: a file of Milvus."""
        return self.kind == "milvus" and "://" not in self.at

    def open(self, owner: str = "owner") -> Store:
        """A connection of its own."""
        if self.kind == "numpy":
            return numpy_store(self.at)
        if self.kind == "pinecone":
            from dory_tui.search.pinecone import PineconeStore

            return PineconeStore(self.at, self.name, DIMENSIONS, owner, self.key)
        from dory_tui.search.milvus import MilvusStore

        return MilvusStore(self.at, self.name, DIMENSIONS, owner)


def numpy_store(file: Path | str = ":memory:") -> NumpyStore:
    """A store in a file of its own, or in memory."""
    return NumpyStore(sqlite3.connect(file, timeout=5, isolation_level=None))


def vectors(seed: int, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Directions in space, the same for the same seed."""
    made = np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)  # type: ignore[no-any-return]


def rows(name: str, count: int, seed: int = 1) -> list[Row]:
    """Passages of seven files, on days one after the other, every fifth without a day."""
    days: Sequence[date | None] = [None if n % 5 == 0 else FIRST + timedelta(n % 30) for n in range(count)]
    return [
        Row(f"{name}-{n}", f"memory/{name}-{n % 7}.md", n + 1, n + 3, days[n], vector)
        for n, vector in enumerate(vectors(seed, count))
    ]


def main() -> None:
    """Write rows in parts and ask after each."""
    place, name, count = Place(**json.loads(sys.argv[1])), sys.argv[2], int(sys.argv[3])
    store = place.open()
    store.count()
    print("ready", flush=True)
    sys.stdin.readline()
    written = rows(name, count, seed=len(name))
    for start in range(0, count, BATCH):
        store.upsert(written[start : start + BATCH])
        assert store.query(written[start].vector, 1)[0].id == written[start].id
    store.close()


def argument(place: Place) -> str:
    """A place for the command line of a writer."""
    return json.dumps(asdict(place))


if __name__ == "__main__":
    main()
