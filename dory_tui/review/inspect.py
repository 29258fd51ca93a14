"""One draft looked at closely: what would run if it were approved, and what would deceive the eye."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from dory_tui.config import ConfigError
from dory_tui.gate import action, attached, policy
from dory_tui.gate.action import YES_HOLDS, Action, ActionError, Executable, Schedule
from dory_tui.gate.attached import Attachment
from dory_tui.gate.survey import Gate
from dory_tui.gate.window import span
from dory_tui.review.twins import same_elsewhere
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
    attached: tuple[Attachment, ...] = ()
    interval: timedelta = timedelta(0)
    """How far apart the starts of its lane are to be: the longest that the policy or the draft asks for."""
    notices: tuple[str, ...] = ()
    """What a human should know before a yes, and which stands in its way no further; made visible."""

    @property
    def fingerprint(self) -> str:
        """What was shown besides the draft's own bytes: the program, its input and its files. A yes names it."""
        program = (self.executable.path, self.executable.sha256) if self.executable else ()
        files = [part for one in self.attached for part in (one.path, one.sha256)]
        parts = (*program, hashlib.sha256(self.stdin).hexdigest(), *files, self.refusal or "")
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def inspect(root: Path, draft: Draft, now: datetime, *, gate: Gate | None = None) -> Inspection:
    """Look closely at one draft. Never raises: what is wrong becomes the refusal.

    With `gate` the lane's policy and the same action under another id are looked up too.
    """
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
    interval, refusal = _interval(gate, plan.schedule)
    timing = _when_lines(plan.schedule, interval, now)
    if plan.action is None:
        lines = (("text", "nothing runs; the agent may use these words, once"), *timing)
        return Inspection(shown, flags, None, plan.schedule, None, b"", lines, refusal, interval=interval)
    try:
        executable = action.resolve_executable(root, plan.action)
        stdin = action.stdin_bytes(root, draft, plan.action)
        folder = action.working_folder(root, plan.action)
        files = attached.of_draft(root, draft, plan.action)
    except (WorkspaceError, ActionError) as error:
        lines = (*_argument_lines(plan.action, None), *timing)
        line = f" line {error.line}" if isinstance(error, ActionError) else ""
        return Inspection(shown, flags, plan.action, plan.schedule, None, b"", lines, f"{draft.where}{line}: {error}")
    lines = (
        *_argument_lines(plan.action, executable),
        *_input_lines(plan.action, stdin),
        *_file_lines(files),
        *_place_lines(plan.action, folder),
        *timing,
    )
    hashes = [one.sha256 for one in files]
    same = same_elsewhere(gate, draft, plan.action, stdin, hashes, now) if gate is not None else []
    notices = (*_loose_paths(plan.action), *map(visible_line, same))
    lines = (*lines, *(("notice", sentence) for sentence in notices))
    return Inspection(
        shown, flags, plan.action, plan.schedule, executable, stdin, lines, refusal, files, interval, notices
    )


def _interval(gate: Gate | None, schedule: Schedule) -> tuple[timedelta, str | None]:
    """How far apart its lane's starts are to be, and the sentence for a policy that cannot be read."""
    if gate is None:
        return schedule.min_interval, None
    try:
        asked = policy.min_interval(gate.root, gate.environment, schedule.lane)
    except ConfigError as error:
        return schedule.min_interval, str(error)
    return max(asked, schedule.min_interval), None


def _loose_paths(wanted: Action) -> list[str]:
    """Arguments that name an attached file in a longer word: no copy takes its place there."""
    return [
        f"argument {number} has {visible_line(path)} inside a longer word: the program reads that file itself, "
        "not the approved copy"
        for number, item in enumerate(wanted.argv)
        for path in wanted.attach
        if item.endswith(tuple(sign + path for sign in "=@<:,"))
    ]


def _argument_lines(wanted: Action, executable: Executable | None) -> list[tuple[str, str]]:
    lines = []
    if executable is not None:
        path = visible_line(_short(Path(executable.path)))
        lines.append(("program", f"{path}  sha256 {executable.sha256[:12]}…"))
    lines.extend(
        (str(number), visible_line(item) + ("  (its approved copy)" if item in wanted.attach else ""))
        for number, item in enumerate(wanted.argv)
    )
    return lines


def _file_lines(files: Sequence[Attachment]) -> list[tuple[str, str]]:
    """Each attachment with its type by its name, its size and its hash."""
    return [
        ("attach", f"{visible_line(one.path)}  {attached.media_type(one.path)}, {_size(len(one.data))}  "
         f"sha256 {one.sha256[:12]}…")
        for one in files
    ]  # fmt: skip


def _size(count: int) -> str:
    if count < 10_000:
        return f"{count:,} bytes"
    return f"{count / 1000:,.0f} kB" if count < 10_000_000 else f"{count / 1_000_000:,.0f} MB"


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
    lines.append(("limits", f"ended after {span(wanted.timeout)} · on this machine alone"))
    if wanted.ok_exit != (0,):
        lines.append(("ok exit", ", ".join(str(code) for code in wanted.ok_exit)))
    return lines


def _short(folder: Path) -> str:
    home = os.path.expanduser("~")  # noqa: PTH111 - a string prefix is what is wanted
    text = str(folder)
    return "~" + text[len(home) :] if home != "/" and text.startswith(home + "/") else text


def _when_lines(schedule: Schedule, interval: timedelta, now: datetime) -> list[tuple[str, str]]:
    end = when(schedule.expires, now) if schedule.expires else f"{when(now + YES_HOLDS, now)} (a yes holds for a day)"
    if schedule.not_before is None:
        window = f"once, when a scheduler next looks, until {end}"
    else:
        latest = max(schedule.not_before, now) + schedule.grace  # a yes said late is on time for the grace from then on
        if schedule.expires is not None:
            latest = min(latest, schedule.expires)
        window = f"once, from {when(schedule.not_before, now)} to {when(latest, now)}"
    spacing = f", {span(interval)} after its last start or later" if interval else ""
    return [("when", f"{window} · lane {schedule.lane}{spacing}")]
