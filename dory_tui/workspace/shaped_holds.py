"""Holds in HOLD.md that have the shape of an entry: a heading block, a list item, a table row, a label block. Pure.

Only a file with more than stamp lines is read so; the path of `dory-agent check` does not come here otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from dory_tui.values import replace
from dory_tui.workspace import shapes, words
from dory_tui.workspace.document import Document, Line
from dory_tui.workspace.entry_shapes import Entry
from dory_tui.workspace.holds import Hold, hold_hash, split_reason, text_hold
from dory_tui.workspace.recognise import Recognised, recognise


def shaped(document: Document, scanned: Sequence[tuple[Hold, tuple[Line, ...]]]) -> list[Hold]:
    """The scan's holds, those passages that have the shape of an entry read as what they are."""
    read = recognise(document, "hold")
    stamps = [(hold, lines) for hold, lines in scanned if hold.kind == "stamp"]
    if read.as_text and not stamps:
        return [_unread(document, read)]
    blocks = [entry for entry in read.entries if entry.shape not in ("stamp", "prose")]
    inside = {line.number for entry in blocks for line in entry.lines}
    over = {line.number for entry in read.entries if entry.resolved for line in entry.lines}
    below = {line.number for entry in blocks for line in entry.lines[1:]}
    kept = [hold for hold, lines in stamps if not _within(lines[0], below)]
    kept += [_entry_hold(entry) for entry in blocks if not entry.resolved]
    told = inside | read.quiet | over | {line.number for line in document.lines if _POINTER.match(line.shown)}
    stamped = {lines[0].number for _, lines in stamps}
    begins = min((line.number for line in document.lines if line.number in inside or line.number in stamped), default=0)
    cut = pairwise(shapes.sections(document))
    deeper = {one.heading.number for one, after in cut if one.heading is not None and after.level > one.level}
    for hold, lines in scanned:
        if hold.kind != "text" or _explains(lines, begins, document):
            continue
        if _leads(lines[-1]) and _next(document, lines[-1]) in inside:
            continue
        if left := _left(lines, told, deeper):
            kept.append(hold if len(left) == len(lines) else text_hold(left))
    return sorted(kept, key=lambda one: one.line)


_POINTER = re.compile(r"^[^:：\[\]]{1,60}[:：]\s*(?:\[[^\]]*\]\([^)]*\)|<https?://[^>]*>)[.。]?\s*$")
"""A line that only says where more stands: `History: [the log](log.md)`."""


_MEANS = re.compile(
    r"^\W*(?:legend|format|notes?|formato|legende|légende|leyenda|legenda|hinweise?|notas?|图例|格式|凡例|범례|легенда|формат)"
    r"\W{0,3}[:：]|^\W*\d+ (?:open|offen|abiertos?)\b",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:moves?|moved|go|goes|kept|stay|archived?) (?:to|in|into|here)\b.*\.md\b"
    r"|^\W*(?:see|siehe|ver|voir) \W*\S+\.md",
    re.I,
)


def _explains(lines: Sequence[Line], begins: int, document: Document) -> bool:
    """Whether a paragraph is about the file: its introduction, a legend, a footer, where old entries go."""
    if lines[0].heading is not None or any(shapes.forbids(line.shown) for line in lines):
        return False
    if any(line.mask or shapes.is_bullet(line.shown) or line.shown.lstrip().startswith("|") for line in lines):
        return False
    if (
        _MEANS.match(lines[0].shown)
        or shapes.is_footer(lines[0].shown)
        or any(_MOVES.search(line.shown) for line in lines)
    ):
        return True
    above = [line for line in document.lines[: lines[0].number - 1] if line.heading is not None]
    title = len(above) == 1 and above[0].heading is not None and above[0].heading[0] == 1
    return title and lines[-1].number < begins and _introduction(lines)


def _introduction(lines: Sequence[Line]) -> bool:
    """Whether words below the title introduce: they speak of the file, the list, or how to read them."""
    return _ABOUT.search(" ".join(line.shown for line in lines)) is not None


_ABOUT = re.compile(
    r"\b(?:this file|file|list|here|below|read|before acting|items?|entries|one line|agent|tracks?|keep|things"
    r"|everything|diese|datei|liste|hier|archivo|aquí|lista|fichier|ici|arquivo|aqui|файл|здесь|список)\b|文件|这里|ここ|파일|여기",
    re.IGNORECASE,
)


