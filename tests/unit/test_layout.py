"""Which folder is the workspace, which workspace it is, and which paths stay inside it."""

import os
import re
import shutil
from pathlib import Path

import pytest

from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.layout import (
    IDENTITY,
    STATE_FILES,
    Identity,
    discover,
    identify,
    inside,
    looks_like_workspace,
    relative,
    remember,
)

ID = "0123456789abcdef" * 2
NOBODY = 65_534


def make(folder: Path) -> Path:
    """A workspace of one state file."""
    (folder / "state").mkdir(parents=True)
    (folder / "state/HOLD.md").touch()
    return folder


# --- finding it


@pytest.mark.parametrize("path", [*STATE_FILES, IDENTITY])
def test_one_file_of_its_own_makes_a_workspace(tmp_path: Path, path: str) -> None:
    assert not looks_like_workspace(tmp_path)
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).touch()
    assert looks_like_workspace(tmp_path)


def test_the_memory_file_with_the_folder_of_logs_makes_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").touch()
    assert not looks_like_workspace(tmp_path)
    (tmp_path / "memory").mkdir()
    assert looks_like_workspace(tmp_path)


def test_the_option_comes_before_the_variable_before_the_current_folder(tmp_path: Path) -> None:
    named, variable, here = tmp_path / "named", tmp_path / "variable", make(tmp_path / "here")
    named.mkdir()
    variable.mkdir()
    environment = {"HOME": str(tmp_path), "DORY_WORKSPACE": str(variable)}
    assert discover(str(named), environment, here) == named
    assert discover(None, environment, here) == variable
    assert discover(None, {"HOME": str(tmp_path), "DORY_WORKSPACE": ""}, here) == here


def test_a_workspace_is_found_upward(tmp_path: Path) -> None:
    root = make(tmp_path / "root")
    deep = root / "state/drafts"
    deep.mkdir()
    assert discover(None, {"HOME": str(tmp_path)}, deep) == root


def test_a_relative_name_starts_at_the_current_folder(tmp_path: Path) -> None:
    root = make(tmp_path / "a/root")
    assert discover("root", {}, tmp_path / "a") == root
    assert discover("../a/root", {}, tmp_path / "a") == root


@pytest.mark.parametrize("home", [".openclaw/workspace", "clawd"])
def test_the_homes_of_the_platforms_come_last(tmp_path: Path, home: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    root = make(tmp_path / home)
    assert discover(None, {"HOME": str(tmp_path)}, tmp_path / "elsewhere") == root


def test_a_link_is_followed_to_the_real_folder(tmp_path: Path) -> None:
    root = make(tmp_path / "root")
    (tmp_path / "link").symlink_to("root")
    assert discover(str(tmp_path / "link"), {}, tmp_path) == root


def test_nothing_found_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"no workspace here or above: name one with -C PATH, or make one with"):
        discover(None, {"HOME": str(tmp_path)}, tmp_path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing", "{root}/missing (-C) does not exist: name the workspace with -C PATH"),
        ("file", "{root}/file (-C) is not a folder: name the workspace with -C PATH"),
        ("~nobody-of-this-name/x", "~nobody-of-this-name/x (-C) names no user's home: write the path out"),
    ],
)
def test_a_named_workspace_that_cannot_be_used(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "file").touch()
    make(tmp_path / "here")  # a named one that cannot be used is never replaced by another
    with pytest.raises(WorkspaceError) as caught:
        discover(name, {"HOME": str(tmp_path)}, tmp_path)
    assert str(caught.value) == sentence.format(root=tmp_path)


def test_somebody_elses_folder_on_the_way_up_is_no_workspace_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "here").mkdir()
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder.name.startswith(("pytest", "test", "popen")):
            folder.chmod(0o755)
    (tmp_path / "state").chmod(0)
    readable, writable = os.pipe()
    if (child := os.fork()) == 0:
        try:
            if os.getuid() == 0:  # whom no folder is closed to
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            answer = str(discover(None, {"HOME": "/nonexistent"}, tmp_path / "here"))
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writable, answer.encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as handle:
        assert handle.read().startswith(b"WorkspaceError: no workspace here or above")
    os.waitpid(child, 0)
    (tmp_path / "state").chmod(0o755)


# --- paths


@pytest.mark.parametrize(
    "path", ["a.md", "state/drafts/a.md", "./a.md", "state/../a.md", "missing/deep/a.md", "a b.md"]
)
def test_paths_inside(tmp_path: Path, path: str) -> None:
    assert inside(tmp_path, path) == Path(os.path.normpath(tmp_path / path))


@pytest.mark.parametrize("path", ["", "/etc/passwd", "~/a.md", "a\0.md"])
def test_paths_that_are_not_relative(tmp_path: Path, path: str) -> None:
    with pytest.raises(WorkspaceError, match=re.escape(f"{path!r} is not a path relative to the workspace")):
        inside(tmp_path, path)


