"""What an agent is told when a call is denied: what it was, why, and what to do instead. Pure."""

from __future__ import annotations

import json
import re

from dory_tui.agent.hooks.rule import Denial

_ASK = "ask your human to do it, or to let it through"


def reason(denial: Denial, *, workspace: bool, problem: str = "", file: str = "hooks.toml") -> str:
    """The whole answer. `workspace` says whether there is one to stage in; `problem` is of the human's patterns."""
    if denial.kind == "protected":
        said = (
            f"dory: denied, and nothing was run: {denial.what}. Nobody but dory and your human writes there. "
            "If it has to change, say to your human what and why, and leave it to them."
        )
    elif denial.kind == "human":
        said = (
            f"dory: denied, and nothing was run: {denial.what} is your human's own verb. Tell them what waits, and let "
            "them decide it in `dory`. Yours is `dory-agent`."
        )
    elif denial.kind == "unclear":
        said = (
            f"dory: denied, and nothing was run: {denial.what}{_because(denial)}. "
            f"Write it plainly, one command a call, or {_ASK} in {file}."
        )
    else:
        said = _gated(denial, workspace, file)
    return _shown(f"{said}\n\n(The defaults apply, and nothing is let through, since {problem})" if problem else said)


def _shown(text: str) -> str:
    """Names and paths come from the call: nothing in them may act on a terminal."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def fault(what: str) -> str:
    """The answer where dory itself failed: nothing that could be gated goes ahead."""
    return _shown(
        f"dory: denied, and nothing was run, because dory's hook could not judge this call: {what}. "
        "Tell your human; `dory hooks status --probe` shows whether the hook works."
    )


def _because(denial: Denial) -> str:
    return f" (`{denial.pattern}`)" if denial.pattern else ""


def _gated(denial: Denial, workspace: bool, file: str) -> str:
    said = f"dory: denied, and nothing was run: {denial.what} is gated{_because(denial)} and needs your human's yes."
    if not workspace:
        return f"{said} There is no workspace here to stage it in: {_ASK} in {file}."
    return (
        f"{said} Stage it, tell them that it waits, and go on with something else:\n\n{_example(denial)}\n\n"
        f"After their yes `dory-agent run` starts it, once. What should not be gated, they let through in {file}."
    )


def _example(denial: Denial) -> str:
    argv = denial.argv or ("/path/of/a/command", "and", "its", "arguments")
    words = [word.rpartition("/")[2] for word in denial.argv[:3]] or ["what-it-does"]
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(words).casefold()).strip("-")[:40] or "draft"
    line = json.dumps(list(argv), ensure_ascii=True)
    line = line if len(line) < 400 else json.dumps([argv[0], "and its arguments"], ensure_ascii=True)
    return (
        f"dory-agent stage --id {name} <<'DRAFT'\n---\naction:\n  argv: {line}\n---\n"
        "Why this should happen, in a sentence for your human.\nDRAFT"
    )
