"""Run by `test_claims` as a script: one of the processes that claim, or append, or only sync, as fast as they can.

Arguments: what to do, a folder, its number, how often. Says `ready`, waits for a line, prints the seconds it took.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dory_tui.gate.survey import Gate
from dory_tui.ledger import records


def claiming(folder: Path, keys: Sequence[str]) -> Callable[[str], None]:
    """Claims as the gate makes them: in both ledgers and the journal, in the folders that the yes has made."""
    gate = Gate.open(folder / "workspace", {**os.environ, "XDG_STATE_HOME": str(folder / "state")})
    for key in keys:
        for base in (gate.ledger.original, gate.ledger.mirror):
            (base / key).mkdir(parents=True, exist_ok=True)

    def claim(key: str) -> None:
        with gate.ledger.lock(key):
            gate.record(key, 1, records.CLAIMED, {"digest": "0" * 64, "lane": "default", "machine": gate.machine})

    return claim


def appending(folder: Path, _keys: Sequence[str]) -> Callable[[str], None]:
    """The naive ledger: one line of JSON for each claim in one file, and fsync. It keeps nobody from claiming twice."""
    file = os.open(folder / "naive.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def append(key: str) -> None:
        os.write(file, (json.dumps({"id": key, "event": "claimed", "digest": "0" * 64}) + "\n").encode())
        os.fsync(file)

    return append


def syncing(folder: Path, _keys: Sequence[str]) -> Callable[[str], None]:
    """The floor: a new file and its folder, each synced once, which any durable name costs."""

    def sync(key: str) -> None:
        place = folder / "floor" / key
        place.parent.mkdir(exist_ok=True)
        file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(file, b"0" * 400)
        os.fsync(file)
        os.close(file)
        above = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(above)
        os.close(above)

    return sync


def main() -> None:
    kind, folder, number, times = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    keys = [f"item-{number}-{turn}" for turn in range(times)]
    work = {"claims": claiming, "naive": appending, "floor": syncing}[kind](folder, keys)
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    for key in keys:
        work(key)
    print(time.monotonic() - begun)


if __name__ == "__main__":
    main()
