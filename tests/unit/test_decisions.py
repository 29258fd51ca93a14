"""DECISIONS.md: its stamp lines in the file's order; what stands between them is text."""

from datetime import datetime

import pytest

from dory_tui.workspace.document import parse
from dory_tui.workspace.entries import AS_TEXT, BESIDE, Decision, Reading, read_decisions
from dory_tui.workspace.templates import files

HEAD = (
    "# DECISIONS.md\n\n> One line per choice.\n\n## Format\n\n```\n[YYYY-MM-DD HH:MM | session] Item — reason\n```\n\n"
)


def at(stamp: str) -> datetime:
    """A time as the files write it, in no zone."""
    return datetime.fromisoformat(stamp)


def reading(text: str | bytes) -> Reading[Decision]:
    return read_decisions(parse("state/DECISIONS.md", text if isinstance(text, bytes) else text.encode()))


def test_decisions_in_the_order_of_the_file() -> None:
    text = (
        HEAD + "## Recent\n\n[2026-02-05 11:05 | main] The film has a name — it sounded like plumbing\n"
        "- [2026-02-04 | dory] launch-3: changes requested — shorter\n\n2026-02-03 — One queue\n"
    )
    result = reading(text)
    assert result.text == ()
    assert result.entries == (
        Decision(
            "The film has a name", "it sounded like plumbing", at("2026-02-05 11:05"), "main", 13,
            "[2026-02-05 11:05 | main] The film has a name — it sounded like plumbing",
        ),
        Decision(
            "launch-3: changes requested", "shorter", at("2026-02-04 00:00"), "dory", 14,
            "[2026-02-04 | dory] launch-3: changes requested — shorter",
        ),
        Decision("One queue", "", at("2026-02-03 00:00"), None, 16, "2026-02-03 — One queue"),
    )  # fmt: skip


def test_the_template_has_no_decision() -> None:
    result = reading(dict(files())["state/DECISIONS.md"])
    assert (result.entries, result.text, result.recognised) == ((), (), True)


@pytest.mark.parametrize(
    "text",
    [
        "```\n[2026-02-05 11:05 | main] X\n```\n",
        "<!-- [2026-02-05 11:05 | main] X -->\n",
        "[YYYY-MM-DD HH:MM | session] Item — reason\n",
        "[2026-02-05 HH:MM | session] Item — reason\n",
        "[none]\n",
    ],
)
def test_what_is_no_decision(text: str) -> None:
    assert reading(HEAD + "## Recent\n\n" + text).entries == ()


def test_a_struck_decision_no_longer_stands() -> None:
    (one,) = reading(HEAD + "## Recent\n\n~~[2026-02-05 11:05 | main] X~~\n").entries
    assert one.over


def test_what_stands_between_is_text_and_a_heading_block_a_decision() -> None:
    result = reading(HEAD + "## Recent\n\n[2026-02-05] X\ncontinued\n\nSome words.\n\n### ADR-3\nOne queue.\n")
    assert [d.item for d in result.entries] == ["X", "ADR-3"]
    assert [(p.line, p.sentence) for p in result.text] == [(16, BESIDE)]
    assert result.recognised


def test_a_day_groups_the_decisions_below_it() -> None:
    (one,) = reading("## 2026-01-05\n\n### Mounts\n\n- **Decided:** one\n").entries
    assert (one.item, one.when) == ("Mounts", datetime.fromisoformat("2026-01-05"))


def test_a_section_of_prose_alone_is_one_decision() -> None:
    words = "We looked at it for long.\n\n" * 2
    result = reading(f"# Notes\n\n## How it went\n\n{words}")
    assert [d.item for d in result.entries] == ["How it went"]


def test_a_plan_is_text() -> None:
    result = reading("# The move to one queue: a plan\n\n## Task 1\n\nFirst this.\n")
    assert [p.sentence for p in reading("# Move plan\n\n## Task 1\n\nFirst this.\n").text] == [AS_TEXT]
    assert result.text


def test_an_introduction_below_the_title_is_no_text_and_a_list_is_its_entries() -> None:
    assert reading("# DECISIONS.md\n\nNewest last.\n").text == ()
    assert [d.item for d in reading("# DECISIONS.md\n\n- one\n").entries] == ["one"]


def test_an_unclosed_fence_is_reported_and_hides_no_decision() -> None:
    result = reading("```\n[2026-02-05] X\n")
    assert [d.item for d in result.entries] == ["X"]
    assert [p.line for p in result.text] == [1]
