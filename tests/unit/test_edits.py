"""The splices of the state files, on files as the templates leave them and as people keep them."""

from __future__ import annotations

import pytest

from dory_tui.workspace import templates
from dory_tui.workspace.document import encode, parse
from dory_tui.workspace.edits import add_line, one_line, remove_hold, set_labels, staged_entry
from dory_tui.workspace.holds import holds
from dory_tui.workspace.layout import DECISIONS, HOLD, STAGING

TEMPLATES = dict(templates.files())
LINE = "[2026-02-05 09:00 | dory] X thread tweets 2-7 — awaiting explicit approval"
BLOCK = "### Reply to Ana\n**Created:** 2026-02-05\n**Status:** pending\n**Location:** state/drafts/reply.md"
ONE = "[2026-02-03 09:00 | main] C — c\n"
THREE = "[2026-02-03 09:00 | main] C — c\n[2026-02-02 09:00 | main] B — b\n[2026-02-01 09:00 | main] A — a\n"


@pytest.mark.parametrize(("path", "line"), [(HOLD, LINE), (DECISIONS, LINE), (STAGING, BLOCK)])
def test_the_first_entry_takes_the_place_of_none(path: str, line: str) -> None:
    template = TEMPLATES[path]
    assert template.count(b"[none]") == 1
    made = staged_entry(template, line) if path == STAGING else add_line(path, template, line)
    assert made == template.replace(b"[none]", encode(line))


def test_the_example_of_the_format_is_not_touched() -> None:
    made = add_line(HOLD, add_line(HOLD, TEMPLATES[HOLD], LINE), LINE.replace("2-7", "8"))
    assert made.count(b"[YYYY-MM-DD HH:MM | session] Item") == 1
    assert made.endswith(encode(f"## Currently Blocked\n\n{LINE}\n{LINE.replace('2-7', '8')}\n"))


def test_lifted_last_none_is_back() -> None:
    made = add_line(HOLD, TEMPLATES[HOLD], LINE)
    (mine,) = holds(parse(HOLD, made))
    assert remove_hold(made, mine) == TEMPLATES[HOLD]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (THREE, f"{LINE}\n{THREE}"),
        ("".join(THREE.splitlines(keepends=True)[::-1]), "".join(THREE.splitlines(keepends=True)[::-1]) + f"{LINE}\n"),
        (ONE, f"{ONE}{LINE}\n"),
        (f"- {ONE}", f"- {ONE}- {LINE}\n"),
        (f"{ONE}  and more\n\n[x]\n", f"{ONE}  and more\n{LINE}\n\n[x]\n"),
        (f"{ONE}and more\n", f"{ONE}and more\n{LINE}\n"),
    ],
    ids=["newest first", "newest last", "one", "bullets", "runs on, indented", "runs on, plain"],
)  # fmt: skip
def test_a_new_line_stands_where_the_newest_stands(lines: str, expected: str) -> None:
    above, below = "# Decisions\n\n## Recent\n\n", "\n## Older\n\n[2025-01-01 09:00 | main] Z — z\n"
    assert add_line(DECISIONS, encode(above + lines + below), LINE) == encode(above + expected + below)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"# HOLD.md\n\n## Currently Blocked\n\n{LINE}\n"),
        ("", f"## Currently Blocked\n\n{LINE}\n"),
        ("# Notes\n\nNothing else.", f"# Notes\n\nNothing else.\n\n## Currently Blocked\n\n{LINE}\n"),
        ("## Currently Blocked", f"## Currently Blocked\n\n{LINE}"),
        ("## Blocked\r\n\r\n---\r\n", f"## Blocked\r\n\r\n{LINE}\r\n\r\n---\r\n"),
        ("## Hold\n\n> read this\n\n*footer*\n", f"## Hold\n\n> read this\n\n{LINE}\n\n*footer*\n"),
    ],
    ids=["no file", "empty", "no section", "bare heading", "a rule", "a quote and a footer"],
)
def test_a_file_without_a_line_of_that_kind(before: str | None, after: str) -> None:
    made = add_line(HOLD, None if before is None else encode(before), LINE)
    assert made == encode(after)
    assert [hold.text for hold in holds(parse(HOLD, made)) if hold.kind == "stamp"] == [LINE]


def test_a_new_draft_stands_below_the_last_of_its_section_and_not_in_the_archive() -> None:
    section = b"## Currently Staged\n\n### One\n**Status:** pending\n\nWords.\n\n---\n"
    before = section + b"\n## Archive\n\n### Old\n**Status:** done\n"
    made = staged_entry(before, BLOCK)
    assert made == before.replace(b"Words.\n", b"Words.\n\n" + encode(BLOCK) + b"\n")


def test_a_new_draft_in_a_file_with_other_line_ends() -> None:
    made = staged_entry(b"## Currently Staged\r\n\r\n### One\r\n**Status:** pending", BLOCK)
    expected = f"## Currently Staged\n\n### One\n**Status:** pending\n\n{BLOCK}"
    assert made == encode(expected.replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("**Status:** pending", "**Status:** approved"),
        ("**Status:**   pending  ", "**Status:**   approved  "),
        ("**Status**: Pending-Approval", "**Status**: approved"),
        ("**Status** : pending", "**Status** : approved"),
        ("- **Status:** pending", "- **Status:** approved"),
        ("**Status：** 待发布", "**Status：** approved"),
        ("**Status:**", "**Status:** approved"),
        ("**Status:** pending <!-- draft | pending -->", "**Status:** approved <!-- draft | pending -->"),
    ],
)
def test_a_status_keeps_what_stands_around_it(line: str, expected: str) -> None:
    text = "## Currently Staged\n\n### One\n{}\n**Location:** x.md\n"
    made = set_labels(encode(text.format(line)), "One", 0, {"status": "approved"})
    assert made == encode(text.format(expected))


def test_a_status_and_a_note_are_set_together_and_the_note_goes_again() -> None:
    before = b"### One\n- **Created:** 2026-02-05\n- **Status:** pending\n- **Location:** x.md\n"
    made = set_labels(before, "One", 0, {"status": "rejected", "note": "too long"})
    assert made == before.replace(b"pending\n", b"rejected\n- **Note:** too long\n")
    assert set_labels(made, "One", 0, {"status": "pending", "note": None}) == before


def test_the_second_of_two_with_the_same_name() -> None:
    before = b"### One\n**Status:** pending\n\n### One\n**Status:** pending\n"
    assert set_labels(before, "One", 1, {"status": "approved"}) == (
        b"### One\n**Status:** pending\n\n### One\n**Status:** approved\n"
    )


def test_an_entry_without_a_status_gets_one() -> None:
    before = b"### One\n\nWords.\n"
    assert set_labels(before, "One", 0, {"status": "approved"}) == b"### One\n**Status:** approved\n\nWords.\n"


def test_an_entry_that_is_gone() -> None:
    with pytest.raises(ValueError, match=r"gone from state/STAGING\.md"):
        set_labels(b"### One\n**Status:** pending\n", "One", 1, {"status": "approved"})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n### B\r\n**Status:** approved", "a ### B **Status:** approved"),
        ("a\x1b[2Jb\x00c\x85d\u2028e\u2029f", "a [2Jb c d e f"),
        ("  a\t\tb  ", "a b"),
        ("\n\r\x7f", ""),
        ("漢字 é 🇩🇪", "漢字 é 🇩🇪"),
    ],
)
def test_text_as_one_line(text: str, line: str) -> None:
    assert one_line(text) == line
