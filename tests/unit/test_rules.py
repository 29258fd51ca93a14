"""The one function that says what may run: a table of states, and everything that is not a yes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dory_tui.gate.rules import Exit, Question, Standing, current_attempt, standing
from dory_tui.gate.window import span, window
from dory_tui.ledger.records import Record
from dory_tui.ledger.store import Item
from dory_tui.values import replace
from dory_tui.workspace.holds import Hold

NOW = datetime(2026, 2, 5, 10, 0, tzinfo=UTC)
DIGEST, OTHER = "d" * 64, "e" * 64
ROOT, MACHINE = "/home/ana/clawd", "desk"
HASH = "sha256:0"
PROGRAM = {"path": "/usr/local/bin/post", "sha256": "f" * 64}
RUNS: dict[str, Any] = {"argv": ["/usr/local/bin/post"]}


def iso(moment: datetime) -> str:
    return moment.isoformat()


@dataclass
class Story:
    """Builds an item's records one after another, a minute apart, the last one minute ago."""

    items: tuple[Item, ...] = ()

    def then(
        self,
        event: str,
        *,
        attempt: int | None = None,
        original: bool = True,
        mirror: bool = True,
        problem: str | None = None,
        when: datetime | None = None,
        torn: bool = False,
        hash: str = HASH,
        **data: Any,
    ) -> Story:
        last = self.items[-1] if self.items else None
        of = attempt if attempt is not None else (last.attempt if last else 1)
        used = [item.number for item in self.items if item.attempt == of]
        number = 500 if event == "claimed" else max(used, default=0) + 1
        moment = when or NOW - timedelta(minutes=60 - len(self.items))
        record = None if torn else Record("w", "x", of, number, event, "ana", moment, None, data)
        return Story((*self.items, Item(of, number, event, record, hash, original, mirror, problem)))

    def approved(self, **given: Any) -> Story:
        where = {name: given.pop(name) for name in ("attempt", "original", "problem", "when") if name in given}
        data: dict[str, Any] = {
            "digest": DIGEST, "path": ROOT, "machine": MACHINE, "not_before": None, "expires": None, "grace_s": 900,
            "lane": "default", "overrides": [], "action": RUNS, "executable": PROGRAM,
        }  # fmt: skip
        return self.then("approved", **where, **(data | given))

    def ask(self, **question: Any) -> Standing:
        asked = Question("x", DIGEST, self.items, (), NOW, ROOT, MACHINE, executable=PROGRAM["sha256"])
        return standing(replace(asked, **question))


S = Story()
YES = S.approved()
NO = S.then("rejected", digest=DIGEST)
TEXT = S.approved(action=None, executable=None)
HOUR = timedelta(hours=1)

