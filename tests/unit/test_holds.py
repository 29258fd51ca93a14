"""HOLD.md errs towards holding: a hold is found wherever it stands, and what fits no form holds everything."""

import hashlib
from datetime import datetime

import pytest

from dory_tui.workspace.document import decode, parse
from dory_tui.workspace.entries import Reading
from dory_tui.workspace.holds import Hold, count, hold_hash, hold_problems, holds, restore_hold, unreadable_holds
from dory_tui.workspace.templates import files

LINE = "[2026-02-05 10:00 | main] X thread tweets 2-7 — awaiting explicit approval"
HEAD = "# HOLD.md — Blocked Items\n\n> Check before acting on anything.\n\n"
FORMAT = "## Format\n\n```\n[YYYY-MM-DD HH:MM | session] Item — reason blocked\n```\n\n"
LIVE = "## Currently Blocked\n\n"


def at(stamp: str) -> datetime:
    """A time as the files write it, in no zone."""
    return datetime.fromisoformat(stamp)


def reading(text: str | bytes) -> Reading[Hold]:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    document = parse("state/HOLD.md", data)
    found = holds(document)
    return Reading(document, tuple(found), hold_problems(document, found))


def found(text: str | bytes) -> list[tuple[str, str]]:
    """Kind and subject of each hold."""
    return [(hold.kind, hold.subject) for hold in reading(text).entries]


def blocked(text: str) -> list[tuple[str, str]]:
    """The same for what stands in the live section of a file that is otherwise the template."""
    return found(HEAD + FORMAT + LIVE + text)


HELD = [("stamp", "X thread tweets 2-7")]


# --- where a stamp line is found


PLACES = {
    "plain": LINE,
    "after a bullet": f"- {LINE}",
    "after a star": f"* {LINE}",
    "after a number": f"3. {LINE}",
    "in an open box": f"- [ ] {LINE}",
    "in a quote": f"> {LINE}",
    "in a bullet in a quote": f"> - {LINE}",
    "indented": f"   {LINE}",
    "above a rule": f"{LINE}\n---\n",
    "above a setext underline": f"{LINE}\n===\n",
    "below a rule": f"---\n{LINE}\n",
    "without a final newline": LINE,
    "as a bullet's continuation": f"- [none]\n  {LINE}\n",
    "after CRLF": f"[none]\r\n\r\n{LINE}\r\n",
    "after a lone CR": f"[none]\r\r{LINE}\r",
    "after a form feed's line": f"[none]\n\x0c\n{LINE}\n",
    "after a closed comment": f"<!-- none -->\n{LINE}\n",
    "beside a closed comment": f"{LINE} <!-- since Monday -->\n",
    "between two comments": f"<!-- a -->\n{LINE}\n<!-- b -->\n",
    "after an unclosed comment": f"[none]\n\n<!-- to do\n{LINE}\n",
    "after a comment as short as can be": f"<!-->\n{LINE}\n-->\n",
}


@pytest.mark.parametrize("place", sorted(PLACES))
def test_a_stamp_line_holds_wherever_it_stands(place: str) -> None:
    stamps = [item for item in blocked(PLACES[place]) if item[0] == "stamp"]
    assert [kind for kind, _ in stamps] == ["stamp"]
    assert stamps[0][1] == "X thread tweets 2-7"


@pytest.mark.parametrize("place", sorted(PLACES))
def test_the_hash_is_of_the_words_alone(place: str) -> None:
    hashes = [h.hash for h in reading(HEAD + LIVE + PLACES[place]).entries if h.kind == "stamp"]
    assert hashes == [hashlib.sha256(LINE.encode()).hexdigest()]


def test_a_stamp_line_below_text_holds_and_the_text_holds_everything() -> None:
    assert blocked(f"Waiting for Ana.\n{LINE}\n") == [("text", "Waiting for Ana."), *HELD]


