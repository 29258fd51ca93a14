"""What is asked of an open index: passages by words, by days, by id. Nothing is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date

from dory_tui.search import terms
from dory_tui.search.chunks import meaning
from dory_tui.search.damage import DamagedError
from dory_tui.search.stores import Days
from dory_tui.values import dataclass

MANY = 4_000
"""Passages that are scored for a question, when there are more."""
TOKENIZER = "porter unicode61 remove_diacritics 2"
_MARK_ON, _MARK_OFF = "\ufdd0", "\ufdd1"  # no characters: where FTS5 says that a word begins and ends


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage out of the index."""

    id: int
    key: str
    path: str
    line_start: int
    line_end: int
    day: date | None
    decision: bool
    heading: str
    hash: str
    prefix: str
    body: str

    @property
    def searched(self) -> str:
        return f"{self.prefix}\n{self.body}"

    @property
    def embedded(self) -> str:
        return meaning(self.heading, self.body)


_COLUMNS = (
    "c.id, c.key, f.path, c.line_start, c.line_end, c.day, c.decision, c.heading, c.hash, c.prefix, c.body"
    " FROM chunks c JOIN files f ON f.id = c.file"
)


class Lookup:
    """The reading half of an index. sqlite3.Error and `damage.VALUES` where it is damaged, DamagedError too."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of_file(self, path: str) -> list[Stored]:
        return self._select("WHERE f.path = ? ORDER BY c.id", (path,))

    def of_days(self, ranges: Sequence[Days], most: int) -> list[int]:
        """The passages of some days, the newest day first."""
        where = " OR ".join(["day BETWEEN ? AND ?"] * len(ranges))
        ends = [end.toordinal() for days in ranges for end in days]
        rows = self._connection.execute(
            f"SELECT id FROM chunks WHERE {where} ORDER BY day DESC, id LIMIT ?", (*ends, most)
        )
        return [row[0] for row in rows]

    def by_ids(self, ids: Sequence[int]) -> dict[int, Stored]:
        found = self._select(f"WHERE c.id IN ({', '.join('?' * len(ids))})", ids)
        return {one.id: one for one in found}

    def days(self, ids: Sequence[int]) -> dict[int, date]:
        """The day of each of some passages that has one."""
        rows = self._connection.execute(
            f"SELECT id, day FROM chunks WHERE id IN ({', '.join('?' * len(ids))}) AND day IS NOT NULL", ids
        )
        return {one: date.fromordinal(day) for one, day in rows}

    def decisions(self, ids: Sequence[int]) -> list[int]:
        """Those of some passages that are decisions, in the same order."""
        rows = self._connection.execute(
            f"SELECT id FROM chunks WHERE id IN ({', '.join('?' * len(ids))}) AND decision", ids
        )
        found = {row[0] for row in rows}
        return [one for one in ids if one in found]

    def ids_of(self, keys: Sequence[str]) -> dict[str, int]:
        """The passages that have these keys; a key that no passage has any more is left out."""
        marks = ", ".join("?" * len(keys))
        return dict(self._connection.execute(f"SELECT key, id FROM chunks WHERE key IN ({marks})", keys).fetchall())

    def _select(self, where: str, values: Sequence[object]) -> list[Stored]:
        found = []
        for row in self._connection.execute(f"SELECT {_COLUMNS} {where}", values):
            one, key, path, first, last, day, decision, heading, made, prefix, body = row
            if not (
                all(isinstance(text, str) for text in (key, path, heading, made, prefix, body)) and 0 < first <= last
            ):
                raise DamagedError(f"passage {one} has values that are none of its own")
            when = None if day is None else date.fromordinal(day)
            found.append(Stored(one, key, path, first, last, when, bool(decision), heading, made, prefix, body))
        return found

    def matching(self, wanted: terms.Terms, most: int, days: Days | None = None) -> dict[int, float]:
        """The passages that have most of some terms, by BM25 (higher is better), best first."""
        found: dict[int, float] = {}
        for table, items, begun in (("words", wanted.words, wanted.begun), ("grams", wanted.grams, "")):
            for row, score in self._bm25(table, items, begun, most, days) if items else ():
                found[row] = found.get(row, 0.0) + score
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:most])

    def _bm25(
        self, table: str, items: Sequence[str], begun: str, most: int, days: Days | None
    ) -> list[tuple[int, float]]:
        within, values = "", []
        if days is not None:
            within = "AND rowid IN (SELECT id FROM chunks WHERE day BETWEEN ? AND ?)"
            values = [days[0].toordinal(), days[1].toordinal()]
        # By the hidden column `rank`, FTS5 keeps the best as it goes; a sort by bm25() would fetch every row first.
        return self._connection.execute(
            f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? {within} ORDER BY rank LIMIT ?",
            (self._expression(table, items, begun), *values, most),
        ).fetchall()

    def _expression(self, table: str, items: Sequence[str], begun: str) -> str:
        """Any of some terms; where that would be thousands of passages, any of the rare ones, weighed by all of them.

        Scoring a passage costs microseconds, and a word that stands in every third one says little. A term counts once
        for each time that it stands in the expression, so the common ones stand there as often as the rare ones.
        """
        everything = terms.match_any(items, begun)
        if (
            self._connection.execute("SELECT count(*) FROM (SELECT 1 FROM chunks LIMIT ?)", (MANY + 1,)).fetchone()[0]
            <= MANY
        ):
            return everything
        counts = {item: self._count(table, terms.match_any([item])) for item in items}
        rare: list[str] = []
        sum_ = 0
        for item in sorted(items, key=lambda item: counts[item]):
            sum_ += counts[item]
            if rare and sum_ > MANY:
                break
            rare.append(item)
        common = [item for item in items if item not in rare]
        if not common:
            return everything
        some = terms.match_any(rare, begun)
        return f"({some}) AND ({some} OR {terms.match_any(common)} OR {terms.match_any(common)})"

    def _count(self, table: str, expression: str) -> int:
        found = self._connection.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (expression,))
        return int(found.fetchone()[0])

    def found_words(self, texts: Mapping[int, str], wanted: terms.Terms) -> dict[int, tuple[str, ...]]:
        """Which words of some texts are those of a question, as they stand there.

        Asked of a table that has these texts alone: in the index FTS5 would count every word's passages anew.
        """
        expression = terms.match_any(wanted.words, wanted.begun)
        if not texts or not expression:
            return {}
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as few:
            few.execute(f"CREATE VIRTUAL TABLE words USING fts5 (body, tokenize = '{TOKENIZER}')")
            few.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", list(texts.items()))
            rows = few.execute(
                "SELECT rowid, highlight(words, 0, ?, ?) FROM words WHERE words MATCH ?",
                (_MARK_ON, _MARK_OFF, expression),
            )
            return {row: _marked(text) for row, text in rows}


def _marked(text: str) -> tuple[str, ...]:
    parts = text.split(_MARK_ON)[1:]
    return tuple(dict.fromkeys(part.partition(_MARK_OFF)[0] for part in parts if _MARK_OFF in part))
