"""Every corpus file, and files with odd bytes: an edit changes its own span and nothing else."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.workspace.document import Document, parse
from dory_tui.workspace.edits import add_line, remove_hold
from dory_tui.workspace.holds import holds
from dory_tui.workspace.layout import DECISIONS, HOLD, STAGING
from dory_tui.workspace.recognise import recognise
from dory_tui.workspace.shaped_bytes import shaped_bytes
from dory_tui.workspace.shaped_edits import set_status

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = sorted(file.relative_to(CORPUS).as_posix() for file in CORPUS.glob("*/*.md"))
SMALL = [name for name in FILES if (CORPUS / name).stat().st_size < 60_000]
LINE = "[2026-02-05 10:00 | dory] The shop — Ana is away"
DAY = date(2026, 2, 6)
SHOWN = 8
"""Entries of a file that are tried, those at both ends: each costs a reading of the file."""


def document(name: str) -> Document:
    return parse(name, (CORPUS / name).read_bytes())


def only_inside(before: bytes, after: bytes, start: int, stop: int) -> bool:
    """Whether two versions are the same up to `start` and from `stop` on."""
    tail = len(before) - stop
    return after[:start] == before[:start] and (after[len(after) - tail :] if tail else b"") == before[stop:]


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_its_lines_again(name: str) -> None:
    found = document(name)
    assert b"".join(found.data[line.start : line.stop] for line in found.lines) == (CORPUS / name).read_bytes()


@pytest.mark.parametrize("name", [name for name in SMALL if not name.startswith(("memory/", "daily/", "misc/"))])
def test_closing_any_hold_changes_its_span_alone(name: str) -> None:
    data = (CORPUS / name).read_bytes()
    found = [hold for hold in holds(parse(HOLD, data)) if hold.kind in ("stamp", "entry") and not hold.marks]
    hashes = [hold.hash for hold in found]
    for hold in [*found[: SHOWN // 2], *found[-SHOWN // 2 :]]:
        if hashes.count(hold.hash) > 1:
            continue
        made = remove_hold(data, hold, DAY)
        start, stop = hold.span
        assert only_inside(data, made, max(start - 2, 0), stop)
        assert hold.hash not in {one.hash for one in holds(parse(HOLD, made)) if one.kind != "text"}


@pytest.mark.parametrize("path", [HOLD, DECISIONS])
@pytest.mark.parametrize("name", SMALL[::2])
def test_adding_a_line_adds_bytes_in_one_place_alone(name: str, path: str) -> None:
    data = (CORPUS / name).read_bytes()
    made = add_line(path, data, LINE)
    start = next((n for n, (a, b) in enumerate(zip(data, made, strict=False)) if a != b), min(len(data), len(made)))
    added = len(made) - len(data)
    if added > 0 and made[start + added :] == data[start:]:
        return
    # `[none]` and its like are replaced: what is left of them is at most one line.
    gone = len(data) - len(made) + added
    assert gone == 0
    rest = data[start:]
    cut = next(n for n in range(len(rest) + 1) if made.endswith(rest[n:]))
    assert cut <= 200


@pytest.mark.parametrize("name", [name for name in SMALL if name.startswith(("staging/", "dory/"))])
def test_a_status_changes_its_value_alone(name: str) -> None:
    data = (CORPUS / name).read_bytes()
    found = document(name)
    for entry in recognise(found, "staging").entries[:SHOWN]:
        wanted = shaped_bytes(found, entry)
        made = set_status(data, wanted, "approved")
        if made == data:
            continue
        again = parse(STAGING, made)
        assert wanted in [shaped_bytes(again, one) for one in recognise(again, "staging").entries]


ENDS = st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n", b" \n"])
PIECES = st.sampled_from(
    [
        b"# Blocked", b"## T1 \xe2\x80\x94 mail", b"**Status:** open", b"- [ ] the shop", b"- post  ",
        b"| a | status |", b"|---|---|", b"| mail | open |", b"```", b"<!--", b"-->", b"\xff\xfe\x00", b"a\x0cb",
        b"[none]", b"---", b"1. x", b"  - nested", b"text \x1d here", b"\xef\xbb\xbf",
        b"[2026-01-05 10:00 | a] X", b"", b"> quote",
    ]
)  # fmt: skip


@st.composite
def odd_files(draw: st.DrawFn) -> bytes:
    parts = draw(st.lists(st.tuples(PIECES, ENDS), max_size=14))
    data = b"".join(piece + end for piece, end in parts)
    return data + draw(st.sampled_from([b"", b"no end"]))


@given(odd_files())
def test_closing_a_hold_of_an_odd_file_changes_its_span_alone(data: bytes) -> None:
    found = [hold for hold in holds(parse(HOLD, data)) if hold.kind in ("stamp", "entry") and not hold.marks]
    hashes = [hold.hash for hold in found]
    for hold in found:
        if hashes.count(hold.hash) == 1:
            made = remove_hold(data, hold, DAY)
            start, stop = hold.span
            assert only_inside(data, made, max(start - 2, 0), stop)


@given(odd_files())
def test_a_hold_added_to_an_odd_file_holds(data: bytes) -> None:
    if parse(HOLD, data).conflicted is not None:
        return
    before = {hold.hash for hold in holds(parse(HOLD, data))}
    made = holds(parse(HOLD, add_line(HOLD, data, LINE)))
    assert any(hold.hash not in before for hold in made) or any(hold.subject == "The shop" for hold in made)
