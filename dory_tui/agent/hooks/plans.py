"""What `dory hooks` says and does to a platform, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from dory_tui import config

State = Literal["not installed", "installed", "path gone", "misspelt event", "other version", "unreadable"]


@dataclass(frozen=True, slots=True)
class Where:
    """Whose hooks: those of the user, or those of a project when it is given.

    `workspace` is the folder in which the agent works, where that is known: settings there may turn the hooks off.
    """

    environment: Mapping[str, str]
    project: Path | None = None
    workspace: Path | None = None

    @property
    def home(self) -> Path:
        return config.home(self.environment)

    def folder(self, variable: str, usual: str) -> Path:
        """A platform's own folder of the user: what a variable names, else the usual one below the home."""
        named = self.environment.get(variable, "")
        return Path(named) if named.startswith("/") else self.home / usual


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file as it is and as it would be; None where there is none.

    `added` are the spans, in bytes, of what is new. `made` when nobody but dory has anything in it.
    """

    file: Path
    before: bytes | None
    after: bytes | None
    added: tuple[tuple[int, int], ...] = ()
    made: bool = False
    own: bool = False
    """A file of dory's own, of which only the name is shown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an installation or a removal would do. No edits where there is nothing to do; `notes` go with it."""

    platform: str
    edits: tuple[FileEdit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Installed:
    """One hook of dory's in a settings file: its event, its command line, and what it was installed with."""

    event: str
    command: str
    program: str
    workspace: str | None
    fails_closed: bool = False
    untried: str = ""
    """Why the canary is not fired at it: dory starts no program that somebody else wrote into the file."""


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in one place of a platform. `sentence` says it; `notes` what may make the platform pass it over."""

    platform: str
    file: Path
    state: State
    sentence: str
    hooks: tuple[Installed, ...] = ()
    notes: tuple[str, ...] = ()
    disabled: str = ""
    """Why the platform surely passes the hooks over, as they are installed; "" where nothing says so."""


class Platform(Protocol):
    """What `dory hooks` asks of a platform. Errors are `install.HooksError`: one sentence."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    def status(self, where: Where) -> list[Found]:
        """What stands in each place of this platform."""

    def plan_install(self, where: Where, program: Path, workspace: Path | None) -> Plan:
        """How its hooks would be put in, by the absolute path of `dory-agent`."""

    def plan_remove(self, where: Where) -> Plan:
        """How they would be taken out."""

    def applied(self, where: Where, plan: Plan) -> None:
        """Called after a plan was carried out, to remember what it was."""
