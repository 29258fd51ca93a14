"""Scripts that are written without blanks between words, as ranges for a character class of a pattern. Tables.

Such a word has no end to be found by: runs of characters stand for words. The blocks are those of Unicode 15.
"""

from __future__ import annotations

HAN_KANA = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Chinese and Japanese, where two characters are nearly always a word."""
HANGUL = "\uac00-\ud7a3"
"""Korean has blanks, though not before its endings: whoever wants its words whole leaves it out."""
SOUTHEAST = "\u0e01-\u0e4e\u0e81-\u0ecf\u1000-\u109f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer, which spell a word with more characters than two."""
UNSPACED = HAN_KANA + SOUTHEAST
