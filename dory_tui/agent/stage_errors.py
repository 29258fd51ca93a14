"""What is wrong with a draft, in one sentence that an agent can act on: the line, the field, the right thing. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "id": "id: post-3",
    "title": "title: Post 3 of 7",
    "kind": "kind: post",
    "part": "part: 3/7",
    "action": 'action: {argv: ["bin/post", "--stdin"], stdin: body}',
    "action.argv": 'argv: ["bin/post", "--stdin"]',
    "action.stdin": "stdin: body",
    "action.cwd": "cwd: .",
    "action.env": "env: {LANG: C.UTF-8}",
    "action.env_pass": "env_pass: [POST_TOKEN]",
    "action.attach": "attach: [img/launch.png]",
    "action.timeout": "timeout: 60s",
    "action.ok_exit": "ok_exit: [0]",
    "schedule": "schedule: {lane: social, grace: 15m}",
    "schedule.not_before": "not_before: 2026-12-01T09:00:00-05:00",
    "schedule.expires": "expires: 2026-12-01T12:00:00-05:00",
    "schedule.grace": "grace: 15m",
    "schedule.lane": "lane: social/main",
    "schedule.min_interval": "min_interval: 20m",
}
_FIELD = re.compile(r"`((?:action|schedule)(?:\.[a-z_]+)?|id|title|kind|part)(?:\.[^`]*)?`")
_UNKNOWN = "is not a field of a draft that runs"


def sentence(line: int, problem: str) -> str:
    """`line 4: …`, with an example where the problem names a field and has none."""
    return f"line {line}: {problem}{_example(problem)}"


def _example(problem: str) -> str:
    if _UNKNOWN in problem:
        unknown = problem.partition("`")[2].partition("`")[0]
        group, dot, _ = unknown.rpartition(".")
        inside = [key.rpartition(".")[2] for key in EXAMPLES if key.rpartition(".")[0] == group]
        return f"; {f'those of `{group}` are' if dot else 'they are'} {', '.join(inside)}"
    match = _FIELD.search(problem)
    if match is None or "such as" in problem:
        return ""
    return f"; write it as `{EXAMPLES[match[1]]}`" if match[1] in EXAMPLES else ""
