"""Covering under any wording: reading a hold errs towards holding."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from dory_tui.gate.covering import Facts, covers, number_of
from dory_tui.workspace.document import encode, parse
from dory_tui.workspace.holds import Hold, holds
from dory_tui.workspace.layout import HOLD

WORDS = st.sampled_from(["launch", "thread", "newsletter", "café", "推文", "deploy", "reply", "X"])
DASHES = st.sampled_from(["-", "–", "—", "−", "‑", " - ", " – ", "..", " to ", " through ", " bis ", "~", " until "])
ENDS = st.sampled_from(
    [" — awaiting explicit approval", " - wait", " – wait", " -- wait", "", " — after 9 of 12 said yes"]
)
BULLETS = st.sampled_from(["", "- ", "* ", "1. ", "> ", "- [ ] "])
ANY = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40)


def stamped(text: str, bullet: str = "") -> list[Hold]:
    return holds(parse(HOLD, encode(f"# HOLD\n\n## Currently Blocked\n\n{bullet}[2026-02-05 10:00 | main] {text}\n")))


@given(WORDS, st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), DASHES, ENDS, BULLETS)
def test_every_number_of_a_range_is_held(
    word: str, first: int, last: int, number: int, dash: str, end: str, bullet: str
) -> None:
    low, high = sorted((first, last))
    (found,) = stamped(f"{word} posts {first}{dash}{last}{end}", bullet)
    inside = low <= number <= high
    assert covers(found, Facts("p", f"{word} {number} of 40")) or not inside
    if end == " — awaiting explicit approval" and dash not in (" - ", " – ") and not inside:
        assert not covers(found, Facts("p", f"{word} {number} of 40"))


@given(st.sets(st.integers(1, 40), min_size=1, max_size=6), WORDS, st.sampled_from([", ", " and ", " & ", "; ", " + "]))
def test_a_list_holds_what_it_lists_and_no_more(numbers: set[int], word: str, between: str) -> None:
    (found,) = stamped(f"{word} {between.join(map(str, sorted(numbers)))} — wait")
    for number in range(1, 41):
        assert covers(found, Facts("p", word, part=f"{number}/40")) == (number in numbers)


@given(WORDS, ANY, ANY)
def test_a_draft_without_a_number_is_held_by_any_word_it_shares(word: str, before: str, after: str) -> None:
    assume("—" not in before)
    found = stamped(f"{before} {word} {after} — wait")
    assume(len(found) == 1)  # not an empty slot of the template
    assume(not any(name in found[0].text.casefold() for name in ("id:", "lane:", "kind:", "path:")))
    assert covers(found[0], Facts("p", word))


@given(ANY, ANY)
def test_all_holds_all(text: str, title: str) -> None:
    for found in stamped(f"all {text}"):
        assert covers(found, Facts("p", title))


@given(ANY, ANY, ANY)
def test_case_and_plural_make_no_difference(subject: str, title: str, word: str) -> None:
    """What holds a draft holds it in capitals too."""
    assume(subject.upper().casefold() == subject.casefold() and title.upper().casefold() == title.casefold())
    found, loud = stamped(f"{subject} — wait"), stamped(f"{subject.upper()} — wait")
    if len(found) == len(loud) == 1:
        assert covers(found[0], Facts("p", title)) == covers(loud[0], Facts("p", title.upper()))


@given(st.from_regex(r"[a-z0-9][a-z0-9._-]{0,63}", fullmatch=True), st.text(max_size=60), st.text(max_size=10))
def test_a_number_is_found_or_not_for_any_text(identity: str, title: str, part: str) -> None:
    found = number_of(Facts(identity, title, part=part))
    assert found is None or 0 <= found < 1_000_000
