"""Vectors in Milvus, through pymilvus: a file of this machine, a server, or a cluster.

One collection holds the rows of one workspace. Its index is FLAT with the inner product, so that it finds the same rows
as numpy; a row of its own, `outward.IDENTITY`, holds what the vectors are made with.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence

from dory_tui.search.outward import IDENTITY, LONG, NO_DAY, QUICK, Filling, asking, batches, day_number, ranked
from dory_tui.search.stores import Days, Hit, Row, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dory_tui.search.stores import Vector

_OURS = "Vectors of dory-tui for the workspace "
_FIELDS = ("id", "path", "line_start", "line_end", "day", "vector")
_EXTRA = "milvus"
_BATCH = 500  # rows: about 600 KB, a tenth of what a server takes at once
_MOST = 16_384  # what Milvus returns at most
_PATH = 8192  # bytes; file systems have 4,096
_PASSAGES = "line_start > 0"
"""Every row but that of the identity: lines count from 1."""


class MilvusStore:
    """A collection of a Milvus. `uri` is what pymilvus takes: `http://host:19530`, `https://…`, or a .db file.

    It does not join the transaction of the index, so a collection can be behind or ahead of it: who asks leaves out ids
    that are not in the index. What this object wrote it finds; what another process wrote, after a moment.
    """

    def __init__(self, uri: str, collection: str, dimensions: int, owner: str, token: str = "") -> None:
        self._name = f"Milvus at {uri}"
        self._collection, self._dimensions, self._owner = collection, dimensions, owner
        self._made = False
        self._behind = True  # of what others wrote before
        self._filling = Filling()
        with asking(self._name, _EXTRA):
            self._client: Any = _client(uri, token)

    def upsert(self, rows: Sequence[Row]) -> None:
        with asking(self._name, _EXTRA):
            for batch in batches(rows, _BATCH):
                self._write([self._entity(row) for row in batch])
                self._filling.kept(batch)

    def delete_by_path(self, path: str) -> None:
        with asking(self._name, _EXTRA):
            if self._exists() and not self._filling.lacks(path):
                asked = f"path == {json.dumps(path, ensure_ascii=False)}"
                self._client.delete(self._collection, filter=asked, timeout=LONG)
                self._behind = True

    def query(self, vector: Vector, k: int, days: Days | None = None) -> list[Hit]:
        with asking(self._name, _EXTRA):
            self._filling.end()
            if k <= 0 or not self._exists():
                return []
            within = "" if days is None else f" and day >= {days[0].toordinal()} and day <= {days[1].toordinal()}"
            found = self._client.search(
                self._collection,
                [vector.tolist()],
                filter=_PASSAGES + within,
                limit=min(k, _MOST),
                search_params={"metric_type": "IP"},
                consistency_level=self._level(),
                timeout=QUICK,
            )
            return ranked(((str(hit["id"]), float(hit["distance"])) for hit in found[0]), k)

    def count(self) -> int:
        with asking(self._name, _EXTRA):
            self._filling.end()
            found = self._rows(_PASSAGES, "count(*)", "Strong") if self._exists() else []
            return int(found[0]["count(*)"]) if found else 0

    def identity(self) -> str:
        with asking(self._name, _EXTRA):
            self._filling.end()
            found = self._rows(f'id == "{IDENTITY}"', "path", self._level()) if self._exists() else []
            return str(found[0]["path"]) if found else ""

    def set_identity(self, identity: str) -> None:
        with asking(self._name, _EXTRA):
            nothing = [0.0] * self._dimensions
            row = {"id": IDENTITY, "path": identity, "line_start": 0, "line_end": 0, "day": NO_DAY, "vector": nothing}
            self._write([row])

    def clear(self) -> None:
        with asking(self._name, _EXTRA):
            if self._exists():
                self._client.drop_collection(self._collection, timeout=LONG)
                self._made = False

    def close(self) -> None:
        with asking(self._name, _EXTRA):
            self._client.close()

    @staticmethod
    def _entity(row: Row) -> dict[str, object]:
        values = (row.id, row.path, row.line_start, row.line_end, day_number(row), row.vector.tolist())
        return dict(zip(_FIELDS, values, strict=True))

    def _write(self, entities: list[dict[str, object]]) -> None:
        if not self._exists():
            self._make()
        self._client.upsert(self._collection, entities, timeout=LONG)
        self._behind = True

    def _level(self) -> str:
        """Waiting for all writes of all clients takes 0.2 s, and is needed for one's own alone."""
        behind, self._behind = self._behind, False
        return "Strong" if behind else "Bounded"

    def _rows(self, asked: str, field: str, level: str) -> list[dict[str, Any]]:
        found = self._client.query(
            self._collection, filter=asked, output_fields=[field], consistency_level=level, timeout=QUICK
        )
        return list(found)

    def _exists(self) -> bool:
        """Whether the collection is there. StoreError for one that somebody else made: it would be emptied."""
        if not self._made and self._client.has_collection(self._collection, timeout=QUICK):
            held = self._client.describe_collection(self._collection, timeout=QUICK)
            if held.get("description") != _OURS + self._owner:
                raise StoreError(
                    f"{self._name}: the collection {self._collection} was not made for this workspace, name another one"
                )
            self._made = True
        return self._made

    def _make(self) -> None:
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False, description=_OURS + self._owner)
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=512)
        schema.add_field("path", DataType.VARCHAR, max_length=_PATH)
        for field in ("line_start", "line_end", "day"):
            schema.add_field(field, DataType.INT64)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=self._dimensions)
        index = self._client.prepare_index_params()
        index.add_index("vector", index_type="FLAT", metric_type="IP")
        self._client.create_collection(
            self._collection, schema=schema, index_params=index, consistency_level="Strong", timeout=LONG
        )
        self._made = True
        self._filling.begin()


def _client(uri: str, token: str) -> object:
    # Both libraries write to the terminal what is raised as well, and a screen may be on it.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from pymilvus import MilvusClient

    for name in ("pymilvus", "milvus_lite", "grpc"):
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.handlers = [logging.NullHandler()]
    return MilvusClient(uri=uri, token=token, timeout=QUICK, dedicated=True)
