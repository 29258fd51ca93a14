"""No verb shows a secret that stands in a workspace, unless a person asks for it; and no file is changed for that."""

from __future__ import annotations

import json
import random
import re
import string
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.agent.log import log
from dory_tui.gate.rules import Exit
from dory_tui.review import decide
from dory_tui.review.undo import undo
from dory_tui.workspace.document import parse
from dory_tui.workspace.task_reading import said
from tests.process.test_terminal_output import at_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Workspace

PASSWORD = "hunter2-and-more"
TOKEN = "ghp_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
PEM = (
    "-----BEGIN " + "EC PRIVATE KEY-----",
    "".join(random.Random(5).choices(string.ascii_letters + string.digits + "+/", k=64)),
    "MHcCAQEEIIrYSSNQFaA2Hwf1du",
    "qP7=",
    "-----END " + "EC PRIVATE KEY-----",
)
ADVICE = "reference where it lives instead of the value"
CANDIDATE = """---
id: bank
section: "## Money"
source: memory/2026-02-04.md#L1
scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 2}
replaces: null
status: pending
---
- the bank's password: %s
"""


@pytest.fixture
def leaky(workspace: Workspace) -> Workspace:
    """Secrets in every file that has words."""
    workspace.live()
    workspace.draft(
        "post", f"Log in with the password: {PASSWORD}\n", {"argv": ["/bin/echo", f"--token={TOKEN}"]}, title="Post it"
    )
    workspace.draft("words", f"The password is {PASSWORD}.\n")
    workspace.hold(f"[2026-02-04 10:00 | main] path:elsewhere password: {PASSWORD} — until {TOKEN} is changed")
    workspace.write("state/ACTIVE.md", f'## Current Instruction\n\n**User said:** "log in, password: {PASSWORD}"\n')
    workspace.write("state/DECISIONS.md", f"# D\n\n## Recent\n\n[2026-02-04 10:00 | main] Use {TOKEN} — it works\n")
    workspace.write("MEMORY.md", f"# M\n\n## Money\n\n- the key is {TOKEN}\n")
    workspace.write("memory/promotions/bank.md", CANDIDATE % PASSWORD)
    log(workspace.gate(), "promise", f"change the password: {PASSWORD}")
    return workspace


