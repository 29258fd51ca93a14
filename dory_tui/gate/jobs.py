"""An approved snapshot made into the job that would be started, if everything it names is still what was approved."""

from __future__ import annotations

import os

from dory_tui.gate import action
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.workspace.drafts import Draft

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

SNAPSHOTS = "snapshots"
"""The folder in the workspace's state folder with the copies that runs in progress were given (`gate.attached`)."""


def of_approval(gate: Gate, snapshot: Draft, attempt: int, approval: records.Record) -> action.Job | str:
    """The job of an approval with an action; the sentence for what is another by now and needs a fresh yes.

    WorkspaceError when something that it names is gone or leads out of the workspace.
    """
    approved = approval.data
    wanted = action.Action.restore(approved["action"])
    executable = action.resolve_executable(gate.root, wanted)
    if {"path": executable.path, "sha256": executable.sha256} != approved["executable"]:
        return f"{wanted.argv[0]} is now another {executable.path} than was approved: it needs a fresh yes"
    stdin = gate.ledger.blob(str(approved["stdin_sha256"]))
    if stdin is None or action.stdin_bytes(gate.root, snapshot, wanted) != stdin:
        return "its standard input is not what was approved: it needs a fresh yes"
    attached = _attached(gate, wanted, approved)
    if isinstance(attached, str):
        return attached
    key = records.digest(records.serialise(approval)).removeprefix("sha256:")[:32]
    return action.Job(
        snapshot.id, attempt, key, wanted, executable, action.working_folder(gate.root, wanted), stdin, attached,
        gate.ledger.state / SNAPSHOTS,
    )  # fmt: skip


def _attached(gate: Gate, wanted: action.Action, approved: Any) -> tuple[tuple[str, bytes], ...] | str:
    """The approved bytes of its attachments, or the sentence for one that is another by now."""
    if not wanted.attach:
        return ()
    from dory_tui.gate import attached

    kept = approved.get("attachments", ())
    if (sentence := attached.changed(gate.root, wanted, kept)) is not None:
        return sentence
    found = [(str(one["path"]), gate.ledger.blob(str(one["sha256"]))) for one in kept]
    gone = next((path for path, data in found if data is None), None)
    if gone is not None:
        return f"the approved copy of {gone} is missing or damaged: it needs a fresh yes"
    return tuple((path, data) for path, data in found if data is not None)


def tidy(gate: Gate, identity: str) -> None:
    """Take away copies of attachments that a killed runner left. This item's run lock is held, so nothing uses its."""
    try:
        left = os.listdir(gate.ledger.state / SNAPSHOTS)
    except OSError:
        return
    import shutil

    for name in left:
        if name == identity or not gate.ledger.running(name):
            shutil.rmtree(gate.ledger.state / SNAPSHOTS / name, ignore_errors=True)
