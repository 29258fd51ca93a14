"""Rows, wrapping and finding: the pure part of the text view."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dory_tui.diff import diff
from dory_tui.emoji_sequences import characters
from dory_tui.tui.widgets.finding import Matches
from dory_tui.tui.widgets.rows import (
    Heading,
    Row,
    Span,
    diff_rows,
    markdown_rows,
    message_rows,
    outline,
    section_titles,
    source_rows,
)
from dory_tui.tui.widgets.side_by_side import pairs
from dory_tui.tui.widgets.wrapping import Coverage, Layout, line_starts, whole_characters
from dory_tui.visible import visible, visible_line
from dory_tui.workspace.document import encode, parse

# What wraps differently: blanks, wide letters, marks, joined emoji, flags, a tone, a keycap, long words.
PIECES = st.sampled_from(
    [*"ab, .-é漢字あ。한‘”", "  ", "e\u0301", "👩\u200d💻", "🇩🇪", "👍🏽", "1\ufe0f\u20e3", "⚠\ufe0f", "x" * 30]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def lines(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in pairwise([*line_starts(text, width), len(text)])]


def texts(rows: list[Row]) -> list[str]:
    return [row.text for row in rows]


# --- wrapping


@given(TEXTS, st.integers(2, 40))
def test_a_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    wrapped = lines(text, width)
    assert "".join(wrapped) == text
    for number, line in enumerate(wrapped):
        room = width + 1 if line.endswith(" ") else width  # a blank at the break hangs
        assert cell_len(line) <= room
        assert line or number == 0


@given(TEXTS, st.integers(2, 40))
def test_no_line_starts_inside_a_character(text: str, width: int) -> None:
    ends = [0]
    for character, _ in characters(text):
        ends.append(ends[-1] + len(character))
    assert set(line_starts(text, width)) <= {*ends, len(text)}


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=40), st.integers(8, 30))
def test_words_that_fit_are_never_cut_and_lines_are_as_full_as_they_can_be(words: list[str], width: int) -> None:
    wrapped = [line.rstrip(" ") for line in lines(" ".join(words), width)]
    assert " ".join(wrapped).split() == words
    for line, following in pairwise(wrapped):
        assert len(line) + 1 + len(following.split()[0]) > width


@pytest.mark.parametrize(
    ("text", "width", "wrapped"),
    [
        ("", 5, [""]),
        ("ab cd", 5, ["ab cd"]),
        ("ab cde", 5, ["ab ", "cde"]),
        ("abcde ", 5, ["abcde "]),
        ("- " + "u" * 12, 6, ["- uuuu", "uuuuuu", "uu"]),
        ("漢字かな混じり。", 6, ["漢字か", "な混じ", "り。"]),
        ("漢字か。な", 6, ["漢字", "か。な"]),
        ("漢字 ab", 4, ["漢字 ", "ab"]),
        ("ab 漢字", 5, ["ab 漢", "字"]),
        ("ab 漢字", 4, ["ab ", "漢字"]),
        ("👩‍💻👩‍💻👩‍💻", 5, ["👩‍💻👩‍💻", "👩‍💻"]),
        ("漢漢", 1, ["漢", "漢"]),
        ("abc", 0, ["a", "b", "c"]),
    ],
)
def test_where_lines_break(text: str, width: int, wrapped: list[str]) -> None:
    assert lines(text, width) == wrapped


@given(st.lists(TEXTS, max_size=12), st.integers(2, 20), st.integers(1, 50))
def test_measured_in_steps_or_at_once_a_layout_is_the_same(rows: list[str], width: int, step: int) -> None:
    at_once, stepped = (Layout(rows, width, frozenset({1}), width + 4) for _ in range(2))
    at_once.finish()
    while not stepped.complete:
        stepped.advance(step)
    shown = [at_once.locate(line) for line in range(at_once.height)]
    assert [stepped.locate(line) for line in range(stepped.height)] == shown
    assert at_once.locate(at_once.height) is None
    seen = ["" for _ in rows]
    for line, found in enumerate(shown):
        assert found is not None
        row, start, end = found
        seen[row] += rows[row][start:end]
        assert at_once.line_of(row, start) == line
    assert seen == rows


def test_a_layout_measures_no_further_than_asked() -> None:
    layout = Layout(["word " * 20] * 1000, 20, frozenset(), 20)
    assert layout.locate(12) is not None
    assert layout.measured < 20
    assert layout.height > 1000
    layout.finish()
    assert layout.measured == layout.height


@given(TEXTS, st.lists(st.integers(0, 100), max_size=4))
def test_edges_are_moved_out_of_characters(text: str, places: list[int]) -> None:
    edges = sorted({0, len(text), *(place for place in places if place < len(text))})
    moved = whole_characters(text, edges)
    starts = [0]
    for character, _ in characters(text):
        starts.append(starts[-1] + len(character))
    assert set(moved) <= set(starts)
    assert moved[0] == 0
    assert moved[-1] == len(text)


# --- what was seen


@given(st.integers(0, 40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12))
def test_a_row_is_seen_when_all_of_it_was(length: int, pieces: list[tuple[int, int]]) -> None:
    coverage = Coverage([length])
    shown: set[int] = set()
    whole = False
    for one, other in pieces:
        start, end = sorted((min(one, length), min(other, length)))
        coverage.add(0, start, end)
        shown.update(range(start, end))
        whole = whole or (start == 0 and end == length)
    assert (coverage.unseen == 0) == (whole or (length > 0 and len(shown) == length))


def test_what_was_seen_is_kept_for_rows_that_stay() -> None:
    before, after = Coverage([4, 10, 3]), Coverage([4, 10, 3])
    before.add(0, 0, 4)
    before.add(1, 0, 6)
    before.add(2, 0, 3)
    after.keep(before, [0, 1])
    assert after.unseen == 2
    assert after.add(1, 6, 10)
    assert after.unseen == 1


# --- a file's source


@given(st.binary(max_size=80) | st.text("a \t\r\n#>\u202e\ufeff\x1bé", max_size=60).map(encode))
def test_source_rows_are_the_lines_of_the_workspace(data: bytes) -> None:
    shown = visible(data)
    rows = source_rows(shown)
    assert "".join(texts(rows)) == shown.text.replace("\n", "")
    assert [row.gutter for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert len(rows) == len(parse("", data.removeprefix(b"\xef\xbb\xbf")).lines)


def test_source_rows_mark_what_was_made_visible_and_what_looks_like_something_else() -> None:
    rows = source_rows(visible("ab\x1b[0m\nhttps://ex\u0430mple.com/n\nplain\n"))
    assert rows[0].spans == (Span("ab"), Span("⟦U+001B ESCAPE⟧", "mark"), Span("[0m"))
    assert rows[1].spans == (Span("https://"), Span("ex\u0430mple.com", "flag"), Span("/n"))
    assert rows[2].spans == (Span("plain"),)


def test_a_lone_carriage_return_ends_a_line_as_it_does_everywhere() -> None:
    assert texts(source_rows(visible("a\rb\r\n\nc"))) == ["a⟦U+000D CARRIAGE RETURN⟧", "b", "", "c"]


def test_tabs_become_blanks_and_nothing_raw_comes_through() -> None:
    row = Row("1", (Span("a\tb", "mark"), Span("\x1b[31m\nc")))
    assert row.clean().spans == (
        Span("a    b", "mark"),
        Span("⟦U+001B ESCAPE⟧[31m⟦U+000A LINE FEED⟧c"),
    )
    kept = Row("1", (Span("漢 é 👍🏽"),))
    assert kept.clean() is kept


# --- logs


LOG = """---
# front: matter
---
# Day

