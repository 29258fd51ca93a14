"""What counts as an entry in a section: the words and forms that are the same for every file.

Pure. Headings cut a document into sections; template examples, placeholders and "nothing here" are never entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from dory_tui.values import dataclass
from dory_tui.workspace.document import Document, Line

_BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]|\d{1,9}[.)])(?=\s|$)\s*(?:\[[ xX]\]\s+)?")
_QUOTE = re.compile(r"^\s*(?:>\s*)+")
_STAMP = re.compile(
    r"^\[\s*(?P<date>\d{4}-\d{2}-\d{2})(?:[ T]+(?P<time>\d{1,2}[:：]\d{2})(?:[:：]\d{2}(?:\.\d+)?)?)?"
    r"(?P<rest>[^\]|]*)(?:\|(?P<session>[^\]]*))?\]\s*(?P<text>.*)$"
)
_DATED = re.compile(
    r"^\*{0,2}(?P<date>\d{4}-\d{2}-\d{2})(?:[ T]+(?P<time>\d{1,2}[:：]\d{2})(?::\d{2})?)?\*{0,2}"
    r"\s*(?:—|–|--?|:|：|\|)\s*(?P<text>\S.*)$"
)
_BOLD_DATE = re.compile(
    r"^\*\*(?P<date>\d{4}-\d{2}-\d{2})(?:[ T]+(?P<time>\d{1,2}:\d{2}))?[:.]?\*\*[:.]?\s+(?P<text>\w.*)$"
)
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$")
_LABEL = re.compile(r"^\s*(?:[-*+]\s+)?\*\*(?P<name>[^*:：]{1,40}?)\s*(?:[:：]\*\*|\*\*\s*[:：])\s*(?P<value>.*)$")
_PLAIN_LABEL = re.compile(r"^\w[\w -]{0,24}[:：]\s*(?P<value>.*)$")
_PLACEHOLDER = re.compile(
    r"YYYY|HH:MM|\[(?:Item|item|Name|name|Title|timestamp|date|session|Task|task|description)[^\]]{0,80}\](?!\()"
    r"|<(?:timestamp|date|ts|name|title|id|item)>|\{\{[^}]{0,80}\}\}"
)
_NOTHING_WORDS = (
    r"none|none yet|none currently|none at this time|nothing|nothing here|nothing waiting|nothing yet"
    r"|nothing staged|nothing held|empty|n/?a|null|nil|idle|waiting for task|waiting for instruction"
    r"|no active task|no items?|no items? currently blocked|no drafts?|no decisions?(?: yet)?"
    r"|no holds?|nothing blocked|—|–|-"
)
_NOTHING = re.compile(rf"^(?:{_NOTHING_WORDS})[.!…]*$", re.IGNORECASE)
_ITALIC = re.compile(r"^\s*(?:\*(?!\*)[^*]+\*(?!\*)|_(?!_)[^_]+_(?!_))\s*$")

EXAMPLE_TITLES = frozenset(
    {"format", "formats", "template", "templates", "example", "examples", "schema", "legend",
     "example entries", "entry format", "how to use", "how it works", "usage", "格式", "формат"}
)  # fmt: skip
RESOLVED_TITLES = frozenset(
    {"resolved", "cleared", "done", "lifted", "completed", "closed", "archive", "archived",
     "resolved blockers", "resolved holds", "history", "released", "recently resolved"}
)  # fmt: skip
LIVE_TITLES = frozenset(
    {"currently blocked", "blocked", "blocked items", "hold", "holds", "on hold", "active holds", "current holds",
     "active blockers", "blockers", "current", "currently staged", "staged", "pending", "drafts",
     "recent", "recent decisions", "decisions", "current instruction", "items", "current blockers"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines up to the next heading of any level. The first one may have no heading."""

    level: int
    title: str
    heading: Line | None
    lines: tuple[Line, ...]
    path: tuple[str, ...]
    """The normalised titles of the sections around it, outermost first, its own last."""

    def under(self, titles: frozenset[str]) -> bool:
        """Whether this section, or one it stands in, bears one of these titles."""
        return any(title in titles for title in self.path)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stamp or date line: `[2026-02-05 10:00 | main] text`, or `2026-02-05 — text`."""

    line: Line
    day: str
    time: str | None
    session: str | None
    text: str
    source: str
    """The line without bullet and quote marks, stripped: what a hold's hash is made of."""
    canonical: bool
    """Whether it has the brackets of the canonical form."""


