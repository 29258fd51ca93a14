"""Secrets in text: found by the forms in which their makers issue them, and never shown whole. Pure.

This is the quick table by which everything that is shown is masked: a line costs a microsecond, a large log some
milliseconds, where a detector with hundreds of rules needs a second before its first line. `dory lint` asks such a
detector besides (`dory_tui.memory.detector`). What no detector of code looks for is here alone: passwords named in
prose, in several languages. A form alone is not enough: examples, placeholders, variables and pointers to a vault are
spared. It stands below `visible`, which masks, and above nothing; the path of `check` imports it.
"""

from __future__ import annotations

import re
from functools import cache

from dory_tui.private_keys import RUN, blocks, telling
from dory_tui.secret_forms import APART, BEGINS, FOLDED, KEYS, KNOWN, NAMES, PARTS, PASS, WORD
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.visible
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

ADVICE = "reference where it lives instead of the value"

_REST = "a line of a private key"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text: what it is, and `text[start:stop]`, which must not be shown. It lies within one line."""

    kind: str
    start: int
    stop: int


@cache
def _part(name: str) -> re.Pattern[str]:
    return re.compile(PARTS[name], re.IGNORECASE if name in FOLDED else 0)


@cache
def _all() -> re.Pattern[str]:
    forms = "|".join(f"(?P<f{number}>{form})" for number, (_, form) in enumerate(KNOWN))
    return re.compile(f"(?<![A-Za-z0-9_])(?:{forms})(?![A-Za-z0-9])")


def spans(text: str, lines: Collection[str] = ()) -> tuple[Secret, ...]:
    """What must not be shown of a text of one or more lines, from left to right, none inside another.

    The lines of a private key are such spans too. Lines end at a line feed. `lines` are those of the keys of a larger
    text that this one is a piece of (`key_lines`): they are found wherever they stand.
    """
    found: list[Secret] = []
    for line in lines:
        found += _known(text, line)
    if len(text) >= WORD:
        found += _forms(text)
    if "://" in text:
        found += _logins(text)
    if _may_say(text):
        found += _named(text)
    if "-----BEGIN " in text:
        found += _private(text)
    if len(found) > 1:
        found.sort(key=lambda one: (one.start, -one.stop))
    kept: list[Secret] = []
    for one in found:
        if not kept or one.start >= kept[-1].stop:
            kept.append(one)
    return tuple(kept)


def in_text(text: str) -> Iterator[tuple[int, Secret]]:
    """(line from 1, secret in that line) of a text, in its order. A private key is told once, where it begins."""
    number, done = 1, 0
    for one in spans(text):
        if one.kind != _REST:
            number += text.count("\n", done, one.start)
            done = one.start
            start = text.rfind("\n", 0, one.start) + 1
            yield number, Secret(one.kind, one.start - start, one.stop - start)


def key_lines(text: str) -> frozenset[str]:
    """The lines of the private keys in a text. Taken out of it, one alone does not tell what it is.

    A line that may as well be a word of the text is left out.
    """
    found = (text[one.start : one.stop] for one in spans(text) if one.kind == _REST)
    return frozenset(filter(telling, found))


def mask(value: str) -> str:
    """`ghp_…(40 characters)`: how a secret begins where many begin so, and how long it is."""
    head = _part("head").match(value) if len(value) > WORD else None
    return f"{head[0] if head else ''}…({len(value):,} characters)"


def masked(text: str) -> str:
    """A text, of one or more lines, with every secret in it masked; all else as it is."""
    return covered(text, spans(text))[0]


def covered(text: str, found: Sequence[Secret]) -> tuple[str, list[tuple[int, int]]]:
    """A text with these secrets of it masked, as `spans` gives them, and where each mask stands: (start, stop)."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    done = length = 0
    for one in found:
        start = length + one.start - done
        shown = mask(text[one.start : one.stop])
        length = start + len(shown)
        places.append((start, length))
        parts += text[done : one.start], shown
        done = one.stop
    return ("".join((*parts, text[done:])) if parts else text), places


