"""OpenClaw's configuration in any hand: dory's entries go in and come out, and everything else says what it said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dory_tui.agent.hooks import openclaw_config
from dory_tui.platforms import json5, jsonc
from dory_tui.platforms.jsonc import Edited

FILE, FOLDER = Path("openclaw.json"), "/state/openclaw-plugin"
WANTED = openclaw_config.wanted(Path("/bin/dory-agent"), Path("/ws"))
NAMES = st.sampled_from(["a", "$b", "canvas", "gateway", "x_1"])
SCALARS = st.sampled_from(["1", "-0x1f", ".5", "Infinity", "true", "null", "'it\\'s'", '"// no remark"', "'\\u00e4'"])


GAPS = st.sampled_from(["", " ", "\n", "\n  ", "\n\t", " /* a */ ", " // b\n", "\r\n    "])


def as_text(draw: st.DrawFn, what: Any) -> str:
    """A dict and a list as a person may write them; a text is JSON5 already."""
    if isinstance(what, str):
        return what
    open_, close = "{}" if isinstance(what, dict) else "[]"
    parts = []
    for item in what:
        before = ""
        if isinstance(what, dict):
            before = draw(st.sampled_from([item, f"'{item}'", json.dumps(item)])) + draw(st.sampled_from([":", " : "]))
        inner = as_text(draw, what[item] if isinstance(what, dict) else item)
        parts.append(f"{draw(GAPS)}{before}{inner}{draw(GAPS)}")
    trailing = draw(st.sampled_from(["", ","])) if parts else ""
    return f"{open_}{','.join(parts)}{trailing}{draw(GAPS)}{close}"


MAPS = st.dictionaries(NAMES, SCALARS, max_size=3)
LISTS = st.lists(st.sampled_from(["'/a'", '"/b"', "'canvas'"]), max_size=2)
PLUGINS = st.fixed_dictionaries(
    {}, optional={"load": st.fixed_dictionaries({}, optional={"paths": LISTS}), "entries": MAPS, "allow": LISTS}
)
CONFIGURATIONS = st.builds(
    lambda before, plugins, after: {**before, **plugins, **{f"{name}2": value for name, value in after.items()}},
    MAPS,
    st.fixed_dictionaries({}, optional={"plugins": PLUGINS}),
    MAPS,
)


@st.composite
def written(draw: st.DrawFn) -> str:
    return as_text(draw, draw(CONFIGURATIONS))


def said(text: str) -> Any:
    return json5.read(text).root.plain


def pruned(value: Any) -> Any:
    """Without what is empty."""
    if isinstance(value, dict):
        return {name: left for name, inner in value.items() if (left := pruned(inner)) not in ({}, [])}
    return value


@given(written())
def test_entries_go_in_and_come_out(text: str) -> None:
    before = said(text)
    edited = Edited(text)
    openclaw_config.add(FILE, edited, FOLDER, WANTED)
    assert jsonc.cut(edited.text, edited.added) == text
    values = said(edited.text)
    assert openclaw_config.stands(values, FOLDER, WANTED)
    left = edited.text
    while chain := openclaw_config.own(json5.read(left).root, FOLDER):
        left = jsonc.cut(left, openclaw_config.emptied(left, chain))
    assert pruned(said(left)) == pruned(before)
