"""Where the human's files lie, and the settings that a workspace may have."""

import os
import pwd
from pathlib import Path

import pytest

from dory_tui.config import MEMORY_CAP, ConfigError, Settings, config_home, home, load, machine, state_home, user_name

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
