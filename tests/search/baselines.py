"""What the search is measured against: a plain FTS5 script, and `grep -i` sorted by how many words a line has."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping

from tests.search.questions import TOP, Found

WORD = re.compile(r"\w+")
STOP = frozenset(
    WORD.findall(
        """a about above after again all am an and any are as at be because been before being below between both but by
        can could did do does doing done down during each ever few for from further get got had has have having he her
        here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or
        other our ours out over own same she should so some such than that the their theirs them then there these they
        this those through to too under until up us very was we were what when where which while who whom whose why
        will with would you your yours s t de der die das den dem des ein eine und wegen le la les un une du et pour
        que"""
    )
)
PACKED = 800
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def words(text: str) -> list[str]:
    """The words of a question that say something."""
    return [word for word in WORD.findall(text.lower()) if word not in STOP]


def passages(path: str, text: str) -> Iterator[Found]:
    """Lines below one heading, packed to 800 characters."""
    heading, kept, first = "", list[str](), 0
    named = _DAY.search(path)
    day = named[0] if named else path
    for number, line in enumerate([*text.split("\n"), "# end"], start=1):
        title = _HEADING.match(line)
        if kept and (title or sum(map(len, kept)) + len(line) > PACKED):
            yield Found(path, first, number - 1, "\n".join([f"{day} > {heading}", *kept]))
            kept = []
        if title:
            heading = title[1]
        elif line.strip():
            first = first if kept else number
            kept.append(line)


class Keywords:
    """Plain BM25 over those passages: porter, stop words removed, any word counts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._passages = [one for path, text in files.items() for one in passages(path, text)]
        self._tables = sqlite3.connect(":memory:")
        self._tables.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61 remove_diacritics 2')")
        self._tables.executemany("INSERT INTO t VALUES (?)", [(one.text,) for one in self._passages])

    def __call__(self, question: str) -> list[Found]:
        """The ten best."""
        asked = " OR ".join(f'"{word}"' for word in words(question))
        if not asked:
            return []
        rows = self._tables.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (asked, TOP))
        return [self._passages[row - 1] for (row,) in rows]

    def close(self) -> None:
        """Done with."""
        self._tables.close()


class Grep:
    """`grep -ri` for each word; lines with most of the words first, newer files before older ones."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._lines = [
            Found(path, number, number, line)
            for path, text in sorted(files.items(), reverse=True)
            for number, line in enumerate(text.split("\n"), start=1)
        ]

    def __call__(self, question: str) -> list[Found]:
        """The ten best."""
        wanted = words(question)
        counted = [(sum(word in line.text.lower() for word in wanted), line) for line in self._lines]
        ranked = sorted((pair for pair in counted if pair[0]), key=lambda pair: -pair[0])
        return [line for _, line in ranked[:TOP]]
