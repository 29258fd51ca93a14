"""What the human's `hooks.toml` says, what it may not say, and what a pattern of a command means."""

from __future__ import annotations

from pathlib import Path

import pytest

from dory_tui.agent.hooks.defaults import COMMANDS, HOSTS, TOOLS
from dory_tui.agent.hooks.patterns import Patterns, fits, load


def written(folder: Path, text: str | bytes) -> Patterns:
    """The patterns of a home with this file."""
    file = folder / ".config/dory/hooks.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return load({"HOME": str(folder)})


def test_without_a_file_the_defaults_apply(tmp_path: Path) -> None:
    found = load({"HOME": str(tmp_path)})
    assert (found.tools, found.commands, found.hosts, found.paths) == (TOOLS, COMMANDS, HOSTS, ())
    assert found.problem == ""
    assert found.special


def test_what_is_said_comes_on_top(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        'allow = ["x.com"]\n[gated]\ntools = ["a_*"]\ncommands = ["make ship"]\nhosts = ["h.org"]\npaths = ["~/k/*"]\n',
    )
    assert found.problem == ""
    assert found.tools == ("a_*", *TOOLS)
    assert found.commands[0] == "make ship"
    assert found.hosts[0] == "h.org"
    assert found.paths == ("~/k/*",)
    assert found.host("api.x.com") is None
    assert found.host("discord.com") == "POST discord.com"
    assert found.host("discord.com", sends=False) is None


@pytest.mark.parametrize(
    "text", ['defaults = false\n[gated]\ntools = ["a"]\n', '[gated]\ntools = ["a"]\ndefaults = false\n']
)
def test_the_defaults_can_be_left_out(tmp_path: Path, text: str) -> None:
    found = written(tmp_path, text)
    assert found == Patterns(("a",), (), (), (), (), special=False)


def test_what_stands_below_a_table_counts_all_the_same(tmp_path: Path) -> None:
    found = written(tmp_path, '[gated]\ntools = []\nallow = ["git push --force"]\n')
    assert found.command("git", ["push", "--force"]) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tools = [", "is not valid TOML: Invalid value (line 1, where it ends)"),
        ("[gated]\ntools = [\n1,\n]\n", "line 2: `tools` must be a list of texts in quotes"),
        (
            '[gated]\n\ntool = ["a"]\n',
            "line 3: `tool` is not a setting: it has tools, commands, hosts, paths, allow and",
        ),
        ('# x\ndefaults = "no"\n', "line 2: `defaults` must be true or false"),
        ('gated = ["x"]\n', "line 1: `gated` must be a table, as in [gated]"),
        ('allow = "x"\n', "line 1: `allow` must be a list"),
        ('allow = [""]\n', "line 1: `allow` must be a list"),
        ('a = "\n', "is not valid TOML: Illegal character '\\n' (line 1)"),
        (b'allow = ["\xff"]\n', "is not valid TOML"),
        ("a=" + "[" * 5000, "is nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_allows_nothing(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    found = written(tmp_path, text)
    assert str(tmp_path / ".config/dory/hooks.toml") in found.problem
    assert sentence in found.problem
    assert found.commands == COMMANDS
    assert found.allow == ()


@pytest.mark.parametrize(
    ("pattern", "command", "means"),
    [
        ("mail", "mail", True),
        ("mail", "mailx", False),
        ("mail*", "mailx -s a", True),
        ("npm publish", "npm publish", True),
        ("npm publish", "npm -w a publish --tag b", True),
        ("npm publish", "npm install publish", False),
        ("npm|pnpm publish", "pnpm publish", True),
        ("git push -f", "git push -uf", True),
        ("git push -f", "git push --follow-tags", False),
        ("git push --force", "git push --force=x", True),
        ("git push --force", "git push --forc", True),
        ("git push --force", "git push --fo", False),
        ("git push --force", "git push --force-with-lease", False),
        ("terraform -auto-approve", "terraform apply -auto-approve", True),
        ("gcloud ** delete", "gcloud compute instances delete x", True),
        ("gcloud ** delete", "gcloud delete", True),
        ("gcloud * delete", "gcloud compute instances delete x", False),
        ("gh api -X DELETE", "gh api -X DELETE repos/a", True),
        ("git push ** +*", "git push origin +main", True),
        ("git push ** +*", "git push origin main", False),
        ("psql -c", "psql db", False),
        ("make ** deploy*", "make build deploy-prod", True),
        ("make ** deploy*", "make build", False),
        ("make ** deploy*", "make deploy:\0", True),
        ("make ** deploy*", "make \0-x", True),
        ("make ** deploy*", "make build\0", False),
        ("deploy-*", "deploy_prod", True),
        ("my_tool x", "my-tool x", True),
        ("docker compose down -v|--volumes", "docker compose down --volumes", True),
        ("docker compose down -v|--volumes", "docker compose down", False),
        ("Mail", "mail", True),
        ("", "mail", False),
    ],
)
def test_what_a_pattern_of_a_command_means(pattern: str, command: str, means: bool) -> None:
    name, *arguments = command.split()
    assert fits(pattern, name, arguments) == means


@pytest.mark.parametrize(
    ("host", "gated"),
    [
        ("x.com", True), ("api.x.com", True), ("X.COM", True), ("x.com.", True), ("fox.com", False),
        ("x.com.org", False),
        ("mastodon.example", True), ("smtp.gmail.com", True), ("localhost", False), ("example.org", False),
    ],
)  # fmt: skip
def test_a_host_stands_for_all_below_it(host: str, gated: bool) -> None:
    assert (Patterns().host(host) is not None) == gated


def test_every_default_says_what_it_means() -> None:
    for pattern in COMMANDS:
        words = pattern.split()
        assert words, pattern
        assert not words[0].startswith("-"), pattern
        example = [word.split("|")[0].replace("*", "x") for word in words if word != "**"]
        assert fits(pattern, example[0], example[1:]), pattern
    assert all("." in host for host in HOSTS)
    assert all(Patterns().host(host.removeprefix("POST ").replace("*", "x")) for host in HOSTS)
    assert len(set(HOSTS)) == len(HOSTS)
    assert len(set(COMMANDS)) == len(COMMANDS)
    assert len(set(TOOLS)) == len(TOOLS)
