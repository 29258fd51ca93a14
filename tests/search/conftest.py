"""The stores that are tested: numpy, or those that `DORY_STORES` names (`make test-milvus`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dory_tui.search.stores import Store
from tests.search.milvus_server import SERVER, Server
from tests.search.pinecone_standin import KEY, standin
from tests.search.places import DIMENSIONS, Place

STORES = os.environ.get("DORY_STORES", "numpy").split(",")
collect_ignore = ["test_servers.py"] if STORES == ["numpy"] else []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Milvus for all tests of the module."""
    made = Server(tmp_path_factory.mktemp("milvus"), SERVER)
    yield made
    made.kill()


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Where nothing is kept yet."""
    name = re.sub(r"\W", "_", request.node.name)
    match request.param:
        case "milvus":
            yield Place("milvus", request.getfixturevalue("server").address, name)
        case "milvus-file":
            yield Place("milvus", str(tmp_path / "vectors.db"), name)
        case "pinecone":
            with standin(DIMENSIONS) as address:
                yield Place("pinecone", address, name, KEY)
        case _:
            yield Place("numpy", str(tmp_path / "index.db"), name)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    made = place.open()
    yield made
    made.close()
