"""The agent's first look: the boot line, and what stands where."""

from __future__ import annotations

from dory_tui.gate.exact_words import task_words
from dory_tui.gate.rules import Exit, Standing
from dory_tui.gate.runner import executable_now
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.values import dataclass
from dory_tui.workspace import layout
from dory_tui.workspace.boot import boot_line
from dory_tui.workspace.document import WorkspaceError, parse, read
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.entries import AS_TEXT, first_open, read_task
from dory_tui.workspace.holds import Hold, unreadable_holds
from dory_tui.workspace.holds import count as open_holds


@dataclass(frozen=True, slots=True)
class Look:
    """What the agent may know: the holds in force, each draft with its standing, and the boot line."""

    line: str
    holds: tuple[Hold, ...]
    drafts: tuple[tuple[Draft, Standing], ...]
    problems: tuple[str, ...]


def look(gate: Gate) -> Look:
    """Read the state files. What cannot be read is `?` in the boot line, and a sentence in `problems`."""
    problems: list[str] = []
    holds, count = _holds(gate, problems)
    task = _task(gate, problems)
    drafts: tuple[tuple[Draft, Standing], ...] = ()
    waiting: int | None = None
    try:
        staging = gate.staging()
        drafts = tuple((draft, _standing(gate, draft, holds)) for draft in staging.drafts)
        as_text = [one for one in staging.text if one.sentence == AS_TEXT]
        problems.extend(map(str, as_text))
        waiting = None if as_text else sum(standing.needs_yes for _, standing in drafts)
    except WorkspaceError as error:
        problems.append(str(error))
    return Look(boot_line(task, count, waiting), tuple(holds), drafts, tuple(problems))


def _task(gate: Gate, problems: list[str]) -> str | None:
    """The user's words, "" for no task, None where that cannot be told."""
    try:
        document = read(gate.root, layout.ACTIVE) or parse(layout.ACTIVE, b"")
    except WorkspaceError as error:
        problems.append(str(error))
        return None
    if document.conflicted is not None:
        problems.append(f"{layout.ACTIVE} has merge conflict markers")
        return None
    try:
        changed = task_words(gate, document)
    except LedgerError as error:
        changed = str(error)
    if changed is not None:
        problems.append(f"{layout.ACTIVE}: {changed}")
    reading = read_task(document)
    if (task := first_open(reading.entries)) is not None:
        return task.said
    return None if reading.text and not reading.entries else ""


def _holds(gate: Gate, problems: list[str]) -> tuple[list[Hold], int | None]:
    """The holds in force and their number; None, and one hold over everything, where that cannot be told."""
    try:
        holds = gate.holds()
    except LedgerError as error:
        problems.append(str(error))
        return [unreadable_holds(str(error))], None
    try:
        gate.notice_holds(holds)
    except LedgerError as error:
        problems.append(str(error))
    try:
        read(gate.root, layout.HOLD)
    except WorkspaceError as error:
        problems.append(str(error))
        return holds, None
    return holds, open_holds(holds)


def _standing(gate: Gate, draft: Draft, holds: list[Hold]) -> Standing:
    """A draft whose records cannot be read is blocked; the others are not."""
    try:
        return gate.standing(draft, holds, executable=executable_now(gate, draft))
    except LedgerError as error:
        return Standing("invalid", str(error), Exit.REFUSED)
