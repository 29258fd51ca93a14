"""The OpenClaw plugin on its own, under the machine's node: what it asks, and that any other answer stops the call."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dory_tui.workspace import templates

PLUGIN = templates.folder() / "openclaw-plugin"
CALL = {"toolName": "exec", "params": {"command": "post launch-3.md"}}
READ = {"toolName": "read", "params": {"path": "MEMORY.md"}}
STOPPED = {"block": True, "blockReason": "post waits for a yes"}

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")


class Stand:
    """A program in the place of `dory-agent`: what it was asked, and a plugin that asks it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "dory-agent"
        self.asked = folder / "asked"
        self.config: dict[str, Any] = {"agent": str(self.program), "workspace": str(folder / "ws")}

    def does(self, script: str) -> Stand:
        self.program.write_text(f"#!/bin/sh\n{script}\n")
        self.program.chmod(0o755)
        return self

    def says(self, answer: str) -> Stand:
        return self.does(f"cat > '{self.asked}'\ncat <<'END'\n{answer}\nEND")

    def fire(self, call: dict[str, Any], event: str = "before_tool_call") -> dict[str, Any]:
        done = subprocess.run(
            ["node", str(PLUGIN / "canary.mjs"), json.dumps(self.config)],
            input=json.dumps({"event": event, "sessionKey": "agent:main:main", **call}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


def test_it_asks_in_the_words_of_the_contract(stand: Stand) -> None:
    stand.does(f"echo \"$@\" > '{stand.folder}/words'; cat > '{stand.asked}'; echo '{{}}'")
    assert stand.fire(CALL) == {}
    workspace = stand.config["workspace"]
    assert (stand.folder / "words").read_text() == f"-C {workspace} hook openclaw\n"
    assert json.loads(stand.asked.read_text()) == {
        "event": "before_tool_call", **CALL, "sessionKey": "agent:main:main", "cwd": workspace, "workspace": workspace
    }  # fmt: skip


def test_a_block_stops_the_call_and_says_why(stand: Stand) -> None:
    assert stand.says(json.dumps(STOPPED)).fire(CALL) == STOPPED
    assert stand.fire(READ) == STOPPED, "a tool that only looks is asked about too"
    assert stand.says('{"block": true}').fire(CALL) == {"block": True, "blockReason": "dory says no"}


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo '{}'; echo 'MEMORY.md:3: bad' >&2; exit 2", "it ended with 2: MEMORY.md:3: bad"),
        ("kill -9 $$", "it ended with SIGKILL"),
        ("exit 0", "it said nothing"),
        ("echo '{\"block\": tru'", "its answer is not a JSON object"),
        ("echo '[]'", "its answer is not a JSON object"),
        ("echo null", "its answer is not a JSON object"),
        ('echo \'{"block": "yes"}\'', "its answer is neither {} nor a block"),
        ("echo '{\"block\": false}'", "its answer is neither {} nor a block"),
        ('echo \'{"decision": "allow"}\'', "its answer is neither {} nor a block"),
        ("head -c 1100000 /dev/zero | tr '\\0' ' '; echo '{}'", "more than 1048576 characters on stdout"),
    ],
)
def test_whatever_else_it_hears_stops_what_can_act(stand: Stand, script: str, why: str) -> None:
    answer = stand.does(script).fire(CALL)
    assert answer["block"] is True
    assert f"dory could not be asked ({why})" in answer["blockReason"]


def broken(stand: Stand) -> None:
    stand.does("exit 1")


def missing(stand: Stand) -> None:
    pass


def unset(stand: Stand) -> None:
    stand.says("{}").config.clear()


@pytest.mark.parametrize(
    ("happens", "why"),
    [(broken, "it ended with 1"), (missing, "ENOENT"), (unset, "no `agent` or no `workspace`")],
)
def test_when_nobody_answers_only_what_looks_goes_on(stand: Stand, happens: Callable[[Stand], None], why: str) -> None:
    happens(stand)
    assert stand.fire(READ) == {}
    for tool in ("message", "a_tool_of_tomorrow"):
        answer = stand.fire({"toolName": tool, "params": {}})
        assert answer["block"] is True, tool
        assert why in answer["blockReason"]


def test_what_takes_too_long_is_ended_with_all_it_started(stand: Stand) -> None:
    stand.config["seconds"] = 0.5
    pipe = stand.folder / "pipe"
    os.mkfifo(pipe)
    # Both hold the pipe: it is at its end only when both are gone.
    stand.does(f"exec 3> '{pipe}'; sleep 60 & sleep 60")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert "no answer in 0.5 seconds" in stand.fire(CALL)["blockReason"]
        assert select.select([reader], [], [], 5)[0], "one of them still runs"
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


def test_an_answer_that_did_not_wait_for_the_whole_question_counts(stand: Stand) -> None:
    big = {"toolName": "write", "params": {"content": "x" * 5_000_000}}
    assert stand.does(f"echo '{json.dumps(STOPPED)}'").fire(big) == STOPPED


def test_the_agent_reads_the_boot_context_or_that_there_is_none(stand: Stand) -> None:
    stand.says('{"context": "BOOT: 1 hold"}')
    assert stand.fire({}, "boot") == {"appendSystemContext": "BOOT: 1 hold"}
    asked = json.loads(stand.asked.read_text())
    workspace = stand.config["workspace"]
    assert asked == {"event": "boot", "sessionKey": "agent:main:main", "cwd": workspace, "workspace": workspace}
    assert stand.says('{"context": ""}').fire({}, "boot") == {}
    for answer in ("{}", '{"context": 3}', "no JSON"):
        told = stand.says(answer).fire({}, "boot")["appendSystemContext"]
        assert "dory could not be asked" in told
        assert "take nothing as approved" in told
