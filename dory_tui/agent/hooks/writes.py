"""Which files a simple command changes, as far as its words show. Pure.

Programs that are known to read only change nothing. Of those that copy, what they copy to counts. Of any other program
every word that could be a path counts: one that is not known is not trusted with what must not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dory_tui.agent.hooks.shell import Command, Word
from dory_tui.agent.hooks.tables import words
from dory_tui.values import dataclass

_READERS = words(
    """
    : [ awk basename bat bc cal cat cd cksum cmp column comm cut date df diff dirname dory dory-agent dory-tui
    du echo egrep env exit export expr false fgrep file fold gawk getopts grep head hexdump history hostname id
    jobs jq kill less ls lsof md5sum more nl od popd printenv printf ps pushd pwd read readlink realpath return
    rg set sha1sum sha256sum sha512sum shasum sleep sort stat strings sum tac tail test tput tr tree true tty
    type uname uniq unset wait wc which whereis who whoami xxd yes yq zcat zgrep
    """
)
_GIT_READS = words(
    """
    add archive blame branch cat-file check-ignore commit describe diff fetch for-each-ref fsck grep log
    ls-files ls-tree merge-base name-rev notes push reflog remote rev-list rev-parse shortlog show show-ref
    status tag
    """
)
_COPIERS = frozenset({"cp", "gcp", "scp", "rsync", "install", "ginstall", "ditto"})
_FOLDERS = frozenset(
    {"rm", "grm", "mv", "gmv", "chmod", "chown", "chgrp", "chattr", "setfacl", "find", "trash", "unlink"}
)
"""Those that change what lies in a folder when they are given the folder."""
_PATCH = (
    r"(?m)^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |[-+]{3} (?:[ab]/)?|rename (?:from|to) |"
    r"diff --git a/\S+ b/)([^\t\r\n]+)"
)


@dataclass(frozen=True, slots=True)
class Change:
    """A path that a command may change; `deep` when what lies below it changes too."""

    path: str
    expands: bool
    """Whether the shell would still expand `*` and `~` in it."""
    deep: bool = False


def changes(name: str, words: Sequence[Word], command: Command) -> list[Change]:
    """What a command of this name changes. `words` are what follows its name."""
    found = [Change(word.text, word.open) for word in command.writes]
    texts = [word.text for word in words]
    if name in ("apply_patch", "applypatch", "patch") or (name == "git" and "apply" in texts[:4]):
        found += [Change(path, False) for text in (*texts, *command.fed) for path in patched(text)]
    if name in _READERS or (name == "git" and _git_reads(texts)):
        if name == "sort":
            found += [Change(value, False) for value in _values(texts, ("-o", "--output"))]
        return found
    if name in ("sed", "gsed") and not any(
        text.startswith(("-i", "--in-place", "-ni", "-Ei", "-ri")) for text in texts
    ):
        return found
    if name == "dd":
        return found + [Change(text[3:], False) for text in texts if text.startswith("of=")]
    if name == "tar" and texts and re.fullmatch(r"-?[a-zA-Z]*[ct][a-zA-Z]*", texts[0]):
        return found + [Change(value, False) for value in texts[1:2]]
    if name in _COPIERS:
        return found + _copied(words)
    deep = name in _FOLDERS and (name != "find" or "-delete" in texts or "-exec" in texts)
    if name == "find" and not deep:
        return found
    moved_to = _last_operand(words) if name in ("mv", "gmv") else None
    for word in words:
        text = word.text.partition("=")[2] if word.text.startswith("-") else word.text
        if text:
            found.append(Change(text, word.open, deep and word is not moved_to))
    return found


def patched(text: str) -> Iterable[str]:
    """The paths that a patch names, in the forms of `apply_patch` and of `diff`."""
    return [match[1].strip() for match in re.finditer(_PATCH, text)]


def _git_reads(texts: Sequence[str]) -> bool:
    return next((text for text in texts if text in _GIT_READS or not text.startswith("-")), "") in _GIT_READS


def _values(texts: Sequence[str], options: tuple[str, ...]) -> list[str]:
    found = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in options]
    return found + [text.partition("=")[2] for text in texts if text.startswith(options) and "=" in text]


def _copied(words: Sequence[Word]) -> list[Change]:
    texts = [word.text for word in words]
    if into := _values(texts, ("-t", "--target-directory")):
        return [Change(text, False) for text in into]
    last = _last_operand(words)
    return [] if last is None else [Change(last.text, last.open, "--delete" in texts)]


def _last_operand(words: Sequence[Word]) -> Word | None:
    return next((word for word in reversed(words) if not word.text.startswith("-")), None)
