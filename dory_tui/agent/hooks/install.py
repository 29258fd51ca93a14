"""Put the hooks into a platform's settings, take them out, say what is there.

Nothing else in a file changes. What was put in is remembered in the state folder as spans, so that taking it out gives
the very bytes back while nobody else has written there; else only dory's own entries go.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dory_tui import config
from dory_tui.agent.hooks.plans import FileEdit, Plan
from dory_tui.platforms import jsonc
from dory_tui.platforms.jsonc import Edited, JsoncError, Value
from dory_tui.workspace.document import WorkspaceError, read_bytes, replace

RECORDS = "hooks/installed"


class HooksError(WorkspaceError):
    """The hooks cannot be put in or taken out; one sentence with the file, the line and what to do."""


def find_program(environment: Mapping[str, str], named: str | None = None) -> Path:
    """The absolute path of `dory-agent`: the one that is named, else beside this Python, else on the path.

    HooksError when there is none that can be started: a platform lets every call through where its hook is missing.
    """
    if named is not None:
        file = Path.cwd() / Path(named).expanduser()
        found, looked = (file if config.startable(file) else None), named
    else:
        found = config.agent_program(environment)
        looked = ", ".join(str(one) for one in config.agent_programs(environment) if one is not None)
    if found is None:
        raise HooksError(f"{config.AGENT} cannot be found or started ({looked}): name it with --agent PATH")
    return Path(os.path.abspath(found))  # noqa: PTH100 - a link stays what it is


def load(file: Path) -> tuple[bytes | None, str]:
    """A settings file's bytes and text, "" for none. HooksError when it cannot be read as text."""
    try:
        data = read_bytes(file, str(file))
    except WorkspaceError as error:
        raise HooksError(str(error)) from error
    try:
        return data, "" if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = (data or b"")[: error.start].count(b"\n") + 1
        raise HooksError(f"{file} line {line}: it is not UTF-8, so it was left as it is: mend it first") from error


def understood(file: Path, text: str, read: Callable[[str], jsonc.Reading] = jsonc.read) -> jsonc.Reading:
    """What a settings file says. HooksError names the line of what is wrong."""
    try:
        found = read(text)
    except JsoncError as error:
        raise HooksError(f"{file} line {error.line}: {error}, so it was left as it is: mend it first") from error
    if found.root.kind != "object":
        raise HooksError(f"{file} line 1: it holds no object, so it was left as it is: mend it first")
    return found


def settings(file: Path, read: Callable[[str], jsonc.Reading] = jsonc.read) -> Mapping[str, Any]:
    """What a settings file that is only looked at says; {} for one that is not there or cannot be read."""
    try:
        values: Mapping[str, Any] = understood(file, load(file)[1], read).root.plain
    except HooksError:
        return {}
    return values


def child(file: Path, text: str, container: Value, name: str, kind: str) -> Value | None:
    """A member that must be of a kind. HooksError where it is of another."""
    found = container.get(name)
    if found is not None and found.kind != kind:
        line = text.count("\n", 0, found.start) + 1
        raise HooksError(f"{file} line {line}: `{name}` is no {kind}, so it was left as it is: mend it first")
    return found


def edit(file: Path, before: bytes | None, edited: Edited, made: bool) -> FileEdit:
    """An edit of a file, its spans counted in bytes."""
    spans = [
        (len(edited.text[:start].encode()), len(edited.text[:end].encode())) for start, end in sorted(edited.added)
    ]
    return FileEdit(file, before, edited.text.encode(), tuple(spans), made)


def apply(plan: Plan) -> None:
    """Carry a plan out: compare and swap, mode and links kept. HooksError when a file changed meanwhile."""
    for one in plan.edits:
        real = Path(os.path.realpath(one.file))
        try:
            if one.after is None:
                if read_bytes(real, str(one.file)) != one.before:
                    raise HooksError(f"{one.file} changed since it was read, so nothing was written: try again")
                real.unlink()
                continue
            real.parent.mkdir(parents=True, exist_ok=True)
            replace(real.parent, real.name, one.before, one.after)
        except WorkspaceError as error:
            raise HooksError(f"{one.file}: {error}") from error
        except OSError as error:
            raise HooksError(f"{one.file} cannot be written ({error.strerror})") from error


# --- what was put in, remembered


def _record(environment: Mapping[str, str], file: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]
    return config.state_home(environment) / RECORDS / f"{name}.json"


def remember(environment: Mapping[str, str], one: FileEdit, folder_made: bool) -> None:
    """Remember what an installation put into a file. It matters only to the bytes of a later removal."""
    assert one.after is not None
    digest = hashlib.sha256(one.after).hexdigest()
    record = {
        "file": str(one.file),
        "sha256": digest,
        "added": one.added,
        "made": one.made,
        "folder": folder_made,
    }
    target = _record(environment, one.file)
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = target.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(record), "ascii")
        temporary.rename(target)


def forget(environment: Mapping[str, str], file: Path) -> None:
    with suppress(OSError):
        _record(environment, file).unlink()


def remembered(environment: Mapping[str, str], file: Path, data: bytes) -> tuple[bytes | None, bool] | None:
    """(the bytes before, whether the folder was made too) while a file is as the installation left it; else None."""
    try:
        record: dict[str, Any] = json.loads(_record(environment, file).read_text("ascii"))
        spans = [(int(start), int(end)) for start, end in record["added"]]
        same = record["sha256"] == hashlib.sha256(data).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not same:
        return None
    if record.get("made") is True:
        return None, record.get("folder") is True
    for start, end in sorted(spans, reverse=True):
        data = data[:start] + data[end:]
    return data, False
