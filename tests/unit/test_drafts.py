"""Which drafts there are, what their id is, which bytes a yes is for, and what blocks them."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dory_tui.workspace.document import WorkspaceError, parse
from dory_tui.workspace.drafts import (
    Draft,
    Staging,
    entries,
    inline_bytes,
    normal_status,
    read_staging,
    slug,
    valid_id,
)
from dory_tui.workspace.frontmatter import FrontMatterError
from dory_tui.workspace.templates import files

HEAD = "# STAGING.md\n\n> Nothing listed here has happened.\n\n## Currently Staged\n\n"
Stage = Callable[..., Staging]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Writes STAGING.md (`text`) and other files by path, and reads the drafts."""

    def make(text: str | bytes | None = None, written: dict[str, str | bytes] | None = None) -> Staging:
        for path, content in {"state/STAGING.md": text, **(written or {})}.items():
            if content is not None:
                file = tmp_path / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_staging(tmp_path)

    return make


def entry(name: str, location: str | None = None, body: str = "", labels: str = "**Status:** pending\n") -> str:
    where = "" if location is None else f"**Location:** {location}\n"
    return f"### {name}\n{labels}{where}\n{body}\n"


def only(staging: Staging) -> Draft:
    (draft,) = staging.drafts
    return draft


def sentences(staging: Staging) -> list[tuple[str, str | None]]:
    """The id of each draft with the sentence of its problem."""
    return [(draft.id, str(draft.problem) if draft.problem else None) for draft in staging.drafts]


def inline(body: str) -> bytes:
    """The bytes of the one entry of a STAGING.md that goes on with `body`."""
    document = parse("state/STAGING.md", (HEAD + body).encode())
    (found,), _ = entries(document)
    return inline_bytes(document, found)


# --- what is listed


def test_entries_of_the_canonical_form(stage: Stage) -> None:
    draft = only(
        stage(
            HEAD + "### Mail to Ana\n**Created:** 2026-02-04\n**Status:** pending\n**Location:** state/drafts/ana.md\n"
            "**Note:** shorter\n\nFour corrections.\n",
            {"state/drafts/ana.md": "Dear Ana\n"},
        )
    )
    assert (draft.id, draft.title, draft.origin, draft.path) == ("ana", "Mail to Ana", "file", "state/drafts/ana.md")
    assert (draft.status, draft.note, draft.where) == ("pending", "shorter", "state/drafts/ana.md")
    assert (draft.data, draft.body, draft.problem) == (b"Dear Ana\n", b"Dear Ana\n", None)
    assert draft.digest == hashlib.sha256(b"Dear Ana\n").hexdigest()
    assert draft.short == draft.digest[:12]
    assert draft.entry is not None
    assert draft.entry.value("created") == "2026-02-04"
    assert draft.entry.value("missing") is None
    assert [line.text for line in draft.entry.body] == ["Four corrections."]


def test_the_template_lists_nothing_and_has_no_text(stage: Stage) -> None:
    staging = stage(dict(files())["state/STAGING.md"])
    assert (staging.drafts, staging.text) == ((), ())


def test_no_staging_file_lists_nothing(tmp_path: Path) -> None:
    assert read_staging(tmp_path).drafts == ()


@pytest.mark.parametrize(
    "text",
    [
        "## Format\n\n### Name\n**Location:** a.md\n",
        "```\n### Name\n```\n",
        "<!--\n### Name\n-->\n",
        "### [Name]\n**Status:** draft\n",
        "###\n",
        "## Examples\n\n### One\n\n#### Part\n\nText.\n",
        "[none]\n",
    ],
)
def test_what_is_no_entry(stage: Stage, text: str) -> None:
    staging = stage(HEAD + text)
    assert (staging.drafts, staging.text) == ((), ())


