"""The words that people's files use for the same few things: section titles, states, "nothing here". Pure.

Collected from the workspaces that the corpus was made of, and from what the same words are in the languages it holds.
A title or a status is compared casefolded, without decoration; a file's own spelling is kept for writing back.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dory_tui.workspace.vocabulary import (
    ABOUT,
    EXAMPLE,
    FIELDS,
    FINAL,
    LIVE,
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
    Condition = Literal["", "open", "resolved", "proposed", "superseded"]


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ROLES: tuple[tuple[Role, frozenset[str]], ...] = (
    ("example", EXAMPLE), ("rejected", REJECTED), ("resolved", RESOLVED), ("about", ABOUT),
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
    candidates = [one for one in (whole, bare, core, *_sides(title)) if one]
    for found, names in _ROLES:
        if any(one in names for one in candidates):
            return found
    ends = whole.split(" ")
    if ends[-1] in ("checklist", "checkliste", "清单", "чеклист"):
        return "about"
    if bare.split(" ")[-1] in ("priority", "priorities"):
        return "todo"
    if len(ends) < 6 and ends[0] in ("template", "vorlage", "plantilla", "шаблон"):
        return "example"
    if len(ends) > 1 and ends[0] in STILL:
        return "live"
    if 1 < len(ends) < 5 and ends[-1] in EXAMPLE:
        return "example"
    return _unspaced_role(whole)


def _unspaced_role(title: str) -> Role:
    """The role of a title in a script without spaces, where a word of the lists is a good part of it: `今日完成`."""
    if title.isascii():
        return ""
    wide = "".join(_UNSPACED.findall(title))
    if not wide:
        return ""
    for found, names in _WIDE_ROLES:
        best = max((len(one) for one in names if one in wide), default=0)
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


@lru_cache(maxsize=1024)
def condition(status: str) -> Condition:
    """What a status word says, in any spelling: `pending_approval`, `✅ DONE`, `待发布`; "" when unknown."""
    status = _short(status)
    whole = plain(re.sub(r"\(.*?\)|（.*?）", " ", status))
    if not whole:
        return "resolved" if _ticked(status) else ""
    first = re.split(r" [—–-] |[,;:：。(（|]| by | on | am | at | until ", f"{status.casefold()} ", maxsplit=1)[0]
    for one in (whole, plain(first)):
        for found, names in (
            ("superseded", SUPERSEDED), ("resolved", RESOLVED), ("resolved", REJECTED),
        ):  # fmt: skip
            if one in names:
                return found  # type: ignore[return-value]
        if one in PROPOSED and one not in OPEN:
            return "proposed"
        if one in OPEN:
            return "open"
    begins = plain(first).split(" ")
    for found, names in (("superseded", SUPERSEDED), ("resolved", RESOLVED | REJECTED), ("open", OPEN)):
        if begins and begins[0] in names:
            return found  # type: ignore[return-value]
    return _by_mark(status)


def resolving(name: str, value: str) -> bool:
    """Whether a field such as `Resolved: 2026-02-05` says that the entry is over."""
    return plain(name) in RESOLVED_FIELDS and plain(value) not in NO_VALUE and bool(value.strip(" []—–-"))


_TICKS = "✅☑✔🟩"
_BUSY = "🔄🟡🔴🟠⏸⏳🚧⚠❌🔵⬜🟢"


def _ticked(status: str) -> bool:
    return any(mark in status for mark in _TICKS)


def _by_mark(status: str) -> Condition:
    if status.lstrip()[:1] in _TICKS:
        return "resolved"
    if status.lstrip()[:1] in ("⤳", "⇒"):
        return "superseded"
    return "open" if status.lstrip()[:1] and status.lstrip()[:1] in _BUSY else ""


_SHOUT = re.compile(r"(?<![\w])([A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я _-]{3,30})(?![\w])")
_TAIL = re.compile(r"(?: [—–-]{1,2} |[(（【\[:：])\s*([^()（）【】\[\]:：]{2,40}?)\s*[)）】\]]?\s*$")
_LEAD = re.compile(r"^\W*[\[【(（]\s*([^\]】)）]{2,40})\s*[\]】)）]")


@lru_cache(maxsize=2048)
def in_heading(title: str) -> tuple[Condition, str]:
    """(condition, raw word) that a heading states: `T4 — RESOLVED (2026-01-05)`, `[PENDING] …`, `Setup (DONE)`."""
    bare = re.sub(r"[(（]?\d{4}-\d{2}-\d{2}[^)）]*[)）]?\s*$", "", _short(title)).strip()
    for match in (_LEAD.match(bare), _TAIL.search(bare)):
        if match is not None and plain(match[1]) in _STATED:
            return condition(match[1]), match[1]
    for shout in _SHOUT.findall(bare):
        for part in (shout, *shout.split()):
            if plain(part) in _STATED and len(part) > 3:
                return condition(part), part.strip()
    if (found := _unspaced_state(bare)) is not None:
        return found
    ends = bare.strip()
    if ends[:1] in tuple(_TICKS) or ends[-1:] in tuple(_TICKS) or ends.endswith("✅️"):
        return "resolved", "✅"
    words = plain(re.sub(r"[(（].*?[)）]", " ", bare)).split(" ")
    if len(words) > 1 and words[-1] in FINAL:
        return condition(words[-1]), words[-1]
    return "", ""


def _unspaced_state(title: str) -> tuple[Condition, str] | None:
    """A state word at either end of a title in a script without spaces: `待发布的帖子`, `T10 차단 해소`."""
    if title.isascii():
        return None
    words = plain(title)
    for one in _WIDE_STATES:
        if words.startswith(one) or words.endswith(one):
            return condition(one), one
    return None


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
    first = re.split(r"[.。;；:(（,]|\s[—–-]\s", text.strip(), maxsplit=1)[0]
    if plain(first) in NOTHING:
        return True
    if _NONE.fullmatch(plain(first)):
        return True
    elsewhere = _NONE_ELSEWHERE.match(text.strip()) is not None and _LISTED_ELSEWHERE.search(first) is not None
    return elsewhere and len(first) <= 80 and not _LIMITS.search(first)


_LIMITS = re.compile(
    r"\b(?:bis|ohne|jusqu|hasta|até|fino|до|без|sem|sin|sans)\b|直到|除非|之前|まで|까지", re.IGNORECASE
)
