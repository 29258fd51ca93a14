"""The human's own words: exactly theirs, over exactly what was shown, and never a yes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.review import decide
from dory_tui.review.change import DecisionError, Done, StaleError
from dory_tui.review.edit import edit, editable, editor_command
from dory_tui.review.items import Subject
from dory_tui.review.putting_back import SpanChangedError
from dory_tui.review.undo import undo, undoable
from dory_tui.workspace.promotions import read_promotions
from tests.conftest import Workspace

CANDIDATE = b"""---
id: invoice-day
section: "## Money"
scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 2}
status: pending
---
- Invoices are sent on the 3rd
"""
INLINE = b"""# STAGING.md\r
\r
## Currently Staged\r
\r
### Mail to Ana\r
**To:** ana@example.org\r
**Status:** pending\r
\r
Dear Ana,\r
it is done.\r
\r
### Mail to Bob\r
**Status:** pending\r
\r
Dear Bob.\r
"""


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with a draft file that runs, two inline drafts and a candidate."""
    made = make_workspace(git=True)
    made.write("state/STAGING.md", INLINE)
    made.runs("launch-1")
    made.write("memory/promotions/invoice-day.md", CANDIDATE)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def subject(studio: Workspace, name: str) -> Subject:
    if name == "invoice-day":
        return Subject("memory", name, read_promotions(studio.root)[0].digest)
    return Subject("draft", name, studio.find(name).digest)


def change(studio: Workspace, name: str, data: bytes) -> Done:
    about = subject(studio, name)
    made = edit(studio.gate(), about, about.digest, data)
    assert made is not None
    return made


def text(studio: Workspace, path: str) -> bytes:
    return (studio.root / path).read_bytes()


def subjects(studio: Workspace) -> list[str]:
    return studio.git("log", "--format=%s").splitlines()


def test_a_draft_file_takes_the_humans_bytes_and_needs_a_fresh_yes(studio: Workspace) -> None:
    studio.approve("launch-1")
    path, data, span = editable(studio.gate(), subject(studio, "launch-1"))
    assert (path, data, span) == ("state/drafts/launch-1.md", text(studio, path), (0, len(data)))
    mine = data.replace(b"Hello.", b"Good morning, \xff\r\n")
    done = change(studio, "launch-1", mine)
    assert text(studio, path) == mine
    assert done.sentence == "launch-1 is edited: it needs a yes"
    assert subjects(studio)[0] == "Edit launch-1"
    assert set(studio.git("show", "--format=", "--name-only", "HEAD").split()) == {
        "state/STAGING.md", "state/DECISIONS.md", path,
    }  # fmt: skip
    assert f"launch-1: edited — {studio.find('launch-1').short}" in text(studio, "state/DECISIONS.md").decode()
    assert (studio.standing("launch-1").state, studio.find("launch-1").status) == ("superseded", "pending")
    assert studio.events("launch-1") == ["1-001-approved"], "an edit gives no yes, and takes none back"
    assert runner.run(studio.gate(), "launch-1").code == Exit.REFUSED
    studio.approve("launch-1")
    assert runner.run(studio.gate(), "launch-1").state == "done"


def test_an_inline_draft_is_edited_below_its_labels(studio: Workspace) -> None:
    path, data, (start, stop) = editable(studio.gate(), subject(studio, "mail-to-ana"))
    assert (path, data) == ("state/STAGING.md", b"Dear Ana,\r\nit is done.\r\n")
    before = text(studio, path)
    assert before[start:stop] == data
    change(studio, "mail-to-ana", b"Dear Ana,\nit will be done")
    assert text(studio, path) == before[:start] + b"Dear Ana,\nit will be done\r\n" + before[stop:]
    assert [draft.id for draft in studio.gate().staging().drafts] == ["mail-to-ana", "mail-to-bob", "launch-1"]
    assert studio.find("mail-to-ana").body.endswith(b"it will be done")


def test_an_inline_draft_without_text_gets_one(studio: Workspace) -> None:
    studio.write(
        "state/STAGING.md", "# STAGING.md\n\n## Currently Staged\n\n### Mail\n**Status:** pending\n\n### Other\n\nX\n"
    )
    assert editable(studio.gate(), subject(studio, "mail")).data == b""
    change(studio, "mail", b"Dear you\n")
    assert b"### Mail\n**Status:** pending\n\nDear you\n\n### Other\n\nX\n" in text(studio, "state/STAGING.md")
    assert studio.find("mail").body == b"Dear you"


