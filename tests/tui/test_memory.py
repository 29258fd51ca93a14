"""The Memory screen: what it shows of each candidate, what its keys write, and that nothing else is written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from dory_tui.ledger.store import MEMORY_PREFIX
from dory_tui.memory import promoting
from dory_tui.review.desk import load
from dory_tui.review.items import Candidate
from dory_tui.tui import palette
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.tui.screens.ask_all import AskAllScreen
from dory_tui.tui.screens.memory import MemoryScreen
from dory_tui.tui.screens.note import NoteScreen
from dory_tui.tui.screens.pruning import PruningScreen
from dory_tui.tui.screens.review import ReviewScreen
from dory_tui.tui.widgets.memory_view import together
from dory_tui.tui.widgets.text_view import TextView
from dory_tui.workspace import layout
from tests.tui.conftest import MEMORY, Morning, Person, sit

pytestmark = pytest.mark.long

BEST = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}"


def screen(person: Person) -> MemoryScreen:
    return next(one for one in person.app.screen_stack if isinstance(one, MemoryScreen))


async def go(person: Person, name: str) -> None:
    """To the Memory screen, and on it to a candidate that waits."""
    if not isinstance(person.app.screen, MemoryScreen):
        await person.press("M")
    desk = screen(person).desk
    assert desk is not None
    screen(person)._go_to(next(one.subject for one in desk.memories if one.promotion.id == name))
    await person.settle()
    assert selected(person) == name


def selected(person: Person) -> str | None:
    entry = screen(person).selected
    return entry.thing.promotion.id if entry is not None and isinstance(entry.thing, Candidate) else None


def promoted(morning: Morning, name: str) -> bool:
    return "promoted" in morning.events(MEMORY_PREFIX + name)


def shown_after(person: Person) -> bytes:
    """MEMORY.md as the diff on the screen says that it will be: its new lines, with those it does not show."""
    shown = screen(person).detail.diff._shown
    assert shown is not None
    return shown.new.encode("utf-8", "surrogateescape")


class TestWhatIsShown:
    async def test_candidates_with_totals_and_scores_the_best_first_and_what_is_over_last(
        self, morning: Morning
    ) -> None:
        morning.candidate("old", "Ana left in May", "## People", BEST)
        morning.write(
            "memory/promotions/old.md", morning.read("memory/promotions/old.md").replace("pending", "promoted")
        )
        async with sit(morning) as person:
            await person.press("M")
            text = person.screen_text
            assert "3 memories wait, 2 earn their place" in text
            lines = [line for line in text.splitlines() if " 3222  " in line or " 1111  " in line]
            starts = [line.split("22  ")[-1].split("11  ")[-1][:10] for line in lines]
            assert starts == ["Ana prefer", "Invoices a", "Lunch plac", "Ana left i"]
            assert "9  3222  Ana prefers Slack to mail   promote" in text
            assert "stays out" in lines[2]
            assert "promoted" in lines[3]

    async def test_the_diff_the_scores_the_size_and_what_is_like_it(self, morning: Morning) -> None:
        morning.write("memory/2026-11-24.md", "# 2026-11-24\n" + "\n" * 10 + "- billing run moved to the 3rd\n")
        async with sit(morning) as person:
            await go(person, "invoice-day")
            text = person.screen_text
            assert "11 - - Invoices are sent at the start of the month" in text
            assert "11 + - Invoices are sent on the 3rd; the 1st is too early" in text
            assert "promote: 9 is at least 8" in text
            assert "(+22 bytes)" in text
            assert "nothing is cut at 12,000 characters or at 200 lines or 25 KB" in text
            assert "line 11  replaces this" in text
            assert "learnt memory/2026-11-24.md, line 12" in text
            assert "“billing run moved to the 3rd”" in text

    async def test_an_exact_restatement_is_marked(self, morning: Morning) -> None:
        morning.candidate("again", "payment terms are **14 days**.", "## Money", BEST)
        async with sit(morning) as person:
            await go(person, "again")
            beside = "\n".join(row.gutter + row.text for row in screen(person).near._rows)
            assert "1.0Payment terms are 14 days · line 10  says the same already" in beside

    async def test_no_candidate_says_what_to_do(self, morning: Morning) -> None:
        for file in (morning.root / "memory/promotions").iterdir():
            file.unlink()
        async with sit(morning) as person:
            await person.press("M")
            assert "no memory waits" in person.screen_text
            assert "`dory-agent propose`" in person.screen_text
            before = morning.everything()
            await person.press("a", "r", "c", "s", "A", "w", "x", "enter", "escape")
            assert isinstance(person.app.screen, MemoryScreen)
            assert morning.everything() == before

    async def test_a_broken_candidate_is_there_with_its_line(self, morning: Morning) -> None:
        morning.candidate("broken", "x", "## People", "{longevity: 7}")
        async with sit(morning) as person:
            await go(person, "broken")
            assert "cannot be read" in person.screen_text
            assert "memory/promotions/broken.md line 5" in person.screen_text
            await person.press("a")
            assert morning.read("MEMORY.md") == MEMORY

    @pytest.mark.parametrize("size", [(60, 16), (80, 24), (100, 30), (120, 40), (140, 40), (200, 60)])
    async def test_every_line_of_the_diff_can_be_reached(self, morning: Morning, size: tuple[int, int]) -> None:
        morning.candidate(
            "long", "\n- ".join(f"line {n} of many, which goes on and on" for n in range(70)), "## Money", BEST
        )
        async with sit(morning, size) as person:
            await go(person, "long")
            await person.press("a")
            assert morning.read("MEMORY.md") == MEMORY, "not read to its end"
            for _ in range(40):
                await person.press("space")
                if not screen(person).detail.unseen:
                    break
            await person.press("a")
            assert promoted(morning, "long")

    async def test_under_sixty_columns_it_says_so_and_decides_nothing(self, morning: Morning) -> None:
        async with sit(morning, (59, 20)) as person:
            await person.press("M")
            assert "dory needs 60 × 16; this is 59 × 20." in person.screen_text
            await person.press("a", "A")
            assert morning.read("MEMORY.md") == MEMORY

    async def test_names_in_files_are_no_markup_and_no_controls(self, morning: Morning) -> None:
        hostile = "[/] [@click=app.quit]x[/] \x1b[31m \u202e \u200b [stage=1:"
        morning.candidate("hostile", hostile, "## People", BEST)
        morning.write("MEMORY.md", MEMORY + f"- {hostile}\n")
        morning.write("memory/2026-11-24.md", "\n" * 11 + f"- {hostile}\n")
        async with sit(morning, (200, 60)) as person:
            await go(person, "hostile")
            await person.press("t", "w", "w", "P", "x")
            assert "\x1b" not in person.screen_text
            assert "\u202e" not in person.screen_text
            assert "[/] [@click=app.quit]x[/]" in person.screen_text


class TestTheDiff:
    async def test_two_columns_from_140_and_t_turns_it_over(self, morning: Morning) -> None:
        for size, two in (((139, 40), False), ((140, 40), True)):
            async with sit(morning, size) as person:
                await go(person, "invoice-day")
                assert screen(person).detail.diff.side == two
                together_now = "12   - Accountant gets the export in the first week"
                assert (person.screen_text.count("Accountant gets") == 2) == two
                await person.press("t")
                assert screen(person).detail.diff.side != two
                assert together_now in person.screen_text or not two

    async def test_what_was_seen_in_one_style_counts_in_the_other(self, morning: Morning) -> None:
        async with sit(morning, (139, 40)) as person:
            await go(person, "invoice-day")
            assert screen(person).detail.unseen == 0
            await person.press("t")
            assert screen(person).detail.unseen == 0
            await person.press("a")
            assert promoted(morning, "invoice-day")

    async def test_context_grows_and_shrinks(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            assert "Ana: design lead" not in person.screen_text
            await person.press("right_curly_bracket", "right_curly_bracket", "equals_sign")
            assert "Ana: design lead" in person.screen_text
            await person.press(*["minus"] * 4, "left_curly_bracket")
            assert "Accountant" not in person.screen_text

    async def test_in_the_text_the_keys_that_move_are_the_texts(self, morning: Morning) -> None:
        morning.write("MEMORY.md", MEMORY + "".join(f"- more, {n}\n" for n in range(80)))
        async with sit(morning) as person:
            await go(person, "invoice-day")
            await person.press(*["right_curly_bracket"] * 4, "enter", "j", "down")
            diff = screen(person).detail.diff
            assert selected(person) == "invoice-day"
            assert diff.scroll_offset.y == 2
            await person.press("k", "G")
            assert diff.scroll_offset.y == diff.max_scroll_y > 2
            await person.press("g")
            assert diff.scroll_offset.y == 0

    async def test_hunk_to_hunk(self, morning: Morning) -> None:
        morning.candidate(
            "ana", "Ana: answers at night", "## People", BEST, '"- Ana: design lead, answers in the afternoon"'
        )
        async with sit(morning) as person:
            await person.press("M", "w", "minus")
            assert "2 changes" in person.screen_text
            diff = screen(person).detail.diff
            await person.press("full_stop")
            assert "change 1 of 2" in person.screen_text
            first = diff.cursor
            await person.press("full_stop", "full_stop")
            assert "change 2 of 2" in person.screen_text
            assert diff.cursor is not None
            assert first is not None
            assert diff.cursor > first
            await person.press("comma")
            assert diff.cursor == first


class TestPromoting:
    async def test_a_writes_the_bytes_of_the_diff(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            preview = hashlib.sha256(shown_after(person)).hexdigest()
            await person.press("a")
            assert hashlib.sha256((morning.root / "MEMORY.md").read_bytes()).hexdigest() == preview
            assert promoted(morning, "invoice-day")
            assert morning.git("log", "-1", "--format=%s").strip() == "Promote invoice-day to MEMORY.md"
            assert selected(person) == "lunch"

    async def test_a_new_section_is_asked_about(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "ana-slack")
            preview = shown_after(person)
            await person.press("a")
            assert isinstance(person.app.screen, AskScreen)
            await person.press("enter", "a")
            assert (morning.root / "MEMORY.md").read_bytes() == preview

    async def test_below_the_verdict_it_is_refused_until_the_scores_say_so(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "lunch")
            await person.press("a")
            assert "does not earn its place" in person.notices[-1]
            await person.press("s", "3", "down", "3", "down", "3", "down", "3")
            assert "promote: 12 is at least 8" in person.screen_text
            await person.press("escape")
            assert "longevity: 3, reuse: 3" in morning.read("memory/promotions/lunch.md")
            await go(person, "lunch")
            await person.press("a")
            assert promoted(morning, "lunch")

    async def test_keys_in_a_rush_decide_one_at_most(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            person.ticks.now += 0.5
            await person.rush("a", "a", "a", "A", "a")
            assert [name for name in ("invoice-day", "ana-slack", "lunch") if promoted(morning, name)] == [
                "invoice-day"
            ]

    async def test_a_file_that_changed_meanwhile_is_not_overwritten(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            morning.write("MEMORY.md", MEMORY + "- a line of somebody else\n")
            await person.press("a")
            assert not promoted(morning, "invoice-day")
            assert morning.read("MEMORY.md") == MEMORY + "- a line of somebody else\n"
            assert "changed since you read it" in person.notices[-1]
            await person.press("a")
            assert promoted(morning, "invoice-day")
            assert morning.read("MEMORY.md").endswith("- a line of somebody else\n")

    async def test_r_and_c_take_a_note(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            await person.press("c")
            assert isinstance(person.app.screen, NoteScreen)
            await person.write("say which invoices")
            await person.press("enter")
            assert 'note: "say which invoices"' in morning.read("memory/promotions/invoice-day.md")
            await go(person, "lunch")
            await person.press("r", "enter")
            assert "status: discarded" in morning.read("memory/promotions/lunch.md")
            assert morning.read("MEMORY.md") == MEMORY

    async def test_u_takes_the_last_one_back(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            await person.press("a", "u", "u")
            assert morning.read("MEMORY.md") == MEMORY
            assert selected(person) == "invoice-day"

    async def test_marked_ones_are_listed_and_decided_together(self, morning: Morning) -> None:
        async with sit(morning) as person:
            for name in ("invoice-day", "ana-slack"):
                await go(person, name)
                await person.press("x")
            assert "2 marked" in person.screen_text
            await person.press("a")
            assert isinstance(person.app.screen, AskAllScreen)
            await person.press("a")
            assert promoted(morning, "invoice-day")
            assert promoted(morning, "ana-slack")

    async def test_the_review_shows_it_when_one_goes_back(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            await person.press("a", "M")
            assert isinstance(person.app.screen, ReviewScreen)
            desk = person.review.desk
            assert desk is not None
            assert "invoice-day" not in [one.promotion.id for one in desk.memories]


class TestAllThatPass:
    async def test_all_are_listed_with_their_diff_and_written_as_shown(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "w")
            assert "2 of 3 that wait earn their place and fit" in person.screen_text
            assert "it does not earn its place: 4 is below 8" in person.screen_text
            preview = shown_after(person)
            assert preview == together(load(morning.gate())).preview.after
            await person.press("A")
            assert isinstance(person.app.screen, AskAllScreen)
            rows = [row.text for row in person.app.screen.query_one(TextView)._rows]
            assert "- Ana prefers Slack to mail" in rows
            before = morning.everything()
            await person.press("enter", "y")
            assert morning.everything() == before
            while person.app.screen.query_one(TextView).unseen:
                await person.press("space")
            await person.press("a")
            assert (morning.root / "MEMORY.md").read_bytes() == preview
            assert promoted(morning, "invoice-day")
            assert promoted(morning, "ana-slack")
            assert not promoted(morning, "lunch")

    async def test_the_list_must_be_read_to_its_end(self, morning: Morning) -> None:
        for n in range(30):
            morning.candidate(f"more-{n:02}", f"fact number {n}", "## People", BEST)
        async with sit(morning, (80, 24)) as person:
            await person.press("M", "A", "a")
            assert isinstance(person.app.screen, AskAllScreen)
            assert morning.read("MEMORY.md") == MEMORY

    async def test_one_alone_is_not_decided_while_all_are_shown(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            await person.press("w", "a", "r", "c", "s", "x")
            assert isinstance(person.app.screen, MemoryScreen)
            assert morning.events(MEMORY_PREFIX + "invoice-day") == []
            await person.press("escape", "a")
            assert promoted(morning, "invoice-day")


class TestWhatItReplaces:
    async def test_a_line_that_stands_twice_is_asked_about_and_the_choice_shown(self, morning: Morning) -> None:
        line = "- Invoices are sent at the start of the month"
        memory = MEMORY.replace("## People\n", f"## People\n\n{line}\n")
        morning.write("MEMORY.md", memory)
        async with sit(morning) as person:
            await go(person, "invoice-day")
            assert "stands in MEMORY.md 2 times" in person.screen_text
            await person.press("a")
            assert "replace line 5, under “People”" in person.screen_text
            assert "replace line 13, under “Money”" in person.screen_text
            await person.press("2")
            assert morning.read("MEMORY.md") == memory, "a choice is no yes"
            assert "it replaces line 13, as you said" in person.screen_text
            preview = shown_after(person)
            new = "- Invoices are sent on the 3rd; the 1st is too early for timesheets"
            assert preview.decode().splitlines()[12] == new
            await person.press("a")
            assert (morning.root / "MEMORY.md").read_bytes() == preview

    async def test_more_lines_than_there_are_keys_for_are_told(self, morning: Morning) -> None:
        line = "- Invoices are sent at the start of the month"
        morning.write("MEMORY.md", MEMORY.replace("## People\n", "## People\n\n" + f"{line}\n" * 10))
        async with sit(morning, (120, 50)) as person:
            await go(person, "invoice-day")
            await person.press("a")
            assert "2 of them are not among these: `dory memory promote invoice-day" in person.screen_text
            assert "--replace-line N` takes one of those too" in person.screen_text

    async def test_a_line_that_is_not_there_can_be_left_and_the_memory_added(self, morning: Morning) -> None:
        morning.candidate("lost", "Bob is paid monthly", "## People", BEST, '"- Bob: paid weekly"')
        async with sit(morning) as person:
            await go(person, "lost")
            await person.press("a")
            assert "replace nothing and add it to ## People" in person.screen_text
            await person.press("a")
            assert not promoted(morning, "lost")
            await person.press("a")
            assert "- Bob: contractor, paid by Stripe\n- Bob is paid monthly\n" in morning.read("MEMORY.md")


def _full(cap: int) -> str:
    lines = MEMORY + "\n## Lessons\n\n"
    while len(lines) + 60 < cap:
        lines += f"- lesson {len(lines):05}: the deploy needs the VPN up, ask Ana\n"
    return lines


class TestWhatChangesMeanwhile:
    async def test_it_is_read_again_and_a_banner_says_so(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            morning.write("MEMORY.md", MEMORY.replace("14 days", "30 days"))
            screen(person).look_again()
            await person.settle()
            assert selected(person) == "invoice-day"
            assert "it changed since you read it: read it again" in person.screen_text
            assert "Payment terms are 30 days" in person.screen_text
            await person.rush("a")
            assert not promoted(morning, "invoice-day")
            await person.press("a")
            assert promoted(morning, "invoice-day")

    async def test_what_somebody_took_away_is_told(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "lunch")
            (morning.root / "memory/promotions/lunch.md").unlink()
            screen(person).look_again()
            await person.settle()
            assert person.notices[-1] == "lunch is gone: somebody else took it away"
            assert selected(person) == "invoice-day"


class TestFinding:
    async def test_the_filter_hides_and_escape_shows_all(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "slash")
            await person.write("slack")
            await person.settle()
            assert "1 of 3" in person.screen_text
            assert "Lunch place" not in person.screen_text
            await person.press("enter", "escape")
            assert "Lunch place" in person.screen_text

    async def test_every_verb_is_in_the_palette(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            titles = {one.title for one in palette.commands(person.app, person.app.screen)}
            assert {
                "Promote this memory", "Discard this memory", "Request changes", "Edit the scores",
                "Edit this in your editor", "Promote all memories that pass", "Audit and prune",
                "Show the diff of all that pass, or of one", "Show the diff in two columns, or in one", "Review",
            } <= titles  # fmt: skip
            assert not titles & {"Hold something", "Approve this draft", "Memory"}

    async def test_a_yes_of_the_palette_is_asked_for_again(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "invoice-day")
            screen(person).action_promote(asked=True)
            await person.settle()
            assert isinstance(person.app.screen, AskScreen)
            assert not promoted(morning, "invoice-day")


class TestTheCap:
    async def test_over_the_cap_it_is_refused_and_pruning_is_offered(self, morning: Morning) -> None:
        morning.write("MEMORY.md", _full(10_240))
        async with sit(morning) as person:
            await go(person, "ana-slack")
            room = 10_240 - len(morning.read("MEMORY.md"))
            morning.candidate("big", "x" * 200, "## People", BEST)
            assert room < 200
            await person.press("M", "M")
            await go(person, "big")
            assert "over the cap of 10,240" in person.screen_text
            await person.press("a")
            assert "MEMORY.md has no room for this" in person.screen_text
            await person.press("P")
            assert isinstance(person.app.screen, PruningScreen)
            assert "more must go" in person.screen_text
            assert morning.read("MEMORY.md") == _full(10_240)

    async def test_a_file_over_the_cap_opens_in_red_and_can_only_shrink(self, morning: Morning) -> None:
        morning.write("MEMORY.md", _full(14_000))
        async with sit(morning) as person:
            await go(person, "invoice-day")
            assert "bytes over the cap" in person.screen_text
            assert "fall below the cut at 12,000 characters" in person.screen_text
            await person.press("a", "escape")
            assert morning.read("MEMORY.md") == _full(14_000)
            await person.press("P", "G", "x", "k", "x")
            await person.press("a")
            assert len(morning.read("MEMORY.md")) < len(_full(14_000))


class TestPruning:
    async def test_marking_shows_the_diff_and_a_writes_it_in_one_commit(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "P")
            pruning = person.app.screen
            assert isinstance(pruning, PruningScreen)
            await person.press("a")
            assert pruning.is_current, "nothing is marked"
            await person.press("x", "j", "space")
            assert "2 marked" in person.screen_text
            after = pruning._after
            assert b"Ana" not in after
            await person.press("enter", "enter")
            assert pruning.marked == {5, 6}
            await person.press("a")
            assert (morning.root / "MEMORY.md").read_bytes() == after
            assert morning.git("log", "-1", "--format=%s").strip() == "Prune 2 entries of MEMORY.md"
            assert isinstance(person.app.screen, MemoryScreen)

    async def test_escape_takes_nothing_out(self, morning: Morning) -> None:
        async with sit(morning) as person:
            before = morning.everything()
            await person.press("M", "P", "x", "escape")
            assert isinstance(person.app.screen, MemoryScreen)
            assert morning.everything() == before

    async def test_a_mark_and_a_yes_in_one_breath_take_nothing_out(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "P")
            person.ticks.now += 0.5
            await person.rush("x", "a")
            assert isinstance(person.app.screen, PruningScreen)
            assert morning.read("MEMORY.md") == MEMORY
            await person.press("a")
            assert "Ana" not in morning.read("MEMORY.md")

    async def test_a_file_that_changed_meanwhile_is_left(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "P", "x")
            morning.write("MEMORY.md", MEMORY + "- new\n")
            await person.press("a")
            assert morning.read("MEMORY.md") == MEMORY + "- new\n"
            assert "changed since you read it" in person.notices[-1]


class TestTheMouse:
    async def test_the_names_of_the_screens_and_the_diff_are_clicked_on(self, morning: Morning) -> None:
        async with sit(morning, (139, 40)) as person:
            await go(person, "invoice-day")
            await _click(person, "two columns")
            assert screen(person).detail.diff.side
            await _click(person, "more")
            assert screen(person)._around == 3
            await _click(person, "all together")
            assert screen(person).together
            await _click(person, "Review")
            assert isinstance(person.app.screen, ReviewScreen)

    async def test_a_click_selects_and_a_click_on_the_sign_marks(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await go(person, "ana-slack")
            await _click(person, "Lunch place")
            assert selected(person) == "lunch"
            line = next(n for n, text in enumerate(person.screen_text.splitlines()) if "Lunch place" in text[:30])
            await person.pilot.click(offset=(1, line))
            await person.settle()
            assert list(screen(person).marked) == ["memory:lunch:0"]

    async def test_a_click_marks_what_is_pruned(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("M", "P")
            await _click(person, "Bob: contractor")
            pruning = person.app.screen
            assert isinstance(pruning, PruningScreen)
            assert pruning.marked == {6}


async def _click(person: Person, words: str) -> None:
    """Click on words where they stand on the screen."""
    place = next((text.index(words), y) for y, text in enumerate(person.screen_text.splitlines()) if words in text)
    await person.pilot.click(offset=place)
    await person.settle()


async def test_a_crash_after_the_record_is_finished_with_the_choice_that_was_made(
    morning: Morning, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dory_tui.review import memories
    from dory_tui.review.change import Change
    from dory_tui.review.finish import finish

    line = "- Invoices are sent at the start of the month"
    memory = MEMORY + f"{line}\n"
    morning.write("MEMORY.md", memory)
    candidate = load(morning.gate()).candidate_by_id("invoice-day")
    assert candidate is not None
    would = promoting.preview(memory.encode(), candidate.promotion, over=13)
    after = hashlib.sha256(would.after).hexdigest()

    class Died(BaseException):
        pass

    def die(*_: object) -> None:
        raise Died

    gate, digest = morning.gate(), candidate.promotion.digest
    with monkeypatch.context() as patch:
        patch.setattr(Change, "edit", die)
        with pytest.raises(Died):
            memories.promote(gate, "invoice-day", digest, after=after, over=13)
    assert morning.read("MEMORY.md") == memory
    assert finish(morning.gate())
    assert (morning.root / layout.MEMORY).read_bytes() == would.after
    assert Path(morning.root / layout.MEMORY).read_text().splitlines()[12].startswith("- Invoices are sent on the 3rd")
