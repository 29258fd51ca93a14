"""`dory init`: add what a workspace lacks, and with `--for` what an agent's platform needs. Thin: call, print."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from dory_tui.cli.common import UsageError
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.review.init import init as add_missing
from dory_tui.review.init import not_understood
from dory_tui.review.platforms import PLATFORMS, Place, Platform, place
from dory_tui.review.setting_up import SetUp, set_up
from dory_tui.visible import visible_line


def init(options: argparse.Namespace) -> int:
    """0, or 2 when something could not be added: what it is stands on standard error."""
    platform = None if options.platform is None else PLATFORMS[options.platform]
    where = _folder(options, platform)
    try:
        where.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{where.folder} cannot be made ({error.strerror})") from error
    gate = Gate.open(where.folder, by="dory")
    if platform is None:
        made = add_missing(gate)
        done = SetUp(list(made.added), kept=list(made.kept), failed=list(made.failed))
    else:
        done = set_up(gate, platform)
        done.notices = [*([where.doubt] if where.doubt else []), *done.notices]
    if options.json:
        _say_json(gate, platform, done)
    else:
        _say(gate, platform, done)
    return int(Exit.USAGE if done.failed else Exit.FINE)


def _folder(options: argparse.Namespace, platform: Platform | None) -> Place:
    if options.workspace:
        return Place(Path(options.workspace).expanduser())
    return Place(Path.cwd()) if platform is None else place(platform, os.environ, Path.cwd())


def _say_json(gate: Gate, platform: Platform | None, done: SetUp) -> None:
    notices = [{"path": one.path, "line": one.line, "sentence": one.sentence} for one in not_understood(gate)]
    found: dict[str, object] = {
        "added": done.added, "kept": done.kept, "failed": done.failed, "not_understood": notices,
    }  # fmt: skip
    if platform is not None:
        found |= {
            "workspace": str(gate.root), "platform": platform.name, "updated": done.updated, "left": done.left,
            "notices": done.notices, "next": done.next,
        }  # fmt: skip
    say_json(found)


def _say(gate: Gate, platform: Platform | None, done: SetUp) -> None:
    if platform is not None:
        say(f"{platform.title}, workspace {visible_line(str(gate.root))}")
    for path in done.added:
        say(f"added {visible_line(path)}")
    for path in done.updated:
        say(f"brought up to date {visible_line(path)}")
    if not done.added and not done.updated:
        say("nothing was missing")
    for sentence in (*done.left, *done.notices):
        say(f"note: {visible_line(sentence)}")
    for sentence in done.failed:
        say_error(sentence)
    for number, notice in enumerate(not_understood(gate)):
        if number == 0:
            say("not understood, and left as it is:")
        say(f"  {visible_line(str(notice))}")
    if platform is not None:
        _say_next(platform, done)


def _say_next(platform: Platform, done: SetUp) -> None:
    hooks, line = done.next
    how = "run" if platform.name == "openclaw" else "put into `crontab -e`"
    say("next:")
    say("  1. let the gate stop what the skill only asks for:")
    say(f"     {hooks}")
    say(f"  2. let something look for what you approved; {how}:")
    say(f"     {visible_line(line)}")
    say(f"  3. begin a new session of {platform.title}: skills and rules are read at its start")
