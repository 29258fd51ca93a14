"""The review without the screen: `dory --plain` at a real pty, `dory diff` and `dory history`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from dory_tui.ledger import records
from dory_tui.review import decide
from tests.conftest import Workspace
from tests.process.terminal import Terminal

MEMORY = """\
---
id: ana-slack
section: "## People"
source: memory/2026-02-07.md#L12
scores: {longevity: 1, reuse: 2, impact: 2, uniqueness: 1}
replaces: null
status: pending
---
- Ana prefers Slack
"""


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace(git=True).live()
    made.write("MEMORY.md", "# MEMORY.md\n\n## People\n\n- Bob: contractor\n")
    made.hold("[2026-02-01 09:00 | main] Newsletter — later")
    for name in ("post-1", "post-2"):
        made.runs(name, title=f"Post \x1b[31m{name}")
    made.write("memory/promotions/ana-slack.md", MEMORY)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Start")
    return made


@pytest.fixture
def lines(desk: Workspace) -> Iterator[Terminal]:
    terminal = Terminal.dory(desk.root, {**desk.env, "TERM": "dumb"}, size=(150, 100))
    yield terminal
    terminal.close()


def dory(made: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dory_tui", "-C", str(made.root), *words]
    return subprocess.run(line, env=made.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


class Talk:
    """A person who types lines, each once the program asks for one."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.seen = 0

    def hear(self, end: str = "> ") -> str:
        """What came since the last line, up to a question."""
        self.terminal.take(lambda: self._fresh.endswith(end))
        said, self.seen = self._fresh, len(self.terminal.raw)
        return said

    @property
    def _fresh(self) -> str:
        return self.terminal.raw[self.seen :].decode(errors="replace").replace("\r\n", "\n")

    def say(self, line: str, end: str = "> ") -> str:
        self.terminal.type(f"{line}\n")
        return self.hear(end)

    def confirm(self, line: str) -> str:
        asked = self.say(line, "decides nothing): ")
        code = re.search(r"type (\w{4}) and Enter", asked)
        assert code is not None
        return asked + self.say(code[1])


def number(listed: str, words: str) -> str:
    """The number of the last printed line that has these words."""
    found = re.findall(rf"^ *(\d+)  .*{re.escape(words)}", listed, re.MULTILINE)
    assert found, listed
    return str(found[-1])


def test_a_morning_in_lines(desk: Workspace, lines: Terminal) -> None:
    talk = Talk(lines)
    listed = talk.hear()
    assert "\x1b" not in listed
    assert "2 drafts and 1 memory wait" in listed
    assert "Newsletter" in listed
    talk.say("")
    assert desk.events("post-1") == []
    shown = talk.say(number(listed, "(post-1)"))
    assert "if approved, this runs" in shown
    done = talk.confirm(f"a {number(listed, '(post-1)')}")
    assert "post-1 is approved" in done
    assert desk.events("post-1") == ["1-001-approved"]
    talk.say("a 1")
    assert "is for a draft or a memory" in lines.raw.decode().split("a 1")[-1]
    listed = talk.say(f"r {number(done, '(post-2)')} not like this, shorter")
    assert desk.find("post-2").note == "not like this, shorter"
    assert "stays out" in listed
    refused = talk.say(f"a {number(listed, 'ana-slack')}")
    assert "ana-slack does not earn its place" in refused
    listed = talk.say(f"s {number(listed, 'ana-slack')} 3,3,2,1")
    assert "earns its place" in listed
    talk.confirm(f"a {number(listed, 'ana-slack')}")
    assert (desk.root / "MEMORY.md").read_text().endswith("- Bob: contractor\n- Ana prefers Slack\n")
    listed = talk.say("H Everything on Friday — the office is closed")
    assert "Everything on Friday" in listed
    talk.confirm(f"l {number(listed, 'Newsletter')}")
    assert "Newsletter" not in {hold.subject for hold in desk.gate().holds()}
    assert "no number of the list" in talk.say("a 999")
    lines.type("q\n")
    assert lines.end() == 0
    assert "6 decided" in talk._fresh
    assert "(post-1)" in talk._fresh


def test_a_yes_tells_what_is_masked_and_v_shows_it(desk: Workspace, lines: Terminal) -> None:
    desk.runs("login", title="Log in", body="The password: hunter2-and-more\n")
    talk = Talk(lines)
    listed = talk.hear()
    at = number(listed, "(login)")
    assert "1 secret is masked as …(n characters): V NUMBER shows it" in talk.say(at)
    asked = talk.say(f"a {at}", "decides nothing): ")
    assert "To approve login, 1 secret of it unseen, type" in asked
    assert "hunter2" not in asked + talk.say("no")
    assert "hunter2-and-more" in talk.say(f"V {at}")
    asked = talk.say(f"a {at}", "decides nothing): ")
    assert "hunter2-and-more" in asked
    assert "unseen" not in asked
    talk.say("no")
    talk.say(at)
    assert "1 secret of it unseen" in talk.say(f"a {at}", "decides nothing): ")


