"""Both copies of the ledger on a real disk: what makes a record, what still counts, what cannot be talked away."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records, store
from dory_tui.ledger.records import Record, serialise
from dory_tui.ledger.store import BusyError, Ledger, LedgerError, TakenError
from dory_tui.review.change import DecisionError
from dory_tui.values import replace

if TYPE_CHECKING:
    from tests.conftest import Workspace


def original(workspace: Workspace, identity: str = "post") -> Path:
    return workspace.gate().ledger.original / identity


def mirror(workspace: Workspace, identity: str = "post") -> Path:
    return workspace.root / ".dory/ledger" / identity


def run(workspace: Workspace, identity: str = "post") -> Exit:
    return runner.run(workspace.gate(), identity).code


# Making a record


def test_a_record_is_in_both_ledgers_byte_for_byte(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    for name in ("1-001-approved.json",):
        assert (original(workspace) / name).read_bytes() == (mirror(workspace) / name).read_bytes()
    assert json.loads((mirror(workspace) / "1-001-approved.json").read_text())["data"]["digest"]
    assert (workspace.root / ".dory/.gitattributes").read_text() == "** -text\n"
    assert oct(original(workspace).stat().st_mode & 0o777) == "0o700"
    assert oct((original(workspace) / "1-001-approved.json").stat().st_mode & 0o777) == "0o600"


def test_each_record_names_the_bytes_of_the_one_before_it(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    assert run(workspace) == Exit.FINE
    names = sorted(file.name for file in original(workspace).iterdir())
    assert names == ["1-001-approved.json", "1-500-claimed.json", "1-501-done.json"], "and no temporary file"
    files = [(original(workspace) / name).read_bytes() for name in names]
    assert [json.loads(data)["prev"] for data in files] == [None, records.digest(files[0]), records.digest(files[1])]


def test_looking_writes_nothing(workspace: Workspace) -> None:
    workspace.runs("post")
    before = sorted(path for path in workspace.root.rglob("*"))
    runner.check(workspace.gate(), "post")
    workspace.standing("post")
    assert sorted(path for path in workspace.root.rglob("*")) == before
    assert not Path(workspace.env["XDG_STATE_HOME"]).exists()


def test_two_who_are_first_at_once_do_not_give_the_workspace_two_ids(workspace: Workspace) -> None:
    first, second = workspace.gate(), workspace.gate()
    assert first.identity.id != second.identity.id
    with first.ledger.lock("@hold/x"):
        first.record("@hold/x", 1, records.SEEN, {"text": "x"})
    with pytest.raises(LedgerError, match="another dory process"), second.ledger.lock("@hold/x"):
        second.record("@hold/x", 1, records.SEEN, {"text": "x"})
    assert workspace.gate().identity.id == first.identity.id
    with first.ledger.lock("@hold/x"):
        first.record("@hold/x", 1, records.LIFTED, {"text": "x"})


def test_a_name_that_exists_is_taken_and_keeps_its_bytes(gate: Gate) -> None:
    gate.settle()
    with gate.ledger.lock("post"):
        gate.record("post", 1, records.CLAIMED, {"by": "one"})
        before = (gate.ledger.original / "post/1-500-claimed.json").read_bytes()
        with pytest.raises(TakenError, match="claimed"):
            gate.record("post", 1, records.CLAIMED, {"by": "two"})
    assert (gate.ledger.original / "post/1-500-claimed.json").read_bytes() == before


def test_what_could_not_be_read_back_is_not_written(gate: Gate) -> None:
    gate.settle()
    with gate.ledger.lock("post"), pytest.raises(LedgerError, match="too many attempts"):
        gate.record("post", 1_000_000, records.APPROVED, {})
    assert gate.ledger.history("post") == ()


def test_an_attempt_has_room_for_so_many_decisions_and_keeps_the_claims_number_free(gate: Gate) -> None:
    gate.settle()
    folder = gate.ledger.original / "post"
    folder.mkdir(parents=True)
    (folder / "1-499-rejected.json").write_bytes(b"")
    with gate.ledger.lock("post"), pytest.raises(LedgerError, match="under a new id"):
        gate.record("post", 1, records.REJECTED, {})


def test_without_hard_links_there_is_still_one_winner(tmp_path: Path, workspace: Workspace) -> None:
    """A file system without links cannot be had here; the code for one is asked directly."""
    (tmp_path / "temporary").write_bytes(b"one")
    target = tmp_path / "1-500-claimed.json"
    store._make_exclusively(target, b"one")
    with pytest.raises(FileExistsError):
        store._make_exclusively(target, b"two")
    assert target.read_bytes() == b"one"


def test_a_lock_lets_one_in_at_a_time_and_gives_up_in_the_end(gate: Gate) -> None:
    gate.settle()
    with gate.ledger.lock("post"):
        with pytest.raises(BusyError, match="another dory process is at this item"), gate.ledger.lock("post", 0.02):
            pytest.fail("two are inside")
        with gate.ledger.lock("other", 0.02):
            pass
    with gate.ledger.lock("post", 0.02) as release:
        release()
        with gate.ledger.lock("post", 0.02):
            pass


def test_one_who_looks_is_no_rival_and_does_not_see_another_who_looks(gate: Gate) -> None:
    gate.settle()
    looker, runs = (gate.ledger.open_lock("post", "run") for _ in range(2))
    fcntl.flock(looker, fcntl.LOCK_SH)
    assert not gate.ledger.running("post"), "the other only looks"
    leaving = threading.Timer(0.01, os.close, [looker])
    leaving.start()
    assert store.try_lock(runs), "it waits for one who looks"
    leaving.join()
    assert gate.ledger.running("post")
    other = gate.ledger.open_lock("post", "run")
    assert not store.try_lock(other), "and not for one who runs"
    os.close(other)
    os.close(runs)
    assert not gate.ledger.running("post")


# What is stored and cannot be trusted


def test_a_claim_torn_at_every_byte_still_refuses(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    assert run(workspace) == Exit.FINE
    for folder in (original(workspace), mirror(workspace)):
        (folder / "1-501-done.json").unlink()
    whole = (original(workspace) / "1-500-claimed.json").read_bytes()
    (mirror(workspace) / "1-500-claimed.json").unlink()
    gate = workspace.gate()
    draft = workspace.find("post")
    for length in range(len(whole) + 1):
        (original(workspace) / "1-500-claimed.json").write_bytes(whole[:length])
        assert gate.standing(draft, []).code == Exit.UNKNOWN, length
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        (original(workspace) / "1-500-claimed.json").write_bytes(whole[:length])
        assert run(workspace) == Exit.UNKNOWN
    (original(workspace) / "1-500-claimed.json").unlink()
    for length in range(0, len(whole) + 1, 7):
        (mirror(workspace) / "1-500-claimed.json").write_bytes(whole[:length])
        assert gate.standing(draft, []).code == Exit.UNKNOWN, length
    assert run(workspace) == Exit.UNKNOWN
    assert workspace.count("post") == 1


@pytest.mark.parametrize(
    "content", [b"", b"{", b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", b"[" * 100_000, b"\xff" * 9]
)
@pytest.mark.parametrize("where", [original, mirror])
def test_a_record_that_cannot_be_read_blocks_its_item_and_no_other(
    workspace: Workspace, where: object, content: bytes
) -> None:
    assert callable(where)
    workspace.runs("post")
    workspace.runs("other")
    workspace.approve("post")
    workspace.approve("other")
    (where(workspace) / "1-002-rejected.json").write_bytes(content)
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "post/1-002-rejected.json" in refused.sentence
    assert run(workspace, "other") == Exit.FINE
    assert workspace.count("post") == 0


def test_what_is_no_file_blocks_its_item_and_hangs_nobody(workspace: Workspace) -> None:
    for number, identity in enumerate(("pipe", "folder", "endless", "gone")):
        workspace.runs(identity, schedule={"lane": str(number)})
        workspace.approve(identity)
    os.mkfifo(mirror(workspace, "pipe") / "1-002-rejected.json")
    (mirror(workspace, "folder") / "1-002-rejected.json").mkdir()
    (mirror(workspace, "endless") / "1-002-rejected.json").symlink_to("/dev/zero")
    (mirror(workspace, "gone") / "1-002-rejected.json").symlink_to("nowhere")
    for identity in ("pipe", "folder", "endless", "gone"):
        assert run(workspace, identity) == Exit.REFUSED
    assert not workspace.effects.exists()


def test_a_ledger_folder_that_cannot_be_listed_blocks_its_item_and_no_other(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.runs("other")
    workspace.approve("other")
    (workspace.root / ".dory/ledger/post").symlink_to("post")
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "cannot be listed" in refused.sentence
    assert runner.check(workspace.gate(), "post").code == Exit.REFUSED
    assert run(workspace, "other") == Exit.FINE


def test_an_edited_mirror_blocks_its_item(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    file = mirror(workspace) / "1-001-approved.json"
    file.write_text(file.read_text().replace('"who": "', '"who": "eve and '))
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "the two copies of post/1-001-approved.json differ" in refused.sentence


def test_an_approval_written_by_hand_approves_nothing(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.gate().settle()
    gate = workspace.gate()
    workspace.runs("real")
    workspace.approve("real")
    data = json.loads((mirror(workspace, "real") / "1-001-approved.json").read_text())["data"]
    data["digest"] = workspace.find("post").digest
    forged = Record(gate.identity.id, "post", 1, 1, records.APPROVED, gate.who, workspace.clock.now, None, data)
    mirror(workspace).mkdir()
    (mirror(workspace) / forged.name).write_bytes(serialise(forged))
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "approved elsewhere" in refused.sentence
    assert workspace.count("post") == 0
    workspace.approve("post")
    assert run(workspace) == Exit.FINE, "a human's own yes still counts"


def test_the_status_line_approves_nothing(workspace: Workspace) -> None:
    workspace.runs("post")
    staging = workspace.root / "state/STAGING.md"
    staging.write_text(staging.read_text().replace("pending", "approved"))
    assert workspace.find("post").status == "approved"
    assert run(workspace) == Exit.REFUSED
    assert workspace.standing("post").state == "pending"


def test_a_yes_whose_original_is_gone_is_asked_again(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    (original(workspace) / "1-001-approved.json").unlink()
    assert "approved elsewhere" in runner.run(workspace.gate(), "post").sentence
    assert run(workspace) == Exit.REFUSED


def test_a_ledger_that_vanished_is_not_taken_for_a_fresh_one(workspace: Workspace) -> None:
    """The state folder is lost; what ran stands in the mirror, and no yes is left."""
    workspace.runs("ran")
    workspace.runs("waits")
    workspace.approve("ran")
    workspace.approve("waits")
    assert run(workspace, "ran") == Exit.FINE
    shutil.rmtree(workspace.env["XDG_STATE_HOME"])
    assert run(workspace, "ran") == Exit.CLAIMED
    assert run(workspace, "waits") == Exit.REFUSED
    assert workspace.effects.read_text() == "ran\n"


@pytest.mark.parametrize("no", ["rejected", "changes-requested", "revoked"])
def test_a_no_that_came_by_git_counts_and_wins_a_tie(workspace: Workspace, no: str) -> None:
    """Two machines may give the same number; git merges their two files without a conflict."""
    workspace.runs("post")
    workspace.approve("post")
    gate = workspace.gate()
    data = {"digest": workspace.find("post").digest}
    record = Record(gate.identity.id, "post", 1, 1, no, "ana@laptop", workspace.clock.now, None, data)
    (mirror(workspace) / record.name).write_bytes(serialise(record))
    assert run(workspace) == Exit.REFUSED
    assert workspace.standing("post").state == no


def test_a_claim_of_another_machine_counts(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    gate = workspace.gate()
    claim = Record(gate.identity.id, "post", 1, 500, records.CLAIMED, "ana@laptop", workspace.clock.now, None, {})
    (mirror(workspace) / claim.name).write_bytes(serialise(claim))
    assert run(workspace) == Exit.UNKNOWN


def test_an_attempt_written_by_hand_hides_no_unknown_outcome(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    with workspace.gate().ledger.lock("post"):
        workspace.gate().record("post", 1, records.CLAIMED, {})
    gate = workspace.gate()
    data = {"digest": "0" * 64}
    forged = Record(gate.identity.id, "post", 2, 1, records.REJECTED, "eve", workspace.clock.now, None, data)
    (mirror(workspace) / forged.name).write_bytes(serialise(forged))
    assert workspace.standing("post").state == "unknown"
    with pytest.raises(DecisionError, match="did it happen"):
        workspace.approve("post")


# Where and on which machine


def test_a_copy_at_another_path_asks_again_and_runs_nothing_twice(workspace: Workspace) -> None:
    workspace.runs("ran")
    workspace.runs("waits")
    workspace.approve("ran")
    workspace.approve("waits")
    assert run(workspace, "ran") == Exit.FINE
    copy = workspace.root.with_name("copy")
    shutil.copytree(workspace.root, copy)
    there = workspace.gate(copy)
    assert there.identity.id == workspace.gate().identity.id, "one claim history"
    assert runner.run(there, "ran").code == Exit.CLAIMED
    refused = runner.run(there, "waits")
    assert refused.code == Exit.REFUSED
    assert "not for this copy" in refused.sentence
    assert run(workspace, "waits") == Exit.FINE
    assert runner.run(there, "waits").code == Exit.CLAIMED
    assert workspace.effects.read_text() == "ran\nwaits\n"


def test_a_workspace_that_moved_asks_again(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    moved = workspace.root.with_name("moved")
    workspace.root.rename(moved)
    assert "not for this copy" in runner.run(workspace.gate(moved), "post").sentence


def test_through_a_link_it_is_the_same_workspace(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    link = workspace.root.with_name("link")
    link.symlink_to(workspace.root)
    assert runner.run(workspace.gate(link), "post").code == Exit.FINE


def test_another_machine_refuses_and_says_which(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    refused = runner.run(replace(workspace.gate(), machine="laptop"), "post")
    assert refused.code == Exit.REFUSED
    assert f"for the machine {workspace.gate().machine}, and this is laptop" in refused.sentence


def test_a_clock_that_was_set_back_refuses(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    workspace.clock.now -= timedelta(minutes=3)
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "clock" in refused.sentence
    workspace.clock.now += timedelta(minutes=2)
    assert run(workspace) == Exit.FINE


def test_a_lost_id_is_restored_and_a_mangled_one_is_an_error(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    identity = workspace.gate().identity.id
    (workspace.root / ".dory/workspace").unlink()
    assert workspace.gate().identity.id == identity
    assert run(workspace) == Exit.FINE
    assert (workspace.root / ".dory/workspace").read_text().strip() == identity
    (workspace.root / ".dory/workspace").write_text("../../etc\n")
    with pytest.raises(Exception, match="not a workspace id"):
        workspace.gate()


def test_an_id_of_another_workspace_brings_none_of_its_records(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    (workspace.root / ".dory/workspace").write_text("0" * 32 + "\n")
    refused = runner.run(workspace.gate(), "post")
    assert refused.code == Exit.REFUSED
    assert "another workspace" in refused.sentence


# Blobs


def test_a_blob_is_what_its_name_says_or_nothing(gate: Gate) -> None:
    gate.settle()
    name = gate.ledger.keep_blob(b"hello")
    assert gate.ledger.keep_blob(b"hello") == name
    assert gate.ledger.blob(name) == b"hello"
    assert gate.ledger.blob("0" * 64) is None
    (gate.ledger.state / "blobs" / name).write_bytes(b"hellO")
    assert gate.ledger.blob(name) is None
    with pytest.raises(LedgerError, match="is damaged: move it away"):
        gate.ledger.keep_blob(b"hello")


@pytest.mark.parametrize("damage", ["gone", "changed"])
def test_without_the_approved_bytes_nothing_runs_and_a_fresh_yes_mends_what_is_gone(
    workspace: Workspace, damage: str
) -> None:
    workspace.runs("post")
    workspace.approve("post")
    blob = workspace.gate().ledger.state / "blobs" / workspace.find("post").digest
    if damage == "gone":
        blob.unlink()
    else:
        blob.write_bytes(b"---\nid: post\n---\nanother text")
    for verb in (runner.run, runner.check):
        refused = verb(workspace.gate(), "post")
        assert refused.code == Exit.REFUSED
        assert "needs a fresh yes" in refused.sentence
    if damage == "gone":
        workspace.approve("post")
        assert run(workspace) == Exit.FINE
    else:
        with pytest.raises(DecisionError, match="move it away"):
            workspace.approve("post")


def test_keys_lists_the_items_of_both_ledgers(workspace: Workspace, gate: Gate) -> None:
    gate.settle()
    ledger: Ledger = gate.ledger
    for folder in (ledger.original / "a", ledger.mirror / "b", ledger.mirror / "@hold" / "c", ledger.mirror / ".d"):
        folder.mkdir(parents=True)
    assert ledger.keys() == ["a", "b"]
    assert ledger.keys(store.HOLD_PREFIX) == ["@hold/c"]
    assert ledger.keys(store.MEMORY_PREFIX) == []


def test_a_no_whose_mirror_cannot_be_written_says_that_it_counts(tmp_path: Path) -> None:
    (tmp_path / "ws/.dory").mkdir(parents=True)
    (tmp_path / "ws/.dory/ledger").write_text("a file where the mirror should be")
    ledger = Ledger.of(tmp_path / "ws", tmp_path / "state", "0" * 32)
    with pytest.raises(LedgerError, match="`revoked` stands in the ledger and counts"):
        ledger.append("post", 1, records.REVOKED, "t", datetime(2026, 11, 30, tzinfo=UTC), {})
    assert [file.name for file in (ledger.original / "post").iterdir()] == ["1-001-revoked.json"]
