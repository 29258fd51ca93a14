"""How well search answers the project's own questions, beside a plain FTS5 script and grep. It asserts nothing.

Columns: of the questions, how many are answered within ten results; how many within the first 4,000 characters of them;
and the mean of one divided by the place of the first right result, within ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tests.search.baselines import Grep, Keywords
from tests.search.engines import project
from tests.search.questions import Question, Score, files, mean, questions, score

Scores = Mapping[str, Mapping[str, Score]]


def test_questions_are_answered(tmp_path: Path) -> None:
    keywords, grep = Keywords(files()), Grep(files())
    with project(tmp_path) as search:
        hybrid = {one.id: score(one, search(one)) for one in questions()}
    with project(tmp_path, keyword=True) as search:
        keyword = {one.id: score(one, search(one)) for one in questions()}
    scores = {
        "search": hybrid,
        "search --keyword": keyword,
        "plain FTS5": {one.id: score(one, keywords(one.words)) for one in questions()},
        "grep -i": {one.id: score(one, grep(one.words)) for one in questions()},
    }
    keywords.close()
    print(f"\n{len(questions())} questions over {len(files())} files: answered in 10, in 4,000 characters, MRR")
    print(f"{'':24}" + "".join(f"{name:>20}" for name in scores))
    _table(scores, "", lambda _: "all")
    _table(scores, "half", lambda one: one.half)
    _table(scores, "kind", lambda one: one.kind)
    _table(scores, "language", lambda one: "across two" if ">" in one.language else one.language)


def _table(scores: Scores, title: str, group: Callable[[Question], str]) -> None:
    print(title)
    for name in sorted({group(one) for one in questions()}):
        ids = [one.id for one in questions() if group(one) == name]
        print(f"  {name:14}{len(ids):>5}   " + "".join(f"{_said(by[id] for id in ids):>20}" for by in scores.values()))


def _said(scores: Iterable[Score]) -> str:
    found = mean(scores)
    return f"{found.ten:.3f} {found.read:.3f} {found.reciprocal:.3f}"
