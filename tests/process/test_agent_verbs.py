"""What an agent writes down: real processes, races, kills between two writes, and files as people leave them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dory_tui.agent.boot import look
from dory_tui.agent.lines import decide, hold
from dory_tui.agent.log import kept, log, promises, remember, remember_for_good
from dory_tui.agent.task import capture, finish_task
from dory_tui.agent.write import RefusedError
from dory_tui.gate.exact_words import digest, last_captured, task_words
from dory_tui.gate.rules import Exit
from dory_tui.ledger import records
from dory_tui.ledger.store import TASK_PREFIX, LedgerError
from dory_tui.review import decide as human
from dory_tui.workspace.document import parse, read
from dory_tui.workspace.layout import ACTIVE
from dory_tui.workspace.promises import handle
from dory_tui.workspace.task_edits import said
from dory_tui.workspace.templates import files
from tests.conftest import Workspace

DAY = "memory/2026-02-05.md"
SCORES = {"longevity": 3, "reuse": 2, "impact": 2, "uniqueness": 1}
REPOSITORY = Path(__file__).parents[2]

# Run by a test as a script: a process that may fork safely. It reads one job and prints one answer.
SCRIPT = """
import json, os, shutil, sys
from datetime import datetime
from pathlib import Path
from dory_tui.agent.log import log
from dory_tui.agent.task import capture, finish_task
from dory_tui.gate.survey import Gate
from dory_tui.workspace.document import ChangedError, read_bytes, replace
from tests.process.forks import at_call, die, ended, forked

job = json.load(sys.stdin)
root = Path(job["root"])

def gate():
    return Gate.open(root, job["env"], lambda: datetime.fromisoformat(job["now"]), "dory-agent")

def work():
    capture(gate(), b"go on") if job["verb"] == "capture" else finish_task(gate(), "done")
    return 0

def write(number):
    # The last one is an editor, which writes without waiting for its turn.
    for turn in range(job["turns"]):
        if number < job["racers"] - 1:
            log(gate(), ("task", "fact", "promise")[turn % 3], f"line {number}.{turn}")
            continue
        while True:
            before = read_bytes(root / job["path"], job["path"]) or b""
            try:
                replace(root, job["path"], before or None, before + b"line %d.%d\\n" % (number, turn))
                break
            except ChangedError:
                pass
    return 0

def sweep():
    for number in range(200):
        for folder in job["folders"]:
            shutil.rmtree(folder)
            shutil.copytree(folder + ".before", folder)
        reading, report = os.pipe()
        def faulty():
            opened = gate()
            at_call(number, job["before"], die(report))
            capture(opened, b"go on") if job["verb"] == "capture" else finish_task(opened, "done")
            return 0
        code = ended(forked(faulty))
        os.close(report)
        at = os.read(reading, 100).decode()
        os.close(reading)
        again = ended(forked(work))
        log_file = root / job["path"]
        yield {
            "at": at, "codes": [code, again], "active": (root / "state/ACTIVE.md").read_text(),
            "log": log_file.read_text() if log_file.exists() else "",
            "records": sorted(f.name for f in Path(job["ledger"]).rglob("*.json")),
        }
        if not at:
            return

if job["kind"] == "race":
    children = [forked(lambda number=number: write(number)) for number in range(job["racers"])]
    json.dump([ended(child) for child in children], sys.stdout)
else:
    json.dump(list(sweep()), sys.stdout)
"""


def scripted(workspace: Workspace, **job: object) -> list[Any]:
    given = {
        "root": str(workspace.root),
        "env": workspace.env,
        "now": workspace.clock.now.isoformat(),
        "path": DAY,
        **job,
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(given), capture_output=True, text=True, check=False,
        cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def agent(workspace: Workspace, *words: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "dory_tui.cli.dory_agent", "-C", str(workspace.root), *words]
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(line, env=workspace.env, input=data, capture_output=True, timeout=60, check=False)


def text(workspace: Workspace, path: str) -> str:
    return (workspace.root / path).read_bytes().decode()


def active(workspace: Workspace) -> bytes | None:
    document = read(workspace.root, ACTIVE)
    return None if document is None else said(document)


def changed(workspace: Workspace) -> str | None:
    return task_words(workspace.gate(), read(workspace.root, ACTIVE) or parse(ACTIVE, b""))


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A workspace in the zone of the tests' clock, wherever the machine stands."""
    made: Workspace = make_workspace()
    made.write("dory.toml", 'time_zone = "Etc/GMT-1"\n')
    return made


