"""OpenClaw's configuration is JSON5: names without quotes, texts in single quotes, and more numbers. As spans. Pure."""

from __future__ import annotations

import re
from typing import Any

from dory_tui.platforms import jsonc
from dory_tui.platforms.jsonc import JsoncError, Reader, Reading

_NAME = re.compile(r"(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})+")
_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?:(?P<hex>0[xX][0-9a-fA-F]+)|(?P<word>Infinity|NaN)|(?P<dec>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))"
)
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_NEWLINES = ("\r\n", "\n", "\r", "\u2028", "\u2029")


def read(text: str) -> Reading:
    """Read a text. JsoncError says what is wrong and on which line."""
    return jsonc.read(text, _Json5)


class _Json5(Reader):
    BLANK = re.compile(r"[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/", re.DOTALL)
    STRING = re.compile(r'"(?:[^"\\\n\r]|\\.)*"|\'(?:[^\'\\\n\r]|\\.)*\'', re.DOTALL)
    QUOTES = ('"', "'")

    def bare(self) -> Any:
        word = _NAME.match(self.text, self.position)
        if word is not None and word[0] in _WORDS:
            self.position = word.end()
            return _WORDS[word[0]]
        if (match := _NUMBER.match(self.text, self.position)) is None:
            return super().bare()  # which says what is wrong
        self.position = match.end()
        number = int(match["hex"], 16) if match["hex"] else float(match["word"] or match["dec"])
        return -number if match["sign"] == "-" else number

    def decoded(self, said: str) -> str:
        return _decoded(said[1:-1])

    def name(self) -> str:
        if self.text.startswith(self.QUOTES, self.position):
            return self.quoted()
        if (match := _NAME.match(self.text, self.position)) is None:
            raise JsoncError(self.text, self.position, "a name is missing")
        self.position = match.end()
        return _decoded(match[0])


def _decoded(body: str) -> str:
    text = _ESCAPE.sub(_character, body)
    try:  # two escapes may make one character
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return text


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    return "" if match[3] in _NEWLINES else _SHORT.get(match[3], match[3])
