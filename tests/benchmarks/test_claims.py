"""How many claims a second, one process and eight, beside a naive append and beside what two fsyncs cost anyhow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from tests.process.launcher import CLONE

CLAIMERS = Path(__file__).with_name("claimers.py")
TIMES = {1: 200, 8: 50}
"""How often each of so many processes does it."""


def rate(kind: str, folder: Path, processes: int) -> float:
    """How often a second all of them together did it; the slowest says when it was over."""
    folder.mkdir()
    (folder / "workspace").mkdir()
    env = {**os.environ, "PYTHONPATH": str(CLONE)}
    Gate.open(folder / "workspace", {**env, "XDG_STATE_HOME": str(folder / "state")}).settle()
    times = TIMES[processes]
    started = [
        subprocess.Popen(
            [sys.executable, str(CLAIMERS), kind, str(folder), str(number), str(times)],
            env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(processes)
    ]  # fmt: skip
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    slowest = 0.0
    for process in started:
        said, _ = process.communicate()
        assert process.returncode == 0
        slowest = max(slowest, float(said))
    return processes * times / slowest


@pytest.mark.parametrize("round_", range(2))
def test_claims_a_second(tmp_path: Path, capsys: pytest.CaptureFixture[str], round_: int) -> None:
    found = {
        (kind, count): rate(kind, tmp_path / f"{kind}{count}", count)
        for kind in ("claims", "naive", "floor")
        for count in TIMES
    }
    with capsys.disabled():
        print(f"\ntimes a second, round {round_ + 1}   1 process  8 processes   ratio")
        names = {"claims": "claims", "naive": "naive JSONL with fsync", "floor": "file and folder synced"}
        for kind, name in names.items():
            one, eight = found[kind, 1], found[kind, 8]
            print(f"{name:<24} {one:10.0f} {eight:12.0f} {eight / one:8.1f}")
        for count in TIMES:
            claims, naive, floor = (found[kind, count] for kind in names)
            beside = f"{claims / naive:.2f} of the naive append, {claims / floor:.2f} of the floor"
            print(f"a claim with {count} process{'es' if count > 1 else ''}: {beside}")
