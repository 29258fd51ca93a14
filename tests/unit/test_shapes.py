"""The forms that are the same for every state file: stamps, labels, sections, "nothing here"."""

import pytest

from dory_tui.workspace import shapes
from dory_tui.workspace.document import Line, parse


def line(text: str) -> Line:
    return Line(1, 0, 0, 0, text, "", text)


def sections(text: str) -> list[tuple[int, str, tuple[str, ...], int]]:
    """Level, title, path and number of lines of each section."""
    return [(s.level, s.title, s.path, len(s.lines)) for s in shapes.sections(parse("x.md", text.encode()))]


# --- stamps


@pytest.mark.parametrize(
    ("text", "day", "time", "session", "words"),
    [
        ("[2026-02-05 10:00 | main] X — y", "2026-02-05", "10:00", "main", "X — y"),
        ("[2026-02-05 9:05|main] X", "2026-02-05", "9:05", "main", "X"),
        ("[2026-02-05 10:00] X", "2026-02-05", "10:00", None, "X"),
        ("[2026-02-05] X", "2026-02-05", None, None, "X"),
        ("[2026-02-05 | main] X", "2026-02-05", None, "main", "X"),
        ("[2026-02-05 10:00 |] X", "2026-02-05", "10:00", None, "X"),
        ("[2026-02-05 19:50:13 UTC] X", "2026-02-05", "19:50", None, "X"),
        ("[2026-02-05T10:00:00.123456+00:00] X", "2026-02-05", "10:00", None, "X"),
        ("[2026-02-05 10：00 | main] X", "2026-02-05", "10:00", "main", "X"),
        ("[ 2026-02-05  10:00 |  a b ]X", "2026-02-05", "10:00", "a b", "X"),
        ("2026-02-05 — X", "2026-02-05", None, None, "X"),
        ("2026-02-05 - X", "2026-02-05", None, None, "X"),
        ("2026-02-05 10:00: X", "2026-02-05", "10:00", None, "X"),
        ("**2026-02-05** – X", "2026-02-05", None, None, "X"),
        ("2026-02-05 | a | b", "2026-02-05", None, None, "a | b"),
    ],
)
def test_stamps(text: str, day: str, time: str | None, session: str | None, words: str) -> None:
    found = shapes.stamp(line(text))
    assert found is not None
    assert (found.day, found.time, found.session, found.text) == (day, time, session, words)
    assert found.canonical == text.startswith("[")


@pytest.mark.parametrize("mark", ["- ", "* ", "+ ", "• ", "1. ", "12) ", "> ", "> > ", "> - ", "  - [ ] ", "\t"])
def test_a_stamp_is_found_behind_marks_and_its_words_are_the_same(mark: str) -> None:
    plain = "[2026-02-05 10:00 | main] X — y"
    found = shapes.stamp(line(mark + plain))
    assert found is not None
    assert found.source == plain


@pytest.mark.parametrize(
    "text",
    [
        "[YYYY-MM-DD HH:MM | session] Item — reason",
        "[2026-02-05 10:00 | main]",
        "[2026-02-05 10:00 | main",
        "[2026-2-5] X",
        "On [2026-02-05] X",
        "2026-02-05",
        "2026-02-05 X",
        "## 2026-02-05 — X",
        "| 2026-02-05 | X |",
        "~~[2026-02-05 10:00 | main] X~~",
        "- ~~2026-02-05 — X~~ done",
        "",
    ],
)
def test_what_is_no_stamp(text: str) -> None:
    assert shapes.stamp(line(text)) is None


@pytest.mark.parametrize("words", ["Item — reason", "[Item Name] — [reason]", "{{item}} — {{reason}}", "<item>"])
def test_a_format_line_with_a_date_is_unfilled(words: str) -> None:
    found = shapes.stamp(line(f"[2026-02-05 10:00 | session] {words}"))
    assert found is not None
    assert shapes.unfilled(found)


@pytest.mark.parametrize("words", ["Items 2-7 — reason", "HH:MM clock — no", "[Item 3](x.md) — no", "Ship {{x}} — no"])
def test_a_slot_in_the_words_of_a_stamp_leaves_it_filled(words: str) -> None:
    found = shapes.stamp(line(f"[2026-02-05 10:00 | main] {words}"))
    assert found is not None
    assert not shapes.unfilled(found)


