"""`dory search`, `dory index` and `dory-agent search`, as people and agents call them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.process.terminal import Terminal
from tests.process.test_cold_start import imported

if TYPE_CHECKING:
    from tests.conftest import Workspace

EVIL = "\x1b]0;evil\x07 \u202e"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def logged(workspace: Workspace) -> Workspace:
    workspace.write(
        "memory/2026-02-02.md", "# 2026-02-02\n\n## Bugs\n\n- Sam reported a blank login page\n- fixed it\n"
    )
    workspace.write("memory/2026-02-03.md", f"- the robot has the key {TOKEN} {EVIL}\n")
    workspace.write("dory.toml", 'time_zone = "Europe/Berlin"\n')
    return workspace


def run(
    workspace: Workspace, *words: str, module: str = "dory_tui.__main__", before: str = "pass", stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own; `before` is run in it first."""
    line = f"import sys; {before}; sys.argv[0] = 'dory'; from {module} import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", line, *words, "-C", str(workspace.root)], env=workspace.env, capture_output=True,
        text=True, check=False, input=stdin, timeout=60,
    )  # fmt: skip


def in_process(workspace: Workspace, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The same without the start of a process."""
    from dory_tui.cli.searching import alone

    with pytest.MonkeyPatch.context() as patch:
        for name in set(os.environ) - set(workspace.env):
            patch.delenv(name)
        for name, value in workspace.env.items():
            patch.setenv(name, value)
        try:
            code = alone([*words, "-C", str(workspace.root)])
        except SystemExit as stopped:
            code = int(str(stopped.code))
    out, err = capsys.readouterr()
    return code, out, err


def answer(out: str) -> Any:
    return json.loads(out)


def test_the_agent_gets_json_with_all_that_a_passage_has(logged: Workspace) -> None:
    done = run(logged, "search", "which bug did Sam report on 2026-02-02?", "--json", module="dory_tui.cli.dory_agent")
    assert (done.returncode, done.stderr) == (0, "")
    found = answer(done.stdout)
    assert (found["mode"], found["days"], found["notices"]) == ("hybrid", [["2026-02-02", "2026-02-02"]], [])
    first = found["results"][0]
    assert 0 < first.pop("score") <= 1.5
    assert 0.2 < first.pop("alike") <= 1
    assert set(first.pop("terms")) >= {"Sam", "reported"}
    assert first == {
        "path": "memory/2026-02-02.md", "line_start": 5, "line_end": 6, "day": "2026-02-02", "heading": "Bugs",
        "text": "- Sam reported a blank login page\n- fixed it", "mode": "hybrid", "day_named": True,
        "superseded": False, "newer": None,
    }  # fmt: skip


def test_without_numpy_the_answer_is_by_keyword_and_says_so(logged: Workspace) -> None:
    blocked = "sys.modules['numpy'] = None"
    done = run(logged, "search", "Sam", "--json", before=blocked)
    found = answer(done.stdout)
    assert (done.returncode, found["mode"], found["results"][0]["mode"]) == (0, "keyword", "keyword")
    assert found["notices"] == ["numpy is not installed, so search is by keyword: pip install 'dory-tui[search]'"]
    assert answer(run(logged, "search", "Sam", "--json").stdout)["mode"] == "hybrid", "and with it from then on"
    logged.write("memory/2026-02-04.md", "- Sam again\n")
    assert len(answer(run(logged, "search", "Sam", "--json", before=blocked).stdout)["results"]) == 2


def test_a_search_by_keyword_starts_without_numpy_the_review_and_the_screen(logged: Workspace) -> None:
    line = [sys.executable, "-X", "importtime", "-m", "dory_tui", "-C", str(logged.root), "search", "--keyword", "Sam"]
    done = subprocess.run(line, env=logged.env, capture_output=True, text=True, check=True)
    assert (
        imported(done.stderr) & {"numpy", "dory_tui.review", "dory_tui.tui", "textual", "rich", "dory_tui.history"}
        == set()
    )
    assert "dory_tui.search.answers" in imported(done.stderr)


def test_at_a_terminal_the_found_words_are_bold_and_nothing_of_a_file_acts(logged: Workspace) -> None:
    env = {**logged.env, "TERM": "xterm-256color"}
    terminal = Terminal.dory(logged.root, env, "search", "--keyword", "login", "robot")
    assert terminal.end() == 0
    terminal.close()
    seen = terminal.raw.decode()
    assert "\x1b[1mlogin\x1b[22m" in seen
    assert "\x1b[1mrobot\x1b[22m" in seen
    assert "⟦U+001B ESCAPE⟧" in seen
    assert "\x1b]" not in seen
    assert "\u202e" not in seen
    assert TOKEN not in seen


def test_text_says_where_what_and_why(logged: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = in_process(logged, capsys, "search", "--keyword", "blank", "page", "2026-02-02")
    assert (code, err) == (0, "")
    assert out == (
        "1. memory/2026-02-02.md:5-6 · 2026-02-02 · Bugs\n   - Sam reported a blank login page\n   - fixed it\n"
        "   has 2026-02-02, blank, page; its day is named\n"
    )
    code, out, err = in_process(logged, capsys, "search", "--keyword", "quokka")
    assert (code, err) == (0, "")
    assert out.startswith("nothing was found: try other or fewer words")


def test_options(logged: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2, 3):
        logged.write(f"memory/2026-01-0{number}.md", f"- a quokka, and {'quokka ' * number}\n")

    def days(*words: str) -> list[str]:
        code, out, _ = in_process(logged, capsys, "search", "quokka", "--json", *words)
        assert code == 0
        return [one["day"] for one in answer(out)["results"] if one["terms"]]

    assert len(days()) == 3
    assert days("--recent") == ["2026-01-03", "2026-01-02", "2026-01-01"]
    assert len(days("--limit", "1")) == 1
    assert days("--days", "2026-01-02") == ["2026-01-02"]
    assert sorted(days("--days", "2026-01-02..")) == ["2026-01-02", "2026-01-03"]
    assert days("--days", "..2026-01-01") == ["2026-01-01"]
    assert len(days("--days", "January 2026")) == 3
    assert days("--days", "2026-01-04..2026-01-09") == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("search", " "), "say what to look for"),
        (("search", "x", "--limit", "0"), "--limit takes a number from 1 to 200"),
        (("search", "x", "--days", "soon"), "--days 'soon' names no days"),
        (("search", "x", "--days", ".."), "names no days"),
        (("search", "x", "--days", "2026-02-02..2026-02-01"), "the first day comes first"),
        (("search",), "the following arguments are required: Q"),
        (("index", "--check", "--rebuild"), "not allowed with"),
    ],
)
def test_bad_input_is_one_sentence(
    logged: Workspace, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    code, out, err = in_process(logged, capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_what_is_found_in_another_form_is_not_said_to_be_of_a_day(
    logged: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    logged.write("memory/2026-02-04.md", "- ㍿ wrote\n")
    _, out, _ = in_process(logged, capsys, "search", "--keyword", "株式会社")
    assert out.endswith("- ㍿ wrote\n   has runs of characters of the question, in another form\n")


def test_to_leave_days_out_is_advised_only_where_they_were_asked_for(
    logged: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--days" not in in_process(logged, capsys, "search", "--keyword", "quokka")[1]
    assert "or leave --days out" in in_process(logged, capsys, "search", "--keyword", "quokka", "--days", "2026-02")[1]


@pytest.mark.parametrize("verb", [("search", "x"), ("index",), ("index", "--check")])
def test_in_a_folder_that_is_no_workspace_nothing_is_made(
    logged: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: tuple[str, ...]
) -> None:
    (tmp_path / "empty").mkdir()
    code, out, err = in_process(dataclasses.replace(logged, root=tmp_path / "empty"), capsys, *verb)
    assert (code, out) == (2, "")
    assert "is no workspace and has nothing to search: name one with -C PATH" in err
    assert list((tmp_path / "empty").iterdir()) == []


def test_where_no_index_can_be_kept_that_is_no_success(logged: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    logged.write(".dory/search", "in the way")
    logged.env["XDG_CACHE_HOME"] = str(logged.root / ".dory/search")
    for words in ((), ("--check",), ("--rebuild",)):
        code, _, err = in_process(logged, capsys, "index", *words)
        assert (code, err.count("\n")) == (3, 1)
        assert "so no index can be kept" in err
    code, out, err = in_process(logged, capsys, "search", "Sam")
    assert (code, "blank login page" in out, "made for this once" in err) == (0, True, True)


def test_the_index_is_made_looked_at_and_made_anew(logged: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = in_process(logged, capsys, "index", "--check")
    assert (code, err) == (3, "there is no index yet: `dory index` makes one\n")
    code, out, err = in_process(logged, capsys, "index")
    assert (code, out, err) == (0, "5 files, 5 passages, 5 with vectors; 5 read now\n", "")
    assert in_process(logged, capsys, "index", "--check") == (0, "5 files, 5 passages, 5 with vectors\n", "")
    logged.write("memory/2026-02-04.md", "- new\n")
    code, out, err = in_process(logged, capsys, "index", "--check")
    assert (code, err) == (3, "memory/2026-02-04.md is not in the index as it is\n")
    code, out, _ = in_process(logged, capsys, "index", "--rebuild", "--json")
    assert (code, answer(out)["read"], answer(out)["whole"]) == (0, 6, True)
    assert in_process(logged, capsys, "index", "--check")[0] == 0


def test_a_search_makes_an_index_of_another_version_anew(logged: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    in_process(logged, capsys, "index")
    with contextlib.closing(sqlite3.connect(logged.root / ".dory/search/index-1.db", isolation_level=None)) as index:
        index.execute("UPDATE meta SET value = '0' WHERE key = 'chunker'")
    code, out, err = in_process(logged, capsys, "search", "Sam", "--json")
    assert (code, answer(out)["mode"], err) == (0, "keyword", "")
    assert "another version of dory" in answer(out)["notices"][0]
    code, out, _ = in_process(logged, capsys, "search", "Sam", "--json")
    assert (answer(out)["mode"], answer(out)["notices"]) == ("hybrid", [])


def test_a_question_comes_by_standard_input_too(logged: Workspace) -> None:
    assert "memory/2026-02-02.md:5-6" in run(logged, "search", "--keyword", "-", stdin="blank page\n").stdout
