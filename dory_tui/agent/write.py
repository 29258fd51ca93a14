"""What the agent's verbs share: the workspace's time, and a splice that loses nobody's line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.workspace import timestamps
from dory_tui.workspace.document import ChangedError, WorkspaceError, locked, parse, read_bytes, replace

_TRIES = 20


class RefusedError(WorkspaceError):
    """What was asked for is not done; the message says why and what to do. `code` is the exit code for it."""

    def __init__(self, sentence: str, code: Exit = Exit.REFUSED) -> None:
        super().__init__(sentence)
        self.code = code


def local(gate: Gate) -> datetime:
    """Now, in the workspace's zone. ConfigError when `dory.toml` cannot say which: a line could go to another day."""
    return gate.clock().astimezone(timestamps.zone(config.load(gate.root).time_zone))


def local_or_machine(gate: Gate) -> datetime:
    """Now, in the workspace's zone, else in the machine's: for what must be written down in any case."""
    try:
        return local(gate)
    except config.ConfigError:
        return gate.clock().astimezone()


def splice(gate: Gate, path: str, work: Callable[[bytes | None], bytes]) -> bool:
    """Read, work out, compare and swap; again when another writer was faster. Returns whether the file changed.

    `work` gets None for a file that is not there. Processes of ours queue up at the workspace's folder, so that only an
    editor can be faster. WorkspaceError when the file cannot be read or written, or holds merge conflict markers.
    """
    with locked(gate.root):
        for _ in range(_TRIES):
            before = read_bytes(gate.root / path, path)
            if before is not None and (line := parse(path, before).conflicted) is not None:
                raise RefusedError(f"{path} line {line}: merge conflict markers; resolve them first", Exit.USAGE)
            after = work(before)
            if after == before:
                return False
            try:
                replace(gate.root, path, before, after)
            except ChangedError:
                continue
            return True
    raise RefusedError(f"{path} kept changing, so it was not written: try again")