def normal(title: str) -> str:
    """A heading as it is compared: casefolded, without decoration at its ends."""
    words = re.sub(r"[^\w\s/&-]", " ", title.casefold())
    return " ".join(words.split())


_last: list[tuple[Document, list[Section]]] = []
"""The document that was cut last, and its sections: several readers ask for the same one in a row."""


def sections(document: Document) -> list[Section]:
    """The document cut at its headings, masked lines left out. Not to be changed."""
    if _last and _last[0][0] is document:
        return _last[0][1]
    _last[:] = [(document, _cut(document))]
    return _last[0][1]


def _cut(document: Document) -> list[Section]:
    found: list[Section] = []
    stack: list[tuple[int, str]] = []
    heading: Line | None = None
    level, title = 0, ""
    lines: list[Line] = []

    def close() -> None:
        if heading is not None or lines:
            around = tuple(name for _, name in stack)
            found.append(Section(level, title, heading, tuple(lines), around))

    for line in document.lines:
        parsed = line.heading
        if parsed is None:
            lines.append(line)
            continue
        close()
        level, title = parsed
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, normal(title)))
        heading, lines = line, []
    close()
    return found


def stamp(line: Line) -> Stamp | None:
    """The stamp or date line that `line` is, bullets, boxes and quote marks aside; None when it is none."""
    if line.shown.count("-") < 2:
        return None
    source = strip_marks(line.shown)
    match = _STAMP.match(source) or _DATED.match(source) or _BOLD_DATE.match(source)
    if match is None or not match["text"].strip() or struck(line.shown):
        return None
    canonical = match.re is _STAMP
    session = (match["session"] or "").strip() or None if canonical else None
    time = match["time"].replace("：", ":") if match["time"] else None
    return Stamp(line, match["date"], time, session, match["text"].strip(), source, canonical)


def strip_marks(text: str) -> str:
    """A line without leading bullet, number, check-box or quote marks, stripped."""
    return _BULLET.sub("", _QUOTE.sub("", text)).strip()


# Large patterns that few files need are compiled when they are asked for: each start of a hook would pay for them.
_BEYOND_STRUCK = r"^[*_]*\s*(?:$|[—–→⇒>✅☑✔(\[,.;:-]|\d{4}-|(?:done|resolved|landed|fixed|merged|sent|superseded)\b)"


def struck(text: str) -> bool:
    """Whether all of a line is struck through."""
    inner = strip_marks(text).lstrip("*_")
    if not inner.startswith("~~") or inner.rfind("~~") < 3:
        return False
    beyond = inner[inner.rfind("~~") + 2 :]
    return len(beyond.split()) < 2 or re.match(_BEYOND_STRUCK, beyond, re.IGNORECASE) is not None


def is_rule(text: str) -> bool:
    """A thematic break, or a setext underline."""
    return _RULE.match(text) is not None


def is_quote(text: str) -> bool:
    return text.lstrip().startswith(">")


def is_bullet(text: str) -> bool:
    return _BULLET.match(text) is not None


_FORBIDS = (
    r"^\W*(?:\d+[.)]\s*)?(?:no (?:\w+ ){0,2}(?:posts?|posting|mails?|e-?mails?|messages?|tweets?|deploys?|deployments?"
    r"|releases?|publishing|sending|spending|payments?)\b"
    r"|(?:do not|don't|never) (?:send|post|deploy|publish|mail|merge|push|release|tweet|pay|touch|spend)\b"
    r"|nothing (?:goes|leaves|runs|is (?:sent|posted|published|deployed))\b"
    r"|(?:code |content )?freeze\b|everything is (?:on hold|frozen|blocked|stopped)\b)"
)


