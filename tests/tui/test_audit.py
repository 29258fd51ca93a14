"""Audit and prune: what the screen says of each entry of MEMORY.md, when it says so, and what it leaves alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from dory_tui.gate.survey import Gate
from dory_tui.memory.audit import Gap, Text
from dory_tui.review import auditing, memories
from dory_tui.review.auditing import Progress
from dory_tui.tui.screens.memory import MemoryScreen
from dory_tui.tui.screens.pruning import PruningScreen
from dory_tui.tui.widgets.audit_facts import ago, gap_line, gap_lines
from dory_tui.tui.widgets.audit_list import days
from dory_tui.workspace.promotions import read_promotions
from tests.tui.conftest import MEMORY, Morning, Person, age, sit


@pytest.fixture
def aged(morning: Morning) -> Morning:
    """As `age` says."""
    age(morning)
    return morning


def screen(person: Person) -> PruningScreen:
    found = person.app.screen
    assert isinstance(found, PruningScreen)
    return found


def listed(person: Person) -> list[str]:
    """The list on the screen: each line's words, and its columns."""
    region = screen(person).options.region
    lines = person.screen_text.splitlines()[region.y : region.bottom]
    return [" ".join(line[region.x : region.right].split()) for line in lines if line[region.x : region.right].strip()]


async def test_what_is_stale_comes_first_and_what_is_marked_goes(aged: Morning) -> None:
    async with sit(aged) as person:
        await person.press("M", "P")
        assert listed(person) == [
            "2 stale: untouched and unmentioned for over 180 days",
            "Ana: design lead, answers in the af… 300 d never 45",
            "Payment terms are 14 days 300 d never 28",
            "3 others, old to new",
            "Bob: contractor, paid by Stripe 300 d 6 d 34",
            "Invoices are sent at the start of t… 30 d never 46",
            "Accountant gets the export in the f… 30 d never 47",
        ]
        assert "5 entries, 2 stale" in person.screen_text
        assert "age  mentioned   bytes" in person.screen_text
        assert "Nothing to compare yet" in person.screen_text
        await person.press("j", "j")
        text = person.screen_text
        assert "section    People, line 6" in text
        assert "since      2026-02-03, 300 days ago" in text
        assert "mentioned  memory/2026-11-24.md:3" in text
        assert "6 days ago: “09:10 Bob asked for" in text
        await person.press("o")
        assert [line.partition(" ")[0] for line in listed(person)][:4] == ["People", "Ana:", "Bob:", "Money"]
        assert screen(person).entry is not None
        assert "Bob: contractor" in getattr(screen(person).entry, "text", "")
        await person.press("o", "k", "x", "a")
        assert aged.read("MEMORY.md") == MEMORY.replace("- Payment terms are 14 days\n", "")
        assert isinstance(person.app.screen, MemoryScreen)


def test_days_in_words() -> None:
    assert [days(count, "?") for count in (None, -1, 0, 1, 3650)] == ["?", "today", "today", "1 d", "3,650 d"]
    assert [ago(count) for count in (0, 1, 412)] == ["today", "yesterday", "412 days ago"]


def test_gaps_in_words() -> None:
    gaps = (
        Gap("longevity", 6, 4, -0.8),
        Gap("reuse", 6, 0, 0.0),
        Gap("impact", 6, 2, 0.02),
        Gap("uniqueness", 6, 6, 3.0),
    )
    assert gap_lines(gaps).plain.splitlines() == [
        "Longevity   ────━━┃──────  0.8 less   4 of 6 changed",
        "Reuse       ──────┃──────  the same   none changed",
        "Impact      ──────┃──────  the same   2 of 6 changed",
        "Uniqueness  ──────┃━━━━━━  3.0 more   6 of 6 changed",
    ]
    assert gap_line(gaps).plain == "scores against the agent's: uniqueness +3.0, longevity -0.8"
    assert gap_line(gaps[1:2]).plain == "scores against the agent's: the same on average"
    assert "nothing to compare yet" in gap_line(()).plain


