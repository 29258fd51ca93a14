"""`dory memory review|promote|score`: what is listed, what is refused without a person, and walks at a terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from dory_tui.ledger.store import MEMORY_PREFIX
from tests.conftest import Workspace
from tests.process.terminal import Terminal

MEMORY = "# M\n\n## People\n\n- Ana sends invoices\n- Rent is due\n\n## Tea\n\n- Green\n- Rent is due\n"
BEST, LOW = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}", "{longevity: 1, reuse: 1, impact: 1, uniqueness: 1}"
VALUE = "hunter2-and-more"
QUESTION = "q quit; a letter, and Enter: "


def propose(
    made: Workspace, name: str, text: str, scores: str = BEST, section: str = "## People", replaces: str = "null"
) -> None:
    made.write(
        f"memory/promotions/{name}.md",
        f'---\nid: {name}\nsection: "{section}"\nsource: memory/2026-02-04.md#L3\nscores: {scores}\n'
        f"replaces: {replaces}\nstatus: pending\n---\n- {text}\n",
    )


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace(git=True).live()
    made.write("MEMORY.md", MEMORY)
    made.write("memory/2026-02-04.md", "# 2026-02-04\n\n- 09:10 Bo said so himself\n")
    propose(made, "bo", "Bo answers at night")
    return made


def dory(made: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dory_tui", "-C", str(made.root), "memory", *words]
    return subprocess.run(line, env=made.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@contextmanager
def at_terminal(made: Workspace, *words: str) -> Iterator[Terminal]:
    terminal = Terminal.dory(made.root, {**made.env, "TERM": "xterm"}, "memory", *words, size=(140, 300))
    try:
        yield terminal
    finally:
        terminal.close()


def asked(terminal: Terminal, question: str, reply: str) -> None:
    """Answer a question that stands at the end of what was printed, and see that something follows its echo."""
    terminal.wait(lambda: terminal.text.rstrip().endswith(question.rstrip()), question)
    before = len(terminal.raw)
    terminal.type(f"{reply}\n")
    terminal.wait(lambda: len(terminal.raw) > before + len(f"{reply}\r\n"), f"an answer to {reply}")


def code(terminal: Terminal) -> str:
    """The code that a yes asks for, once it is asked for at the end."""
    terminal.wait(lambda: terminal.text.rstrip().endswith("(anything else decides nothing):"), "a code")
    return str(re.findall(r"type (\w{4}) and Enter", terminal.text)[-1])


def read(made: Workspace) -> str:
    return (made.root / "MEMORY.md").read_text()


def last(made: Workspace, name: str) -> list[str]:
    return [item.event for item in made.gate().ledger.history(MEMORY_PREFIX + name)]


def test_without_a_terminal_it_lists_scores_and_promotes_nothing(desk: Workspace) -> None:
    propose(desk, "key", f"the password: {VALUE}", LOW)
    desk.write("memory/promotions/odd.md", "---\nid: odd\n---\n- x\n")
    listed = dory(desk, "review")
    assert listed.returncode == 2
    assert " 9  bo " in listed.stdout
    assert "needs a terminal" in listed.stderr
    found = {one["id"]: one for one in json.loads(dory(desk, "review", "--json").stdout)}
    assert [found["bo"][key] for key in ("total", "verdict", "section", "before_bytes", "after_bytes", "problem")] == [
        9, "promote", "## People", len(MEMORY), len(MEMORY) + len("- Bo answers at night\n"), None,
    ]  # fmt: skip
    assert found["key"]["reason"] == "4 is below 8"
    assert "memory/promotions/odd.md line 2" in found["odd"]["problem"]
    refused = dory(desk, "promote", "bo")
    assert refused.returncode == 3
    assert "+    7 - Bo answers at night" in refused.stdout
    assert "needs a terminal and a person" in refused.stderr
    insisted = dory(desk, "promote", "bo", "--yes")
    assert insisted.returncode == 2
    assert "promoting has no --yes" in insisted.stderr
    assert read(desk) == MEMORY
    assert last(desk, "bo") == []
    scored = dory(desk, "score", "key", "0,1,1,1")
    assert (scored.returncode, scored.stdout.partition(" ·")[0]) == (0, "key scores 3: stays out")
    for shown in (listed, refused, dory(desk, "review")):
        assert VALUE not in shown.stdout + shown.stderr


@pytest.mark.long
def test_each_refusal_has_its_reason_and_says_what_to_do(desk: Workspace) -> None:
    propose(desk, "low", "Lunch", LOW)
    propose(desk, "new", "Night", section="## Habits")
    propose(desk, "twice", "Rent is paid", replaces='"- Rent is due"')
    propose(desk, "over", "x" * 11_000)
    desk.write("memory/promotions/odd.md", "---\nid: odd\n---\n- x\n")
    for words, returncode, says in (
        (["promote"], 2, "name one candidate, or --all"),
        (["promote", "bo", "--all"], 2, "name one candidate, or --all"),
        (["promote", "nobody"], 2, "there is no candidate 'nobody'"),
        (["promote", "odd"], 2, "memory/promotions/odd.md line 2"),
        (["promote", "low"], 3, "4 is below 8; `dory memory score low L,R,I,U`"),
        (["promote", "new"], 3, "no section “## Habits”: with --create"),
        (["promote", "twice"], 3, "--replace-line N says which; that stands on 6, 11; 0 replaces nothing"),
        (["promote", "twice", "--replace-line", "5"], 2, "line 5 is not the one it replaces: that stands on 6, 11"),
        (["promote", "bo", "--replace-line", "5"], 2, "this one is clear"),
        (["promote", "over"], 3, "over the cap of 10,240: prune at least"),
        (["score", "bo", "1,2"], 2, "a score takes four numbers of 0 to 3"),
        (["score", "nobody", "1,1,1,1"], 2, "there is no candidate"),
    ):
        shown = dory(desk, *words)
        assert (shown.returncode, says in shown.stderr) == (returncode, True), (words, shown.stderr)
        assert "Traceback" not in shown.stderr
    assert read(desk) == MEMORY


@pytest.mark.gate
def test_a_walk_through_what_waits(desk: Workspace) -> None:
    propose(desk, "low", f"the password: {VALUE}", LOW)
    with at_terminal(desk, "review") as terminal:
        terminal.type("a\na\na\n")  # typed ahead
        terminal.see("1 of 2 · bo · Bo answers at night")
        asked(terminal, QUESTION, "")
        assert "type one of a, s, c, r, j, q" in terminal.text
        assert "learnt from memory/2026-02-04.md line 3: “09:10 Bo said so himself”" in terminal.text
        assert "longevity 3 (years), reuse 2 (frequent)" in terminal.text
        assert "9 points, promote: 9 is at least 8" in terminal.text
        assert "+    7 - Bo answers at night" in terminal.text
        asked(terminal, QUESTION, "a")
        assert len(code(terminal)) == 4
        asked(terminal, "(anything else decides nothing): ", "y")
        assert read(desk) == MEMORY, "y is no code"
        asked(terminal, QUESTION, "a")
        terminal.type(code(terminal) + "\n")
        terminal.see("bo is in MEMORY.md · commit")
        terminal.see("2 of 2 · low")
        asked(terminal, QUESTION, "a")
        assert "low does not earn its place: 4 is below 8" in terminal.text
        asked(terminal, QUESTION, "s")
        asked(terminal, "(nothing leaves them as they are): ", "3,0,0,3")
        terminal.see("6 points, promote: longevity is 3 and 6 is at least 6 (the agent gave 1,1,1,1)")
        asked(terminal, QUESTION, "c")
        asked(terminal, "(nothing sends nothing back): ", "say where it lies instead")
        terminal.see("that is all")
        assert terminal.end() == 0
        assert VALUE.encode() not in terminal.raw
        assert "line 1: a value for “password” stands here; reference where it lives".encode() in terminal.raw
    assert read(desk) == MEMORY.replace("due\n\n", "due\n- Bo answers at night\n\n")
    assert last(desk, "bo") == ["promoted"]
    assert last(desk, "low") == ["scored", "changes-requested"]
    assert 'note: "say where it lies instead"' in (desk.root / "memory/promotions/low.md").read_text()


@pytest.mark.gate
def test_what_changes_during_a_walk_is_shown_again(desk: Workspace) -> None:
    propose(desk, "tea", "Tea at four")
    with at_terminal(desk, "review") as terminal:
        terminal.see("1 of 2 · bo · Bo answers at night")
        propose(desk, "bo", "Bo answers at noon")
        asked(terminal, QUESTION, "a")
        assert code(terminal)
        terminal.type(code(terminal) + "\n")
        terminal.see("bo changed since you read it, so nothing was decided: read it again")
        terminal.see("1 of 2 · bo · Bo answers at noon")
        (desk.root / "memory/promotions/bo.md").unlink()
        asked(terminal, QUESTION, "r")
        asked(terminal, "it may stay empty:", "no")
        terminal.see("there is no candidate 'bo'")
        terminal.see("1 of 1 · tea · Tea at four")
        asked(terminal, QUESTION, "q")
        terminal.see("the rest waits")
    assert read(desk) == MEMORY


@pytest.mark.long
def test_leaving_a_walk_leaves_everything(desk: Workspace) -> None:
    propose(desk, "tea", "Tea at four")
    before = {file: file.read_bytes() for file in desk.root.rglob("*.md")}
    with at_terminal(desk, "review") as terminal:
        asked(terminal, QUESTION, "j")
        asked(terminal, QUESTION, "r")
        terminal.see("it may stay empty:")
        terminal.type("\x04")
        terminal.see("the rest waits")
        assert terminal.end() == 0
    assert {file: file.read_bytes() for file in desk.root.rglob("*.md")} == before


@pytest.mark.long
def test_what_it_replaces_and_where_it_goes_are_said_or_asked(desk: Workspace) -> None:
    propose(desk, "twice", "Rent is paid", replaces='"- Rent is due"')
    with at_terminal(desk, "promote", "twice") as terminal:
        asked(terminal, "A number, and Enter: ", "2")
        found = code(terminal)
        assert "1  replace line 6, under “People”" in terminal.text
        assert "-   11 - Rent is due" in terminal.text
        terminal.type(f"{found}\n")
        assert terminal.end() == 0
    now = MEMORY.replace("Green\n- Rent is due", "Green\n- Rent is paid")
    assert read(desk) == now
    propose(desk, "lost", "Bo is paid weekly", replaces='"- Bo is paid"', section="## Habits")
    with at_terminal(desk, "promote", "lost", "--create", "--replace-line", "0") as terminal:
        found = code(terminal)
        assert "To promote lost and add the section “## Habits”" in terminal.text
        terminal.type(f"{found}\n")
        assert terminal.end() == 0
    assert read(desk) == f"{now}\n## Habits\n\n- Bo is paid weekly\n"


@pytest.mark.long
def test_all_that_pass_are_listed_with_one_diff_and_one_code(desk: Workspace) -> None:
    propose(desk, "low", "Lunch", LOW)
    propose(desk, "new", "Night", section="## Habits")
    for reply, text in (
        ("n", MEMORY),
        ("", MEMORY.replace("due\n\n", "due\n- Bo answers at night\n\n") + "\n## Habits\n\n- Night\n"),
    ):
        with at_terminal(desk, "promote", "--all") as terminal:
            found = code(terminal)
            assert "1. bo  Bo answers at night  (into ## People)" in terminal.text
            assert "2. new  Night  (into a new section ## Habits)" in terminal.text
            assert "left out: low  Lunch  (it does not earn its place: 4 is below 8)" in terminal.text
            assert "+    7 - Bo answers at night" in terminal.text
            terminal.type(f"{reply or found}\n")
            assert terminal.end() == (3 if reply else 0)
        assert read(desk) == text
