"""Propose something for MEMORY.md, with four scores. The human decides, and may change the scores."""

from __future__ import annotations

from collections.abc import Mapping

from dory_tui.gate.survey import Gate
from dory_tui.memory.scoring import Verdict, flow, verdict
from dory_tui.values import dataclass
from dory_tui.workspace import layout
from dory_tui.workspace.document import decode, encode, read_bytes, replace
from dory_tui.workspace.drafts import slug, valid_id
from dory_tui.workspace.promotions import Promotion, parse_promotion, read_promotions


class ProposeError(Exception):
    """The candidate cannot be proposed; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What was written and where. `fresh` is False when the same candidate was pending already."""

    id: str
    path: str
    verdict: Verdict
    fresh: bool
    sentence: str


def propose(
    gate: Gate, text: bytes, *, section: str, scores: Mapping[str, int], identity: str | None = None,
    source: str = "", replaces: str | None = None,
) -> Proposed:  # fmt: skip
    """Write `memory/promotions/<id>.md`. The same proposal again folds into the one that is pending."""
    judged = verdict(scores)
    body = text.strip(b"\r\n")
    pending = [p for p in read_promotions(gate.root) if p.status == "pending"]
    same = next((p for p in pending if p.text == body and body), None)
    first = decode(body.splitlines()[0] if body else b"").lstrip("-*+ ")
    wanted = (identity or (same.id if same else slug(first))).casefold()
    if not valid_id(wanted):
        raise ProposeError(f"the id {wanted!r} must be 1 to 64 of a-z, 0-9, `.`, `_`, `-`")
    path = same.path if same else f"{layout.PROMOTIONS}/{wanted}.md"
    data = _file(wanted, section, source, scores, replaces, body)
    made = parse_promotion(path, data)
    if made.problem is not None:
        raise ProposeError(made.problem.sentence)
    before = read_bytes(gate.root / path, path)
    if before is not None:
        earlier = parse_promotion(path, before)
        if earlier.status not in ("pending", "changes requested"):
            raise ProposeError(f"{wanted} was {earlier.status} already: propose it under another --id")
        if _equal(earlier, made):
            return Proposed(wanted, path, judged, False, f"{wanted} is pending already, in {path}: nothing was changed")
    replace(gate.root, path, before, data)
    verb = "proposed" if before is None else "revised"
    stands = "earns its place" if judged.promote else "would stay out"
    return Proposed(
        wanted, path, judged, True, f"{verb} {wanted} in {path}; by these scores it {stands} ({judged.reason})"
    )


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
