"""The one place that starts the git binary: its environment, its settings, its failures."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

# Every other GIT_ variable is dropped: it may name another repository, index or trace file.
_KEPT = re.compile(
    r"GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+)|CEILING_DIRECTORIES|EXEC_PATH"
    r"|DISCOVERY_ACROSS_FILESYSTEM|ATTR_NOSYSTEM|(AUTHOR|COMMITTER)_(NAME|EMAIL))"
)
_OWN = {
    "LC_ALL": "C",  # some refusals are recognised by their English words
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
}
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",  # may name a program, a hook by another name
    "commit.gpgSign=false",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "trailer.separators=:",
)


class Readiness(StrEnum):
    """Whether a commit could be made now, or what stands in its way."""

    READY = "ready"
    NO_REPOSITORY = "no_repository"
    NO_GIT = "no_git"
    MERGING = "merging"
    REBASING = "rebasing"
    CHERRY_PICKING = "cherry_picking"
    REVERTING = "reverting"
    BISECTING = "bisecting"
    DETACHED = "detached"
    LOCKED = "locked"
    REFUSED = "refused"


class CannotError(Exception):
    """Git cannot do it now; the sentence is for a human."""

    def __init__(self, readiness: Readiness, sentence: str) -> None:
        super().__init__(sentence)
        self.readiness = readiness
        self.sentence = sentence


class FailedError(CannotError):
    """A git process failed; `line` is its reason, `stderr` all it said."""

    def __init__(self, stderr: str) -> None:
        lines = [line for line in stderr.splitlines() if line.strip()] or ["it gave no reason"]
        # Warnings come first and the reason after them.
        grave = [line for line in lines if line.startswith(("fatal:", "error:"))]
        self.stderr = stderr
        self.line = one_line((grave or lines)[0])[:300].rstrip(".")
        super().__init__(Readiness.REFUSED, f"Git could not do it: {self.line}.")


def one_line(text: str) -> str:
    """The text without control characters and line ends, its spaces collapsed."""
    shown = (" " if unicodedata.category(char) in ("Cc", "Cs") else char for char in text)
    return " ".join("".join(shown).split())


class Git:
    """Runs git with the inherited environment, cleaned; `timeout` in seconds per process."""

    def __init__(self, environment: Mapping[str, str], timeout: float) -> None:
        kept = {
            name: value for name, value in environment.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)
        }
        self.environment: Mapping[str, str] = kept | _OWN
        self._timeout = timeout

    def run(
        self,
        *arguments: str,
        cwd: Path,
        stdin: bytes = b"",
        extra: Mapping[str, str] | None = None,
    ) -> bytes:
        """What git prints; CannotError when it is missing, fails or takes too long."""
        process = self._start(arguments, cwd, {**self.environment, **(extra or {})})
        try:
            output, errors = process.communicate(stdin, self._timeout)
        except BaseException as error:
            # Its filters end too: they would hold the pipes open.
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            late = f"git {arguments[0]} took longer than {self._timeout:g} seconds"
            raise FailedError(late) from error
        if process.returncode:
            raise FailedError(errors.decode(errors="replace"))
        return output

    def _start(self, arguments: tuple[str, ...], cwd: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        try:
            return subprocess.Popen(
                ["git", "--no-pager", *settings, *arguments],
                cwd=cwd,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # no terminal to ask on; ^C does not stop it halfway
            )
        except OSError as error:
            if cwd.is_dir():
                missing = "The program git cannot be started, so decisions have no history."
                raise CannotError(Readiness.NO_GIT, missing) from error
            gone = f"The folder {cwd} is not there, so decisions have no history."
            raise CannotError(Readiness.NO_REPOSITORY, gone) from error
