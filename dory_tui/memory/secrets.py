"""Secrets in a line of text: found by the forms in which their makers issue them, and never shown whole. Pure.

The forms are those that the makers document, and that scanners such as gitleaks and detect-secrets look for. With
the extra `lint` installed, detect-secrets' own detectors of fixed forms are asked too. A form alone is not enough:
examples, placeholders, variables and pointers to a vault are spared.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

ADVICE = "reference where it lives instead of the value"

_FORMS: tuple[tuple[str, str], ...] = (
    ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255}"),
    ("a GitLab token", r"gl(?:pat|dt|rt|ptt|soat)-[A-Za-z0-9_-]{20,64}"),
    ("an AWS access key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("an Anthropic key", r"sk-ant-[A-Za-z0-9_-]{20,200}"),
    ("an OpenAI key", r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}"),
    ("a Google key", r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,300}"),
    ("a Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,250}"),
    ("a Slack or Discord webhook", r"https://(?:hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"
     r"|discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40,})"),
    ("a Stripe key", r"(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,200}"),
    ("a SendGrid key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ("a Telegram bot token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("an npm token", r"npm_[A-Za-z0-9]{36}"),
    ("a PyPI token", r"pypi-AgEI[A-Za-z0-9_-]{50,}"),
    ("a Hugging Face token", r"hf_[A-Za-z]{30,40}"),
    ("a DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}"),
    ("a signed web token", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("a private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|AGE-SECRET-KEY-1[A-Z0-9]{58}"),
)  # fmt: skip
_ALL = re.compile(
    "(?<![A-Za-z0-9_])(?:" + "|".join(f"(?P<f{n}>{form})" for n, (_, form) in enumerate(_FORMS)) + ")(?![A-Za-z0-9])"
)
# Looked for first, since a line without any of them can hold no such form: cheaper than the forms by far.
_BEGINS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glptt-", "glsoat-",
           "AKIA", "ASIA", "ABIA", "ACCA", "sk-", "sk_", "rk_", "AIza", "GOCSPX", "ya29.", "xox", "xapp", "whsec_",
           "hooks.slack", "/api/webhooks/", "SG.", ":AA", "npm_", "pypi-", "hf_", "_v1_", "eyJ", "-----BEGIN",
           "AGE-SECRET")  # fmt: skip
_NAMES = ("passw", "passp", "passc", "pwd", "pin code", "secret", "token", "credential", "key", "kennwort",
          "mot de passe", "contraseña", "senha", "пароль", "密码", "口令", "パスワード")  # fmt: skip
_SAYS = (":", "=", "→", "->", " is ", " ist ", " es ", "：", "是")
_LOGIN = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"`]*:(?P<value>[^\s/@'\"`]{3,200})@[\w.-]")
# A name such as `api_key`, then `:`, `=` or "is", then a value.
_NAMED = re.compile(
    r"(?P<name>(?:pass(?:word|wd|phrase|code)|\bpwd|\bpin(?= code)|secret|token|credential|"
    r"(?:api|access|private|auth|signing|encryption|master|bot)[ _-]?key|passwort|kennwort|mot de passe|contraseña|"
    r"senha|пароль|密码|口令|パスワード))"
    r"[\w -]{0,12}?[\"'`*_]{0,3}\s*(?:[:：]=?|=>?|→|->|\bis\b|\bist\b|\bes\b|是)[\s\"'`*_]{0,6}"
    r"(?P<value>[^\s\"'`<>|]{6,200})",
    re.IGNORECASE,
)
_STRICT = re.compile("pass|pwd|pin|kenn|mot de|contra|senha|пароль|密码|口令|パスワード", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"example|placeholder|your[_-]|[x*•.·…]{4,}|redacted|hidden|masked|changeme|dummy|sample|not[_-]a[_-]"
    r"|abcdefg|0123456|1234567",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"[\$%<{\[(\\~.…]|//|op://|vault:|env[:.]|keychain:|pass:|see\b|https?://|ssh://|file:", re.IGNORECASE
)
_UPPER_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_PATH = re.compile(r"[\w.~-]*(?:/[\w.~-]+)+/?\Z|[\w-]+(?:\.[\w-]+)*\.(?:md|json|ya?ml|toml|env|txt|py|js|ts|sh)\Z|.*\(")
_AROUND = " \t\"'`=:,;"
"""What detect-secrets takes into a match beside the value."""
_PLUGINS = ("artifactory", "aws", "azure_storage_key", "cloudant", "discord", "github_token", "gitlab_token", "jwt",
            "mailchimp", "npm", "openai", "private_key", "pypi_token", "sendgrid", "slack", "square_oauth", "stripe",
            "telegram_token", "twilio")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a line: what it is, and `line[start:stop]`, which must not be shown."""

    kind: str
    start: int
    stop: int


