"""The same action staged again under a new id: the human is told, and decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import intents, runner
from dory_tui.gate.rules import Exit
from dory_tui.review import decide
from dory_tui.review.desk import load
from dory_tui.review.inspect import inspect
from dory_tui.review.show import show_draft
from dory_tui.tui.widgets.draft_page import draft_page

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.gate
SENDS: dict[str, Any] = {"argv": ["/bin/cat"], "stdin": "body"}


def told(workspace: Workspace, identity: str) -> list[str]:
    gate = workspace.gate()
    return list(inspect(gate.root, workspace.find(identity), workspace.clock.now, gate=gate).notices)


def test_an_action_that_was_approved_and_ran_is_told_under_a_new_id(workspace: Workspace) -> None:
    workspace.write("dory.toml", 'time_zone = "Europe/Berlin"\n')
    workspace.draft("launch-3", action=SENDS)
    workspace.approve("launch-3")
    workspace.clock.forward(minutes=5)
    assert runner.run(workspace.gate(), "launch-3").code == Exit.FINE
    workspace.clock.forward(days=2)
    workspace.draft("launch-3b", action=SENDS)
    sentence = "the same action was approved as launch-3 on 5 Feb 10:00, and ran on 5 Feb 10:05"
    assert told(workspace, "launch-3b") == [sentence]
    desk = load(workspace.gate())
    item = desk.staged_by_id("launch-3b")
    assert item is not None
    assert f"notice   {sentence}" in show_draft(desk, item)
    looked = inspect(workspace.root, item.draft, desk.now, gate=desk.gate)
    assert sentence in [fact.text for fact in draft_page(item, looked, desk, "1 of 1").facts]
    workspace.approve("launch-3b")
    assert runner.run(workspace.gate(), "launch-3b").code == Exit.FINE, "it is told, and the human decides"
    assert told(workspace, "launch-3") == [
        "the same action was approved as launch-3b on 7 Feb 10:05, and ran on 7 Feb 10:05"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("became", "words"),
    [
        ("nothing", "has not run yet"), ("failed", "ran and failed on 5 Feb 10:00"),
        ("unknown", "was started, with an unknown outcome on 5 Feb 10:00"), ("revoked", "was revoked on 5 Feb 10:00"),
    ],
)  # fmt: skip
def test_what_became_of_the_other_is_said(workspace: Workspace, became: str, words: str) -> None:
    ends = {"failed": "exit 1", "unknown": "kill -9 $$"}.get(became, "exit 0")
    action = {"argv": ["/bin/sh", "-c", ends]}
    workspace.draft("one", action=action)
    workspace.approve("one")
    if became == "revoked":
        decide.revoke(workspace.gate(), "one", workspace.find("one").digest)
    elif became != "nothing":
        runner.run(workspace.gate(), "one")
    workspace.draft("two", action=action)
    assert told(workspace, "two") == [f"the same action was approved as one on 5 Feb 10:00, and {words}"]


def test_one_that_is_only_staged_is_told_too(workspace: Workspace) -> None:
    workspace.draft("one", action=SENDS)
    workspace.draft("two", action={**SENDS, "timeout": "9s"}, kind="post")
    assert told(workspace, "one") == ["the same action is staged as two too"]
    assert told(workspace, "two") == ["the same action is staged as one too"]


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("Another text.\n", {}), ("Hello.\n", {"argv": ["/bin/cat", "-"]}), ("Hello.\n", {"env": {"ROOM": "b"}}),
        ("Hello.\n", {"attach": ["a.txt"]}),
    ],
)  # fmt: skip
def test_another_action_is_not_the_same(workspace: Workspace, body: str, change: dict[str, Any]) -> None:
    workspace.write("a.txt", "a")
    workspace.draft("one", action=SENDS)
    workspace.approve("one")
    workspace.draft("two", body, action={**SENDS, **change})
    assert told(workspace, "one") == told(workspace, "two") == []


def test_the_same_files_under_another_id_are_the_same_and_others_are_not(workspace: Workspace) -> None:
    file = workspace.write("a.txt", "a")
    for name in ("one", "two"):
        workspace.draft(name, action={**SENDS, "attach": ["a.txt"]})
    workspace.approve("one")
    assert len(told(workspace, "two")) == 1
    file.write_text("b")
    assert told(workspace, "two") == ["the same action is staged as one too"]


def test_a_text_and_its_own_earlier_attempts_are_no_twins(workspace: Workspace) -> None:
    workspace.draft("text")
    workspace.draft("text-2")
    workspace.approve("text")
    assert told(workspace, "text-2") == []
    workspace.draft("post", action={"argv": ["/bin/sh", "-c", "exit 1"]})
    workspace.approve("post")
    runner.run(workspace.gate(), "post")
    assert told(workspace, "post") == []


def test_after_thirty_days_it_is_forgotten(workspace: Workspace) -> None:
    workspace.draft("one", action=SENDS)
    workspace.approve("one")
    workspace.draft("two", action=SENDS)
    workspace.clock.forward(days=29)
    assert told(workspace, "two") == ["the same action was approved as one on 5 Feb 10:00, and has not run yet"]
    workspace.clock.forward(days=1)
    assert told(workspace, "two") == ["the same action is staged as one too"]


def test_a_lost_or_damaged_index_is_made_out_of_the_ledger(workspace: Workspace) -> None:
    workspace.draft("one", action=SENDS)
    workspace.approve("one")
    workspace.draft("two", action=SENDS)
    before = told(workspace, "two")
    notes = workspace.gate().ledger.state / intents.NOTES
    kept = notes.read_bytes()
    notes.unlink()
    assert told(workspace, "two") == before
    workspace.draft("other", "More.\n", action=SENDS)
    workspace.approve("other")
    assert notes.read_bytes().startswith(kept), "and the next yes writes it down again"
    notes.write_bytes(kept + b"torn \xff")
    assert told(workspace, "two") == before
    notes.write_bytes(kept.replace(b" one ", b" nobody "))
    assert told(workspace, "two") == ["the same action is staged as one too"], "a yes that never was is none"
