"""Edits in files that do not follow the template keep their shape, and change one span."""

from datetime import date

import pytest

from dory_tui.workspace.document import parse
from dory_tui.workspace.edits import add_line, new_hold, remove_hold
from dory_tui.workspace.holds import holds
from dory_tui.workspace.layout import DECISIONS, HOLD, STAGING
from dory_tui.workspace.recognise import recognise
from dory_tui.workspace.shaped_bytes import shaped_bytes
from dory_tui.workspace.shaped_edits import set_status, spelled

LINE = "[2026-02-05 10:00 | dory] The shop — Ana is away"
DAY = date(2026, 2, 6)

TABLE = (
    "# Bloqueios\n\n| # | O que | Dono | Desde |\n|---|---|---|---|\n| 1 | Mail | Bob | 2026-01-05 |\n\n"
    "Ver também: [x](x.md)\n"
)
BLOCKS = "# Blocked\n\n## 1. Mail\n\n**Blocked on:** Bob\n\n---\n"
BULLETS = "# Blockers\r\n\r\n- mail\r\n- post\r\n\r\nEnd.\r\n"
BOXES = "## Blocked\n\n- [ ] mail\n- [x] post\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TABLE, TABLE.replace("\n\nVer", "\n| 2 | The shop — Ana is away | — | 2026-02-05 |\n\nVer")),
        (
            "| what | why | status |\n|---|---|---|\n| mail | Bob | 🔴 BLOCKED |",
            "| what | why | status |\n|---|---|---|\n| mail | Bob | 🔴 BLOCKED |\n"
            "| The shop | Ana is away | 🔴 BLOCKED |",
        ),
        (BLOCKS, BLOCKS.replace("Bob\n", "Bob\n\n## 2. The shop (2026-02-05)\n\nAna is away\n")),
        (BULLETS, BULLETS.replace("- post\r\n", f"- post\r\n- {LINE}\r\n")),
        (BOXES, BOXES.replace("- [ ] mail\n", f"- [ ] mail\n- [ ] {LINE}\n")),
    ],
)
def test_a_hold_is_added_in_the_shape_that_is_there(before: str, after: str) -> None:
    assert add_line(HOLD, before.encode(), LINE) == after.encode()
    made = new_hold(before.encode(), LINE)
    assert made is not None
    assert made.hash in {hold.hash for hold in holds(parse(HOLD, after.encode()))}


def test_a_pipe_in_the_words_parts_no_cells() -> None:
    made = add_line(HOLD, TABLE.encode(), "[2026-02-05 10:00 | dory] a|b — c")
    assert b"| 2 | a\\|b \xe2\x80\x94 c |" in made
    assert len(holds(parse(HOLD, made))) == 2


def test_a_decision_goes_to_the_end_where_the_newest_stand() -> None:
    head = "| Date | Decision |\n|---|---|\n"
    old, new = "| 2026-01-05 | a |\n", "| 2026-01-09 | b |\n"
    row = "| 2026-02-05 | The shop — Ana is away |\n"
    assert add_line(DECISIONS, (head + old + new).encode(), LINE) == (head + old + new + row).encode()
    assert add_line(DECISIONS, (head + new + old).encode(), LINE) == (head + row + new + old).encode()


