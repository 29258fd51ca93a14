"""For any front matter: it is read strictly or refused with a line of its own, and never half read."""

import json
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.workspace.document import split_lines
from dory_tui.workspace.frontmatter import FrontMatterError, load, mentions_id, quick_id, split

keys = st.sampled_from(["id", "title", "kind", "part", "action", "a b", "é", "0"])
plain_text = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"], exclude_characters="\u2028\u2029\ufeff")
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(10**18) + 1, 10**18 - 1), plain_text)
values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(plain_text, inner, max_size=3))
)
# Pieces of lines that YAML gives a meaning to.
PIECES = (
    "id: a", "id: b", "id: null", '"id": a', "id: 'a'", "id: a # c", "id: a#c", "id:", "id", "a: 1", "b: no", "- x",
    "  - y", "  c: d", "  id: e", "? k", "'q", '"w', '"', "'", "[", "]", "{", "}", "a: |", "a: >-", "  text", "\t",
    "# c", "&a", "*a", "!t", "<<: x", "--- x", "%d", "a: b: c", ": ", ", ", "é", "\ufeff", "\u2028", "\x85", "\x07",
    "\\", "\\\"", "", "@",
)  # fmt: skip
odd_lines = st.lists(st.lists(st.sampled_from(PIECES), max_size=3).map("".join), max_size=6)
line_ends = st.sampled_from(["\n", "\r\n", "\r"])


def front(lines: list[str], end: str = "\n") -> bytes:
    return end.join(["---", *lines, "---", "body"]).encode()


def refusal(data: bytes) -> FrontMatterError | None:
    """The error that front matter is refused with; None when it is read."""
    try:
        load(data)
    except FrontMatterError as error:
        return error
    return None


def same(found: object, given: object) -> bool:
    """Equal, and a boolean is no integer."""
    return json.dumps(found, sort_keys=True) == json.dumps(given, sort_keys=True)


@given(st.dictionaries(keys, values, max_size=5), line_ends)
def test_what_is_written_as_json_is_read_back(written: dict[str, Any], end: str) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in written.items()]
    found = load(front(lines, end))
    assert same(dict(found.values), written)
    assert [found.line(key) for key in written] == list(range(2, 2 + len(written)))


@given(st.dictionaries(keys, scalars, min_size=1, max_size=5), st.data())
def test_a_key_that_stands_twice_is_refused_on_its_second_line(written: dict[str, Any], data: st.DataObject) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in written.items()]
    again = data.draw(st.sampled_from(sorted(written)))
    place = data.draw(st.integers(list(written).index(again) + 1, len(lines)))
    lines.insert(place, f"{json.dumps(again)}: 1")
    error = refusal(front(lines))
    assert error is not None
    assert (error.line, str(error)) == (place + 2, f"`{again}` stands here twice")


@given(odd_lines, line_ends)
def test_anything_is_read_or_refused_with_a_line_of_the_front_matter(lines: list[str], end: str) -> None:
    data = front(lines, end)
    yaml_bytes, body = split(data)
    assert yaml_bytes is not None
    assert body.endswith(b"body")
    error = refusal(data)
    stand = [error.line] if error else list(load(data).lines.values())
    assert all(2 <= line <= len(lines) + 2 for line in stand)


@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for whole in (data, b"---\n" + data + b"\n---\n"):
        yaml_bytes, body = split(whole)
        assert whole.endswith(body)
        assert (yaml_bytes is None) == (body == whole)
        quick_id(whole)
        mentions_id(whole)
        error = refusal(whole)
        assert error is None or 1 <= error.line <= len(split_lines(whole))


@given(odd_lines, line_ends)
def test_the_quick_id_is_the_one_that_the_parser_reads(lines: list[str], end: str) -> None:
    data = front(lines, end)
    quick = quick_id(data)
    if refusal(data) is not None:
        return
    read = load(data).values.get("id")
    assert quick is None or str(read) == quick
    assert read is None or mentions_id(data)


@given(odd_lines)
def test_what_is_read_is_what_the_stock_loader_reads_but_for_types(lines: list[str]) -> None:
    """Strictness takes readings away, and types; it never reads another text than YAML does."""
    data = front(lines)
    if refusal(data) is not None:
        return
    stock = yaml.load(split(data)[0] or b"", Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    assert as_text(dict(load(data).values)) == as_text(stock or {})


def as_text(value: object) -> object:
    """Values without types: null in all of its spellings is no text."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    if value is None or value in ("null", "~"):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