def test_other_shapes_are_drafts_of_text(stage: Stage) -> None:
    staging = stage(HEAD + "- [ ] post the teaser\n\n| a | b |\n\n## T4\n\nProse.\n\n```\n")
    assert [(one.id, one.origin, one.problem) for one in staging.drafts] == [
        ("post-the-teaser", "inline", None), ("a", "inline", None), ("t4", "inline", None),
    ]  # fmt: skip
    assert staging.drafts[2].data.startswith(b"## T4\n\nProse.")
    assert ("state/STAGING.md", 15, "a code fence opens here and is never closed") in {
        (p.path, p.line, p.sentence) for p in staging.text
    }


def test_conflict_markers_are_an_error_with_their_line(stage: Stage) -> None:
    with pytest.raises(WorkspaceError, match=r"state/STAGING\.md line 8: merge conflict markers; resolve them first"):
        stage(HEAD + "### A\n<<<<<<< HEAD\n")


def test_an_unreadable_staging_file_is_an_error(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "state/STAGING.md").mkdir(parents=True)
    with pytest.raises(WorkspaceError, match=r"state/STAGING\.md is a folder"):
        stage()


def test_a_draft_is_found_by_its_id_in_any_case(stage: Stage) -> None:
    staging = stage(HEAD + entry("Launch 3", body="Hello."))
    found = staging.find("LAUNCH-3")
    assert found is not None
    assert found.id == "launch-3"
    assert staging.find("launch") is None


# --- labels


@pytest.mark.parametrize(
    "label",
    ["**Status:** x", "**Status**: x", "**status** : x", "- **Status:** x", "* **Status**: x  ", "**Status：** x"],
)
def test_labels_as_people_spell_them(stage: Stage, label: str) -> None:
    assert only(stage(HEAD + entry("A", labels=f"{label}\n", body="Text."))).status == "x"


def test_labels_may_have_blank_lines_between_them(stage: Stage) -> None:
    draft = only(stage(HEAD + "### A\n\n**Created:** x\n\n**Status:** approved\n\n**Location:** a.md\n\nText.\n"))
    assert (draft.status, draft.path) == ("approved", "a.md")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ("pending", "pending"),
        ("PENDING", "pending"),
        ("pending-approval", "pending"),
        ("pending_review", "pending"),
        ("Awaiting approval", "pending"),
        ("✅ Approved", "approved"),
        ("**approved**", "approved"),
        ("DENIED", "rejected"),
        ("changes requested", "changes requested"),
        ("待发布", "待发布"),
        ("approved by Ana", "approved by ana"),
        ("", ""),
    ],
)
def test_status_words_are_compared_normalised(raw: str, status: str) -> None:
    assert normal_status(raw) == status


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("state/drafts/a.md", "state/drafts/a.md"),
        ("`state/drafts/a.md`", "state/drafts/a.md"),
        ("./a.md", "a.md"),
        ("[the text](notes/a.md)", "notes/a.md"),
        ("my notes/a.md", "my notes/a.md"),
    ],
)
def test_a_location_as_people_write_it(stage: Stage, raw: str, path: str) -> None:
    draft = only(stage(HEAD + entry("A", raw), {path: "x"}))
    assert (draft.path, draft.problem) == (path, None)


@pytest.mark.parametrize("raw", ["", "[none]", "inline", "below", "—", "``"])
def test_a_location_that_names_nothing_is_an_inline_draft(stage: Stage, raw: str) -> None:
    draft = only(stage(HEAD + entry("A", raw, "Text.")))
    assert (draft.origin, draft.path, draft.where) == ("inline", None, "state/STAGING.md")


# --- ids


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("a", True),
        ("2026-11-30-launch-post-3", True),
        ("a.b_c-d", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("A", False),
        ("", False),
        ("-rf", False),
        (".a", False),
        ("../../x", False),
        ("a/b", False),
        ("a b", False),
        ("é", False),
        ("a\n", False),
    ],
)
def test_ids(text: str, valid: bool) -> None:
    assert valid_id(text) is valid


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Mail to Bob about the invoice", "mail-to-bob-about-the-invoice"),
        ("  Élan & Co.!  ", "elan-co"),
        ("Launch thread 3 of 7", "launch-thread-3-of-7"),
        ("a" * 63 + " b", "a" * 63),
        ("../../x", "x"),
    ],
)
def test_slugs(heading: str, expected: str) -> None:
    assert slug(heading) == expected


