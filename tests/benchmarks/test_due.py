"""`dory-agent run --due` over a thousand approved drafts, beside a bare start of Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.init import init
from tests.process.launcher import launcher

DRAFTS = 1000
DRAFT = """---
id: post-{n}
title: Post {n}
action:
  argv: ["/bin/true"]
schedule:
  lane: lane-{lane}
  expires: {expires}
---
Text of post {n}.
"""


@pytest.fixture
def quick() -> Iterator[Path]:
    """In memory where there is such a folder: a thousand yeses made durable one by one take long."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


def approved(folder: Path, lanes: int) -> tuple[Path, dict[str, str]]:
    """A workspace with a thousand approved drafts in so many lanes, outside any repository.

    One yes is said; the others are made of it. (To say each of them reads all drafts each time.)
    """
    env = {"PATH": "/nonexistent", "HOME": str(folder), "LANG": "C.UTF-8"}
    root = folder / "workspace"
    root.mkdir()
    init(Gate.open(root, env))
    gate = Gate.open(root, env)
    write(root, 0, lanes)
    decide.approve(gate, "post-0", gate.staging().drafts[0].digest)
    said = gate.ledger.history("post-0")[-1].record
    assert said is not None
    for number in range(1, DRAFTS):
        write(root, number, lanes)
    for draft in gate.staging().drafts:
        if draft.id == "post-0":
            continue
        gate.ledger.keep_blob(draft.data)
        lane = f"lane-{int(draft.id.removeprefix('post-')) % lanes}"
        facts = {**said.data["facts"], "title": draft.title, "lane": lane}
        with gate.ledger.lock(draft.id):
            gate.record(
                draft.id, 1, records.APPROVED, {**said.data, "digest": draft.digest, "lane": lane, "facts": facts}
            )
    return root, env


def write(root: Path, number: int, lanes: int) -> None:
    text = DRAFT.format(n=number, lane=number % lanes, expires="2099-01-01T00:00:00Z")
    (root / f"state/drafts/post-{number}.md").write_text(text)


@pytest.mark.parametrize("lanes", [1, 20])
def test_due_over_a_thousand_approved_drafts(quick: Path, capsys: pytest.CaptureFixture[str], lanes: int) -> None:
    root, env = approved(quick, lanes)
    agent = str(launcher(quick / "bin/dory-agent"))
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "pass"], env=env, check=True)
    bare = time.monotonic() - begun
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, agent, "-C", str(root), "run", "--due"], env=env, capture_output=True, text=True, check=False
    )
    took = time.monotonic() - begun
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stderr.count("it ran once and is done") == lanes
    with capsys.disabled():
        print(
            f"\nrun --due, {DRAFTS:,} approved in {lanes:>2} lanes: {took:5.2f} s, {took / bare:5.0f} x python -c pass"
        )
