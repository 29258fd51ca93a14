"""`dory doctor`: whether everything that a workspace rests on works, each finding with what to do (agents.md).

Reads only, but for what every look at a workspace records of its holds, and what `verify` enters in the journal.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from dory_tui import config
from dory_tui.config import ConfigError
from dory_tui.gate.exact_words import drift
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.history.git import Readiness
from dory_tui.ledger import journal
from dory_tui.ledger.store import LedgerError
from dory_tui.memory.budget import cut_sentences, cuts, meter
from dory_tui.review import init, keys, summary
from dory_tui.review.change import DecisionError, local, postponed, unfinished
from dory_tui.review.desk import Desk, load
from dory_tui.review.verify import verify
from dory_tui.wording import some
from dory_tui.workspace import layout, logs, timestamps
from dory_tui.workspace.document import WorkspaceError, parse, read_bytes

Level = Literal["wrong", "warning", "note", "ok"]
AREAS = ("workspace", "files", "memory", "words", "ledger", "git", "days", "scheduler", "programs")

READ_AT_START = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md", "CLAUDE.md")
"""Files that platforms put before an agent at its start, and cut."""
_FULL = 0.9
"""From this part of the cap on MEMORY.md is called nearly full."""
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in one area. `wrong`: something dory promises does not hold; `warning`: it soon may not.

    `advice` is what to do, "" where there is nothing.
    """

    area: str
    level: Level
    sentence: str
    advice: str = ""

    @property
    def fine(self) -> bool:
        return self.level in ("ok", "note")


Told = Iterator[tuple[Level, str, str]]


def doctor(gate: Gate) -> tuple[Finding, ...]:
    """Every area looked at, in their order; at least one finding each. What cannot be looked at is a finding too."""
    desk = load(gate)
    ways: dict[str, Callable[[Desk], Told]] = {
        "workspace": _workspace, "files": _files, "memory": _memory, "words": _words, "ledger": _ledger, "git": _git,
        "days": _days, "scheduler": _scheduler, "programs": _programs,
    }  # fmt: skip
    found: list[Finding] = []
    for area in AREAS:
        try:
            found += [Finding(area, *told) for told in ways[area](desk)]
        except (WorkspaceError, LedgerError, ConfigError, DecisionError, OSError) as error:
            found.append(Finding(area, "wrong", str(error), "see to that, then ask `dory doctor` again"))
    return tuple(found)


# Where things are, and who may write there


def _workspace(desk: Desk) -> Told:
    gate = desk.gate
    yield "ok", f"{gate.root}", ""
    if not gate.identity.stored:
        yield "note", "it has no id yet; the first decision writes one", "`dory init` adds what is missing"
    if (twin := gate.twin()) is not None:
        advice = "`dory moved` if this is the workspace now, `dory copied` if it is a copy"
        yield "wrong", f"{twin} is a workspace of the same id, so nothing runs here", advice
    yield from _settings(gate)
    yield from _reach(gate)


def _settings(gate: Gate) -> Told:
    try:
        config.load(gate.root)
    except ConfigError as error:
        yield "wrong", str(error), "until then the defaults hold, and lanes with their own rules start nothing"


def _reach(gate: Gate) -> Told:
    """The folders that decide what may run: outside the workspace, and writable for nobody else."""
    folders = {"state": gate.state_home, "configuration": config.config_home(gate.environment)}
    for name, folder in folders.items():
        if Path(os.path.realpath(folder)).is_relative_to(gate.root):
            yield (
                "wrong",
                f"the {name} folder {folder} lies in the workspace, where an agent writes",
                ("set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it, or unset them"),
            )
        with suppress(OSError):
            mode = folder.stat().st_mode
            if mode & (stat.S_IWGRP | stat.S_IWOTH):
                yield "wrong", f"others may write into the {name} folder {folder}", f"`chmod go-w '{folder}'`"
    if gate.state_home.exists() and not os.access(gate.state_home, os.W_OK):
        yield (
            "wrong",
            f"the state folder {gate.state_home} cannot be written, so no decision can be kept",
            ("let the user that runs dory own it"),
        )


