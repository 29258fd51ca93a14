"""What would deceive the eye is written out, and nothing else is touched."""

import unicodedata

import pytest

from dory_tui.visible import (
    Looking,
    Mark,
    Visible,
    cell_width,
    cut,
    masked,
    refused_in_field,
    visible,
    visible_line,
    warnings,
    written_out,
)

LISTED = [
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
    *(0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x17B5, 0x2800),
]
BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
TAGS = [0xE0001, *range(0xE0020, 0xE0080)]
UNSEEN_TOO = [0x180B, 0x180C, 0x180D, 0x180F, 0x16FE4, 0x1D159]


def kinds(shown: Visible) -> list[str]:
    return [mark.kind for mark in shown.marks]


# --- characters that are written out


@pytest.mark.parametrize(
    ("char", "kind", "label"),
    [
        ("\x00", "control", "U+0000 NULL"),
        ("\x07", "control", "U+0007 ALERT"),
        ("\x1b", "control", "U+001B ESCAPE"),
        ("\x0c", "control", "U+000C FORM FEED"),
        ("\r", "control", "U+000D CARRIAGE RETURN"),
        ("\x7f", "control", "U+007F DELETE"),
        ("\x85", "control", "U+0085 NEXT LINE"),
        ("\x9b", "control", "U+009B CONTROL SEQUENCE INTRODUCER"),
        ("\x9d", "control", "U+009D OPERATING SYSTEM COMMAND"),
        ("\u2028", "control", "U+2028 LINE SEPARATOR"),
        ("\u2029", "control", "U+2029 PARAGRAPH SEPARATOR"),
        ("\u202e", "bidi", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\u061c", "bidi", "U+061C ARABIC LETTER MARK"),
        ("\u2067", "bidi", "U+2067 RIGHT-TO-LEFT ISOLATE"),
        ("\u00ad", "hidden", "U+00AD SOFT HYPHEN"),
        ("\u200b", "hidden", "U+200B ZERO WIDTH SPACE"),
        ("\u200d", "hidden", "U+200D ZERO WIDTH JOINER"),
        ("\ufe0f", "hidden", "U+FE0F VARIATION SELECTOR-16"),
        ("\ufeff", "hidden", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("\u2800", "hidden", "U+2800 BRAILLE PATTERN BLANK"),
        ("\u3164", "hidden", "U+3164 HANGUL FILLER"),
        ("\U000e0041", "hidden", "U+E0041 TAG LATIN CAPITAL LETTER A"),
        ("\ue000", "hidden", "U+E000 PRIVATE USE"),
        ("\U0010fffd", "hidden", "U+10FFFD PRIVATE USE"),
        ("\u0378", "hidden", "U+0378 UNASSIGNED"),
        ("\ufffe", "invalid", "U+FFFE NONCHARACTER"),
        ("\ufdd0", "invalid", "U+FDD0 NONCHARACTER"),
        ("\U0001ffff", "invalid", "U+1FFFF NONCHARACTER"),
        ("\ud800", "invalid", "U+D800 LONE SURROGATE"),
        ("\udc41", "invalid", "U+DC41 LONE SURROGATE"),
        ("\udcff", "invalid", "byte 0xFF"),
    ],
)
def test_each_class_is_written_out_with_its_kind(char: str, kind: str, label: str) -> None:
    shown = visible(f"ab{char}c")
    assert shown.text == f"ab⟦{label}⟧c"
    assert shown.marks == (Mark(2, len(label) + 4, kind, label),)  # type: ignore[arg-type]
    assert shown.hidden == 1


@pytest.mark.parametrize(
    ("codes", "kind"), [(BIDI, "bidi"), (TAGS, "hidden"), (LISTED, "hidden"), (UNSEEN_TOO, "hidden")]
)
def test_every_listed_code_point_is_written_out(codes: list[int], kind: str) -> None:
    shown = visible("x".join(map(chr, [0x78, *codes])))
    assert kinds(shown) == [kind] * len(codes)
    assert not set(map(chr, codes)) & set(shown.text)


def test_there_are_twelve_bidi_controls() -> None:
    assert len(BIDI) == 12
    assert {chr(code) for code in BIDI} == {
        char
        for char in map(chr, range(0x3000))
        if unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or char in "\u061c\u200e\u200f"
    }


def test_controls_have_the_names_unicode_lists_as_their_aliases() -> None:
    for code in [*range(0x20), *range(0x7F, 0xA0)]:
        label = visible_line(chr(code)).strip("⟦⟧")
        number, _, name = label.partition(" ")
        assert number == f"U+{code:04X}"
        assert unicodedata.lookup(name) == chr(code)


def without_written_out(shown: Visible) -> str:
    rest, done = "", 0
    for mark in shown.marks:
        if mark.kind not in ("lookalike", "spaces"):
            rest += shown.text[done : mark.start]
            done = mark.end
    return rest + shown.text[done:]


@pytest.mark.parametrize("plane", range(17))
def test_of_all_code_points_those_that_can_be_seen_stay_and_no_other(plane: int) -> None:
    unseen = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
    listed = {chr(code) for code in (*LISTED, *UNSEEN_TOO)}
    for block in range(plane * 0x10000, (plane + 1) * 0x10000, 0x1000):
        chars = [chr(code) for code in range(block, block + 0x1000)]
        seen = [
            char
            for char in chars
            if char in "\n\t" or (unicodedata.category(char) not in unseen and char not in listed)
        ]
        shown = visible("x" + "x".join(chars))
        assert without_written_out(shown).replace("x", "") == "".join(seen).replace("x", "")
        assert shown.hidden == len(chars) - len(seen)


# --- files and fields


def test_bytes_that_are_not_utf8_are_shown_one_by_one() -> None:
    shown = visible(b"caf\xe9 \xff\xed\xa0\x80 caf\xc3\xa9")
    assert shown.text == "caf⟦byte 0xE9⟧ ⟦byte 0xFF⟧⟦byte 0xED⟧⟦byte 0xA0⟧⟦byte 0x80⟧ café"
    assert kinds(shown) == ["invalid"] * 5


def test_a_crlf_pair_is_a_line_end_and_a_lone_cr_is_not() -> None:
    shown = visible("one\r\ntwo\rthree\r\r\nfour\r")
    cr = "⟦U+000D CARRIAGE RETURN⟧"
    assert shown.text == f"one\ntwo{cr}three{cr}\nfour{cr}"
    assert shown.hidden == 3
    assert visible("one\r\ntwo\r\n") == Visible("one\ntwo\n", ())


def test_one_leading_bom_of_a_file_is_dropped_and_every_other_is_shown() -> None:
    bom = "⟦U+FEFF ZERO WIDTH NO-BREAK SPACE⟧"
    assert visible("\ufeffa") == Visible("a", ())
    assert visible(b"\xef\xbb\xbfa") == Visible("a", ())
    assert visible("\ufeff\ufeffa").text == f"{bom}a"
    assert visible("a\ufeff").text == f"a{bom}"
    assert visible_line("\ufeffa") == f"{bom}a"  # a field is not the start of a file


def test_a_field_shows_newline_and_tab_too() -> None:
    shown = visible("a\n\tb\r\n", newlines=False)
    assert shown.text == ("a⟦U+000A LINE FEED⟧⟦U+0009 CHARACTER TABULATION⟧b⟦U+000D CARRIAGE RETURN⟧⟦U+000A LINE FEED⟧")
    assert kinds(shown) == ["control"] * 4
    assert visible_line("a\n\tb\r\n") == shown.text
    assert visible("a\n\tb").marks == ()


def test_terminal_sequences_lose_their_escape() -> None:
    link = "\x1b]8;;https://evil.example\x1b\\pay\x1b]8;;\x1b\\ \x9b31m \x1b]52;c;cm0gLXJm\x07"
    shown = visible(link).text
    assert shown.isprintable()
    assert shown.count("⟦U+001B ESCAPE⟧") == 5


# --- what stays

ORDINARY = {
    "English": "Invoices go out on the 3rd — don’t “forget” it… 50 % · ½ · 20 €\n\tnext line\n",
    "French with no-break spaces": "Prêt\u00a0! 12\u202f000 € déjà reçus",
    "decomposed accents": "cafe\u0301 n\u0303",
    "Hebrew": "הַבּוֹקֶר עברנו על שלוש טיוטות",
    "Arabic": "راجعنا ثلاث مسودات هذا الصباح، وَافَقْنَا عَلَى واحدة",
    "Hindi": "आज सुबह हमने तीन मसौदे देखे और एक को मंज़ूरी दी",
    "Tamil": "இன்று காலை மூன்று வரைவுகளைப் பார்த்தோம்",
    "Thai": "เช้านี้เราดูฉบับร่างสามฉบับ",
    "Burmese": "ဒီမနက် မူကြမ်းသုံးခု ကြည့်ခဲ့တယ်",
    "Amharic": "ዛሬ ጠዋት ሦስት ረቂቆችን አየን",
    "Russian": "Сегодня утром мы посмотрели три черновика",
    "Greek": "Σήμερα το πρωί είδαμε τρία προσχέδια",
    "Armenian": "Այս առավոտ երեք սևագիր նայեցինք",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "Georgian": "დღეს დილით სამი მონახაზი ვნახეთ",
    "Chinese": "今天早上我们看了三份草稿，其中一份（待发布）被批准。",
    "Japanese": "今日の朝、三つの下書きを見て、Slackで一つを承認しました。",
    "Korean": "오늘 아침 초안 세 개를 GitHub에서 보았습니다",
    "Cuneiform and hieroglyphs": "𒀀𒁀 𓀀𓁐",
    "boxes and braille": "┌─┐ ▾ ▌ ⣿⠁ ← → ⟦already marked⟧",
    "mathematics": "∀x∈ℝ: x² ≥ 0, 𝑓(𝑥)=√x",
    "emoji": "Done ✅ and shipped 🚀, held ⏸, warned ⚠",
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_text_is_returned_as_it_is(text: str) -> None:
    shown = visible(text)
    assert shown == Visible(text, ())
    assert warnings(text) == []


def test_text_without_anything_to_show_is_the_same_object() -> None:
    text = "a plain line, 漢字 and кириллица\n" * 100
    assert visible(text).text is text


def test_the_non_joiner_of_persian_is_a_format_character_and_is_shown() -> None:
    assert visible("می\u200cخواهم").text == "می⟦U+200C ZERO WIDTH NON-JOINER⟧خواهم"


# --- emoji

SEQUENCES = {
    "a trade": "👩\u200d💻",
    "a trade with a tone": "👩🏽\u200d🚀",
    "a trade whose sign needs VS16": "🧑\u200d⚕\ufe0f",
    "the same without VS16": "🧑\u200d⚕",
    "hair": "👨🏿\u200d🦰",
    "a gender": "🤷🏻\u200d♀\ufe0f",
    "a gender after VS16": "🕵\ufe0f\u200d♂\ufe0f",
    "a direction": "🏃\u200d♀\ufe0f\u200d➡\ufe0f",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a couple": "👩🏻\u200d❤\ufe0f\u200d👨🏿",
    "a kiss": "👩\u200d❤\ufe0f\u200d💋\u200d👨",
    "hands": "🧑\u200d🤝\u200d🧑",
    "the rainbow flag": "🏳\ufe0f\u200d🌈",
    "the pirates' flag": "🏴\u200d☠\ufe0f",
    "a black cat": "🐈\u200d⬛",
    "a heart on fire": "❤\ufe0f\u200d🔥",
    "an eye in a bubble": "👁\ufe0f\u200d🗨\ufe0f",
    "a heart": "❤\ufe0f",
    "a warning": "⚠\ufe0f",
    "a pause": "⏸\ufe0f",
    "a copyright sign": "©\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "another keycap": "#\ufe0f\u20e3",
    "a flag of two letters": "🇫🇷",
    "a tone": "👍🏽",
}
NO_SEQUENCES = {
    "between letters": "a\u200db",
    "after a letter": "a\ufe0f",
    "after a digit without a keycap": "1\ufe0f2",
    "at the start": "\u200d👩",
    "at the end": "👩\u200d",
    "between emoji that do not join": "😀\u200d😀",
    "to something that is no trade": "👩\u200d🍕",
    "one link too many": "👩\u200d💻\u200d💻",
    "VS16 twice": "❤\ufe0f\ufe0f",
    "VS16 after what has one form": "😀\ufe0f",
    "the text form's selector": "❤\ufe0e",
    "between spaces": " \u200d ",
    "in Devanagari": "क्\u200dष",
}


@pytest.mark.parametrize("text", SEQUENCES.values(), ids=SEQUENCES.keys())
def test_joiners_pass_inside_emoji_sequences(text: str) -> None:
    assert visible(f"a {text}, {text}{text}") == Visible(f"a {text}, {text}{text}", ())
    assert refused_in_field(text) is None


@pytest.mark.parametrize("text", NO_SEQUENCES.values(), ids=NO_SEQUENCES.keys())
def test_joiners_are_shown_everywhere_else(text: str) -> None:
    shown = visible(text)
    assert shown.hidden == 1
    assert shown.marks[0].label.startswith(("U+200D", "U+FE0F", "U+FE0E"))
    assert refused_in_field(text) is not None


def test_the_tags_of_a_regional_flag_are_shown() -> None:
    scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    assert visible(scotland).hidden == 6


# --- what can be seen and still deceives


@pytest.mark.parametrize(
    ("text", "column", "sentence", "kind"),
    [
        ("exar\u0440ple", 1, "Cyrillic р in “exarрple”, line 1", "mixed-script"),
        ("see exar\u0440ple.com", 5, "Cyrillic р in “exarрple.com”, line 1", "host"),
        ("g\u03bfogle", 1, "Greek ο in “gοogle”, line 1", "mixed-script"),
        ("\u13aapple", 1, "Cherokee Ꭺ in “Ꭺpple”, line 1", "mixed-script"),
        ("g\u0585ogle", 1, "Armenian օ in “gօogle”, line 1", "mixed-script"),
        ("Моcква", 1, "Latin c in “Моcква”, line 1", "mixed-script"),
        ("my_p\u0430ypal_key", 4, "Cyrillic а in “my_pаypal_key”, line 1", "mixed-script"),
        ("p\u0301\u0430", 1, "Cyrillic а in “p\u0301а”, line 1", "mixed-script"),
        ("https://exämple.com/x", 9, "Non-ASCII ä in the host “exämple.com”, line 1", "host"),
        ("WWW.exämple.fr", 1, "Non-ASCII ä in the host “WWW.exämple.fr”, line 1", "host"),
        ("http://google.com。evil.com", 8, None, "host"),
        ("https://u@h\u00f6st:80/", 9, "Non-ASCII ö in the host “u@höst:80”, line 1", "host"),
        ("bob@exämple.com", 5, "Non-ASCII ä in the host “exämple.com”, line 1", "host"),
        ("https://пример.рф", 9, "Cyrillic п in “пример.рф”, line 1", "host"),
        ("\u0430\u0440\u0440\u04cf\u0435.com", 1, "Cyrillic а in “аррӏе.com”, line 1", "host"),
        ("thanks @j\u043ehn.", 9, "Cyrillic о in “@jоhn”, line 1", "handle"),
        ("ask @josé", 6, "Non-ASCII é in the handle “@josé”, line 1", "handle"),
        ("@张三", 2, "Non-ASCII 张 in the handle “@张三”, line 1", "handle"),
        (
            "https://XN--80ak6aa92e.com/",
            9,
            "Punycode host “XN--80ak6aa92e.com” reads “аррӏе.com”, line 1",
            "punycode",
        ),
        ("xn--\u00e9 is no host", 1, "Punycode host “xn--é”, line 1", "punycode"),
        ("a" + " " * 40 + "b", 2, "40 spaces in a row, line 1", "spaces"),
        ("a" + "\u3000" * 50 + "b", 2, "50 spaces in a row, line 1", "spaces"),
        ("a" + "\t" * 9 + " " * 4 + "b", 2, "9 tabs and 4 spaces in a row, line 1", "spaces"),
        ("\t" * 10 + "b", 1, "10 tabs in a row, line 1", "spaces"),
    ],
)
def test_deceptions_are_named(text: str, column: int, sentence: str | None, kind: str) -> None:
    (found,) = warnings(text)
    assert (found.line, found.column, found.kind) == (1, column, kind)
    assert sentence in (None, found.sentence)


@pytest.mark.parametrize(
    "text",
    [
        "5 µm, 5 μm, 10 kΩ, Δt, 2πr, λmax, σx, β-test, αs",
        "IT-отдел, GitHub и Москва",
        "Slackで承認、API를 사용, 访问google.com看看",
        "见https://example.com。谢谢，联系bob@example.com吧",
        "@bob吧",
        "__Привет__ hello, user_имя",
        "https://example.com/путь?q=é and [x](https://example.com/é)",
        "résumé.pdf, naïve café",
        "a" + " " * 39 + "b",
        "\t" * 9 + "deep code",
        "xn- and xn--",
        "@property\ndef f(self): ...",
    ],
)
def test_honest_mixtures_are_not_flagged(text: str) -> None:
    assert warnings(text) == []


def test_a_warning_counts_lines_by_every_line_end() -> None:
    text = "one\r\ntwo\rthree\n\x0c\u2028four\n  p\u0430y"
    assert [(found.line, found.column) for found in warnings(text)] == [(5, 3)]


def test_one_place_is_reported_once_and_in_order() -> None:
    text = "@p\u0430y at https://bob@p\u0430y.com" + " " * 60 + "g\u03bfogle"
    assert [found.kind for found in warnings(text)] == ["handle", "host", "spaces", "mixed-script"]


def test_a_sentence_shows_what_is_hidden_in_the_name() -> None:
    (found,) = warnings("https://exa\u202emple.com")
    assert found.sentence.isprintable()
    assert "⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧" in found.sentence


def test_a_long_name_is_cut_in_the_sentence() -> None:
    (found,) = warnings("https://" + "é" * 300)
    assert found.sentence.endswith("é…”, line 1")
    assert len(found.sentence) < 120


def test_the_screen_gets_flags_as_marks_that_are_not_counted_as_hidden() -> None:
    shown = visible("a\u200bb p\u0430y" + " " * 50 + "c")
    assert kinds(shown) == ["hidden", "lookalike", "spaces"]
    assert [shown.text[mark.start : mark.end] for mark in shown.marks] == [
        "⟦U+200B ZERO WIDTH SPACE⟧",
        "p\u0430y",
        " " * 50,
    ]
    assert shown.marks[1].label == "Cyrillic а in “pаy”"
    assert shown.hidden == 1


# --- fields


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\r", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff"])
def test_a_field_refuses_and_names_the_first_character(char: str) -> None:
    label = visible_line(char).strip("⟦⟧")
    for allow_newlines in (False, True):
        assert refused_in_field(f"é/{char}\x07", allow_newlines=allow_newlines) == (
            f"character 3 is {label}, which is not allowed here: remove it"
        )


def test_a_field_refuses_bytes_that_are_not_utf8() -> None:
    path = b"caf\xe9".decode("utf-8", "surrogateescape")
    assert refused_in_field(path) == ("character 4 is byte 0xE9, which is not allowed here: remove it")


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\r\nb"])
def test_newline_and_tab_pass_only_where_they_are_allowed(text: str) -> None:
    assert refused_in_field(text, allow_newlines=True) is None
    assert refused_in_field(text) is not None


@pytest.mark.parametrize("text", ["", "--stdin", "img/lancement été.png", "草稿/一.md", "🚀 ❤\ufe0f"])
def test_ordinary_fields_pass(text: str) -> None:
    assert refused_in_field(text) is None


# --- widths

WIDTHS = {
    "": 0,
    "abc": 3,
    "é": 1,
    "e\u0301": 1,
    "漢字": 4,
    "ｱ": 1,
    "Ａ": 2,
    "한": 2,
    "\u1112\u1161\u11ab": 2,
    "ก็": 1,
    "का": 2,
    "…": 1,
    "⟦U+001B ESCAPE⟧": 15,
    "📋": 2,
    "❤": 1,
    "🇫🇷🇩🇪": 4,
    "👍🏽": 2,
    "☝🏽": 2,
    "🏽": 2,
    "x🏽": 3,
    **dict.fromkeys(SEQUENCES.values(), 2),
    "😀\u200d😀": 4,
    "\u0301": 0,
}


@pytest.mark.parametrize(("text", "cells"), WIDTHS.items())
def test_width_in_cells(text: str, cells: int) -> None:
    assert cell_width(text) == cells
    assert cell_width(f"a{text}b") == cells + 2


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("revise to 37 scenes and map", 19, "revise to 37 scene…"),
        ("exactly", 7, "exactly"),
        ("exactly", 6, "exact…"),
        ("exactly", 1, "…"),
        ("exactly", 0, ""),
        ("exactly", -1, ""),
        ("", 0, ""),
        ("漢字漢字", 8, "漢字漢字"),
        ("漢字漢字", 7, "漢字漢…"),
        ("漢字漢字", 6, "漢字…"),
        ("漢字", 2, "…"),
        ("cafe\u0301 bar", 5, "cafe\u0301…"),
        ("cafe\u0301 bar", 4, "caf…"),
        ("cafe\u0301", 4, "cafe\u0301"),
        ("🇫🇷🇩🇪🇮🇹", 5, "🇫🇷🇩🇪…"),
        ("🇫🇷🇩🇪🇮🇹", 4, "🇫🇷…"),
        ("a👩🏽\u200d💻b", 3, "a…"),
        ("a👩🏽\u200d💻bc", 4, "a👩🏽\u200d💻…"),
        ("1\ufe0f\u20e3 one", 2, "…"),
        ("कि कि", 3, "कि…"),
        ("கி கி", 2, "…"),
    ],
)
def test_cut_keeps_whole_characters(text: str, cells: int, expected: str) -> None:
    assert cut(text, cells) == expected


