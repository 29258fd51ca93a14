"""What signatures, trusted keys and the signed words say, without asking ssh-keygen; and what the rules make of it."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dory_tui.gate import rules
from dory_tui.gate.rules import Exit, Question
from dory_tui.ledger import records, signing, sshsig
from dory_tui.ledger.records import Record
from dory_tui.ledger.sshsig import NAMESPACE, FormatError
from dory_tui.ledger.store import Item
from dory_tui.values import replace
from tests.process.security_key import SecurityKey, armour, string

NOON = datetime(2026, 2, 5, 12, 0, tzinfo=UTC)
DATA = {"digest": "d" * 64, "path": "/w", "machine": "desk", "grace_s": 900, "title": "Grüße ⏳"}
RECORD = Record("w" * 32, "post", 1, 1, "approved", "ana@desk (dory)", NOON, None, DATA)
PLAIN = string(b"ssh-ed25519") + string(b"k" * 32)
HARDWARE = SecurityKey("ed25519", b"a" * 32)
UNTOUCHED = base64.b64decode("".join(HARDWARE.sign(b"words", NAMESPACE, 0).splitlines()[1:-1]))


def blob(
    key: bytes = PLAIN, signed: bytes = string(b"ssh-ed25519") + string(b"s" * 64), *, magic: bytes = b"SSHSIG",
    version: int = 1, namespace: bytes = NAMESPACE.encode(), hashed: bytes = b"sha512",
) -> bytes:  # fmt: skip
    head = magic + version.to_bytes(4, "big") + string(key) + string(namespace)
    return head + string(b"") + string(hashed) + string(signed)


# Signatures


def test_a_signature_says_its_key_and_what_it_is_for() -> None:
    found = sshsig.parse(armour(blob()))
    assert (found.key, found.key_type, found.namespace, found.flags) == (PLAIN, "ssh-ed25519", NAMESPACE, None)


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa"])
@pytest.mark.parametrize("flags", [0, 1, 4, 5, 255])
def test_the_flags_of_a_security_key_are_read(kind: str, flags: int) -> None:
    key = SecurityKey(kind, b"b" * 32)
    found = sshsig.parse(key.sign(b"words", NAMESPACE, flags))
    assert (found.key, found.key_type, found.flags) == (key.public, key.type, flags)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no SSH signature"),
        (armour(blob()).replace("BEGIN", "BEGAN"), "no SSH signature"),
        ("-----BEGIN SSH SIGNATURE-----\n@@@@\n-----END SSH SIGNATURE-----", "no SSH signature"),
        (armour(blob(magic=b"SSHGIG")), "version 1"),
        (armour(blob(version=2)), "version 1"),
        (armour(blob()[:-1]), "too early"),
        (armour(blob() + b"x"), "more in it"),
        (armour(blob(hashed=b"md5")), "neither SHA-512"),
        (armour(blob(namespace="ä".encode())), "not ASCII"),
        (armour(blob(string(b"ssh-dss") + string(b"k"))), "'ssh-dss' do not count"),
        (armour(blob(string(b"ssh-ed25519-cert-v01@openssh.com") + string(b"k"))), "certificate"),
        (armour(blob(string(b"webauthn-sk-ecdsa-sha2-nistp256@openssh.com"))), "do not count"),
        (armour(blob(signed=string(HARDWARE.type.encode()) + string(b"s") + b"\x01\0\0\0\0")), "another type"),
        (armour(blob(HARDWARE.public)), "another type"),
        (armour(blob(HARDWARE.public, string(HARDWARE.type.encode()) + string(b"s"))), "too early"),
        (armour(blob(HARDWARE.public, string(HARDWARE.type.encode()) + string(b"s") + b"\x01\0\0\0")), "too early"),
        (armour(blob(HARDWARE.public, string(HARDWARE.type.encode()) + string(b"s") + b"\x01\0\0\0\0x")), "more in it"),
    ],
)
def test_what_is_no_signature_that_counts_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        sshsig.parse(text)


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=200) | st.binary(max_size=200).map(armour))
def test_any_text_is_a_signature_or_refused(text: str) -> None:
    try:
        found = sshsig.parse(text)
    except FormatError:
        return
    assert found.key_type in sshsig.KEY_TYPES


@settings(deadline=None)  # a busy machine is no failure
@given(st.integers(0, 400), st.integers(1, 255))
def test_a_touch_cannot_be_moved_into_a_signature_by_shifting_its_fields(at: int, change: int) -> None:
    """Whatever byte is changed, the flags that are read are those at the place where OpenSSH's format has them."""
    place = at % len(UNTOUCHED)
    changed = UNTOUCHED[:place] + bytes([UNTOUCHED[place] ^ change]) + UNTOUCHED[place + 1 :]
    try:
        found = sshsig.parse(armour(changed))
    except FormatError:
        return
    assert found.flags == (change if place == len(UNTOUCHED) - 5 else 0)


# Trusted keys

LINE = f'ana@desk namespaces="{NAMESPACE}" {HARDWARE.line}'


