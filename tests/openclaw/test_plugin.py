"""The plugin in the real gateway: a model asks for tools, and what dory stops does not run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.openclaw.gateway import Gateway
from tests.openclaw.outside import Outside, Turn
from tests.process.launcher import launcher

if TYPE_CHECKING:
    from tests.conftest import Workspace

Dory = Callable[..., str]


def calls(*wanted: tuple[str, dict[str, Any]]) -> Turn:
    """A model that calls these tools one after the other, and then is done."""

    def turn(messages: list[dict[str, Any]]) -> dict[str, Any]:
        done = len(answers(messages))
        if done >= len(wanted):
            return {"content": "That is all."}
        name, arguments = wanted[done]
        call = {"name": name, "arguments": json.dumps(arguments)}
        return {"tool_calls": [{"index": 0, "id": f"call{len(messages)}", "type": "function", "function": call}]}

    return turn


def answers(messages: list[dict[str, Any]]) -> list[str]:
    """What the tools answered in the last turn, as the model reads it."""
    begins = max(at for at, one in enumerate(messages) if one["role"] == "user" and "GO" in str(one["content"]))
    return [str(one["content"]) for one in messages[begins:] if one["role"] == "tool"]


def turn(gateway: Gateway, outside: Outside, *wanted: tuple[str, dict[str, Any]]) -> list[str]:
    """Have the agent take one turn in which it calls these tools; what they answered."""
    outside.model = calls(*wanted)
    gateway.run("agent", "--agent", "main", "--message", "GO", "--json")
    return answers(outside.requests[-1]["messages"])


@pytest.fixture
def agent(gateway: Gateway, outside: Outside, place: Workspace) -> Gateway:
    """A running gateway whose agent works in the workspace, with the model that stands outside."""
    model = {"id": "m", "name": "m", "input": ["text"], "contextWindow": 120_000, "maxTokens": 4096, "reasoning": False}
    provider = {"baseUrl": f"{outside.address}/v1", "apiKey": "none", "api": "openai-completions", "models": [model]}
    gateway.configure(
        models={"mode": "merge", "providers": {"outside": provider}},
        agents={"defaults": {"workspace": str(place.root), "model": {"primary": "outside/m"}}},
    )
    gateway.config_file.write_text("// Ana's OpenClaw.\n" + gateway.config_file.read_text())
    gateway.start()
    return gateway


@pytest.fixture
def dory(agent: Gateway, place: Workspace, tmp_path: Path) -> Dory:
    """`dory hooks` as a person starts it; what it printed."""
    program = launcher(tmp_path / "bin/dory", "dory_tui.__main__")
    launcher(tmp_path / "bin/dory-agent")

    def run(*words: str) -> str:
        line = [str(program), "hooks", *words]
        done = subprocess.run(line, env=agent.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def reloaded(gateway: Gateway, dory: Dory, *words: str) -> None:
    since = len(gateway.lines)
    print(dory(*words))
    gateway.hears(lambda line: "config hot reload applied" in line, since)


def test_what_is_gated_does_not_run_and_the_model_reads_why(
    agent: Gateway, outside: Outside, place: Workspace, post: Path, dory: Dory, tmp_path: Path
) -> None:
    place.hold("[2026-02-05 10:00 | main] kind:post — Ana wants to read them first")
    before, program = agent.config_file.read_text(), post.with_name("dory-agent")
    reloaded(agent, dory, "install", "openclaw", "--yes", "--agent", str(program), "-C", str(place.root))
    assert "before_tool_call: stopped" in dory("status", "openclaw", "--probe")

    shell, harmless = (
        ("exec", {"command": f"{post} by-shell"}),
        ("exec", {"command": f"echo ran > {tmp_path}/harmless"}),
    )
    told = turn(
        agent,
        outside,
        shell,
        ("tool_call", {"id": "message", "args": {"action": "send", "to": "Ana", "message": "hi"}}),
        ("write", {"path": ".dory/ledger/yes.json", "content": "{}"}),
        harmless,
    )
    print("\n---\n".join(told))
    assert outside.posted == []
    assert "is gated (`post`) and needs your human's yes" in told[0]
    assert "dory-agent stage" in told[0]
    assert "the tool `message`" in told[1]
    assert "Nobody but dory and your human writes there" in told[2]
    assert not (place.root / ".dory/ledger/yes.json").exists()
    assert (tmp_path / "harmless").read_text() == "ran\n"
    prompt = outside.requests[-1]["messages"][0]["content"]
    print(f"\nat the end of the system prompt:\n{prompt[-900:]}")
    assert "HOLD=[1] item" in prompt
    assert "kind:post — Ana wants to read them first" in prompt

    (tmp_path / "harmless").unlink()
    program.rename(program.with_name("gone"))
    told = turn(agent, outside, harmless, ("read", {"path": "state/HOLD.md"}))
    print("\n---\n".join(told))
    assert "dory could not be asked" in told[0]
    assert not (tmp_path / "harmless").exists()
    assert "Ana wants to read them first" in told[1]
    assert "take nothing as approved" in outside.requests[-1]["messages"][0]["content"]
    program.with_name("gone").rename(program)

    reloaded(agent, dory, "remove", "openclaw", "--yes")
    assert agent.config_file.read_text() == before
    turn(agent, outside, shell)
    assert outside.posted == ["by-shell"], "without the plugin it goes out"
