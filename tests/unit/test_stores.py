"""The store that is in the index: exact, ordered, and whole again in another process."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from dory_tui.search.stores import Hit, NumpyStore, Row, StoreError
from tests.search.places import numpy_store


def rows(count: int, seed: int = 1) -> list[Row]:
    made = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [
        Row(f"id{n:03}", f"memory/{n % 5}.md", n, n, date(2026, 1, 1 + n % 28) if n % 3 else None, made[n])
        for n in range(count)
    ]


def test_the_nearest_come_first_and_ties_by_id() -> None:
    store, some = numpy_store(), rows(50)
    store.upsert(some)
    question = some[7].vector
    wanted = sorted((Hit(one.id, float(one.vector @ question)) for one in some), key=lambda hit: (-hit.score, hit.id))
    found = store.query(question, 10)
    assert [hit.id for hit in found] == [hit.id for hit in wanted[:10]]
    assert found[0].score == pytest.approx(1.0)
    same = [Row(f"t{n}", "t.md", 1, 1, None, question) for n in (3, 1, 2)]
    store.upsert(same)
    assert [hit.id for hit in store.query(question, 4)] == ["id007", "t1", "t2", "t3"]
    assert store.query(question, 0) == []
    assert len(store.query(question, 1000)) == 53


def test_days_leave_out_others_and_what_has_none() -> None:
    store, some = numpy_store(), rows(50)
    store.upsert(some)
    days = (date(2026, 1, 5), date(2026, 1, 6))
    wanted = {one.id for one in some if one.day in days}
    assert {hit.id for hit in store.query(some[0].vector, 50, days)} == wanted
    assert wanted


def test_a_row_is_replaced_a_path_forgotten_and_all_of_it_cleared() -> None:
    store, some = numpy_store(), rows(10)
    store.upsert(some)
    store.set_identity("model 1")
    assert (store.count(), store.identity()) == (10, "model 1")
    store.upsert([Row("id001", "memory/1.md", 9, 9, None, some[2].vector)])
    assert [hit.id for hit in store.query(some[2].vector, 2)] == ["id001", "id002"]
    store.delete_by_path("memory/1.md")
    assert store.count() == 8
    assert store.query(some[2].vector, 1)[0].id == "id002"
    assert store.vectors(["id002", "gone"]).keys() == {"id002"}
    store.clear()
    assert (store.count(), store.identity(), store.query(some[0].vector, 3)) == (0, "", [])


def test_another_connection_sees_what_was_written_and_this_one_what_that_writes(tmp_path: Path) -> None:
    one, other = numpy_store(tmp_path / "v.db"), numpy_store(tmp_path / "v.db")
    some = rows(3)
    one.upsert(some[:2])
    assert len(other.query(some[0].vector, 9)) == 2
    one.upsert(some[2:])
    assert len(other.query(some[0].vector, 9)) == 3
    one.close()
    other.close()


def test_a_damaged_file_is_told_from_a_store_that_cannot_answer(tmp_path: Path) -> None:
    (tmp_path / "v.db").write_bytes(b"no database, and long enough to be looked at" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        numpy_store(tmp_path / "v.db")
    store = numpy_store()
    store.upsert(rows(2))
    store._connection.execute("UPDATE vectors SET vector = x'00' WHERE id = 'id001'")
    with pytest.raises(StoreError, match="several lengths"):
        store.query(rows(1)[0].vector, 1)
    store._connection.execute("UPDATE vectors SET vector = x'00000000'")
    with pytest.raises(StoreError, match="of another length: `dory index --rebuild`"):
        store.query(rows(1)[0].vector, 1)
    store._connection.execute("DROP TABLE vectors")
    with pytest.raises(StoreError, match="--rebuild"):
        store.count()


def test_it_writes_in_the_transaction_of_its_connection() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    store = NumpyStore(connection)
    connection.execute("BEGIN")
    store.upsert(rows(2))
    connection.execute("ROLLBACK")
    assert store.count() == 0
