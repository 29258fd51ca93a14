"""Attachments and the program itself: what was approved is what is handed over, whatever lies in the folder by then."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import jobs, runner
from dory_tui.gate.rules import Exit
from dory_tui.gate.runner import Answer
from dory_tui.review import decide
from dory_tui.review.change import DecisionError, StaleError
from dory_tui.review.desk import load
from dory_tui.review.inspect import inspect
from dory_tui.review.show import show_draft
from dory_tui.tui.widgets.draft_page import draft_page
from dory_tui.values import replace

if TYPE_CHECKING:
    from tests.conftest import Stop, Workspace

pytestmark = [pytest.mark.gate, pytest.mark.xdist_group("attachments")]
PICTURE = b"\x89PNG\r\n\x1a\n\x00 a picture"
SHOW = 'printf "%s\\n" "$DORY_ATTACHMENTS"; for one; do printf "<%s>" "$one"; done; printf "\\n"; cat "$@"'


def run(workspace: Workspace) -> Answer:
    return runner.run(workspace.gate(), "post")


def post(workspace: Workspace, words: str, *more: str, attach: list[str], **action: Any) -> None:
    workspace.draft("post", action={"argv": ["/bin/sh", "-c", words, "post", *more], "attach": attach, **action})


def snapshots(workspace: Workspace) -> list[str]:
    folder = workspace.gate().ledger.state / jobs.SNAPSHOTS
    return sorted(os.listdir(folder)) if folder.exists() else []


def test_the_program_gets_copies_of_the_approved_bytes_in_order(workspace: Workspace) -> None:
    workspace.write("img/launch.png", PICTURE)
    workspace.write("notes/launch.png", b"another of this name")
    post(workspace, SHOW, "notes/launch.png", "img/launch.png", attach=["img/launch.png", "notes/launch.png"])
    workspace.approve("post")
    found = run(workspace)
    assert found.code == Exit.FINE
    first, second, given, rest = found.output.split(b"\n", 3)
    for copy in (first, second):
        assert Path(os.fsdecode(copy)).name == "launch.png"
        assert not Path(os.fsdecode(copy)).is_relative_to(workspace.root)
    assert first != second
    assert given == b"<%s><%s>" % (second, first), "arguments that name them are the copies' paths"
    assert rest == b"another of this name" + PICTURE
    assert snapshots(workspace) == [], "and they are gone"


def test_the_copies_are_private_and_the_file_can_change_under_way(workspace: Workspace, stop: Stop) -> None:
    file = workspace.write("img/a.png", PICTURE)
    file.chmod(0o644)
    words = f'stat -c "%a %n" "$1" "$(dirname "$1")"; {stop.words}; cat "$1"'
    workspace.live()
    post(workspace, words, "img/a.png", attach=["img/a.png"])
    workspace.approve("post")
    process = workspace.agent("run", "post", "--json")
    stop.reached()
    file.write_bytes(b"swapped")
    (copy,) = (workspace.gate().ledger.state / jobs.SNAPSHOTS).rglob("a.png")
    assert copy.stat().st_mode & 0o077 == 0
    stop.let_go()
    said, _ = process.communicate()
    output = json.loads(said)["output"]
    assert [line.split(" ")[0] for line in output.splitlines()[:2]] == ["600", "700"]
    assert "a picture" in output
    assert "swapped" not in output


@pytest.mark.parametrize("how", ["bytes", "gone", "link out", "link in", "folder"])
def test_a_swapped_attachment_is_refused(workspace: Workspace, how: str) -> None:
    file = workspace.write("img/a.png", PICTURE)
    workspace.write("img/b.png", b"another")
    post(workspace, SHOW, attach=["img/a.png"])
    workspace.approve("post")
    file.unlink()
    match how:
        case "bytes":
            file.write_bytes(PICTURE + b"!")
        case "link out":
            file.symlink_to("/etc/hostname")
        case "link in":
            file.symlink_to("b.png")
        case "folder":
            file.mkdir()
    for verb in (runner.check, runner.run):
        found = verb(workspace.gate(), "post")
        assert found.code == (Exit.REFUSED if how in ("bytes", "link in") else Exit.USAGE)
        assert "img/a.png" in found.sentence
    assert workspace.events("post") == ["1-001-approved"]
    if how == "bytes":
        assert found.sentence == "the attachment img/a.png changed after the yes: it needs a fresh one"
        workspace.approve("post")
        assert runner.run(workspace.gate(), "post").code == Exit.FINE


def test_the_approved_bytes_back_in_place_are_approved_again(workspace: Workspace) -> None:
    file = workspace.write("img/a.png", PICTURE)
    post(workspace, SHOW, "img/a.png", attach=["img/a.png"])
    workspace.approve("post")
    file.write_bytes(b"other")
    assert run(workspace).state == "superseded"
    file.write_bytes(PICTURE)
    assert run(workspace).code == Exit.FINE


def test_the_approval_keeps_type_size_and_hash_and_the_bytes(workspace: Workspace) -> None:
    workspace.write("img/a.png", PICTURE)
    post(workspace, SHOW, attach=["img/a.png"])
    workspace.approve("post")
    record = workspace.gate().ledger.history("post")[-1].record
    assert record is not None
    digest = hashlib.sha256(PICTURE).hexdigest()
    assert record.data["attachments"] == [
        {"path": "img/a.png", "sha256": digest, "size": len(PICTURE), "type": "image/png"}
    ]
    assert workspace.gate().ledger.blob(digest) == PICTURE
    (workspace.gate().ledger.state / "blobs" / digest).write_bytes(b"damaged")
    found = run(workspace)
    assert (found.code, found.state) == (Exit.REFUSED, "superseded")
    assert "the approved copy of img/a.png is missing or damaged" in found.sentence


def test_what_was_shown_is_what_a_yes_is_to(workspace: Workspace) -> None:
    file = workspace.write("img/a.png", PICTURE)
    post(workspace, SHOW, attach=["img/a.png"])
    shown = inspect(workspace.root, workspace.find("post"), workspace.clock.now)
    file.write_bytes(b"swapped while it was read")
    with pytest.raises(StaleError):
        decide.approve(workspace.gate(), "post", workspace.find("post").digest, fingerprint=shown.fingerprint)
    assert workspace.events("post") == []


def test_the_review_shows_type_size_and_hash(workspace: Workspace) -> None:
    workspace.write("img/a.png", PICTURE)
    post(workspace, SHOW, "img/a.png", "--as=img/a.png", attach=["img/a.png"])
    desk = load(workspace.gate())
    item = desk.staged_by_id("post")
    assert item is not None
    digest = hashlib.sha256(PICTURE).hexdigest()[:12]
    line = f"img/a.png  image/png, {len(PICTURE)} bytes  sha256 {digest}…"
    shown = show_draft(desk, item)
    assert f"attach   {line}" in shown
    assert "4        img/a.png  (its approved copy)" in shown
    loose = "argument 5 has img/a.png inside a longer word: the program reads that file itself, not the approved copy"
    assert loose in shown
    looked = inspect(workspace.root, item.draft, desk.now, gate=desk.gate)
    page = draft_page(item, looked, desk, "")
    assert page.block is not None
    assert ("attach", line) in [(row.gutter, "".join(span.text for span in row.spans)) for row in page.block.rows]
    assert loose in [fact.text for fact in page.facts]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("../x", "leads out of the workspace"), ("out", "leads out of the workspace"),
        ("out/deep.png", "leads out of the workspace"), ("none.png", "does not exist"), ("state", "is a folder"),
        ("fifo", "not a regular file"), ("/etc/passwd", "not a path relative"),
    ],
)  # fmt: skip
def test_what_cannot_be_attached_cannot_be_approved(workspace: Workspace, path: str, words: str) -> None:
    (workspace.root / "out").symlink_to("/etc")
    os.mkfifo(workspace.root / "fifo")
    post(workspace, SHOW, attach=[path])
    with pytest.raises(DecisionError, match=words) as caught:
        workspace.approve("post")
    assert caught.value.code == Exit.USAGE
    assert "state/drafts/post.md line 3" in str(caught.value)


def test_copies_that_a_killed_runner_left_are_taken_away(workspace: Workspace, stop: Stop) -> None:
    workspace.write("img/a.png", PICTURE)
    workspace.live()
    post(workspace, stop.words, attach=["img/a.png"])
    workspace.approve("post")
    process = workspace.agent("run", "post")
    stop.reached()
    process.kill()
    assert process.wait() == -signal.SIGKILL
    process.communicate()
    assert snapshots(workspace) == ["post"]
    workspace.runs("other")
    workspace.approve("other")
    assert runner.run(workspace.gate(), "other").code == Exit.FINE
    assert snapshots(workspace) == ["post"], "while its child runs it keeps what it was given"
    stop.let_go()
    lock = workspace.gate().ledger.open_lock("post", "run")
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.close(lock)
    workspace.runs("last")
    workspace.approve("last")
    assert runner.run(workspace.gate(), "last").code == Exit.FINE
    assert snapshots(workspace) == []
    assert workspace.standing("post").state == "unknown"


def test_a_program_swapped_between_the_claim_and_the_start_is_not_started(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is made durable in the meantime, which is long enough for a writer that waits for it."""
    program = workspace.write("bin/post", '#!/bin/sh\necho "$DORY_ID" >> "$1"\n')
    program.chmod(0o755)
    workspace.draft("post", action={"argv": ["bin/post", str(workspace.effects)]})
    workspace.approve("post")
    claim = workspace.root / ".dory/ledger/post/1-500-claimed.json"
    link = os.link

    def linked(source: Any, target: Any, **more: Any) -> None:
        link(source, target, **more)
        if Path(target) == claim:
            program.write_text('#!/bin/sh\necho swapped >> "$1"\n')

    monkeypatch.setattr(os, "link", linked)
    found = run(workspace)
    assert (found.code, found.state, found.started) == (Exit.REFUSED, "aborted-before-start", False)
    assert "bin/post changed just before its start" in found.sentence
    assert not workspace.effects.exists()
    assert workspace.events("post") == ["1-001-approved", "1-500-claimed", "1-501-aborted-before-start"]
    workspace.approve("post")
    assert run(workspace).code == Exit.FINE, "a fresh yes is to the program as it is now"


def test_a_value_too_short_to_be_masked_is_said(workspace: Workspace) -> None:
    workspace.draft(
        "post", action={"argv": ["/bin/sh", "-c", "echo $PIN $TOKEN"], "env_pass": ["PIN", "TOKEN", "UNSET"]}
    )
    workspace.approve("post")
    gate = workspace.gate()
    gate = replace(gate, environment={**gate.environment, "PIN": "123", "TOKEN": "hunter2"})
    found = runner.run(gate, "post")
    assert found.output == b"123 [masked]\n"
    assert found.sentence == "it ran once and is done; too short to be masked in what it printed: PIN"
    record = gate.ledger.history("post")[-1].record
    assert record is not None
    assert record.data["unmasked"] == ["PIN"]
