"""The bytes of a draft that STAGING.md writes in a shape of its own, and where its status stands. Pure."""

from __future__ import annotations

import re

from dory_tui.workspace import passages, vocabulary, words
from dory_tui.workspace.document import Document, Line, encode
from dory_tui.workspace.entry_shapes import Entry

_STATUS = re.compile(
    r"^(?P<head>\s*(?:[-*+•]\s+)?(?:\*\*|__)?(?P<name>[^*_:：|]{1,40}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：]|[:：])\s*)"
    r"(?P<value>.*?)\s*$"
)


def status_line(entry: Entry) -> tuple[Line, int, int] | None:
    """(line, start, stop) of an entry's status value, in characters of the line; None where it states none so."""
    if entry.shape == "row":
        line = entry.lines[0]
        for name, (start, stop) in zip(entry.head, passages.cell_spans(line.text), strict=False):
            if words.plain(name) in vocabulary.STATUS_FIELDS:
                return line, start, stop
        return None
    for line in entry.lines:
        match = None if line.mask else _STATUS.match(line.shown)
        if match is None or words.plain(match["name"]) not in vocabulary.STATUS_FIELDS:
            continue
        value = match["value"]
        if (match["name"].strip(), value) in entry.fields and (words.condition(value) or len(value.split()) < 3):
            return line, match.end("head"), match.end("value")
    return None


def shaped_bytes(document: Document, entry: Entry) -> bytes:
    """What a draft in another shape is approved by: its bytes without the status that STAGING.md shows it by.

    A row loses the words of its status cell, a heading block its status line, a list item the tick of its box.
    """
    place = status_line(entry)
    kept = []
    for line in entry.lines:
        text = document.data[line.start : line.end]
        if place is not None and line is place[0]:
            if entry.shape != "row":
                continue
            cut_from, cut_to = (len(encode(line.text[:at])) for at in place[1:])
            lead = len(text) - len(encode(line.text))
            text = text[: lead + cut_from] + text[lead + cut_to :]
        kept.append(text)
    joined = b"\n".join(kept).strip(b"\n")
    if entry.shape == "bullet":
        joined = re.sub(rb"^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[[ xX]\]", rb"\1[ ]", joined)
    return joined + b"\n"