def test_a_heading_without_latin_letters_gets_a_slug_of_its_own() -> None:
    assert slug("发布帖子").startswith("item-")
    assert valid_id(slug("发布帖子"))
    assert slug("发布帖子") != slug("发布帖")


@pytest.mark.parametrize(
    ("front", "identity"),
    [
        ("---\nid: other\n---\n", "other"),
        ("---\nid: OTHER\n---\n", "other"),
        ('---\ntitle: "x"\n"id": other\n---\n', "other"),
        ("---\nid: 2026\n---\n", "2026"),
        ("---\nid: null\n---\n", "a"),
        ("---\ntitle: x\n---\n", "a"),
        ("---\nmeta: {id: x}\n---\n", "a"),
        ("", "a"),
    ],
)
def test_the_id_is_that_of_the_front_matter_or_the_stem(stage: Stage, front: str, identity: str) -> None:
    draft = only(stage(HEAD + entry("Some heading", "state/drafts/A.md"), {"state/drafts/A.md": f"{front}Text.\n"}))
    assert (draft.id, draft.problem) == (identity, None)


def test_an_inline_draft_has_the_slug_of_its_heading(stage: Stage) -> None:
    assert only(stage(HEAD + entry("Reply to Idris", body="Dear Idris"))).id == "reply-to-idris"


@pytest.mark.parametrize("given", ["../../x", "-rf", "a b", '"a\\tb"', "[a]", "é", "a" * 65])
def test_an_id_that_cannot_be_used_blocks_its_draft(stage: Stage, given: str) -> None:
    draft = only(stage(HEAD + entry("A", "a.md"), {"a.md": f"---\nid: {given}\n---\nText.\n"}))
    assert valid_id(draft.id)
    assert draft.problem is not None
    assert "must be 1 to 64 of a-z, 0-9" in draft.problem.sentence
    assert draft.problem.path == "a.md"


def test_front_matter_that_cannot_be_read_blocks_its_draft_where_the_id_may_be(stage: Stage) -> None:
    draft = only(stage(HEAD + entry("A", "a.md"), {"a.md": "---\ntitle: x\nid: a\nid: b\n---\nText.\n"}))
    assert (draft.id, str(draft.problem)) == ("a", "a.md line 4: `id` stands here twice")


def test_the_same_id_twice_blocks_both(stage: Stage) -> None:
    staging = stage(
        HEAD + entry("One", "one.md") + entry("Two", "two.md") + entry("Three", "three.md"),
        {"one.md": "---\nid: same\n---\n1\n", "two.md": "---\nid: Same\n---\n2\n", "three.md": "3\n"},
    )
    assert sentences(staging) == [
        (
            "same",
            "state/STAGING.md line 7: the id same is also used by the entry on line 12 of state/STAGING.md; "
            "give one of them another id",
        ),
        (
            "same",
            "state/STAGING.md line 12: the id same is also used by the entry on line 7 of state/STAGING.md; "
            "give one of them another id",
        ),
        ("three", None),
    ]


def test_a_case_twin_blocks_both(stage: Stage) -> None:
    staging = stage(
        HEAD + entry("One", "state/drafts/post.md"), {"state/drafts/post.md": "1", "state/drafts/POST.md": "2"}
    )
    assert len(staging.drafts) == 2
    assert {(d.id, d.origin, d.problem is not None) for d in staging.drafts} == {
        ("post", "file", True),
        ("post", "unlisted", True),
    }


def test_three_of_one_id_are_all_blocked(stage: Stage) -> None:
    staging = stage(HEAD + entry("Post", body="1") + entry("post", body="2") + entry("POST!", body="3"))
    assert [(d.id, d.problem is not None) for d in staging.drafts] == [("post", True)] * 3


