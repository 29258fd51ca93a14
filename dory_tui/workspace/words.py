"""The words that people's files use for the same few things: section titles, states, "nothing here". Pure.

Collected from the workspaces that the corpus was made of, and from what the same words are in the languages it holds.
A title or a status is compared casefolded, without decoration; a file's own spelling is kept for writing back.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dory_tui.workspace import scripts
from dory_tui.workspace.vocabulary import (
    ABOUT,
    EXAMPLE,
    FIELDS,
    FINAL,
    LIVE,
    MANUAL,
    NO_VALUE,
    NOTHING,
    OPEN,
    PART,
    PROPOSED,
    REJECTED,
    RESOLVED,
    RESOLVED_FIELDS,
    STILL,
    SUPERSEDED,
    TODO,
)  # fmt: skip

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Literal

    Role = Literal["", "example", "about", "resolved", "live", "todo", "part", "rejected"]
    Condition = Literal["", "open", "resolved", "rejected", "proposed", "superseded"]


_UNSPACED = re.compile(f"[{scripts.UNSPACED}{scripts.HANGUL}]+")
_ROLES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("example", EXAMPLE), ("rejected", REJECTED | SUPERSEDED), ("resolved", RESOLVED), ("about", ABOUT | MANUAL),
    ("todo", TODO), ("live", LIVE), ("part", PART),
)  # fmt: skip


def _wide(names: frozenset[str]) -> tuple[str, ...]:
    """Those of some words that stand in a script without spaces, of two characters and more."""
    return tuple(one for one in names if len(one) > 1 and _UNSPACED.fullmatch(one.replace(" ", "")))


_WIDE_ROLES = tuple((found, _wide(names)) for found, names in _ROLES)
_LONGEST = 300


def _short(text: str) -> str:
    """A title or a status as long as one may be: what a person wrote is shorter, and a hostile one costs no time."""
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A title or a status as it is compared: casefolded, decoration gone, `_` and `-` a space."""
    words = re.sub(r"[^\w\s'/&+.-]", " ", text.casefold().replace("_", " ").replace("-", " "))
    return " ".join(words.split()).strip(" .'/&+")


_EDGE = re.compile(r"\(.*?\)|（.*?）|\[.*?\]|【.*?】|\d{4}-\d{2}-\d{2}|\d+$")
_HEADS = re.compile(
    r"^(?:(?:currently?|recently|active|open|previously|all|items?|my|the|today s|today's|latest|key) )*"
)
_TAILS = re.compile(
    r"(?: (?:items?|blockers?|holds?|recently|tasks?|entries|drafts?|posts?|decisions?|questions?|today|this week"
    r"|projects?|issues?|requests?|approvals?|list|queue|sections?|so far|yesterday|actions?|work|ones?|now))*$"
)


@lru_cache(maxsize=2048)
def role(title: str) -> Role:
    """What a section's title says about what stands in it; "" when it says nothing dory knows."""
    title = _short(title)
    whole = plain(title)
    bare = plain(_EDGE.sub(" ", title))
    core = _TAILS.sub("", _HEADS.sub("", bare))
    sides = _sides(title)
    candidates = [one for one in (whole, bare, core, *sides) if one]
    for found, names in _ROLES:
        if any(one in names for one in candidates):
            still = found in ("resolved", "rejected") and (_unresolved(title) or any(one in LIVE for one in sides))
            return "live" if still else found
    ends = whole.split(" ")
    if _unresolved(title) and any(one in RESOLVED or one in FINAL for one in ends):
        return "live"
    if ends[-1] in ("checklist", "checkliste", "清单", "чеклист"):
        return "about"
    if bare.split(" ")[-1] in ("priority", "priorities"):
        return "todo"
    if len(ends) < 6 and ends[0] in EXAMPLE and ends[-1] in ("entries", "entry", "einträge"):
        return "example"
    if len(ends) > 1 and ends[0] in STILL:
        return "live"
    if len(ends) < 6 and any(one in EXAMPLE for one in ends) and all(one in EXAMPLE or one in _ENTRY for one in ends):
        return "example"
    return _unspaced_role(whole)


