"""ACTIVE.md: the task in the user's exact words, else the tasks that the file names."""

import pytest

from dory_tui.workspace.document import parse
from dory_tui.workspace.entries import AS_TEXT, Reading, Task, read_task
from dory_tui.workspace.templates import files

HEAD = "# ACTIVE.md\n\n> The user's own words go in first.\n\n"
FORMAT = '## Format\n\n```\n**User said:** "the sentence"\n**Status:**\n- [x] a step\n```\n\n'


def reading(text: str | bytes) -> Reading[Task]:
    return read_task(parse("state/ACTIVE.md", text if isinstance(text, bytes) else text.encode()))


def task(text: str) -> Task:
    (found,) = reading(text).entries
    return found


def said(words: str) -> str:
    return task(f"{HEAD}{FORMAT}## Current Instruction\n\n**User said:** {words}\n").said


def test_a_task_in_its_canonical_form() -> None:
    found = task(
        HEAD + FORMAT + '## Current Instruction\n\n**User said:** "revise to 37 scenes"\n\n'
        "**Interpretation:** From 41 to 37.\nWhich go is Ana's choice.\n\n"
        "**Status:**\n- [x] Cut the board\n- [X] Read the sheet\n- [ ] Print\n"
    )
    assert found == Task(
        "revise to 37 scenes",
        "From 41 to 37. Which go is Ana's choice.",
        ((True, "Cut the board"), (True, "Read the sheet"), (False, "Print")),
        15,
    )
    assert found.done == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('"map it"', "map it"),
        ("“map it”", "map it"),
        ("«map it»", "map it"),
        ("„map it“", "map it"),
        ("map it", "map it"),
        ('"map "it" now"', 'map "it" now'),
        ('"one\ntwo"', "one\ntwo"),
        ('"one\n\ntwo"', "one\n\ntwo"),
        ("“one\n\ntwo” and\n\nmore", "“one\n\ntwo” and"),
        ('one\n\n"two"', "one"),
        ('\n"one"', "one"),
        ('"\none\n"', "one"),
        ("YYYY-MM-DD everywhere, please", "YYYY-MM-DD everywhere, please"),
        ("use {{name}} in the title", "use {{name}} in the title"),
    ],
)
def test_the_words_without_their_quotation_marks(words: str, expected: str) -> None:
    assert said(words) == expected


def test_words_stop_at_the_next_label_box_or_rule() -> None:
    for stop in ("**Interpretation:** x", "- [ ] x", "---"):
        assert said(f'"one\n{stop}\ntwo"') == '"one'


def test_line_ends_do_not_change_the_words() -> None:
    text = '## Current Instruction\n\n**User said:** "one\n\ntwo"\n\n**Status:**\n- [ ] a\n'
    assert task(text.replace("\n", "\r\n")) == task(text)
    assert task(text.replace("\n", "\r")) == task(text)


@pytest.mark.parametrize(
    "words", ["[none yet]", "(none)", "_none_", "—", "", '""', "[Task]", "{{task}}", "[waiting for task]", "idle"]
)
def test_no_task(words: str) -> None:
    result = reading(f"{HEAD}## Current Instruction\n\n**User said:** {words}\n\n**Status:**\n- [ ] Waiting\n")
    assert (result.entries, result.text, result.recognised) == ((), (), True)


def test_the_template_has_no_task() -> None:
    result = reading(dict(files())["state/ACTIVE.md"])
    assert (result.entries, result.text) == ((), ())


@pytest.mark.parametrize("slot", ["[waiting for task]", "—", "{{what it means}}"])
def test_an_unfilled_interpretation_is_empty(slot: str) -> None:
    assert task(f'**User said:** "a"\n\n**Interpretation:** {slot}\n').interpretation == ""


def test_the_label_may_be_spelt_as_people_spell_it() -> None:
    assert task('- **user said**: "a"\n').said == "a"


def test_examples_in_fences_comments_and_example_sections_are_no_task() -> None:
    for text in (
        FORMAT,
        '<!--\n**User said:** "a"\n-->\n',
        '## Example\n\n**User said:** "a"\n',
    ):
        assert reading(HEAD + text).entries == ()


def test_the_first_of_two_tasks_is_the_task() -> None:
    assert task('## A\n**User said:** "one"\n## B\n**User said:** "two"\n').said == "one"


def test_boxes_are_tasks_and_what_stands_beside_them_is_not() -> None:
    result = reading(f"{HEAD}## Today\n\n- [ ] call Bob\n- [ ] call Ana\n\nThen home.\n\n[none]\n")
    assert [one.said for one in result.entries] == ["call Bob", "call Ana"]
    assert result.recognised


def test_prose_is_text() -> None:
    result = reading(f"{HEAD}## Today\n\nA long walk.\n\n## Then\n\nHome.\n")
    assert result.entries == ()
    assert [p.sentence for p in result.text] == [AS_TEXT]


def test_an_unclosed_fence_is_reported_and_hides_no_task() -> None:
    result = reading('```\n**User said:** "a"\n')
    assert [t.said for t in result.entries] == ["a"]
    assert [p.line for p in result.text] == [1]


@pytest.mark.parametrize("text", ["", "# ACTIVE.md\n", "> quote\n", "# A\n\nIntroduction.\n"])
def test_nothing_is_no_task_and_recognised(text: str) -> None:
    result = reading(text)
    assert (result.entries, result.recognised) == ((), True)
