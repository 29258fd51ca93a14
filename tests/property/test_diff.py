"""Any two texts: the diff loses no line, marks only what differs, and counts what it does not show."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dory_tui.diff import _EXHAUSTIVE, Row, _matches, diff, split, words

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.one_of(
    st.sampled_from(["", "", "a", "b", "- one two three", "- one two four", "- one  two three ", "\tx", "漢字 é 🇩🇪"]),
    st.text(st.characters(exclude_characters="\r\n"), max_size=12),
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]]))
    lines = draw(st.lists(LINES, max_size=14))
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    return text + draw(LINES) if draw(st.booleans()) else text


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same after a few edits of lines, as people make them."""
    pairs = split(draw(texts()))
    new = list(pairs)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(new)))
        kind = draw(st.sampled_from(["add", "drop", "change", "end", "move"]))
        if kind == "add" or at >= len(new):
            new.insert(at, (draw(LINES), draw(ENDS)))
        elif kind == "drop":
            del new[at]
        elif kind == "change":
            new[at] = (draw(LINES), new[at][1])
        elif kind == "end":
            new[at] = (new[at][0], draw(ENDS))
        else:
            new.insert(draw(st.integers(0, len(new) - 1)), new.pop(at))
    return "".join(a + b for a, b in pairs), "".join(a + b for a, b in new)


def shown(old: str, new: str, context: int) -> list[Row]:
    return [row for hunk in diff(old, new, context).hunks for row in hunk.rows]


@settings(deadline=None)
@given(texts())
def test_lines_joined_again_are_the_text(text: str) -> None:
    assert "".join(line + end for line, end in split(text)) == text
    assert all(end for _, end in split(text)[:-1])


@settings(deadline=None)
@given(st.one_of(edited(), st.tuples(texts(), texts())))
@example(("a\nb\n", "a\nb"))
@example(("\r\n", "\r\r\n"))
@example(("", "\n"))
def test_with_all_of_its_context_it_gives_both_texts(pair: tuple[str, str]) -> None:
    old, new = pair
    rows = shown(old, new, 10_000)
    before, after = split(old), split(new)
    if old == new:
        assert not rows
        return
    removed = [row for row in rows if row.kind != "added"]
    added = [row for row in rows if row.kind != "removed"]
    # Each line once, in order, by its number and its text: the kept and the removed are the old text.
    assert [(row.old, row.text) for row in removed] == [(n, line) for n, (line, _) in enumerate(before, 1)]
    assert [(row.new, row.text) for row in added] == [(n, line) for n, (line, _) in enumerate(after, 1)]
    for row in rows:
        if row.kind == "same":
            assert row.old is not None
            assert row.new is not None
            assert before[row.old - 1] == after[row.new - 1]
            assert not row.note
            assert not any(piece.changed for piece in row.pieces)


@settings(deadline=None)
@given(st.one_of(edited(), st.tuples(texts(), texts())))
def test_every_change_is_to_be_seen(pair: tuple[str, str]) -> None:
    """Where lines went and came at one place, each pair differs in marked words or in a line end that is named."""
    hunks = diff(*pair, 0).hunks
    assert bool(hunks) == (pair[0] != pair[1])
    for hunk in hunks:
        kinds = [row.kind for row in hunk.rows]
        assert kinds == ["removed"] * kinds.count("removed") + ["added"] * kinds.count("added")
        removed, added = hunk.rows[: kinds.count("removed")], hunk.rows[kinds.count("removed") :]
        for old, new in zip(removed, added, strict=False):
            assert new.note or any(piece.changed for piece in (*old.pieces, *new.pieces))
        for row in (*removed[len(added) :], *added[len(removed) :]):
            assert all(piece.changed for piece in row.pieces), "a line without a counterpart is marked whole"


HIDDEN = st.sampled_from(["\u200b", "\u202e", "\ufe0f", "\xad", "\x1b", "\U000e0041"])


@settings(deadline=None)
@given(st.text("ab 漢\t", min_size=1, max_size=12), st.lists(st.tuples(st.integers(0, 12), HIDDEN), max_size=3))
def test_what_is_called_hidden_is_all_that_differs(line: str, marks: list[tuple[int, str]]) -> None:
    """A line with hidden characters put into it says so, and only then."""
    other = line
    for at, mark in marks:
        other = other[:at] + mark + other[at:]
    notes = {row.note for row in shown(line + "\n", other + "\n", 0) if row.kind == "added"}
    assert notes == ({"hidden characters only"} if marks else set())


@settings(deadline=None)
@given(st.one_of(edited(), st.tuples(texts(), texts())), st.integers(0, 5))
def test_context_and_what_is_not_shown_add_up(pair: tuple[str, str], context: int) -> None:
    old, new = pair
    found = diff(old, new, context)
    at_old = at_new = 1
    for number, hunk in enumerate(found.hunks):
        at_old, at_new = at_old + hunk.before, at_new + hunk.before
        kinds = [row.kind for row in hunk.rows]
        changes = [n for n, kind in enumerate(kinds) if kind != "same"]
        assert changes, "no hunk without a change"
        assert changes[0] <= context
        assert len(kinds) - 1 - changes[-1] <= context
        assert all(b - a <= 2 * context + 1 for a, b in pairwise(changes))
        assert number == 0 or hunk.before > 0, "two hunks that touch are one"
        for row in hunk.rows:
            if row.old is not None:
                assert row.old == at_old
                at_old += 1
            if row.new is not None:
                assert row.new == at_new
                at_new += 1
    assert at_old + found.after == len(split(old)) + 1
    assert at_new + found.after == len(split(new)) + 1


@settings(deadline=None)
@given(st.one_of(st.tuples(LINES, LINES), st.tuples(st.text("ab \t漢-"), st.text("ab \t漢-"))))
def test_words_lose_nothing_and_mark_only_what_differs(pair: tuple[str, str]) -> None:
    old, new = pair
    left, right = words(old, new)
    assert ("".join(p.text for p in left), "".join(p.text for p in right)) == pair
    kept = ["".join(p.text for p in side if not p.changed) for side in (left, right)]
    assert kept[0] == kept[1], "what is not marked is the same on both sides"
    assert any(p.changed for p in (*left, *right)) == (old != new)
    assert all(p.text for p in (*left, *right)) or "" in pair


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(2, 40), st.integers(1, 6))
def test_large_texts_are_compared_soundly_too(rng: object, kinds: int, edits: int) -> None:
    """Above the limit for looking at every pair, the runs found are still equal runs, in order, none overlapping."""
    assert hasattr(rng, "randrange")
    old = [f"{rng.randrange(kinds)}" if rng.randrange(3) else f"unique {n}" for n in range(700)]
    new = list(old)
    for _ in range(edits):
        at = rng.randrange(len(new))
        new[at : at + rng.randrange(40)] = [f"new {rng.randrange(kinds)}" for _ in range(rng.randrange(40))]
    assert len(old) * len(new) > _EXHAUSTIVE
    at_a = at_b = 0
    total = 0
    for a, b, length in _matches(old, new):
        assert a >= at_a
        assert b >= at_b
        assert old[a : a + length] == new[b : b + length]
        at_a, at_b, total = a + length, b + length, total + length
    assert total > len(old) - 100 * edits, "most of it was not touched"
