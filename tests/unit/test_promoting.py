"""MEMORY.md after a promotion: on files as people write them, and the sentences for what cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from dory_tui.memory.promoting import (
    NOTHING,
    Preview,
    PromotingError,
    ReplacesError,
    SectionMissingError,
    check_cap,
    preview,
    preview_all,
)
from dory_tui.workspace import shapes, templates
from dory_tui.workspace.document import Line, parse, split_lines
from dory_tui.workspace.layout import MEMORY
from dory_tui.workspace.promotions import Promotion, parse_promotion

CORPUS = Path(__file__).parent.parent / "corpus"
SHAPES = ("004", "007", "008", "012", "013", "022", "030", "033", "038", "042", "050")
"""One MEMORY.md of each shape: bullets, topics, tables, several H1, CRLF, CJK, right to left."""
MISC = ("006", "014", "026")  # mixed line ends with a byte order mark, CRLF with Hebrew, mixed line ends
FILES = [*(CORPUS / f"memory/{name}.md" for name in SHAPES), *(CORPUS / "misc" / f"{name}.md" for name in MISC)]
TEMPLATE = dict(templates.files())[MEMORY]
NEW = "- Invoices are sent on the 3rd; 漢字 נבנה é"

every_file = pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}-{f.stem}" for f in FILES])


def candidate(section: str, text: str = NEW, replaces: str | None = None) -> Promotion:
    return Promotion("invoices", "memory/promotions/invoices.md", b"", section, replaces=replaces, text=text.encode())


def headings(data: bytes) -> list[tuple[str, Line]]:
    """Each heading that is the first of its words, as a candidate names it, and its line."""
    seen: dict[str, tuple[str, Line]] = {}
    for section in shapes.sections(parse(MEMORY, data)):
        if section.heading is not None and shapes.normal(section.title):
            seen.setdefault(shapes.normal(section.title), (f"{'#' * section.level} {section.title}", section.heading))
    return list(seen.values())


def only_added(change: Preview, text: bytes) -> bool:
    """Whether the text, with line ends around it, came into the file, and all other bytes are the same."""
    before, after = change.before, change.after
    assert after.count(text) == 1
    start = after.index(text)
    length = len(after) - len(before)
    places = range(max(0, start - length), start + 1)
    spans = [after[at : at + length] for at in places if after[:at] + after[at + length :] == before]
    return any(span.strip(b"\r\n") == text for span in spans)


def test_the_corpus_is_what_these_tests_are_about() -> None:
    assert len(FILES) >= 14
    data = [file.read_bytes() for file in FILES]
    assert any(b"\r\n" in one and b"\n" not in one.replace(b"\r\n", b"") for one in data), "CRLF"
    assert any(not one.endswith(b"\n") for one in data), "no final newline"
    assert any(len(one) > 10_240 for one in data), "over the cap"
    assert sum(one.count(b"\n# ") > 1 for one in data) > 1, "several H1"


@every_file
@pytest.mark.parametrize("final", [True, False], ids=["ended", "no final newline"])
def test_into_every_section_of_every_file(file: Path, final: bool) -> None:
    data = file.read_bytes()
    data = data if final else data.rstrip(b"\r\n")
    found = headings(data)
    for wanted, heading in found:
        change = preview(data, candidate(wanted))
        assert change.before == data
        assert change.created is None
        assert only_added(change, NEW.encode())
        assert data.endswith((b"\n", b"\r")) == change.after.endswith((b"\n", b"\r"))
        sections = shapes.sections(parse(MEMORY, change.after))
        (holder,) = [s for s in sections if s.heading is not None and s.heading.start == heading.start]
        # It stands in its own section, as a line of its own, with nothing but blank lines and rules below it.
        at = [line.text for line in holder.lines].index(NEW)
        assert all(line.blank or shapes.is_rule(line.shown) for line in holder.lines[at + 1 :])
    assert found or file.stem == "026"


@every_file
def test_into_a_new_section_of_every_file(file: Path) -> None:
    data = file.read_bytes()
    for tail in (data, data.rstrip(b"\r\n")):
        with pytest.raises(SectionMissingError) as missing:
            preview(tail, candidate("Money and time"))
        assert missing.value.section == "## Money and time"
        change = preview(tail, candidate("Money and time"), create=True)
        assert change.created == "## Money and time"
        assert change.after.startswith(tail)
        end = parse(MEMORY, tail).line_end
        assert change.after[len(tail) :].strip(b"\r\n") == b"## Money and time" + end + end + NEW.encode()
        assert change.after.endswith((b"\n", b"\r")) == tail.endswith((b"\n", b"\r"))
        assert preview(change.after, candidate("money AND time", "- more")).created is None


@every_file
def test_every_line_that_stands_once_can_be_replaced(file: Path) -> None:
    data = file.read_bytes()
    lines = parse(MEMORY, data).lines
    texts = [line.text.rstrip() for line in lines]
    once = [line for line, text in zip(lines, texts, strict=True) if text and texts.count(text) == 1]
    assert once
    for line in once[:: max(1, len(once) // 40)]:
        start = line.start + (3 if line.number == 1 and data.startswith(b"\xef\xbb\xbf") else 0)
        change = preview(data, candidate("anywhere", replaces=line.text))
        assert change.after == data[:start] + NEW.encode() + data[line.end :]
        assert change.created is None


@every_file
def test_a_line_that_stands_twice_or_nowhere_is_not_replaced(file: Path) -> None:
    data = file.read_bytes()
    texts = [line.text.rstrip() for line in parse(MEMORY, data).lines if line.text.strip()]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        count = texts.count(twice)
        with pytest.raises(PromotingError, match=rf"stands in MEMORY\.md {count} times.*change `replaces`"):
            preview(data, candidate("anywhere", replaces=twice))
    with pytest.raises(PromotingError, match=r"is not in MEMORY\.md: “- not there”; change `replaces`"):
        preview(data, candidate("anywhere", replaces="- not there"))


@every_file
def test_crlf_is_kept(file: Path) -> None:
    """A file converted to CRLF and promoted into is the same file promoted into and converted."""
    plain = b"".join(file.read_bytes()[start:end] + b"\n" for start, end, _ in split_lines(file.read_bytes()))
    converted = plain.replace(b"\n", b"\r\n")
    text = "- one\n  and more\n- two"
    for wanted, _ in [*headings(plain)[:8], ("## Money and time", None)]:
        change = preview(plain, candidate(wanted, text), create=True)
        in_crlf = preview(converted, candidate(wanted, text), create=True)
        assert in_crlf.after == change.after.replace(b"\n", b"\r\n")
        assert in_crlf.after.count(b"\n") == in_crlf.after.count(b"\r\n") == in_crlf.after.count(b"\r")


@pytest.mark.parametrize("nothing", ["[none]", "- [none]", "_none yet_", "(none)", "- "])
def test_nothing_here_makes_room(nothing: str) -> None:
    before = f"# M\n\n## People\n\n{nothing}\n\n## Money\n\n- x\n"
    assert preview(before.encode(), candidate("## People")).after.decode() == before.replace(nothing, NEW, 1)


def test_nothing_here_beside_an_entry_stays() -> None:
    before = "## People\n\n[none]\n- Ana\n"
    assert preview(before.encode(), candidate("## People")).after.decode() == before + NEW + "\n"


def test_the_template_with_its_comments() -> None:
    change = preview(TEMPLATE, candidate("## People"))
    comment = b"<!-- Who they are, how they like to be reached, what to keep in mind with them. -->\n"
    assert change.after == TEMPLATE.replace(comment, comment + b"\n" + NEW.encode() + b"\n")
    again = preview(change.after, candidate("## People", "- Ana"))
    assert again.after == change.after.replace(NEW.encode() + b"\n", NEW.encode() + b"\n- Ana\n")
    last = preview(TEMPLATE, candidate("Waiting on others"))
    assert last.after == TEMPLATE + b"\n" + NEW.encode() + b"\n"


@pytest.mark.parametrize(
    ("before", "section", "text", "after"),
    [
        ("## A\n\n- a\n\n## B\n", "## A", "- n", "## A\n\n- a\n- n\n\n## B\n"),
        ("## A\n\nWords.\n\n## B\n", "## A", "- n", "## A\n\nWords.\n\n- n\n\n## B\n"),
        ("## A\n\n- a\n  goes on\n\n## B\n", "## A", "- n", "## A\n\n- a\n  goes on\n- n\n\n## B\n"),
        ("## A\n\nSome:\n- a\n\n## B\n", "## A", "- n", "## A\n\nSome:\n- a\n- n\n\n## B\n"),
        ("## A\n\n- a\n\nWords.\n", "## A", "- n", "## A\n\n- a\n\nWords.\n\n- n\n"),
        ("## A\n\n| x |\n|---|\n| 1 |\n", "## A", "- n", "## A\n\n| x |\n|---|\n| 1 |\n\n- n\n"),
        ("## A\n\n- a\n\n---\n\n## B\n", "## A", "- n", "## A\n\n- a\n- n\n\n---\n\n## B\n"),
        ("## A\n## B\n", "## A", "- n", "## A\n\n- n\n## B\n"),
        ("## A\n\n- a\n\n### Sub\n\n- s\n", "## A", "- n", "## A\n\n- a\n- n\n\n### Sub\n\n- s\n"),
        ("# A\n\n- a\n\n## A\n\n- b\n", "## A", "- n", "# A\n\n- a\n\n## A\n\n- b\n- n\n"),
        ("# A\n\n- a\n", "## A", "- n", "# A\n\n- a\n- n\n"),
        ("## 🧠 A:\n\n- a\n", "A", "- n", "## 🧠 A:\n\n- a\n- n\n"),
        ("## A\n\n- a\n", "## A", "### N\n\nWords.", "## A\n\n- a\n\n### N\n\nWords.\n"),
        ("```\n## A\n```\n\n## A\n\n- a\n", "## A", "- n", "```\n## A\n```\n\n## A\n\n- a\n- n\n"),
    ],
    ids=["list", "prose", "bullet that goes on", "list below prose", "prose below a list", "table", "rule", "empty",
         "part", "level", "other level", "decorated", "block", "example in a fence"],
)  # fmt: skip
def test_where_it_goes(before: str, section: str, text: str, after: str) -> None:
    assert preview(before.encode(), candidate(section, text)).after.decode() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## People\n\n- n\n"),
        ("# M\n", "# M\n\n## People\n\n- n\n"),
        ("# M", "# M\n\n## People\n\n- n"),
        ("# M\n\n", "# M\n\n## People\n\n- n\n"),
        ("# M\r\n", "# M\r\n\r\n## People\r\n\r\n- n\r\n"),
    ],
)
def test_a_section_is_made_only_when_that_was_asked(before: str, after: str) -> None:
    wanted = candidate("People", "- n")
    with pytest.raises(SectionMissingError, match=r"MEMORY\.md has no section “## People”"):
        preview(before.encode(), wanted)
    assert preview(before.encode(), wanted, create=True) == Preview(before.encode(), after.encode(), "## People")


def test_conflict_markers_stop_it() -> None:
    data = b"## People\n\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> other\n"
    with pytest.raises(PromotingError, match="line 3: merge conflict markers"):
        preview(data, candidate("## People"))


@pytest.mark.parametrize(
    ("before", "after", "over"),
    [
        (100, 200, None),
        (100, 201, 1),
        (200, 201, 1),
        (300, 300, 100),
        (300, 301, 101),
        (300, 299, None),
        (1_300, 1_500, 1_300),
    ],
)
def test_the_cap(before: int, after: int, over: int | None) -> None:
    change = Preview(b"x" * before, b"x" * after, None)
    if over is None:
        check_cap(change, 200)
        return
    with pytest.raises(PromotingError) as refused:
        check_cap(change, 200)
    assert str(refused.value) == (
        f"MEMORY.md would be {after:,} bytes, {over:,} over the cap of 200: prune at least {over:,} bytes first"
    )


def test_a_file_over_the_cap_may_only_shrink() -> None:
    """One of the corpus stands over the cap of 10,240 bytes."""
    data = (CORPUS / "memory/038.md").read_bytes()
    lines = [line.text for line in parse(MEMORY, data).lines]
    long = max((line for line in lines if lines.count(line) == 1), key=len)
    check_cap(preview(data, candidate("any", "- short", replaces=long)), 10_240)
    with pytest.raises(PromotingError, match="over the cap of 10,240"):
        check_cap(preview(data, candidate("any", long + "!", replaces=long)), 10_240)


def test_a_candidate_is_previewed_as_its_file_says() -> None:
    text = b'---\nsection: "## Money"\nscores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\n'
    file = text + b'replaces: "- Invoices go out early"\n---\n\n- Invoices are sent on the 3rd\n\n'
    found = parse_promotion("memory/promotions/invoices.md", file)
    change = preview(b"## Money\r\n- Invoices go out early  \r\n- x\r\n", found)
    assert change.after == b"## Money\r\n- Invoices are sent on the 3rd\r\n- x\r\n"


TWICE = b"# M\n\n- a\n- b\n\n## S\n\n- a\n"


def test_a_line_that_stands_twice_is_asked_about_by_its_numbers() -> None:
    with pytest.raises(ReplacesError) as found:
        preview(TWICE, candidate("## S", "- c", "- a"))
    assert found.value.lines == (3, 8)
    with pytest.raises(ReplacesError) as missing:
        preview(TWICE, candidate("## S", "- c", "- z"))
    assert missing.value.lines == ()


@pytest.mark.parametrize(
    ("over", "after"),
    [
        (3, b"# M\n\n- c\n- b\n\n## S\n\n- a\n"),
        (8, b"# M\n\n- a\n- b\n\n## S\n\n- c\n"),
        (NOTHING, b"# M\n\n- a\n- b\n\n## S\n\n- a\n- c\n"),
    ],
)
def test_what_a_human_said_that_it_replaces(over: int, after: bytes) -> None:
    assert preview(TWICE, candidate("## S", "- c", "- a"), over=over).after == after


def test_only_a_line_that_is_alike_can_be_chosen() -> None:
    with pytest.raises(ReplacesError):
        preview(TWICE, candidate("## S", "- c", "- a"), over=4)
    with pytest.raises(ReplacesError):
        preview(TWICE, candidate("## S", "- c", "- z"), over=3)


def test_a_line_that_stands_once_is_replaced_whatever_was_chosen() -> None:
    asked = candidate("## S", "- c", "- b")
    assert preview(TWICE, asked, over=NOTHING).after == preview(TWICE, asked).after


def _scored(text: str, section: str = "## S", total: int = 9) -> Promotion:
    front = f'id: {text}\nsection: "{section}"\nscores: {{longevity: 3, reuse: {total - 5}, impact: 1, uniqueness: 1}}'
    return parse_promotion(f"memory/promotions/{text}.md", f"---\n{front}\n---\n- {text}\n".encode())


def test_all_that_pass_are_written_one_after_the_other() -> None:
    some = [
        _scored("one", total=8),
        _scored("low", total=5),
        _scored("two", "## New", 8),
        _scored("three", "## New", 8),
    ]
    made = preview_all(TWICE, some, 10_240)
    after = TWICE
    for one in made.taken:
        after = preview(after, one, create=True).after
    assert made.preview == Preview(TWICE, after, None)
    assert [one.id for one in made.taken] == ["one", "two", "three"]
    assert [(one.id, why) for one, why in made.left_out] == [
        ("low", "it does not earn its place: 5 is below 6, even with longevity at 3")
    ]
    assert made.created == ("## New",)


def test_what_has_no_room_is_left_out_and_a_shorter_one_after_it_is_not() -> None:
    some = [_scored("a-very-long-one-that-has-no-room", total=8), _scored("x", total=8)]
    made = preview_all(TWICE, some, len(TWICE) + 5)
    assert [one.id for one in made.taken] == ["x"]
    assert "over the cap" in made.left_out[0][1]
    assert len(made.preview.after) <= len(TWICE) + 5
