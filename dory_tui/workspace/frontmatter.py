"""Front matter: where it stands in a file, and a strict reading of it.

The stock YAML loader keeps the last of two equal keys, turns `no` into False and 12:30 into 750. Here a duplicate key,
an anchor, an alias, a tag, a merge key or a second document is an error that names the line, and only `null`, `true`,
`false` and plain decimal integers are anything but text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dory_tui.values import dataclass, field
from dory_tui.workspace import plain_yaml
from dory_tui.workspace.document import decode, split_lines

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_WORDS = {"null": None, "~": None, "": None, "true": True, "false": False}
_QUICK_ID = re.compile(r"id:[ \t]+([\"']?)([A-Za-z0-9][A-Za-z0-9._-]{0,63})\1[ \t]*(?:[ \t]#.*)?")
_ID_KEY = re.compile(r"[\"']?id[\"']?[ \t]*:|\?")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_DEPTH = 32
_SIZE = 65_536

Path = tuple[str | int, ...]


class FrontMatterError(Exception):
    """Front matter that cannot be used. `line` counts from the first line of the file."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values of front matter, and on which line of the file each stands."""

    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[Path, int] = field(default_factory=dict)

    def line(self, *path: str | int) -> int:
        """The line of a value, or of the nearest value around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def split(data: bytes) -> tuple[bytes | None, bytes]:
    """(the YAML between the markers, everything after them). None when the file has no front matter."""
    spans = split_lines(data)
    if not spans or data[: spans[0][1]].removeprefix(b"\xef\xbb\xbf").rstrip() != b"---":
        return None, data
    for start, end, stop in spans[1:]:
        if data[start:end].rstrip() in (b"---", b"..."):
            return data[spans[0][2] : start], data[stop:]
    return None, data


def quick_id(data: bytes) -> str | None:
    """The `id` of front matter without a YAML parser; None when it takes one to be sure.

    For the path of `check`, where importing yaml costs as much as starting Python does.
    """
    yaml_bytes, _ = split(data)
    if yaml_bytes is None:
        return None
    lines = [decode(yaml_bytes[start:end]) for start, end, _ in split_lines(yaml_bytes)]
    keys = [number for number, line in enumerate(lines) if _ID_KEY.match(line)]
    match = _QUICK_ID.fullmatch(lines[keys[0]]) if len(keys) == 1 else None
    if match is None or (not match[1] and match[2] == "null"):
        return None
    below = next((line for line in lines[keys[0] + 1 :] if line.strip()), "")
    if below[:1] in (" ", "\t") or any(_runs_on(line) for line in lines[: keys[0]]):
        return None
    return match[2]


def _runs_on(line: str) -> bool:
    """Whether a quotation or a bracket that opens on a line may still be open below it."""
    if '"' in line and "\\" in line:
        return True
    opened, closed = line.count("[") + line.count("{"), line.count("]") + line.count("}")
    return opened != closed or line.count('"') % 2 == 1 or line.count("'") % 2 == 1


def mentions_id(data: bytes) -> bool:
    """Whether front matter may hold an `id` that `quick_id` cannot read."""
    yaml_bytes, _ = split(data)
    return yaml_bytes is not None and re.search(rb"(?m)^[\"']?id\b|\bid[\"']?[ \t]*:", yaml_bytes) is not None


def load(data: bytes) -> FrontMatter:
    """The strict reading of a file's front matter. FrontMatterError names the line."""
    yaml_bytes, _ = split(data)
    if yaml_bytes is None:
        return FrontMatter()
    if len(yaml_bytes) > _SIZE:
        raise FrontMatterError(2, f"front matter may be at most {_SIZE} bytes long")
    try:
        text = yaml_bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line_at(decode(yaml_bytes), len(decode(yaml_bytes[: error.start])))
        raise FrontMatterError(line, "this front matter is not valid UTF-8") from error
    if (odd := re.search("[\x85\u2028\u2029\ufeff]", text)) is not None:
        sentence = f"U+{ord(odd[0]):04X} is not allowed here: nobody sees it, and YAML gives it a meaning"
        raise FrontMatterError(_line_at(text, odd.start()), sentence)
    return _parse(text)


