"""The real OpenClaw: installed from npm once, its gateway started on loopback with a home of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

VERSIONS = ("node@24", "openclaw@2026.9.6")
"""In this order: OpenClaw's own install scripts ask for the node that is on the path."""
CACHE = Path(__file__).parents[2] / ".openclaw-try"
TOKEN = "T"
PATIENCE = 180.0
"""Seconds for what is bound to happen. A start takes 12 to 25 on two cores."""
_COLOUR = re.compile(r"\x1b\[\d+m")


def install() -> Path:
    """The folder with `node` and `openclaw`; some 770 MB the first time."""
    binaries, done = CACHE / "node_modules/.bin", CACHE / "installed"
    if done.exists() and done.read_text().split() == list(VERSIONS):
        return binaries
    npm = shutil.which("npm")
    if npm is None:
        pytest.exit("npm is not on the path: install Node.js, which brings it, and run `make test-openclaw` again", 2)
    CACHE.mkdir(exist_ok=True)
    (CACHE / "package.json").write_text('{"private": true}\n')  # else npm looks for one further up
    for package in VERSIONS:
        line = [npm, "install", "--no-fund", "--no-audit", package]
        made = subprocess.run(line, cwd=CACHE, env=with_path(binaries), capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.exit(f"`{' '.join(line[1:])}` in {CACHE} failed:\n{made.stderr[-2000:]}", 2)
    done.write_text(" ".join(VERSIONS))
    return binaries


def with_path(binaries: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until(moment: datetime) -> None:
    threading.Event().wait(max(0.0, (moment - datetime.now(UTC)).total_seconds()))


@dataclass
class Gateway:
    """One gateway with its own home. `start`, `stop` and `crash` as often as one likes: its jobs are on disk."""

    binaries: Path
    folder: Path
    env: dict[str, str]
    port: int = field(default_factory=free_port)
    lines: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None
    _heard: threading.Condition = field(default_factory=threading.Condition)

    @property
    def home(self) -> Path:
        return Path(self.env["HOME"])

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def config_file(self) -> Path:
        return self.home / ".openclaw/openclaw.json"

    def configure(self, **more: Any) -> None:
        """Write its configuration: nothing leaves this machine, nothing is written outside its folder."""
        config = {
            "logging": {"file": str(self.folder / "openclaw.log")},
            "update": {"checkOnStart": False},
            "models": {"catalogRefresh": {"enabled": False}, **more.pop("models", {})},
            **more,
        }
        self.config_file.parent.mkdir(parents=True, exist_ok=True)
        self.config_file.write_text(json.dumps(config, indent=2))

    def start(self) -> float:
        """Start it and wait until it says that it is ready. The seconds that took."""
        began, seen = time.monotonic(), len(self.lines)
        words = ["gateway", "run", "--allow-unconfigured", "--bind", "loopback", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [str(self.binaries / "openclaw"), *words, "--auth", "token", "--token", TOKEN],
            cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()
        self.hears(lambda line: line.endswith("[gateway] ready"), since=seen)
        return time.monotonic() - began

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with self._heard:
                self.lines.append(_COLOUR.sub("", line.rstrip("\n")))
                self._heard.notify_all()
        with self._heard:
            self._heard.notify_all()

    def hears(self, wanted: Callable[[str], bool], since: int = 0) -> None:
        """Wait until the gateway has said such a line."""

        def said() -> bool:
            assert self.process is not None
            return any(map(wanted, self.lines[since:])) or self.process.poll() is not None

        with self._heard:
            assert self._heard.wait_for(said, PATIENCE), "\n".join(self.lines[-40:])
        assert any(map(wanted, self.lines[since:])), "\n".join(self.lines[-40:])

    def stop(self) -> None:
        """End it as a restart does."""
        self._end(signal.SIGTERM)

    def crash(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        family = descendants(self.process.pid)
        self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def run(self, *words: str) -> str:
        """One command of `openclaw`; what it printed."""
        done = subprocess.run(
            [str(self.binaries / "openclaw"), *words],
            cwd=self.folder, env=self.env, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, f"openclaw {' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def asks(self, *words: str) -> Any:
        """One command to the running gateway; the JSON that it prints."""
        return json.loads(self.run(*words, "--url", self.url, "--token", TOKEN))

    def schedule(self, jobs: Mapping[str, Sequence[str]], apart: float = 5) -> list[datetime]:
        """Add one-shot command jobs, the first due as soon as all are in, the others `apart` seconds each.

        When they are due. The gateway runs, and none has come due when this returns.
        """
        began = time.monotonic()
        self.asks("cron", "list", "--all", "--json")
        each = time.monotonic() - began
        first = datetime.now(UTC) + timedelta(seconds=15 + len(jobs) * each * 1.5)
        due = [first + timedelta(seconds=apart * number) for number in range(len(jobs))]

        def add(name: str, at: datetime, argv: Sequence[str]) -> None:
            self.asks(
                "cron", "add", "--name", name, "--at", at.isoformat(timespec="milliseconds"), "--no-deliver",
                "--keep-after-run", "--command-argv", json.dumps(list(argv)),
            )  # fmt: skip

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(add, jobs, due, jobs.values()))
        assert datetime.now(UTC) < first, "adding the jobs took longer than expected: a busy machine"
        return due

    def jobs(self) -> dict[str, dict[str, Any]]:
        """The command jobs, by their names."""
        found = self.asks("cron", "list", "--all", "--json")["jobs"]
        return {job["name"]: job for job in found if job["payload"]["kind"] == "command"}

    def runs_now(self, name: str) -> dict[str, Any]:
        """Start a job by hand, whatever its schedule; what its history has of that run."""
        found: dict[str, Any] = self.asks("cron", "run", self.jobs()[name]["id"], "--wait")["run"]
        return found

    def finished(self) -> dict[str, dict[str, Any]]:
        """Ask until each job has run and is at rest."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            states = {name: job["state"] for name, job in self.jobs().items()}
            if all("lastRunStatus" in s and "runningAtMs" not in s and "nextRunAtMs" not in s for s in states.values()):
                return states
        raise AssertionError(json.dumps(states, indent=2))


def descendants(pid: int) -> list[int]:
    """The processes below one, as ps has them now."""
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, listing.splitlines())}
    below = [pid]
    for parent in below:
        below += [child for child, its in parents.items() if its == parent]
    return below[1:]


@contextmanager
def running(binaries: Path, folder: Path, home: Path) -> Iterator[Gateway]:
    """A gateway that has not started; at the end it is stopped, and whatever it left is ended."""
    (folder / "tmp").mkdir(parents=True)
    env = {
        **{name: value for name, value in with_path(binaries).items() if not name.startswith(("OPENCLAW_", "XDG_"))},
        "HOME": str(home),
        "TMPDIR": str(folder / "tmp"),
        "OPENCLAW_NO_AUTO_UPDATE": "1",
        "OPENCLAW_DISABLE_BONJOUR": "1",
        "OPENCLAW_OFFLINE": "1",
    }
    gateway = Gateway(binaries, folder, env)
    env |= {"OPENCLAW_GATEWAY_PORT": str(gateway.port), "OPENCLAW_GATEWAY_TOKEN": TOKEN}
    gateway.configure()
    try:
        yield gateway
    finally:
        gateway.stop()
