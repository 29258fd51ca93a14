"""What can be seen in a text and still deceives: letters of another script, hosts, handles, long gaps. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from dory_tui.emoji_sequences import cut

TYPE_CHECKING = False  # typing costs 2 ms, and this module is on the path of `check`
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    WarningKind = Literal["mixed-script", "host", "handle", "punycode", "spaces"]
    # Start and end in the text, what it is, and the sentence without its line.
    Flag: TypeAlias = tuple[int, int, WarningKind, str]

SPACES = " \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"

# Letters of scripts that have twins of Latin letters: Greek, Cyrillic, Armenian, Cherokee, Coptic
# and Lisu. Chinese, Japanese, Korean and others mix with Latin in honest text.
_TWINS = (
    "\u0370-\u058f\u13a0-\u13ff\u1c80-\u1c8f\u1f00-\u1fff\u2c80-\u2cff\u2de0-\u2dff\ua4d0-\ua4ff"
    "\ua640-\ua69f\uab70-\uabbf\ufb13-\ufb17"
)
_TWIN_SCRIPTS = ("Latin", "Greek", "Cyrillic", "Armenian", "Cherokee", "Coptic", "Lisu")
# The Greek letters that pass for Latin ones; the others are units and formulas (kΩ, Δt, πr).
_GREEK_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυάίόύϊϋΐΰΆΈΉΊΌΎϲϳϹϺϜ")
_CJK = "\u1100-\u11ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
# A full stop of Chinese or Japanese ends a host, unless a name goes on after it (IDNA reads it as
# a dot). The marks of `visible` end one too, so that what is marked is not reported again.
_HOST_END = r"\s/?#\\<>\"'`()\[\]{}|，、；：！？（）「」『』【】《》“”‘’…。．｡⟦⟧"
_PATTERNS = {
    # One blank first, so that the search can skip to it.
    "gap": rf"[\t{SPACES}][\t{SPACES}]{{9,}}",
    "twin": rf"[{_TWINS}]",
    "latin": r"[A-Za-zªº\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff]",
    "word": r"[\w\u0300-\u036f]+",
    "cjk": rf"[{_CJK}]",
    "url": rf"(?:://|(?<![\w.\-])(?=[wW]{{3}}\.))((?:[^{_HOST_END}]|[。．｡](?=[A-Za-z0-9])){{1,255}})",
    "top": r"\.(?:com|net|org|io|ai|dev|app|co|gov|edu|info|me|xyz)(?![\w\-]|\.\w)",
    "label": rf"[A-Za-z0-9.\-\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff{_TWINS}]",
    "at": r"@([\w.\-]*\w)",
    "punycode": r"(?<![\w\-])[xX][nN]--[\w\-]+",
}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


@lru_cache(maxsize=4096)
def _script(char: str) -> str | None:
    """The script of a letter, among those with twins of Latin letters."""
    from unicodedata import name

    script = name(char, "").partition(" ")[0].capitalize()
    return script if script in _TWIN_SCRIPTS else None


def _odd_letter(word: str) -> tuple[str, str] | None:
    """The script and first letter that do not belong in a word of several scripts."""
    letters: dict[str, list[str]] = {}
    for char in word:
        script = _script(char)
        if script:
            letters.setdefault(script, []).append(char)
    greek = letters.get("Greek", [])
    twins = [char for char in greek if char in _GREEK_TWINS]
    if greek and not twins and len(greek) < 3:
        del letters["Greek"]  # a unit or a formula
    if twins and twins[0].islower() and sum(map(len, letters.values())) == 2:
        return None  # αs, νe: a formula
    if len(letters) < 2:
        return None
    script = min(letters, key=lambda one: (len(letters[one]), one == "Latin"))
    odd = twins if script == "Greek" and twins else letters[script]
    return script, odd[0]


def _shown(text: str) -> str:
    from dory_tui.visible import visible_line  # which asks this module what to mark

    return visible_line(text)


def _quoted(text: str) -> str:
    return f"“{cut(_shown(text), 60)}”"


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span grown over what is written without a space, at most 60 characters each way."""
    first, least, last = max(0, start - 60), end, min(len(text), end + 60)
    while start > first and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    while end < last and (text[end].isalnum() or text[end] in "_.-"):
        end += 1
    while end > least and not text[end - 1].isalnum():
        end -= 1
    return start, end


