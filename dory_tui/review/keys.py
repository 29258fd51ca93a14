"""Signing as the human turns it on and off: the key, the keys that count, and what signs a yes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate, signing_is_set_up
from dory_tui.ledger import signing, sshsig, trust
from dory_tui.ledger.records import Record
from dory_tui.ledger.sshsig import NAMESPACE, Trusted
from dory_tui.ledger.trust import Settings, SigningError
from dory_tui.review.change import DecisionError
from dory_tui.workspace.document import sync_folder

KEY = "approval_key"
_TRIAL = b"dory key setup: a trial, which approves nothing\n"
_UNFIT = ' \t,*?!"#'


@dataclass(frozen=True, slots=True)
class State:
    """Whether a yes must be signed, with what, and which keys count. `problem` is why nothing can be signed now."""

    settings: Settings
    trusted: tuple[Trusted, ...] = ()
    problem: str | None = None
    fingerprint: str | None = None
    key_type: str | None = None
    passphrase: bool | None = None
    """None where that is not known: no key, or one that only ssh-agent holds."""

    @property
    def security_key(self) -> bool:
        return self.key_type in sshsig.SECURITY_KEYS


def folder(gate: Gate) -> Path:
    """The human's configuration folder, which holds both files."""
    return config.config_home(gate.environment)


def sealer(gate: Gate, identity: str, *, at_terminal: bool) -> Callable[[Record], str] | None:
    """What signs the record of a yes; None when signing is off. DecisionError when it cannot be signed here and now."""
    if not signing_is_set_up(folder(gate)):
        return None
    try:
        settings = trust.load(folder(gate), gate.root)
        if not settings.on:
            return None
        if not at_terminal and signing.needs_terminal(settings, gate.environment):
            sentence = f"a yes must be signed, and its key asks at the terminal: run `dory approve {identity}` there"
            raise DecisionError(Exit.REFUSED, sentence)
    except SigningError as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    return lambda record: signing.sign(record, settings, gate.root, gate.environment, at_terminal=at_terminal)


def must_sign(gate: Gate) -> bool:
    """Whether a yes needs a signature, or settings that cannot be used may ask for one."""
    if not signing_is_set_up(folder(gate)):
        return False
    try:
        return trust.load(folder(gate), gate.root).on
    except SigningError:
        return True


def needs_terminal(gate: Gate) -> bool:
    """Whether a yes given now would ask for a passphrase or a touch at the terminal: a screen must step aside first."""
    if not signing_is_set_up(folder(gate)):
        return False
    try:
        return signing.needs_terminal(trust.load(folder(gate), gate.root), gate.environment)
    except SigningError:
        return False  # the yes is refused, with the sentence


def state(gate: Gate) -> State:
    """How it stands. Nothing is written and nothing is asked."""
    settings = Settings(folder(gate))
    try:
        settings = trust.load(folder(gate), gate.root)
        keys = tuple(trust.trusted(settings, gate.root)) if settings.on else ()
        public = None if settings.key is None else signing.public_part(settings.key)
        if public is None:
            missing = f"{settings.key} cannot be read: run `dory key setup`" if settings.on else None
            return State(settings, keys, missing)
        problem = None
        if settings.on and public not in {one.key for one in keys}:
            problem = f"the key {settings.key} is not among those in {settings.trusted}: run `dory key setup`"
        there = settings.key is not None and settings.key.suffix != ".pub" and settings.key.exists()
        passphrase = signing.has_passphrase(settings.key) if there and settings.key is not None else None
        return State(settings, keys, problem, sshsig.fingerprint(public), sshsig.type_of(public), passphrase)
    except SigningError as error:
        return State(settings, problem=str(error))


