"""Both commands as people and schedulers call them: real processes, real git, a real terminal where a yes is said."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dory_tui.agent.stage import stage
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review import decide
from dory_tui.review.change import StaleError
from dory_tui.review.init import init
from dory_tui.review.inspect import inspect

POST = """---
id: {id}
title: Launch thread {n} of 7
kind: post
part: {n}/7
action:
  argv: ["/bin/cat"]
  stdin: body
schedule:
  lane: social/main
---
{n}/ hello
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_SYSTEM": os.devnull,
    }


@pytest.fixture
def workspace(tmp_path: Path, env: dict[str, str]) -> Path:
    """A new workspace in a repository, with a thread of three that the agent staged; made in this process."""
    root = tmp_path / "ws"
    root.mkdir()
    init(Gate.open(root, env))
    git(env, root, "init", "-q", "-b", "main")
    for number in (1, 2, 3):
        text = POST.format(id=f"launch-{number}", n=number).encode()
        stage(Gate.open(root, env, by="dory-agent"), text, identity=None, title=None, today="2026-11-30")
    git(env, root, "add", "-A")
    git(env, root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "start")
    return root


def call(
    module: str, env: dict[str, str], root: Path, *words: str, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, "-C", str(root), *words], env=env, input=stdin or "", capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip


