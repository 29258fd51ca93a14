"""A workspace made for one test: its own home, state folder, git configuration and clock."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from dory_tui.gate.rules import Standing
from dory_tui.gate.survey import Gate
from dory_tui.review import decide
from dory_tui.review.change import Done
from dory_tui.workspace.drafts import Draft

FORKS = Path(__file__).parent / "process" / "forks.py"
PATIENCE = 30.0
"""How many seconds a test waits for something that is bound to happen before it fails."""
RULES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dory-tests/rules"
"""Where the detector's rules lie once they are read: the first time takes seconds, so they outlive a run."""
os.environ["KF_RULE_CACHE_DIR"] = str(RULES)
NOW = datetime(2026, 2, 5, 10, 0, tzinfo=timezone(timedelta(hours=1)))
_FILES = {
    "state/HOLD.md": "# HOLD.md\n\n## Currently Blocked\n\n[none]\n",
    "state/STAGING.md": "# STAGING.md\n\n## Currently Staged\n",
    "state/DECISIONS.md": "# DECISIONS.md\n\n## Recent\n\n[none]\n",
}


@dataclass
class Clock:
    """A clock that stands still until it is told to move."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


@dataclass
class Workspace:
    """A workspace on disk. `effects` lies outside of it: one line for each time that an action ran."""

    root: Path
    env: dict[str, str]
    effects: Path
    clock: Clock = field(default_factory=Clock)

    def gate(self, root: Path | None = None, by: str = "dory") -> Gate:
        return Gate.open(root or self.root, self.env, self.clock, by)

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    @property
    def effect(self) -> list[str]:
        """An argv that appends its item's id to `effects`."""
        return ["/bin/sh", "-c", 'echo "$DORY_ID" >> "$0"', str(self.effects)]

    def count(self, identity: str) -> int:
        """How often the action of an item ran."""
        return self.effects.read_text().split().count(identity) if self.effects.exists() else 0

    def draft(
        self,
        identity: str,
        body: str = "Hello.\n",
        action: Mapping[str, Any] | None = None,
        schedule: Mapping[str, Any] | None = None,
        title: str | None = None,
        **front: Any,
    ) -> Path:
        """Write `state/drafts/<id>.md` with front matter and list it in STAGING.md as pending."""
        values: dict[str, Any] = {"id": identity, **front}
        values |= {"action": action} if action is not None else {}
        values |= {"schedule": schedule} if schedule is not None else {}
        lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()]
        file = self.write(f"state/drafts/{identity}.md", f"---\n{''.join(lines)}---\n{body}")
        entry = f"\n### {title or identity}\n**Status:** pending\n**Location:** state/drafts/{identity}.md\n"
        with (self.root / "state/STAGING.md").open("a", encoding="utf-8") as staging:
            staging.write(entry)
        return file

    def runs(self, identity: str, schedule: Mapping[str, Any] | None = None, **front: Any) -> Path:
        """A draft whose action leaves a line in `effects`."""
        return self.draft(identity, action={"argv": self.effect}, schedule=schedule, **front)

    def hold(self, *lines: str) -> None:
        """Replace what HOLD.md holds, as an editor would."""
        self.write("state/HOLD.md", "# HOLD.md\n\n## Currently Blocked\n\n" + "".join(f"{line}\n" for line in lines))

    def find(self, identity: str) -> Draft:
        found = self.gate().staging().find(identity)
        assert found is not None
        return found

    def approve(self, identity: str, override: Sequence[str] = ()) -> Done:
        return decide.approve(self.gate(), identity, self.find(identity).digest, override)

    def standing(self, identity: str) -> Standing:
        gate = self.gate()
        return gate.standing(self.find(identity), gate.holds())

    def events(self, identity: str) -> list[str]:
        """What the ledger has about an item, such as `1-500-claimed`."""
        return [f"{i.attempt}-{i.number:03}-{i.event}" for i in self.gate().ledger.history(identity)]

    def forks(self, kind: str, **job: Any) -> Any:
        """Have `tests/process/forks.py` fork, race, kill; its answer."""
        asked = {"kind": kind, "env": self.env, "now": self.clock.now.isoformat(), "effects": str(self.effects), **job}
        done = subprocess.run(
            [sys.executable, str(FORKS)], input=json.dumps(asked), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
        return json.loads(done.stdout)

    def agent(self, *words: str, through: Sequence[str] = (), python: Sequence[str] = ()) -> subprocess.Popen[str]:
        """Start `dory-agent` as a process of its own, on the machine's clock (see `live`)."""
        line = [*through, sys.executable, *python, "-m", "dory_tui.cli.dory_agent", "-C", str(self.root), *words]
        return subprocess.Popen(line, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def live(self) -> Workspace:
        """Set the clock to the machine's, for tests that start whole processes."""
        self.clock.now = datetime.now().astimezone()
        return self

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=cwd or self.root, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


class Stop:
    """A place in a running action where it says that it is there, and waits to be let go."""

    def __init__(self, folder: Path) -> None:
        self.there, self.onwards = folder / "there", folder / "onwards"
        for pipe in (self.there, self.onwards):
            os.mkfifo(pipe)
        # Open for both, so that neither side waits for the other to open it.
        self._there, self._onwards = (os.open(pipe, os.O_RDWR) for pipe in (self.there, self.onwards))

    @property
    def words(self) -> str:
        """Shell words for the action."""
        return f"echo > '{self.there}'; read -r _ < '{self.onwards}'"

    def reached(self) -> None:
        assert select.select([self._there], [], [], PATIENCE)[0], "the action never got there"
        os.read(self._there, 1)

    def let_go(self) -> None:
        os.write(self._onwards, b"\n")

    def close(self) -> None:
        os.close(self._there)
        os.close(self._onwards)


@pytest.fixture
def stop(tmp_path: Path) -> Iterator[Stop]:
    """A place where an action of this test waits."""
    made = Stop(tmp_path)
    yield made
    made.close()


def _build(folder: Path, name: str, git: bool) -> Workspace:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text("[user]\nname = Ana\nemail = ana@example.org\n[init]\ndefaultBranch = main\n")
    env = {
        "HOME": str(home),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(folder),
        "KF_RULE_CACHE_DIR": str(RULES),
    }
    made = Workspace(folder / name, env, folder / f"{name}.effects")
    for path, text in _FILES.items():
        made.write(path, text)
    if git:
        made.git("init", "--quiet")
        made.git("add", "--all")
        made.git("commit", "--quiet", "--message", "Start")
    return made


@pytest.fixture
def make_workspace(tmp_path: Path) -> Callable[..., Workspace]:
    """Makes workspaces: `make_workspace(name, git=True)` for one that is a repository."""

    def make(name: str = "workspace", *, git: bool = False, folder: Path = tmp_path) -> Workspace:
        return _build(folder, name, git)

    return make


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: for races, which are between processes and not with the disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"mounting a small disk is not permitted here: {made.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture(scope="module")
def shared_workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """One repository for all tests of a module, for those that put it back as it was themselves."""
    return _build(tmp_path_factory.mktemp("shared"), "workspace", git=True)


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A workspace without drafts, outside any repository."""
    return make_workspace()


@pytest.fixture
def gate(workspace: Workspace) -> Gate:
    """The gate of `workspace`, on its clock."""
    return workspace.gate()
