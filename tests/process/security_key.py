"""A security key in software: the signatures of FIDO keys that OpenSSH knows, with any flags one likes.

Written down from RFC 8032 (Ed25519), SEC 1 (ECDSA on P-256) and OpenSSH's PROTOCOL.u2f and PROTOCOL.sshsig, since no
library at hand makes such signatures without the hardware. For tests only: it takes no care of its secrets.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_BASE_Y = 4 * pow(5, -1, _P) % _P
_Point = tuple[int, int]

_NP = 2**256 - 2**224 + 2**192 + 2**96 - 1
_NN = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_NG = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def _recover_x(y: int) -> int:
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    return x if x % 2 == 0 else _P - x


_BASE = (_recover_x(_BASE_Y), _BASE_Y)


def _ed_add(a: _Point, b: _Point) -> _Point:
    cross = _D * a[0] * b[0] * a[1] * b[1] % _P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + cross, -1, _P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - cross, -1, _P)
    return x % _P, y % _P


def _ed_times(count: int, point: _Point) -> _Point:
    total = (0, 1)
    for bit in bin(count)[2:]:
        total = _ed_add(total, total)
        if bit == "1":
            total = _ed_add(total, point)
    return total


def _ed_encode(point: _Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def _ed_secret(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & ~7 & ~(1 << 255) | 1 << 254, digest[32:]


def _ed_sign(seed: bytes, data: bytes) -> bytes:
    secret, prefix = _ed_secret(seed)
    public = _ed_encode(_ed_times(secret, _BASE))
    nonce = int.from_bytes(hashlib.sha512(prefix + data).digest(), "little") % _L
    first = _ed_encode(_ed_times(nonce, _BASE))
    challenge = int.from_bytes(hashlib.sha512(first + public + data).digest(), "little") % _L
    return first + ((nonce + challenge * secret) % _L).to_bytes(32, "little")


def _ec_add(a: _Point | None, b: _Point | None) -> _Point | None:
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % _NP == 0:
        return None
    rise, run = (3 * a[0] * a[0] - 3, 2 * a[1]) if a == b else (b[1] - a[1], b[0] - a[0])
    slope = rise * pow(run, -1, _NP)
    x = (slope * slope - a[0] - b[0]) % _NP
    return x, (slope * (a[0] - x) - a[1]) % _NP


def _ec_times(count: int) -> _Point:
    total: _Point | None = None
    for bit in bin(count)[2:]:
        total = _ec_add(total, total)
        if bit == "1":
            total = _ec_add(total, _NG)
    assert total is not None
    return total


def string(data: bytes) -> bytes:
    """SSH's `string`: a length of four bytes, then the bytes."""
    return len(data).to_bytes(4, "big") + data


def mpint(value: int) -> bytes:
    """SSH's `mpint`."""
    return string(value.to_bytes(value.bit_length() // 8 + 1, "big"))


def armour(blob: bytes) -> str:
    """A signature as ssh-keygen prints it."""
    text = base64.b64encode(blob).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


@dataclass(frozen=True)
class SecurityKey:
    """A key of the kind `ed25519` or `ecdsa`; `seed` is its secret."""

    kind: str
    seed: bytes
    application: str = "ssh:"

    @property
    def type(self) -> str:
        return "sk-ssh-ed25519@openssh.com" if self.kind == "ed25519" else "sk-ecdsa-sha2-nistp256@openssh.com"

    @property
    def _scalar(self) -> int:
        return int.from_bytes(hashlib.sha256(self.seed).digest(), "big") % (_NN - 1) + 1

    @property
    def public(self) -> bytes:
        """The public key's blob."""
        application = string(self.application.encode())
        if self.kind == "ed25519":
            return (
                string(self.type.encode())
                + string(_ed_encode(_ed_times(_ed_secret(self.seed)[0], _BASE)))
                + application
            )
        x, y = _ec_times(self._scalar)
        point = b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")
        return string(self.type.encode()) + string(b"nistp256") + string(point) + application

    @property
    def line(self) -> str:
        """The key as in a `.pub` file."""
        return f"{self.type} {base64.b64encode(self.public).decode()}"

    def sign(self, data: bytes, namespace: str, flags: int, counter: int = 7) -> str:
        """A signature over the data. `flags`: 1 it was touched, 4 a PIN or a finger was asked for."""
        message = b"SSHSIG" + string(namespace.encode()) + string(b"") + string(b"sha512")
        message += string(hashlib.sha512(data).digest())
        told = bytes([flags]) + counter.to_bytes(4, "big")
        signed = hashlib.sha256(self.application.encode()).digest() + told + hashlib.sha256(message).digest()
        proper = _ed_sign(self.seed, signed) if self.kind == "ed25519" else self._ecdsa(signed)
        blob = string(self.type.encode()) + string(proper) + told
        head = b"SSHSIG" + (1).to_bytes(4, "big") + string(self.public) + string(namespace.encode()) + string(b"")
        return armour(head + string(b"sha512") + string(blob))

    def _ecdsa(self, data: bytes) -> bytes:
        digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
        nonce = int.from_bytes(hashlib.sha256(self.seed + data).digest(), "big") % (_NN - 1) + 1
        r = _ec_times(nonce)[0] % _NN
        return mpint(r) + mpint(pow(nonce, -1, _NN) * (digest + r * self._scalar) % _NN)