def in_text(text: str) -> Iterator[tuple[int, Secret]]:
    """(line from 1, secret) of a text, in its order; lines end at a line feed."""
    folded = text.casefold()
    begins = tuple(part for part in _BEGINS if part in text)
    names = tuple(part for part in _NAMES if part in folded)
    if begins or names or "://" in text or _yelp():
        for number, line in enumerate(text.split("\n"), start=1):
            for one in _find(line, begins, names):
                yield number, one


def find(line: str) -> tuple[Secret, ...]:
    """The secrets of a line, from left to right, none inside another."""
    return _find(line, _BEGINS, _NAMES)


def _find(line: str, begins: tuple[str, ...], names: tuple[str, ...]) -> tuple[Secret, ...]:
    found = sorted(_candidates(line, begins, names), key=lambda one: (one.start, -one.stop))
    kept: list[Secret] = []
    for one in found:
        if not kept or one.start >= kept[-1].stop:
            kept.append(one)
    return tuple(kept)


def mask(value: str) -> str:
    """`ghp_…(40 characters)`: how a secret begins where many begin so, and how long it is."""
    head = re.match(r"[A-Za-z]{2,8}[_-](?:[a-z]{2,6}[_-])?|AKIA|ASIA|AIza|eyJ|SG\.|-----BEGIN|https://[^/]+/", value)
    return f"{head[0] if head else ''}…({len(value):,} characters)"


def masked(text: str) -> str:
    """A text, of one or more lines, with every secret in it masked; all else as it is."""
    return "\n".join(_masked(line) for line in text.split("\n"))


def _masked(line: str) -> str:
    for one in reversed(find(line)):
        line = line[: one.start] + mask(line[one.start : one.stop]) + line[one.stop :]
    return line


def _candidates(line: str, begins: tuple[str, ...], names: tuple[str, ...]) -> Iterator[Secret]:
    if begins and any(part in line for part in begins):
        for match in _ALL.finditer(line):
            kind = _FORMS[int(str(match.lastgroup)[1:])][0]
            if not _EXAMPLE.search(match[0]) and _varied(match[0], kind):
                yield Secret(kind, match.start(), match.end())
    if "://" in line:
        for match in _LOGIN.finditer(line):
            if not _no_value(match["value"]):
                yield Secret("a password in an address", *match.span("value"))
    for match in _NAMED.finditer(line) if names and _may_name(line, names) else ():
        value = match["value"].rstrip(".,;:?)]}*_")
        if _secret_value(value, strict=not _STRICT.search(match["name"])):
            start = match.start("value")
            name = match["name"].casefold()
            yield Secret(f"a value for “{name}”", start, start + len(value))
    for kind, form in _yelp():
        for match in form.finditer(line):
            value = match[0].strip(_AROUND)
            if value and not _EXAMPLE.search(value):
                start = match.start() + match[0].index(value)
                yield Secret(kind, start, start + len(value))


def _may_name(line: str, names: tuple[str, ...]) -> bool:
    folded = line.casefold()
    return any(name in folded for name in names) and any(mark in folded for mark in _SAYS)


def _no_value(value: str) -> bool:
    """Whether it is an example, a variable, or says where the value lives."""
    return bool(_EXAMPLE.search(value) or _POINTER.match(value) or _UPPER_NAME.match(value))


def _varied(value: str, kind: str) -> bool:
    """Whether a value has as many different characters as one made at random; `sk-aaaa…` and words have not."""
    if kind == "a private key":
        return True
    body = re.split(r"[_-]", value, maxsplit=1)[-1]
    return len(set(body)) >= 8 and (kind != "an OpenAI key" or any(c.isdigit() for c in body))


def _secret_value(value: str, *, strict: bool) -> bool:
    """Whether what stands after a name such as "password" is a value and not a word, a path or a variable.

    A password may be short; what is called a key or a token must look made at random.
    """
    if len(value) < 6 or _no_value(value) or _PATH.match(value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    if strict:
        return len(value) >= 16 and digits >= 2 and letters >= 2 and len(set(value)) >= 8
    marks = len(value) - digits - letters
    return bool(letters and (digits or (marks and not re.fullmatch(r"[^\W\d]+(?:[-'’/.,][^\W\d]+)*", value))))


@lru_cache(maxsize=1)
def _yelp() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The fixed forms that detect-secrets knows, with what they are; none where it is not installed."""
    found: list[tuple[str, re.Pattern[str]]] = []
    for name in _PLUGINS:
        try:
            module: Any = importlib.import_module(f"detect_secrets.plugins.{name}")
        except ImportError:
            continue
        for value in vars(module).values():
            forms = getattr(value, "denylist", None)
            if isinstance(value, type) and value.__module__ == module.__name__ and isinstance(forms, (list, tuple)):
                kind = f"what looks like: {getattr(value, 'secret_type', name)}"
                found += [(kind, form) for form in forms if isinstance(form, re.Pattern)]
    return tuple(found)
