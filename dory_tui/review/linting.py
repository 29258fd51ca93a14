"""`dory lint`: the files an agent writes, looked through."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.history import Repository
from dory_tui.memory import lint as rules
from dory_tui.memory.detector import Detector
from dory_tui.memory.lint import Finding
from dory_tui.review.change import DecisionError, local
from dory_tui.review.relinking import markdown
from dory_tui.workspace import layout
from dory_tui.workspace.document import WorkspaceError, read_bytes

_LOOK_BACK = timedelta(days=400)


def lint(gate: Gate, paths: Sequence[str] = ()) -> tuple[Finding, ...]:
    """The findings of these files or folders of the workspace, of all that agents write without any.

    In the archive only secrets are looked for; a file that cannot be read is a finding too. DecisionError for a path
    that is not there, ConfigError for settings.
    """
    cap = config.load(gate.root).cap
    finds = detector()
    found: list[Finding] = []
    for path in _files(gate, paths):
        try:
            data = read_bytes(gate.root / path, path)
            if data is not None:
                log = rules.is_log(path) and not path.startswith(f"{layout.ARCHIVE}/")
                found += rules.lint_file(path, data, cap=cap, log=log, detector=finds)
        except WorkspaceError as error:
            sentence = f"it {str(error).removeprefix(f'{path} ')}"
            found.append(Finding("unread", path, 1, sentence, "nothing was looked for in it: make it readable"))
        if path == layout.MEMORY and (grows := _growing(gate)) is not None:
            found.append(grows)
    return tuple(found)


@cache
def detector() -> Detector:
    """The detector that is asked besides our own table, read once."""
    return Detector()


def _growing(gate: Gate) -> Finding | None:
    now = local(gate)
    sizes = Repository(gate.root, gate.environment).sizes(layout.MEMORY, now - _LOOK_BACK)
    return rules.growing(sizes, now)


def _files(gate: Gate, paths: Sequence[str]) -> list[str]:
    everything = list(markdown(gate.root))
    if not paths:
        return everything
    chosen: list[str] = []
    for given in paths:
        try:
            file = layout.inside(gate.root, given)
        except WorkspaceError as error:
            raise DecisionError(Exit.USAGE, str(error)) from error
        if file.is_dir():
            below = "" if file == gate.root else f"{layout.relative(gate.root, file)}/"
            chosen += [path for path in everything if path.startswith(below)]
        elif file.is_file():
            chosen.append(layout.relative(gate.root, file))
        else:
            raise DecisionError(Exit.USAGE, f"{given} is not there: name files or folders of the workspace")
    return list(dict.fromkeys(chosen))
