"""The task in ACTIVE.md: the forms it is written in, what is read, and what stays when it goes."""

from __future__ import annotations

import pytest

from dory_tui.workspace.document import parse
from dory_tui.workspace.layout import ACTIVE
from dory_tui.workspace.task_edits import clear_task, log_lines, refused, said, task_bytes, write_task
from dory_tui.workspace.task_reading import Found, find
from dory_tui.workspace.templates import files

TEMPLATE = dict(files())["state/ACTIVE.md"]
IDLE = "**User said:** [none]\n\n**Interpretation:** [none]\n\n**Status:** [none]\n"
SECTION = f"## Current Instruction\n\n{IDLE}"


def found(text: str | bytes) -> Found:
    made = find(parse(ACTIVE, text.encode() if isinstance(text, str) else text))
    assert made is not None
    return made


def words(text: str) -> str | None:
    read = said(parse(ACTIVE, text.encode()))
    return None if read is None else read.decode()


def test_one_plain_line_stands_in_quotation_marks() -> None:
    made = write_task(TEMPLATE, b"revise to 37 scenes", "from 41 to 37", ["cut", "print"])
    head, _, rest = TEMPLATE.decode().partition("**User said:** [none yet]")
    assert made.decode() == (
        head + '**User said:** "revise to 37 scenes"\n\n**Interpretation:** from 41 to 37\n\n'
        "**Status:**\n- [ ] cut\n- [ ] print" + rest[len("\n\n**Interpretation:** [waiting for task]\n\n**Status:**\n"
        "- [ ] Waiting for instruction") :]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("spoken", "form"),
    [
        ("say it", '**User said:** "say it"'),
        (" say  it ", '**User said:** " say  it "'),
        ("**Status:** done", '**User said:** "**Status:** done"'),
        ('say "it"', '**User said:**\n> say "it"'),
        ("none", "**User said:**\n> none"),
        ("[Task]", "**User said:**\n> [Task]"),
        ("a <!-- b", "**User said:**\n> a <!-- b"),
        ("a\n\nb", "**User said:**\n> a\n>\n> b"),
        ("a\n", "**User said:**\n> a\n>"),
        ("\na", "**User said:**\n>\n> a"),
        ("a \n b", "**User said:**\n> a \n>  b"),
        ("a\r\nb\rc", "**User said:**\n> a\r\n> b\r> c"),
    ],
)
def test_the_two_forms(spoken: str, form: str) -> None:
    made = write_task(SECTION.encode(), spoken.encode()).decode()
    assert made == f"## Current Instruction\n\n{form}\n\n{IDLE.partition(chr(10) * 2)[2]}"
    assert words(made) == spoken


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "# ACTIVE.md\n\n## Current Instruction\n\n{}\n"),
        ("", "## Current Instruction\n\n{}\n"),
        ("# Other", "# Other\n\n## Current Instruction\n\n{}"),
        ("## Current Instruction\n", "## Current Instruction\n\n{}\n"),
        ("## Current Instruction\n\n[none]\n\n## Notes\n", "## Current Instruction\n\n{}\n\n## Notes\n"),
        ("## Current Instruction\ntext\n", "## Current Instruction\n\n{}\n\ntext\n"),
        ("## Format\n**User said:** x\n", "## Format\n**User said:** x\n\n## Current Instruction\n\n{}\n"),
    ],
)
def test_a_section_is_made_where_there_is_none(before: str | None, after: str) -> None:
    made = write_task(None if before is None else before.encode(), b"go").decode()
    assert made == after.format('**User said:** "go"\n\n**Interpretation:** [none]\n\n**Status:** [none]')


def test_missing_labels_are_made_only_for_what_is_given() -> None:
    assert write_task(b"**User said:** [none]\n", b"go") == b'**User said:** "go"\n'
    assert write_task(b"**User said:** [none]\n> hint\n", b"a\nb", "", ["c"]) == (
        b"**User said:**\n> a\n> b\n\n**Status:**\n- [ ] c\n> hint\n"
    )
    assert write_task(b"**User said:** [none]\n> hint\n", b"a\nb") == b"**User said:**\n> a\n> b\n\n> hint\n"


