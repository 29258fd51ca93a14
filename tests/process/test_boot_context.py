"""What an agent is told when it starts: the truth of every file, the most important first, within its budget."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from dory_tui.agent.boot import look
from dory_tui.agent.context import Context, context, note_boot
from dory_tui.agent.context_text import BUDGET, LEAST, as_json, text
from dory_tui.agent.lines import decide as choose
from dory_tui.agent.log import log
from dory_tui.agent.propose import propose
from dory_tui.agent.task import capture
from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.review import decide, memories
from dory_tui.review.desk import load
from dory_tui.workspace.promises import handle, open_promises
from tests.conftest import Workspace
from tests.process.in_process import Commands, Told

CORPUS = Path(__file__).parents[1] / "corpus"
SCORES = {"longevity": 3, "reuse": 2, "impact": 2, "uniqueness": 1}
HOLD = "[2026-02-05 09:00 | main] launch thread posts 3-7 — awaiting explicit approval"
EMPTY = (
    "📋 Boot: ACTIVE=[none] | HOLD=[0] items | STAGING=[0] drafts\n"
    "Where files disagree: HOLD > ACTIVE > DECISIONS > AGENTS.md.\n"
    "\n## HOLD (0)\nnothing is held\n\n## ACTIVE\nno task\n"
)


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], quick_folder: Path) -> Workspace:
    made = make_workspace(folder=quick_folder)
    made.write("dory.toml", 'time_zone = "Etc/GMT-1"\n')
    return made


def say(workspace: Workspace, budget: int = BUDGET) -> str:
    return text(context(workspace.gate()), budget)


def part(said: str, title: str) -> list[str]:
    """The lines of the part whose title begins so."""
    for block in said.split("\n\n"):
        head, *lines = block.splitlines()
        if head.startswith(f"## {title}"):
            return lines
    return []


@pytest.fixture
def busy(workspace: Workspace) -> Workspace:
    """A morning with one of everything, as a human and an agent leave it."""
    gate = workspace.gate()
    for number in range(1, 8):
        workspace.runs(f"launch-{number}", title=f"Launch thread {number} of 7", kind="post")
    workspace.draft("reply", "Thursday works.\n", title="Reply to Ana")
    workspace.hold(HOLD)
    capture(gate, b"post the launch thread\none a day", interpretation="seven posts", steps=["stage them"])
    note_boot(gate)
    workspace.clock.forward(hours=2)
    workspace.approve("launch-1")
    decide.request_changes(gate, "launch-2", workspace.find("launch-2").digest, "name the date")
    decide.reject(gate, "launch-7", workspace.find("launch-7").digest, "too long")
    workspace.approve("reply")
    propose(gate, b"- Ana prefers Slack", section="## People", scores=SCORES, identity="slack")
    memories.send_back(gate, "slack", load(gate).candidates[0].promotion.digest, "say since when")
    workspace.write("memory/2026-02-01.md", "## Promises\n\n- [ ] 10:00 call Bob\n")
    log(gate, "fact", "tea is out")
    choose(gate, "Post daily — reach", "agent")
    choose(gate, "Do not post daily — tired", "agent")
    workspace.write("MEMORY.md", "# Memory\n\n## People\n")
    return workspace


def test_an_empty_workspace(workspace: Workspace) -> None:
    assert say(workspace) == EMPTY


def test_to_look_writes_no_id(workspace: Workspace, commands: Callable[..., Told]) -> None:
    assert commands("--context").code == 0
    assert not (workspace.root / ".dory").exists()


def test_each_part_says_the_truth(busy: Workspace) -> None:
    said = say(busy)
    assert said.startswith("📋 Boot: ACTIVE=[post the launch thread] | HOLD=[1] item | STAGING=[4] drafts\n")
    assert part(said, "HOLD (1)") == [f"- {HOLD} (covers launch-3, launch-4, launch-5, launch-6)"]
    active = part(said, "ACTIVE")
    assert active[0].startswith("The user said, word for word (as captured 10:00, sha256 ")
    assert active[1:] == ["> post the launch thread", "> one a day", "Taken to mean: seven posts", "- [ ] stage them"]
    assert len(part(said, "CONFLICTS")) == 2
    assert part(said, "CONFLICTS")[0].startswith("- ACTIVE asks for what HOLD blocks: “launch thread posts 3-7”")
    assert part(said, "ANSWERED") == [
        "- * launch-2: a human asked for changes: name the date (12:00) → change state/drafts/launch-2.md,"
        " then `dory-agent stage` it again under the same id",
        "- * reply: approved; a human said yes to these bytes (12:00) → `dory-agent claim reply`, once",
        "- * slack: a human asked for changes: say since when (12:00) → change memory/promotions/slack.md,"
        " then `dory-agent propose` it again under the same id",
        "- * launch-1: approved; a human said yes to these bytes (12:00) → the scheduler starts it; leave it",
        "- * launch-7: a human said no: too long (12:00)",
    ]
    waiting = part(said, "WAITING FOR A HUMAN'S YES (4)")
    assert waiting[0] == (
        "- launch-3 “Launch thread 3 of 7”: held by “launch thread posts 3-7 — awaiting explicit approval”"
        " (state/drafts/launch-3.md)"
    )
    (promise,) = open_promises(busy.root, busy.clock.now.date())
    assert part(said, "PROMISED AND OPEN (1)") == [
        f"- {handle(promise)} call Bob (4 days old, memory/2026-02-01.md line 3)"
    ]
    decisions = part(said, "DECISIONS")
    assert decisions[-1] == "- [2026-02-05 12:00 | dory] launch-1: approved — " + busy.find("launch-1").short
    assert "- [2026-02-05 12:00 | agent] Do not post daily — tired" in decisions
    assert part(said, "READ NEXT") == ["MEMORY.md · memory/2026-02-05.md"]
    assert "=== memory/2026-02-05.md ===\n# 2026-02-05\n\n## Facts\n\n- 12:00 tea is out\n" in said


def test_answers_are_told_again_for_a_day_and_what_is_to_be_done_until_it_is(busy: Workspace) -> None:
    assert all(line.startswith("- * ") for line in part(say(busy), "ANSWERED"))
    note_boot(busy.gate())
    busy.clock.forward(hours=20)
    told = part(say(busy), "ANSWERED")
    assert (len(told), any("* " in line for line in told)) == (5, False), "the session that was told may have died"
    note_boot(busy.gate())
    busy.clock.forward(hours=30)
    assert [line.split(":")[0] for line in part(say(busy), "ANSWERED")] == ["- launch-2", "- slack"]
    busy.write("state/drafts/launch-2.md", "---\nid: launch-2\n---\nIn June.\n")
    assert [line.split(":")[0] for line in part(say(busy), "ANSWERED")] == ["- slack"]


def test_what_ran_and_what_nobody_knows(busy: Workspace) -> None:
    gate = busy.gate()
    assert runner.run(gate, "launch-1").code == Exit.FINE
    assert runner.claim(gate, "reply").code == Exit.FINE
    said = say(busy)
    assert "- * launch-1: it ran once and is done (12:00)" in part(said, "ANSWERED")
    (unknown,) = part(said, "OUTCOME UNKNOWN")
    assert unknown.startswith("- reply: the agent took it and has not said what became of it")
    assert unknown.endswith("`dory-agent finish reply ok` or `failed` if you know")
    assert not any("claim reply" in line for line in part(said, "ANSWERED"))


def test_words_that_were_changed_are_not_passed_off_as_the_users(busy: Workspace) -> None:
    file = busy.root / "state/ACTIVE.md"
    file.write_text(file.read_text().replace("> one a day", "> all at once"))
    active = part(say(busy), "ACTIVE")
    assert active[0] == "The user said, word for word (NOT AS CAPTURED, see below):"
    assert active[3].startswith("state/ACTIVE.md line ")
    assert active[3].endswith("somebody changed them since. Work from what was captured, and ask.")
    assert active[4:6] == ["  - one a day", "  + all at once"]
    assert part(say(busy), "CANNOT BE READ") == []
    busy.write("state/ACTIVE.md", "**User said:** [none]\n")
    assert part(say(busy), "ACTIVE")[2:] == ["> post the launch thread", "> one a day"]


def test_what_cannot_be_read_comes_first_and_is_not_empty(busy: Workspace) -> None:
    for name in ("HOLD", "ACTIVE", "DECISIONS"):
        (busy.root / f"state/{name}.md").unlink(missing_ok=True)
        (busy.root / f"state/{name}.md").mkdir()
    busy.write("dory.toml", 'time_zone = "Mars/Olympus"\n')
    busy.write("state/drafts/launch-3.md", "---\nid: launch-3\naction: {argv: [x\n---\n")
    said = say(busy)
    assert said.startswith("📋 Boot: ACTIVE=[?] | HOLD=[?] items | STAGING=[")
    problems = " ".join(part(said, "CANNOT BE READ"))
    for named in ("state/HOLD.md", "state/ACTIVE.md", "state/DECISIONS.md", "dory.toml", "launch-3.md"):
        assert named in problems
    assert said.index("## CANNOT BE READ") < said.index("## HOLD")
    assert "everything" in part(said, "HOLD")[0]


@pytest.mark.parametrize("budget", [LEAST, 3000, BUDGET])
def test_the_budget_is_kept_and_what_is_left_out_is_said(busy: Workspace, budget: int) -> None:
    for number in range(100):
        busy.draft(f"more-{number}", title=f"Another draft {number} of a long list of them")
    busy.write("memory/2026-02-05.md", "x\n" * 5000)
    said = say(busy, budget)
    assert len(said) <= budget
    for title in ("HOLD", "ACTIVE", "ANSWERED", "WAITING", "PROMISED", "DECISIONS", "READ NEXT"):
        assert part(said, title), title
    assert "more lines left out for lack of room: read state/STAGING.md" in said
    assert "Not shown here, for lack of room; read: " in said
    assert "memory/2026-02-05.md (10,000 characters)" in said


def test_nothing_in_a_file_reaches_the_agent_as_a_control_character(busy: Workspace) -> None:
    busy.write("state/HOLD.md", "## Currently Blocked\n\n[2026-02-05 09:00 | a] x\x1b[2J \u202e y — z\n")
    busy.write("SOUL.md", "be \x9b kind\n")
    said = say(busy)
    assert not {"\x1b", "\x9b", "\u202e"} & set(said)
    assert "⟦U+001B ESCAPE⟧" in said


def test_as_json_all_of_it_is_there_whatever_the_budget(busy: Workspace) -> None:
    found: Context = context(busy.gate())
    values = json.loads(json.dumps(as_json(found, text(found, LEAST)), default=str))
    assert values["task"]["said"] == "post the launch thread\none a day"
    assert values["captured"]["same"] is True
    assert [one["id"] for one in values["waiting"]] == [f"launch-{n}" for n in (3, 4, 5, 6)]
    assert {one["id"]: one["to_do"] for one in values["answered"]} == {
        "launch-1": False, "launch-2": True, "launch-7": False, "reply": True, "slack": True,
    }  # fmt: skip
    assert len(values["text"]) <= LEAST


@pytest.fixture
def commands(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Told]:
    made = Commands(monkeypatch, capsys, workspace.env)
    return lambda *words, stdin="": made.agent("-C", str(workspace.root), "boot", *words, stdin=stdin)


def test_the_commands(busy: Workspace, commands: Callable[..., Told]) -> None:
    busy.clock.now = datetime.now().astimezone()  # the command goes by the machine's
    line = look(busy.gate()).line
    assert commands().out == f"{line}\n"
    told = commands("--context", "--budget", "2500")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"{line}\n")
    assert len(told.out) <= 2500
    message = f"I am ready.\n> `{line}`\nGo on?"
    assert [commands("--verify", line).code, commands("--verify", "-", stdin=message).code] == [0, 0]
    wrong = line.replace("HOLD=[1] item", "HOLD=[0] items").replace("STAGING=[6]", "STAGING=[0]")
    told = commands("--verify", wrong)
    assert (told.code, told.out) == (Exit.REFUSED, f"{line}\n")
    assert told.err == (
        "the boot line does not say what is true: HOLD says [0], and it should be [1]; STAGING says [0], and it should"
        " be [6]\n"
    )
    told = commands("--verify", "I am ready.", "--json")
    assert told.code == Exit.REFUSED
    assert json.loads(told.out) == {"same": False, "differences": ["there is no boot line in it"], "line": line}


@pytest.mark.parametrize(
    "words",
    [("--budget", "4000"), ("--context", "--budget", "10"), ("--context", "--budget", "x"), ("--verify", " "),
     ("--verify", "x", "--context"), ("--verify",), ("--verify", "-")],
)  # fmt: skip
def test_a_wrong_call_is_one_sentence(commands: Callable[..., Told], words: tuple[str, ...]) -> None:
    told = commands(*words)
    assert (told.code, told.out, told.err.count("\n")) == (Exit.USAGE, "", 1)


@pytest.mark.parametrize(("kind", "name"), [("hold", "HOLD"), ("active", "ACTIVE"), ("staging", "STAGING")])
def test_agent_and_human_read_the_same_boot_line_out_of_what_people_write(
    workspace: Workspace, kind: str, name: str
) -> None:
    files = sorted((CORPUS / kind).glob("*.md"))
    assert files
    for file in files[::3]:
        shutil.rmtree(workspace.env["XDG_STATE_HOME"], ignore_errors=True)
        workspace.write(f"state/{name}.md", file.read_bytes())
        gate = workspace.gate()
        assert look(gate).line == load(gate).boot, file
