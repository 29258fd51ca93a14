"""Promoting into any file, whatever its bytes: one span comes in, and nothing else moves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dory_tui.memory.promoting import PromotingError, SectionMissingError, preview
from dory_tui.workspace import shapes
from dory_tui.workspace.document import decode, parse, split_lines
from dory_tui.workspace.layout import MEMORY
from dory_tui.workspace.promotions import Promotion

LINES = st.sampled_from(
    [b"", b"  ", b"# One", b"## Two", b"### Two", b"## [[", b"- a", b"- b \xff\xfe", b"  goes on\x00", b"* c", b"1. d",
     b"| x | y |", b"|---|---|", b"```", b"~~~", b"<!-- open", b"close -->", b"<!-- all -->", b"> quote", b"words  ",
     b"---", b"[none]", b"_none_", b"\xe6\xbc\xa2 \xe2\x80\xae \xc2\x85 \xe2\x80\xa8 \x0c", b"\xef\xbb\xbf## Two"]
)  # fmt: skip


@st.composite
def files(draw: st.DrawFn) -> bytes:
    ends = st.sampled_from(draw(st.sampled_from([[b"\n"], [b"\r\n"], [b"\r"], [b"\n", b"\r\n", b"\r"]])))
    lines = draw(st.lists(LINES, max_size=14))
    data = b"".join(line + draw(ends) for line in lines)
    return data + draw(LINES) if draw(st.booleans()) else data


TEXTS = st.sampled_from([b"- new", b"- new\n  goes on\n- newer", b"A paragraph.", b"### Part\n\nWords \xff."])


def candidate(text: bytes, section: str = "## Two", replaces: str | None = None) -> Promotion:
    return Promotion("new", "memory/promotions/new.md", b"", section, replaces=replaces, text=text)


@settings(deadline=None)
@given(files(), TEXTS, st.sampled_from(["## Two", "# One", "Two", "### two", "## Three"]))
def test_one_span_comes_in_and_nothing_else_moves(data: bytes, text: bytes, section: str) -> None:
    wanted = candidate(text, section)
    change = preview(data, wanted, create=True)
    if change.created is not None:
        with pytest.raises(SectionMissingError) as missing:
            preview(data, wanted)
        assert missing.value.section == change.created
        assert change.after.startswith(data)
    came = parse(MEMORY, data).line_end.join(text.split(b"\n"))
    assert change.before == data
    assert came in change.after
    places = [n for n in range(len(change.after)) if change.after.startswith(came, n)]
    # Around the text, only blank lines may have come, or one "nothing here" line may have gone.
    assert any(_rest_is(data, change.after[:n], change.after[n + len(came) :], change.created) for n in places)
    ended = data.endswith((b"\n", b"\r")) or not data.strip()
    assert change.after.endswith((b"\n", b"\r")) == ended or change.after.endswith(came)


def _rest_is(data: bytes, head: bytes, tail: bytes, created: str | None) -> bool:
    if created is not None:
        head = head[: head.rindex(created.encode())]
        return data.startswith(head.rstrip(b"\r\n")) and data.rstrip(b"\r\n") == head.rstrip(b"\r\n")
    if head + tail == data:
        return True
    if not data.endswith(tail):
        return False
    middle = data[: len(data) - len(tail)]
    # Either line ends came before the text, or a line that says "nothing" stood where it is now.
    if middle.startswith(head.rstrip(b"\r\n")) and not middle[len(head.rstrip(b"\r\n")) :].strip(b"\r\n"):
        return True
    return middle.startswith(head) and shapes.is_nothing(decode(middle[len(head) :]))


@settings(deadline=None)
@given(files(), TEXTS, st.integers(0, 20))
def test_replacing_a_line_replaces_that_line(data: bytes, text: bytes, which: int) -> None:
    lines = [line for line in parse(MEMORY, data).lines if line.text.strip()]
    if not lines:
        with pytest.raises(PromotingError, match=r"is not in MEMORY\.md"):
            preview(data, candidate(text, replaces="- a"))
        return
    line = lines[which % len(lines)]
    same = [one for one in parse(MEMORY, data).lines if one.text.rstrip() == line.text.rstrip()]
    if len(same) > 1:
        with pytest.raises(PromotingError, match=f"{len(same)} times"):
            preview(data, candidate(text, replaces=line.text))
        return
    change = preview(data, candidate(text, replaces=line.text))
    start = line.end - len(data[line.start : line.end].removeprefix(b"\xef\xbb\xbf" if line.number == 1 else b""))
    came = parse(MEMORY, data).line_end.join(text.split(b"\n"))
    assert change.after == data[:start] + came + data[line.end :]


@settings(deadline=None)
@given(files(), TEXTS)
def test_promoted_twice_it_stands_there_twice_in_the_same_section(data: bytes, text: bytes) -> None:
    once = preview(data, candidate(text), create=True).after
    twice = preview(once, candidate(text)).after
    ends = split_lines(text)
    first = decode(text[ends[0][0] : ends[0][1]])
    count = sum(line.text == first for line in parse(MEMORY, data).lines)
    assert sum(line.text == first for line in parse(MEMORY, once).lines) == count + 1
    assert sum(line.text == first for line in parse(MEMORY, twice).lines) == count + 2
