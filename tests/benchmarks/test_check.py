"""`dory-agent check` as a hook calls it: a process of its own, 10,000 records in the ledger, one item in each state."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dory_tui.gate import runner
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.init import init
from tests.benchmarks.test_start import DRAFT, RECORDS, fill, spent
from tests.process.launcher import launcher

STATES = {"approved": 0, "pending": 3, "held": 6, "done": 4, "unknown": 5, "missing": 2}


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG")}
    return {**kept, "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "none")}


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Gate:
    root = tmp_path_factory.mktemp("ws")
    init(Gate.open(root, env))
    gate = Gate.open(root, env)
    for state in STATES:
        if state == "missing":
            continue
        (root / f"state/drafts/post-{state}.md").write_text(DRAFT.format(n=state))
        item = gate.staging().find(f"post-{state}")
        assert item is not None
        if state != "pending":
            decide.approve(gate, item.id, item.digest)
    assert runner.run(gate, "post-done").code == 0
    with gate.ledger.lock("post-unknown"):
        gate.record("post-unknown", 1, records.CLAIMED, {})
    (root / "state/HOLD.md").write_text("## Currently Blocked\n\n[2026-11-01 10:00 | main] id:post-held — wait\n")
    fill(gate)
    return gate


def test_check_in_every_state(
    gate: Gate, env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = str(launcher(tmp_path / "dory-agent"))
    lines = []
    for state, code in STATES.items():
        command = [sys.executable, agent, "-C", str(gate.root), "check", f"post-{state}"]
        used, times = spent(command, env, (code,))
        lines.append(f"dory-agent check, {state:<17} {used * 1000:6.1f} ms  {times:4.1f} × a bare start of Python")
    with capsys.disabled():
        print(f"\nprocessor time of a whole process, {RECORDS:,} records in the ledger", *lines, sep="\n")
