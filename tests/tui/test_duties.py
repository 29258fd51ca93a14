"""Promises that are still open, in the review: listed with their age, and closed as kept."""

from __future__ import annotations

import pytest

from dory_tui.review import promises
from dory_tui.review.change import DecisionError
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.tui.screens.bulk import Bulk
from dory_tui.workspace.promises import open_promises
from tests.tui.conftest import NOW, Morning, Person, sit

pytestmark = pytest.mark.long

OLD = "# 2026-11-12\n\n## Promises\n- [ ] call the accountant [/] about the export\n"
NEW = "# 2026-11-27\n\n## Promises\n- [x] 09:00 book the hall\n- [ ] 10:20 send Ana the poster\n"


@pytest.fixture
def owing(morning: Morning) -> Morning:
    """The morning with two open promises, three and eighteen days old."""
    morning.write("memory/2026-11-12.md", OLD)
    morning.write("memory/2026-11-27.md", NEW)
    morning.git("add", "-A")
    morning.git("commit", "-q", "-m", "Logs")
    return morning


async def to_the_last(person: Person) -> None:
    """To the last line of ACTIVE, and half a second there."""
    await person.press("2", "G")


async def test_open_promises_stand_below_the_task_the_oldest_first(owing: Morning) -> None:
    async with sit(owing) as person:
        rows = [line[3:47].strip(" │") for line in person.screen_text.splitlines() if "promised" in line]
        assert rows[0].startswith("promised 18 d: call the accountant [/]")
        assert rows[1] == "promised 3 d: send Ana the poster"
        assert len(rows) == 2
        assert "book the hall" not in person.screen_text


async def test_the_page_says_where_it_was_promised_and_that_an_old_one_is_old(owing: Morning) -> None:
    async with sit(owing) as person:
        await to_the_last(person)
        assert "promised 3 d ago · memory/2026-11-27.md line 5" in person.screen_text
        assert "two weeks or longer" not in person.screen_text
        await person.press("k")
        assert "promised 18 d ago · memory/2026-11-12.md line 4" in person.screen_text
        assert "it has been open for two weeks or longer" in person.screen_text


async def test_a_closes_it_as_kept_after_asking_in_one_commit(owing: Morning) -> None:
    decisions = owing.read("state/DECISIONS.md")
    async with sit(owing) as person:
        await to_the_last(person)
        assert "a kept" in person.screen_text.splitlines()[-1]
        await person.press("a")
        assert isinstance(person.app.screen, AskScreen)
        assert "Was this promise kept?" in person.screen_text
        await person.press("enter", "escape")
        assert owing.read("memory/2026-11-27.md") == NEW
        await person.press("a", "a")
        assert owing.read("memory/2026-11-27.md") == NEW.replace("[ ]", "[x]")
        assert "promised 3 d" not in person.screen_text
        assert "promised 18 d" in person.screen_text
        assert any("kept: send Ana the poster" in one for one in person.notices)
    assert owing.git("log", "-1", "--format=%s").strip() == "Keep a promise: send Ana the poster"
    assert owing.git("show", "--format=", "--name-only", "HEAD").split() == ["memory/2026-11-27.md"]
    assert owing.read("state/DECISIONS.md") == decisions


async def test_one_that_was_ticked_meanwhile_is_refused_and_goes(owing: Morning) -> None:
    async with sit(owing) as person:
        await to_the_last(person)
        await person.press("a")
        owing.write("memory/2026-11-27.md", NEW.replace("[ ]", "[x]"))
        head = owing.git("rev-parse", "HEAD")
        await person.press("a")
        assert any("is ticked already" in one for one in person.notices)
        assert "promised 3 d" not in person.screen_text
        assert owing.git("rev-parse", "HEAD") == head


async def test_without_a_task_the_panel_says_so_and_lists_the_promises(owing: Morning) -> None:
    owing.write("state/ACTIVE.md", "# ACTIVE.md\n\n## Current Instruction\n\n[none]\n")
    async with sit(owing) as person:
        assert "no task" in person.screen_text
        assert "promised 3 d: send Ana" in person.screen_text
        await person.press("slash", *"poster", "enter")
        assert "promised 3 d: send Ana" in person.screen_text
        assert "promised 18 d" not in person.screen_text


async def test_two_equal_promises_are_two_lines_and_one_key_closes_one(owing: Morning) -> None:
    owing.write("memory/2026-11-12.md", OLD + "- [ ] call the accountant [/] about the export\n")
    async with sit(owing) as person:
        await to_the_last(person)
        await person.press("k", "a", "a")
        assert owing.read("memory/2026-11-12.md").count("[x]") == 1
        assert sum("promised 18 d" in line for line in person.screen_text.splitlines()) == 1


async def test_a_promise_is_nothing_that_waits_for_a_yes(owing: Morning) -> None:
    async with sit(owing) as person:
        await to_the_last(person)
        assert isinstance(person.review, Bulk)
        assert not {"approve", "promote", "reject", "edit", "scores"} & person.review.possible(person.review.selected)
        await person.press("r", "c", "e", "x")
        assert person.app.screen is person.review
        desk = person.review.desk
        assert desk is not None
        assert [one.text for one in desk.promises][1] == "send Ana the poster"
        assert all(subject.kind in ("draft", "memory") for subject in desk.queue)


def test_a_log_that_is_gone_is_a_sentence(owing: Morning) -> None:
    promise = open_promises(owing.root, NOW.date())[0]
    (owing.root / promise.path).unlink()
    with pytest.raises(DecisionError, match="is not there any more"):
        promises.kept(owing.gate(), promise)
    assert not (owing.root / promise.path).exists()


async def test_a_task_that_asks_for_what_is_held_says_that_the_hold_comes_first(owing: Morning) -> None:
    asked = owing.read("state/ACTIVE.md").replace("revise to 37 scenes", "post the X thread, tweets 2 to 7")
    owing.write("state/ACTIVE.md", asked)
    async with sit(owing) as person:
        assert "asks for what is held" in person.screen_text
        await person.press("2", "g")
        assert "it asks for what HOLD blocks, and that comes first: “X thread" in person.screen_text
        await person.press("1", "g")
        assert "ACTIVE asks for what this holds, and this comes first" in person.screen_text
        await person.press("L", "L", "1")
        assert "asks for what is held" not in person.screen_text


async def test_a_task_that_asks_for_nothing_held_says_nothing_of_it(owing: Morning) -> None:
    async with sit(owing) as person:
        await person.press("2", "g")
        assert "what is held" not in person.screen_text
        assert "comes first" not in person.screen_text
