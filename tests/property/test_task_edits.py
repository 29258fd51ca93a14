"""Whatever a user says is read back byte for byte, and the rest of ACTIVE.md stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dory_tui.workspace.document import parse, split_lines
from dory_tui.workspace.layout import ACTIVE
from dory_tui.workspace.task_edits import clear_task, log_lines, refused, said, write_task
from dory_tui.workspace.task_reading import find
from dory_tui.workspace.templates import files

TEMPLATE = dict(files())["state/ACTIVE.md"]
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12),
    st.sampled_from(
        ["", " ", "\t", "> quoted", ">", '**User said:** "x"', "**Interpretation:** y", "**Status:** x", "- [ ] box",
         "- [x] box", "---", "===", "# A", "## Current Instruction", "```", "~~~~ text", "<!--", "-->", "<!-- x -->",
         "[none]", "none", "[Task]", '"quoted"', "“curly”", "trailing  ", "  leading", "<<<<<<< HEAD", "\ufeffbom",
         "\u2028", "漢字 🇩🇪 é", "\u202e rtl", "a\\", "`code`", "| a | b |", "1. [ ] numbered",
         "[2026-01-01 10:00 | dory] x"]
    ),
)  # fmt: skip


@st.composite
def spoken(draw: st.DrawFn) -> bytes:
    """Lines with line ends of every kind, with or without one at the end."""
    lines = draw(st.lists(LINES, min_size=1, max_size=6))
    ends = [draw(st.sampled_from(["\n", "\r\n", "\r"])) for _ in lines]
    ends[-1] = draw(st.sampled_from(["", ends[-1]]))
    words = "".join(line + end for line, end in zip(lines, ends, strict=True)).encode()
    assume(refused(words) is None)
    return words


HEADS = st.sampled_from(
    [[b"# ACTIVE.md", b"", b"> introduction \xff"], [], [b"## Format", b"```", b'**User said:** "x"', b"```", b""]]
)
BODIES = st.sampled_from(
    [
        [b"## Current Instruction", b""],
        [b"## Current Instruction", b"", b"[none]"],
        [b"## Current Instruction"],
        [b"# Other", b"text"],
        [b"**User said:** [none]", b"", b"**Interpretation:** [none]", b"", b"**Status:** [none]"],
        [b"- **user said**: \xe2\x80\x9cold\xe2\x80\x9d"],
        [
            b'**User said:** "old',
            b"",
            b'words"',
            b"",
            b"**Interpretation:**",
            b"two",
            b"",
            b"parts",
            b"**Status:** now",
        ],
        [b"**User said:**", b"> old <!--", b">", b"> words", b"", b"**Interpretation:** i", b"**Status:**", b"- [x] a"],
        [b"**User said:**", b"", b"**Status:**", b"- [ ] Waiting", b"  more of it"],
    ]
)
TAILS = st.sampled_from(
    [[], [b""], [b"> hint"], [b"<!-- a -->", b"<!-- b", b"-->"], [b"**Model:** a/b"], [b"---", b"*Updated: x*"],
     [b"", b"## Notes", b"- [ ] later", b"```", b"-->", b"```"]]
)  # fmt: skip


@st.composite
def active(draw: st.DrawFn) -> tuple[bytes, list[bytes], list[bytes]]:
    """(file, the lines of its head, the lines of its tail)."""
    head, tail = draw(HEADS), draw(TAILS)
    end = draw(ENDS)
    data = b"".join(line + end for line in [*head, *draw(BODIES), *tail])
    if tail != [b""] and draw(st.booleans()):
        data = data[: split_lines(data)[-1][1]]
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + data, head, tail


@given(active(), spoken(), st.sampled_from(["", "what it means --> here"]), st.sampled_from([[], ["one", "<!-- two"]]))
@example((TEMPLATE, [], []), b"plain words", "what it means --> here", ["one", "<!-- two"])
@example((b"", [], []), b"a\r", "", [])
def test_what_is_written_is_read_back(
    file: tuple[bytes, list[bytes], list[bytes]], words: bytes, meaning: str, steps: list[str]
) -> None:
    data, head, tail = file
    opened = parse(ACTIVE, data).problems
    if opened and b"-->" in words and head and find(parse(ACTIVE, data)) is None:
        # A comment that the file leaves open, and that these words would close above their own label.
        with pytest.raises(ValueError, match=rf"line {opened[0].line}: what opens there"):
            write_task(data, words, meaning, steps)
        return
    made = write_task(data, words, meaning, steps)
    assert said(parse(ACTIVE, made)) == words
    assert write_task(made, words, meaning, steps) == made
    found = find(parse(ACTIVE, made))
    assert found is not None
    if meaning:
        assert found.meaning == "what it means --\\> here"
    if steps:
        assert list(found.steps) == ["- [ ] one", "- [ ] <\\!-- two"]
    cleared = clear_task(made)
    assert said(parse(ACTIVE, cleared)) is None
    assert clear_task(cleared) == cleared
    for left in (made, cleared):
        bare = left.removeprefix(b"\xef\xbb\xbf")
        lines = [bare[start:end] for start, end, _ in split_lines(bare)]
        assert lines[: len(head)] == head
        # A new section stands behind all that was there; anything else in front of the tail.
        assert any(lines[at : at + len(tail)] == tail for at in range(len(head), len(lines) - len(tail) + 1))
        assert left.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")


@given(st.one_of(st.none(), st.just(TEMPLATE)), spoken())
def test_words_in_the_log_open_and_close_nothing(data: bytes | None, words: bytes) -> None:
    found = find(parse(ACTIVE, write_task(data, words)))
    assert found is not None
    log = b"\n".join([b"## Tasks", b"", b"- 10:00 x", *log_lines(found), b"## Promises", b"- [ ] 10:01 y", b""])
    read = parse("memory/2026-02-05.md", log)
    assert read.problems == ()
    assert [line.text for line in read.lines if line.heading] == ["## Tasks", "## Promises"]
    assert read.lines[-1].shown == "- [ ] 10:01 y"


@given(
    st.text(st.characters(categories=["Cc"], exclude_characters="\t\n\r"), min_size=1, max_size=2), st.text(max_size=3)
)
def test_control_characters_are_refused(control: str, around: str) -> None:
    words = f"a{around}{control}".encode("utf-8", "surrogatepass")
    assert refused(words) is not None
    with pytest.raises(ValueError, match="of the words is"):
        write_task(TEMPLATE, words)
