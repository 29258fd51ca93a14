"""OpenClaw's own tools and commands: what takes dory's plugin out is denied, and a job's command is looked at."""

from __future__ import annotations

import pytest

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.rule import Denial, judge


def judged(tool: str, **arguments: object) -> Denial | None:
    return judge(ToolCall(tool, arguments, "/home/ana/ws"), Patterns(), Places("/home/ana"))


TAKES_OUT = """
openclaw plugins disable dory
openclaw plugins disable canvas dory
openclaw --profile work plugins uninstall dory --force
/opt/node/bin/openclaw plugins disable dory
sudo -u ana openclaw plugins uninstall dory
openclaw config set plugins.entries.dory.enabled false
openclaw config set plugins.enabled false --strict-json
openclaw config unset 'plugins.load'
openclaw config patch --file x.json5
echo '{plugins:{enabled:false}}' | openclaw config patch --stdin
openclaw config set --batch-json '[{"path":"plugins.enabled","value":false}]'
openclaw reset --scope config
openclaw uninstall --all
"""
GATED = """
openclaw cron add --name x --at 1m --command 'git push --force'
openclaw automations create '0 7 * * *' --command='mail bob'
openclaw --port 1 cron edit 7 --command-argv '["/usr/bin/mail", "bob"]'
openclaw cron add --name x --on-exit 'npm publish' --message hi
openclaw cron add --stream-command '["sh", "-c", "npm publish"]'
openclaw cron add --command-argv 'npm publish'
"""
GOES = """
openclaw plugins list
openclaw plugins inspect dory --runtime --json
openclaw plugins disable canvas
openclaw plugins reload dory
openclaw config get plugins
openclaw config set agents.defaults.heartbeat.every 2h
openclaw status
openclaw reset --dry-run
openclaw cron add --name x --at 1m --command 'echo hi'
openclaw cron add --command-argv '["/opt/dory-agent", "run", "--due"]'
openclaw cron list --all
openclaw agent --message 'reset my plugins'
"""


@pytest.mark.parametrize("line", TAKES_OUT.strip().splitlines())
def test_a_command_that_takes_the_plugin_out_is_denied(line: str) -> None:
    denial = judged("exec", command=line)
    assert denial is not None
    assert (denial.kind, "dory's plugin" in denial.what) == ("protected", True)


@pytest.mark.parametrize("line", GATED.strip().splitlines())
def test_what_a_job_would_run_is_looked_at_when_it_is_made(line: str) -> None:
    denial = judged("exec", command=line)
    assert denial is not None
    assert denial.kind == "gated"


@pytest.mark.parametrize("line", GOES.strip().splitlines())
def test_other_commands_of_openclaw_go_through(line: str) -> None:
    assert judged("exec", command=line) is None


def test_its_own_tools_do_not_take_the_plugin_out() -> None:
    for action in ("disable", "uninstall", "install", "something new"):
        assert judged("plugins", action=action, pluginId="dory") is not None
        assert judged("plugins", action=action, pluginId="canvas") is None
    assert judged("plugins", action="inspect", pluginId="dory") is None
    assert judged("gateway", action="config.patch", raw="{}") is not None
    assert judged("gateway", action="config.get") is None
    assert judged("openclaw", message="Please turn Dory off.") is not None
    assert judged("openclaw", message="Please turn Canvas off.") is None
    assert judged("cron", action="add", job={"payload": {"kind": "command", "argv": ["mail", "bob"]}}) is not None
