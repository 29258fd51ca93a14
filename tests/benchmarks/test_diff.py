"""How long the diff of a whole MEMORY.md takes, beside difflib on the same lines; and a look for what is like it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable

from dory_tui.diff import diff
from dory_tui.memory.near import Likeness

LINE = "- lesson {}: the deploy needs the VPN up before anything else, ask Ana in the afternoon, not Bob {}"


def _file(lines: int) -> str:
    return "# MEMORY.md\n\n## Lessons\n\n" + "".join(f"{LINE.format(n, n * 7919 % 997)}\n" for n in range(lines))


def _best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds, the best of some runs."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def test_a_diff_of_5000_lines_beside_difflib(record_property: Callable[[str, object], None]) -> None:
    """Every seventh line another word. difflib compares the lines alone, this the words in them as well."""
    old = _file(5_000)
    new = "".join(
        line.replace("VPN", "tunnel") if n % 7 == 0 else line for n, line in enumerate(old.splitlines(keepends=True))
    )
    ours = _best(lambda: diff(old, new), 3)
    theirs = _best(lambda: list(difflib.unified_diff(old.splitlines(True), new.splitlines(True))), 3)
    record_property("ratio", round(ours / theirs, 2))
    print(f"{1000 * ours:.0f} ms, difflib without words {1000 * theirs:.0f} ms, {ours / theirs:.2f} times as long")
    assert ours < theirs


def test_a_memory_at_the_cap_is_looked_at_within_a_key_press(record_property: Callable[[str, object], None]) -> None:
    """One line replaced in a file of 10 KB, and what is like it: what a move to the next candidate costs."""
    old = _file(100)
    assert 9_000 < len(old) < 12_000
    new = old.replace("lesson 50:", "lesson fifty:")

    def look() -> None:
        assert len(diff(old, new).hunks) == 1
        assert Likeness(old.encode()).near(b"- lesson 50: the deploy needs the VPN")

    took = _best(look)
    record_property("milliseconds", round(1000 * took, 1))
    print(f"{1000 * took:.1f} ms")
    assert took < 0.05