def test_what_changed_since_it_was_listed_is_listed_again(desk: Workspace, lines: Terminal) -> None:
    talk = Talk(lines)
    at = number(talk.hear(), "(post-1)")
    desk.runs("post-1", title="Another post", body="Other.\n")
    said = talk.say(f"r {at} no")
    assert "changed since you read it" in said
    assert "Another post (post-1)" in said
    assert desk.events("post-1") == []


def test_every_task_and_what_contradicts_is_listed(desk: Workspace) -> None:
    desk.write("state/ACTIVE.md", "# A\n\n## Tasks\n\n- [ ] Write the newsletter\n- [x] Feed the cat\n- [ ] Paint\n")
    listed = dory(desk, "--plain").stdout
    for words in ("“Write the newsletter”", "done: “Feed the cat”", "“Paint”"):
        assert re.search(rf"^ *\d+  {words}$", listed, re.MULTILINE), listed
    assert re.search(r"^CONFLICTS\n     ACTIVE asks for what HOLD blocks: “Newsletter”", listed, re.MULTILINE)


def test_the_help_says_what_the_command_line_alone_does(lines: Terminal) -> None:
    talk = Talk(lines)
    talk.hear()
    assert "With the command line alone: dory override, memory promote --all, memory prune" in talk.say("?")


def test_what_is_typed_ahead_decides_nothing(desk: Workspace, lines: Terminal) -> None:
    talk = Talk(lines)
    listed = talk.hear()
    lines.type(f"a {number(listed, '(post-1)')}\nr {number(listed, '(post-2)')}\ny\n\n")
    talk.hear("decides nothing): ")
    talk.say("wrong")
    assert desk.events("post-1") == desk.events("post-2") == []


def test_without_a_terminal_it_prints_the_lines(desk: Workspace) -> None:
    made = dory(desk, "--plain")
    assert made.returncode == 0
    assert "1  Newsletter" in made.stdout
    assert made.stdout.endswith("to decide, open it at a terminal\n")
    assert "\x1b" not in made.stdout


def test_a_draft_is_compared_with_what_was_decided_about(desk: Workspace) -> None:
    assert "nobody decided about it yet; since it was last committed" in dory(desk, "diff", "post-1").stdout
    desk.approve("post-1")
    assert "nothing changed since it was approved" in dory(desk, "diff", "post-1").stdout
    file = desk.root / "state/drafts/post-1.md"
    file.write_bytes(file.read_bytes().replace(b"Hello.\n", b"Hello, all.\r\n"))
    made = dory(desk, "diff", "post-1")
    assert made.returncode == 0
    assert re.search(r"^- +\d+ Hello\.$", made.stdout, re.MULTILINE)
    assert re.search(r"^\+ +\d+ Hello, all\.  \(.*CRLF.*\)$", made.stdout, re.MULTILINE)
    spoken = json.loads(dory(desk, "diff", "post-1", "--json").stdout)
    assert spoken["changed"]
    assert [one["kind"] for one in spoken["lines"] if one["kind"] != "same"] == ["removed", "added"]


def test_rejected_bytes_are_found_in_git_and_a_new_draft_is_new(desk: Workspace) -> None:
    file = desk.root / "state/drafts/post-2.md"
    rejected = file.read_bytes()
    decide.reject(desk.gate(), "post-2", desk.find("post-2").digest, "no")
    file.write_bytes(rejected.replace(b"Hello.", b"Good day."))
    desk.git("commit", "--quiet", "--all", "--message", "Revise")
    file.write_bytes(rejected.replace(b"Hello.", b"Good evening."))
    made = dory(desk, "diff", "post-2").stdout
    assert "since it was rejected" in made
    assert "Hello." in made
    assert "Good day." not in made
    desk.runs("fresh")
    assert "it is new: nobody decided about it" in dory(desk, "diff", "fresh").stdout


def test_a_memory_shows_what_it_would_change_and_an_unknown_id_is_a_sentence(desk: Workspace) -> None:
    assert re.search(r"^\+ +\d+ - Ana prefers Slack$", dory(desk, "diff", "ana-slack").stdout, re.MULTILINE)
    for verb in ("diff", "history"):
        made = dory(desk, verb, "nobody\x1b[2J")
        assert made.returncode == 2
        assert made.stderr.count("\n") == 1
        assert "\x1b" not in made.stderr


def test_history_tells_of_one_item_or_of_all(desk: Workspace) -> None:
    desk.approve("post-1")
    hold = desk.gate().holds()[0]
    every = dory(desk, "history")
    assert re.search(r"commit +Start  ", every.stdout)
    assert re.search(r"approved +post-1", every.stdout)
    one = dory(desk, "history", "post-1", "--json")
    assert records.APPROVED in [event["what"] for event in json.loads(one.stdout)]
    assert "Newsletter" in dory(desk, "history", hold.hash[:8]).stdout
    assert dory(desk, "history", "--limit", "0").returncode == 2