def test_a_candidate_is_edited_whole(studio: Workspace) -> None:
    mine = CANDIDATE.replace(b"3rd", b"5th")
    done = change(studio, "invoice-day", mine)
    assert text(studio, "memory/promotions/invoice-day.md") == mine
    assert (done.sentence, subjects(studio)[0]) == ("invoice-day is edited", "Edit invoice-day")
    undo(studio.gate())
    assert text(studio, "memory/promotions/invoice-day.md") == CANDIDATE
    assert subjects(studio)[0] == "Undo: Edit invoice-day"


@pytest.mark.parametrize("name", ["launch-1", "mail-to-ana", "invoice-day"])
def test_a_file_left_as_it_was_decides_nothing(studio: Workspace, name: str) -> None:
    head, about = studio.git("rev-parse", "HEAD"), subject(studio, name)
    assert edit(studio.gate(), about, about.digest, editable(studio.gate(), about).data) is None
    assert studio.git("rev-parse", "HEAD") == head
    assert undoable(studio.gate()) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("launch-1", "state/drafts/launch-1.md"), ("mail-to-ana", "state/STAGING.md"),
        ("invoice-day", "memory/promotions/invoice-day.md"),
    ],
)  # fmt: skip
def test_what_changed_meanwhile_is_not_written_over(studio: Workspace, name: str, path: str) -> None:
    about = subject(studio, name)
    others = text(studio, path).replace(b"done", b"nearly done").replace(b"Hello", b"Hi").replace(b"3rd", b"4th")
    studio.write(path, others)
    with pytest.raises(StaleError, match=f"{name} changed since you read it"):
        edit(studio.gate(), about, about.digest, b"mine\n")
    assert text(studio, path) == others
    with pytest.raises(StaleError):
        editable(studio.gate(), about)


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("launch-1", b"action:", b"action: [", "cannot be approved as it is: state/drafts/launch-1.md line "),
        ("launch-1", b"id: ", b"di: ", "cannot be approved as it is: state/drafts/launch-1.md line 2: `di`"),
        (
            "invoice-day",
            b"reuse: 2",
            b"reuse: 9",
            "cannot be promoted as it is: memory/promotions/invoice-day.md line 4",
        ),
        ("invoice-day", b"---\nid", b"id", "cannot be promoted as it is: "),
    ],
)
def test_what_cannot_be_used_is_kept_and_said(studio: Workspace, name: str, old: bytes, new: bytes, words: str) -> None:
    path, data, _ = editable(studio.gate(), subject(studio, name))
    mine = data.replace(old, new, 1)
    assert mine != data
    done = change(studio, name, mine)
    assert text(studio, path) == mine
    assert words in done.sentence
    assert subjects(studio)[0] == f"Edit {name}"
    again = (
        subject(studio, name) if name == "launch-1" else Subject("memory", name, read_promotions(studio.root)[0].digest)
    )
    assert edit(studio.gate(), again, again.digest, data) is not None, "and it can be mended the same way"


def test_another_id_and_a_heading_in_the_text_are_said(studio: Workspace) -> None:
    data = editable(studio.gate(), subject(studio, "launch-1")).data
    assert change(studio, "launch-1", data.replace(b'"launch-1"', b'"launch-9"')).sentence.startswith(
        "launch-1 is edited and is now launch-9: it needs a yes"
    )
    undo(studio.gate())
    assert text(studio, "state/drafts/launch-1.md") == data


def test_an_empty_file_is_no_draft(studio: Workspace) -> None:
    about = subject(studio, "launch-1")
    with pytest.raises(DecisionError, match="nothing is left of launch-1") as refused:
        edit(studio.gate(), about, about.digest, b" \n")
    assert refused.value.code == Exit.USAGE


def test_what_ran_is_not_edited(studio: Workspace) -> None:
    studio.approve("launch-1")
    about = subject(studio, "launch-1")
    runner.run(studio.gate(), "launch-1")
    with pytest.raises(DecisionError, match="launch-1 cannot be edited: it ran once and is done"):
        editable(studio.gate(), about)
    with pytest.raises(DecisionError) as refused:
        edit(studio.gate(), about, about.digest, b"other\n")
    assert refused.value.code == Exit.CLAIMED