# Files


def _files(desk: Desk) -> Told:
    gate = desk.gate
    told = 0
    for path in (*layout.STATE_FILES, layout.MEMORY):
        for found in _file(gate, path):
            told += 1
            yield found
    missing = [path for path in (*layout.STATE_FILES, layout.MEMORY) if not (gate.root / path).exists()]
    if missing:
        yield "note", f"{', '.join(missing)}: not there", "`dory init` adds what is missing and overwrites nothing"
    unread = [error for log in logs.list_logs(gate.root) if (error := _unreadable(gate, log.path)) is not None]
    for sentence in unread[:_LISTED]:
        yield "wrong", sentence, "make it readable, or move it away"
    if len(unread) > _LISTED:
        yield "wrong", f"and {len(unread) - _LISTED} more logs that cannot be read", ""
    notices = init.not_understood(gate)
    for notice in notices[:_LISTED]:
        yield "warning", str(notice), ""
    if len(notices) > _LISTED:
        yield "warning", f"and {len(notices) - _LISTED} more things that are not understood", "`dory init` lists them"
    if not (told or unread or notices):
        yield "ok", "every state file is read and understood", ""


def _file(gate: Gate, path: str) -> Told:
    """One of the files that dory reads: whether it can be read, and read right."""
    try:
        layout.inside(gate.root, path)
        data = read_bytes(gate.root / path, path)
    except WorkspaceError as error:
        yield "wrong", str(error), "until then dory takes it for unknown, and a HOLD.md for a hold on everything"
        return
    if data is None:
        return
    if (line := parse(path, data).conflicted) is not None:
        yield "wrong", f"{path} line {line}: merge conflict markers", "resolve them in an editor; until then it is text"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield "warning", f"{path} line {line} is not UTF-8", "it is kept to the byte; save it as UTF-8 to read it right"


def _unreadable(gate: Gate, path: str) -> str | None:
    try:
        with (gate.root / path).open("rb"):
            return None
    except OSError as error:
        return f"{path} cannot be read ({error.strerror})"


# MEMORY.md, and what platforms cut


def _memory(desk: Desk) -> Told:
    data, cap = desk.memory, desk.settings.cap
    if data is None:
        yield "note", "there is no MEMORY.md yet", "`dory init` adds one"
    else:
        full = meter(len(data), cap)
        if len(data) > cap:
            yield "wrong", f"MEMORY.md is over its cap: {full}", "`dory memory audit` says what can go; then prune"
        elif len(data) > cap * _FULL:
            yield "note", f"MEMORY.md is nearly full: {full}", "`dory memory audit` says what can go"
        else:
            yield "ok", f"MEMORY.md: {full}", ""
        if cuts(data):
            for sentence in cut_sentences(data):
                yield "warning", f"MEMORY.md: {sentence}", "agents on such platforms never see those lines"
    for path in READ_AT_START:
        with suppress(WorkspaceError):
            text = read_bytes(desk.gate.root / path, path)
            if text is not None and cuts(text):
                yield "warning", f"{path}: {cut_sentences(text)[0]}", "say the important things first, or say less"


def _words(desk: Desk) -> Told:
    found = drift(desk.gate, desk.texts.get(layout.ACTIVE) or parse(layout.ACTIVE, b""))
    if found is None:
        said = "no task is on" if desk.task is None else "the task's words are those that were captured, or none were"
        yield "ok", said, ""
        return
    line = f" line {found.line}" if found.line else ""
    yield "wrong", f"ACTIVE.md{line}: {found.sentence}", "have them captured again, or put them back as they were"
    for change in found.changes[:_LISTED]:
        yield "note", change, ""


# The ledger, git, time


