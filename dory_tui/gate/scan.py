"""Every draft's records of one event, out of the authoritative ledger alone: for notes that are made once."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dory_tui.ledger import records
from dory_tui.ledger.records import Record, RecordError
from dory_tui.ledger.store import Ledger


def whole(ledger: Ledger, event: str) -> Iterator[Record]:
    """The records of an event. One that cannot be read is passed over: it blocks its own item and nothing else.

    OSError when the ledger itself cannot be listed.
    """
    try:
        keys = sorted(name for name in os.listdir(ledger.original) if not name.startswith(("@", ".")))
    except FileNotFoundError:
        return
    for key in keys:
        folder = ledger.original / key
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            if (parsed := records.parse_name(name)) is None or parsed[2] != event:
                continue
            try:
                yield records.parse((folder / name).read_bytes(), name, ledger.workspace, key)
            except (OSError, RecordError):
                continue