def test_a_stamp_line_is_found_in_a_file_of_its_own() -> None:
    assert found(LINE) == HELD
    assert found(LINE.encode().join([b"\xef\xbb\xbf", b"\r\n"])) == HELD


def test_a_stamp_line_in_the_introduction_holds() -> None:
    assert found(f"# HOLD.md\n{LINE}\n\n{LIVE}[none]\n") == HELD
    assert found(f"{LINE}\n# HOLD.md\n\n{LIVE}[none]\n") == HELD


def test_a_stamp_line_under_an_example_heading_but_outside_its_fence_holds() -> None:
    """workspace.md: entries under an "example" heading are not counted, machine-stamped ones are."""
    assert found(f"{HEAD}## Example\n\n{LINE}\n\nAnd so on.\n\n{LIVE}[none]\n") == HELD


@pytest.mark.parametrize("front", [f"---\n{LINE}\n---\n", f"---\n\n- {LINE}\n\n---\n", f"---\na: b\n{LINE}\n...\n"])
def test_a_stamp_line_between_rules_at_the_top_holds(front: str) -> None:
    """Two rules at the top are front matter to a parser; to the person who wrote them, a frame."""
    assert found(front + LIVE + "[none]\n") == HELD


def test_front_matter_with_dates_holds_nothing() -> None:
    assert found(f"---\nupdated: 2026-02-05 10:00\nby: [2026-02-05] Ana\n---\n{LIVE}[none]\n") == []


@pytest.mark.parametrize("opener", ["```", "~~~~", "- ```sh"])
def test_an_unclosed_fence_hides_no_hold_and_is_reported(opener: str) -> None:
    result = reading(f"{HEAD}## Format\n\n{opener}\n[YYYY-MM-DD HH:MM | session] Item\n\n{LIVE}{LINE}\n")
    assert [(h.kind, h.subject) for h in result.entries] == HELD
    assert [(p.line, p.sentence) for p in result.text] == [(7, "a code fence opens here and is never closed")]


def test_bytes_that_are_no_utf_8_keep_their_hash() -> None:
    data = LIVE.encode() + b"[2026-02-05 10:00 | main] X \xff\xfe \xe6\xbc\xa2 \x00\n"
    (hold,) = reading(data).entries
    assert hold.hash == hashlib.sha256(b"[2026-02-05 10:00 | main] X \xff\xfe \xe6\xbc\xa2 \x00").hexdigest()
    assert hold.text == decode(b"[2026-02-05 10:00 | main] X \xff\xfe \xe6\xbc\xa2 \x00")


# --- what is not counted


def test_the_template_holds_nothing() -> None:
    templates = dict(files())
    assert reading(templates["state/HOLD.md"]).entries == ()
    assert reading(templates["state/HOLD.md"]).text == ()


@pytest.mark.parametrize(
    "text",
    [
        "[YYYY-MM-DD HH:MM | session] Item — reason\n",
        "- [YYYY-MM-DD HH:MM | session] Item — reason\n",
        "[2026-02-05 HH:MM | session] Item — reason\n",
        "[2026-02-05 10:00 | session] [Item Name] — [reason]\n",
    ],
)
def test_the_placeholder_is_no_hold(text: str) -> None:
    assert blocked(text) == []


@pytest.mark.parametrize(
    "words", ["HH:MM clock — wait for Ana", "[name] field — wait", "Roll-out of {{name}} — wait", "Item 7 — wait"]
)
def test_a_hold_about_a_placeholder_is_one(words: str) -> None:
    assert blocked(f"[2026-02-05 10:00 | main] {words}\n") == [("stamp", words.partition(" — ")[0])]


@pytest.mark.parametrize("fence", ["```", "~~~", "  ````"])
def test_a_closed_format_fence_holds_nothing(fence: str) -> None:
    assert found(f"{HEAD}## Format\n\n{fence}\n{LINE}\nsome words\n{fence}\n\n{LIVE}[none]\n") == []


