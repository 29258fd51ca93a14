"""Emoji sequences and user-perceived characters: what a terminal draws as one thing.

The shapes are those of Unicode's emoji-zwj-sequences and emoji-variation-sequences (17.0). Skin
tones may stand on any person: they can be seen. Regular expressions are compiled at first use.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

ZWJ = "\u200d"
VS16 = "\ufe0f"
KEYCAP = "\u20e3"

# Characters that have both a text and an emoji form, so that VS16 after them chooses one.
_TWO_FORMS = (
    "©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸-☺♀♂♈-♓♟♠♣♥♦♨♻♾♿⚒-⚗⚙⚛⚜⚠⚡⚧⚪⚫"
    "⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛰-⛵⛷-⛺⛽✂✅✈-✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓-❕❗❣❤➕-➗➡➰➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "🀄🅰🅱🅾🅿🈂🈚🈯🈷🌍-🌏🌕🌜🌡🌤-🌬🌶🍸🍽🎓🎖🎗🎙-🎛🎞🎟🎧🎬-🎮🏂🏄🏆🏊-🏎🏔-🏠🏭🏳🏵🏷🐈🐕🐟🐦🐿👁👂👆-👉👍👎👓"
    "👪👽💣💰💳💻💿📋📚📟📤-📦📪-📭📷📹-📻📽🔈🔍🔒🔓🕉🕊🕐-🕧🕯🕰🕳-🕹🖇🖊-🖍🖐🖥🖨🖱🖲🖼🗂-🗄🗑-🗓🗜-🗞🗡🗣🗨🗯🗳🗺😐"
    "🚇🚍🚑🚔🚘🚭🚲🚹🚺🚼🛋🛍-🛏🛠-🛥🛩🛰🛳"
)
_TONES = "🏻-🏿"
_DOING = "🏃🏄🏊👮👯👰👱👳👷💁💂💆💇🙅🙆🙇🙋🙍🙎🚣🚴🚵🚶🤦🤵🤷🤸🤹🤼🤽🤾🦸🦹🧍🧎🧏🧔🧖-🧟"  # then ♀ or ♂
_TOOLS = "🌾🍳🍼🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦼🦽🎄🩰🦰-🦳"  # trades, hair and what a person uses


def _joined_shapes() -> str:
    """The sequences held together by ZWJ, longest first, as one alternation."""
    tone, person = f"[{_TONES}]?", f"[👨👩🧑][{_TONES}]?"
    shapes = (
        f"{person}~❤{VS16}?~💋~{person}",
        f"{person}~❤{VS16}?~{person}",
        f"{person}~[🤝🐰🫯]~{person}",
        f"🫱{tone}~🫲{tone}",
        "[👨👩](?:~[👨👩])?(?:~[👧👦]){1,2}",
        "🧑(?:~🧑)?(?:~🧒){1,2}",
        f"{person}~[🦯🦼🦽]~➡{VS16}?",
        f"{person}~(?:[{_TOOLS}]|[⚕⚖✈]{VS16}?)",
        f"[🏃🚶🧎]{tone}(?:~[♀♂]{VS16}?)?~➡{VS16}?",
        f"(?:[{_DOING}]{tone}|[⛹🏋🏌🕵](?:{VS16}|{tone}))~[♀♂]{VS16}?",
        f"❤{VS16}?~[🔥🩹]|⛓{VS16}?~💥|🐦~[⬛🔥]|🐈~⬛|🐕~🦺|🐻~❄{VS16}?|🍄~🟫|🍋~🟩",
        f"🏳{VS16}?~(?:🌈|⚧{VS16}?)|🏴~☠{VS16}?|👁{VS16}?~🗨{VS16}?",
        f"😮~💨|😵~💫|😶~🌫{VS16}?|🙂~[↔↕]{VS16}?",
    )
    return "|".join(shapes).replace("~", ZWJ)


@cache
def _joined() -> re.Pattern[str]:
    return re.compile(_joined_shapes())


@cache
def _emoji_run() -> re.Pattern[str]:
    """A stretch that may hold joined sequences; it keeps the slow pattern off ordinary text."""
    drawn = f"[{ZWJ}\u2190-\u2bff{VS16}\U0001f000-\U0001faff]"
    return re.compile(f"{drawn}{drawn}+")


@cache
def _two_forms() -> re.Pattern[str]:
    return re.compile(f"[{_TWO_FORMS}]")


def _known(sequence: str) -> bool:
    """Whether this Python's Unicode tables know every character of the sequence."""
    return sequence.replace(ZWJ, "").replace(VS16, "").isprintable()


