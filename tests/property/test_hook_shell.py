"""The reader of command lines against a real shell: what bash starts, the rule has seen."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.rule import judge
from dory_tui.agent.hooks.shell import ShellError, read

BASH = shutil.which("bash")
PATTERNS = Patterns(("never",), ("zap",), (), (), (), special=False)
PLACES = Places("/home/ana")

_name = st.sampled_from(
    ["zap", "'zap'", '"zap"', "\\zap", "z''ap", 'z"a"p', "$'\\x7aap'", "./zap", "z\\\nap", '"$V"', "$V zap"]
)
_word = st.sampled_from(
    ["a", "'b c'", '"d $X"', "$X", "${X:-e}", "\\;", "'|'", "x=1", "--", "-n", "#", "{a,b}", "~", "*", "$((1<<2))"]
)
_plain = st.lists(_word, min_size=1, max_size=4).map(lambda words: " ".join(["echo", *words]))
_effect = st.builds(lambda name, words: " ".join([name, *words]), _name, st.lists(_word, max_size=3))
_QUOTED = (
    "bash -c {}", "sh -c {}", "eval {}", "env A=1 bash -c {}", "echo {} | sh", "sh <<< {}", "command bash -c {}",
    "bash -e -c {}", "nice bash -c {}", "timeout 5 bash -c {}", "xargs bash -c {} < /dev/null",
)  # fmt: skip
_BARE = (
    "({})", "{{ {}\n}}", "if {}\nthen :; fi", "for i in 1; do {}\ndone", "echo $({}\n)", 'echo "$({}\n)"', "! {}",
    "x=$({}\n)", "cat <({}\n)", "sh <<'END'\n{}\nEND\n", "case a in a) {}\n;; esac", "f() {{ {}\n}}; f", "true && {}",
    "false || {}", "X=1 {}", "{} > /dev/null", ": | {}", "{} &\nwait",
    "V=zap; {}", "V=echo\n{}", "V=; {}", "V='echo a'; {}", "export V=zap && {}", "(V=echo); {}",
    "[ ! $X ] && V=echo; {}", "if false; then V=echo; fi; {}", "V=echo & {}", "V=echo; unset V; {}",
    "for V in zap; do {}\ndone", "false || V=zap; {}", "V=echo; V=zap; {}", "W='zap b'; V=$W; {}",
    "false && V=echo\n{}", "echo $(( $({}\n) + 1 ))",
)  # fmt: skip


def _wrap(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(lambda form, text: form.format(shlex.quote(text)), st.sampled_from(_QUOTED), inner),
        st.builds(str.format, st.sampled_from(_BARE), inner),
        st.builds("{} {} {}".format, _plain, st.sampled_from([";", "&&", "||", "\n", "|", "&"]), inner),
        st.builds("{} {} {}".format, inner, st.sampled_from([";", "&&", "\n", "|"]), _plain),
    )


_scripts = st.recursive(st.one_of(_effect, _plain), _wrap, max_leaves=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shell")
    program = made / "zap"
    program.write_text(f"#!/bin/sh\necho x >> '{made}/effects'\n")
    program.chmod(0o755)
    return made


def _started_unseen(folder: Path, text: str) -> bool:
    """Whether bash starts the gated program by a text that the rule lets through."""
    effects = folder / "effects"
    effects.unlink(missing_ok=True)
    env = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder), "X": "3"}
    subprocess.run(
        [str(BASH), "-c", text], cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    return effects.exists() and judge(ToolCall("Bash", {"command": text}, str(folder)), PATTERNS, PLACES) is None


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_scripts)
def test_whatever_bash_starts_the_rule_has_seen(folder: Path, text: str) -> None:
    assert not _started_unseen(folder, text)


@pytest.mark.long
@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_scripts)
def test_whatever_bash_starts_the_rule_has_seen_in_many_more(folder: Path, text: str) -> None:
    assert not _started_unseen(folder, text)


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12), max_size=6))
def test_quoted_words_come_out_as_they_went_in(words: list[str]) -> None:
    found = read(" ".join(map(shlex.quote, ["run", *words])))
    assert [[word.text for word in command.words] for command in found] == [["run", *words]]


@settings(max_examples=300)
@given(st.text(st.sampled_from(" \n\t'\"\\$`;&|<>()#*?[]{}=~!-abz/EOF\r\0")))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        commands = read(text)
    except ShellError:
        commands = []
    assert all(isinstance(word.text, str) for command in commands for word in command.words)
    judge(ToolCall("Bash", {"command": text}, "/x"), Patterns(), PLACES)


@given(st.text(st.sampled_from(" \n'\"\\$`;|()ab<"), max_size=20))
def test_what_cannot_be_read_and_names_what_is_gated_is_denied(text: str) -> None:
    command = f"{text}; zap {text}"
    try:
        read(command)
    except ShellError:
        assert judge(ToolCall("Bash", {"command": command}, "/x"), PATTERNS, PLACES) is not None
