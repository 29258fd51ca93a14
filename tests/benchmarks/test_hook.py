"""`dory-agent hook` as a platform calls it: a process of its own before each tool, beside a bare start of Python."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.review.init import init
from tests.benchmarks.test_start import DRAFT, RECORDS, RUNS, fill, spent
from tests.process.launcher import launcher

TOOLS = {
    "a command that goes through": ("Bash", {"command": "cd src && grep -rn 'def main' . | head -20; git status"}),
    "a command that is gated": ("Bash", {"command": "cd src && git push --force origin main"}),
    "a file that is written": ("Write", {"file_path": "notes.md", "content": "x" * 20_000}),
    "a file that is kept": ("Edit", {"file_path": ".dory/workspace", "old_string": "a", "new_string": "b"}),
}


def fed(command: list[str], env: dict[str, str], sent: bytes) -> float:
    """Median processor seconds, user and system, of one process that is fed."""
    found = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, input=sent, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found)


def test_a_hook_beside_a_bare_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, root = tmp_path / "home", tmp_path / "ws"
    home.mkdir()
    root.mkdir()
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
    env = {**kept, "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "none")}
    init(Gate.open(root, env))
    fill(Gate.open(root, env))
    for name in ("one", "two"):
        (root / f"state/drafts/post-{name}.md").write_text(DRAFT.format(n=name))
    (root / "state/HOLD.md").write_text("## Currently Blocked\n\n[2026-11-01 10:00 | main] id:post — wait\n")
    agent = str(launcher(tmp_path / "dory-agent"))
    bare = spent([sys.executable, "-c", "pass"], env)
    lines = [f"python -c pass                      {bare * 1000:6.1f} ms   1.0"]
    common = {"session_id": "s", "cwd": str(root)}
    events = {
        name: {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
        for name, (tool, given) in TOOLS.items()
    }
    events |= {
        "the end of a turn": {"hook_event_name": "Stop"},
        "the start of a session": {"hook_event_name": "SessionStart"},
    }
    for name, sent in events.items():
        used = fed([sys.executable, agent, "hook", "claude-code"], env, json.dumps({**common, **sent}).encode())
        lines.append(f"hook, {name:<29} {used * 1000:6.1f} ms  {used / bare:4.1f}")
    with capsys.disabled():
        print(f"\nprocessor time of a whole process, {RECORDS:,} records in the ledger", *lines, sep="\n")
