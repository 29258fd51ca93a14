"""What becomes of a question when a store is another one's, is in use, or goes away. Run by `make test-milvus`."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from dory_tui.search.milvus import MilvusStore
from dory_tui.search.outward import QUICK
from dory_tui.search.pinecone import PineconeStore
from dory_tui.search.stores import Store, StoreError
from tests.conftest import PATIENCE
from tests.search import places
from tests.search.milvus_server import Server
from tests.search.pinecone_standin import KEY, standin
from tests.search.places import DIMENSIONS, Place, rows, vectors

SLACK = 4.0
"""Seconds beyond the time limit of a question for what its client does around it."""
pytestmark = pytest.mark.filterwarnings("default")


def test_rows_of_another_workspace_are_neither_asked_nor_emptied(store: Store, place: Place) -> None:
    if place.kind == "numpy" or place.alone:
        return  # one workspace has the file
    store.upsert(rows("a", 5))
    other = place.open("somebody else")
    for ask in (
        other.clear, other.count, other.identity,
        lambda: other.query(vectors(1, 1)[0], 1),
        lambda: other.upsert(rows("b", 1)),
        lambda: other.delete_by_path("memory/a-0.md"),
        lambda: other.set_identity("mine"),
    ):  # fmt: skip
        with pytest.raises(StoreError, match="was not made for this workspace"):
            ask()
    other.close()
    assert store.count() == 5


def test_a_file_in_use_is_said_to_be_so(tmp_path: Path) -> None:
    place = Place("milvus", str(tmp_path / "vectors.db"), "rows")
    first = place.open()
    first.upsert(rows("a", 5))
    done = subprocess.run(
        [sys.executable, places.__file__, places.argument(place), "one", "1"],
        capture_output=True, text=True, check=False, timeout=4 * PATIENCE,
    )  # fmt: skip
    assert f"StoreError: Milvus at {place.at} does not answer: " in done.stderr.splitlines()[-1]
    assert first.count() == 5
    first.close()


def test_nobody_answers() -> None:
    with pytest.raises(StoreError, match=r"Milvus at http://127\.0\.0\.1:1 does not answer: "):
        MilvusStore("http://127.0.0.1:1", "rows", DIMENSIONS, "owner")
    with standin(DIMENSIONS) as address:
        store = PineconeStore(address, "rows", DIMENSIONS, "owner", KEY)
    with pytest.raises(StoreError, match=rf"Pinecone at {address} does not answer: "):
        store.query(np.ones(DIMENSIONS, np.float32), 10)
    store.close()


def test_a_wrong_key_is_said_without_the_key() -> None:
    with standin(DIMENSIONS) as address:
        store = PineconeStore(address, "rows", DIMENSIONS, "owner", "sk-not-this-one")
        with pytest.raises(StoreError, match="Invalid API key") as caught:
            store.count()
        store.close()
    assert "sk-not-this-one" not in str(caught.value)


def test_at_last_a_server_that_is_killed_ends_a_question_in_time(server: Server) -> None:
    store = MilvusStore(server.address, "killed", DIMENSIONS, "owner")
    store.upsert(rows("a", 200))
    asked, failed = threading.Event(), []

    def ask() -> None:
        try:
            while True:
                store.query(vectors(1, 1)[0], 10)
                asked.set()
        except StoreError as error:
            failed.append((time.monotonic(), str(error)))

    asking = threading.Thread(target=ask)
    asking.start()
    assert asked.wait(PATIENCE)
    killed = time.monotonic()
    server.kill()
    asking.join(4 * PATIENCE)
    assert failed
    assert failed[0][0] - killed < QUICK + SLACK
    assert failed[0][1].startswith(f"Milvus at {server.address} does not answer: ")
    for again in (store.count, store.identity, store.clear, lambda: store.upsert(rows("a", 1))):
        with pytest.raises(StoreError, match="does not answer"):
            again()
    store.close()
