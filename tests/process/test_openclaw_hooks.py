"""dory's plugin in OpenClaw's configuration: put in, found, tried, taken out, and nothing else changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.agent.hooks import canary
from dory_tui.agent.hooks.install import HooksError, apply
from dory_tui.agent.hooks.openclaw import FILES, OpenClaw
from dory_tui.agent.hooks.plans import Found, Where
from dory_tui.platforms import json5
from tests.process.launcher import launcher

if TYPE_CHECKING:
    from tests.conftest import Workspace

OTHERS = """\
// Ana's OpenClaw.
{
  agents: { defaults: { workspace: '~/elsewhere', } }, // not ours
  "plugins": {
    allow: ["canvas"], /* only these */
    entries: {
      canvas: { enabled: true }, // pictures
    },
  },
  gateway: { port: 0x4a39, bind: 'loopback' },
}
"""
CONFIGURATIONS = {
    "comments and other plugins": OTHERS,
    "on one line": "{gateway:{port:18789}}",
    "empty": "{}",
    "plain": '{\r\n\t"plugins": {\r\n\t\t"load": {"paths": ["/a"]}\r\n\t}\r\n}\r\n',
    "empty parts": "{\n  plugins: {\n    load: { paths: [] },\n    entries: {},\n  },\n}\n",
}


class Place:
    """A home with OpenClaw's configuration, and a workspace."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.platform = OpenClaw()
        self.where = Where(workspace.env)
        self.file = self.platform.file(self.where)
        self.workspace = workspace.root
        self.agent = launcher(folder / "bin/dory-agent")
        self.file.parent.mkdir()

    def has(self, text: str) -> Place:
        self.file.write_bytes(text.encode())
        return self

    @property
    def text(self) -> str:
        return self.file.read_bytes().decode()

    @property
    def values(self) -> Any:
        return json5.read(self.text).root.plain

    def install(self, workspace: Path | None = None) -> tuple[str, ...]:
        plan = self.platform.plan_install(self.where, self.agent, workspace or self.workspace)
        apply(plan)
        self.platform.applied(self.where, plan)
        return tuple(one.file.name for one in plan.edits)

    def remove(self) -> None:
        plan = self.platform.plan_remove(self.where)
        apply(plan)
        self.platform.applied(self.where, plan)

    def found(self) -> Found:
        (found,) = self.platform.status(self.where)
        return found

    def probe(self) -> tuple[str, str]:
        (made,) = canary.probe(self.found(), self.where)
        return made.outcome, made.why


@pytest.fixture
def place(workspace: Workspace, tmp_path: Path) -> Place:
    return Place(workspace, tmp_path)


@pytest.mark.parametrize("text", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_it_goes_in_and_out_and_the_file_is_what_it_was(place: Place, text: str) -> None:
    before = place.has(text).values
    assert place.install() == (*FILES, "openclaw.json")
    plugin, values = str(place.platform.plugin(place.where)), place.values
    assert values["plugins"]["load"]["paths"][-1] == plugin
    assert values["plugins"]["entries"]["dory"] == {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"agent": str(place.agent), "workspace": str(place.workspace)},
    }
    assert values["plugins"].get("allow") == (["canvas", "dory"] if "allow" in text else None)
    assert {key: values[key] for key in before if key != "plugins"} == {
        key: before[key] for key in before if key != "plugins"
    }
    now = iter(place.text)
    assert all(char in now for char in text), "nothing of the person's is gone"
    assert (place.found().state, place.found().disabled) == ("installed", "")
    assert place.install() == (), "a second time changes nothing"
    place.remove()
    assert place.text == text
    assert not Path(plugin).exists()
    assert place.found().state == "not installed"
    place.remove()
    assert place.text == text


def test_what_a_person_wrote_since_stays_when_it_is_taken_out(place: Place) -> None:
    place.has(OTHERS).install()
    place.file.write_text(place.text.replace("'loopback' }", "'loopback' }, // mine\n  talk: {}"))
    place.remove()
    assert place.text == OTHERS.replace("'loopback' }", "'loopback' }, // mine\n  talk: {}")


def test_installing_again_brings_old_entries_up_to_date(place: Place, tmp_path: Path) -> None:
    place.has(OTHERS).install()
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    assert place.install(elsewhere) == ("openclaw.json",)
    assert place.values["plugins"]["entries"]["dory"]["config"]["workspace"] == str(elsewhere)
    place.file.write_text(place.text.replace('"allowConversationAccess": true', '"allowConversationAccess": false'))
    assert place.found().state == "other version"
    assert any("no session is told what is held" in note for note in place.found().notes)
    assert place.install() == ("openclaw.json",)
    place.remove()
    assert place.text == OTHERS


