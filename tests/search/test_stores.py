"""What every store promises: the same answers as numpy, nothing left of a deleted file, two processes at once.

`make test` asks numpy alone. `make test-milvus` asks a Milvus server, a Milvus file and the stand-in for Pinecone too;
what they need is not installed for it. `DORY_STORES` says which are asked.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import numpy as np
import pytest

from dory_tui.search.stores import Row, Store
from tests.conftest import PATIENCE
from tests.search import places
from tests.search.places import DIMENSIONS, FIRST, Place, numpy_store, rows, vectors

ODD = 'memory/«Über» "x" \\ \' %d {} 日記\n.md'
pytestmark = pytest.mark.filterwarnings("default")  # the clients' libraries warn of one another


def ids(found: Store, vector: np.ndarray[tuple[int], np.dtype[np.float32]], k: int = 10) -> list[str]:
    return [hit.id for hit in found.query(vector, k)]


def test_nothing_is_kept_at_first(store: Store) -> None:
    store.delete_by_path("memory/2026-02-07.md")
    store.clear()
    assert (store.count(), store.identity(), ids(store, vectors(2, 1)[0])) == (0, "", [])


def test_the_same_ten_as_numpy(store: Store) -> None:
    exact = numpy_store()
    for one in (store, exact):
        one.upsert(rows("a", 400))
    within = (FIRST + timedelta(3), FIRST + timedelta(9))
    for vector in vectors(2, 12):
        for days in (None, within, (FIRST, FIRST), (FIRST - timedelta(9), FIRST - timedelta(1))):
            found, wanted = store.query(vector, 10, days), exact.query(vector, 10, days)
            assert [hit.id for hit in found] == [hit.id for hit in wanted]
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-5)
    assert len(store.query(vectors(2, 1)[0], 1000)) == 400
    assert store.query(vectors(2, 1)[0], 0) == []
    exact.close()


def test_a_row_is_replaced_whole(store: Store) -> None:
    first, second = vectors(3, 2)
    store.upsert([Row("x", "memory/a.md", 1, 2, FIRST, first)])
    store.upsert([Row("x", "memory/b.md", 5, 9, None, first), Row("x", "memory/b.md", 5, 9, None, second)])
    assert store.count() == 1
    assert store.query(second, 5)[0].score == pytest.approx(1, abs=1e-5)
    assert store.query(second, 5, (FIRST, FIRST)) == []
    store.delete_by_path("memory/a.md")
    assert ids(store, second) == ["x"]
    store.delete_by_path("memory/b.md")
    assert (store.count(), ids(store, second)) == (0, [])


def test_a_deleted_file_leaves_nothing_and_takes_nothing_with_it(store: Store) -> None:
    kept, gone, looks = vectors(4, 3)
    store.upsert(
        [
            Row("kept", "memory/a.md", 1, 2, FIRST, kept),
            Row("gone", ODD, 1, 2, FIRST, gone),
            Row("looks", ODD[:-4], 1, 2, FIRST, looks),
        ]
    )
    store.delete_by_path(ODD)
    assert sorted(ids(store, gone)) == ["kept", "looks"]
    assert store.count() == 2


def test_what_the_vectors_are_made_with_is_told_and_never_found(store: Store, place: Place) -> None:
    store.set_identity("model 1, chunker 1")
    store.upsert(rows("a", 8))
    store.set_identity("model 2, chunker 1")
    other = store if place.alone else place.open()
    assert other.identity() == "model 2, chunker 1"
    assert (other.count(), len(ids(other, -vectors(1, 1)[0], 20))) == (8, 8)
    store.clear()
    assert (store.count(), store.identity(), ids(store, vectors(1, 1)[0])) == (0, "", [])
    store.upsert(rows("b", 3))
    assert store.count() == 3
    if other is not store:
        other.close()


def test_a_text_without_known_words_does_no_harm(store: Store) -> None:
    one = vectors(5, 1)[0]
    store.upsert(
        [Row("empty", "memory/a.md", 1, 1, FIRST, np.zeros(DIMENSIONS, np.float32)), Row("x", "b.md", 1, 1, FIRST, one)]
    )
    assert store.count() == 2
    assert ids(store, one)[0] == "x"
    store.delete_by_path("memory/a.md")
    assert (store.count(), ids(store, one)) == (1, ["x"])


def test_two_processes_write_and_ask_at_once(store: Store, place: Place) -> None:
    if place.alone:
        return  # test_servers.py has what becomes of the second one
    started = [
        subprocess.Popen(
            [sys.executable, places.__file__, places.argument(place), name, "100"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "other")
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=4 * PATIENCE)
    assert [process.returncode for process in started] == [0, 0]
    assert store.count() == 200
    store.delete_by_path("memory/one-0.md")  # what another process wrote is seen at once by who writes himself
    for name in ("one", "other"):
        assert ids(store, rows(name, 100, seed=len(name))[43].vector, 1) == [f"{name}-43"]
