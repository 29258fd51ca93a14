"""Links and paths in Markdown that lead to a file which is moved: only their spans change. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from urllib.parse import quote, unquote

from dory_tui.workspace.document import Line, decode, encode, parse

Moved = Callable[[str], str | None]
"""Where a file of this path went, relative to the workspace; None when it did not move."""
Known = Callable[[str], bool]
"""Whether a file of this path is there, or was until it moved."""

# `](target)`, `](<target>)`, `](target "title")` and `[label]: target`.
_LINK = re.compile(r"\]\(\s*(?:<(?P<angle>[^<>\n]*)>|(?P<plain>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:\s*(?:<(?P<angle>[^<>\n]*)>|(?P<plain>[^\s<>]+))")
_PATH = re.compile(r"(?<![A-Za-z0-9_./\\%-])memory/[^\s()<>\[\]\"'`|#,;:*?]*\.md(?![A-Za-z0-9_-])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Begun only where a name can begin: a long run of letters is otherwise looked through from each of them.
_NAME = re.compile(rb"(?<![^\s/\\()<>\[\]\"'`|])[^\s/\\()<>\[\]\"'`|]+\.md(?![A-Za-z0-9_-])")


def named(data: bytes) -> set[str]:
    """The names of Markdown files that occur in some bytes: cheap, to be asked before `relinked`."""
    return {unquote(decode(name)) for name in _NAME.findall(data)} if b".md" in data else set()


def relinked(data: bytes, path: str, at: str, moved: Moved, known: Known) -> bytes:
    """A file's bytes with every link that led to a moved file leading to where it is now.

    `path` is where the file lay, `at` where it lies now: its own relative links follow. A target is read relative to
    the file and, where nothing is there, to the workspace; it is written back in the same way. Fenced code is left.
    """
    parts: list[bytes] = []
    for line in parse(path, data).lines:
        raw = data[line.start : line.stop]
        parts.append(raw if line.mask == "fence" or b".md" not in raw else _line(raw, line, path, at, moved, known))
    return b"".join(parts)


def mentioned(data: bytes, path: str) -> set[str]:
    """Every path that a file's links and words may mean, relative to the file or to the workspace."""
    found: set[str] = set()

    def see(one: str) -> None:
        found.add(one)

    relinked(data, path, path, see, lambda _: False)
    return found


def _line(raw: bytes, line: Line, path: str, at: str, moved: Moved, known: Known) -> bytes:
    text = decode(raw)
    found: list[tuple[int, int, str]] = []
    matches = [*_LINK.finditer(text), *_DEFINITION.finditer(text)] if line.mask != "front" else []
    targets = []
    for match in matches:
        group = "angle" if match["angle"] is not None else "plain"
        start, stop = match.span(group)
        targets.append((start, stop))
        made = _target(text[start:stop], path, at, moved, known)
        if made is not None:
            found.append((start, stop, made))
    for match in _PATH.finditer(text):
        inside = any(start <= match.start() < stop for start, stop in targets)
        to = None if inside else moved(posixpath.normpath(match[0]))
        if to is not None:
            found.append((match.start(), match.end(), to))
    for start, stop, made in sorted(found, reverse=True):
        text = text[:start] + made + text[stop:]
    return encode(text)


def _target(target: str, path: str, at: str, moved: Moved, known: Known) -> str | None:
    """What a link's target becomes; None when it stays."""
    file = re.split("[#?]", target, maxsplit=1)[0]
    if not file or file.startswith(("/", "~")) or _SCHEME.match(file):
        return None
    plain = unquote(file)
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
    below = posixpath.normpath(plain)
    meant = next((one for one in (beside, below) if not one.startswith("..") and (moved(one) or known(one))), None)
    if meant is None:
        return None
    to = moved(meant) or meant
    made = posixpath.relpath(to, posixpath.dirname(at) or ".") if meant == beside else to
    if made in (plain, below if meant != beside else posixpath.normpath(plain)):
        return None
    return (quote(made, safe="/~!$&'*+,;=:@-._") if plain != file else made) + target[len(file) :]
