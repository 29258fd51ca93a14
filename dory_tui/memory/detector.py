"""The detector that `dory lint` asks for secrets: Kingfisher, in this process and offline. Imported when it is asked.

Its rules (some 490, those of Betterleaks among them) are kept by others and told by their names here. Reading them
takes a second, and the first time ever some seconds, after which they lie in the user's cache folder
(`$KF_RULE_CACHE_DIR` names another); a log of 5,000 lines is then looked through in 5 ms. Nothing of it asks the
network whether a secret is valid: that is another class of the package, which is not used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dory_tui import secrets


class Detector:
    """Knows the rules. ImportError where Kingfisher is not installed."""

    def __init__(self) -> None:
        from kingfisher_sdk import Scanner

        self._scanner: Any = Scanner()

    def find(self, text: str) -> Iterator[tuple[int, str, str]]:
        """(line from 1, what it is, value) of each secret in a text; lines end at a line feed."""
        for one in self._scanner.scan(text.encode("utf-8", "surrogateescape")):
            value = str(one.secret)
            if one.visible and not secrets.spared(value):
                yield int(one.location["line"]), _kind(str(one.rule_id), bool(one.is_base64_encoded)), value


def load() -> Detector | None:
    """The detector; None where it is not installed, as on machines that it is not made for."""
    try:
        return Detector()
    except ImportError:
        return None


def _kind(rule: str, encoded: bool) -> str:
    """`what looks like: github-pat`, out of a rule such as `betterleaks.github-pat`."""
    name = rule.replace("/", ".").rpartition(".")[2]
    return f"what looks like: {name}{', in Base64' if encoded else ''}"
