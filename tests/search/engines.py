"""The project's search over the workspace of the questions, asked as the command line asks it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dory_tui.search.answers import Searcher, Wanted
from tests.search.questions import TOP, WORKSPACE, Found, Question


class Project:
    """An open searcher; it answers by keyword alone where that is wanted."""

    def __init__(self, searcher: Searcher, keyword: bool) -> None:
        self._searcher, self._wanted = searcher, Wanted(limit=TOP, keyword=keyword)

    def __call__(self, question: Question) -> list[Found]:
        """The ten best."""
        answer = self._searcher.ask(question.words, question.asked, self._wanted)
        return [Found(one.path, one.line_start, one.line_end, one.text) for one in answer.results]


@contextmanager
def project(folder: Path, *, keyword: bool = False) -> Iterator[Project]:
    """The search over a copy of the workspace, with its index in it."""
    root = folder / "workspace"
    if not root.exists():
        shutil.copytree(WORKSPACE, root)
    searcher = Searcher(root, {"HOME": str(folder)})
    try:
        yield Project(searcher, keyword)
    finally:
        searcher.close()
