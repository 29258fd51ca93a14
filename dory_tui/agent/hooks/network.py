"""Which gated host a program that talks to the network is told to talk to. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dory_tui.agent.hooks.expansions import HOLE
from dory_tui.agent.hooks.harmless import method
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.tables import words

_CLIENTS = words(
    """
    curl wget http https xh xhs curlie httpie aria2c lynx links w3m nc ncat netcat telnet socat openssl websocat
    grpcurl ab hey wrk ftp lftp xdg-open open
    """
)
_GETS = ("GET", "HEAD", "OPTIONS")
_DATA = words(
    """
    -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -A
    --user-agent -e --referer -o --output -b --cookie --body-data --post-data
    """
)
"""Options of these clients whose value is sent or kept and is no address."""


_READERS = words("curl wget aria2c lynx links w3m open xdg-open")
"""Those that only read unless an option says otherwise."""
_ITEMS = words("http https xh xhs httpie curlie")
"""Those that send what stands after the address, or their input."""
_SENDS = r"-[A-Za-z#]*[dFTK].*|--(?:da|fo|js|up|conf|post|body|mail|quote|raw|next).*"
"""Options of curl and wget by which something is sent, or by which nobody knows."""


def sends(name: str, texts: Sequence[str]) -> bool:
    """Whether a client may do more than read."""
    verbs = [text.upper() for text in texts if text.isalpha()] if name in _ITEMS else []
    said = verbs[0] if verbs else method(texts)
    if name in _ITEMS:
        return said not in _GETS
    if name not in _READERS or (said is not None and said not in _GETS):
        return True
    if name not in ("curl", "wget"):
        return any(text.startswith((HOLE, "-post", "-cmd")) for text in texts)
    told = [re.fullmatch(_SENDS, text) is not None for text in texts]
    if name == "curl" and said is None and {"-G", "--get", "-sG", "-Gs"} & set(texts):  # data goes into the address
        told = [one and not re.match(r"-d|--data", text) for one, text in zip(told, texts, strict=True)]
    return any(told) or any(text.startswith(HOLE) for text in texts)


def reached(name: str, texts: Sequence[str], loose: Iterable[str], patterns: Patterns) -> str | None:
    """The gated host in the words after a client's name; None when there is none.

    `loose` are words that an expansion may give. What is sent may name any host.
    """
    if name not in _CLIENTS:
        return None
    asked = [text for option, text in zip(["", *texts], texts, strict=False) if option not in _DATA]
    asked += loose if any(HOLE in text for text in asked) else ()
    return patterns.host(" ".join(asked).replace(HOLE, " "), anywhere=True, sends=sends(name, texts))
