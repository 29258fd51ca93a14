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
def _selector() -> re.Pattern[str]:
    """VS16 where it chooses a form: after a character that has two, or inside a keycap."""
    return re.compile(f"(?<=[{_TWO_FORMS}]){VS16}|(?<=[0-9#*]){VS16}(?={KEYCAP})")


def _known(sequence: str) -> bool:
    """Whether this Python's Unicode tables know every character of the sequence."""
    return sequence.replace(ZWJ, "").replace(VS16, "").isprintable()


def joined_spans(text: str) -> dict[int, int]:
    """Start to end of every sequence held together by ZWJ."""
    if ZWJ not in text:
        return {}
    return {m.start(): m.end() for m in _joined().finditer(text) if _known(m.group())}


def passing(text: str) -> set[int]:
    """Offsets of the ZWJ and VS16 that stand inside a real emoji sequence."""
    offsets: set[int] = set()
    if VS16 in text:
        offsets.update(m.start() for m in _selector().finditer(text))
    for start, end in joined_spans(text).items():
        offsets.update(i for i in range(start, end) if text[i] == ZWJ)
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
    emoji_forms = {m.start() for m in _selector().finditer(text)} if VS16 in text else set()
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
            width = 2 if end in emoji_forms else width + more
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
