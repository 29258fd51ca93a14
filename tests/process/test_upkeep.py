"""What is due, said and seen to: promises, lost lines, old logs, stale holds, drafts that end, lint, conflicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from dory_tui.gate.action import YES_HOLDS
from dory_tui.gate.rules import Exit
from dory_tui.review.change import DecisionError
from dory_tui.review.conflicts import conflicts
from dory_tui.review.desk import load
from dory_tui.review.linting import lint
from dory_tui.review.show import status
from dory_tui.review.upkeep import Duty, due
from dory_tui.tui.widgets.pages import decision_page
from tests.conftest import Workspace
from tests.process.terminal import Terminal

NOW = datetime(2026, 3, 5, 10, 0, tzinfo=timezone(timedelta(hours=1)))
LOG = "# 2026-03-04\n\n## Facts\n\n- tea\n- cups\n"
NOBODY = 65534
KEY = "hunter2-and-more"


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace(git=True)
    made.clock.now = NOW
    made.write("dory.toml", 'time_zone = "Europe/Vienna"\n')
    return made


def found(made: Workspace) -> dict[str, Duty]:
    return {one.kind: one for one in due(load(made.gate()))}


def commit(made: Workspace, when: datetime) -> None:
    made.env |= {"GIT_AUTHOR_DATE": when.isoformat(), "GIT_COMMITTER_DATE": when.isoformat()}
    made.git("add", "--all")
    made.git("commit", "--quiet", "--allow-empty", "--message", "x")
    del made.env["GIT_AUTHOR_DATE"], made.env["GIT_COMMITTER_DATE"]


def dory(made: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dory_tui", "-C", str(made.root), *words]
    return subprocess.run(line, env=made.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_nothing_is_due_in_a_fresh_workspace(desk: Workspace) -> None:
    assert found(desk) == {}
    desk.live()
    assert dory(desk, "upkeep").stdout == "nothing is due\n"
    assert json.loads(dory(desk, "upkeep", "--json").stdout) == []


def test_each_thing_that_is_due_is_named_with_what_sees_to_it(desk: Workspace) -> None:
    desk.write("memory/2026-03-04.md", LOG + "\n## Promises\n\n- [ ] 09:00 write to Bo\n")
    desk.write("memory/2026-02-20.md", "# 2026-02-20\n\n- old\n")
    desk.hold("[2026-02-01 09:00 | ana] Newsletter — later", "[2026-02-01 09:00 | ana] Site — until: 2026-04-01")
    desk.draft("post", schedule={"not_before": "2026-03-05T12:00:00+01:00", "expires": "2026-03-06T09:00:00+01:00"})
    desk.draft("later", schedule={"not_before": "2026-03-05T12:00:00+01:00", "expires": "2026-03-07T09:00:00+01:00"})
    desk.write(
        "memory/promotions/x.md",
        '---\nid: x\nsection: "## People"\nsource: x\nscores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\n'
        "replaces: null\nstatus: pending\n---\n- Ana\n",
    )
    commit(desk, NOW - timedelta(days=2))
    desk.write("memory/2026-03-04.md", "# 2026-03-04\n\n## Promises\n\n- [ ] 09:00 write to Bo\n")
    desk.write("MEMORY.md", f"# M\n\n- password: {KEY}\n")
    duties = found(desk)
    assert list(duties) == ["shrunken", "drafts", "promises", "days", "holds", "lint", "archive", "memories"]
    assert [(one.count, one.sentence) for one in duties.values()] == [
        (1, "1 log lost lines"), (1, "1 draft ends within 24 hours"), (1, "1 promise is open"),
        (1, "1 day has commits and no log"), (1, "1 hold is stale"), (1, "lint finds 1 thing to see to"),
        (1, "1 log can go to the archive"), (1, "1 memory waits for your verdict"),
    ]  # fmt: skip
    assert duties["drafts"].items == ("post (waits) ends tomorrow 09:00, in 23 h",)
    assert duties["promises"].items == ("write to Bo (1 d, memory/2026-03-04.md line 5)",)
    assert duties["days"].items == ("2026-03-03: 1 commit and no log",)
    assert duties["holds"].items[0].startswith("[2026-02-01 09:00 | ana] Newsletter — later — it is 32 days old")
    assert duties["archive"].items == ("memory/2026-02-20.md → memory/archive/2026-02-20.md",)
    assert all(KEY not in item for duty in duties.values() for item in duty.items)


def test_a_yes_that_ends_soon_is_named(desk: Workspace) -> None:
    desk.runs("post", schedule={"not_before": "2026-03-05T12:00:00+01:00", "expires": "2026-03-08T09:00:00+01:00"})
    desk.approve("post")
    assert "drafts" not in found(desk)
    desk.clock.now = datetime(2026, 3, 7, 10, 0, tzinfo=NOW.tzinfo)
    assert found(desk)["drafts"].items == ("post (missed) ends tomorrow 09:00, in 23 h",)
    desk.clock.now = NOW
    desk.runs("mail")
    desk.approve("mail")
    assert "drafts" not in found(desk)
    desk.clock.now = NOW + YES_HOLDS - timedelta(hours=2)
    assert found(desk)["drafts"].items == ("mail (approved) ends 10:00, in 2 h",)
    desk.clock.forward(hours=3)
    assert "drafts" not in found(desk)


def test_what_cannot_be_read_is_due_too(desk: Workspace) -> None:
    (desk.root / "memory").mkdir()
    (desk.root / "memory/2026-02-01.md").symlink_to("2026-02-01.md")
    desk.write("memory/2026-02-02.md", "x\n")
    (desk.root / "state/DECISIONS.md").unlink()
    (desk.root / "state/DECISIONS.md").mkdir()
    duty = found(desk)["unread"]
    assert "state/DECISIONS.md is a folder" in duty.sentence


def test_conflicts_are_said_in_the_order_of_precedence(desk: Workspace) -> None:
    desk.write("state/ACTIVE.md", '# A\n\n## Current Instruction\n\n**User said:** "Send the newsletters by mail"\n')
    desk.hold("[2026-03-01 09:00 | ana] Newsletter mail — later", "[2026-03-01 09:00 | ana] Site mail server move — x")
    (said,) = conflicts(load(desk.gate()))
    assert said == (
        "ACTIVE asks for what HOLD blocks: “Newsletter mail” (state/HOLD.md line 5) comes before"
        " “Send the newsletters by mail” (state/ACTIVE.md line 5)"
    )
    assert f"CONFLICTS\n  {said}" in status(load(desk.gate()))
    desk.write("state/ACTIVE.md", "# A\n\n## Current Instruction\n\n[none]\n")
    assert conflicts(load(desk.gate())) == ()
    assert "CONFLICTS" not in status(load(desk.gate()))


def test_a_decision_that_a_later_one_contradicts_says_so(desk: Workspace) -> None:
    earlier, later = "[2026-03-01 09:00 | agent] Post daily — reach", "[2026-03-02 09:00 | agent] Do not post daily — x"
    desk.write("state/DECISIONS.md", f"# DECISIONS\n\n## Recent\n\n{later}\n{earlier}\n")
    read = load(desk.gate())
    said = (
        "DECISIONS contradicts itself: “Do not post daily” (state/DECISIONS.md line 5) is the later one and comes"
        " before “Post daily” (state/DECISIONS.md line 6)"
    )
    assert f"CONFLICTS\n  {said}" in status(read)
    told = [[fact.text for fact in decision_page(one, read).facts if fact.tone == "held"] for one in read.decisions]
    where = "“Do not post daily” (state/DECISIONS.md line 5)"
    assert told == [[], [f"a later decision says the contrary and comes first: {where}"]]


def test_a_passage_that_holds_everything_is_no_conflict_of_the_task(desk: Workspace) -> None:
    desk.write("state/ACTIVE.md", '# A\n\n## Current Instruction\n\n**User said:** "Nothing in it has a form"\n')
    desk.hold("Nothing in it has the form of an entry.")
    assert conflicts(load(desk.gate())) == ()


def test_lint_looks_at_all_that_agents_write(desk: Workspace) -> None:
    long = f"- {'word ' * 120}\n"
    for path in ("memory/2026-03-04.md", "memory/archive/2026-01-01.md", "state/ACTIVE.md", "state/drafts/x.md"):
        desk.write(path, f"# T\n\n{long}- password: {KEY}\n")
    found = [(one.path, one.line, one.kind) for one in lint(desk.gate())]
    assert found == [
        ("state/ACTIVE.md", 4, "secret"), ("state/drafts/x.md", 4, "secret"), ("memory/2026-03-04.md", 3, "long-entry"),
        ("memory/2026-03-04.md", 4, "secret"), ("memory/archive/2026-01-01.md", 4, "secret"),
    ]  # fmt: skip
    assert [one.path for one in lint(desk.gate(), ["state/drafts"])] == ["state/drafts/x.md"]
    assert [one.path for one in lint(desk.gate(), ["state/ACTIVE.md", "state"])] == [
        "state/ACTIVE.md", "state/drafts/x.md",
    ]  # fmt: skip
    for path in ("nowhere.md", "../x"):
        with pytest.raises(DecisionError) as refused:
            lint(desk.gate(), [path])
        assert refused.value.code == Exit.USAGE


def test_a_memory_that_only_grows_is_found(desk: Workspace) -> None:
    for days, lines in ((40, 1), (20, 2), (1, 3)):
        desk.write("MEMORY.md", "# M\n\n" + "".join(f"- line {n}\n" for n in range(lines)))
        commit(desk, NOW - timedelta(days=days))
    (one,) = lint(desk.gate())
    assert (one.kind, one.sentence) == ("growing", "it grew by 18 bytes in 30 days and never shrank")
    desk.write("MEMORY.md", "# M\n\n- line 1\n- other line\n")
    commit(desk, NOW)
    assert lint(desk.gate()) == ()


def test_a_file_that_cannot_be_read_is_found(desk: Workspace) -> None:
    desk.write("memory/2026-03-04.md", f"- password: {KEY}\n").chmod(0)
    lint(desk.gate(), ["state"])  # so that all is imported that another user may not read
    for folder in desk.root.parents:
        if folder.name.startswith(("pytest", "test", "popen")):
            folder.chmod(0o755)
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            if os.geteuid() == 0:  # whom no file is closed to
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            os.write(writer, "\n".join(str(one) for one in lint(desk.gate(), ["memory"])).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    assert said == (
        "memory/2026-03-04.md line 1: it cannot be read (Permission denied); nothing was looked for in it: make it"
        " readable"
    )


def test_lint_says_with_its_code_that_something_was_found(desk: Workspace) -> None:
    desk.live()
    assert dory(desk, "lint").returncode == 0
    desk.write("MEMORY.md", f"# M\n\n- password: {KEY}\n")
    shown = dory(desk, "lint", "--json")
    assert shown.returncode == 3
    (one,) = json.loads(shown.stdout)
    assert (one["path"], one["line"], one["kind"]) == ("MEMORY.md", 3, "secret")
    assert KEY not in shown.stdout
    assert "Exit code 0: nothing was found; 3" in " ".join(dory(desk, "lint", "--help").stdout.split())


def test_without_a_terminal_archiving_only_lists(desk: Workspace) -> None:
    desk.write("memory/2020-02-20.md", "# 2020-02-20\n\n- old\n")
    shown = dory(desk, "archive")
    assert (shown.returncode, shown.stderr) == (
        Exit.REFUSED, "without a terminal, `dory archive --yes` moves them: nothing was moved\n",
    )  # fmt: skip
    assert "memory/2020-02-20.md → memory/archive/2020-02-20.md\n1 log\n" in shown.stdout
    assert json.loads(dory(desk, "archive", "--json").stdout)["moves"] == {
        "memory/2020-02-20.md": "memory/archive/2020-02-20.md"
    }
    assert (desk.root / "memory/2020-02-20.md").exists()
    dry = dory(desk, "archive", "--dry-run", "--yes", "--json")
    assert (dry.returncode, len(json.loads(dry.stdout)["moves"])) == (0, 1)
    assert dory(desk, "archive", "--dry-run", "--yes").returncode == 0
    assert (desk.root / "memory/2020-02-20.md").exists()
    assert "archived: 1 log · commit" in dory(desk, "archive", "--yes").stdout
    assert not (desk.root / "memory/2020-02-20.md").exists()
    assert dory(desk, "archive", "--yes").stdout == "nothing is old enough\n"
    assert dory(desk, "archive").returncode == 0
    assert json.loads(dory(desk, "archive", "--yes", "--json").stdout) == {
        "sentence": "nothing is old enough", "commit": None, "problems": [],
    }  # fmt: skip


@pytest.mark.gate
def test_a_no_to_archiving_is_told_by_the_code(desk: Workspace) -> None:
    desk.live().write("memory/2020-02-20.md", "# 2020-02-20\n\n- old\n")
    terminal = Terminal.dory(desk.root, {**desk.env, "TERM": "xterm"}, "archive")
    try:
        terminal.see("Move them? y, n or q, and Enter:")
        terminal.type("n\n")
        terminal.see("nothing was moved")
        assert terminal.end() == Exit.REFUSED
    finally:
        terminal.close()
    assert (desk.root / "memory/2020-02-20.md").exists()


@pytest.mark.gate
def test_at_a_terminal_each_thing_is_asked_about(desk: Workspace) -> None:
    today = desk.live().clock.now
    day = today.date()
    desk.write(f"memory/{day}.md", f"# {day}\n\n- tea\n\n## Promises\n\n- [ ] 09:00 write to Bo\n- [ ] 09:10 call\n")
    desk.write("memory/2020-02-20.md", "# 2020-02-20\n\n- old\n")
    commit(desk, today)
    desk.write(f"memory/{day}.md", f"# {day}\n\n## Promises\n\n- [ ] 09:00 write to Bo\n- [ ] 09:10 call\n")
    terminal = Terminal.dory(desk.root, {**desk.env, "TERM": "xterm"}, "upkeep")
    try:
        for question, answer in (("Put back what it lost?", "y"), ("Was it kept?", "y"), ("Was it kept?", "n")):
            terminal.see(f"{question} y, n or q, and Enter:")
            before = terminal.text.count("and Enter:")
            terminal.type(f"{answer}\n")
            terminal.wait(lambda n=before: terminal.text.count("and Enter:") > n, "the next question")  # type: ignore[misc]
        terminal.see("Move them? y, n or q, and Enter:")
        terminal.type("q\n")
        terminal.see("the rest waits")
        assert terminal.end() == 0
    finally:
        terminal.close()
    text = (desk.root / f"memory/{day}.md").read_text()
    assert text == f"# {day}\n\n- tea\n\n## Promises\n\n- [x] 09:00 write to Bo\n- [ ] 09:10 call\n"
    assert (desk.root / "memory/2020-02-20.md").exists()
