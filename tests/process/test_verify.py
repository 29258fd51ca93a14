"""`dory verify` on a real workspace: what a hand, git or a crash did is named, and a crash is not called a hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.ledger import journal, records
from dory_tui.ledger.records import Record, serialise
from dory_tui.review import decide
from dory_tui.review.change import DecisionError
from dory_tui.review.finish import finish
from dory_tui.review.verify import Report, verify
from dory_tui.values import replace

if TYPE_CHECKING:
    from tests.conftest import Workspace


def original(workspace: Workspace) -> Path:
    return workspace.gate().ledger.original


def mirror(workspace: Workspace) -> Path:
    return workspace.root / ".dory/ledger"


def journal_of(workspace: Workspace) -> Path:
    (file,) = journal.files(workspace.gate().ledger.state)
    return file


def look(workspace: Workspace) -> Report:
    return verify(workspace.gate())


def kinds(report: Report, *, wrong: bool = True) -> list[tuple[str, str]]:
    return [(one.kind, one.file) for one in report.findings if one.wrong == wrong]


@pytest.fixture
def lived_in(workspace: Workspace) -> Workspace:
    """One that ran, one that was sent back and then approved, one that waits, and a hold."""
    workspace.hold("[2026-02-05 10:00 | main] another matter — wait")
    for identity in ("ran", "twice", "waits"):
        workspace.runs(identity, schedule={"lane": identity})
    workspace.approve("ran")
    decide.request_changes(workspace.gate(), "twice", workspace.find("twice").digest, "shorter")
    draft = workspace.root / "state/drafts/twice.md"
    draft.write_text(draft.read_text() + "Shorter.\n")
    workspace.approve("twice")
    workspace.approve("waits")
    assert runner.run(workspace.gate(), "ran").code == Exit.FINE
    return workspace


def test_every_record_of_this_machine_is_in_the_journal_in_order(lived_in: Workspace) -> None:
    lines, faults = journal.read(journal_of(lived_in).read_bytes())
    assert faults == []
    named = [f"{line.entry.key}/{line.entry.name}" for line in lines if not line.entry.key.startswith("@")]
    assert named == [
        "ran/1-001-approved.json", "twice/1-001-changes-requested.json", "twice/1-002-approved.json",
        "waits/1-001-approved.json", "ran/1-500-claimed.json", "ran/1-501-done.json",
    ]  # fmt: skip
    assert [line.entry.late for line in lines] == [False] * len(lines)
    assert journal.last_time(lived_in.gate().ledger.state) == lived_in.clock.now
    for line in lines:
        record = (original(lived_in) / line.entry.key / line.entry.name).read_bytes()
        assert records.digest(record) == f"sha256:{line.entry.sha256}"


def test_what_nobody_touched_is_whole_and_looking_changes_nothing(lived_in: Workspace) -> None:
    before = journal_of(lived_in).read_bytes()
    report = look(lived_in)
    assert (report.findings, report.whole) == ((), True)
    assert report.records == report.lines == 7
    assert journal_of(lived_in).read_bytes() == before


def test_a_workspace_without_a_record_is_whole_and_nothing_is_written(workspace: Workspace) -> None:
    assert look(workspace).whole
    assert not Path(workspace.env["XDG_STATE_HOME"]).exists()


def edit(*files: Path) -> None:
    for file in files:
        file.write_text(file.read_text().replace('"who": "', '"who": "eve and '))


def tear(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def delete(*files: Path) -> None:
    for file in files:
        file.unlink()


def folder_instead(file: Path) -> None:
    file.unlink()
    file.mkdir()


HANDS: dict[str, tuple[Callable[[Workspace], object], list[tuple[str, str]], str]] = {
    "a record is edited": (
        lambda w: edit(original(w) / "ran/1-500-claimed.json"),
        [("edited", "ran/1-500-claimed.json")], "put it back from there",
    ),
    "both copies are edited": (
        lambda w: edit(*(folder(w) / "waits/1-001-approved.json" for folder in (original, mirror))),
        [("edited", "waits/1-001-approved.json")], "from a backup",
    ),
    "the copy is edited": (
        lambda w: edit(mirror(w) / "waits/1-001-approved.json"),
        [("copy-differs", "waits/1-001-approved.json")], "from the state folder",
    ),
    "a no is deleted": (
        lambda w: delete(original(w) / "twice/1-001-changes-requested.json"),
        [("deleted", "twice/1-001-changes-requested.json")], "it counts all the same",
    ),
    "a yes is deleted": (
        lambda w: delete(original(w) / "waits/1-001-approved.json"),
        [("deleted", "waits/1-001-approved.json")], "its yes counts no more",
    ),
    "a claim is deleted from both": (
        lambda w: delete(*(folder(w) / "ran/1-500-claimed.json" for folder in (original, mirror))),
        [("deleted", "ran/1-500-claimed.json")], "look in git",
    ),
    "git takes the copies of an item away": (
        lambda w: shutil.rmtree(mirror(w) / "twice"),
        [("copy-missing", "twice/1-001-changes-requested.json"), ("copy-missing", "twice/1-002-approved.json")],
        "it counts all the same",
    ),
    "a record is torn": (
        lambda w: tear(original(w) / "waits/1-001-approved.json"),
        [("torn", "waits/1-001-approved.json")], "blocks its item",
    ),
    "a record is a folder": (
        lambda w: folder_instead(original(w) / "waits/1-001-approved.json"),
        [("torn", "waits/1-001-approved.json")], "Is a directory",
    ),
    "a record gets another number": (
        lambda w: [(folder(w) / "twice/1-001-changes-requested.json").rename(
            folder(w) / "twice/1-003-changes-requested.json") for folder in (original, mirror)],
        [("deleted", "twice/1-001-changes-requested.json"), ("torn", "twice/1-003-changes-requested.json")],
        "what it says is not what its name says",
    ),
    "the bytes of a yes are gone": (
        lambda w: delete(w.gate().ledger.state / "blobs" / w.find("waits").digest),
        [("bytes-gone", "waits/1-001-approved.json")], "approve waits again",
    ),
    "the bytes of a yes are others": (
        lambda w: (w.gate().ledger.state / "blobs" / w.find("waits").digest).write_bytes(b"x"),
        [("bytes-gone", "waits/1-001-approved.json")], "missing or damaged",
    ),
    "an outcome is deleted from everywhere": (
        lambda w: delete(*(folder(w) / "ran/1-501-done.json" for folder in (original, mirror))),
        [("deleted", "ran/1-501-done.json"), ("unreported", "ran/1-500-claimed.json")], "dory resolve ran",
    ),
}  # fmt: skip


@pytest.mark.parametrize("hand", HANDS)
def test_what_a_hand_did_is_named(lived_in: Workspace, hand: str) -> None:
    work, expected, words = HANDS[hand]
    work(lived_in)
    report = look(lived_in)
    assert kinds(report) == expected
    assert any(words in one.sentence for one in report.findings)
    assert kinds(look(lived_in)) == expected, "and is named until it is mended"


def forged(workspace: Workspace, number: int, event: str, who: str = "", **data: Any) -> Record:
    gate = workspace.gate()
    history = gate.ledger.history("waits")
    before = [item.hash for item in history if item.number < number]
    prev = before[-1] if before else None
    return Record(gate.identity.id, "waits", 1, number, event, who or gate.who, workspace.clock.now, prev, data)


def put(folder: Path, record: Record) -> None:
    (folder / record.id).mkdir(parents=True, exist_ok=True)
    (folder / record.id / record.name).write_bytes(serialise(record))


def test_a_yes_that_a_hand_put_into_both_ledgers_is_named(lived_in: Workspace) -> None:
    record = forged(lived_in, 2, records.APPROVED, digest=lived_in.find("waits").digest)
    put(original(lived_in), record)
    put(mirror(lived_in), record)
    report = look(lived_in)
    assert kinds(report) == [("added", "waits/1-002-approved.json")]
    assert "if you did not give it, revoke it; added now" in report.findings[0].sentence
    again = look(lived_in)
    assert (again.whole, kinds(again, wrong=False)) == (True, [("late", "waits/1-002-approved.json")])


def test_a_record_that_a_hand_put_between_two_is_named(lived_in: Workspace) -> None:
    record = replace(forged(lived_in, 2, records.REVOKED), id="ran", prev=None)
    put(original(lived_in), record)
    put(mirror(lived_in), record)
    report = look(lived_in)
    assert kinds(report) == [("chain", "ran/1-002-revoked.json"), ("added", "ran/1-002-revoked.json")]
    assert "the one after it is: a hand put it there" in report.findings[1].sentence


def test_a_record_in_the_workspace_alone_is_added_by_hand_or_came_by_git(lived_in: Workspace) -> None:
    put(mirror(lived_in), forged(lived_in, 2, records.APPROVED))
    put(mirror(lived_in), forged(lived_in, 3, records.REVOKED, "ana@laptop (dory)"))
    report = look(lived_in)
    assert kinds(report) == [("added", "waits/1-002-approved.json")]
    assert kinds(report, wrong=False) == [("elsewhere", "waits/1-003-revoked.json")]
    assert "its yes counts for nothing" in report.findings[0].sentence
    assert "it is from laptop; it counts here" in report.findings[1].sentence


def test_conflict_markers_in_a_copy_are_named(lived_in: Workspace) -> None:
    (mirror(lived_in) / "waits/1-002-revoked.json").write_text("<<<<<<< ours\n=======\n>>>>>>> theirs\n")
    (found,) = look(lived_in).findings
    assert (found.kind, "merge conflict markers" in found.sentence) == ("torn", True)


def test_other_files_are_told_and_are_no_reason_to_worry(lived_in: Workspace) -> None:
    (original(lived_in) / "waits/1-002-blessed.json").write_text("{}")
    (original(lived_in) / "waits/.0123.tmp").write_text("{")
    report = look(lived_in)
    assert report.whole
    assert [one.kind for one in report.findings] == ["stray"]


# Journal tampered


JOURNALS: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a line is taken out": (lambda lines: lines[:2] + lines[3:], "taken out"),
    "a line is edited": (lambda lines: [*lines[:2], lines[2].replace(b"T", b" "), *lines[3:]], "edited"),
    "two lines change places": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "moved or doubled"),
    "a line is doubled": (lambda lines: [*lines[:3], *lines[2:]], "moved or doubled"),
    "a line is blanked": (lambda lines: [*lines[:2], b"\n", *lines[3:]], "changed"),
}


@pytest.mark.parametrize("hand", JOURNALS)
def test_a_journal_that_a_hand_touched_is_named(lived_in: Workspace, hand: str) -> None:
    work, words = JOURNALS[hand]
    file = journal_of(lived_in)
    file.write_bytes(b"".join(work(file.read_bytes().splitlines(keepends=True))))
    report = look(lived_in)
    assert not report.whole
    assert any(one.kind == "journal" and one.wrong and words in one.sentence for one in report.findings)


def test_a_record_and_its_line_taken_away_together_are_named(lived_in: Workspace) -> None:
    """The claim is gone from both ledgers and from the journal: the chains of both still tell."""
    for folder in (original(lived_in), mirror(lived_in)):
        (folder / "ran/1-500-claimed.json").unlink()
    file = journal_of(lived_in)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for line in lines if b"claimed" not in line))
    report = look(lived_in)
    assert {one.kind for one in report.findings if one.wrong} == {"journal", "chain"}
    assert "the record that it follows from is gone" in str(report.findings)


def test_a_line_that_names_other_bytes_is_named(lived_in: Workspace) -> None:
    file = journal_of(lived_in)
    last = journal.read(file.read_bytes())[0][-1]
    forgery = journal.Entry(last.entry.key, last.entry.name, "0" * 64, last.entry.when)
    file.write_bytes(file.read_bytes() + journal.serialise(forgery, last))
    assert ("journal", "ran/1-501-done.json") in kinds(look(lived_in))


def test_a_journal_that_is_gone_is_named_and_begins_anew(lived_in: Workspace) -> None:
    journal_of(lived_in).unlink()
    report = look(lived_in)
    assert [one.kind for one in report.findings] == ["journal"]
    assert "the 7 records" in report.findings[0].sentence
    again = look(lived_in)
    assert again.whole
    assert {one.kind for one in again.findings} == {"late"}


def test_the_end_of_a_journal_taken_off_is_named_by_its_yeses(lived_in: Workspace) -> None:
    file = journal_of(lived_in)
    lines = file.read_bytes().splitlines(keepends=True)
    assert b'"waits"' in lines[4]
    file.write_bytes(b"".join(lines[:4]))
    report = look(lived_in)
    assert ("added", "waits/1-001-approved.json") in kinds(report)


# Crashes and disks


def lose_the_last_line(workspace: Workspace) -> None:
    """As a crash between a record and its line leaves it."""
    file = journal_of(workspace)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))


def test_a_line_that_a_crash_kept_out_is_entered_with_the_next_record_and_refuses_nothing(lived_in: Workspace) -> None:
    lived_in.runs("late", schedule={"lane": "late"})
    lived_in.approve("late")
    lose_the_last_line(lived_in)
    assert runner.run(lived_in.gate(), "late").code == Exit.FINE
    lines, faults = journal.read(journal_of(lived_in).read_bytes())
    assert faults == []
    assert [(line.entry.name, line.entry.late) for line in lines[-3:]] == [
        ("1-001-approved.json", True), ("1-500-claimed.json", False), ("1-501-done.json", False),
    ]  # fmt: skip
    report = look(lived_in)
    assert (report.whole, kinds(report, wrong=False)) == (True, [("late", "late/1-001-approved.json")])


def test_a_line_that_a_crash_kept_out_is_entered_by_verify(lived_in: Workspace) -> None:
    decide.reject(lived_in.gate(), "waits", lived_in.find("waits").digest, "no")
    lose_the_last_line(lived_in)
    report = look(lived_in)
    assert report.whole
    assert "a crash or a full disk came between; added now" in str(report.findings)
    assert look(lived_in).lines == 8


def test_a_torn_last_line_is_told_and_healed(lived_in: Workspace) -> None:
    file = journal_of(lived_in)
    file.write_bytes(file.read_bytes()[:-30])
    report = look(lived_in)
    assert report.whole
    assert {one.kind for one in report.findings} == {"journal", "late"}
    assert look(lived_in).lines == 7


@pytest.mark.gate
@pytest.mark.long
def test_killed_anywhere_in_a_run_nothing_looks_like_a_hand(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    folders = [str(workspace.root), workspace.env["XDG_STATE_HOME"]]
    for folder in folders:
        shutil.copytree(folder, f"{folder}.before")
    job = {"items": [[str(workspace.root), "post"]], "folders": folders, "fault": "die", "before": True}
    seen = set()
    for number in range(12, 46, 2):
        workspace.forks("sweep", first=number, last=number + 1, **job)
        report = look(workspace)
        assert {kind for kind, _ in kinds(report)} <= {"unreported", "copy-missing"}, (number, report)
        seen |= {one.kind for one in report.findings} | {f"{len(workspace.events('post'))} records"}
        again = look(workspace)
        assert not {"added", "edited", "deleted", "chain"} & {kind for kind, _ in kinds(again)}
    assert {"unreported", "late", "copy-missing", "2 records", "3 records"} <= seen, (
        "it died at all the places that matter"
    )


def block(workspace: Workspace) -> Path:
    """Nothing can be written in a folder that stands where the journal should."""
    file = journal.file_of(workspace.gate().ledger.state, workspace.gate().machine)
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    return file


def test_a_journal_that_cannot_be_written_refuses_before_anything_is_decided(lived_in: Workspace) -> None:
    block(lived_in)
    for _ in range(2):
        found = runner.run(lived_in.gate(), "waits")
        assert (found.code, "the journal cannot be written" in found.sentence) == (Exit.REFUSED, True)
    lived_in.runs("new")
    with pytest.raises(DecisionError, match="nothing was decided"):
        lived_in.approve("new")
    assert (lived_in.count("waits"), lived_in.events("new")) == (0, [])


def test_what_became_of_a_run_is_kept_without_a_journal(workspace: Workspace) -> None:
    workspace.runs("first")
    workspace.approve("first")
    file = journal_of(workspace)
    words = f'echo "$DORY_ID" >> "$0"; rm {file}; mkdir {file}'
    workspace.draft("post", action={"argv": ["/bin/sh", "-c", words, str(workspace.effects)]})
    workspace.approve("post")
    assert runner.run(workspace.gate(), "post").code == Exit.FINE
    assert workspace.events("post") == ["1-001-approved", "1-500-claimed", "1-501-done"]
    report = look(workspace)
    assert [one.kind for one in report.findings] == ["journal"]
    assert "is a folder" in report.findings[0].sentence


def pipe(workspace: Workspace) -> Path:
    """A journal that can be opened and takes no line, as a disk that fills up in between."""
    file = journal_of(workspace)
    kept = file.with_suffix(".kept")
    file.rename(kept)
    os.mkfifo(file)
    return kept


def test_a_claim_that_the_journal_does_not_take_starts_nothing(lived_in: Workspace) -> None:
    kept = pipe(lived_in)
    found = runner.run(lived_in.gate(), "waits")
    assert (found.code, "the journal lacks it" in found.sentence) == (Exit.REFUSED, True)
    assert lived_in.events("waits") == ["1-001-approved", "1-500-claimed", "1-501-aborted-before-start"]
    assert not look(lived_in).whole, "and nobody hangs"
    kept.rename(kept.with_suffix(".jsonl"))
    lived_in.approve("waits")
    assert runner.run(lived_in.gate(), "waits").code == Exit.FINE
    assert lived_in.count("waits") == 1
    report = look(lived_in)
    assert kinds(report) == [("copy-missing", "waits/1-500-claimed.json")]
    assert kinds(report, wrong=False) == [
        ("late", "waits/1-501-aborted-before-start.json"), ("late", "waits/1-500-claimed.json"),
    ]  # fmt: skip


def test_a_yes_that_the_journal_does_not_take_says_that_it_stands(lived_in: Workspace) -> None:
    lived_in.runs("new")
    kept = pipe(lived_in)
    with pytest.raises(DecisionError, match="stands in the ledger and counts, but the journal lacks it"):
        lived_in.approve("new")
    kept.rename(kept.with_suffix(".jsonl"))
    assert lived_in.standing("new").state == "approved"
    assert finish(lived_in.gate()) == ["finished a decision that was interrupted: new approved"]
    assert runner.run(lived_in.gate(), "new").code == Exit.FINE


# The command


def dory(workspace: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dory_tui", "-C", str(workspace.root), *words]
    return subprocess.run(command, env=workspace.env, capture_output=True, text=True, check=False)


def test_the_command_says_what_is_wrong_and_exits_three(lived_in: Workspace) -> None:
    whole = dory(lived_in, "verify")
    assert (whole.returncode, whole.stdout) == (0, "7 records and 7 journal lines: all whole\n")
    edit(original(lived_in) / "ran/1-500-claimed.json")
    (original(lived_in) / "waits/notes.txt").write_text("x")
    found = dory(lived_in, "verify")
    assert found.returncode == Exit.REFUSED
    assert found.stdout.startswith("wrong  ran/1-500-claimed.json: it was edited after it was written: ")
    assert "\nnote   " in found.stdout
    assert found.stdout.endswith("7 records and 7 journal lines: 1 wrong\n")
    answer = json.loads(dory(lived_in, "verify", "--json").stdout)
    assert (answer["whole"], answer["records"], answer["journal_lines"]) == (False, 7, 7)
    assert answer["findings"][0]["kind"] == "edited"
    assert [one["wrong"] for one in answer["findings"]] == [True, False]


def test_a_ledger_that_is_gone_does_not_flood_the_terminal(lived_in: Workspace) -> None:
    gate = lived_in.gate()
    for number in range(2, 260):
        put(mirror(lived_in), forged(lived_in, number, records.REVOKED, gate.who))
    found = dory(lived_in, "verify")
    assert found.returncode == Exit.REFUSED
    assert len(found.stdout.splitlines()) == 202
    assert "and more (`dory verify --json` has them all): 58 × added" in found.stdout
    assert len(json.loads(dory(lived_in, "verify", "--json").stdout)["findings"]) == 258
