"""`dory memory audit`: MEMORY.md with what git, the logs and the ledger know of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.ledger import records
from dory_tui.ledger.store import MEMORY_PREFIX
from dory_tui.memory import audit as rules
from dory_tui.memory.audit import Audited, Gap, Text
from dory_tui.review.change import DecisionError, local
from dory_tui.workspace import layout, logs
from dory_tui.workspace.document import WorkspaceError, read_bytes
from dory_tui.workspace.promotions import AXES


@dataclass(frozen=True, slots=True)
class Audit:
    """MEMORY.md looked through. `lines` has the stale entries first; `size` and `cap` are bytes."""

    lines: tuple[Audited, ...]
    gaps: tuple[Gap, ...]
    size: int
    cap: int
    cap_origin: str | None
    stale_days: int
    stale_origin: str | None
    """The file that another age than 180 days comes from."""
    today: date
    dated: bool
    """Whether git knows when the lines came; else their age is that of the file."""
    digest: str
    """SHA-256 of MEMORY.md as it was looked through, hex."""

    @property
    def stale(self) -> tuple[Audited, ...]:
        return tuple(one for one in self.lines if one.stale)


Progress = Callable[[int, int], None]
"""Told how many logs of how many were read. What it raises ends the audit."""


def _silent(done: int, count: int) -> None:
    """Nobody waits at a screen."""


def audit(gate: Gate, progress: Progress = _silent) -> Audit:
    """Look through MEMORY.md. ConfigError for settings that cannot be used, DecisionError without a MEMORY.md.

    Ten years of logs take seconds, so not in the loop of a screen.
    """
    settings = config.load(gate.root)
    now = local(gate)
    try:
        data = read_bytes(gate.root / layout.MEMORY, layout.MEMORY)
    except WorkspaceError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    if data is None:
        raise DecisionError(Exit.USAGE, "there is no MEMORY.md yet: `dory init` adds one")
    times = [
        None if time is None else time.astimezone(now.tzinfo)
        for time in Repository(gate.root, gate.environment).line_times(layout.MEMORY)
    ]
    written = datetime.fromtimestamp((gate.root / layout.MEMORY).stat().st_mtime, UTC).astimezone(now.tzinfo)
    found = rules.audit(data, times, written, texts(gate, progress), now.date(), settings.stale_days)
    return Audit(
        found, rules.gaps(scores(gate)), len(data), settings.cap, settings.cap_origin, settings.stale_days,
        settings.stale_origin, now.date(), bool(times), hashlib.sha256(data).hexdigest(),
    )  # fmt: skip


def texts(gate: Gate, progress: Progress = _silent) -> Iterator[Text]:
    """Every log, those of the archive too. One that cannot be read is left out: it mentions nothing."""
    listed = logs.list_logs(gate.root)
    for number, log in enumerate(listed):
        progress(number, len(listed))
        with suppress(WorkspaceError):
            data = read_bytes(gate.root / log.path, log.path)
            if data is not None:
                yield log.day, log.path, data


def scores(gate: Gate) -> Iterator[tuple[Mapping[str, int], Mapping[str, int]]]:
    """(agent's, human's) scores of every candidate that a human scored or promoted, out of the ledger."""
    for key in gate.ledger.keys(MEMORY_PREFIX):
        agent: Mapping[str, int] | None = None
        human: Mapping[str, int] | None = None
        for item in gate.ledger.history(key):
            data = item.record.data if item.original and item.record is not None else {}
            given = _four(data.get("scores"))
            if item.event == records.SCORED and given is not None:
                agent, human = _four(data.get("agent_scores")) or agent, given
            elif item.event == records.PROMOTED and given is not None:
                agent, human = _four(data.get("agent_scores")) or agent or given, given
        if agent is not None and human is not None:
            yield agent, human


def _four(given: object) -> dict[str, int] | None:
    if not isinstance(given, dict) or any(not isinstance(given.get(axis), int) for axis in AXES):
        return None
    return {axis: int(given[axis]) for axis in AXES}
