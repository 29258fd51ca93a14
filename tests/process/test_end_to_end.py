"""One morning from end to end, with whole processes and a real terminal (`tests/process/story.py` is the script)."""

from __future__ import annotations

from pathlib import Path

from dory_tui.gate.rules import Exit
from tests.process.story import NOTE, TASK, Story, play

FIRST = "1/7 Notes are only worth what you read of them."


def test_a_restart_sends_nothing_twice_and_the_agent_wakes_up_to_the_truth(quick_folder: Path) -> None:
    story = Story(quick_folder)
    found = play(story)

    def codes(name: str) -> list[int]:
        return [line.code for line in found[name]]

    assert codes("init") == codes("first boot") == codes("capture") == [0]
    assert (story.root / "skills/dory/SKILL.md").is_file()
    assert codes("stage") == [0] * 7
    assert codes("refused") == [Exit.REFUSED, 0]
    assert (found["refused"][0].err, found["refused"][1].err) == (
        "launch-1: no human has said yes to it\n",
        "nothing is due\n",
    )
    assert codes("hold") == codes("reject") == [0]
    assert codes("approve") == [0, 0]
    assert "if approved, this runs" in found["approve"][0].out

    assert codes("ran") == [0]
    assert found["ran"][0].err == "launch-1: it ran once and is done\n"
    held, refused, later, ran = Exit.HELD, Exit.REFUSED, Exit.NOT_YET, Exit.CLAIMED
    assert codes("burst") == [ran, held, held, held, held, later, refused, 0]
    assert found["burst"][6].err == f"launch-7: a human said no: {NOTE}\n"
    assert story.sent == [FIRST], "one of seven, once"
    assert story.events("launch-1") == ["approved", "claimed", "done"]
    assert story.events("launch-6") == ["approved"]
    assert story.events("launch-7") == ["rejected"]
    for number in (2, 3, 4, 5):
        assert story.events(f"launch-{number}") == []

    boot = found["next boot"][0]
    assert (boot.code, boot.err) == (0, "")
    assert boot.out.startswith(
        "📋 Boot: ACTIVE=[post the launch thread, one a day, and …] | HOLD=[1] item | STAGING=[4] drafts\n"
    )
    assert f"\n> {TASK}\n" in boot.out
    for line in (
        "(covers launch-2, launch-3, launch-4, launch-5)",
        "- launch-1: it ran once and is done",
        f"- launch-7: a human said no: {NOTE}",
        "- launch-6: approved; not before ",
        "## WAITING FOR A HUMAN'S YES (4)",
        "- ACTIVE asks for what HOLD blocks: “launch thread 2-5”",
    ):
        assert line in boot.out, line
    assert found["verify"][0].out == "the boot line says what is true\n"
    assert story.transcript.count("[exit ") == len([line for lines in found.values() for line in lines])
