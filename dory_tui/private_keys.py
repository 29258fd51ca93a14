"""Where the lines of private keys stand in a text, plain or behind a sign, a number or a quote. Pure.

A key is copied into notes as it is shown somewhere: in a diff, a table, a list, a comment, a string of a program. So
what counts is the run of base64 in a line (RFC 7468, RFC 4880) and not what stands around it. Linear in the text.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False  # see dory_tui.visible
if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = 16
"""Characters from which base64 is taken for a line of a key, and is found inside of other words too."""
_BLOCK = 200
"""Line ends from the first line of a private key to its last at most."""
_FORMS = {
    "begin": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----",
    "edge": r"-----(?:BEGIN |END)",
    # A line ends at an escaped line feed too: a key in JSON stands on one line.
    "line": r"\\[nr]|(?P<line>(?:(?!\\[nr])[^\r\n])+)",
    "word": r"=[A-Za-z0-9+/]{4}(?![A-Za-z0-9+/=])|[A-Za-z0-9+/]+={0,2}",
    "header": r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ",
}


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(_FORMS[name])


def blocks(text: str) -> Iterator[tuple[tuple[int, int], tuple[tuple[int, int], ...]]]:
    """Each private key of a text: where its first line stands, and where what is told by those below it."""
    begin = _form("begin").search(text)
    while begin is not None:
        # The next edge ends the block, so that no part of a text is looked at for two of them.
        edge = _form("edge").search(text, begin.end())
        stop = len(text) if edge is None else edge.start()
        ended = edge is not None and edge[0].endswith("END") and text.count("\n", begin.end(), stop) <= _BLOCK
        yield begin.span(), tuple(_inside(text, begin.end(), stop, ended=ended))
        begin = _form("begin").search(text, stop)


def telling(line: str) -> bool:
    """Whether a line of a key tells by itself that it is none of a text's words, as its padding does."""
    if line.endswith("=") and len(line) % 4 == 0:
        return True
    return len(line) >= RUN and _mixed(line)


def _inside(text: str, start: int, stop: int, *, ended: bool) -> Iterator[tuple[int, int]]:
    """What is of a key between its edges, or with no end, down to the first line that has nothing of it."""
    seen, below = False, text.find("\n", start, stop)
    for line in _form("line").finditer(text, start, stop):  # of an escape the group is empty
        words = [word.span() for word in _form("word").finditer(text, *line.span("line")) if _says(word[0])]
        runs = [(at, to) for at, to in words if to - at >= RUN and (len(words) == 1 or _mixed(text[at:to]))]
        if runs:
            seen = True
            yield from runs
            if ended and line.end() == stop and words[-1] != runs[-1]:
                yield words[-1]
        elif seen and ended and len(words) == 1:
            yield from words
        elif words and not _form("header").search(line[0]):
            seen = False
            if not ended and line.start() > below >= 0:
                return


def _says(word: str) -> bool:
    """Whether it is more than a sign or the number of a line."""
    return "=" in word or any(map(str.isalpha, word))


def _mixed(word: str) -> bool:
    """Whether a word has capitals, small letters and digits, as base64 of some length has and few words have."""
    return any(map(str.isupper, word)) and any(map(str.islower, word)) and any(map(str.isdigit, word))
