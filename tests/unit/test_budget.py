"""Where the platforms stop reading MEMORY.md, and what they would not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.memory.budget import LIMITS, Limit, cut_sentences, cuts
from dory_tui.workspace.document import decode, split_lines


def test_nothing_is_cut_of_a_small_file() -> None:
    assert cuts(b"") == ()
    assert cut_sentences(b"# MEMORY.md\n") == ("nothing is cut at 12,000 characters or at 200 lines or 25 KB",)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x\n" * 200, ()),
        (b"x\n" * 201, ((201, 1),)),
        (b"x\n" * 200 + b"y", ((201, 1),)),
        (b"x" * 12_000, ()),
        (b"x" * 11_999 + b"\n", ()),
        (b"x" * 12_000 + b"\n", ((1, 1),)),
        (b"x" * 11_999 + b"\ny\n", ((2, 1),)),
    ],
)
def test_the_line_where_it_ends(data: bytes, expected: tuple[tuple[int, int], ...]) -> None:
    assert tuple((cut.line, cut.count) for cut in cuts(data)) == expected


def test_characters_are_counted_as_characters_and_bytes_as_bytes() -> None:
    han = "漢".encode() * 8_600  # 25,800 bytes, 8,600 characters
    assert [cut.limit.name for cut in cuts(han)] == ["200 lines or 25 KB"]
    assert [cut.limit.name for cut in cuts(b"x" * 21_000)] == ["12,000 characters", "20,000 characters"]


def test_sentences_name_the_lines() -> None:
    assert cut_sentences(b"x\n" * 205) == ("lines 201 to 205 fall below the cut at 200 lines or 25 KB",)
    assert cut_sentences(b"x\n" * 201) == ("line 201 falls below the cut at 200 lines or 25 KB",)


@given(st.lists(st.text("aé漢\n", max_size=20), max_size=20), st.integers(1, 60), st.integers(1, 30))
def test_what_stands_above_the_cut_fits_and_one_line_more_does_not(
    parts: list[str], characters: int, lines: int
) -> None:
    data = "\n".join(parts).encode()
    limit = Limit("test", characters=characters, lines=lines)
    spans = split_lines(data)

    def fits(count: int) -> bool:
        kept = data[: spans[count - 1][2]] if count else b""
        return len(decode(kept)) <= characters and count <= lines

    found = cuts(data, (limit,))
    if not found:
        assert fits(len(spans))
    else:
        assert fits(found[0].line - 1)
        assert not fits(found[0].line)
        assert found[0].line + found[0].count == len(spans) + 1


def test_every_limit_of_the_design_is_there() -> None:
    assert [(one.characters, one.lines, one.bytes) for one in LIMITS] == [
        (12_000, 0, 0), (20_000, 0, 0), (0, 200, 25_600),
    ]  # fmt: skip
