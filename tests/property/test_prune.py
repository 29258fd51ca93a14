"""Pruning takes whole entries out of a file and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.memory.pruning import PruningError, entries, entries_of, pruned
from dory_tui.workspace.document import parse, split_lines

CORPUS = sorted((Path(__file__).parent.parent / "corpus/memory").glob("*.md"))
PIECES = [
    "# Memory", "## People", "- Ana likes tea", "  more of it", "  - nested", "* starred", "1. first", "text", "a: b",
    "", "", "```", "- ```", "  ~~~", "~~~", "<!-- note -->", "<!--", "-->", "---", "===", "| a | b |", "|---|---|",
    "| 1 | 2 |", "> quoted", "[none]", "\t- tabbed", "    code", "漢字", "- ", "***",
]  # fmt: skip
LINES = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n", "\r\n", "\r"])), max_size=14)


def lines_of(data: bytes) -> list[bytes]:
    return [data[start:stop] for start, _, stop in split_lines(data)]


@given(LINES, st.booleans(), st.data())
def test_what_is_left_is_the_rest_of_the_file(parts: list[tuple[str, str]], ended: bool, choose: st.DataObject) -> None:
    data = "".join(text + end for text, end in parts).encode()
    data = data if ended else data.rstrip(b"\r\n")
    found = entries_of(data)
    marked = choose.draw(st.sets(st.sampled_from([first for first, _, _ in found]))) if found else set()
    made = pruned(data, marked)
    assert len(made) <= len(data)
    gone = {n for first, last, _ in found if first in marked for n in range(first, last + 1)}
    before = lines_of(data)
    kept = [line for number, line in enumerate(before, 1) if number not in gone and line.strip()]
    assert [line for line in lines_of(made) if line.strip()] == kept
    if not marked:
        assert made == data
    # Blank lines only go: none is made that was not there, but for one in the place of what went.
    blank = Counter(line for line in lines_of(made) if not line.strip())
    assert sum(blank.values()) <= sum(not line.strip() for line in before) + len(marked)


@given(LINES)
def test_entries_do_not_overlap_and_cover_every_bullet(parts: list[tuple[str, str]]) -> None:
    data = "".join(text + end for text, end in parts).encode()
    document = parse("MEMORY.md", data)
    found = entries(document)
    owned = [number for one in found for number in range(one.first, one.last + 1)]
    assert owned == sorted(set(owned))
    for line in document.lines:
        if not line.mask and line.shown in ("- Ana likes tea", "* starred", "1. first"):
            assert line.number in owned
        if line.heading is not None:
            assert line.number not in owned


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_a_real_memory_loses_one_entry_and_keeps_the_others(file: Path) -> None:
    data = file.read_bytes()
    found = entries(parse("MEMORY.md", data))
    for one in found[:: max(1, len(found) // 8)]:
        made = pruned(data, [one.last])
        left = [other.text for other in found if other is not one]
        assert [other.text for other in entries(parse("MEMORY.md", made))] == left
        assert len(made) < len(data)


def test_a_whole_bullet_goes_with_what_is_nested_in_it() -> None:
    data = b"# M\n\n## People\n\n- Ana\n  - tea\n\n  and more\n- Bo\n\n## Money\n\n- Rent\n"
    assert entries_of(data) == ((5, 8, "Ana"), (9, 9, "Bo"), (13, 13, "Rent"))
    assert pruned(data, [6]) == b"# M\n\n## People\n\n- Bo\n\n## Money\n\n- Rent\n"
    assert pruned(data, [9, 5]) == b"# M\n\n## People\n\n## Money\n\n- Rent\n"
    assert pruned(data, [13]) == data[: data.index(b"\n- Rent")]


def test_an_introduction_is_no_entry() -> None:
    assert entries_of(b"# M\n\n> What is worth knowing.\n\n*At most 10 KB.*\n\n- a\n\n## P\n\n> said\n") == (
        (7, 7, "a"), (11, 11, "said"),
    )  # fmt: skip
    assert entries_of(b"# M\n\n> said\n") == ((3, 3, "said"),)


def test_what_stood_apart_stays_apart() -> None:
    data = b"one\n- two\n\nthree\n```\nfour\n```\nfive\n"
    assert pruned(data, [6]) == b"one\n- two\n\nthree\n\nfive\n"


def test_a_line_without_an_entry_is_refused_with_its_number() -> None:
    with pytest.raises(PruningError, match=r"MEMORY\.md line 1: no entry stands there"):
        pruned(b"# M\n\n- a\n", [1])
    with pytest.raises(PruningError, match="line 2: merge conflict markers"):
        pruned(b"- a\n<<<<<<< HEAD\n- b\n=======\n>>>>>>> x\n", [1])
