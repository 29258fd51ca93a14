"""What an OpenSSH signature and a line of a file of trusted keys say (PROTOCOL.sshsig, PROTOCOL.u2f, ssh-keygen(1)).

Pure, and nothing is verified here: ssh-keygen does that. This reads what ssh-keygen does not look at, such as whether a
security key was touched.
"""

from __future__ import annotations

import base64
import binascii
import re

from dory_tui.values import dataclass

NAMESPACE = "dory-approval-v1@dory"
SECURITY_KEYS = frozenset({"sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"})
KEY_TYPES = SECURITY_KEYS | {
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
}  # fmt: skip
"""What a yes may be signed with. Certificates are not among them."""
TOUCHED, VERIFIED = 0x01, 0x04
"""Bits of a security key's flags: somebody was there; somebody proved by PIN or finger who it was."""

_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_LINE = re.compile(r"(?P<principal>\S+)[ \t]+(?P<rest>.+)")
_OPTION = re.compile(r'(?P<name>[a-zA-Z-]+)(?:="(?P<value>[^"\\]*)")?(?P<end>,|[ \t]+)')
_OPTIONS = frozenset({"cert-authority", "namespaces", "valid-after", "valid-before"})


class FormatError(Exception):
    """These bytes are no signature, or no trusted key; the message says why, to follow on a colon."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a signature says of itself. `flags` is the byte of a security key; None for any other key."""

    key: bytes
    key_type: str
    namespace: str
    flags: int | None


@dataclass(frozen=True, slots=True)
class Trusted:
    """One line of trusted keys. `key` is the public key's blob; `options` are name and value, names in lower case."""

    line: int
    principal: str
    options: tuple[tuple[str, str], ...]
    key_type: str
    key: bytes

    @property
    def text(self) -> str:
        """The line as ssh-keygen reads it."""
        options = ",".join(f'{name}="{value}"' if value else name for name, value in self.options)
        return (
            f"{self.principal} {options}{' ' if options else ''}{self.key_type} {base64.b64encode(self.key).decode()}"
        )

    @property
    def namespaces(self) -> tuple[str, ...]:
        return tuple(one for name, value in self.options if name == "namespaces" for one in value.split(","))

    @property
    def limited(self) -> bool:
        """Whether it counts only for a time."""
        return any(name.startswith("valid-") for name, _ in self.options)


class _Reader:
    """Takes fields off SSH's wire format. FormatError where they end early."""

    def __init__(self, data: bytes) -> None:
        self.left = data

    def take(self, count: int) -> bytes:
        if len(self.left) < count:
            raise FormatError("it ends too early")
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        return self.take(self.number())

    def word(self) -> str:
        try:
            return self.string().decode("ascii")
        except UnicodeDecodeError as error:
            raise FormatError("a name in it is not ASCII") from error

    def end(self) -> None:
        if self.left:
            raise FormatError("there is more in it than belongs there")


def parse(armoured: str) -> Signature:
    """What a signature as ssh-keygen prints it says. FormatError when it is none, or of a kind that does not count."""
    words = armoured.strip().splitlines()
    if len(words) < 3 or words[0].strip() != _BEGIN or words[-1].strip() != _END:
        raise FormatError("it is no SSH signature")
    try:
        blob = base64.b64decode("".join(word.strip() for word in words[1:-1]), validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError("it is no SSH signature") from error
    reader = _Reader(blob)
    if reader.take(6) != b"SSHSIG" or reader.number() != 1:
        raise FormatError("it is no SSH signature of version 1")
    key, namespace = reader.string(), reader.word()
    reader.string()  # reserved
    if reader.word() not in ("sha512", "sha256"):
        raise FormatError("its hash is neither SHA-512 nor SHA-256")
    signed = reader.string()
    reader.end()
    key_type = type_of(key)
    return Signature(key, key_type, namespace, _flags(key_type, signed))


def type_of(key: bytes) -> str:
    """The type that a public key's blob names. FormatError when it is not one that counts."""
    name = _Reader(key).word()
    if "-cert-" in name:
        raise FormatError("it is made with a certificate, and only plain keys count")
    if name not in KEY_TYPES:
        raise FormatError(f"keys of the type {name!r} do not count")
    return name


def _flags(key_type: str, signed: bytes) -> int | None:
    """The flags byte of a security key's signature: after the signature proper, before the counter (PROTOCOL.u2f)."""
    reader = _Reader(signed)
    name = reader.word()
    if key_type not in SECURITY_KEYS:
        if name in SECURITY_KEYS or name.startswith("webauthn-"):
            raise FormatError("its signature is of another type than its key")
        return None
    if name != key_type:
        raise FormatError("its signature is of another type than its key")
    reader.string()
    flags = reader.take(1)[0]
    reader.number()  # the counter
    reader.end()
    return flags


def trusted(text: str) -> list[Trusted]:
    """The lines of a file of trusted keys (ssh-keygen(1), ALLOWED SIGNERS). FormatError names the first bad line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        try:
            found.append(_trusted(number, words))
        except FormatError as error:
            raise FormatError(f"line {number}: {error}") from error
    return found


def _trusted(number: int, words: str) -> Trusted:
    match = _LINE.fullmatch(words)
    if match is None:
        raise FormatError("it has no key")
    rest = match["rest"]
    options: list[tuple[str, str]] = []
    while rest.split(None, 1)[0] not in KEY_TYPES and (option := _OPTION.match(rest)) is not None:
        name = option["name"].lower()
        if name not in _OPTIONS:
            raise FormatError(f"its option {name!r} is not known")
        options.append((name, option["value"] or ""))
        rest = rest[option.end() :]
        if option["end"] != ",":
            break
    parts = rest.split()
    if len(parts) < 2 or parts[0] not in KEY_TYPES:
        raise FormatError("after its name and options no key of a type that counts follows")
    return Trusted(number, match["principal"], tuple(options), parts[0], public_key(parts[0], parts[1]))


def public_key(key_type: str, encoded: str) -> bytes:
    """The blob of `<type> <base64>`, as in a `.pub` file. FormatError when the two do not belong together."""
    try:
        blob = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError("its key is not base64") from error
    if type_of(blob) != key_type:
        raise FormatError("its key is of another type than it says")
    return blob


def fingerprint(key: bytes) -> str:
    """`SHA256:…`, as ssh-keygen shows a key."""
    import hashlib

    return "SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")
