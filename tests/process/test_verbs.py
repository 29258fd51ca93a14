"""Every verb of `dory-agent` has the same manners: JSON, standard input, a call made again, one sentence, a manual."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dory_tui.cli import dory
from dory_tui.cli.agent_help import DRAFT, MANUAL
from dory_tui.cli.agent_verbs import VERBS, add_verbs
from dory_tui.cli.common import base_parser
from dory_tui.cli.dory_agent import main
from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.workspace.day_log import log_path
from tests.conftest import Workspace
from tests.process.in_process import Commands


@dataclass(frozen=True)
class Case:
    """How a verb is called, what it reads, and what a second call answers."""

    words: tuple[str, ...]
    text: str | None = None
    again: Exit = Exit.FINE


CASES = {
    "boot": Case(("boot",)),
    "status": Case(("status",)),
    "capture": Case(("capture",), "go on\nand on"),
    "finish-task": Case(("finish-task", "--outcome", "-"), "commit 3f9c2a1"),
    "log": Case(("log", "--kind", "bug"), "the redirect loops"),
    "remember": Case(("remember",), "Ana prefers Slack"),
    "kept": Case(("kept", "-"), "call Bob"),
    "hold": Case(("hold",), "the newsletter — wait for Ana"),
    "decide": Case(("decide",), "one queue — simpler"),
    "stage": Case(("stage",), DRAFT),
    "propose": Case(("propose", "--section", "## People", "--scores", "3,2,2,1"), "- Ana prefers Slack"),
    "check": Case(("check", "post")),
    "run": Case(("run", "post"), again=Exit.CLAIMED),
    "claim": Case(("claim", "note"), again=Exit.CLAIMED),
    "finish": Case(("finish", "taken", "ok")),
}
ELSEWHERE = {"search", "hook"}
TEXTS = sorted(name for name, case in CASES.items() if case.text is not None)


class Agent(Commands):
    """`dory-agent` in this process, at this workspace."""

    def __init__(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        super().__init__(monkeypatch, capsys, workspace.env)
        self.workspace = workspace

    def __call__(self, *words: str, stdin: str | bytes = "") -> tuple[int, str, str]:
        told = self.agent("-C", str(self.workspace.root), *words, stdin=stdin)
        return told.code, told.out, told.err

    def files(self) -> dict[str, bytes]:
        """Every file of the workspace and of the ledger; the notes of who looked when, and locks, are neither."""
        state = Path(self.workspace.env["XDG_STATE_HOME"])
        found = [*self.workspace.root.rglob("*"), *state.rglob("*.json"), *state.rglob("blobs/*")]
        return {str(file): file.read_bytes() for file in found if file.is_file() and file.name != "booted.json"}


@pytest.fixture
def agent(
    make_workspace: Callable[..., Workspace], quick_folder: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Agent:  # fmt: skip
    workspace = make_workspace(folder=quick_folder).live()
    workspace.write("dory.toml", 'time_zone = "Etc/GMT-1"\n')
    return Agent(workspace, monkeypatch, capsys)


def prepared(agent: Agent, name: str) -> Case:
    """What a verb needs to have something to do."""
    workspace = agent.workspace
    if name in ("check", "run"):
        workspace.runs("post")
        workspace.approve("post")
    if name in ("claim", "finish"):
        identity = CASES[name].words[1]
        workspace.draft(identity, "Thursday works.\n")
        workspace.approve(identity)
        if name == "finish":
            runner.claim(workspace.gate(), identity)
    if name == "finish-task":
        agent("capture", "go on")
    if name == "kept":
        workspace.write(log_path(workspace.clock.now.date()), "## Promises\n\n- [ ] 10:00 call Bob\n")
    return CASES[name]


def test_every_verb_is_in_the_table_and_dory_has_them_too() -> None:
    assert set(CASES) == set(VERBS) - ELSEWHERE
    assert set(MANUAL) >= set(CASES)
    assert set(CASES) <= set(dory.VERBS)


@pytest.mark.parametrize("name", CASES)
def test_json_is_json_and_says_where(agent: Agent, name: str) -> None:
    case = prepared(agent, name)
    code, out, _ = agent(*case.words, "--json", stdin=case.text or "")
    assert code == 0
    found = json.loads(out)
    if case.text is not None:
        assert found["sentence"]
        assert (agent.workspace.root / found["path"]).is_file()
        assert found["fresh"] is True
    else:
        assert found["line" if name == "boot" else "boot" if name == "status" else "sentence"]


@pytest.mark.parametrize("name", CASES)
def test_a_call_made_again_does_nothing_twice(agent: Agent, name: str) -> None:
    case = prepared(agent, name)
    code, out, err = agent(*case.words, stdin=case.text or "")
    assert (code, bool(out or err)) == (0, True)
    before = agent.files()
    code, out, err = agent(*case.words, stdin=case.text or "")
    assert code == case.again, err
    assert agent.files() == before
    if case.text is not None:
        assert re.search("already|nothing was|stands there", out), out
    assert agent.workspace.count("post") == (name == "run")


@pytest.mark.parametrize("name", CASES)
def test_what_it_does_not_know_is_one_sentence(agent: Agent, name: str) -> None:
    case = CASES[name]
    before = agent.files()
    wrong: list[tuple[str, ...]] = [(*case.words, "--no-such-option")]
    if name in ("check", "claim", "finish", "run"):
        wrong += [(name, "nobody", *case.words[2:]), (name,)]
    if name == "finish":
        wrong.append(("finish", "taken", "perhaps"))
    if name == "log":
        wrong.append(("log", "--kind", "joke", "x"))
    if name == "run":
        wrong += [("run", "--due", "--max", "0"), ("run", "--due", "--refusal-exit", "999"), ("run", "a", "--due")]
    if name == "propose":
        wrong += [(*case.words[:-1], "9,9,9,9", "- x"), (*case.words, "\udcff"), ("propose", "- x")]
    if name == "stage":
        wrong += [("stage", "state/drafts/nowhere.md"), ("stage", "../outside.md"), ("stage", "x.md", "--id", "y")]
    if name in ("hold", "decide"):
        wrong.append((name, "--session", "dory" * 11, "x"))
    for words in wrong:
        code, out, err = agent(*words)
        # `check` answers on standard output, whatever it says.
        said = out if name == "check" and not err else err
        assert (code, said.count("\n")) == (Exit.USAGE, 1), (words, code, out, err)
        assert "Traceback" not in said
        assert "a fault in dory" not in said
    assert agent.files() == before


class Terminal(io.TextIOWrapper):
    """Standard input with nobody at it."""

    def isatty(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        raise AssertionError("it waits for a person")


@pytest.mark.parametrize("name", TEXTS)
def test_no_words_are_one_sentence_and_a_terminal_is_not_waited_for(agent: Agent, name: str) -> None:
    words = CASES[name].words
    if name != "finish-task":  # which may have nothing to say
        code, out, err = agent(*words)
        assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1), err
    agent.monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO()))
    assert main(["-C", str(agent.workspace.root), *words]) == Exit.USAGE
    assert "standard input" in agent.capsys.readouterr().err


@pytest.mark.parametrize("name", TEXTS)
def test_long_text_by_standard_input_is_taken_whole(agent: Agent, name: str) -> None:
    case = prepared(agent, name)
    if name == "kept":
        return
    text = (case.text or "") + (" und so weiter" * 4000)
    code, out, err = agent(*case.words, "--json", stdin=text)
    assert code == 0, err
    path = json.loads(out)["path"]
    assert text.rpartition("\n")[2][-50_000:].strip() in (agent.workspace.root / path).read_text("utf-8")


# The manual


@pytest.mark.parametrize("name", sorted(MANUAL))
def test_the_manual_tells_when_what_and_how(agent: Agent, name: str) -> None:
    code, out, err = agent(name, "--help")
    assert (code, err) == (0, "")
    assert re.search(r"(?m)^Call it |^Without words|^`run ID`", out)
    assert "examples:\n" in out
    assert "exit codes:\n" in out
    assert max(map(len, out.splitlines())) <= 120


@pytest.mark.parametrize("line", [line for _, lines, _ in MANUAL.values() for line in lines])
def test_every_example_of_the_manual_is_a_call(line: str) -> None:
    words = shlex.split(line.partition(" < ")[0])
    assert words[0] == "dory-agent"
    parser = base_parser("dory-agent", "")
    add_verbs(parser, VERBS, words[1:])
    assert parser.parse_args(words[1:]).verb == words[1]


def test_the_general_help_names_every_verb(agent: Agent) -> None:
    code, out, _ = agent("--help")
    assert code == 0
    for name in VERBS:
        assert re.search(rf"(?m)^    {name}\b", out), name
    assert "You cannot approve" in out
    assert "75 not yet" in out


# Drafts that cannot be staged


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("action:\n  stdin: body", 'write it as `argv: ["bin/post", "--stdin"]`'),
        ("action:\n  argv: bin/post", 'write it as `argv: ["bin/post", "--stdin"]`'),
        ("action:\n  argv: [/bin/cat]\n  stdin: all", "write it as `stdin: body`"),
        ("action:\n  argv: [/bin/cat]\n  shell: true", "line 5: `action.shell` is not a field of a draft that runs;"
         " those of `action` are argv, stdin, cwd, env, env_pass, attach, timeout, ok_exit"),
        ("action:\n  argv: [/bin/cat]\ntags: [x]", "`tags` is not a field of a draft that runs; they are id, title,"),
        ("action:\n  argv: [/bin/cat]\n  timeout: 60", "write it as `timeout: 60s`"),
        ("action:\n  argv: [/bin/cat]\n  timeout: soon", "such as 60s"),
        ("action:\n  argv: [/bin/cat]\n  env: [x]", "write it as `env: {LANG: C.UTF-8}`"),
        ("action:\n  argv: [/bin/cat]\n  env: {a-b: x}", "such as LANG"),
        ("action:\n  argv: [/bin/cat]\n  env_pass: POST_TOKEN", "write it as `env_pass: [POST_TOKEN]`"),
        ("action:\n  argv: [/bin/cat]\n  attach: [/etc/passwd]", "such as img/launch.png"),
        ("action:\n  argv: [/bin/cat]\n  ok_exit: 0", "write it as `ok_exit: [0]`"),
        ("action:\n  argv: [/bin/cat]\nschedule:\n  lane: my lane", "write it as `lane: social/main`"),
        ("action:\n  argv: [/bin/cat]\nschedule:\n  not_before: 2026-12-01T09:00", "such as 2026-12-01T09:00Z"),
        ("action:\n  argv: [/bin/cat]\nschedule:\n  grace: 0m", "write it as `grace: 15m`"),
    ],
)  # fmt: skip
def test_what_cannot_run_is_refused_with_line_field_and_example(agent: Agent, front: str, says: str) -> None:
    before = agent.files()
    code, out, err = agent("stage", stdin=f"---\nid: post-3\n{front}\n---\ntext\n")
    assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1)
    assert re.match(r"not staged: line \d+: ", err), err
    assert says in err
    assert agent.files() == before


def test_an_agent_hears_what_keeps_its_draft_from_a_yes(agent: Agent) -> None:
    said = agent("stage", stdin=DRAFT)[1]
    assert "but as it is a human cannot approve it: bin/post is not a program that can be started here" in said
    agent("hold", "launch thread posts 2-7 — wait")
    code, out, _ = agent("stage", stdin=DRAFT)
    assert (code, "staged already" in out, "held by “launch thread posts 2-7 — wait”" in out) == (0, True, True)
    ended = DRAFT.replace("lane: social", "expires: 2020-01-01T00:00:00Z").replace("launch-3", "old")
    assert "; it stands as expired: its window ended" in agent("stage", stdin=ended)[1]
    said = agent("stage", stdin="---\nid: odd\naction: run it\n---\nx\n")[1]
    assert "but its `action` is no mapping, so it is text and runs nothing; action: {argv: " in said
    assert agent("stage", "--id", "plain", stdin="x\n")[1].endswith("it runs only after a human's yes\n")


def test_two_that_stage_the_same_at_once_list_it_once(agent: Agent) -> None:
    agent.workspace.gate().settle()
    file = agent.workspace.write("state/drafts/launch-3.md", DRAFT)
    running = [agent.workspace.agent("stage", "state/drafts/launch-3.md") for _ in range(3)]
    for one in running:
        assert one.wait(60) == 0
    staging = (agent.workspace.root / "state/STAGING.md").read_text()
    assert staging.count("**Location:** state/drafts/launch-3.md") == 1
    assert file.read_text() == DRAFT


def test_dory_takes_the_humans_hold_by_standard_input_and_as_json(agent: Agent) -> None:
    told = agent.dory("-C", str(agent.workspace.root), "hold", "--json", stdin="the newsletter - wait\n")
    assert told.code == 0
    assert "newsletter" in json.loads(told.out)["sentence"]
    assert "| dory] the newsletter - wait" in (agent.workspace.root / "state/HOLD.md").read_text()
