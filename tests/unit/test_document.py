"""Bytes in, the same bytes out; masks hide examples and nothing else; a write happens whole or not at all."""

import fcntl
import os
import resource
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dory_tui.workspace.document import (
    ChangedError,
    Document,
    Problem,
    WorkspaceError,
    decode,
    encode,
    locked,
    parse,
    read,
    read_bytes,
    replace,
    split_lines,
)
from dory_tui.workspace.drafts import entries
from dory_tui.workspace.entries import read_decisions, read_task
from dory_tui.workspace.holds import holds
from dory_tui.workspace.promotions import parse_promotion

CORPUS = Path(__file__).parents[1] / "corpus"
FILES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/*.md"))
SIZE = 200_000
NOBODY = 65_534


def parsed(text: str) -> Document:
    return parse("state/HOLD.md", text.encode("utf-8", "surrogateescape"))


def masks(text: str) -> list[str]:
    return [line.mask for line in parsed(text).lines]


def shown(text: str) -> list[str]:
    return [line.shown for line in parsed(text).lines]


def problems(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.sentence) for problem in parsed(text).problems]


UNCLOSED_FENCE = "a code fence opens here and is never closed"
UNCLOSED_COMMENT = "a comment opens here and is never closed"


# --- lines


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"\r\n", [b""]),
        (b"\n\r", [b"", b""]),
        (b"a", [b"a"]),
        (b"a\nb\r\nc\rd", [b"a", b"b", b"c", b"d"]),
        (b"a\r\r\nb\n\n", [b"a", b"", b"b", b""]),
        (b"a\x0bb\x0cc\x1cd\x1de\x1ef\n", [b"a\x0bb\x0cc\x1cd\x1de\x1ef"]),
        ("a\x85b\u2028c\u2029d\n".encode(), ["a\x85b\u2028c\u2029d".encode()]),
        (b"a\x00b\n\xff\xfe", [b"a\x00b", b"\xff\xfe"]),
    ],
)
def test_lines_end_at_newline_crlf_and_lone_cr_only(data: bytes, texts: list[bytes]) -> None:
    spans = split_lines(data)
    assert [data[start:end] for start, end, _ in spans] == texts
    assert b"".join(data[start:stop] for start, _, stop in spans) == data


def test_every_byte_survives_decoding() -> None:
    data = bytes(range(256)) + "é漢🙂".encode()
    assert encode(decode(data)) == data


def test_a_line_knows_its_number_and_bytes() -> None:
    document = parse("x.md", "ä\r\n\r\nb".encode())
    first, blank, last = document.lines
    assert (first.number, first.text, document.data[first.start : first.end]) == (1, "ä", "ä".encode())
    assert document.data[first.start : first.stop] == "ä\r\n".encode()
    assert blank.blank
    assert (last.number, last.start, last.end, last.stop) == (3, 6, 7, 7)


def test_a_bom_is_no_part_of_the_first_line() -> None:
    document = parse("x.md", b"\xef\xbb\xbf# Title\n")
    assert document.lines[0].heading == (1, "Title")
    assert document.data[: document.lines[0].stop] == b"\xef\xbb\xbf# Title\n"


@pytest.mark.parametrize(
    ("data", "end"),
    [(b"", b"\n"), (b"a", b"\n"), (b"a\r\nb\n", b"\r\n"), (b"a\rb\n", b"\r"), (b"\nb\r\n", b"\n")],
)
def test_added_lines_take_the_first_line_end(data: bytes, end: bytes) -> None:
    assert parse("x.md", data).line_end == end


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Title", (1, "Title")),
        ("   ###### Deep", (6, "Deep")),
        ("##\tTab", (2, "Tab")),
        ("## Closed ##", (2, "Closed")),
        ("## Closed ##  ", (2, "Closed")),
        ("## C#", (2, "C#")),
        ("## a # b", (2, "a # b")),
        ("#", (1, "")),
        ("## ##", (2, "")),
        ("#hashtag", None),
        ("####### seven", None),
        ("    # code", None),
        ("a # b", None),
        ("\\# no", None),
    ],
)
def test_headings(line: str, heading: tuple[int, str] | None) -> None:
    assert parsed(line).lines[0].heading == heading


# --- masks


def test_a_closed_fence_is_masked() -> None:
    assert masks("a\n```sh\n# b\n```\nc\n") == ["", "fence", "fence", "fence", ""]
    assert shown("a\n```\nb\n```\n") == ["a", "", "", ""]


@pytest.mark.parametrize(
    ("opener", "closer"),
    [
        ("```", "```"),
        ("```", "`````"),
        ("~~~", "~~~"),
        ("~~~ `x`", "~~~"),
        ("   ````md", "   ````  "),
        ("- ```", "  ```"),
        ("1. ~~~", "~~~~"),
    ],
)
def test_fences_that_close(opener: str, closer: str) -> None:
    text = f"{opener}\nb\n{closer}\nc"
    assert masks(text) == ["fence", "fence", "fence", ""]
    assert problems(text) == []


@pytest.mark.parametrize(
    ("opener", "not_a_closer"),
    [("````", "```"), ("```", "~~~"), ("~~~", "```"), ("```", "``` x"), ("```", "- ```x")],
)
def test_an_unclosed_fence_masks_nothing_and_is_reported(opener: str, not_a_closer: str) -> None:
    text = f"a\n{opener}\nb\n{not_a_closer}\nc"
    assert masks(text) == [""] * 5
    assert (2, UNCLOSED_FENCE) in problems(text)
    assert str(parsed(text).problems[0]) == f"state/HOLD.md line 2: {UNCLOSED_FENCE}"


def test_backticks_after_backticks_are_no_fence() -> None:
    assert masks("``` a `b`\nc\n```\nd\n```") == ["", "", "fence", "fence", "fence"]


def test_a_shorter_fence_after_a_longer_unclosed_one_still_masks() -> None:
    text = "`````\n```\na\n```\nb"
    assert masks(text) == ["", "fence", "fence", "fence", ""]
    assert problems(text) == [(1, UNCLOSED_FENCE)]


def test_comments_are_blanked_and_what_stands_beside_them_stays() -> None:
    assert shown("a <!-- b --> c") == ["a " + " " * 10 + " c"]
    assert masks("a <!-- b --> c\n<!-- d -->\n") == ["", "comment"]
    text = "a <!-- b\nc\nd --> e <!-- f\n--> g"
    assert [part.strip() for part in shown(text)] == ["a", "", "e", "g"]
    assert masks(text) == ["", "comment", "", ""]


def test_a_line_of_which_comments_leave_nothing_is_masked() -> None:
    text = "<!-- a\nb --> <!-- c\nd -->\ne"
    assert masks(text) == ["comment", "comment", "comment", ""]
    assert shown(text) == ["", "", "", "e"]


def test_columns_after_a_comment_stay_where_they_were() -> None:
    (line,) = parsed("ab<!--x-->cd").lines
    assert line.shown.index("cd") == line.text.index("cd")


@pytest.mark.parametrize("whole", ["<!-->", "<!--->", "<!---->"])
def test_the_shortest_comments_end_where_they_stand(whole: str) -> None:
    assert [part.strip() for part in shown(f"{whole}\na\n-->")] == ["", "a", "-->"]


def test_an_unclosed_comment_masks_nothing_and_is_reported_once() -> None:
    text = "a\n<!-- b <!-- c\nd"
    assert masks(text) == ["", "", ""]
    assert problems(text) == [(2, UNCLOSED_COMMENT)]


def test_a_fence_inside_a_comment_opens_nothing() -> None:
    text = "<!--\n```\n-->\na\n"
    assert masks(text) == ["comment", "comment", "comment", ""]
    assert problems(text) == []


def test_a_comment_inside_a_fence_opens_nothing() -> None:
    assert masks("```\n<!--\n```\na\n-->") == ["fence", "fence", "fence", "", ""]


@pytest.mark.parametrize("close", ["---", "...", "---  "])
def test_front_matter_is_masked(close: str) -> None:
    assert masks(f"---\nid: a\n{close}\nb") == ["front", "front", "front", ""]


@pytest.mark.parametrize("text", ["\n---\na: b\n---\n", "---\na: b\n", "--- x\na: b\n---\n", "----\na\n----\n"])
def test_what_is_no_front_matter_is_not_masked(text: str) -> None:
    assert "front" not in masks(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", 2),
        ("a\nb\n>>>>>>> theirs\n", 3),
        ("||||||| base\n", 1),
        ("<<<<<<<\n", 1),
        ("Title\n=======\n", None),
        ("<<<<<<<< eight\n", None),
        (" <<<<<<< HEAD\n", None),
    ],
)
def test_conflict_markers_are_found(text: str, line: int | None) -> None:
    assert parsed(text).conflicted == line


# --- files as people write them


def read_every_way(data: bytes) -> None:
    document = parse("x.md", data)
    holds(document)
    read_decisions(document)
    read_task(document)
    entries(document)
    parse_promotion("memory/promotions/x.md", data)


@pytest.mark.parametrize("name", FILES)
def test_corpus_files_rejoin_and_crash_nothing(name: str) -> None:
    data = (CORPUS / name).read_bytes()
    started = time.process_time()
    document = parse(name, data)
    assert time.process_time() - started < 2
    assert b"".join(data[line.start : line.stop] for line in document.lines) == data
    started = time.process_time()
    read_every_way(data)
    assert time.process_time() - started < 2


def test_the_corpus_still_has_its_odd_bytes() -> None:
    data = {name: (CORPUS / name).read_bytes() for name in FILES}
    assert len(data) >= 25
    assert b"\r\n" in data["misc/014.md"]
    assert data["misc/006.md"].startswith(b"\xef\xbb\xbf")
    assert b"\0" in data["misc/006.md"]
    assert b"\r" in data["misc/006.md"].replace(b"\r\n", b"")
    assert "\udc80" <= max(decode(data["misc/020.md"])) <= "\udcff"
    assert data["daily/025.md"] == b""
    assert not data["active/016.md"].endswith(b"\n")


@pytest.mark.parametrize("name", ["misc/006.md", "misc/010.md"])
def test_corpus_files_with_an_unclosed_fence_say_so(name: str) -> None:
    found = parse(name, (CORPUS / name).read_bytes()).problems
    assert UNCLOSED_FENCE in {problem.sentence for problem in found}


HOSTILE = {
    "growing backticks": "".join("`" * n + "\n" for n in range(3, 632)),
    "growing backticks with words": "".join("`" * n + "x\n" for n in range(3, 632)),
    "growing tildes": "".join("~" * n + "x\n" for n in range(3, 632)),
    "shrinking backticks": "".join("`" * n + "x\n" for n in range(400, 2, -1)) + "\n" * 80_000,
    "shrinking backticks, short ends": "".join("`" * n + "x\n" for n in range(300, 4, -1)) + "```\n" * 38_000,
    "one fence opener a line": "```x\n" * 40_000,
    "one comment opener a line": "<!--\n" * 40_000,
    "one line of comment openers": "<!--" * 50_000,
    "one line of comments": "<!--x-->" * 25_000,
    "comment ends": "<!--\n-->-->\n" * 16_000,
    "all three in turn": "```x\n~~~x\n<!--\n" * 13_000,
    "spaces in a heading": "# a" + " " * SIZE + "b",
    "number signs in a heading": "# a" + " #" * (SIZE // 2) + "b",
    "spaces in a label": "**a:** x" + " " * SIZE + "y",
    "spaces in an open stamp": "[2026-02-05 |" + " " * SIZE + "x",
    "open slots": "[Item" * (SIZE // 5),
    "open braces": "{" * SIZE,
    "brackets in brackets": "(" * (SIZE // 2) + ")" * (SIZE // 2),
    "quote marks": "> " * (SIZE // 2) + "x",
    "stars": "* " * (SIZE // 2) + "x",
    "words that never end": '# A\n## B\n**User said:** "' + "\n" * (SIZE // 2),
    "headings": "### a\n" * (SIZE // 6),
    "headings in an entry": "### a\n" + "#### b\n" * (SIZE // 7),
    "stamps": "[2026-02-05 10:00 | main] X — y\n" * (SIZE // 32),
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_text_is_read_in_time(kind: str) -> None:
    data = HOSTILE[kind].encode()
    assert SIZE * 0.4 < len(data) < SIZE * 1.1
    started = time.process_time()
    document = parse("state/HOLD.md", data)
    assert time.process_time() - started < 2
    for way in (holds, read_decisions, read_task, entries):
        started = time.process_time()
        way(document)
        assert time.process_time() - started < 2


# --- reading files


def test_a_missing_file_is_none_and_an_empty_one_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path, "state/HOLD.md") is None
    (tmp_path / "empty.md").touch()
    document = read(tmp_path, "empty.md")
    assert document is not None
    assert (document.path, document.data, document.lines) == ("empty.md", b"", ())


def test_a_folder_or_a_pipe_in_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(WorkspaceError, match=r"folder\.md is a folder, where a file should be: move it away"):
        read(tmp_path, "folder.md")
    with pytest.raises(WorkspaceError, match=r"pipe\.md cannot be read \(it is not a regular file\)"):
        read(tmp_path, "pipe.md")


def test_a_path_through_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    with pytest.raises(WorkspaceError, match=r"b cannot be read \(Not a directory\)"):
        read_bytes(tmp_path / "a.md" / "b", "b")


def in_a_child(job: Callable[[], object]) -> str:
    """What `job` returns or raises in a process of its own."""
    readable, writable = os.pipe()
    if (child := os.fork()) == 0:
        try:
            answer = repr(job())
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writable, answer.encode()[:4000])
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as handle:
        answer = handle.read().decode()
    os.waitpid(child, 0)
    return answer


def as_nobody(job: Callable[[], object]) -> str:
    """The same without root's rights, which pass every permission check."""

    def dropped() -> object:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return job()

    return in_a_child(dropped)


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder that another user can reach."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder.name.startswith(("pytest", "test", "popen")):
            folder.chmod(0o755)
    made = tmp_path / "workspace"
    made.mkdir()
    return made


def test_an_unreadable_file_is_an_error_and_not_empty(shared: Path) -> None:
    (shared / "HOLD.md").write_bytes(b"[2026-02-05 10:00 | main] X\n")
    (shared / "HOLD.md").chmod(0)
    answer = as_nobody(lambda: read(shared, "HOLD.md"))
    assert answer == "WorkspaceError: HOLD.md cannot be read (Permission denied)"


# --- writing


def test_a_write_replaces_what_was_seen(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one\r\n")
    replace(tmp_path, "a.md", b"one\r\n", b"two\x00\xff\r")
    assert (tmp_path / "a.md").read_bytes() == b"two\x00\xff\r"
    assert os.listdir(tmp_path) == ["a.md"]


def test_a_write_makes_a_file_with_its_folders(tmp_path: Path) -> None:
    replace(tmp_path, "memory/promotions/a.md", None, b"one")
    assert (tmp_path / "memory/promotions/a.md").read_bytes() == b"one"


@pytest.mark.parametrize(
    ("found", "expected"),
    [(b"theirs", b"mine"), (b"theirs", None), (None, b"mine"), (b"", None), (b"mine\n", b"mine")],
)
def test_a_write_refuses_when_the_bytes_changed(tmp_path: Path, found: bytes | None, expected: bytes | None) -> None:
    if found is not None:
        (tmp_path / "a.md").write_bytes(found)
    with pytest.raises(ChangedError, match=r"a\.md changed since it was read, so nothing was written") as caught:
        replace(tmp_path, "a.md", expected, b"new")
    assert caught.value.data == found
    assert read_bytes(tmp_path / "a.md", "a.md") == found
    assert os.listdir(tmp_path) == ([] if found is None else ["a.md"])


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444])
def test_a_write_keeps_the_mode(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    (tmp_path / "a.md").chmod(mode)
    replace(tmp_path, "a.md", b"one", b"two")
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == mode


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file away")
def test_a_write_keeps_the_owner(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    os.chown(tmp_path / "a.md", NOBODY, NOBODY)
    replace(tmp_path, "a.md", b"one", b"two")
    held = (tmp_path / "a.md").stat()
    assert (held.st_uid, held.st_gid) == (NOBODY, NOBODY)


def test_a_write_goes_through_a_symlink_and_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_bytes(b"one")
    (tmp_path / "a.md").symlink_to("notes/a.md")
    replace(tmp_path, "a.md", b"one", b"two")
    assert (tmp_path / "a.md").readlink() == Path("notes/a.md")
    assert (tmp_path / "notes/a.md").read_bytes() == b"two"
    assert os.listdir(tmp_path / "notes") == ["a.md"]


@pytest.mark.parametrize("path", ["../out.md", "link.md", "folder/out.md"])
def test_a_write_does_not_leave_the_workspace(tmp_path: Path, path: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "out.md"
    root.mkdir()
    outside.write_bytes(b"one")
    (root / "link.md").symlink_to(outside)
    (root / "folder").symlink_to(tmp_path)
    with pytest.raises(WorkspaceError, match="leads out of the workspace, so it was not written"):
        replace(root, path, b"one", b"two")
    assert outside.read_bytes() == b"one"


def test_a_refused_write_leaves_nothing_behind(shared: Path) -> None:
    (shared / "HOLD.md").write_bytes(b"one")
    (shared / "HOLD.md").chmod(0o666)
    shared.chmod(0o555)
    answer = as_nobody(lambda: replace(shared, "HOLD.md", b"one", b"two"))
    assert answer == "WorkspaceError: HOLD.md cannot be written (Permission denied)"
    assert os.listdir(shared) == ["HOLD.md"]
    assert (shared / "HOLD.md").read_bytes() == b"one"


def test_a_write_that_fails_halfway_leaves_nothing_behind(tmp_path: Path) -> None:
    """A full disk, as a limit on the size of files: the bytes do not fit, and the old file stays."""
    (tmp_path / "HOLD.md").write_bytes(b"one")

    def too_much() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        replace(tmp_path, "HOLD.md", b"one", b"x" * 100_000)

    assert in_a_child(too_much) == "WorkspaceError: HOLD.md cannot be written (File too large)"
    assert os.listdir(tmp_path) == ["HOLD.md"]
    assert (tmp_path / "HOLD.md").read_bytes() == b"one"


def append(root: Path, line: bytes) -> None:
    while True:
        seen = read_bytes(root / "log.md", "log.md")
        try:
            return replace(root, "log.md", seen, (seen or b"") + line)
        except ChangedError:
            continue


def test_eight_processes_that_append_lose_no_line(tmp_path: Path) -> None:
    lines = {writer: [b"%d-%d\n" % (writer, n) for n in range(20)] for writer in range(8)}
    children = []
    for writer in range(8):
        if (child := os.fork()) == 0:
            status = 1
            try:
                for line in lines[writer]:
                    append(tmp_path, line)
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 8
    written = (tmp_path / "log.md").read_bytes().splitlines(keepends=True)
    assert sorted(written) == sorted(line for mine in lines.values() for line in mine)
    for mine in lines.values():
        assert [line for line in written if line in mine] == mine
    assert os.listdir(tmp_path) == ["log.md"]


def test_the_lock_is_exclusive_and_let_go(tmp_path: Path) -> None:
    other = os.open(tmp_path, os.O_RDONLY)
    with locked(tmp_path), pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


def test_a_problem_reads_as_one_sentence() -> None:
    assert str(Problem("state/HOLD.md", 3, "this is off")) == "state/HOLD.md line 3: this is off"