def masked_file(data: bytes) -> bytes:
    """A file with every secret in it masked, every byte else kept, and each line end a line feed.

    It has the lines that it had, since no secret goes over the end of one.
    """
    text = data.decode("utf-8", "surrogateescape")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # the lines of a key are known by line feeds
    return masked(text).encode("utf-8", "surrogateescape")


def told(text: str) -> str:
    """A sentence for who writes a text down, where it has secrets; else nothing."""
    found = list(in_text(text))
    if not found:
        return ""
    number, first = found[0]
    more = f" and {counted(len(found) - 1)} more" if len(found) > 1 else ""
    return f"line {number} holds {first.kind}{more}: {ADVICE}"


def counted(number: int) -> str:
    """`1 secret`, `2 secrets`."""
    return f"{number} secret{'' if number == 1 else 's'}"


def spared(value: str) -> bool:
    """Whether what has the form of a secret is an example or a placeholder."""
    return _part("example").search(value) is not None


def _forms(text: str) -> Iterator[Secret]:
    """What its maker's form tells. Only long words are looked at, and of those only what begins like one."""
    skip, long, at = _part("skip"), _part("long"), 0
    while (word := long.match(text, skip.match(text, at).end())) is not None:  # type: ignore[union-attr]
        start, at = word.span()
        if at - start >= WORD:
            if _may_begin(word[0]):
                yield from _forms_in(text, start, at)
            if at - start <= 78 and _of_a_key(word[0]) and _alone(text, start, at):
                yield Secret(_REST, start, at)


def _may_begin(word: str) -> bool:
    return not BEGINS.isdisjoint(_part("begin").findall(word)) or any(part in word for part in APART)


def _forms_in(text: str, start: int, stop: int) -> Iterator[Secret]:
    for match in _all().finditer(text, start, stop):
        kind = KNOWN[int(str(match.lastgroup)[1:])][0]
        if not spared(match[0]) and _varied(match[0], kind):
            yield Secret(kind, match.start(), match.end())


def _varied(value: str, kind: str) -> bool:
    """Whether a value has as many different characters as one made at random; `sk-aaaa…` and words have not."""
    body = re.split(r"[_-]", value, maxsplit=1)[-1]
    if kind == "an access key of a service" and not _part("random").search(body):
        return False
    return len(set(body)) >= 8 and (kind != "an OpenAI key" or any(char.isdigit() for char in body))


def _of_a_key(word: str) -> bool:
    """Whether a word is what the lines of a private key are made of, and no hash in hex."""
    if _part("line").fullmatch(word) is None or len(set(word)) < 16:
        return False
    return any(map(str.isupper, word)) and any(map(str.islower, word)) and any(map(str.isdigit, word))


def _alone(text: str, start: int, stop: int) -> bool:
    """Whether a word is all that its line has."""
    before, after = text[text.rfind("\n", 0, start) + 1 : start], text[stop : _line_end(text, stop)]
    return not before.strip(" \t>|") and not after.strip()


def _logins(text: str) -> Iterator[Secret]:
    """The passwords of addresses such as `postgres://app:s3cr3t@db`."""
    at = text.find("://")
    while at >= 0:
        match = _part("login").match(text, at + 3) if text[at - 1 : at].isalnum() else None
        if match is not None and not _no_value(match["value"]):
            yield Secret("a password in an address", *match.span("value"))
        at = text.find("://", at + 3)


def _may_say(text: str) -> bool:
    """Whether there is anything that parts a name from its value."""
    return (
        ":" in text or "=" in text or " is " in text or "→" in text or "->" in text
        or "：" in text or "是" in text or " ist " in text or " es " in text or "|" in text
    )  # fmt: skip


