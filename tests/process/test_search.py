"""The index beside the files it is made of: always as new as they are, and never in anybody's way."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dory_tui.search import embedding, files, places
from dory_tui.search.answers import Answer, Searcher, Wanted
from dory_tui.search.opening import Remote, Report
from dory_tui.search.places import SearchError
from dory_tui.search.stores import Store, StoreError
from dory_tui.search.vectors import IDENTITY
from tests.conftest import PATIENCE
from tests.process.test_disk import fill
from tests.search.places import numpy_store

if TYPE_CHECKING:
    from tests.conftest import Workspace

TODAY = date(2026, 2, 5)
INDEXER = Path(__file__).parent / "indexer.py"
CLONE = Path(__file__).parents[2]


@pytest.fixture
def asking(workspace: Workspace) -> Iterator[Searcher]:
    """A searcher that stays open over a test, as the screen's does."""
    made = Searcher(workspace.root, workspace.env)
    yield made
    made.close()


def ask(workspace: Workspace, question: str, **wanted: bool | int) -> Answer:
    """One question of a searcher of its own, as the command line asks."""
    with Searcher(workspace.root, workspace.env) as searcher:
        return searcher.ask(question, TODAY, Wanted(**wanted))  # type: ignore[arg-type]


def paths(answer: Answer) -> list[str]:
    return [one.path for one in answer.results]


def current(workspace: Workspace) -> Path:
    found = places.place(workspace.root, workspace.env).current()
    assert found is not None
    return found


