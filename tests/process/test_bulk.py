"""One decision about many: all of it listed first, each decided by itself, and what changed meanwhile dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.review import bulk, decide, session
from dory_tui.review.bulk import Plan, Verb
from dory_tui.review.change import DecisionError, Done, StaleError
from dory_tui.review.desk import Desk, load
from dory_tui.review.items import Subject
from dory_tui.review.undo import undo
from tests.conftest import Workspace

SCORES = "{longevity: 3, reuse: 2, impact: 2, uniqueness: 2}"


@pytest.fixture
def studio(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository with five drafts, one of them held and one broken, and four candidates."""
    made = make_workspace(git=True)
    made.runs("mail-1")
    made.draft("mail-2", title="Mail [/] two")
    made.draft("mail-3")
    made.draft("post-1")
    made.draft("broken", action={"argv": "no list"})
    made.hold("[2026-02-04 09:00 | ana] Posts — not yet")
    made.write("MEMORY.md", "# Memory\n\n## People\n\n- Ana\n")
    for name, section, scores in (
        ("one", "## People", SCORES), ("two", "## Money", SCORES), ("three", "## Money", SCORES),
        ("weak", "## People", "{longevity: 0, reuse: 1, impact: 0, uniqueness: 1}"),
    ):  # fmt: skip
        front = f'---\nid: {name}\nsection: "{section}"\nscores: {scores}\nstatus: pending\n---\n'
        made.write(f"memory/promotions/{name}.md", f"{front}- The fact {name}\n")
    made.gate().settle()
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Drafts")
    return made


def drafts(desk: Desk) -> list[Subject]:
    return [item.subject for item in desk.staged]


def memories(desk: Desk) -> list[Subject]:
    return [one.subject for one in desk.candidates]


def plan(studio: Workspace, verb: Verb, of: Callable[[Desk], Sequence[Subject]] = drafts) -> Plan:
    desk = load(studio.gate())
    return bulk.plan(desk, of(desk), verb)


def subjects(studio: Workspace) -> list[str]:
    return studio.git("log", "--format=%s").splitlines()


def test_everything_is_listed_with_what_runs_or_why_it_is_left_out(studio: Workspace) -> None:
    studio.approve("mail-3")
    head = studio.git("rev-parse", "HEAD")
    found = plan(studio, "approve")
    assert [item.subject.id for item in found.items] == ["mail-1", "mail-2"]
    assert found.items[0].what.startswith("/bin/sh -c ")
    assert "once, when a scheduler next looks" in found.items[0].what
    assert ("0", "/bin/sh") in found.items[0].lines
    assert found.items[1].title == "Mail [/] two"
    assert found.items[1].what.startswith("text, for the agent to use once")
    assert {one.subject.id: one.why for one in found.left_out} == {
        "mail-3": "it is approved already",
        "post-1": "held by “Posts — not yet”: decide on it alone",
        "broken": next(one.why for one in found.left_out if one.subject.id == "broken"),
    }
    assert "argv" in next(one.why for one in found.left_out if one.subject.id == "broken")
    assert studio.git("rev-parse", "HEAD") == head, "listing decides nothing"


def test_each_is_decided_by_itself(studio: Workspace) -> None:
    made = bulk.carry_out(studio.gate(), plan(studio, "approve"))
    assert [(subject.id, type(done)) for subject, done in made] == [
        ("mail-1", Done), ("mail-2", Done), ("mail-3", Done),
    ]  # fmt: skip
    assert subjects(studio)[:3] == ["Approve mail-3", "Approve mail-2", "Approve mail-1"]
    assert studio.events("mail-1") == ["1-001-approved"]
    assert studio.standing("post-1").state == "pending", "a hold is never gone over in bulk"
    assert runner.run(studio.gate(), "mail-1").state == "done"
    undo(studio.gate())
    assert studio.standing("mail-3").state == "revoked"
    assert studio.standing("mail-2").state == "approved", "and undone one by one"


def test_what_changed_or_is_held_meanwhile_is_dropped_with_its_sentence(studio: Workspace) -> None:
    planned = plan(studio, "approve")
    file = studio.root / "state/drafts/mail-2.md"
    file.write_text(file.read_text() + "More.\n")
    decide.add_hold(studio.gate(), "mail-3 — wait")
    made = dict(bulk.carry_out(studio.gate(), planned))
    by_id = {subject.id: done for subject, done in made.items()}
    assert isinstance(by_id["mail-1"], Done)
    assert isinstance(by_id["mail-2"], StaleError)
    held = by_id["mail-3"]
    assert isinstance(held, DecisionError)
    assert held.code == Exit.HELD
    assert str(held).startswith("mail-3 is held by now, so it was left out: held by “mail-3")
    assert [studio.standing(f"mail-{number}").state for number in (1, 2, 3)] == ["approved", "pending", "pending"]


@pytest.mark.parametrize(("verb", "state"), [("reject", "rejected"), ("changes", "changes-requested")])
def test_a_no_to_many_reaches_the_agent_with_one_note(studio: Workspace, verb: Verb, state: str) -> None:
    planned = plan(studio, verb)
    assert len(planned.items) == 5, "a no is possible to what is held or broken too"
    made = bulk.carry_out(studio.gate(), planned, "in May")
    assert all(isinstance(done, Done) for _, done in made), made
    for name in ("mail-1", "post-1"):
        assert studio.standing(name).state == state or studio.standing(name).held_by
        assert studio.find(name).note == "in May"
    again = plan(studio, verb)
    assert "mail-1" in {one.subject.id for one in again.left_out}, "not twice the same"


