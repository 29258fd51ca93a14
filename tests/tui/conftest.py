"""A small workspace on a fixed morning, and a person at the keyboard."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from dory_tui.gate.due import LOOKED
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.review import decide
from dory_tui.review.change import Done
from dory_tui.tui.app import DoryApp
from dory_tui.tui.screens.review import ReviewScreen
from dory_tui.tui.watching import Watch
from dory_tui.workspace.timestamps import instant

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)

HOLDS = """# HOLD.md

## Currently Blocked

[2026-11-27 10:00 | main] X thread tweets 2-7 — awaiting explicit approval
[2026-11-18 16:40 | main] Stripe payout to contractor — invoice total does not match the hours
"""
ACTIVE = """# ACTIVE.md

## Current Instruction

**User said:** "revise to 37 scenes and map it to that timing"

**Interpretation:** Cut the board from 41 scenes to 37 and give each one a length.

**Status:**
- [x] Cut the board to 37 scenes
- [x] Read the timing sheet into the board
- [ ] Give every scene a length
- [ ] Settle scenes 12 and 29
- [ ] Print the board
"""
DECISIONS = """# DECISIONS.md

## Recent

[2026-11-27 09:10 | main] Pause the newsletter — nobody reads it in December
[2026-11-28 11:00 | main] Scene list stays at 37 — the music is done
[2026-11-29 18:10 | main] Use Resend, not SES — one key instead of five
"""
MEMORY = """# MEMORY.md

## People

- Ana: design lead, answers in the afternoon
- Bob: contractor, paid by Stripe

## Money

- Payment terms are 14 days
- Invoices are sent at the start of the month
- Accountant gets the export in the first week
"""
THREAD = (
    "1/ My agent forgets everything overnight.\n\nSeven short posts on why that is fine.\n",
    "2/ A storyboard is memory: 37 scenes.\n\nPut it in a text file and you remember.\n",
    "3/ The part nobody tells you about file-based memory:\nit is boring, and that is the point.\n\n"
    "Plain Markdown. A git log. Four files the agent reads before\nit does anything:\n\n"
    "- HOLD: what is blocked\n- ACTIVE: the task, in your exact words\n- STAGING: what waits for your yes\n"
    "- DECISIONS: what you already said\n\nhttps://exam\u0440le.com/notes\n",
    "4/ Exact words beat summaries.\n",
    "5/ What a board keeps for each scene.\n",
    "6/ Git is an undo that remembers why.\n",
    "7/ Out today: a folder and a small command.\n",
)
MAIL = "Hi {},\n\nthe numbers differ by eight hours. Could you look?\n\nMira\n"


@dataclass
class Ticks:
    """The clock of the guard: it stands still until told."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Morning:
    """A workspace `~/agent` with its own home and state folder."""

    root: Path
    env: dict[str, str]
    clock: Clock = field(default_factory=Clock)

    def gate(self) -> Gate:
        return Gate.open(self.root, self.env, self.clock)

    def write(self, path: str, text: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def draft(self, name: str, title: str, body: str, argv: Sequence[str], *, part: str = "", at: str = "") -> None:
        """A draft file with an action, listed in STAGING.md."""
        lines = [f"id: {name}", f"title: {json.dumps(title, ensure_ascii=False)}", "kind: post"]
        lines += [f"part: {part}"] if part else []
        lines += ["action:", f"  argv: {json.dumps(list(argv))}", "  stdin: body"]
        lines += ["schedule:", f'  not_before: "{at}"', "  grace: 15m", "  lane: social/main"] if at else []
        self.write(f"state/drafts/{name}.md", "\n".join(["---", *lines, "---", body]))
        entry = f"\n### {title}\n**Created:** 2026-11-29\n**Status:** pending\n**Location:** state/drafts/{name}.md\n"
        with (self.root / "state/STAGING.md").open("a", encoding="utf-8") as staging:
            staging.write(entry)

    def candidate(self, name: str, text: str, section: str, scores: str, replaces: str = "null") -> None:
        self.write(
            f"memory/promotions/{name}.md",
            f'---\nid: {name}\nsection: "{section}"\nsource: memory/2026-11-24.md#L12\nscores: {scores}\n'
            f"replaces: {replaces}\nstatus: pending\n---\n- {text}\n",
        )

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, env=self.env, capture_output=True, text=True, check=True)
        return done.stdout

    def commit(self, message: str, when: datetime) -> None:
        """Commit everything, as if at that time."""
        dates = {f"GIT_{who}_DATE": when.isoformat() for who in ("AUTHOR", "COMMITTER")}
        for words in (("add", "-A"), ("commit", "-q", "-m", message)):
            subprocess.run(["git", *words], cwd=self.root, env={**self.env, **dates}, check=True)

    def approve(self, name: str) -> Done:
        found = self.gate().staging().find(name)
        assert found is not None
        return decide.approve(self.gate(), name, found.digest)

    def state(self, name: str) -> str:
        gate = self.gate()
        found = gate.staging().find(name)
        assert found is not None
        return gate.standing(found, gate.holds()).state

    def events(self, key: str) -> list[str]:
        return [item.event for item in self.gate().ledger.history(key)]

    def everything(self) -> dict[str, bytes]:
        """Every file of the workspace and the ledger, but for the note of where the review stands."""
        state = Path(self.env["XDG_STATE_HOME"])
        files = [*self.root.rglob("*"), *state.rglob("*")]
        return {
            str(file): file.read_bytes()
            for file in sorted(files)
            if file.is_file() and ".lock" not in file.name and file.name != "session.json"
        }