def _ledger(desk: Desk) -> Told:
    gate = desk.gate
    report = verify(gate)
    wrong = [one for one in report.findings if one.wrong]
    for one in wrong[:_LISTED]:
        yield "wrong", str(one), "`dory verify` has all that was found"
    if len(wrong) > _LISTED:
        yield "wrong", f"and {len(wrong) - _LISTED} more in the ledger", "`dory verify` has all that was found"
    if not wrong:
        yield "ok", f"{report.records:,} records and {report.lines:,} journal lines are as they were written", ""
    begun = unfinished(gate)
    if begun:
        yield "warning", f"{some(len(begun), 'decision was', 'decisions were')} cut short", "`dory` finishes them"
    signing = keys.state(gate)
    if signing.problem is not None:
        yield "wrong", f"signing: {signing.problem}", "`dory key` says how it stands"


def _git(desk: Desk) -> Told:
    gate = desk.gate
    repository = Repository(gate.root, gate.environment)
    ready, sentence = repository.readiness()
    if ready is Readiness.READY:
        yield "ok", sentence, ""
    elif ready is Readiness.NO_REPOSITORY:
        yield "warning", sentence, "`git init` here gives every decision a commit, and MEMORY.md a history"
    else:
        yield "warning", sentence, "decisions stand all the same; their commits are made when git is ready"
    waiting = postponed(gate)
    if waiting:
        yield "note", f"{some(len(waiting), 'commit waits', 'commits wait')} for git", "the next decision makes them"
    hidden = repository.ignored((*layout.STATE_FILES, layout.MEMORY, layout.IDENTITY, f"{layout.MIRROR}/x.json"))
    if hidden:
        named = ", ".join(path.removesuffix("/x.json") for path in hidden)
        yield "warning", f"git is told to ignore {named}", "take that out of .gitignore: what is ignored has no history"


def _days(desk: Desk) -> Told:
    gate = desk.gate
    now, named = local(gate), desk.settings.time_zone
    offset = now.strftime("UTC%z")
    if named is not None:
        yield "ok", f"days are those of {named} ({offset})", ""
    elif now.utcoffset() == timestamps.zone("UTC").utcoffset(now):  # type: ignore[union-attr]
        yield (
            "note",
            "this machine's days begin at midnight UTC, and no zone is set",
            ('if you live elsewhere, write time_zone = "Europe/Vienna" or the like into dory.toml'),
        )
    else:
        yield "ok", f"days are this machine's ({offset})", ""
    last = journal.last_time(gate.ledger.state)
    if last is not None and last > gate.clock():
        yield (
            "wrong",
            f"the clock is earlier than the last record, of {timestamps.instant(last)}",
            ("set the clock right: until then nothing runs"),
        )
    for day, path in _to_come(gate, now.date()):
        yield (
            "warning",
            f"{path} is of a day that has not come",
            (f"whoever writes it takes {day} for today: perhaps in UTC; `dory-agent log` writes the right day"),
        )


def _to_come(gate: Gate, today: date) -> list[tuple[date, str]]:
    return [(log.day, log.path) for log in logs.list_logs(gate.root) if log.day > today][:_LISTED]


def _scheduler(desk: Desk) -> Told:
    found = summary.summarise(desk, None)
    if found.scheduler_ok:
        yield "ok", found.scheduler, ""
        return
    level: Level = "warning" if found.runs else "note"
    yield level, found.scheduler, f"crontab line: {found.setup}" if found.setup else ""


def _programs(desk: Desk) -> Told:
    path = desk.gate.environment.get("PATH", os.defpath)
    beside, on_path = config.agent_programs(desk.gate.environment)
    if on_path is not None:
        yield "ok", f"dory-agent is {on_path}", ""
    elif beside.exists():
        yield "note", f"dory-agent is {beside}, which is not on the path", "give agents this whole path, or link it"
    else:
        yield "warning", "dory-agent is nowhere on the path", "install dory-tui for the user that runs the agent"
    if shutil.which("git", path=path) is None:
        yield "warning", "git is not on the path", "install it: decisions have no history without it"
    if keys.must_sign(desk.gate) and shutil.which("ssh-keygen", path=path) is None:
        yield "wrong", "ssh-keygen is not on the path, and every yes must be signed", "install OpenSSH's client"