def test_the_files_own_labels_and_line_ends_are_kept() -> None:
    before = b"\xef\xbb\xbf- **user said**: [none]\r\n- **Status:**\r\n  - [ ] old\r\n**Model:** a/b"
    made = write_task(before, b"go", "", ["new"])
    assert made == b'\xef\xbb\xbf- **user said**: "go"\r\n- **Status:**\r\n- [ ] new\r\n**Model:** a/b'
    assert clear_task(made) == b"\xef\xbb\xbf- **user said**: [none]\r\n- **Status:** [none]\r\n**Model:** a/b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"map it"', "map it"), ("“map it”", "map it"), ("«map it»", "map it"), ("map it", "map it"),
        ('"map "it" now"', 'map "it" now'), ('"one\ntwo"', "one\ntwo"), ('"one\n\ntwo"', "one\n\ntwo"),
        ("one\ntwo\n\nthree", "one\ntwo"), ('\n"one"', "one"), ('"one\n**Status:** x"', '"one'),
        ("[none yet]", None), ("(none)", None), ("", None), ('""', None), ("{{task}}", None), ("—", None),
        ("\n> one\n> two", "one\ntwo"), ("\n\n>one\n\n> no more", "one"), ('"one" <!-- noted -->', "one"),
    ],
)  # fmt: skip
def test_words_that_people_wrote_are_read(text: str, expected: str | None) -> None:
    assert words(f"## Current Instruction\n\n**User said:** {text}\n") == expected
    if expected is not None and "\n" not in expected:
        assert words(f"**User said:** {text}\n".replace("\n", "\r\n")) == expected


def test_what_stands_in_quoted_words_hides_no_label() -> None:
    text = "**User said:**\n> a <!-- b\n\n**Interpretation:** c\n\n**Status:**\n- [x] d\n\n<!-- e -->\n"
    assert (words(text), found(text).meaning, found(text).steps) == ("a <!-- b", "c", ("- [x] d",))


def test_the_parts_end_where_the_task_ends() -> None:
    text = (
        '**User said:** "a"\n\n**Interpretation:**\none\n\ntwo\n\n'
        "**Status:** half done\n- [x] b\n  - sub\n\n- [ ] c\n\nLater.\n\n**Model:** x\n"
    )
    made = found(text)
    assert (made.meaning, made.state, made.steps) == ("one two", "half done", ("- [x] b", "  - sub", "", "- [ ] c"))
    assert clear_task(text.encode()).decode() == f"{IDLE}\nLater.\n\n**Model:** x\n"
    assert clear_task(b'**User said:** "a"\n\n**Interpretation:** one\n\nNot a part.\n') == (
        b"**User said:** [none]\n\n**Interpretation:** [none]\n\nNot a part.\n"
    )
    assert found('**User said:** "a"\n\n- [ ] bare box\n').steps == ("- [ ] bare box",)


def test_the_same_task_has_the_same_bytes() -> None:
    first = write_task(TEMPLATE, b"a", "b", ["c"])
    assert task_bytes(parse(ACTIVE, first)) == task_bytes(parse(ACTIVE, b"# other head\n\n" + first))
    assert task_bytes(parse(ACTIVE, first)) != task_bytes(parse(ACTIVE, first.replace(b"[ ] c", b"[x] c")))
    assert task_bytes(parse(ACTIVE, TEMPLATE)) == b""


def test_a_task_as_it_is_logged() -> None:
    made = found('**User said:** "a"\n**Interpretation:** b -->\n**Status:** c\n- [x] d\n')
    assert log_lines(made) == [
        b'  - **User said:** "a"', b"  - **Interpretation:** b --\\>", b"  - **Status:** c", b"  - [x] d",
    ]  # fmt: skip
    assert log_lines(found("**User said:**\n> a\n>\n> # b\n")) == [b"  - **User said:**", b"    > a\n    >\n    > # b"]
    assert log_lines(found("**User said:**\n> <!--\n>\n> ```\n")) == [
        b"  - **User said:**", b"    ````", b"    <!--", b"", b"    ```", b"    ````",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("spoken", "sentence"),
    [
        (b"", "there are no words"), (b" \n\t", "there are no words"),
        (b"a\xffb", "byte 2 of the words is not UTF-8"),
        (b"a\x1b[2J", "character 2 of the words is the control character U+001B"),
        ("a\u0085".encode(), "U+0085"), (b"\x00", "U+0000"),
    ],
)  # fmt: skip
def test_words_that_cannot_be_kept(spoken: bytes, sentence: str) -> None:
    assert sentence in str(refused(spoken))
    with pytest.raises(ValueError, match=sentence.replace("+", r"\+")):
        write_task(TEMPLATE, spoken)


def test_a_file_that_the_words_would_change_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match=r"state/ACTIVE\.md line 2: what opens there"):
        write_task(b"# A\n<!-- stray\n\n**User said:** [none]\n", b"a --> b")
    with pytest.raises(ValueError, match="one line"):
        write_task(TEMPLATE, b"a", "two\nlines")
