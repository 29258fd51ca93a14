"""One draft looked at closely: what would run if it were approved, and what would deceive the eye."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dory_tui.gate import action
from dory_tui.gate.action import YES_HOLDS, Action, ActionError, Executable, Schedule
from dory_tui.visible import Visible, Warning, visible, visible_line, warnings
from dory_tui.workspace.document import WorkspaceError, decode
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.timestamps import when


@dataclass(frozen=True)
class Inspection:
    """What the detail side and the fixed block show, and what an approval is made of.

    `source` is the draft's whole text, made visible. `lines` are (label, text) pairs in reading order, all of it made
    visible, each argument on its own line. With a `refusal` it cannot be approved as it is.
    """

    source: Visible
    flags: tuple[Warning, ...]
    action: Action | None
    schedule: Schedule
    executable: Executable | None
    stdin: bytes
    lines: tuple[tuple[str, str], ...]
    refusal: str | None = None

    @property
    def fingerprint(self) -> str:
        """What was shown besides the draft's own bytes: the program and its input. A yes names it."""
        program = (self.executable.path, self.executable.sha256) if self.executable else ()
        parts = (*program, hashlib.sha256(self.stdin).hexdigest(), self.refusal or "")
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def inspect(root: Path, draft: Draft, now: datetime) -> Inspection:
    """Look closely at one draft. Never raises: what is wrong becomes the refusal."""
    text = decode(draft.data)
    shown = visible(draft.data)
    flags = tuple(warnings(text))
    if draft.problem is not None:
        return Inspection(shown, flags, None, Schedule(), None, b"", (), str(draft.problem))
    try:
        plan = action.plan(draft)
    except ActionError as error:
        sentence = f"{draft.where} line {error.line}: {error}"
        return Inspection(shown, flags, None, Schedule(), None, b"", (), sentence)
    if plan.action is None:
        lines = (("text", "nothing runs; the agent may use these words, once"), *_when_lines(plan.schedule, now))
        return Inspection(shown, flags, None, plan.schedule, None, b"", lines)
    try:
        executable = action.resolve_executable(root, plan.action)
        stdin = action.stdin_bytes(root, draft, plan.action)
        folder = action.working_folder(root, plan.action)
    except WorkspaceError as error:
        lines = (*_argument_lines(plan.action, None), *_when_lines(plan.schedule, now))
        return Inspection(shown, flags, plan.action, plan.schedule, None, b"", lines, f"{draft.where}: {error}")
    lines = (
        *_argument_lines(plan.action, executable),
        *_input_lines(plan.action, stdin),
        *_place_lines(plan.action, folder),
        *_when_lines(plan.schedule, now),
    )
    return Inspection(shown, flags, plan.action, plan.schedule, executable, stdin, lines)


def _argument_lines(wanted: Action, executable: Executable | None) -> list[tuple[str, str]]:
    lines = []
    if executable is not None:
        path = visible_line(_short(Path(executable.path)))
        lines.append(("program", f"{path}  sha256 {executable.sha256[:12]}…"))
    lines.extend((str(number), visible_line(item)) for number, item in enumerate(wanted.argv))
    return lines


def _input_lines(wanted: Action, stdin: bytes) -> list[tuple[str, str]]:
    if wanted.stdin == "none":
        return [("stdin", "nothing")]
    text = decode(stdin)
    count = len(text.splitlines())
    source = "the draft's text" if wanted.stdin == "body" else visible_line(wanted.stdin.removeprefix("file:"))
    size = f"{count} line{'' if count == 1 else 's'}, {len(text)} characters"
    return [("stdin", f"{source}: {size}")]


def _place_lines(wanted: Action, folder: Path) -> list[tuple[str, str]]:
    lines = [("where", visible_line(_short(folder)))]
    lines.extend(("sets", f"{name}={visible_line(value)}") for name, value in wanted.env)
    if wanted.env_pass:
        lines.append(("passes", ", ".join(wanted.env_pass)))
    if wanted.ok_exit != (0,):
        lines.append(("ok exit", ", ".join(str(code) for code in wanted.ok_exit)))
    return lines


def _short(folder: Path) -> str:
    home = os.path.expanduser("~")  # noqa: PTH111 - a string prefix is what is wanted
    text = str(folder)
    return "~" + text[len(home) :] if home != "/" and text.startswith(home + "/") else text


def _when_lines(schedule: Schedule, now: datetime) -> list[tuple[str, str]]:
    end = when(schedule.expires, now) if schedule.expires else f"{when(now + YES_HOLDS, now)} (a yes holds for a day)"
    if schedule.not_before is None:
        window = f"once, when a scheduler next looks, until {end}"
    else:
        latest = max(schedule.not_before, now) + schedule.grace  # a yes said late is on time for the grace from then on
        if schedule.expires is not None:
            latest = min(latest, schedule.expires)
        window = f"once, from {when(schedule.not_before, now)} to {when(latest, now)}"
    return [("when", f"{window} · lane {schedule.lane}")]
