"""What lint finds, what it spares, and that no secret is ever shown."""

from __future__ import annotations

import random
import string
import sys
import time
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.memory.audit import audit
from dory_tui.memory.detector import Detector
from dory_tui.memory.links import named, relinked
from dory_tui.memory.lint import Finding, growing, lint_file
from dory_tui.secret_forms import SERVICES
from dory_tui.secrets import Secret, in_text, key_lines, mask, masked

CORPUS = Path(__file__).parent.parent / "corpus"
CAP = 10_240


def find(line: str) -> tuple[Secret, ...]:
    """The secrets of a line."""
    return tuple(one for _, one in in_text(line))


def made(length: int, letters: str = string.ascii_letters + string.digits, seed: int = 7) -> str:
    """What a maker of keys would make: the tests hold no string that looks like a key in the repository."""
    return "".join(random.Random(seed).choices(letters, k=length))


HEX = "0123456789abcdef"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
FORMS = {
    "a GitHub token": ["ghp_" + made(36), "github_pat_" + made(22) + "_" + made(59)],
    "a GitLab token": ["glpat-" + made(20)],
    "an AWS access key": ["AKIA" + made(16, UPPER)],
    "an Anthropic key": ["sk-ant-api03-" + made(80)],
    "an OpenAI key": ["sk-" + made(48), "sk-proj-" + made(60)],
    "a Google key": ["AIza" + made(35)],
    "a Slack token": ["xoxb-" + made(12, string.digits) + "-" + made(24)],
    "a Slack or Discord webhook": [f"https://hooks.slack.com/services/T{made(8)}/B{made(8)}/{made(24)}"],
    "a Stripe key": ["sk_live_" + made(24)],
    "a SendGrid key": [f"SG.{made(22)}.{made(43)}"],
    "a Telegram bot token": [made(10, "123456789") + ":AA" + made(33)],
    "an npm token": ["npm_" + made(36)],
    "a PyPI token": ["pypi-AgEI" + made(60)],
    "a Hugging Face token": ["hf_" + made(34, string.ascii_letters)],
    "a DigitalOcean token": ["dop_v1_" + made(64, HEX)],
    "a signed web token": [f"eyJ{made(20)}.eyJ{made(40)}.{made(43)}"],
    "a private key": ["-----BEGIN " + "OPENSSH PRIVATE KEY-----"],
}


@pytest.mark.parametrize(("kind", "value"), [(kind, one) for kind, values in FORMS.items() for one in values])
@pytest.mark.parametrize(
    "around", ["{}", "- the key is `{}`.", "KEY={}", "他的密钥：{}。", "({})", '"{}",', "| a | {} |"]
)
def test_a_key_is_found_by_its_form_and_masked(kind: str, value: str, around: str) -> None:
    line = around.format(value)
    (found,) = find(line)
    assert line[found.start : found.stop] == value
    assert found.kind == kind or found.kind.startswith("a value for")
    assert value not in masked(line)
    assert masked(line) == around.format(mask(value))


def test_a_key_of_a_service_is_known_by_how_it_begins() -> None:
    for begin in SERVICES:
        assert [one.kind for one in find(f"- used {begin}{made(40)} today")] == ["an access key of a service"], begin
        assert find(f"- on {begin}branch-of-2026-02-07-for-the-launch") == (), begin


def test_the_block_of_a_private_key_is_masked_line_by_line_and_told_once() -> None:
    body = [made(70, seed=n) for n in range(3)] + [made(13)]
    head, end = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"
    text = "\n".join(["> " + one for one in (head, "Proc-Type: 4,ENCRYPTED", "", *body, end)] + ["what follows stays"])
    shown = masked(text).split("\n")
    assert len(shown) == len(text.split("\n")), "lines stay where they are"
    assert not any(one in line for line in shown for one in body)
    assert shown[-2:] == [f"> {end}", "what follows stays"]
    assert [(number, one.kind) for number, one in in_text(text)] == [(1, "a private key")]
    assert masked(f"- {body[0]}\n{body[0]}\n") == f"- {body[0]}\n{mask(body[0])}\n", "a line of it alone, as in a diff"
    assert (
        masked(f"{head}\n{body[0]}\nSo this was the key.\n") == f"{mask(head)}\n{mask(body[0])}\nSo this was the key.\n"
    )


