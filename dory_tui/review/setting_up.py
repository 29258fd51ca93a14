"""`dory init --for PLATFORM`: a workspace, the skill and the rules where that platform looks for them.

It overwrites nothing that somebody wrote. What dory itself wrote earlier, and nobody edited, is brought up to date.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dory_tui import config
from dory_tui.gate.survey import Gate
from dory_tui.review.init import init
from dory_tui.review.platforms import RULES, Platform, lacks_import, rules_file
from dory_tui.review.scheduling import program, scheduler_line
from dory_tui.workspace import marked, templates
from dory_tui.workspace.document import WorkspaceError, decode, read_bytes, replace

_IMPORT = b"@AGENTS.md\n"
_FIRST = (RULES, "SOUL.md", "USER.md", "IDENTITY.md")


@dataclass
class SetUp:
    """What was added, brought up to date, there already, and not done, each by path; and what to do next.

    `left` are files that differ from ours because somebody edited them; `notices` say what may be unexpected.
    """

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)


def set_up(gate: Gate, platform: Platform) -> SetUp:
    """Set a workspace up for a platform. What cannot be done is a sentence in `failed`, and the rest is done."""
    fresh = not any((gate.root / name).exists() for name in _FIRST)
    made = init(gate)
    done = SetUp(list(made.added), [], list(made.kept), list(made.failed))
    for path, data in templates.skill():
        _skill_file(gate.root, f"{platform.skills}/{path}", data, done)
    _rules(gate.root, platform, done)
    if lacks_import(platform, gate.root):
        _write(gate.root, "CLAUDE.md", None, _IMPORT, done.added, done)
    done.notices += _notices(gate, platform, fresh=fresh)
    done.next += _next(gate, platform)
    return done


def _skill_file(root: Path, path: str, data: bytes, done: SetUp) -> None:
    wanted = marked.sealed(data)
    try:
        stands = read_bytes(root / path, path)
    except WorkspaceError as error:
        done.failed.append(str(error))
        return
    if stands is None:
        _write(root, path, None, wanted, done.added, done)
    elif stands.replace(b"\r\n", b"\n") == wanted:
        done.kept.append(path)
    elif marked.untouched(stands):
        _write(root, path, stands, wanted, done.updated, done)
    else:
        done.left.append(f"{path} was edited, so it was left as it is: move it away to get the one of this version")


def _rules(root: Path, platform: Platform, done: SetUp) -> None:
    """The marked section in the file that the platform reads."""
    body = section()
    try:
        path = rules_file(platform, root)
        before = read_bytes(root / path, path)
        put = marked.put(path, before, body)
    except (WorkspaceError, ValueError) as error:
        done.failed.append(str(error))
        return
    if put.state == "edited":
        done.left.append(
            f"{path} line {put.line}: the dory section was edited, so it was left as it is: take it out, marks and "
            "all, to get the one of this version"
        )
    elif put.state == "kept":
        if path not in (*done.added, *done.kept):
            done.kept.append(path)
    else:
        into = done.added if before is None or put.state == "added" else done.updated
        _write(root, path, before, put.data, into, done, f"{path} (the section at line {put.line})")
    if platform.shown is not None and put.line and _beyond(put.data, put.line, len(body), platform.shown):
        done.notices.append(
            f"{path} is longer than the {platform.shown:,} characters that {platform.title} is sure to read: move the "
            f"dory section, which begins at line {put.line}, further up"
        )


def _beyond(data: bytes, line: int, length: int, shown: int) -> bool:
    """Whether a section that begins on a line ends below what is read."""
    above = decode(data).split("\n")[: line - 1]
    return sum(len(one) + 1 for one in above) + length > shown


def section() -> str:
    """The lines of the marked section, as the template of AGENTS.md has them."""
    found = marked.section(RULES, dict(templates.files())[RULES])
    assert found is not None
    return found


def _write(
    root: Path, path: str, before: bytes | None, data: bytes, into: list[str], done: SetUp, said: str = ""
) -> None:
    try:
        replace(root, path, before, data)
        if said and path in done.kept:
            done.kept.remove(path)
        into.append(said or path)
    except WorkspaceError as error:
        done.failed.append(str(error))


def _notices(gate: Gate, platform: Platform, *, fresh: bool) -> Iterator[str]:
    if platform.name == "openclaw" and fresh:
        yield "OpenClaw had not set this workspace up: with files in it, it skips what it asks in an empty one"
    if platform.name == "codex":
        state = gate.ledger.state.parent
        yield (
            f"Codex lets an agent write in its folder only: unless {state} is among the writable_roots of "
            "[sandbox_workspace_write] in its config.toml, tasks and holds are written but not recorded"
        )
    if config.agent_programs(gate.environment)[1] is None:
        place = program(gate.environment)
        yield f"dory-agent is not on the PATH, so the agent does not find it: link {place} into a folder that is"


def _next(gate: Gate, platform: Platform) -> Iterator[str]:
    # OpenClaw's hook is told its workspace once; the others find it from where the agent works.
    named = f" -C {shlex.quote(str(gate.root))}" if platform.name == "openclaw" else ""
    yield f"dory hooks install {platform.name}{named}"
    yield scheduler_line(platform.name, program(gate.environment), str(gate.root))
