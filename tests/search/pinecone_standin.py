"""A stand-in for one Pinecone index, and no more: the requests its client sends, answered in the service's shapes.

It was written from the source of the client (`pinecone` 10) and refuses what the service refuses. What the service does
by itself - showing writes late, finding nearly the nearest, limiting rates - it does not show.
"""

from __future__ import annotations

import json
import operator
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

KEY = "stand-in"
_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq, "$ne": operator.ne, "$gt": operator.gt,
    "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip
_DELETES = ("ids", "deleteAll", "filter")


class RefusedError(Exception):
    """A status and the sentence of the service."""


class Index:
    """Vectors by namespace and id."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.namespaces: dict[str, dict[str, dict[str, Any]]] = {}
        self.lock = threading.Lock()

    def answer(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """What the service says to one request. RefusedError for one that it does not take."""
        namespace = body.get("namespace", "")
        with self.lock:
            match path:
                case "/vectors/upsert":
                    return self._upsert(namespace, body["vectors"])
                case "/query":
                    return self._query(namespace, body)
                case "/vectors/fetch":
                    held = self.namespaces.get(namespace, {})
                    return {"vectors": {id: held[id] for id in body["ids"] if id in held}, "namespace": namespace}
                case "/vectors/delete":
                    return self._delete(namespace, body)
                case "/describe_index_stats":
                    counts = {name: {"vectorCount": len(held)} for name, held in self.namespaces.items()}
                    total = sum(map(len, self.namespaces.values()))
                    return {"namespaces": counts, "dimension": self.dimensions, "totalVectorCount": total}
        raise RefusedError(404, f"no such path: {path}")

    def _upsert(self, namespace: str, vectors: list[dict[str, Any]]) -> dict[str, Any]:
        if len(vectors) > 1000:
            raise RefusedError(400, "more than 1000 vectors in one request")
        for vector in vectors:
            if len(vector["values"]) != self.dimensions or not any(vector["values"]):
                raise RefusedError(
                    400, "dense vectors have the index's dimension and at least one value that is not zero"
                )
            if not vector["id"] or len(vector["id"]) > 512 or not vector["id"].isascii():
                raise RefusedError(400, "vector ids are 1-512 ASCII characters")
            if any(value is None or isinstance(value, dict) for value in vector.get("metadata", {}).values()):
                raise RefusedError(400, "metadata values are strings, numbers, booleans or lists of strings")
        self.namespaces.setdefault(namespace, {}).update({vector["id"]: vector for vector in vectors})
        return {"upsertedCount": len(vectors)}

    def _query(self, namespace: str, body: Mapping[str, Any]) -> dict[str, Any]:
        asked = np.array(body["vector"], np.float32)
        held = [one for one in self.namespaces.get(namespace, {}).values() if _fits(one, body.get("filter", {}))]
        scored = [{"id": one["id"], "score": float(np.array(one["values"], np.float32) @ asked)} for one in held]
        best = sorted(scored, key=lambda match: -float(str(match["score"])))[: body["topK"]]
        return {"matches": best, "namespace": namespace, "usage": {"readUnits": 1}}

    def _delete(self, namespace: str, body: Mapping[str, Any]) -> dict[str, Any]:
        if sum(name in body for name in _DELETES) != 1:
            raise RefusedError(400, "exactly one of ids, deleteAll and filter")
        if namespace not in self.namespaces:
            raise RefusedError(404, "Namespace not found")
        held = self.namespaces[namespace]
        if body.get("deleteAll"):
            del self.namespaces[namespace]
        gone = [one["id"] for one in held.values() if _fits(one, body["filter"])] if "filter" in body else []
        for id in body.get("ids", gone):
            held.pop(id, None)
        return {}


def _fits(vector: Mapping[str, Any], wanted: Mapping[str, Mapping[str, Any]]) -> bool:
    metadata = vector.get("metadata", {})
    return all(
        field in metadata and _TESTS[name](metadata[field], value)
        for field, tests in wanted.items()
        for name, value in tests.items()
    )


class _Handler(BaseHTTPRequestHandler):
    index: Index

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        self._reply({"ids": query.get("ids", []), "namespace": query.get("namespace", [""])[0]})

    def do_POST(self) -> None:
        self._reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _reply(self, body: Mapping[str, Any]) -> None:
        try:
            if self.headers.get("Api-Key") != KEY or not self.headers.get("X-Pinecone-Api-Version"):
                raise RefusedError(401, "Invalid API key")
            status, said = 200, self.index.answer(urlsplit(self.path).path, body)
        except RefusedError as refused:
            status, said = refused.args[0], {"code": 3, "message": refused.args[1], "details": []}
        data = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def standin(dimensions: int) -> Iterator[str]:
    """The address, `http://127.0.0.1:port`, of an index that is there as long as the block."""
    handler = type("Handler", (_Handler,), {"index": Index(dimensions)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