def rows(file: Path, table: str) -> int:
    with contextlib.closing(sqlite3.connect(file)) as index:
        return int(index.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def logs(workspace: Workspace, count: int) -> None:
    for number in range(count):
        day = date.fromordinal(TODAY.toordinal() - number)
        workspace.write(f"memory/{day}.md", f"# {day}\n\n## Facts\n\n- the quokka number {number} was seen\n")


# As new as the files


def test_a_new_file_a_changed_line_and_a_file_that_is_gone_are_seen_at_once(
    workspace: Workspace, asking: Searcher
) -> None:
    file = workspace.write("memory/2026-02-03.md", "## Bugs\n\n- Sam reported a blank login page\n")
    (found,) = [one for one in asking.ask("who reported the blank page", TODAY).results if one.terms]
    assert (found.path, found.line_start, found.line_end, found.day) == ("memory/2026-02-03.md", 3, 3, date(2026, 2, 3))
    assert (found.heading, found.text, found.mode) == ("Bugs", "- Sam reported a blank login page", "hybrid")
    assert set(found.terms) == {"reported", "blank", "page"}
    workspace.write("memory/2026-02-04.md", "- Lee reported a blank invoice\n")
    assert paths(asking.ask("blank invoice", TODAY))[0] == "memory/2026-02-04.md"
    file.write_text("## Bugs\n\n- another\n- Kim reported a torn login page\n")
    assert asking.ask("torn", TODAY).results[0].line_end == 4
    assert all("Sam" not in one.text for one in asking.ask("Sam blank login", TODAY).results)
    file.unlink()
    assert "memory/2026-02-03.md" not in paths(asking.ask("torn login page", TODAY))


def test_a_change_that_keeps_size_and_time_is_seen(workspace: Workspace, asking: Searcher) -> None:
    file = workspace.write("memory/2026-02-03.md", "- the code is red\n")
    held = file.stat()
    assert asking.ask("red", TODAY).results[0].terms == ("red",)
    file.write_text("- the code is tan\n")
    os.utime(file, ns=(held.st_atime_ns, held.st_mtime_ns))
    assert asking.ask("tan", TODAY).results[0].terms == ("tan",)


def test_a_deleted_and_a_renamed_file_leave_nothing_behind(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs(workspace, 4)
    workspace.write("memory/2026-01-01.md", "- 登录页面 was blank\n")
    ask(workspace, "quokka")
    tables = ("files", "chunks", "words_docsize", "grams_docsize", "vectors")
    before = {table: rows(current(workspace), table) for table in tables}
    made: list[Sequence[str]] = []
    embed = embedding.Model.embed

    def counted(model: embedding.Model, texts: Sequence[str]) -> object:
        made.append(texts)
        return embed(model, texts)

    monkeypatch.setattr(embedding.Model, "embed", counted)
    (workspace.root / "memory/archive").mkdir()
    (workspace.root / "memory/2026-01-01.md").rename(workspace.root / "memory/archive/2026-01-01.md")
    assert paths(ask(workspace, "登录"))[0] == "memory/archive/2026-01-01.md"
    assert made == [["登录"]], "the vectors of the same text were taken over"
    assert {table: rows(current(workspace), table) for table in tables} == before
    (workspace.root / "memory/archive/2026-01-01.md").unlink()
    for number in range(4):
        (workspace.root / f"memory/2026-02-0{5 - number}.md").unlink()
    assert ask(workspace, "quokka 登录 seen").results == ()
    left = {table: rows(current(workspace), table) for table in tables}
    assert (left["grams_docsize"], left["chunks"]) == (0, left["words_docsize"])
    with contextlib.closing(sqlite3.connect(current(workspace))) as index:
        known = [row[0] for row in index.execute("SELECT path FROM files UNION SELECT path FROM vectors")]
    assert not [path for path in known if path.startswith("memory/")]


def test_after_any_changes_the_index_is_what_a_new_one_would_be(workspace: Workspace, asking: Searcher) -> None:
    chance = random.Random(5)
    words = ["alpha", "beta", "gamma", "delta", "登录", "页面", "错误", "invoice", "ledger"]
    files = [f"memory/2026-01-{day:02}.md" for day in range(1, 9)]
    for _ in range(25):
        file = workspace.root / chance.choice(files)
        if file.exists() and chance.random() < 0.3:
            file.rename(workspace.root / chance.choice(files))
        elif file.exists() and chance.random() < 0.3:
            file.unlink()
        else:
            lines = (f"- {' '.join(chance.choices(words, k=30))}\n" for _ in range(chance.randint(0, 9)))
            workspace.write(f"memory/{file.name}", "## A\n" + "".join(lines))
        asking.ask("alpha", TODAY)
    report = asking.check()
    assert report.findings == ()
    assert report.passages == report.vectors > 0
    kept = contents(current(workspace))
    asking.build(anew=True)
    assert contents(current(workspace)) == kept


def contents(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that an index says, whatever its numbers are."""
    asked = {
        "chunks": "SELECT f.path, c.key, line_start, line_end, day, decision, heading, c.hash, body FROM chunks c"
        " JOIN files f ON f.id = c.file ORDER BY c.key",
        "vectors": "SELECT id, path, line_start, line_end, day, vector FROM vectors ORDER BY id",
        "words": "SELECT c.key, bm25(words) FROM words JOIN chunks c ON c.id = words.rowid"
        " WHERE words MATCH 'alpha OR ledger' ORDER BY c.key",
        "grams": "SELECT c.key FROM grams JOIN chunks c ON c.id = grams.rowid WHERE grams MATCH '登录' ORDER BY c.key",
    }
    with contextlib.closing(sqlite3.connect(file)) as index:
        return {name: index.execute(statement).fetchall() for name, statement in asked.items()}


# What is searched, and its days


def test_everything_the_agent_wrote_is_searched(workspace: Workspace) -> None:
    written = {
        "MEMORY.md": "## People\n\n- Ana likes the zebrafish\n",
        "state/HOLD.md": "[2026-02-05 10:00 | main] zebrafish — wait\n",
        "state/drafts/launch.md": "---\nid: launch\n---\nThe zebrafish is here.\n",
        "memory/promotions/2026-02-01-fish.md": "---\nid: fish\n---\n- zebrafish are small\n",
        "memory/recent-work.md": "## 2026-02-04\n\n- fed the zebrafish\n",
        "memory/archive/2026-01/2026-01-03-1322.md": "- a zebrafish came\n",
        "memory/archive/decisions-2026-01.md": "[2026-01-02 09:00 | main] keep the zebrafish — quiet\n",
        "memory/2025/12/31.md": "- no zebrafish yet\n",
        "memory/zoo/topics.md": "- zebrafish\n",
        ".dory/ledger/launch/1-001-rejected.json":
            '{"id": "launch", "event": "rejected", "when": "2026-02-03T10:00:00Z", "data": {"note": "no zebrafish"}}',
    }  # fmt: skip
    for path, text in written.items():
        workspace.write(path, text)
    workspace.write("notes/other.md", "- a zebrafish that is nobody's log\n")
    found = {one.path: one.day for one in ask(workspace, "zebrafish", limit=50).results if one.terms}
    assert found.keys() == written.keys()
    assert {path: str(day) for path, day in found.items() if day} == {
        "memory/promotions/2026-02-01-fish.md": "2026-02-01", "memory/recent-work.md": "2026-02-04",
        "memory/archive/2026-01/2026-01-03-1322.md": "2026-01-03", "memory/2025/12/31.md": "2025-12-31",
        "memory/archive/decisions-2026-01.md": "2026-01-02", "state/HOLD.md": "2026-02-05",
        ".dory/ledger/launch/1-001-rejected.json": "2026-02-03",
    }  # fmt: skip


def test_a_named_day_comes_first_and_a_range_leaves_out_the_rest(workspace: Workspace, asking: Searcher) -> None:
    for day in ("2026-01-26", "2026-02-02", "2026-02-03"):
        workspace.write(f"memory/{day}.md", "- deployed the website\n")
    first, *_ = asking.ask("what did we deploy on Monday?", TODAY).results
    assert (str(first.day), first.dated) == ("2026-02-02", True)
    assert str(asking.ask("what did we deploy last week?", TODAY).results[0].day) == "2026-01-26"
    within = Wanted(within=(date(2026, 2, 3), date(2026, 2, 9)))
    assert paths(asking.ask("what did we deploy on Monday?", TODAY, within)) == ["memory/2026-02-03.md"]
    workspace.write("memory/2026-02-04.md", "- nothing in common\n")
    assert paths(asking.ask("what happened yesterday?", TODAY))[0] == "memory/2026-02-04.md"
    assert paths(asking.ask("yesterday", TODAY, Wanted(keyword=True))) == ["memory/2026-02-04.md"]


def test_the_newer_of_two_decisions_comes_first_and_the_older_is_marked(workspace: Workspace, asking: Searcher) -> None:
    workspace.write(
        "state/DECISIONS.md",
        "## Recent\n\n[2026-01-04 10:00 | main] Use Postgres for the ledger — the ledger grows, Postgres is known\n"
        "[2026-01-05 10:00 | main] ~~Store the ledger on paper~~\n"
        "[2026-02-04 10:00 | main] Use SQLite for the ledger instead of Postgres — one machine is enough\n",
    )
    for wanted in (Wanted(), Wanted(limit=2, keyword=True), Wanted(recent=True)):
        first, second, *_ = asking.ask("ledger Postgres grows", TODAY, wanted).results
        assert [first.line_start, second.line_start] == [5, 3]
        assert first.newer is None
        assert second.newer is not None
        assert (second.newer.path, second.newer.line) == ("state/DECISIONS.md", 5)
    assert [one.over for one in asking.ask("paper", TODAY).results][:1] == [True]


def test_scripts_without_blanks_and_words_that_are_still_typed(workspace: Workspace, asking: Searcher) -> None:
    workspace.write("memory/2026-02-02.md", "- Sam 周一报告了登录页面的错误\n")
    workspace.write("memory/2026-02-03.md", "- 先週の会議で請求書を承認した\n")
    workspace.write("memory/2026-02-04.md", "- deployed the website\n")
    assert paths(asking.ask("登录错误", TODAY))[0] == "memory/2026-02-02.md"
    assert asking.ask("登录页面", TODAY).results[0].terms == ("登录页面",)
    assert paths(asking.ask("請求書", TODAY, Wanted(keyword=True)))[0] == "memory/2026-02-03.md"
    assert paths(asking.ask("websi", TODAY, Wanted(keyword=True))) == []
    assert paths(asking.ask("websi", TODAY, Wanted(keyword=True, unfinished=True))) == ["memory/2026-02-04.md"]


def test_what_cannot_be_searched_is_said(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("- zebrafish\n")
    (workspace.root / "memory").mkdir()
    (workspace.root / "memory/link.md").symlink_to(tmp_path / "outside.md")
    with contextlib.suppress(OSError):  # a file system that takes UTF-8 alone
        (workspace.root / os.fsdecode(b"memory/caf\xe9.md")).write_text("- zebrafish\n")
    os.mkfifo(workspace.root / "memory/pipe.md")
    answer = ask(workspace, "zebrafish", keyword=True)
    assert answer.results == ()
    assert "memory/link.md leads out of the workspace, so it is not searched" in answer.notices


@given(
    st.text(max_size=60) | st.text(alphabet=st.sampled_from("\"'*-^:(){}[]ANDORT \0\udce9登á²_"), max_size=30),
    st.booleans(),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_asked_there_is_an_answer_and_the_index_stays(
    workspace: Workspace, asking: Searcher, question: str, unfinished: bool
) -> None:
    if not (workspace.root / "memory").exists():
        logs(workspace, 3)
        asking.ask("quokka", TODAY)
    answer = asking.ask(question, TODAY, Wanted(unfinished=unfinished))
    assert answer.notices == ()
    assert current(workspace).name == "index-1.db"


# Secrets


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_secret_is_masked_in_every_part_of_an_answer_and_in_no_byte_of_the_index(workspace: Workspace) -> None:
    workspace.write("memory/2026-02-02.md", f"## The token {TOKEN}\n\n- token of the robot: {TOKEN}\n")
    note = f"no: take this one\\n{TOKEN}"
    workspace.write(
        ".dory/ledger/robot/1-001-rejected.json",
        f'{{"id": "robot", "event": "rejected", "when": "2026-02-03T10:00:00Z", "data": {{"note": "{note}"}}}}',
    )
    answer = ask(workspace, f"robot token {TOKEN[4:]}", unfinished=True)
    assert {one.path for one in answer.results if "robot" in one.terms} == {
        "memory/2026-02-02.md", ".dory/ledger/robot/1-001-rejected.json",
    }  # fmt: skip
    assert TOKEN[4:] not in str(answer.results)
    held = b"".join(file.read_bytes() for file in current(workspace).parent.iterdir() if file.is_file())
    assert b"take this one" in held
    assert TOKEN[4:12].encode().lower() not in held.lower()


def test_an_index_that_was_made_before_secrets_were_masked_does_not_answer(workspace: Workspace) -> None:
    logs(workspace, 2)
    ask(workspace, "quokka")
    change(workspace, f"UPDATE chunks SET body = 'the quokka has {TOKEN}'")
    change(workspace, "PRAGMA user_version = 1")
    answer = ask(workspace, "quokka")
    assert "made anew" in " ".join(answer.notices)
    assert (len(answer.results), TOKEN in str(answer.results)) == (2, False)


# Other processes, and those that died


def indexer(workspace: Workspace, what: str) -> subprocess.Popen[bytes]:
    env = {**workspace.env, "PYTHONPATH": str(CLONE)}
    return subprocess.Popen(
        [sys.executable, str(INDEXER), str(workspace.root), what],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


def let_go(process: subprocess.Popen[bytes]) -> None:
    process.communicate(b" " * 1000)
    assert process.returncode == 0


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_while_another_process_makes_the_index_there_is_an_answer_from_what_it_has(workspace: Workspace) -> None:
    logs(workspace, 150)
    other = indexer(workspace, "build")
    assert line(other) == b"100 of 153\n"
    answer = ask(workspace, "quokka", limit=200)
    days = [one.day for one in answer.results if one.day]
    assert (90 < len(days) <= 100, (TODAY - min(days)).days < 100) == (True, True), "the newest are there first"
    assert any("index: 53 files are not in this answer yet" in notice for notice in answer.notices)
    let_go(other)
    again = ask(workspace, "quokka", limit=200)
    assert (len(again.results), again.notices) == (150, ())


def test_a_killed_first_build_is_gone_on_with(workspace: Workspace) -> None:
    logs(workspace, 150)
    other = indexer(workspace, "build")
    line(other)
    kill(other)
    answer = ask(workspace, "quokka", limit=200)
    assert (len(answer.results), answer.notices) == (150, ())
    assert check(workspace).findings == ()


def check(workspace: Workspace) -> Report:
    with Searcher(workspace.root, workspace.env) as searcher:
        return searcher.check()


def rebuild(workspace: Workspace) -> None:
    with Searcher(workspace.root, workspace.env) as searcher:
        searcher.build(anew=True)


def test_a_killed_rebuild_leaves_the_old_index_answering(workspace: Workspace) -> None:
    logs(workspace, 150)
    assert len(ask(workspace, "quokka", limit=200).results) == 150
    before = current(workspace)
    other = indexer(workspace, "rebuild")
    line(other)
    assert (before.parent / places.BUILDING).exists()
    asked = ask(workspace, "quokka", limit=200)
    assert (len(asked.results), asked.mode) == (150, "hybrid"), "the old one answers meanwhile"
    kill(other)
    assert current(workspace) == before
    assert len(ask(workspace, "quokka", limit=200).results) == 150
    rebuild(workspace)
    assert current(workspace) != before
    assert [file.name for file in sorted(before.parent.glob("*.db*"))] == [current(workspace).name]


def test_who_has_the_old_index_open_goes_over_to_the_new_one(workspace: Workspace, asking: Searcher) -> None:
    logs(workspace, 3)
    asking.ask("quokka", TODAY)
    rebuild(workspace)
    workspace.write("memory/2026-01-01.md", "- a wombat\n")
    assert paths(asking.ask("wombat", TODAY))[0] == "memory/2026-01-01.md"
    assert asking.check().findings == ()


def test_the_lock_of_a_dead_process_is_taken_over(workspace: Workspace) -> None:
    logs(workspace, 2)
    holder = indexer(workspace, "lock")
    assert line(holder) == b"1 of 1\n"
    place = places.place(workspace.root, workspace.env)
    with place.writing(0) as got:
        assert not got
    assert place.writer() == holder.pid
    kill(holder)
    answer = ask(workspace, "quokka")
    assert (len(answer.results), answer.notices) == (2, ())


def test_two_processes_that_index_at_once_leave_one_whole_index(workspace: Workspace) -> None:
    logs(workspace, 60)
    both = [indexer(workspace, "build"), indexer(workspace, "build")]
    for process in both:
        assert process.stdin is not None
        process.stdin.write(b" " * 1000)
        process.stdin.flush()
    for process in both:
        let_go(process)
    report = check(workspace)
    assert (report.findings, report.files) == ((), 63)


# Indexes that are not ours


def change(workspace: Workspace, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(current(workspace), isolation_level=None)) as index:
        index.execute(statement)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE vectors_meta SET value = 'another model' WHERE key = 'identity'",
     "UPDATE meta SET value = 'another chunker' WHERE key = 'chunker'"],
)  # fmt: skip
def test_the_index_of_another_model_or_chunker_answers_by_keyword_says_so_and_is_made_anew(
    workspace: Workspace, asking: Searcher, statement: str
) -> None:
    logs(workspace, 3)
    asking.ask("quokka", TODAY)
    change(workspace, statement)
    workspace.write("memory/2026-01-01.md", "- a new quokka\n")
    answer = asking.ask("quokka", TODAY)
    assert (answer.mode, answer.stale, len(answer.results)) == ("keyword", True, 4)
    assert "another version of dory made the index" in " ".join(answer.notices)
    assert "makes it anew" in " ".join(asking.check().findings)
    before = current(workspace)
    asking.rebuild()
    assert current(workspace) != before
    answer = asking.ask("quokka", TODAY)
    assert (answer.mode, answer.stale, answer.notices, len(answer.results)) == ("hybrid", False, (), 4)
    after = current(workspace)
    asking.rebuild()
    assert current(workspace) == after, "it is ours now"


def test_vectors_that_nobody_made_yet_are_made_from_what_the_index_has(workspace: Workspace) -> None:
    logs(workspace, 3)
    assert ask(workspace, "quokka", keyword=True).mode == "keyword"
    assert rows(current(workspace), "vectors") == 0
    answer = ask(workspace, "quokka")
    assert (answer.mode, rows(current(workspace), "vectors")) == ("hybrid", rows(current(workspace), "chunks"))
    with contextlib.closing(sqlite3.connect(current(workspace))) as index:
        assert index.execute("SELECT value FROM vectors_meta").fetchall() == [(IDENTITY,)]


def garbage(file: Path) -> None:
    file.write_bytes(b"this is no database" * 1000)


def torn(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:8192] + b"\xff" * (file.stat().st_size - 8192))


def empty(file: Path) -> None:
    file.write_bytes(b"")


def foreign(file: Path) -> None:
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE meta (key, value)")
        other.commit()


def without_words(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as index:
        index.execute("DROP TABLE words")


@pytest.mark.parametrize("damage", [garbage, torn, empty, foreign, without_words])
def test_a_damaged_index_is_made_anew_and_that_is_said(workspace: Workspace, damage: Callable[[Path], None]) -> None:
    logs(workspace, 3)
    ask(workspace, "quokka")
    damage(current(workspace))
    assert check(workspace).findings
    answer = ask(workspace, "quokka")
    assert len(answer.results) == 3
    assert "made anew" in " ".join(answer.notices)
    again = ask(workspace, "quokka")
    assert (again.notices, again.mode) == ((), "hybrid")
    assert check(workspace).findings == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET day = 'soon'", "UPDATE chunks SET day = 99999999999", "UPDATE chunks SET line_start = -4",
        "UPDATE chunks SET body = x'00ff', prefix = 7", "UPDATE chunks SET heading = x'ff'",
        "UPDATE files SET path = CAST(path AS BLOB)", "UPDATE files SET size = 'large', read = 'never'",
        "UPDATE vectors SET day = 'soon'", "UPDATE vectors SET vector = 'text'", "DROP TABLE vectors",
        "UPDATE vectors SET vector = x'00000000'", "UPDATE files SET path = 'a' || char(0) || id",
        "UPDATE chunks SET body = CAST(x'ffff' AS TEXT)", "UPDATE files SET path = CAST(x'ff' AS TEXT) || id",
    ],
)  # fmt: skip
def test_values_that_somebody_changed_in_the_index_end_no_search(workspace: Workspace, statement: str) -> None:
    logs(workspace, 3)
    ask(workspace, "quokka")
    change(workspace, statement)
    check(workspace)
    for wanted in ({"recent": True}, {}):
        answer = ask(workspace, "quokka yesterday", **wanted)
        assert sum("quokka" in one.text for one in answer.results) == 3
        assert {type(value) for one in answer.results for value in (one.text, one.path, one.heading)} == {str}


@pytest.mark.long
def test_damage_in_the_middle_of_the_file_is_found_or_does_no_harm(workspace: Workspace) -> None:
    logs(workspace, 40)
    ask(workspace, "quokka")
    whole = current(workspace).read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    pages = len(whole) // size
    assert pages > 30
    said, file = 0, current(workspace)
    for page in range(1, pages):
        for junk in (b"\xff" * size, bytes(size)):
            for old in file.parent.glob("index-*"):
                old.unlink()
            file.write_bytes(whole[: page * size] + junk + whole[(page + 1) * size :])
            found = check(workspace).findings
            answer = ask(workspace, "quokka", limit=60)
            said += bool(found)
            assert found or sum("quokka" in one.text for one in answer.results) == 40, page
    assert said > pages / 2


@pytest.mark.long
def test_an_index_that_cannot_be_looked_at_is_not_called_damaged(workspace: Workspace) -> None:
    logs(workspace, 2)
    ask(workspace, "quokka")
    with contextlib.closing(sqlite3.connect(current(workspace), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        (finding,) = check(workspace).findings
    assert finding == "the index could not be looked at (database is locked): try again"
    assert check(workspace).findings == ()


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_link(file: Path) -> None:
    (file.parent / "elsewhere").write_text("mine")
    file.symlink_to("elsewhere")


@pytest.mark.parametrize("name", ["index-7.db", "index-1.db-wal"])
@pytest.mark.parametrize("what", [a_pipe, a_link, Path.mkdir])
def test_what_is_no_file_in_the_place_of_the_index_is_not_waited_for(
    workspace: Workspace, name: str, what: Callable[[Path], None]
) -> None:
    logs(workspace, 2)
    ask(workspace, "quokka")
    what(current(workspace).with_name(name))
    asked = "import sys; from pathlib import Path; from dory_tui.search.answers import *"
    asked += "; print(Searcher(Path(sys.argv[1]), {'HOME': sys.argv[1]}).ask('quokka', date(2026, 2, 5)).notices)"
    line = [sys.executable, "-c", asked, str(workspace.root)]
    env = {**workspace.env, "PYTHONPATH": str(CLONE)}
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert f"{name} is no file), so it was made anew" in done.stdout
    assert ask(workspace, "quokka").notices == ()


@pytest.mark.parametrize("what", [a_pipe, a_link, Path.mkdir])
def test_a_lock_that_cannot_be_used_is_a_sentence(workspace: Workspace, what: Callable[[Path], None]) -> None:
    logs(workspace, 2)
    place = places.place(workspace.root, workspace.env)
    place.make()
    what(place.folder / places.LOCK)
    with pytest.raises(SearchError, match=r"/lock cannot be written \("):
        ask(workspace, "quokka")
    (place.folder / places.LOCK).rmdir() if what == Path.mkdir else (place.folder / places.LOCK).unlink()
    ask(workspace, "quokka")
    workspace.write("memory/2026-01-01.md", "- another quokka\n")
    (place.folder / places.LOCK).unlink()
    (place.folder / "elsewhere").unlink(missing_ok=True)
    what(place.folder / places.LOCK)
    answer = ask(workspace, "quokka")
    assert len(answer.results) == 2
    assert "/lock cannot be written" in " ".join(answer.notices)
    if what is a_link:
        assert (place.folder / "elsewhere").read_text() == "mine"


def test_a_question_that_is_a_page_is_cut_and_that_is_said(workspace: Workspace, asking: Searcher) -> None:
    logs(workspace, 2)
    answer = asking.ask("quokka " + "2026-02-04 " * 400 + " zebrafish" * 20_000, TODAY)
    assert answer.notices == ("of the question only the first 4,000 characters are asked",)
    assert len(answer.question) == 4000
    assert len([one for one in answer.results if "quokka" in one.terms]) == 2
    assert asking.ask("q" * 4000, TODAY).notices == ()


# Where it lies


def test_who_only_looks_writes_nothing(workspace: Workspace) -> None:
    before = sorted(workspace.root.rglob("*"))
    assert check(workspace).findings == ("there is no index yet: `dory index` makes one",)
    assert sorted(workspace.root.rglob("*")) == before
    assert not (Path(workspace.env["HOME"]) / ".cache").exists()


def test_a_text_with_a_bad_byte_is_found_and_made_anew(workspace: Workspace) -> None:
    logs(workspace, 3)
    ask(workspace, "quokka")
    file = current(workspace)
    change(workspace, "PRAGMA wal_checkpoint(TRUNCATE)")
    file.write_bytes(file.read_bytes().replace(b"quokka", b"quo\xff\xfea"))
    assert check(workspace).findings
    assert len(ask(workspace, "was seen").results) == 3


def test_a_file_with_a_number_that_nobody_counted_to_is_no_index(workspace: Workspace) -> None:
    logs(workspace, 2)
    ask(workspace, "quokka")
    foreign = workspace.root / ".dory/search/index-999999999.db"
    foreign.write_bytes(b"")
    assert len(ask(workspace, "quokka").results) == 2
    rebuild(workspace)
    assert not foreign.exists()


def test_a_workspace_that_was_moved_away_is_not_made_anew(workspace: Workspace, asking: Searcher) -> None:
    logs(workspace, 2)
    asking.ask("quokka", TODAY)
    workspace.root.rename(workspace.root.with_name("elsewhere"))
    with pytest.raises(SearchError, match="is not there any more"):
        asking.ask("quokka", TODAY)
    assert not workspace.root.exists()


def test_a_folder_that_goes_while_the_index_is_open_is_made_again(workspace: Workspace, asking: Searcher) -> None:
    logs(workspace, 2)
    asking.ask("quokka", TODAY)
    shutil.rmtree(workspace.root / ".dory")
    answer = asking.ask("quokka", TODAY)
    assert (len(answer.results), answer.mode) == (2, "hybrid")
    assert (workspace.root / ".dory/search/.gitignore").read_text() == "*\n"


def test_the_index_lies_in_the_workspace_and_git_does_not_see_it(make_workspace: Callable[..., Workspace]) -> None:
    workspace = make_workspace(git=True)
    ask(workspace, "anything")
    assert current(workspace).is_relative_to(workspace.root / ".dory/search")
    assert workspace.git("status", "--porcelain") == ""
    assert current(workspace).parent.stat().st_mode & 0o777 == 0o700, "it holds what the files hold"


def test_where_the_workspace_may_not_be_written_it_lies_in_the_cache_or_is_made_for_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    logs(workspace, 2)
    (workspace.root / ".dory").write_text("in the way")
    assert len(ask(workspace, "quokka").results) == 2
    cached = places.place(workspace.root, workspace.env)
    assert cached.folder.is_relative_to(Path(workspace.env["HOME"]) / ".cache/dory/search")
    assert cached.current() is not None
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    workspace.env["XDG_CACHE_HOME"] = str(workspace.root / ".dory")
    answer = ask(workspace, "quokka")
    assert len(answer.results) == 2
    assert "made for this once" in " ".join(answer.notices)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_folder_of_another_user_is_not_used(workspace: Workspace) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder = workspace.root / places.FOLDER
    folder.mkdir(parents=True)
    os.chown(folder, 65534, 65534)
    assert places.place(workspace.root, workspace.env).folder != folder


def test_a_full_disk_is_a_sentence_and_an_index_that_is_there_goes_on_answering(
    make_workspace: Callable[..., Workspace], small_disk: Path
) -> None:
    workspace = make_workspace(folder=small_disk)
    logs(workspace, 2)
    assert len(ask(workspace, "quokka").results) == 2
    workspace.write("memory/2026-01-01.md", "- another quokka\n")
    fill(small_disk)
    answer = ask(workspace, "quokka")
    assert len(answer.results) == 2
    assert "the answer is from what it had" in " ".join(answer.notices)


def test_who_waits_for_a_lock_too_long_is_told(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dory_tui.search.opening.PATIENT", 0.0)
    place = places.place(workspace.root, workspace.env)
    place.make()
    with place.writing(0), pytest.raises(SearchError, match=f"process {os.getpid()} is writing the index"):
        ask(workspace, "quokka")


def test_the_lock_of_an_index_that_is_not_there_yet_is_waited_for_once(workspace: Workspace) -> None:
    place = places.place(workspace.root, workspace.env)
    place.make()
    looks: list[None] = []

    def stopped() -> bool:
        looks.append(None)
        return True

    with place.writing(0), Searcher(workspace.root, workspace.env, stopped=stopped) as searcher:
        with pytest.raises(SearchError, match="is writing the index"):
            searcher.ask("quokka", TODAY)
        assert len(looks) == 2, "by who waits for the lock, and by who tries again"


def test_who_is_stopped_waits_for_nobody_and_reads_no_further(workspace: Workspace) -> None:
    logs(workspace, 150)
    read: list[int] = []
    with Searcher(workspace.root, workspace.env, stopped=lambda: bool(read)) as searcher:
        answer = searcher.ask("quokka", TODAY, progress=lambda done, _: read.append(done))
        assert (read, len(answer.results)) == ([100], 10), "the second hundred was not read"
        assert "it was stopped" in " ".join(answer.notices)
        with places.place(workspace.root, workspace.env).writing(0):
            begun = time.monotonic()
            with pytest.raises(SearchError, match="is writing the index"):
                searcher.build(anew=True)
            assert time.monotonic() - begun < PATIENCE / 2


def test_a_listing_that_is_older_than_the_change_does_not_hide_it(
    workspace: Workspace, asking: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changes between the look at its time and its reading is looked at again."""
    file = workspace.write("memory/2026-02-03.md", "- the first word\n")
    look = files.listing

    def slow(root: Path) -> files.Listing:
        found = look(root)
        file.write_text("- the second word, and more\n")
        return found

    monkeypatch.setattr(files, "listing", slow)
    asking.ask("word", TODAY)
    monkeypatch.undo()
    file.write_text("- the third word, and more!\n")
    assert asking.ask("word", TODAY).results[0].text == "- the third word, and more!"


class Elsewhere:
    """A store of another place, as far as the index knows, that can be out of reach."""

    def __init__(self) -> None:
        self.inner = numpy_store()
        self.reached, self.away = 0, False

    def __getattr__(self, name: str) -> Any:
        if name == "close":
            return lambda: None  # it stays open for the next searcher
        self.reached += 1
        if self.away:
            raise StoreError("the store does not answer")
        return getattr(self.inner, name)


def test_a_store_that_is_elsewhere_gets_later_what_it_missed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Elsewhere()
    logs(workspace, 4)

    def ask_it(*, keyword: bool = False) -> Answer:
        remote = Remote(cast("Store", store), "elsewhere")
        with Searcher(workspace.root, workspace.env, remote=remote) as searcher:
            return searcher.ask("quokka", TODAY, Wanted(keyword=keyword))

    assert (ask_it(keyword=True).mode, store.reached) == ("keyword", 0), "a search by keyword does not go there"
    assert (ask_it().mode, store.inner.count()) == ("hybrid", 7)
    store.away = True
    (workspace.root / "memory/2026-02-05.md").unlink()
    workspace.write("memory/2026-01-01.md", "- another quokka\n- and its young\n")
    answer = ask_it()
    assert (answer.mode, len(answer.results)) == ("keyword", 4)
    assert any("does not answer" in notice for notice in answer.notices)
    store.away = False
    assert (ask_it().notices, store.inner.count()) == ((), 7)
    for file in workspace.root.rglob("*.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    monkeypatch.setattr("dory_tui.search.index._SETTLED", -(10**12))  # nothing of it is read again
    assert store.inner._run("SELECT count(*) FROM vectors WHERE path = 'memory/2026-02-05.md'") == [(0,)]
    ask_it()
    store.inner.clear()
    assert (ask_it().mode, store.inner.count()) == ("hybrid", 7), "one that was emptied is filled again"
