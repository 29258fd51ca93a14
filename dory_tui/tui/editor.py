"""A person's own editor on a private copy of some bytes. Nothing of it knows the screen."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from dory_tui.gate.survey import Gate
from dory_tui.review.items import Subject

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Edited:
    """`data` is what the editor left; None when that is of no use, and `sentence` says why. `signal` came meanwhile."""

    data: bytes | None
    sentence: str = ""
    signal: int | None = None


@dataclass(frozen=True)
class Ready:
    """What is to be edited: the workspace file it stands in, a name for the copy, its bytes, and the editor."""

    path: str
    name: str
    data: bytes
    command: Sequence[str]


def ready(gate: Gate, subject: Subject) -> Ready | str:
    """What editing needs, or the sentence that says why it cannot be. Called in a thread."""
    from dory_tui.review import edit  # brings git along, which the first paint does not wait for
    from dory_tui.review.change import DecisionError

    try:
        path, data, _ = edit.editable(gate, subject)
        command = edit.editor_command(gate.environment)
    except DecisionError as error:
        return str(error)
    return Ready(path, f"{subject.id.replace('/', '-')}{Path(path).suffix}", data, command)


class Copy:
    """A copy of some bytes that only this person can read, in a folder of its own. `drop` it, or it stays."""

    def __init__(self, name: str, data: bytes) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dory-"))
        self.file = self.folder / name
        self._before = data
        self.file.touch(mode=0o600)
        self.file.write_bytes(data)

    def edit(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Edited:
        """Run the editor on the copy and wait for it. The terminal must be free for it."""
        name = Path(command[0]).name
        try:
            code, asked = _run([*command, str(self.file)], folder, environment)
        except OSError as error:
            return Edited(None, f"{name} cannot be started ({error.strerror}), so nothing was changed: see $EDITOR")
        if code:
            said = f"ended with {code}" if code > 0 else f"was ended by signal {-code}"
            return Edited(None, f"{name} {said}, so nothing was changed", asked)
        try:
            data = self.file.read_bytes()
        except OSError as error:
            return Edited(None, f"{name} left no file ({error.strerror}), so nothing was changed", asked)
        if data == self._before:
            return Edited(None, f"{name} wrote nothing other, so nothing was changed", asked)
        return Edited(data, "", asked)

    def drop(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, int | None]:
    """The exit code, and the signal that asked this program to end meanwhile. Ctrl+C is the editor's alone."""
    asked: list[int] = []
    process: subprocess.Popen[bytes] | None = None

    def heard(number: int, _: FrameType | None) -> None:
        if number != signal.SIGINT:
            asked.append(number)
            if process is not None:
                process.send_signal(number)

    before = {number: signal.signal(number, heard) for number in _SIGNALS}
    try:
        process = subprocess.Popen(command, cwd=folder, env=dict(environment))
        return process.wait(), asked[0] if asked else None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
