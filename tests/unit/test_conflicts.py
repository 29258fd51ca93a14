"""Contradictions, said in the order of precedence: HOLD, ACTIVE, DECISIONS, a later decision before an earlier."""

import pytest

from dory_tui.gate.conflicts import conflicts, contradicted
from dory_tui.values import replace
from dory_tui.workspace.document import parse
from dory_tui.workspace.entries import Decision, Task, read_decisions
from dory_tui.workspace.holds import Hold, holds


def decisions(*lines: str) -> tuple[Decision, ...]:
    text = "# DECISIONS\n\n## Recent\n\n" + "".join(f"{line}\n" for line in lines)
    return read_decisions(parse("state/DECISIONS.md", text.encode())).entries


def said(earlier: str, later: str) -> bool:
    found = contradicted(decisions(f"[2026-02-01 10:00 | agent] {earlier}", f"[2026-02-02 10:00 | agent] {later}"))
    return bool(found)


def contradictions(earlier: str, later: str) -> tuple[str, ...]:
    lines = (f"[2026-02-01 10:00 | agent] {earlier}", f"[2026-02-02 10:00 | agent] {later}")
    return conflicts((), (), decisions(*lines))


def hold(text: str) -> Hold:
    (found,) = holds(parse("state/HOLD.md", f"# H\n\n## Currently Blocked\n\n{text}\n".encode()))
    return found


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Post daily — reach", "Do not post daily — nobody reads it"),
        ("Do not post daily — tired", "Post daily again — rested"),
        ("Use Postgres — known", "Use SQLite instead of Postgres — one file"),
        ("Send newsletters on Sunday", "No longer send the newsletter on Sunday"),
        ("Do not mail Ana on weekends", "Mail Ana on the weekend too"),
        ("Ship caches", "Do not ship the cache"),
        ("Don’t answer trolls — waste", "Answer trolls — they vote"),
    ],
)
def test_a_later_decision_that_says_the_contrary_is_found(earlier: str, later: str) -> None:
    assert said(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Post daily — reach", "Post daily — still"),
        ("Post daily — reach", "Do not mail weekly — nobody reads it"),
        ("Post daily at nine on Mastodon and Bluesky", "No posts on Mastodon on Sundays"),
        ("Use Postgres — known", "No Postgres — it was a word alone"),
        ("Website: use Postgres", "Website: launch in May"),
        ("launch date 3 March", "launch date 10 March"),
        ("Nothing about it", "Not about anything"),
        ("Use the cache", "No caches"),
    ],
)
def test_what_may_be_about_another_matter_is_not(earlier: str, later: str) -> None:
    assert not said(earlier, later)


def test_what_no_longer_stands_and_a_humans_verdicts_contradict_nothing() -> None:
    pair = decisions("[2026-02-01 10:00 | agent] Post daily", "[2026-02-02 10:00 | agent] Do not post daily")
    assert contradicted(pair) == (pair,)
    assert contradicted((replace(pair[0], over=True), pair[1])) == ()
    assert contradicted((pair[0], replace(pair[1], proposed=True))) == ()
    human = decisions("[2026-02-01 10:00 | dory] post daily", "[2026-02-02 10:00 | dory] not post daily")
    assert contradicted(human) == ()


def test_the_newest_contrary_is_named_and_all_are_in_order() -> None:
    task = Task("Post the launch thread daily", "", (), 3)
    found = conflicts(
        [task, Task("Over and done", "", (), 9, over=True)],
        [hold("[2026-02-01 10:00 | main] launch thread — wait"), hold("[2026-02-01 10:00 | main] over done — wait")],
        decisions(
            "[2026-02-03 10:00 | agent] Never post daily — a rest",
            "[2026-02-01 10:00 | agent] Post daily — reach",
            "[2026-02-02 10:00 | agent] Do not post daily — tired",
        ),
    )
    assert found == (
        "ACTIVE asks for what HOLD blocks: “launch thread” (state/HOLD.md line 5) comes before"
        " “Post the launch thread daily” (state/ACTIVE.md line 3)",
        "ACTIVE asks for what a decision refuses: “Post the launch thread daily” (state/ACTIVE.md line 3) comes before"
        " “Do not post daily” (state/DECISIONS.md line 7)",
        "ACTIVE asks for what a decision refuses: “Post the launch thread daily” (state/ACTIVE.md line 3) comes before"
        " “Never post daily” (state/DECISIONS.md line 5)",
        "DECISIONS contradicts itself: “Never post daily” (state/DECISIONS.md line 5) is the later one and comes before"
        " “Post daily” (state/DECISIONS.md line 6)",
    )


def test_thousands_of_decisions_cost_no_time() -> None:
    many = tuple(Decision(f"Post {number} daily", "", None, "agent", number, "") for number in range(20_000))
    assert contradicted(many) == ()


def test_a_secret_that_would_be_cut_in_two_is_masked() -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdE"
    found = contradictions(f"Post daily to the channel with {token}", f"Do not post daily to the channel with {token}")
    assert found
    assert not any("ghp_a" in one for one in found)
    assert any("ghp_…(40 c" in one for one in found)
