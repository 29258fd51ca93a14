"""Auditing and pruning MEMORY.md of a workspace on disk: what git knows, what is shown and what is written."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.history import Repository
from dory_tui.review import memories, pruning
from dory_tui.review.auditing import audit
from dory_tui.review.change import DecisionError, StaleError
from dory_tui.review.undo import undo
from dory_tui.workspace.promotions import read_promotions
from tests.conftest import Workspace
from tests.process.terminal import Terminal

MEMORY = "# M\n\n## People\n\n- Ana sends invoices\n  - to Bo\n- Rent is due\n\n## Tea\n\n- Green\n"


def commit(made: Workspace, days: int, text: str) -> None:
    """Commit MEMORY.md with this text, so many days before the clock of the workspace."""
    made.write("MEMORY.md", text)
    when = (made.clock.now - timedelta(days=days)).isoformat()
    made.git("add", "MEMORY.md")
    made.env |= {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    made.git("commit", "--quiet", "--message", f"{days} days ago")
    del made.env["GIT_AUTHOR_DATE"], made.env["GIT_COMMITTER_DATE"]


@pytest.fixture
def desk(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace(git=True)
    commit(made, 300, MEMORY.replace("- Rent is due\n", "").replace("  - to Bo\n", ""))
    commit(made, 200, MEMORY)
    return made


def dory(made: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dory_tui", "-C", str(made.root), *words]
    return subprocess.run(line, env=made.env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def digest(made: Workspace) -> str:
    return hashlib.sha256((made.root / "MEMORY.md").read_bytes()).hexdigest()


def test_git_tells_when_a_line_came(desk: Workspace) -> None:
    desk.write("MEMORY.md", MEMORY + "- New\n")
    desk.write("memory/archive/2025-08-01.md", "# Log\n\n- rent was due\n")
    os.utime(desk.root / "MEMORY.md", (desk.clock.now.timestamp(),) * 2)
    found = audit(desk.gate())
    assert [(one.entry.words, one.age(found.today), one.silent(found.today), one.stale) for one in found.lines] == [
        ("Green", 300, None, True), ("Ana sends invoices", 200, None, True), ("Rent is due", 200, 188, True),
        ("New", 0, None, False),
    ]  # fmt: skip
    assert found.dated
    assert (found.size, found.cap, found.stale_days, found.stale_origin) == (len(MEMORY) + 6, 10_240, 180, None)


def test_an_age_of_the_workspaces_own_is_shown_with_its_origin(desk: Workspace) -> None:
    desk.write("dory.toml", "[memory]\nstale_days = 250\n")
    found = audit(desk.gate())
    assert [one.entry.words for one in found.stale] == ["Green"]
    assert (found.stale_days, found.stale_origin) == (250, "dory.toml")
    desk.write("dory.toml", "[memory]\nstale_days = 0\n")
    with pytest.raises(config.ConfigError, match="stale_days must be a positive number"):
        audit(desk.gate())


def test_without_history_the_age_is_the_files(workspace: Workspace) -> None:
    with pytest.raises(DecisionError, match="there is no MEMORY"):
        audit(workspace.gate())
    file = workspace.write("MEMORY.md", MEMORY)
    os.utime(file, ((workspace.clock.now - timedelta(days=9)).timestamp(),) * 2)
    found = audit(workspace.gate())
    assert not found.dated
    assert {one.age(found.today) for one in found.lines} == {9}
    assert Repository(workspace.root, workspace.env).sizes("MEMORY.md", workspace.clock.now) == []


def test_sizes_are_those_after_each_commit(desk: Workspace) -> None:
    desk.git("rm", "--quiet", "MEMORY.md")
    desk.git("commit", "--quiet", "--message", "Gone")
    sizes = Repository(desk.root, desk.env).sizes("MEMORY.md", desk.clock.now - timedelta(days=400))
    assert [size for _, size in sizes] == [len(MEMORY) - 24, len(MEMORY)]
    assert sizes[0][0] == desk.clock.now - timedelta(days=300)
    assert len(Repository(desk.root, desk.env).sizes("MEMORY.md", desk.clock.now - timedelta(days=250))) == 1


def test_how_far_the_scores_differ(desk: Workspace) -> None:
    agent = {"longevity": 3, "reuse": 2, "impact": 2, "uniqueness": 1}
    for name in ("one", "two", "three"):
        desk.write(
            f"memory/promotions/{name}.md",
            f'---\nid: {name}\nsection: "## People"\nsource: x\nscores: {{longevity: 3, reuse: 2, impact: 2, '
            "uniqueness: 1}\nreplaces: null\nstatus: pending\n---\n- " + name + "\n",
        )

    def digest_of(name: str) -> str:
        return next(one.digest for one in read_promotions(desk.root) if one.id == name)

    memories.score(desk.gate(), "one", digest_of("one"), {**agent, "longevity": 1})
    memories.score(desk.gate(), "one", digest_of("one"), {**agent, "longevity": 0})
    after = memories.preview(desk.gate(), next(one for one in read_promotions(desk.root) if one.id == "two")).after
    memories.promote(desk.gate(), "two", digest_of("two"), after=hashlib.sha256(after).hexdigest())
    found = {gap.axis: (gap.compared, gap.changed, gap.mean) for gap in audit(desk.gate()).gaps}
    assert found["longevity"] == (2, 1, -1.5)
    assert found["reuse"] == (2, 0, 0.0)


def test_pruning_writes_what_was_previewed_in_one_commit(desk: Workspace) -> None:
    would = pruning.preview(desk.gate(), [6, 11])
    assert would.words == ("Ana sends invoices", "Green")
    assert would.after == b"# M\n\n## People\n\n- Rent is due\n\n## Tea\n"
    done = pruning.prune(desk.gate(), would.digest, [6, 11])
    assert (desk.root / "MEMORY.md").read_bytes() == would.after
    assert done.sentence == f"2 entries and {len(would.before) - len(would.after)} bytes are out of MEMORY.md"
    assert done.commit is not None
    assert desk.git("log", "--format=%s", "-1") == "Prune 2 entries of MEMORY.md\n"
    assert desk.git("show", "--format=", "--name-only").split() == ["MEMORY.md", "state/DECISIONS.md"]
    assert f"MEMORY.md: pruned 2 entries — {would.digest[:12]}" in (desk.root / "state/DECISIONS.md").read_text()


def test_undo_puts_back_what_was_pruned(desk: Workspace) -> None:
    pruning.prune(desk.gate(), digest(desk), [5])
    pruning.prune(desk.gate(), digest(desk), [5])
    undo(desk.gate())
    assert (desk.root / "MEMORY.md").read_text() == MEMORY.replace("- Ana sends invoices\n  - to Bo\n", "")
    undo(desk.gate())
    assert (desk.root / "MEMORY.md").read_text() == MEMORY
    assert desk.git("log", "--format=%s", "-2").splitlines() == ["Undo: Prune 1 entry of MEMORY.md"] * 2


def test_nothing_is_pruned_from_a_file_that_changed(desk: Workspace) -> None:
    seen = digest(desk)
    desk.write("MEMORY.md", "- other\n" + MEMORY)
    with pytest.raises(StaleError):
        pruning.prune(desk.gate(), seen, [1])
    assert (desk.root / "MEMORY.md").read_text() == "- other\n" + MEMORY
    for lines, words in (([], "name the lines"), ([2], "line 2: no entry stands there"), ([99], "line 99")):
        with pytest.raises(DecisionError, match=words) as refused:
            pruning.prune(desk.gate(), digest(desk), lines)
        assert refused.value.code == Exit.USAGE


def test_a_file_over_its_cap_can_be_pruned(desk: Workspace) -> None:
    desk.write("MEMORY.md", MEMORY + "".join(f"- number {n} {'x' * 90}\n" for n in range(200)))
    before = (desk.root / "MEMORY.md").stat().st_size
    pruning.prune(desk.gate(), digest(desk), [5])
    assert 10_240 < (desk.root / "MEMORY.md").stat().st_size < before


def test_the_command_lists_and_asks(desk: Workspace) -> None:
    desk.live()
    shown = dory(desk, "memory", "audit")
    assert shown.returncode == 0, shown.stderr
    assert "MEMORY.md: 0.1 of 10.0 KB, 3 entries, 3 stale" in shown.stdout
    assert "to take them out: dory memory prune 11 5 7" in shown.stdout
    listed = json.loads(dory(desk, "memory", "audit", "--json").stdout)
    assert [one["line"] for one in listed["entries"]] == [11, 5, 7]
    before = (desk.root / "MEMORY.md").read_bytes()
    refused = dory(desk, "memory", "prune", "5-6", "11")
    assert refused.returncode == 3
    assert "-    5 - Ana sends invoices" in refused.stdout
    assert "without a terminal" in refused.stderr
    assert dory(desk, "memory", "prune", "x").returncode == 2
    assert (desk.root / "MEMORY.md").read_bytes() == before
    assert dory(desk, "memory", "prune", "5-6", "11", "--yes").returncode == 0
    assert (desk.root / "MEMORY.md").read_text() == "# M\n\n## People\n\n- Rent is due\n\n## Tea\n"


@pytest.mark.gate
def test_at_a_terminal_the_difference_comes_before_the_question(desk: Workspace) -> None:
    for answer, text in (("n", MEMORY), ("", MEMORY), ("y", MEMORY.replace("- Rent is due\n", ""))):
        terminal = Terminal.dory(desk.root, {**desk.env, "TERM": "xterm"}, "memory", "prune", "7")
        terminal.see("Take them out? y, n or q, and Enter:")
        assert "- Rent is due" in terminal.text
        terminal.type(f"{answer}\n")
        assert terminal.end() == (0 if answer == "y" else 3)
        terminal.close()
        assert (desk.root / "MEMORY.md").read_text() == text


def test_a_secret_in_memory_is_masked_wherever_it_is_listed(desk: Workspace) -> None:
    value = "hunter2-and-more"
    desk.write("MEMORY.md", f"# M\n\n- the password: {value}\n")
    for words in (("memory", "audit"), ("memory", "audit", "--json"), ("memory", "prune", "3"), ("lint",)):
        shown = dory(desk, *words)
        assert value not in shown.stdout + shown.stderr, words
        assert "(16 characters)" in shown.stdout.replace("\\u2026", "…"), words
