"""The strict schema of what a draft runs (gate.md, "The action").

Everything unknown is refused with its line.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from dory_tui.values import dataclass
from dory_tui.visible import refused_in_field
from dory_tui.workspace.document import WorkspaceError, read_bytes
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.frontmatter import FrontMatter, FrontMatterError
from dory_tui.workspace.layout import inside
from dory_tui.workspace.timestamps import parse_duration

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

DEFAULT_LANE = "default"
DEFAULT_GRACE = timedelta(minutes=15)
DEFAULT_TIMEOUT = timedelta(minutes=5)
YES_HOLDS = timedelta(hours=24)
SAFE_PATH = "/usr/local/bin:/usr/bin:/bin"

_TOP = {"id", "title", "kind", "part", "action", "schedule"}
_ACTION = {"argv", "stdin", "cwd", "env", "env_pass", "attach", "timeout", "ok_exit"}
_SCHEDULE = {"not_before", "expires", "grace", "lane", "min_interval"}
_RESERVED = ("DORY_", "LD_", "DYLD_")


@dataclass(frozen=True, slots=True)
class Schedule:
    """When, and in which lane. Times carry their zone."""

    not_before: datetime | None = None
    expires: datetime | None = None
    grace: timedelta = DEFAULT_GRACE
    lane: str = DEFAULT_LANE
    min_interval: timedelta = timedelta(0)
    """The least time between two starts of the lane that this draft asks for."""


@dataclass(frozen=True, slots=True)
class Action:
    """What runs: an argument list, never a shell string. `stdin` is `body`, `none` or `file:PATH`.

    `attach` are paths of files in the workspace that go with it.
    """

    argv: tuple[str, ...]
    stdin: str = "none"
    cwd: str = "."
    env: tuple[tuple[str, str], ...] = ()
    env_pass: tuple[str, ...] = ()
    timeout: timedelta = DEFAULT_TIMEOUT
    ok_exit: tuple[int, ...] = (0,)
    attach: tuple[str, ...] = ()

    def canonical(self) -> dict[str, Any]:
        """The action as the approval keeps it."""
        return {
            "argv": list(self.argv), "stdin": self.stdin, "cwd": self.cwd, "env": dict(self.env),
            "env_pass": list(self.env_pass), "timeout_s": int(self.timeout.total_seconds()),
            "ok_exit": list(self.ok_exit), "attach": list(self.attach),
        }  # fmt: skip

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical action, hex."""
        text = json.dumps(self.canonical(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @staticmethod
    def restore(values: Mapping[str, Any]) -> Action:
        """The action an approval kept."""
        return Action(
            tuple(values["argv"]), values["stdin"], values["cwd"], tuple(sorted(values["env"].items())),
            tuple(values["env_pass"]), timedelta(seconds=values["timeout_s"]), tuple(values["ok_exit"]),
            tuple(values.get("attach", ())),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """What a yes to a draft would allow: an action, or None for text that the agent uses itself."""

    action: Action | None
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class Executable:
    """The file that would be started, and the SHA-256 of its bytes, hex."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Job:
    """One start: the approved action, the program, its real folder, its input, its files and its identity.

    `attached` are (path in the draft, approved bytes); `snapshots` is the folder that may hold their copies.
    """

    id: str
    attempt: int
    key: str
    action: Action
    executable: Executable
    folder: Path
    stdin: bytes
    attached: tuple[tuple[str, bytes], ...] = ()
    snapshots: Path | None = None


class ActionError(Exception):
    """The draft asks for something that cannot be run as it stands. `line` is in the draft's file."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def plan(draft: Draft) -> Plan:
    """Read a draft's front matter strictly. ActionError names the line and what to do."""
    try:
        front = draft.front
    except FrontMatterError as error:
        raise ActionError(error.line, str(error)) from error
    values = front.values
    strict = isinstance(values.get("action"), dict) or isinstance(values.get("schedule"), dict)
    if not strict:
        return Plan(None, Schedule())
    _only(front, values, _TOP)
    for key in ("id", "title", "kind", "part"):
        value = values.get(key)
        if value is not None:
            _text(front, (key,), value if not isinstance(value, int) else str(value))
    schedule = _schedule(front)
    return Plan(_action(front) if values.get("action") is not None else None, schedule)


def _only(front: FrontMatter, values: Mapping[str, Any], allowed: set[str], *path: str) -> None:
    for key in values:
        if key not in allowed:
            raise ActionError(
                front.line(*path, key),
                f"`{'.'.join((*path, key))}` is not a field of a draft that runs",
            )


def _text(front: FrontMatter, path: tuple[str | int, ...], value: Any, newlines: bool = False) -> str:
    if not isinstance(value, str):
        raise ActionError(front.line(*path), f"{_name(path)} must be text: put it in quotes")
    if (sentence := refused_in_field(value, allow_newlines=newlines)) is not None:
        raise ActionError(front.line(*path), f"{_name(path)}: {sentence}")
    return value


def _name(path: tuple[str | int, ...]) -> str:
    return "`" + ".".join(str(part) for part in path) + "`"


def _action(front: FrontMatter) -> Action:
    given = front.values["action"]
    if not isinstance(given, dict):
        raise ActionError(front.line("action"), "`action` must be a mapping with an `argv` list")
    _only(front, given, _ACTION, "action")
    argv = given.get("argv")
    if not isinstance(argv, list) or not argv:
        raise ActionError(front.line("action", "argv"), "`action.argv` must be a list of one or more texts")
    items = tuple(_text(front, ("action", "argv", n), item, True) for n, item in enumerate(argv))
    if not items[0].strip():
        raise ActionError(front.line("action", "argv"), "`action.argv` names no program")
    return Action(
        items, _stdin(front, given), _text(front, ("action", "cwd"), given.get("cwd", ".")),
        _environment(front, given), _passed(front, given),
        _length(front, ("action", "timeout"), given.get("timeout"), DEFAULT_TIMEOUT), _exits(front, given),
        _attached(front, given),
    )  # fmt: skip


def _stdin(front: FrontMatter, given: Mapping[str, Any]) -> str:
    value = _text(front, ("action", "stdin"), given.get("stdin", "none"))
    if value in ("body", "none") or (value.startswith("file:") and len(value) > 5):
        return value
    raise ActionError(front.line("action", "stdin"), "`action.stdin` is `body`, `none` or `file:PATH`")


def _environment(front: FrontMatter, given: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    env = given.get("env", {})
    if not isinstance(env, dict):
        raise ActionError(front.line("action", "env"), "`action.env` must be `NAME: value` lines")
    for name in env:
        _variable(front, ("action", "env", name), name)
    return tuple(sorted((name, _text(front, ("action", "env", name), env[name])) for name in env))


def _passed(front: FrontMatter, given: Mapping[str, Any]) -> tuple[str, ...]:
    names = given.get("env_pass", [])
    if not isinstance(names, list):
        raise ActionError(front.line("action", "env_pass"), "`action.env_pass` must be a list of names")
    return tuple(_variable(front, ("action", "env_pass", n), name) for n, name in enumerate(names))


def _variable(front: FrontMatter, path: tuple[str | int, ...], name: Any) -> str:
    text = _text(front, path, name)
    if not text.isascii() or not text.replace("_", "a").isalnum() or text[0].isdigit():
        raise ActionError(front.line(*path), f"{text!r} is not a name of an environment variable, such as LANG")
    if text.startswith(_RESERVED) or text == "PATH":
        raise ActionError(front.line(*path), f"{text} is not for a draft to set")
    return text


def _attached(front: FrontMatter, given: Mapping[str, Any]) -> tuple[str, ...]:
    paths = given.get("attach", [])
    if not isinstance(paths, list):
        raise ActionError(front.line("action", "attach"), "`action.attach` must be a list of paths")
    found: list[str] = []
    for number, path in enumerate(paths):
        text = _text(front, ("action", "attach", number), path)
        if not text or text.startswith(("/", "~")):
            sentence = f"{text!r} is not a path relative to the workspace, such as img/launch.png"
            raise ActionError(front.line("action", "attach", number), sentence)
        if text in found:
            raise ActionError(front.line("action", "attach", number), f"{text} is attached twice")
        found.append(text)
    return tuple(found)


def _exits(front: FrontMatter, given: Mapping[str, Any]) -> tuple[int, ...]:
    codes = given.get("ok_exit", [0])
    good = isinstance(codes, list) and codes
    if not good or any(isinstance(c, bool) or not isinstance(c, int) or not 0 <= c <= 255 for c in codes):
        raise ActionError(front.line("action", "ok_exit"), "`action.ok_exit` must be a list of 0 to 255")
    return tuple(codes)


def _length(front: FrontMatter, path: tuple[str, str], value: Any, default: timedelta) -> timedelta:
    if value is None:
        return default
    try:
        found = parse_duration(_text(front, path, value))
    except ValueError as error:
        raise ActionError(front.line(*path), f"{_name(path)}: {error}") from error
    if not found:
        raise ActionError(front.line(*path), f"{_name(path)} must be longer than nothing")
    return found


def _schedule(front: FrontMatter) -> Schedule:
    given = front.values.get("schedule")
    if given is None:
        return Schedule()
    if not isinstance(given, dict):
        raise ActionError(front.line("schedule"), "`schedule` must be a mapping")
    _only(front, given, _SCHEDULE, "schedule")
    start, end = (_time(front, name, given.get(name)) for name in ("not_before", "expires"))
    if start and end and end <= start:
        raise ActionError(front.line("schedule", "expires"), "`schedule.expires` is not after `not_before`")
    lane = _text(front, ("schedule", "lane"), given.get("lane", DEFAULT_LANE))
    if not lane or len(lane) > 64 or not lane.isascii() or not all(c.isalnum() or c in "._/-" for c in lane):
        raise ActionError(
            front.line("schedule", "lane"),
            "`schedule.lane` must be a short name of a-z, 0-9, . _ / -",
        )
    grace = _length(front, ("schedule", "grace"), given.get("grace"), DEFAULT_GRACE)
    apart = _length(front, ("schedule", "min_interval"), given.get("min_interval"), timedelta(0))
    return Schedule(start, end, grace, lane, apart)


def _time(front: FrontMatter, name: str, value: Any) -> datetime | None:
    if value is None:
        return None
    from dory_tui.gate.zoned import moment

    try:
        return moment(_text(front, ("schedule", name), value))
    except ValueError as error:
        raise ActionError(front.line("schedule", name), f"`schedule.{name}`: {error}") from error


def working_folder(root: Path, action: Action) -> Path:
    """The real working directory. WorkspaceError when it leaves the workspace or is no folder."""
    folder = inside(root, action.cwd)
    if not folder.is_dir():
        raise WorkspaceError(f"the working directory {action.cwd} does not exist")
    return folder


def resolve_executable(root: Path, action: Action) -> Executable:
    """The program argv[0] names, hashed: an absolute path, one relative to the working directory, or a name
    looked for in a fixed PATH. WorkspaceError when there is none or it cannot be executed.
    """
    name = action.argv[0]
    if name.startswith("/"):
        places = [Path(name)]
    elif "/" in name:
        places = [working_folder(root, action) / name]
    else:
        places = [Path(folder) / name for folder in SAFE_PATH.split(":")]
    for place in places:
        file = Path(os.path.realpath(place))
        try:
            mode = file.stat().st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) and os.access(file, os.X_OK):
            return Executable(str(file), _file_hash(file))
    raise WorkspaceError(f"{name} is not a program that can be started here")


def _file_hash(file: Path) -> str:
    try:
        with file.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be read ({error.strerror})") from error


def stdin_bytes(root: Path, draft: Draft, action: Action) -> bytes:
    """What the action gets on standard input. WorkspaceError when its file is missing or outside."""
    if action.stdin == "none":
        return b""
    if action.stdin == "body":
        return draft.body
    path = action.stdin.removeprefix("file:")
    data = read_bytes(inside(root, path), path)
    if data is None:
        raise WorkspaceError(f"{path}, which standard input comes from, does not exist")
    return data
