"""Text cut into the pieces of a WordPiece vocabulary, as BERT's tokenizer for lower case does. Pure.

What the original does in five passes is one look at each character, remembered; the vocabulary's `tokenizer.json` is
the rule (BertNormalizer with `lowercase`, BertPreTokenizer, WordPiece), and tests compare with what it answers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import chain

UNKNOWN = "[UNK]"
_LONGEST = 100  # characters of a word; a longer one is unknown
_REMEMBERED = 200_000  # words; logs of ten years have fewer, and a hostile file costs no more memory than this
_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
_DROPPED = ("Cc", "Cf", "Co", "Cs")


class _Plain(dict[int, str]):
    """For `str.translate`: what becomes of a character. Punctuation and ideographs stand alone."""

    def __missing__(self, code: int) -> str:
        made = self[code] = _plain(chr(code))
        return made


def _plain(char: str) -> str:
    if char in "\t\n\r":
        return " "
    if char in "\0\ufffd" or unicodedata.category(char) in _DROPPED:
        return ""
    if char.isspace():
        return " "
    parts = (part.lower() for part in unicodedata.normalize("NFD", char) if unicodedata.category(part) != "Mn")
    made = "".join(f" {part} " if _punctuation(part) else part for part in parts)
    return f" {made} " if any(first <= ord(char) <= last for first, last in _IDEOGRAPHS) else made


def _punctuation(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and char != " " and not char.isalnum()
    return unicodedata.category(char).startswith("P")


class WordPiece:
    """A vocabulary, and the words that were looked up in it."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = (self._ids[UNKNOWN],)
        self._plain = _Plain()
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """The numbers of a text's pieces, `[UNK]` for a word that has none."""
        words = text.translate(self._plain).split(" ")
        known = self._words
        try:
            return list(chain.from_iterable(map(known.__getitem__, words)))
        except KeyError:
            if len(known) > _REMEMBERED:
                known.clear()
            for word in words:
                if word not in known:
                    known[word] = self._pieces(word)
            return list(chain.from_iterable(map(known.__getitem__, words)))

    @property
    def unknown(self) -> int:
        return self._unknown[0]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest piece first, then the longest that goes on from there."""
        if len(word) > _LONGEST:
            return self._unknown
        found, start = [], 0
        while start < len(word):
            for stop in range(len(word), start, -1):
                piece = self._ids.get(f"##{word[start:stop]}" if start else word[:stop])
                if piece is not None:
                    found.append(piece)
                    start = stop
                    break
            else:
                return self._unknown
        return tuple(found)
