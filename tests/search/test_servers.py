"""What becomes of a question when a store is another one's, is in use, or goes away. Run by `make test-milvus`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from dory_tui.search import elsewhere
from dory_tui.search.answers import Answer, Searcher
from dory_tui.search.milvus import MilvusStore
from dory_tui.search.outward import QUICK
from dory_tui.search.pinecone import PineconeStore
from dory_tui.search.stores import Store, StoreError
from tests.conftest import PATIENCE
from tests.search import places
from tests.search.milvus_server import Server
from tests.search.pinecone_standin import KEY, standin
from tests.search.places import DIMENSIONS, Place, rows, vectors
from tests.search.questions import WORKSPACE, questions

SLACK = 4.0
"""Seconds beyond the time limit of a question for what its client does around it."""
ASKED = date(2024, 10, 30)
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


@pytest.fixture
def logs(tmp_path: Path, server: Server) -> Path:
    """The workspace of the questions, with its vectors on the server."""
    root = tmp_path / "workspace"
    shutil.copytree(WORKSPACE, root)
    (root / "dory.toml").write_text(f'[search]\nstore = "{server.address.replace("http", "milvus")}/{tmp_path.name}"\n')
    return root


def searcher(root: Path, *, remote: bool = True) -> Searcher:
    environment = {"HOME": str(root.parent)}
    return Searcher(root, environment, remote=elsewhere.remote(root, environment, None) if remote else None)


def test_questions_are_answered_as_by_numpy(logs: Path, tmp_path: Path) -> None:
    own = shutil.copytree(WORKSPACE, tmp_path / "own")
    with searcher(logs) as there, searcher(own, remote=False) as here:
        for question in questions()[::4]:
            found, wanted = (one.ask(question.words, question.asked) for one in (there, here))
            assert (found.mode, found.notices) == ("hybrid", ())
            assert [(one.path, one.line_start) for one in found.results] == [
                (one.path, one.line_start) for one in wanted.results
            ]
            assert [one.alike for one in found.results] == pytest.approx(
                [one.alike for one in wanted.results], abs=1e-3
            )
        report = there.build()
        assert report.vectors == report.passages == here.build().passages
        assert report.findings == ()


def test_at_last_a_server_is_killed_while_it_is_asked(logs: Path, server: Server) -> None:
    asked, answers = threading.Event(), list[tuple[float, Answer]]()

    def ask() -> None:
        with searcher(logs) as one:
            while not answers or answers[-1][1].mode == "hybrid":
                answers.append((time.monotonic(), one.ask("which lesson was doubled on Sunday", ASKED)))
                asked.set()
            began = time.monotonic()
            answers.append((began, one.ask("who hosts Pepper", ASKED)))
            answers.append((time.monotonic() - began, answers[-1][1]))

    asking = threading.Thread(target=ask)
    asking.start()
    assert asked.wait(4 * PATIENCE)
    killed = time.monotonic()
    server.kill()
    asking.join(4 * PATIENCE)
    first, then, took = answers[-3:]
    assert first[1].results
    assert first[1].mode == then[1].mode == "keyword"
    for _, answer in (first, then):
        assert [one for one in answer.notices if one.startswith(f"Milvus at {server.address} does not answer: ")]
    assert first[0] - killed < QUICK + SLACK
    assert took[0] < 1, "a store that did not answer is left alone"
    _what_was_missed_is_made_up_for(logs, server)


def _what_was_missed_is_made_up_for(logs: Path, server: Server) -> None:
    """Files that changed and went while nobody answered, once the server is there again."""
    gone, new = logs / "memory/2026-02-12.md", logs / "memory/2026-02-13.md"
    gone.unlink()
    new.write_text("# 2026-02-13\n\n- 09:00 the anchor lamp flickers\n")
    with searcher(logs) as one:
        answer = one.ask("anchor lamp", ASKED)
        assert (answer.mode, answer.results[0].path) == ("keyword", "memory/2026-02-13.md")
    again = server.again()
    try:
        until = time.monotonic() + 4 * PATIENCE
        while True:
            with searcher(logs) as one:
                answer, report = one.ask("anchor lamp", ASKED), one.build()
            if answer.mode == "hybrid" or time.monotonic() > until:
                break
        assert (answer.mode, answer.results[0].path) == ("hybrid", "memory/2026-02-13.md")
        assert report.vectors == report.passages
    finally:
        again.kill()
