"""The boot line, byte for byte (workspace.md)."""

import pytest

from dory_tui.visible import cell_width
from dory_tui.workspace.boot import TASK_CELLS, Said, boot_line, differences, find_boot_line


def shown(task: str | None) -> str:
    """What stands in ACTIVE's brackets."""
    line = boot_line(task, 0, 0)
    head, tail = "📋 Boot: ACTIVE=[", "] | HOLD=[0] items | STAGING=[0] drafts"
    assert line.startswith(head)
    assert line.endswith(tail)
    return line[len(head) : -len(tail)]


def test_the_line_of_the_specification() -> None:
    expected = "📋 Boot: ACTIVE=[revise to 37 scenes…] | HOLD=[2] items | STAGING=[1] draft"
    assert boot_line("revise to 37 scenes…", 2, 1).encode() == expected.encode()
    assert expected.encode()[:4] == b"\xf0\x9f\x93\x8b"


@pytest.mark.parametrize(
    ("holds", "drafts", "tail"),
    [
        (0, 0, "HOLD=[0] items | STAGING=[0] drafts"),
        (1, 1, "HOLD=[1] item | STAGING=[1] draft"),
        (2, 11, "HOLD=[2] items | STAGING=[11] drafts"),
        (None, 1, "HOLD=[?] items | STAGING=[1] draft"),
        (1, None, "HOLD=[1] item | STAGING=[?] drafts"),
    ],
)
def test_counts(holds: int | None, drafts: int | None, tail: str) -> None:
    assert boot_line("", holds, drafts) == f"📋 Boot: ACTIVE=[none] | {tail}"


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (None, "?"),
        ("", "none"),
        (" \n\n", "none"),
        ("one", "one"),
        ("  one  ", "one"),
        ("\n\none\ntwo", "one"),
        ("one\r\ntwo", "one"),
        ("one\rtwo", "one"),
    ],
)
def test_the_task_is_its_first_line(task: str | None, expected: str) -> None:
    assert shown(task) == expected


def test_other_separators_end_no_line_and_are_written_out() -> None:
    assert shown("a\x0cb\u2028c") == "a⟦U+000C FORM FEED⟧b⟦U+2028 LINE SEPARA…"
    assert "\x1b" not in boot_line("\x1b]0;x\x07", 0, 0)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("a" * 40, "a" * 40),
        ("a" * 41, "a" * 39 + "…"),
        ("漢" * 20, "漢" * 20),
        ("漢" * 21, "漢" * 19 + "…"),
        ("a" + "漢" * 20, "a" + "漢" * 19 + "…"),
        ("revise to 37 scenes and map it to that timing", "revise to 37 scenes and map it to that …"),
        ("e\u0301" * 40, "e\u0301" * 40),
        ("e\u0301" * 41, "e\u0301" * 39 + "…"),
        ("👩\u200d💻" * 21, "👩\u200d💻" * 19 + "…"),
    ],
)
def test_the_task_is_cut_to_40_cells(task: str, expected: str) -> None:
    assert shown(task) == expected
    assert cell_width(expected) <= TASK_CELLS == 40


@pytest.mark.parametrize(
    "task", [None, "", "one", "a] | HOLD=[9] items | STAGING=[9] drafts", "x ] y [", "漢" * 30, "\x1b]0;x"]
)
@pytest.mark.parametrize(("holds", "drafts"), [(0, 0), (1, 1), (None, 12)])
def test_what_is_written_is_read_again(task: str | None, holds: int | None, drafts: int | None) -> None:
    said = find_boot_line(boot_line(task, holds, drafts))
    assert said is not None
    assert (said.hold, said.staging) == tuple("?" if count is None else str(count) for count in (holds, drafts))
    assert boot_line(task, holds, drafts).startswith(f"📋 Boot: ACTIVE=[{said.active}] | HOLD=")
    assert differences(said, said) == ()


@pytest.mark.parametrize(
    "text",
    [
        "📋 Boot: ACTIVE=[one] | HOLD=[2] items | STAGING=[1] draft",
        "Good morning!\n\n> **📋 Boot: ACTIVE=[one] | HOLD=[2] items | STAGING=[1] draft**\n\nI begin.",
        "`Boot:  ACTIVE=[ one ]|HOLD=[2] item|STAGING=[1] drafts` | HOLD=[3] items",
    ],
)
def test_a_boot_line_is_found_in_a_message(text: str) -> None:
    assert find_boot_line(text) == Said("one", "2", "1")


@pytest.mark.parametrize(
    "text", ["", "Boot: ready", "ACTIVE=[one] | HOLD=[2] items", "Boot: ACTIVE=[one\n] | HOLD=[2]"]
)
def test_what_is_no_boot_line(text: str) -> None:
    assert find_boot_line(text) is None


def test_each_part_that_differs_is_named_with_what_it_should_be() -> None:
    said = Said("revise the scenes", "0", "1")
    assert differences(said, Said("revise to 37 scenes", "2", "1")) == (
        "ACTIVE says [revise the scenes], and it should be [revise to 37 scenes]",
        "HOLD says [0], and it should be [2]",
    )
    assert "\x1b" not in differences(Said("\x1b[2J", "0", "0"), Said("none", "0", "0"))[0]