def dory(env: dict[str, str], root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return call("dory_tui", env, root, *words)


def agent(env: dict[str, str], root: Path, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return call("dory_tui.cli.dory_agent", env, root, *words, stdin=stdin)


def git(env: dict[str, str], root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True, text=True).stdout


def at_terminal(env: dict[str, str], root: Path, *words: str, answer: str | None = None) -> tuple[int, str]:
    """Run `dory` at a real pty; answer the code it shows, or `answer`."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-m", "dory_tui", "-C", str(root), *words], env)
    seen = b""
    answered = False
    while True:
        ready, _, _ = select.select([master], [], [], 30)
        assert ready, seen.decode()
        try:
            chunk = os.read(master, 65_536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
        asked = re.search(rb"type ([a-z]{4}) and Enter[^:]*: $", seen)
        if asked and not answered:
            os.write(master, (asked[1].decode() if answer is None else answer).encode() + b"\n")
            answered = True
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


def test_the_whole_story_without_a_screen(workspace: Path, env: dict[str, str]) -> None:
    assert dory(env, workspace, "hold", "X thread tweets 2-7 — awaiting explicit approval").returncode == 0
    assert agent(env, workspace, "check", "launch-1").returncode == Exit.REFUSED
    assert agent(env, workspace, "check", "launch-2").returncode == Exit.HELD

    code, screen = at_terminal(env, workspace, "approve", "launch-1")
    assert code == 0, screen
    assert "if approved, this runs" in screen
    assert agent(env, workspace, "check", "launch-1").returncode == 0
    assert "**Status:** approved" in (workspace / "state/STAGING.md").read_text()

    ran = agent(env, workspace, "run", "--due")
    assert ran.returncode == 0
    assert ran.stdout == "1/ hello\n"
    again = agent(env, workspace, "run", "launch-1")
    assert again.returncode == Exit.CLAIMED
    assert again.stdout == ""

    subjects = git(env, workspace, "log", "--format=%s").splitlines()
    assert subjects == ["Approve launch-1", "Hold X thread tweets 2-7", "start"]
    decisions = (workspace / "state/DECISIONS.md").read_text()
    assert re.search(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d \| dory\] launch-1: approved — [0-9a-f]{12}$", decisions, re.M)


def test_a_held_item_needs_an_override_for_that_hold(workspace: Path, env: dict[str, str]) -> None:
    dory(env, workspace, "hold", "X thread tweets 2-7 — awaiting explicit approval")
    code, screen = at_terminal(env, workspace, "approve", "launch-2")
    assert code == 0
    assert "stays held" in screen
    assert agent(env, workspace, "check", "launch-2").returncode == Exit.HELD
    code, _ = at_terminal(env, workspace, "override", "tweets 2-7", "launch-2")
    assert code == 0
    assert agent(env, workspace, "check", "launch-2").returncode == 0
    dory(env, workspace, "hold", "launch thread — all of it")
    assert agent(env, workspace, "check", "launch-2").returncode == Exit.HELD


def test_a_lift_takes_the_line_out_and_puts_none_back(workspace: Path, env: dict[str, str]) -> None:
    before = (workspace / "state/HOLD.md").read_bytes()
    dory(env, workspace, "hold", "launch thread — wait")
    assert agent(env, workspace, "check", "launch-1").returncode == Exit.HELD
    code, _ = at_terminal(env, workspace, "lift", "launch thread")
    assert code == 0
    assert (workspace / "state/HOLD.md").read_bytes() == before
    assert agent(env, workspace, "check", "launch-1").returncode == Exit.REFUSED


@pytest.mark.parametrize("answer", ["y", "", "yes", "zzzz"])
def test_only_the_code_is_a_yes(workspace: Path, env: dict[str, str], answer: str) -> None:
    code, screen = at_terminal(env, workspace, "approve", "launch-1", answer=answer)
    assert code == Exit.REFUSED
    assert "nothing was decided" in screen
    assert agent(env, workspace, "check", "launch-1").returncode == Exit.REFUSED


@pytest.mark.parametrize(
    "words", [("approve", "launch-1"), ("lift", "launch"), ("override", "launch", "launch-1")], ids=lambda w: w[0]
)
def test_without_a_terminal_nothing_is_loosened(workspace: Path, env: dict[str, str], words: tuple[str, ...]) -> None:
    dory(env, workspace, "hold", "launch thread — wait")
    head = git(env, workspace, "rev-parse", "HEAD")
    done = dory(env, workspace, *words)
    assert done.returncode == Exit.REFUSED
    assert done.stderr.count("\n") == 1
    assert "terminal" in done.stderr
    assert git(env, workspace, "rev-parse", "HEAD") == head


def test_reject_changes_and_revoke(workspace: Path, env: dict[str, str]) -> None:
    assert dory(env, workspace, "reject", "launch-1", "--note", "too long").returncode == 0
    assert agent(env, workspace, "check", "launch-1").stdout == "launch-1: a human said no: too long\n"
    assert dory(env, workspace, "changes", "launch-2", "--note", "name the date").returncode == 0
    staging = (workspace / "state/STAGING.md").read_text()
    assert "**Status:** rejected\n**Note:** too long\n" in staging
    assert "**Status:** changes requested\n**Note:** name the date\n" in staging
    at_terminal(env, workspace, "approve", "launch-3")
    assert dory(env, workspace, "revoke", "launch-3").returncode == 0
    assert agent(env, workspace, "run", "launch-3").returncode == Exit.REFUSED


def test_a_decision_leaves_other_work_in_git_as_it_was(workspace: Path, env: dict[str, str]) -> None:
    (workspace / "SOUL.md").write_text("changed\n")
    (workspace / "USER.md").write_text("staged\n")
    (workspace / "notes.txt").write_text("untracked\n")
    git(env, workspace, "add", "USER.md")
    before = git(env, workspace, "status", "--porcelain=v2")
    assert dory(env, workspace, "reject", "launch-1", "--note", "no").returncode == 0
    assert git(env, workspace, "status", "--porcelain=v2") == before


def test_an_unknown_outcome_is_resolved_by_a_human(workspace: Path, env: dict[str, str]) -> None:
    text = POST.format(id="slow", n=4).replace('["/bin/cat"]', '["/bin/sh", "-c", "kill -9 $PPID; sleep 0"]')
    agent(env, workspace, "stage", stdin=text)
    at_terminal(env, workspace, "approve", "slow")
    assert agent(env, workspace, "run", "slow").returncode == -9
    assert agent(env, workspace, "run", "slow").returncode == Exit.UNKNOWN
    assert "1 outcome unknown" in dory(env, workspace, "status").stdout
    code, _ = at_terminal(env, workspace, "resolve", "slow", "not-happened")
    assert code == 0
    assert agent(env, workspace, "run", "slow").returncode == Exit.REFUSED
    code, _ = at_terminal(env, workspace, "approve", "slow")
    assert code == 0
    assert agent(env, workspace, "check", "slow").returncode == 0


def test_text_is_claimed_once(workspace: Path, env: dict[str, str]) -> None:
    agent(env, workspace, "stage", "--id", "reply", "--title", "Reply to Ana", stdin="Dear Ana,\nyes.\n")
    assert agent(env, workspace, "claim", "reply").returncode == Exit.REFUSED
    at_terminal(env, workspace, "approve", "reply")
    assert agent(env, workspace, "run", "reply").returncode == Exit.REFUSED
    assert agent(env, workspace, "claim", "reply").stdout == "Dear Ana,\nyes.\n"
    second = agent(env, workspace, "claim", "reply")
    assert (second.returncode, second.stdout) == (Exit.CLAIMED, "")
    assert agent(env, workspace, "finish", "reply", "ok").returncode == 0
    assert agent(env, workspace, "finish", "reply", "ok").returncode == 0
    assert agent(env, workspace, "finish", "reply", "failed").returncode == Exit.CLAIMED


def test_boot_line_byte_for_byte(workspace: Path, env: dict[str, str]) -> None:
    assert agent(env, workspace, "boot").stdout == "📋 Boot: ACTIVE=[none] | HOLD=[0] items | STAGING=[3] drafts\n"
    dory(env, workspace, "hold", "one — thing")
    (workspace / "state/ACTIVE.md").write_text(
        '## Current Instruction\n\n**User said:** "revise to 37 scenes and map it to that timing"\n'
    )
    line = agent(env, workspace, "boot").stdout
    assert line == ("📋 Boot: ACTIVE=[revise to 37 scenes and map it to that …] | HOLD=[1] item | STAGING=[3] drafts\n")


def test_staging_again_is_harmless(workspace: Path, env: dict[str, str]) -> None:
    before = (workspace / "state/STAGING.md").read_bytes()
    done = agent(env, workspace, "stage", stdin=POST.format(id="launch-1", n=1))
    assert done.returncode == 0
    assert "nothing was changed" in done.stdout
    assert (workspace / "state/STAGING.md").read_bytes() == before


def test_a_revision_takes_the_yes_back(workspace: Path, env: dict[str, str]) -> None:
    at_terminal(env, workspace, "approve", "launch-1")
    agent(env, workspace, "stage", stdin=POST.format(id="launch-1", n=1) + "and more\n")
    done = agent(env, workspace, "run", "launch-1")
    assert done.returncode == Exit.REFUSED
    assert "changed after the yes" in done.stderr


@pytest.mark.parametrize(
    ("front", "sentence"),
    [
        ("action:\n  argv: post --all", "list"),
        ('action:\n  argv: ["/bin/cat"]\n  shell: true', "not a field"),
        ('action:\n  argv: ["/bin/cat"]\n  argv: ["/bin/ls"]', "twice"),
        ('action:\n  argv: ["/bin/cat"]\nschedule:\n  min_interval: 20', "min_interval"),
        ('action:\n  argv: ["/bin/cat"]\n  attach: [a.png]', "attach"),
        ('action:\n  argv: ["/bin/cat"]\nschedule:\n  not_before: 2026-12-01T09:00', "offset"),
        ("action: {argv: [unclosed", "YAML"),
    ],
)
def test_bad_actions_are_not_staged(workspace: Path, env: dict[str, str], front: str, sentence: str) -> None:
    done = agent(env, workspace, "stage", "--id", "bad", stdin=f"---\n{front}\n---\nx\n")
    assert done.returncode == Exit.USAGE
    assert re.search(r"line \d", done.stderr)
    assert sentence in done.stderr
    assert not (workspace / "state/drafts/bad.md").exists()


def test_a_bad_draft_file_is_one_sentence_and_the_rest_works(workspace: Path, env: dict[str, str]) -> None:
    (workspace / "state/drafts/launch-2.md").write_text("---\nid: launch-2\naction: {argv: [x\n---\n")
    done = agent(env, workspace, "check", "launch-2")
    assert done.returncode == Exit.USAGE
    assert "state/drafts/launch-2.md line" in done.stdout
    assert agent(env, workspace, "check", "launch-1").returncode == Exit.REFUSED
    assert dory(env, workspace, "status").returncode == 0


def test_proposing_folds_into_one(workspace: Path, env: dict[str, str]) -> None:
    words = ("propose", "--section", "## People", "--scores", "3,2,2,1", "- Ana prefers Slack to mail")
    assert "earns its place" in agent(env, workspace, *words).stdout
    assert "nothing was changed" in agent(env, workspace, *words).stdout
    assert len(list((workspace / "memory/promotions").iterdir())) == 1
    assert agent(env, workspace, *words[:4], "9,9,9,9", "- x").returncode == Exit.USAGE


def test_status_as_json_and_by_age(workspace: Path, env: dict[str, str]) -> None:
    found = json.loads(dory(env, workspace, "status", "--json").stdout)
    assert [d["id"] for d in found["drafts"]] == ["launch-1", "launch-2", "launch-3"]
    assert dory(env, workspace, "status", "--max-age", "2d").returncode == 0
    staging = workspace / "state/STAGING.md"
    old = (datetime.now(UTC) - timedelta(days=9)).date().isoformat()
    staging.write_text(re.sub(r"\*\*Created:\*\* \S+", f"**Created:** {old}", staging.read_text()))
    assert dory(env, workspace, "status", "--max-age", "2d").returncode == 1


@pytest.mark.parametrize("verb", ["status", "show launch-1", "boot", "check launch-1", "run --due"])
def test_a_missing_workspace_is_one_sentence(tmp_path: Path, env: dict[str, str], verb: str) -> None:
    module = "dory_tui.cli.dory_agent" if verb.startswith(("boot", "check", "run")) else "dory_tui"
    done = call(module, env, tmp_path / "nowhere", *verb.split())
    assert done.returncode == Exit.USAGE
    assert done.stderr.count("\n") == 1
    assert "nowhere" in done.stderr


def test_a_folder_where_a_file_should_be(workspace: Path, env: dict[str, str]) -> None:
    (workspace / "state/HOLD.md").unlink()
    (workspace / "state/HOLD.md").mkdir()
    done = agent(env, workspace, "check", "launch-1")
    assert done.returncode == Exit.HELD
    assert "state/HOLD.md is a folder" in done.stdout
    assert agent(env, workspace, "boot").stdout.count("HOLD=[?] items") == 1
    assert dory(env, workspace, "status").returncode == 0


def test_conflict_markers_hold_everything(workspace: Path, env: dict[str, str]) -> None:
    at_terminal(env, workspace, "approve", "launch-1")
    hold = workspace / "state/HOLD.md"
    hold.write_text(hold.read_text() + "<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    assert agent(env, workspace, "run", "launch-1").returncode == Exit.HELD


def test_no_terminal_gives_status_and_a_hint(workspace: Path, env: dict[str, str]) -> None:
    done = dory(env, workspace)
    assert done.returncode == Exit.USAGE
    assert "STAGING 3" in done.stdout
    assert done.stderr.count("\n") == 1


def test_init_again_overwrites_nothing(workspace: Path, env: dict[str, str]) -> None:
    (workspace / "SOUL.md").write_text("mine\n")
    before = {p: p.read_bytes() for p in workspace.rglob("*.md")}
    assert "nothing was missing" in dory(env, workspace, "init").stdout
    assert {p: p.read_bytes() for p in workspace.rglob("*.md")} == before


def test_check_imports_nothing_of_the_screen_or_the_review() -> None:
    code = (
        "import sys; from dory_tui.cli.dory_agent import main; main(['-C', '/nowhere', 'check', 'x']);"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('textual', 'rich', 'git', 'yaml', 'click', 'argparse')"
        " or m.startswith(('dory_tui.review', 'dory_tui.tui', 'dory_tui.history'))]; print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_program_that_changed_while_it_was_read_is_not_approved(workspace: Path, env: dict[str, str]) -> None:
    """The draft's bytes are the same; what they would start is not what was shown."""
    program = workspace / "bin" / "post"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    text = POST.format(id="mine", n=4).replace("/bin/cat", "bin/post")
    assert agent(env, workspace, "stage", stdin=text).returncode == 0
    gate = Gate.open(workspace, env)
    draft = gate.staging().find("mine")
    assert draft is not None
    shown = inspect(gate.root, draft, gate.clock()).fingerprint
    program.write_text("#!/bin/sh\nrm -rf .\n")
    with pytest.raises(StaleError, match="what mine would run changed"):
        decide.approve(gate, "mine", draft.digest, fingerprint=shown)
    assert gate.ledger.history("mine") == ()
    seen_again = inspect(gate.root, draft, gate.clock()).fingerprint
    assert decide.approve(gate, "mine", draft.digest, fingerprint=seen_again).sentence.startswith("mine is approved")


@pytest.mark.parametrize("end", [">&-", "<&-", "2>&-", ">/dev/full", "| true"])
@pytest.mark.parametrize("name", ["launch-1", "launch-9"])
def test_check_tells_its_code_whoever_listens(env: dict[str, str], workspace: Path, name: str, end: str) -> None:
    """Schedulers go by the code; many close or drop what is printed."""
    line = f'set -o pipefail; "{sys.executable}" -m dory_tui.cli.dory_agent -C "{workspace}" check {name} {end}'
    done = subprocess.run(["bash", "-c", line], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == (Exit.REFUSED if name == "launch-1" else Exit.USAGE)
    assert "Traceback" not in done.stderr
    assert "fault in dory" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code"), [("status >/dev/full", 1), ("search hello >/dev/full", 1), ("show nobody 2>/dev/full", 2)]
)
def test_output_that_cannot_be_printed_is_no_fault(env: dict[str, str], workspace: Path, words: str, code: int) -> None:
    line = f'"{sys.executable}" -m dory_tui -C "{workspace}" {words}'
    done = subprocess.run(["sh", "-c", line], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "fault in dory" not in done.stderr
    assert ("what was to be printed could not be" in done.stderr) == (code == 1)


def test_hooks_are_put_in_though_nobody_listens(env: dict[str, str], workspace: Path) -> None:
    line = f'"{sys.executable}" -m dory_tui -C "{workspace}" hooks install cursor --agent /bin/true --yes | true'
    subprocess.run(["bash", "-c", line], env=env, check=True)
    assert "hook cursor" in (Path(env["HOME"]) / ".cursor/hooks.json").read_text()
    asked = dory(env, workspace, "hooks", "status", "openclaw", "--project", str(workspace))
    assert (asked.returncode, "leave --project out" in asked.stderr) == (Exit.USAGE, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [("status <&-", 0), ("status >&-", 0), ("status 2>&-", 0), ("status <&- >&- 2>&-", 0), ("approve nobody <&-", 2),
     ("archive <&-", 0), ("show nobody >&- 2>&-", 2), ("<&-", 2), ("capture <&-", 2)],
)  # fmt: skip
def test_a_stream_that_was_closed_is_no_fault(env: dict[str, str], workspace: Path, words: str, code: int) -> None:
    line = f'exec "$@" {words}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, "sh", sys.executable, "-m", "dory_tui", "-C", str(workspace)],
        env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "fault in dory" not in done.stderr
    assert done.returncode == code
