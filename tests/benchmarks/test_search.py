"""Ten years of logs: making the index, keeping it, and asking it, beside `grep -r` and a plain FTS5 script.

`make bench` prints the figures of search.md with what was measured; nothing is asserted but that the answers are there.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest

from dory_tui.search.answers import Searcher, Wanted

TODAY = date(2026, 3, 5)
DAYS = 3650
HEADINGS = ("Tasks", "Decisions", "Bugs", "Facts", "Promises")
LINES = 7
RUNS = 15
QUESTIONS = 200
COMMON = "the of and to in is was for on with as at by from that it this be are have".split()  # noqa: SIM905
# The whole of what a person would write instead: every bullet a row, asked by bm25().
SCRIPT = """
import pathlib, re, sqlite3, sys
root, file, *words = sys.argv[1:]
index = sqlite3.connect(file)
index.execute("CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5 (path, line, body, tokenize = 'porter')")
if not index.execute("SELECT count(*) FROM f").fetchone()[0]:
    rows = ((str(p), n, line) for p in pathlib.Path(root).rglob("*.md")
            for n, line in enumerate(p.read_text().splitlines(), 1) if line.strip())
    index.executemany("INSERT INTO f VALUES (?, ?, ?)", rows)
    index.commit()
if words:
    for row in index.execute("SELECT * FROM f WHERE f MATCH ? ORDER BY rank LIMIT 10", (" OR ".join(words),)):
        print(row)
"""


def vocabulary() -> tuple[list[str], list[float]]:
    """Twenty thousand words, the n-th as common as language has it."""
    chance = random.Random(7)
    syllables = [a + b for a in "b c d f g k l m n p r s t v w st tr pl".split() for b in "a e i o u ai ou".split()]  # noqa: SIM905
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 3))) for _ in range(20_000)]
    return words, list(itertools.accumulate(1 / (n + 3) for n in range(len(words))))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,650 day files of 29 bullets below five headings, all but a week of them in the archive."""
    root, chance = tmp_path_factory.mktemp("years"), random.Random(7)
    words, weights = vocabulary()
    (root / "memory/archive").mkdir(parents=True)
    for back in range(DAYS):
        day = TODAY - timedelta(back)
        text = [f"# {day}\n"]
        for heading in HEADINGS:
            text.append(f"\n## {heading}\n\n")
            for _ in range(1 if heading == "Decisions" else LINES):
                said = chance.choices(words, cum_weights=weights, k=12)
                said[::4] = chance.choices(COMMON, k=3)
                text.append(f"- {chance.randint(8, 19):02}:{chance.randint(0, 59):02} {' '.join(said)}\n")
        (root / ("memory" if back < 8 else "memory/archive") / f"{day}.md").write_text("".join(text))
    return root


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH")}
    return {**kept, "HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture(scope="module")
def searcher(root: Path, env: dict[str, str]) -> Iterator[Searcher]:
    with Searcher(root, env) as made:
        made.build()
        yield made


@pytest.fixture(scope="module")
def questions(root: Path) -> list[str]:
    """Six words each that stand in one line."""
    chance = random.Random(3)
    lines = [line for file in (root / "memory").glob("*.md") for line in file.read_text().split("\n") if len(line) > 40]
    return [" ".join(chance.sample(chance.choice(lines).split()[2:], k=6)) for _ in range(QUESTIONS)]


def clocked(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def spent(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Median seconds on the wall and of processor of a whole process."""
    wall, processor = [], []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(clocked(lambda: subprocess.run(command, env=env, capture_output=True, check=True)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(wall), statistics.median(processor)


def plain(root: Path, file: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", SCRIPT, str(root), str(file), *words]


def show(what: str, seconds: float, wanted: float, beside: str = "") -> None:
    print(f"{what:<58} {seconds * 1000:9.1f} ms   wanted {wanted * 1000:7.0f} ms   {beside}")


def test_making_and_keeping_the_index(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    shutil.rmtree(root / ".dory", ignore_errors=True)
    script = clocked(lambda: subprocess.run(plain(root, tmp_path / "f.db"), env=env, check=True))
    with Searcher(root, env) as searcher:
        begun = time.process_time()
        took = clocked(searcher.build)
        busy = time.process_time() - begun
        show("full index of 3,650 day files", took, 15, f"processor {busy:.1f} s, FTS5 script {script:.1f} s in all")
        while searcher.build().read:  # until the time of each file tells for sure that it is the same
            pass
        took = statistics.median(clocked(searcher.build) for _ in range(RUNS))
        show("nothing changed", took, 0.15)
        file, times = root / "memory" / f"{TODAY}.md", []
        for number in range(RUNS):
            file.write_text(f"{file.read_text()}- another line, number {number}\n")
            times.append(clocked(searcher.build))
        show("one line changed", statistics.median(times), 0.15)
        assert searcher.ask(f"another line, number {RUNS - 1}", TODAY).results[0].path == f"memory/{TODAY}.md"


def test_warm_questions(
    root: Path, searcher: Searcher, questions: list[str], env: dict[str, str], tmp_path: Path
) -> None:
    passages = searcher.build().passages
    while searcher.build().read:
        pass
    ask(searcher, questions[:5], keyword=False)
    for keyword in (False, True):
        name = f"{passages:,} passages, {'keyword' if keyword else 'hybrid'}"
        asked, busy = ask(searcher, questions, keyword=keyword)
        show(f"{name}: p50", statistics.median(asked), 0.03, f"processor {statistics.median(busy) * 1000:.1f} ms")
        show(f"{name}: p95", p95(asked), 0.03, f"processor {p95(busy) * 1000:.1f} ms")
    subprocess.run(plain(root, tmp_path / "f.db"), env=env, check=True)
    with contextlib.closing(sqlite3.connect(tmp_path / "f.db")) as index:
        asked = [clocked(partial(asked_of, index, " OR ".join(question.split()))) for question in questions]
    show("FTS5 script: p95", p95(asked), 0.03)


def asked_of(index: sqlite3.Connection, words: str) -> list[object]:
    return index.execute("SELECT * FROM f WHERE f MATCH ? ORDER BY rank LIMIT 10", (words,)).fetchall()


def ask(searcher: Searcher, questions: list[str], *, keyword: bool) -> tuple[list[float], list[float]]:
    """Seconds on the wall and of processor of each question, with its look at every file."""
    wall, processor = [], []
    for question in questions:
        begun = time.process_time()
        wall.append(clocked(partial(searcher.ask, question, TODAY, Wanted(keyword=keyword))))
        processor.append(time.process_time() - begun)
    return wall, processor


def p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def test_cold_questions(
    root: Path, searcher: Searcher, questions: list[str], env: dict[str, str], tmp_path: Path
) -> None:
    searcher.build()
    word = max(questions[0].split(), key=len)
    line = [sys.executable, "-m", "dory_tui", "-C", str(root), "search"]
    subprocess.run(plain(root, tmp_path / "f.db"), env=env, check=True)
    for what, command, wanted in (
        ("dory search", [*line, questions[0]], 0.6),
        ("dory search --keyword", [*line, "--keyword", questions[0]], 0.25),
        ("grep -r of one word", ["grep", "-r", word, str(root / "memory")], 0),
        ("FTS5 script", plain(root, tmp_path / "f.db", *questions[0].split()), 0),
        ("bare Python", [sys.executable, "-c", "pass"], 0),
    ):
        wall, processor = spent(command, env)
        show(f"cold {what}", wall, wanted, f"processor {processor * 1000:.0f} ms")