# --- lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**Status:** pending", ("status", "pending")),
        ("**Status**: x", ("status", "x")),
        ("**Status** : x", ("status", "x")),
        ("**Status：** x", ("status", "x")),
        ("**状态**：待发布", ("状态", "待发布")),
        ("- **Risk:** low  ", ("risk", "low")),
        ("**User Said:**", ("user said", "")),
        ("**Note:** a: b **c**", ("note", "a: b **c**")),
        ("**Location:**\tstate/drafts/a.md", ("location", "state/drafts/a.md")),
        ("Status: pending", None),
        ("*Status:* pending", None),
        ("**Just bold** text", None),
        ("text **Status:** x", None),
        (f"**{'a' * 41}:** x", None),
    ],
)
def test_labels(text: str, found: tuple[str, str] | None) -> None:
    assert shapes.label(line(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "[none]",
        "[None]",
        "(none)",
        "_none_",
        "*None yet.*",
        "_None currently._",
        "- None",
        "- [none]",
        "> [none]",
        "`none`",
        "[none yet]",
        "[waiting for task]",
        "(nothing waiting)",
        "No drafts.",
        "nothing",
        "N/A",
        "null",
        "—",
        "-",
        "- ",
        "* ",
        "1. ",
        "（none）",
        "((none))",
        "EMPTY!",
    ],
)
def test_nothing_here(text: str) -> None:
    assert shapes.is_nothing(text)


@pytest.mark.parametrize("text", ["", "  ", "none of this may ship", "[none", "no deploys", "nothing ships today", "0"])
def test_what_is_not_nothing(text: str) -> None:
    assert not shapes.is_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "[YYYY-MM-DD HH:MM | session] Item — reason",
        "- [YYYY-MM-DD] Item",
        "YYYY-MM-DD: item",
        "[Item Name]",
        "- [Task description] — why",
        "**Created:** YYYY-MM-DD",
        "**Name:** [name]",
        "Since: <date>",
        "<timestamp> — type",
        "{{date}}",
        "| [Item] | YYYY-MM-DD |",
        "*[timestamp]*",
    ],
)
def test_slots_of_a_template(text: str) -> None:
    assert shapes.is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "The roll-out of {{name}} is off",
        "Dates stay YYYY-MM-DD until Ana says so",
        "Blocked on the HH:MM clock",
        "[Item 3](notes.md) is blocked",
        "<b>bold</b>",
        "",
    ],
)
def test_a_slot_that_people_write_about_is_no_placeholder(text: str) -> None:
    assert not shapes.is_placeholder(text)


@pytest.mark.parametrize(
    ("text", "slot"), [(" [Task] ", True), ("{{words}}", True), ("[Task] one", False), ("x", False)]
)
def test_a_text_that_is_one_slot(text: str, slot: bool) -> None:
    assert shapes.is_slot(text) is slot


@pytest.mark.parametrize("text", ["---", "***", "___", "- - -", " * * *", "-----  ", "====="])
def test_rules(text: str) -> None:
    assert shapes.is_rule(text)


@pytest.mark.parametrize("text", ["--", "-- -x", "- a", "    ---", "", "**bold**"])
def test_no_rules(text: str) -> None:
    assert not shapes.is_rule(text)


@pytest.mark.parametrize(
    ("text", "italic"),
    [
        ("*Updated: 2026*", True),
        ("_a b_", True),
        ("  *a*  ", True),
        ("**bold**", False),
        ("*a* and b", False),
        ("__a__", False),
        ("* a*", True),
        ("*a", False),
    ],
)
def test_italic_lines(text: str, italic: bool) -> None:
    assert shapes.is_italic(text) is italic


@pytest.mark.parametrize(
    ("text", "struck"),
    [("~~a~~", True), ("- ~~a~~", True), ("- ~~ghost mode~~ — landed", True), ("a ~~b~~", False), ("~~a", False)],
)
def test_struck_lines(text: str, struck: bool) -> None:
    assert shapes.struck(text) is struck


# --- sections and blocks


def test_sections_are_cut_at_headings_and_know_what_they_stand_in() -> None:
    text = "intro\n# HOLD.md\n\n## Currently Blocked\na\n### Web\nb\n## Résolved ✅\nc\n# End"
    assert sections(text) == [
        (0, "", (), 1),
        (1, "HOLD.md", ("hold md",), 1),
        (2, "Currently Blocked", ("hold md", "currently blocked"), 1),
        (3, "Web", ("hold md", "currently blocked", "web"), 1),
        (2, "Résolved ✅", ("hold md", "résolved"), 1),
        (1, "End", ("end",), 0),
    ]


def test_a_skipped_level_stands_in_the_one_above() -> None:
    assert [path for _, _, path, _ in sections("# A\n### B\n## C\n")] == [("a",), ("a", "b"), ("a", "c")]


def test_headings_in_fences_and_comments_cut_nothing() -> None:
    assert [title for _, title, _, _ in sections("# A\n```\n# b\n```\n<!--\n# c\n-->\n")] == ["A"]


def test_a_section_is_under_its_own_title_and_those_around_it() -> None:
    found = shapes.sections(parse("x.md", b"# A\n## Format\n### B\n## C\n"))
    assert [s.under(shapes.EXAMPLE_TITLES) for s in found] == [False, True, True, False]


def test_blocks_are_cut_at_blank_lines_and_rules() -> None:
    document = parse("x.md", b"a\nb\n\n \nc\n---\nd\n```\ne\n```\nf\n")
    found = [[ln.text for ln in run] for run in shapes.blocks(document.lines)]
    assert found == [["a", "b"], ["c"], ["d"], ["f"]]