class Reading:
    """Stops the reading of the logs before the second one until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.onwards, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.read = 0
        real = auditing.texts

        def texts(gate: Gate, progress: Progress) -> Iterator[Text]:
            try:
                for text in real(gate, progress):
                    self.read += 1
                    yield text
                    if self.read == 1:
                        self.reached.set()
                        assert self.onwards.wait(30)
            finally:
                self.ended.set()

        monkeypatch.setattr(auditing, "texts", texts)

    async def open(self, person: Person) -> PruningScreen:
        await person.press("M")
        await person.pilot.press("P")
        while not self.reached.is_set():
            await person.pilot.pause(0.01)
        await person.pilot.pause()
        return screen(person)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reading]:
    made = Reading(monkeypatch)
    yield made
    made.onwards.set()


@pytest.mark.long
class TestWhileTheLogsAreRead:
    async def test_the_entries_stand_there_and_what_is_pointed_out_keeps_its_line(
        self, aged: Morning, reading: Reading
    ) -> None:
        aged.write("memory/2026-11-25.md", "# 2026-11-25\n")
        aged.write("MEMORY.md", MEMORY + "".join(f"- more of it, {n}\n" for n in range(40)))
        async with sit(aged) as person:
            shown = await reading.open(person)
            assert listed(person)[:3] == [
                "People", "Ana: design lead, answers in the af… … … 45", "Bob: contractor, paid by Stripe … … 34",
            ]  # fmt: skip
            await person.pilot.press("j", "x")
            while "reading 2 logs: 0 %" not in person.screen_text:
                await person.pilot.pause(0.01)
            line = shown.options.place
            reading.onwards.set()
            await person.settle()
            assert shown.entry is not None
            assert shown.entry.words == "Bob: contractor, paid by Stripe"
            assert shown.options.place == line
            assert shown.marked == {6}
            assert "2 stale" in person.screen_text
            assert "reading" not in person.screen_text

    async def test_before_any_key_the_first_stale_one_is_pointed_out(self, aged: Morning, reading: Reading) -> None:
        aged.write("MEMORY.md", MEMORY.replace("- Ana", "- Anna"))
        async with sit(aged) as person:
            shown = await reading.open(person)
            reading.onwards.set()
            await person.settle()
            assert shown.entry is not None
            assert shown.entry.words == "Payment terms are 14 days"

    async def test_leaving_ends_the_reading(self, aged: Morning, reading: Reading) -> None:
        aged.write("memory/2026-11-25.md", "# 2026-11-25\n")
        async with sit(aged) as person:
            await reading.open(person)
            await person.pilot.press("escape")
            await person.pilot.pause()
            reading.onwards.set()
            assert reading.ended.wait(10)
            assert reading.read == 1
            await person.settle()
            assert isinstance(person.app.screen, MemoryScreen)
            assert person.notices == []

    async def test_a_file_that_changed_meanwhile_is_not_mistaken(self, aged: Morning) -> None:
        async with sit(aged) as person:
            await person.press("M")
            aged.write("MEMORY.md", MEMORY + "- new\n")
            await person.press("P")
            assert "MEMORY.md changed meanwhile: Esc, then P" in person.notices[-1]
            assert "stale" not in " ".join(listed(person))


@pytest.mark.long
class TestWhatElse:
    @pytest.mark.parametrize(
        ("size", "both"), [((60, 16), False), ((80, 24), False), ((100, 24), True), ((200, 60), True)]
    )
    async def test_every_size_has_the_facts_and_the_diff(
        self, aged: Morning, size: tuple[int, int], both: bool
    ) -> None:
        async with sit(aged, size) as person:
            await person.press("M", "P")
            assert "2 stale" in person.screen_text
            assert "section    People, line 5" in person.screen_text
            await person.press("x")
            assert ("section    People" in person.screen_text) == both
            assert "without what is marked" in person.screen_text
            for _ in range(10):
                await person.press("pagedown")
            await person.press("a")
            assert aged.read("MEMORY.md") == MEMORY.replace("- Ana: design lead, answers in the afternoon\n", "")

    async def test_under_sixty_columns_it_says_so_and_marks_nothing(self, aged: Morning) -> None:
        async with sit(aged, (59, 20)) as person:
            await person.press("M")
            screen_of = person.app.screen
            assert isinstance(screen_of, MemoryScreen)
            screen_of.action_prune()
            await person.settle()
            assert "dory needs 60 × 16; this is 59 × 20." in person.screen_text
            await person.press("x", "a")
            assert screen(person).marked == set()

    async def test_scores_of_both_are_compared(self, aged: Morning) -> None:
        scores = {"longevity": 1, "reuse": 1, "impact": 1, "uniqueness": 3}
        lunch = next(one for one in read_promotions(aged.root) if one.id == "lunch")
        memories.score(aged.gate(), "lunch", lunch.digest, scores)
        async with sit(aged) as person:
            await person.press("M", "P")
            assert "1 memory compared" in person.screen_text
            assert "2.0 more   1 of 1 changed" in person.screen_text
            await person.pilot.resize_terminal(80, 24)
            await person.settle()
            assert "scores against the agent's: uniqueness +2.0" in person.screen_text

    @pytest.mark.parametrize(
        ("text", "says"),
        [(None, "There is no MEMORY.md yet"), ("# MEMORY.md\n\n## People\n", "MEMORY.md has no entries yet")],
    )
    async def test_where_nothing_stands_it_says_what_to_do(self, morning: Morning, text: str | None, says: str) -> None:
        (morning.root / "MEMORY.md").unlink()
        if text is not None:
            morning.write("MEMORY.md", text)
        async with sit(morning, (80, 24)) as person:
            await person.press("M", "P")
            assert says in " ".join(person.screen_text.split())
            assert "promote" in person.screen_text
            await person.press("x", "o", "a", "escape")
            assert isinstance(person.app.screen, MemoryScreen)

    async def test_settings_that_cannot_be_used_are_told_and_pruning_goes_on(self, aged: Morning) -> None:
        async with sit(aged) as person:
            await person.press("M")
            aged.write("dory.toml", "[memory]\nstale_days = 0\n")
            await person.press("P")
            assert "stale_days must be a positive number" in person.notices[-1]
            await person.press("x", "a")
            assert "Ana: design" not in aged.read("MEMORY.md")

    async def test_without_git_the_age_is_the_files(self, bare: Morning) -> None:
        bare.write("MEMORY.md", MEMORY)
        for name in ("HOLD", "STAGING", "DECISIONS", "ACTIVE"):
            bare.write(f"state/{name}.md", f"# {name}.md\n")
        async with sit(bare, (200, 60)) as person:
            await person.press("M", "P")
            assert "by the file's date: git has no history of it" in person.screen_text
            assert "none stale" in person.screen_text or "5 stale" in person.screen_text