def _next(document: Document, line: Line) -> int:
    """The number of the next line with something on it."""
    lines = document.lines
    ahead = range(line.number, len(lines))
    return next((lines[at].number for at in ahead if lines[at].text.strip()), 0)


def _left(lines: Sequence[Line], told: set[int] | frozenset[int], deeper: set[int]) -> tuple[Line, ...]:
    """What of a passage, with its heading, is in no entry and says something of its own."""
    head, title = lines[0], lines[0].heading
    body = lines[1:] if title is not None else lines
    left = tuple(line for line in body if line.number not in told)
    if title is None or head.number in told:
        return () if len(left) < len(body) and all(map(_leads, left)) else left
    if not body:
        bare = words.role(title[1]) == "" and head.number not in deeper
        return (head,) if bare else ()
    if len(left) == len(body):
        return tuple(lines)
    return () if all(map(_leads, left)) else left


def _within(line: Line, below: set[int]) -> bool:
    """Whether a date line is only a dated line of another entry's own log, `  - 2026-03-11: asked again`."""
    indented = line.shown[:1] in (" ", "\t")
    return indented and line.number in below and not shapes.strip_marks(line.shown).startswith("[")


def _leads(line: Line) -> bool:
    """Whether a line only leads on to the list below it: `Waiting for Ana:`; or is a table's head."""
    return line.shown.rstrip(" *_").endswith((":", "：")) or line.shown.lstrip().startswith("|") or line.blank


def _unread(document: Document, read: Recognised) -> Hold:
    """The one hold that a HOLD.md is in which nothing was recognised: an essay, a poem."""
    lines = tuple(line for part in read.rest for line in part.lines)
    return replace(text_hold(lines or document.lines), counted=False)


_ID = re.compile(r"^[\W_]*(?:\[?[A-Za-z]{1,12}[-_]?#?\d[\w-]*\]?|#?\d{1,4})(?:[.:)）]|\s*[—–-]|\s)\s*(?=\S)")
_UNIVERSAL = re.compile(
    r"^\W*(?:no|none|kein\w*|aucune?|nenhum\w*|ningun\w*|nessun\w*|нет|не|不|禁|勿)\b"
    r"|\b(?:nothing|everything|anything|all|any|every|freeze|frozen|halt|stop|until further notice|whole|entire"
    r"|alles|nichts|alle|tout|tous|rien|todo|todos|nada|tudo|всё|все|ничего|стоп)\b"
    r"|冻结|全部|所有|一切|禁止|停止|すべて|全て|凍結|모두|모든|전체|중지|동결|הכל|שום|كل|جميع|لا شيء",
    re.IGNORECASE,
)


def universal(words_of: str) -> bool:
    """Whether words hold everything by themselves: `Nothing goes out this week`, `No posts`."""
    return _UNIVERSAL.search(words_of) is not None


def entry_hash(entry: Entry) -> str:
    """The hash of an entry of another shape: of its first words, so that an update below makes it no other hold."""
    return hold_hash(entry.title if entry.shape != "heading" else shapes.strip_marks(entry.title))


def _entry_hold(entry: Entry) -> Hold:
    if entry.shape in ("prose", "file"):
        kept = tuple(line for line in entry.lines if line.text.strip())
        whole = text_hold(kept)
        return whole if entry.shape == "prose" else replace(whole, subject=entry.title, hash=hold_hash(entry.title))
    when = None
    if entry.when is not None:
        when = datetime.combine(entry.when.day, entry.when.time or datetime.min.time())
    subject, _, reason = split_reason(entry.title.strip().strip("*_ "))
    bare = without_id(entry.title).strip("*_ \t")
    return Hold(
        "entry", entry_hash(entry), entry.text, subject, reason, when, None, entry.line, entry.span,
        shape=entry.shape, over_all=not bare or universal(entry.title),
    )  # fmt: skip


def without_id(subject: str) -> str:
    """A subject without the id or number that an entry begins with, which counts no drafts: `T10-6 — viverra`."""
    return _ID.sub("", subject, count=1)
