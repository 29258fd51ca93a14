"""`dory hooks`: put the hooks into an agent platform, take them out, say what is there. Thin: parse, call, print."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from dory_tui.cli.asking import ask, at_terminal
from dory_tui.cli.common import UsageError, add_json, add_workspace
from dory_tui.cli.confirm import NoTerminalError
from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.agent.hooks.canary import Probe
    from dory_tui.agent.hooks.plans import FileEdit, Found, Plan, Platform, Where

HONEST = """\
A hook stops what the platform shows it. An agent with a shell that means to get around it can; what holds against that
is the gate, and credentials that the agent cannot reach."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = HONEST
    group = parser.add_subparsers(dest="what", metavar="install|remove|status", required=True)
    installing = group.add_parser("install", help="put dory's hooks into a platform's settings; nothing else changes")
    removing = group.add_parser("remove", help="take dory's hooks out again")
    looking = group.add_parser("status", help="what is installed where, and whether it really stops a call")
    for one in (installing, removing):
        one.add_argument("platform", help="claude-code, codex, cursor or openclaw")
        one.add_argument("--yes", action="store_true", help="do not ask")
    installing.add_argument("--agent", metavar="PATH", help="the `dory-agent` that the platform is to start")
    looking.add_argument("platform", nargs="?", help="one platform; else all of them")
    looking.add_argument("--probe", action="store_true", help="fire a harmless call at each hook that is installed")
    add_json(looking)
    for one in (installing, removing, looking):
        add_workspace(one)
        one.add_argument("--project", metavar="DIR", help="the settings of this project, and not the user's own")


def hooks(given: argparse.Namespace) -> int:
    """Carry out `dory hooks`."""
    if given.what == "status":
        return _status(given)
    platform, where = _platform(given.platform), _where(given)
    if given.what == "remove":
        return _carry_out(platform, where, platform.plan_remove(where), given.yes, "take them out")
    from dory_tui.agent.hooks.install import find_program

    program = find_program(os.environ, given.agent)
    plan = platform.plan_install(where, program, _workspace(given))
    return _carry_out(platform, where, plan, given.yes, "put them in")


def _platform(name: str) -> Platform:
    from dory_tui.agent.hooks.platforms import PLATFORMS

    if (found := PLATFORMS.get(name)) is None:
        raise UsageError(f"{name!r} is no platform of these: {', '.join(PLATFORMS)}")
    return found


def _where(given: argparse.Namespace) -> Where:
    from dory_tui.agent.hooks.plans import Where

    if given.project is None:
        return Where(os.environ)
    project = Path(os.path.realpath(Path(given.project).expanduser()))
    if not project.is_dir():
        raise UsageError(f"{project} is no folder: name the project with --project DIR")
    return Where(os.environ, project)


def _workspace(given: argparse.Namespace) -> Path | None:
    """The workspace of `-C`, which goes into the command line; without it each call finds its own."""
    if given.workspace is None:
        return None
    from dory_tui.workspace.layout import discover

    return discover(given.workspace, os.environ, Path.cwd())


def _carry_out(platform: Platform, where: Where, plan: Plan, sure: bool, what: str) -> int:
    from dory_tui.agent.hooks.install import apply

    if sure:  # before anything is printed: nobody may listen to the end
        apply(plan)
        platform.applied(where, plan)
    if not plan.edits:
        say(f"{platform.title}: nothing to change")
    for edit in plan.edits:
        _show(edit)
    if plan.edits and not sure:
        if not at_terminal():
            raise NoTerminalError(f"without a terminal, `--yes` does it: nothing was changed in {plan.edits[0].file}")
        if ask(f"{what[0].upper()}{what[1:]}?") != "y":
            say("nothing was changed")
            return int(Exit.REFUSED)
        apply(plan)
        platform.applied(where, plan)
    for edit in plan.edits:
        say(f"{'removed' if edit.after is None else 'wrote'} {edit.file}")
    for note in plan.notes:
        say_error(note)
    return int(Exit.FINE)


def _show(edit: FileEdit) -> None:
    """The change as a diff."""
    if edit.own:
        return
    from difflib import unified_diff

    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (edit.before, edit.after))
    say(f"{edit.file}:")
    for line in list(unified_diff(before, after, lineterm="", n=2))[2:]:
        say(f"  {line}")


def _status(given: argparse.Namespace) -> int:
    from dory_tui.agent.hooks.platforms import PLATFORMS

    where = _where(given)
    chosen = list(PLATFORMS.values()) if given.platform is None else [_platform(given.platform)]
    found = [one for platform in chosen for one in platform.status(where)]
    if given.platform is not None and not found:
        raise UsageError(f"{chosen[0].title} has one configuration, and none for a project: leave --project out")
    probes: list[Probe] = []
    if given.probe:
        from dory_tui.agent.hooks.canary import probe

        probes = [one for place in found for one in probe(place, where)]
    if given.json:
        say_json({"hooks": [_found_json(one) for one in found], "probes": [_probe_json(one) for one in probes]})
    else:
        _tell(found, probes)
    sound = all(one.state in ("installed", "not installed") and not one.disabled for one in found)
    return int(Exit.FINE if sound and all(one.outcome == "stopped" for one in probes) else Exit.FAILED)


def _tell(found: list[Found], probes: list[Probe]) -> None:
    for one in found:
        say(f"{one.platform}: {one.sentence}")
        if one.state != "not installed":
            say(f"  {one.file}")
        for note in (one.disabled, *one.notes):
            if note:
                say(f"  ! {note}")
        for probe in probes:
            if (probe.platform, probe.file) == (one.platform, one.file):
                say(f"  {probe.event or 'canary'}: {probe.outcome}; {probe.why}")


def _found_json(one: Found) -> dict[str, object]:
    return {
        "platform": one.platform, "file": str(one.file), "state": one.state, "sentence": one.sentence,
        "hooks": [{"event": hook.event, "command": hook.command} for hook in one.hooks],
        "disabled": one.disabled or None, "notes": list(one.notes),
    }  # fmt: skip


def _probe_json(one: Probe) -> dict[str, object]:
    return {
        "platform": one.platform, "file": str(one.file), "event": one.event, "command": one.command,
        "outcome": one.outcome, "why": one.why, "notes": list(one.notes),
    }  # fmt: skip
