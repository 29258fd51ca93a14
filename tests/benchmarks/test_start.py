"""What a start costs, whole processes, each beside a reference measured in the same run. `make bench` prints ratios."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.init import init

RUNS = 15
RECORDS = 10_000
DRAFT = """---
id: post-{n}
title: Post {n}
kind: post
action:
  argv: ["/bin/cat"]
  stdin: body
---
Text of post {n}.
"""


def spent(
    command: list[str], env: dict[str, str], codes: tuple[int, ...] = (0,), sent: bytes = b""
) -> tuple[float, float]:
    """(median processor seconds, user and system, of one process, how many times that of a bare start of Python).

    The two take turns: on a machine that others use too, what is measured one after the other compares nothing.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for times, line in zip(found, (command, [sys.executable, "-c", "pass"]), strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(line, env=env, input=sent, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            assert line is not command or done.returncode in codes, done.stderr
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found[0]), statistics.median(found[0]) / statistics.median(found[1])


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("home")
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG")}
    return {**kept, "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "none")}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Path:
    """One approved draft, one pending, two holds, and a ledger of 10,000 records of other items."""
    root = tmp_path_factory.mktemp("ws")
    gate = Gate.open(root, env)
    init(gate)
    gate = Gate.open(root, env)
    (root / "state/HOLD.md").write_text(
        "## Currently Blocked\n\n[2026-11-01 10:00 | main] X thread tweets 2-7 — awaiting explicit approval\n"
        "[2026-11-02 10:00 | main] Stripe payout — wrong total\n"
    )
    names = ["one", "two"]
    for name in names:
        (root / f"state/drafts/post-{name}.md").write_text(DRAFT.format(n=name))
    item = gate.staging().find("post-one")
    assert item is not None
    decide.approve(gate, "post-one", item.digest)
    fill(gate)
    return root


def fill(gate: Gate) -> None:
    """Records written straight to both ledgers: making 10,000 of them durable one by one would take minutes."""
    when = datetime.now(UTC) - timedelta(days=30)
    for number in range(RECORDS):
        key = f"old-{number}"
        record = records.Record(
            gate.ledger.workspace, key, 1, 1, records.REJECTED, "t", when, None, {"digest": "0" * 64}
        )
        for base in (gate.ledger.original, gate.ledger.mirror):
            (base / key).mkdir(parents=True)
            (base / key / record.name).write_bytes(records.serialise(record))


def test_check_beside_a_bare_start(workspace: Path, env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    command = str(Path(sys.executable).with_name("dory-agent"))
    lines = []
    for name, codes in (("post-one", (0,)), ("post-two", (3,))):
        used, times = spent([command, "-C", str(workspace), "check", name], env, codes)
        state = "approved" if codes == (0,) else "pending"
        lines.append(f"dory-agent check, {state:<17} {used * 1000:6.1f} ms  {times:4.1f} × a bare start of Python")
    with capsys.disabled():
        print(f"\nprocessor time of a whole process, {RECORDS:,} records in the ledger", *lines, sep="\n")
