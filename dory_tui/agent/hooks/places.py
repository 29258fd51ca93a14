"""What nothing but dory and its human writes: `.dory/`, dory's own folders, and what keeps the hooks in place. Pure.

Paths are compared as they are written and as they resolve, in small letters, since on some disks case does not count.
"""

# These are words, and no files yet.
# ruff: noqa: PTH118

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase

from dory_tui.agent.hooks.shell import HOLE
from dory_tui.agent.hooks.writes import Change
from dory_tui.values import dataclass

FOLDER = ".dory"
SETTINGS = (
    ".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".codex/config.toml",
    ".cursor/hooks.json", ".openclaw/openclaw.json", ".openclaw-*/openclaw.json",
)  # fmt: skip
"""Ends of the paths at which platforms keep their hooks, for the user and for a project; `*` in the name of a part."""


def _as_is(path: str) -> str:
    return path


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are: the home, dory's own folders with what they hold, and what resolves links."""

    home: str = ""
    kept: tuple[tuple[str, str], ...] = ()
    """(absolute path, what it holds): dory's configuration, its state, its program."""
    resolve: Callable[[str], str] = _as_is

    def protected(self, change: Change, folders: Collection[str]) -> str | None:
        """What a change would touch that must not be touched, in words; None for nothing of that.

        `folders` are the absolute folders that a relative path may be relative to.
        """
        for path in self._read(change, folders):
            if (found := self._hit(path, change)) is not None:
                return found
        return None

    def gated(self, change: Change, folders: Collection[str], patterns: Sequence[str]) -> str | None:
        """The human's pattern of a path that a change would write; None when none fits."""
        for pattern in patterns:
            wanted = (self.home + pattern[1:] if pattern.startswith("~/") else pattern).casefold()
            wanted = wanted if wanted.startswith("/") else f"*/{wanted}"
            for path in self._read(change, folders):
                if fnmatchcase(path, wanted) or fnmatchcase(path, wanted.rstrip("/") + "/*"):
                    return pattern
        return None

    def absolute(self, text: str, folder: str, expands: bool = True) -> str:
        """A path as the shell would take it, without `.` and `..`."""
        if expands and (text == "~" or text.startswith("~/")):
            text = self.home + text[1:]
        return os.path.normpath(os.path.join(folder or "/", text))

    def _read(self, change: Change, folders: Collection[str]) -> list[str]:
        text = change.path.removeprefix("file://")
        plain = [self.absolute(text, folder, change.expands) for folder in folders or ("/",)]
        resolved = [] if HOLE in text else [self.resolve(path) for path in plain]
        return list(dict.fromkeys(path.casefold() for path in (*plain, *resolved)))

    def _hit(self, path: str, change: Change) -> str | None:
        parts = path.split("/")
        if any(_may_be(part, FOLDER, change.expands) for part in parts):
            return f"{FOLDER}/, where dory writes down what was decided"
        for end in SETTINGS:
            wanted = end.split("/")
            if len(parts) > len(wanted) and all(
                _may_be(part, one, change.expands) for part, one in zip(parts[-len(wanted) :], wanted, strict=True)
            ):
                return f"{end}, which keeps the hooks in place"
            if change.deep and fnmatchcase(parts[-1], wanted[0]):
                return f"{wanted[0]}/, which keeps the hooks in place"
        for kept, what in self.kept:
            folded = kept.casefold()
            if (
                path == folded
                or path.startswith(folded + "/")
                or (change.deep and folded.startswith(path.rstrip("/") + "/"))
            ):
                return what
            if change.expands and _globs(path) and _below(parts, folded.split("/")):
                return what
        return None


def _globs(path: str) -> bool:
    return "*" in path or "?" in path or "[" in path


def _may_be(part: str, name: str, expands: bool) -> bool:
    """Whether one part of a path is a name, or may become it when the shell expands it."""
    if fnmatchcase(part, name):
        return True
    if HOLE in part and len(part) > 1:
        part, expands = part.replace(HOLE, "*"), True
    # `*` alone is every name but those that begin with a dot, and what is kept here begins with one.
    return expands and part.startswith((".", "[")) and _globs(part) and fnmatchcase(name, part)


def _below(parts: Sequence[str], kept: Sequence[str]) -> bool:
    """Whether a path with globs names what is kept, or something in it."""
    return len(parts) >= len(kept) and all(fnmatchcase(one, part) for part, one in zip(parts, kept, strict=False))