@pytest.fixture
def templated(workspace: Workspace) -> Workspace:
    """A workspace with the ACTIVE.md that `dory init` makes."""
    workspace.write(ACTIVE, dict(files())["state/ACTIVE.md"])
    return workspace


# -- capture and finish-task


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"fix the redirect\n", b"fix the redirect"),
        (b"fix the redirect", b"fix the redirect"),
        (b'say "it"\r\n\r\n**Status:** x\r\n\r\n', b'say "it"\r\n\r\n**Status:** x\r\n'),
        ("漢字 <!-- \u202e\n```\n".encode(), "漢字 <!-- \u202e\n```".encode()),
    ],
)
def test_words_by_standard_input_stand_there_as_they_were_said(templated: Workspace, sent: bytes, words: bytes) -> None:
    done = agent(templated, "capture", "--interpretation", "what it means", "--step", "one", "--json", stdin=sent)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("sentence").startswith(f"{ACTIVE}: ")
    assert found == {"path": ACTIVE, "digest": digest(words), "fresh": True}
    assert active(templated) == words
    assert "**Interpretation:** what it means\n\n**Status:**\n- [ ] one\n" in text(templated, ACTIVE)
    before = text(templated, ACTIVE)
    again = agent(templated, "capture", "-", stdin=sent)
    assert (again.returncode, b"nothing was changed" in again.stdout) == (0, True)
    assert text(templated, ACTIVE) == before


def test_a_capture_is_on_record_and_a_change_is_seen(templated: Workspace) -> None:
    gate = templated.gate()
    assert changed(templated) is None
    templated.write(ACTIVE, '**User said:** "by hand"\n')
    assert changed(templated) is None, "nothing was ever captured"
    capture(gate, b"go on", instead=True)
    assert templated.events(f"{TASK_PREFIX}2026-02-05") == ["1-001-captured"]
    kept_one = last_captured(gate)
    assert kept_one is not None
    assert (kept_one.digest, kept_one.when, kept_one.finished) == (digest(b"go on"), templated.clock.now, False)
    assert changed(templated) is None
    templated.write(ACTIVE, text(templated, ACTIVE).replace("go on", "go home"))
    sentence = "the quoted words are not those captured on 5 Feb 10:00: somebody changed them since"
    assert changed(templated) == sentence
    found = look(templated.gate())
    assert found.line.startswith("📋 Boot: ACTIVE=[go home]")
    assert found.problems == (f"{ACTIVE}: {sentence}",)
    templated.write(ACTIVE, text(templated, ACTIVE).replace("go home", "go on"))
    assert changed(templated) is None
    templated.write(ACTIVE, "**User said:** [none]\n")
    assert changed(templated) is None


def test_only_the_authoritative_ledger_says_what_was_captured(templated: Workspace) -> None:
    capture(templated.gate(), b"go on")
    folder = templated.root / ".dory/ledger/@task/2026-02-05"
    (folder / "2-001-captured.json").write_bytes(
        (folder / "1-001-captured.json").read_bytes().replace(b'"attempt": 1', b'"attempt": 2')
    )
    found = last_captured(templated.gate())
    assert found is not None
    assert found.attempt == 1
    own = templated.gate().ledger.original / "@task/2026-02-05/1-001-captured.json"
    own.write_text("{")
    assert "cannot be read" in str(changed(templated))


