"""Ten years of logs and a full MEMORY.md: how long it takes to look through them, beside reading them at all."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from dory_tui.memory.audit import audit
from dory_tui.secrets import in_text
from dory_tui.workspace.document import decode

Benchmark = Callable[..., object]
YEARS, LINES = 10, 40
TODAY = date(2026, 3, 5)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[date, Path]]:
    """3,650 logs of forty lines with twelve words each, of five thousand."""
    folder, chance = tmp_path_factory.mktemp("logs"), random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(3, 9))) for _ in range(5000)]
    found = []
    for back in range(YEARS * 365):
        day = TODAY - timedelta(back)
        file = folder / f"{day}.md"
        lines = (f"- 10:00 {' '.join(chance.choices(words, k=12))}\n" for _ in range(LINES))
        file.write_text(f"# {day}\n\n" + "".join(lines))
        found.append((day, file))
    return found


def _memory(logs: list[tuple[date, Path]]) -> bytes:
    """10 KB of entries whose words stand in the logs."""
    made, chance = "# M\n\n## Facts\n\n", random.Random(3)
    while len(made) < 10_000:
        line = logs[chance.randrange(len(logs))][1].read_text().splitlines()[5]
        made += f"- {' '.join(line.split()[2:9])}\n"
    return made.encode()


def _read(logs: list[tuple[date, Path]]) -> list[tuple[date, str, bytes]]:
    return [(day, file.name, file.read_bytes()) for day, file in logs]


def test_the_audit_of_ten_years(benchmark: Benchmark, logs: list[tuple[date, Path]]) -> None:
    memory = _memory(logs)
    begun = time.perf_counter()
    count = sum(len(decode(data).lower().split()) for _, _, data in _read(logs))
    floor = time.perf_counter() - begun
    begun = time.perf_counter()
    found = audit(memory, [], None, _read(logs), TODAY)
    took = time.perf_counter() - begun
    assert all(one.mention is not None for one in found)
    print(f"{len(found)} entries, {count:,} words: {took:.2f} s, {took / floor:.1f} × reading and splitting them")
    assert took < 30 * floor
    benchmark(lambda: audit(memory, [], None, _read(logs), TODAY))


def test_secrets_of_ten_years(benchmark: Benchmark, logs: list[tuple[date, Path]]) -> None:
    texts = [decode(data) for _, _, data in _read(logs)]
    assert benchmark(lambda: sum(1 for text in texts for _ in in_text(text))) == 0
