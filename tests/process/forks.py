"""Run by the tests as a script: one thread, so that it may fork, kill and watch safely.

It reads one JSON job from standard input and prints one JSON answer. Nothing of the program is replaced: what dies is a
real process, by SIGKILL, at a chosen call into the operating system (`sys.setprofile` is told of each).
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import random
import shutil
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from dory_tui.gate import runner, spawn  # noqa: F401 - spawn is imported here, so that no import is among the calls
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.change import DecisionError

CALLS = frozenset({"link", "fsync", "rename", "unlink", "mkdir", "flock", "fork_exec", "killpg"})
"""What changes something outside the process; a death between two of them is like one at the first."""

JOB: dict[str, Any] = {}


def gate(root: str) -> Gate:
    return Gate.open(Path(root), JOB["env"], lambda: datetime.fromisoformat(JOB["now"]))


def forked(work: Callable[[], int]) -> int:
    """The id of a child that does the work and ends with its answer as exit code."""
    child = os.fork()
    if child:
        return child
    try:
        os._exit(work())
    except BaseException:
        traceback.print_exc()
        os._exit(99)


def ended(child: int) -> int:
    """Its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def race(works: list[Callable[[], int]], killed: int = 0, within: float = 0.0) -> list[int]:
    """Fork them all, start them together, and kill some of them at random moments. Their exit codes in order."""
    ready, started = os.pipe()
    wait, go = os.pipe()

    def held_back(work: Callable[[], int]) -> Callable[[], int]:
        def run() -> int:
            os.close(go)
            os.write(started, b".")
            os.read(wait, 1)  # returns when the last write end is closed: for all of them at once
            return work()

        return run

    children = [forked(held_back(work)) for work in works]
    for _ in children:
        os.read(ready, 1)
    os.close(go)
    begun = time.monotonic()
    victims = random.sample(children, killed)
    for moment, victim in sorted((random.uniform(0, within), victim) for victim in victims):
        time.sleep(max(0.0, begun + moment - time.monotonic()))  # the random moment itself, not a wait for anything
        os.kill(victim, signal.SIGKILL)
    codes = [ended(child) for child in children]
    for descriptor in (ready, started, wait):
        os.close(descriptor)
    return codes


def rounds(racers: int, count: int, work: Callable[[int, int], int]) -> list[list[int]]:
    """The same processes, round after round, all of a round started together: `work(racer, round)` is what each does.

    Their answers, round by round. (To fork them anew for each round takes longer than the race.)
    """
    gates = [os.pipe() for _ in range(count)]
    ready, started = os.pipe()
    results, report = os.pipe()

    def racer(number: int) -> Callable[[], int]:
        def run() -> int:
            random.seed(JOB.get("seed", 0) + number)
            for _, write_end in gates:
                os.close(write_end)
            for turn, (read_end, _) in enumerate(gates):
                os.write(started, b".")
                os.read(read_end, 1)  # returns when its last write end is closed: for all of them at once
                os.write(report, struct.pack("ii", number, work(number, turn)))
            return 0

        return run

    children = [forked(racer(number)) for number in range(racers)]
    answers = []
    for _, write_end in gates:
        for _ in children:
            os.read(ready, 1)
        os.close(write_end)
        reports = [struct.unpack("ii", os.read(results, 8)) for _ in children]
        answers.append([code for _, code in sorted(reports)])
    assert [ended(child) for child in children] == [0] * racers
    return answers


def racing() -> list[dict[str, int]]:
    """N processes, each with its own gate, run one id at once. One count of exit codes for each id."""

    def run(turn: int) -> int:
        root, identity = JOB["items"][turn]
        return int(runner.run(gate(root), identity).code)

    turns, racers = range(len(JOB["items"])), JOB["racers"]
    if JOB.get("killed"):
        codes = [race([partial(run, turn)] * racers, JOB["killed"], JOB["within"]) for turn in turns]
    else:
        codes = rounds(racers, len(turns), lambda _, turn: run(turn))
    return [{str(code): count for code, count in Counter(answer).items()} for answer in codes]


def revoking() -> list[list[int]]:
    """A human's revoke and the scheduler's run at the same moment: [was refused, exit code of the run] for each id."""
    digests = [gate(root).staging().drafts[0].digest for root, _ in JOB["items"]]

    def work(racer: int, turn: int) -> int:
        root, identity = JOB["items"][turn]
        _spin(random.uniform(0, 0.002))  # so that now the one and now the other is first
        opened = gate(root)
        if racer == 1:
            return int(runner.run(opened, identity).code)
        try:
            decide.revoke(opened, identity, digests[turn])
        except DecisionError:
            return 1
        return 0

    return rounds(2, len(JOB["items"]), work)


