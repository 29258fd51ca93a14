"""Front matter is read strictly: what would deceive is an error, and the error names its line."""

from typing import Any

import pytest

from dory_tui.workspace.frontmatter import FrontMatterError, load, mentions_id, quick_id, split


def front(text: str | bytes) -> bytes:
    return b"---\n" + (text if isinstance(text, bytes) else text.encode()) + b"\n---\nbody\n"


def refused(text: str | bytes) -> tuple[int, str]:
    """Line and sentence of the error."""
    with pytest.raises(FrontMatterError) as caught:
        load(front(text))
    return caught.value.line, str(caught.value)


def values(text: str) -> dict[str, Any]:
    return dict(load(front(text)).values)


# --- where it stands


@pytest.mark.parametrize(
    ("data", "yaml", "body"),
    [
        (b"---\na: 1\n---\nbody\n", b"a: 1\n", b"body\n"),
        (b"---\na: 1\n...\nbody", b"a: 1\n", b"body"),
        (b"---\n---\n", b"", b""),
        (b"---\r\na: 1\r\n---\r\nbody\r\n", b"a: 1\r\n", b"body\r\n"),
        (b"---\ra: 1\r---\rbody", b"a: 1\r", b"body"),
        (b"\xef\xbb\xbf---\na: 1\n---\nbody", b"a: 1\n", b"body"),
        (b"---  \na: 1\n--- \nbody\n---\n", b"a: 1\n", b"body\n---\n"),
        (b"---\na: \xff\n---\n\xff", b"a: \xff\n", b"\xff"),
        (b"---\na: 1\n", None, b"---\na: 1\n"),
        (b"\n---\na: 1\n---\n", None, b"\n---\na: 1\n---\n"),
        (b"----\na: 1\n---\n", None, b"----\na: 1\n---\n"),
        (b" ---\na: 1\n---\n", None, b" ---\na: 1\n---\n"),
        (b"body", None, b"body"),
        (b"", None, b""),
    ],
)
def test_split(data: bytes, yaml: bytes | None, body: bytes) -> None:
    assert split(data) == (yaml, body)


# --- what values are


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("True", "True"),
        ("12:30", "12:30"),
        ("0o7", "0o7"),
        ("010", "010"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("1.5", "1.5"),
        ("1e3", "1e3"),
        (".inf", ".inf"),
        ("2026-01-05", "2026-01-05"),
        ("2026-12-01T09:00:00-05:00", "2026-12-01T09:00:00-05:00"),
        ("٣", "٣"),
        ("1٣", "1٣"),
        ("+1", "+1"),
        ("1" * 19, "1" * 19),
        ("=", "="),
        ("a b", "a b"),
        ('"null"', "null"),
        ("'7'", "7"),
        ('"true"', "true"),
        ("|\n  one\n  two", "one\ntwo\n"),
        (">\n  7", "7\n"),
        ("null", None),
        ("~", None),
        ("", None),
        ("true", True),
        ("false", False),
        ("7", 7),
        ("0", 0),
        ("-3", -3),
        ("[a, 1, null]", ["a", 1, None]),
        ("{x: 1, y: no}", {"x": 1, "y": "no"}),
        ("\n  - a\n  - b: 2", ["a", {"b": 2}]),
    ],
)
def test_only_null_booleans_and_plain_integers_are_more_than_text(raw: str, value: object) -> None:
    found = values(f"a: {raw}")["a"]
    assert (type(found), found) == (type(value), value)


def test_no_front_matter_and_an_empty_one_have_no_values() -> None:
    for data in (b"body", b"", b"---\n---\n", front("# only a comment"), front("null")):
        assert load(data).values == {}


def test_each_value_knows_its_line() -> None:
    found = load(front("id: a\n\naction:\n  argv:\n    - one\n    - two\n  env: {LANG: C}\nlast: x"))
    assert found.line("id") == 2
    assert found.line("action") == 4
    assert found.line("action", "argv") == 5
    assert found.line("action", "argv", 1) == 7
    assert found.line("action", "env", "LANG") == 8
    assert found.line("action", "missing", "deeper") == 4
    assert found.line("last") == 9
    assert load(b"body").line("id") == 1


