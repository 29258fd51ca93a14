"""Start one approved snapshot and say what became of it: the only place where the gate starts a process."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from dory_tui.gate import attached
from dory_tui.gate.action import SAFE_PATH, Job
from dory_tui.ledger.disk import make_folder
from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import IO

OUTPUT_CAP = 64 * 1024
_PIPE_PATIENCE = 0.5
_LOOK = 0.1
"""How long a signal to the runner may wait to be seen, in seconds."""
_SHORT = 4
"""A passed value shorter than this is no secret, and masking it would garble what was printed."""
MASK = b"[masked]"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a run. `event` is `done`, `failed`, `unknown` or `aborted-before-start`.

    `output` is at most 64 KiB of what was printed, values of passed variables masked; `size` and `sha256` are of all
    of it, unmasked bytes never being kept. `interrupted` says that a signal to the runner ended it; `unmasked` are the
    names of passed variables whose values are too short to be told from other text.
    """

    event: str
    reason: str
    status: int | None
    output: bytes
    size: int
    sha256: str
    interrupted: bool
    unmasked: tuple[str, ...] = ()


def child_environment(job: Job, environment: Mapping[str, str], home: Path) -> dict[str, str]:
    """The fixed minimal environment, then `env`, then the values of `env_pass` that are set."""
    child = {"PATH": SAFE_PATH, "HOME": str(home), "LANG": "C.UTF-8"}
    child.update(job.action.env)
    child.update({name: environment[name] for name in job.action.env_pass if name in environment})
    child.update(DORY_ID=job.id, DORY_ATTEMPT=str(job.attempt), DORY_IDEMPOTENCY_KEY=job.key)
    return child


def run(job: Job, environment: Mapping[str, str], home: Path, lock: int, started: Callable[[], None]) -> Result:
    """Start the job, call `started`, and wait for it. `lock` is the run lock's descriptor; the child inherits it."""
    passed = {name: os.fsencode(environment[name]) for name in job.action.env_pass if environment.get(name)}
    drain = _Drain(list(passed.values()), tuple(name for name, value in passed.items() if len(value) < _SHORT))
    with _noting_signals() as signals, ExitStack() as closing:
        try:
            stdin = closing.enter_context(tempfile.TemporaryFile())
            stdin.write(job.stdin)
            stdin.seek(0)
            copies = _copies(job, closing)
            if signals:
                raise OSError(f"{signals[0]} came first")
            process = subprocess.Popen(
                attached.arguments(job.action, copies), executable=job.executable.path, cwd=job.folder, stdin=stdin,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, pass_fds=(lock,),
                env=child_environment(job, environment, home) | _named(copies),
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return drain.result("aborted-before-start", f"it could not be started: {error}", None, bool(signals))
        assert process.stdout is not None
        started()
        drain.start(process.stdout)
        event, reason = _wait(process, job.action.timeout.total_seconds(), job.action.ok_exit, signals)
        drain.finish()
        return drain.result(event, reason, process.returncode, bool(signals))


def _copies(job: Job, closing: ExitStack) -> list[str]:
    """Private copies of the attachments for the child, gone when `closing` is. OSError when they cannot be written."""
    if not job.attached:
        return []
    assert job.snapshots is not None
    make_folder(job.snapshots, job.snapshots.parent)
    folder = job.snapshots / job.id
    closing.callback(shutil.rmtree, folder, ignore_errors=True)
    return attached.lay_out(folder, job.attached)


def _named(copies: Sequence[str]) -> dict[str, str]:
    return {attached.VARIABLE: "\n".join(copies)} if copies else {}


def _wait(
    process: subprocess.Popen[bytes], seconds: float, good: Sequence[int], signals: Sequence[str]
) -> tuple[str, str]:
    """After a timeout or a signal the effect may have landed, so the outcome is unknown, not failed."""
    deadline = time.monotonic() + seconds
    while (status := _ended(process, min(_LOOK, deadline - time.monotonic()))) is None:
        if signals:
            _end_group(process)
            return "unknown", f"the runner was ended by {signals[0]}"
        if time.monotonic() >= deadline:
            _end_group(process)
            return "unknown", f"it took longer than {int(seconds)} s and was ended"
    if status in good:
        return "done", ""
    if status < 0:
        return "unknown", f"it was killed by signal {-status}"
    return "failed", f"exit code {status}"


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit status, waited for no longer than this; None while it runs."""
    try:
        return process.wait(timeout=max(0.0, seconds))
    except subprocess.TimeoutExpired:
        return None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: ask, then insist."""
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        _ended(process, patience)
    _ended(process, 0.0)


@contextmanager
def _noting_signals() -> Iterator[list[str]]:
    """The names of the signals that would end a runner, as they come in.

    They are noted and not obeyed, so that whatever they interrupt the child is ended and the outcome written down.
    """
    seen: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return

    def note(number: int, _frame: FrameType | None) -> None:
        seen.append(signal.Signals(number).name)

    before = {n: signal.signal(n, note) for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


class _Drain:
    """Reads a child's output to its end, keeping a masked head. A grandchild that holds the pipe cannot hang it."""

    def __init__(self, secrets: Sequence[bytes], unmasked: tuple[str, ...]) -> None:
        self._unmasked = unmasked
        # The longest first, so that one that stands inside another leaves nothing of it.
        self._secrets = sorted({one for one in secrets if len(one) >= _SHORT}, key=len, reverse=True)
        # More than the cap, so that a secret cut in two by it is still seen.
        self._keep = OUTPUT_CAP + max(map(len, self._secrets), default=0)
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
                self._head += chunk[: max(0, self._keep - len(self._head))]
        pipe.close()

    def finish(self) -> None:
        if self._thread is not None:
            self._thread.join(_PIPE_PATIENCE)

    def result(self, event: str, reason: str, status: int | None, interrupted: bool) -> Result:
        with self._guard:
            output = self._masked(bytes(self._head))
            whole = self._hash.hexdigest()
            return Result(event, reason, status, output, self._size, whole, interrupted, self._unmasked)

    def _masked(self, output: bytes) -> bytes:
        for secret in self._secrets:
            output = output.replace(secret, MASK)
        for secret in self._secrets:
            cut = next((n for n in range(len(secret) - 1, _SHORT - 1, -1) if output.endswith(secret[:n])), 0)
            if cut:  # the end of what was kept cut it in two
                return (output[:-cut] + MASK)[:OUTPUT_CAP]
        return output[:OUTPUT_CAP]
