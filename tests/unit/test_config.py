"""Where the human's files lie, and the settings that a workspace may have."""

import os
import pwd
from datetime import timedelta
from pathlib import Path

import pytest

from dory_tui.config import MEMORY_CAP, ConfigError, Settings, config_home, home, load, machine, state_home, user_name
from dory_tui.gate.policy import min_interval

OWN_HOME = pwd.getpwuid(os.getuid()).pw_dir


def settings(root: Path, text: str | bytes) -> Settings:
    (root / "dory.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(root)


@pytest.mark.parametrize(
    ("environment", "state", "configuration"),
    [
        ({"HOME": "/h"}, "/h/.local/state/dory", "/h/.config/dory"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"}, "/s/dory", "/c/dory"),
        ({"HOME": "/h", "XDG_STATE_HOME": "s", "XDG_CONFIG_HOME": ""}, "/h/.local/state/dory", "/h/.config/dory"),
        ({}, f"{OWN_HOME}/.local/state/dory", f"{OWN_HOME}/.config/dory"),
        ({"HOME": ""}, f"{OWN_HOME}/.local/state/dory", f"{OWN_HOME}/.config/dory"),
    ],
)
def test_folders(environment: dict[str, str], state: str, configuration: str) -> None:
    assert state_home(environment) == Path(state)
    assert config_home(environment) == Path(configuration)


def test_the_home_comes_from_the_password_database_when_home_is_unset() -> None:
    assert home({}) == Path(OWN_HOME)
    assert home({"HOME": "/h"}) == Path("/h")


def test_names_for_records() -> None:
    assert machine() == os.uname().nodename
    assert user_name({"USER": "somebody"}) == f"{pwd.getpwuid(os.getuid()).pw_name}@{machine()}"


def test_no_file_is_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings(cap=MEMORY_CAP, cap_origin=None, time_zone=None)
    assert MEMORY_CAP == 10_240


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Settings()),
        ("[memory]\n", Settings()),
        ("[memory]\ncap = 8000\n", Settings(8000, "dory.toml", None)),
        ("[memory]\ncap = 10240\n", Settings(10_240, "dory.toml", None)),
        ('time_zone = "Europe/Berlin"\n', Settings(time_zone="Europe/Berlin")),
        ('unknown = 1\n[presentation]\ntheme = "x"\n', Settings()),
    ],
)
def test_settings(tmp_path: Path, text: str, expected: Settings) -> None:
    assert settings(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[memory]\ncap = 10241\n", "dory.toml: memory.cap may only tighten the cap; write 10240 or less"),
        ("[memory]\ncap = 0\n", "dory.toml: memory.cap must be a positive number of bytes"),
        ("[memory]\ncap = -1\n", "dory.toml: memory.cap must be a positive number of bytes"),
        ("[memory]\ncap = true\n", "dory.toml: memory.cap must be a positive number of bytes"),
        ("[memory]\ncap = 8000.0\n", "dory.toml: memory.cap must be a positive number of bytes"),
        ('[memory]\ncap = "8000"\n', "dory.toml: memory.cap must be a positive number of bytes"),
        ("memory = 8000\n", "dory.toml: `memory` must be a table, as in [memory]"),
        ('time_zone = "Europe/Atlantis"\n', "dory.toml: time_zone 'Europe/Atlantis' is not a known zone"),
        ('time_zone = "../../etc/passwd"\n', "dory.toml: time_zone '../../etc/passwd' is not a known zone"),
        ('time_zone = "/etc/localtime"\n', "dory.toml: time_zone '/etc/localtime' is not a known zone"),
        ('time_zone = ""\n', "dory.toml: time_zone '' is not a known zone"),
        ("time_zone = 5\n", "dory.toml: time_zone 5 is not a known zone"),
        ("a = [1\n", "dory.toml is not valid TOML: "),
        (b'a = "\xff"\n', "dory.toml is not valid TOML: "),
        ("a = 1\na = 2\n", "dory.toml is not valid TOML: "),
        ("a = " + "[" * 20_000, "dory.toml is nested too deeply to be read"),
    ],
)
def test_what_cannot_be_used_says_why(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_regular_file_is_an_error(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        (tmp_path / "dory.toml").mkdir()
    else:
        os.mkfifo(tmp_path / "dory.toml")
    with pytest.raises(ConfigError, match=r"dory\.toml is not a regular file: move it away"):
        load(tmp_path)


# How far apart the starts of a lane must be: the human's word, which the workspace may only tighten.

HUMAN = (
    '[lanes."*"]\nmin_interval = "5m"\n[lanes."social/main"]\nmin_interval = "20m"\n[lanes.mail]\nmin_interval = "0s"\n'
)


def interval(tmp_path: Path, lane: str, human: str | None, workspace: str | None) -> timedelta:
    environment = {"HOME": "/nowhere", "XDG_CONFIG_HOME": str(tmp_path / "config")}
    for folder, name, text in (("config/dory", "config.toml", human), ("ws", "dory.toml", workspace)):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        if text is not None:
            (tmp_path / folder / name).write_text(text)
    return min_interval(tmp_path / "ws", environment, lane)


@pytest.mark.parametrize(
    ("lane", "human", "workspace", "minutes"),
    [
        ("default", None, None, 0),
        ("default", "theme = 1\n", "[memory]\ncap = 8000\n", 0),
        ("default", HUMAN, None, 5),
        ("social/main", HUMAN, None, 20),
        ("mail", HUMAN, None, 0),
        ("social/main", HUMAN, '[lanes."social/main"]\nmin_interval = "1m"\n', 20),
        ("social/main", HUMAN, '[lanes."social/main"]\nmin_interval = "1h"\n', 60),
        ("mail", HUMAN, '[lanes."*"]\nmin_interval = "10m"\n', 10),
        ("mail", None, '[lanes.mail]\nmin_interval = "10m"\n', 10),
        ("other", None, '[lanes.mail]\nmin_interval = "10m"\n', 0),
        ("mail", None, "[lanes.mail]\n", 0),
    ],
)
def test_the_longest_interval_counts(
    tmp_path: Path, lane: str, human: str | None, workspace: str | None, minutes: int
) -> None:
    assert interval(tmp_path, lane, human, workspace) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lanes = 5\n", "`lanes` must be tables"),
        ('[lanes]\nmail = "5m"\n', 'write [lanes."mail"] and min_interval'),
        ("[lanes.mail]\nmin_intervall = 5\n", "nothing else, not min_intervall"),
        ("[lanes.mail]\nmin_interval = 5\n", "is not a length of time"),
        ('[lanes.mail]\nmin_interval = "-5m"\n', "is not a length of time"),
        ('min_interval = "5m"\n', 'stands in a table of its lane, as in [lanes."*"]'),
        ("[lanes.mail\n", "is not valid TOML"),
        ("lanes = 1\nlanes = 2\n", "is not valid TOML"),
    ],
)
@pytest.mark.parametrize("whose", ["human", "workspace"])
def test_a_policy_that_cannot_be_used_names_its_file(tmp_path: Path, text: str, words: str, whose: str) -> None:
    with pytest.raises(ConfigError) as caught:
        interval(tmp_path, "other", text if whose == "human" else None, text if whose == "workspace" else None)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "config/dory/config.toml") if whose == "human" else "dory.toml")


def test_a_policy_that_is_no_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "config/dory/config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"config\.toml is not a regular file"):
        interval(tmp_path, "mail", None, None)