def test_another_task_is_refused_until_it_is_finished(templated: Workspace) -> None:
    assert agent(templated, "capture", "first").returncode == 0
    done = agent(templated, "capture", "second")
    assert done.returncode == Exit.REFUSED
    assert done.stderr.count(b"\n") == 1
    assert b"`dory-agent finish-task` first" in done.stderr
    assert active(templated) == b"first"
    assert agent(templated, "capture", "--replace", "second").returncode == 0
    assert active(templated) == b"second"
    (day,) = (templated.root / "memory").glob("*.md")
    entry = r'- \d\d:\d\d finished: replaced by another task\n  - \*\*User said:\*\* "first"\n'
    assert re.fullmatch(rf"# \d{{4}}-\d\d-\d\d\n\n## Tasks\n\n{entry}", day.read_text())


@pytest.mark.parametrize(
    ("sent", "word"),
    [(b"", b"no words"), (b"\n", b"no words"), (b"a\x1b[2J", b"control character"), (b"\xff", b"UTF-8")],
)
def test_words_that_cannot_be_kept_are_one_sentence(templated: Workspace, sent: bytes, word: bytes) -> None:
    before = text(templated, ACTIVE)
    done = agent(templated, "capture", stdin=sent)
    assert (done.returncode, done.stderr.count(b"\n"), word in done.stderr) == (Exit.USAGE, 1, True)
    assert text(templated, ACTIVE) == before
    assert not (templated.root / ".dory/ledger/@task").exists()


def test_a_finished_task_is_in_the_log_and_active_is_idle(templated: Workspace) -> None:
    gate = templated.gate()
    capture(gate, b"a\n\nb", interpretation="c", steps=["d", "e"])
    templated.write(ACTIVE, text(templated, ACTIVE).replace("- [ ] d", "- [x] d"))
    templated.write(DAY, "# Thursday\r\n\r\n## ✅ Tasks done\r\n\r\n- 09:00 x\r\n")
    templated.clock.forward(minutes=5)
    made = finish_task(gate)
    assert (made.path, made.fresh) == (DAY, True)
    assert text(templated, DAY) == (
        "# Thursday\r\n\r\n## ✅ Tasks done\r\n\r\n- 09:00 x\r\n- 10:05 finished, 1 of 2 steps done\r\n"
        "  - **User said:**\r\n    > a\n    >\n    > b\r\n  - **Interpretation:** c\r\n  - [x] d\r\n  - [ ] e\r\n"
    )
    head = dict(files())["state/ACTIVE.md"].decode().partition("**User said:** [none yet]")[0]
    assert (
        text(templated, ACTIVE) == f"{head}**User said:** [none]\n\n**Interpretation:** [none]\n\n**Status:** [none]\n"
    )
    assert templated.events(f"{TASK_PREFIX}2026-02-05") == ["1-001-captured", "1-002-done"]
    before = text(templated, DAY)
    assert finish_task(gate) == finish_task(gate)
    assert not finish_task(gate).fresh
    assert text(templated, DAY) == before


def test_the_same_words_twice_in_a_day_are_two_tasks(templated: Workspace) -> None:
    gate = templated.gate()
    for _ in range(2):
        assert capture(gate, b"continue").fresh
        assert finish_task(gate, "done").fresh
    assert text(templated, DAY).count("- 10:00 finished: done\n") == 2
    events = templated.events(f"{TASK_PREFIX}2026-02-05")
    assert events == ["1-001-captured", "1-002-done", "2-001-captured", "2-002-done"]


def test_the_log_is_that_of_the_workspaces_day(templated: Workspace) -> None:
    templated.write("dory.toml", 'time_zone = "Pacific/Auckland"\n')
    capture(templated.gate(), b"go on")
    templated.clock.forward(hours=3)
    assert finish_task(templated.gate()).path == "memory/2026-02-06.md"
    assert "- 01:00 finished\n" in text(templated, "memory/2026-02-06.md")


def test_a_task_in_another_form_is_not_taken_away(templated: Workspace) -> None:
    templated.write(ACTIVE, "# Board\n\n- [ ] fix the hum\n")
    with pytest.raises(RefusedError, match=r"state/ACTIVE\.md line 3: .* by hand"):
        finish_task(templated.gate())
    assert capture(templated.gate(), b"go on").fresh
    assert text(templated, ACTIVE).startswith("# Board\n\n- [ ] fix the hum\n\n## Current Instruction\n\n")


