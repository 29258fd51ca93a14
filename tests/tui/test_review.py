"""The review: what each key decides, and that nothing else does."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import HOLD_PREFIX, MEMORY_PREFIX
from dory_tui.review.desk import load
from dory_tui.tui import verbs
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.tui.screens.help import HelpScreen
from dory_tui.tui.screens.logs import LogsScreen
from dory_tui.tui.screens.note import NoteScreen
from dory_tui.tui.widgets.entries import NAMES
from dory_tui.tui.widgets.panel import PanelList
from dory_tui.workspace import layout
from tests.tui.conftest import Morning, sit

PAYLOADS = (
    "[/]", "[/etc/x]", "[stage=1:", "[@click=app.approve('x')]", "[b", "[]", "\\[", "[$x]", "[link=x]y[/link]",
)  # fmt: skip
CONTROLS = "\x1b]52;c;aGk=\x07\x1b[31m\u202e\u200b\x9b"


class TestTheQueue:
    async def test_opens_on_what_is_unknown_and_says_what_waits(self, morning: Morning) -> None:
        async with sit(morning) as person:
            text = person.screen_text
            assert "8 drafts and 3 memories wait · 1 outcome unknown" in text
            assert "the scheduler looked 4 m ago" in text
            assert load(morning.gate()).boot in text
            assert "1 of 12 · Mail to Bob about the invoice" in text
            assert "it was started and never reported back" in text

    async def test_j_and_k_walk_it_through_both_panels(self, morning: Morning) -> None:
        async with sit(morning) as person:
            queue = [subject.id for subject in load(morning.gate()).queue]
            seen = [person.selected]
            for _ in queue[1:]:
                await person.press("j")
                seen.append(person.selected)
            assert seen == queue
            await person.press("j")
            assert person.selected == queue[-1]
            await person.press("k", "k", "k")
            assert person.selected == queue[-4]

    async def test_arrows_reach_what_is_decided(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("3", "G")
            assert person.selected == "launch-1"
            assert "it ran once and is done" in person.screen_text
            await person.press("up")
            assert person.selected == "deploy-web"

    async def test_digits_and_tab_go_to_the_panels(self, morning: Morning) -> None:
        async with sit(morning) as person:
            for number, name in enumerate(NAMES, start=1):
                await person.press(str(number))
                focused = person.app.focused
                assert isinstance(focused, PanelList)
                assert focused.parent is person.review.panels[number - 1], name
            await person.press("tab")
            assert person.review.detail.text.has_focus
            await person.press("shift+tab")
            assert person.review.panels[4].options.has_focus

    async def test_enter_shows_and_escape_goes_back_and_neither_decides(self, morning: Morning) -> None:
        async with sit(morning) as person:
            before = morning.everything()
            for name in ("mail-bob", "launch-3", "mail-ana", "invoice-day"):
                await person.go(name)
                await person.press("enter", "enter", "escape", "escape", "enter", "escape")
                assert person.selected == name
            assert morning.everything() == before

    async def test_what_is_selected_is_shown_whole(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.press("1")
            assert "[2026-11-27 10:00 | main] X thread tweets 2-7" in person.screen_text
            assert "these 6 drafts wait" in person.screen_text
            await person.press("j")
            assert "covers no draft" in person.screen_text
            await person.press("2")
            assert "[x] Cut the board to 37 scenes" in person.screen_text
            assert "[ ] Print the board" in person.screen_text
            await person.press("5", "j", "j")
            assert "one key instead of five" in person.screen_text


class TestApproving:
    async def test_a_yes_is_recorded_told_and_goes_on(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("a")
            assert morning.state("mail-ana") == "approved"
            assert person.selected == "deploy-web"
            commit = morning.git("log", "-1", "--format=%h", "--abbrev=10").strip()
            assert person.notices[-1] == f"mail-ana is approved until tomorrow 10:30 · commit {commit}"
            assert morning.git("status", "--porcelain", "state", "MEMORY.md") == ""

    async def test_four_keys_at_once_approve_one_at_most(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            person.ticks.now += 0.5
            await person.rush("a", "a", "a", "a")
            assert morning.state("mail-ana") == "approved"
            assert morning.state("deploy-web") == "pending"
            assert not isinstance(person.app.screen, AskScreen)

    async def test_a_held_down_key_decides_one_at_most(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            person.ticks.now += 0.5
            for _ in range(30):
                await person.rush("a")
                person.ticks.now += 0.03
            assert morning.state("deploy-web") == "pending"

    async def test_keys_typed_before_the_first_paint_decide_nothing(self, morning: Morning) -> None:
        before = morning.everything()
        async with sit(morning) as person:
            person.ticks.now -= 0.5  # as if no time had passed since it opened
            await person.rush("j", "j", "a", "y", "enter", "o")
            assert morning.everything() == before

    async def test_a_key_for_an_item_that_was_not_painted_decides_nothing(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            person.ticks.now += 0.5
            driver = person.app._driver
            assert driver is not None
            driver.send_message(events.Key("j", "j"))  # two keys in one read: no paint between them
            driver.send_message(events.Key("a", "a"))
            await person.settle()
            assert person.selected == "deploy-web"
            assert morning.state("deploy-web") == "pending"

    async def test_pastes_decide_nothing(self, morning: Morning) -> None:
        before = morning.everything()
        async with sit(morning) as person:
            for name in ("mail-bob", "mail-ana", "invoice-day"):
                await person.go(name)
                person.ticks.now += 0.5
                for text in ("y y y\n", "aaaa\n", "a\r", "o", "n\n"):
                    person.app.post_message(events.Paste(text))
                    await person.settle()
                await person.rush("y", "space", "y", "space", "y", "enter")
                await person.press("escape")
        assert morning.everything() == before

    async def test_waits_until_every_line_was_on_the_screen(self, morning: Morning) -> None:
        morning.write("state/drafts/mail-ana.md", morning.read("state/drafts/mail-ana.md") + "one more line\n" * 60)
        async with sit(morning) as person:
            await person.go("mail-ana")
            assert "not seen yet: a waits" in person.screen_text
            await person.press("a")
            assert morning.state("mail-ana") == "pending"
            assert "never on the screen" in person.notices[-1]
            for _ in range(5):
                await person.press("space")
            assert "lines, all seen" in person.screen_text
            await person.press("a")
            assert morning.state("mail-ana") == "approved"

    async def test_waits_until_every_argument_was_on_the_screen(self, morning: Morning) -> None:
        argv = ["bin/post", *(f"--option-{number}" for number in range(40))]
        morning.draft("long", "Long", "x\n", argv)
        async with sit(morning) as person:
            await person.go("long")
            assert "more lines below" in person.screen_text
            block, text = person.review.detail.block, person.review.detail.text
            assert block.outer_size.height <= 14  # a third of forty lines
            while text.unseen:
                await person.press("space")
            await person.press("a")
            assert morning.state("long") == "pending"
            for _ in range(6):
                await person.press("space")
            assert "--option-39" in person.screen_text
            await person.press("a")
            assert morning.state("long") == "approved"

    async def test_what_cannot_run_says_so_and_what_to_do(self, morning: Morning) -> None:
        morning.draft("gone", "Gone", "x\n", ["bin/nowhere"])
        async with sit(morning) as person:
            await person.go("gone")
            assert "cannot be approved" in person.screen_text
            await person.press("a")
            assert "bin/nowhere" in person.notices[-1]
            assert morning.events("gone") == []

    async def test_a_file_that_changed_since_is_refused_and_must_be_read_again(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            file = "state/drafts/mail-ana.md"
            morning.write(file, morning.read(file).replace("eight hours", "nine hours"))
            await person.press("a")
            assert morning.events("mail-ana") == []
            assert "changed since you read it" in person.notices[-1]
            assert person.selected == "mail-ana"
            assert "it changed since you read it: read it again" in person.screen_text
            assert "nine hours" in person.screen_text
            await person.press("a")
            assert morning.state("mail-ana") == "approved"

    async def test_nothing_is_decided_twice_while_one_is_in_flight(
        self, morning: Morning, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone_on = threading.Event()
        calls: list[str] = []
        carry_out = verbs.carry_out

        def slow(gate: Gate, work: verbs.Work) -> verbs.Outcome:
            calls.append("decided")
            gone_on.wait(10)
            return carry_out(gate, work)

        async with sit(morning) as person:
            await person.go("mail-ana")
            monkeypatch.setattr(verbs, "carry_out", slow)
            person.ticks.now += 0.5
            await person.pilot.press("a")
            assert "approving mail-ana…" in person.screen_text
            for key in ("a", "r", "H", "j", "a"):
                person.ticks.now += 0.5
                await person.pilot.press(key)
            assert not isinstance(person.app.screen, NoteScreen | AskScreen)
            gone_on.set()
            await person.settle()
            assert calls == ["decided"]
            assert morning.state("mail-ana") == "approved"
            assert morning.state("deploy-web") == "pending"


class TestHeld:
    async def test_a_asks_names_the_hold_and_keeps_it(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("launch-3")
            await person.read()
            await person.press("a")
            assert isinstance(person.app.screen, AskScreen)
            assert "launch-3 is held" in person.screen_text
            assert "X thread tweets 2-7 — awaiting explicit approval" in person.screen_text
            await person.press("a")
            found = morning.gate().ledger.history("launch-3")[-1].record
            assert found is not None
            assert found.data["overrides"] == []
            assert person.selected == "launch-4"
            await person.press("3", "G", "k")
            item = load(morning.gate()).staged_by_id("launch-3")
            assert item is not None
            assert item.word == "held"

    async def test_o_overrides_that_hold_alone(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("launch-3")
            await person.read()
            await person.press("a", "o")
            found = morning.gate().ledger.history("launch-3")[-1].record
            assert found is not None
            assert found.data["overrides"] == [load(morning.gate()).holds[0].hold.hash]
            assert "over the hold" in morning.read(layout.DECISIONS)

    async def test_escape_enter_and_other_letters_decide_nothing(self, morning: Morning) -> None:
        async with sit(morning) as person:
            before = morning.everything()
            await person.go("launch-3")
            await person.read()
            await person.press("a", "enter", "y", "space", "1", "L", "escape")
            assert not isinstance(person.app.screen, AskScreen)
            assert morning.everything() == before

    async def test_a_question_that_was_just_opened_takes_no_answer(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("launch-3")
            await person.read()
            person.ticks.now += 0.5
            await person.rush("a", "a", "o", "a")
            assert isinstance(person.app.screen, AskScreen)
            assert morning.events("launch-3") == []
            assert "too soon" in person.screen_text


class TestNotes:
    async def test_reject_takes_an_empty_note(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("r", "enter")
            assert morning.state("mail-ana") == "rejected"
            assert person.selected == "deploy-web"

    async def test_a_note_reaches_the_agent(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("c")
            await person.write("say which eight hours [/]")
            await person.press("enter")
            assert morning.state("mail-ana") == "changes-requested"
            assert "**Note:** say which eight hours [/]" in morning.read(layout.STAGING)

    async def test_changes_need_a_note(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("c", "enter")
            assert isinstance(person.app.screen, NoteScreen)
            assert "say what should change" in person.screen_text
            await person.press("escape")
            assert morning.events("mail-ana") == []

    async def test_an_enter_that_was_typed_ahead_or_pasted_sends_nothing(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            person.ticks.now += 0.5
            await person.rush("r", "enter", "enter")
            assert isinstance(person.app.screen, NoteScreen)
            person.ticks.now += 2
            await person.rush("n", "o", "enter")
            assert isinstance(person.app.screen, NoteScreen)
            person.app.post_message(events.Paste("reason\n"))
            await person.settle()
            assert isinstance(person.app.screen, NoteScreen)
            assert morning.events("mail-ana") == []
            assert person.app.screen.query_one(Input).value == "noreason"
            await person.press("enter")
            assert morning.state("mail-ana") == "rejected"

    async def test_discarding_and_sending_back_a_memory(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("lunch")
            await person.press("r", "enter")
            await person.go("ana-slack")
            await person.press("c")
            await person.write("which Ana?")
            await person.press("enter")
            found = {one.promotion.id: one.promotion.status for one in load(morning.gate()).candidates}
            assert found == {"ana-slack": "changes requested", "invoice-day": "pending", "lunch": "discarded"}


class TestHolding:
    async def test_h_is_prefilled_with_the_draft_and_blocks_it(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("H")
            assert person.app.screen.query_one(Input).value == "id:mail-ana — "
            await person.write("not before Monday")
            await person.press("enter")
            assert "id:mail-ana — not before Monday" in morning.read(layout.HOLD)
            assert person.selected == "mail-ana"
            assert "held by “id:mail-ana — not before Monday”: a asks" in person.screen_text

    async def test_lifting_asks_and_enter_is_no_answer(self, morning: Morning) -> None:
        async with sit(morning) as person:
            hold = load(morning.gate()).holds[0].hold
            await person.press("1", "L", "enter")
            assert "Lift this hold?" in person.screen_text
            assert "X thread tweets" in morning.read(layout.HOLD)
            await person.press("L")
            assert "X thread tweets" not in morning.read(layout.HOLD)
            assert morning.events(HOLD_PREFIX + hold.hash)[-1] == records.LIFTED
            assert len(person.review.panels[0].entries) == 1

    async def test_a_passage_is_marked_as_not_a_hold(self, morning: Morning) -> None:
        morning.write(layout.HOLD, "# HOLD.md\n\n## Currently Blocked\n\nwait for the music [/] please\n")
        async with sit(morning) as person:
            await person.press("1")
            assert "holds everything until L marks it" in person.screen_text
            await person.press("L", "L")
            gone = next(view for view in load(morning.gate()).holds if view.hold.subject.startswith("X thread"))
            assert not gone.hold.present
            assert "wait for the music" in morning.read(layout.HOLD)

    async def test_a_yes_is_taken_back_after_asking(self, morning: Morning) -> None:
        morning.approve("mail-ana")
        async with sit(morning) as person:
            await person.press("3", "end", "up")
            assert person.selected == "mail-ana"
            await person.press("v", "enter", "v")
            assert morning.state("mail-ana") == "revoked"


class TestUnknown:
    @pytest.mark.parametrize(("key", "state"), [("y", "happened"), ("n", "not-happened")])
    async def test_a_person_says_what_became_of_it(self, morning: Morning, key: str, state: str) -> None:
        async with sit(morning) as person:
            await person.press("a", "r", "c", "v")
            assert person.selected == "mail-bob"
            assert not isinstance(person.app.screen, NoteScreen | AskScreen)
            await person.press(key)
            assert "Did it happen?" in person.screen_text
            await person.press("n" if key == "y" else "y", "enter")
            assert morning.state("mail-bob") == "unknown"
            await person.press(key)
            assert morning.state("mail-bob") == state
            assert person.selected == "launch-2"


class TestMemory:
    async def test_the_diff_is_what_is_written(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("invoice-day")
            assert "11 - - Invoices are sent at the start of the month" in person.screen_text
            assert "11 + - Invoices are sent on the 3rd; the 1st is too early" in person.screen_text
            await person.press("a")
            assert "- Invoices are sent on the 3rd; the 1st is too early for timesheets\n" in morning.read("MEMORY.md")
            assert "start of the month" not in morning.read("MEMORY.md")

    async def test_an_absent_section_is_asked_about(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("ana-slack")
            await person.press("a")
            assert "MEMORY.md has no section “## Habits”" in person.screen_text
            await person.press("enter", "escape")
            assert "Habits" not in morning.read("MEMORY.md")
            await person.press("a", "a")
            assert morning.read("MEMORY.md").endswith("## Habits\n\n- Ana prefers Slack to mail\n")

    async def test_below_the_verdict_a_says_why(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("lunch")
            await person.press("a")
            assert person.notices[-1] == "lunch does not earn its place: 4 is below 8. s changes the scores."
            assert morning.events(MEMORY_PREFIX + "lunch") == []

    async def test_scores_move_the_verdict_and_are_kept_on_leaving(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("lunch")
            await person.press("s")
            assert "stays out: 4 is below 8" in person.screen_text
            await person.press("3", "j", "right", "down", "3")
            assert person.review.detail.scores.has_focus  # a digit is no panel here
            assert "promote: 9 is at least 8" in person.screen_text
            await person.press("a", "r", "4", "5")
            assert person.review.detail.scores.has_focus
            await person.press("escape")
            assert "scores: {longevity: 3, reuse: 2, impact: 3, uniqueness: 1}" in morning.read(
                "memory/promotions/lunch.md"
            )
            assert person.selected == "lunch"
            assert "changed since you read it" not in person.screen_text
            await person.press("a")
            assert "Lunch place" in morning.read("MEMORY.md")

    async def test_leaving_the_scores_as_they_were_writes_nothing(self, morning: Morning) -> None:
        async with sit(morning) as person:
            before = morning.everything()
            await person.go("lunch")
            await person.press("s", "3", "1", "s")
            assert morning.everything() == before
            assert isinstance(person.app.screen.focused, PanelList), "the list's keys are the list's again"
            await person.press("k")
            assert person.selected != "lunch"

    async def test_over_the_cap_is_refused(self, morning: Morning) -> None:
        morning.write("MEMORY.md", morning.read("MEMORY.md") + "- much\n" * 1500)
        async with sit(morning) as person:
            await person.go("ana-slack")
            await person.read()
            await person.press("a")
            assert "prune at least" in person.notices[-1]
            assert "over the cap" in person.screen_text

    async def test_a_broken_candidate_names_its_line(self, morning: Morning) -> None:
        morning.write("memory/promotions/bad.md", "---\nsection: '## People'\nscores: {longevity: 9}\n---\n- [/] x\n")
        async with sit(morning) as person:
            await person.go("bad")
            assert "memory/promotions/bad.md line 3" in person.screen_text
            await person.press("a", "s")
            assert "line 3" in person.notices[-1]
            assert not person.review.detail.scores.display


class TestFiles:
    async def test_a_file_in_no_known_form_is_shown_as_text(self, morning: Morning) -> None:
        morning.write(layout.DECISIONS, "# The move plan\n\n## Musings\n\nwe might [/] go north\n")
        async with sit(morning) as person:
            await person.press("5")
            assert "shown as text" in person.screen_text
            assert "we might [/] go north" in person.screen_text
            assert "5 DECISIONS  ?" in person.screen_text

    async def test_a_passage_beside_entries_is_pointed_out(self, morning: Morning) -> None:
        morning.write(layout.DECISIONS, morning.read(layout.DECISIONS) + "\nand one more thing\n")
        async with sit(morning) as person:
            await person.press("5", "G")
            assert "1 passage fits no form" in person.screen_text
            assert "and one more thing" in person.screen_text

    async def test_an_unreadable_file_is_a_sentence_and_the_rest_works(self, morning: Morning) -> None:
        (morning.root / layout.ACTIVE).unlink()
        (morning.root / layout.ACTIVE).mkdir()
        async with sit(morning) as person:
            await person.press("2")
            assert "cannot be read" in person.screen_text
            await person.go("mail-ana")
            await person.press("a")
            assert morning.state("mail-ana") == "approved"

    async def test_conflict_markers_in_hold_hold_everything(self, morning: Morning) -> None:
        morning.write(layout.HOLD, "<<<<<<< ours\n[2026-11-27 10:00 | main] a — b\n=======\n>>>>>>> theirs\n")
        async with sit(morning) as person:
            await person.press("1", "L")
            assert "mend the file" in person.screen_text
            assert not isinstance(person.app.screen, AskScreen)
            await person.go("mail-ana")
            await person.press("a")
            assert "approve and override" not in person.screen_text
            assert "it stays held" in person.screen_text

    async def test_an_empty_folder_says_what_to_do(self, bare: Morning) -> None:
        async with sit(bare) as person:
            assert "nothing waits" in person.screen_text
            assert "`dory init` adds what is missing" in person.screen_text
            assert "nothing has ever run `dory-agent run --due` here" in person.screen_text
            for number in "12345":
                await person.press(number)
                assert "`dory init` adds" in person.screen_text
            await person.press("j", "k", "g", "G", "space", "enter", "a", "r", "s", "L", "y")
            assert list(bare.root.iterdir()) == []

    async def test_the_end_says_what_will_run(self, morning: Morning) -> None:
        async with sit(morning) as person:
            for name in ("launch-2", "launch-4", "launch-5", "launch-6", "launch-7", "deploy-web"):
                found = morning.gate().staging().find(name)
                assert found is not None
                verbs.carry_out(morning.gate(), verbs.reject(load(morning.gate()).staged_by_id(name).subject, ""))  # type: ignore[union-attr]
            for one in load(morning.gate()).memories:
                verbs.carry_out(morning.gate(), verbs.reject(one.subject, ""))
            await person.press("y", "y")
            await person.read()
            await person.press("a", "o", "a")
            assert "All reviewed" in person.screen_text
            assert "14 decisions in this review" in person.screen_text
            assert "11:00 to 11:15" in person.screen_text
            assert "when a scheduler next looks" in person.screen_text
            assert "The scheduler last looked 4 m ago." in person.screen_text


class TestHostileText:
    @pytest.fixture
    def hostile(self, bare: Morning) -> Morning:
        """Every payload in every field of every file."""
        stamps = [f"[2026-11-27 10:0{n} | s{p}] {p} {CONTROLS} — {p}\n" for n, p in enumerate(PAYLOADS)]
        bare.write(layout.HOLD, "# HOLD.md\n\n## Currently Blocked\n\n" + "".join(stamps))
        bare.write(layout.DECISIONS, "# D\n\n## Recent\n\n" + "".join(stamps) + "\n[/] loose\n")
        words = " ".join(PAYLOADS)
        bare.write(
            layout.ACTIVE,
            f'# A\n\n## Current Instruction\n\n**User said:** "{words}{CONTROLS}"\n\n'
            f"**Interpretation:** {words}\n\n**Status:**\n- [x] {words}\n",
        )
        bare.write(layout.STAGING, "# S\n\n## Currently Staged\n")
        bare.write("MEMORY.md", f"# M\n\n## [/]\n\n- {words}{CONTROLS}\n")
        best = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}"
        for number, payload in enumerate(PAYLOADS):
            bare.draft(f"d{number}", f"{payload} n", f"{payload}\n{CONTROLS}\n", ["/bin/echo", payload])
            quoted = payload.replace("\\", "\\\\")
            bare.candidate(f"m{number}", f"{payload} {CONTROLS}", f"## {quoted}", best)
        with (bare.root / layout.STAGING).open("a", encoding="utf-8") as staging:
            staging.write(f"\n### {words}\n**Created:** [/]\n**Status:** approved\n**Note:** {words}\n\n{words}\n")
        bare.write("dory.toml", "[memory\n")
        return bare

    @pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 16)])
    @pytest.mark.long
    async def test_is_shown_letter_for_letter_and_nothing_of_it_acts(
        self, hostile: Morning, size: tuple[int, int]
    ) -> None:
        before = hostile.everything()
        seen = ""
        async with sit(hostile, size) as person:
            before = hostile.everything()
            for panel in "12345":
                await person.press(panel, "g")
                await person.press("enter")
                for _ in person.review.panels[int(panel) - 1].entries if size == (120, 40) else range(2):
                    seen += person.screen_text
                    person.review.panels[int(panel) - 1].options.action_cursor_down()
                    await person.settle()
                await person.press("escape")
                seen += person.screen_text
            for payload in PAYLOADS if size == (120, 40) else PAYLOADS[:1]:
                assert payload in seen, payload
            assert "⟦U+001B ESCAPE⟧" in seen
            assert not any(char in seen for char in "\x1b\x07\u202e\u200b\x9b")
            await person.press("question_mark", "escape")
            await person.press("1", "g", "L", "escape", "H", "escape")
            await person.go("d0")
            await person.read()
            await person.press("r", "escape", "c", "escape")
            await person.press("ctrl+p", "escape", "colon", "escape")
            assert hostile.everything() == before

    async def test_in_notices(self, hostile: Morning) -> None:
        async with sit(hostile) as person:
            await person.press("1", "H")
            await person.write("all [/] [b")
            await person.press("enter")
            assert any("held: all [/] [b" in words for words in person.notices)
            assert "held: all [/] [b" in person.screen_text


class TestSizes:
    @pytest.mark.long
    async def test_from_one_cell_to_a_wall(self, morning: Morning) -> None:
        async with sit(morning) as person:
            sizes = [
                (1, 1),
                (2, 50),
                (200, 1),
                (59, 16),
                (60, 16),
                (79, 24),
                (80, 24),
                (100, 30),
                (200, 60),
                (3, 3),
                (120, 40),
            ]
            for width, height in sizes:
                await person.pilot.resize_terminal(width, height)
                await person.settle()
                tiny = width < 60 or height < 16
                said = f"dory needs 60 × 16; this is {width} × {height}." in person.screen_text
                assert said == (tiny and width > 45)
                if (width, height) in ((1, 1), (60, 16), (80, 24), (200, 60)):
                    await person.press("4", "tab", "3", "question_mark", "escape")

    async def test_too_small_decides_nothing(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.pilot.resize_terminal(59, 15)
            await person.press("a", "r", "enter", "escape", "H")
            assert morning.events("mail-ana") == []
            assert not isinstance(person.app.screen, NoteScreen)
            await person.pilot.resize_terminal(120, 40)
            await person.press("a")
            assert morning.state("mail-ana") == "approved"

    async def test_one_panel_at_a_time_with_the_same_keys(self, morning: Morning) -> None:
        async with sit(morning, (60, 16)) as person:
            await person.go("mail-ana")
            assert "3 STAGING" in person.screen_text
            assert "Hi Ana" not in person.screen_text
            await person.press("a")
            assert "never on the screen" in person.notices[-1]
            await person.press("enter")
            assert "Mail to Ana about the poster" in person.screen_text
            assert "if approved, this runs" in person.screen_text
            for _ in range(6):
                await person.press("space")
            await person.press("a")
            assert morning.state("mail-ana") == "approved"
            await person.press("escape")
            assert "3 STAGING" in person.screen_text

    @pytest.mark.parametrize("size", [(60, 16), (80, 24), (100, 30), (120, 40), (200, 60)])
    async def test_what_runs_is_always_there_and_every_argument_can_be_reached(
        self, morning: Morning, size: tuple[int, int]
    ) -> None:
        async with sit(morning, size) as person:
            await person.go("launch-3")
            await person.press("enter")
            seen = person.screen_text
            assert "if approved, this runs" in seen
            while person.review.detail.unseen:
                await person.press("space")
                assert "if approved, this runs" in person.screen_text
                seen += person.screen_text
            for words in ("--stdin", "social/main", "Cyrillic"):
                assert words in seen
            assert person.review.detail.unseen == 0


class TestElsewhere:
    async def test_the_palette_asks_before_it_approves(self, morning: Morning) -> None:
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("ctrl+p")
            await person.write("Approve this draft")
            await person.press("enter")
            await person.settle()
            if not isinstance(person.app.screen, AskScreen):
                await person.press("enter")
            assert isinstance(person.app.screen, AskScreen)
            assert morning.events("mail-ana") == []
            await person.press("enter")
            assert morning.events("mail-ana") == []
            await person.press("a")
            assert morning.state("mail-ana") == "approved"

    async def test_a_click_selects_and_the_foot_can_be_clicked(self, morning: Morning) -> None:
        async with sit(morning) as person:
            options = person.review.panels[2].options
            await person.pilot.click(options, offset=(3, 7))
            await person.settle()
            assert person.selected == "mail-ana"
            person.ticks.now += 0.5
            key = next(one for one in person.review.query("FooterKey") if getattr(one, "key", "") == "r")
            await person.pilot.click(key)
            await person.settle()
            assert isinstance(person.app.screen, NoteScreen)

    async def test_logs_and_back(self, morning: Morning) -> None:
        morning.write("memory/2026-11-29.md", "# 2026-11-29\n\n- a quiet day\n")
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("d")
            assert isinstance(person.app.screen, LogsScreen)
            assert "a quiet day" in person.screen_text
            await person.press("question_mark")
            assert isinstance(person.app.screen, HelpScreen)
            assert "The day before, from wherever you are." in person.screen_text
            await person.press("escape", "d")
            assert person.selected == "mail-ana"

    async def test_closing_decides_nothing_and_exits_with_0(self, morning: Morning) -> None:
        async with sit(morning) as person:
            before = morning.everything()
            await person.go("mail-ana")
            await person.press("r", "escape", "q")
            assert person.app.return_code == 0
        assert morning.everything() == before

    async def test_without_a_repository_it_says_why_nothing_was_committed(
        self, morning: Morning, tmp_path: Path
    ) -> None:
        (morning.root / ".git").rename(tmp_path / "git-away")
        async with sit(morning) as person:
            await person.go("mail-ana")
            await person.press("a")
            assert morning.state("mail-ana") == "approved"
            assert any(words.startswith("not committed: ") for words in person.notices)

    @pytest.mark.parametrize("theme", ["dory-light", "high-contrast", "ansi-dark", "ansi-light", "no such theme"])
    async def test_themes(self, morning: Morning, theme: str) -> None:
        async with sit(morning, theme=theme) as person:
            assert person.app.theme == (theme if theme in person.app.available_themes else "dory-dark")
            await person.go("launch-3")
            assert "held" in person.screen_text