def test_a_file_with_stamp_lines_gets_a_stamp_line() -> None:
    text = "## Currently Blocked\n\n- [2026-01-05 10:00 | a] mail\n"
    assert add_line(HOLD, text.encode(), LINE) == f"{text}- {LINE}\n".encode()


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        (BULLETS, "mail", BULLETS.replace("- mail\r\n", "")),
        ("## Blocked\n\n- mail\n", "mail", "## Blocked\n\n[none]\n"),
        (BOXES, "mail", BOXES.replace("[ ] mail", "[x] mail")),
        (TABLE, "Mail", TABLE.replace("| 1 | Mail | Bob | 2026-01-05 |\n", "")),
        (
            "| what | status |\n|---|---|\n| a | BLOCKED |\n| b | RESOLVED |\n", "a",
            "| what | status |\n|---|---|\n| a | RESOLVED |\n| b | RESOLVED |\n",
        ),
        (BLOCKS, "1. Mail", BLOCKS.replace("## 1. Mail\n", "## 1. Mail — RESOLVED (2026-02-06)\n")),
        (
            "## T1 — a RESOLVIDO (2026-01-05)\n\nx\n\n## T2 — b\n\ny\n", "T2",
            "## T1 — a RESOLVIDO (2026-01-05)\n\nx\n\n## T2 — b — RESOLVIDO (2026-02-06)\n\ny\n",
        ),
        (
            "## T2 — b\n\n- **Status:** OPEN  \n- **Owner:** Ana\n", "T2",
            "## T2 — b\n\n- **Status:** RESOLVED  \n- **Owner:** Ana\n",
        ),
    ],
)  # fmt: skip
def test_a_lifted_hold_is_closed_in_the_file_s_own_way(before: str, words: str, after: str) -> None:
    hold = next(hold for hold in holds(parse(HOLD, before.encode())) if hold.subject == words)
    made = remove_hold(before.encode(), hold, DAY)
    assert made == after.encode()
    assert hold.hash not in {one.hash for one in holds(parse(HOLD, made))}


@pytest.mark.parametrize(
    ("before", "word", "after"),
    [
        (
            "## [APR-1] 2026-01-05\n- **Status:** PENDING\n- **Action:** post\n", "approved",
            "## [APR-1] 2026-01-05\n- **Status:** APPROVED\n- **Action:** post\n",
        ),
        (
            "## A\n\n**Status:** pending_approval\n\nText.\n", "changes requested",
            "## A\n\n**Status:** changes_requested\n\nText.\n",
        ),
        ("| Post | Status |\n|---|---|\n| a | Draft |\n", "rejected",
         "| Post | Status |\n|---|---|\n| a | Rejected |\n"),
        ("| Post | Status |\n|---|---|\n| a |  |\n", "approved", "| Post | Status |\n|---|---|\n| a | approved |\n"),
        ("## Queue\n\n- [ ] a\n", "approved", "## Queue\n\n- [ ] a\n"),
    ],
)  # fmt: skip
def test_a_status_is_written_as_its_neighbours_are(before: str, word: str, after: str) -> None:
    document = parse(STAGING, before.encode())
    entry = recognise(document, "staging").entries[0]
    wanted = shaped_bytes(document, entry)
    made = set_status(before.encode(), wanted, word)
    assert made == after.encode()
    again = parse(STAGING, made)
    assert shaped_bytes(again, recognise(again, "staging").entries[0]) == wanted


def test_a_status_of_an_entry_that_is_gone_is_an_error() -> None:
    with pytest.raises(ValueError, match="gone"):
        set_status(b"## A\n\n**Status:** pending\n", b"## B\n", "approved")


def test_what_is_approved_holds_everything_but_the_status() -> None:
    """A recipient, a time, a word: any other byte makes it another draft."""
    text = "| Post | To | Status |\n|---|---|---|\n| a | ana@example.org | Draft |\n"
    document = parse(STAGING, text.encode())
    data = shaped_bytes(document, recognise(document, "staging").entries[0])
    assert b"ana@example.org" in data
    assert b"Draft" not in data


@pytest.mark.parametrize(
    ("word", "seen", "expected"),
    [
        ("approved", ["PENDING"], "APPROVED"),
        ("changes requested", ["pending-review"], "changes-requested"),
        ("rejected", ["🟡 Draft"], "Rejected"),
        ("approved", ["待发布"], "approved"),
        ("rejected", ["❌ REJECTED", "draft"], "❌ REJECTED"),
        ("approved", [], "approved"),
    ],
)
def test_a_word_is_spelled_as_the_file_spells(word: str, seen: list[str], expected: str) -> None:
    assert spelled(word, seen) == expected
