"""Which gated host a program that talks to the network is told to talk to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dory_tui.agent.hooks.expansions import HOLE
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.tables import words

_CLIENTS = words(
    """
    curl wget http https xh xhs curlie httpie aria2c lynx links w3m nc ncat netcat telnet socat openssl websocat
    grpcurl ab hey wrk ftp lftp xdg-open open
    """
)
_DATA = words(
    """
    -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -A
    --user-agent -e --referer -o --output -b --cookie --body-data --post-data
    """
)
"""Options of these clients whose value is sent or kept and is no address."""


def reached(name: str, texts: Sequence[str], loose: Iterable[str], patterns: Patterns) -> str | None:
    """The gated host in the words after a client's name; None when there is none.

    `loose` are words that an expansion may give. What is sent may name any host.
    """
    if name not in _CLIENTS:
        return None
    asked = [text for option, text in zip(["", *texts], texts, strict=False) if option not in _DATA]
    asked += loose if any(HOLE in text for text in asked) else ()
    return patterns.host(" ".join(asked).replace(HOLE, " "), anywhere=True)
