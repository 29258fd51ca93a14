"""The line that has a scheduler look: that of `templates/schedulers`, which is tested as it stands there."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping

from dory_tui import config
from dory_tui.workspace import templates

_AGENT, _WORKSPACE = "/ABS/PATH/dory-agent", "/ABS/WORKSPACE"


def program(environment: Mapping[str, str]) -> str:
    """The whole path of `dory-agent`, as the hooks take it."""
    return str(config.agent_program(environment) or config.agent_programs(environment)[0])


def crontab_line(agent: str, workspace: str) -> str:
    """The line for `crontab -e`, with both paths in it."""
    line = next(ln for ln in templates.scheduler("crontab").splitlines() if ln and not ln.startswith("#"))
    for name, value in ((_AGENT, agent), (_WORKSPACE, workspace)):
        line = line.replace(name, shlex.quote(value).replace("%", "\\%"))  # cron ends a line at a bare %
    return line


def scheduler_line(platform: str, agent: str, workspace: str) -> str:
    """The line for a platform's own scheduler where it has one, for cron where it has none."""
    if platform != "openclaw":
        return crontab_line(agent, workspace)
    text = templates.scheduler("openclaw.sh").partition("exec ")[2].replace('"$@"', "")
    argv = re.search(r"'(\[.*\])'", text)
    assert argv is not None
    put_in = {_AGENT: agent, _WORKSPACE: workspace}
    words = [put_in.get(word, word) for word in json.loads(argv[1])]
    quoted = shlex.quote(json.dumps(words, ensure_ascii=False, separators=(",", ":")))
    return re.sub(r"\s*\\\n\s*", " ", text).strip().replace(argv[0], quoted)
