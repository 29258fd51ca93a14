"""Signatures over approvals, made and checked with OpenSSH's ssh-keygen (gate.md, "Who may say yes"). Off by default.

A signature stands in the record's data as `signature`, armoured as ssh-keygen prints it, and is over all the rest of
the record. Whose count is said in `ledger.trust`.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from dory_tui.ledger import records, sshsig
from dory_tui.ledger.records import Record
from dory_tui.ledger.sshsig import NAMESPACE, FormatError, Signature, Trusted
from dory_tui.ledger.trust import Settings, SigningError, load, trusted
from dory_tui.values import replace

SECONDS = 30.0
_TOOLS = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin")
"""Where ssh-keygen is looked for. Not in PATH: who starts the runner sets that."""

_good: set[bytes] = set()
"""Digests of what was verified in this process, so that a screen does not ask ssh-keygen at every look."""


def payload(record: Record) -> bytes:
    """What is signed: every field of the record but the signature, as compact JSON with sorted keys, in ASCII."""
    data = {name: value for name, value in record.data.items() if name != records.SIGNATURE}
    values = records.values(replace(record, data=data))
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def problem(record: Record, folder: Path, root: Path) -> str | None:
    """Why an approval's signature does not count, in one sentence; None when it does, or when signing is off."""
    try:
        settings = load(folder, root)
        if settings.on:
            verify(record, settings, root)
    except SigningError as error:
        return str(error)
    return None


def verify(record: Record, settings: Settings, root: Path) -> None:
    """SigningError unless the record carries a signature over all of it by a key that counts."""
    keys = trusted(settings, root)
    kept = record.data.get(records.SIGNATURE)
    if not isinstance(kept, str):
        raise _untrusted("it has no signature")
    verify_bytes(payload(record), kept, settings, keys)


def verify_bytes(data: bytes, armoured: str, settings: Settings, keys: Sequence[Trusted]) -> None:
    """SigningError unless `armoured` is a signature of these bytes by one of the keys."""
    try:
        signature = sshsig.parse(armoured)
    except FormatError as error:
        raise _untrusted(str(error)) from error
    if signature.namespace != NAMESPACE:
        raise _untrusted("it was signed for another purpose")
    mine = [line for line in keys if line.key == signature.key]
    if not mine:
        raise _untrusted(f"the key {sshsig.fingerprint(signature.key)} is not in {settings.trusted}")
    _touched(signature, settings)
    lines = "".join(f"{line.text}\n" for line in mine)
    seal = _seal(data, armoured, lines, settings)
    if seal in _good:
        return
    if not _ssh_verifies(data, armoured, lines, settings.principal):
        raise _untrusted("the signature is not one of this very yes, or its key's time is over")
    if not any(line.limited for line in mine):
        _good.add(seal)


def _untrusted(why: str) -> SigningError:
    return SigningError(f"the yes is not signed with a trusted key ({why}): approve it again")


def _touched(signature: Signature, settings: Settings) -> None:
    """ssh-keygen says yes to a signature that a security key made without a touch, so the flags are read here."""
    if signature.flags is None:
        if settings.verify_required:
            raise _untrusted("it was made without a security key, and signing.toml asks for a PIN or a finger")
        return
    if not signature.flags & sshsig.TOUCHED:
        raise _untrusted("the security key was not touched")
    if settings.verify_required and not signature.flags & sshsig.VERIFIED:
        raise _untrusted("the security key asked for no PIN and no finger")


def _seal(data: bytes, armoured: str, lines: str, settings: Settings) -> bytes:
    import hashlib

    parts = (data, armoured.encode("utf-8", "surrogatepass"), lines.encode(), settings.principal.encode())
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def tool() -> str:
    """The path of ssh-keygen. SigningError when there is none."""
    for folder in _TOOLS:
        file = f"{folder}/ssh-keygen"
        if os.access(file, os.X_OK):
            return file
    raise SigningError("ssh-keygen is missing, so no signature can be made or checked: install OpenSSH")


