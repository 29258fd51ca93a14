"""Whatever stands in the ledger: nothing runs without a yes of ours to these very bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from dory_tui.gate.rules import Exit, Question, current_attempt, standing
from dory_tui.ledger import records
from dory_tui.ledger.records import CLAIM_NUMBER, Record
from dory_tui.ledger.store import Item
from dory_tui.values import replace
from dory_tui.workspace.holds import Hold

NOW = datetime(2026, 2, 5, 10, 0, tzinfo=UTC)
DIGESTS, ROOTS, MACHINES, PROGRAMS = ("d" * 64, "e" * 64), ("/ws", "/copy"), ("desk", "laptop"), ("f" * 64, "0" * 64)
HOLDS = tuple(Hold("stamp", letter * 64, letter, letter, "", None, None, 1, (0, 0)) for letter in "ab")

NAMES = ["approved"] * 8 + ["claimed"] * 3 + ["failed", "not-happened", "revoked", *sorted(records.EVENTS)]
RARELY = (0, 0, 0, 0, 0, 0, 0, 1)

minutes = st.integers(-3000, 3000).map(lambda n: NOW + timedelta(minutes=n))


class Dice:
    """Takes choices out of one big number: a hundred times as fast as drawing each, and 0 is the plainest of all."""

    def __init__(self, number: int) -> None:
        self.number = number

    def pick(self, options: Sequence[Any]) -> Any:
        self.number, at = divmod(self.number, len(options))
        return options[at]

    def moment(self) -> datetime:
        return NOW + timedelta(minutes=self.pick((-1, -10, -60, -700, -1441, -2900, 0, 2, 3, 90, 1500)))

    def maybe(self) -> str | None:
        return self.moment().isoformat() if self.pick(RARELY) else None


def an_item(number: int) -> Item:
    """Any record that a ledger folder may hold: ours, the mirror's, torn, out of order."""
    dice = Dice(number)
    name, attempt = dice.pick(NAMES), dice.pick((1, 1, 1, 2, 3))
    position = CLAIM_NUMBER if name == records.CLAIMED else dice.pick((1, 2, 3, 4, 5, 501, 502, 503))
    data = {"digest": dice.pick((*DIGESTS[:1] * 5, DIGESTS[1]))}
    if name == records.APPROVED:
        data |= {
            "path": ROOTS[dice.pick(RARELY)], "machine": MACHINES[dice.pick(RARELY)], "not_before": dice.maybe(),
            "expires": dice.maybe(), "grace_s": dice.pick((900, 1, 86_400)), "action": {"argv": ["post"]},
            "overrides": [letter * 64 for letter in dice.pick(("", "a", "ab"))],
            "executable": {"path": "/bin/post", "sha256": PROGRAMS[dice.pick(RARELY)]},
            "min_interval_s": dice.pick((0, 0, 0, 60, 1200, 7200)),
        }  # fmt: skip
    original, torn = not dice.pick(RARELY), bool(dice.pick(RARELY))
    record = None if torn else Record("w", "x", attempt, position, name, "ana", dice.moment(), None, data)
    mirror = not original or not dice.pick(RARELY)
    return Item(attempt, position, name, record, "", original, mirror, "it is torn" if torn else None)


def in_order(found: Iterable[Item]) -> tuple[Item, ...]:
    """As a folder lists them: each name once."""
    named = {(item.attempt, item.number, item.event): item for item in found}
    return tuple(named[key] for key in sorted(named))


def a_question(numbers: list[int], number: int) -> Question:
    dice = Dice(number)
    ends = dice.moment() if dice.pick(RARELY) else None
    lane = {
        "starts": tuple(sorted(dice.moment() for _ in range(dice.pick((0, 0, 1, 2, 3))))),
        "interval": timedelta(minutes=dice.pick((0, 0, 0, 5, 90))), "unruled": dice.pick(("broken", *[None] * 15)),
        "twin": dice.pick(("/first", *[None] * 15)), "last": dice.moment() if dice.pick(RARELY) else None,
    }  # fmt: skip
    return Question(
        "x", DIGESTS[0], in_order(map(an_item, numbers)), HOLDS[: dice.pick((0, 0, 0, 1, 2))], dice.moment(), ROOTS[0],
        MACHINES[0], dice.pick((None, None, None, None, "line 2: bad")), dice.pick((False, True)), PROGRAMS[0], ends,
        **lane,
    )  # fmt: skip


A_CLAIM = Item(1, CLAIM_NUMBER, records.CLAIMED, None, "", True, True, "a claim counts though it is torn")
numbers = st.integers(0, 1 << 64)
items = st.builds(an_item, numbers)
questions = st.builds(a_question, st.lists(numbers, max_size=5), numbers)


def a_yes(question: Question) -> Item | None:
    """The original, whole approval of exactly what is asked about, if it is the last word of its attempt."""
    attempt = current_attempt(question.items)
    # Whatever `reopened` says, it takes back a no and never stands in the way of a yes or gives one.
    mine = [item for item in question.items if item.attempt == attempt and item.event != records.REOPENED]
    last = mine[-1] if mine else None
    if last is None or last.event != records.APPROVED or not last.original or last.record is None:
        return None
    data = last.record.data
    same = (data["digest"], data["path"], data["machine"]) == (question.digest, question.root, question.machine)
    return last if same and data["executable"]["sha256"] == question.executable else None


