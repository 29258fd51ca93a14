"""The morning that the gate is for, played by whole processes: an agent, a human at a terminal, a scheduler, a restart.

`python -m tests.process.story` prints its transcript; a test plays it and looks at what came of it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dory_tui.ledger import records
from tests.process.launcher import launcher
from tests.process.terminal import Terminal

TASK = "post the launch thread, one a day, and show me each one first"
POST = """\
---
id: launch-{n}
title: Launch thread {n} of 7
kind: post
part: {n}/7
action:
  argv: ["bin/post"]
  stdin: body
schedule:
  lane: social{more}
---
{n}/7 Notes are only worth what you read of them.
"""
TOMORROW = datetime.now(UTC) + timedelta(days=1)
NOTE = "too long, end with the sixth"
_CODE = re.compile(rb"type ([a-z]{4}) and Enter[^:]*: $")
_HEAD, _TAIL = 16, 4
"""Lines of one answer that the transcript shows."""


@dataclass
class Line:
    """One command and its answer."""

    who: str
    words: tuple[str, ...]
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        said = [line for line in (self.out + self.err).replace("\r", "").splitlines() if line.strip()]
        more = len(said) - _HEAD - _TAIL
        shown = said if more < 2 else [*said[:_HEAD], f"… {more} lines …", *said[-_TAIL:]]
        words = " ".join(word if re.fullmatch(r"[\w./=<-]+", word) else f'"{word}"' for word in self.words)
        return "\n".join([f"{self.who} $ {words}", *(f"    {line}" for line in shown), f"    [exit {self.code}]"])


@dataclass
class Story:
    """One workspace with its people. `effects` is what really went out, a line each."""

    folder: Path
    lines: list[Line | str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root, self.effects = self.folder / "workspace", self.folder / "went-out.txt"
        self.home = self.folder / "home"
        self.home.mkdir()
        self.root.mkdir()
        self.agent_program = launcher(self.folder / "bin/dory-agent")
        self.human_program = launcher(self.folder / "bin/dory", "dory_tui.__main__")
        program = self.root / "bin/post"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\ncat >> "{self.effects}"\n')
        program.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        """The environment of a session that people work in."""
        return {"HOME": str(self.home), "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "LANG": "C.UTF-8",
                "TERM": "xterm-256color", "SESSION": "one"}  # fmt: skip

    @property
    def fresh_env(self) -> dict[str, str]:
        """What a gateway has that was started anew: a home, and nothing of the session before."""
        return {"HOME": str(self.home)}

    @property
    def sent(self) -> list[str]:
        return self.effects.read_text().splitlines() if self.effects.exists() else []

    def tell(self, sentence: str) -> None:
        self.lines.append(sentence)

    def agent(self, *words: str, stdin: str = "", who: str = "agent", env: dict[str, str] | None = None) -> Line:
        command = [str(self.agent_program), "-C", str(self.root), *words]
        done = subprocess.run(
            command, env=env or self.env, input=stdin, capture_output=True, text=True, timeout=60, check=False,
            cwd=self.root if env is None else "/",
        )  # fmt: skip
        return self._keep(who, ("dory-agent", *words), done.returncode, done.stdout, done.stderr)

    def human(self, *words: str) -> Line:
        command = [str(self.human_program), "-C", str(self.root), *words]
        done = subprocess.run(command, env=self.env, input="", capture_output=True, text=True, timeout=60, check=False)
        return self._keep("human", ("dory", *words), done.returncode, done.stdout, done.stderr)

    def human_at_terminal(self, *words: str) -> Line:
        """At a real pty: reads what stands there, and types the code that it asks for."""
        terminal = Terminal([str(self.human_program), "-C", str(self.root), *words], self.env)
        terminal.take(lambda: _CODE.search(terminal.raw) is not None)
        match = _CODE.search(terminal.raw)
        assert match is not None
        os.write(terminal.master, match[1] + b"\n")
        code = terminal.end()
        out = terminal.raw.decode()
        terminal.close()
        return self._keep("human", ("dory", *words), code, out, "")

    def all_at_once(self, calls: Sequence[tuple[str, ...]], env: dict[str, str]) -> list[Line]:
        """Jobs that a restarted gateway starts in the same second."""
        running = [
            subprocess.Popen([str(self.agent_program), "-C", str(self.root), *words], env=env, cwd="/",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for words in calls
        ]  # fmt: skip
        ended = [(one.communicate(timeout=60), one.returncode) for one in running]
        return [
            self._keep("gateway", ("dory-agent", *words), code, out, err)
            for words, ((out, err), code) in zip(calls, ended, strict=True)
        ]

    def _keep(self, who: str, words: tuple[str, ...], code: int, out: str, err: str) -> Line:
        made = Line(who, words, code, out, err)
        self.lines.append(made)
        return made

    def events(self, name: str) -> list[str]:
        """What the authoritative ledger has about a draft, in order."""
        (state,) = (self.home / ".local/state/dory").iterdir()
        folder = state / "ledger" / name
        found = [records.parse_name(file.name) for file in folder.iterdir()] if folder.is_dir() else []
        return [event for _, _, event in sorted(one for one in found if one is not None)]

    @property
    def transcript(self) -> str:
        return "\n".join(str(line) if isinstance(line, Line) else f"\n# {line}\n" for line in self.lines)


def play(story: Story) -> dict[str, list[Line]]:
    """The whole morning. The answers by the name of what happened."""
    found: dict[str, list[Line]] = {}

    def keep(name: str, *lines: Line) -> None:
        found[name] = list(lines)

    story.tell("A workspace is set up for OpenClaw, and the agent boots in it.")
    keep("init", story.human("init", "--for", "openclaw"))
    keep("first boot", story.agent("boot"))
    story.tell("The user gives a task. The agent writes the exact words down, and stages what would go out.")
    keep("capture", story.agent("capture", "--step", "stage seven posts", stdin=TASK + "\n"))
    keep("stage", *(story.agent("stage", stdin=post(number)) for number in range(1, 8)))
    story.tell("It tries to post. Nobody said yes.")
    keep("refused", story.agent("run", "launch-1"), story.agent("run", "--due", "--max", "1", who="scheduler"))
    story.tell("Told to wait with four of them, it holds them at once.")
    keep("hold", story.agent("hold", "launch thread 2-5 — each awaits a yes"))
    story.tell("The human rejects the last with a note, and says yes at a terminal to the first and to tomorrow's.")
    keep("reject", story.human("reject", "launch-7", "--note", NOTE))
    keep("approve", story.human_at_terminal("approve", "launch-1"), story.human_at_terminal("approve", "launch-6"))
    story.tell("The scheduler looks.")
    keep("ran", story.agent("run", "--due", "--max", "1", who="scheduler"))
    story.tell(
        "The gateway restarts: nothing of the session is left, and all seven jobs fire at once beside the scheduler."
    )
    jobs = [("run", f"launch-{number}") for number in range(1, 8)]
    keep("burst", *story.all_at_once([*jobs, ("run", "--due", "--max", "1")], story.fresh_env))
    story.tell("The agent wakes up and knows nothing but what the files say.")
    keep("next boot", story.agent("boot", "--context", env=story.fresh_env))
    line = found["next boot"][0].out.partition("\n")[0]
    keep("verify", story.agent("boot", "--verify", line, env=story.fresh_env))
    return found


def post(number: int) -> str:
    """The draft of one post; the sixth is for tomorrow."""
    stamp = TOMORROW.isoformat(timespec="seconds")
    return POST.format(n=number, more=f"\n  not_before: {stamp}" if number == 6 else "")


def main() -> int:
    """Play it in a temporary folder and print what was said."""
    with tempfile.TemporaryDirectory() as name:
        story = Story(Path(name))
        play(story)
        story.tell(f"What really went out: {story.sent}")
        sys.stdout.write(re.sub(re.escape(name), "~", story.transcript) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
