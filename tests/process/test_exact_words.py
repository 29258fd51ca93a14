"""Words that were captured and changed later: seen, with the line and what changed, wherever somebody looks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dory_tui.agent.boot import look
from dory_tui.agent.task import capture, finish_task
from dory_tui.gate.exact_words import Drift, drift
from dory_tui.review.desk import load
from dory_tui.tui.widgets.entries import views
from dory_tui.tui.widgets.pages import task_page
from dory_tui.workspace.document import parse, read
from dory_tui.workspace.layout import ACTIVE
from tests.conftest import Workspace

WORDS = b"revise to 37 scenes and map it to that timing"
LINES = b"cut scene 12\n\nthen call Bob\nand log it"
ON = "captured on 5 Feb 10:00"


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    made = make_workspace()
    made.write("dory.toml", 'time_zone = "Etc/GMT-1"\n')
    return made


def drifted(workspace: Workspace) -> Drift | None:
    return drift(workspace.gate(), read(workspace.root, ACTIVE) or parse(ACTIVE, b""))


def text(workspace: Workspace) -> str:
    return (workspace.root / ACTIVE).read_text()


def test_a_paraphrase_is_seen_with_its_line_and_both_wordings(workspace: Workspace) -> None:
    capture(workspace.gate(), WORDS)
    assert drifted(workspace) is None
    workspace.write(ACTIVE, text(workspace).replace(WORDS.decode(), "update the scene count"))
    found = drifted(workspace)
    assert found is not None
    line = text(workspace).splitlines().index('**User said:** "update the scene count"') + 1
    assert (found.kind, found.line) == ("changed", line)
    assert found.sentence == f"the quoted words are not those {ON}: somebody changed them since"
    assert (found.captured, found.now) == (WORDS, b"update the scene count")
    assert found.changes == (f"- {WORDS.decode()}", "+ update the scene count")
    assert look(workspace.gate()).problems == (f"{ACTIVE}: {found.sentence}",)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("> then call Bob", "> then call Ann", ("- then call Bob", "+ then call Ann")),
        ("> and log it\n", "", ("- and log it",)),
        ("> cut scene 12\n", "> cut scene 12\n> at noon\n", ("+ at noon",)),
    ],
)
def test_of_several_lines_the_first_that_differs_is_named(
    workspace: Workspace, old: str, new: str, changes: tuple[str, ...]
) -> None:
    capture(workspace.gate(), LINES)
    workspace.write(ACTIVE, text(workspace).replace(old, new))
    found = drifted(workspace)
    assert found is not None
    # A line whose end alone differs, as the last one's does when one below it goes, is a change of its own.
    assert set(changes) <= set(found.changes)
    shown = text(workspace).splitlines()[found.line - 1]
    assert shown in ("> then call Ann", "> at noon", "**User said:**")


@pytest.mark.parametrize(
    "instead",
    [
        "# Active\n\n## In progress\n\n- update the scene count\n",
        "# ACTIVE\n\n## Current Instruction\n\nUpdate the scene count.\n",
    ],
)
def test_something_else_in_the_words_place_is_a_change(workspace: Workspace, instead: str) -> None:
    capture(workspace.gate(), WORDS)
    workspace.write(ACTIVE, instead)
    found = drifted(workspace)
    assert found is not None
    assert (found.kind, found.line, found.captured) == ("changed", 5, WORDS)
    assert f"the words {ON} are quoted here no more" in str(look(workspace.gate()).problems)


def test_words_that_were_taken_out_are_no_change_and_can_be_finished(workspace: Workspace) -> None:
    capture(workspace.gate(), WORDS)
    workspace.write(ACTIVE, "# ACTIVE\n\n**User said:** [none]\n")
    found = drifted(workspace)
    assert found is not None
    assert (found.kind, found.line, found.captured) == ("gone", 0, WORDS)
    assert look(workspace.gate()).problems == ()
    assert finish_task(workspace.gate()).fresh
    assert drifted(workspace) is None
    assert not finish_task(workspace.gate()).fresh


def test_without_the_words_themselves_the_change_is_seen_all_the_same(workspace: Workspace) -> None:
    """A capture by an earlier version kept the digest alone; so does one whose copy was damaged."""
    capture(workspace.gate(), WORDS)
    for blob in (workspace.gate().ledger.state / "blobs").iterdir():
        blob.write_bytes(b"damaged")
    workspace.write(ACTIVE, text(workspace).replace("37", "38"))
    found = drifted(workspace)
    assert found is not None
    assert (found.kind, found.captured, found.changes) == ("changed", None, ())


def test_the_active_pane_shows_it(workspace: Workspace) -> None:
    capture(workspace.gate(), WORDS, steps=["one"])
    desk = load(workspace.gate())
    assert desk.task is not None
    assert [fact.tone for fact in task_page(desk.task, desk).facts] == ["quiet", "quiet"]
    workspace.write(ACTIVE, text(workspace).replace(WORDS.decode(), "update the scene count"))
    desk = load(workspace.gate())
    assert desk.task is not None
    told = [fact.text for fact in task_page(desk.task, desk).facts if fact.tone == "held"]
    assert told == [
        f"the quoted words are not those {ON}: somebody changed them since",
        f"- {WORDS.decode()}",
        "+ update the scene count",
    ]
    assert "not the words you gave" in str(views(desk)[1].entries[0].row)
