"""The task in ACTIVE.md: the user's exact words written, read back byte for byte, and taken away. Pure.

Words of one plain line stand as `**User said:** "words"`. All others stand as a block quote below the label, one `> `
before each of their lines and `>` alone for an empty one:

    **User said:**
    > first line
    >
    > third line

Each quoted line keeps the line end that the words have there (`\\n`, `\\r\\n`, `\\r`, mixed as they are). The last one
ends as the file's lines do, and that end is no part of the words: words that end with a line end have `>` alone as
their last line. Spaces and tabs at either end of a line are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from dory_tui.workspace import shapes
from dory_tui.workspace.day_log import plain
from dory_tui.workspace.document import Document, decode, encode, parse, split_lines
from dory_tui.workspace.layout import ACTIVE
from dory_tui.workspace.task_reading import LABELS, QUOTED, Found, find, said

__all__ = ["clear_task", "log_lines", "refused", "said", "task_bytes", "write_task"]

NOTHING = "[none]"
_EMPTY = b"# ACTIVE.md\n"
_HEADING = "Current Instruction"


def refused(words: bytes) -> str | None:
    """Why words cannot be kept in a Markdown file as they are, in one sentence; None when they can."""
    try:
        text = words.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1} of the words is not UTF-8: send them as UTF-8 text"
    if not text.strip():
        return "there are no words: send the user's own words by standard input"
    for at, char in enumerate(text):
        if (ord(char) < 32 and char not in "\t\n\r") or 0x7F <= ord(char) < 0xA0:
            return f"character {at + 1} of the words is the control character U+{ord(char):04X}: remove it"
    return None


def write_task(data: bytes | None, words: bytes, interpretation: str = "", steps: Sequence[str] = ()) -> bytes:
    """ACTIVE.md with the words as its task: `said(parse(ACTIVE, write_task(data, words))) == words`.

    What stood at the three labels is replaced, the rest of the file stays; a section is made where there is none.
    `interpretation` and each step are one line. ValueError, with a sentence, when the words are `refused` or the file
    cannot take them.
    """
    if (reason := refused(words)) is not None:
        raise ValueError(reason)
    document = parse(ACTIVE, _EMPTY if data is None else data)
    end, found = document.line_end, find(document)
    meant = encode(_line(interpretation) or NOTHING)
    boxes = [encode(f"- [ ] {_line(step)}") for step in steps]
    texts: dict[str, Callable[[str], bytes]] = {
        "user said": lambda label: _quoted(words, label, end),
        "interpretation": lambda label: encode(label) + b" " + meant,
        "status": lambda label: end.join([encode(label if boxes else f"{label} {NOTHING}"), *boxes]),
    }
    if found is None:
        new = _with_section(document, (end + end).join(text(LABELS[name]) for name, text in texts.items()))
    else:
        given = {"interpretation": bool(interpretation), "status": bool(steps)}
        new = _spliced(document, _pieces(found, texts, given, end))
    if said(parse(ACTIVE, new)) != words:
        line = document.problems[0].line if document.problems else 1
        raise ValueError(f"{ACTIVE} line {line}: what opens there is never closed: close it, then try again")
    return new


def _pieces(
    found: Found, texts: Mapping[str, Callable[[str], bytes]], given: Mapping[str, bool], end: bytes
) -> list[tuple[int, int, bytes]]:
    """What replaces each part; a part that is missing stands below the one before it, when it is given."""
    pieces: list[tuple[int, int, bytes]] = []
    for name, part in zip(LABELS, (found.said, found.interpretation, found.status), strict=True):
        if part is not None:
            pieces.append((part.start, part.stop, texts[name](part.label)))
        elif given[name]:
            start, stop, piece = pieces[-1]
            pieces[-1] = (start, stop, piece + end + end + texts[name](LABELS[name]))
    return pieces


def clear_task(data: bytes) -> bytes:
    """ACTIVE.md without its task: `[none]` stands at its labels, all else as it was."""
    document = parse(ACTIVE, data)
    found = find(document)
    if found is None:
        return data
    return _spliced(document, [(part.start, part.stop, encode(f"{part.label} {NOTHING}")) for part in found.parts])


def task_bytes(document: Document) -> bytes:
    """The bytes of the task's parts, joined: what tells whether it is still the same task. Empty when there is none."""
    found = find(document)
    if found is None or found.words is None:
        return b""
    return b"\n".join(document.data[part.start : part.stop] for part in found.parts)