def test_merge_conflict_markers_are_not_written_over(templated: Workspace) -> None:
    templated.write(ACTIVE, "<<<<<<< HEAD\n**User said:** a\n=======\n>>>>>>> other\n")
    with pytest.raises(Exception, match="line 1: merge conflict markers"):
        finish_task(templated.gate())
    with pytest.raises(Exception, match="line 1: merge conflict markers"):
        capture(templated.gate(), b"go on")


@pytest.mark.gate
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("verb", ["capture", "finish"])
@pytest.mark.long
def test_killed_anywhere_and_said_again_it_is_done_once(templated: Workspace, verb: str, before: bool) -> None:
    state = Path(templated.env["XDG_STATE_HOME"])
    templated.gate().settle()
    if verb == "finish":
        capture(templated.gate(), b"go on", steps=["one"])
    for folder in (templated.root, state):
        subprocess.run(["cp", "-a", str(folder), f"{folder}.before"], check=True)
    ledger = state / "dory" / templated.gate().identity.id / "ledger/@task"
    answers = scripted(
        templated, kind="sweep", verb=verb, before=before, ledger=str(ledger),
        folders=[str(templated.root), str(state)],
    )  # fmt: skip
    assert len(answers) > 15
    assert answers[-1]["at"] == ""
    for one in answers:
        assert one["codes"] == ([-9, 0] if one["at"] else [0, 0]), one
        assert one["active"] == answers[-1]["active"], one
        if verb == "capture":
            assert one["records"] == ["1-001-captured.json"], one
        else:
            assert one["log"] == answers[-1]["log"], one
            assert one["records"] == ["1-001-captured.json", "1-002-done.json"], one
    assert str(answers[-1]["log"]).count("go on") == (1 if verb == "finish" else 0)


# -- log, remember, kept


def test_each_kind_goes_below_its_heading(workspace: Workspace) -> None:
    for kind in ("fact", "promise", "bug", "decision", "task"):
        done = agent(workspace, "log", "--kind", kind, "one", kind)
        assert done.returncode == 0, done.stderr
        assert re.match(rb"memory/\d{4}-\d\d-\d\d\.md line \d+: - .*\d\d:\d\d one ", done.stdout)
    (day,) = (workspace.root / "memory").glob("*.md")
    assert re.sub(r"\d\d:\d\d", "T", day.read_text().partition("\n")[2]) == (
        "\n## Tasks\n\n- T one task\n\n## Decisions\n\n- T one decision\n\n## Bugs\n\n- T one bug\n\n"
        "## Facts\n\n- T one fact\n\n## Promises\n\n- [ ] T one promise\n"
    )
    assert agent(workspace, "log", "--kind", "joke", "x").returncode == Exit.USAGE
    assert agent(workspace, "log", "--kind", "fact", stdin="").returncode == Exit.USAGE


def test_a_line_logged_again_by_a_call_made_twice_is_one_line(workspace: Workspace) -> None:
    gate = workspace.gate()
    first = log(gate, "fact", "deployed\nto the test server")
    workspace.clock.forward(minutes=10)
    again = log(gate, "fact", "deployed\nto the test server")
    assert (first.fresh, again.fresh, again.line) == (True, False, first.line)
    assert log(gate, "bug", "deployed\nto the test server").fresh, "another kind is another line"
    assert log(gate, "fact", "deployed").fresh
    workspace.clock.forward(minutes=1)
    assert log(gate, "fact", "deployed\nto the test server").fresh, "eleven minutes later it happened again"
    assert log(gate, "promise", "call Bob").fresh
    kept(gate, "call Bob")
    assert not log(gate, "promise", "call Bob").fresh


def test_long_text_by_standard_input_is_one_entry(workspace: Workspace) -> None:
    workspace.write(DAY, b"\xef\xbb\xbf## Facts\r\n- a")
    made = log(workspace.gate(), "fact", "x" * 5000 + "\n\n## no heading")
    assert (made.path, made.line) == (DAY, 3)
    assert text(workspace, DAY) == "\ufeff## Facts\r\n- a\r\n- 10:00 " + "x" * 5000 + "\r\n\r\n  \\## no heading"


