"""A Markdown file as bytes and the lines in them; one splice; a write that loses nothing.

Lines end at `\\n`, `\\r\\n` and lone `\\r`, and nowhere else. Text is decoded with surrogateescape, so every byte
of a file survives being read. A line is *masked* when it stands in front matter, a closed fence or a closed
HTML comment: such lines never make an entry. An unclosed fence or comment masks nothing and is reported, so that a
stray opener cannot swallow a hold.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dory_tui.values import dataclass

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Literal

    Mask = Literal["", "front", "fence", "comment"]


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$")
_CONFLICT = re.compile(r"^(?:<{7} |<{7}$|>{7} |>{7}$|\|{7} )")
_FENCE_END = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?=[ \t]|$)")


class WorkspaceError(Exception):
    """A file of the workspace cannot be used; the message names it and what to do."""


class ChangedError(WorkspaceError):
    """The file differs from what was shown, so nothing was written. `data` is what it holds now."""

    def __init__(self, path: Path, data: bytes | None) -> None:
        super().__init__(f"{path.name} changed since it was read, so nothing was written: look again")
        self.data = data


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `data[start:end]` is its text, `data[start:stop]` has its line end too."""

    number: int
    start: int
    end: int
    stop: int
    text: str
    mask: Mask
    shown: str
    """`text` with closed comments blanked out; empty when the line is masked."""

    @property
    def blank(self) -> bool:
        return not self.shown.strip()

    @property
    def heading(self) -> tuple[int, str] | None:
        """(level, title) of an ATX heading."""
        match = _HEADING.match(self.shown)
        if match is None:
            return None
        title = self.shown[match.end() :].strip()
        opened = title.rstrip("#")
        closed = not opened or opened[-1] in " \t"  # `## Title ##`, but not `## C#`
        return len(match[1]), opened.strip() if closed else title


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a human should know about a file, and where it stands."""

    path: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path} line {self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Document:
    """A file's bytes with their lines. `path` is relative to the workspace, for messages."""

    path: str
    data: bytes
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]

    @property
    def conflicted(self) -> int | None:
        """The line of the first merge conflict marker, or None."""
        return next((ln.number for ln in self.lines if _CONFLICT.match(ln.text)), None)

    @property
    def line_end(self) -> bytes:
        """The first line end of the file, for lines that dory adds."""
        for line in self.lines:
            if line.stop > line.end:
                return self.data[line.end : line.stop]
        return b"\n"


def decode(data: bytes) -> str:
    """Text that keeps every byte (surrogateescape)."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` came from."""
    return text.encode("utf-8", "surrogateescape")


def split_lines(data: bytes) -> list[tuple[int, int, int]]:
    """(start, end, stop) of each line; `b"".join(data[start:stop])` is `data` again."""
    spans = []
    position, size = 0, len(data)
    while position < size:
        match = _LINE.match(data, position)
        assert match is not None
        stop = match.end()
        end = stop
        while end > position and data[end - 1] in b"\r\n":
            end -= 1
        spans.append((position, end, stop))
        position = stop
    return spans


def parse(path: str, data: bytes) -> Document:
    """Lines, masks and the problems of a file's bytes."""
    spans = split_lines(data)
    texts = [decode(data[start:end]) for start, end, _ in spans]
    if texts and texts[0].startswith("\ufeff"):
        texts[0] = texts[0][1:]
    masks, shown, problems = _mask(path, texts)
    lines = tuple(
        Line(number, start, end, stop, text, mask, seen)
        for number, ((start, end, stop), text, mask, seen) in enumerate(
            zip(spans, texts, masks, shown, strict=True), start=1
        )
    )
    return Document(path, data, lines, tuple(problems))


def _mask(path: str, texts: list[str]) -> tuple[list[Mask], list[str], list[Problem]]:
    masks: list[Mask] = [""] * len(texts)
    shown = list(texts)
    problems: list[Problem] = []
    index = _front_end(texts)
    ends, longest = _fence_ends(texts)
    last_close = max((n for n, text in enumerate(texts) if "-->" in text), default=-1)
    for number in range(index):
        masks[number], shown[number] = "front", ""
    while index < len(texts):
        fence = _FENCE.match(texts[index])
        if fence is not None and not ("`" in fence[1] and "`" in fence[2]):
            char, length = fence[1][0], len(fence[1])
            if longest[char][index + 1] < length:
                problems.append(Problem(path, index + 1, "a code fence opens here and is never closed"))
                index += 1
                continue
            stop = next(n for n in range(index + 1, len(texts)) if ends[n].startswith(char * length))
            for number in range(index, stop + 1):
                masks[number], shown[number] = "fence", ""
            index = stop + 1
            continue
        index = _mask_comments(path, texts, masks, shown, problems, last_close, index)
    return masks, shown, problems