# --- what is refused


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("a: 1\nb: 2\na: 3", 4, "`a` stands here twice"),
        ('a: 1\n"a": 2', 3, "`a` stands here twice"),
        ("a:\n  b: 1\n  b: 2", 4, "`b` stands here twice"),
        ("a:\n  - x: 1\n    x: 2", 4, "`x` stands here twice"),
        ("a: {x: 1,\n  x: 2}", 3, "`x` stands here twice"),
        ("a: 1\nb: &x y", 3, "anchors and aliases (& and *) are not allowed here"),
        ("a: 1\nb: &x\n  c: 1", 3, "anchors and aliases (& and *) are not allowed here"),
        ("a: 1\n&k b: 1", 3, "anchors and aliases (& and *) are not allowed here"),
        ("a: 1\nb: *x", 3, "anchors and aliases (& and *) are not allowed here"),
        ("&x a: 1\nb: [1,\n  *x]", 2, "anchors and aliases (& and *) are not allowed here"),
        ("a: 1\nb: !!str y", 3, "tags such as tag:yaml.org,2002:str are not allowed here"),
        ("a: 1\nb: !x y", 3, "tags such as !x are not allowed here"),
        ("a: 1\nb: !!python/object/apply:os.system [x]", 3, "tags such as tag:yaml.org,2002:python/object/"),
        ("a: 1\n<<: {b: 1}", 3, "merge keys (<<) are not allowed here"),
        ("a: 1\n? [b]\n: 2", 3, "a key must be plain text"),
        ("a: 1\n*x : 2", 3, "a key must be plain text"),
        ("a: 1\n{{b}}: 2", 3, "a key must be plain text"),
        ("a: 1\n--- # more\nb: 1", 3, "a second YAML document starts here"),
        ("a: 1\n--- b", 3, "a second YAML document starts here"),
        ("- a\n- b", 2, "front matter must be `key: value` lines"),
        ("just words", 2, "front matter must be `key: value` lines"),
        ("a: 1\nb: x: y", 3, "this is not valid YAML (mapping values are not allowed here)"),
        ("a: 1\n\tb: x", 3, "this is not valid YAML (found character '\\t' that cannot start any token)"),
        ("a: 1\nb: [1", 3, "this is not valid YAML (expected ',' or ']', but got '<stream end>')"),
        ("a: 1\nb: 2\nc: x\0y", 4, "this is not valid YAML (special characters are not allowed)"),
        ("a: 1\rb: 2\r\nc: \x07", 4, "this is not valid YAML (special characters are not allowed)"),
        ("a: 1\nb: x\u2028c: 2", 3, "U+2028 is not allowed here: nobody sees it, and YAML gives it a meaning"),
        ("a: 1\nb: x\u2029c: 2", 3, "U+2029 is not allowed here: nobody sees it, and YAML gives it a meaning"),
        ("a: 1\nb: x\x85c: 2", 3, "U+0085 is not allowed here: nobody sees it, and YAML gives it a meaning"),
        ("a: 1\n\ufeffb: 2", 3, "U+FEFF is not allowed here: nobody sees it, and YAML gives it a meaning"),
        ('a: 1\nb: "\\ud83d\\ude00"', 3, "U+D83D is half of a character: write the character itself"),
        ('a: 1\n"\\udcff": 2', 3, "U+DCFF is half of a character: write the character itself"),
        (b"a: 1\nb: \xff", 3, "this front matter is not valid UTF-8"),
        (b"a: 1\rb: 2\rc: \xed\xa0\x80", 4, "this front matter is not valid UTF-8"),
        ("a: 1\nb: " + "[" * 33 + "]" * 33, 3, "this is nested more than 32 levels deep"),
        ("a: 1\n" + "- " * 5000 + "b", 3, "this is not valid YAML"),
        ("\n".join(" " * n + "a:" for n in range(200)), 34, "this is nested more than 32 levels deep"),
        ("[" * 60_000, 2, "this is nested more than 32 levels deep"),
        ("a: " + "x" * 70_000, 2, "front matter may be at most 65536 bytes long"),
    ],
)
def test_what_is_refused_and_where(text: str | bytes, line: int, sentence: str) -> None:
    found = refused(text)
    assert found[0] == line
    assert found[1].startswith(sentence)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    with pytest.raises(FrontMatterError) as caught:
        load(end.join(["---", "a: 1", "", "a: 2", "---", ""]).encode())
    assert caught.value.line == 4


def test_thirty_two_levels_are_read() -> None:
    assert values("b: " + "[" * 31 + "]" * 31)["b"] == eval("[" * 31 + "]" * 31)  # the same brackets


# --- the id without a YAML parser


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id: abc", "abc"),
        ("id:   abc  # a comment", "abc"),
        ('title: x\nid: "abc"\nkind: y', "abc"),
        ("id: 'abc'", "abc"),
        ("id: 2026-11-30-launch-post-3\ntitle: Launch thread 3 of 7", "2026-11-30-launch-post-3"),
        ("id: ABC", "ABC"),
        ("title: Bob's and Ana's\nid: abc", "abc"),
    ],
)
def test_a_plain_id_is_read_without_a_parser(text: str, found: str) -> None:
    assert quick_id(front(text)) == found
    assert values(text)["id"] == found


@pytest.mark.parametrize(
    "text",
    [
        "title: x",
        "id: null",
        "id:",
        "id: a#b",
        "id: a\n  b",
        "id: a\n\n  b",
        "id: [a]",
        "id: |\n  a",
        "id: a: b",
        'id: "a',
        "id: 'a\"",
        "id: a\nid: b",
        'id: a\n"id": b',
        "id: a\n? id\n: b",
        " id: a",
        'title: "x\nid: evil\n"',
        "title: 'x\nid: evil\n'",
        'title: "x \\" y\nid: evil\n"',
        "{a: {\nid: x\n}}",
        "a: [\nid: x\n]",
        "id: é",
        "id: a" + " " * 100_000 + "b",
    ],
)
def test_what_takes_a_parser_is_left_to_it(text: str) -> None:
    assert quick_id(front(text)) is None


def test_without_front_matter_there_is_no_id() -> None:
    assert quick_id(b"id: a\n") is None
    assert not mentions_id(b"id: a\n")


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("title: x\nid: y", True),
        ('"id": y', True),
        ("meta: {id: y}", True),
        ("!!str id: y", True),
        ("title: an id that is none", False),
        ("valid: true", False),
        ("identity: x", False),
    ],
)
def test_whether_an_id_may_be_there(text: str, mentioned: bool) -> None:
    assert mentions_id(front(text)) is mentioned