def looking() -> list[int]:
    """One run, and around it others that check again and again: the code of the run, then every other code seen."""
    root, identity = JOB["items"][0]
    seen, report = os.pipe()

    def look() -> int:
        codes = set()
        for _ in range(30):
            codes.add(int(runner.check(gate(root), identity).code))
        os.write(report, bytes(codes))
        return 0

    def run() -> int:
        return int(runner.run(gate(root), identity).code)

    codes = race([run, *[look] * JOB["racers"]])
    assert codes[1:] == [0] * JOB["racers"]
    return [codes[0], *set(os.read(seen, 65_536))]


def as_nobody() -> dict[str, Any]:
    """Run one id without root's right to write everywhere: the answer of the run."""
    root, identity = JOB["items"][0]
    answers, report = os.pipe()

    def run() -> int:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(JOB["nobody"])
            os.setuid(JOB["nobody"])
        found = runner.run(gate(root), identity)
        os.write(report, json.dumps({"code": int(found.code), "sentence": found.sentence}).encode())
        return 0

    assert ended(forked(run)) == 0
    found: dict[str, Any] = json.loads(os.read(answers, 65_536))
    return found


def _spin(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


Fault = Callable[[str], None]


def at_call(number: int, before: bool, fault: Fault) -> None:
    """Have `fault` happen before or after the n-th call that changes something, counted from now."""
    left = number

    def watch(_frame: FrameType, event: str, function: Any) -> None:
        nonlocal left
        if event != ("c_call" if before else "c_return") or function.__name__ not in CALLS:
            return
        left -= 1
        if left < 0:
            sys.setprofile(None)
            fault(function.__name__)

    sys.setprofile(watch)


def die(report: int) -> Fault:
    def now(name: str) -> None:
        os.write(report, name.encode())
        os.kill(os.getpid(), signal.SIGKILL)

    return now


def fail(report: int) -> Fault:
    def now(name: str) -> None:
        os.write(report, name.encode())
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    return now


def meddle(report: int) -> Fault:
    def now(name: str) -> None:
        os.write(report, name.encode())
        for path, text in JOB["writes"].items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text)

    return now


FAULTS = {"die": die, "fail": fail, "meddle": meddle}


def sweeping() -> list[dict[str, Any]]:
    """Run one id once for each call it makes, with the fault there; then again, as a scheduler would.

    Before each run everything is put back as it was just after the yes. The last answer is of a run without a fault.
    """
    root, identity = JOB["items"][0]
    answers: list[dict[str, Any]] = []
    for number in range(JOB.get("first", 0), JOB.get("last", 1000)):
        answers.append(_one(root, identity, number))
        if answers[-1]["at"] == "":
            break
    return answers


def _one(root: str, identity: str, number: int) -> dict[str, Any]:
    for folder in JOB["folders"]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{folder}.before", folder, symlinks=True)
    effects = Path(JOB["effects"])
    effects.unlink(missing_ok=True)
    reading, report = os.pipe()

    def faulty() -> int:
        os.close(reading)
        opened = gate(root)
        at_call(number, JOB["before"], FAULTS[JOB["fault"]](report))
        return int(runner.run(opened, identity).code)

    def plain() -> int:
        return int(runner.run(gate(root), identity).code)

    child = forked(faulty)
    os.close(report)
    first = ended(child)
    at = os.read(reading, 100).decode()
    os.close(reading)
    claimed = _claimed(root, identity)
    second = ended(forked(plain))  # what the first started may still be running
    _until_it_ended(root, identity)
    third = ended(forked(plain))
    return {
        "number": number, "at": at, "codes": [first, second, third], "claimed": claimed,
        "effects": len(effects.read_text().split()) if effects.exists() else 0,
        "state": runner.check(gate(root), identity).state,
        "events": [item.event for item in gate(root).ledger.history(identity)],
    }  # fmt: skip


def _claimed(root: str, identity: str) -> bool:
    return any(item.event == records.CLAIMED for item in gate(root).ledger.history(identity))


def _until_it_ended(root: str, identity: str) -> None:
    """Wait for the run lock, which a child of a dead runner still holds."""
    descriptor = gate(root).ledger.open_lock(identity, "run")
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.close(descriptor)


def main() -> None:
    JOB.update(json.load(sys.stdin))
    random.seed(JOB.get("seed", 0))
    kinds: dict[str, Callable[[], Any]] = {
        "race": racing, "revoke": revoking, "look": looking, "sweep": sweeping, "nobody": as_nobody,
    }  # fmt: skip
    json.dump(kinds[JOB["kind"]](), sys.stdout)


if __name__ == "__main__":
    main()
