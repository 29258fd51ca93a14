"""One id at two paths: one claim history, and the second path says what it is before anything runs there."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.due import run_due
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.records import Record, serialise
from dory_tui.review import decide, place
from dory_tui.review.change import DecisionError
from dory_tui.review.verify import verify
from dory_tui.workspace import layout
from tests.process.terminal import Terminal

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = [pytest.mark.gate, pytest.mark.xdist_group("copies")]
IDS = ("ran", "rejected", "revoked", "waits", "fresh")


@pytest.fixture
def two(workspace: Workspace) -> tuple[Gate, Gate]:
    """A workspace in which things were decided, and its copy beside it."""
    for identity in IDS:
        workspace.runs(identity)
    for identity in ("ran", "revoked", "waits"):
        workspace.approve(identity)
    assert runner.run(workspace.gate(), "ran").code == Exit.FINE
    decide.revoke(workspace.gate(), "revoked", workspace.find("revoked").digest)
    decide.reject(workspace.gate(), "rejected", workspace.find("rejected").digest, "not today")
    copy = workspace.root.with_name("copy")
    shutil.copytree(workspace.root, copy)
    return workspace.gate(), workspace.gate(copy)


def approve(gate: Gate, identity: str) -> None:
    draft = gate.staging().find(identity)
    assert draft is not None
    decide.approve(gate, identity, draft.digest)


def states(gate: Gate) -> dict[str, str]:
    return {identity: runner.check(gate, identity).state for identity in IDS}


def again(gate: Gate) -> Gate:
    """As the next command opens it."""
    return Gate.open(gate.root, gate.environment, gate.clock, "dory")


def test_the_second_path_asks_before_anything_runs_and_before_a_yes(
    workspace: Workspace, two: tuple[Gate, Gate]
) -> None:
    first, second = two
    for verb in (runner.check, runner.run):
        found = verb(second, "waits")
        assert found.code == Exit.REFUSED
        assert f"this workspace's id is also at {first.root}" in found.sentence
        assert "say `dory moved` or `dory copied`" in found.sentence
    assert {a.code for a in run_due(second) if a.id == "waits"} == {Exit.REFUSED}
    for identity in ("fresh", "waits"):
        with pytest.raises(DecisionError, match="`dory moved` or `dory copied`") as caught:
            approve(second, identity)
        assert caught.value.code == Exit.REFUSED
    assert runner.run(second, "ran").code == Exit.CLAIMED, "one claim history"
    assert workspace.effects.read_text() == "ran\n"
    approve(first, "fresh")
    assert runner.run(first, "waits").code == runner.run(first, "fresh").code == Exit.FINE
    assert runner.run(again(second), "waits").code == Exit.CLAIMED


def test_a_no_needs_no_word(two: tuple[Gate, Gate]) -> None:
    first, second = two
    draft = second.staging().find("waits")
    assert draft is not None
    decide.reject(second, "waits", draft.digest, "no")
    assert runner.run(first, "waits").state == "rejected"
    assert again(second).twin() == str(first.root), "and a record made there does not make it the first"
    assert again(first).twin() is None


def test_moved_makes_this_path_the_workspace(workspace: Workspace, two: tuple[Gate, Gate]) -> None:
    first, second = two
    sentence = place.moved(second)
    assert str(second.root) in sentence
    assert str(first.root) in sentence
    found = runner.run(again(second), "waits")
    assert (found.code, found.state) == (Exit.REFUSED, "pending"), "the yes was for the other path"
    approve(again(second), "waits")
    assert runner.run(again(second), "waits").code == Exit.FINE
    assert runner.run(again(first), "waits").code == Exit.CLAIMED
    assert workspace.count("waits") == 1
    layout.remember(first.root, first.state_home, first.identity)
    assert again(first).twin() == str(second.root), "now the other one has to say what it is"
    with pytest.raises(DecisionError, match="dory moved"):
        approve(again(first), "fresh")


def test_copied_makes_a_workspace_of_its_own_in_which_every_no_still_counts(
    workspace: Workspace, two: tuple[Gate, Gate]
) -> None:
    first, second = two
    before = states(first)
    place.copied(second)
    own = again(second)
    assert own.identity.id != first.identity.id
    assert own.twin() is None
    assert states(own) == {
        "ran": "done", "rejected": "rejected", "revoked": "revoked", "waits": "pending", "fresh": "pending",
    }  # fmt: skip
    assert "approved elsewhere" in runner.run(own, "waits").sentence
    assert runner.run(own, "ran").code == Exit.CLAIMED
    for identity in ("waits", "fresh"):
        approve(own, identity)
        assert runner.run(again(own), identity).code == Exit.FINE
        assert runner.run(again(own), identity).code == Exit.CLAIMED
    assert states(again(first)) == before, "the first one goes on as it was"
    assert runner.run(again(first), "waits").code == Exit.FINE
    assert workspace.count("waits") == 2, "two workspaces, a yes for each"


def test_a_copy_of_a_copy_keeps_the_nos_of_both(two: tuple[Gate, Gate]) -> None:
    first, second = two
    place.copied(second)
    own = again(second)
    draft = own.staging().find("fresh")
    assert draft is not None
    decide.reject(own, "fresh", draft.digest, "no")
    third = own.root.with_name("third")
    shutil.copytree(own.root, third)
    place.copied(Gate.open(third, own.environment, own.clock, "dory"))
    found = states(Gate.open(third, own.environment, own.clock, "dory"))
    assert (found["ran"], found["rejected"], found["fresh"]) == ("done", "rejected", "rejected")
    assert first.identity.id in layout.former_ids(Gate.open(third, own.environment).ledger.state)


def test_a_copy_whose_lost_id_comes_back_is_itself(two: tuple[Gate, Gate]) -> None:
    first, second = two
    place.copied(second)
    own = again(second).identity.id
    (second.root / layout.IDENTITY).unlink()
    assert again(second).identity.id == own
    (second.root / layout.IDENTITY).write_text(f"{first.identity.id}\n")
    assert again(second).twin() == str(first.root), "with the first one's id, as out of git, it is asked again"


def test_where_the_first_path_is_gone_it_was_moved_and_nobody_is_asked(
    workspace: Workspace, two: tuple[Gate, Gate]
) -> None:
    first, second = two
    shutil.rmtree(second.root)
    first.root.rename(second.root)
    there = again(second)
    assert there.twin() is None
    assert "not for this copy: ask again" in runner.run(there, "waits").sentence
    approve(there, "waits")
    assert runner.run(again(there), "waits").code == Exit.FINE
    assert runner.run(again(there), "ran").code == Exit.CLAIMED
    assert workspace.count("ran") == 1


@pytest.mark.parametrize("left", ["nothing", "another id", "no id"])
def test_a_first_path_that_does_not_carry_the_id_is_no_twin(two: tuple[Gate, Gate], left: str) -> None:
    first, second = two
    file = first.root / layout.IDENTITY
    if left == "nothing":
        shutil.rmtree(first.root)
    elif left == "another id":
        file.write_text("0" * 32 + "\n")
    else:
        file.unlink()
    assert again(second).twin() is None
    if left == "no id":
        approve(second, "fresh")
        assert again(first).identity.id == second.identity.id, "its id is restored from the state folder"
        assert again(first).twin() is None


def test_there_is_nothing_to_say_where_there_is_one_path(workspace: Workspace, two: tuple[Gate, Gate]) -> None:
    first, _ = two
    for work in (place.moved, place.copied):
        with pytest.raises(DecisionError, match="there is nothing to say") as caught:
            work(first)
        assert caught.value.code == Exit.REFUSED
    assert workspace.gate().identity == first.identity


@pytest.mark.parametrize(("verb", "own"), [("moved", False), ("copied", True)])
def test_the_commands_ask_at_a_terminal(workspace: Workspace, two: tuple[Gate, Gate], verb: str, own: bool) -> None:
    first, second = two
    env = workspace.env | {"TERM": "xterm"}
    for right in (False, True):
        with closing(Terminal.dory(second.root, env, verb, size=(400, 40))) as terminal:
            terminal.see("decides nothing):")
            assert str(first.root) in terminal.text
            assert str(second.root) in terminal.text
            code = terminal.text.rsplit(" type ", 1)[1].split(" ", 1)[0]
            terminal.type(f"{code if right else 'nonsense'}\n")
            assert terminal.end() == (0 if right else Exit.REFUSED)
        assert (again(second).twin() is None) is right
    assert (again(second).identity.id != first.identity.id) is own


# No ledger where there was one


def test_a_lost_state_folder_is_not_a_fresh_start(workspace: Workspace, two: tuple[Gate, Gate]) -> None:
    """The mirror still tells what was: nothing with a mirrored claim or yes runs."""
    first, second = two
    shutil.rmtree(second.root)
    shutil.rmtree(first.state_home)
    there = again(first)
    assert there.identity.id == first.identity.id
    assert states(there) == {
        "ran": "done", "rejected": "rejected", "revoked": "revoked", "waits": "pending", "fresh": "pending",
    }  # fmt: skip
    found = runner.run(there, "waits")
    assert found.code == Exit.REFUSED
    assert "approved elsewhere, not with this ledger: ask again" in found.sentence
    assert {answer.code for answer in run_due(there)} <= {Exit.REFUSED, Exit.CLAIMED}
    assert workspace.effects.read_text() == "ran\n"
    with pytest.raises(DecisionError, match="ran once and is done"):
        approve(there, "ran")
    approve(there, "waits")
    assert runner.run(again(there), "waits").code == Exit.FINE


def test_a_lost_state_folder_keeps_an_unknown_outcome_unknown(workspace: Workspace) -> None:
    workspace.draft("post", action={"argv": ["/bin/sh", "-c", "kill -9 $$"]})
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.UNKNOWN
    shutil.rmtree(workspace.gate().state_home)
    assert runner.run(workspace.gate(), "post").code == Exit.UNKNOWN
    assert workspace.standing("post").needs_yes


# What leads out of the workspace, and names that would


@pytest.mark.parametrize("name", ["../../x", "-rf", "a/b", "..", ".hidden", "x" * 65, "a\u202eb", "ünï"])
def test_an_id_that_is_no_id_blocks_its_draft_and_makes_no_path(workspace: Workspace, name: str) -> None:
    file = workspace.runs("post")
    file.write_text(file.read_text().replace('id: "post"', f"id: {name!r}"))
    (draft,) = workspace.gate().staging().drafts
    assert workspace.gate().standing(draft, ()).code in (Exit.USAGE, Exit.REFUSED)
    with pytest.raises(DecisionError):
        decide.approve(workspace.gate(), draft.id, draft.digest)
    for wanted in (name, draft.id):
        assert runner.run(workspace.gate(), wanted).code != Exit.FINE
    assert not workspace.effects.exists()
    outside = [path for path in workspace.root.parent.rglob("*") if path.name in ("x", "-rf", "b")]
    assert outside == []


def test_a_case_twin_blocks_both(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.runs("other")
    file = workspace.root / "state/drafts/other.md"
    file.write_text(file.read_text().replace('"other"', '"POST"'))
    for draft in workspace.gate().staging().drafts:
        assert draft.problem is not None
        with pytest.raises(DecisionError):
            decide.approve(workspace.gate(), draft.id, draft.digest)
    assert runner.run(workspace.gate(), "post").code == Exit.USAGE


@pytest.mark.parametrize("place_", ["cwd", "stdin", "attach", "argv", "location"])
def test_a_link_that_leads_out_is_refused_at_the_yes_and_at_the_run(workspace: Workspace, place_: str) -> None:
    outside = workspace.root.parent / "outside"
    outside.mkdir()
    (outside / "file").write_text("secret")
    inside = workspace.root / "way"
    inside.mkdir()
    (inside / "file").write_text("mine")
    action: dict[str, object] = {"argv": ["/bin/cat"]}
    match place_:
        case "cwd":
            action["cwd"] = "way"
        case "stdin":
            action["stdin"] = "file:way/file"
        case "attach":
            action["attach"] = ["way/file"]
        case "argv":
            program = inside / "post"
            program.write_text("#!/bin/sh\necho mine\n")
            program.chmod(0o755)
            (outside / "post").write_text("#!/bin/sh\necho theirs\n")
            (outside / "post").chmod(0o755)
            action["argv"] = ["way/post"]
    file = workspace.draft("post", action=action)
    if place_ == "location":
        file.rename(inside / "post.md")
        staging = workspace.root / "state/STAGING.md"
        staging.write_text(staging.read_text().replace("state/drafts/post.md", "way/post.md"))
        shutil.copy(inside / "post.md", outside / "post.md")
    workspace.approve("post")
    shutil.rmtree(inside)
    inside.symlink_to(outside)
    found = runner.run(workspace.gate(), "post")
    assert found.code in (Exit.USAGE, Exit.REFUSED)
    assert not found.started
    assert workspace.events("post") == ["1-001-approved"]
    if place_ in ("cwd", "stdin", "attach"):
        file.write_text(file.read_text() + "more\n")
        with pytest.raises(DecisionError, match="leads out of the workspace"):
            workspace.approve("post")


def test_a_ledger_of_links_counts_for_nothing_it_should_not(workspace: Workspace) -> None:
    """A hand-written approval, by a link to a real one of another item or by hand: it approves nothing."""
    workspace.runs("real")
    workspace.approve("real")
    workspace.runs("forged")
    gate = workspace.gate()
    folder = workspace.root / ".dory/ledger/forged"
    folder.mkdir()
    (folder / "1-001-approved.json").symlink_to("../real/1-001-approved.json")
    assert runner.run(gate, "forged").code == Exit.REFUSED
    (folder / "1-001-approved.json").unlink()
    real = gate.ledger.history("real")[0].record
    assert real is not None
    data = {**real.data, "digest": workspace.find("forged").digest}
    forged = Record(gate.identity.id, "forged", 1, 1, records.APPROVED, real.who, real.when, None, data)
    (folder / forged.name).write_bytes(serialise(forged))
    found = runner.run(gate, "forged")
    assert found.code == Exit.REFUSED
    assert "approved elsewhere" in found.sentence
    assert not workspace.effects.exists()
    assert os.listdir(folder) == ["1-001-approved.json"]


def test_verify_in_a_copy_takes_no_record_of_its_past_for_a_wrong_one(two: tuple[Gate, Gate]) -> None:
    """Its mirror holds the nos of the workspace it was copied from: to take them out would undo them."""
    _, copy = two
    place.copied(copy)
    report = verify(again(copy))
    assert [str(found) for found in report.findings if found.wrong] == []
    assert any("a copy of" in found.sentence for found in report.findings)