@pytest.mark.parametrize(
    "comment", [f"<!-- {LINE} -->\n", f"<!--\n{LINE}\n-->\n", f"<!-- a\n{LINE} -->\n", f"<!--\n\n- {LINE}\n\nb -->\n"]
)
def test_a_comment_holds_nothing(comment: str) -> None:
    assert blocked(f"{comment}\n[none]\n") == []


@pytest.mark.parametrize("title", ["Resolved", "Cleared", "✅ Done", "Recently resolved", "Resolved Blockers"])
@pytest.mark.parametrize("text", [f"{LINE}\n", f"- {LINE}\n", "Ana said yes.\n", f"### Web\n\n{LINE}\n\nText.\n"])
def test_resolved_sections_do_not_count(title: str, text: str) -> None:
    assert blocked(f"[none]\n\n## {title}\n\n{text}") == []


@pytest.mark.parametrize("text", [f"~~{LINE}~~\n", f"- ~~{LINE}~~\n", "- ~~ghost mode~~ — landed\n"])
def test_struck_lines_do_not_count(text: str) -> None:
    assert blocked(text) == []


@pytest.mark.parametrize("nothing", ["[none]", "(none)", "_None currently._", "- None", "None yet.", "—", "-", "- "])
def test_nothing_here_holds_nothing(nothing: str) -> None:
    assert blocked(f"{nothing}\n") == []
    assert blocked(f"## Waiting on Ana\n\n{nothing}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "> Items here wait for a person.\n",
        "*Nothing goes out without a yes.*\n",
        "[none]\n\n---\n*Updated: [timestamp]*\n",
        "[none]\n\n---\n\n_Last updated 2026-02-05 by Pip_\n",
        "**Since:** YYYY-MM-DD\n",
    ],
)
def test_introductions_italics_and_footers_hold_nothing(text: str) -> None:
    assert blocked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"# HOLD.md\n\nRead this first.\nIt beats every plan.\n\n{LIVE}[none]\n",
        f"Read this first.\n\n{LIVE}[none]\n",
        f"---\nkind: state\n---\n# HOLD.md\n\nRead this first.\n\n{LIVE}[none]\n",
        f"<!-- made by init -->\n\n# HOLD.md\n\nRead this first.\n\n{LIVE}[none]\n",
        f"Read this.\n\n# HOLD.md\n\nAnd this.\n\n{LIVE}[none]\n",
        f"# HOLD\n\nRead this.\n\n```\nan example\n```\n\n{LIVE}[none]\n",
        "# blockers.md\n",
        "",
        "\n\n \n",
        "# HOLD.md\n\n## Format\n\nOne line each.\n\n- like this\n",
    ],
)
def test_text_before_the_first_section_holds_nothing(text: str) -> None:
    assert found(text) == []


# --- what holds everything


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The deploy waits for Ana.\n", "The deploy waits for Ana."),
        ("**Blocked on:** reviewer\n", "**Blocked on:** reviewer"),
        (f"**{LINE}**\n", f"**{LINE}**"),
        ("Roll-out of {{name}} waits\n", "Roll-out of {{name}} waits"),
        ("```\nid: 7\n```\n", "```"),
        ("[2026-02-05 10:00 | main]\n", "[2026-02-05 10:00 | main]"),
        ("## Messaging denied\n", "Messaging denied"),
        ("冻结所有发布。\n", "冻结所有发布。"),
    ],
)
def test_a_passage_that_fits_no_form_holds_everything(text: str, subject: str) -> None:
    result = reading(HEAD + FORMAT + LIVE + text)
    (hold,) = result.entries
    assert (hold.kind, hold.subject, hold.everything) == ("text", subject, True)
    assert [(p.path, p.line) for p in result.text] == [("state/HOLD.md", hold.line)]
    assert result.text[0].sentence == "this fits no form dory knows, so it holds everything until you mark it"


