"""Which hold covers which draft (gate.md, "Holds"). Pure."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from dory_tui.gate.action import DEFAULT_LANE
from dory_tui.values import dataclass
from dory_tui.workspace import scripts
from dory_tui.workspace.holds import CANONICAL_DASH, Hold

_WORD = re.compile(r"[^\W_]+")
_EXPLICIT = re.compile(r"(?<![\w.-])(id|lane|kind|path):\s*([^\s,]+(?:\s*,\s*[^\s,]+)*)", re.IGNORECASE)
_ALL = re.compile(r"(?<![\w-])(?:all|everything)(?![\w-])", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}:\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
# A digit right after a letter (Web3, v2) is part of a name, and counts no drafts. Large, and compiled when asked for.
_RANGE = (
    r"(?<![A-Za-z\d])(\d{1,6})"
    r"(?:\s*(?:[-‐‑‒–—―−~〜～]|\.\.+|…|to|thru|through|until|till|up to|bis|al?|à|do|до|по|到|至|から)\s*(\d{1,6}))?"
)
_OF = re.compile(r"(?<!\d)(\d{1,6})\s*(?:of|/|von|de)\s*\d{1,6}(?!\d)", re.IGNORECASE)
_TRAILING = re.compile(r"-(\d{1,6})$")
_STOP = frozenset(
    """
    a an and are as at be been but by for from has have he her his i if in into is it its me my no not of off on
    only or our out she so than that the their them then there these they this to until up us was we were what
    when which who will with you your do does don hold held wait waiting await awaiting blocked block item
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a hold is compared with. `part` is the front matter's `part`, as written."""

    id: str
    title: str = ""
    kind: str | None = None
    lane: str | None = None
    path: str | None = None
    part: str | None = None


def covers(hold: Hold, facts: Facts) -> bool:
    """Whether a hold covers a draft."""
    if hold.everything:
        return True
    explicit = _explicit(hold.subject, facts)
    if explicit is not None:
        return explicit
    # Without the canonical dash, what was cut off as the reason may be a part of the subject ("tweets 2 - 7").
    words = hold.subject if CANONICAL_DASH in hold.text else f"{hold.subject} - {hold.reason}"
    if hold.kind == "entry":
        return _covers_by_all_words(hold, facts)
    if not _words(words) & _draft_words(facts):
        return False
    number = number_of(facts)
    if number is None or not _numbers(hold.subject):
        return True
    return any(low <= number <= high for low, high in _numbers(words))


def _covers_by_all_words(hold: Hold, facts: Facts) -> bool:
    """An entry of another shape covers by every word in it; its numbers are those of its subject, its id left out."""
    if not _words(hold.text) & _draft_words(facts):
        return False
    from dory_tui.workspace.shaped_holds import without_id

    subject = without_id(hold.subject)
    number, named = number_of(facts), _numbers(subject)
    return number is None or not named or any(low <= number <= high for low, high in named)


def number_of(facts: Facts) -> int | None:
    """A draft's number: `part`, else N of "N of M" or "N/M" in its title, else the trailing -N of its id."""
    if facts.part and (match := re.match(r"\s*(\d{1,6})", facts.part)):
        return int(match[1])
    if match := _OF.search(_DATE.sub(" ", _plain(facts.title))):
        return int(match[1])
    if match := _TRAILING.search(_DATE.sub("", facts.id).rstrip("-")):
        return int(match[1])
    return None


def _explicit(subject: str, facts: Facts) -> bool | None:
    """What `id:`, `lane:`, `kind:`, `path:` or `all` decide; None when the subject has none of them."""
    if _ALL.search(subject):
        return True
    named = _EXPLICIT.findall(subject)
    if not named:
        return None
    has = {"id": facts.id, "lane": facts.lane or DEFAULT_LANE, "kind": facts.kind, "path": facts.path}
    for name, values in named:
        mine = (has[name.casefold()] or "").casefold().rstrip(".")
        for raw in values.split(","):
            value = raw.strip(" \t`\"';.").casefold()
            if mine and (mine == value or (name.casefold() == "path" and mine.startswith(value.rstrip("/") + "/"))):
                return True
    return False


def _numbers(subject: str) -> list[tuple[int, int]]:
    """The numbers and ranges of a subject, dates and times left out."""
    found = []
    for low, high in re.findall(_RANGE, _DATE.sub(" ", _plain(subject)), re.IGNORECASE):
        first, last = int(low), int(high or low)
        found.append((min(first, last), max(first, last)))
    return found


def _draft_words(facts: Facts) -> frozenset[str]:
    return _words(" ".join(part for part in (facts.title, facts.id, facts.kind, facts.lane) if part))


def words(text: str) -> frozenset[str]:
    """The words of a text that can match, as `covers` compares them."""
    return _words(text)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{scripts.UNSPACED}]+")


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The words that can match: casefolded, in every singular they may have, no stop words, no bare numbers.

    Scripts written without spaces have no words to cut, so pairs of their characters stand in for them.
    """
    found: set[str] = set()
    for word in _WORD.findall(_plain(text).casefold()):
        rest = word
        if not word.isascii():
            for run in _unspaced().findall(word):
                found.update(run[n : n + 2] for n in range(max(1, len(run) - 1)))
            rest = _unspaced().sub("", word)
        if rest and not rest.isdigit() and rest not in _STOP:
            found.update(_forms(rest))
    return frozenset(found)


def _plain(text: str) -> str:
    """Text in which a letter and its full-width or decomposed twin are one."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def _forms(word: str) -> set[str]:
    """The word and what it may be the plural of: `caches` of `cache`, `boxes` of `box`, `replies` of `reply`.

    One form too many holds one draft too many; one too few lets one go.
    """
    forms = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        forms.add(word[:-1])
        if word.endswith("es"):
            forms.add(word[:-2])
        if word.endswith("ies"):
            forms.add(word[:-3] + "y")
    return forms
