"""Whose signatures count, and whether any must be there: two files in the human's configuration folder.

`signing.toml`   `signing` (true or false), `principal` (whose keys count), `key` (what signs), `verify_required` (of a
                 security key: a PIN or a finger besides the touch)
`trusted_keys`   OpenSSH's allowed signers, each line with `namespaces="dory-approval-v1@dory"`

Both are written by `dory key` and neither may lie in the workspace. With neither of them signing is off; with
`trusted_keys` alone nothing runs, since somebody took the settings away.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from dory_tui.ledger import sshsig
from dory_tui.ledger.disk import LedgerError
from dory_tui.ledger.sshsig import NAMESPACE, FormatError, Trusted
from dory_tui.values import dataclass

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from typing import Any

SETTINGS = "signing.toml"
TRUSTED = "trusted_keys"


class SigningError(LedgerError):
    """A yes cannot be signed, or its signature does not count; one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What `signing.toml` says. `folder` is where it lies; `key` is the file of the key that signs."""

    folder: Path
    on: bool = False
    principal: str = ""
    key: Path | None = None
    verify_required: bool = False

    @property
    def file(self) -> Path:
        return self.folder / SETTINGS

    @property
    def trusted(self) -> Path:
        return self.folder / TRUSTED


def load(folder: Path, root: Path) -> Settings:
    """The settings of the human's configuration folder. `root` is the workspace, which they may not lie in.

    SigningError when they cannot be read or are not to be relied on.
    """
    file = folder / SETTINGS
    data = read_guarded(file, root)
    if data is None:
        if _there(folder / TRUSTED):
            raise SigningError(
                f"{file} is missing beside {TRUSTED}, so whether a yes must be signed is not known: "
                "say it anew with `dory key setup` or `dory key off`"
            )
        return Settings(folder)
    import tomllib

    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SigningError(f"{file} is not valid TOML ({error}): mend it, or run `dory key setup`") from error
    return _settings(folder, values)


def _settings(folder: Path, values: Mapping[str, Any]) -> Settings:
    file = folder / SETTINGS
    if unknown := sorted(set(values) - {"signing", "principal", "key", "verify_required"}):
        raise SigningError(f"{file}: `{unknown[0]}` is not a setting: take it out")
    on, verify = values.get("signing"), values.get("verify_required", False)
    principal, key = values.get("principal", ""), values.get("key", "")
    if not isinstance(on, bool) or not isinstance(verify, bool):
        raise SigningError(f"{file}: `signing` and `verify_required` must be true or false")
    if not isinstance(principal, str) or not isinstance(key, str):
        raise SigningError(f"{file}: `principal` and `key` must be text in quotes")
    if on and (not principal or set(principal) & set(' \t,*?!"#')):
        raise SigningError(f"{file}: `principal` must be one name, such as ana@desk: run `dory key setup`")
    return Settings(folder, on, principal, Path(key) if key else None, verify)


def _there(file: Path) -> bool:
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise SigningError(f"{file} cannot be looked at ({error.strerror}): mend its folder's mode") from error
    return True


def read_guarded(file: Path, root: Path) -> bytes | None:
    """The bytes of a file that nobody but its owner can write; None when there is none.

    SigningError when it, or the folder it lies in, is not the user's or root's own, or others may write there.
    """
    if not _there(file):
        return None
    real = Path(os.path.realpath(file))
    if real.is_relative_to(os.path.realpath(root)):
        raise SigningError(f"{file} lies in the workspace, where an agent can write it: keep it elsewhere")
    try:
        for folder in dict.fromkeys((file.parent, real.parent)):
            _guard(folder, folder.stat())
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as handle:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise SigningError(f"{file} is not a regular file: move it away")
            _guard(file, found)  # of what was opened: the name may stand for another file by now
            return handle.read()
    except OSError as error:
        raise SigningError(f"{file} cannot be read ({error.strerror})") from error


def _guard(place: Path, found: os.stat_result) -> None:
    if found.st_uid not in (0, os.geteuid()):
        raise SigningError(f"{place} belongs to another user (uid {found.st_uid}), so it is not trusted: make it yours")
    if found.st_mode & 0o022:
        raise SigningError(f"others can write {place}, so it is not trusted: `chmod go-w {place}`, and read it through")


def trusted(settings: Settings, root: Path) -> list[Trusted]:
    """The keys that count: of the principal, for our namespace. Authorities of certificates never count.

    SigningError when the file is missing, not to be relied on, or lacks `namespaces` on a line of the principal.
    """
    file = settings.trusted
    data = read_guarded(file, root)
    if data is None:
        raise SigningError(f"{file} is missing, so no signature can be checked: run `dory key setup`")
    try:
        lines = sshsig.trusted(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SigningError(f"{file} is not UTF-8: mend it, or run `dory key setup`") from error
    except FormatError as error:
        raise SigningError(f"{file} {error}: mend the line or take it out") from error
    found = []
    for line in lines:
        if line.principal != settings.principal or any(name == "cert-authority" for name, _ in line.options):
            continue
        if NAMESPACE not in line.namespaces:
            raise SigningError(f'{file} line {line.line} lacks namespaces="{NAMESPACE}": add it, or take the line out')
        found.append(line)
    return found
