"""Marks, and one decision about all that is marked: listed first, each decided by itself."""

from __future__ import annotations

import pytest

from dory_tui.review.desk import load
from dory_tui.tui.screens.ask_all import AskAllScreen
from dory_tui.tui.screens.note import NoteScreen
from dory_tui.tui.widgets.text_view import TextView
from dory_tui.workspace import layout
from tests.tui.conftest import Morning, Person, sit

pytestmark = pytest.mark.long

ANA = "state/drafts/mail-ana.md"


async def _mark(person: Person, *names: str) -> None:
    """Read each to its end and mark it."""
    for name in names:
        await person.go(name)
        await person.read()
        await person.press("x")


async def test_a_mark_shows_counts_and_goes_again(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        assert "◆ mail-ana" in person.screen_text
        assert "2 marked: a, r and c decide them all" in person.screen_text
        await person.press("x")
        assert "◆ deploy-web" not in person.screen_text
        assert "1 marked" in person.screen_text


async def test_only_what_waits_can_be_marked(morning: Morning) -> None:
    async with sit(morning) as person:
        await person.press("3", "G", "x", "1", "x", "5", "x")
        assert person.review.marked == {}


async def test_everything_is_listed_and_asked_before_anything_is_approved(morning: Morning) -> None:
    async with sit(morning) as person:
        before = morning.everything()
        await _mark(person, "mail-ana", "deploy-web", "launch-3", "lunch", "invoice-day")
        await person.press("a")
        assert isinstance(person.app.screen, AskAllScreen)
        assert "Approve 2 drafts and promote 1 memory?" in person.screen_text
        assert "bin/post --to ana@example.com" in person.screen_text
        assert "in place of “- Invoices are sent at the start of the month”" in person.screen_text
        assert "held by “X thread tweets 2-7" in person.screen_text
        assert "it does not earn its place: 4 is below 8" in person.screen_text
        await person.press("enter", "y", "space")
        assert morning.everything() == before
        await person.press("a")
        assert {name: morning.state(name) for name in ("mail-ana", "deploy-web", "launch-3")} == {
            "mail-ana": "approved", "deploy-web": "approved", "launch-3": "pending",
        }  # fmt: skip
        assert "- Invoices are sent on the 3rd" in morning.read("MEMORY.md")
        assert "3 decided" in person.screen_text
        assert person.screen_text.count("commit ") >= 3
        assert morning.git("log", "-3", "--format=%s").splitlines()[::-1] == [
            "Approve mail-ana", "Approve deploy-web", "Promote invoice-day to MEMORY.md",
        ]  # fmt: skip
        await person.press("escape")
        assert list(person.review.marked.values()) == [
            subject for subject in load(morning.gate()).queue if subject.id in ("launch-3", "lunch")
        ]


async def test_what_was_never_wholly_on_the_screen_is_left_out(morning: Morning) -> None:
    morning.write(ANA, morning.read(ANA) + "one more line\n" * 60)
    async with sit(morning) as person:
        await _mark(person, "deploy-web")
        await person.go("mail-ana")
        await person.press("x", "a")
        assert "Approve 1 draft?" in person.screen_text
        assert "it was never wholly on the screen: read it first" in person.screen_text
        await person.press("a")
        assert morning.state("deploy-web") == "approved"
        assert morning.events("mail-ana") == []


async def test_escape_decides_nothing_and_keeps_the_marks(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        before = morning.everything()
        await person.press("a", "escape", "r", "escape")
        assert morning.everything() == before
        assert len(person.review.marked) == 2


async def test_one_note_goes_to_all(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        await person.press("c")
        assert "Send back 2 drafts?" in person.screen_text
        await person.press("c")
        assert isinstance(person.app.screen, NoteScreen)
        await person.press("enter")
        assert "say what should change" in person.screen_text
        await person.write("not in December")
        await person.press("enter")
        assert morning.state("mail-ana") == morning.state("deploy-web") == "changes-requested"
        assert morning.read(layout.STAGING).count("**Note:** not in December") == 2


async def test_rejecting_and_discarding(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "launch-3", "lunch")
        await person.press("r")
        assert "Reject 1 draft and discard 1 memory?" in person.screen_text
        await person.press("r", "enter")
        assert morning.state("launch-3") == "rejected"
        found = {one.promotion.id: one.promotion.status for one in load(morning.gate()).candidates}
        assert found["lunch"] == "discarded"


async def test_what_changed_meanwhile_is_dropped_with_a_sentence(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        await person.press("a")
        morning.write(ANA, morning.read(ANA).replace("eight hours", "nine hours"))
        await person.press("a")
        assert morning.state("deploy-web") == "approved"
        assert morning.events("mail-ana") == []
        assert "1 decided, 1 left as it was" in person.screen_text
        assert "mail-ana changed since you read it" in person.screen_text


async def test_a_mark_falls_off_what_changes(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        morning.write(ANA, morning.read(ANA).replace("eight hours", "nine hours"))
        await person.press("H")
        await person.write("all posts")
        await person.press("enter")
        assert [one.id for one in person.review.marked.values()] == ["deploy-web"]
        assert "mail-ana changed since you marked it: its mark is gone" in person.notices


@pytest.mark.long
async def test_a_list_longer_than_the_screen_must_be_read_to_its_end(morning: Morning) -> None:
    for number in range(20):
        morning.draft(f"note-{number:02}", f"Note {number}", "x\n", ["/bin/echo", str(number)])
    async with sit(morning, (80, 24)) as person:
        await _mark(person, *(f"note-{number:02}" for number in range(20)))
        await person.press("r", "r")
        assert isinstance(person.app.screen, AskAllScreen)
        assert "not read yet: Space reads on" in person.screen_text
        while person.app.screen.query_one(TextView).unseen:
            await person.press("space")
        await person.press("r", "enter")
        assert morning.state("note-19") == "rejected"


async def test_keys_typed_ahead_answer_nothing(morning: Morning) -> None:
    async with sit(morning) as person:
        await _mark(person, "mail-ana", "deploy-web")
        person.ticks.now += 0.5
        await person.rush("a", "a", "a")
        assert isinstance(person.app.screen, AskAllScreen)
        assert morning.events("mail-ana") == morning.events("deploy-web") == []
