"""A day's log, `memory/YYYY-MM-DD.md`: one entry added under the heading for its kind (memory.md, "The day's log").

Pure: bytes in, bytes out. Each addition is one span put in between bytes that stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from dory_tui.values import dataclass
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, decode, encode, parse, split_lines
from dory_tui.workspace.layout import LOGS

KINDS = ("task", "decision", "bug", "fact", "promise")
"""What a log line can be, in the order of the headings."""

HEADINGS: Mapping[str, str] = {kind: f"{kind.capitalize()}s" for kind in KINDS}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TITLES: Mapping[str, frozenset[str]] = {
    "task": _words("task tasks completed done tareas tarefas tâches aufgaben attività 任务 задачи"),
    "decision": _words("decision decisions décisions decisiones decisões entscheidungen decisioni 决定 决策 решения"),
    "bug": _words("bug bugs fehler errores erros errori 错误 ошибки"),
    "fact": _words("fact facts learnt learned learnings lessons faits hechos fatos fakten fatti 事实 факты"),
    "promise": _words("promise promises commitment commitments promesses promesas promessas versprechen 承诺 обещания"),
}
# Words that a title has beside the one that says what it holds: "Tasks completed", "Facts learnt today".
_FILLERS = _words(
    "& a all and completed done finished fixed fixes found given i in is made of our s state taken the their this today"
    " what why"
)
# Beside "tasks" these say that the section is a plan and not a log.
_NO_LOG = _words("known new open")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_BREAKS_OUT = re.compile(r"^\s*(?:#{1,6}(?:\s|$)|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|=+[ \t]*$)")


@dataclass(frozen=True, slots=True)
class Added:
    """The log with the entry in it, and the line, from 1, on which the entry begins."""

    data: bytes
    line: int


def log_path(day: date) -> str:
    """`memory/2026-02-07.md`, relative to the workspace."""
    return f"{LOGS}/{day.isoformat()}.md"


def day_of_log(path: str) -> date:
    """The day of a path that `log_path` made."""
    return date.fromisoformat(path.removeprefix(f"{LOGS}/").removesuffix(".md"))


def kind_of(title: str) -> str | None:
    """The kind of entry that a section of this title holds, decoration and filler words aside; None for any other."""
    words = shapes.normal(title).replace("/", " ").split()
    for kind, titles in _TITLES.items():
        known = titles | _FILLERS if kind == "task" else titles | _FILLERS | _NO_LOG
        if any(word in titles for word in words) and all(word in known for word in words):
            return kind
    return None


def bullet(kind: str, time: str, text: str) -> list[bytes]:
    """The lines of an entry: `- 14:05 words`, a promise `- [ ] 14:05 words`, further lines of the text indented by two.

    `time` is `HH:MM`. Control characters become spaces. What would act on the rest of the log (a heading, a rule, a
    comment, an unclosed fence) is written with a backslash, so that it reads the same and does nothing. ValueError
    when the text holds nothing.
    """
    lines = [_clean(raw) for raw in re.split(r"\r\n|\r|\n", text)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if not lines:
        raise ValueError("there are no words to write down")
    box = "[ ] " if kind == "promise" else ""
    stamp = f"{time} " if time else ""
    first, *rest = lines
    made = [f"- {box}{stamp}{first.lstrip()}", *(f"  {_tame(line)}" if line else "" for line in rest)]
    entry = [encode(line) for line in made]
    return _without_fences(entry) if parse("", b"\n".join(entry)).problems else entry


def plain(text: str) -> str:
    """A line of text with nothing in it that opens or closes a comment; it is shown as it was."""
    return text.replace("<!--", "<\\!--").replace("-->", "--\\>")


def _clean(text: str) -> str:
    kept = "".join(" " if _control(c) else c for c in text)
    return plain(kept.rstrip())


def _control(char: str) -> bool:
    return (ord(char) < 32 and char != "\t") or 0x7F <= ord(char) < 0xA0 or char in "\u2028\u2029"


def _tame(line: str) -> str:
    return _escaped(line) if _BREAKS_OUT.match(line) else line


def _escaped(line: str) -> str:
    blank = len(line) - len(line.lstrip())
    return f"{line[:blank]}\\{line[blank:]}"


def _without_fences(entry: list[bytes]) -> list[bytes]:
    """An entry whose fences are shown and do nothing, for where one would stay open or close one further up."""
    return [encode(_escaped(line)) if _FENCE.match(line := decode(raw)) else raw for raw in entry]


def add(data: bytes | None, day: date, kind: str, entry: list[bytes]) -> Added:
    """The log with an entry at the end of the section for its kind; the section, and the file, are made when absent.

    `data` is None for a file that is not there. A section is found by what its title says, in any spelling, and a new
    one is put where its kind belongs (`KINDS`). "Nothing here" is replaced. Line ends are those of the neighbour; a
    file without a final line end is left without one.
    """
    name = log_path(day)
    if data is None:
        data = encode(f"# {day.isoformat()}\n")
    document = parse(name, data)
    if document.problems:
        entry = _without_fences(entry)
    section = _section(document, kind)
    if section is None:
        return _with_section(document, kind, entry)
    assert section.heading is not None
    nothing = [ln for ln in section.lines if not ln.blank and not ln.mask]
    if nothing and all(shapes.is_nothing(ln.shown) for ln in nothing):
        return _put(document, nothing[0].start, nothing[-1].end, b"", entry, b"", nothing[0])
    return _below(document, section, entry)


def _section(document: Document, kind: str) -> shapes.Section | None:
    found = [s for s in _kinds(document) if kind_of(s.title) == kind]
    return found[0] if found else None


def _kinds(document: Document) -> list[shapes.Section]:
    """The sections of the five kinds; the title of the file is none of them, where there are deeper ones."""
    cut = [s for s in shapes.sections(document) if s.heading is not None]
    deeper = any(s.level > 1 for s in cut)
    return [s for s in cut if (s.level > 1 or not deeper) and kind_of(s.title) is not None]


def _below(document: Document, section: shapes.Section, entry: list[bytes]) -> Added:
    """Behind the last line of a section that says something; rules and footers at its end stay at its end."""
    assert section.heading is not None
    lines = list(section.lines)
    while lines and (not lines[-1].text.strip() or _footer(lines[-1])):
        lines.pop()
    if not lines:
        last, apart = section.heading, True
    else:
        last, apart = lines[-1], not _in_list(lines)
    end = _end_of(document, last)
    before = end + end if apart else end
    # What follows at once would otherwise run on from the entry, or stand closer to it than to its own section.
    following = document.lines[last.number].text.strip() if last.number < len(document.lines) else ""
    next_heading = following and document.lines[last.number].heading is not None
    after = end if following and (apart or not next_heading) else b""
    return _put(document, last.end, last.end, before, entry, after, last)


def _footer(line: Line) -> bool:
    return not line.mask and (shapes.is_rule(line.shown) or shapes.is_italic(line.shown))


def _in_list(lines: list[Line]) -> bool:
    """Whether the last of these lines belongs to a list: a bullet, or something that runs on below one."""
    for line in reversed(lines):
        if not line.mask and line.text.strip() and shapes.is_bullet(line.shown):
            return True
        if line.text.strip() and not line.text.startswith((" ", "\t")):
            return False
    return False


def _with_section(document: Document, kind: str, entry: list[bytes]) -> Added:
    """A new section before the first one of a later kind, else at the end of the file."""
    kinds = _kinds(document)
    level = kinds[0].level if kinds else 2
    heading = encode(f"{'#' * level} {HEADINGS[kind]}")
    later = next((s for s in kinds if KINDS.index(kind_of(s.title) or kind) > KINDS.index(kind)), None)
    end, data = document.line_end, document.data
    block = [heading, b"", *entry]
    if later is not None:
        assert later.heading is not None
        at = later.heading.start
        mark = len(b"\xef\xbb\xbf") if at == 0 and data.startswith(b"\xef\xbb\xbf") else 0
        above = document.lines[later.heading.number - 2].text.strip() if later.heading.number > 1 else ""
        before = _end_of(document, later.heading) if above else b""
        return _shifted(_put(document, at + mark, at + mark, before, block, end + end, later.heading))
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return _shifted(_put(document, len(data), len(data), b"", block, end, None))
    last = document.lines[-1]
    ended = last.stop > last.end
    blank = not last.text.strip()
    before = (b"" if ended else end) + (b"" if blank and ended else end)
    return _shifted(_put(document, len(data), len(data), before, block, end if ended else b"", None))


def _shifted(added: Added) -> Added:
    """From the line of a new heading to the line of the entry, two further down."""
    return Added(added.data, added.line + 2)


def _put(
    document: Document, start: int, stop: int, before: bytes, block: list[bytes], after: bytes, near: Line | None
) -> Added:
    """The bytes with a block of lines in a span's place, and the line on which the block begins."""
    end = document.line_end if near is None else _end_of(document, near)
    head = document.data[:start] + before
    text = end.join(block)
    return Added(head + text + after + document.data[stop:], line_at(head))


def line_at(head: bytes) -> int:
    """The number, from 1, of the line that begins or goes on where these bytes end."""
    spans = split_lines(head)
    return len(spans) + 1 if not spans or spans[-1][2] > spans[-1][1] else len(spans)


def _end_of(document: Document, line: Line) -> bytes:
    return document.data[line.end : line.stop] or document.line_end
