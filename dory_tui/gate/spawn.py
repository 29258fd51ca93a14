"""Start one approved snapshot and say what became of it: the only place where the gate starts a process."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from dory_tui.gate.action import SAFE_PATH, Action, Executable
from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import IO

OUTPUT_CAP = 64 * 1024
_PIPE_PATIENCE = 0.5
MASK = b"[masked]"


class TerminatedError(Exception):
    """SIGTERM, SIGHUP or SIGINT reached the runner in mid-run."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a run. `event` is `done`, `failed`, `unknown` or `aborted-before-start`.

    `output` is at most 64 KiB of what was printed, values of passed variables masked; `size` and `sha256` are of all
    of it, unmasked bytes never being kept.
    """

    event: str
    reason: str
    status: int | None
    output: bytes
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Job:
    """One start: the approved action, the program, its real folder, its input and its identity."""

    id: str
    attempt: int
    key: str
    action: Action
    executable: Executable
    folder: Path
    stdin: bytes


def child_environment(job: Job, environment: Mapping[str, str], home: Path) -> dict[str, str]:
    """The fixed minimal environment, then `env`, then the values of `env_pass` that are set."""
    child = {"PATH": SAFE_PATH, "HOME": str(home), "LANG": "C.UTF-8"}
    child.update(job.action.env)
    child.update({name: environment[name] for name in job.action.env_pass if name in environment})
    child.update(DORY_ID=job.id, DORY_ATTEMPT=str(job.attempt), DORY_IDEMPOTENCY_KEY=job.key)
    return child


def run(job: Job, environment: Mapping[str, str], home: Path, lock: int, started: Callable[[], None]) -> Result:
    """Start the job, call `started`, and wait for it. `lock` is the run lock's descriptor; the child inherits it."""
    secrets = [v.encode() for n in job.action.env_pass if len(v := environment.get(n, "")) >= 4]
    drain = _Drain(secrets)
    with _terminating(), tempfile.TemporaryFile() as stdin:
        stdin.write(job.stdin)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                job.action.argv, executable=job.executable.path, cwd=job.folder, stdin=stdin,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, pass_fds=(lock,),
                env=child_environment(job, environment, home),
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return drain.result("aborted-before-start", f"it could not be started: {error}", None)
        assert process.stdout is not None
        started()
        drain.start(process.stdout)
        event, reason = _wait(process, job.action)
        drain.finish()
        return drain.result(event, reason, process.returncode)


def _wait(process: subprocess.Popen[bytes], action: Action) -> tuple[str, str]:
    """After a timeout or a signal the effect may have landed, so the outcome is unknown, not failed."""
    try:
        status = process.wait(timeout=action.timeout.total_seconds())
    except subprocess.TimeoutExpired:
        _end_group(process)
        return (
            "unknown",
            f"it took longer than {int(action.timeout.total_seconds())} s and was ended",
        )
    except TerminatedError as error:
        _end_group(process)
        return "unknown", f"the runner was ended by {error}"
    if status in action.ok_exit:
        return "done", ""
    if status < 0:
        return "unknown", f"it was killed by signal {-status}"
    return "failed", f"exit code {status}"


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: ask, then insist."""
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=patience)
        except (ProcessLookupError, PermissionError):
            return
        except (subprocess.TimeoutExpired, TerminatedError):
            continue
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


@contextmanager
def _terminating() -> Iterator[None]:
    """Turn the signals that end a runner into an exception, so that the outcome is written down."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise TerminatedError(signal.Signals(number).name)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {n: signal.signal(n, stop) for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Drain:
    """Reads a child's output to its end, keeping a masked head. A grandchild that holds the pipe cannot hang it."""

    def __init__(self, secrets: list[bytes]) -> None:
        self._secrets = secrets
        self._head = bytearray()
        self._size = 0
        self._hash = hashlib.sha256()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, pipe: IO[bytes]) -> None:
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    def _read(self, pipe: IO[bytes]) -> None:
        while chunk := os.read(pipe.fileno(), 65_536):
            with self._guard:
                self._size += len(chunk)
                self._hash.update(chunk)
                # A little more than the cap, so that a secret cut in two by it is still seen.
                self._head += chunk[: max(0, OUTPUT_CAP + 4096 - len(self._head))]
        pipe.close()

    def finish(self) -> None:
        if self._thread is not None:
            self._thread.join(_PIPE_PATIENCE)

    def result(self, event: str, reason: str, status: int | None) -> Result:
        with self._guard:
            output = bytes(self._head)
            for secret in self._secrets:
                output = output.replace(secret, MASK)
            return Result(event, reason, status, output[:OUTPUT_CAP], self._size, self._hash.hexdigest())
