"""Which hold covers which draft (gate.md, "Holds"). Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from dory_tui.values import dataclass
from dory_tui.workspace.entries import CANONICAL_DASH, Hold

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_EXPLICIT = re.compile(r"(?<![\w.-])(id|lane|kind|path):\s*(\S+)", re.IGNORECASE)
_ALL = re.compile(r"(?<![\w-])all(?![\w-])", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}:\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_RANGE = re.compile(r"(\d{1,6})(?:\s*(?:-|–|—|\.\.|to|through|bis)\s*(\d{1,6}))?")
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
    words = hold.subject if CANONICAL_DASH in hold.text else f"{hold.subject} {hold.reason}"
    if not _words(words) & _draft_words(facts):
        return False
    wanted = _numbers(hold.subject)
    number = number_of(facts)
    return not wanted or number is None or any(low <= number <= high for low, high in wanted)


def number_of(facts: Facts) -> int | None:
    """A draft's number: `part`, else N of "N of M" or "N/M" in its title, else the trailing -N of its id."""
    if facts.part and (match := re.match(r"\s*(\d{1,6})", facts.part)):
        return int(match[1])
    if match := _OF.search(_DATE.sub(" ", facts.title)):
        return int(match[1])
    if match := _TRAILING.search(_DATE.sub("", facts.id)):
        return int(match[1])
    return None


def _explicit(subject: str, facts: Facts) -> bool | None:
    """What `id:`, `lane:`, `kind:`, `path:` or `all` decide; None when the subject has none of them."""
    if _ALL.search(subject):
        return True
    named = _EXPLICIT.findall(subject)
    if not named:
        return None
    has = {"id": facts.id, "lane": facts.lane, "kind": facts.kind, "path": facts.path}
    for name, raw in named:
        value = raw.strip("`\"',;").casefold()
        mine = (has[name.casefold()] or "").casefold()
        if mine and (mine == value or (name.casefold() == "path" and mine.startswith(value.rstrip("/") + "/"))):
            return True
    return False


def _numbers(subject: str) -> list[tuple[int, int]]:
    """The numbers and ranges of a subject, dates and times left out."""
    found = []
    for low, high in _RANGE.findall(_DATE.sub(" ", subject)):
        first, last = int(low), int(high or low)
        found.append((min(first, last), max(first, last)))
    return found


def _draft_words(facts: Facts) -> frozenset[str]:
    return _words(" ".join(part for part in (facts.title, facts.id, facts.kind, facts.lane) if part))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The words that can match: casefolded, singular, no stop words, no bare numbers.

    Scripts written without spaces have no words to cut, so pairs of their characters stand in for them.
    """
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        for run in _UNSPACED.findall(word):
            found.update(run[n : n + 2] for n in range(max(1, len(run) - 1)))
        rest = _UNSPACED.sub("", word)
        if rest and not rest.isdigit() and rest not in _STOP:
            found.add(_singular(rest))
    return frozenset(found)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
