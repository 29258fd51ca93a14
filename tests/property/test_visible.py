"""For any text: nothing unseen survives, nothing seen is lost, and a cut fits."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from dory_tui.visible import (
    Looking,
    Visible,
    cell_width,
    cut,
    refused_in_field,
    visible,
    visible_line,
    warnings,
)

ZWJ, VS16 = "\u200d", "\ufe0f"
UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200c\u200e-\u202e\u2066-\u2069]")

any_char = st.characters(exclude_categories=())
# What the rules turn on, so that it meets often: joiners, bidi, line ends, twins, emoji parts.
TELLING = "a1 @.-_:/\t\n\r\x00\x1b\x9b\u202e\u200b\u2028\ufeff\udcff\ud800аеpοΩ漢é\u0301字한🇫🇷👩👨🧑👧💻❤⚠🏳🌈🏽♀😀🏃➡"
STRINGS = (ZWJ, ZWJ, VS16, VS16, "\u20e3", "\r\n", "xn--", "https://", "www.", ".com", " " * 25)
SEQUENCES = ("👩\u200d💻", "❤\ufe0f\u200d🔥", "👨\u200d👩\u200d👧", "1\ufe0f\u20e3", "⚠\ufe0f")
telling = st.sampled_from([*TELLING, *STRINGS, *SEQUENCES])
tricky = st.lists(telling, max_size=24).map("".join)
texts = st.one_of(st.text(any_char, max_size=40), tricky)

GRAPHEMES = {
    "a": 1,
    " ": 1,
    "é": 1,
    "e\u0301": 1,
    "n\u0303\u0323": 1,
    "漢": 2,
    "한": 2,
    "\u1112\u1161\u11ab": 2,
    "कि": 2,
    "ก็": 1,
    "🚀": 2,
    "👍🏽": 2,
    "🇫🇷": 2,
    "1\ufe0f\u20e3": 2,
    "❤\ufe0f": 2,
    "👩🏽\u200d💻": 2,
    "🏳\ufe0f\u200d🌈": 2,
    "👨\u200d👩\u200d👧": 2,
}
graphemes = st.lists(st.sampled_from(list(GRAPHEMES)), max_size=12)


def written_out(shown: Visible) -> list[tuple[int, int, str]]:
    return [(mark.start, mark.end, mark.label) for mark in shown.marks if mark.kind not in ("lookalike", "spaces")]


def read_back(shown: Visible) -> str:
    """The text before it was made visible, from the marks."""
    parts, done = [], 0
    for start, end, label in written_out(shown):
        byte = re.fullmatch(r"byte 0x([0-9A-F]{2})", label)
        code = 0xDC00 + int(byte[1], 16) if byte else int(label.split(" ")[0][2:], 16)
        parts += [shown.text[done:start], chr(code)]
        done = end
    return "".join([*parts, shown.text[done:]])


@given(texts)
def test_nothing_unseen_survives(text: str) -> None:
    for char in visible_line(text):
        assert char in (ZWJ, VS16) or unicodedata.category(char) not in UNSEEN
    assert not FORBIDDEN.search(visible(text).text)


@given(st.binary(max_size=60))
def test_no_byte_reaches_the_terminal_as_a_control(data: bytes) -> None:
    shown = visible(data).text
    assert not FORBIDDEN.search(shown)
    shown.encode("utf-8")


@given(texts)
def test_a_joiner_survives_only_beside_an_emoji(text: str) -> None:
    shown = visible(text).text
    for match in re.finditer(f"{ZWJ}|{VS16}", shown):
        before = shown[match.start() - 1]
        assert before in f"{VS16}0123456789#*" or unicodedata.category(before) in ("So", "Sm", "Sk")


@given(texts)
def test_nothing_is_lost_or_added(text: str) -> None:
    assert read_back(visible(text, newlines=False)) == text
    assert read_back(visible(text)) == text.removeprefix("\ufeff").replace("\r\n", "\n")


@given(texts)
def test_what_was_made_visible_stays_as_it_is(text: str) -> None:
    for newlines in (True, False):
        once = visible(text, newlines=newlines)
        again = visible(once.text, newlines=newlines)
        assert again.text == once.text
        assert again.hidden == 0


@given(texts)
def test_marks_are_in_order_apart_and_on_what_they_name(text: str) -> None:
    shown = visible(text)
    done = 0
    for mark in shown.marks:
        assert done <= mark.start < mark.end <= len(shown.text)
        done = mark.end
    for start, end, label in written_out(shown):
        assert shown.text[start:end] == f"⟦{label}⟧"
    assert shown.hidden == len(written_out(shown))


@given(texts)
def test_a_field_is_refused_exactly_when_something_in_it_is_hidden(text: str) -> None:
    assert (refused_in_field(text) is None) == (visible(text, newlines=False).hidden == 0)
    if not text.startswith("\ufeff"):
        passes = refused_in_field(text, allow_newlines=True) is None
        assert passes == (visible(text).hidden == 0)


@given(texts)
def test_a_refusal_names_the_character_it_counts_to(text: str) -> None:
    sentence = refused_in_field(text)
    if sentence is not None:
        count = int(sentence.split()[1])
        assert refused_in_field(text[: count - 1]) is None or text[count - 1] in (ZWJ, VS16)
        assert visible_line(text[count - 1]).strip("⟦⟧") in sentence


@given(texts)
def test_warnings_are_in_order_and_safe_to_show(text: str) -> None:
    found = warnings(text)
    lines = re.split(r"\r\n|\n|\r", text)
    assert found == sorted(found, key=lambda one: (one.line, one.column))
    for one in found:
        assert 1 <= one.column <= len(lines[one.line - 1])
        assert one.sentence.endswith(f", line {one.line}")
        assert visible(one.sentence, newlines=False).hidden == 0


@given(
    st.lists(st.text("abc é漢\x0c\u2028", max_size=8), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.text("abc ", max_size=8),
)
def test_a_twin_is_found_on_its_line(before: list[str], end: str, indent: str) -> None:
    text = "".join(line + end for line in before) + f"{indent} p\u0430ypal"
    (found,) = warnings(text)
    assert (found.line, found.column) == (len(before) + 1, len(indent) + 2)


@given(st.text(st.characters(max_codepoint=0x7F), max_size=38))
def test_ascii_without_punycode_is_never_flagged(text: str) -> None:
    if "xn--" not in text.lower() and text.count("\t") < 10:
        assert warnings(text) == []


@given(graphemes)
def test_width_is_the_sum_of_the_characters(parts: list[str]) -> None:
    assert cell_width("".join(parts)) == sum(map(GRAPHEMES.__getitem__, parts))


@given(graphemes, st.integers(0, 30))
def test_a_cut_keeps_whole_characters_and_as_many_as_fit(parts: list[str], cells: int) -> None:
    text = "".join(parts)
    shown = cut(text, cells)
    if cell_width(text) <= cells:
        assert shown == text
        return
    kept, room = "", cells - 1
    for part in parts:
        if GRAPHEMES[part] > room:
            break
        kept, room = kept + part, room - GRAPHEMES[part]
    assert shown == (f"{kept}…" if cells > 0 else "")


@given(texts.map(visible_line), st.integers(0, 50))
def test_a_cut_fits_and_is_a_beginning(text: str, cells: int) -> None:
    shown = cut(text, cells)
    assert cell_width(shown) <= cells
    assert shown == text or text.startswith(shown.removesuffix("…"))


BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
keys = st.lists(st.text(BASE64, min_size=61, max_size=61).map(lambda text: f"x7Q{text}"), min_size=1, max_size=3)
ends = st.text(BASE64, min_size=3, max_size=63).map(lambda text: f"{text[: len(text) // 4 * 4]}{text[:3]}=")
prefixes = st.sampled_from(["", "> ", "+   12 ", "  - 1234 ", "12│ ", "“"])


@given(tricky, keys, ends, tricky, prefixes)
def test_no_line_of_a_key_is_shown_that_is_one_in_the_whole(
    before: str, body: list[str], end: str, after: str, prefix: str
) -> None:
    head = "-----BEGIN " + "PRIVATE KEY-----"
    lines = [head, *body, end]
    with Looking(of=("\n".join([before, *lines, "-----END " + "PRIVATE KEY-----", after]),)):
        shown = [visible_line(f"{prefix if len(line) > 15 else '+ '}{line}") for line in lines]
    assert not any(line in one for line, one in zip(lines, shown, strict=True))