TABLE: list[tuple[str, Story, dict[str, Any], str, int, int, str]] = [
    # what, records, question, state, code, attempt of a fresh yes, words of the reason
    ("nobody decided", S, {}, "pending", 3, 1, "no human has said yes"),
    ("a yes", YES, {}, "approved", 0, 1, "a human said yes to these bytes"),
    ("a yes, text", TEXT, {"executable": None}, "approved", 0, 1, "a human said yes"),
    ("a yes, within 24 h", S.approved(when=NOW - 24 * HOUR + HOUR), {}, "approved", 0, 1, ""),
    ("a yes, after 24 h", S.approved(when=NOW - 24 * HOUR), {}, "expired", 3, 2, "the yes ended"),
    ("expires, before", S.approved(expires=iso(NOW + HOUR)), {}, "approved", 0, 1, ""),
    ("expires, at the moment", S.approved(expires=iso(NOW)), {}, "expired", 3, 2, "it needs a fresh one"),
    ("expires beyond 24 h", S.approved(expires=iso(NOW + HOUR), when=NOW - 48 * HOUR), {}, "approved", 0, 1, ""),
    ("not before", S.approved(not_before=iso(NOW + HOUR)), {}, "approved", 75, 1, "not before 11:00"),
    ("not before, another day", S.approved(not_before=iso(NOW + 30 * HOUR)), {}, "approved", 75, 1, "tomorrow 16:00"),
    ("its moment", S.approved(not_before=iso(NOW)), {}, "approved", 0, 1, ""),
    ("within grace", S.approved(not_before=iso(NOW - 15 * HOUR / 60)), {}, "approved", 0, 1, ""),
    ("missed", S.approved(not_before=iso(NOW - 16 * HOUR / 60)), {}, "missed", 3, 2, "was to start by 09:59"),
    ("missed, then expired", S.approved(not_before=iso(NOW - 9 * HOUR), expires=iso(NOW)), {}, "expired", 3, 2, ""),
    (
        "a yes after its time is on time for the grace",
        S.approved(not_before=iso(NOW - 9 * HOUR), when=NOW - 14 * HOUR / 60), {}, "approved", 0, 1, "",
    ),
    (
        "and missed after that",
        S.approved(not_before=iso(NOW - 9 * HOUR), when=NOW - 16 * HOUR / 60), {}, "missed", 3, 2, "",
    ),
    ("changed", YES, {"digest": OTHER}, "superseded", 3, 1, "it changed after the yes"),
    ("the program changed", YES, {"executable": "0" * 64}, "superseded", 3, 1, "/usr/local/bin/post changed"),
    ("the program is gone", YES, {"executable": ""}, "superseded", 3, 1, "changed after the yes"),
    ("a copy elsewhere", YES, {"root": "/tmp/copy"}, "pending", 3, 1, "not for this copy: ask again"),
    ("another machine", YES, {"machine": "laptop"}, "pending", 3, 1, "for the machine desk, and this is laptop"),
    ("a mirrored yes", S.approved(original=False), {}, "pending", 3, 1, "approved elsewhere"),
    ("a mirrored yes after ours", YES.approved(original=False), {}, "pending", 3, 1, "approved elsewhere"),
    ("rejected", S.then("rejected", digest=DIGEST, note="no links"), {}, "rejected", 3, 1, "said no: no links"),
    ("rejected in the mirror", YES.then("rejected", digest=DIGEST, original=False), {}, "rejected", 3, 1, "said no"),
    ("rejected, then revised", S.then("rejected", digest=OTHER), {}, "pending", 3, 1, "revised since"),
    ("sent back", YES.then("changes-requested", digest=DIGEST), {}, "changes-requested", 3, 1, "asked for changes"),
    ("sent back, revised", S.then("changes-requested", digest=OTHER), {}, "pending", 3, 1, "revised since"),
    ("revoked", YES.then("revoked", digest=DIGEST), {}, "revoked", 3, 1, "taken back"),
    ("revoked in the mirror", YES.then("revoked", original=False), {}, "revoked", 3, 1, "taken back"),
    ("a no, then a yes", S.then("rejected", digest=DIGEST).approved(), {}, "approved", 0, 1, ""),
    ("a no taken back", NO.then("reopened", reopens=HASH), {}, "pending", 3, 1, "a no was taken back"),
    (
        "changes taken back", YES.then("changes-requested", digest=DIGEST).then("reopened", reopens=HASH), {},
        "pending", 3, 1, "a no was taken back",
    ),
    ("a revocation undone gives no yes", YES.then("revoked").then("reopened", reopens=HASH), {}, "pending", 3, 1, ""),
    ("taken back in the mirror", NO.then("reopened", reopens=HASH, original=False), {}, "rejected", 3, 1, "said no"),
    ("another no taken back", NO.then("reopened", reopens="sha256:1"), {}, "rejected", 3, 1, "said no"),
    (
        "a no that came between stands", NO.then("changes-requested", digest=OTHER, original=False, torn=True)
        .then("rejected", digest=DIGEST, hash="sha256:2").then("reopened", reopens=HASH), {}, "rejected", 3, 1, "no",
    ),
    ("taken back twice", NO.then("reopened", reopens=HASH).then("reopened", reopens=HASH), {}, "pending", 3, 1, ""),
    ("taken back, then a yes", NO.then("reopened", reopens=HASH).approved(), {}, "approved", 0, 1, ""),
    ("nothing to take back", YES.then("reopened", reopens=HASH), {}, "approved", 0, 1, "a human said yes"),
    ("nothing at all", S.then("reopened", reopens=HASH), {}, "pending", 3, 1, "no human has said yes"),
    ("claimed", YES.then("claimed"), {}, "unknown", 5, 1, "never reported back: did it happen?"),
    ("running", YES.then("claimed"), {"running": True}, "running", 4, 1, "it is running now"),
    ("claimed in the mirror", YES.then("claimed", original=False), {}, "unknown", 5, 1, ""),
    ("a torn claim", YES.then("claimed", torn=True, problem="torn"), {}, "unknown", 5, 1, "did it happen?"),
    ("text that was taken", TEXT.then("claimed"), {}, "unknown", 4, 1, "the agent took it"),
    ("done", YES.then("claimed").then("done"), {}, "done", 4, 1, "it ran once and is done"),
    ("failed", YES.then("claimed").then("failed", reason="exit code 1"), {}, "failed", 3, 2, "failed (exit code 1)"),
    ("unknown", YES.then("claimed").then("unknown", reason="timeout"), {}, "unknown", 5, 1, "timeout: did it happen?"),
    (
        "unknown, still running",
        YES.then("claimed").then("unknown", reason="timeout"), {"running": True}, "unknown", 5, 1, "is still running",
    ),
    (
        "aborted",
        YES.then("claimed").then("aborted-before-start", reason="held"), {}, "aborted-before-start", 3, 2, "(held)",
    ),
    ("happened", YES.then("claimed").then("happened"), {}, "happened", 4, 1, "will not run again"),
    ("not happened", YES.then("claimed").then("not-happened"), {}, "not-happened", 3, 2, "only a fresh yes"),
    ("an outcome by hand", YES.then("claimed").then("failed", original=False), {}, "unknown", 5, 1, "did it happen?"),
    ("done by hand", YES.then("claimed").then("done", original=False), {}, "unknown", 5, 1, "did it happen?"),
    (
        "done elsewhere",
        YES.then("claimed", original=False).then("done", original=False), {}, "done", 4, 1, "",
    ),
    ("a fresh yes", YES.then("claimed").then("failed").approved(attempt=2), {}, "approved", 0, 2, ""),
    ("claimed again", YES.then("claimed").then("failed").approved(attempt=2).then("claimed"), {}, "unknown", 5, 2, ""),
    (
        "a fresh yes to what was missed",
        S.approved(not_before=iso(NOW - 9 * HOUR), when=NOW - 10 * HOUR)
        .approved(attempt=2, not_before=iso(NOW - 9 * HOUR), when=NOW - HOUR / 60),
        {}, "approved", 0, 2, "",
    ),
    (
        "an attempt by hand reopens nothing",
        YES.then("claimed").then("rejected", attempt=2, digest=OTHER, original=False), {}, "unknown", 5, 1, "",
    ),
    (
        "nor does one after it is done",
        YES.then("claimed").then("done").approved(attempt=2, original=False), {}, "done", 4, 1, "",
    ),
    ("unreadable", YES.then("revoked", torn=True, problem="it is torn"), {}, "invalid", 3, 1, "blocked: it is torn"),
    ("copies differ", S.approved(problem="the two copies differ"), {}, "invalid", 3, 1, "the two copies differ"),
    ("a bad draft", YES, {"problem": "line 3: no"}, "invalid", 2, 1, "line 3: no"),
    ("a bad draft that ran", YES.then("claimed").then("done"), {"problem": "line 3"}, "done", 4, 1, ""),
    ("the clock back", YES, {"now": NOW - 2 * HOUR}, "invalid", 3, 1, "the clock stands before the last record"),
    ("the clock behind another item's record", YES, {"last": NOW + HOUR / 29}, "invalid", 3, 1, "set the clock"),
    ("two minutes behind it", YES, {"last": NOW + HOUR / 30}, "approved", 0, 1, ""),
    ("a clock put back hides no claim", YES.then("claimed"), {"last": NOW + HOUR}, "unknown", 5, 1, ""),
    ("two minutes are no lie", S.approved(when=NOW + HOUR / 30), {}, "approved", 0, 1, ""),
    ("a little more is", S.approved(when=NOW + HOUR / 29), {}, "invalid", 3, 1, "set the clock"),
    ("a mirror from the future", YES.then("seen", original=False, when=NOW + HOUR), {}, "invalid", 3, 1, "no sense"),
    (
        "the lane started something lately", S.approved(min_interval_s=1200), {"starts": (NOW - HOUR / 4,)},
        "approved", 75, 1, "the lane default starts one item every 20 m: not before 10:05",
    ),
    (
        "the policy wants more", S.approved(lane="x/main", min_interval_s=1200),
        {"starts": (NOW - HOUR / 4,), "interval": HOUR}, "approved", 75, 1, "x/main starts one item every 1 h",
    ),
    (
        "the draft wants more", S.approved(min_interval_s=7200), {"starts": (NOW - HOUR,), "interval": HOUR / 4},
        "approved", 75, 1, "one item every 2 h: not before 11:00",
    ),
    ("far enough apart", S.approved(min_interval_s=900), {"starts": (NOW - HOUR / 4,)}, "approved", 0, 1, ""),
    ("no interval at all", YES, {"starts": (NOW,)}, "approved", 0, 1, ""),
    (
        "late by its lane alone", S.approved(not_before=iso(NOW - HOUR), min_interval_s=2100),
        {"starts": (NOW - 0.8 * HOUR,)}, "approved", 0, 1, "",
    ),
    (
        "late even so", S.approved(not_before=iso(NOW - 2 * HOUR), when=NOW - 3 * HOUR, min_interval_s=1800),
        {"starts": (NOW - 1.9 * HOUR,)}, "missed", 3, 2, "was to start by 08:51",
    ),
    (
        "a start after it was missed brings nothing back",
        S.approved(not_before=iso(NOW - 9 * HOUR), when=NOW - 10 * HOUR, min_interval_s=1200),
        {"starts": (NOW - HOUR / 3,)}, "missed", 3, 2, "was to start by 01:15",
    ),
    (
        "a lane busy past its end", S.approved(expires=iso(NOW), min_interval_s=1200), {"starts": (NOW - HOUR / 4,)},
        "expired", 3, 2, "",
    ),
    ("a policy that cannot be read", YES, {"unruled": "config.toml is broken"}, "approved", 3, 1, "config.toml is"),
    ("it ends all the same", S.approved(expires=iso(NOW)), {"unruled": "broken"}, "expired", 3, 2, ""),
    (
        "the same id elsewhere", YES, {"twin": "/home/ana/old"}, "pending", 3, 1,
        "also at /home/ana/old, so a yes is not for this copy: say `dory moved` or `dory copied`",
    ),
    ("what ran in a copy is done", YES.then("claimed").then("done"), {"twin": "/old"}, "done", 4, 1, ""),
    ("a no in a copy is one", NO, {"twin": "/old"}, "rejected", 3, 1, "said no"),
    ("its own window ended", S, {"ends": NOW}, "expired", 3, 1, "stage it again"),
    ("its own window goes on", S, {"ends": NOW + HOUR}, "pending", 3, 1, "no human has said yes"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("story", "question", "state", "code", "attempt", "words"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
def test_every_state(story: Story, question: dict[str, Any], state: str, code: int, attempt: int, words: str) -> None:
    found = story.ask(**question)
    assert (found.state, int(found.code), found.attempt) == (state, code, attempt)
    assert words in found.reason
    assert found.reason, "every answer says why"


def test_the_table_has_every_state_and_every_code_but_usage_of_the_command() -> None:
    states = {row[3] for row in TABLE}
    assert states == {
        "pending", "approved", "running", "done", "failed", "unknown", "rejected", "changes-requested", "superseded",
        "expired", "revoked", "missed", "aborted-before-start", "happened", "not-happened", "invalid",
    }  # fmt: skip
    assert {row[4] for row in TABLE} == {0, 2, 3, 4, 5, 75}  # 1 is what ran and failed, 6 is a hold


def test_every_way_out_of_an_attempt_leads_to_the_next_by_a_fresh_yes() -> None:
    """From failed, aborted, missed, expired and not-happened a human's yes opens attempt + 1; nothing else does."""
    late = S.approved(not_before=iso(NOW - 9 * HOUR), when=NOW - 10 * HOUR)
    ended = S.approved(when=NOW - 25 * HOUR)
    for story in (
        YES.then("claimed").then("failed"), YES.then("claimed").then("aborted-before-start"),
        YES.then("claimed").then("not-happened"), late, ended,
    ):  # fmt: skip
        found = story.ask()
        assert (found.attempt, found.can_approve) == (2, True)
        again = story.approved(attempt=2, when=NOW - HOUR / 60).ask()
        assert (again.code, again.attempt) == (Exit.FINE, 2)
    for story in (S, NO, YES.then("revoked"), YES.then("claimed"), YES.then("claimed").then("unknown")):
        assert story.ask().attempt == 1


def test_lateness_is_judged_by_the_spaced_schedule() -> None:
    """Seven posts due at once, a quarter of an hour of grace, twenty minutes apart: none is missed by waiting."""
    data = {"not_before": iso(NOW), "expires": None, "grace_s": 900}
    twenty = timedelta(minutes=20)
    starts: list[datetime] = []
    for number in range(7):
        _, _, late = window(data, NOW - HOUR, starts, twenty)
        assert late == NOW + number * twenty + timedelta(minutes=15)
        starts.append(NOW + number * twenty)
    assert window(data, NOW - HOUR, [NOW + HOUR], twenty)[2] == NOW + timedelta(minutes=15), "it was missed by then"
    assert window({**data, "not_before": None}, NOW - HOUR, starts, twenty)[2] is None, "without a time none is missed"
    assert window(data, NOW - HOUR)[1] == NOW + 23 * HOUR, "a yes without an end holds for a day"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (45, "45 s"), (90, "90 s"), (1200, "20 m"), (7200, "2 h"), (86_400, "1 d")]
)
def test_spans(seconds: int, words: str) -> None:
    assert span(timedelta(seconds=seconds)) == words


# Holds lie over everything that could still run.

HOLD = Hold("stamp", "a" * 64, "[...] X thread — wait", "X thread", "wait", None, None, 1, (0, 9))
GONE = replace(HOLD, hash="b" * 64, present=False)
FILE = Hold("file", "c" * 64, "HOLD.md has merge conflict markers", "HOLD.md", "", None, None, 1, (0, 0))
PASSAGE = Hold("text", "d" * 64, "Do nothing.", "Do nothing.", "", None, None, 1, (0, 0))


@pytest.mark.parametrize(
    ("story", "state", "code"),
    [
        (S, "pending", 6), (YES, "approved", 6), (S.approved(not_before=iso(NOW + HOUR)), "approved", 6),
        (YES.then("rejected", digest=DIGEST), "rejected", 6), (YES.then("claimed"), "unknown", 5),
        (YES.then("claimed").then("done"), "done", 4), (YES.then("claimed").then("failed"), "failed", 6),
        (YES.then("revoked", torn=True, problem="torn"), "invalid", 3),
    ],
)  # fmt: skip
def test_a_hold_outranks_a_yes_and_hides_no_claim(story: Story, state: str, code: int) -> None:
    found = story.ask(holds=(HOLD,))
    assert (found.state, int(found.code)) == (state, code)
    assert found.held_by == (HOLD,)


@pytest.mark.parametrize(
    ("hold", "sentence"),
    [
        (HOLD, "held by “X thread — wait”"),
        (GONE, "held by “X thread — wait” (its line is gone from HOLD.md; only a human lifts it)"),
        (FILE, "everything is held: HOLD.md has merge conflict markers"),
        (PASSAGE, "everything is held by “Do nothing.”"),
    ],
)
def test_a_hold_says_which_it_is(hold: Hold, sentence: str) -> None:
    assert YES.ask(holds=(hold,)).reason == sentence


def test_more_than_one_hold_is_counted() -> None:
    assert YES.ask(holds=(HOLD, GONE, FILE)).reason.startswith("held by “X thread — wait” and 2 more")


def test_an_override_is_bound_to_that_holds_own_hash() -> None:
    over = S.approved(overrides=[HOLD.hash])
    assert over.ask(holds=(HOLD,)).code == Exit.FINE
    assert over.ask(holds=(HOLD, GONE)).held_by == (GONE,)
    assert over.ask(holds=(HOLD, GONE)).code == Exit.HELD
    assert over.ask(holds=(replace(HOLD, hash="f" * 64),)).code == Exit.HELD


def test_an_override_of_other_bytes_is_none() -> None:
    assert S.approved(overrides=[HOLD.hash]).ask(holds=(HOLD,), digest=OTHER).code == Exit.HELD


def test_an_override_does_not_outlive_its_attempt() -> None:
    again = S.approved(overrides=[HOLD.hash]).then("claimed").then("failed")
    assert again.ask(holds=(HOLD,)).code == Exit.HELD
    assert again.approved(attempt=2).ask(holds=(HOLD,)).code == Exit.HELD


# The two words the review asks for.


@pytest.mark.parametrize(
    ("story", "question", "needs", "can"),
    [
        (S, {}, True, True), (YES, {}, False, False), (YES, {"digest": OTHER}, True, True),
        (YES, {"root": "/tmp/copy"}, True, True), (YES.then("revoked"), {}, False, True),
        (S.then("rejected", digest=DIGEST), {}, False, True), (YES.then("claimed"), {}, True, False),
        (YES.then("claimed"), {"running": True}, False, False), (YES.then("claimed").then("done"), {}, False, False),
        (YES.then("claimed").then("failed"), {}, False, True), (S.approved(when=NOW - 25 * HOUR), {}, True, True),
        (S.approved(expires=iso(NOW)), {}, False, False), (S, {"ends": NOW}, False, False),
        (S.approved(not_before=iso(NOW - HOUR), when=NOW - 2 * HOUR), {}, True, True),
        (S, {"problem": "x"}, False, False),
    ],
)  # fmt: skip
def test_what_waits_for_a_human_and_what_may_get_a_yes(
    story: Story, question: dict[str, Any], needs: bool, can: bool
) -> None:
    found = story.ask(**question)
    assert (found.needs_yes, found.can_approve) == (needs, can)


def test_the_attempt_is_the_first_that_nothing_reopened() -> None:
    assert current_attempt(()) == 1
    assert current_attempt(YES.items) == 1
    assert current_attempt(YES.then("claimed").then("failed").items) == 1
    assert current_attempt(YES.then("claimed").then("failed").approved(attempt=2).items) == 2
    assert current_attempt(YES.then("claimed").approved(attempt=7).items) == 1
