"""OpenClaw's configuration: what it says of dory's plugin, and the entries that load it put in and found again. Pure.

It is edited and not given to `openclaw config set`, which takes the comments out, nor to `openclaw plugins`, which
leaves an entry behind. OpenClaw's documentation allows an editor too ("cli/config", "Write safety").
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dory_tui.agent.hooks.install import HooksError, child, understood
from dory_tui.platforms import json5, jsonc
from dory_tui.platforms.jsonc import Edited, Value

ID = "dory"


def read(file: Path, text: str) -> Mapping[str, Any]:
    """What a configuration says, {} for none. HooksError where it cannot be read, or has its plugins elsewhere."""
    if not text.strip():
        return {}
    values: Mapping[str, Any] = understood(file, text, json5.read).root.plain
    plugins = mapping(values.get("plugins"))
    parts = (values, plugins, *(plugins.get(name) for name in ("load", "entries")), entry(values))
    if any("$include" in mapping(part) for part in parts):
        raise HooksError(f"{file} takes its plugins from a file that it includes, so it was left as it is")
    return values


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def entry(values: Mapping[str, Any]) -> Any:
    """dory's entry among the plugins; None when there is none."""
    return mapping(mapping(values.get("plugins")).get("entries")).get(ID)


def listed(values: Mapping[str, Any], *way: str) -> list[Any]:
    """The list at the end of a way of objects; [] when there is none."""
    found: Any = values
    for step in way:
        found = mapping(found).get(step)
    return found if isinstance(found, list) else []


def allows(values: Mapping[str, Any]) -> bool:
    """Whether the list of plugins that may load, where there is one, has dory's."""
    allow = listed(values, "plugins", "allow")
    return not allow or ID in allow


def refusal(values: Mapping[str, Any]) -> str:
    """Why OpenClaw does not load the plugin, as far as the configuration says; "" for no reason."""
    if mapping(values.get("plugins")).get("enabled") is False:
        return "`plugins.enabled` is off"
    if ID in listed(values, "plugins", "deny"):
        return f"`plugins.deny` names `{ID}`"
    if not allows(values):
        return f"`plugins.allow` does not name `{ID}`"
    return ""


def wanted(program: Path, workspace: Path) -> dict[str, Any]:
    """dory's entry. The hook that tells a session what is held sees the conversation too: that must be allowed."""
    return {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"agent": str(program), "workspace": str(workspace)},
    }


def stands(values: Mapping[str, Any], folder: str, what: dict[str, Any]) -> bool:
    """Whether everything that loads the plugin from a folder is there."""
    return folder in listed(values, "plugins", "load", "paths") and entry(values) == what and allows(values)


def add(file: Path, edited: Edited, folder: str, what: dict[str, Any]) -> None:
    """Put everything in that loads the plugin from a folder. HooksError where something else stands in its place."""
    _put(file, edited, ("plugins", "load", "paths"), None, folder)
    _put(file, edited, ("plugins", "entries"), ID, what)
    if not allows(read(file, edited.text)):
        _put(file, edited, ("plugins", "allow"), None, ID)


def _put(file: Path, edited: Edited, way: tuple[str, ...], key: str | None, what: object) -> None:
    """Put a value at the end of the array, or under a key of the object, that a way of objects leads to."""
    place = understood(file, edited.text, json5.read).root
    for at, step in enumerate(way):
        kind = "array" if key is None and step == way[-1] else "object"
        found = child(file, edited.text, place, step, kind)
        if found is None:
            made: object = [what] if key is None else {key: what}
            for name in reversed(way[at + 1 :]):
                made = {name: made}
            jsonc.put(edited, place, step, made)
            return
        place = found
    jsonc.put(edited, place, key, what)


def own(root: Value, folder: str) -> list[tuple[Value, int]] | None:
    """The way to the first thing of dory's, as containers and places in them; None when there is none."""
    for way, mine in (("plugins.entries", ID), ("plugins.load.paths", folder), ("plugins.allow", ID)):
        chain: list[tuple[Value, int]] = []
        place: Value | None = root
        for step in (*way.split("."), mine):
            place = None if place is None else _step(place, step, chain)
        if place is not None:
            return chain
    return None


def _step(place: Value, step: str, chain: list[tuple[Value, int]]) -> Value | None:
    """The member or the item of this name; where it stands goes to the end of the chain."""
    names = [name for name, _ in place.keys] if place.kind == "object" else [one.plain for one in place.items]
    if step not in names:
        return None
    at = max(index for index, name in enumerate(names) if name == step)
    chain.append((place, at))
    return place.items[at]


def emptied(text: str, chain: list[tuple[Value, int]]) -> list[tuple[int, int]]:
    """The spans to cut for taking the last of a chain out, with what would be left empty and without a comment."""
    while len(chain) > 1 and len(chain[-1][0].items) == 1 and not jsonc.remarks(text, chain[-1][0]):
        chain = chain[:-1]
    return jsonc.without(text, *chain[-1])