@pytest.mark.parametrize("path", ["..", "../a.md", "state/../../a.md", "link/a.md", "file.md", "twin/a.md"])
def test_paths_that_lead_out(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "root-twin").mkdir()
    (root / "link").symlink_to("..")
    (root / "file.md").symlink_to("/etc/passwd")
    (root / "twin").symlink_to("../root-twin")
    with pytest.raises(WorkspaceError, match=re.escape(f"{path} leads out of the workspace")):
        inside(root, path)


def test_relative_paths_are_what_everything_shows(tmp_path: Path) -> None:
    assert relative(tmp_path, tmp_path / "state" / "HOLD.md") == "state/HOLD.md"


# --- identity


def test_looking_never_writes_and_gives_each_its_own_id(tmp_path: Path) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    first, second = identify(root, state), identify(root, state)
    assert re.fullmatch("[0-9a-f]{32}", first.id)
    assert first.id != second.id
    assert not first.stored
    assert os.listdir(tmp_path) == ["root"]
    assert os.listdir(root) == []


def test_what_is_remembered_is_found_again(tmp_path: Path) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    assert remember(root, state, Identity(ID, stored=False))
    assert identify(root, state) == Identity(ID, stored=True)
    assert (root / ".dory/workspace").read_text() == f"{ID}\n"
    assert (root / ".dory/.gitattributes").read_text() == "** -text\n"
    assert (state / ID / "path").read_text() == f"{root}\n"
    assert (state / ID).stat().st_mode & 0o777 == 0o700
    assert not remember(root, state, Identity(ID, stored=True))


def test_a_lost_id_file_is_known_from_the_state_folder(tmp_path: Path) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    remember(root, state, Identity(ID, stored=False))
    (root / IDENTITY).unlink()
    assert identify(root, state) == Identity(ID, stored=False)
    assert remember(root, state, Identity(ID, stored=False))
    assert identify(root, state) == Identity(ID, stored=True)


def test_the_id_of_another_path_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "other").mkdir()
    remember(tmp_path / "root", tmp_path / "state", Identity(ID, stored=False))
    assert identify(tmp_path / "other", tmp_path / "state").id != ID


def test_what_else_lies_in_the_state_folder_is_passed_over(tmp_path: Path) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    for name, content in (("aaa", f"{root}\n".encode()), ("0" * 32, b"\xff\n")):
        (state / name).mkdir(parents=True)
        (state / name / "path").write_bytes(content)
    (state / "file").touch()
    (state / ID).mkdir()
    assert identify(root, state).id not in ("aaa", "0" * 32, ID)


def test_a_moved_workspace_is_noted_at_its_new_path(tmp_path: Path) -> None:
    state = tmp_path / "state"
    (tmp_path / "old").mkdir()
    remember(tmp_path / "old", state, Identity(ID, stored=False))
    (tmp_path / "old").rename(tmp_path / "new")
    remember(tmp_path / "new", state, identify(tmp_path / "new", state))
    assert (state / ID / "path").read_text() == f"{tmp_path / 'old'}\n{tmp_path / 'new'}\n"


def test_a_copy_does_not_make_the_first_workspace_forgotten(tmp_path: Path) -> None:
    """Else the first one, its `.dory` lost, would get a new id, and what was done there would read as pending."""
    state, first, copy = tmp_path / "state", tmp_path / "first", tmp_path / "copy"
    first.mkdir()
    remember(first, state, Identity(ID, stored=False))
    shutil.copytree(first, copy)
    remember(copy, state, identify(copy, state))
    shutil.rmtree(first / ".dory")
    assert identify(first, state) == Identity(ID, stored=False)


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", ID.upper().encode(), ID[:-1].encode(), (ID + "0").encode(), b"\xff"]
)
def test_an_id_file_that_holds_something_else_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".dory").mkdir()
    (tmp_path / IDENTITY).write_bytes(content)
    with pytest.raises(WorkspaceError, match=r"\.dory/workspace line 1: this is not a workspace id; restore it with"):
        identify(tmp_path, tmp_path / "state")


def test_a_second_process_does_not_give_the_workspace_another_id(tmp_path: Path) -> None:
    remember(tmp_path, tmp_path / "state", Identity(ID, stored=False))
    with pytest.raises(WorkspaceError, match="was written by another process just now: try again"):
        remember(tmp_path, tmp_path / "state", Identity("f" * 32, stored=False))
    assert identify(tmp_path, tmp_path / "state").id == ID


def test_a_path_that_is_no_utf_8_is_remembered(tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(b"r\xffot")
    try:
        root.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    remember(root, tmp_path / "state", Identity(ID, stored=False))
    (root / IDENTITY).unlink()
    assert identify(root, tmp_path / "state").id == ID
