"""A session's memory: what it is told at its start, and the one question at the end of a turn that logged nothing.

In the state folder, `hooks/<platform>-<session>.ran` is made by the first tool of a turn, and its time is when that
was; `….asked` stands there from a question to the next end of a turn. Neither matters to the gate. What fails here is
passed over: a session never waits for its memory.
"""

# `pathlib` costs half a start of Python, and every tool call comes through here.
# ruff: noqa: PTH103, PTH108, PTH116, PTH120

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from dory_tui import homes
from dory_tui.agent.hooks.calls import ToolCall

FOLDER = "hooks"
QUESTION = (
    "Tools ran in this turn and nothing was logged. Before you stop, write one line of what was done or decided: "
    '`dory-agent log --kind task|decision|bug|fact|promise "…"`. If nothing is worth a line, just stop.'
)
_LOOKS = ("dory-agent boot", "dory-agent status", "dory-agent check", "dory-agent search", "dory-agent kept")
_KEPT_DAYS = 7
_MOST = 20
_LONGEST = 200


def _file(environment: Mapping[str, str], platform: str, session: str, end: str) -> str:
    name = "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "_" for char in session)
    return f"{homes.state(environment)}/{FOLDER}/{platform}-{name[:100]}.{end}"


def _make(file: str) -> bool:
    """Make an empty file; whether it is a new one."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except FileNotFoundError:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def _take(file: str) -> int | None:
    """Take a file away; its time in nanoseconds, None when there is none."""
    try:
        found = os.stat(file).st_mtime_ns
        os.unlink(file)
    except OSError:
        return None
    return found


def ran(environment: Mapping[str, str], platform: str, session: str, call: ToolCall) -> None:
    """Remember that a tool runs in this turn. Looking is nothing to log."""
    from dory_tui.agent.hooks.arguments import called, reads

    command = call.arguments.get("command")
    if not session or reads(called(call.tool)[-1]):
        return
    if isinstance(command, str) and command.strip().startswith(_LOOKS) and not set(command) & set(";&|\n"):
        return
    try:
        _make(_file(environment, platform, session, "ran"))
    except OSError:
        return


def question(environment: Mapping[str, str], platform: str, session: str, again: bool, root: str) -> str | None:
    """The question at the end of a turn in which tools ran and nothing was logged; never twice in a row."""
    if not session:
        return None
    since = _take(_file(environment, platform, session, "ran"))
    asked = _file(environment, platform, session, "asked")
    before = _take(asked) is not None
    if since is None or again or before or _logged(root, since):
        return None
    try:
        return QUESTION if _make(asked) else None
    except OSError:
        return None  # what cannot be remembered could be asked for ever


def _logged(root: str, since: int) -> bool:
    """Whether a log was written since then. The hook runs before the tool, so a line of this turn is not older."""
    try:
        with os.scandir(f"{root}/memory") as found:
            return any(one.name.endswith(".md") and one.stat().st_mtime_ns >= since for one in found)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # what cannot be looked at is not asked for


def forget_old(environment: Mapping[str, str]) -> None:
    """Take away what sessions of more than a week ago left."""
    limit = time.time() - _KEPT_DAYS * 86_400
    try:
        with os.scandir(f"{homes.state(environment)}/{FOLDER}") as found:
            old = [one.path for one in found if one.name.endswith((".ran", ".asked")) and one.stat().st_mtime < limit]
    except OSError:
        return
    for path in old:
        _take(path)


def context(environment: Mapping[str, str], root: str) -> str:
    """What a session is told: the boot line, what is held, what waits, and what could not be read."""
    from pathlib import Path

    from dory_tui.agent.boot import look
    from dory_tui.gate.survey import Gate

    found = look(Gate.open(Path(root), environment, by="dory-agent"))
    lines = [found.line]
    lines += _listed("Held, so do not act on it:", [hold.text for hold in found.holds])
    waiting = [f"{draft.id}: {standing.state}" for draft, standing in found.drafts if standing.needs_yes]
    lines += _listed("Waiting for your human's yes:", waiting)
    lines += _listed("Not as it should be:", list(found.problems))
    lines.append(
        "What posts, mails, pays, deploys, force-pushes or deletes much: `dory-agent stage` it; after your human's yes "
        "`dory-agent run ID` starts it, once. Log at once: `dory-agent log --kind task …`."
    )
    return "\n".join(lines)


def _listed(title: str, texts: list[str]) -> list[str]:
    from dory_tui.visible import cut, visible_line

    if not texts:
        return []
    shown = [f"- {cut(visible_line(text), _LONGEST)}" for text in texts[:_MOST]]
    more = [f"- and {len(texts) - _MOST} more: `dory-agent status`"] if len(texts) > _MOST else []
    return [title, *shown, *more]