def _bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Morning:
    home = tmp_path / "home"
    root = home / "agent"
    root.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    env = {
        "HOME": str(home), "XDG_STATE_HOME": str(tmp_path / "state"), "PATH": os.environ["PATH"], "USER": "mira",
        "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "GIT_AUTHOR_NAME": "Mira", "GIT_AUTHOR_EMAIL": "mira@localhost",
        "GIT_COMMITTER_NAME": "Mira", "GIT_COMMITTER_EMAIL": "mira@localhost",
    }  # fmt: skip
    return Morning(root, env)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Morning:
    """An empty folder."""
    return _bare(tmp_path, monkeypatch)


@pytest.fixture
def morning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Morning:
    """Seven posts of which six are held and one is done, a mail, a deploy, one unknown outcome, three memories."""
    made = _bare(tmp_path, monkeypatch)
    made.write("state/HOLD.md", HOLDS)
    made.write("state/ACTIVE.md", ACTIVE)
    made.write("state/DECISIONS.md", DECISIONS)
    made.write("state/STAGING.md", "# STAGING.md\n\n## Currently Staged\n")
    made.write("MEMORY.md", MEMORY)
    made.write("bin/post", "#!/bin/sh\ncat\n")
    (made.root / "bin/post").chmod(0o755)
    made.draft("mail-bob", "Mail to Bob about the invoice", MAIL.format("Bob"), ["bin/post", "--to", "bob@example.com"])
    for number, body in enumerate(THREAD, start=1):
        at = "2026-11-30T11:00:00+00:00"
        title = f"Launch thread {number} of 7"
        made.draft(f"launch-{number}", title, body, ["bin/post", "--stdin"], part=f"{number}/7", at=at)
    made.draft("mail-ana", "Mail to Ana about the poster", MAIL.format("Ana"), ["bin/post", "--to", "ana@example.com"])
    made.draft("deploy-web", "Deploy the site", "Version 1.0.\n", ["/bin/sh", "-c", "echo deploy; exit 0"])
    best = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}"
    made.candidate(
        "invoice-day", "Invoices are sent on the 3rd; the 1st is too early for timesheets", "## Money", best,
        '"- Invoices are sent at the start of the month"',
    )  # fmt: skip
    made.candidate("ana-slack", "Ana prefers Slack to mail", "## Habits", best)
    made.candidate("lunch", "Lunch place near the office", "## People", best.replace("3", "1").replace("2", "1"))
    made.git("init", "-q", "-b", "main")
    made.commit("Start", NOW - timedelta(hours=1))
    _past(made)
    return made


