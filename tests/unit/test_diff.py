"""What a diff shows of two texts: the words, the line ends, the context; and how long that takes."""

from __future__ import annotations

import random
import time

import pytest

from dory_tui.diff import Diff, Row, diff, split, words

OLD = "".join(f"line {number}\n" for number in range(1, 21))


def changed(found: Diff) -> list[Row]:
    return [row for hunk in found.hunks for row in hunk.rows if row.kind != "same"]


def marked(pieces: tuple[object, ...]) -> str:
    """A line with `[ ]` around what is marked as changed."""
    return "".join(f"[{piece.text}]" if piece.changed else piece.text for piece in pieces)  # type: ignore[attr-defined]


def test_equal_texts_have_no_hunk() -> None:
    for text in ("", "a", OLD, "a\r\nb\rc"):
        found = diff(text, text)
        assert found.empty
        assert found.after == len(split(text))


def test_context_and_what_is_not_shown() -> None:
    new = OLD.replace("line 10\n", "line ten\n")
    for context in (0, 1, 3):
        (hunk,) = diff(OLD, new, context).hunks
        assert hunk.before == 9 - context
        assert [row.kind for row in hunk.rows] == ["same"] * context + ["removed", "added"] + ["same"] * context
        assert [row.old for row in hunk.rows if row.old] == list(range(10 - context, 11 + context))
        assert [row.new for row in hunk.rows if row.new] == list(range(10 - context, 11 + context))
        assert diff(OLD, new, context).after == 10 - context


def test_two_changes_join_when_their_contexts_meet() -> None:
    near = OLD.replace("line 5\n", "5\n").replace("line 12\n", "12\n")
    assert len(diff(OLD, near, 3).hunks) == 1
    far = diff(OLD, near.replace("line 13\n", "13\n"), 2)
    assert [hunk.before for hunk in far.hunks] == [2, 2]
    assert far.after == 5
    shown = sum(len([row for row in hunk.rows if row.old]) + hunk.before for hunk in far.hunks)
    assert shown + far.after == 20


def test_a_change_at_the_very_top_and_the_very_end() -> None:
    found = diff(OLD, "new\n" + OLD + "last\n", 3)
    assert [hunk.before for hunk in found.hunks] == [0, 14]
    assert found.after == 0
    assert [row.text for row in changed(found)] == ["new", "last"]


def test_the_words_of_a_changed_line_are_marked() -> None:
    old = "- Invoices are sent at the start of the month\n"
    new = "- Invoices are sent on the 3rd of the month\n"
    removed, added = changed(diff(old, new))
    assert (removed.kind, added.kind) == ("removed", "added")
    assert marked(removed.pieces) == "- Invoices are sent [at the start] of the month"
    assert marked(added.pieces) == "- Invoices are sent [on the 3rd] of the month"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The ferry leaves at nine from pier two", "Boards live as plain text in one folder"),
        ("one two three four five six", "seven eight nine ten eleven twelve"),
        ("漢字", "かな"),
    ],
)
def test_lines_with_little_in_common_are_marked_whole(old: str, new: str) -> None:
    left, right = words(old, new)
    assert (marked(left), marked(right)) == (f"[{old}]", f"[{new}]")


def test_lines_without_a_counterpart_are_marked_whole() -> None:
    removed, added, extra = changed(diff("b old\n", "b new\nc\n"))
    assert (marked(removed.pieces), marked(added.pieces)) == ("b [old]", "b [new]")
    assert marked(extra.pieces) == "[c]"
    assert [marked(row.pieces) for row in changed(diff("a\nb\n", "b\n"))] == ["[a]"]


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("a\nb\n", "a\r\nb\n", "line end: LF → CRLF"),
        ("a\r\nb\n", "a\nb\n", "line end: CRLF → LF"),
        ("a\rb\n", "a\nb\n", "line end: CR → LF"),
        ("a\nb\n", "a\nb", "final newline removed"),
        ("a\nb", "a\nb\n", "final newline added"),
    ],
)
def test_a_change_of_a_line_end_says_so(old: str, new: str, note: str) -> None:
    removed, added = changed(diff(old, new))
    assert removed.text == added.text
    assert not any(piece.changed for piece in (*removed.pieces, *added.pieces))
    assert (removed.note, added.note) == ("", note)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("a b\n", "a\tb\n", "white space only"),
        ("a b\n", "a  b \n", "white space only"),
        ("a b\n", "a\u00a0b\n", "white space only"),
        ("a\n", "a\u200b\n", "hidden characters only"),
        ("a\n", "\u202ea\u202c\n", "hidden characters only"),
        ("⚠\n", "⚠\ufe0f\n", "hidden characters only"),
        ("a b\n", "a\u200b\tb\n", "white space and hidden characters only"),
        ("a \nb\n", "a\r\nb\n", "line end: LF → CRLF; white space only"),
        ("a b", "a  b\n", "final newline added; white space only"),
        ("a\r\nb", "a\r\nb\n", "final newline added: LF"),
        ("a b\n", "a c\n", ""),
        ("ab\n", "a\u200bc\n", ""),
    ],
)
def test_a_change_that_the_eye_would_miss_says_so(old: str, new: str, note: str) -> None:
    assert {row.note for row in changed(diff(old, new)) if row.kind == "added"} == {note}