def test_one_file_listed_twice_blocks_both(stage: Stage) -> None:
    staging = stage(HEAD + entry("One", "a.md") + entry("Two", "a.md"), {"a.md": "x"})
    assert [draft.problem is not None for draft in staging.drafts] == [True, True]


# --- where a location leads


@pytest.mark.parametrize("location", ["../out.md", "state/../../out.md", "link.md", "folder/out.md"])
def test_a_location_that_leaves_the_workspace_is_an_error(stage: Stage, tmp_path: Path, location: str) -> None:
    root = tmp_path / "root"
    (root / "state").mkdir(parents=True)
    (tmp_path / "out.md").write_text("secret")
    (root / "link.md").symlink_to("../out.md")
    (root / "folder").symlink_to(tmp_path)
    (root / "state/STAGING.md").write_text(HEAD + entry("A", location))
    draft = only(read_staging(root))
    assert str(draft.problem) == f"state/STAGING.md line 9: {location} leads out of the workspace"
    assert draft.data == b""


@pytest.mark.parametrize("location", ["/etc/passwd", "~/out.md", "a\0b.md"])
def test_a_location_that_is_not_relative_is_an_error(stage: Stage, location: str) -> None:
    draft = only(stage(HEAD + entry("A", location)))
    assert str(draft.problem) == f"state/STAGING.md line 9: {location!r} is not a path relative to the workspace"


