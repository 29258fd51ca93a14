"""The four scores and the verdict: every one of the 256 ways to score, and the words for it."""

from __future__ import annotations

from itertools import product

import pytest

from dory_tui.memory.budget import kilobytes, meter
from dory_tui.memory.scoring import MEANINGS, flow, verdict
from dory_tui.workspace.promotions import AXES, parse_promotion

EVERY = [dict(zip(AXES, values, strict=True)) for values in product(range(4), repeat=4)]

# Out of memory.md: "total ≥ 8, or any axis is 3 and total ≥ 6".
PROMOTED_WITHOUT_A_THREE = {8}  # four twos are the most there is without a three
REFUSED_WITHOUT_A_THREE = set(range(8))
PROMOTED_WITH_A_THREE = set(range(6, 13))
REFUSED_WITH_A_THREE = {3, 4, 5}


def test_every_total_with_and_without_a_three() -> None:
    seen: dict[tuple[bool, bool], set[int]] = {}
    for scores in EVERY:
        found = verdict(scores)
        assert found.total == sum(scores[axis] for axis in AXES)
        seen.setdefault((3 in scores.values(), found.promote), set()).add(found.total)
    assert seen == {
        (False, True): PROMOTED_WITHOUT_A_THREE,
        (False, False): REFUSED_WITHOUT_A_THREE,
        (True, True): PROMOTED_WITH_A_THREE,
        (True, False): REFUSED_WITH_A_THREE,
    }


def test_the_order_of_the_axes_makes_no_difference() -> None:
    for scores in EVERY:
        turned = dict(reversed(scores.items()))
        assert verdict(turned) == verdict(scores)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ((2, 2, 2, 2), "8 is at least 8"),
        ((3, 3, 3, 3), "12 is at least 8"),
        ((1, 2, 3, 0), "impact is 3 and 6 is at least 6"),
        ((0, 0, 3, 3), "impact is 3 and 6 is at least 6"),
        ((3, 2, 2, 0), "longevity is 3 and 7 is at least 6"),
        ((1, 1, 0, 3), "5 is below 6, even with uniqueness at 3"),
        ((0, 3, 0, 0), "3 is below 6, even with reuse at 3"),
        ((2, 2, 2, 1), "7 is below 8, and no axis is 3"),
        ((2, 2, 1, 1), "6 is below 8, and no axis is 3"),
        ((2, 2, 1, 0), "5 is below 8"),
        ((0, 0, 0, 0), "0 is below 8"),
    ],
)
def test_why_in_a_few_words(values: tuple[int, ...], reason: str) -> None:
    assert verdict(dict(zip(AXES, values, strict=True))).reason == reason


@pytest.mark.parametrize(
    "scores",
    [
        {},
        {"longevity": 3, "reuse": 3, "impact": 3},
        {"longevity": 3, "reuse": 3, "impact": 3, "uniqueness": 3, "beauty": 3},
        {"longevity": 4, "reuse": 3, "impact": 3, "uniqueness": 3},
        {"longevity": -1, "reuse": 3, "impact": 3, "uniqueness": 3},
    ],
    ids=["none", "one missing", "one too many", "above", "below"],
)
def test_other_scores_are_refused(scores: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="longevity, reuse, impact, uniqueness"):
        verdict(scores)


def test_scores_written_into_front_matter_are_read_back() -> None:
    assert flow({"uniqueness": 1, "impact": 2, "reuse": 2, "longevity": 3}) == (
        "{longevity: 3, reuse: 2, impact: 2, uniqueness: 1}"
    )
    for scores in EVERY[:: len(EVERY) // 16]:
        text = f'---\nsection: "## People"\nscores: {flow(scores)}\n---\n- Ana\n'
        assert parse_promotion("memory/promotions/ana.md", text.encode()).scores == scores


def test_each_axis_has_a_meaning_for_each_value() -> None:
    assert tuple(MEANINGS) == AXES
    assert [MEANINGS[axis][0] for axis in AXES] == ["gone tomorrow", "one-off", "trivial", "obvious"]
    assert [MEANINGS[axis][3] for axis in AXES] == ["years", "every session", "changes decisions", "impossible without"]


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0.0"), (51, "0.0"), (52, "0.1"), (8090, "7.9"), (10_240, "10.0"), (190_426, "186.0")]
)
def test_sizes_in_kilobytes(size: int, shown: str) -> None:
    assert kilobytes(size) == shown
    assert meter(size, 10_240) == f"{shown} of 10.0 KB"