_DO_NOT = r"\b(?:do not|don't|must not|never) (?:send|post|deploy|publish|mail|merge|push|release|tweet|pay|spend)\b"


def forbids(text: str) -> bool:
    """Whether a line blocks something by itself, wherever it stands: `No posts before Friday`."""
    return bool(re.match(_FORBIDS, text, re.IGNORECASE) or re.search(_DO_NOT, text, re.IGNORECASE))


def is_italic(text: str) -> bool:
    """A line that is one italic phrase, as introductions and footers are."""
    return text.lstrip()[:1] in ("*", "_") and _ITALIC.match(text) is not None


_SLOT_MARKS = ("[", "<", "{{", "YYYY", "HH:MM")


_FOOTER = (
    r"^\W*(?:(?:last |zuletzt )?(?:updated?|edited|reviewed|sync(?:ed)?|checked|geprüft|aktualisiert)|stand"
    r"|última actualización|actualizado|atualizado|mis à jour|обновлено|обновление|更新于|更新日|最后更新"
    r"|最終更新|마지막 업데이트|آخر تحديث|עודכן)"
    r"(?=\W|[\u3040-\u9fff]|$).{0,60}$"
)
# Looked for first: to compile the rule costs a tenth of `check`, and few files have such a line.
_FOOTER_STEMS = (
    "updat", "edited", "review", "sync", "checked", "geprüft", "aktuali", "stand", "actuali", "atuali", "mis à jour",
    "обновл", "更新", "마지막", "آخر", "עודכן",
)  # fmt: skip


@cache
def _footer() -> re.Pattern[str]:
    return re.compile(_FOOTER, re.IGNORECASE)


def is_footer(text: str) -> bool:
    """Whether a line only says when the file was last written: `Last updated: 2026-03-09`."""
    folded = text.casefold() if len(text) < 90 else ""
    if not any(stem in folded for stem in _FOOTER_STEMS):
        return False
    return _footer().match(text) is not None and re.search(r"\d|\[", text) is not None


def is_placeholder(text: str) -> bool:
    """A line that begins with an unfilled slot of a template, marks, label and brackets aside.

    A slot further in is a subject that people write about: "The roll-out of {{name}} is off".
    """
    if not any(mark in text for mark in _SLOT_MARKS):
        return False
    own = strip_marks(text)
    labelled = _LABEL.match(own) or _PLAIN_LABEL.match(own)
    for part in (own, labelled["value"] if labelled else ""):
        bare = part.lstrip("|*_` ")
        if _PLACEHOLDER.match(bare) or _PLACEHOLDER.match(bare.lstrip("[(")):
            return True
    return False


def is_slot(text: str) -> bool:
    """A text that is one unfilled slot and nothing else."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def unfilled(found: Stamp) -> bool:
    """A stamp line copied from the format with nothing but its date filled in."""
    subject = found.text.partition(" — ")[0].strip()
    return subject == "Item" or is_slot(subject)


def is_nothing(text: str) -> bool:
    """A "nothing here" line, in brackets, parentheses, emphasis or bare; a bullet with nothing after it too."""
    inner = strip_marks(text)
    if len(inner) > 80:
        return False
    if not inner:
        return bool(text.strip())
    while len(inner) > 1 and (inner[0], inner[-1]) in PAIRS:
        inner = inner[1:-1].strip()
    return _NOTHING.match(inner) is not None


PAIRS = frozenset({("[", "]"), ("(", ")"), ("_", "_"), ("*", "*"), ("（", "）"), ("`", "`")})


def label(line: Line) -> tuple[str, str] | None:
    """(casefolded name, raw value) of a bold label line: `**Status:** pending`."""
    match = _LABEL.match(line.shown)
    return None if match is None else (match["name"].strip().casefold(), match["value"].strip())


def blocks(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Runs of lines with something on them, cut at blank lines and rules."""
    run: list[Line] = []
    for line in lines:
        if line.blank or is_rule(line.shown):
            if run:
                yield tuple(run)
                run = []
            continue
        run.append(line)
    if run:
        yield tuple(run)