def test_the_task_of_the_boot_line_is_cut_to_forty_cells() -> None:
    task = "revise to 37 scenes and map it to the new outline"
    assert cut(task, 40) == "revise to 37 scenes and map it to the n…"
    assert cell_width(cut("今天早上我们看了三份草稿其中一份被批准了所以可以发布", 40)) == 39


# --- every class that the gate names ("What you see is what you approve")

CF = [code for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]
NAMED = {
    "C0 but newline and tab": [code for code in range(0x20) if code not in (0x09, 0x0A)],
    "DEL": [0x7F],
    "C1": [*range(0x80, 0xA0)],
    "line and paragraph separators, next line": [0x2028, 0x2029, 0x0085],
    "the twelve bidi controls": BIDI,
    "tag characters": TAGS,
    "unassigned": [0x0378, 0x2FE0, 0xFFF8, 0x1FFFD, 0x50000, 0xDFFFD, 0xE0FFD],
    "private use": [0xE000, 0xF8FF, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD],
    "variation selectors": [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)],
    "invisible and yet not Cf": [0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x17B5, 0x2800],
    "every Cf": CF,
}


def name_of(code: int) -> str:
    return f"U+{code:04X}"


@pytest.mark.parametrize("codes", NAMED.values(), ids=NAMED.keys())
def test_every_named_code_point_is_shown_in_a_body_counted_and_refused_in_a_field(codes: list[int]) -> None:
    for code in codes:
        shown = visible(f"pay{chr(code)}pal")
        assert shown.text.startswith(f"pay⟦{name_of(code)} "), name_of(code)
        assert shown.text.endswith("⟧pal")
        assert shown.hidden == 1, name_of(code)
        assert chr(code) not in shown.text
        for newlines in (False, True):
            said = refused_in_field(f"pay{chr(code)}pal", allow_newlines=newlines)
            assert said is not None, name_of(code)
            assert said.startswith(f"character 4 is {name_of(code)} ")
    assert visible("-".join(map(chr, codes))).hidden == len(codes) - (codes[0] == 0xFEFF)


