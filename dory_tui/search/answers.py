"""A question, and the passages that answer it: what the command line, the agent and the screen ask.

Before every answer the index is brought up to the files. Whatever is missing for vectors - numpy, the model, the store,
an index of this version - leaves an answer by keyword that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, tzinfo
from pathlib import Path

from dory_tui.search import superseded, terms, when
from dory_tui.search.building import Progress, Updated
from dory_tui.search.index import Index
from dory_tui.search.lookup import Lookup, Stored
from dory_tui.search.opening import OpenIndex, Remote, Report
from dory_tui.search.places import never
from dory_tui.search.ranking import TOP, blend, newer_before, newest_first
from dory_tui.search.stores import Days, StoreError
from dory_tui.search.vectors import Vectors
from dory_tui.values import dataclass, replace

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Literal

    Mode = Literal["hybrid", "keyword"]

LIMIT = 10
LONGEST = 4000
"""Characters of a question: a page is more than anybody asks, and each costs time."""
LEAST_ALIKE = 0.25
"""Below such a cosine a passage has nothing to do with a question; measured, what answers lies well above."""


@dataclass(frozen=True, slots=True)
class Result:
    """A passage. `path` is relative to the workspace; lines count from 1, both ends included.

    Why it was found: `terms` are words of it, as they stand there; `dated` says that its day is one that the question
    names; `alike` is the cosine with the question, where there are vectors and it was among the nearest.
    """

    path: str
    line_start: int
    line_end: int
    day: date | None
    heading: str
    text: str
    score: float
    mode: Mode
    terms: tuple[str, ...] = ()
    dated: bool = False
    alike: float | None = None
    decision: bool = False
    over: bool = False
    """A decision that the file itself says no longer stands."""
    newer: superseded.Newer | None = None
    """A later decision on much the same."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, best first. `days` are those that the question names.

    `stale` when the index is another version's: it answered by keyword, and `Searcher.rebuild` is due.
    """

    question: str
    results: tuple[Result, ...]
    mode: Mode
    notices: tuple[str, ...] = ()
    days: tuple[Days, ...] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for besides the question. `within` leaves out what is not of these days.

    `unfinished` takes the last word for the beginning of one, for a question that is being typed.
    """

    limit: int = LIMIT
    keyword: bool = False
    recent: bool = False
    within: Days | None = None
    unfinished: bool = False


PLAIN = Wanted()


class Searcher:
    """Answers questions about one workspace. Of one thread; what it has loaded serves the next question too.

    `remote` keeps the vectors where not this machine does. Secrets are masked in all that is found: see `chunks`. Once
    `stopped` says so it waits for nobody and reads no further: SearchError, or an answer from what it has.
    """

    def __init__(
        self, root: Path, environment: Mapping[str, str], *, zone: tzinfo | None = None, remote: Remote | None = None,
        stopped: Callable[[], bool] = never,
    ) -> None:  # fmt: skip
        self._open = OpenIndex(root, environment, zone, remote, stopped)

    def __enter__(self) -> Searcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make the index anew where another version made it, as `Answer.stale` says; the old one answers meanwhile."""
        self._open.rebuild(progress, wanted=False)

    def build(self, progress: Progress | None = None, *, anew: bool = False) -> Report:
        """Bring the index up to the files without a question; with `anew` make it from nothing."""
        return self._open.build(progress, anew=anew)

    def check(self) -> Report:
        """Compare the index with every file, and change nothing."""
        return self._open.check()

    def ask(self, question: str, today: date, wanted: Wanted = PLAIN, progress: Progress | None = None) -> Answer:
        """The passages that answer a question, out of files as they are now. `today` is the workspace's day."""
        long = [f"of the question only the first {LONGEST:,} characters are asked"] if len(question) > LONGEST else []
        question = question[:LONGEST]
        named = when.named(question, today)
        asked = _Asked(question, wanted, named, _terms(question, named, wanted.unfinished))
        done: list[Updated] = []

        def update() -> None:
            done.append(self._open.update(load=not wanted.keyword, progress=progress))

        self._open.index()  # where there is none and none can be made, that is waited for once
        update()
        answer = self._open.guarded(lambda index: self._answer(index, asked), update)
        busy = [_waits(done[-1])] if done[-1].busy and done[-1].waiting else []
        notices = (*long, *self._open.take_notices(), *done[-1].notices, *busy, *answer.notices)
        return replace(answer, notices=tuple(dict.fromkeys(notices)))

    def _answer(self, index: Index, asked: _Asked) -> Answer:
        notices: list[str] = []
        load = not asked.wanted.keyword
        vectors = self._open.vectors(load)
        stale = not self._open.is_ours(index, load=load)
        if stale:
            notices.append("another version of dory made the index: this answer is by keyword until it is made anew")
        lookup = Lookup(index.connection)
        index.connection.execute("BEGIN")  # one state of the index, whatever others write meanwhile
        try:
            near = None if stale or asked.wanted.keyword else _nearest(vectors, lookup, asked, notices)
            results = self._results(lookup, asked, near, vectors)
        finally:
            if index.connection.in_transaction:
                index.connection.execute("COMMIT")
        mode: Mode = "keyword" if near is None else "hybrid"
        return Answer(asked.question, tuple(results), mode, tuple(notices), asked.named.ranges, stale)

    def _results(self, lookup: Lookup, asked: _Asked, near: dict[int, float] | None, vectors: Vectors) -> list[Result]:
        wanted, named = asked.wanted, asked.named
        keyword = lookup.matching(asked.terms, TOP, wanted.within)
        of_days = lookup.of_days(named.ranges, TOP) if named.close and wanted.within is None else []
        found = keyword.keys() | (near or {}).keys() | set(of_days)
        days = lookup.days(list(found)) if named.ranges or wanted.recent else {}
        scores = blend(keyword, near, {one for one, day in days.items() if named.has(day)}, close=named.close)
        order = list(scores)
        if wanted.recent:
            order = newest_first(list(scores.items()), {one: day.toordinal() for one, day in days.items()})
        known = lookup.by_ids(order[: wanted.limit])
        newer: dict[int, superseded.Newer] = {}
        if any(one.decision for one in known.values()):
            decisions = lookup.by_ids(lookup.decisions(order)[: superseded.MOST])
            embed = vectors.model.embed if near is not None and vectors.model else None
            newer = superseded.later(list(decisions.values()), embed)
            order = newer_before(order, wanted.limit, {one: later.id for one, later in newer.items()})
            known |= decisions
        shown = [known[one] for one in order[: wanted.limit] if one in known]
        words = lookup.found_words({one.id: one.searched for one in shown}, asked.terms)
        mode: Mode = "keyword" if near is None else "hybrid"
        of = _Found(mode, scores, near or {}, words, newer)
        return [_result(one, asked, of) for one in shown]


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    wanted: Wanted
    named: when.Named
    terms: terms.Terms