def test_a_link_that_stays_inside_is_followed(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to("notes.md")
    draft = only(stage(HEAD + entry("A", "link.md"), {"notes.md": "x"}))
    assert (draft.id, draft.data, draft.problem) == ("link", b"x", None)


def test_a_missing_file_is_an_error_on_its_entry(stage: Stage) -> None:
    staging = stage(HEAD + entry("A", "state/drafts/a.md") + entry("B", body="Text."))
    assert sentences(staging) == [
        ("a", "state/STAGING.md line 9: Location state/drafts/a.md does not exist"),
        ("b", None),
    ]


def test_a_folder_in_place_of_a_file_is_an_error(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "state/drafts/b.md").mkdir(parents=True)
    (tmp_path / "a.md").mkdir()
    assert sentences(stage(HEAD + entry("A", "a.md"))) == [
        ("a", "state/STAGING.md line 9: a.md is a folder, where a file should be: move it away"),
        ("b", "state/drafts/b.md line 1: state/drafts/b.md is a folder, where a file should be: move it away"),
    ]


def test_a_loop_of_links_is_an_error(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("a.md")
    draft = only(stage(HEAD + entry("A", "a.md")))
    assert draft.problem is not None
    assert draft.problem.sentence.startswith("a.md cannot be read")


# --- files that nobody lists


def test_files_that_staging_does_not_list_are_drafts_too(stage: Stage) -> None:
    written: dict[str, str | bytes] = {
        "state/drafts/b.md": "---\nid: other\n---\nText.\n",
        "state/drafts/a.md": "listed",
        "state/drafts/.hidden.md": "x",
        "state/drafts/image.png": b"x",
        "state/drafts/deep/c.md": "x",
    }
    staging = stage(HEAD + entry("A", "./state/drafts/a.md"), written)
    assert [(d.id, d.title, d.origin, d.path, d.status) for d in staging.drafts] == [
        ("a", "A", "file", "state/drafts/a.md", "pending"),
        ("other", "b", "unlisted", "state/drafts/b.md", ""),
    ]


def test_an_unlisted_link_out_of_the_workspace_is_blocked(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "state/drafts").mkdir(parents=True)
    (tmp_path / "out.md").write_text("secret")
    (root / "state/drafts/a.md").symlink_to(tmp_path / "out.md")
    draft = only(read_staging(root))
    assert str(draft.problem) == "state/drafts/a.md line 1: state/drafts/a.md leads out of the workspace"
    assert draft.data == b""


def test_a_file_in_place_of_the_folder_of_drafts_is_an_error(stage: Stage) -> None:
    with pytest.raises(WorkspaceError, match=r"state/drafts cannot be listed \(Not a directory\)"):
        stage(None, {"state/drafts": "x"})


def test_a_name_that_is_no_utf_8_is_a_draft_all_the_same(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "state/drafts").mkdir(parents=True)
    name = os.fsdecode(b"state/drafts/a\xff.md")
    try:
        (tmp_path / name).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    draft = only(stage())
    assert draft.data == b"x"
    assert draft.problem is not None
    assert valid_id(draft.id)


# --- which bytes a yes is for


def test_the_bytes_of_a_file_are_all_of_them(stage: Stage) -> None:
    data = b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\nHello \xff\r\n\r\n"
    draft = only(stage(HEAD + entry("A", "a.md"), {"a.md": data}))
    assert draft.data == data
    assert draft.body == b"Hello \xff\r\n\r\n"


def test_the_bytes_of_an_inline_draft_are_its_heading_and_body() -> None:
    assert inline(entry("A", body="Dear Idris,\n\n  yours  \n\n\n")) == b"### A\nDear Idris,\n\n  yours  "
    assert inline("### A\n**Status:** pending\n") == b"### A\n"


def test_the_body_of_an_inline_draft_is_its_text(stage: Stage) -> None:
    assert only(stage(HEAD + entry("A", body="Dear Idris,\nyes.\n"))).body == b"Dear Idris,\nyes."


@pytest.mark.parametrize(
    "labels",
    [
        "",
        "**Created:** 2026-02-05\n",
        "**Status:** approved\n",
        "**Status**: rejected\n",
        "**Status:** changes requested\n**Note:** shorter\n",
        "**Location:** inline\n",
        "\n**Created:** x\n\n**Status:** y\n",
    ],
)
def test_changing_what_staging_shows_leaves_the_bytes_of_an_inline_draft(labels: str) -> None:
    assert inline(entry("A", body="Text.", labels=labels)) == b"### A\nText."


def test_other_entries_leave_the_bytes_of_an_inline_draft() -> None:
    text = (
        HEAD + entry("Before", "b.md") + entry("A", body="Text.\n\n- one") + entry("After", body="More.") + "## Old\n"
    )
    document = parse("state/STAGING.md", text.encode())
    found = {e.name: inline_bytes(document, e) for e in entries(document)[0]}
    assert found["A"] == inline(entry("A", body="Text.\n\n- one")) == b"### A\nText.\n\n- one"
    assert found["After"] == b"### After\nMore."


@pytest.mark.parametrize("changed", ["### B\n**Status:** pending\n\nText.\n", entry("A", body="Text!")])
def test_changing_heading_or_body_changes_the_bytes(changed: str) -> None:
    assert inline(changed) != inline(entry("A", body="Text."))


@pytest.mark.parametrize("label", ["**To:** ana@example.org", "- **Channel:** X", "**Subject:** Wire 500 EUR"])
def test_a_label_that_staging_does_not_show_is_part_of_the_bytes(label: str) -> None:
    """Else a recipient could be changed after the yes."""
    text = f"### A\n**Created:** x\n{label}\n**Status:** pending\n\nText.\n"
    assert inline(text) == f"### A\n{label}\nText.".encode()
    assert inline(text.replace("pending", "approved")) == inline(text)


def test_a_second_label_of_the_same_name_is_part_of_the_bytes() -> None:
    assert inline("### A\n**Note:** shorter\n\n**Note:** wire 500 EUR\n") == b"### A\n**Note:** wire 500 EUR"


def test_deeper_headings_stay_in_the_body_of_an_inline_draft() -> None:
    body = "Intro.\n\n#### First\n\none\n\n##### Example\n\ntwo\n\n#### Last"
    text = entry("A", body=body) + entry("B", body="More.")
    document = parse("state/STAGING.md", (HEAD + text).encode())
    found, rest = entries(document)
    assert [e.name for e in found] == ["A", "B"]
    assert rest == []
    assert inline_bytes(document, found[0]) == f"### A\n{body}".encode()


def test_fences_and_comments_stay_in_the_body_of_an_inline_draft() -> None:
    body = "```\n### not a heading\n**Status:** approved\n```\n<!-- hidden -->\nend"
    assert inline(entry("A", body=body)) == f"### A\n{body}".encode()


@pytest.mark.parametrize("footer", ["---\n", "---\n*Updated: 2026-02-05*\n", "\n---\n\n_by Pip_\n\n"])
def test_a_footer_is_no_part_of_the_last_entry(footer: str) -> None:
    assert inline(entry("A", body="Text.") + footer) == b"### A\nText."


def test_a_rule_inside_an_entry_is_part_of_it() -> None:
    assert inline(entry("A", body="One.\n\n---\n\nTwo.")) == b"### A\nOne.\n\n---\n\nTwo."


def test_the_line_ends_of_the_body_are_kept() -> None:
    text = entry("A", body="One.\n\nTwo.").replace("\n", "\r\n")
    assert inline(text) == b"### A\nOne.\r\n\r\nTwo."


def test_an_entry_knows_where_its_label_block_and_it_end() -> None:
    text = HEAD + entry("A", body="Text.")
    document = parse("state/STAGING.md", text.encode())
    (found,), _ = entries(document)
    assert document.data[: found.label_stop].endswith(b"**Status:** pending\n")
    assert document.data[: found.stop].endswith(b"Text.\n")


# --- front matter


def test_facts_and_lane_of_the_front_matter(stage: Stage) -> None:
    front = "---\nkind: post\npart: 3/7\ncount: 3\ntags: [a]\nempty: null\nschedule: {lane: social/main}\n---\nText.\n"
    draft = only(stage(HEAD + entry("A", "a.md"), {"a.md": front}))
    assert [draft.fact(name) for name in ("kind", "part", "count", "tags", "empty", "missing")] == [
        "post", "3/7", "3", None, None, None,
    ]  # fmt: skip
    assert draft.lane == "social/main"


def test_an_inline_draft_has_no_front_matter(stage: Stage) -> None:
    draft = only(stage(HEAD + entry("A", body="---\nkind: post\n---\nText.")))
    assert (draft.fact("kind"), draft.lane) == (None, None)


def test_front_matter_that_cannot_be_read_is_an_error_when_asked_for(stage: Stage) -> None:
    draft = only(stage(HEAD + entry("A", "a.md"), {"a.md": "---\nkind: x\nkind: y\n---\n"}))
    assert draft.problem is None
    with pytest.raises(FrontMatterError, match="`kind` stands here twice"):
        draft.fact("kind")


@pytest.mark.parametrize(
    ("front", "over"),
    [("status: draft", False), ("status: pending_approval", False), ("status: banked", False),
     ("status: Published", True), ("status: rejected", True), ("platform: x", False), ("status: 已发布", True)],
)  # fmt: skip
def test_a_file_s_own_status_says_whether_it_is_past(stage: Stage, tmp_path: Path, front: str, over: bool) -> None:
    folder = tmp_path / "state/drafts"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text(f"---\n{front}\n---\nText.\n", "utf-8")
    (draft,) = stage(HEAD).drafts
    assert draft.over is over


def test_a_folder_that_says_another_state_is_a_conflict(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "Rejected").mkdir()
    (tmp_path / "Rejected/a.md").write_text("---\nstatus: pending_approval\n---\nText.\n", "utf-8")
    (draft,) = stage(HEAD + "### A\n**Location:** Rejected/a.md\n").drafts
    assert draft.folder_conflict == "its folder is named Rejected, and nothing in it says that it is past"
    (tmp_path / "Rejected/a.md").write_text("---\nstatus: rejected\n---\nText.\n", "utf-8")
    (draft,) = stage(HEAD + "### A\n**Location:** Rejected/a.md\n").drafts
    assert (draft.over, draft.folder_conflict) == (True, None)