def _line_at(text: str, position: int) -> int:
    """The line of the file on which a character of the YAML stands."""
    return len(_LINE_ENDS.findall(text, 0, position)) + 2


def _parse(text: str) -> FrontMatter:
    quick = plain_yaml.read(text, _word)
    return FrontMatter(*quick) if quick is not None else _parse_fully(text)


def _parse_fully(text: str) -> FrontMatter:
    import yaml

    try:
        try:
            events = _events(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # in C: five times as fast
        except yaml.YAMLError:
            events = _events(text, yaml.SafeLoader)  # whose sentences are the clearer ones
    except yaml.YAMLError as error:
        raise _unreadable(text, error) from error
    reader = _Reader(events)
    values = reader.document()
    if values is None:
        return FrontMatter()
    if not isinstance(values, dict):
        raise FrontMatterError(2, "front matter must be `key: value` lines")
    return FrontMatter(values, reader.lines)


def _events(text: str, loader: Any) -> list[Any]:
    """The YAML events of a text, its nesting bounded."""
    import yaml

    found: list[Any] = []
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        found.append(event)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEPTH:
            line = getattr(event.start_mark, "line", 0) + 2
            raise FrontMatterError(line, f"this is nested more than {_DEPTH} levels deep")
    return found


def _unreadable(text: str, error: Exception) -> FrontMatterError:
    """What the YAML parser says, with the line; at the end of the text, the last line that has some."""
    mark, position = getattr(error, "problem_mark", None), getattr(error, "position", None)
    line = 2
    if mark is not None:
        line = min(mark.line + 2, _line_at(text, len(text.rstrip())))
    elif position is not None:
        line = _line_at(text, position)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
    return FrontMatterError(line, f"this is not valid YAML ({problem})")


class _Reader:
    """Builds plain values out of YAML events and refuses what would deceive."""

    def __init__(self, events: list[Any]) -> None:
        self.events = events
        self.position = 0
        self.lines: dict[Path, int] = {}

    def document(self) -> Any:
        import yaml

        content = [
            e for e in self.events
            if not isinstance(e, yaml.StreamStartEvent | yaml.StreamEndEvent
                              | yaml.DocumentStartEvent | yaml.DocumentEndEvent)
        ]  # fmt: skip
        starts = [e.start_mark.line for e in self.events if isinstance(e, yaml.DocumentStartEvent) and e.start_mark]
        if len(starts) > 1:
            raise FrontMatterError(starts[1] + 2, "a second YAML document starts here")
        self.events = content
        return self.value(()) if content else None

    def value(self, path: Path) -> Any:
        import yaml

        event = self.events[self.position]
        self.position += 1
        line = event.start_mark.line + 2
        self.lines[path] = line
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FrontMatterError(line, "anchors and aliases (& and *) are not allowed here")
        if getattr(event, "tag", None):
            raise FrontMatterError(line, f"tags such as {event.tag} are not allowed here")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        if (half := re.search("[\ud800-\udfff]", event.value)) is not None:
            raise FrontMatterError(line, f"U+{ord(half[0]):04X} is half of a character: write the character itself")
        return _scalar(event)

    def _mapping(self, path: Path) -> dict[str, Any]:
        import yaml

        found: dict[str, Any] = {}
        while not isinstance(self.events[self.position], yaml.MappingEndEvent):
            event = self.events[self.position]
            line = event.start_mark.line + 2
            if not isinstance(event, yaml.ScalarEvent):
                raise FrontMatterError(line, "a key must be plain text")
            self.value((*path, "?"))
            key = str(event.value)
            if key == "<<":
                raise FrontMatterError(line, "merge keys (<<) are not allowed here")
            if key in found:
                raise FrontMatterError(line, f"`{key}` stands here twice")
            found[key] = self.value((*path, key))
            self.lines[(*path, key)] = line
        self.position += 1
        return found

    def _sequence(self, path: Path) -> list[Any]:
        import yaml

        found: list[Any] = []
        while not isinstance(self.events[self.position], yaml.SequenceEndEvent):
            found.append(self.value((*path, len(found))))
        self.position += 1
        return found


def _scalar(event: Any) -> Any:
    text = str(event.value)
    return text if event.style else _word(text)  # None or "" is a plain scalar, by which parser it is


def _word(text: str) -> Any:
    """The value of a text without quotes."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return text
