"""What of a question is looked for: words that are no stop words, and runs of characters where words have no ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from dory_tui.values import dataclass
from dory_tui.workspace import scripts

MOST = 48
"""Terms of a question that are looked for: more than a person asks, and a pasted page costs no more."""
_QUOTED = re.compile(r'["“„«]([^"“”„«»]{2,200})["”“»]')
_JOINED = re.compile(r"[^\W_]+(?:[-_./@:'’][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")
# Two characters are the end of a word in Korean.
_UNSPACED = re.compile(f"(?P<twos>[{scripts.HAN_KANA}{scripts.HANGUL}]+)|(?P<threes>[{scripts.SOUTHEAST}]+)")
_STOP = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing done for from get got had has have having he her here hers him his how i if in into is it its itself just let
    me might more most my no not now of off on once only or other our ours out over own she should so some such than
    that the their them then there these they this those through to too under until up us very was we were what whats
    when where which while who whom whose why will with would you your yours s t d ll m re ve
    aber als am auf aus bei bin bis das dass dem den der des die dies doch ein eine einem einen einer es für hat hatte
    haben ich ihr im ist kann mit nach nicht noch nur oder sich sie sind über um und uns vom von vor wann war warum was
    welche welchem welchen welcher welches wem wen wer werden wie wir wird wo wurde zu zum zur
    au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma mais mes mon ne nous où par
    pas pour qu que quel quelle quels quelles qui quand pourquoi comment sa se ses son sont sur ta tes ton tu un une
    vous à été
    al como con cuál cuáles cuando cuándo cómo del dónde el ella ellos era es esta este fue ha han hay la las lo los más
    me mi muy no nos o para pero por porque qué quién quiénes se sin sobre su sus también te un una y ya
    ao aos com da das do dos e ela ele em foi mais mas na nas no nos o os para pelo pela qual quais quando quem são seu
    sua um uma você che chi cosa cui di dove è gli ho i il nel nella per più quale quali quando sono ti tra una
    а в во вы для до его ее если же за и из или к как когда кто ли мы на не но о он она они от по почему с со так то
    ты у что где это я
    het een van voor met niet zijn wat wie waar wanneer
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is looked for. `words` are words and phrases, `grams` runs of characters; all of them are alternatives."""

    words: tuple[str, ...]
    grams: tuple[str, ...]
    begun: str = ""
    """The beginning of a word that is still being typed."""


def terms(question: str, spans: Sequence[tuple[int, int]] = ()) -> Terms:
    """The terms of a question. What stands at `spans` is left out: dates, which are looked for as days."""
    for start, stop in spans:
        question = question[:start] + " " * (stop - start) + question[stop:]
    found = [phrase for match in _QUOTED.finditer(question) if " " in (phrase := _spaced(match[1]))]
    spaced = _UNSPACED.sub(" ", question)
    for match in _JOINED.finditer(spaced):
        parts = _WORD.findall(match[0])
        found.extend(parts)
        if len(parts) > 1:
            found.append(" ".join(parts))  # `launch-3`, `gate.rules`: the parts in a row say more than each
    wanted = [word for word in found if word.casefold() not in _STOP]
    runs = tuple(_once(_grams(question)))[:MOST]
    if not wanted and not runs:
        wanted = found
    return Terms(tuple(_once(wanted))[:MOST], runs)


def grams(text: str) -> str:
    """The runs of characters that a text can be found by, with blanks between them; "" where words have ends."""
    return "" if text.isascii() else " ".join(_grams(text))


def _grams(text: str) -> Iterable[str]:
    for match in _UNSPACED.finditer(unicodedata.normalize("NFKC", text)):
        size = 2 if match["twos"] else 3
        run = match[0]
        for at in range(max(1, len(run) - size + 1)):
            yield run[at : at + size]


def _spaced(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _once(items: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for item in items:
        if (folded := item.casefold()) not in seen:
            seen.add(folded)
            yield item


def match_any(items: Iterable[str], begun: str = "") -> str:
    """An FTS5 expression for passages that have any of these words or phrases, or a word that begins so."""
    found = ['"' + item.replace('"', '""') + '"' for item in items]
    return " OR ".join([*found, *([f'"{begun}" *'] if begun else [])])