def test_a_line_of_trusted_keys_is_read_and_said_again() -> None:
    (found,) = sshsig.trusted(f"# mine\n\n{LINE} ana's key, the blue one\n")
    assert (found.line, found.principal, found.key_type, found.key) == (3, "ana@desk", HARDWARE.type, HARDWARE.public)
    assert (found.namespaces, found.limited, found.text) == ((NAMESPACE,), False, LINE)
    assert found.text == sshsig.trusted(found.text)[0].text


@pytest.mark.parametrize(
    ("options", "namespaces", "limited"),
    [
        ("", (), False),
        ('NAMESPACES="git,x" ', ("git", "x"), False),
        ('cert-authority,namespaces="a",valid-before="20300101" ', ("a",), True),
        ('valid-after="20200101",namespaces="a b" ', ("a b",), True),
    ],
)
def test_options_are_read(options: str, namespaces: tuple[str, ...], limited: bool) -> None:
    (found,) = sshsig.trusted(f"ana {options}{HARDWARE.line}")
    assert (found.namespaces, found.limited) == (namespaces, limited)


@pytest.mark.parametrize(
    "line",
    [
        "ana", "ana ssh-ed25519", "ana ssh-ed25519 @@@@", f"ana ssh-ed25519 {HARDWARE.line.split()[1]}",
        "ana ssh-dss AAAA", f"ana no-touch-required {HARDWARE.line}", f'ana namespaces="a {HARDWARE.line}',
        f'ana namespaces="a"x {HARDWARE.line}', f"ana namespaces=a {HARDWARE.line}",
        f"ana verify-required,{HARDWARE.line}", "ana ssh-ed25519-cert-v01@openssh.com AAAA",
    ],
)  # fmt: skip
def test_a_line_that_is_no_trusted_key_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(FormatError, match=r"^line 2: "):
        sshsig.trusted(f"{LINE}\n{line}\n")


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=120))
def test_any_text_is_read_as_trusted_keys_or_refused(text: str) -> None:
    try:
        found = sshsig.trusted(f"{LINE}\n{text}")
    except FormatError:
        return
    assert found[0].text == LINE


# What is signed


def test_the_signed_words_are_the_whole_record_without_the_signature() -> None:
    said = json.loads(signing.payload(RECORD))
    assert said == {
        "format": 1, "workspace": "w" * 32, "id": "post", "attempt": 1, "number": 1, "event": "approved",
        "who": "ana@desk (dory)", "when": "2026-02-05T12:00:00.000000+00:00", "prev": None, "data": DATA,
    }  # fmt: skip
    signed = replace(RECORD, data={**DATA, "signature": "x"})
    assert signing.payload(signed) == signing.payload(RECORD)
    assert signing.payload(RECORD).isascii()


def test_the_signed_words_survive_the_file() -> None:
    signed = replace(RECORD, data={"signature": "x", **dict(reversed(DATA.items()))})
    read = records.parse(records.serialise(signed), signed.name, signed.workspace, signed.id)
    assert signing.payload(read) == signing.payload(RECORD)


@pytest.mark.parametrize(
    "changes",
    [
        {"workspace": "v" * 32}, {"id": "other"}, {"attempt": 2}, {"number": 2}, {"event": "rejected"}, {"who": "eve"},
        {"when": NOON + timedelta(microseconds=1)}, {"prev": "sha256:ab"}, {"data": {**DATA, "digest": "e" * 64}},
        {"data": {**DATA, "more": None}}, {"data": {k: v for k, v in DATA.items() if k != "machine"}},
    ],
)  # fmt: skip
def test_no_field_can_change_without_changing_what_is_signed(changes: dict[str, Any]) -> None:
    assert signing.payload(replace(RECORD, **changes)) != signing.payload(RECORD)


# What the rules make of it


def question(signature: str | None, **changes: Any) -> Question:
    item = Item(1, 1, "approved", RECORD, "sha256:ab", original=True, mirror=True)
    asked = Question("post", "d" * 64, [item], [], NOON, "/w", "desk", signature=signature)
    return replace(asked, **changes)


def test_a_yes_whose_signature_does_not_count_waits_for_a_fresh_one() -> None:
    assert rules.standing(question(None)).code == Exit.FINE
    found = rules.standing(question("it is not signed"))
    assert (found.state, found.code, found.reason) == ("pending", Exit.REFUSED, "it is not signed")
    assert found.needs_yes
    assert found.can_approve


def test_the_decision_that_a_signature_is_asked_of_is_the_last_one() -> None:
    yes = Item(1, 1, "approved", RECORD, "sha256:ab", original=True, mirror=True)
    no = replace(yes, number=2, event="revoked", record=replace(RECORD, number=2, event="revoked"))
    claim = replace(yes, number=500, event="claimed", record=replace(RECORD, number=500, event="claimed"))
    assert rules.deciding([]) is None
    assert rules.deciding([yes]) is yes
    assert rules.deciding([yes, no]) is no
    assert rules.deciding([yes, claim]) is None


def test_a_state_without_either_file_is_off(tmp_path: Path) -> None:
    assert signing.problem(RECORD, tmp_path / "none", tmp_path / "workspace") is None