@pytest.mark.parametrize(
    ("text", "subject", "everything"),
    [
        ("- X thread tweets 2-7 — awaiting a yes\n", "X thread tweets 2-7", False),
        ("- nothing goes out this week\n", "nothing goes out this week", True),
        ("* no posts before Friday\n", "no posts before Friday", True),
        ("- 冻结所有发布\n", "冻结所有发布", True),
        ("- [ ] deploy of the shop\n", "deploy of the shop", False),
        ("1. Vendor form\n   it is not signed\n", "Vendor form", False),
        ("| # | what | who |\n|---|---|---|\n| 1 | Scope undefined | Ana |\n", "Scope undefined", False),
        ("### T4 — widget build stopped\n\nThe mill is shut.\n", "T4", False),
        ("### [BLOCKER-007] Vendor form\n\n**Raised**: 2026-01-05\n", "[BLOCKER-007] Vendor form", False),
        ("### Mail\n\n- **Status:** blocked\n- **Owner:** Ana\n", "Mail", False),
    ],
)
def test_an_entry_of_another_shape_is_a_hold_with_its_subject(text: str, subject: str, everything: bool) -> None:
    (hold,) = reading(HEAD + FORMAT + LIVE + text).entries
    assert (hold.kind, hold.subject, hold.everything) == ("entry", subject, everything)


@pytest.mark.parametrize(
    "text",
    [
        "### T4 — widget build RESOLVED (2026-01-05)\n\nThe mill.\n",
        "### ✅ T4 — widget build\n\nThe mill.\n",
        "- [x] deploy of the shop\n",
        "- ✅ deploy of the shop\n",
        "### T4 — widget build\n\n**Status:** resolved\n",
        "### T4 — widget build\n\n**Resolved:** 2026-01-05\n",
        "| what | status |\n|---|---|\n| the shop | done |\n",
        "No items currently blocked.\n",
        "无阻塞项。\n",
        "| what | who |\n|---|---|\n| - | - |\n",
        "| what | who |\n|---|---|\n",
    ],
)
def test_what_the_file_says_is_over_does_not_hold(text: str) -> None:
    assert found(HEAD + LIVE + text) == []


@pytest.mark.parametrize(
    "words", ["No posts until Ana agrees.", "No deploys today.", "No tasks run today.", "Nothing leaves the house."]
)
def test_a_no_that_forbids_is_no_none(words: str) -> None:
    assert [(hold.everything) for hold in reading(HEAD + LIVE + words + "\n").entries] == [True]
    assert [(hold.everything) for hold in reading(f"{HEAD}{LIVE}- {words}\n").entries] == [True]


@pytest.mark.parametrize("title", ["Rules", "How to use", "Policy", "Boundaries"])
def test_a_line_that_forbids_holds_below_any_title(title: str) -> None:
    assert [
        hold.everything for hold in reading(f"{HEAD}## {title}\n\n- No posts before Friday\n\n{LIVE}[none]\n").entries
    ]
    assert [hold.everything for hold in reading(f"{HEAD}## {title}\n\nNothing goes out.\n\n{LIVE}[none]\n").entries]


def test_how_the_file_is_used_holds_nothing() -> None:
    text = "1. One line each.\n2. Never delete; mark resolved.\n"
    assert found(f"{HEAD}## Rules\n\n{text}\n{LIVE}[none]\n") == []
    assert found(f"{HEAD}## Policy\n\n{text}\n{LIVE}[none]\n") != []


def test_a_paragraph_beside_a_list_holds_everything_unless_it_leads_on_to_it() -> None:
    assert blocked("Waiting for Ana:\n\n- the shop\n") == [("entry", "the shop")]
    assert blocked("Ana is away.\n\n- the shop\n") == [("text", "Ana is away."), ("entry", "the shop")]


def test_a_file_without_any_entry_holds_everything_once_and_is_not_counted() -> None:
    verses = "I hold.\nYou hold.\n\nWe held on.\n\nHolding is all.\n\nAnd all is held.\n\n"
    poem = "# HOLD\n\n" + "".join(f"## Verse\n\n{verses}" for _ in range(4))
    (hold,) = reading(poem).entries
    assert (hold.kind, hold.everything, hold.counted) == ("text", True, False)
    assert count([hold]) is None


