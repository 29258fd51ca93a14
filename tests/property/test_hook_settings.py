"""Settings files with comments and odd forms: dory's hooks go in and come out, and nothing else changes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dory_tui.agent.hooks.install import apply, forget
from dory_tui.agent.hooks.plans import Platform, Where
from dory_tui.agent.hooks.platforms import PLATFORMS
from dory_tui.platforms import jsonc
from dory_tui.platforms.jsonc import JsoncError

_BLANKS = (
    "", "", " ", "\n", "\n  ", "\r\n", "\r\n\t", " // it's {a}, [b]\n", "/* , */", "\n  /* }\n ] */ ", "  \n\n   ",
    "//\n", "// x\r\n",
)  # fmt: skip
_texts = st.sampled_from(["a", 'é " // no', "漢", "/* no */", "\n"])
_scalar = st.one_of(_texts, st.integers(-9, 9), st.floats(-9, 9), st.booleans(), st.none())
_value = st.recursive(
    _scalar,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_texts, inner, max_size=3)),
    max_leaves=5,
)
_entry = st.fixed_dictionaries(
    {"matcher": st.just("Bash"), "hooks": st.lists(st.just({"type": "command", "command": "say hi"}), max_size=2)}
)
_hooks = st.dictionaries(st.sampled_from(["PreToolUse", "stop", "Stop", "X"]), st.lists(_entry, max_size=2), max_size=3)
_root = st.fixed_dictionaries({}, optional={"model": _value, "hooks": _hooks, "version": st.just(1), "z": _value})
_choices = st.randoms(use_true_random=False)


def written(value: object, choices: Random) -> str:
    """A value as somebody may have written it: blanks, comments and commas where they are allowed."""

    def blank() -> str:
        return choices.choice(_BLANKS)

    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}{blank()}:{blank()}{written(one, choices)}" for key, one in value.items()]
        open_, close = "{}"
    elif isinstance(value, list):
        parts = [written(one, choices) for one in value]
        open_, close = "[]"
    else:
        return json.dumps(value, ensure_ascii=choices.random() < 0.5)
    comma = "," if parts and choices.random() < 0.3 else ""
    return f"{open_}{','.join(f'{blank()}{part}{blank()}' for part in parts)}{comma}{blank()}{close}"


def file_of(value: object, choices: Random) -> str:
    """A whole file."""
    before, after = choices.choice(_BLANKS), choices.choice(_BLANKS)
    return f"{choices.choice(('', chr(0xFEFF)))}{before}{written(value, choices)}{after}"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        program = Path(name) / "bin dir" / "dory-agent"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        yield Path(name)


def _where(home: Path) -> Where:
    return Where({"HOME": str(home), "XDG_STATE_HOME": str(home / "state")})


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=_root, choices=_choices)
def test_in_and_out_gives_the_same_bytes(home: Path, name: str, value: dict[str, object], choices: Random) -> None:
    platform, where, program = PLATFORMS[name], _where(home), home / "bin dir/dory-agent"
    file = platform.status(where)[0].file
    file.parent.mkdir(exist_ok=True)
    text = file_of(value, choices)
    before = text.encode()
    file.write_bytes(before)
    plan = platform.plan_install(where, program, None)
    apply(plan)
    platform.applied(where, plan)
    (edit,) = plan.edits
    installed = file.read_bytes()
    # Only additions: what was there is there, to the byte and in its order.
    ends = [0, *(at for span in edit.added for at in span), len(installed)]
    assert b"".join(installed[start:end] for start, end in list(pairwise(ends))[::2]) == before
    (found,) = platform.status(where)
    assert found.state == "installed"
    assert platform.plan_install(where, program, None).edits == ()
    unremembered = _without_memory(platform, where)
    out = platform.plan_remove(where)
    apply(out)
    platform.applied(where, out)
    assert file.read_bytes() == before
    # Without the note of what was put in, only dory's own entries go, and lists that would be left empty.
    assert _pruned(jsonc.read(unremembered).root.plain) == _pruned(jsonc.read(text).root.plain)
    if name != "cursor" and not _hollow(value):
        assert unremembered == text
    assert platform.plan_remove(where).edits == ()


def _hollow(value: dict[str, object]) -> bool:
    """Whether a list that dory puts something in was empty, or was not there: what is left empty is taken along."""
    hooks = value.get("hooks", {"": [1]})
    return not value or not isinstance(hooks, dict) or not hooks or not all(hooks.values())


def _without_memory(platform: Platform, where: Where) -> str:
    elsewhere = Where({**where.environment, "XDG_STATE_HOME": f"{where.environment['HOME']}/none"})
    (edit,) = platform.plan_remove(elsewhere).edits
    assert edit.after is not None
    return edit.after.decode()


def _pruned(values: dict[str, object]) -> dict[str, object]:
    """A value without the lists of hooks that are empty."""
    hooks = values.get("hooks")
    kept = {name: one for name, one in hooks.items() if one} if isinstance(hooks, dict) else {}
    rest = {name: one for name, one in values.items() if name not in ("hooks", "version")}
    return {**rest, "hooks": kept} if kept else rest


@settings(max_examples=200)
@given(_value, _choices)
def test_what_is_read_is_what_was_written(value: object, choices: Random) -> None:
    text = file_of(value, choices)
    found = jsonc.read(text)
    assert found.root.plain == value
    if found.comment is None and found.trailing is None:
        assert json.loads(text.removeprefix("\ufeff")) == value
    else:
        with pytest.raises(json.JSONDecodeError):
            json.loads(text.removeprefix("\ufeff"))


@settings(max_examples=200)
@given(st.text(st.sampled_from('{}[]:,"/*\n\\ atrue1.-'), max_size=40))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        assert jsonc.read(text).root.end <= len(text)
    except JsoncError as error:
        line = error.line
        assert 1 <= line <= text.count("\n") + 1


def test_forgetting_what_is_not_there_is_nothing(home: Path) -> None:
    forget(_where(home).environment, home / "never")
