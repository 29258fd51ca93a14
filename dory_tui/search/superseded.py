"""Which of the decisions that were found no longer stand: the file says so, or a later one is on much the same. Pure.

The second is a hint and not a judgement: the later one is named, so that a reader can look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from dory_tui.search import terms
from dory_tui.search.lookup import Stored
from dory_tui.values import dataclass
from dory_tui.workspace import shapes

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

MOST = 40
"""Decisions among which a later one is looked for."""
_ALIKE = 0.6
"""From such a cosine on two decisions are on much the same: of pairs on one topic most are, of others hardly any."""
_SHARED, _SHARE = 2, 0.4
"""Without vectors: so many words in common, and so many of the shorter one's."""
_STAMP = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\[[^\]\n]{6,60}\]|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:]+)?)[\s:—–-]*"
)


@dataclass(frozen=True, slots=True)
class Newer:
    """Where a later decision stands. `line` counts from 1."""

    path: str
    line: int
    day: date


def over(text: str) -> bool:
    """Whether a decision says of itself that it no longer stands: it is struck through."""
    return shapes.struck(_STAMP.sub("", text.partition("\n")[0]))


def later(decisions: Sequence[Stored], embed: Embed | None) -> dict[int, Newer]:
    """For each decision, by id, the latest of those that came after it and are on much the same.

    `embed` makes vectors of texts; without it words are counted.
    """
    dated = [one for one in decisions if one.day is not None][:MOST]
    if len({one.day for one in dated}) < 2:
        return {}
    texts = [_STAMP.sub("", one.body) for one in dated]
    alike = _by_vectors(embed, texts) if embed is not None else _by_words(texts)
    found: dict[int, Newer] = {}
    for at, one in enumerate(dated):
        after = [
            other for number, other in enumerate(dated)
            if other.day is not None and one.day is not None and other.day > one.day and alike[at][number]
        ]  # fmt: skip
        if after:
            last = max(after, key=lambda other: (other.day or date.min, -other.id))
            found[one.id] = Newer(last.path, last.line_start, last.day or date.min)
    return found


def _by_vectors(embed: Embed, texts: Sequence[str]) -> list[list[bool]]:
    made = embed(texts)
    return [[bool(cosine >= _ALIKE) for cosine in row] for row in (made @ made.T).tolist()]


def _by_words(texts: Sequence[str]) -> list[list[bool]]:
    found = [terms.terms(text) for text in texts]
    words = [{word.casefold() for word in one.words + one.grams} for one in found]
    return [[_share(mine, its) for its in words] for mine in words]


def _share(mine: set[str], its: set[str]) -> bool:
    shared = len(mine & its)
    return shared >= _SHARED and shared >= _SHARE * min(len(mine), len(its))