def test_without_a_workspace_it_is_that_of_the_agents(place: Place) -> None:
    home = place.where.home
    place.has(OTHERS)
    with pytest.raises(HooksError, match="elsewhere, where OpenClaw's agents work, is no workspace: name one with -C"):
        place.platform.plan_install(place.where, place.agent, None)
    (home / "elsewhere").symlink_to(place.workspace)
    place.platform.plan_install(place.where, place.agent, None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "is not there: set OpenClaw up first, with `openclaw onboard`"),
        ("{plugins: {$include: './plugins.json5'}}", "takes its plugins from a file that it includes"),
        ("{\n  plugins: [],\n}", "line 2: `plugins` is no object"),
        ("{\n  plugins: {,}\n}", "line 2: a name is missing"),
    ],
)
def test_what_it_cannot_edit_it_leaves_as_it_was(place: Place, text: str | None, says: str) -> None:
    if text is not None:
        place.has(text)
    with pytest.raises(HooksError, match=str(place.file)) as error:
        place.install()
    assert says in str(error.value)
    assert text is None or place.text == text


def test_a_configuration_that_is_managed_elsewhere_is_left_alone(place: Place) -> None:
    place.has(OTHERS)
    place.where = Where({**place.where.environment, "OPENCLAW_NIX_MODE": "1"})
    with pytest.raises(HooksError, match="is managed elsewhere"):
        place.install()


def test_it_finds_the_configuration_where_openclaw_does(place: Place) -> None:
    environment = place.where.environment

    def file(**more: str) -> str:
        return str(OpenClaw().file(Where({**environment, **more})))

    home = environment["HOME"]
    assert file() == f"{home}/.openclaw/openclaw.json"
    assert file(OPENCLAW_HOME="~/x") == f"{home}/x/.openclaw/openclaw.json"
    assert file(OPENCLAW_STATE_DIR="/s") == "/s/openclaw.json"
    assert file(OPENCLAW_STATE_DIR="/s", OPENCLAW_CONFIG_PATH="~/c.json5") == f"{home}/c.json5"


def turned_off(place: Place) -> None:
    place.has(place.text.replace('"plugins": {', '"plugins": {\n    enabled: false,'))


def denied(place: Place) -> None:
    place.has(place.text.replace('"plugins": {', '"plugins": {\n    deny: ["dory"],'))


def not_allowed(place: Place) -> None:
    place.has(place.text.replace('"canvas", "dory"', '"canvas"'))


def writable(place: Place) -> None:
    place.platform.plugin(place.where).chmod(0o777)


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (turned_off, "`plugins.enabled` is off"),
        (denied, "`plugins.deny` names `dory`"),
        (not_allowed, "`plugins.allow` does not name `dory`"),
        (writable, "everybody may write"),
    ],
)
def test_what_makes_openclaw_pass_the_plugin_over_is_told(
    place: Place, happens: Callable[[Place], None], why: str
) -> None:
    place.has(OTHERS).install()
    happens(place)
    assert why in place.found().disabled
    if shutil.which("node"):
        outcome, said = place.probe()
        assert outcome == "let through"
        assert why in said


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_the_canary_goes_through_the_plugin_to_dory_agent(place: Place) -> None:
    place.has(OTHERS).install()
    assert place.probe() == (
        "stopped", "`git push --force dory-canary dory-canary` was stopped, `true` was not"
    )  # fmt: skip
    place.agent.unlink()
    assert "is gone or cannot start, so whatever can act is stopped" in place.found().sentence
    outcome, why = place.probe()
    assert outcome == "stops everything"
    assert "ENOENT" in why
    plugin = place.platform.plugin(place.where)
    (plugin / "index.mjs").write_text("export default { register() {} };\n")
    launcher(place.agent)
    assert place.found().state == "other version"
    assert place.probe()[0] == "let through"
    shutil.rmtree(plugin)
    assert place.found().state == "path gone"
    assert "every call goes through" in place.found().sentence
    assert place.probe()[0] == "let through"


def test_json5_is_read_as_openclaw_reads_it() -> None:
    text = (
        "{ a: 'it\\'s \\x41\\u00e4\\\n', $b_: [+1, .5, 5., -0x10, 1e3, Infinity,], 'c': null, \"c\": {d: true,}, //\n}"
    )
    assert json5.read(text).root.plain == {
        "a": "it's Aä", "$b_": [1, 0.5, 5, -16, 1000, float("inf")], "c": {"d": True}
    }  # fmt: skip
    assert json5.read(json.dumps(CONFIGURATIONS)).root.plain == CONFIGURATIONS
