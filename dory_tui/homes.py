"""Where the human's own folders lie, as plain text: a hook is spared `pathlib`, which costs half a start of Python."""

from __future__ import annotations

import os
from collections.abc import Mapping


def home(environment: Mapping[str, str]) -> str:
    """The user's home: `HOME`, else what the password database says (schedulers often unset HOME)."""
    if named := environment.get("HOME"):
        return named
    import pwd

    return pwd.getpwuid(os.getuid()).pw_dir


def _base(environment: Mapping[str, str], variable: str, fallback: str) -> str:
    named = environment.get(variable, "")
    return named if named.startswith("/") else f"{home(environment).rstrip('/')}/{fallback}"


def state(environment: Mapping[str, str]) -> str:
    """The folder of all of dory's authoritative state (gate.md, "Records and the two ledgers")."""
    return _base(environment, "XDG_STATE_HOME", ".local/state").rstrip("/") + "/dory"


def configuration(environment: Mapping[str, str]) -> str:
    """The folder of the human's own configuration."""
    return _base(environment, "XDG_CONFIG_HOME", ".config").rstrip("/") + "/dory"


def cache(environment: Mapping[str, str]) -> str:
    """The folder of what can be made again at any time."""
    return _base(environment, "XDG_CACHE_HOME", ".cache").rstrip("/") + "/dory"
