"""`search` and `index`: passages out of everything the agent wrote. Thin: parse, call the search, print."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from dory_tui.cli.common import UsageError, add_json, open_gate, read_input
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.visible import visible, visible_line

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.cli.common import Handler
    from dory_tui.search.answers import Answer, Result, Searcher
    from dory_tui.search.stores import Days

_MOST = 200
_BOLD, _PLAIN = "\x1b[1m", "\x1b[22m"
_SOON = 0.5  # seconds of work without a word about it


def _search_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="+", metavar="Q", help="what to look for; `-` reads standard input")
    parser.add_argument("--keyword", action="store_true", help="by words alone, which needs no numpy and starts sooner")
    parser.add_argument("--recent", action="store_true", help="of what answers about as well, the newest first")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="passages that are shown (10)")
    parser.add_argument(
        "--days", metavar="A..B", help="only these days: 2026-01-01..2026-01-31, 2026-01.., 'last week'"
    )
    add_json(parser)


def _index_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Bring the index up to the files, which every search does by itself too. "
        "Exit code with --check: 0 when it is whole and as the files are, else 3."
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="compare it with every file, and change nothing")
    group.add_argument("--rebuild", action="store_true", help="make it anew; the old one answers until that is done")
    add_json(parser)


def _search(options: argparse.Namespace) -> int:
    from dory_tui.search.answers import Wanted

    question = " ".join(options.question)
    if options.question == ["-"]:
        question = read_input(None).decode("utf-8", "replace")
    if not question.strip():
        raise UsageError("say what to look for, such as: dory search which bug did Sam report on Monday")
    if not 1 <= options.limit <= _MOST:
        raise UsageError(f"--limit takes a number from 1 to {_MOST}")
    gate = open_gate(options, "dory")
    today = _now(gate).date()
    wanted = Wanted(options.limit, options.keyword, options.recent, _days(options.days, today))
    with _searcher(gate) as searcher, _Progress() as progress:
        answer = searcher.ask(question.strip(), today, wanted, progress)
        progress.done()
        if options.json:
            say_json(_answer_json(answer))
        else:
            _say_answer(answer, within=wanted.within is not None)
        if answer.stale:
            sys.stdout.flush()
            searcher.rebuild(progress)
    return int(Exit.FINE)


def _searcher(gate: Gate) -> Searcher:
    from dory_tui.agent.search import searcher

    return searcher(gate)


def _now(gate: Gate) -> datetime:
    from dory_tui.agent.write import local

    return local(gate)


def _days(text: str | None, today: date) -> Days | None:
    """`A..B`, either end left open, a day, a month, or words such as `last week`."""
    from dory_tui.search.when import EVER, named

    if text is None:
        return None
    first, dots, last = text.partition("..")
    ends = [named(part, today).within if part.strip() else EVER for part in ((first, last) if dots else (text,))]
    if None in ends or not text.strip(". "):
        raise UsageError(f"--days {text!r} names no days: write 2026-01-01..2026-01-31, 2026-01.., or 'last week'")
    known = [end for end in ends if end is not None]
    if known[0][0] > known[-1][1]:
        raise UsageError(f"--days {text!r}: the first day comes first")
    return known[0][0], known[-1][1]


def _answer_json(answer: Answer) -> dict[str, object]:
    return {
        "question": answer.question,
        "mode": answer.mode,
        "days": [[first.isoformat(), last.isoformat()] for first, last in answer.days],
        "notices": list(answer.notices),
        "results": [_result_json(one) for one in answer.results],
    }


def _result_json(one: Result) -> dict[str, object]:
    newer = one.newer
    return {
        "path": one.path, "line_start": one.line_start, "line_end": one.line_end,
        "day": one.day.isoformat() if one.day else None, "heading": one.heading, "text": one.text,
        "score": one.score, "mode": one.mode, "terms": list(one.terms), "day_named": one.dated, "alike": one.alike,
        "superseded": one.over,
        "newer": {"path": newer.path, "line": newer.line, "day": newer.day.isoformat()} if newer else None,
    }  # fmt: skip


def _say_answer(answer: Answer, *, within: bool) -> None:
    for notice in answer.notices:
        say_error(notice)
    if not answer.results:
        wider = ", or leave --days out" if within else ""
        say(f"nothing was found: try other or fewer words{wider}; `dory index --check` looks at the index")
    marked = sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb") and not os.environ.get("NO_COLOR")
    for number, one in enumerate(answer.results, start=1):
        lines = f"{one.line_start}" if one.line_start == one.line_end else f"{one.line_start}-{one.line_end}"
        where = [f"{one.path}:{lines}", one.day.isoformat() if one.day else "", one.heading]
        say(f"{number}. {visible_line(' · '.join(part for part in where if part))}")
        for line in visible(one.text).text.split("\n"):
            sys.stdout.write(f"   {_marked(line, one.terms) if marked else line}\n")
        say(f"   {visible_line(_why(one))}")
        if number < len(answer.results):
            say()


def _marked(line: str, terms: Sequence[str]) -> str:
    """A visible line with the words that were found in bold."""
    shown = sorted({visible_line(term) for term in terms}, key=len, reverse=True)
    if not shown:
        return line
    found = re.compile("|".join(_whole(term) for term in shown))
    return found.sub(lambda match: f"{_BOLD}{match[0]}{_PLAIN}", line)


def _whole(term: str) -> str:
    """A word as a whole; where words have no ends, wherever it stands."""
    return rf"(?<!\w){re.escape(term)}(?!\w)" if term.isascii() else re.escape(term)


def _why(one: Result) -> str:
    words = [f"has {', '.join(one.terms)}"] if one.terms else []
    day = ["its day is named"] if one.dated else []
    alike = [f"alike by {one.alike:.2f}"] if one.alike is not None else []
    over = ["it says that it no longer stands"] if one.over else []
    newer = one.newer
    later = [f"a later decision may replace it: {newer.path}:{newer.line} of {newer.day}"] if newer else []
    return "; ".join([*words, *day, *alike, *over, *later]) or "has runs of characters of the question, in another form"


class _Progress:
    """One line on standard error, at a terminal, when it takes long."""

    def __init__(self) -> None:
        self._begun, self._shown = time.monotonic(), False

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    def __call__(self, done: int, total: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - self._begun > _SOON:
            sys.stderr.write(f"\rindexing: {done:,} of {total:,} files")
            sys.stderr.flush()
            self._shown = True

    def done(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K" if os.environ.get("TERM", "") not in ("", "dumb") else "\n")
            sys.stderr.flush()
            self._shown = False


def _index(options: argparse.Namespace) -> int:
    with _searcher(open_gate(options, "dory")) as searcher, _Progress() as progress:
        report = searcher.check() if options.check else searcher.build(progress, anew=options.rebuild)
    if options.json:
        say_json({
            "files": report.files, "passages": report.passages, "vectors": report.vectors, "read": report.read,
            "whole": not report.findings, "findings": list(report.findings), "notices": list(report.notices),
        })  # fmt: skip
    else:
        for notice in (*report.notices, *report.findings):
            say_error(notice)
        vectors = "without vectors" if not report.vectors else f"{report.vectors:,} with vectors"
        read = "" if options.check else f"; {report.read:,} read now"
        say(f"{report.files:,} files, {report.passages:,} passages, {vectors}{read}")
    return int(Exit.REFUSED if report.findings else Exit.FINE)


SEARCH_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "search": (
        "find the passage that answers a question, in logs, memory, decisions and notes",
        _search_options,
        _search,
    )
}
INDEX_VERBS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None], Handler]] = {
    "index": (
        "bring the search index up to the files; --check looks at it, --rebuild makes it anew",
        _index_options,
        _index,
    )
}
