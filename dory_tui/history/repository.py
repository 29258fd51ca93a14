"""The workspace's git repository as the rest of the program sees it.

Nothing here raises for what git or the repository is like: a commit that cannot be made is
postponed, with a sentence that says why.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dory_tui.history.commits import Commit, LostRaceError, Request, Touched, attempt
from dory_tui.history.git import CannotError, FailedError, Git, Readiness, one_line
from dory_tui.history.lines import line_times
from dory_tui.history.place import Place, find

_ATTEMPTS = 10  # a lost race means that somebody else's commit landed
_CONFIG = r"^((user|author|committer)\.(name|email)|core\.(filemode|ignorecase))$"
_LOG_FIELDS = "%x01%H%x00%aI%x00%an%x00%s%x00%(trailers:only,unfold)%x00"
_NEXT = "\x01"  # each commit starts with it


@dataclass(frozen=True)
class Outcome:
    """The commits made, oldest first. Without any, `postponed` says why; None: nothing changed.

    `left_out`: touched paths that are not of this repository (symlinked out, or in an inner one).
    """

    commits: tuple[Commit, ...]
    postponed: str | None
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class LogEntry:
    """A commit as the log tells it; `when` is aware, the author's date.

    `files`: git's letter (A, M, D, T) and the path in the workspace of each file it changed, where they were asked for.
    """

    sha: str
    when: datetime
    subject: str
    trailers: Mapping[str, str]
    author: str = ""
    files: tuple[tuple[str, str], ...] = ()


class Repository:
    """The git repository that a workspace lies in, if any.

    `timeout`: seconds one git process may take. `patience`: seconds to wait for another git's
    index.lock before a commit is postponed.
    """

    def __init__(
        self,
        workspace: Path,
        environment: Mapping[str, str] | None = None,
        *,
        timeout: float = 20.0,
        patience: float = 1.0,
    ) -> None:
        self.workspace = workspace
        self._git = Git(os.environ if environment is None else environment, timeout)
        self._patience = patience

    def readiness(self) -> tuple[Readiness, str]:
        """Whether a commit could be made now, and a sentence about it."""
        try:
            place = self._place()
            branch, _ = place.head()
            if place.lock.exists():
                raise place.locked()
        except CannotError as reason:
            return reason.readiness, reason.sentence
        return Readiness.READY, f"Decisions are committed to the branch {branch}."

    def commit(
        self,
        touched: Sequence[Touched],
        subject: str,
        trailers: Mapping[str, str],
        when: datetime | None = None,
    ) -> Outcome:
        """Commit the touched files and nothing else; what `before` differs from HEAD goes first."""
        left_out: tuple[str, ...] = ()
        try:
            place = self._place()
            names = place.located(self.workspace.resolve(), [each.path for each in touched])
            left_out = tuple(path for path, name in names.items() if name is None)
            files = _merged(touched, names)
            if not files:
                return Outcome((), _outside(left_out) if left_out else None, left_out)
            request = self._request(place, files, subject, trailers, when)
            return Outcome(self._attempts(place, request), None, left_out)
        except CannotError as reason:
            return Outcome((), reason.sentence, left_out)
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            return Outcome((), f"Git could not do it: {error.strerror}{where}.", left_out)

    def log(self, limit: int = 50, paths: Sequence[str] = (), *, files: bool = False) -> list[LogEntry]:
        """The newest commits of the workspace or of these paths; empty where there is no history.

        Not proof of a decision: whoever can commit can write any trailer.
        """
        try:
            place = self._place()
            home = self.workspace.resolve()
            within = [name for name in place.located(home, paths).values() if name]
            if paths and not within:
                return []
            below = "" if home == place.top else f"{home.relative_to(place.top).as_posix()}/"
            if not paths and below:
                within = [below]
            form = [f"--max-count={limit}", "-z", f"--format={_LOG_FIELDS}", "--no-color"]
            quiet = ["--no-notes", "--no-show-signature", "--no-mailmap"]
            wanted = ["--name-status", "--full-diff", "--no-renames"] if files else ["--no-patch"]
            specs = [f":(literal){name}" for name in within]
            raw = place.run("log", *form, *quiet, *wanted, "HEAD", "--", *specs)
        except (CannotError, OSError):
            return []
        return list(_log_entries(os.fsdecode(raw).split("\0"), below))

    def moments(self, since: datetime) -> list[datetime]:
        """When each commit of the workspace since then was made, the author's date, aware; empty without a history."""
        try:
            place = self._place()
            home = self.workspace.resolve()
            below = ["--", f":(literal){home.relative_to(place.top).as_posix()}/"] if home != place.top else []
            quiet = ["--no-patch", "--no-notes", "--no-show-signature", "--no-color"]
            raw = place.run("log", f"--since={since.isoformat()}", "--format=%aI", *quiet, "HEAD", *below)
        except (CannotError, OSError):
            return []
        return [_moment(date) for date in os.fsdecode(raw).split()]

    def line_times(self, path: str) -> list[datetime | None]:
        """When each line of a file came, the author's date, aware; None for one that no commit has.

        Lines as git counts them, ended by a line feed alone. Empty where there is no history of the file.
        """
        try:
            place = self._place()
            name = place.located(self.workspace.resolve(), [path])[path]
            raw = place.run("blame", "--line-porcelain", "--", name) if name else b""
        except (CannotError, OSError):
            return []
        return line_times(raw)

    def sizes(self, path: str, since: datetime) -> list[tuple[datetime, int]]:
        """(author's date, bytes) of a file after each commit since then that changed it, the oldest first."""
        try:
            place = self._place()
            name = place.located(self.workspace.resolve(), [path])[path]
            if name is None:
                return []
            quiet = ["--no-patch", "--no-notes", "--no-show-signature", "--no-color"]
            form = [f"--since={since.isoformat()}", "--format=%H %aI", *quiet]
            made = [line.split() for line in place.run("log", *form, "HEAD", "--", f":(literal){name}").split(b"\n")]
            asked = b"".join(b"%s:%s\n" % (one[0], os.fsencode(name)) for one in made if one)
            answers = place.run("cat-file", "--batch-check", stdin=asked).splitlines()
        except (CannotError, OSError):
            return []
        found = zip([one[1] for one in made if one], answers, strict=True)
        sizes = [(_moment(os.fsdecode(date)), int(answer.split()[-1])) for date, answer in found if b" blob " in answer]
        return sizes[::-1]

    def last_committed(self, path: str, commit: str = "HEAD") -> bytes | None:
        """The bytes that a checkout of a commit would write at this path; None: no file there."""
        try:
            place = self._place()
            name = place.located(self.workspace.resolve(), [path])[path]
            if name is None:
                return None
            spec = f":(literal){name}"
            listed = place.run("ls-tree", "-z", "--full-tree", commit, "--", spec)
            if b" blob " not in listed.partition(b"\t")[0]:
                return None
            return place.run("cat-file", "--filters", f"{commit}:{name}")
        except (CannotError, OSError):
            return None

    def ignored(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of these paths that git is told to ignore and does not follow; empty where there is no repository."""
        try:
            place = self._place()
            names = {name: path for path, name in place.located(self.workspace.resolve(), paths).items() if name}
            asked = b"".join(os.fsencode(name) + b"\0" for name in names)
            found = place.run("check-ignore", "-z", "--stdin", stdin=asked)  # fails when nothing is ignored
        except (CannotError, OSError):
            return ()
        return tuple(names[name] for name in os.fsdecode(found).split("\0") if name in names)

    def _place(self) -> Place:
        return find(self._git, self.workspace.resolve())

    def _attempts(self, place: Place, request: Request) -> tuple[Commit, ...]:
        for _ in range(_ATTEMPTS - 1):
            with suppress(LostRaceError):
                return attempt(place, request, self._patience)
        return attempt(place, request, self._patience)

    def _request(
        self,
        place: Place,
        files: Mapping[str, Touched],
        subject: str,
        trailers: Mapping[str, str],
        when: datetime | None,
    ) -> Request:
        try:
            raw = place.run("config", "-z", "--get-regexp", _CONFIG)
        except FailedError:  # nothing of it is set
            raw = b""
        lines = [line.partition("\n") for line in os.fsdecode(raw).split("\0")]
        config = {name: value if equals else "true" for name, equals, value in lines}
        title = one_line(subject) or "Decision"
        return Request(
            files,
            title,
            _message(title, trailers),
            _identity(self._git.environment, config, when),
            ignore_case=_yes(config.get("core.ignorecase", "false")),
            trust_mode=_yes(config.get("core.filemode", "true")),
        )


def _merged(touched: Sequence[Touched], names: Mapping[str, str | None]) -> dict[str, Touched]:
    """The files by git's path; one written twice goes from its first bytes to its last."""
    files: dict[str, Touched] = {}
    for each in touched:
        name = names[each.path]
        if name is not None:
            first = files.get(name, each)
            files[name] = Touched(each.path, first.before, each.after, first.own)
    return files


def _outside(left_out: Sequence[str]) -> str:
    are = "is" if len(left_out) == 1 else "are"
    return f"{', '.join(left_out)} {are} not part of this git repository, so nothing was committed."


def _yes(value: str) -> bool:
    return value.lower() in ("true", "yes", "on", "1")


def _identity(environment: Mapping[str, str], config: Mapping[str, str], when: datetime | None) -> dict[str, str]:
    """The user's name and address, dory's where git knows none, and the date, as variables."""
    own = {"name": "dory", "email": environment.get("EMAIL") or "dory@localhost"}
    identity = {}
    for role in ("author", "committer"):
        for field, otherwise in own.items():
            variable = f"GIT_{role}_{field}".upper()
            configured = config.get(f"{role}.{field}") or config.get(f"user.{field}")
            identity[variable] = environment.get(variable) or configured or otherwise
        if when:
            aware = when if when.tzinfo else when.astimezone()
            # git knows no seconds in a zone, as Python does for old dates
            identity[f"GIT_{role}_DATE".upper()] = f"@{int(aware.timestamp())} {f'{aware:%z}'[:5]}"
    return identity


def _message(title: str, trailers: Mapping[str, str]) -> bytes:
    lines = [f"{re.sub(r'[^A-Za-z0-9-]+', '-', name)}: {one_line(value)}" for name, value in trailers.items()]
    return "\n".join([title, *([""] if lines else []), *lines, ""]).encode()


def _log_entries(fields: Sequence[str], below: str) -> Iterator[LogEntry]:
    """Commits out of what `_LOG_FIELDS` and `--name-status` print; paths that are not `below` are left out."""
    at = 0
    while at + 5 <= len(fields):
        sha, date, author, subject, block = fields[at : at + 5]
        at += 5
        files = []
        # Each file is a letter and a path; the first letter follows a line end, a commit without files an empty field.
        while at < len(fields) and not fields[at].startswith(_NEXT):
            if letter := fields[at].strip():
                files.append((letter, fields[at + 1]))
                at += 1
            at += 1
        inside = tuple((letter, path.removeprefix(below)) for letter, path in files if path.startswith(below))
        yield LogEntry(
            sha.removeprefix(_NEXT), _moment(date), _shown(subject), _trailers(_shown(block)), _shown(author), inside
        )


def _shown(text: str) -> str:
    """Git's bytes as text, those that are not UTF-8 replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _moment(date: str) -> datetime:
    try:
        return datetime.fromisoformat(date)
    except ValueError:  # commits can claim any year
        return datetime.fromtimestamp(0, UTC)


def _trailers(block: str) -> dict[str, str]:
    pairs = [line.partition(":") for line in block.splitlines() if ":" in line]
    return {name.strip(): value.strip() for name, _, value in pairs}
