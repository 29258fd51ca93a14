"""`dory-agent hook` as a platform calls it: a process of its own before each tool, beside a bare start of Python."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.review.init import init
from tests.benchmarks.test_start import DRAFT, RECORDS, fill, spent
from tests.process.launcher import launcher

TOOLS = {
    "a command that goes through": ("Bash", {"command": "cd src && grep -rn 'def main' . | head -20; git status"}),
    "a command that is gated": ("Bash", {"command": "cd src && git push --force origin main"}),
    "a file that is written": ("Write", {"file_path": "notes.md", "content": "x" * 20_000}),
    "a file that is kept": ("Edit", {"file_path": ".dory/workspace", "old_string": "a", "new_string": "b"}),
}


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
    lines = []
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
        told = json.dumps({**common, **sent}).encode()
        used, times = spent([sys.executable, agent, "hook", "claude-code"], env, sent=told)
        lines.append(f"hook, {name:<29} {used * 1000:6.1f} ms  {times:4.1f} × a bare start of Python")
    with capsys.disabled():
        print(f"\nprocessor time of a whole process, {RECORDS:,} records in the ledger", *lines, sep="\n")