def _name_flag(text: str, start: int, end: int, kind: WarningKind) -> Flag | None:
    """A host or handle that is not ASCII. Chinese or Japanese that runs on after it is left out."""
    last = end
    while last > start and (not text[last - 1].isalnum() or _pattern("cjk").match(text[last - 1])):
        last -= 1
    last = last if last > start else end
    name = text[start:last]
    if name.isascii():
        return None
    char = next(char for char in name if not char.isascii())
    script = _script(char)
    shown = _quoted(f"@{name}" if kind == "handle" else name)
    if script and script != "Latin":
        return start, last, kind, f"{script} {char} in {shown}"
    return start, last, kind, f"Non-ASCII {_shown(char)} in the {kind} {shown}"


def _names(text: str) -> Iterator[Flag | None]:
    """Hosts of URLs and addresses, bare hosts, and handles."""
    if "://" in text or "www." in text.lower():
        for match in _pattern("url").finditer(text):
            yield _name_flag(text, *match.span(1), "host")
    for match in _pattern("top").finditer(text):
        start, first = match.start(), max(0, match.start() - 253)
        while start > first and _pattern("label").match(text[start - 1]):
            start -= 1
        yield _name_flag(text, start, match.end(), "host")
    if "@" in text:
        for match in _pattern("at").finditer(text):
            in_address = match.start() > 0 and text[match.start() - 1].isalnum()
            yield _name_flag(text, *match.span(1), "host" if in_address else "handle")


def _mixed_words(text: str) -> Iterator[Flag]:
    twin, latin, word = _pattern("twin"), _pattern("latin"), _pattern("word")
    # A text repeats its words: look at each once before looking for where they stand.
    runs = {run for run in set(word.findall(text)) if latin.search(run) and twin.search(run)}
    for match in word.finditer(text) if runs else ():
        if match.group() not in runs:
            continue
        start = match.start()
        for part in match.group().split("_"):
            end = start + len(part)
            odd = _odd_letter(part)
            if odd:
                shown = _quoted(text[slice(*_around(text, start, end))])
                yield start, end, "mixed-script", f"{odd[0]} {odd[1]} in {shown}"
            start = end + 1


def _punycode(text: str) -> Iterator[Flag]:
    end = 0
    for match in _pattern("punycode").finditer(text):
        if match.start() < end:
            continue  # another label of the same host
        start, end = _around(text, *match.span())
        labels = text[start:end].split(".")
        try:
            read = [
                label[4:].encode("ascii").decode("punycode") if label[:4].lower() == "xn--" else label
                for label in labels
            ]
        except UnicodeError:
            says = f"Punycode host {_quoted(text[start:end])}"
        else:
            says = f"Punycode host {_quoted(text[start:end])} reads {_quoted('.'.join(read))}"
        yield start, end, "punycode", says


def _gaps(text: str) -> Iterator[Flag]:
    """Runs of 40 or more spaces, which push what follows off the screen; a tab counts as four."""
    for match in _pattern("gap").finditer(text):
        tabs = match.group().count("\t")
        spaces = len(match.group()) - tabs
        if spaces + 4 * tabs >= 40:
            counts = [f"{tabs} tabs"] * (tabs > 0) + [f"{spaces} spaces"] * (spaces > 0)
            yield (*match.span(), "spaces", f"{' and '.join(counts)} in a row")


def flags(text: str) -> list[Flag]:
    """All flags in order; of those that overlap the first, so that a host is reported once."""
    found: list[Flag] = list(_gaps(text))
    if "xn--" in text.lower():
        found += _punycode(text)
    if not text.isascii():
        found += (flag for flag in _names(text) if flag)
        if _pattern("twin").search(text):
            found += _mixed_words(text)
    if len(found) < 2:
        return found
    found.sort(key=lambda flag: (flag[0], -flag[1]))
    kept, done = [], 0
    for flag in found:
        if flag[0] >= done:
            kept.append(flag)
            done = flag[1]
    return kept
