"""Vectors in a namespace of a Pinecone index, through its own client. The index has the dot product and our dimensions.

Pinecone shows what was written after a moment only, also to who wrote it, and `count` follows later still.
"""

from __future__ import annotations

from collections.abc import Sequence

from dory_tui.search.outward import IDENTITY, LONG, QUICK, Filling, asking, batches, day_number, ranked
from dory_tui.search.stores import Days, Hit, Row, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dory_tui.search.stores import Vector

_EXTRA = "pinecone"
_BATCH = 100  # vectors: some 250 KB of JSON, and a request may have 2 MB
_MOST = 10_000  # what Pinecone returns at most
_PASSAGE, _BLANK, _IDENTITY = "passage", "blank", "identity"


class PineconeStore:
    """A namespace of the index at `host`, the host of the index itself and not its name.

    The first row of a namespace is that of the identity, which names the workspace it was made for. A vector of zeros
    cannot be kept there, so that of a text without known words stands as a blank that is never found.
    """

    def __init__(self, host: str, namespace: str, dimensions: int, owner: str, key: str) -> None:
        self._name = f"Pinecone at {host}"
        self._namespace, self._dimensions, self._owner = namespace, dimensions, owner
        self._ours = False
        self._filling = Filling()
        with asking(self._name, _EXTRA):
            from pinecone import Pinecone

            self._client: Any = Pinecone(api_key=key, timeout=QUICK)
            self._index: Any = self._client.index(host=host)

    def upsert(self, rows: Sequence[Row]) -> None:
        with asking(self._name, _EXTRA):
            if not self._exists():
                self._filling.begin()
                self._claim("")
            for batch in batches(rows, _BATCH):
                self._write([self._vector(row) for row in batch])
                self._filling.kept(batch)

    def delete_by_path(self, path: str) -> None:
        with asking(self._name, _EXTRA):
            if self._exists() and not self._filling.lacks(path):
                self._index.delete(filter={"path": {"$eq": path}}, namespace=self._namespace, timeout=LONG)

    def query(self, vector: Vector, k: int, days: Days | None = None) -> list[Hit]:
        with asking(self._name, _EXTRA):
            self._filling.end()
            if k <= 0 or not self._exists():
                return []
            wanted: dict[str, object] = {"kind": {"$eq": _PASSAGE}}
            if days is not None:
                wanted["day"] = {"$gte": days[0].toordinal(), "$lte": days[1].toordinal()}
            found = self._index.query(
                vector=vector.tolist(), top_k=min(k, _MOST), namespace=self._namespace, filter=wanted, timeout=QUICK
            )
            return ranked(((str(match.id), float(match.score)) for match in found.matches), k)

    def count(self) -> int:
        with asking(self._name, _EXTRA):
            self._filling.end()
            return self._held() - 1 if self._exists() else 0

    def identity(self) -> str:
        with asking(self._name, _EXTRA):
            self._filling.end()
            kept = self._kept()
            return str(kept["identity"]) if kept is not None and self._exists() else ""

    def set_identity(self, identity: str) -> None:
        with asking(self._name, _EXTRA):
            if not self._exists():
                self._filling.begin()
            self._claim(identity)

    def clear(self) -> None:
        with asking(self._name, _EXTRA):
            if self._exists():
                self._index.delete(delete_all=True, namespace=self._namespace, timeout=LONG)
                self._ours = False

    def close(self) -> None:
        with asking(self._name, _EXTRA):
            self._index.close()
            self._client.close()

    def _vector(self, row: Row) -> dict[str, object]:
        blank = not row.vector.any()
        return {
            "id": row.id,
            "values": self._somewhere() if blank else row.vector.tolist(),
            "metadata": {
                "kind": _BLANK if blank else _PASSAGE,
                "path": row.path,
                "line_start": row.line_start,
                "line_end": row.line_end,
                "day": day_number(row),
            },
        }

    def _somewhere(self) -> list[float]:
        return [1.0] + [0.0] * (self._dimensions - 1)

    def _write(self, vectors: list[dict[str, object]]) -> None:
        self._index.upsert(vectors=vectors, namespace=self._namespace, timeout=LONG)

    def _claim(self, identity: str) -> None:
        metadata = {"kind": _IDENTITY, "identity": identity, "owner": self._owner}
        self._write([{"id": IDENTITY, "values": self._somewhere(), "metadata": metadata}])
        self._ours = True

    def _exists(self) -> bool:
        """Whether the namespace has rows. StoreError when they are somebody else's: they would be deleted."""
        if not self._ours:
            if not self._held():
                return False
            kept = self._kept()  # asked last: it is the first row that anybody writes
            if kept is None or kept.get("owner") != self._owner:
                raise StoreError(
                    f"{self._name}: the namespace {self._namespace} was not made for this workspace, name another one"
                )
            self._ours = True
        return True

    def _kept(self) -> dict[str, Any] | None:
        found = self._index.fetch(ids=[IDENTITY], namespace=self._namespace, timeout=QUICK).vectors.get(IDENTITY)
        return None if found is None else dict(found.metadata or {})

    def _held(self) -> int:
        found = self._index.describe_index_stats(timeout=QUICK).namespaces.get(self._namespace)
        return 0 if found is None else int(found.vector_count)
