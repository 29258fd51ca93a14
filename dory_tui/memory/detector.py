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
    """Knows the rules. One that cannot be asked finds nothing, and `problem` says why; our own table is left then."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self._scanner: Any = None
        try:
            from kingfisher_sdk import Scanner

            self._scanner = Scanner()
        except ImportError:
            self.problem = "kingfisher-secret-scanner is not installed here"
        except BaseException as error:
            self._failed(error)

    def find(self, text: str) -> Iterator[tuple[int, str, str]]:
        """(line from 1, what it is, value) of each secret in a text; lines end at a line feed."""
        if self.problem is None:
            try:
                found = [
                    (int(one.location["line"]), _kind(str(one.rule_id), bool(one.is_base64_encoded)), str(one.secret))
                    for one in self._scanner.scan(text.encode("utf-8", "surrogateescape"))
                    if one.visible
                ]
            except BaseException as error:
                self._failed(error)
            else:
                yield from (one for one in found if not secrets.spared(one[2]))

    def _failed(self, error: BaseException) -> None:
        """Go on without it. A panic of its is no Exception, and what ends the program is not its."""
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise error
        self.problem = f"kingfisher-secret-scanner failed ({type(error).__name__}: {error})"


def _kind(rule: str, encoded: bool) -> str:
    """`what looks like: github-pat`, out of a rule such as `betterleaks.github-pat`."""
    name = rule.replace("/", ".").rpartition(".")[2]
    return f"what looks like: {name}{', in Base64' if encoded else ''}"