def _fence_ends(texts: list[str]) -> tuple[list[str], dict[str, list[int]]]:
    """The closing fence each line is ("" where it is none), and how long the longest one from each line on is.

    Known beforehand, so that many openers that nothing closes cost one look each and not the rest of the file.
    """
    ends = [match[1] if (match := _FENCE_END.match(text)) else "" for text in texts]
    longest = {char: [0] * (len(texts) + 1) for char in "`~"}
    for char, lengths in longest.items():
        for number in range(len(texts) - 1, -1, -1):
            length = len(ends[number]) if ends[number].startswith(char) else 0
            lengths[number] = max(length, lengths[number + 1])
    return ends, longest


def _front_end(texts: list[str]) -> int:
    """How many lines front matter takes; 0 when there is none or it is never closed."""
    if not texts or texts[0].rstrip() != "---":
        return 0
    for number in range(1, len(texts)):
        if texts[number].rstrip() in ("---", "..."):
            return number + 1
    return 0


def _mask_comments(
    path: str,
    texts: list[str],
    masks: list[Mask],
    shown: list[str],
    problems: list[Problem],
    last_close: int,
    index: int,
) -> int:
    """Blank the comments that open on line `index`; returns the next line to look at."""
    text, position = texts[index], 0
    parts: list[str] = []
    while (opened := text.find("<!--", position)) >= 0:
        closed = text.find("-->", opened + 2)  # `<!-->` is a whole comment
        if closed >= 0:
            parts += [text[position:opened], " " * (closed + 3 - opened)]
            position = closed + 3
            continue
        if index >= last_close:
            problems.append(Problem(path, index + 1, "a comment opens here and is never closed"))
            break
        _show(texts, masks, shown, index, "".join([*parts, text[position:opened]]))
        end = next(n for n in range(index + 1, len(texts)) if "-->" in texts[n])
        for number in range(index + 1, end):
            masks[number], shown[number] = "comment", ""
        index, text = end, texts[end]
        position = text.find("-->") + 3
        parts = [" " * position]
    if parts:
        _show(texts, masks, shown, index, "".join([*parts, text[position:]]))
    return index + 1


def _show(texts: list[str], masks: list[Mask], shown: list[str], index: int, left: str) -> None:
    """What comments leave of a line; a line of which they leave nothing is masked."""
    if texts[index].strip() and not left.strip():
        masks[index], left = "comment", ""
    shown[index] = left


def read(root: Path, path: str) -> Document | None:
    """A file of the workspace; None when it is not there. What cannot be read is an error, never empty."""
    data = read_bytes(root / path, path)
    return None if data is None else parse(path, data)


def read_bytes(file: Path, name: str) -> bytes | None:
    """The bytes of a regular file; None when there is none. WorkspaceError names anything else."""
    try:
        with open(file, "rb", opener=_regular) as handle:
            return handle.read()
    except FileNotFoundError:
        return None
    except IsADirectoryError as error:
        raise WorkspaceError(f"{name} is a folder, where a file should be: move it away") from error
    except OSError as error:
        raise WorkspaceError(f"{name} cannot be read ({error.strerror})") from error


def _regular(path: str, flags: int) -> int:
    # O_NONBLOCK so that a pipe standing where a file should be cannot hang the reader.
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(path)
        raise OSError(0, "it is not a regular file")
    return descriptor


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """An exclusive lock on a folder, held by every dory process that writes in it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def replace(root: Path, path: str, expected: bytes | None, data: bytes) -> None:
    """Compare-and-swap write of one file (workspace.md, "Changing one thing and nothing else").

    ChangedError when the file no longer holds `expected`; WorkspaceError when it cannot be written.
    """
    file = Path(os.path.realpath(root / path))
    if not file.is_relative_to(os.path.realpath(root)):
        raise WorkspaceError(f"{path} leads out of the workspace, so it was not written")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with locked(file.parent):
            found = read_bytes(file, path)
            if found != expected:
                raise ChangedError(file, found)
            _swap(file, data)
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be written ({error.strerror})") from error


def remove(root: Path, path: str, expected: bytes) -> None:
    """Take a file away that holds `expected`; ChangedError when it holds something else, or is gone."""
    file = root / path
    try:
        with locked(file.parent):
            found = read_bytes(file, path)
            if found != expected:
                raise ChangedError(file, found)
            file.unlink()
            sync_folder(file.parent)
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be taken away ({error.strerror})") from error


def _swap(file: Path, data: bytes) -> None:
    """Temporary file, fsync, rename, fsync of the folder; mode and owner kept."""
    temporary = file.with_name(f".{file.name}.{os.urandom(4).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            if file.exists():
                held = file.stat()
                if (held.st_uid, held.st_gid) != (os.getuid(), os.getgid()):
                    with suppress(PermissionError):
                        os.fchown(handle.fileno(), held.st_uid, held.st_gid)
                os.fchmod(handle.fileno(), stat.S_IMODE(held.st_mode))
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.rename(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """fsync a folder, so that a name just made in it survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
