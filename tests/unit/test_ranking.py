"""Blending: keyword search is the strong half, named days come before others."""

from __future__ import annotations

import pytest

from dory_tui.search.ranking import DATED, TOP, VECTOR_WEIGHT, blend, newer_before, newest_first


def test_both_halves_are_stretched_and_weighed() -> None:
    found = blend({1: 8.0, 2: 4.0}, {2: 0.9, 3: 0.5})
    assert found == pytest.approx({1: 1 - VECTOR_WEIGHT, 2: (1 - VECTOR_WEIGHT) / 2 + VECTOR_WEIGHT, 3: 0.0})
    assert list(found) == [1, 2, 3] or list(found) == [2, 1, 3]


def test_without_vectors_keyword_search_counts_whole() -> None:
    assert blend({1: 8.0, 2: 2.0}, None) == {1: 1.0, 2: 0.25}
    assert blend({}, None) == {}


def test_vectors_that_say_the_opposite_do_not_beat_a_word() -> None:
    assert list(blend({1: 5.0}, {1: 0.3, 2: 0.9})) == [1, 2]


def test_a_named_day_counts_for_more() -> None:
    found = blend({1: 10.0, 2: 9.0}, None, {2})
    assert list(found) == [2, 1]
    assert found[2] == pytest.approx(0.9 + DATED)


def test_each_passage_of_a_few_named_days_comes_before_what_is_only_alike() -> None:
    found = blend({1: 5.0, 2: 0.5}, {3: 0.9, 4: 0.5}, {2, 5}, close=True)
    assert list(found) == [1, 2, 5, 3, 4]
    assert 5 not in blend({1: 5.0, 2: 0.5}, {3: 0.9, 4: 0.5}, {2, 5})


def test_where_every_place_is_taken_the_last_one_is_the_least() -> None:
    found = blend({one: float(one) for one in range(1, TOP + 1)}, None)
    assert (found[1], found[TOP]) == (0.0, 1.0)


def test_the_newest_of_what_is_nearly_as_good_as_the_best_comes_first() -> None:
    scored = [(1, 1.0), (2, 0.9), (3, 0.6), (4, 0.1)]
    assert newest_first(scored, {1: 10, 2: 30, 4: 99}) == [2, 1, 3, 4]
    assert newest_first([], {}) == []


def test_a_later_decision_stands_before_the_one_it_replaces() -> None:
    assert newer_before([1, 2, 3, 4], 2, {1: 4}) == [4, 1, 2, 3]
    assert newer_before([1, 2, 3, 4], 4, {1: 3, 2: 3, 4: 1}) == [3, 1, 2, 4]
    assert newer_before([1, 2, 3, 4], 2, {3: 4}) == [1, 2, 3, 4], "what is not shown moves nothing"
    assert newer_before([1, 2], 2, {1: 9}) == [1, 2], "what was not found stands nowhere"
    assert newer_before([1, 2, 3, 4], 1, {1: 3}) == [1, 2, 3, 4], "what is far down takes no place"
