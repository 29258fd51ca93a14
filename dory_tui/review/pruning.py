"""Taking entries out of MEMORY.md: what the human marked, shown first, then one commit, which undo takes back."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.memory.pruning import PruningError, entries_of, pruned
from dory_tui.review.change import DecisionError, Done, StaleError, of_files
from dory_tui.workspace import layout
from dory_tui.workspace.document import WorkspaceError, read_bytes

PRUNED = "pruned"


@dataclass(frozen=True, slots=True)
class Preview:
    """MEMORY.md as it is and as it would be, in bytes, and the first line of each entry that would go."""

    before: bytes
    after: bytes
    words: tuple[str, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the file as it is, hex: what `prune` asks for."""
        return hashlib.sha256(self.before).hexdigest()


def preview(gate: Gate, lines: Collection[int]) -> Preview:
    """What pruning these lines of MEMORY.md would write. DecisionError when it cannot be done."""
    if not lines:
        raise DecisionError(Exit.USAGE, "name the lines of MEMORY.md to take out, as `dory memory audit` lists them")
    try:
        data = read_bytes(gate.root / layout.MEMORY, layout.MEMORY)
    except WorkspaceError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    if data is None:
        raise DecisionError(Exit.USAGE, "there is no MEMORY.md, so there is nothing to prune")
    try:
        after = pruned(data, lines)
    except PruningError as error:
        raise DecisionError(Exit.USAGE, str(error)) from error
    wanted = set(lines)
    words = tuple(text for first, last, text in entries_of(data) if wanted & set(range(first, last + 1)))
    return Preview(data, after, words)


def prune(gate: Gate, digest: str, lines: Collection[int]) -> Done:
    """Take out the entries that these lines belong to, in one commit. `digest` is the SHA-256 of MEMORY.md as shown.

    StaleError when the file is another by now; nothing is written then. It never grows by this.
    """
    would = preview(gate, lines)
    if would.digest != digest:
        raise StaleError(layout.MEMORY)
    change = of_files(gate, layout.MEMORY)

    def work(data: bytes | None) -> bytes:
        if data != would.before:
            raise StaleError(layout.MEMORY)
        return would.after

    try:
        change.edit(layout.MEMORY, work)
        if change.problems:
            raise DecisionError(Exit.REFUSED, change.problems[0])
        count = len(would.words)
        entries = "1 entry" if count == 1 else f"{count} entries"
        saved = len(would.before) - len(would.after)
        sentence = f"{entries} and {saved:,} bytes are out of MEMORY.md"
        change.decision_line(f"{layout.MEMORY}: {PRUNED} {entries} — {digest[:12]}")
        return change.commit(sentence, f"Prune {entries} of MEMORY.md", PRUNED, layout.MEMORY, digest)
    finally:
        change.let_go()
