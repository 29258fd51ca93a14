"""The strict schema of what runs: what it takes, and the line that each refusal names."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.gate import action, attached
from dory_tui.gate.action import Action, ActionError, Executable, plan, resolve_executable, stdin_bytes, working_folder
from dory_tui.gate.zoned import moment
from dory_tui.values import replace
from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.drafts import Draft

WHOLE = """\
---
id: launch-3
title: Launch thread 3 of 7
kind: post
part: 3/7
action:
  argv: ["/usr/local/bin/post", "--stdin", "$(whoami); `id`"]
  stdin: body
  cwd: bin
  env: {LANG: C.UTF-8, TONE: "no"}
  env_pass: [POST_TOKEN]
  timeout: 60s
  ok_exit: [0, 3]
  attach: [img/launch.png, notes/alt.txt]
schedule:
  not_before: 2026-12-01T09:00:00-05:00
  expires: 2026-12-01T12:00:00-05:00
  grace: 15m
  lane: social/main
  min_interval: 20m
---
Hello.
"""


def draft(text: str | bytes) -> Draft:
    data = text.encode() if isinstance(text, str) else text
    return Draft("launch-3", "Launch", "file", "state/drafts/launch-3.md", data, None)


def front(*lines: str) -> Draft:
    """A draft whose first line of front matter is line 2 of its file."""
    return draft("---\n" + "".join(f"{line}\n" for line in lines) + "---\nHello.\n")


def test_the_whole_schema() -> None:
    found = plan(draft(WHOLE))
    assert found.action == Action(
        argv=("/usr/local/bin/post", "--stdin", "$(whoami); `id`"),
        stdin="body",
        cwd="bin",
        env=(("LANG", "C.UTF-8"), ("TONE", "no")),
        env_pass=("POST_TOKEN",),
        timeout=timedelta(seconds=60),
        ok_exit=(0, 3),
        attach=("img/launch.png", "notes/alt.txt"),
    )
    assert found.schedule.not_before == datetime(2026, 12, 1, 14, tzinfo=UTC)
    assert found.schedule.expires == datetime(2026, 12, 1, 17, tzinfo=UTC)
    assert found.schedule.grace == timedelta(minutes=15)
    assert found.schedule.lane == "social/main"
    assert found.schedule.min_interval == timedelta(minutes=20)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-10-25T01:59:59 Europe/Berlin", datetime(2026, 10, 24, 23, 59, 59, tzinfo=UTC)),
        ("2026-10-25T03:00 Europe/Berlin", datetime(2026, 10, 25, 2, tzinfo=UTC)),
        ("2026-03-29 03:00:00  Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
        ("2026-12-01T09:00:00 America/New_York", datetime(2026, 12, 1, 14, tzinfo=UTC)),
        ("2026-12-01T09:00:00 UTC", datetime(2026, 12, 1, 9, tzinfo=UTC)),
    ],
)
def test_a_local_time_may_name_its_zone(written: str, meant: datetime) -> None:
    found = plan(front("action:", "  argv: [post]", "schedule:", f"  not_before: {written}"))
    assert found.schedule.not_before == meant


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001 - a local time has no zone yet
    st.sampled_from(
        ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca"]
    ),
)
def test_a_local_time_is_taken_only_where_it_is_one_instant(local: datetime, zone: str) -> None:
    """And where it is not, both readings that the sentence has are instants whose local time is near."""
    local = local.replace(microsecond=0)
    try:
        found = moment(f"{local.isoformat()} {zone}")
    except ValueError as error:
        *_, either, _, other = str(error).split(" ")
        first, second = moment(either), moment(other)
        assert first != second
        for reading in (first, second):
            there = reading.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
            assert abs(there - local) <= timedelta(hours=1)
        return
    utc = found.astimezone(UTC)
    same = [
        one for minutes in range(-180, 181, 30)
        if (one := utc + timedelta(minutes=minutes)).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == local
    ]  # fmt: skip
    assert same == [utc]


def test_an_action_comes_back_from_what_the_approval_keeps() -> None:
    found = plan(draft(WHOLE)).action
    assert found is not None
    assert Action.restore(found.canonical()) == found
    assert Action.restore(found.canonical()).digest == found.digest


def test_every_field_is_part_of_the_digest() -> None:
    found = plan(draft(WHOLE)).action
    assert found is not None
    changes = {
        "cwd: bin": "cwd: bim", "stdin: body": "stdin: none", "--stdin": "--stdim", "TONE": "TUNE", '"no"': '"yes"',
        "POST_TOKEN": "POST_TOKEM", "60s": "61s", "[0, 3]": "[0]", "alt.txt": "alt.md",
    }  # fmt: skip
    digests = {found.digest}
    for old, new in changes.items():
        other = plan(draft(WHOLE.replace(old, new))).action
        assert other is not None
        digests.add(other.digest)
    assert len(digests) == len(changes) + 1


def test_the_defaults() -> None:
    found = plan(front("action:", "  argv: [post]"))
    assert found.action == Action(("post",), "none", ".", (), (), timedelta(minutes=5), (0,))
    assert (found.schedule.not_before, found.schedule.expires, found.schedule.lane) == (None, None, "default")


@pytest.mark.parametrize(
    "lines",
    [
        [], ["id: x", "mood: good", "tags: [a, b]"], ["action: send it"], ["action: null", "schedule: soon"],
        ["action: [a]", "schedule: 5"],
    ],
)  # fmt: skip
def test_front_matter_without_an_action_is_text_whose_keys_may_be_any(lines: list[str]) -> None:
    assert plan(front(*lines)).action is None


def test_a_text_may_have_a_schedule_and_is_then_strict() -> None:
    assert plan(front("schedule:", "  lane: mail")).schedule.lane == "mail"
    with pytest.raises(ActionError, match="`mood` is not a field"):
        plan(front("mood: good", "schedule:", "  lane: mail"))


A = ("action:", "  argv: [post]")
BIDI = "\\u202e"


@pytest.mark.parametrize(
    ("lines", "line", "word"),
    [
        # what YAML would have taken one way or another
        (("action:", "  argv: [post]", "  argv: [rm]"), 4, "`argv` stands here twice"),
        (("id: a", "action:", "  argv: [post]", "id: b"), 5, "`id` stands here twice"),
        (("action:", "  env: {A: x, A: y}", "  argv: [post]"), 3, "`A` stands here twice"),
        (("action:", "  argv: &a [post]"), 3, "anchors"),
        (("action:", "  argv: [post]", "  env_pass: *a"), 4, "alias"),
        (("action:", "  argv: [!!str 5]"), 3, "tags"),
        (("action: !!map", "  argv: [post]"), 2, "tags"),
        (("base: &b", "  argv: [rm]", "action:", "  <<: *b"), 2, "anchors"),
        (("action:", "  argv: [post", "id: x"), 4, "not valid YAML"),
        (("action:", "\targv: [post]"), 3, "not valid YAML"),
        # argv
        (("action:", "  argv: post --stdin"), 3, "must be a list"),
        (("action:", "  argv: []"), 3, "must be a list"),
        (("action:", "  argv: {0: post}"), 3, "must be a list"),
        (("action:", "  stdin: none"), 2, "must be a list"),
        (("action:", "  argv:", "    - post", "    - 5"), 5, "must be text: put it in quotes"),
        (("action:", "  argv:", "    - post", "    - true"), 5, "must be text: put it in quotes"),
        (("action:", "  argv:", "    - post", "    - null"), 5, "must be text: put it in quotes"),
        (("action:", "  argv:", "    - post", "    -"), 5, "must be text: put it in quotes"),
        (("action:", "  argv:", "    - post", "    - [a]"), 5, "must be text: put it in quotes"),
        (("action:", "  argv:", "    - ' '"), 3, "names no program"),
        # unknown fields, at each level
        ((*A, "acton: x"), 4, "`acton` is not a field"),
        ((*A, "  shell: true"), 4, "`action.shell` is not a field"),
        ((*A, "schedule:", "  cron: daily"), 5, "`schedule.cron` is not a field"),
        ((*A, "schedule:", "  argv: [x]"), 5, "`schedule.argv` is not a field"),
        # attachments
        ((*A, "  attach: img/a.png"), 4, "must be a list of paths"),
        ((*A, "  attach: {a: b}"), 4, "must be a list of paths"),
        ((*A, "  attach:", "    - a.png", "    - 5"), 6, "must be text"),
        ((*A, "  attach:", "    - ''"), 5, "not a path relative to the workspace"),
        ((*A, "  attach:", "    - /etc/passwd"), 5, "not a path relative to the workspace"),
        ((*A, "  attach:", "    - ~/.ssh/id"), 5, "not a path relative to the workspace"),
        ((*A, "  attach:", "    - a.png", "    - a.png"), 6, "a.png is attached twice"),
        ((*A, "  attach:", f'    - "a{BIDI}.png"'), 5, "U+202E"),
        ((*A, "  attach:", '    - "a\\nb"'), 5, "U+000A"),
        # spacing
        ((*A, "schedule:", "  min_interval: 20"), 5, "must be text"),
        ((*A, "schedule:", "  lane: a", "  min_interval: 0s"), 6, "longer than nothing"),
        ((*A, "schedule:", "  min_interval: 20 minutes"), 5, "not a length of time"),
        # shapes
        ((*A, "schedule: soon"), 4, "`schedule` must be a mapping"),
        (("action: post", "schedule:", "  lane: a"), 2, "`action` must be a mapping"),
        ((*A, "kind: [a]"), 4, "`kind` must be text"),
        ((*A, "  stdin: stdin"), 4, "`body`, `none` or `file:PATH`"),
        ((*A, "  stdin: 'file:'"), 4, "`body`, `none` or `file:PATH`"),
        ((*A, "  stdin: true"), 4, "must be text"),
        ((*A, "  cwd: 5"), 4, "must be text"),
        ((*A, "  env: [A=b]"), 4, "`NAME: value`"),
        ((*A, "  env:", "    A: 5"), 5, "must be text"),
        ((*A, "  env_pass: TOKEN"), 4, "must be a list of names"),
        ((*A, "  env_pass:", "    - OK", "    - 5"), 6, "must be text"),
        ((*A, "  ok_exit: 0"), 4, "list of 0 to 255"),
        ((*A, "  ok_exit: []"), 4, "list of 0 to 255"),
        ((*A, "  ok_exit: [0, 256]"), 4, "list of 0 to 255"),
        ((*A, "  ok_exit: [-1]"), 4, "list of 0 to 255"),
        ((*A, "  ok_exit: [true]"), 4, "list of 0 to 255"),
        ((*A, "  ok_exit: ['0']"), 4, "list of 0 to 255"),
        # lengths of time
        ((*A, "  timeout: 60"), 4, "must be text"),
        ((*A, "  timeout: 1 minute"), 4, "not a length of time"),
        ((*A, "  timeout: 12:30"), 4, "not a length of time"),
        ((*A, "  timeout: 0s"), 4, "longer than nothing"),
        ((*A, "  timeout: -5s"), 4, "not a length of time"),
        ((*A, "schedule:", "  grace: 1.5h"), 5, "not a length of time"),
        # times
        ((*A, "schedule:", "  not_before: 2026-12-01T09:00:00"), 5, "has no offset"),
        ((*A, "schedule:", "  not_before: 2026-12-01"), 5, "is not a time"),
        ((*A, "schedule:", "  not_before: tomorrow"), 5, "is not a time"),
        ((*A, "schedule:", "  not_before: 1764597600"), 5, "must be text"),
        ((*A, "schedule:", "  not_before: 2026-02-30T09:00:00Z"), 5, "is not a time"),
        ((*A, "schedule:", "  expires: 2026-12-01T25:00:00Z"), 5, "is not a time"),
        ((*A, "schedule:", "  not_before: 2026-12-01T09:00:00 Mars/Base"), 5, "Mars/Base is not a known zone"),
        ((*A, "schedule:", "  not_before: 2026-12-01T09:00:00 ../../etc/passwd"), 5, "is not a time"),
        ((*A, "schedule:", "  not_before: 2026-02-30T09:00:00 Europe/Berlin"), 5, "is not a time"),
        (
            (*A, "schedule:", "  not_before: 2026-10-25T02:30:00 Europe/Berlin"), 5,
            "02:30 on 2026-10-25 comes twice in Europe/Berlin, since its clocks are put back: "
            "write 2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00",
        ),
        (
            (*A, "schedule:", "  expires: 2026-03-29T02:30:00 Europe/Berlin"), 5,
            "02:30 on 2026-03-29 does not exist in Europe/Berlin, since its clocks are put forward: "
            "write 2026-03-29T03:30:00+02:00 or 2026-03-29T01:30:00+01:00",
        ),
        (
            (*A, "schedule:", "  not_before: 2026-12-01T09:00:00Z", "  expires: 2026-12-01T10:00:00+01:00"),
            6, "`schedule.expires` is not after `not_before`",
        ),
        # lanes
        ((*A, "schedule:", "  lane: ''"), 5, "short name"),
        ((*A, "schedule:", "  lane: a b"), 5, "short name"),
        ((*A, "schedule:", "  lane: sociål"), 5, "short name"),
        ((*A, "schedule:", "  lane: ../x~y"), 5, "short name"),
        ((*A, "schedule:", f"  lane: {'a' * 65}"), 5, "short name"),
        # names of environment variables
        ((*A, "  env:", "    1A: x"), 5, "not a name of an environment variable"),
        ((*A, "  env:", "    A-B: x"), 5, "not a name of an environment variable"),
        ((*A, "  env:", "    A=B: x"), 5, "not a name of an environment variable"),
        ((*A, "  env:", "    '': x"), 5, "not a name of an environment variable"),
        ((*A, "  env:", "    Ä: x"), 5, "not a name of an environment variable"),
        ((*A, "  env:", "    PATH: /tmp"), 5, "PATH is not for a draft to set"),
        ((*A, "  env:", "    LD_PRELOAD: /tmp/x.so"), 5, "not for a draft to set"),
        ((*A, "  env:", "    DYLD_INSERT_LIBRARIES: /tmp/x"), 5, "not for a draft to set"),
        ((*A, "  env_pass:", "    - DORY_ID"), 5, "not for a draft to set"),
        # what cannot be seen
        (("action:", "  argv:", "    - post", f'    - "a{BIDI}b"'), 5, "U+202E RIGHT-TO-LEFT OVERRIDE"),
        (("action:", "  argv:", "    - post", '    - "a\\x1b[2J"'), 5, "U+001B ESCAPE"),
        (("action:", "  argv:", '    - "po\\u200bst"'), 4, "U+200B ZERO WIDTH SPACE"),
        (("action:", "  argv:", '    - "a\\0b"'), 4, "U+0000 NULL"),
        ((*A, "  env:", f'    A: "{BIDI}"'), 5, "U+202E"),
        ((*A, "  env:", '    A: "a\\nb"'), 5, "U+000A"),
        ((*A, f'  cwd: "bin{BIDI}"'), 4, "U+202E"),
        ((*A, '  cwd: "bin\\u2066"'), 4, "U+2066"),
        ((*A, '  stdin: "file:a\\u00ad.md"'), 4, "U+00AD SOFT HYPHEN"),
        ((*A, "schedule:", f'  lane: "a{BIDI}b"'), 5, "U+202E"),
        ((*A, f'title: "a{BIDI}b"'), 4, "U+202E"),
        ((*A, '"id\\u202e": x'), 4, "not a field"),
    ],
)  # fmt: skip
def test_every_refusal_names_its_line(lines: tuple[str, ...], line: int, word: str) -> None:
    with pytest.raises(ActionError) as caught:
        plan(front(*lines))
    assert word in str(caught.value)
    assert caught.value.line == line


def test_front_matter_that_is_not_text_is_refused_on_its_line() -> None:
    with pytest.raises(ActionError, match="not valid UTF-8") as caught:
        plan(draft(b"---\nid: x\naction:\n  argv: [\xff]\n---\n"))
    assert caught.value.line == 4


def test_lines_and_tabs_may_stand_in_an_argument_and_are_kept() -> None:
    found = plan(front("action:", '  argv: [post, "one\\n\\ttwo 👩\\u200d💻"]')).action
    assert found is not None
    assert found.argv[1] == "one\n\ttwo 👩\u200d💻"


# What only a workspace can tell.


def made(root: Path, *, cwd: str = ".", stdin: str = "none", argv: tuple[str, ...] = ("post",)) -> Action:
    (root / "bin").mkdir(exist_ok=True)
    program = root / "bin" / "post"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return Action(argv, stdin, cwd)


OUTSIDE = r"leads out of the workspace|not a path relative to the workspace"


@pytest.mark.parametrize("path", ["..", "../x", "/etc", "~", "bin/../..", "away", "away/deep", ""])
def test_neither_the_folder_nor_the_input_may_leave_the_workspace(tmp_path: Path, path: str) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (tmp_path / "x").write_text("secret")
    (root / "away").symlink_to("/etc")
    with pytest.raises(WorkspaceError, match=OUTSIDE):
        working_folder(root, made(root, cwd=path))
    with pytest.raises(WorkspaceError, match=OUTSIDE):
        stdin_bytes(root, draft(""), made(root, stdin=f"file:{path}"))
    with pytest.raises(WorkspaceError, match=OUTSIDE):
        attached.read(root, replace(made(root), attach=(path,)))


def test_the_folder_and_the_input_must_be_there(tmp_path: Path) -> None:
    wanted = made(tmp_path, cwd="nowhere", stdin="file:nothing.md")
    with pytest.raises(WorkspaceError, match="the working directory nowhere does not exist"):
        working_folder(tmp_path, wanted)
    with pytest.raises(WorkspaceError, match=r"nothing\.md, which standard input comes from, does not exist"):
        stdin_bytes(tmp_path, draft(""), wanted)
    with pytest.raises(WorkspaceError, match="bin is a folder"):
        stdin_bytes(tmp_path, draft(""), made(tmp_path, stdin="file:bin"))


def test_a_pipe_in_place_of_the_input_is_an_error_and_hangs_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(WorkspaceError, match="not a regular file"):
        stdin_bytes(tmp_path, draft(""), made(tmp_path, stdin="file:fifo"))
    with pytest.raises(WorkspaceError, match="not a regular file"):
        attached.read(tmp_path, replace(made(tmp_path), attach=("fifo",)))


def test_an_attachment_must_be_a_file_and_not_too_large(tmp_path: Path) -> None:
    for path, words in (("nothing.png", "which is to be attached, does not exist"), ("bin", "bin is a folder")):
        with pytest.raises(WorkspaceError, match=words):
            attached.read(tmp_path, replace(made(tmp_path), attach=(path,)))
    with (tmp_path / "film.mp4").open("wb") as film:
        film.truncate(attached.CAP + 1)
    with pytest.raises(WorkspaceError, match=r"film\.mp4 is larger than the 100 MiB"):
        attached.read(tmp_path, replace(made(tmp_path), attach=("film.mp4",)))


def test_arguments_that_are_attached_files_become_their_copies() -> None:
    wanted = Action(("post", "a.png", "--as=a.png", "b.png", "a.png"), attach=("a.png", "b.png"))
    found = attached.arguments(wanted, ["/copy/1", "/copy/2"])
    assert found == ["post", "/copy/1", "--as=a.png", "/copy/2", "/copy/1"]


def test_the_body_is_exactly_what_stands_below_the_front_matter(tmp_path: Path) -> None:
    body = b"\nline\r\n---\nid: not this\n\xff\x00 no end"
    found = draft(b"---\nid: x\n---\n" + body)
    assert stdin_bytes(tmp_path, found, made(tmp_path, stdin="body")) == body
    assert stdin_bytes(tmp_path, found, made(tmp_path, stdin="none")) == b""


def test_a_program_is_found_by_path_by_folder_and_by_name(tmp_path: Path) -> None:
    made(tmp_path)
    program = str(tmp_path / "bin" / "post")
    found = Executable(program, hashlib.sha256(b"#!/bin/sh\n").hexdigest())
    assert resolve_executable(tmp_path, made(tmp_path, argv=(program,))) == found
    assert resolve_executable(tmp_path, made(tmp_path, argv=("bin/post",))) == found
    assert resolve_executable(tmp_path, made(tmp_path, argv=("./post",), cwd="bin")) == found
    (tmp_path / "link").symlink_to("bin/post")
    assert resolve_executable(tmp_path, made(tmp_path, argv=("./link",))) == found
    assert resolve_executable(tmp_path, made(tmp_path, argv=("sh",))).path == os.path.realpath("/bin/sh")


def test_a_name_is_not_looked_for_in_the_environments_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(WorkspaceError, match="post is not a program that can be started here"):
        resolve_executable(tmp_path, made(tmp_path))


@pytest.mark.parametrize("name", ["bin/none", "bin", "bin/plain"])
def test_what_is_no_program_cannot_be_started(tmp_path: Path, name: str) -> None:
    wanted = made(tmp_path, argv=(name,))
    (tmp_path / "bin" / "plain").write_text("text")
    with pytest.raises(WorkspaceError, match="is not a program"):
        resolve_executable(tmp_path, wanted)


def test_the_fixed_path_is_the_systems_own() -> None:
    assert action.SAFE_PATH == "/usr/local/bin:/usr/bin:/bin"
