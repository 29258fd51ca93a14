"""Two columns: every line of the unified diff stands in them once, each beside its counterpart, and wraps whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dory_tui.diff import diff
from dory_tui.tui.widgets.rows import Row, diff_rows
from dory_tui.tui.widgets.side_by_side import EMPTY, Columns, pairs

LINES = st.lists(
    st.sampled_from(["a", "b", "- one two three", "- one two four", "", "漢字 漢字 漢字", "x" * 30]), max_size=12
)


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@settings(deadline=None)
@given(LINES, LINES, st.integers(0, 3))
def test_the_same_lines_as_unified(old: list[str], new: list[str], context: int) -> None:
    found = diff(_text(old), _text(new), context)
    unified, made = diff_rows(found, _text(old), _text(new)), pairs(found, _text(old), _text(new))

    def signed(rows: list[Row], sign: str) -> list[Row]:
        return [row for row in rows if row.sign == sign and row.gutter]

    lefts = [pair.left for pair in made if not pair.full]
    rights = [pair.right for pair in made if not pair.full]
    assert signed(lefts, "-") == signed(unified, "-")
    assert signed(rights, "+") == signed(unified, "+")
    assert signed(rights, " ") == signed(unified, " ")
    assert [row.text for row in signed(lefts, " ")] == [row.text for row in signed(rights, " ")]
    assert signed(lefts, "+") == signed(rights, "-") == []
    assert all(pair.left is not EMPTY or pair.right is not EMPTY for pair in made if not pair.full)
    assert [pair.left for pair in made if pair.full] == [row for row in unified if not row.gutter]
    for number in range(len(found.hunks)):
        assert any(pair.changed for pair in made if pair.hunk == number)


@settings(deadline=None)
@given(LINES, LINES, st.integers(1, 40))
def test_every_character_is_on_one_line_of_its_column(old: list[str], new: list[str], width: int) -> None:
    made = pairs(diff(_text(old), _text(new)), _text(old), _text(new))
    layout = Columns(made, width, 2 * width, 2 * width + 3)
    texts = [row.text for pair in made for row in pair.rows]
    seen = [""] * len(texts)
    for line in range(layout.height):
        found = layout.beside(line)
        assert found is not None
        assert any(piece is not None for piece in found[1])
        for piece in found[1]:
            if piece is not None:
                row, start, end = piece
                assert start == len(seen[row])
                seen[row] += texts[row][start:end]
    assert seen == texts
    assert layout.beside(layout.height) is None
    for row in range(len(texts)):
        at = layout.beside(layout.line_of(row))
        assert at is not None
        assert row in [piece[0] for piece in at[1] if piece is not None]
