"""Which of the decisions that were found no longer stand: the file says so, or a later one is on much the same. Pure.

The second is a hint and not a judgement: the later one is named, so that a reader can look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from datetime import date
from functools import lru_cache

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
_ALIKE, _COMMON = 0.55, 3
"""Two decisions are on much the same from such a cosine on, where they have so many words in common as well."""
_NEAR, _SHARE = 0.6, 0.5
"""Or from this one on, where those are so much of the words of the shorter one. Either alone is wrong mostly."""
_LONG = 4  # letters from which on a word counts for `_COMMON`
_FEW_WORDS = 0.3  # of the shorter one, where there are no vectors to ask
_STAMP = re.compile(
    r"^\s*(?:[-*+|]\s+)?"
    r"(?:\[[^\]\n]{6,60}\]|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:]+)?|[0-9]{1,2}[:：][0-9]{2})?[\s:—–|-]*"
)


@dataclass(frozen=True, slots=True)
class Newer:
    """Where a later decision stands. `line` counts from 1; `id` is the passage's in the index."""

    path: str
    line: int
    day: date
    id: int


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
    alike = _alike([_STAMP.sub("", one.body) for one in dated], embed)
    found: dict[int, Newer] = {}
    for at, one in enumerate(dated):
        after = [
            other for number, other in enumerate(dated)
            if other.day is not None and one.day is not None and other.day > one.day and alike(at, number)
        ]  # fmt: skip
        if after:
            last = max(after, key=lambda other: (other.day or date.min, -other.id))
            found[one.id] = Newer(last.path, last.line_start, last.day or date.min, last.id)
    return found


def _alike(texts: Sequence[str], embed: Embed | None) -> Callable[[int, int], bool]:
    """Whether two of some texts, by their places, are on much the same."""
    words = [_words(text) for text in texts]
    if embed is None:
        return lambda one, other: _by_words(words[one], words[other])
    made = embed(texts)
    cosines = (made @ made.T).tolist()
    return lambda one, other: cosines[one][other] >= _ALIKE and _by_both(cosines[one][other], words[one], words[other])


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    """Words as they are compared: without the plural's s, numbers left out, which most decisions have."""
    found = terms.terms(text)
    return frozenset(
        word.casefold().rstrip("s") for word in (*found.words, *found.grams) if " " not in word and not word.isdigit()
    )


def _by_both(cosine: float, mine: Set[str], its: Set[str]) -> bool:
    return _long(mine & its) >= _COMMON or (cosine >= _NEAR and _share(mine, its) >= _SHARE)


def _by_words(mine: Set[str], its: Set[str]) -> bool:
    share = _share(mine, its)
    return share >= _SHARE or (share >= _FEW_WORDS and _long(mine & its) >= _COMMON)


def _share(mine: Set[str], its: Set[str]) -> float:
    return len(mine & its) / max(1, min(len(mine), len(its)))


def _long(words: Set[str]) -> float:
    """How many words are long. Where words have no ends one is about three runs of two characters."""
    return sum(1 / 3 if terms.grams(word) else float(len(word) >= _LONG) for word in words)
