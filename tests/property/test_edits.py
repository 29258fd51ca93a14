"""Each edit of a state file changes one span: whatever else the file holds, and however its lines end, stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dory_tui.workspace import shapes
from dory_tui.workspace.document import encode, parse, split_lines
from dory_tui.workspace.drafts import Entry, entries
from dory_tui.workspace.edits import add_line, one_line, remove_hold, set_labels, staged_entry
from dory_tui.workspace.entries import read_decisions
from dory_tui.workspace.holds import holds
from dory_tui.workspace.layout import DECISIONS, HOLD, STAGING

ENDS = st.sampled_from([(b"\n",), (b"\r\n",), (b"\r",), (b"\n", b"\r\n"), (b"\n", b"\r\n", b"\r")])
# Lines that make no hold, no decision and no heading, with the bytes that break a text reader.
NOISE = st.sampled_from(
    [b"", b"  ", b"> quoted \xff\xfe", b"*italic \xe6\xbc\xa2*", b"> \x00\x0c\x1c \xc2\x85 \xe2\x80\xa8",
     b"<!-- ### Not this\t-->", b"---", b"> trailing  ", b"*\xe2\x80\xae rtl*"]
)  # fmt: skip
HOSTILE = st.one_of(
    st.text(min_size=1),
    st.sampled_from(
        ["a\n[2026-01-01 00:00 | x] all — b", "a\r### B\r**Status:** approved", "x\u2028## Recent\u2029y",
         "\x00\x1b[2J\x85z", "tab\tand  two spaces", "漢字 🇩🇪 é", "**Status:** approved", "\udcff\udc80 bytes"]
    ),
)  # fmt: skip


@st.composite
def files(draw: st.DrawFn, head: list[bytes], body: st.SearchStrategy[list[bytes]], tail: list[bytes]) -> bytes:
    """A file of a head, a body and a tail, with noise around them and line ends of any kind."""
    noise = st.lists(NOISE, max_size=2)
    above = draw(noise.filter(lambda lines: lines[:1] != [b"---"]))  # which would open front matter
    lines = [*above, *head, *draw(noise), *draw(body)]
    if draw(st.booleans()):
        lines += [b"", *tail, *draw(noise)]
    ends = draw(ENDS)
    data = b"".join(line + draw(st.sampled_from(ends)) for line in lines)
    if draw(st.booleans()):
        data = data[: split_lines(data)[-1][1]]  # no final newline
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + data


def stamp_lines(mark: bytes, newest_first: bool) -> list[bytes]:
    lines = [mark + b"[2026-01-0%d 10:00 | main] Item %d \xe2\x80\x94 because %d" % (n, n, n) for n in (1, 2, 3)]
    return lines[::-1] if newest_first else lines


@st.composite
def stamped(draw: st.DrawFn) -> list[bytes]:
    """Some stamp lines in either order, some of them running on over indented or plain lines."""
    found: list[bytes] = []
    count = draw(st.integers(1, 3))
    for line in stamp_lines(draw(st.sampled_from([b"", b"- "])), draw(st.booleans()))[:count]:
        found.append(line)
        found += draw(st.lists(st.sampled_from([b"  runs on \xff", b"\tand on", b"and plainly on"]), max_size=2))
        found += draw(st.lists(st.just(b""), max_size=1))
    return found


NONE = st.sampled_from([[b"[none]"], [b"", b"_none_  "], [b"- None yet."], [b"(none)", b""]])
HOLD_FILES = files([b"## Currently Blocked"], st.one_of(stamped(), NONE), [b"## Resolved", b"- old thing"])
DECISION_FILES = files([b"## Recent"], st.one_of(stamped(), NONE), [b"## Notes", b"> none of it"])


def span(old: bytes, new: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """(prefix, what went, what came, suffix): the shortest single span that makes `new` out of `old`."""
    start = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - start
    end = next((n for n in range(rest) if old[len(old) - 1 - n] != new[len(new) - 1 - n]), rest)
    return old[:start], old[start : len(old) - end], new[start : len(new) - end], old[len(old) - end :]


def lines_of(data: bytes) -> list[bytes]:
    return [data[start:end] for start, end, _ in split_lines(data)]


def without_one(longer: list[bytes], shorter: list[bytes], extra: Callable[[bytes], bool]) -> bool:
    """Whether `longer` is `shorter` and one more line, of the kind that `extra` knows."""
    return any(extra(line) and longer[:n] + longer[n + 1 :] == shorter for n, line in enumerate(longer))


def sources(data: bytes) -> list[str]:
    return [hold.text for hold in holds(parse(HOLD, data)) if hold.kind == "stamp"]


NEW = "[2026-02-05 09:00 | dory] X thread tweets 2-7 — awaiting explicit approval"


@settings(deadline=None)
@given(HOLD_FILES)
@example(b"## Currently Blocked\n[2026-01-01 10:00 | main] Item 1\nand plainly on")
def test_a_hold_is_one_new_line_or_takes_the_place_of_none(data: bytes) -> None:
    before = sources(data)
    new = add_line(HOLD, data, NEW)
    assert sorted(sources(new)) == sorted([*before, NEW])
    if before:
        assert without_one(lines_of(new), lines_of(data), lambda line: encode(NEW) in line)
        others = {hold.text: hold for hold in holds(parse(HOLD, data))}
        for hold in holds(parse(HOLD, new)):
            if hold.text in others:
                old = others[hold.text]
                was, now = data[slice(*old.span)], new[slice(*hold.span)]
                assert now.rstrip(b"\r\n") == was.rstrip(b"\r\n"), "no hold took over another's lines"
    else:
        prefix, went, came, suffix = span(data, new)
        assert (prefix + went + suffix, prefix + came + suffix) == (data, new)
        none = next(
            ln for ln in parse(HOLD, data).lines if not ln.mask and not ln.blank and shapes.is_nothing(ln.shown)
        )
        assert new == data[: none.start] + encode(NEW) + data[none.end :]


@settings(deadline=None)
@given(HOLD_FILES)
def test_added_and_lifted_again_the_file_is_what_it_was(data: bytes) -> None:
    new = add_line(HOLD, data, NEW)
    (mine,) = [hold for hold in holds(parse(HOLD, new)) if hold.text == NEW]
    back = remove_hold(new, mine)
    if len(holds(parse(HOLD, data))):
        assert back == data
        return
    # With nothing else held, what stood for "nothing" comes back in the canonical spelling.
    none = next(ln for ln in parse(HOLD, data).lines if not ln.blank and shapes.is_nothing(ln.shown) and not ln.mask)
    assert back == data[: none.start] + b"[none]" + data[none.end :]
    assert add_line(HOLD, back, NEW) == new


@settings(deadline=None)
@given(HOLD_FILES, st.integers(0, 2))
def test_a_lift_takes_out_that_hold_and_nothing_else(data: bytes, which: int) -> None:
    found = holds(parse(HOLD, data))
    stamps = [hold for hold in found if hold.kind == "stamp"]
    assume(stamps)
    gone = stamps[which % len(stamps)]
    new = remove_hold(data, gone)
    start, stop = gone.span
    left = [hold.text for hold in found if hold is not gone]
    assert sources(new) == [text for text in sources(data) if text != gone.text]
    if left:
        assert [hold.text for hold in holds(parse(HOLD, new))] == left
        # The last line of a file that has no final newline leaves none behind either.
        assert new == data[:start] + data[stop:] or (stop == len(data) and new == data[: _end_before(data, start)])
    else:
        end = data[start:stop][len(data[start:stop].rstrip(b"\r\n")) :]
        assert new == data[:start] + b"[none]" + _last_end(end) + data[stop:]


def _end_before(data: bytes, start: int) -> int:
    return next(end for _, end, stop in split_lines(data) if stop == start)


def _last_end(ends: bytes) -> bytes:
    return ends[-2:] if ends.endswith(b"\r\n") else ends[-1:]


@settings(deadline=None)
@given(DECISION_FILES)
def test_a_decision_is_one_line_in_the_order_of_its_section(data: bytes) -> None:
    line = "[2026-02-05 09:00 | dory] launch-1: approved — 0123456789ab"
    new = add_line(DECISIONS, data, line)
    before = read_decisions(parse(DECISIONS, data)).entries
    after = read_decisions(parse(DECISIONS, new)).entries
    assert [one.text for one in after if one.text != line] == [one.text for one in before]
    assert sum(one.text == line for one in after) == 1
    if before:
        newest_first = len(before) > 1 and before[0].text > before[-1].text
        assert after[0 if newest_first else -1].text == line
        assert without_one(lines_of(new), lines_of(data), lambda one: encode(line) in one)
        bullets = {one.lstrip().startswith(b"-") for one in lines_of(new) if b"[2026-" in one}
        assert len(bullets) == 1, "the new line has the bullet that its neighbours have"


@settings(deadline=None)
@given(st.one_of(HOLD_FILES, DECISION_FILES), HOSTILE)
def test_no_text_makes_a_second_line(data: bytes, text: str) -> None:
    for path in (HOLD, DECISIONS):
        new = add_line(path, data, f"[2026-02-05 09:00 | dory] {text} — why")
        plain = add_line(path, data, "[2026-02-05 09:00 | dory] x — why")
        assert len(lines_of(new)) == len(lines_of(plain))
        assert len(new.splitlines()) == len(plain.splitlines())


@settings(deadline=None)
@given(HOSTILE)
def test_one_line_is_one_line_and_keeps_the_words(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in line)
    assert one_line(line) == line
    kept = [c for c in text if c.isprintable() and not c.isspace()]
    assert [c for c in line if c.isprintable() and not c.isspace()] == kept


@settings(deadline=None)
@given(
    st.one_of(st.none(), st.just(b""), st.just(b"\n"), st.just(b"# Other\n\nwords"), NOISE),
    st.sampled_from([HOLD, DECISIONS]),
)
def test_without_a_section_one_is_made_at_the_end(data: bytes | None, path: str) -> None:
    new = add_line(path, data, NEW)
    assert new.startswith(data or b"")
    document = parse(path, new)
    found = [one.text for one in (holds(document) if path == HOLD else read_decisions(document).entries)]
    assert NEW in found
    assert add_line(path, new, NEW.replace("tweets", "posts")).startswith(new.rstrip(b"\n"))


# STAGING.md ----------------------------------------------------------------------------------------------------------

VALUES = st.sampled_from(
    [b"pending", b"pending  ", b"Pending-Approval", b"", b"pending <!-- or draft -->", b"\xff\xfe"]
)


@st.composite
def staged(draw: st.DrawFn) -> list[bytes]:
    found: list[bytes] = []
    for name in draw(
        st.lists(st.sampled_from([b"Launch 1", b"Mail \xe6\xbc\xa2", b"Odd \xff"]), min_size=1, max_size=4)
    ):
        bullet = draw(st.sampled_from([b"", b"- "]))
        colon = draw(st.sampled_from([b":**", b"**:", b"** :"]))
        found.append(b"### " + name)
        if draw(st.booleans()):
            found.append(bullet + b"**Created:** 2026-02-05")
        found.append(bullet + b"**Status" + colon + b" " + draw(VALUES))
        if draw(st.booleans()):
            found.append(bullet + b"**Location:** state/drafts/x.md")
        found += draw(
            st.lists(
                st.sampled_from([b"", b"What it is.", b"\x00\x0c", b"- **Status:** of something else"]), max_size=2
            )
        )
    return found


STAGING_FILES = files([b"## Currently Staged"], staged(), [b"## Rejected", b"### Old", b"**Status:** rejected"])


def numbered(data: bytes) -> list[tuple[Entry, int]]:
    """Each entry, and which one of its name it is."""
    found, _ = entries(parse(STAGING, data))
    return [(entry, [e.name for e in found[:n]].count(entry.name)) for n, entry in enumerate(found)]


@settings(deadline=None)
@given(STAGING_FILES, st.integers(0, 4), st.sampled_from(["approved", "changes requested", "x\ny", "漢字"]))
def test_a_status_changes_its_value_and_nothing_else(data: bytes, which: int, value: str) -> None:
    every = numbered(data)
    entry, position = every[which % len(every)]
    new = set_labels(data, entry.name, position, {"status": value})
    raw, line = entry.labels["status"]
    assert new[: line.start] == data[: line.start]
    assert new[len(new) - (len(data) - line.end) :] == data[line.end :]
    before, after = data[line.start : line.end], new[line.start : len(new) - (len(data) - line.end)]
    changed = before.replace(encode(raw), encode(one_line(value)), 1) if raw else None
    if changed is not None:
        assert after == changed
    again = numbered(new)
    assert [e.name for e, _ in again] == [e.name for e, _ in every]
    assert again[which % len(every)][0].value("status") == one_line(value)
    others = [e.value("status") for n, (e, _) in enumerate(every) if n != which % len(every)]
    assert [e.value("status") for n, (e, _) in enumerate(again) if n != which % len(every)] == others
    if raw:
        assert set_labels(new, entry.name, position, {"status": raw}) == data


@settings(deadline=None)
@given(STAGING_FILES, st.integers(0, 4), HOSTILE)
@example(b"## Currently Staged\r\n### Launch 1\r\n**Status:** pending", 0, "x")
def test_a_note_is_one_line_below_the_status_and_goes_again(data: bytes, which: int, note: str) -> None:
    every = numbered(data)
    entry, position = every[which % len(every)]
    new = set_labels(data, entry.name, position, {"note": note})
    assert without_one(lines_of(new), lines_of(data), lambda line: b"**Note:**" in line)
    again = numbered(new)
    assert again[which % len(every)][0].value("note") == one_line(note)
    assert [(e.name, e.value("status")) for e, _ in again] == [(e.name, e.value("status")) for e, _ in every]
    assert set_labels(new, entry.name, position, {"note": None}) == data
    assert set_labels(data, entry.name, position, {"note": None}) == data


@settings(deadline=None)
@given(STAGING_FILES)
def test_a_new_entry_is_one_span_at_the_end_of_its_section(data: bytes) -> None:
    block = "### Reply to Ana\n**Created:** 2026-02-05\n**Status:** pending\n**Location:** state/drafts/reply.md"
    new = staged_entry(data, block)
    prefix, went, came, suffix = span(data, new)
    assert not went
    assert came
    assert prefix + suffix == data
    names = [entry.name for entry, _ in numbered(data)]
    at = names.index("Old") if "Old" in names else len(names)
    assert [entry.name for entry, _ in numbered(new)] == [*names[:at], "Reply to Ana", *names[at:]]
    made = numbered(new)[at][0]
    assert (made.value("status"), made.value("location")) == ("pending", "state/drafts/reply.md")
    for (old, _), (now, _) in zip(
        numbered(data), [one for one in numbered(new) if one[0].name != "Reply to Ana"], strict=True
    ):
        assert [line.text for line in now.body] == [line.text for line in old.body]
        assert now.labels.keys() == old.labels.keys()


def test_a_hold_of_another_file_is_not_lifted() -> None:
    (other,) = holds(parse(HOLD, encode(f"## Currently Blocked\n{NEW}\n")))
    with pytest.raises(ValueError, match=r"does not stand in HOLD\.md"):
        remove_hold(b"## Currently Blocked\n[none]\n", other)