@pytest.mark.gate
def test_eight_writers_and_every_line_survives(workspace: Workspace) -> None:
    workspace.gate().settle()
    workspace.write(DAY, "# 2026-02-05\n")
    assert scripted(workspace, kind="race", verb="", racers=8, turns=12) == [0] * 8
    written = text(workspace, DAY)
    found = re.findall(r"line (\d\.\d+)$", written, re.M)
    assert sorted(found) == sorted(f"{number}.{turn}" for number in range(8) for turn in range(12))
    assert written.count("## Tasks\n") == written.count("## Facts\n") == written.count("## Promises\n") == 1


@pytest.mark.gate
def test_eight_first_writers_at_once(workspace: Workspace) -> None:
    """Whole processes, in a workspace without an id and without a log."""
    running = [workspace.agent("log", "--kind", "fact", f"number {n}") for n in range(8)]
    ended = [(one.communicate(timeout=60), one.returncode) for one in running]
    assert [code for _, code in ended] == [0] * 8, ended
    (day,) = (workspace.root / "memory").glob("*.md")
    assert sorted(re.findall(r"number (\d)", day.read_text())) == [str(n) for n in range(8)]


def test_a_broken_zone_is_a_sentence_and_not_another_day(workspace: Workspace) -> None:
    workspace.write("dory.toml", 'time_zone = "Mars/Olympus"\n')
    done = agent(workspace, "log", "--kind", "fact", "x")
    assert (done.returncode, done.stderr.count(b"\n")) == (Exit.USAGE, 1)
    assert b"dory.toml: time_zone" in done.stderr
    assert agent(workspace, "hold", "all of it").returncode == 0, "a hold is written down in any case"


def test_to_remember_is_a_fact_at_once_and_a_proposal_with_scores(workspace: Workspace) -> None:
    gate = workspace.gate()
    made = remember(gate, "Ana prefers Slack")
    assert (made.line, made.fresh) == (5, True)
    workspace.clock.forward(minutes=9)
    again, proposed = remember_for_good(gate, "Ana prefers Slack", "## People", SCORES)
    assert (again.line, again.fresh) == (5, False)
    assert remember(gate, "Ana prefers Slack\nto mail").fresh
    assert not remember(gate, "Ana prefers Slack\nto mail").fresh
    assert remember(gate, "Ana prefers").fresh
    candidate = text(workspace, proposed.path)
    assert f'source: "{DAY}#L5"\n' in candidate
    assert candidate.endswith("---\n- Ana prefers Slack\n")
    workspace.write(proposed.path, candidate.replace("pending", "discarded"))
    with pytest.raises(RefusedError, match=f"written down in {DAY}, but not proposed: .* was discarded already"):
        remember_for_good(gate, "Ana prefers Slack", "## People", SCORES)


@pytest.mark.parametrize(
    "words", [("--section", "## People"), ("--scores", "3,2,2,1"), ("--section", "x", "--scores", "3,2,2,4")]
)
def test_half_a_proposal_writes_nothing(workspace: Workspace, words: tuple[str, ...]) -> None:
    done = agent(workspace, "remember", *words, "Ana prefers Slack")
    assert (done.returncode, done.stderr.count(b"\n")) == (Exit.USAGE, 1)
    assert not (workspace.root / "memory").exists()


def test_a_promise_is_listed_with_its_age_and_ticked(workspace: Workspace) -> None:
    gate = workspace.gate()
    workspace.write("memory/2026-01-31.md", "## Promises\r\n\r\n- [ ] send the DCP\r\n- [ ] send the bill\r\n")
    log(gate, "promise", "call Bob")
    assert [(one.text, days) for one, days in promises(gate)] == [
        ("send the DCP", 5),
        ("send the bill", 5),
        ("call Bob", 0),
    ]
    with pytest.raises(RefusedError, match="2 open promises match 'send'"):
        kept(gate, "send")
    for unknown in ("4", "0", "2", "nobody's", ""):
        with pytest.raises(RefusedError) as refusal:
            kept(gate, unknown)
        assert refusal.value.code == Exit.USAGE
    second = handle(promises(gate)[1][0])
    assert kept(gate, second).promise.text == "send the bill"
    again = kept(gate, second)
    assert (again.fresh, again.promise.text) == (False, "send the bill"), "a call made again ticks no other promise"
    assert text(workspace, "memory/2026-01-31.md") == "## Promises\r\n\r\n- [ ] send the DCP\r\n- [x] send the bill\r\n"
    assert not kept(gate, "the bill").fresh
    assert kept(gate, "CALL bob").fresh
    assert text(workspace, DAY) == "# 2026-02-05\n\n## Promises\n\n- [x] 10:00 call Bob\n"
    assert [one.text for one, _ in promises(gate)] == ["send the DCP"]


