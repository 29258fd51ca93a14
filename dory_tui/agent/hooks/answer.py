"""`dory-agent hook PLATFORM`: read what the platform sends, answer in its form.

A tool call that cannot be judged is denied, whatever the reason: input that is no JSON, a file of patterns that cannot
be read, a fault of dory's own, a closed standard output. The start of a session and the end of a turn deny nothing.
"""

# `pathlib` costs half a start of Python, and every tool call comes through here.
# ruff: noqa: PTH100, PTH109, PTH111, PTH112, PTH118

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

from dory_tui import homes
from dory_tui.agent.hooks import session
from dory_tui.agent.hooks.contracts import CONTRACTS, Contract, Event, InputError, only_reads, parse
from dory_tui.values import dataclass
from dory_tui.workspace.marks import nearest

_SETTINGS = (
    ("CLAUDE_CONFIG_DIR", "settings.json"), ("CODEX_HOME", "hooks.json"), ("CODEX_HOME", "config.toml"),
)  # fmt: skip
"""Variables that move a platform's own folder, and what keeps the hooks there."""
DENIED = 2
"""The exit code that every platform takes for a no, with the reason on standard error."""


TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.agent.hooks.places import Places


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the hook runs: the environment, the folder, the workspace of `-C`, and the file that was started."""

    environment: Mapping[str, str]
    folder: str
    named: str | None = None
    program: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What to print, and whether it is a no: it must not be lost when it cannot be printed."""

    output: dict[str, object] | None
    denial: str = ""


def answer(contract: Contract, data: bytes, setting: Setting) -> Reply:
    """The answer to one event. It never fails."""
    try:
        event = contract.read(parse(data))
    except InputError as error:
        return Reply(_nothing(contract)) if only_reads(data) else _fault(contract, str(error))
    except Exception as error:  # a fault of ours must not let a call through
        return Reply(_nothing(contract)) if only_reads(data) else _fault(contract, _described(error))
    if event.kind in ("start", "stop"):
        return _looked(contract, event, setting)
    if event.call is None:
        return Reply(_nothing(contract))
    try:
        return _judged(contract, event, setting)
    except Exception as error:
        return _fault(contract, _described(error))


def _nothing(contract: Contract) -> dict[str, object] | None:
    """What is printed where there is nothing to decide."""
    return None if contract.allow is None else {}


def _no(contract: Contract, why: str) -> Reply:
    return Reply(contract.deny(why), why)


def _fault(contract: Contract, what: str) -> Reply:
    from dory_tui.agent.hooks.reasons import fault

    return _no(contract, fault(what))


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n", 1)[0][:200]


def _judged(contract: Contract, event: Event, setting: Setting) -> Reply:
    from dory_tui.agent.hooks import patterns, rule

    assert event.call is not None
    known = patterns.load(setting.environment)
    denial = rule.judge(event.call, known, _places(setting))
    if denial is None:
        session.ran(setting.environment, contract.name, event.session, event.call)
        return Reply(contract.allow)
    from dory_tui.agent.hooks.reasons import reason

    file = f"{homes.configuration(setting.environment)}/{patterns.FILE}"
    told = reason(denial, workspace=_workspace(event, setting) is not None, problem=known.problem, file=file)
    return _no(contract, told)


def _places(setting: Setting) -> Places:
    from dory_tui.agent.hooks.places import Places
    from dory_tui.platforms import openclaw

    environment = setting.environment
    kept = [
        (homes.configuration(environment), "your human's own configuration of dory"),
        (homes.state(environment), "dory's own ledger"),
    ]
    kept.append((openclaw.configuration(environment), "what keeps the hooks in place"))
    for variable, name in _SETTINGS:
        if (folder := environment.get(variable, "")).startswith("/"):
            kept.append((f"{folder.rstrip('/')}/{name}", "what keeps the hooks in place"))
    if setting.program.startswith("/"):
        kept.append((setting.program, "what the hooks start"))
    resolved = [(os.path.realpath(path), what) for path, what in kept]
    return Places(homes.home(environment), tuple(dict.fromkeys([*kept, *resolved])), os.path.realpath)


def _workspace(event: Event, setting: Setting) -> str | None:
    """The workspace: `-C`, the platform's own, `$DORY_WORKSPACE`, or the nearest one. None when there is none."""
    for named in (setting.named, event.workspace, setting.environment.get("DORY_WORKSPACE")):
        if named:
            path = os.path.join(setting.folder, os.path.expanduser(named))
            return path if os.path.isdir(path) else None
    found = nearest(setting.environment, event.folder or setting.folder)
    return None if found is None else found[0]


def _looked(contract: Contract, event: Event, setting: Setting) -> Reply:
    """The start of a session, or the end of a turn. What fails is said, where anybody hears it, and stops nothing."""
    try:
        root = _workspace(event, setting)
        if event.kind == "stop":
            if root is None:
                return Reply(_nothing(contract))
            asked = session.question(setting.environment, contract.name, event.session, event.again, root)
            return Reply(_nothing(contract) if asked is None else contract.ask(asked))
        session.forget_old(setting.environment)
        if root is None and setting.named is None:
            return Reply(_nothing(contract))
        told = f"dory: the workspace {setting.named} cannot be read" if root is None else None
        return Reply(contract.context(told or session.context(setting.environment, root or "/")))
    except Exception as error:
        if event.kind == "stop":
            return Reply(_nothing(contract))
        return Reply(contract.context(f"dory could not look at the workspace: {_described(error)}. Tell your human."))


def main(platform: str, named: str | None) -> int:
    """Answer on standard output; the exit code. All of the input is read: Codex takes less for a failure."""
    contract = CONTRACTS.get(platform)
    if contract is None:
        _tell(f"dory-agent hook: {platform[:80]!r} is no platform of these: {', '.join(CONTRACTS)}")
        return DENIED
    try:
        folder = os.getcwd()
    except OSError:
        folder = "/"
    program = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
    reply = answer(contract, _input(), Setting(os.environ, folder, named, program))
    if reply.output is not None:
        try:
            _write(1, json.dumps(reply.output).encode("ascii") + b"\n")
        except OSError:
            if not reply.denial:
                return 0 if contract.allow is None else 1
            _tell(reply.denial)
            return DENIED
    return 0


def _input() -> bytes:
    parts = []
    try:
        while part := os.read(0, 1 << 20):
            parts.append(part)
    except OSError:
        return b""
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _tell(text: str) -> None:
    shown = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    try:
        _write(2, shown.encode("utf-8", "replace") + b"\n")
    except OSError:
        return