def age(made: Morning) -> None:
    """Three entries of MEMORY.md are 300 days old, of which a log speaks of one; two came 30 days ago."""
    made.write("MEMORY.md", "")
    made.commit("Empty", NOW - timedelta(days=301))
    made.write(
        "MEMORY.md", "".join(line for line in MEMORY.splitlines(True) if not line.startswith(("- Inv", "- Acc")))
    )
    made.commit("Old", NOW - timedelta(days=300))
    made.write("MEMORY.md", MEMORY)
    made.write("memory/2026-11-24.md", "# 2026-11-24\n\n- 09:10 Bob asked for payment by Stripe, not by wire\n")
    made.commit("New", NOW - timedelta(days=30))


def _past(made: Morning) -> None:
    """A post that ran, a mail whose runner died, and a scheduler that looked four minutes ago."""
    for name, outcome in (("launch-1", records.DONE), ("mail-bob", None)):
        made.approve(name)
        gate = made.gate()
        with gate.ledger.lock(name):
            gate.record(name, 1, records.CLAIMED, {"machine": gate.machine})
            if outcome is not None:
                gate.record(name, 1, outcome, {})
    gate = made.gate()
    note = {"when": instant(NOW - timedelta(minutes=4)), "started": [], "refused": []}
    (gate.ledger.state / LOOKED).write_text(json.dumps(note))


@dataclass
class Person:
    """Somebody at the keyboard. `press` waits half a second before each key, `rush` does not."""

    app: DoryApp
    pilot: Pilot[int]
    ticks: Ticks

    @property
    def review(self) -> ReviewScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, ReviewScreen))

    async def settle(self) -> None:
        for _ in range(2):
            while busy := [one for one in self.app.workers if not one.is_finished and one.group != "watch"]:
                await self.app.workers.wait_for_complete(busy)
                await self.pilot.pause()
            await self.pilot.pause()

    async def still(self) -> None:
        """Settled, and what stands on the screen no longer moves: on a busy machine a layout may come late."""
        before = None
        while before != (now := self.screen_text):
            before = now
            await self.settle()

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.ticks.now += 0.5
            await self.pilot.press(key)
            await self.settle()

    async def rush(self, *keys: str) -> None:
        """Keys that arrive together, as from a paste without brackets or a key held down."""
        await self.pilot.press(*keys)
        await self.settle()

    async def write(self, text: str) -> None:
        for char in text:
            self.ticks.now += 0.1
            await self.pilot.press(char)

    async def go(self, name: str) -> None:
        """To a draft or memory that waits."""
        desk = self.review.desk
        assert desk is not None
        self.review._go_to(next(subject for subject in desk.queue if subject.id == name))
        await self.settle()
        assert self.selected == name

    async def read(self) -> None:
        """Every line of what is shown."""
        while self.review.detail.unseen:
            await self.press("space")

    @property
    def selected(self) -> str | None:
        """The id of what is selected, where it has one."""
        entry = self.review.selected
        return entry.subject.id if entry is not None and entry.subject is not None else None

    @property
    def screen_text(self) -> str:
        """What stands on the screen, line by line."""
        return "\n".join(line.text for line in self.app.screen._compositor.render_strips())

    @property
    def notices(self) -> list[str]:
        return [one.message for one in self.app._notifications]


@asynccontextmanager
async def sit(
    morning: Morning, size: tuple[int, int] = (120, 40), theme: str | None = None, watch: Watch | None = None
) -> AsyncIterator[Person]:
    """Open the review on a workspace; the first thing is shown and half a second passed."""
    ticks = Ticks()
    app = DoryApp(morning.gate(), theme=theme, clock=ticks, watch=watch)
    async with app.run_test(size=size, notifications=True) as pilot:
        person = Person(app, pilot, ticks)
        await person.settle()
        ticks.now += 0.5
        yield person
