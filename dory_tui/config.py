"""Where the human's own files lie, and the few settings a workspace may have.

`dory.toml` lies in the workspace, where the agent can write it: it may set presentation and may only
tighten what protects. What must stay out of the agent's reach lies in the human's configuration folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dory_tui import homes
from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

AGENT = "dory-agent"
MEMORY_CAP = 10_240
STALE_DAYS = 180


class ConfigError(Exception):
    """A settings file cannot be used; the message names the file and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the settings files say. `cap_origin` names the file a lower cap comes from, `stale_origin` another age."""

    cap: int = MEMORY_CAP
    cap_origin: str | None = None
    time_zone: str | None = None
    stale_days: int = STALE_DAYS
    """From how many days of age and silence a line of MEMORY.md is stale (memory.md, "Upkeep")."""
    stale_origin: str | None = None


def home(environment: Mapping[str, str]) -> Path:
    """The user's home: `HOME`, else what the password database says."""
    return Path(homes.home(environment))


def state_home(environment: Mapping[str, str]) -> Path:
    """The folder of all of dory's authoritative state (gate.md, "Records and the two ledgers")."""
    return Path(homes.state(environment))


def config_home(environment: Mapping[str, str]) -> Path:
    """The folder of the human's own configuration."""
    return Path(homes.configuration(environment))


def cache_home(environment: Mapping[str, str]) -> Path:
    """The folder of what can be made again at any time."""
    return Path(homes.cache(environment))


def agent_programs(environment: Mapping[str, str]) -> tuple[Path, Path | None]:
    """`dory-agent` beside this Python, which need not be there, and the one on the path, None for none."""
    import shutil
    import sys

    found = shutil.which(AGENT, path=environment.get("PATH", os.defpath))
    return Path(sys.executable).with_name(AGENT), None if found is None else Path(found)


def agent_program(environment: Mapping[str, str]) -> Path | None:
    """The `dory-agent` that others are told to start: this version's own, else the one on the path; None for none."""
    return next((one for one in agent_programs(environment) if one is not None and startable(one)), None)


def startable(file: Path) -> bool:
    """Whether a file is there and may be started."""
    return os.path.isfile(file) and os.access(file, os.X_OK)  # noqa: PTH113 - which raises where it may not look


def user_name(environment: Mapping[str, str]) -> str:
    """`user@host`, for records. It says who decided to a reader; it proves nothing."""
    import pwd

    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = environment.get("USER", str(os.getuid()))
    return f"{user}@{os.uname().nodename}"


def machine() -> str:
    """The name an approval pins its executor to (gate.md, invariant 11)."""
    return os.uname().nodename


def load(root: Path) -> Settings:
    """Read `dory.toml` of a workspace; a missing file is the defaults."""
    data = read_settings(root / "dory.toml", "dory.toml")
    return Settings() if data is None else _settings(parse_settings(data, "dory.toml"))


def read_settings(path: Path, name: str) -> bytes | None:
    """The bytes of a settings file; None when there is none. ConfigError when it cannot be read."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{name} is not a regular file: move it away")  # reading a pipe would never end
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{name} cannot be read ({error.strerror})") from error


def parse_settings(data: bytes, name: str) -> dict[str, Any]:
    """The values of a settings file. ConfigError when it is not valid TOML."""
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # also a text that is not UTF-8, and a number with too many digits
        raise ConfigError(f"{name} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{name} is nested too deeply to be read") from error


def _settings(values: Mapping[str, Any]) -> Settings:
    cap, origin = MEMORY_CAP, None
    memory = values.get("memory", {})
    if not isinstance(memory, dict):
        raise ConfigError("dory.toml: `memory` must be a table, as in [memory]")
    if "cap" in memory:
        asked = memory["cap"]
        if not isinstance(asked, int) or isinstance(asked, bool) or asked <= 0:
            raise ConfigError("dory.toml: memory.cap must be a positive number of bytes")
        if asked > MEMORY_CAP:
            raise ConfigError(f"dory.toml: memory.cap may only tighten the cap; write {MEMORY_CAP} or less")
        cap, origin = asked, "dory.toml"
    stale, stale_origin = STALE_DAYS, None
    if "stale_days" in memory:
        stale, stale_origin = memory["stale_days"], "dory.toml"
        if not isinstance(stale, int) or isinstance(stale, bool) or stale <= 0:
            raise ConfigError("dory.toml: memory.stale_days must be a positive number of days")
    zone = values.get("time_zone")
    if zone is not None:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(str(zone))
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ConfigError(f"dory.toml: time_zone {zone!r} is not a known zone") from error
    named = None if zone is None else str(zone)
    return Settings(cap=cap, cap_origin=origin, time_zone=named, stale_days=stale, stale_origin=stale_origin)
