"""Both copies of the ledger: the authoritative one in the user's state folder, its mirror in the workspace.

A record is a temporary file, fsync, `link()` to its final name, fsync of the folder. A write that fails is an error and
fsync is never tried twice. For a claim, existence is the claim: an empty or torn file still refuses.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from dory_tui import config
from dory_tui.ledger import journal, records
from dory_tui.ledger.disk import (
    BusyError,
    LedgerError,
    TakenError,
    make_folder,
    permissions,
    take,
    try_lock,
    wait,
    widen,
)
from dory_tui.ledger.records import Record, RecordError
from dory_tui.values import dataclass, field, replace
from dory_tui.workspace.document import WorkspaceError, read_bytes, sync_folder
from dory_tui.workspace.layout import former_ids

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BusyError", "Item", "Ledger", "LedgerError", "TakenError", "try_lock"]

HOLD_PREFIX = "@hold/"
MEMORY_PREFIX = "@memory/"
TASK_PREFIX = "@task/"
LOCK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Item:
    """One record file, in either ledger or both. `record` is None when it cannot be read, and `problem` says why."""

    attempt: int
    number: int
    event: str
    record: Record | None
    hash: str
    original: bool
    mirror: bool
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The two ledgers of one workspace. `original` and `mirror` are the folders that hold `<id>/`."""

    workspace: str
    original: Path
    mirror: Path
    state: Path
    """The workspace's folder in the user's state folder; holds locks, blobs, notes and journals besides the ledger."""
    machine: str = field(default_factory=config.machine)
    """Whose journal the records go to."""
    former: tuple[str, ...] = ()
    """The ids that a copy's mirror has records of: a no among them still counts."""

    @staticmethod
    def of(root: Path, state_home: Path, workspace: str) -> Ledger:
        state = state_home / workspace
        former = former_ids(state)
        return Ledger(workspace, state / "ledger", root / ".dory" / "ledger", state, former=former)

    def history(self, key: str) -> tuple[Item, ...]:
        """Every record of an item in order, from both ledgers. LedgerError when a folder cannot be listed."""
        # The mirror first: but for a yes it is written last, so that what it has the other one has by then.
        second, first = _listing(self.mirror / key), _listing(self.original / key)
        if not first and not second:
            return ()
        names = sorted(first | second, key=lambda name: records.parse_name(name) or (0, 0, ""))
        return tuple(self._item(key, name, name in first, name in second) for name in names)

    def _item(self, key: str, name: str, original: bool, mirror: bool) -> Item:
        attempt, number, event = records.parse_name(name) or (0, 0, "")
        found: list[tuple[Record | None, str, str | None]] = []
        for folder, there in ((self.original, original), (self.mirror, mirror)):
            if there:
                found.append(self._read(folder / key / name, key))
        record, digest, _ = found[0]
        problem = next((bad for _, _, bad in found if bad), None)
        if problem is None and len(found) == 2 and found[0][1] != found[1][1]:
            problem = f"the two copies of {key}/{name} differ"
        return Item(attempt, number, event, record, digest, original, mirror, problem)

    def _read(self, file: Path, key: str) -> tuple[Record | None, str, str | None]:
        try:
            data = read_bytes(file, f"{key}/{file.name}")
        except WorkspaceError as error:
            return None, "", str(error)
        if data is None:
            return None, "", f"{key}/{file.name} vanished while it was read"
        try:
            former = self.former if file.is_relative_to(self.mirror) else ()
            record = records.parse(data, file.name, self.workspace, key, former)
        except RecordError as error:
            return None, records.digest(data), f"{key}/{file.name} cannot be used: {error}"
        return record, records.digest(data), None

    def keys(self, prefix: str = "") -> list[str]:
        """Every item of either ledger below a prefix (`""` for drafts, else `HOLD_PREFIX` and its like)."""
        found: set[str] = set()
        for folder in (self.original / prefix, self.mirror / prefix):
            try:
                with os.scandir(folder) as listing:
                    found.update(e.name for e in listing if e.is_dir() and not e.name.startswith(("@", ".")))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise LedgerError(f"the ledger cannot be listed ({error.strerror})") from error
        return [prefix + name for name in sorted(found)]

    def append(
        self, key: str, attempt: int, event: str, who: str, when: datetime, data: Mapping[str, Any],
        seal: Callable[[Record], str] | None = None,
    ) -> Record:  # fmt: skip
        """Write one record to both ledgers and to the journal. The item's lock must be held.

        A yes goes to the mirror first, so that a failure in between leaves a yes that does not count; all else goes
        to the authoritative ledger first. A claim that one of the three cannot take is refused. What became of a run
        is kept even where mirror or journal cannot be written. `seal` signs the record as it will stand.
        TakenError when the claim of this attempt exists; LedgerError when a write fails.
        """
        history = self.history(key)
        number = self._number(history, attempt, event)
        previous = history[-1].hash if history else None
        record = Record(self.workspace, key, attempt, number, event, who, when, previous, data)
        if records.parse_name(record.name) is None:
            raise LedgerError("too many attempts: stage it again under a new id")
        if event == records.CLAIMED and any(item.attempt == attempt and item.event == event for item in history):
            raise TakenError(f"{key} is already claimed")
        if seal is not None:
            record = replace(record, data={**data, records.SIGNATURE: seal(record)})
        line = self._open_journal(event)
        try:
            self._write(record, history, line)
        finally:
            if line is not None:
                os.close(line)
        return record

    def _open_journal(self, event: str) -> int | None:
        """A descriptor, before anything is decided; None where an outcome is kept without."""
        try:
            return journal.open_for(self.state, self.machine)
        except OSError as error:
            if event in records.OUTCOMES:
                return None
            raise LedgerError(f"the journal cannot be written ({error.strerror}): nothing was decided") from error

    def _write(self, record: Record, history: tuple[Item, ...], line: int | None) -> None:
        content = records.serialise(record)
        place = f"{record.id}/{record.name}"
        if record.event in records.YESES:
            _publish(self.mirror / place, content, self.mirror.parent)
        _publish(self.original / place, content, self.state)
        failed = None
        try:
            self._enter(record, content, history, line)
        except (OSError, LedgerError) as error:
            failed = _lacking(record.event, "the journal lacks it: the next record or `dory verify` adds it", error)
            if record.event == records.CLAIMED:
                raise failed from error
        if record.event not in records.YESES:
            try:
                _publish(self.mirror / place, content, self.mirror.parent)
            except LedgerError as error:
                if record.event == records.CLAIMED:
                    raise
                failed = _lacking(record.event, "its copy in the workspace is missing", error)
        if failed is not None and record.event not in records.OUTCOMES:
            raise failed

    def _enter(self, record: Record, content: bytes, history: tuple[Item, ...], line: int | None) -> None:
        """The record's line in the journal; before it that of the item's last record, if a crash kept it out."""
        if line is None:
            return
        entries = [journal.Entry(record.id, record.name, hashlib.sha256(content).hexdigest(), record.when)]
        last = next((item for item in reversed(history) if item.original), None)
        if last is not None and last.hash and not journal.has(self.state, last.hash.removeprefix("sha256:")):
            name = records.file_name(last.attempt, last.number, last.event)
            when = record.when if last.record is None else last.record.when
            entries.insert(0, journal.Entry(record.id, name, last.hash.removeprefix("sha256:"), when, late=True))
        journal.add(line, self.state, entries)

    @staticmethod
    def _number(history: tuple[Item, ...], attempt: int, event: str) -> int:
        if event == records.CLAIMED:
            return records.CLAIM_NUMBER
        used = [item.number for item in history if item.attempt == attempt]
        number = max(used, default=0) + 1
        if number == records.CLAIM_NUMBER or number > 999:
            raise LedgerError("too many records for one attempt: stage it again under a new id")
        return number

    def paths(self, record: Record) -> str:
        """The mirror file of a record, relative to the workspace."""
        return f".dory/ledger/{record.id}/{record.name}"

    def keep_blob(self, data: bytes) -> str:
        """Store bytes under their SHA-256 in the state folder; returns the hash, hex."""
        name = hashlib.sha256(data).hexdigest()
        try:
            _publish(self.state / "blobs" / name, data, self.state)
        except TakenError:
            if self.blob(name) != data:
                damaged = self.state / "blobs" / name
                raise LedgerError(f"the stored copy {damaged} is damaged: move it away and decide again") from None
        return name

    def blob(self, name: str) -> bytes | None:
        """The bytes stored under a hash; None when they are missing or are not what the hash says."""
        try:
            data = (self.state / "blobs" / name).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == name else None

    @contextmanager
    def lock(self, key: str, seconds: float = LOCK_SECONDS) -> Iterator[Callable[[], None]]:
        """The item's lock, for one short change of its records. BusyError after `seconds`.

        Yields a function that lets go of it early.
        """
        held = [self.open_lock(key)]

        def release() -> None:
            if held:
                os.close(held.pop())

        try:
            wait(held[0], seconds)
            yield release
        finally:
            release()

    def open_lock(self, key: str, kind: str = "item") -> int:
        """A descriptor of a lock file. Kinds: `item`, `run` (held by a run and its child), `lane`."""
        folder = self.state / "locks"
        try:
            make_folder(folder, self.state)
            return os.open(folder / _lock_name(key, kind), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LedgerError(f"the lock of {key} cannot be made ({error.strerror})") from error

    def running(self, key: str) -> bool:
        """Whether a run of the item, or a child that it started, still holds the run lock."""
        return self.busy(key, "run")

    def busy(self, key: str, kind: str) -> bool:
        """Whether another process holds this lock now. Looking takes it as a reader does, so lookers do not meet."""
        try:
            descriptor = os.open(self.state / "locks" / _lock_name(key, kind), os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            return not take(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)


def _lock_name(key: str, kind: str) -> str:
    return f"{kind}-{key.replace('/', '~')}"


def _lacking(event: str, what: str, error: Exception) -> LedgerError:
    """That a record stands all the same."""
    cause = error if isinstance(error, OSError) else error.__cause__
    why = getattr(cause, "strerror", None) or error
    return LedgerError(f"`{event}` stands in the ledger and counts, but {what} ({why})")


def _listing(folder: Path) -> set[str]:
    try:
        return {name for name in os.listdir(folder) if records.parse_name(name) is not None}
    except (FileNotFoundError, NotADirectoryError):
        return set()
    except OSError as error:
        raise LedgerError(f"the ledger of {folder.name} cannot be listed ({error.strerror})") from error


def _publish(file: Path, data: bytes, base: Path) -> None:
    """Make `file` appear whole, once, durably. TakenError when its name exists."""
    temporary = file.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        make_folder(file.parent, base)
        try:
            _make_exclusively(temporary, data)
            _link(temporary, file, data)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(file.parent)
    except FileExistsError as error:
        raise TakenError(f"{file.parent.name}/{file.name} exists already") from error
    except OSError as error:
        raise LedgerError(f"the ledger cannot be written ({error.strerror}): nothing was decided") from error


def _link(temporary: Path, file: Path, data: bytes) -> None:
    try:
        os.link(temporary, file)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without hard links: O_EXCL still makes one winner, though a crash may leave it torn.
        _make_exclusively(file, data)


def _make_exclusively(file: Path, data: bytes) -> None:
    """Write a new file, readable and writable for whom its folder is."""
    mode = permissions(file.parent) & 0o666
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(descriptor, "wb") as handle:
        widen(descriptor, mode)
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