def call(made: Workspace, module: str, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", module, "-C", str(made.root), *words]
    asked = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    return subprocess.run(line, env=made.env, capture_output=True, text=True, check=False, **asked)


def dory(made: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    return call(made, "dory_tui", *words)


def agent(made: Workspace, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return call(made, "dory_tui.cli.dory_agent", *words, stdin=stdin)


def files(made: Workspace) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in made.root.rglob("*") if file.is_file() and ".dory" not in file.parts}


@pytest.mark.parametrize(
    "words",
    [("dory", "status"), ("dory", "status", "--json"), ("dory", "show", "post"), ("dory", "show", "bank", "--json"),
     ("dory", "memory", "audit"), ("dory", "memory", "prune", "5"), ("dory", "upkeep"), ("dory", "lint"),
     ("agent", "boot"), ("agent", "status", "--json"), ("agent", "kept"), ("agent", "kept", "--json")],
    ids=" ".join,
)  # fmt: skip
def test_no_verb_shows_one(leaky: Workspace, words: tuple[str, ...]) -> None:
    before = files(leaky)
    done = (dory if words[0] == "dory" else agent)(leaky, *words[1:])
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert PASSWORD not in said
    assert TOKEN not in said
    assert "characters)" in said
    assert files(leaky) == before


@pytest.fixture
def keyed(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A private key in each file of which changes are shown: a draft, MEMORY.md, a candidate, a log that lost lines."""
    made = make_workspace(git=True).live()
    whole = "\n".join(PEM)
    made.draft("post", f"The key:\n\n{whole}\n\nand so on\n", title="Post it")
    made.write("MEMORY.md", f"# M\n\n## Money\n\n- tea\n\n{whole}\n")
    made.write("memory/promotions/bank.md", (CANDIDATE % "x").replace("- the bank's password: x", whole))
    log = f"memory/{made.clock.now:%Y-%m-%d}.md"
    made.write(log, f"# Log\n\n- 09:00 the key\n\n{whole}\n\n- 09:10 done\n")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "x")
    made.write(log, f"# Log\n\n- 09:00 the key\n\n{PEM[0]}\n{PEM[1]}\n")
    made.draft("post", f"The key:\n\n{PEM[0]}\n{PEM[2]}\n{PEM[3]}\n{PEM[4]}\n", title="Post it")
    return made


def shows_no_key(said: str) -> None:
    """The lines of the key are masked, wherever and behind whatever they stand."""
    assert "Traceback" not in said
    assert "characters)" in said
    assert [line for line in PEM[:4] if line in said] == []


@pytest.mark.parametrize(
    "words",
    [("show", "post"), ("diff", "post"), ("diff", "post", "--json"), ("diff", "bank"), ("diff", "bank", "--json"),
     ("show", "bank"), ("memory", "promote", "bank"), ("memory", "promote", "--all"), ("memory", "prune", "7"),
     ("memory", "review", "--json"), ("--plain",)],
    ids=" ".join,
)  # fmt: skip
def test_no_line_of_a_private_key_is_shown(keyed: Workspace, words: tuple[str, ...]) -> None:
    done = dory(keyed, *words)
    shows_no_key(done.stdout + done.stderr)


def test_no_line_of_a_private_key_is_shown_at_a_terminal(keyed: Workspace, tmp_path: Path) -> None:
    keyed.env["TERM"] = "xterm-256color"
    with at_terminal(keyed, tmp_path, "upkeep") as terminal:
        terminal.take(lambda: b"Put back what it lost? y, n or q, and Enter:" in terminal.raw)
        terminal.type("q\n")
        terminal.end()
        shows_no_key(terminal.raw.decode())
        assert "-    7 …(" in terminal.raw.decode()
    (tmp_path / "plain").mkdir()
    with at_terminal(keyed, tmp_path / "plain", "memory", "review") as terminal:
        terminal.take(lambda: b"a letter, and Enter: " in terminal.raw)
        terminal.type("q\n")
        terminal.end()
        shows_no_key(terminal.raw.decode())


def test_a_person_may_ask_for_it(leaky: Workspace, tmp_path: Path) -> None:
    shown = dory(leaky, "show", "post")
    assert shown.stdout.endswith(f"2 secrets are masked as …(n characters): --reveal shows them; {ADVICE}\n")
    assert "  1        --token=ghp_…(40 characters)\n" in shown.stdout
    whole = dory(leaky, "show", "post", "--reveal")
    assert f"password: {PASSWORD}\n" in whole.stdout
    assert f"  1        --token={TOKEN}\n" in whole.stdout
    assert ADVICE not in whole.stdout
    assert json.loads(dory(leaky, "show", "post", "--json").stdout)["masked"] == 2
    kept = json.loads(dory(leaky, "show", "post", "--json", "--reveal").stdout)
    assert TOKEN in kept["text"]
    assert kept["masked"] == 0


@pytest.mark.parametrize("reveal", [False, True])
def test_a_yes_to_what_was_masked_says_so(leaky: Workspace, tmp_path: Path, reveal: bool) -> None:
    leaky.env["TERM"] = "xterm-256color"
    words = ["approve", "post", *(["--reveal"] if reveal else [])]
    with at_terminal(leaky, tmp_path, *words) as terminal:
        terminal.take(lambda: re.search(rb"type [a-z]{4} and Enter", terminal.raw) is not None)
        asked = terminal.raw.decode()
        assert ("To approve post, 2 secrets of it unseen, type" in asked) is not reveal
        assert (TOKEN in asked) is reveal
        terminal.type("no\n")
        assert terminal.end() == Exit.REFUSED


def test_approved_words_are_handed_out_as_they_are(leaky: Workspace) -> None:
    leaky.approve("words")
    claimed = json.loads(agent(leaky, "claim", "words", "--json").stdout)
    assert claimed["output"] == f"The password is {PASSWORD}.\n"


def test_exact_words_with_a_secret_are_kept_to_the_byte_and_flagged(workspace: Workspace) -> None:
    words = f"log in as mira,\n  the password is {PASSWORD}"
    done = agent(workspace.live(), "capture", stdin=f"{words}\n")
    assert done.returncode == Exit.FINE
    assert done.stderr == f"line 2 holds a value for “password”: {ADVICE}\n"
    assert said(parse("ACTIVE.md", (workspace.root / "state/ACTIVE.md").read_bytes())) == words.encode()
    again = agent(workspace, "capture", "--json", stdin=f"{words}\n")
    assert json.loads(again.stdout)["fresh"] is False
    assert ADVICE in again.stderr
    assert PASSWORD not in done.stdout + again.stdout
    logged = agent(workspace, "log", "--kind", "fact", f"the token is {TOKEN}")
    assert TOKEN not in logged.stdout
    assert logged.stderr == f"line 1 holds a GitHub token: {ADVICE}\n"
    assert ADVICE not in agent(workspace, "log", "--kind", "fact", "no API key here").stderr


def test_what_dory_writes_itself_repeats_none(make_workspace: Callable[..., Workspace]) -> None:
    made = make_workspace(git=True)
    made.hold(f"[2026-02-04 10:00 | main] The mail to the bank, with {'all ' * 8}that is in it: token {TOKEN} — later")
    (hold,) = made.gate().holds()
    decide.lift(made.gate(), hold.hash)
    undo(made.gate())
    decide.add_hold(made.gate(), f"Another, password: {PASSWORD}")
    written = (made.root / "state/DECISIONS.md").read_text() + made.git("log", "--format=%B")
    assert written.count("Another, password: …(16 characters)") == 2
    assert TOKEN[:12] not in written
    assert PASSWORD not in written
    assert (made.root / "state/HOLD.md").read_text().count(TOKEN) == 1