def test_a_private_key_on_one_line_is_masked_to_its_end() -> None:
    head, end = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    one, other = made(64), made(64, seed=8)
    assert masked(f'"{head}\\n{one}\\nqQ==\\n{end}\\n",') == (
        f'"{mask(head)}\\n{mask(one)}\\n…(4 characters)\\n{end}\\n",'
    )
    assert masked(f"{head} {one} qQ== {end}") == f"{mask(head)} {mask(one)} …(4 characters) {end}"
    assert (
        masked(f"key {head} {one} {other}= and more") == f"key {mask(head)} …(64 characters) …(65 characters) and more"
    )
    below = "Acknowledgements\nandthankstoeveryone\n"
    assert masked(f"{head} {one} {end}\n{below}").endswith(f"{end}\n{below}")
    assert masked(f"{head}\r{one}\rqQ==\r{end}\r") == f"{mask(head)}\r{mask(one)}\r…(4 characters)\r{end}\r"
    assert masked(f"a key begins with {head} and ends with {end}.") == (
        f"a key begins with {mask(head)} and ends with {end}."
    )


DECORATED = (
    "- {}",
    "-{}",
    "| {} |",
    "# {}",
    "// {}",
    "`{}`",
    '"{}\\n" +',
    "{} \\",
    "  12  {}",
    "  - {}",
    "09:10 {}",
    "<{}>",
)


@pytest.mark.parametrize("around", DECORATED)
@pytest.mark.parametrize("ended", [True, False])
def test_a_private_key_is_masked_whatever_stands_beside_its_lines(around: str, ended: bool) -> None:
    head, end = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"
    body = [made(64, seed=n) for n in range(3)] + ["x7" + made(20)]
    tail = ["Qe==", end] if ended else []
    shown = masked("\n".join(around.format(one) for one in (head, *body, *tail)) + "\n\nthe words stay\n")
    assert [one for one in (*body, *tail[:1]) if one in shown] == []
    assert shown.endswith("\n\nthe words stay\n")
    assert masked("+".join(body)) == "+".join(body)


def test_the_words_of_a_block_that_is_no_key_are_no_lines_of_one() -> None:
    head, end = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    for inside in ("never", "...", "Acknowledgements to everyone", "see memory/archive/Topics/longer", "a\nb\nc"):
        said = f"keys begin with {head}\n\n  {inside}\n{end} and are never shown\n"
        assert masked(said) == said.replace(head, mask(head))
        assert key_lines(said) == frozenset()
    one = made(64)
    assert key_lines(f"{head}\n{one}\nThanksToEveryone\nshort\nqQ==\n{end}") == {one, "qQ=="}
    between = f"{head} {one} and more {made(40)} to come"
    assert masked(between) == between.replace(head, mask(head)).replace(one, mask(one)).replace(
        made(40), mask(made(40))
    )


