"""How far apart a lane's starts must be: the human's policy, which the workspace and a draft may only tighten.

`config.toml` in the human's configuration folder, and `dory.toml` in the workspace, may both have

    [lanes."*"]              # every lane that has no table of its own, drafts without a lane included
    min_interval = "5m"
    [lanes."social/main"]
    min_interval = "20m"

What counts is the longest of the human's, the workspace's and the draft's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from dory_tui import config
from dory_tui.config import ConfigError
from dory_tui.workspace.timestamps import parse_duration

POLICY = "config.toml"
WORKSPACE = "dory.toml"
EVERY = "*"
FIELD = "min_interval"


def min_interval(root: Path, environment: Mapping[str, str], lane: str) -> timedelta:
    """The least time between two starts of a lane, zero where nobody asks for one.

    ConfigError when either file cannot be used: what it would have tightened is not known.
    """
    human = config.config_home(environment) / POLICY
    found = [_in_file(human, str(human), lane), _in_file(root / WORKSPACE, WORKSPACE, lane)]
    return max(found)


def _in_file(file: Path, name: str, lane: str) -> timedelta:
    data = config.read_settings(file, name)
    # Most files say nothing of lanes, and reading TOML costs a part of what `check` may cost.
    if data is None or (b"lanes" not in data and FIELD.encode() not in data):
        return timedelta(0)
    lanes = _lanes(data, name)
    return lanes.get(lane, lanes.get(EVERY, timedelta(0)))


@lru_cache(maxsize=8)
def _lanes(data: bytes, name: str) -> Mapping[str, timedelta]:
    values = config.parse_settings(data, name)
    if FIELD in values:
        raise ConfigError(f'{name}: {FIELD} stands in a table of its lane, as in [lanes."*"]')
    tables = values.get("lanes", {})
    if not isinstance(tables, dict):
        raise ConfigError(f'{name}: `lanes` must be tables, as in [lanes."social/main"]')
    return {lane: _interval(name, lane, table) for lane, table in tables.items()}


def _interval(name: str, lane: str, table: object) -> timedelta:
    if not isinstance(table, dict):
        raise ConfigError(f'{name}: write [lanes."{lane}"] and {FIELD} = "20m" below it')
    for key in table:
        if key != FIELD:
            raise ConfigError(f'{name}: [lanes."{lane}"] has {FIELD} and nothing else, not {key}')
    try:
        return parse_duration(str(table[FIELD])) if FIELD in table else timedelta(0)
    except ValueError as error:
        raise ConfigError(f'{name}: {FIELD} of [lanes."{lane}"]: {error}') from error
