"""How found passages are put in order: keyword and vectors blended, named days before others. Pure.

The weights are measured (search.md): keyword search is the strong half, and vectors help only below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

TOP = 200
"""Passages that each half brings in."""
VECTOR_WEIGHT = 0.3
DATED = 0.5
"""What a passage of a day that the question names is worth besides: a day is most of what such a question says."""
NEAR_BEST = 0.5
"""From so much of the best score on the newest comes first, where the newest is asked for."""


def blend(
    keyword: Mapping[int, float],
    vectors: Mapping[int, float] | None,
    dated: Set[int] = frozenset(),
    *,
    close: bool = False,
) -> dict[int, float]:
    """A score from 0 to 1.5 for each passage that was found, best first, ties by id.

    Both halves are stretched to 0 to 1; what only one of them found has nothing of the other. Without vectors keyword
    search counts whole. `dated` are passages of days that the question names; when those are `close`, a few days that
    somebody remembers, each of them is an answer, and comes before what is only alike.
    """
    weight = VECTOR_WEIGHT if vectors is not None else 0.0
    # Where not every place is taken, the least of the keyword half is what was not found at all.
    words = _stretched(keyword, None if len(keyword) >= TOP else 0.0)
    likes = _stretched(vectors or {}, None)
    scores = {}
    for one in words.keys() | likes.keys() | (dated if close else set()):
        score = (1 - weight) * words.get(one, 0.0) + weight * likes.get(one, 0.0)
        scores[one] = score + DATED if one in dated else score
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def _stretched(scores: Mapping[int, float], least: float | None) -> dict[int, float]:
    """Min-max, from the least of the scores or from a given one."""
    if not scores:
        return {}
    low, high = min(scores.values()) if least is None else least, max(scores.values())
    return {one: (score - low) / (high - low) if high > low else 1.0 for one, score in scores.items()}


def newest_first(scored: Sequence[tuple[int, float]], days: Mapping[int, int]) -> list[int]:
    """Of what is nearly as good as the best the newest first, by day; then the rest as it was.

    `days` has the day of each passage that has one, as an ordinal; others come after those within their part.
    """
    if not scored:
        return []
    enough = scored[0][1] * NEAR_BEST
    near = [one for one, score in scored if score >= enough]
    rest = [one for one, score in scored if score < enough]
    return sorted(near, key=lambda one: -days.get(one, 0)) + rest


def newer_before(order: Sequence[int], shown: int, newer: Mapping[int, int]) -> list[int]:
    """A later decision before the one it may have replaced, of those that are shown: who asks wants what holds now.

    `newer` has the later one of each. Nothing moves where it stands further up already, or so far down that it would
    take the place of a better answer.
    """
    placed = list(order)
    for one in order[:shown]:
        later = newer.get(one)
        if later in placed[: 2 * shown] and (at := placed.index(one)) < placed.index(later):
            placed.remove(later)
            placed.insert(at, later)
    return placed
