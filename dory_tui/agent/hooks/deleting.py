"""What deletes much at once and cannot be said as a pattern: a broad path, and SQL that drops. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.shell import HOLE, Command, Word
from dory_tui.agent.hooks.tables import words as table
from dory_tui.agent.hooks.unwrap import bare, names

_SQL = frozenset(
    {"psql", "mysql", "mariadb", "sqlite3", "duckdb", "sqlcmd", "clickhouse-client", "bq", "mongosh", "mongo"}
)
_DROPS = (
    r"(?i)\bdrop\s+(?:database|schema|table)\b|\btruncate\b|\.drop(?:Database)?\(|"
    r"\bdelete\s+from\s+[\w.\"'`\[\]]+\s*(?:;|\Z)"
)
_LAST_GLOB = r"/?[^/]*[*?\[][^/]*\Z"
_ANY = r"\[[^\]]*\]|[^\w]"
"""What in a name with globs says nothing: `*.egg-info` is not everything, `.*` is."""
_REMOVERS = frozenset({"rm", "grm"})
_STARTS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
_TESTS = table(
    """
    -name -iname -path -ipath -wholename -regex -iregex -newer -newermt -mtime -mmin -atime -amin -ctime -cmin -size
    -empty -perm -user -lname
    """
)
"""Those of `find` by which somebody says what they mean."""
_FD_VALUES = table("-t --type -d --max-depth --min-depth -j --threads")
_FILTERS = table("grep egrep fgrep rg sort uniq head tail tr tee cat")
"""Programs that hand on lines of what they are given; `cat` with a file of its own does not."""

_PIPELINE = 32
"""Commands that a pipeline is followed back by."""


def deletes(
    name: str, words: Sequence[Word], command: Command, source: Sequence[Word], places: Places,
    folders: Collection[str], around: Sequence[str],
) -> str | None:  # fmt: skip
    """What a command deletes, in words; None when it deletes nothing broad.

    `words` are what follows its name, `source` the command from which its input comes (`source_of`). It runs in one of
    the `folders`; what is `around` is kept too, wherever it runs.
    """
    texts = [word.text for word in words]
    if name in _SQL and any(re.search(_DROPS, text) for text in (*texts, *command.fed)):
        return "SQL that drops or empties tables"
    if name in _REMOVERS and _recursive(texts):
        targets: Sequence[Word] | None = [word for word in words if not word.text.startswith("-")]
        if not targets or (command.piped and "{}" in texts):
            targets = _named(source)
    elif name in ("find", "fd", "fdfind") and _removes(texts):
        targets = _found(name, words)
    else:
        return None
    if targets is None:
        return "a recursive deletion of whatever its input names"
    for word in targets:
        if any(broad(word, places, folder, around) for folder in folders):
            return f"a recursive deletion of {word.text.replace(HOLE, '…')}"
    return None


def source_of(command: Command, before: Sequence[Command]) -> Sequence[Word]:
    """The words of the command that begins the pipeline which a command ends; none where there is no pipeline."""
    if command.piped:
        for one in reversed(before[-_PIPELINE:]):
            words = bare(one.words)
            if one.level != command.level or not words:
                continue
            if not (one.piped and names(words[0])[-1] in _FILTERS):
                return words
    return ()


def _named(source: Sequence[Word]) -> Sequence[Word] | None:
    """The paths that a command prints, as far as they are broad; None when they are not known."""
    name = names(source[0])[-1] if source else ""
    if name in ("find", "fd", "fdfind"):
        return _found(name, source[1:])
    operands = [word for word in source[1:] if not word.text.startswith("-")]
    if name in ("echo", "printf") or (name == "ls" and any(word.text == "-d" for word in source)):
        return operands or None
    return None


def _found(name: str, words: Sequence[Word]) -> Sequence[Word]:
    """The folders that `find` finds everything in; none where it is told what to look for."""
    stop = next((at for at, word in enumerate(words) if word.text in _STARTS), len(words))
    if name != "find":
        given = [word.text for word in words[:stop]]
        operands = [text for before, text in zip(["", *given], given, strict=False) if before not in _FD_VALUES]
        narrow = {"-e", "--extension"} & set(given) or any(text.strip("./*")[:1] not in ("-", "") for text in operands)
        return () if narrow else [Word(".")]
    texts = [word.text for word in words]
    for at, text in enumerate(texts[:stop]):
        value = texts[at + 1] if at + 1 < len(texts) else ""
        if text in _TESTS and texts[at - 1] not in ("!", "-not") and value.strip("*./"):
            return ()
    roots = [word for word in words if word.text not in ("-L", "-H", "-P")]
    stop = next((at for at, word in enumerate(roots) if word.text[:1] in ("-", "(", "!")), len(roots))
    return roots[:stop] or [Word(".")]


def _removes(texts: Sequence[str]) -> bool:
    starts = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _STARTS]
    return "-delete" in texts or any(names(Word(started))[-1] in _REMOVERS for started in starts)


def _recursive(texts: Sequence[str]) -> bool:
    return any(
        (text.startswith("--") and len(text) > 4 and "--recursive".startswith(text))
        or (text.startswith("-") and not text.startswith("--") and "r" in text.casefold())
        for text in texts
    )


def broad(word: Word, places: Places, folder: str, around: Sequence[str]) -> bool:
    """Whether a path is so broad that nobody means it lightly.

    The root and what lies directly in it, the home and what lies directly in it, the folder one stands in, those of
    `around`, and those around them, a repository's `.git`, everything in any of these, and an unknown folder's whole
    content.
    """
    text = word.text
    if text.strip("/.*") == HOLE and text != HOLE and text.startswith(HOLE):
        return True
    if HOLE in text:
        return False
    path = places.absolute(text, folder, word.open)
    while word.open and (last := re.search(_LAST_GLOB, path)) and len(re.sub(_ANY, "", last[0])) < 2:
        path = re.sub(_LAST_GLOB, "", path) or "/"
    homes = [one for one in (places.home,) if one]
    if path.count("/") < 2 or path.endswith("/.git"):
        return True
    if any(path == home or home.startswith(path + "/") or path.rpartition("/")[0] == home for home in homes):
        return True
    return any(path == one or one.startswith(path + "/") for one in (folder, *around))
