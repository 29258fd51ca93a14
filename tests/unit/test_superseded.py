"""Which decision a later one may have replaced."""

from __future__ import annotations

from datetime import date

import pytest

from dory_tui.search import embedding
from dory_tui.search.lookup import Stored
from dory_tui.search.superseded import Newer, later, over

PAIRS = [
    ("Use Postgres for the ledger — simpler operations", "Use SQLite for the ledger instead of Postgres — one machine"),
    ("Post to X at 9:00 on weekdays — best reach", "Post to X at 17:00 on weekdays — Ana's audience is awake then"),
    ("Sam is the contact for billing questions", "Billing questions go to Lee — Sam left the team"),
]
OTHERS = ["Raise the price of the pro plan to 29 EUR", "Backups run nightly to the NAS", "Dark mode is the default"]


def decision(number: int, text: str, day: int) -> Stored:
    when = date(2026, 1, day)
    return Stored(number, f"k{number}", "state/DECISIONS.md", number, number, when, True, "", "", str(when), text)


@pytest.mark.parametrize("vectors", [True, False])
def test_the_later_of_two_on_one_topic_is_named_and_no_other(vectors: bool) -> None:
    texts = [*(old for old, _ in PAIRS), *OTHERS, *(new for _, new in PAIRS)]
    found = later(
        [
            decision(number, f"[2026-01-{number + 1:02} 10:00 | main] {text}", number + 1)
            for number, text in enumerate(texts)
        ],
        embedding.load().embed if vectors else None,
    )
    wanted = {
        number: Newer("state/DECISIONS.md", number + 6, date(2026, 1, number + 7), number + 6) for number in range(3)
    }
    if vectors:
        assert found == wanted
    else:
        assert found.items() <= wanted.items(), "words alone find fewer, and no wrong one"
        assert found


def test_of_one_day_neither_is_later() -> None:
    assert later([decision(1, PAIRS[0][0], 1), decision(2, PAIRS[0][1], 1)], embedding.load().embed) == {}


def test_what_is_struck_through_no_longer_stands() -> None:
    assert over("[2026-01-04 10:00 | main] ~~Use Postgres~~")
    assert over("- ~~Use Postgres~~ superseded")
    assert not over("- Use Postgres, not ~~MySQL~~")