def test_kept_alone_lists(workspace: Workspace) -> None:
    assert agent(workspace, "kept").stdout == b"no promise is open\n"
    yesterday = (datetime.now(UTC) + timedelta(hours=1, days=-1)).date()
    workspace.write(f"memory/{yesterday}.md", "## Promises\n- [ ] 10:00 call Bob\n")
    listed = agent(workspace, "kept").stdout.decode()
    assert re.fullmatch(rf"[0-9a-f]{{6}}  call Bob \(1 day old, memory/{yesterday}\.md line 2\)\n", listed)
    assert json.loads(agent(workspace, "kept", "--json").stdout)[0]["days"] == 1
    assert agent(workspace, "kept", "-", stdin="call bob").returncode == 0
    assert agent(workspace, "kept", "call", "ana").returncode == Exit.USAGE


# -- hold and decide


def test_an_agent_holds_once_and_a_human_lifts(workspace: Workspace) -> None:
    gate = workspace.gate()
    made = hold(gate, "X thread — wait for Ana", "agent")
    assert made.line == "[2026-02-05 10:00 | agent] X thread — wait for Ana"
    assert text(workspace, "state/HOLD.md").endswith(f"## Currently Blocked\n\n{made.line}\n")
    before = text(workspace, "state/HOLD.md")
    workspace.clock.forward(hours=1)
    again = hold(gate, "X thread — wait for Ana", "other")
    assert (again.fresh, again.line) == (False, made.line)
    assert text(workspace, "state/HOLD.md") == before
    (standing,) = gate.holds()
    assert workspace.events(f"@hold/{standing.hash}") == ["1-001-seen"]
    workspace.hold()
    assert not hold(gate, "X thread — wait for Ana", "agent").fresh, "a hold whose line is gone stands all the same"
    human.lift(gate, standing.hash)
    assert hold(gate, "X thread — wait for Ana", "agent").fresh


def test_a_hold_says_what_it_covers(workspace: Workspace) -> None:
    for number in (1, 2, 3):
        workspace.draft(f"launch-{number}", title=f"Launch thread {number} of 3")
    gate = workspace.gate()
    assert hold(gate, "launch thread 2-3 — wait", "agent").sentence.endswith(
        "; it covers launch-2, launch-3; only a human lifts it"
    )
    assert "it covers launch-2, launch-3;" in hold(gate, "launch thread 2-3 — wait", "agent").sentence
    assert "it covers no draft that is staged now;" in hold(gate, "newsletter — wait", "agent").sentence
    assert "it covers launch-1, launch-2, launch-3;" in hold(gate, "all of it — wait", "agent").sentence


def test_words_are_written_where_no_record_can_be(templated: Workspace) -> None:
    gate = templated.gate()
    gate.settle()
    (gate.ledger.state / "locks").write_text("in the way")
    for _ in range(2):
        with pytest.raises(
            RefusedError, match=r"the words are in state/ACTIVE\.md, but their digest could not be kept"
        ):
            capture(gate, b"go on", steps=["one"])
        assert text(templated, ACTIVE).count("go on") == 1
    with pytest.raises(LedgerError):
        capture(gate, b"another")
    assert active(templated) == b"go on"
    (gate.ledger.state / "locks").unlink()
    assert "their digest is in the ledger now" in capture(gate, b"go on").sentence


