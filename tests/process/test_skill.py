"""The skill and the workspace templates: the open format's rules, and every command in them is one that works."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from dory_tui.agent.stage_errors import EXAMPLES
from dory_tui.cli import dory
from dory_tui.cli.agent_help import DRAFT
from dory_tui.cli.agent_verbs import VERBS, add_verbs
from dory_tui.cli.common import base_parser
from dory_tui.gate.action import plan
from dory_tui.gate.rules import Exit
from dory_tui.review import decide
from dory_tui.review.init import init
from dory_tui.review.setting_up import section
from dory_tui.workspace import marked, templates
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.promotions import AXES
from tests.conftest import Workspace
from tests.process.in_process import Commands, Told

FILES = {**dict(templates.files()), **{f"skills/{path}": data for path, data in templates.skill()}}
TEXTS = {path: data.decode("utf-8") for path, data in FILES.items()}
SKILL = TEXTS[f"skills/{templates.SKILL}/SKILL.md"]
_BLOCK = re.compile(r"(?ms)^[ ]*```bash\n(?P<code>.*?)^[ ]*```")
_SPAN = re.compile(r"`(?P<code>dory(?:-agent)? [^`]+)`")
_HERE = re.compile(r"(?ms)^\s*(?P<line>[^\n]*?) <<'(?P<end>[A-Z]+)'\n(?P<text>.*?)^\s*(?P=end)\n")


def calls(block: str) -> Iterator[tuple[list[str], str]]:
    """(words, standard input) of each command of a block."""
    at = 0
    for here in _HERE.finditer(block):
        yield from ((shlex.split(line), "") for line in block[at : here.start()].splitlines() if line.strip())
        yield shlex.split(here["line"]), here["text"]
        at = here.end()
    yield from ((shlex.split(line), "") for line in block[at:].splitlines() if line.strip())


def lines() -> Iterator[tuple[str, list[str]]]:
    """(file, words) of every command line that the templates give an agent."""
    for path, text in TEXTS.items():
        for block in _BLOCK.finditer(text):
            yield from ((path, words) for words, _ in calls(block["code"]))
        prose = re.sub(r"(?ms)^[ ]*```.*?^[ ]*```", "", text)
        yield from ((path, shlex.split(span["code"])) for span in _SPAN.finditer(prose))


LINES = sorted({(path, shlex.join(words)) for path, words in lines()})


@pytest.mark.parametrize(("path", "line"), LINES)
def test_every_command_in_skill_and_templates_is_one_that_its_parser_takes(path: str, line: str) -> None:
    command, *words = shlex.split(line)
    if "--help" in words:
        return
    parser = base_parser(command, "")
    add_verbs(parser, VERBS if command == "dory-agent" else dory.VERBS, words)
    assert parser.parse_args(words).verb == words[0], path


def test_there_are_such_commands_and_the_skill_has_every_verb_an_agent_needs() -> None:
    assert len(LINES) > 30
    named = {shlex.split(line)[1] for path, line in LINES if path.endswith("SKILL.md")}
    assert named >= set(VERBS) - {"status", "search", "hook"}


# The open format


def test_the_front_matter_is_what_every_platform_takes() -> None:
    head = SKILL.partition("---\n")[2].partition("\n---\n")[0]
    values = yaml.safe_load(head)
    assert set(values) <= {"name", "description", "license", "compatibility"}
    assert values["name"] == templates.SKILL
    assert re.fullmatch(r"(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)", values["name"])
    assert 1 <= len(values["description"]) <= 500, "the format allows 1,024; some readers take 500"
    assert 1 <= len(values["compatibility"]) <= 500
    assert len(head.splitlines()) == len(values), "each key on one line: some readers take no others"
    assert not re.search("[<>]", head)


def test_it_is_short_and_what_it_refers_to_is_there() -> None:
    assert len(SKILL.splitlines()) < 500
    assert len(SKILL) < 20_000, "about 5,000 tokens"
    for path, text in TEXTS.items():
        for target in re.findall(r"\]\(([^)]+)\)", text):
            place = (templates.folder() / path).parent / target
            assert place.is_file(), (path, target)
    for phrase in (
        "exact words",
        "HOLD > ACTIVE > DECISIONS > AGENTS.md",
        "advice stops nobody. The gate is what stops",
    ):
        assert phrase in SKILL


def test_the_example_draft_is_a_draft_and_the_reference_has_every_field() -> None:
    assert DRAFT in SKILL
    assert plan(Draft("launch-3", "x", "file", "x.md", DRAFT.encode(), None)).action is not None
    text = TEXTS["skills/dory/references/drafts.md"]
    whole = text.partition("```yaml\n")[2].partition("```")[0].encode()
    made = plan(Draft("launch-3", "x", "file", "x.md", whole, None))
    assert made.action is not None
    fields = {key.rpartition(".")[2] for key in EXAMPLES}
    assert fields == set(re.findall(r"(?m)^ {0,2}([a-z_]+):", whole.decode()))


@pytest.mark.parametrize("path", ["AGENTS.md", "skills/dory/references/memory.md"])
def test_the_scores_are_those_of_the_program(path: str) -> None:
    assert re.findall(r"(?m)^\| ([a-z]+) \|", TEXTS[path]) == ["axis", *AXES]


def test_the_section_of_agents_md_carries_its_own_digest() -> None:
    """When it fails after a change of the section: write this digest into its first mark."""
    assert f"dory:begin sha256={marked.digest(section())} -->" in TEXTS["AGENTS.md"]
    assert len(section()) < 3000
    for word in ("boot --context", "capture", "hold", "stage", "run ID", "claim ID", "log --kind", "propose"):
        assert f"`dory-agent {word}" in section()


# The main flow, as the skill gives it


@pytest.fixture
def place(make_workspace: Callable[..., Workspace], quick_folder: Path) -> Workspace:
    made = make_workspace(folder=quick_folder).live()
    init(made.gate())
    program = made.write("bin/post", f'#!/bin/sh\ncat >> "{made.effects}"\n')
    program.chmod(0o755)
    return made


def test_an_agent_that_follows_the_skill_line_by_line(
    place: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = Commands(monkeypatch, capsys, place.env)
    monkeypatch.chdir(place.root)
    blocks = [match["code"] for match in _BLOCK.finditer(SKILL)]
    published = next(number for number, block in enumerate(blocks) if "dory-agent run" in block)

    def follow(block: str) -> list[Told]:
        return [commands.call(words, stdin) for words, stdin in calls(block)]

    for block in blocks[:published]:
        assert [told.code for told in follow(block)] == [0], block
    assert "**User said:** [none]" in (place.root / "state/ACTIVE.md").read_text(), "captured, and finished"
    assert [told.code for told in follow(blocks[published])] == [Exit.HELD, Exit.REFUSED]
    assert commands.agent("check", "launch-3").code == Exit.HELD
    decide.lift(place.gate(), place.gate().holds()[0].hash)
    for name in ("launch-3", "reply-ana"):
        place.approve(name)
    ran, claimed = follow(blocks[published])
    assert (ran.code, claimed.code, claimed.out) == (0, 0, "Thursday works for us.\n")
    assert place.effects.read_text() == "The part nobody tells you about notes: you have to read them.\n"
    assert [told.code for told in follow(blocks[published])] == [Exit.CLAIMED, Exit.CLAIMED]
    assert commands.agent("finish", "reply-ana", "ok").code == 0
    for block in blocks[published + 1 :]:
        assert {told.code for told in follow(block)} == {0}, block
    assert commands.agent("kept", "the poster").code == 0
    for path in ("skills/dory/references/drafts.md", "skills/dory/references/memory.md"):
        for match in _BLOCK.finditer(TEXTS[path]):
            place.write("MEMORY.md", "# M\n\n## Projects\n\n- Launch on 3 March\n\n## Lessons\n")
            assert {told.code for told in follow(match["code"])} == {0}, match["code"]
