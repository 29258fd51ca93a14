"""Signed yeses with the real ssh-keygen: what counts, and everything that must not."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import runner
from dory_tui.gate.rules import Exit
from dory_tui.ledger import records, signing, trust
from dory_tui.ledger.records import Record
from dory_tui.ledger.sshsig import NAMESPACE
from dory_tui.review import keys
from dory_tui.review.change import DecisionError
from dory_tui.values import replace
from tests.process.security_key import SecurityKey
from tests.process.test_cold_start import imported

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH's ssh-keygen is not installed")
ANA = "ana@desk"
NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def ssh_keygen(*words: str, cwd: Path, given: bytes = b"") -> bytes:
    done = subprocess.run(["ssh-keygen", *words], cwd=cwd, input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def new_key(folder: Path, name: str = "key", passphrase: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    ssh_keygen("-q", "-t", "ed25519", "-N", passphrase, "-C", "ana", "-f", name, cwd=folder)
    return folder / name


def config(workspace: Workspace) -> Path:
    return Path(workspace.env["XDG_CONFIG_HOME"]) / "dory"


def line(public: str, options: str = f'namespaces="{NAMESPACE}"', principal: str = ANA) -> str:
    return f"{principal} {options} {public}\n"


def public(key: Path) -> str:
    return key.with_name(f"{key.name}.pub").read_text().strip()


def turn_on(workspace: Workspace, trusted: str, key: Path | None = None, *, verify_required: bool = False) -> None:
    """Write both files as a careful human would."""
    folder = config(workspace)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    words = (
        f'signing = true\nprincipal = "{ANA}"\nkey = "{key or ""}"\nverify_required = {str(verify_required).lower()}\n'
    )
    for name, text in (("signing.toml", words), ("trusted_keys", trusted)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)


@pytest.fixture
def key(workspace: Workspace, tmp_path: Path) -> Path:
    """A key without a passphrase that is trusted, on a workspace with two drafts."""
    made = new_key(tmp_path / "keys")
    turn_on(workspace, line(public(made)), made)
    workspace.runs("post")
    workspace.runs("other")
    return made


def run(workspace: Workspace, identity: str = "post") -> runner.Answer:
    return runner.run(workspace.gate(), identity)


def refused(workspace: Workspace, *words: str) -> None:
    """It does not run, waits for a yes, and the sentence has these words."""
    found = run(workspace)
    assert found.code == Exit.REFUSED, found
    for word in words:
        assert word in found.sentence
    assert runner.check(workspace.gate(), "post").sentence == found.sentence
    assert workspace.standing("post").state == "pending"
    assert workspace.standing("post").can_approve
    assert workspace.count("post") == 0


def record_yes(workspace: Workspace, seal: Callable[[Record], str], **data: Any) -> None:
    """Append an approval such as `dory approve` makes, signed by `seal`."""
    gate = workspace.gate()
    if not gate.ledger.history("post"):
        settings = replace_settings(workspace, "signing = true", "signing = false")
        workspace.approve("post")
        config(workspace).joinpath("signing.toml").write_text(settings)
        gate = workspace.gate()
    made = gate.ledger.history("post")[-1].record
    assert made is not None
    with gate.ledger.lock("post"):
        gate.record("post", 1, records.APPROVED, {**made.data, **data}, seal)


def replace_settings(workspace: Workspace, old: str, new: str) -> str:
    """Change a word of signing.toml; what it was."""
    file = config(workspace) / "signing.toml"
    before = file.read_text()
    assert old in before
    file.write_text(before.replace(old, new))
    return before


def signed_by(key: Path, namespace: str = NAMESPACE, **changes: Any) -> Callable[[Record], str]:
    """Signs with ssh-keygen, over a record that differs from the real one in `changes`."""

    def seal(record: Record) -> str:
        data = signing.payload(replace(record, **changes))
        return ssh_keygen("-q", "-Y", "sign", "-f", str(key), "-n", namespace, cwd=key.parent, given=data).decode()

    return seal


def test_a_signed_yes_runs_once_and_its_signature_is_over_the_whole_record(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    kept = workspace.gate().ledger.history("post")[-1].record
    assert kept is not None
    assert kept.data["signature"].startswith("-----BEGIN SSH SIGNATURE-----")
    assert b"BEGIN SSH" not in signing.payload(kept)
    assert runner.check(workspace.gate(), "post").code == Exit.FINE
    assert run(workspace).code == Exit.FINE
    assert run(workspace).code == Exit.CLAIMED
    assert workspace.count("post") == 1


def test_a_yes_from_before_signing_does_not_run_until_it_is_given_again(workspace: Workspace, key: Path) -> None:
    settings = replace_settings(workspace, "signing = true", "signing = false")
    workspace.approve("post")
    assert runner.check(workspace.gate(), "post").code == Exit.FINE, "off, it needs none"
    (config(workspace) / "signing.toml").write_text(settings)
    refused(workspace, "not signed with a trusted key", "it has no signature", "approve it again")
    workspace.approve("post")
    assert run(workspace).code == Exit.FINE


def test_a_text_is_not_handed_out_on_an_unsigned_yes(workspace: Workspace, key: Path) -> None:
    settings = replace_settings(workspace, "signing = true", "signing = false")
    workspace.draft("text")
    workspace.approve("text")
    (config(workspace) / "signing.toml").write_text(settings)
    found = runner.claim(workspace.gate(), "text")
    assert (found.code, found.output) == (Exit.REFUSED, b"")
    workspace.approve("text")
    assert runner.claim(workspace.gate(), "text").output == b"Hello.\n"


def test_a_yes_for_another_machine_or_bytes_says_so_before_its_signature_is_asked_for(
    workspace: Workspace, key: Path
) -> None:
    workspace.approve("post")
    draft = workspace.root / "state/drafts/post.md"
    draft.write_text(draft.read_text() + "more\n")
    assert workspace.standing("post").state == "superseded"


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "other"}, {"attempt": 2}, {"workspace": "0" * 32}, {"number": 7}, {"who": "eve@desk (dory)"},
        {"prev": None}, {"event": "rejected"}, {"data": {}},
    ],
    ids=lambda changes: next(iter(changes)),
)  # fmt: skip
def test_a_signature_of_another_record_does_not_count(workspace: Workspace, key: Path, changes: dict[str, Any]) -> None:
    record_yes(workspace, signed_by(key, **changes))
    refused(workspace, "not signed with a trusted key", "this very yes")
    record_yes(workspace, signed_by(key))
    assert run(workspace).code == Exit.FINE, "and that of this record does"


def test_a_signature_for_another_time_does_not_count(workspace: Workspace, key: Path) -> None:
    record_yes(workspace, signed_by(key, when=workspace.clock.now + timedelta(microseconds=1)))
    refused(workspace, "this very yes")


@pytest.mark.parametrize("namespace", ["git", "dory-approval-v2@dory"])
def test_a_signature_of_another_namespace_does_not_count(workspace: Workspace, key: Path, namespace: str) -> None:
    record_yes(workspace, signed_by(key, namespace))
    refused(workspace, "signed for another purpose")


def test_a_signature_copied_from_another_item_or_attempt_does_not_count(workspace: Workspace, key: Path) -> None:
    workspace.approve("other")
    copied = workspace.gate().ledger.history("other")[-1].record
    assert copied is not None
    record_yes(workspace, lambda _: str(copied.data["signature"]))
    refused(workspace, "this very yes")


def test_any_changed_byte_of_a_signed_record_is_noticed(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    files = [workspace.gate().ledger.original / "post/1-001-approved.json"]
    files.append(workspace.root / ".dory/ledger/post/1-001-approved.json")
    for file in files:
        file.write_text(file.read_text().replace('"grace_s": ', '"grace_s": 1'))
    refused(workspace, "this very yes")


@pytest.mark.parametrize("kept", ["", "yes", "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n", 7])
def test_what_is_no_signature_does_not_count(workspace: Workspace, key: Path, kept: Any) -> None:
    record_yes(workspace, lambda _: kept)
    refused(workspace, "not signed with a trusted key")


def test_a_key_that_is_not_in_the_file_does_not_count(workspace: Workspace, key: Path) -> None:
    stranger = new_key(key.parent, "stranger")
    record_yes(workspace, signed_by(stranger))
    refused(workspace, "not in", "trusted_keys")
    replace_settings(workspace, str(key), str(stranger))
    with pytest.raises(DecisionError, match="not in"):
        workspace.approve("post")


def test_the_principal_is_the_humans_not_the_records_or_the_agents(workspace: Workspace, key: Path) -> None:
    stranger = new_key(key.parent, "stranger")
    others = line(public(stranger), principal="eve@desk") + line(public(stranger), principal="*")
    turn_on(workspace, line(public(key)) + others, key)
    record_yes(workspace, signed_by(stranger))
    refused(workspace, "not in")


def test_namespaces_are_required(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    for options in ("", 'namespaces="git"', 'valid-after="20200101"'):
        turn_on(workspace, f"# mine\n{line(public(key), options)}", key)
        refused(workspace, "trusted_keys line 2 lacks namespaces=")
    turn_on(workspace, line(public(key), f'namespaces="git,{NAMESPACE}"'), key)
    assert run(workspace).code == Exit.FINE


def test_a_key_whose_time_is_over_does_not_count(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    ours = f'namespaces="{NAMESPACE}"'
    turn_on(workspace, line(public(key), f'{ours},valid-before="20200101"'), key)
    refused(workspace, "its key's time is over")
    turn_on(workspace, line(public(key), f'{ours},valid-after="20200101"'), key)
    assert run(workspace).code == Exit.FINE


@pytest.mark.parametrize("span", ["-2d:-1d", "-1d:+1d"], ids=["expired", "valid"])
def test_a_certificate_never_counts(workspace: Workspace, key: Path, span: str) -> None:
    authority = new_key(key.parent, "authority")
    ssh_keygen("-q", "-s", str(authority), "-I", ANA, "-n", ANA, "-V", span, f"{key}.pub", cwd=key.parent)
    certificate = key.with_name(f"{key.name}-cert.pub")
    trusted = line(public(authority), f'cert-authority,namespaces="{NAMESPACE}"')
    turn_on(workspace, trusted, key)
    record_yes(workspace, signed_by(certificate))
    refused(workspace, "a certificate")
    record_yes(workspace, signed_by(authority))
    refused(workspace, "not in")


# Security keys


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa"])
@pytest.mark.parametrize(
    ("flags", "verify_required", "words"),
    [
        (0, False, "was not touched"), (4, False, "was not touched"), (0xFE, True, "was not touched"),
        (1, True, "no PIN and no finger"), (1, False, None), (5, True, None),
    ],
)  # fmt: skip
def test_a_security_key_must_have_been_touched(
    workspace: Workspace, kind: str, flags: int, verify_required: bool, words: str | None
) -> None:
    hardware = SecurityKey(kind, b"a seed of thirty-two bytes, or so")
    workspace.runs("post")
    turn_on(workspace, line(hardware.line), verify_required=verify_required)
    record_yes(workspace, lambda record: hardware.sign(signing.payload(record), NAMESPACE, flags))
    record = workspace.gate().ledger.history("post")[-1].record
    assert record is not None
    assert signing._ssh_verifies(signing.payload(record), record.data["signature"], line(hardware.line), ANA), (
        "ssh-keygen itself does not look at the touch"
    )
    if words is None:
        assert run(workspace).code == Exit.FINE
    else:
        refused(workspace, words)


def test_a_touch_of_another_security_key_or_of_other_bytes_does_not_count(workspace: Workspace) -> None:
    hardware, stranger = (SecurityKey("ed25519", seed * 32) for seed in (b"a", b"b"))
    workspace.runs("post")
    turn_on(workspace, line(hardware.line))
    record_yes(workspace, lambda record: stranger.sign(signing.payload(record), NAMESPACE, 1))
    refused(workspace, "not in")
    record_yes(workspace, lambda record: hardware.sign(signing.payload(record) + b" ", NAMESPACE, 1))
    refused(workspace, "this very yes")


def test_a_plain_key_is_not_enough_where_a_pin_is_asked_for(workspace: Workspace, key: Path) -> None:
    turn_on(workspace, line(public(key)), key, verify_required=True)
    record_yes(workspace, signed_by(key))
    refused(workspace, "without a security key")


# The files


@pytest.mark.parametrize("name", ["trusted_keys", "signing.toml"])
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_files_that_others_can_write_are_not_trusted(workspace: Workspace, key: Path, name: str, mode: int) -> None:
    workspace.approve("post")
    (config(workspace) / name).chmod(mode)
    refused(workspace, name, "others can write")
    with pytest.raises(DecisionError, match="others can write"):
        workspace.approve("other")
    (config(workspace) / name).chmod(0o644)
    assert run(workspace).code == Exit.FINE


@pytest.mark.parametrize("mode", [0o770, 0o1777, 0o707])
def test_a_folder_that_others_can_write_is_not_trusted(workspace: Workspace, key: Path, mode: int) -> None:
    workspace.approve("post")
    config(workspace).chmod(mode)
    refused(workspace, "others can write")
    config(workspace).chmod(0o755)
    assert run(workspace).code == Exit.FINE


def test_the_folder_behind_a_link_must_be_ones_own_as_well(workspace: Workspace, key: Path, tmp_path: Path) -> None:
    workspace.approve("post")
    elsewhere = tmp_path / "dotfiles"
    elsewhere.mkdir(mode=0o700)
    file = config(workspace) / "trusted_keys"
    file.rename(elsewhere / "trusted_keys")
    file.symlink_to(elsewhere / "trusted_keys")
    assert runner.check(workspace.gate(), "post").code == Exit.FINE
    elsewhere.chmod(0o777)
    refused(workspace, "others can write")


@as_root
@pytest.mark.parametrize("name", ["trusted_keys", "signing.toml", "."])
def test_files_of_another_user_are_not_trusted(workspace: Workspace, key: Path, name: str) -> None:
    workspace.approve("post")
    os.chown(config(workspace) / name, NOBODY, NOBODY)
    refused(workspace, "belongs to another user (uid 65534)")


@contextmanager
def another_user(uid: int) -> Iterator[None]:
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)


@as_root
def test_to_another_user_roots_files_and_ones_own_are_trusted_and_a_third_ones_are_not() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        file = folder / "trusted_keys"
        file.write_text("x")
        file.chmod(0o644)
        for owner, fine in ((0, True), (NOBODY, True), (NOBODY - 1, False)):
            os.chown(file, owner, owner)
            with another_user(NOBODY):
                assert os.geteuid() == NOBODY
                if fine:
                    assert trust.read_guarded(file, Path("/nowhere")) == b"x"
                else:
                    with pytest.raises(trust.SigningError, match="another user"):
                        trust.read_guarded(file, Path("/nowhere"))


def test_files_in_the_workspace_are_not_trusted(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    inside = workspace.write("trusted_keys", (config(workspace) / "trusted_keys").read_bytes())
    (config(workspace) / "trusted_keys").unlink()
    (config(workspace) / "trusted_keys").symlink_to(inside)
    refused(workspace, "lies in the workspace")


def test_settings_that_were_taken_away_do_not_turn_signing_off(workspace: Workspace, key: Path) -> None:
    settings = replace_settings(workspace, "signing = true", "signing = false")
    workspace.approve("post")
    (config(workspace) / "signing.toml").unlink()
    refused(workspace, "signing.toml is missing beside trusted_keys")
    (config(workspace) / "trusted_keys").rename(config(workspace) / "away")
    (config(workspace) / "signing.toml").write_text(settings)
    refused(workspace, "trusted_keys is missing")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("signing = yes\n", "not valid TOML"), ("signing = 1\n", "true or false"), ("", "true or false"),
        ("signing = true\n", "principal"), ('signing = true\nprincipal = "*"\n', "principal"),
        ('signing = true\nprincipal = "a b"\n', "principal"), ("signing = true\nprincipal = 7\n", "text in quotes"),
        ('signing = true\nprincipal = "a"\nsinging = true\n', "`singing` is not a setting"), ("\xff", "not valid TOML"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_read_refuse(workspace: Workspace, key: Path, text: str, words: str) -> None:
    workspace.approve("post")
    (config(workspace) / "signing.toml").write_bytes(text.encode("latin-1"))
    refused(workspace, "signing.toml", words)


@pytest.mark.parametrize(
    "text", ["ana@desk\n", "ana@desk ssh-ed25519 AAAA\n", "\xff", "ana@desk no-touch-required x y\n"]
)
def test_trusted_keys_that_cannot_be_read_refuse(workspace: Workspace, key: Path, text: str) -> None:
    workspace.approve("post")
    (config(workspace) / "trusted_keys").write_bytes(text.encode("latin-1"))
    refused(workspace, "trusted_keys", "mend")


def test_what_is_no_file_refuses_and_hangs_nobody(workspace: Workspace, key: Path) -> None:
    workspace.approve("post")
    (config(workspace) / "trusted_keys").unlink()
    os.mkfifo(config(workspace) / "trusted_keys", 0o600)
    refused(workspace, "not a regular file")


def test_a_program_that_calls_itself_ssh_keygen_is_not_asked(workspace: Workspace, key: Path, tmp_path: Path) -> None:
    forged = tmp_path / "bin" / "ssh-keygen"
    forged.parent.mkdir()
    forged.write_text("#!/bin/sh\nexit 0\n")
    forged.chmod(0o755)
    record_yes(workspace, signed_by(key, id="other"))
    workspace.env["PATH"] = f"{forged.parent}:{workspace.env['PATH']}"
    process = workspace.live().agent("check", "post")
    said, _ = process.communicate()
    assert (process.returncode, "this very yes" in said) == (Exit.REFUSED, True)


# Signing, and what it costs


def test_a_key_with_a_passphrase_needs_a_terminal_and_says_where(workspace: Workspace, tmp_path: Path) -> None:
    locked = new_key(tmp_path / "keys", passphrase="a few words")
    turn_on(workspace, line(public(locked)), locked)
    workspace.runs("post")
    assert keys.needs_terminal(workspace.gate())
    with pytest.raises(DecisionError, match="run `dory approve post` there"):
        workspace.approve("post")
    assert workspace.standing("post").state == "pending"
    assert workspace.events("post") == []


def test_a_key_that_ssh_agent_holds_signs_without_a_terminal(workspace: Workspace, tmp_path: Path) -> None:
    locked = new_key(tmp_path / "keys", passphrase="a few words")
    plain = tmp_path / "plain"
    shutil.copy(locked, plain)
    ssh_keygen("-q", "-p", "-P", "a few words", "-N", "", "-f", str(plain), cwd=tmp_path)
    turn_on(workspace, line(public(locked)), locked)
    workspace.runs("post")
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        socket = f"{folder}/agent"
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.PIPE)
        try:
            assert agent.stdout is not None
            agent.stdout.readline()  # it says where it listens once it does
            workspace.env["SSH_AUTH_SOCK"] = socket
            assert keys.needs_terminal(workspace.gate()), "the agent holds nothing yet"
            subprocess.run(["ssh-add", "-q", str(plain)], env=workspace.env, check=True)
            assert not keys.needs_terminal(workspace.gate())
            workspace.approve("post")
        finally:
            agent.terminate()
            agent.communicate()
    assert run(workspace).code == Exit.FINE


def test_a_key_that_is_gone_decides_nothing(workspace: Workspace, key: Path) -> None:
    key.unlink()
    with pytest.raises(DecisionError, match=r"nothing was decided|asks at the terminal"):
        workspace.approve("post")
    assert workspace.events("post") == []


def test_signing_is_loaded_only_where_it_is_on(workspace: Workspace, key: Path) -> None:
    workspace.live().approve("post")
    heavy = {"dory_tui.ledger.signing", "dory_tui.ledger.trust", "subprocess", "tomllib", "tempfile"}
    for there in (True, False):
        if not there:
            shutil.rmtree(config(workspace))
        process = workspace.agent("check", "post", python=["-X", "importtime"])
        _, said = process.communicate()
        assert process.returncode == 0
        assert imported(said) & heavy == (heavy if there else set())
