"""Files cut into passages: within one heading and one day, of about 800 characters, with lines that are right."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.search.chunks import TARGET, Chunk, chunks, file_day, keys
from dory_tui.secrets import masked
from dory_tui.workspace.document import split_lines

LOG = """# 2026-02-07

## Bugs

- 10:12 Sam reported a blank page
  - only in Safari
- 11:00 fixed (commit 1a2b3c)

## Facts

Ana moved to Porto.
She answers in the afternoon.
"""


def cut(text: str, path: str = "memory/2026-02-07.md") -> list[Chunk]:
    return chunks(path, text.encode())


def test_bullets_of_one_heading_are_one_passage_with_what_is_below_them() -> None:
    first, second = cut(LOG)
    assert (first.line_start, first.line_end, first.day, first.heading) == (5, 7, date(2026, 2, 7), "Bugs")
    assert first.text == "- 10:12 Sam reported a blank page\n  - only in Safari\n- 11:00 fixed (commit 1a2b3c)"
    assert first.prefix == "2026-02-07 > Bugs"
    assert (second.line_start, second.line_end, second.heading) == (11, 12, "Facts")


def test_a_long_list_is_packed_and_the_last_bullet_is_said_again() -> None:
    bullets = [f"- bullet {number} {'x' * 150}" for number in range(20)]
    found = cut("## List\n" + "\n".join(bullets))
    assert len(found) > 3
    for one, after in pairwise(found):
        assert after.line_start == one.line_end, "one bullet of overlap"
        assert len(one.text) <= TARGET + 200
    assert {line for one in found for line in one.text.split("\n")} == set(bullets)


def test_a_line_longer_than_a_passage_is_cut_at_its_blanks() -> None:
    words = [f"word{number}" for number in range(1000)]
    found = cut(" ".join(words))
    assert len(found) > 5
    assert {(one.line_start, one.line_end) for one in found} == {(1, 1)}
    assert " ".join(one.text for one in found).split() == words


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-02-07.md", "2026-02-07"),
        ("memory/archive/2026-02/2026-02-07-topic.md", "2026-02-07"),
        ("memory/2026-02-07/notes.md", "2026-02-07"),
        ("memory/2026/02/07.md", "2026-02-07"),
        ("memory/20260207.md", "2026-02-07"),
        ("memory/topics.md", None),
        ("MEMORY.md", None),
    ],
)
def test_a_file_has_the_day_of_its_name_or_folder(path: str, day: str | None) -> None:
    found = file_day(path)
    assert (found.isoformat() if found else None) == day


def test_without_a_day_of_the_file_headings_and_stamps_say_it() -> None:
    text = "## 2026-02-03\n\n- one\n\n## Rest\n\n- 2026-02-04 two\n- three\n"
    assert [(one.day and one.day.isoformat(), one.text) for one in cut(text, "memory/recent-work.md")] == [
        ("2026-02-03", "- one"), ("2026-02-04", "- 2026-02-04 two"), (None, "- three"),
    ]  # fmt: skip


def test_each_decision_is_a_passage_of_its_own() -> None:
    text = "## Recent\n\n[2026-02-04 10:00 | main] Use SQLite — simple\n[2026-02-05 10:00 | main] Blue — Ana likes it\n"
    found = cut(text, "state/DECISIONS.md")
    assert [(one.line_start, str(one.day), one.decision) for one in found] == [
        (3, "2026-02-04", True), (4, "2026-02-05", True),
    ]  # fmt: skip
    (log,) = cut("## Decisions\n\n- use pnpm\n")
    assert log.decision
    assert not any(one.decision for one in cut("## Bugs\n\n- a bug\n"))


def test_a_shell_comment_in_a_fence_is_no_heading_and_a_heading_alone_is_found() -> None:
    found = cut("## Deploy\n\n- ran:\n```sh\n# not a heading\nmake\n```\n\n## 14:30 Shipped v2\n\n## Next\n\n- rest\n")
    assert [(one.heading, one.text.split("\n")[0]) for one in found] == [
        ("Deploy", "- ran:"), ("", "## 14:30 Shipped v2"), ("Next", "- rest"),
    ]  # fmt: skip
    assert "# not a heading" in found[0].text


def test_the_note_of_a_record_is_a_passage_in_the_workspaces_day() -> None:
    record = (
        b'{\n  "id": "launch-3",\n  "event": "changes-requested",\n  "when": "2026-02-04T23:30:00+00:00",\n'
        b'  "data": {\n    "note": "say which city"\n  }\n}\n'
    )
    path = ".dory/ledger/launch-3/1-001-changes-requested.json"
    (found,) = chunks(path, record, timezone(timedelta(hours=1)))
    assert (found.line_start, str(found.day), found.heading) == (6, "2026-02-05", "ledger > launch-3")
    assert found.text == "launch-3: changes requested — say which city"
    for other in (
        b"{",
        b'{"note": 1}',
        record.replace(b'"say which city"', b"7"),
        record.replace(b"2026-02-04T", b"x"),
    ):
        assert chunks(path, other) == []


def test_what_a_database_cannot_hold_is_replaced() -> None:
    (found,) = chunks("memory/2026-02-07.md", b"- caf\xe9 and \x00 nul\n")
    assert found.text == "- caf\ufffd and \ufffd nul"
    assert found.hash


def test_an_id_stays_when_other_lines_move_and_differs_for_the_same_text_twice() -> None:
    one = cut("## A\n\n- same\n\n## A\n\n- same\n")
    first, second = keys("memory/x.md", one)
    assert first != second
    moved = cut("\n\n\n## A\n\n- same\n\n## A\n\n- same\n")
    assert keys("memory/x.md", moved) == [first, second]
    assert keys("memory/y.md", one) != [first, second]


@given(st.text(alphabet=st.sampled_from("ab #-*|\n\r\t`~<!>0129. é周"), max_size=400))
def test_whatever_a_file_holds_lines_are_within_it_and_no_word_is_lost(text: str) -> None:
    data = text.encode()
    found = cut(text)
    count = len(split_lines(data))
    assert all(1 <= one.line_start <= one.line_end <= count for one in found)
    said = "\n".join(f"{one.heading}\n{one.text}" for one in found)
    wanted = {char for char in text if char.isalnum()}
    assert wanted <= set(said) | set("0129"), "a heading that is only a day is in the prefix"


# Secrets

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def private_key(lines: int) -> list[str]:
    """The lines of a private key as OpenSSL writes it; the last one is short."""
    chance = random.Random(5)
    body = ["".join(chance.choices(LETTERS, k=64)) for _ in range(lines - 3)]
    end = "".join(chance.choices(LETTERS, k=27)) + "="
    return ["-----BEGIN RSA PRIVATE KEY-----", *body, end, "-----END RSA PRIVATE KEY-----"]


def seen_of(secret: str, found: Sequence[Chunk]) -> list[str]:
    """Parts of a secret, of eight characters, that stand in passages."""
    said = "\n".join(f"{one.heading}\n{one.text}\n{one.embedded}" for one in found)
    return [part for at in range(4, len(secret) - 7) if (part := secret[at : at + 8]) in said]


@pytest.mark.parametrize("between", [" ", "x", "\n", "\n- "])
def test_no_passage_has_a_part_of_a_secret_wherever_it_is_cut(between: str) -> None:
    for at in range(TARGET - 60, TARGET + 20):
        words = "ab " * (at // 3)
        found = cut(f"- {words}{'c' * (at % 3)}{between if between != 'x' else ' password='}{TOKEN} and more {words}\n")
        assert len(found) > 1
        assert seen_of(TOKEN, found) == [], at


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", [0, 7, 11])
@pytest.mark.parametrize("indent", ["", "    ", "> "])
def test_no_passage_has_a_line_of_a_private_key(before: int, indent: str, end: str) -> None:
    key = private_key(30)
    lines = [
        "## Keys",
        "",
        *(f"- bullet {'x' * 60}" for _ in range(before)),
        "- the key:",
        *(indent + one for one in key),
    ]
    found = cut(end.join(lines) + end)
    assert [line for line in key[1:-1] if seen_of(f"    {line}", found)] == []
    assert found[-1].line_end == len(lines)


@given(
    st.lists(st.sampled_from(["- one", "two", "## Three", "", f"- the token is {TOKEN}", *private_key(5)]), max_size=30)
)
def test_masking_moves_no_line(lines: list[str]) -> None:
    for one in cut("\n".join(lines), "memory/topics.md"):
        said = masked("\n".join(lines)).split("\n")[one.line_start - 1 : one.line_end]
        assert one.text.replace("\n", "") in "".join(line for line in said if line)
