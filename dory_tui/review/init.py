"""`dory init`: add what a workspace lacks, overwrite nothing; may be repeated. Then say what is not understood."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dory_tui.gate.survey import Gate
from dory_tui.review.desk import load
from dory_tui.workspace import dates, layout, logs, templates
from dory_tui.workspace.document import WorkspaceError, parse, replace

FOLDERS = (layout.DRAFTS, layout.PROMOTIONS, layout.ARCHIVE)

# What others call such files, lower case with hyphens: a whole name, or its last words (`approval-queue`).
_OTHERS = (
    (layout.HOLD, "what is blocked belongs in", "hold holds on-hold blocked blocker blockers waiting parked"),
    (
        layout.ACTIVE,
        "the task at hand belongs in",
        "active active-task active-tasks current current-task now today todo todos task tasks session-state",
    ),
    (
        layout.STAGING,
        "drafts that wait for a yes belong in",
        "staging queue draft drafts approval approvals approvals-needed pending pending-approval outbox",
    ),
    (layout.DECISIONS, "recent choices belong in", "decision decisions decision-log decision-records"),
)
_LIKE_A_DAY = re.compile(
    r"(?<![0-9])(?:[0-9]{4}[-_.][0-9]{1,2}[-_.][0-9]{1,2}|[0-9]{1,2}[-_.][0-9]{1,2}[-_.][0-9]{4}|(?:19|20)[0-9]{6})"
    r"(?![0-9])"
)
_AT_MOST = 20
"""Notices about logs of one kind; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Added:
    """What was added, what was there already, and what could not be added, with the reason."""

    added: tuple[str, ...]
    kept: tuple[str, ...]
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something dory does not understand and left as it is; `line` where one line is meant."""

    path: str
    line: int | None
    sentence: str

    def __str__(self) -> str:
        if self.sentence.startswith(self.path):
            return self.sentence
        return f"{self.path}{'' if self.line is None else f' line {self.line}'}: {self.sentence}"


def init(gate: Gate) -> Added:
    """Add the templates, the folders and the id that are missing."""
    added: list[str] = []
    kept: list[str] = []
    failed: list[str] = []
    for path in FOLDERS:
        folder = gate.root / path
        if folder.is_dir():
            kept.append(path + "/")
            continue
        try:
            folder.mkdir(parents=True)
            added.append(path + "/")
        except OSError as error:
            failed.append(f"{path} cannot be made ({error.strerror})")
    for path, data in templates.files():
        _file(gate.root, path, data, added, kept, failed)
    if not (gate.root / layout.IDENTITY).exists():
        gate.settle()
        added.append(layout.IDENTITY)
    else:
        kept.append(layout.IDENTITY)
    return Added(tuple(added), tuple(kept), tuple(failed))


def _file(root: Path, path: str, data: bytes, added: list[str], kept: list[str], failed: list[str]) -> None:
    file = root / path
    if file.exists() or file.is_symlink():
        if file.is_file():
            kept.append(path)
        else:
            failed.append(f"{path} is not a file: move it away")
        return
    try:
        replace(root, path, None, data)
        added.append(path)
    except WorkspaceError as error:
        failed.append(str(error))


def not_understood(gate: Gate) -> tuple[Notice, ...]:
    """What fits no form in the state files, files like others' state files, and logs whose day is in doubt.

    Reads only, but for what every look at a workspace records about its holds. WorkspaceError as of `load`.
    """
    return (
        *(Notice(one.path, one.line, one.sentence) for one in load(gate).problems),
        *_other_state_files(gate.root),
        *_undated_logs(gate.root),
        *_doubtful_logs(gate.root),
    )


def _other_state_files(root: Path) -> Iterator[Notice]:
    """BLOCKED.md, TODO.md, NOW.md and such, at the top level and in state/."""
    for folder in ("", "state/"):
        try:
            names = sorted(os.listdir(root / folder))
        except OSError:
            continue
        for name in names:
            path = folder + name
            place = _belongs(name)
            if place is None or not _counts(root, path, place[0]):
                continue
            yield Notice(path, None, f"dory does not read this file; {place[1]} {place[0]}")


def _belongs(name: str) -> tuple[str, str] | None:
    """The state file that a name of another workspace's stands for, and how to say so."""
    stem, dot, ending = name.lower().rpartition(".")
    if not dot or ending != "md":
        return None
    plain = re.sub(r"[\s_-]+", "-", stem)
    for path, sentence, words in _OTHERS:
        if any(plain == word or plain.endswith(f"-{word}") for word in words.split()):
            return path, sentence
    return None


def _counts(root: Path, path: str, read: str) -> bool:
    """Whether a file has something in it and is not, by another spelling, one of those that dory reads."""
    file = root / path
    try:
        if path in layout.STATE_FILES or not file.is_file() or file.stat().st_size == 0:
            return False
        return not ((root / read).exists() and file.samefile(root / read))
    except OSError:
        return False


def _undated_logs(root: Path) -> Iterator[Notice]:
    """Files below memory/ that are a day's log by their name or heading, but whose name tells no one day."""
    found = []
    for path in logs.undated(root):
        stem = path.rpartition("/")[2].removesuffix(".md")
        day = _day_of_heading(root, path)
        if day is not None:
            sentence = f"its heading begins with a day and its name has none; rename it to {day}.md if it is a log"
            found.append(Notice(path, None, sentence))
        elif _LIKE_A_DAY.search(stem) or dates.ambiguous(re.sub("[_-]", " ", stem)) or dates.ambiguous(stem):
            sentence = "its name tells no one day, so it is not listed as a log; rename it to YYYY-MM-DD.md"
            found.append(Notice(path, None, sentence))
    yield from _shortened(found)


def _day_of_heading(root: Path, path: str) -> str | None:
    """The day with which the first heading of a file begins, when it is of the first level."""
    for line in parse(path, _head(root, path)).lines:
        if line.heading is not None:
            level, title = line.heading
            found = dates.find(title) if level == 1 else None
            return found.day.isoformat() if found is not None and found.start == 0 else None
    return None


def _doubtful_logs(root: Path) -> Iterator[Notice]:
    listed = logs.list_logs(root)
    found = []
    for log in listed:
        doubt = logs.doubt(root, log, _head(root, log.path), listed)
        if doubt is not None:
            found.append(Notice(log.path, *doubt))
    yield from _shortened(found)


def _head(root: Path, path: str) -> bytes:
    try:
        with (root / path).open("rb") as file:
            return file.read(logs.HEAD + 1)
    except OSError:
        return b""


def _shortened(found: list[Notice]) -> Iterator[Notice]:
    yield from found[:_AT_MOST]
    if len(found) > _AT_MOST:
        yield Notice(layout.LOGS, None, f"and {len(found) - _AT_MOST} more such logs")