_ENTRY = frozenset(
    """
    entry entries log item items hold holds draft drafts decision decisions task tasks post posts blocker record file
    approval request an a the of for new every each copy this to per für neue einträge eintrag use
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_NEGATION = re.compile(
    r"\b(?:not|yet|to be|still|un(?=resolved|finished|done|answered|sent|published)|noch|nicht|pas|encore|sin|sem|não|"
    r"ещё|не|без)\b|\bun(?:resolved|finished|answered|sent|published)\b|\?|[未没尚미]|לא|ללא|غير|لم",
    re.IGNORECASE,
)


def _unresolved(title: str) -> bool:
    """Whether a title denies what its last word says: `Not yet resolved`, `Answered?`, `未解决`."""
    return _NEGATION.search(title) is not None


def _unspaced_role(title: str) -> Role:
    """The role of a title in a script without spaces, where a word of the lists is a good part of it: `今日完成`."""
    if title.isascii():
        return ""
    wide = "".join(_UNSPACED.findall(title))
    if not wide:
        return ""
    for found, names in _WIDE_ROLES:
        best = max((len(one) for one in names if one in wide), default=0)
        if best and found in ("resolved", "rejected") and _unresolved(title):
            return "live"
        if best * 5 >= len(wide) * 2 or (found == "example" and best):
            return found
    return ""


def _sides(title: str) -> list[str]:
    """The parts of a two-language title: `🔴 Заблокировано / Blocked`."""
    if "/" not in title and "|" not in title and "·" not in title:
        return []
    return [plain(_EDGE.sub(" ", part)) for part in re.split(r"[/|·]", title)]


@lru_cache(maxsize=4096)
def is_field(name: str) -> bool:
    """Whether a label names a property of an entry, such as `Status` or `原因`."""
    return plain(name) in FIELDS


_HEDGE = re.compile(
    r"\b(?:not|but|needs?|waiting|awaiting|missing|until|till|pending|still|yet|except|partly|partially|half|when|unless|"
    r"almost|nearly|nicht|aber|noch|fehlt|bis|außer|teilweise|pas|mais|encore|sauf|jusqu|no|pero|falta|hasta|salvo|não|mas|"
    r"ainda|exceto|até|не|но|ещё|кроме|пока|до)\b|\?|⏳|❌|🔄|🟡|未|尚|待|除了|但|除外|以外|まだ|아직|제외|미완|עדיין|חוץ|לא|باستثناء|لم",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"\b(?:no|not) (?:longer|more|needed|necessary|relevant|required|applicable)(?: (?:needed|necessary|any ?more))?\b"
    r"|\bnicht mehr(?: nötig)?\b|\bya no\b|\bplus nécessaire\b|больше не",
    re.IGNORECASE,
)
_AFTER = re.compile(r" [—–-]{1,2} |[,;:：。.(（|]| by | on | am | at | until | to | in ")


def hedged(text: str) -> bool:
    """Whether words take back part of what they say: `merged, not deployed`, `resolved?`, `closed until Monday`."""
    return _HEDGE.search(_NO_LONGER.sub("", text)) is not None


@lru_cache(maxsize=1024)
def condition(status: str) -> Condition:
    """What a status word says, in any spelling: `pending_approval`, `✅ DONE`, `待发布`; "" when unknown.

    A word that ends something counts only where nothing after it takes that back: `done, needs Mara's OK` is open.
    """
    status = _short(status)
    found = _named_condition(status)
    if found in ("resolved", "rejected") and hedged(_beyond(status)):
        return "open"
    return found


def _beyond(status: str) -> str:
    """What stands behind the first word or words of a status."""
    lead = re.match(r"^\W*\w+", status)
    first = _AFTER.search(status)
    cut = min(first.start() if first else len(status), lead.end() if lead else len(status))
    return status[cut:]


def _named_condition(status: str) -> Condition:
    whole = plain(re.sub(r"\(.*?\)|（.*?）", " ", status))
    if not whole:
        return "resolved" if _ticked(status) else ""
    first = plain(_AFTER.split(f"{status.casefold()} ", maxsplit=1)[0])
    for one in (whole, first):
        for found, names in _CONDITIONS:
            if one in names:
                return found
        if one in PROPOSED and one not in OPEN:
            return "proposed"
        if one in OPEN:
            return "open"
    begins = first.split(" ")[0]
    for found, names in (*_CONDITIONS, ("open", OPEN)):
        if begins in names:
            return found
    return _by_mark(status)


_YES = frozenset({"yes", "true", "done", "ja", "oui", "sí", "si", "sim", "да", "是", "はい", "예", "כן", "نعم", "x"})


def resolving(name: str, value: str) -> bool:
    """Whether a field such as `Resolved: 2026-02-05` says that the entry is over: by a day, a yes or a tick."""
    if plain(name) not in RESOLVED_FIELDS:
        return False
    first = plain(re.split(r"[,;(（—–]", value, maxsplit=1)[0])
    dated = re.search(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}|\d{1,2}月\d{1,2}", value) is not None
    told = dated or first.split(" ")[0] in _YES or _ticked(value) or plain(name) in ("superseded by", "replaced by")
    return told and plain(value) not in NO_VALUE and not hedged(value)


_TICKS = "✅☑✔🟩"
_BUSY = "🔄🟡🔴🟠⏸⏳🚧⚠❌🔵⬜🟢"


def _ticked(status: str) -> bool:
    return any(mark in status for mark in _TICKS)


def _by_mark(status: str) -> Condition:
    mark = status.lstrip()[:1]
    if mark and mark in _TICKS:
        return "open" if hedged(status) else "resolved"
    if mark in ("⤳", "⇒"):
        return "superseded"
    return "open" if mark and mark in _BUSY else ""


_SHOUT = re.compile(r"(?<![\w])([A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я _-]{3,30})(?![\w])")
_TAIL = re.compile(r"(?: [—–-]{1,2} |[(（【\[:：])\s*([^()（）【】\[\]:：]{2,40}?)\s*[)）】\]]?\s*$")
_LEAD = re.compile(
    r"^\W*(?:[\[【(（]\s*([^\]】)）]{2,40})\s*[\]】)）]|\*\*([A-Z _-]{4,30})\*\*|([A-Z _-]{4,30})(?=\s*[:：—–]))"
)
_OVER = re.compile(
    r"^\W*(?:block |hold )?(lifted|resolved|cleared|solved|unblocked|done|superseded)\s*[:—–-]\s", re.IGNORECASE
)
_DATED_END = re.compile(r"[(（]?\d{4}-\d{2}-\d{2}[^)）]*[)）]?\s*$")


@lru_cache(maxsize=2048)
def in_heading(title: str) -> tuple[Condition, str]:
    """(condition, raw word) that a heading states: `T4 — RESOLVED (2026-01-05)`, `[PENDING] …`, `Setup (DONE)`.

    A word in capitals counts only where it is set off: in brackets, behind a dash or a colon, or at the end.
    """
    short = _short(title)
    bare = _DATED_END.sub("", short).strip()
    if (lead := _LEAD.match(bare)) is not None:
        word = next(filter(None, lead.groups()))
        if plain(word) in _STATED:
            return condition(word), word.strip()
    if (over := _OVER.match(bare)) is not None and not hedged(bare):
        return condition(over[1]), over[1]
    if (tail := _TAIL.search(bare)) is not None and (found := _set_off(tail[1])):
        return found, tail[1]
    if (shouted := _shouted(bare)) is not None:
        return shouted
    if (found_wide := _unspaced_state(bare)) is not None:
        return found_wide
    if (bare[:1] in tuple(_TICKS) or bare.rstrip("\ufe0f ")[-1:] in tuple(_TICKS)) and not hedged(bare):
        return "resolved", "✅"
    words = plain(re.sub(r"[(（].*?[)）]", " ", bare)).split(" ")
    if len(words) > 1 and words[-1] in FINAL and not hedged(bare) and not _unresolved(bare):
        return condition(words[-1]), words[-1]
    return "", ""


def _set_off(text: str) -> Condition:
    """The condition of words that are set off from a title, when they begin with a state."""
    whole = plain(text)
    if whole in _STATED:
        return condition(text)
    first = whole.split(" ")[0]
    dated = re.search(r"\d", text) is not None
    if first in _STATED and (dated or hedged(text)):
        return condition(text)
    return ""


def _shouted(title: str) -> tuple[Condition, str] | None:
    for match in _SHOUT.finditer(title):
        before, after = title[: match.start()].rstrip(), title[match.end() :].lstrip()
        alone = not before.strip("*_# ") and not after.strip("*_# ")
        off = not after.strip("*_!.✅️ ") or (before[-1:] in tuple("—–-:：([/") and after[:1] in tuple(")]—–,;/("))
        if not (alone or (off and before)):
            continue
        for part in (match[1], *match[1].split()):
            if plain(part) in _STATED and len(part) > 3:
                state = condition(part)
                return ("open" if state == "resolved" and hedged(title) else state), part.strip()
    return None


def _unspaced_state(title: str) -> tuple[Condition, str] | None:
    """A state word at either end of a title in a script without spaces: `待发布的帖子`, `T10 차단 해소`."""
    if title.isascii():
        return None
    words = plain(title)
    for one in _WIDE_STATES:
        if (words.startswith(one) or words.endswith(one)) and not _denied(words, one):
            return condition(one), one
    return None


def _denied(title: str, word: str) -> bool:
    """Whether a word of a script without spaces is denied right before it: `未解决`, `미해결`."""
    at = title.find(word)
    return at > 0 and title[at - 1] in "未没不尚非미안無无"


_CONDITIONS: tuple[tuple[Condition, frozenset[str]], ...] = (
    ("superseded", SUPERSEDED), ("resolved", RESOLVED), ("rejected", REJECTED),
)  # fmt: skip
_STATED = RESOLVED | REJECTED | SUPERSEDED | PROPOSED | OPEN
_WIDE_STATES = tuple(sorted(_wide(_STATED), key=len, reverse=True))

_NONE = re.compile(
    r"(?:there (?:is|are) )?(?:currently )?(?:no|none|nothing)(?: of)?"
    r"(?: (?:active|open|current|currently|pending|new|known|critical|other|outstanding|blocked|blocking|staged))*"
    r"(?: (?:items?|blockers?|holds?|drafts?|tasks?|decisions?|entries|things?|issues?|approvals?|posts?))?"
    r"(?: (?:currently|current|blocked|waiting|pending|staged|held|on hold|yet|here|now|right now|at the moment"
    r"|at this time|for now|today|to review|active|open|scheduled|recorded|known|found|in progress))*"
)
_NONE_ELSEWHERE = re.compile(
    r"^(?:keine?r?s?|(?:aktuell|derzeit) keine?|aucune?|nenhuma?|ningun[oa]?|ningún|nessun[oa]?|нет"
    r"|暂无|没有|无|目前没有|目前无|当前无|当前没有|現在なし|현재 없음|אין|لا يوجد)(?=$|[\s\W]|[\u2e80-\u9fff])",
    re.IGNORECASE,
)
_LISTED_ELSEWHERE = re.compile(
    r"\b(?:blocker|einträge|aufgaben|aktive[nr]?|ausstehende[nr]?|task|entwürfe|bloqueios?|bloqueos?|tarefas?|tareas?"
    r"|pendentes?|pendientes?|ativ[oa]s?|blocages?|tâches?|задач\w*|блокер\w*)\b"
    r"|阻塞|任务|活跃|待办|草稿|阻害|タスク|차단|작업|חסימות|משימות|عوائق|مهام",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """Whether words say "nothing here": `none`, `No items currently blocked.`, `无阻塞项。…`, in a short sentence.

    A longer sentence counts only when it begins by denying what a section of this kind lists, so that "No posts until
    Ana agrees" is never read as nothing.
    """
    if text.strip() in ("", "-", "—", "–", "--", "…", "*", "•"):
        return True
    whole = plain(text)
    if whole in NOTHING:
        return True
    if _EXCEPT.search(text):
        return False
    first = re.split(r"[.。;；:(（,]|\s[—–-]\s", text.strip(), maxsplit=1)[0]
    if plain(first) in NOTHING:
        return True
    if _NONE.fullmatch(plain(first)):
        return True
    elsewhere = _NONE_ELSEWHERE.match(text.strip()) is not None and _LISTED_ELSEWHERE.search(first) is not None
    return elsewhere and len(first) <= 80 and not _LIMITS.search(first)


_EXCEPT = re.compile(
    r"\b(?:but|except|apart|besides|still|other than|only|aber|außer|bis auf|sauf|mais|pero|salvo|excepto|mas|exceto|"
    r"кроме|но|до)\b|除了|以外|但|제외|חוץ|ما عدا",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:bis|ohne|jusqu|hasta|até|fino|до|без|sem|sin|sans)\b|直到|除非|之前|まで|까지", re.IGNORECASE
)