def test_there_are_as_many_format_characters_as_unicode_has() -> None:
    assert {0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0xFEFF, 0xFFF9, *BIDI, *TAGS} <= set(CF)
    assert len(CF) > 150


@pytest.mark.parametrize("data", [b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x80"])
def test_bytes_that_are_no_utf8_are_shown_counted_and_refused(data: bytes) -> None:
    shown = visible(b"pay" + data + b"pal")
    assert shown.text == "pay" + "".join(f"⟦byte 0x{byte:02X}⟧" for byte in data) + "pal"
    assert shown.hidden == len(data)
    said = refused_in_field((b"pay" + data).decode("utf-8", "surrogateescape"))
    assert said == f"character 4 is byte 0x{data[0]:02X}, which is not allowed here: remove it"


# --- secrets

PASSWORD = "hunter2-and-more"


def test_a_secret_is_masked_where_text_is_made_visible_and_told() -> None:
    line = f"the password: {PASSWORD}, twice {PASSWORD}"
    shown = f"the password: …(16 characters), twice {PASSWORD}"
    assert visible_line(line) == masked(line) == shown
    with Looking() as look:
        found = visible(f"\x1b {line}\r\n{line}\n")
        assert (look.masked, look.secrets) == (1, {PASSWORD})
    assert found.text == f"⟦U+001B ESCAPE⟧ {shown}\n{shown}\n"
    assert found.hidden == 1
    assert [(mark.kind, found.text[mark.start : mark.end], mark.was) for mark in found.marks] == [
        ("control", "⟦U+001B ESCAPE⟧", 1), ("secret", "…(16 characters)", 16), ("secret", "…(16 characters)", 16),
    ]  # fmt: skip
    assert found.marks[1].label == "a value for “password”"


def test_it_is_shown_as_it_stands_while_that_is_asked_for_and_for_what_is_typed() -> None:
    line = f"password: {PASSWORD}"
    with Looking(reveal=True) as look:
        assert visible(line).text == visible_line(line) == masked(line) == line
        with Looking():
            assert visible_line(line) == line
        with Looking(reveal=False):
            assert PASSWORD not in visible_line(line)
    assert (look.masked, look.secrets) == (0, {PASSWORD})
    assert PASSWORD not in visible_line(line)
    assert written_out(f"{line}\t") == f"{line}⟦U+0009 CHARACTER TABULATION⟧"


def test_one_inside_another_tells_it_what_it_met() -> None:
    with Looking() as look:
        with Looking():
            visible_line(f"password: {PASSWORD}")
        assert look.secrets == {PASSWORD}


def test_the_lines_of_a_key_are_known_where_they_are_shown_one_by_one() -> None:
    head = "-----BEGIN " + "EC PRIVATE KEY-----"
    lines = ["MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY", "oAoGCCqGSM49AwEHoUQD", "qQ=="]
    text = "\n".join(["# Log", head, *lines, "-----END " + "EC PRIVATE KEY-----", "an end"])
    alone = [f"+ {number:>4} {line}  (no line end)" for number, line in enumerate(lines, start=3)]
    assert [visible_line(line) for line in alone] == alone, "one of them alone tells nothing"
    with Looking(of=("", text)) as look:
        assert [visible_line(line) for line in alone] == [
            "+    3 …(49 characters)  (no line end)", "+    4 …(20 characters)  (no line end)",
            "+    5 …(4 characters)  (no line end)",
        ]  # fmt: skip
        assert masked(f"|{lines[0]}|") == "|…(49 characters)|"
        assert visible_line(f"a{lines[2]} # Log") == f"a{lines[2]} # Log", "a short one is a word of its own"
        with Looking(of=("other",)):
            assert lines[1] not in visible_line(lines[1])
        assert look.secrets == set(lines)
    with Looking(reveal=True, of=(text,)):
        assert visible_line(alone[0]) == alone[0]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("hunter2\u200band-more", "…(7 characters)⟦U+200B ZERO WIDTH SPACE⟧…(8 characters)"),
        ("Fluffy2019\u200b", "…(10 characters)⟦U+200B ZERO WIDTH SPACE⟧"),
        ("\u200bFluffy2019", "⟦U+200B ZERO WIDTH SPACE⟧…(10 characters)"),
        ("\x1bFluffy\u202e\u202e2019\udcff", "⟦U+001B ESCAPE⟧…(6 characters)" + "⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧" * 2
         + "…(4 characters)⟦byte 0xFF⟧"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_in_a_secret_is_written_out_between_what_is_masked(value: str, shown: str) -> None:
    with Looking() as look:
        found = visible(f"password: {value}")
        assert (look.masked, look.secrets) == (1, {value})
    assert found.text == visible_line(f"password: {value}") == f"password: {shown}"
    assert visible_line(found.text) == found.text
    assert "".join(found.text[mark.start : mark.end] for mark in found.marks) == shown
    assert sum(mark.was for mark in found.marks) == len(value)
    with Looking(reveal=True):
        assert "Fluffy" not in value or "Fluffy" in visible_line(f"password: {value}")


def test_a_log_keeps_its_lines() -> None:
    text = "".join(f"- 09:1{n % 10} token = k7Qw9Zx2Lm4Pv8Rt{n}\n" for n in range(50))
    shown = visible(text).text
    assert len(shown.split("\n")) == len(text.split("\n"))
    assert "k7Qw" not in shown
