"""What MEMORY.md says already that is like a candidate: by rare words and runs of letters in common, and by meaning.

Pure: the vectors that know meanings are passed in, as a function of texts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from dory_tui.memory.pruning import entries
from dory_tui.workspace import scripts, shapes
from dory_tui.workspace.document import decode, parse
from dory_tui.workspace.layout import MEMORY

WORTH_SHOWING = 0.3
"""Below so much two entries have no more in common than entries of one file usually have."""
_WORDS, _LETTERS = 0.65, 0.35
_INSIDE, _ENOUGH = 0.8, 3
"""How like an entry is to a longer one that has all its words, when it has so many."""
_MEANT, _APART = 0.55, 0.3
"""A cosine that says something: at least so much, and so much above a text's mean with all passages, since the lines of
one file are alike by their form. Of paraphrases most are, of other pairs about one in a hundred."""
_SURE = 0.9
"""What a cosine counts, since no vector is as sure as words."""
_RUN = 3
"""Letters of a run: long enough to tell words apart, short enough to see `invoice` in `invoices`."""
_TOKEN = re.compile(r"[^\W_]+")
# Written without blanks, so that a word has no ends to be found by: pairs of characters stand for words.
UNSPACED = re.compile(f"[{scripts.UNSPACED}]+")


Alike = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]
"""For each of some texts its cosine with each of others, -1 to 1."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One entry of MEMORY.md: its lines, from 1, and its words without bullet and blanks around."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Near:
    """A passage like a candidate, 0 to 1; `exact` when it says the same in the same words."""

    passage: Passage
    likeness: float
    exact: bool


def passages(memory: bytes) -> tuple[Passage, ...]:
    """The entries of MEMORY.md (`pruning.entries`), each in one line."""
    made = (Passage(one.first, one.last, _joined(one.text)) for one in entries(parse(MEMORY, memory)))
    return tuple(one for one in made if one.text)


def _joined(text: str) -> str:
    return " ".join(" ".join(shapes.strip_marks(line).split()) for line in text.split("\n")).strip()


class Likeness:
    """Compares texts with the passages of one MEMORY.md, whose words are counted once."""

    def __init__(self, memory: bytes, alike: Alike | None = None) -> None:
        self._alike = alike
        self.passages = passages(memory)
        self._known = [(_folded(one.text), one) for one in self.passages]
        self._tokens = [frozenset(_tokens(folded)) for folded, _ in self._known]
        self._letters = [frozenset(_runs(folded)) for folded, _ in self._known]
        self._counts = Counter(token for tokens in self._tokens for token in tokens)

    def near(self, text: bytes, most: int = 3) -> tuple[Near, ...]:
        """The passages most like a candidate's text, the most like first, none below `WORTH_SHOWING`.

        Of a candidate with several bullets each is compared, and a passage counts by the one it is most like.
        """
        best: dict[int, Near] = {}
        asked = passages(text) or (Passage(1, 1, _joined(decode(text))),)
        for one, meanings in zip(asked, self._meanings(asked), strict=True):
            folded = _folded(one.text)
            tokens, letters = frozenset(_tokens(folded)), frozenset(_runs(folded))
            for number, (known, passage) in enumerate(self._known):
                exact = bool(folded) and folded == known
                likeness = 1.0 if exact else max(self._likeness(tokens, letters, number), meanings[number])
                if likeness >= WORTH_SHOWING and (number not in best or likeness > best[number].likeness):
                    best[number] = Near(passage, likeness, exact)
        return tuple(sorted(best.values(), key=lambda near: (-near.likeness, near.passage.first))[:most])

    def _meanings(self, asked: Sequence[Passage]) -> Sequence[Sequence[float]]:
        """By meaning, how like each of some texts is to each passage; 0 for what says nothing."""
        if self._alike is None or not self.passages:
            return [[0.0] * len(self.passages)] * len(asked)
        return [_meant(row) for row in self._alike([one.text for one in asked], [one.text for one in self.passages])]

    def _likeness(self, tokens: frozenset[str], letters: frozenset[str], number: int) -> float:
        """Below 1: only the same words in the same order say the same."""
        others = self._tokens[number]
        shared, mine, its = (sum(map(self._weight, some)) for some in (tokens & others, tokens, others))
        words = 2 * shared / (mine + its) if shared else 0.0
        if shared and min(len(tokens), len(others)) >= _ENOUGH:
            words = max(words, _INSIDE * shared / min(mine, its))
        total = len(letters) + len(self._letters[number])
        runs = 2 * len(letters & self._letters[number]) / total if total else 0.0
        return min(0.99, _WORDS * words + _LETTERS * runs)

    def _weight(self, token: str) -> float:
        """A word that stands in few passages says more."""
        return math.log(1 + (1 + len(self._known)) / (1 + self._counts[token]))


def _meant(cosines: Sequence[float]) -> list[float]:
    least = max(_MEANT, fmean(cosines) + _APART)
    return [_SURE * one if one >= least else 0.0 for one in cosines]


def _folded(text: str) -> str:
    """A text as it is compared: without case, decoration and full stops, blanks alike."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[*_`~]+", "", plain).split()).rstrip(".!。")


def _tokens(folded: str) -> Iterator[str]:
    for word in _TOKEN.findall(folded):
        at = 0
        for run in UNSPACED.finditer(word):
            yield from filter(None, [word[at : run.start()]])
            at = run.end()
            yield from (run[0][n : n + 2] for n in range(max(1, len(run[0]) - 1)))
        yield from filter(None, [word[at:]])


def _runs(folded: str) -> Iterator[str]:
    for word in _TOKEN.findall(folded):
        padded = f" {word} "
        yield from (padded[n : n + _RUN] for n in range(len(padded) - _RUN + 1))
