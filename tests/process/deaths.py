"""Run by `test_finish` as a script: one decision, cut short by SIGKILL at each call that changes something.

Reads one JSON job from standard input: a verb, an item, and the folders that are put back before each try. Prints one
JSON answer for each death: where it was, what `finish` said, and what stands in the workspace after it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

from dory_tui.gate.survey import Gate
from dory_tui.review import decide, memories
from dory_tui.review.finish import finish
from dory_tui.workspace.promotions import Promotion, read_promotions
from tests.process.forks import JOB, ended, forked, gate

CALLS = frozenset({"link", "rename", "unlink", "fork_exec"})
SCORES = {"longevity": 3, "reuse": 3, "impact": 1, "uniqueness": 1}


def _candidate(opened: Gate, wanted: str) -> Promotion:
    return next(one for one in read_promotions(opened.root) if one.id == wanted)


def _digest(opened: Gate, wanted: str) -> str:
    found = opened.staging().find(wanted)
    return found.digest if found is not None else _candidate(opened, wanted).digest


def _promote(opened: Gate, wanted: str) -> object:
    found = _candidate(opened, wanted)
    after = memories.preview(opened, found, create=True).after
    return memories.promote(opened, wanted, found.digest, after=hashlib.sha256(after).hexdigest(), create=True)


VERBS: dict[str, Callable[[Gate, str], object]] = {
    "approve": lambda g, i: decide.approve(g, i, _digest(g, i)),
    "reject": lambda g, i: decide.reject(g, i, _digest(g, i), "too long"),
    "changes": lambda g, i: decide.request_changes(g, i, _digest(g, i), "name the date"),
    "revoke": lambda g, i: decide.revoke(g, i, _digest(g, i)),
    "promote": _promote,
    "discard": lambda g, i: memories.discard(g, i, _digest(g, i), "not true any more"),
    "score": lambda g, i: memories.score(g, i, _digest(g, i), SCORES),
}


def _decide() -> int:
    VERBS[JOB["verb"]](gate(JOB["root"]), JOB["item"])
    return 0


def _put_back() -> None:
    for folder in JOB["folders"]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{folder}.before", folder, symlinks=True)


def _watching(see: Callable[[str], None]) -> None:
    """Have `see` told of each call that changes a name or starts a process, just before it is made."""

    def watch(_frame: object, event: str, function: Any) -> None:
        if event == "c_call" and ((name := function.__name__) in CALLS or function is os.replace):
            see(name)

    sys.setprofile(watch)


def _calls() -> list[str]:
    """Every such call of a run that nothing stops."""
    _put_back()
    reading, report = os.pipe()

    def watched() -> int:
        _watching(lambda name: [os.write(report, f"{name} ".encode())].clear())
        return _decide()

    child = forked(watched)
    os.close(report)
    seen = b""
    while chunk := os.read(reading, 65_536):
        seen += chunk
    os.close(reading)
    assert ended(child) == 0
    return seen.decode().split()


def _worth_dying_at(calls: list[str]) -> list[int]:
    """All of them, but of a row of git processes or of unlinked scratch files only the ends.

    `few`: only those between the record and the commit.
    """
    chosen: list[int] = []
    for name, run in groupby(range(len(calls)), key=lambda n: calls[n]):
        numbers = list(run)
        chosen += numbers if len(numbers) < 3 else [numbers[0], *numbers[-3 if name == "fork_exec" else -1 :]]
    if not JOB["few"]:
        return chosen
    recorded = max(number for number, name in enumerate(calls) if name == "link")
    return [number for number in chosen if recorded < number <= calls.index("fork_exec")]


def _died_at(number: int) -> dict[str, Any]:
    _put_back()
    reading, report = os.pipe()

    def faulty() -> int:
        os.close(reading)
        left = number

        def die(name: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.write(report, name.encode())
                os.kill(os.getpid(), signal.SIGKILL)

        _watching(die)
        return _decide()

    child = forked(faulty)
    os.close(report)
    code = ended(child)
    at = os.read(reading, 100).decode()
    os.close(reading)
    for path, (old, new) in JOB["meanwhile"].items():
        file = Path(JOB["root"]) / path
        file.write_text(file.read_text().replace(old, new))
    said = finish(gate(JOB["root"]))
    lock = Path(JOB["root"]) / ".git/index.lock"
    locked = lock.exists()
    if locked:  # what git itself leaves behind: nobody but a human may take it away
        lock.unlink()
        said += finish(gate(JOB["root"]))
    return {"number": number, "at": at, "code": code, "said": said, "locked": locked, **_found()}


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=JOB["root"], env=JOB["env"], check=True, capture_output=True, text=True)
    return done.stdout


def _found() -> dict[str, Any]:
    root = Path(JOB["root"])
    again = finish(gate(JOB["root"]))
    opened = gate(JOB["root"])
    key = JOB["item"] if opened.staging().find(JOB["item"]) else f"@memory/{JOB['item']}"
    items = opened.ledger.history(key)
    return {
        "again": again,
        "files": {path: (root / path).read_text() for path in JOB["paths"]},
        "events": [item.event for item in items if item.original],
        "commits": _git("log", "--format=%s").splitlines(),
        "dirty": _git("status", "--porcelain", "--", *JOB["paths"]),
    }


def main() -> None:
    JOB.update(json.load(sys.stdin))
    calls = _calls()
    whole = {"number": -1, "at": "", "code": 0, "said": [], "locked": False, **_found()}
    deaths = [_died_at(number) for number in _worth_dying_at(calls)]
    json.dump({"calls": calls, "whole": whole, "deaths": deaths}, sys.stdout)


if __name__ == "__main__":
    main()
