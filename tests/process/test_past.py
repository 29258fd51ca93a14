"""What happened, newest first: records and commits as one list, and nothing told that the ledger does not hold."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import timedelta

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.past import Event, past
from tests.conftest import Workspace

MIRROR = ".dory/ledger"


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """Two drafts in a repository."""
    made = make_workspace(git=True)
    made.runs("post")
    made.draft("letter")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def told(events: tuple[Event, ...]) -> list[tuple[str, str]]:
    return [(event.what, event.id) for event in events]


def one(events: tuple[Event, ...], what: str) -> Event:
    (found,) = [event for event in events if event.what == what]
    return found


def append(gate: Gate, key: str, attempt: int, event: str) -> None:
    with gate.ledger.lock(key):
        gate.record(key, attempt, event, {})


def test_nothing_happened(workspace: Workspace) -> None:
    assert past(workspace.gate(), 10) == ()


def test_a_decision_and_its_commit_are_one_event(studio: Workspace) -> None:
    studio.approve("post")
    found = past(studio.gate(), 10)
    event = one(found, "approved")
    assert (event.kind, event.id, event.problem) == ("draft", "post", None)
    assert event.item is not None
    assert event.item.record is not None
    assert event.who == event.item.record.who
    assert event.commit is not None
    assert event.commit.sha == studio.git("rev-parse", "HEAD").strip()
    assert event.commit.author == "Ana"
    assert ("A", f"{MIRROR}/post/1-001-approved.json") in event.commit.files
    assert ("M", "state/STAGING.md") in event.commit.files
    assert [event.about for event in found if event.what == "commit"] == ["Drafts", "Start"]


def test_a_record_that_a_later_decision_brings_along_keeps_its_place(studio: Workspace) -> None:
    studio.approve("post")
    studio.clock.forward(minutes=1)
    append(studio.gate(), "post", 1, records.CLAIMED)
    assert one(past(studio.gate(), 10), "claimed").commit is None
    studio.clock.forward(minutes=1)
    decide.resolve(studio.gate(), "post", False)
    found = past(studio.gate(), 10)
    assert [what for what, name in told(found) if name == "post"] == ["not-happened", "claimed", "approved"]
    assert one(found, "claimed").commit == one(found, "not-happened").commit != one(found, "approved").commit


def test_a_commit_with_the_trailers_of_a_decision_is_no_decision(studio: Workspace) -> None:
    studio.write("notes.md", "x\n")
    studio.git("add", "notes.md")
    studio.git("commit", "--quiet", "-m", "Approve post", "-m", "Dory-Decision: approved\nDory-Id: post")
    found = past(studio.gate(), 10)
    assert told(found) == [("commit", "post"), ("commit", ""), ("commit", "")]
    assert found[0].commit is not None
    assert found[0].commit.trailers["Dory-Decision"] == "approved"


def test_a_hold_is_called_by_its_words(studio: Workspace) -> None:
    decide.add_hold(studio.gate(), "Payments — until Monday")
    event = one(past(studio.gate(), 10), "seen")
    assert (event.kind, event.about, len(event.id)) == ("hold", "Payments", 8)
    assert event.commit is not None
    assert event.commit.subject == "Hold Payments"


def test_what_cannot_be_read_or_does_not_count_says_so(studio: Workspace) -> None:
    studio.approve("post")
    studio.approve("letter")
    gate = studio.gate()
    torn = gate.ledger.original / "post/1-001-approved.json"
    torn.write_bytes(torn.read_bytes()[:40])
    shutil.rmtree(gate.ledger.original / "letter")
    found = {event.id: event for event in past(gate, 10) if event.what == "approved"}
    assert found["post"].problem == "post/1-001-approved.json cannot be used: it is not a record"
    assert found["post"].item is not None
    assert found["post"].item.record is None
    assert found["post"].when.timestamp() == pytest.approx(torn.stat().st_mtime)
    assert found["letter"].problem is not None
    assert "does not count" in found["letter"].problem


def test_a_ledger_that_cannot_be_listed_says_so(studio: Workspace) -> None:
    studio.approve("post")
    (studio.gate().ledger.original / "@hold").write_text("")
    found = past(studio.gate(), 10)
    assert one(found, "unreadable").problem == "the ledger cannot be listed (Not a directory)"
    assert one(found, "approved").problem is None


@pytest.mark.parametrize("copied", [False, True], ids=["as written", "copied"])
def test_a_limit_gives_the_newest_whatever_the_files_times_are(workspace: Workspace, copied: bool) -> None:
    gate = workspace.gate()
    for number in range(30):
        workspace.clock.forward(minutes=1)
        for name in ("a", "b", f"only-{number % 7}"):
            append(gate, name, 1, records.REJECTED)
    for file in [*gate.ledger.original.rglob("*.json"), *gate.ledger.mirror.rglob("*.json")]:
        written = records.parse(file.read_bytes(), file.name, gate.ledger.workspace, file.parent.name).when
        if not copied:
            os.utime(file, (written.timestamp(), written.timestamp()))
    every = past(gate, 1000)
    assert len(every) == 90
    assert [event.when for event in every] == sorted((event.when for event in every), reverse=True)
    for limit in (1, 2, 10, 89, 90):
        assert past(gate, limit) == every[:limit]


def test_one_item_with_its_file(studio: Workspace) -> None:
    studio.approve("post")
    studio.approve("letter")
    file = studio.root / "state/drafts/post.md"
    file.write_bytes(file.read_bytes() + b"More.\n")
    studio.git("commit", "--quiet", "-a", "-m", "Revise the post")
    found = past(studio.gate(), 10, key="post", path="state/drafts/post.md")
    assert sorted(told(found)) == [("approved", "post"), ("commit", ""), ("commit", "")]
    assert {event.about for event in found} == {"", "Revise the post", "Drafts"}
    assert ("A", "state/drafts/letter.md") in next(e for e in found if e.about == "Drafts").commit.files  # type: ignore[union-attr]
    assert told(past(studio.gate(), 10, key="nothing")) == []


def test_a_workspace_inside_a_repository(studio: Workspace) -> None:
    inner = studio.root / "inner"
    shutil.copytree(studio.root / "state", inner / "state")
    studio.git("add", "--all")
    studio.git("commit", "--quiet", "--message", "Inner")
    studio.write("beside.md", "x\n")
    studio.git("add", "--all")
    studio.git("commit", "--quiet", "--message", "Beside")
    gate = studio.gate(inner)
    letter = gate.staging().find("letter")
    assert letter is not None
    decide.approve(gate, "letter", letter.digest)
    found = past(gate, 10)
    event = one(found, "approved")
    assert event.commit is not None
    assert f"{MIRROR}/letter/1-001-approved.json" in [path for _, path in event.commit.files]
    assert [event.about for event in found if event.what == "commit"] == ["Inner"]


def test_without_a_repository_the_records_are_told(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    (event,) = past(workspace.gate(), 10)
    assert (event.what, event.commit) == ("approved", None)
    assert event.when - workspace.clock.now < timedelta(seconds=1)


def test_names_and_words_that_are_no_text(studio: Workspace) -> None:
    name = os.fsdecode(b"memory/\xff.md")
    try:
        studio.write(name, "x\n")
    except OSError:
        pytest.skip("this file system has no such names")
    studio.git("add", "--all")
    studio.git("-c", "i18n.commitEncoding=latin-1", "commit", "--quiet", "--message", "\x01 caf\u00e9 A")
    found = past(studio.gate(), 1)[0]
    assert found.commit is not None
    assert found.commit.files == (("A", name),)
    assert found.about.startswith("\x01 caf")