@pytest.mark.parametrize("kind", ["draft", "memory"])
def test_what_is_gone_is_not_edited(studio: Workspace, kind: str) -> None:
    with pytest.raises(DecisionError, match="there is no ") as refused:
        editable(studio.gate(), Subject("draft" if kind == "draft" else "memory", "nothing", "0"))
    assert refused.value.code == Exit.USAGE


def test_the_undo_of_an_edit_brings_the_yes_to_the_same_bytes_back(studio: Workspace) -> None:
    studio.approve("launch-1")
    before = {path: text(studio, path) for path in ("state/STAGING.md", "state/drafts/launch-1.md")}
    change(studio, "launch-1", before["state/drafts/launch-1.md"] + b"More.\n")
    done = undo(studio.gate())
    assert done.sentence == "undone: launch-1 has its earlier text again"
    assert {path: text(studio, path) for path in before} == before
    assert studio.standing("launch-1").state == "approved"
    undo(studio.gate())
    assert studio.standing("launch-1").state == "revoked"


def test_the_undo_of_an_edit_leaves_what_others_changed_elsewhere(studio: Workspace) -> None:
    change(studio, "mail-to-ana", b"Dear Ana,\r\nit will be done.\r\n")
    studio.write("state/STAGING.md", text(studio, "state/STAGING.md").replace(b"Dear Bob", b"Dear Robert"))
    undo(studio.gate())
    assert text(studio, "state/STAGING.md").startswith(INLINE.replace(b"Dear Bob", b"Dear Robert"))
    change(studio, "mail-to-ana", b"Dear Ana,\r\nit will be done.\r\n")
    studio.write("state/STAGING.md", text(studio, "state/STAGING.md").replace(b"it will be", b"it may be"))
    with pytest.raises(SpanChangedError) as refused:
        undo(studio.gate())
    assert refused.value.lines == ("- it will be done.", "+ it may be done.")


def test_an_edit_that_ran_is_not_undone(studio: Workspace) -> None:
    path = "state/drafts/launch-1.md"
    change(studio, "launch-1", text(studio, path) + b"More.\n")
    edited = undoable(studio.gate())
    gate = studio.gate()
    with gate.ledger.lock("launch-1"):
        gate.record("launch-1", 1, "claimed", {})
    assert edited is not None
    with pytest.raises(DecisionError, match="launch-1 was started since"):
        undo(studio.gate())
    assert text(studio, path).endswith(b"More.\n")


def test_a_revised_no_waits_again(studio: Workspace) -> None:
    decide.reject(studio.gate(), "launch-1", studio.find("launch-1").digest, "too long")
    change(studio, "launch-1", text(studio, "state/drafts/launch-1.md").replace(b"Hello.", b"Hi."))
    assert (studio.find("launch-1").status, studio.find("launch-1").note) == ("pending", "")
    assert studio.standing("launch-1").state == "pending"
    undo(studio.gate())
    assert (studio.find("launch-1").status, studio.find("launch-1").note) == ("rejected", "too long")


# Which editor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of programs: `nano`, `vi` and `mine`."""
    made = tmp_path / "bin"
    made.mkdir()
    for name in ("nano", "vi", "mine"):
        (made / name).write_text("#!/bin/sh\n")
        (made / name).chmod(0o755)
    return made


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({}, ["nano"]), ({"EDITOR": "mine -w"}, ["mine", "-w"]), ({"EDITOR": "vi", "VISUAL": "mine"}, ["mine"]),
        ({"EDITOR": " ", "VISUAL": ""}, ["nano"]), ({"EDITOR": "mine 'a b'"}, ["mine", "a b"]),
    ],
)  # fmt: skip
def test_the_persons_own_editor(folder: Path, given: dict[str, str], command: list[str]) -> None:
    assert editor_command({"PATH": str(folder), **given}) == command


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"EDITOR": "gone --wait"}, r"\$EDITOR names 'gone', which cannot be found"),
        ({"VISUAL": "mine 'open"}, r"\$VISUAL cannot be read"), ({"PATH": "/nonexistent"}, r"set \$EDITOR"),
    ],
)  # fmt: skip
def test_no_editor_is_a_sentence(folder: Path, given: dict[str, str], words: str) -> None:
    with pytest.raises(DecisionError, match=words) as refused:
        editor_command({"PATH": str(folder), **given})
    assert refused.value.code == Exit.USAGE


def test_the_plain_ones_are_looked_for_in_order(folder: Path) -> None:
    (folder / "nano").unlink()
    assert editor_command({"PATH": str(folder)}) == ["vi"]
