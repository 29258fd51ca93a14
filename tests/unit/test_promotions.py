"""Candidates for MEMORY.md: read strictly, and shown with file and line when they cannot be used."""

import hashlib
from pathlib import Path

import pytest

from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.promotions import AXES, Promotion, parse_promotion, read_promotions

SCORES = "scores: {longevity: 3, reuse: 2, impact: 2, uniqueness: 1}\n"
FRONT = {
    "id": "id: 2026-02-07-invoice-day\n",
    "section": 'section: "## People"\n',
    "source": "source: memory/2026-02-07.md#L12\n",
    "scores": SCORES,
    "replaces": "replaces: null\n",
    "status": "status: pending\n",
}
PATH = "memory/promotions/invoice-day.md"


def candidate(body: str = "- **Ana** sends invoices on the 5th\n", **changed: str) -> Promotion:
    """The canonical candidate with lines of its front matter changed, or taken out with ""."""
    lines = "".join((FRONT | changed).values())
    return parse_promotion(PATH, f"---\n{lines}---\n{body}".encode())


def problem(body: str = "- text\n", **changed: str) -> tuple[int, str]:
    found = candidate(body, **changed)
    assert found.problem is not None
    assert found.problem.path == PATH
    assert found.scores == {}
    return found.problem.line, found.problem.sentence


def test_a_candidate_of_the_canonical_form() -> None:
    found = candidate()
    assert found.problem is None
    assert (found.id, found.path, found.section, found.source) == (
        "2026-02-07-invoice-day", PATH, "## People", "memory/2026-02-07.md#L12",
    )  # fmt: skip
    assert found.scores == {"longevity": 3, "reuse": 2, "impact": 2, "uniqueness": 1}
    assert tuple(found.scores) == AXES
    assert (found.replaces, found.status) == (None, "pending")
    assert found.text == b"- **Ana** sends invoices on the 5th"
    assert found.title == "**Ana** sends invoices on the 5th"
    assert found.digest == hashlib.sha256(found.data).hexdigest()
    assert found.short == found.digest[:12]


def test_what_may_be_left_out() -> None:
    found = candidate(id="", source="", replaces="", status="")
    assert (found.id, found.source, found.replaces, found.status, found.problem) == (
        "invoice-day", "", None, "pending", None,
    )  # fmt: skip
    assert candidate(id="id:\n").id == "invoice-day"


def test_the_text_keeps_its_bytes_but_for_blank_lines_around_it() -> None:
    found = parse_promotion(
        PATH, f"---\r\n{FRONT['section']}{SCORES}---\r\n\r\n- a \r\n  b\xff\r\n\r\n".encode("latin-1")
    )
    assert found.text == b"- a \r\n  b\xff"


def test_a_line_that_it_replaces() -> None:
    assert candidate(replaces='replaces: "- Ana sends them late"\n').replaces == "- Ana sends them late"


@pytest.mark.parametrize(("raw", "status"), [("PENDING", "pending"), ("denied", "rejected"), ("promoted", "promoted")])
def test_the_status_is_normalised(raw: str, status: str) -> None:
    assert candidate(status=f"status: {raw}\n").status == status