@dataclass(frozen=True, slots=True)
class _Found:
    mode: Mode
    scores: Mapping[int, float]
    near: Mapping[int, float]
    words: Mapping[int, tuple[str, ...]]
    newer: Mapping[int, superseded.Newer]


def _result(one: Stored, asked: _Asked, found: _Found) -> Result:
    runs = _runs([run for run in asked.terms.grams if run in one.searched])
    words = (*found.words.get(one.id, ()), *(run for run in runs if run in one.searched))
    alike = found.near.get(one.id)
    return Result(
        one.path, one.line_start, one.line_end, one.day, one.heading, one.body, round(found.scores[one.id], 4),
        found.mode, words, asked.named.has(one.day), None if alike is None else round(alike, 4), one.decision,
        one.decision and superseded.over(one.body), found.newer.get(one.id),
    )  # fmt: skip


def _terms(question: str, named: when.Named, unfinished: bool) -> terms.Terms:
    found = terms.terms(question, named.spans)
    days = tuple(f"{day:%Y %m %d}" for day in named.written)
    begun = question[-1:].isalnum() and unfinished and bool(found.words)
    return terms.Terms((*found.words, *days), found.grams, found.words[-1] if begun else "")


def _nearest(vectors: Vectors, lookup: Lookup, asked: _Asked, notices: list[str]) -> dict[int, float] | None:
    """The passages nearest to a question, and the nearest of the days that it names; None where nothing can say."""
    if not vectors.ready or vectors.model is None:
        notices.extend([vectors.problem] if vectors.problem else [])
        return None
    vector = vectors.model.embed([asked.question])[0]
    try:
        hits = vectors.store.query(vector, TOP, asked.wanted.within)
        if asked.wanted.within is None and asked.named.within is not None:
            hits += vectors.store.query(vector, TOP, asked.named.within)
    except StoreError as error:
        notices.append(f"{error}; this answer is by keyword")
        return None
    ids = lookup.ids_of([hit.id for hit in hits])
    return {ids[hit.id]: hit.score for hit in hits if hit.id in ids and hit.score >= LEAST_ALIKE}


def _runs(grams: Sequence[str]) -> list[str]:
    """Runs that go on from one another, joined: 登录, 录页 and 页面 are 登录页面."""
    joined: list[str] = []
    for run in grams:
        if joined and joined[-1].endswith(run[:-1]):
            joined[-1] += run[-1]
        else:
            joined.append(run)
    return joined


def _waits(done: Updated) -> str:
    files = "1 file is" if done.waiting == 1 else f"{done.waiting:,} files are"
    return f"another process is writing the index: {files} not in this answer yet"
