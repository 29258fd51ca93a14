"""The human's verb on promises: kept (memory.md, "The day's log")."""

from __future__ import annotations

import hashlib

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review.change import DecisionError, Done, of_files
from dory_tui.secrets import masked
from dory_tui.visible import cut
from dory_tui.workspace.document import encode
from dory_tui.workspace.edits import one_line
from dory_tui.workspace.promises import Promise, close

KEPT = "kept"
_SUBJECT = 60


def kept(gate: Gate, promise: Promise) -> Done:
    """Tick the box of one promise in its log, in one commit `Keep a promise: …`. Nothing else in the log changes.

    DecisionError when it is gone, or ticked already.
    """
    change = of_files(gate, promise.path)

    def work(data: bytes | None) -> bytes:
        return close(data or b"", promise)

    try:
        change.edit(promise.path, work)
        if promise.path not in change.touched:
            reason = change.problems[0] if change.problems else f"{promise.path} did not change"
            raise DecisionError(Exit.REFUSED, reason.partition(": look again with ")[0])
        words = one_line(promise.text)
        digest = hashlib.sha256(encode(promise.text)).hexdigest()
        place = f"{promise.path}#L{promise.line}"
        return change.commit(f"kept: {words}", f"Keep a promise: {cut(masked(words), _SUBJECT)}", KEPT, place, digest)
    finally:
        change.let_go()
