"""Our section in somebody's file, and our file in somebody's hands: replaced where nobody edited it, else left."""

import pytest

from dory_tui.workspace import marked
from dory_tui.workspace.marked import digest, put, sealed, untouched

OLD, NEW = "## Ours\n\n- one\n", "## Ours\n\n- one\n- two\n"


def written(body: str) -> str:
    return f"<!-- dory:begin sha256={digest(body)} -->\n{body}<!-- dory:end -->"


@pytest.mark.parametrize(
    ("data", "before"),
    [
        (None, ""),
        (b"", ""),
        (b"\n", "\n"),
        (b"# Rules\n", "# Rules\n\n"),
        (b"# Rules", "# Rules\n\n"),
        (b"# Rules\n\n", "# Rules\n\n\n"),
        (b"\xef\xbb\xbf# Rules\n", "\ufeff# Rules\n\n"),
        (b"# Rules \xff\x00\n", "# Rules \udcff\x00\n\n"),
    ],
)
def test_it_goes_to_the_end_and_every_byte_above_stays(data: bytes | None, before: str) -> None:
    made = put("AGENTS.md", data, OLD)
    assert made.state == "added"
    assert made.data == f"{before}{written(OLD)}\n".encode("utf-8", "surrogateescape")
    assert made.data.startswith(data or b"")
    assert made.data.split(b"\n")[made.line - 1].startswith(b"<!-- dory:begin")
    again = put("AGENTS.md", made.data, OLD)
    assert (again.state, again.data, again.line) == ("kept", made.data, made.line)
    assert marked.section("AGENTS.md", made.data) == OLD


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_older_one_is_replaced_in_place_with_the_files_line_ends(end: bytes) -> None:
    above, below = b"# Rules" + end + b"x  " + end + end, end + b"## Below" + end + b"no end"
    data = above + written(OLD).encode().replace(b"\n", end) + below
    made = put("AGENTS.md", data, NEW)
    assert made.state == "updated"
    assert made.data == above + written(NEW).encode().replace(b"\n", end) + below
    assert put("AGENTS.md", made.data, NEW).state == "kept"


def test_one_that_somebody_edited_is_left_alone() -> None:
    data = f"# Rules\n\n{written(OLD).replace('- one', '- one, but')}\n".encode()
    made = put("AGENTS.md", data, NEW)
    assert (made.state, made.data, made.line) == ("edited", data, 3)
    current = f"{written(OLD).replace(OLD, NEW)}\n".encode()
    assert put("AGENTS.md", current, NEW).state == "kept", "edited into what it should be"


def test_marks_in_a_fence_are_an_example() -> None:
    data = f"# How\n\n```\n{written(OLD)}\n```\n".encode()
    made = put("AGENTS.md", data, OLD)
    assert (made.state, made.data[: len(data)]) == ("added", data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (f"{written(OLD)}\n\n{written(OLD)}\n", "AGENTS.md line 7: one `<!-- dory:begin … -->` and one"),
        ("# R\n<!-- dory:end -->\n", "AGENTS.md line 2: "),
        (f"<!-- dory:end -->\n{written(OLD).removesuffix('<!-- dory:end -->')}", "belong together"),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "AGENTS.md line 1: merge conflict markers"),
    ],
)
def test_a_file_that_cannot_take_it_is_a_sentence(data: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"AGENTS\.md") as refused:
        put("AGENTS.md", data.encode(), NEW)
    assert says in str(refused.value)


def test_wide_text_is_refused() -> None:
    with pytest.raises(ValueError, match="not UTF-8"):
        put("AGENTS.md", "# Rules\n".encode("utf-16"), NEW)


@pytest.mark.parametrize("data", [b"", b"# Skill\n", b"# Skill", b"\xff\x00\n\n"])
def test_a_sealed_file_is_known_until_a_byte_of_it_changes(data: bytes) -> None:
    made = sealed(data)
    assert made.startswith(data)
    assert untouched(made)
    assert not untouched(data)
    assert not untouched(b"x" + made)
    assert not untouched(made + b"x")
    if b"\n" in data and b"\xff" not in data:
        assert untouched(made.replace(b"\n", b"\r\n")), "git may change line ends"
