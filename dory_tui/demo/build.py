"""Build the example workspace: the files of `demo/workspace/` with today's dates, a git history, and a past.

The past is made through the same ledger and runner as everything else: a newsletter that was approved and waits for
tonight, a mail whose runner died in mid-run, so that nobody knows whether it went out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from dory_tui.gate.survey import Clock, Gate, machine_clock
from dory_tui.ledger import records
from dory_tui.review import decide, keys
from dory_tui.workspace import layout

SOURCE = Path(__file__).parent / "workspace"
_DAY = re.compile(r"\{\{D([+-])(\d+)\}\}")
_MOMENT = re.compile(r"\{\{NOW([+-])(\d+)([mh])\}\}")
_DATED = re.compile(r"\d{4}-\d\d-\d\d")
_DAY_FILE = re.compile(r"^D-(\d+)\.md$")
_PREFIX = "dory-demo-"
YESTERDAY = timedelta(hours=11)
"""How long ago the demo's past is: a yes said last evening."""
_FORGOTTEN = ("School workshop", "Exports over 4 GB", "Captions burnt", "Old studio site", "Van papers")
"""How the entries of MEMORY.md begin that came long ago and that no log speaks of: an audit finds them stale."""
_GREW = (
    (412, "Begin MEMORY.md"),
    (163, "Add people and lessons"),
    (97, "Add more lessons"),
    (34, "Add where things are"),
)
"""Days ago, and a message, of each commit of MEMORY.md before the last: an audit has ages to show."""


def temporary() -> Path:
    """A new folder for one demo."""
    return Path(tempfile.mkdtemp(prefix=_PREFIX)) / "workspace"


def fill(text: str, now: datetime) -> str:
    """The placeholders of the example files as dates: `{{D-3}}` a day, `{{NOW+20h}}` a moment with its offset."""

    def day(match: re.Match[str]) -> str:
        return (now.date() + timedelta(days=int(match[1] + match[2]))).isoformat()

    def moment(match: re.Match[str]) -> str:
        minutes = int(match[1] + match[2]) * (60 if match[3] == "h" else 1)
        return (now + timedelta(minutes=minutes)).isoformat(timespec="seconds")

    return _MOMENT.sub(moment, _DAY.sub(day, text))


def build(folder: Path, environment: Mapping[str, str] | None = None, clock: Clock = machine_clock) -> Gate:
    """Write the example workspace into `folder`, commit it, and give it its past. Returns its gate."""
    env = os.environ if environment is None else environment
    forget_old(env)
    now = clock()
    for file in sorted(SOURCE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            _write(folder, file, now)
    (folder / layout.ARCHIVE).mkdir(parents=True, exist_ok=True)
    gate = Gate.open(folder, env, clock)
    gate.settle()
    past = Gate.open(folder, env, lambda: clock() - YESTERDAY)  # from its first record on: no clock may go back
    past.notice_holds(past.holds())
    _git(folder, env, now)
    _past(past)
    return Gate.open(folder, env, clock)


def _write(folder: Path, file: Path, now: datetime) -> None:
    name = _DAY_FILE.sub(lambda m: fill(f"{{{{D-{m[1]}}}}}.md", now), file.name)
    target = folder / file.relative_to(SOURCE).with_name(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(fill(file.read_text("utf-8"), now), "utf-8")
    if file.parent.name == "bin":
        target.chmod(0o755)


def _git(folder: Path, env: Mapping[str, str], now: datetime) -> None:
    """A repository with the workspace in it; without git the demo works all the same."""
    identity = ("-c", "user.name=Pip", "-c", "user.email=pip@localhost", "-c", "commit.gpgsign=false")
    (folder / ".gitignore").write_text("outbox/\n", "utf-8")

    def git(*words: str, when: datetime | None = None) -> None:
        dates = {} if when is None else {f"GIT_{who}_DATE": when.isoformat() for who in ("AUTHOR", "COMMITTER")}
        with suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(
                ["git", *identity, "-c", "core.hooksPath=/dev/null", *words], cwd=folder, env={**env, **dates},
                check=True, capture_output=True,
            )  # fmt: skip

    git("init", "-q", "-b", "main")
    memory = folder / layout.MEMORY
    whole = memory.read_text("utf-8")
    for number, (days, message) in enumerate(_GREW):
        memory.write_text(_grown(whole, number), "utf-8")
        git("add", layout.MEMORY)
        git("commit", "-q", "-m", message, when=now - timedelta(days=days))
    memory.write_text(whole, "utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "The workspace as Pip keeps it")


def _grown(whole: str, number: int) -> str:
    """MEMORY.md after the commit of that number: entries were added below those of their section, dated ones last."""
    lines, section = [], 0
    for line in whole.splitlines(keepends=True):
        section = 0 if line.startswith("#") else section + line.startswith("- ")
        came = 0 if not line.startswith("- ") or line[2:].startswith(_FORGOTTEN) else min(3, 1 + (section - 1) // 6)
        if number >= (len(_GREW) if _DATED.search(line) else came):
            lines.append(line)
    return "".join(lines)


def _past(gate: Gate) -> None:
    """Last evening's yeses: one that waits for tonight, and one whose runner died in mid-run."""
    for name in ("newsletter", "mail-bob"):
        draft = gate.staging().find(name)
        if draft is not None and not keys.must_sign(gate):  # nobody signs for this person
            decide.approve(gate, name, draft.digest)
    draft = gate.staging().find("mail-bob")
    if draft is not None:
        with gate.ledger.lock("mail-bob"):
            gate.record("mail-bob", 1, records.CLAIMED, {"digest": draft.digest, "machine": gate.machine})


def forget_old(env: Mapping[str, str]) -> None:
    """Drop the state of earlier demos whose folder is gone."""
    from dory_tui.config import state_home

    with suppress(OSError):
        for state in state_home(env).iterdir():
            paths = layout.noted_paths(state)
            if not paths:
                continue
            path = Path(paths[0])
            if path.parent.name.startswith(_PREFIX) and not path.exists():
                shutil.rmtree(state, ignore_errors=True)


def farewell(gate: Gate) -> str:
    """What to try next, printed when the demo closes."""
    return (
        f"\nThe demo workspace is yours to look at: {gate.root}\n"
        f"  git -C {gate.root} log --oneline        one commit for each decision\n"
        f"  dory-agent -C {gate.root} run --due     what a scheduler would do now\n"
        f"  dory -C {gate.root}                     go on with the review\n"
    )
