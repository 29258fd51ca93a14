"""Whatever `plain_yaml` reads, the YAML parser reads just so; what the parser refuses, it leaves to the parser."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dory_tui.workspace import plain_yaml
from dory_tui.workspace.frontmatter import FrontMatterError, _parse_fully, _word
from tests.property.test_frontmatter import odd_lines

KEYS = ["id", "title", "action", "argv", "env", "a-b", "_x", "null", "true", "y"]
VALUES = [
    "a", "a b", "12", "-5", "007", "1.5", "12:30", "2026-11-30T09:00:00+01:00", "no", "null", "~", "~/x", "true", "a#b",
    "a: b", "a:", "a:b", ":a", "#a", "a #b", "/bin/cat", "./x", "--flag", "-f", "- a", "-", "'q'", "'it''s'", '"q"',
    '"a\\nb"', '"a: b # c"', "'a' b", '"a', "[]", "[ ]", '["/bin/cat", "-n"]', "[a, b]", "[a, [b]]", "[a,b , 'c']",
    "[a", "[1, null, true]", "[-1, -x]", "[a:b]", '["a" b]', "[,]", "[a,]", "{}", "{a: b}", "|", ">-", "&a", "*a", "!t",
    "%", "@a", "`a`", "é", "—", "日本", "a, b", "a]", "a}", "a | b", "a & b", "...", "---", "<<", "=", "(a)", "_", "+1",
    ".5", "a\u00a0b", "a\u200bb", "a\tb", "a ", "a'", 'a"', "x" * 200,
    '{"a": 1, "b": [true, null, 1.5, -0, 1e5]}', '{"a":1}', '{"a": 1, "a": 2}', '{"<<": 1}', '"\\u00e9"', '"\\ud83d"',
    '"a \\"b\\" \\n\\t\\\\"', '"\\/"', '["a\\"b", {"c": "d: e # f"}]', "[NaN]", "[Infinity]", '{"": 1}', '"\\b"',
    "{1: 2}",
    '{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}', "[[[[[[[[[[1]]]]]]]]]]", "123456789012345678901",
    "[123456789012345678901]", '["a",]', '["a" , "b"]', '{"a" : "b"}', '"a" # c', '"a" b', '["a"] # c',
]  # fmt: skip
lines = st.builds(
    lambda indent, key, value: " " * indent + key + value,
    st.sampled_from([0, 0, 0, 0, 2, 2, 4, 1, 3]),
    st.one_of(st.sampled_from(KEYS).map(lambda key: f"{key}:"), st.sampled_from(["- ", "-", "  ", "? ", "# "])),
    st.one_of(st.just(""), st.sampled_from(VALUES).map(lambda value: f" {value}"), st.sampled_from(VALUES)),
)
texts = st.builds(
    lambda rows, end: end.join([*rows, ""]),
    st.lists(st.one_of(lines, st.sampled_from(["", " ", "   "])), max_size=7),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
)


def same_as_the_parser(text: str) -> bool:
    """Whether the text was read here, and then as the parser reads it."""
    quick = plain_yaml.read(text, _word)
    if quick is None:
        return False
    full = _parse_fully(text)  # which must not refuse it
    assert json.dumps(quick[0]) == json.dumps(full.values)  # in this order, and a boolean is no integer
    assert quick[1] == full.lines
    return True


@settings(max_examples=1000)
@given(texts)
@example("a:\n- x\n- y\nb: c\n")
@example("a:\n  b:\n    - x\n  c: 1\n")
@example(" a: 1\n b: 2\n")
@example("a:\n\n  b: 1\n \nc:\n")
def test_lines_of_keys_and_values(text: str) -> None:
    same_as_the_parser(text)


@settings(max_examples=300)
@given(odd_lines, st.sampled_from(["\n", "\r\n", "\r"]))
def test_odd_lines(rows: list[str], end: str) -> None:
    same_as_the_parser(end.join([*rows, ""]))


@given(st.text(st.sampled_from("ab1-:#'\"[]{},&*!|>%@~? \n\t."), max_size=30))
def test_any_signs(text: str) -> None:
    same_as_the_parser(f"k: {text}\n")


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)


@given(json_values, st.booleans(), st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
def test_json_on_one_line(value: object, escaped: bool, separators: tuple[str, str]) -> None:
    text = f"k: {json.dumps(value, ensure_ascii=escaped, separators=separators)}\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    same_as_the_parser(text)


USUAL = (
    'id: a\naction: {"argv": ["/bin/sh", "-c", "echo \\"$DORY_ID\\" >> \\"$0\\"", "/tmp/x"]}\n'
    'schedule: {"lane": "mail"}\n',
    'id: launch-1\ntitle: Launch thread 1 of 7\nkind: post\npart: 1/7\naction:\n  argv: ["/bin/cat", "-n"]\n'
    "  stdin: body\n  env:\n    LANG: C.UTF-8\nschedule:\n  lane: social/main\n"
    "  not_before: 2026-11-30T09:00:00+01:00\n",
    "id: 'a'\nscores:\n  durability: 2\n  impact: 3\nsource: memory/2026-11-29.md#L12\n",
    'id: a\nattachments:\n  - pictures/one.png\n  - "two words.png"\n\nexpires: null\n',
    "id: a\naction:\n  argv:\n  - /bin/echo\n  - it costs 5\n  timeout_s: 60\n",
)


@pytest.mark.parametrize("text", USUAL)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_usually_written_takes_no_parser(text: str, end: str) -> None:
    assert same_as_the_parser(text.replace("\n", end))


@pytest.mark.parametrize(
    "text", ["", "a: 1\na: 2\n", "<<: x\n", "a: &b c\n", "- a\n", "a: [\n", "a: !t b\n", "a: b: c\n"]
)
def test_what_is_refused_is_left_to_the_parser(text: str) -> None:
    assert plain_yaml.read(text, _word) is None
    if text:
        with pytest.raises(FrontMatterError):
            _parse_fully(text)