def log_lines(found: Found) -> list[bytes]:
    """The task as lines below a log entry, indented by two: exact words, interpretation, steps with their ticks."""
    words = found.words or b""
    text = decode(words)
    lines = [b"  - **User said:**"]
    if _one_line(text):
        lines = [encode(f'  - **User said:** "{text}"')]
    elif "<!--" in text or "-->" in text:
        # In a quote a comment would hide what follows in the log; in a fence it does nothing.
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        inner = [words[start:stop] for start, stop, _ in split_lines(words)]
        lines += [encode(f"    {fence}"), *(b"    " + line if line else b"" for line in inner), encode(f"    {fence}")]
    else:
        lines.append(_quote(words, b"    >"))
    if found.meaning:
        lines.append(encode(f"  - **Interpretation:** {plain(found.meaning)}"))
    if found.state:
        lines.append(encode(f"  - **Status:** {plain(found.state)}"))
    return [*lines, *(encode(f"  {plain(step)}" if step else "") for step in found.steps)]


def _one_line(text: str) -> bool:
    marks = any(part in text for part in ("\n", "\r", '"', "<!--", "-->"))
    return not marks and bool(text.strip()) and not shapes.is_nothing(text) and not shapes.is_slot(text)


def _quoted(words: bytes, label: str, end: bytes) -> bytes:
    """The label with the words, without the last line end; `end` is the line end below the label."""
    text = decode(words)
    return encode(f'{label} "{text}"') if _one_line(text) else encode(label) + end + _quote(words, b">")


def _quote(words: bytes, mark: bytes) -> bytes:
    """The words as a block quote, without a last line end."""
    spans = split_lines(words)
    if not spans or spans[-1][2] > spans[-1][1]:
        spans.append((len(words),) * 3)
    return b"".join(mark + (b" " if stop > start else b"") + words[start:last] for start, stop, last in spans)


def _line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise ValueError("an interpretation and a step are one line each")
    return plain(text.strip())


def _spliced(document: Document, pieces: list[tuple[int, int, bytes]]) -> bytes:
    """The file with each span replaced; a block quote is kept apart from what follows it."""
    data = document.data
    for start, stop, piece in sorted(pieces, reverse=True):
        following = next((line for line in document.lines if line.start > stop), None)
        tight = following is not None and bool(following.text.strip())
        quote = QUOTED.match(decode(re.split(rb"[\r\n]", piece)[-1])) is not None
        data = data[:start] + piece + (document.line_end if quote and tight else b"") + data[stop:]
    return data


def _with_section(document: Document, block: bytes) -> bytes:
    """The file with the block below the heading for it, in the place of "nothing here"; else at its end."""
    end, data = document.line_end, document.data
    named = [s for s in shapes.sections(document) if s.heading is not None and s.path[-1] == _HEADING.casefold()]
    section = next((s for s in named if not s.under(shapes.EXAMPLE_TITLES)), None)
    if section is None or section.heading is None:
        last = document.lines[-1] if document.lines else None
        ended = last is None or last.stop > last.end or not data.strip(b"\xef\xbb\xbf")
        blank = last is None or not last.text.strip()
        gap = (b"" if ended else end) + (b"" if blank and ended else end)
        return data + gap + encode(f"## {_HEADING}") + end + end + block + (end if ended else b"")
    lines = [line for line in section.lines if line.text.strip()]
    if lines and all(not line.mask and shapes.is_nothing(line.shown) for line in lines):
        return data[: lines[0].start] + block + data[lines[-1].end :]
    at = section.heading.end
    following = document.lines[section.heading.number].text if section.heading.number < len(document.lines) else ""
    return data[:at] + end + end + block + (end if following.strip() else b"") + data[at:]
