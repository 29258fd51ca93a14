"""What counts as like a line of MEMORY.md: restatements first, other facts not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dory_tui.memory.near import WORTH_SHOWING, Likeness, Near

MEMORY = """# MEMORY.md

## People

- Ana: design lead, answers in the afternoon
- Bob: contractor, paid by Stripe
- 客户王伟偏好邮件联系

## Money

- Payment terms are 14 days
- Invoices are sent at the start of the month
  and go out by mail
- Accountant gets the export in the first week

<!-- - a comment: Ana likes tea -->
"""


def near(text: str, memory: str = MEMORY) -> tuple[Near, ...]:
    return Likeness(memory.encode()).near(text.encode())


@pytest.mark.parametrize(
    "text",
    ["- Payment terms are 14 days", "* payment  terms are 14 DAYS.", "- **Payment terms** are `14 days`"],
)
def test_the_same_words_are_the_same(text: str) -> None:
    (first, *_) = near(text)
    assert first.exact
    assert first.likeness == 1.0
    assert (first.passage.first, first.passage.text) == (11, "Payment terms are 14 days")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- The payment term is 14 days", 11),
        ("- Bob is a contractor and gets paid via Stripe", 6),
        ("- Invoices are sent on the 3rd; the 1st is too early", 12),
        ("- 王伟偏好用邮件联系", 7),
        ("- Ana (design lead) is best reached, and always answers, in the afternoon, never before", 5),
    ],
)
def test_a_restatement_in_other_words_is_near_but_not_exact(text: str, line: int) -> None:
    found = near(text)
    assert found, "nothing was found"
    assert found[0].passage.first == line
    assert not found[0].exact
    assert WORTH_SHOWING <= found[0].likeness < 1


@pytest.mark.parametrize(
    "text", ["- Lunch place near the office", "- Deploys need the VPN up", "- 今天天气很好", "", "-"]
)
def test_other_facts_are_not_near(text: str) -> None:
    assert near(text) == ()


def test_comments_and_headings_are_no_passages_and_lines_below_a_bullet_are() -> None:
    known = Likeness(MEMORY.encode())
    assert not any("tea" in one.text or one.text in ("Money", "People") for one in known.passages)
    invoices = next(one for one in known.passages if one.text.startswith("Invoices"))
    assert (invoices.first, invoices.last) == (12, 13)
    assert invoices.text.endswith("of the month and go out by mail")


def test_each_bullet_of_a_candidate_counts() -> None:
    found = near("- something wholly new about zebras\n- Payment terms are 14 days\n- Bob: contractor, paid by Stripe")
    assert [(one.passage.first, one.exact) for one in found] == [(6, True), (11, True)]


WORD = st.sampled_from(["ana", "bob", "invoice", "stripe", "week", "漢字", "é", "the", "a", "of"])
WORDS = st.lists(WORD, max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=6), WORDS)
def test_likeness_is_ordered_bounded_and_one_only_for_the_same(lines: list[str], text: str) -> None:
    memory = "\n".join(f"- {line}" for line in lines)
    found = near(f"- {text}", memory)
    assert [one.likeness for one in found] == sorted((one.likeness for one in found), reverse=True)
    assert all(WORTH_SHOWING <= one.likeness <= 1 for one in found)
    assert all(one.exact == (one.likeness == 1) for one in found)
    assert any(one.exact for one in found) == (bool(text) and text in lines)


@settings(deadline=None)
@given(st.binary(max_size=60), st.binary(max_size=60))
def test_no_bytes_break_it(memory: bytes, text: bytes) -> None:
    Likeness(memory).near(text)


PARAPHRASES = (
    ("- Ana is the lead of design and replies after lunch", "Ana: design lead, answers in the afternoon"),
    ("- 42 euros is Bob's hourly rate", "Bob gets paid 42 EUR per hour"),
    ("- Sam meets every Tuesday before noon", "Meetings with Sam are on Tuesday mornings"),
)


@pytest.mark.parametrize(("text", "line"), PARAPHRASES)
def test_the_same_in_other_words_is_found_by_meaning(text: str, line: str) -> None:
    from dory_tui.search.embedding import alike

    memory = MEMORY + "".join(f"- {known}\n" for _, known in PARAPHRASES if known not in MEMORY)
    by_words = {one.passage.text: one.likeness for one in Likeness(memory.encode()).near(text.encode())}
    (first, *_) = Likeness(memory.encode(), alike).near(text.encode())
    assert first.passage.text == line
    assert first.likeness > by_words.get(line, 0.0)
    assert not first.exact


def test_what_is_about_something_else_is_not_like_anything_by_meaning() -> None:
    from dory_tui.search.embedding import alike

    assert Likeness(MEMORY.encode(), alike).near(b"- The harbour floods at spring tide") == ()
