"""The questions of the project's own set, with the lines that answer them.

`workspace/` is written by hand: two years and a half of an agent's days in a small company, with decisions that
supersede one another, people of similar names, and what comes again each year. The questions were written without
looking at how the search ranks, and stay so: a question is not changed because it is missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
WORKSPACE = HERE / "workspace"
TODAY = date(2026, 2, 12)
"""The day on which a question is asked that names no other."""
READ = 4000
"""How many characters of answers an agent is given to read."""
TOP = 10


@dataclass(frozen=True, slots=True)
class Found:
    """One result: lines of a file, from 1, the last included, and what is read of it."""

    path: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`answers` are (path, line); any one of them is right. `language` is `en>de` when the answer is in German."""

    id: str
    kind: str
    language: str
    asked: date
    words: str
    answers: tuple[tuple[str, int], ...]

    @property
    def half(self) -> str:
        """`tune` is what settings may be chosen by, `held` tells whether they were chosen well."""
        return "held" if hashlib.sha256(self.id.encode()).digest()[0] & 1 else "tune"

    def right(self, found: Found) -> bool:
        """Whether a result holds one of the answers."""
        return any(found.path == path and found.first <= line <= found.last for path, line in self.answers)


@dataclass(frozen=True, slots=True)
class Score:
    """Of one question: whether it is answered within ten results, within 4,000 characters, and 1 / its first place."""

    ten: float
    read: float
    reciprocal: float


@cache
def files() -> Mapping[str, str]:
    """Every file of the workspace by its path."""
    return {
        file.relative_to(WORKSPACE).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(WORKSPACE.rglob("*.md"))
    }


@cache
def questions() -> tuple[Question, ...]:
    """All of `questions.tsv`. ValueError for an answer whose words stand on no line, or on several."""
    rows = (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(_question(row.split("\t")) for row in rows if not row.startswith("#"))


def _question(row: list[str]) -> Question:
    name, kind, language, asked, words, answers = row
    day = date.fromisoformat(asked) if asked else TODAY
    return Question(name, kind, language, day, words, tuple(_line(answer) for answer in answers.split(" || ")))


def _line(answer: str) -> tuple[str, int]:
    stem, _, words = answer.partition("#")
    for path, text in files().items():
        if f"/{path}".endswith(f"/{stem}.md"):
            lines = [number for number, line in enumerate(text.split("\n"), start=1) if words in line]
            if len(lines) == 1:
                return path, lines[0]
    raise ValueError(f"questions.tsv: {answer} is not the words of one line")


def score(question: Question, results: Iterable[Found]) -> Score:
    """What a ranking is worth for one question."""
    top = list(results)[:TOP]
    place = next((number for number, found in enumerate(top, start=1) if question.right(found)), 0)
    length = sum(len(found.text) for found in top[:place])
    return Score(float(place > 0), float(place > 0 and length <= READ), 1 / place if place else 0.0)


def mean(scores: Iterable[Score]) -> Score:
    """The mean of each figure over questions."""
    rows = list(scores)
    return Score(
        sum(row.ten for row in rows) / len(rows),
        sum(row.read for row in rows) / len(rows),
        sum(row.reciprocal for row in rows) / len(rows),
    )