@pytest.mark.parametrize(
    ("changed", "line", "sentence"),
    [
        ({"section": ""}, 2, 'say where in MEMORY.md it goes, such as section: "## People"'),
        ({"section": "section: '##'\n"}, 3, 'say where in MEMORY.md it goes, such as section: "## People"'),
        ({"section": "section: |\n  ## a\n  ## b\n"}, 3, "say where in MEMORY.md it goes"),
        ({"section": "section: [a]\n"}, 3, "say where in MEMORY.md it goes"),
        ({"id": "id: ../../x\n"}, 2, "the id '../../x' cannot be used"),
        ({"id": "id: [a]\n"}, 2, "the id \"['a']\" cannot be used"),
        ({"scores": ""}, 2, "give four scores of 0 to 3: longevity, reuse, impact, uniqueness"),
        ({"scores": "scores: 9\n"}, 5, "give four scores of 0 to 3"),
        ({"scores": "scores: {longevity: 3}\n"}, 5, "the score of reuse must be 0, 1, 2 or 3"),
        ({"scores": SCORES.replace("3", "4")}, 5, "the score of longevity must be 0, 1, 2 or 3"),
        ({"scores": SCORES.replace("3", "-1")}, 5, "the score of longevity must be 0, 1, 2 or 3"),
        ({"scores": SCORES.replace("3", "true")}, 5, "the score of longevity must be 0, 1, 2 or 3"),
        ({"scores": SCORES.replace("3", '"3"')}, 5, "the score of longevity must be 0, 1, 2 or 3"),
        ({"scores": SCORES.replace("3", "2.5")}, 5, "the score of longevity must be 0, 1, 2 or 3"),
        (
            {"scores": "scores:\n  longevity: 3\n  reuse: 2\n  impact: 7\n  uniqueness: 1\n"},
            8,
            "the score of impact must be 0, 1, 2 or 3",
        ),
        ({"scores": SCORES.replace("}", ", charm: 3}")}, 5, "`charm` is not an axis; they are longevity, reuse"),
        ({"replaces": "replaces: [a]\n"}, 6, "`replaces` is null or one exact line of MEMORY.md"),
        ({"replaces": 'replaces: "a\\nb"\n'}, 6, "`replaces` is null or one exact line of MEMORY.md"),
        ({"replaces": 'replaces: " "\n'}, 6, "`replaces` is null or one exact line of MEMORY.md"),
        ({"status": "status: pending\nsections: x\n"}, 8, "`sections` is not a key of a promotion"),
        ({"status": "status: pending\nid: again\n"}, 8, "`id` stands here twice"),
        ({"status": "status: &a pending\n"}, 7, "anchors and aliases (& and *) are not allowed here"),
    ],
)
def test_a_broken_candidate_names_its_line(changed: dict[str, str], line: int, sentence: str) -> None:
    found = problem(**changed)
    assert found[0] == line
    assert found[1].startswith(sentence)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("- a", "a"),
        ("1. a\n2. b", "a"),
        ("**a** b", "**a** b"),
        ("### a", "### a"),
        ("  \n- a\x0cb", "a\x0cb"),
        ("-", PATH),
    ],
)
def test_the_title_is_the_first_line_without_its_bullet(text: str, title: str) -> None:
    assert Promotion(PATH, PATH, b"", text=text.encode()).title == title


def test_a_broken_candidate_keeps_its_text_and_a_name() -> None:
    found = candidate("- a\n", scores="")
    assert (found.id, found.text, found.title) == ("invoice-day", b"- a", "a")


@pytest.mark.parametrize("body", ["", "\n\n", "  \n\t\n"])
def test_nothing_to_add_is_an_error(body: str) -> None:
    assert problem(body) == (1, "there is nothing to add below the front matter")


def test_a_file_without_front_matter_is_an_error() -> None:
    found = parse_promotion(PATH, b"- Ana sends invoices on the 5th\n")
    assert str(found.problem) == f'{PATH} line 1: say where in MEMORY.md it goes, such as section: "## People"'


def write(root: Path, name: str, identity: str = "") -> None:
    file = root / "memory/promotions" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{identity}{FRONT['section']}{SCORES}---\n- text\n")


def test_candidates_come_by_file_name(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", ".hidden.md", "notes.txt"):
        write(tmp_path, name)
    assert [(found.id, found.problem) for found in read_promotions(tmp_path)] == [("a", None), ("b", None)]


def test_no_folder_is_no_candidate(tmp_path: Path) -> None:
    assert read_promotions(tmp_path) == []


def test_a_file_in_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/promotions").write_text("x")
    with pytest.raises(WorkspaceError, match=r"memory/promotions cannot be listed \(Not a directory\)"):
        read_promotions(tmp_path)


def test_what_cannot_be_read_is_shown_and_not_dropped(tmp_path: Path) -> None:
    write(tmp_path, "ok.md")
    (tmp_path / "memory/promotions/folder.md").mkdir()
    (tmp_path / "memory/promotions/Über.md").symlink_to("/etc/passwd")
    found = {promotion.id: str(promotion.problem) for promotion in read_promotions(tmp_path)}
    assert found == {
        "ok": "None",
        "folder": "memory/promotions/folder.md line 1: memory/promotions/folder.md is a folder, "
        "where a file should be: move it away",
        "uber": "memory/promotions/Über.md line 1: memory/promotions/Über.md leads out of the workspace",
    }


def test_the_same_id_twice_is_a_conflict(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "id: same\n")
    write(tmp_path, "b.md", "id: SAME\n")
    first, second = read_promotions(tmp_path)
    assert (first.id, second.id) == ("same", "same")
    assert str(second.problem) == ("memory/promotions/b.md line 1: the id same is also used by memory/promotions/a.md")
