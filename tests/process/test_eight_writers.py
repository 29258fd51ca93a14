"""Eight agents write while the review promotes and a ninth writes into MEMORY.md: real processes, nothing is lost."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import IO

import pytest

from dory_tui.review import memories
from dory_tui.review.change import StaleError
from dory_tui.workspace.promotions import Promotion, read_promotions
from tests.conftest import Workspace

WRITERS = 8
# Waits for the word to begin, then calls the verbs as a shell would; what they print is not of interest.
WRITER = """
import sys
from pathlib import Path
from dory_tui.cli.dory_agent import main
root, writer, lines = sys.argv[1], f"writer {sys.argv[2]}", int(sys.argv[3])
print("ready", file=sys.stderr, flush=True)
sys.stdin.readline()
codes = []
for n in range(lines):
    codes.append(main(["-C", root, "log", "--kind", ("task", "fact", "promise")[n % 3], f"{writer} line {n}"]))
codes.append(main(["-C", root, "remember", f"{writer} remembers"]))
codes.append(main(["-C", root, "remember", "--section", "## People", "--scores", "3,2,2,1", f"{writer} proposes"]))
sys.exit(max(codes))
"""
# Appends a line to MEMORY.md for each one that it reads, as an editor does that looks again when it came too late.
NINTH = """
import sys
from pathlib import Path
from dory_tui.workspace.document import ChangedError, read_bytes, replace
root = Path(sys.argv[1])
print("ready", file=sys.stderr, flush=True)
for line in sys.stdin:
    while True:
        before = read_bytes(root / "MEMORY.md", "MEMORY.md")
        try:
            replace(root, "MEMORY.md", before, before + f"- ninth {line}".encode())
            break
        except ChangedError:
            continue
    print(line, end="", file=sys.stderr, flush=True)
"""
CANDIDATE = """---
id: fact-{n}
section: "## {section}"
source: memory/2026-02-04.md#L12
scores: {{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}}
replaces: null
status: pending
---
- promoted {n}
"""


def started(workspace: Workspace, code: str, *words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-c", code, str(workspace.root), *words]
    return subprocess.Popen(
        line, env=workspace.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def tell(process: subprocess.Popen[str], line: str) -> None:
    pipe: IO[str] | None = process.stdin
    assert pipe is not None
    pipe.write(line)
    pipe.flush()


def promote(workspace: Workspace, name: str, meanwhile: Callable[[int], object]) -> int:
    """Promote a candidate as a person does, who looks again when MEMORY.md changed; how often they had to."""
    looks = 0
    while True:
        gate = workspace.gate()
        found = candidate(workspace, name)
        after = hashlib.sha256(memories.preview(gate, found).after).hexdigest()
        meanwhile(looks)
        try:
            memories.promote(gate, name, found.digest, after=after)
            return looks
        except StaleError:
            looks += 1


def candidate(workspace: Workspace, name: str) -> Promotion:
    return next(one for one in read_promotions(workspace.root) if one.id == name)


@pytest.mark.parametrize(
    ("lines", "promoted"), [(2, 3), pytest.param(30, 12, marks=[pytest.mark.gate, pytest.mark.long])]
)
def test_nothing_is_lost_and_nothing_is_there_twice(
    make_workspace: Callable[..., Workspace], lines: int, promoted: int
) -> None:
    workspace = make_workspace(git=True).live()
    workspace.write("MEMORY.md", "# Memory\n\n## People\n\n- Ana\n\n## Money\n\n- Rent is due\n\n## Other\n\n- tea\n")
    for n in range(promoted):
        workspace.write(f"memory/promotions/fact-{n}.md", CANDIDATE.format(n=n, section=("People", "Money")[n % 2]))
    workspace.gate().settle()
    workspace.git("add", "--all")
    workspace.git("commit", "--quiet", "--message", "Candidates")
    ninth = started(workspace, NINTH)
    writers = [started(workspace, WRITER, str(number), str(lines)) for number in range(WRITERS)]
    for process in (ninth, *writers):
        assert said(process) == "ready\n"
    for process in writers:
        tell(process, "go\n")
    appended = looks = 0

    def meanwhile(look: int) -> None:
        """A line of the ninth: certainly before the first try, which comes too late then; beside the second, a race."""
        nonlocal appended
        if look < 2:
            tell(ninth, f"{appended}\n")
            appended += 1
        if look == 0:
            while said(ninth) != f"{appended - 1}\n":
                pass

    for n in range(promoted):
        looks += promote(workspace, f"fact-{n}", meanwhile)
    assert looks >= promoted
    for process in (ninth, *writers):
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    _whole(workspace, lines, promoted, appended)


def _whole(workspace: Workspace, lines: int, promoted: int, appended: int) -> None:
    (log,) = (workspace.root / "memory").glob("20*.md")
    words = Counter(line.partition(":")[2][3:] for line in log.read_text().splitlines() if "writer" in line)
    wanted = [f"writer {number} line {n}" for number in range(WRITERS) for n in range(lines)]
    wanted += [f"writer {number} {does}" for number in range(WRITERS) for does in ("remembers", "proposes")]
    assert words == Counter(wanted)
    memory = (workspace.root / "MEMORY.md").read_text().splitlines()
    found = Counter(line for line in memory if line.startswith("- "))
    ninth = [f"- ninth {n}" for n in range(appended)]
    assert found == Counter(["- Ana", "- Rent is due", "- tea", *ninth, *(f"- promoted {n}" for n in range(promoted))])
    assert [line for line in memory if line in ninth] == ninth, "in their order"
    for n in range(promoted):
        under = memory[: memory.index(f"- promoted {n}")]
        heading = next(line for line in reversed(under) if line.startswith("## "))
        assert heading == ("## People", "## Money")[n % 2]
    statuses = {one.id: one.status for one in read_promotions(workspace.root)}
    assert Counter(statuses.values()) == {"promoted": promoted, "pending": WRITERS}
    assert all(statuses[f"fact-{n}"] == "promoted" for n in range(promoted))
    decided = (workspace.root / "state/DECISIONS.md").read_text()
    assert all(decided.count(f"fact-{n}: promoted to MEMORY.md") == 1 for n in range(promoted))
    subjects = workspace.git("log", "--format=%s").splitlines()
    assert all(subjects.count(f"Promote fact-{n} to MEMORY.md") == 1 for n in range(promoted))
