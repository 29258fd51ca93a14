"""A section of ours in a file of somebody else's, between two comments, and a file of ours that may be edited. Pure.

The first comment carries the digest of the section as it was written, so that a section that nobody touched can be
replaced by a newer one, and one that somebody edited is left alone. All bytes outside it stay as they are.
"""

from __future__ import annotations

import hashlib
import re

from dory_tui.values import dataclass
from dory_tui.workspace.document import Document, Line, decode, encode, parse

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Literal

    State = Literal["added", "updated", "kept", "edited"]

_BEGIN = re.compile(r"^<!-- dory:begin sha256=(?P<digest>[0-9a-f]{16}) -->[ \t]*$")
_END = re.compile(r"^<!-- dory:end -->[ \t]*$")
_SEAL = re.compile(rb"<!-- dory: sha256=(?P<digest>[0-9a-f]{16}); an edited copy is left alone -->\r?\n?\Z")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Put:
    """A file with the section in it, from `line` on. `edited`: somebody changed it, so the file is as it was."""

    data: bytes
    state: State
    line: int


def put(path: str, data: bytes | None, body: str) -> Put:
    """The file with the section's lines, `body`, at its end, or in the place of an older one that nobody edited.

    Line ends are the file's. ValueError, with file, line and what to do, when the file cannot take it.
    """
    if data is not None and data.startswith(_WIDE):
        raise ValueError(f"{path} is not UTF-8 text: save it as UTF-8, then call again")
    document = parse(path, data or b"")
    if (line := document.conflicted) is not None:
        raise ValueError(f"{path} line {line}: merge conflict markers; resolve them first")
    end = document.line_end
    found = _find(document)
    if found is None:
        return _appended(document, body, end)
    first, last = found
    stands = _body(document, first, last)
    if stands == body:
        return Put(document.data, "kept", first.number)
    if digest(stands) != _digest_of(first):
        return Put(document.data, "edited", first.number)
    section = _section(body, end) + document.data[last.end : last.stop]
    return Put(document.data[: first.start] + section + document.data[last.stop :], "updated", first.number)


def section(path: str, data: bytes) -> str | None:
    """The lines between the marks, each ended by `\\n`; None where there are no marks. ValueError as in `put`."""
    document = parse(path, data)
    found = _find(document)
    return None if found is None else _body(document, *found)


def digest(body: str) -> str:
    """What the first mark carries: 16 hex digits of the SHA-256 of the lines."""
    return hashlib.sha256(encode(body)).hexdigest()[:16]


def _appended(document: Document, body: str, end: bytes) -> Put:
    data = document.data
    ended = data in (b"", b"\xef\xbb\xbf") or data.endswith((b"\n", b"\r"))
    blank = not data.strip(b"\xef\xbb\xbf \t\r\n")
    gap = (b"" if ended else end) + (b"" if blank else end)
    line = len(parse(document.path, data + gap).lines) + 1
    return Put(data + gap + _section(body, end) + end, "added", line)


def _section(body: str, end: bytes) -> bytes:
    """The section with its marks and without the last line end."""
    text = f"<!-- dory:begin sha256={digest(body)} -->\n{body}<!-- dory:end -->"
    return encode(text).replace(b"\n", end)


def _find(document: Document) -> tuple[Line, Line] | None:
    """The two marks, each on a line of its own and in no fence."""
    lines = [line for line in document.lines if line.mask not in ("fence", "front")]
    begins = [line for line in lines if _BEGIN.match(line.text)]
    ends = [line for line in lines if _END.match(line.text)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].number < begins[0].number:
        line = (begins or ends)[-1].number
        raise ValueError(
            f"{document.path} line {line}: one `<!-- dory:begin … -->` and one `<!-- dory:end -->` below it belong "
            "together; take the odd ones out, then call again"
        )
    return begins[0], ends[0]


def _body(document: Document, first: Line, last: Line) -> str:
    return "".join(f"{line.text}\n" for line in document.lines[first.number : last.number - 1])


def _digest_of(first: Line) -> str:
    match = _BEGIN.match(first.text)
    assert match is not None
    return match["digest"]


# Whole files of ours


def sealed(data: bytes) -> bytes:
    """A file with a last line that tells later whether somebody edited it."""
    found = hashlib.sha256(data).hexdigest()[:16]
    return data + encode(f"\n<!-- dory: sha256={found}; an edited copy is left alone -->\n")


def untouched(data: bytes) -> bool:
    """Whether a sealed file is as it was written, whatever its line ends became."""
    match = _SEAL.search(data)
    if match is None:
        return False
    plain = data[: match.start()].replace(b"\r\n", b"\n")
    return hashlib.sha256(plain[:-1]).hexdigest()[:16] == decode(match["digest"])
