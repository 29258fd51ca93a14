"""For any bytes: lines rejoin to them, masks never raise, and no hold that stands in the open goes missing."""

from hypothesis import example, given
from hypothesis import strategies as st

from dory_tui.workspace.document import decode, encode, parse, split_lines
from dory_tui.workspace.drafts import entries, inline_bytes
from dory_tui.workspace.entries import read_decisions, read_task
from dory_tui.workspace.holds import hold_hash, holds

HOLD = "[2026-02-05 10:00 | main] X thread tweets 2-7 — awaiting explicit approval"
# What masks, shapes and line ends turn on, so that it meets often.
TELLING = (
    b"\n", b"\n", b"\r\n", b"\r", b"\x0c", b"\x00", b"\xff", b"\xef\xbb\xbf", "\u2028".encode(), "漢".encode(),
    b"```", b"````", b"~~~", b"``` x", b"<!--", b"-->", b"<!-->", b"---", b"===", b"- ", b"> ", b"1. ", b"~~", b"    ",
    b"# ", b"## ", b"### ", b"## Format", b"## Resolved", b"## Currently Blocked", b"[none]", b"*a*", b"| a |", b"a",
    b"**Status:** x", b"**Location:** y", b"**User said:** \"", b"- [ ] ", b"[2026-02-05] b", b"<<<<<<< ",
    HOLD.encode(),
)  # fmt: skip
telling = st.lists(st.sampled_from(TELLING), max_size=24).map(b"".join)
some_bytes = st.one_of(st.binary(max_size=200), telling)
# Whole lines, none of which hides what stands below it.
OPEN = (
    "", "text", "- a bullet", "> a quote", "1. one", "*italic*", "---", "===", "| a | b |", "    code",
    "<!-- closed -->",
    "# Title", "## Currently Blocked", "### Part", "**Label:** x", "~~struck~~", "[none]", "a\x0cb", "\ufeff", "漢字",
    "[YYYY-MM-DD HH:MM | session] Item — reason", "~~~", "```", "<!--", "-->", "`code`", "2026-02-01 — other",
)  # fmt: skip
open_lines = st.lists(st.sampled_from(OPEN), max_size=12)
marks = st.sampled_from(["", "- ", "* ", "2. ", "> ", "> - ", "  ", "- [ ] ", "\t"])
line_ends = st.sampled_from(["\n", "\r\n", "\r"])


@given(some_bytes)
def test_lines_rejoin_to_the_exact_bytes(data: bytes) -> None:
    spans = split_lines(data)
    assert b"".join(data[start:stop] for start, _, stop in spans) == data
    for start, end, stop in spans:
        assert data[end:stop] in (b"\n", b"\r\n", b"\r", b"")
        assert not {10, 13} & set(data[start:end])
        assert start < stop
    assert all(data[end:stop] for _, end, stop in spans[:-1])


@given(some_bytes)
def test_decoding_keeps_every_byte(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(some_bytes)
def test_parsing_never_raises_and_hides_only_what_it_masks(data: bytes) -> None:
    document = parse("x.md", data)
    assert b"".join(data[line.start : line.stop] for line in document.lines) == data
    for number, line in enumerate(document.lines, 1):
        assert line.number == number
        assert line.mask in ("", "front", "fence", "comment")
        if line.mask:
            assert line.shown == ""
        else:
            assert line.shown == line.text or "-->" in line.text or "<!--" in line.text
            assert set(line.shown) <= set(line.text) | {" "}
    assert all(1 <= problem.line <= len(document.lines) for problem in document.problems)


@given(telling)
@example(b"### A\n**Status:** x\n#### B\n~~~\n### C\n")
def test_every_reader_takes_anything(data: bytes) -> None:
    document = parse("x.md", data)
    for hold in holds(document):
        start, stop = hold.span
        assert 0 <= start <= stop <= len(data)
        assert hold.kind in ("file", "entry") or hold.hash == hold_hash(hold.text)
        if hold.kind == "stamp":
            assert encode(hold.text) in data[start:stop] or b"<!--" in data[start:stop]
    for decision in read_decisions(document).entries:
        assert 1 <= decision.line <= len(document.lines)
    for task in read_task(document).entries:
        assert 1 <= task.line <= len(document.lines)
    for entry in entries(document)[0]:
        assert entry.heading.stop <= entry.label_stop <= entry.stop <= len(data)
        assert inline_bytes(document, entry).startswith(data[entry.heading.start : entry.heading.end] + b"\n")


def masked(line: int, data: bytes) -> bool:
    return bool(parse("x.md", data).lines[line].mask)


@given(above=open_lines, below=open_lines, mark=marks, end=line_ends)
def test_a_hold_in_the_open_is_found_with_its_hash(above: list[str], below: list[str], mark: str, end: str) -> None:
    """Wherever it stands, unless a closed fence or comment encloses it or a conflict makes the file hold anyway."""
    data = end.join([*above, mark + HOLD, *below]).encode()
    found = [hold.hash for hold in holds(parse("state/HOLD.md", data))]
    if not masked(len(above), data):
        assert hold_hash(HOLD) in found


@given(lines=open_lines, words=st.text("abc -—[]*", min_size=1, max_size=12).filter(lambda text: "a" in text))
def test_adding_a_line_in_the_live_section_takes_no_hold_away(lines: list[str], words: str) -> None:
    before = "\n".join(["## Currently Blocked", HOLD, *lines])
    count = len(holds(parse("state/HOLD.md", before.encode())))
    after = f"## Currently Blocked\n[2026-02-06 09:00 | main] {words}\n" + before.partition("\n")[2]
    assert len(holds(parse("state/HOLD.md", after.encode()))) >= count


@given(
    status=st.sampled_from(["draft", "pending", "approved", "rejected", "changes requested"]),
    note=st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20)),
    other=st.sampled_from(["", "### Other\n**Status:** pending\n\nOther text.\n\n", "### Other\n\n#### Part\nx\n\n"]),
    body=st.lists(
        st.sampled_from(["one", "- two", "#### three", "> four", "```\n### x\n```", ""]), min_size=1, max_size=6
    ),
)
def test_what_staging_shows_never_changes_what_a_yes_is_for(
    status: str, note: str | None, other: str, body: list[str]
) -> None:
    def bytes_of(labels: str, around: str) -> bytes:
        text = f"# S\n\n## Currently Staged\n\n{around}### Mail\n{labels}\nfirst\n" + "\n".join(body) + f"\n\n{around}"
        document = parse("state/STAGING.md", text.encode("utf-8", "surrogateescape"))
        return next(inline_bytes(document, entry) for entry in entries(document)[0] if entry.name == "Mail")

    labels = f"**Status:** {status}\n" + ("" if note is None else f"**Note:** {note}\n")
    assert bytes_of(labels, other) == bytes_of("**Status:** pending\n", "")