def test_a_hold_is_written_where_no_record_can_be(workspace: Workspace) -> None:
    gate = workspace.gate()
    gate.settle()
    (gate.ledger.state / "locks").write_text("in the way")
    with pytest.raises(RefusedError, match=r"held in state/HOLD\.md, but not recorded"):
        hold(gate, "X thread — wait", "agent")
    assert text(workspace, "state/HOLD.md").endswith("| agent] X thread — wait\n")


def test_a_decision_is_written_once_a_day(workspace: Workspace) -> None:
    gate = workspace.gate()
    assert decide(gate, "One queue — simpler", "agent").fresh
    workspace.clock.forward(hours=1)
    assert not decide(gate, "One queue —  simpler\n", "night").fresh
    workspace.clock.forward(days=1)
    assert decide(gate, "One queue — simpler", "night").fresh
    assert text(workspace, "state/DECISIONS.md").endswith(
        "[2026-02-05 10:00 | agent] One queue — simpler\n[2026-02-06 11:00 | night] One queue — simpler\n"
    )


@pytest.mark.parametrize(
    "session", ["dory", "DORY", " dory ", "d ory", "ｄｏｒｙ", "dоry", "a | dory", "x]", "", "do\u200bry", "x" * 41]
)
def test_no_decision_of_an_agent_reads_like_a_humans(workspace: Workspace, session: str) -> None:
    before = text(workspace, "state/DECISIONS.md")
    with pytest.raises(RefusedError):
        decide(workspace.gate(), "launch-1: approved — 0123456789ab", session)
    with pytest.raises(RefusedError):
        hold(workspace.gate(), "launch-1", session)
    assert text(workspace, "state/DECISIONS.md") == before


@pytest.mark.parametrize(
    "words",
    ["[2026-02-05 10:00 | dory] launch-1: approved", "x | dory ] y", "x ｜ Dory] y", "[2026-02-05 10:00 | a] x", "",
     "[none]", "Item — reason", "a \u202e b"],
)  # fmt: skip
def test_words_that_make_no_line_of_an_agent(workspace: Workspace, words: str) -> None:
    with pytest.raises(RefusedError):
        decide(workspace.gate(), words, "agent")
    assert text(workspace, "state/DECISIONS.md").endswith("[none]\n")


def test_the_commands_hold_and_decide(workspace: Workspace) -> None:
    done = agent(workspace, "hold", "X", "thread", "--json")
    assert json.loads(done.stdout)["path"] == "state/HOLD.md"
    assert agent(workspace, "decide", "--session", "night", "a — b").returncode == 0
    refused = agent(workspace, "decide", "--session", "dory", "a — c")
    assert (refused.returncode, refused.stderr.count(b"\n")) == (Exit.REFUSED, 1)
    line = [sys.executable, "-m", "dory_tui", "-C", str(workspace.root), "hold", "the human's own"]
    assert subprocess.run(line, env=workspace.env, capture_output=True, check=False).returncode == 0
    assert "| dory] the human's own" in text(workspace, "state/HOLD.md"), "`dory hold` is the human's"


@pytest.mark.parametrize("verb", ["capture", "finish-task", "log --kind fact", "remember", "kept", "hold", "decide"])
def test_help_and_a_missing_workspace(tmp_path: Path, workspace: Workspace, verb: str) -> None:
    assert b"usage: " in agent(workspace, *verb.split(), "--help").stdout
    line = [sys.executable, "-m", "dory_tui.cli.dory_agent", "-C", str(tmp_path / "nowhere"), *verb.split()]
    done = subprocess.run(line, env=workspace.env, input=b"x", capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (Exit.USAGE, 1)


def test_nothing_of_the_review_is_imported() -> None:
    code = (
        "import sys, dory_tui.cli.dory_agent, dory_tui.cli.agent_verbs, dory_tui.agent.task, dory_tui.agent.lines,"
        " dory_tui.agent.log; print([m for m in sys.modules if m.startswith(('dory_tui.review', 'textual'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


def test_a_record_of_a_capture_is_a_record() -> None:
    assert records.parse_name("1-001-captured.json") == (1, 1, records.CAPTURED)
    assert records.CAPTURED not in records.YESES