SIZE = 200_000
PEM = "-----BEGIN " + "PRIVATE KEY-----"
HOSTILE = {
    "firsts of keys": PEM,
    "firsts of keys, a line each": f"{PEM}\n",
    "firsts of no keys": "-----BEGIN ",
    "names of no keys": f"{PEM[:11]}PRIVATE ",
    "lasts of keys": f"{PEM}-----END",
    "backslashes in a key": "\\",
    "plus signs in a key": "+",
    "blank lines in a key": "\n",
    "lines of a key": made(64) + "\n",
    "words of a key": made(64) + " ",
    "cells": "| password ",
    "names": "password",
    "names and signs": "password: ",
    "addresses": "://",
    "tokens": "eyJaaaaaaaaaaa-",
    "tokens in two parts": "eyJaaaaaaaaaaa.",
    "slashes": "password=/a",
    "hooks": "https://hooks.slack.com/services/T",
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_text_is_masked_in_time(kind: str) -> None:
    text = PEM + HOSTILE[kind] * (SIZE // len(HOSTILE[kind]))
    for whole in (text, text[len(PEM) :]):
        started = time.process_time()
        masked(whole)
        assert time.process_time() - started < 2


@pytest.fixture(scope="module")
def detector() -> Detector:
    found = Detector()
    if found.problem is not None:
        pytest.skip(found.problem)
    return found


def test_the_detector_finds_what_our_table_lacks_and_says_nothing_twice(detector: Detector) -> None:
    lacking, known = f"fio-p-{made(20)}", FORMS["a GitHub token"][0]
    encoded = b64encode(f"the token {known}".encode()).decode()
    curl = f"curl -u mira:{made(24)} https://api.example.org/v1"
    text = f"# Log\n\n- {known}\r\n- {encoded}\r- {curl}\n- {lacking}\n- postgres://app:s3cr3tpw@db.internal/x\n"
    found = lint_file("memory/a.md", text.encode(), cap=CAP, log=True, detector=detector)
    kinds = [(one.line, one.sentence.partition(" stands")[0]) for one in found]
    assert kinds == [
        (3, "a GitHub token"), (4, "what looks like: github-pat, in Base64"), (5, "what looks like: curl-auth-user"),
        (7, "a password in an address"),
    ]  # fmt: skip
    assert not any(value in str(one) for one in found for value in (known, made(24), "s3cr3tpw"))
    assert lint_file("memory/a.md", b"\xff key\n\x00", cap=CAP, log=True, detector=detector) == []


def test_the_detector_spares_true_mentions(detector: Detector) -> None:
    assert list(detector.find("\n".join(SPARED))) == []
    texts = [file.read_text(errors="surrogateescape") for file in CORPUS.rglob("*.md")]
    assert [one for text in texts for one in detector.find(text)] == []


def test_without_the_detector_lint_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    alone = Detector()
    assert alone.problem == "kingfisher-secret-scanner is not installed here"
    found = lint_file("a.md", b"- password: hunter2!\n", cap=CAP, log=True, detector=alone)
    assert [one.kind for one in found] == ["secret"]


class _PanicError(BaseException):
    """What a panic of the detector's own language comes as."""


@pytest.mark.parametrize("error", [ValueError("bad rule"), _PanicError("bad rule")])
@pytest.mark.parametrize("at", ["__init__", "scan"])
def test_a_detector_that_fails_leaves_our_own_table(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, at: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    broken = ModuleType("kingfisher_sdk")
    monkeypatch.setattr(broken, "Scanner", type("Scanner", (), {at: fail}), raising=False)
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", broken)
    failing = Detector()
    found = lint_file("a.md", b"- password: hunter2!\n", cap=CAP, log=True, detector=failing)
    assert [one.kind for one in found] == ["secret"]
    assert failing.problem == f"kingfisher-secret-scanner failed ({type(error).__name__}: bad rule)"


def test_a_person_who_stops_it_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    broken = ModuleType("kingfisher_sdk")
    monkeypatch.setattr(broken, "Scanner", type("Scanner", (), {"__init__": stop}), raising=False)
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", broken)
    with pytest.raises(KeyboardInterrupt):
        Detector()


def test_how_a_secret_is_shown() -> None:
    assert mask("ghp_" + "a" * 36) == "ghp_…(40 characters)"
    assert mask("hunter2!") == "…(8 characters)"
    assert mask("https://hooks.slack.com/services/T/B/x") == "https://hooks.slack.com/…(38 characters)"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("password: hunter2!", "hunter2!"),
        ("My password is hunter2.", "hunter2"),
        ("**Password:** `Tr0ub4dor&3`", "Tr0ub4dor&3"),
        ("wifi passwort = geheim-99", "geheim-99"),
        ("密码：Abc12345", "Abc12345"),
        ("postgres://app:s3cr3tpw@db.internal/x", "s3cr3tpw"),
        ("api_key = " + made(32, HEX), made(32, HEX)),
        ("client secret: " + made(40), made(40)),
        ("pin code: 49-2261", None),
        ("| password | hunter2x |", "hunter2x"),
        ("AWS_SECRET_ACCESS_KEY=" + "wJ4lrXUtnF3MI/K7MD2NG/" + made(18), "wJ4lrXUtnF3MI/K7MD2NG/" + made(18)),
        ("token: " + "/" + made(39), "/" + made(39)),
        ("password: HUNTER2XYZ99", "HUNTER2XYZ99"),
        ("password: “Fluffy2019”", "Fluffy2019"),
        ("Password (prod): hunter2xyz!", "hunter2xyz!"),
        ("postgres://app:HUNTER2XYZ99@db/x", "HUNTER2XYZ99"),
        ("| Password: | Fluffy2019 |", "Fluffy2019"),
        ("| secret key | " + made(32, HEX) + " |", made(32, HEX)),
        ("| **Password:** | `Fluffy2019` |", "Fluffy2019"),
        ("| new password                     | Fluffy2019 |", "Fluffy2019"),
        ("> | **Wifi password** | `hunter2x` | home |", "hunter2x"),
        ("| api key   | " + made(32, HEX) + " |", made(32, HEX)),
        ("password for Ana: hunter2x", "hunter2x"),
        ("password: 12charlie", "12charlie"),
        *(
            (line, line.split(" ")[-1].split("=")[-1])
            for line in (
                "password: 3Days-x9Kq!",
                "password: 7words!Xq9Lm",
                "password: Needed.4Speed!9",
                "password: Missing-Link99!",
                "password: required-Tango7!x",
                "api key: 30days-" + made(20),
                "password_manager=Fluffy2019",
                "password: Optional#77x",
                "password format: Fluffy2019",
                "DB_PASSWORD=12days-Of-Xmas!",
                "secret format key: " + made(24, HEX),
                "password manager's password: hunter2x",
            )
        ),
    ],
)
def test_a_value_is_found_by_its_name(line: str, value: str | None) -> None:
    assert [line[one.start : one.stop] for one in find(line)] == ([] if value is None else [value])


SPARED = (
    "no API key here",
    "the API key is in 1Password, item “prod”",
    "The password is changed every month.",
    "password: see vault",
    "password: op://private/mail/password",
    "token: $GITHUB_TOKEN",
    "api_key = os.environ['API_KEY']",
    "API_KEY=${API_KEY}",
    "token=<your-token>",
    "password: ********",
    "secret: xxxxxxxxxxxxxxxxxxxx",
    "the token budget is 200000 tokens",
    "tokens: 128000",
    "key: memory/2026-02-07.md",
    "secret key lives in ~/.config/dory/keys.toml",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "x" * 36,
    "sk-" + "a" * 40,
    "sk-learn-is-a-library-for-machine-learning",
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256 " + made(64, HEX),
    "550e8400-e29b-41d4-a716-446655440000",
    "https://user:@example.org/",
    "postgres://app:${PASSWORD}@db/x",
    "password: required",
    "Passwort: wird-nachgereicht",
    "Public key: see AGENTS.md",
    "password policy: 12-char",
    "Password length: 12-char, 2-digit",
    "password: required-2x",
    "password manager: 1Password",
    "password_policy = min12chars",
    "| password | required |",
    "| password | varchar(255) |",
    "| user | password |",
    "| Password changed | 2026-02-03T09:12 |",
    "| password | 2026-02-03T09:12 |",
    "| password | 09:12h |",
    "| reset password | done-1 |",
    "token: DB_TOKEN_2026_PROD",
    "key: Archive/Topics/2026-02/Index-2026.md",
    "signing key: /Users/Mira/Documents/keys/2026-02-07",
    "secret: memory/archive/2026-02/2026-02-07",
    "| password manager | Keychain2026 |",
    "| Passwords | 1Password, Keychain |",
    "| password | Bitwarden2, Keychain |",
    "| Password reset | #1234-open |",
    "| token | sha256:" + made(64, HEX) + " |",
    "echo $password | base64decode2",
    "passwords: argon2id",
    "password rotation: 90-day",
    "password rotation: 2026-02-03T09:12",
    "password policy: NIST-800-63B",
    "password manager: KeePass2",
)


@pytest.mark.parametrize("line", SPARED)
def test_what_only_speaks_of_secrets_is_spared(line: str) -> None:
    assert find(line) == ()
    assert masked(line) == line


def test_the_whole_corpus_is_spared() -> None:
    """Its words were replaced, so what it holds of keys and tokens are true mentions."""
    found = [(file, one) for file in CORPUS.rglob("*.md") for one in in_text(file.read_text(errors="surrogateescape"))]
    assert found == []


@given(
    st.text(max_size=60),
    st.sampled_from([value for values in FORMS.values() for value in values]),
    st.text(max_size=60),
)
def test_masking_changes_nothing_else(before: str, value: str, after: str) -> None:
    text = f"{before}\n{value}\n{after}"
    shown = masked(text)
    assert value not in shown
    assert mask(value) in shown
    assert masked(shown) == shown
    assert [number for number, one in in_text(value)] == [1]


def test_a_line_and_a_text_say_the_same() -> None:
    lines = [value for values in FORMS.values() for value in values] + ["password: hunter2!", "nothing", ""]
    whole = "\n".join(lines)
    assert list(in_text(whole)) == [(n, one) for n, line in enumerate(lines, 1) for one in find(line)]


def linted(path: str, text: str, *, cap: int = CAP, log: bool = False) -> list[Finding]:
    return lint_file(path, text.encode(), cap=cap, log=log)


def test_a_secret_is_named_with_its_line_and_not_shown() -> None:
    value = FORMS["a GitHub token"][0]
    (found,) = linted("memory/2026-02-07.md", f"# Log\r\n\r- key {value}\n", log=True)
    assert str(found) == (
        "memory/2026-02-07.md line 3: a GitHub token stands here: ghp_…(40 characters); "
        "reference where it lives instead of the value"
    )


def test_long_entries_and_large_logs() -> None:
    long = "- " + "word " * 120
    found = linted("memory/a.md", f"# Log\n\n- short\n{long}\n- x\n{long}\n", log=True)
    assert [(one.kind, one.line) for one in found] == [("long-entry", 4)]
    assert "599 characters" in found[0].sentence or "601 characters" in found[0].sentence
    assert "the first of 2 such entries" in found[0].sentence
    assert linted("memory/a.md", f"- {'x' * 498}\n", log=True) == []
    (large,) = linted("memory/a.md", "- a line\n" * 8000, log=True)
    assert (large.kind, large.line) == ("large-log", 1)
    assert "72,000 bytes" in large.sentence
    assert linted("memory/a.md", "- a line\n" * 8000, log=False) == []


def test_memory_over_its_cap_and_below_the_cuts() -> None:
    text = "# M\n\n" + "".join(f"- entry number {n}\n" for n in range(800))
    found = linted("MEMORY.md", text)
    assert [(one.kind, one.line) for one in found] == [
        ("over-cap", 1), ("cut", 201), ("cut", 640),
    ]  # fmt: skip
    assert "over the cap of 10,240" in found[0].sentence
    assert found[0].advice.startswith(f"prune at least {len(text) - CAP:,} bytes")
    assert "lines 201 to 802" in found[1].sentence
    assert linted("MEMORY.md", "# M\n\n- a\n", cap=3)[0].kind == "over-cap"
    assert linted("MEMORY.md", "# M\n\n- a\n") == []


def test_a_line_of_a_megabyte_is_looked_through_at_once() -> None:
    """Forms that look again from every letter of a run would take hours."""
    line = made(1_000_000) + "==, " + "password " * 20_000 + "eyJ" * 20_000 + "memory/" * 20_000
    assert find(line) == ()
    assert named(line.encode() + b" a.md") == {"a.md"}
    data = f"- {line} [a](b.md)\n".encode()
    assert relinked(data, "MEMORY.md", "MEMORY.md", lambda _: None, lambda _: False) == data
    assert len(audit(data, [], None, [], NOW.date())) == 1
    assert [one.kind for one in linted("memory/a.md", line, log=True)] == ["large-log", "long-entry"]


def test_what_is_said_twice_in_memory() -> None:
    (found,) = linted("MEMORY.md", "# M\n\n- Rent is due\n- Tea\n\n## More\n\n* rent  is due.\n")
    assert (found.kind, found.line, found.sentence) == ("restated", 8, "it says the same as line 3")


NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sizes", "grows"),
    [
        ([(40, 100), (20, 200), (1, 300)], 200),
        ([(90, 50), (40, 100), (20, 200), (1, 300)], 200),
        ([(40, 100), (20, 200), (10, 190), (1, 300)], None),
        ([(29, 100), (20, 200), (1, 300)], None),
        ([(40, 100), (20, 100), (1, 100)], None),
        ([(40, 100), (20, 200)], None),
        ([(40, 100)], None),
        ([], None),
    ],
)
def test_growing_is_a_month_without_shrinking(sizes: list[tuple[int, int]], grows: int | None) -> None:
    found = growing([(NOW - timedelta(days=days), size) for days, size in sizes], NOW)
    assert (found is None) == (grows is None)
    assert found is None or f"by {grows} bytes in 30 days" in found.sentence
