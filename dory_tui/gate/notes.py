"""Notes in the state folder: when something was last done. No records: nothing depends on them but what is shown."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime

from dory_tui.gate.survey import Gate
from dory_tui.workspace.timestamps import instant, parse_instant


def write(gate: Gate, name: str, when: datetime, more: Mapping[str, object] | None = None) -> None:
    """Replace a note. One that cannot be written is left out, as in a workspace whose id nobody wrote yet."""
    note = {"when": instant(when), **(more or {})}
    file = gate.ledger.state / name
    try:
        temporary = file.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(note, ensure_ascii=False, indent=2) + "\n", "utf-8")
        temporary.rename(file)
    except OSError:
        return


def when(gate: Gate, name: str) -> datetime | None:
    """The time of a note; None when there is none, or it cannot be read."""
    try:
        note = json.loads((gate.ledger.state / name).read_text("utf-8"))
        return parse_instant(note["when"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