def _ssh_verifies(data: bytes, armoured: str, lines: str, principal: str) -> bool:
    """Whether ssh-keygen ends with 0. It gets copies of what was read here: the files may change meanwhile."""
    with tempfile.TemporaryDirectory(prefix="dory-") as name:
        folder = Path(name)
        (folder / "trusted").write_text(lines, "utf-8")
        (folder / "signature").write_text(armoured, "utf-8")
        words = [
            tool(), "-Y", "verify", "-f", str(folder / "trusted"), "-I", principal, "-n", NAMESPACE,
            "-s", str(folder / "signature"),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                words, input=data, capture_output=True, timeout=SECONDS, check=False,
                env={"PATH": ":".join(_TOOLS), "LC_ALL": "C"}, cwd="/",
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SigningError(f"ssh-keygen could not check the signature ({error})") from error
    return done.returncode == 0


def sign(record: Record, settings: Settings, root: Path, environment: Mapping[str, str], *, at_terminal: bool) -> str:
    """A signature over the record that counts. `at_terminal`: ssh-keygen may ask there for a passphrase or a touch."""
    return sign_bytes(payload(record), settings, trusted(settings, root), environment, at_terminal=at_terminal)


def sign_bytes(
    data: bytes, settings: Settings, keys: Sequence[Trusted], environment: Mapping[str, str], *, at_terminal: bool
) -> str:
    """As `sign`, of any bytes. SigningError when ssh-keygen makes no signature, or one that does not count."""
    if settings.key is None:
        raise SigningError(f"{settings.file} names no `key` to sign with: run `dory key setup`")
    words = [tool(), "-q", "-Y", "sign", "-f", str(settings.key), "-n", NAMESPACE]
    quietly = {} if at_terminal else {"SSH_ASKPASS_REQUIRE": "never"}
    try:
        done = subprocess.run(
            words, input=data, stdout=subprocess.PIPE, stderr=None if at_terminal else subprocess.PIPE,
            env={**environment, **quietly}, check=False, start_new_session=not at_terminal,
            timeout=None if at_terminal else SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SigningError(f"ssh-keygen could not sign ({error}): nothing was decided") from error
    if done.returncode != 0:
        said = (done.stderr or b"").decode("utf-8", "replace").strip().splitlines()
        why = f" ({said[-1]})" if said else ""
        raise SigningError(f"ssh-keygen did not sign with {settings.key}{why}: nothing was decided")
    made = done.stdout.decode("ascii", "replace")
    verify_bytes(data, made, settings, keys)
    return made


def needs_terminal(settings: Settings, environment: Mapping[str, str]) -> bool:
    """Whether signing asks something at the terminal: a passphrase, or a touch. Not when ssh-agent holds the key."""
    if not settings.on or settings.key is None:
        return False
    mine = public_part(settings.key)
    if mine is not None and mine in _agents_keys(environment):
        return False
    if mine is not None and sshsig.type_of(mine) in sshsig.SECURITY_KEYS:
        return True
    return has_passphrase(settings.key)


def public_part(key: Path) -> bytes | None:
    """The public key beside a private one, or the file itself when it is public; None when there is none to read."""
    for file in (key if key.suffix == ".pub" else key.with_name(f"{key.name}.pub"), key):
        try:
            words = file.read_text("utf-8").split()
            return sshsig.public_key(words[0], words[1])
        except (OSError, UnicodeDecodeError, IndexError, FormatError):
            continue
    return None


def has_passphrase(key: Path) -> bool:
    """Whether the private key cannot be read without asking."""
    words = [tool(), "-y", "-P", "", "-f", str(key)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS)
    return done.returncode != 0


def _agents_keys(environment: Mapping[str, str]) -> set[bytes]:
    """The public keys that ssh-agent holds."""
    program = tool().replace("ssh-keygen", "ssh-add")
    if not environment.get("SSH_AUTH_SOCK") or not os.access(program, os.X_OK):
        return set()
    try:
        done = subprocess.run(
            [program, "-L"], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS,
            env=dict(environment),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return set()
    found = set()
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        words = line.split()
        try:
            found.add(sshsig.public_key(words[0], words[1]))
        except (IndexError, FormatError):
            continue
    return found