def make_key(gate: Gate) -> Path:
    """A new key; ssh-keygen asks for its passphrase at the terminal. DecisionError when none is made."""
    file = folder(gate) / KEY
    _outside(gate, file)
    if file.exists():
        raise DecisionError(
            Exit.REFUSED, f"{file} exists already: use it with `dory key setup --file {file}`, or move it away"
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        words = [signing.tool(), "-q", "-t", "ed25519", "-C", "dory approvals", "-f", str(file)]
        done = subprocess.run(words, env=dict(gate.environment), check=False)
    except (OSError, SigningError) as error:
        raise DecisionError(Exit.REFUSED, f"no key was made: {error}") from error
    if done.returncode != 0 or not file.exists():
        raise DecisionError(Exit.REFUSED, "ssh-keygen made no key: nothing was changed")
    return file


def turn_on(gate: Gate, key: Path) -> State:
    """Have every yes signed with this key from now on, after a trial at the terminal. Other trusted keys stay.

    DecisionError when the key cannot sign, or the files cannot be written or relied on: then nothing was changed.
    """
    file = Path.cwd() / key.expanduser()
    _outside(gate, file)
    _outside(gate, folder(gate))
    if not str(file).isprintable():
        raise DecisionError(Exit.USAGE, "the path of the key has characters that cannot be written down: rename it")
    try:
        public = _public(gate, file)
        settings, kept = _as_it_is(gate)
        settings = Settings(settings.folder, True, settings.principal, file, settings.verify_required)
        made = Trusted(0, settings.principal, (("namespaces", NAMESPACE),), sshsig.type_of(public), public)
        signing.sign_bytes(_TRIAL, settings, [made], gate.environment, at_terminal=True)
        known = {(one.principal, one.key) for one in kept[1]}
        lines = kept[0] if (made.principal, made.key) in known else f"{kept[0]}{made.text}\n"
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not settings.file.exists():  # so that trusted keys never stand there without settings
            _write(settings.file, _toml(Settings(settings.folder, False, settings.principal, file)))
        _write(settings.trusted, lines)
        _write(settings.file, _toml(settings))
        trust.trusted(trust.load(settings.folder, gate.root), gate.root)
    except (SigningError, sshsig.FormatError) as error:
        raise DecisionError(Exit.REFUSED, str(error)) from error
    except OSError as error:
        raise DecisionError(Exit.REFUSED, f"{folder(gate)} cannot be written ({error.strerror})") from error
    return state(gate)


def turn_off(gate: Gate) -> State:
    """A yes need not be signed any more. The keys stay as they are. DecisionError when that cannot be written."""
    try:
        settings = trust.load(folder(gate), gate.root)
    except SigningError:
        settings = Settings(folder(gate))
    off = Settings(settings.folder, False, settings.principal, settings.key, settings.verify_required)
    try:
        off.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(off.file, _toml(off))
    except OSError as error:
        raise DecisionError(Exit.REFUSED, f"{off.file} cannot be written ({error.strerror})") from error
    return state(gate)


def _as_it_is(gate: Gate) -> tuple[Settings, tuple[str, list[Trusted]]]:
    """The settings, with a principal, and the trusted keys: their text and what it says."""
    place = folder(gate)
    try:
        settings = trust.load(place, gate.root)
    except SigningError:
        if (place / trust.SETTINGS).exists():
            raise
        settings = Settings(place)  # taken away beside trusted keys: that is what setup mends
    name = settings.principal or "".join("_" if c in _UNFIT else c for c in config.user_name(gate.environment))
    settings = Settings(place, settings.on, name, settings.key, settings.verify_required)
    text = (trust.read_guarded(settings.trusted, gate.root) or b"").decode("utf-8", "replace")
    try:
        known = sshsig.trusted(text)
    except sshsig.FormatError as error:
        raise SigningError(f"{settings.trusted} {error}: mend the line or take it out") from error
    return settings, (text if not text or text.endswith("\n") else f"{text}\n", known)


def _public(gate: Gate, file: Path) -> bytes:
    """The public key of the file; ssh-keygen works it out, asking at the terminal, where it does not lie beside it."""
    public = signing.public_part(file)
    if public is not None:
        return public
    if not file.exists():
        raise SigningError(f"there is no key {file}: name one with --file, or leave that out to have one made")
    words = [signing.tool(), "-y", "-f", str(file)]
    done = subprocess.run(words, stdout=subprocess.PIPE, env=dict(gate.environment), check=False)
    parts = done.stdout.decode("utf-8", "replace").split()
    if done.returncode != 0 or len(parts) < 2:
        raise SigningError(f"{file} is no private key that ssh-keygen can read")
    return sshsig.public_key(parts[0], parts[1])


def _outside(gate: Gate, place: Path) -> None:
    if Path(os.path.realpath(place)).is_relative_to(gate.root):
        raise DecisionError(Exit.USAGE, f"{place} lies in the workspace, which the agent can read and write")


def _toml(settings: Settings) -> str:
    key = "" if settings.key is None else str(settings.key)
    return (
        "# Written by `dory key`. Whose signature a yes needs before anything runs.\n"
        f"signing = {'true' if settings.on else 'false'}\n"
        f"principal = {json.dumps(settings.principal, ensure_ascii=False)}\n"
        f"key = {json.dumps(key, ensure_ascii=False)}\n"
        "# true: a security key must ask for a PIN or a finger besides the touch\n"
        f"verify_required = {'true' if settings.verify_required else 'false'}\n"
    )


def _write(file: Path, text: str) -> None:
    """Replace a file, durably; only its owner may read or write it. A link is followed."""
    target = Path(os.path.realpath(file))
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(text.encode("utf-8"))
            handle.flush()
            os.fsync(descriptor)
        temporary.rename(target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)
