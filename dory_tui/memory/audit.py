"""MEMORY.md looked through: how old each entry is, how large, and when the logs last spoke of it. Pure.

An entry is *mentioned* by a line of a log that has at least two of its rarest words. It is *stale* when it is old and
was not mentioned for as long (memory.md, "Upkeep"). Each log is cut into words once, whatever the number of entries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from dory_tui.memory.near import UNSPACED
from dory_tui.memory.pruning import Entry, entries, span
from dory_tui.workspace.document import decode, parse
from dory_tui.workspace.layout import MEMORY
from dory_tui.workspace.promotions import AXES

STALE_DAYS = 180
RAREST = 5
"""So many of an entry's words are looked for."""
ENOUGH = 2
"""So many of them in one line are a mention; an entry of one word is mentioned by that."""
_PLACE = re.compile(r"\]\([^)\s]*\)|(?<!\S)\S+\.md\b\S*|https?://\S+")
"""Paths and addresses: their parts stand in many lines that speak of something else."""
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    """
    a an and are as at be been but by for from had has have he her his i if in into is it its me my no not of off on
    or our she so than that the their them then there they this to up us was we were what when which who will with
    after all also any before day days every first get gets got last more new one only out over see two use used week
    weeks year years
    you your der die das und ist mit von zu den ein eine le la les de des et un une el los las que y en com para
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A line of a log. `path` is relative to the workspace, `line` counts from 1."""

    day: date
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Audited:
    """An entry of MEMORY.md. `since` is when its newest line came, aware, None where nobody knows; `size` in bytes."""

    entry: Entry
    size: int
    since: datetime | None
    mention: Mention | None
    stale: bool = False

    def age(self, today: date) -> int | None:
        """Days since it was last changed."""
        return None if self.since is None else (today - self.since.date()).days

    def silent(self, today: date) -> int | None:
        """Days since a log last spoke of it; None when none ever did."""
        return None if self.mention is None else (today - self.mention.day).days


@dataclass(frozen=True, slots=True)
class Gap:
    """How far the human's scores lie from the agent's on one axis, over the candidates that were decided.

    `changed` of `compared` were changed; `mean` is the mean of human minus agent over those compared.
    """

    axis: str
    compared: int
    changed: int
    mean: float


Text = tuple[date, str, bytes]
"""A log: its day, its path and its bytes."""


def audit(
    data: bytes, times: Sequence[datetime | None], written: datetime | None, logs: Iterable[Text],
    today: date, days: int = STALE_DAYS,
) -> tuple[Audited, ...]:  # fmt: skip
    """Every entry of MEMORY.md, the stale ones first, then the oldest.

    `times` has when each line came, as git counts lines (`Repository.line_times`), or nothing; `written` is the
    file's time, taken where git knows nothing. `days` is the age and the silence from which an entry is stale.
    """
    document = parse(MEMORY, data)
    found = entries(document)
    mentions = last_mentions([_PLACE.sub(" ", one.text) for one in found], logs)
    made = []
    for one, mention in zip(found, mentions, strict=True):
        start, stop = span(document, one)
        first, last = data.count(b"\n", 0, start), data.count(b"\n", 0, max(start, stop - 1))
        audited = Audited(one, stop - start, _since(times[first : last + 1], written), mention)
        made.append(replace(audited, stale=_stale(audited, today, days)))
    return tuple(sorted(made, key=lambda one: (not one.stale, -(one.age(today) or 0), one.entry.first)))


def _since(times: Sequence[datetime | None], written: datetime | None) -> datetime | None:
    """When the newest of some lines came: one that no commit has is as new as the file."""
    if not times:
        return written
    known = [time if time is not None else written for time in times]
    return max((time for time in known if time is not None), default=None)


def _stale(one: Audited, today: date, days: int) -> bool:
    age, silent = one.age(today), one.silent(today)
    return age is not None and age > days and (silent is None or silent > days)


def last_mentions(texts: Sequence[str], logs: Iterable[Text]) -> list[Mention | None]:
    """For each text the last line of a log that speaks of it: of the newest day, and on that day the last one.

    The logs may come in any order.
    """
    wanted = [words(text) for text in texts]
    places, lines = _index(frozenset().union(*wanted), logs)
    return [_last(one, places, lines) for one in wanted]


def _index(vocabulary: Collection[str], logs: Iterable[Text]) -> tuple[Mapping[str, list[int]], list[Mention]]:
    """Where each of these words stands: word → numbers of lines that have it, and those lines."""
    places: dict[str, list[int]] = {word: [] for word in vocabulary}
    lines: list[Mention] = []
    for day, path, data in logs:  # one at a time: they may be read as they are asked for
        for number, line in enumerate(decode(data).split("\n"), start=1):
            found = _known(line, vocabulary)
            if found:
                for word in found:
                    places[word].append(len(lines))
                lines.append(Mention(day, path, number))
    return places, lines


def _known(line: str, vocabulary: Collection[str]) -> set[str]:
    """The words of a line that are of a vocabulary."""
    if line.isascii():
        found = set()
        for word in _WORD.findall(line.lower()):
            if word in vocabulary:
                found.add(word)
            elif word[-1] == "s" and word[:-1] in vocabulary:
                found.add(word[:-1])
        return found
    return {word for word in words(line) if word in vocabulary}


def _last(wanted: frozenset[str], places: Mapping[str, list[int]], lines: Sequence[Mention]) -> Mention | None:
    """The last line with enough of the rarest of some words; words that no log has are not looked for."""
    rare = sorted((word for word in wanted if places[word]), key=lambda word: (len(places[word]), word))[:RAREST]
    enough = min(ENOUGH, len(wanted))
    if len(rare) < enough or not rare:
        return None
    counts: dict[int, int] = {}
    for word in rare:
        for place in places[word]:
            counts[place] = counts.get(place, 0) + 1
    spoken = (lines[place] for place, count in counts.items() if count >= enough)
    return max(spoken, key=lambda one: (one.day, one.path, one.line), default=None)


def words(text: str) -> frozenset[str]:
    """The words that a text can be found by: folded, singular, no stop words, lone letters, or numbers like a year's.

    Scripts written without spaces have no words to cut; pairs of their characters stand in for them.
    """
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        if not word.isascii():
            for run in UNSPACED.findall(word):
                found.update(run[n : n + 2] for n in range(max(1, len(run) - 1)))
            word = UNSPACED.sub("", word)  # noqa: PLW2901
        single = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        if len(single) > 1 and word not in _STOP and not (len(word) < 5 and word.isdigit()):
            found.add(single)
    return frozenset(found)


def gaps(pairs: Iterable[tuple[Mapping[str, int], Mapping[str, int]]]) -> tuple[Gap, ...]:
    """By axis, how far the second scores of each pair (the human's) lie from the first (the agent's)."""
    given = [pair for pair in pairs if all(axis in one for one in pair for axis in AXES)]
    found = []
    for axis in AXES:
        apart = [human[axis] - agent[axis] for agent, human in given]
        mean = sum(apart) / len(apart) if apart else 0.0
        found.append(Gap(axis, len(apart), sum(1 for one in apart if one), mean))
    return tuple(found)