> # said
  <!-- # comment -->
```
# code
```
## [/etc] `x` ##
###nothing
"""


def test_headings_quotes_and_what_is_no_entry_have_their_styles() -> None:
    rows = markdown_rows(LOG)
    assert [row.style for row in rows] == [
        *("dim", "dim", "dim"),
        *("heading", "", "quote", "dim"),
        *("code", "code", "code"),
        *("heading", ""),
    ]
    assert outline(rows) == [Heading(3, 1, "Day"), Heading(10, 2, "[/etc] `x`")]


def test_a_file_that_is_only_a_mark_of_byte_order_has_no_rows() -> None:
    assert markdown_rows(b"\xef\xbb\xbf") == []
    assert texts(markdown_rows(b"\xef\xbb\xbf# T\n")) == ["# T"]


def test_messages_stand_apart_and_names_in_them_are_made_visible() -> None:
    assert texts(message_rows("One \x1b.", "Two.")) == ["One ⟦U+001B ESCAPE⟧.", "", "Two."]


# --- diffs


def changed(old: str, new: str, context: int = 3) -> list[Row]:
    return diff_rows(diff(old, new, context), old, new)


OLD = "# M\n\n## People\n- Ana\n- Bob\n" + "x\n" * 20 + "## Money\n- Terms\n- Sent at the start\n- Export\n" + "y\n" * 9


def test_a_diff_reads_as_sections_numbers_signs_and_separators() -> None:
    new = OLD.replace("at the start", "on the 3rd").replace("- Bob", "- Bob: pays")
    rows = diff_rows(diff(OLD, new, 1), OLD, new)
    assert [(row.gutter, row.sign, row.text, row.style) for row in rows] == [
        ("", " ", "··· 3 lines the same ···", "dim"),
        ("", " ", "## People", "section"),
        ("4", " ", "- Ana", ""),
        ("5", "-", "- Bob", "removed"),
        ("5", "+", "- Bob: pays", "added"),
        ("6", " ", "x", ""),
        ("", " ", "", ""),
        ("", " ", "··· 20 lines the same ···", "dim"),
        ("", " ", "## Money", "section"),
        ("27", " ", "- Terms", ""),
        ("28", "-", "- Sent at the start", "removed"),
        ("28", "+", "- Sent on the 3rd", "added"),
        ("29", " ", "- Export", ""),
        ("", " ", "", ""),
        ("", " ", "··· 9 lines the same ···", "dim"),
    ]
    assert rows[4].spans == (Span("- Bob"), Span(": pays", "added-word"))


def test_one_line_is_one_line_and_no_change_says_so() -> None:
    rows = changed("a\nb\nc\n", "a\nb\nd\n", 1)
    assert rows[0].text == "··· 1 line the same ···"
    assert texts(changed("# X\na\n", "# X\na\n")) == ["Nothing would change."]


def test_a_section_is_not_repeated_over_its_own_heading() -> None:
    old = "## A\nx\n"
    titles = section_titles(old, "## A\ny\n")
    hunk = diff(old, "## A\ny\n", 1).hunks[0]
    assert titles(hunk) == ""
    removed = diff("## A\nx\nx\n", "## A\nx\n", 0).hunks[0]
    assert section_titles("## A\nx\nx\n", "## A\nx\n")(removed) == "## A"


SECRET = "hunter2-and-more"


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        (f"the dog, password: {SECRET}", f"the cat, password: {SECRET}", ["dog", "cat"]),
        (f"\x1bpassword: {SECRET} is old", f"\x1bpassword: {SECRET} is new", ["old", "new"]),
        (f"password: {SECRET}", f"password: {SECRET[:-1]}5", ["…(16 characters)", "…(16 characters)"]),
        (f"a password: {SECRET} x", f"b password: {SECRET}9 x", ["a", "…(16 characters)", "b", "…(17 characters)"]),
    ],
)
def test_words_are_marked_at_the_right_place_when_a_secret_is_masked(old: str, new: str, marked: list[str]) -> None:
    rows = changed(f"{old}\n", f"{new}\n")
    assert not any("hunter2" in row.text for row in rows)
    assert [span.text for row in rows for span in row.spans if span.style.endswith("-word")] == marked


KEY = ["-----BEGIN " + "EC PRIVATE KEY-----", "MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtL", "qQ==", "-----END EC"]


@pytest.mark.parametrize("context", [0, 1, 9])
def test_no_line_of_a_private_key_is_shown_in_a_diff(context: int) -> None:
    old, new = "\n".join([*KEY, ""]), "\n".join([*KEY[:1], *KEY[2:], "x", ""])
    found = diff(old, new, context)
    rows = diff_rows(found, old, new) + [row for pair in pairs(found, old, new) for row in pair.rows]
    assert not any(line in row.text for line in KEY[:3] for row in rows)
    assert "…(32 characters)" in texts(rows)


def test_words_are_marked_at_the_right_place_when_something_was_made_visible_before_them() -> None:
    title = "# \x1b\n"
    rows = changed(f"{title}\x1bthe cat sat on it\n", f"{title}\x1bthe dog sat on it\n", 0)
    assert rows[1].text == "# ⟦U+001B ESCAPE⟧"
    assert rows[3].spans == (
        Span("⟦U+001B ESCAPE⟧", "mark"),
        Span("the "),
        Span("dog", "added-word"),
        Span(" sat on it"),
    )


def test_a_line_end_that_changed_is_named() -> None:
    rows = changed("a\n", "a\r\n")
    assert rows[1].spans == (Span("a"), Span("  line end: LF → CRLF", "note"))


@given(st.text("ab \t\r\n\x1b\u202e#漢", max_size=40), st.text("ab \t\r\n\x1b\u202e#漢", max_size=40))
def test_every_changed_line_is_in_the_rows_as_visible_text(old: str, new: str) -> None:
    found = diff(old, new)
    rows = [row for row in diff_rows(found, old, new) if row.gutter]
    expected = [visible_line(row.text) for hunk in found.hunks for row in hunk.rows]
    assert ["".join(span.text for span in row.spans if span.style != "note") for row in rows] == expected


# --- finding


def test_matches_go_round_and_start_where_the_eye_is() -> None:
    found = Matches(["The cat", "", "the the"], "the")
    assert len(found) == 3
    found.start_at(1)
    assert found.place() == (2, 0)
    places = []
    for _ in range(3):
        found.step(1)
        places.append(found.place())
    assert places == [(2, 4), (0, 0), (2, 0)]
    found.step(-1)
    assert found.place() == (0, 0)


def test_a_capital_asks_for_the_case_and_nothing_is_a_pattern() -> None:
    assert len(Matches(["The the"], "The")) == 1
    assert len(Matches(["a.c [/] abc"], "a.c")) == 1
    assert len(Matches(["a.c [/] abc"], "[/]")) == 1
    assert len(Matches(["abc"], "")) == 0


def test_the_first_match_below_the_last_is_the_first_of_all() -> None:
    found = Matches(["x", "y"], "x")
    found.start_at(1)
    assert found.place() == (0, 0)
    assert list(found.in_row(0, 0, 1)) == [(0, 1, "match-current")]
    assert list(found.in_row(1, 0, 1)) == []