def test_the_hash_of_an_entry_is_of_its_first_words() -> None:
    """An update below the heading does not make it another hold."""
    (first,) = reading(f"{HEAD}{LIVE}### T4 — widget build\n\nThe mill.\n").entries
    (later,) = reading(f"{HEAD}{LIVE}### T4 — widget build\n\nThe mill. Still shut.\n").entries
    assert first.hash == later.hash == hold_hash("T4 — widget build")


def test_a_first_section_that_is_no_title_is_read_like_any_other() -> None:
    assert found(f"{LIVE}The site is frozen.\n\n## Resolved\n\nx\n") == [("text", "The site is frozen.")]
    assert found("# Blocked\n\nThe site is frozen.\n\n# Done\n\nx\n") == [("text", "The site is frozen.")]
    assert found("\n# Blocked\n\nThe site is frozen.\n\n# Done\n\nx\n") == [("text", "The site is frozen.")]
    assert found(f"{LIVE}The site is frozen.\n\n### Web\n\n[none]\n") == [("text", "The site is frozen.")]
    assert found("## Messaging denied\n") == [("text", "Messaging denied")]
    assert found("The site is frozen.\n") == [("text", "The site is frozen.")]


def test_a_list_in_the_introduction_holds() -> None:
    assert found(f"# HOLD.md\n\n- no posts this week\n\n{LIVE}[none]\n") == [("text", "no posts this week")]
    assert found(f"# HOLD.md\n\n| no posts | Ana |\n\n{LIVE}[none]\n") == [("entry", "no posts")]


def test_each_passage_is_a_hold_of_its_own_with_its_own_hash() -> None:
    first, second = reading(f"{HEAD}{LIVE}One.\nTwo.\n\nThree.\n").entries
    assert (first.text, second.text) == ("One.\nTwo.", "Three.")
    assert first.hash == hold_hash("One.\nTwo.")
    assert first.hash != second.hash


def test_a_heading_block_is_one_hold_with_its_words() -> None:
    (hold,) = reading(f"{HEAD}{LIVE}### T4\n\nThe mill.\n\nSince May.\n").entries
    assert hold.text == "### T4\n\nThe mill.\n\nSince May."


def test_the_hash_of_a_passage_does_not_change_with_line_ends_or_trailing_spaces() -> None:
    (plain,) = reading(f"{HEAD}{LIVE}One.\nTwo.\n").entries
    (windows,) = reading(f"{HEAD}{LIVE}One.  \r\nTwo.\r\n".replace("\n\n", "\r\n\r\n")).entries
    assert plain.hash == windows.hash


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}{LIVE}<<<<<<< HEAD\n[none]\n=======\n{LINE}\n>>>>>>> theirs\n",
        f"{HEAD}{LIVE}[none]\n>>>>>>> theirs\n",
        f"## Resolved\n<<<<<<< HEAD\n{LINE}\n",
    ],
)
def test_conflict_markers_hold_everything_once(text: str) -> None:
    (hold,) = reading(text).entries
    line = next(n for n, words in enumerate(text.splitlines(), 1) if words[:7] in ("<<<<<<<", ">>>>>>>"))
    assert (hold.kind, hold.everything, hold.line) == ("file", True, line)
    assert hold.text == "HOLD.md has merge conflict markers"


def test_an_unreadable_file_is_a_hold_over_everything() -> None:
    hold = unreadable_holds("HOLD.md cannot be read (Permission denied)")
    assert (hold.kind, hold.everything, hold.present) == ("file", True, True)
    assert hold.hash == hold_hash("HOLD.md cannot be read (Permission denied)")


# --- what a hold says