@settings(max_examples=700)
@given(questions)
def test_nothing_runs_without_our_own_yes_to_these_bytes(question: Question) -> None:
    found = standing(question)
    event(f"code {int(found.code)}")
    assert found.reason
    assert found.attempt >= 1
    theirs = tuple(replace(item, original=False, mirror=True) for item in question.items)
    assert standing(replace(question, items=theirs)).code not in (Exit.FINE, Exit.NOT_YET), "a mirrored yes counts"
    if found.code not in (Exit.FINE, Exit.NOT_YET):
        return
    assert found.state == "approved"
    yes = a_yes(question)
    assert yes is not None
    assert yes.record is not None
    assert not any(i.event == records.CLAIMED and i.attempt == yes.attempt for i in question.items), "it was claimed"
    assert question.problem is None
    assert not any(item.problem for item in question.items if item.event != records.CLAIMED)
    assert {hold.hash for hold in question.holds} <= set(yes.record.data["overrides"])
    assert question.now >= yes.record.when - timedelta(minutes=2)
    assert found.approval == yes.record
    assert question.twin is None
    assert question.unruled is None
    assert question.last is None or question.now >= question.last - timedelta(minutes=2)
    if found.code == Exit.FINE:
        _it_keeps_its_lane(question, yes.record)


def _it_keeps_its_lane(question: Question, yes: Record) -> None:
    """Invariants 8 and 9 as they are written, for what would start now."""
    interval = max(question.interval, timedelta(seconds=yes.data["min_interval_s"]))
    last = max(question.starts, default=None)
    assert last is None or question.now >= last + interval
    if yes.data["not_before"]:
        begin = max(datetime.fromisoformat(yes.data["not_before"]), yes.when)
        begin = begin if last is None else max(begin, last + interval)
        assert question.now - begin <= timedelta(seconds=yes.data["grace_s"])


@settings(max_examples=400)
@given(questions, minutes)
def test_another_start_in_the_lane_lets_nothing_run_that_did_not(question: Question, start: datetime) -> None:
    """It puts things off; in particular it brings back nothing that was missed when it came."""
    starts = tuple(sorted((*question.starts, start)))
    before, after = (standing(replace(question, starts=given)) for given in (question.starts, starts))
    event(f"{before.state} → {after.state}")
    if after.code == Exit.FINE and before.code != Exit.FINE:
        # Only what was not yet missed when the lane was taken is late by its lane alone.
        assert before.state == "missed"
        assert start <= question.now
        assert standing(replace(question, now=start)).state != "missed"


@settings(max_examples=400)
@given(questions, st.data())
def test_a_no_is_only_taken_back_by_our_own_record_that_names_it(question: Question, data: st.DataObject) -> None:
    """A `reopened` put anywhere: nothing runs that did not run before, and only its own no is taken back."""
    base = tuple(replace(item, hash=f"h{n}") for n, item in enumerate(question.items) if item.event != records.REOPENED)
    asked = replace(question, items=base)
    before = standing(asked)
    attempt = current_attempt(base)
    original = data.draw(st.booleans(), label="original")
    names = data.draw(st.sampled_from(["another", *(item.hash for item in base)]), label="names")
    position = data.draw(st.integers(1, 999).filter(lambda n: n != CLAIM_NUMBER), label="position")
    said = Record(
        "w", "x", attempt, position, records.REOPENED, "ana", NOW - timedelta(days=9), None, {"reopens": names}
    )
    added = Item(attempt, position, records.REOPENED, said, "new", original, True)
    items = in_order((*base, added))
    after = standing(replace(asked, items=items))
    event(f"{before.state} → {after.state}")
    if (after.state, after.code) == (before.state, before.code):
        return
    at = items.index(added)
    assert original
    assert before.state in ("rejected", "changes-requested", "revoked", "pending", "invalid", "expired")
    assert after.state in ("pending", "invalid", "expired")
    assert after.code == Exit.REFUSED or after.held_by
    assert items[at - 1].hash == names
    assert items[at - 1].event in (records.REJECTED, records.CHANGES, records.REVOKED)


@settings(max_examples=400)
@given(questions, minutes)
def test_time_passing_never_means_yes(question: Question, later: datetime) -> None:
    early, late = sorted((question.now, later))
    before, after = (standing(replace(question, now=moment)) for moment in (early, late))
    event(f"{before.state} → {after.state}")
    if after.code == Exit.FINE:
        assert a_yes(question) is not None
        # It could run before, or was only waiting for its time, or the clock was wrong.
        assert before.code in (Exit.FINE, Exit.NOT_YET) or "clock" in before.reason
    if before.state in ("missed", "expired", "rejected", "revoked", "superseded", "changes-requested"):
        assert after.code not in (Exit.FINE, Exit.NOT_YET)


@settings(max_examples=400)
@given(questions, st.booleans(), items)
def test_nothing_beside_a_claim_opens_it_again_but_our_own_outcome(question: Question, ours: bool, added: Item) -> None:
    """Whatever else is written, wherever, a claim stands until its own ledger says what became of it."""
    base = (*question.items, A_CLAIM if ours else replace(A_CLAIM, original=False))
    asked = replace(question, items=in_order(base))
    claimed = standing(asked)
    if claimed.code not in (Exit.CLAIMED, Exit.UNKNOWN) or in_order((*base, added)) == asked.items:
        return
    if added.event in records.OUTCOMES and (added.original or not ours):
        return
    event(f"{claimed.state} + {added.event}")
    found = standing(replace(question, items=in_order((added, *base))))
    assert found.code in (Exit.CLAIMED, Exit.UNKNOWN)
    assert found.attempt <= claimed.attempt
