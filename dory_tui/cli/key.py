"""`dory key`: whether a yes must be signed, and with what."""

from __future__ import annotations

import argparse
from pathlib import Path

from dory_tui.cli.asking import at_terminal
from dory_tui.cli.common import UsageError, add_json, open_gate
from dory_tui.cli.confirm import NoTerminalError, confirm
from dory_tui.cli.printing import say, say_json
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import sshsig
from dory_tui.review import keys
from dory_tui.review.keys import State

WHAT_FOR = """\
With signing on, a yes counts only with a signature made by your key, over the whole record of it: the bytes, the
command, the item, the attempt, this workspace, the time. Records that a program writes by hand, or copies from
another item, run nothing.
It protects you as far as the key does. Without a passphrase, or while ssh-agent holds it unlocked, a program that
runs as you can sign too; with a passphrase it cannot; with a security key each yes needs your touch.
It does not keep a program that runs as you from going around dory, from using your credentials itself, or from
turning this off in your configuration folder. Only another user for the runner does that: see the README."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("setup", "off"), help="turn signing on, or off; else its state")
    parser.add_argument("--file", metavar="KEY", help="with setup: sign with this SSH key (else one is made)")
    add_json(parser)


def key(given: argparse.Namespace) -> int:
    if given.file is not None and given.action != "setup":
        raise UsageError("--file goes with `dory key setup`")
    gate = open_gate(given, "dory")
    if given.action is None:
        found = keys.state(gate)
        if given.json:
            say_json(_as_json(found))
        else:
            _tell(found)
        return int(Exit.FINE if found.problem is None else Exit.REFUSED)
    if not at_terminal():
        raise NoTerminalError("this needs a terminal and a person at it: nothing was changed")
    return _setup(gate, given.file) if given.action == "setup" else _off(gate)


def _setup(gate: Gate, file: str | None) -> int:
    say(WHAT_FOR)
    say("")
    say(f"the key: {file}" if file else f"the key: a new one in {keys.folder(gate)}")
    if not confirm("have every yes signed with it"):
        return int(Exit.REFUSED)
    if file is None:
        say("ssh-keygen now asks for a passphrase: one that no program knows")
    made = Path(file) if file is not None else keys.make_key(gate)
    say("and now for a trial signature: it may ask for the passphrase again, or for a touch")
    found = keys.turn_on(gate, made)
    _tell(found)
    say("a yes that was given before is not signed: what still waits to run asks for a fresh one")
    return int(Exit.FINE if found.problem is None else Exit.REFUSED)


def _off(gate: Gate) -> int:
    _tell(keys.state(gate))
    if not confirm("let a yes count without a signature"):
        return int(Exit.REFUSED)
    found = keys.turn_off(gate)
    say("signing is off: a yes counts without a signature, and the keys stay where they are")
    return int(Exit.FINE if found.problem is None else Exit.REFUSED)


def _tell(found: State) -> None:
    if found.problem is not None:
        say(f"signing: {found.problem}")
    elif not found.settings.on:
        say("signing is off: a yes counts without a signature (`dory key setup` turns it on)")
        return
    else:
        say("signing is on: a yes counts only when a trusted key signed it")
    if found.fingerprint is not None:
        say(f"your key: {found.settings.key} · {found.key_type} · {found.fingerprint}")
        say(f"  {_strength(found)}")
    for one in found.trusted:
        mine = " (this is your key)" if sshsig.fingerprint(one.key) == found.fingerprint else ""
        say(f"trusted: {one.principal} · {one.key_type} · {sshsig.fingerprint(one.key)}{mine}")
    if found.trusted:
        say(f"  to trust one no longer, take its line out of {found.settings.trusted}")


def _strength(found: State) -> str:
    if found.security_key:
        also = ", and a PIN or a finger" if found.settings.verify_required else ""
        return f"a security key: every yes needs a touch{also}"
    if found.passphrase is None:
        return "only ssh-agent has its private part: whoever reaches the agent can sign"
    if found.passphrase:
        return "it has a passphrase: a program that runs as you cannot sign, unless ssh-agent holds the key"
    return "it has no passphrase: a program that runs as you can sign with it (`ssh-keygen -p -f KEY` gives it one)"


def _as_json(found: State) -> dict[str, object]:
    return {
        "signing": found.settings.on,
        "problem": found.problem,
        "principal": found.settings.principal or None,
        "key": str(found.settings.key) if found.settings.key else None,
        "type": found.key_type,
        "fingerprint": found.fingerprint,
        "passphrase": found.passphrase,
        "verify_required": found.settings.verify_required,
        "trusted_keys": str(found.settings.trusted),
        "trusted": [
            {"principal": one.principal, "type": one.key_type, "fingerprint": sshsig.fingerprint(one.key)}
            for one in found.trusted
        ],
    }