def joined_spans(text: str) -> dict[int, int]:
    """Start to end of every sequence held together by ZWJ."""
    spans: dict[int, int] = {}
    for run in _emoji_run().finditer(text) if ZWJ in text else ():
        if ZWJ in run.group():
            found = _joined().finditer(text, *run.span())
            spans.update(match.span() for match in found if _known(match.group()))
    return spans


def emoji_forms(text: str) -> Iterator[int]:
    """Offsets of each VS16 that chooses the emoji form: of a character with two, or a keycap."""
    at = text.find(VS16)
    while at >= 0:
        before = text[at - 1 : at]
        if _two_forms().match(before) or (before in tuple("0123456789#*") and text.startswith(KEYCAP, at + 1)):
            yield at
        at = text.find(VS16, at + 1)


def passing(text: str) -> set[int]:
    """Offsets of the ZWJ and VS16 that stand inside a real emoji sequence."""
    offsets = set(emoji_forms(text))
    for start, end in joined_spans(text).items():
        offsets.update(at for at in range(start, end) if text[at] == ZWJ)
    return offsets


def _takes_tone(char: str) -> bool:
    return ("\U0001f385" <= char <= "\U0001faff" and not _is_tone(char)) or char in "☝⛹✊✋✌✍"


def _is_tone(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


@cache
def _extender_tables() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Hangul vowels and finals (drawn inside their syllable); vowel signs that are letters."""
    return re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]"), re.compile("[\u0e33\u0eb3]")


@lru_cache(maxsize=4096)
def _cells(char: str) -> tuple[int, bool]:
    """Terminal cells of one code point, and whether it belongs to the character before it."""
    from unicodedata import category, east_asian_width

    inside_syllable, vowel_sign = _extender_tables()
    kind = category(char)
    if kind in ("Mn", "Me", "Cf") or inside_syllable.match(char):
        return 0, True
    if kind in ("Cc", "Cs", "Zl", "Zp"):
        return 0, False
    # A spacing mark takes a cell of its own in most terminals, but may not be cut off.
    joins = kind == "Mc" or vowel_sign.match(char) is not None
    wide = east_asian_width(char) in ("W", "F") or _is_flag_letter(char)
    return (2 if wide else 1), joins


def characters(text: str) -> Iterator[tuple[str, int]]:
    """The user-perceived characters of one line, each with its width in terminal cells."""
    joined = joined_spans(text)
    forms = set(emoji_forms(text))
    start, size = 0, len(text)
    while start < size:
        char, end = text[start], start + 1
        if start in joined:
            end, width = joined[start], 2
        elif _is_flag_letter(char) and end < size and _is_flag_letter(text[end]):
            end, width = end + 1, 2
        else:
            width, _ = _cells(char)
            if end < size and _is_tone(text[end]) and _takes_tone(char):
                end, width = end + 1, 2
        while end < size and end not in joined:
            more, belongs = _cells(text[end])
            if not belongs:
                break
            width = 2 if end in forms else width + more
            end += 1
        yield text[start:end], width
        start = end


def cell_width(text: str) -> int:
    """Terminal cells of one line of visible text."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(width for _, width in characters(text))


def cut(text: str, cells: int) -> str:
    """One line cut to at most `cells` cells, `…` last where something was cut off."""
    if len(text) <= cells and text.isascii():
        return text
    kept = used = size = 0
    for character, width in characters(text):
        used += width
        if used > cells:
            return text[:kept] + "…" if cells > 0 else ""
        size += len(character)
        if used < cells:
            kept = size
    return text