def test_the_parts_of_a_stamp_hold() -> None:
    (hold,) = reading(LINE).entries
    assert hold == Hold(
        "stamp", hold_hash(LINE), LINE, "X thread tweets 2-7", "awaiting explicit approval",
        at("2026-02-05 10:00"), "main", 1, (0, len(LINE.encode())),
    )  # fmt: skip
    assert hold.handle == hold_hash(LINE)[:8]
    assert not hold.everything
    assert hold.present


@pytest.mark.parametrize(
    ("words", "subject", "reason"),
    [
        ("X — y", "X", "y"),
        ("X - y — z", "X - y", "z"),
        ("X — y — z", "X", "y — z"),
        ("X - y", "X", "y"),
        ("X – y", "X", "y"),
        ("X -- y", "X", "y"),
        ("tweets 2-7", "tweets 2-7", ""),
        ("X —y", "X —y", ""),
    ],
)
def test_the_canonical_dash_parts_subject_and_reason(words: str, subject: str, reason: str) -> None:
    (hold,) = reading(f"[2026-02-05 10:00 | main] {words}").entries
    assert (hold.subject, hold.reason) == (subject, reason)


def test_a_day_that_does_not_exist_still_holds() -> None:
    (hold,) = reading("[2026-02-31 25:00 | main] X — y").entries
    assert (hold.kind, hold.when) == ("stamp", None)


def test_a_hold_takes_the_lines_that_continue_it() -> None:
    text = f"{LIVE}- {LINE}\n  - since Monday\n  Ana knows.\n- [2026-02-06] Y\n\nZ.\n"
    first, second, third = reading(text).entries
    data = text.encode()
    assert data[slice(*first.span)].decode() == f"- {LINE}\n  - since Monday\n  Ana knows.\n"
    assert data[slice(*second.span)] == b"- [2026-02-06] Y\n"
    assert (third.kind, data[slice(*third.span)]) == ("text", b"Z.\n")


@pytest.mark.parametrize("below", ["> a quote\n", "- a bullet\n", "---\n", "\n", f"{LINE}\n", "## A heading\n"])
def test_a_hold_ends_where_something_else_begins(below: str) -> None:
    text = f"{LIVE}{LINE}\nand more\n{below}"
    first = reading(text).entries[0]
    assert text.encode()[slice(*first.span)].decode() == f"{LINE}\nand more\n"


def test_the_span_of_the_last_hold_ends_with_the_file() -> None:
    text = f"{LIVE}{LINE}\r\nand more"
    (hold,) = reading(text).entries
    assert text.encode()[slice(*hold.span)].decode() == f"{LINE}\r\nand more"


def test_holds_come_in_the_order_of_the_file() -> None:
    text = f"---\n[2026-01-01] a\n---\n# H\n[2026-01-02] b\n{LIVE}c\n\n[2026-01-03] d\n## e\nf\n"
    assert [(h.line, h.subject) for h in holds(parse("state/HOLD.md", text.encode()))] == [
        (2, "a"), (5, "b"), (8, "c"), (10, "d"), (11, "e"),
    ]  # fmt: skip


@pytest.mark.parametrize("source", [LINE, "One.\nTwo.", "no stamp", "HOLD.md has merge conflict markers"])
def test_a_remembered_hold_has_the_same_hash_and_is_not_present(source: str) -> None:
    hold = restore_hold(source)
    assert (hold.hash, hold.text, hold.present, hold.line) == (hold_hash(source), source, False, 0)
    assert hold.everything == (source != LINE)


def test_a_remembered_stamp_hold_covers_what_it_covered() -> None:
    hold = restore_hold(LINE)
    assert (hold.kind, hold.subject, hold.reason) == ("stamp", "X thread tweets 2-7", "awaiting explicit approval")
    assert hold.when == at("2026-02-05 10:00")


@pytest.mark.parametrize(
    ("text", "recognised"), [("", True), (LINE, True), (f"{LIVE}words\n", True), ("## Done\n```\n", False)]
)
def test_a_reading_says_whether_it_recognised_anything(text: str, recognised: bool) -> None:
    assert reading(text).recognised is recognised