def test_every_line_end_of_a_file_changed() -> None:
    rows = changed(diff(OLD, OLD.replace("\n", "\r\n")))
    assert len(rows) == 40
    assert {row.note for row in rows if row.kind == "added"} == {"line end: LF → CRLF"}


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("a\nb\n", "a\nb\nc", "no final newline"),
        ("a\nb\n", "a\nb\nc\r\n", "line end: CRLF"),
        ("a\r\nb\r\n", "a\r\nb\r\nc\n", "line end: LF"),
        ("a\r\nb\r\n", "a\r\nb\r\nc\r\n", ""),
        ("", "a\r\nb\r\n", ""),
        ("a\nb\nc", "a\nb\n", "no final newline"),
    ],
)
def test_a_line_that_comes_or_goes_names_an_unusual_end(old: str, new: str, note: str) -> None:
    assert {row.note for row in changed(diff(old, new))} == {note}


@pytest.mark.parametrize(
    ("old", "new", "left", "right"),
    [
        ("a b", "a\tb", "a[ ]b", "a[\t]b"),
        ("a", "a  ", "a", "a[  ]"),
        ("a  ", "a", "a[  ]", "a"),
        ("\ta", "    a", "[\t]a", "[    ]a"),
        ("", "  ", "", "[  ]"),
    ],
)
def test_tabs_and_spaces_are_changes_and_marked(old: str, new: str, left: str, right: str) -> None:
    rows = changed(diff(f"{old}\n", f"{new}\n"))
    assert [marked(row.pieces) for row in rows] == [left, right]


def test_lines_are_cut_at_line_ends_and_nowhere_else() -> None:
    text = "a\x0cb\x1cc\u2028d\x85e\rf\r\ng\n\nh"
    assert split(text) == [("a\x0cb\x1cc\u2028d\x85e", "\r"), ("f", "\r\n"), ("g", "\n"), ("", "\n"), ("h", "")]


def _log(seed: int, words_each: int = 8) -> str:
    """5,000 lines of a log in which every other line is blank and few words occur."""
    rng = random.Random(seed)
    few = ["alpha", "beta", "gamma", "delta", "eps", "zeta"]
    return "".join(
        "\n" if number % 2 else f"- {seed}{number:04} {' '.join(rng.choices(few, k=words_each))}\n"
        for number in range(5000)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_log(1), _log(1) + "- more\n"),
        (_log(1), "x" + _log(1)),
        (_log(1), _log(1).replace("\n", "\r\n")),
        (_log(1), _log(1).replace("alpha", "omega")),
        (_log(1), _log(2)),
        ("\n" * 5000, "x\n" + "\n" * 4990 + "y\n"),
        (_log(1, 0).replace("1", ""), _log(3, 0)),
    ],
    ids=["line added", "first line", "line ends", "most lines", "another file", "blank lines", "no words"],
)
def test_five_thousand_lines_take_no_longer_than_a_look(old: str, new: str) -> None:
    start = time.process_time()
    found = diff(old, new)
    # 0.4 s at the most where this was written; comparing each line with each took minutes.
    assert time.process_time() - start < 4
    assert not found.empty


def test_lines_at_the_same_place_stay_the_same_in_a_large_rewrite() -> None:
    found = diff(_log(1), _log(2))
    assert all(row.text for row in changed(found)), "the blank lines did not change"


def test_a_long_line_is_compared_word_by_word() -> None:
    rng = random.Random(4)
    old = " ".join(f"word{rng.randrange(600)}" for _ in range(1000))
    new = f"first {old} last"
    assert len(old) > 5000
    start = time.process_time()
    left, right = words(old, new)
    assert time.process_time() - start < 2
    assert (marked(left), marked(right)) == (old, f"[first ]{old}[ last]")


def test_a_very_long_line_does_not_hang() -> None:
    rng = random.Random(5)
    texts = [" ".join(rng.choices(["alpha", "beta", "gamma", "delta"], k=20_000)) for _ in range(2)]
    start = time.process_time()
    left, right = words(*texts)
    assert time.process_time() - start < 4
    assert ["".join(piece.text for piece in pieces) for pieces in (left, right)] == texts