def _named(text: str) -> Iterator[Secret]:
    """What stands after a name, such as `password: …`."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    for name in (*NAMES, *PASS) if "pass" in low else NAMES:
        at, line_end, row = low.find(name), -1, False
        while at >= 0:
            end = at + len(name)
            start = _name_start(low, name, at)
            match = _part("value").match(text, end) if start is not None else None
            if match is not None and match["cell"] is not None:
                if at > line_end:
                    row, line_end = _in_row(text, at), _line_end(text, at)
                if not row or match["about"] is not None or _only_told(low, at, match["value"]):
                    match = None
            if match is not None:
                value = match["value"].rstrip(".,;:?)]}*_")
                careful = match["about"] is None or _careful(value)
                if careful and _secret_value(value, strict=name in KEYS):
                    begin = match.start("value")
                    yield Secret(f"a value for “{low[start:end]}”", begin, begin + len(value))
            at = low.find(name, end)


def _in_row(text: str, at: int) -> bool:
    """Whether a place is in a row of a table, and not in a command that hands something to another."""
    return text[text.rfind("\n", 0, at) + 1 : at].lstrip(" \t>").startswith("|")


def _only_told(low: str, at: int, value: str) -> bool:
    """Whether a row tells something of a password (`| reset password | done-1 |`), and has none."""
    start = max(low.rfind("|", max(0, at - 40), at), at - 40, 0)
    return any((_part("doing").search(low, start, at), _part("told").match(value), _part("moment").match(value)))


def _name_start(low: str, name: str, at: int) -> int | None:
    """Where a name begins; None where it is no name: a key is that of something, `pwd` is a word of its own."""
    if name == "key":
        match = _part("key").search(low, max(0, at - 11), at)
        return None if match is None else match.start()
    apart = name not in ("pwd", "pin code") or not (low[at - 1 : at].isalnum() or low[at - 1 : at] == "_")
    return at if apart else None


def _private(text: str) -> Iterator[Secret]:
    """The block of a private key, line by line."""
    for first, below in blocks(text):
        yield Secret("a private key", *first)
        for span in below:
            yield Secret(_REST, *span)


def _known(text: str, line: str) -> Iterator[Secret]:
    """Where a line of a private key stands in a text. A short one must stand for itself: `q=` is in other words too."""
    at = text.find(line)
    while at >= 0:
        stop = at + len(line)
        if len(line) >= RUN or not (text[max(0, at - 1) : at].strip() or text[stop : stop + 1].strip()):
            yield Secret(_REST, at, stop)
        at = text.find(line, at + 1)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _no_value(value: str) -> bool:
    """Whether it is an example, a variable, or says where the value lives."""
    named = value.replace("_", "").isalnum() and value == value.upper() and value[0].isalpha()
    named = named and ("_" in value or value.isalpha())
    return spared(value) or _part("pointer").match(value) is not None or (named and value.isascii())


def _is_path(value: str) -> bool:
    """Whether it is a path or the call of a function; a key of AWS has slashes too, capitals and digits."""
    if _part("file").match(value) or _part("ending").match(value):
        return True
    made = len(value) >= 16 and sum(map(str.isdigit, value)) >= 2
    made = made and any(map(str.isupper, value)) and any(map(str.islower, value))
    return not made and _part("path").match(value) is not None


def _careful(value: str) -> bool:
    """Whether a value is as those who make a password make it: long, or with capitals, small letters and digits."""
    digits = sum(map(str.isdigit, value))
    return (len(value) >= 16 and digits >= 4 and not _part("moment").match(value)) or (
        len(value) >= 8 and digits > 1 and any(map(str.isupper, value)) and any(map(str.islower, value))
    )


def _secret_value(value: str, *, strict: bool) -> bool:
    """Whether what stands after a name such as "password" is a value and not a word, a path or a variable.

    A password may be short; what is called a key or a token must look made at random.
    """
    if len(value) < 6 or _no_value(value) or _is_path(value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    if strict:
        return len(value) >= 16 and digits >= 2 and letters >= 2 and len(set(value)) >= 8
    marks = len(value) - digits - letters
    return bool(letters and (digits or (marks and not re.fullmatch(r"[^\W\d]+(?:[-'’/.,][^\W\d]+)*", value))))
