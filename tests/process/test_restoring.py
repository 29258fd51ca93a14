"""What a log lost since it was last committed, and how it gets it back: real files, real git."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.gate.rules import Exit
from dory_tui.review.change import DecisionError, StaleError
from dory_tui.review.restoring import Lost, lost, merge, restore
from dory_tui.workspace.logs import Log
from tests.conftest import Workspace

pytestmark = pytest.mark.long

PATH = "memory/2026-02-04.md"
LOG = b"""# 2026-02-04

## Tasks
- 09:12 mapped scenes 12 to 19
- 09:40 wrote the launch thread
  seven posts, six of them wait

## Promises
- [ ] 10:20 send Ana the poster
"""


@pytest.fixture
def logged(make_workspace: Callable[..., Workspace]) -> Workspace:
    """A repository in which one log is committed."""
    made = make_workspace(git=True)
    made.write(PATH, LOG)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "Log")
    return made


def look(workspace: Workspace) -> Lost | None:
    return lost(workspace.gate(), Log(date(2026, 2, 4), PATH, 0, False))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- what is lost


@pytest.mark.parametrize(
    "now",
    [
        LOG,
        LOG + b"- [ ] 11:00 call Bob\n",
        LOG.replace(b"[ ]", b"[x]"),
        LOG.replace(b"\n", b"\r\n"),
        LOG[:-1],
        LOG.replace(b"wrote the launch thread", b"wrote the launch thread, all seven posts"),
        b"# 2026-02-04\n\n## Promises\n- [ ] 10:20 send Ana the poster\n\n" + LOG[14:].partition(b"\n## Promises")[0],
        b"added above\n\n" + LOG,
    ],
    ids=["same", "grown", "ticked", "line ends", "no last line end", "edited", "moved", "added above"],
)
def test_nothing_is_lost_by_writing_on_ticking_editing_and_moving(now: bytes) -> None:
    assert merge(LOG, now) == ((), now)


def test_a_tail_cut_off_is_lost_and_comes_back_to_the_byte() -> None:
    lines, restored = merge(LOG, LOG[: LOG.index(b"- 09:40")])
    assert [number for number, _ in lines] == [5, 6, 8, 9]
    assert lines[0] == (5, "- 09:40 wrote the launch thread")
    assert restored == LOG


def test_an_empty_file_lost_everything() -> None:
    lines, restored = merge(LOG, b"")
    assert len(lines) == 7
    assert restored == LOG


def test_what_was_written_after_the_loss_stays_under_its_heading() -> None:
    now = b"# 2026-02-04\n\n## Tasks\n- 12:00 since"
    _, restored = merge(LOG, now)
    assert restored == LOG.replace(b"\n\n## Promises", b"\n- 12:00 since\n\n## Promises")


def test_a_file_written_anew_comes_after_its_title_and_entries() -> None:
    _, restored = merge(b"# day\n- a thing\n\n## Tasks\n- b thing\n", b"- something else entirely\n")
    assert restored == b"# day\n- a thing\n- something else entirely\n\n## Tasks\n- b thing\n"


def test_lines_out_of_the_middle_go_back_to_the_middle() -> None:
    now = LOG.replace(b"- 09:12 mapped scenes 12 to 19\n", b"").replace(b"[ ]", b"[x]")
    lines, restored = merge(LOG, now)
    assert lines == ((4, "- 09:12 mapped scenes 12 to 19"),)
    assert restored == LOG.replace(b"[ ]", b"[x]")


def test_one_of_two_equal_lines_is_missed() -> None:
    lines, restored = merge(b"- walked\n- ate\n- walked\n", b"- walked\n- ate\n")
    assert lines == ((3, "- walked"),)
    assert restored == b"- walked\n- ate\n- walked\n"


def test_bytes_that_are_no_text_come_back_as_they_were() -> None:
    _, restored = merge(b"- one\n- \xff\xfe\x00 two\n- three\n", b"- one\n- three\n")
    assert restored == b"- one\n- \xff\xfe\x00 two\n- three\n"


LINE = st.sampled_from([b"- one", b"- two words", b"## Part", b"", b"  more", b"- [ ] owed", b"text \xff", b"[none]"])
TEXT = st.tuples(st.lists(LINE, max_size=9), st.sampled_from([b"\n", b"\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else b"")
)


def said(data: bytes) -> Counter[bytes]:
    return Counter(line.rstrip() for line in data.splitlines() if line.strip())


@given(TEXT, TEXT)
def test_nothing_of_what_stands_there_now_is_ever_lost_or_moved(before: bytes, now: bytes) -> None:
    lines, restored = merge(before, now)
    assert said(now) <= said(restored)
    assert len(said(restored) - said(now)) <= len(lines)
    kept = iter(restored.splitlines())
    assert all(line in kept for line in now.splitlines())
    if not lines:
        assert restored == now


@given(TEXT, st.integers(0, 200))
def test_whatever_end_was_cut_off_at_a_line_comes_back(before: bytes, cut: int) -> None:
    whole = before if before.endswith(b"\n") or not before else before + b"\n"
    lines = whole.splitlines(keepends=True)
    now = b"".join(lines[: cut % (len(lines) + 1)])
    found, restored = merge(whole, now)
    assert said(restored) >= said(now) + Counter(text.encode("utf-8", "surrogateescape").rstrip() for _, text in found)
    assert not merge(whole, restored)[0]


# --- with git


def test_a_log_that_nobody_committed_or_nobody_cut_has_lost_nothing(
    logged: Workspace, make_workspace: Callable[..., Workspace]
) -> None:
    assert look(logged) is None
    logged.write("memory/2026-02-05.md", "- new\n")
    assert lost(logged.gate(), Log(date(2026, 2, 5), "memory/2026-02-05.md", 0, False)) is None
    bare = make_workspace("bare")
    bare.write(PATH, "- x\n")
    assert look(bare) is None
    assert lost(bare.gate(), Log(date(2026, 2, 5), "memory/2026-02-05.md", 0, False)) is None


def test_restoring_is_one_commit_after_what_was_found(logged: Workspace) -> None:
    now = b"# 2026-02-04\n\n## Tasks\n- 12:00 since\n"
    logged.write(PATH, now)
    logged.write("MEMORY.md", "somebody else's\n")
    found = look(logged)
    assert found is not None
    assert found.digest == digest(now)
    done = restore(logged.gate(), PATH, found.digest)
    assert done.sentence == f"5 lines of {PATH} stand in it again"
    assert (logged.root / PATH).read_bytes() == found.restored
    subjects = logged.git("log", "--format=%s").splitlines()
    assert subjects[:3] == [f"Restore 5 lines of {PATH}", "As found before the review", "Log"]
    assert logged.git("show", f"HEAD~1:{PATH}").encode() == now
    assert logged.git("show", "--format=", "--name-only", "HEAD").split() == [PATH]
    assert "Dory-Decision: restored" in logged.git("log", "-1", "--format=%B")
    assert look(logged) is None


def test_a_log_that_changed_since_it_was_shown_is_not_touched(logged: Workspace) -> None:
    logged.write(PATH, LOG[:30])
    found = look(logged)
    assert found is not None
    logged.write(PATH, LOG[:60])
    head = logged.git("rev-parse", "HEAD")
    with pytest.raises(StaleError, match="changed since you read it"):
        restore(logged.gate(), PATH, found.digest)
    (logged.root / PATH).unlink()
    with pytest.raises(StaleError):
        restore(logged.gate(), PATH, found.digest)
    assert logged.git("rev-parse", "HEAD") == head
    assert not (logged.root / PATH).exists()


def test_there_may_be_nothing_to_restore_any_more(logged: Workspace) -> None:
    with pytest.raises(DecisionError, match="has lost nothing") as caught:
        restore(logged.gate(), PATH, digest(LOG))
    assert caught.value.code == Exit.REFUSED
    assert (logged.root / PATH).read_bytes() == LOG
