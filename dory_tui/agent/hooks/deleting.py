"""What deletes much at once and cannot be said as a pattern: a broad path, and SQL that drops. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.shell import HOLE, Word

_SQL = frozenset(
    {"psql", "mysql", "mariadb", "sqlite3", "duckdb", "sqlcmd", "clickhouse-client", "bq", "mongosh", "mongo"}
)
_DROPS = (
    r"(?i)\bdrop\s+(?:database|schema|table)\b|\btruncate\b|\.drop(?:Database)?\(|"
    r"\bdelete\s+from\s+[\w.\"'`\[\]]+\s*(?:;|\Z)"
)
_LAST_GLOB = r"/?[^/]*[*?\[][^/]*\Z"


DELETERS = _SQL | {"rm", "grm", "find", "fd", "fdfind"}


def deletes(name: str, words: Sequence[Word], fed: Sequence[str], places: Places, folders: Sequence[str]) -> str | None:
    """What a command deletes, in words; None when it deletes nothing broad. `words` are what follows its name."""
    texts = [word.text for word in words]
    if name in _SQL and any(re.search(_DROPS, text) for text in (*texts, *fed)):
        return "SQL that drops or empties tables"
    if name in ("rm", "grm") and _recursive(texts):
        targets = [word for word in words if not word.text.startswith("-")]
        if not targets:
            return "a recursive deletion of whatever its input names"
    elif name in ("find", "fd", "fdfind") and "-delete" in texts:
        targets = [word for word in words[:1] if not word.text.startswith("-")]
        if any(text in ("-name", "-iname", "-path", "-regex", "-newer", "-mtime", "-empty") for text in texts):
            return None
    else:
        return None
    for word in targets:
        if any(broad(word, places, folder) for folder in folders):
            return f"a recursive deletion of {word.text.replace(HOLE, '…')}"
    return None


def _recursive(texts: Sequence[str]) -> bool:
    return any(
        (text.startswith("--") and len(text) > 4 and "--recursive".startswith(text))
        or (text.startswith("-") and not text.startswith("--") and "r" in text.casefold())
        for text in texts
    )


def broad(word: Word, places: Places, folder: str) -> bool:
    """Whether a path is so broad that nobody means it lightly.

    The root and what lies directly in it, the home and what lies directly in it, the folder one stands in and those
    around it, a repository's `.git`, everything in any of these, and an unknown folder's whole content.
    """
    text = word.text
    if text.strip("/.*") == HOLE and text != HOLE and text.startswith(HOLE):
        return True
    if HOLE in text:
        return False
    path = places.absolute(text, folder, word.open)
    while word.open and re.search(_LAST_GLOB, path):
        path = re.sub(_LAST_GLOB, "", path) or "/"
    homes = [one for one in (places.home,) if one]
    if path.count("/") < 2 or path.endswith("/.git"):
        return True
    if any(path == home or home.startswith(path + "/") or path.rpartition("/")[0] == home for home in homes):
        return True
    return path == folder or folder.startswith(path + "/")
