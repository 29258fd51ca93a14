"""What in a tool's arguments matters: commands, paths it may write, addresses. Pure.

Platforms and their extensions name arguments as they like. A key says what a value is; what a text holds does not
matter: a file may say whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dory_tui.agent.hooks.tables import words
from dory_tui.agent.hooks.writes import patched
from dory_tui.values import dataclass, field

_INTERNAL = frozenset({"SendMessage", "CronDelete", "TeamDelete"})
"""Tools of a platform that sound like it and reach nobody outside: Claude Code's, between its own agents."""
_PREFIX = r"mcp__.*?__|MCP:|mcp_[a-z0-9-]+_(?=[a-z]+_)"
_COMMANDS = frozenset({"command", "cmd", "commands", "cmds", "script", "shellcommand", "bash", "commandline", "argv"})
_CODE = frozenset({"code", "javascript", "python", "expression", "source_code", "sourcecode"})
_PATHS = words(
    """
    filepath path notebookpath file filename targetfile target destination dest source src newpath oldpath from
    to paths files outputpath outputfile output directory folder uri absolutepath relativepath movepath frompath
    topath
    """
)
_URLS = words(
    """
    url uri href endpoint targeturl link baseurl webhook webhookurl host hostname urls server
    """
)
_FOLDERS = frozenset({"cwd", "workdir", "workingdirectory", "workingdir"})
_KEYS = frozenset({"data", "chars", "input", "text", "literal", "keys"})
_SHELLS = words(
    """
    bash shell exec execcommand localshell runterminalcmd runterminalcommand terminal runcommand runshellcommand
    executecommand runinterminal
    """
)
_TERMINALS = frozenset({"process", "writestdin", "sendkeys", "bashinput", "writetoterminal", "sendinput"})
"""Tools that type into a shell which runs already."""
_TYPED = ("sendkeys", "sendinput")
_PATCHES = frozenset({"applypatch", "patch", "applydiff"})
_READERS = words(
    """
    read readfile readmanyfiles readlines notebookread grep glob ls list listdir listdirectory search
    searchfiles view viewimage image websearch codebasesearch filesearch grepsearch toolsearch task skill agent
    memorysearch memoryget todowrite todoread askuserquestion webfetch webbrowse
    """
)
_READS = ("read_", "get_", "list_", "search_", "find_", "view_", "describe_", "stat_", "fetch_")


@dataclass(slots=True)
class Taken:
    """What matters of a tool's arguments. `unclear` says why they cannot be judged."""

    scripts: list[str] = field(default_factory=list)
    argvs: list[list[str]] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    """Where a command would run."""
    sends: bool = True
    """Whether a call of an address may do more than read."""
    unclear: str = ""


def called(tool: str) -> tuple[str, ...]:
    """The names of a tool: as the platform says it, and without what the platform puts before it, in small letters."""
    last = (re.sub(_PREFIX, "", tool, count=1) if tool[:3].casefold() == "mcp" else tool) or tool
    snake = "".join(_parted(last)).replace("-", "_").replace(".", "_").casefold()
    return tuple(dict.fromkeys((tool, last, snake)))


def _parted(name: str) -> Iterator[str]:
    """`sendEmail` in pieces that make `send_Email`."""
    before = ""
    for char in name:
        yield f"_{char}" if char.isupper() and (before.islower() or before.isdigit()) else char
        before = char


def reads(name: str) -> bool:
    """Whether a tool, known by the last of `called`, only looks at things."""
    return _plain(name) in _READERS or name.startswith(_READS)


def inside(tool: str, name: str) -> bool:
    """Whether a tool reaches nobody by itself. What is typed into a terminal is looked at as a command line."""
    return tool in _INTERNAL or _types(name) or _plain(name).endswith(_TYPED)


def _types(name: str) -> bool:
    plain = _plain(name)
    return plain in _TERMINALS or (plain.endswith(_TYPED) and "browser" not in plain)


def _reads_pages(name: str, arguments: Mapping[str, object]) -> bool:
    """Whether a tool gets what stands at an address. A browser does not only: no hook sees what is clicked there."""
    said = {key: value for key, value in _walk(arguments) if key in ("method", "body", "data", "json")}
    if said.keys() - {"method"}:
        return False
    if (method := said.get("method")) is not None:
        return isinstance(method, str) and method.upper() in ("GET", "HEAD")
    return reads(name) or re.search(r"fetch|scrape|crawl|read_url", name) is not None


def take(name: str, arguments: Mapping[str, object]) -> Taken:
    """What matters of the arguments of a tool, which is known by the last of `called`."""
    plain = _plain(name)
    found = Taken(sends=not _reads_pages(name, arguments))
    patches = plain in _PATCHES
    looks = reads(name)
    types = _types(name)
    for key, value in _walk(arguments):
        if patches and isinstance(value, str):
            found.paths += [*patched(value), *([value] if key in _PATHS and "\n" not in value else [])]
        elif key in _COMMANDS or (types and key in _KEYS):
            _command(value, found)
        elif not isinstance(value, str):
            continue
        elif key in _CODE:
            found.code.append(value)
        elif key in _URLS:
            found.urls.append(value)
        elif key in _FOLDERS:
            found.folders.append(value)
        if isinstance(value, str) and key in _PATHS and not patches and not looks and "\n" not in value:
            found.paths.append(value)
    if plain in _SHELLS and not (found.scripts or found.argvs):
        found.unclear = f"a call of `{name}` in which no command could be found"
    return found


def _command(value: object, found: Taken) -> None:
    if isinstance(value, str):
        found.scripts.append(value)
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        texts = [str(one).replace("\0", "") for one in value]
        found.argvs.append(texts)
        found.scripts += [text for text in texts if " " in text]


def _walk(arguments: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Every (key, value) at any depth; the texts of a list stand under the list's key."""
    todo: list[tuple[str, object]] = [("", arguments)]
    while todo:
        key, value = todo.pop()
        if isinstance(value, Mapping):
            todo += [(_plain(str(one)), inner) for one, inner in value.items()]
            continue
        yield key, value
        if isinstance(value, list):
            todo += [(key, inner) for inner in value if key not in _COMMANDS or not isinstance(inner, str)]


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()
