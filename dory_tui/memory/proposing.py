"""The rules of a proposal for MEMORY.md, whoever makes it: its file, and what it folds into (memory.md)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dory_tui.memory.scoring import Verdict, flow, verdict
from dory_tui.values import dataclass
from dory_tui.workspace import layout
from dory_tui.workspace.document import decode, encode, read_bytes
from dory_tui.workspace.drafts import slug, valid_id
from dory_tui.workspace.promotions import Promotion, parse_promotion, read_promotions


class ProposeError(Exception):
    """The candidate cannot be proposed; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The file of a proposal before and after; `fresh` is False when the same candidate is pending already."""

    id: str
    path: str
    before: bytes | None
    data: bytes
    verdict: Verdict
    fresh: bool
    sentence: str


def prepare(
    root: Path, text: bytes, *, section: str, scores: Mapping[str, int], identity: str | None = None,
    source: str = "", replaces: str | None = None,
) -> Prepared:  # fmt: skip
    """What `memory/promotions/<id>.md` would hold. The same text again is a revision of the one that is pending.

    Nothing is written. ProposeError when it cannot be proposed so.
    """
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProposeError(f"byte {error.start + 1} of the text is not UTF-8: give it as UTF-8 text") from error
    judged = verdict(scores)
    body = text.strip(b"\r\n")
    same = pending(root, body)
    wanted = (identity or (same.id if same else named(body))).casefold()
    if not valid_id(wanted):
        raise ProposeError(f"the id {wanted!r} must be 1 to 64 of a-z, 0-9, `.`, `_`, `-`")
    path = same.path if same else f"{layout.PROMOTIONS}/{wanted}.md"
    data = _file(wanted, section, source, scores, replaces, body)
    made = parse_promotion(path, data)
    if made.problem is not None:
        raise ProposeError(made.problem.sentence)
    before = read_bytes(root / path, path)
    if before is not None:
        earlier = parse_promotion(path, before)
        if earlier.status not in ("pending", "changes requested"):
            raise ProposeError(f"{wanted} was {earlier.status} already: propose it under another --id")
        if _equal(earlier, made):
            sentence = f"{wanted} is pending already, in {path}: nothing was changed"
            return Prepared(wanted, path, before, before, judged, False, sentence)
    verb = "proposed" if before is None else "revised"
    stands = "earns its place" if judged.promote else "would stay out"
    sentence = f"{verb} {wanted} in {path}; by these scores it {stands} ({judged.reason})"
    return Prepared(wanted, path, before, data, judged, True, sentence)


def pending(root: Path, body: bytes) -> Promotion | None:
    """The candidate of these very words that waits."""
    found = (p for p in read_promotions(root) if p.status == "pending" and p.text == body and body)
    return next(found, None)


def named(body: bytes) -> str:
    """The id made of the first line of a candidate."""
    return slug(decode(body.splitlines()[0] if body else b"").lstrip("-*+ "))


def _equal(earlier: Promotion, made: Promotion) -> bool:
    return (earlier.text, earlier.section, earlier.scores, earlier.replaces, earlier.source, earlier.status) == (
        made.text, made.section, made.scores, made.replaces, made.source, "pending",
    )  # fmt: skip


def _file(
    identity: str, section: str, source: str, scores: Mapping[str, int], replaces: str | None, body: bytes
) -> bytes:
    lines = [
        "---",
        f"id: {identity}",
        f"section: {_quoted(section)}",
        f"source: {_quoted(source)}",
        f"scores: {flow(scores)}",
        f"replaces: {'null' if replaces is None else _quoted(replaces)}",
        "status: pending",
        "---",
        "",
    ]
    return encode("\n".join(lines)) + body + b"\n"


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar, which JSON's strings are."""
    import json

    return json.dumps(text, ensure_ascii=False)