def test_changes_need_a_note(studio: Workspace) -> None:
    planned = plan(studio, "changes")
    with pytest.raises(DecisionError, match="say what should change"):
        bulk.carry_out(studio.gate(), planned, " \n")
    assert studio.events("mail-1") == []


def test_what_ran_or_may_have_is_left_out(studio: Workspace) -> None:
    studio.approve("mail-1")
    studio.approve("mail-2")
    runner.run(studio.gate(), "mail-1")
    assert runner.claim(studio.gate(), "mail-2").code == Exit.FINE
    verbs: tuple[Verb, ...] = ("approve", "reject")
    for verb in verbs:
        why = {one.subject.id: one.why for one in plan(studio, verb).left_out}
        assert why["mail-1"] == "it ran once and is done"
        assert "did it happen?" in why["mail-2"]


def test_memories_are_promoted_one_after_the_other(studio: Workspace) -> None:
    planned = plan(studio, "promote", memories)
    assert [(item.subject.id, item.what) for item in planned.items] == [
        ("one", "into ## People"), ("three", "into a new section ## Money"), ("two", "into ## Money"),
    ]  # fmt: skip
    (weak,) = planned.left_out
    assert weak.subject.id == "weak"
    assert weak.why.startswith("it does not earn its place: ")
    made = bulk.carry_out(studio.gate(), planned)
    assert all(isinstance(done, Done) for _, done in made), made
    assert (studio.root / "MEMORY.md").read_text() == (
        "# Memory\n\n## People\n\n- Ana\n- The fact one\n\n## Money\n\n- The fact three\n- The fact two\n"
    )
    assert subjects(studio)[0] == "Promote two to MEMORY.md"
    undo(studio.gate())
    undo(studio.gate())
    assert (studio.root / "MEMORY.md").read_text() == "# Memory\n\n## People\n\n- Ana\n- The fact one\n"


def test_a_memory_that_changed_meanwhile_stops_none_but_itself(studio: Workspace) -> None:
    planned = plan(studio, "promote", memories)
    file = studio.root / "memory/promotions/three.md"
    file.write_text(file.read_text().replace("fact", "idea"))
    made = dict(bulk.carry_out(studio.gate(), planned))
    answers = {subject.id: done for subject, done in made.items()}
    assert isinstance(answers["three"], StaleError)
    assert isinstance(answers["one"], Done)
    two = answers["two"]
    assert isinstance(two, DecisionError), "it was to go into the section that `three` would have made"
    assert "no section “## Money”" in str(two)
    assert (studio.root / "MEMORY.md").read_text() == "# Memory\n\n## People\n\n- Ana\n- The fact one\n"


def test_a_memory_file_that_changed_meanwhile_is_not_written(studio: Workspace) -> None:
    planned = plan(studio, "promote", memories)
    studio.write("MEMORY.md", "# Memory\n\n## People\n\n- Ana\n- Bob\n")
    made = bulk.carry_out(studio.gate(), planned)
    assert all(isinstance(done, DecisionError) for _, done in made)
    assert (studio.root / "MEMORY.md").read_text() == "# Memory\n\n## People\n\n- Ana\n- Bob\n"


def test_the_cap_counts_over_all_of_them(studio: Workspace) -> None:
    studio.write("dory.toml", "[memory]\ncap = 50\n")
    planned = plan(studio, "promote", memories)
    assert [item.subject.id for item in planned.items] == ["one"]
    assert all("over the cap of 50" in one.why for one in planned.left_out if one.subject.id != "weak")


def test_memories_are_discarded(studio: Workspace) -> None:
    made = bulk.carry_out(studio.gate(), plan(studio, "discard", memories), "old")
    assert all(isinstance(done, Done) for _, done in made)
    assert load(studio.gate()).memories == ()
    assert {one.why for one in plan(studio, "discard", memories).left_out} == {"it is discarded already"}


def test_what_the_verb_is_not_for_or_is_gone_is_left_out(studio: Workspace) -> None:
    desk = load(studio.gate())
    found = bulk.plan(
        desk, [*memories(desk)[:1], Subject("draft", "mail-1", "0"), Subject("draft", "x", "0")], "approve"
    )
    changed = "it changed since you marked it"
    assert [(one.subject.id, one.why) for one in found.left_out] == [
        ("one", "it is a memory"), ("mail-1", changed), ("x", changed),
    ]  # fmt: skip
    assert found.items == ()
    twice = bulk.plan(desk, [*drafts(desk)[:1], *drafts(desk)[:1]], "approve")
    assert len(twice.items) == 1, "marked twice is decided once"


def test_all_of_it_is_noted_in_the_review(studio: Workspace) -> None:
    bulk.carry_out(studio.gate(), plan(studio, "reject"), "")
    found = session.current(studio.gate())
    assert found is not None
    assert [one.id for one in found.decided] == [subject.id for subject in drafts(load(studio.gate()))]
