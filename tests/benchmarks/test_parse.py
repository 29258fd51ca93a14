"""Reading the whole corpus, beside a pure-Python CommonMark parser reading the same bytes."""

import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from dory_tui.workspace.document import decode, parse
from dory_tui.workspace.recognise import recognise

CORPUS = Path(__file__).parents[1] / "corpus"
SLOT = {"active": "active", "daily": "daily", "decisions": "decisions", "hold": "hold", "memory": "memory",
        "staging": "staging", "dory": "decisions", "misc": "memory"}  # fmt: skip


def _seconds(work: Callable[[], object], rounds: int = 3) -> float:
    best = 1e9
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def test_the_whole_corpus_is_read() -> None:
    files = [(file.parent.name, file.read_bytes()) for file in sorted(CORPUS.glob("*/*.md"))]
    common = MarkdownIt("commonmark").enable("table")
    scan = _seconds(lambda: [parse("x.md", data) for _, data in files])
    whole = _seconds(lambda: [recognise(parse("x.md", data), SLOT[kind]) for kind, data in files])  # type: ignore[arg-type]
    other = _seconds(lambda: [common.parse(decode(data)) for _, data in files])
    size = sum(len(data) for _, data in files)
    print(
        f"\n{len(files)} files, {size / 1e6:.1f} MB: lines and masks {scan:.2f} s, entries too {whole:.2f} s, "
        f"CommonMark {other:.2f} s: {other / scan:.1f} and {other / whole:.1f} times as fast"
    )
    largest = max(files, key=lambda one: len(one[1]))
    took = _seconds(lambda: recognise(parse("x.md", largest[1]), SLOT[largest[0]]))  # type: ignore[arg-type]
    print(f"the largest file, {len(largest[1]) / 1e3:.0f} KB: {took * 1e3:.0f} ms")
