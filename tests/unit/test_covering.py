"""Which hold covers which draft: what people write in HOLD.md against what drafts are called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dory_tui.gate.covering import Facts, covers, number_of
from dory_tui.workspace.document import parse
from dory_tui.workspace.holds import Hold, holds, unreadable_holds
from dory_tui.workspace.layout import HOLD

STAMP = "[2026-02-05 10:00 | main]"
Named = Callable[[int], Facts]
EXAMPLE = f"{STAMP} X thread tweets 2-7 — awaiting explicit approval"


def hold(line: str) -> Hold:
    found = holds(parse(HOLD, f"# HOLD\n\n## Currently Blocked\n\n{line}\n".encode()))
    assert len(found) == 1
    return found[0]


def by_title(number: int) -> Facts:
    return Facts("post", f"Launch thread {number} of 7")


def by_part(number: int) -> Facts:
    return Facts("post", "Launch thread", part=f"{number}/7")


def by_id(number: int) -> Facts:
    return Facts(f"2026-11-30-launch-thread-{number}")


def by_kind(number: int) -> Facts:
    return Facts(f"launch-{number}", "Launch", kind="thread")


@pytest.mark.parametrize("named", [by_title, by_part, by_id, by_kind])
@pytest.mark.parametrize(("number", "covered"), [(1, False), (2, True), (3, True), (6, True), (7, True), (8, False)])
def test_a_range_holds_its_own_numbers_and_no_other(named: Named, number: int, covered: bool) -> None:
    assert covers(hold(EXAMPLE), named(number)) is covered


@pytest.mark.parametrize(
    "subject",
    [
        "thread 2-7", "thread 2 - 7", "thread 2–7", "thread 2—7", "thread 2‑7", "thread 2‐7", "thread 2−7",
        "thread 2..7", "thread 2…7", "thread 2~7", "thread 2 to 7", "thread 2 TO 7", "thread 2 through 7",
        "thread 2 thru 7", "thread 2 until 7", "thread 2 bis 7", "thread 2 a 7", "thread 7-2", "thread 2, 3, 5 and 7",
        "thread ２－７", "thread 2〜7", "thread 2到7", "all", "Everything", "threads",
    ],
)  # fmt: skip
@pytest.mark.parametrize("reason", [" — awaiting explicit approval", " - wait", " – wait", " -- wait", ""])
def test_however_a_range_is_written_it_holds_what_is_in_it(subject: str, reason: str) -> None:
    found = hold(f"{STAMP} {subject}{reason}")
    assert [number for number in (2, 3, 5, 7) if not covers(found, by_title(number))] == []


@pytest.mark.parametrize("subject", ["thread 2-7", "thread 2–7", "thread 2 to 7", "thread 2到7"])
def test_a_range_lets_go_what_is_not_in_it(subject: str) -> None:
    found = hold(f"{STAMP} {subject} — wait")
    assert [number for number in (1, 8, 27) if covers(found, by_title(number))] == []


@pytest.mark.parametrize(
    ("subject", "title", "covered"),
    [
        ("newsletters", "Newsletter", True),
        ("newsletter", "The newsletters", True),
        ("replies", "Reply to Bob", True),
        ("movies", "Movie night", True),
        ("caches", "Purge the cache", True),
        ("boxes", "The box", True),
        ("buses", "Bus plan", True),
        ("statuses", "Status page", True),
        ("the press", "Presses", True),
        ("class", "Classy post", False),
        ("NEWSLETTER", "newsletter", True),
        ("Café", "Cafe\u0301 post", True),
        ("straße", "STRASSE", True),
        ("web3 launch", "Launch post 1 of 2", True),
        ("v2 rollout", "Rollout 1 of 3", True),
        ("the post of the week", "The mail of the day", False),
        ("awaiting approval", "Deploy", False),
        ("推文 2-7", "发布推文", True),
        ("推文", "博客", False),
        ("ツイート", "新しいツイートの下書き", True),
        ("ลูกค้า", "อีเมลถึงลูกค้า", True),
        ("ລາຄາ", "ແຈ້ງລາຄາໃໝ່", True),
        ("ລາຄາ", "ຈົດໝາຍ", False),
        ("ဈေး", "ဈေးနှုန်း", True),
        ("សារ", "ផ្ញើសារថ្មី", True),
    ],
)
def test_one_shared_word_is_enough(subject: str, title: str, covered: bool) -> None:
    assert covers(hold(f"{STAMP} {subject} — wait"), Facts("item", title)) is covered


@pytest.mark.parametrize(
    ("subject", "covered"),
    [
        ("id:launch-3", True),
        ("ID: Launch-3", True),
        ("id:launch-3, please", True),
        ("id:launch-3,launch-4", True),
        ("id:launch-2, launch-3", True),
        ("id:launch-3.", True),
        ("id:launch-4", False),
        ("id:launch", False),
        ("lane:social/main", True),
        ("lane:social", False),
        ("kind:post", True),
        ("kind:posts", False),
        ("path:state/drafts/launch-3.md", True),
        ("path:state/drafts", True),
        ("path:state/drafts/", True),
        ("path:state/draft", False),
        ("kind:mail lane:social/main", True),
        ("Launch thread 3 of 7 id:launch-4", False),
        ("all", True),
        ("all mail", True),
        ("overall", False),
    ],
)
def test_what_is_named_explicitly_decides_alone(subject: str, covered: bool) -> None:
    facts = Facts("launch-3", "Launch thread 3 of 7", "post", "social/main", "state/drafts/launch-3.md")
    assert covers(hold(f"{STAMP} {subject} — wait"), facts) is covered


def test_a_draft_that_names_no_lane_is_in_the_default_one() -> None:
    assert covers(hold(f"{STAMP} lane:default — wait"), Facts("x", "Launch"))
    assert not covers(hold(f"{STAMP} lane:default — wait"), Facts("x", "Launch", lane="mail"))


def test_the_reason_and_the_stamp_name_nothing() -> None:
    facts = Facts("launch-3", "Main launch")
    assert not covers(hold("[2026-02-05 10:00 | main] Newsletter — wait until after the launch"), facts)


def test_without_the_canonical_dash_the_reason_may_be_meant_and_holds_too() -> None:
    assert covers(hold(f"{STAMP} Newsletter - wait until after the launch"), Facts("x", "Launch"))


def test_numbers_of_a_reason_do_not_narrow_what_is_held() -> None:
    assert covers(hold(f"{STAMP} Thread - until 5 people said yes"), by_title(3))
    assert covers(hold(f"{STAMP} Thread — until 5 people said yes"), by_title(3))


def test_dates_and_times_are_no_numbers() -> None:
    for when in ("2026-02-07", "2026-02", "10:30", "7.2.2026", "7/2/2026"):
        assert covers(hold(f"{STAMP} Thread after {when} — wait"), by_title(3)), when


def test_a_draft_without_a_number_is_covered_by_its_words() -> None:
    assert covers(hold(EXAMPLE), Facts("launch-thread"))


@pytest.mark.parametrize(
    ("facts", "number"),
    [
        (Facts("x-9", "Post 4 of 8", part="3/7"), 3),
        (Facts("x-9", "Post 4 of 8", part="final"), 4),
        (Facts("x-9", "Post 4/8"), 4),
        (Facts("x-9", "Post ４／８"), 4),
        (Facts("x-9", "Beitrag 4 von 8"), 4),
        (Facts("x-9", "Post of 2026-02-05 1/2"), 1),
        (Facts("x-9", "Post"), 9),
        (Facts("2026-11-30-post-3"), 3),
        (Facts("post-3-2026-11-30"), 3),
        (Facts("post-2026-11-30"), None),
        (Facts("post-20261130"), None),
        (Facts("post"), None),
        (Facts("post3"), None),
    ],
)
def test_a_drafts_number(facts: Facts, number: int | None) -> None:
    assert number_of(facts) == number


def test_a_passage_and_an_unreadable_file_hold_everything() -> None:
    passage = hold("Please do nothing at all for now.")
    assert passage.kind == "text"
    assert covers(passage, Facts("x"))
    assert covers(unreadable_holds("HOLD.md cannot be read"), Facts("x"))
