"""Secrets on the screen: masked and told everywhere, shown when a person asks, and never part of a yes unseen."""

from __future__ import annotations

import random
import string

from dory_tui.review.bulk import plan
from dory_tui.review.desk import load
from dory_tui.tui.screens.ask import AskScreen
from dory_tui.tui.screens.memory import MemoryScreen
from dory_tui.tui.screens.propose import ProposeScreen
from tests.tui.conftest import Morning, Person, sit

PASSWORD = "hunter2-and-more"
TOKEN = "ghp_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
ASKS = "1 secret in it is masked, so you did not see it: Esc, then V shows it."
ADVICE = "reference where it lives instead of the value"


def leak(morning: Morning) -> None:
    body = morning.read("state/drafts/mail-ana.md")
    morning.write("state/drafts/mail-ana.md", body.replace("Could you look?", f"The password: {PASSWORD}"))
    morning.write("state/ACTIVE.md", f'## Current Instruction\n\n**User said:** "log in, password: {PASSWORD}"\n')
    morning.write("MEMORY.md", morning.read("MEMORY.md").replace("Payment terms", f"Key {TOKEN}, payment terms"))
    best = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}"
    morning.candidate("bank", f"the bank's password: {PASSWORD}", "## Money", best)
    morning.write("memory/2026-11-30.md", f"# Log\n\n- 09:00 uses {TOKEN}\n- 09:01 the password: {PASSWORD}\n")


def masked(person: Person, *values: str) -> None:
    """Nothing on the screen is one of these, and it says that there are some."""
    text = person.screen_text
    assert not any(value in text for value in (PASSWORD, TOKEN)), text
    assert all(value in text for value in values), text


async def test_a_yes_is_to_what_was_seen(morning: Morning) -> None:
    leak(morning)
    async with sit(morning, (120, 50)) as person:
        await person.press("2")
        masked(person, "log in, password: …(16 characters)", "1 secret masked")
        await person.press("V")
        assert f"log in, password: {PASSWORD}" in person.screen_text
        await person.go("mail-ana")
        masked(person, "The password: …(16 characters)", "1 secret masked as …(n characters): V shows it")
        await person.read()
        await person.press("a")
        assert isinstance(person.app.screen, AskScreen)
        assert ASKS in person.screen_text
        await person.press("escape")
        assert morning.events("mail-ana") == []
        await person.press("V")
        assert f"The password: {PASSWORD}" in person.screen_text
        assert "1 secret in sight: V masks it again" in person.screen_text
        await person.go("deploy-web")
        await person.go("mail-ana")
        masked(person, "…(16 characters)")
        await person.press("V")
        await person.read()
        await person.press("a")
        assert morning.state("mail-ana") == "approved", "it was seen, so nothing is asked"
        await person.go("bank")
        masked(person, "…(16 characters)", "ghp_…(40 characters)")
        await person.press("V")
        await person.read()
        await person.press("a")
        assert f"It holds a secret: {ADVICE}." in person.screen_text
        await person.press("escape")
        assert PASSWORD not in morning.read("MEMORY.md")


async def test_the_other_screens(morning: Morning) -> None:
    leak(morning)
    before = {name: morning.read(name) for name in ("MEMORY.md", "memory/2026-11-30.md")}
    async with sit(morning, (150, 50)) as person:
        await person.press("d", "enter")
        masked(person, "2 secrets masked as …(n characters): V shows them", "uses ghp_…(40 characters)")
        await person.press("V")
        assert f"uses {TOKEN}" in person.screen_text
        await person.press("V", "G", "m")
        asked = person.app.screen_stack[-1]
        assert isinstance(asked, ProposeScreen)
        masked(person, "the password: …(16 characters)", "a secret is left out of them")
        words = asked.words
        words.focus()
        words.text = "- the password: zebra-4711-x"
        await person.settle()
        assert words.text == "- the password: zebra-4711-x", "what is typed is not taken away"
        await person.press("escape", "m")
        assert "it holds a secret: m again proposes it all the same" in person.screen_text
        await person.press("escape")
        await person.press("d", "M")
        here = person.app.screen_stack[-1]
        assert isinstance(here, MemoryScreen)
        while here.selected is None or here.selected.subject is None or here.selected.subject.id != "bank":
            await person.press("j")
        masked(person, "2 secrets masked", "the bank's password: …(16 characters)", "ghp_…(40 characters)")
        await person.press("V", "t")
        assert TOKEN in person.screen_text, "in two columns or one"
        await person.press("t")
        assert f"the bank's password: {PASSWORD}" in person.screen_text
        await person.press("V", "P", "x")
        await person.press("j", "j", "x")
        masked(person, "ghp_…(40 characters)")
        await person.press("V")
        assert TOKEN[:20] in person.screen_text
        await person.press("escape")
    assert {name: morning.read(name) for name in before} == before


def test_in_bulk_nothing_with_a_secret_is_decided(morning: Morning) -> None:
    leak(morning)
    desk = load(morning.gate())
    subjects = {one.id: one for one in desk.queue}
    for verb, name in (("approve", "mail-ana"), ("promote", "bank")):
        (left,) = plan(desk, [subjects[name]], verb).left_out  # type: ignore[arg-type]
        assert "secret" in left.why
        assert left.why.endswith("decide on it alone")
    assert [one.subject.id for one in plan(desk, [subjects["mail-ana"]], "reject").items] == ["mail-ana"]
