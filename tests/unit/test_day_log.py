"""A day's log: an entry goes below the heading for its kind, as the file itself writes, and nothing else changes."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.workspace import shapes
from dory_tui.workspace.day_log import KINDS, Added, add, bullet, day_of_log, kind_of, line_at, log_path, plain
from dory_tui.workspace.document import decode, encode, parse, split_lines

DAY = date(2026, 2, 5)
PATH = "memory/2026-02-05.md"
PARTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=10),
    st.sampled_from(
        ["## Promises", "# a", "---", "===", "```", "~~~", "<!--", "-->", "- [ ] x", "> q", "\x00", "**A:** b"]
    ),
)
TEXTS = st.lists(PARTS, max_size=5).map(lambda parts: "\n".join(["words", *parts]))
LOGS = st.lists(
    st.sampled_from(
        [b"# 2026-02-05", b"## Tasks", b"## \xe2\x9c\x85 Facts learnt", b"## PROMISES", b"## Notes", b"- 10:00 a",
         b"  more", b"", b"text", b"[none]", b"---", b"*Updated: x*", b"```", b"code", b"<!-- note -->", b"\xff\xfe",
         b"- [ ] 09:00 p", b"### Sub"]
    ),
    max_size=9,
)  # fmt: skip


def added(data: bytes | None, kind: str, text: str = "words", time: str = "14:05") -> Added:
    return add(data, DAY, kind, bullet(kind, time, text))


def after(text: str, kind: str, words: str = "words") -> str:
    return added(text.encode(), kind, words).data.decode()


def test_a_new_log_has_its_day_and_the_heading() -> None:
    assert added(None, "task").data == b"# 2026-02-05\n\n## Tasks\n\n- 14:05 words\n"
    assert log_path(DAY) == PATH
    assert day_of_log(PATH) == DAY


def test_headings_come_in_their_order_whatever_is_logged_first() -> None:
    data = None
    for kind in ("fact", "promise", "task", "bug", "decision", "fact"):
        found = added(data, kind)
        data = found.data
        assert split_line(found) == ("- [ ] 14:05 words" if kind == "promise" else "- 14:05 words")
    assert data is not None
    assert data.decode() == (
        "# 2026-02-05\n\n## Tasks\n\n- 14:05 words\n\n## Decisions\n\n- 14:05 words\n\n## Bugs\n\n- 14:05 words\n\n"
        "## Facts\n\n- 14:05 words\n- 14:05 words\n\n## Promises\n\n- [ ] 14:05 words\n"
    )


def split_line(found: Added) -> str:
    start, end, _ = split_lines(found.data)[found.line - 1]
    return found.data[start:end].decode()


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Tasks", "task"), ("TASKS COMPLETED", "task"), ("✅ Tasks done", "task"), ("Completed", "task"),
        ("Today's tasks", "task"), ("Open tasks", None), ("Tasks for tomorrow", None), ("Cron task fix", None),
        ("decisions", "decision"), ("Decisions made", "decision"), ("决定", "decision"), ("Decisões", "decision"),
        ("Bugs & fixes", "bug"), ("🐛 Bugs", "bug"), ("Known bugs", "bug"), ("Bug 17: mail", None),
        ("Facts learnt", "fact"), ("Facts / learnings", "fact"), ("What I learned", "fact"),
        ("Promises", "promise"), ("Open promises", "promise"), ("Commitments made", "promise"), ("Promises kept", None),
        ("Notes", None), ("", None),
    ],
)  # fmt: skip
def test_a_heading_is_known_by_what_it_says(title: str, kind: str | None) -> None:
    assert kind_of(title) == kind


def test_the_files_own_heading_is_used() -> None:
    assert after("## ✅ Tasks Completed\n\n- a\n\n## Notes\n", "task") == (
        "## ✅ Tasks Completed\n\n- a\n- 14:05 words\n\n## Notes\n"
    )
    assert after("# Log\n\n### Facts\n\n- a\n", "task") == "# Log\n\n### Tasks\n\n- 14:05 words\n\n### Facts\n\n- a\n"
    assert after("# Tasks\n- a\n# Notes\n", "task") == "# Tasks\n- a\n- 14:05 words\n# Notes\n"
    assert after("# Tasks\n\n## Facts\n\n- a\n", "task") == "# Tasks\n\n## Tasks\n\n- 14:05 words\n\n## Facts\n\n- a\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("## Tasks\n", "## Tasks\n\n- 14:05 words\n"),
        ("## Tasks", "## Tasks\n\n- 14:05 words"),
        ("## Tasks\n\n[none]\n", "## Tasks\n\n- 14:05 words\n"),
        ("## Tasks\n\n_None yet._\n\n## Notes\n", "## Tasks\n\n- 14:05 words\n\n## Notes\n"),
        ("## Tasks\n- a\n  more\n\n---\n", "## Tasks\n- a\n  more\n- 14:05 words\n\n---\n"),
        ("## Tasks\n- a\n*Updated: x*\n", "## Tasks\n- a\n- 14:05 words\n\n*Updated: x*\n"),
        ("## Tasks\n- a\n\n  second paragraph\n", "## Tasks\n- a\n\n  second paragraph\n- 14:05 words\n"),
        ("## Tasks\nplain text\n", "## Tasks\nplain text\n\n- 14:05 words\n"),
        ("## Tasks\n## Facts\n", "## Tasks\n\n- 14:05 words\n\n## Facts\n"),
        ("## Tasks\n\n<!-- what was done -->\n", "## Tasks\n\n<!-- what was done -->\n\n- 14:05 words\n"),
        ("- a\n## Facts\n- b\n", "- a\n\n## Tasks\n\n- 14:05 words\n\n## Facts\n- b\n"),
        ("", "## Tasks\n\n- 14:05 words\n"),
        ("\n\n", "\n\n## Tasks\n\n- 14:05 words\n"),
        ("# Log\n\ntext", "# Log\n\ntext\n\n## Tasks\n\n- 14:05 words"),
    ],
)  # fmt: skip
def test_where_an_entry_goes(before: str, expected: str) -> None:
    assert after(before, "task") == expected


def test_line_ends_and_a_mark_at_the_start_are_the_files() -> None:
    assert added(b"\xef\xbb\xbf## Facts\r\n\r\n- a\r\n", "task").data == (
        b"\xef\xbb\xbf## Tasks\r\n\r\n- 14:05 words\r\n\r\n## Facts\r\n\r\n- a\r\n"
    )
    assert added(b"\xef\xbb\xbf", "task").data == b"\xef\xbb\xbf## Tasks\n\n- 14:05 words\n"
    assert added(b"# L\n\n## Tasks\r\n\r\n- a\r\n", "task").data == b"# L\n\n## Tasks\r\n\r\n- a\r\n- 14:05 words\r\n"
    assert added(b"## Tasks\r- a\r", "task", "x\ny").data == b"## Tasks\r- a\r- 14:05 x\r  y\r"


def test_an_entry_of_several_lines_runs_on_indented() -> None:
    assert bullet("promise", "14:05", "\n\nfirst\r\n\r\n  second \rthird\n\n") == [
        b"- [ ] 14:05 first", b"", b"    second", b"  third",
    ]  # fmt: skip
    assert bullet("bug", "9:05", "code:\n```\n# x\n```") == [b"- 9:05 code:", b"  ```", b"  \\# x", b"  ```"]


def test_what_would_act_on_the_rest_of_the_log_is_only_shown() -> None:
    assert bullet("fact", "", "a <!-- b\n## c\n---\n```\nx -->") == [
        b"- a <\\!-- b", b"  \\## c", b"  \\---", b"  \\```", b"  x --\\>",
    ]  # fmt: skip
    assert plain("<!---->") == "<\\!----\\>"
    assert bullet("fact", "", "a\x1b[2J\u2028b") == [b"- a [2J b"]
    open_fence = b"## Tasks\n\n```\n- a\n"
    made = added(open_fence, "task", "x\n```\ny\n```").data
    assert [problem.line for problem in parse(PATH, made).problems] == [3], "our fence does not close theirs"


@pytest.mark.parametrize("text", ["", " \n", "\x00"])
def test_no_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no words"):
        bullet("fact", "14:05", text)


def test_the_line_that_bytes_end_on() -> None:
    assert [line_at(head) for head in (b"", b"a", b"a\n", b"a\r\n\r", b"\n\nb")] == [1, 1, 2, 3, 3]


@given(LOGS, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.booleans(), st.booleans(), st.sampled_from(KINDS), TEXTS)
def test_an_entry_is_one_span_and_nothing_else_changes(
    lines: list[bytes], end: bytes, ended: bool, bom: bool, kind: str, text: str
) -> None:
    data = b"".join(line + end for line in lines)
    data = (b"\xef\xbb\xbf" if bom else b"") + (data if ended else data.removesuffix(end))
    found = added(data, kind, text)
    start = next((n for n, (a, b) in enumerate(zip(data, found.data, strict=False)) if a != b), len(data))
    shorter = min(len(data), len(found.data)) - start
    end_at = next(
        (n for n in range(shorter) if data[len(data) - 1 - n] != found.data[len(found.data) - 1 - n]), shorter
    )
    gone = data[start : len(data) - end_at]
    assert gone.replace(b"[none]", b"").strip() in (b"", b"[none", b"none]"), "only `nothing here` goes"
    before, now = parse(PATH, data), parse(PATH, found.data)
    assert len(now.problems) == len(before.problems)
    titles = [line.text for line in before.lines if line.heading]
    assert [t for t in (line.text for line in now.lines if line.heading) if t in titles] == titles
    section = next(s for s in shapes.sections(now) if any(line.number == found.line for line in s.lines))
    assert kind_of(section.title) == kind
    line = now.lines[found.line - 1]
    assert line.shown == decode(bullet(kind, "14:05", text)[0])
    assert data.endswith((b"\n", b"\r")) == found.data.endswith((b"\n", b"\r")) or not data.strip(b"\xef\xbb\xbf \r\n")
    assert encode(line.text) in found.data
