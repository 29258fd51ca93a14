"""The human's verbs on promotions: preview, score, promote, discard, send back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from dory_tui import config
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import MEMORY_PREFIX, BusyError, LedgerError
from dory_tui.memory import promoting
from dory_tui.memory.scoring import flow, verdict
from dory_tui.review.change import Change, DecisionError, Done, StaleError
from dory_tui.workspace import frontmatter, layout
from dory_tui.workspace.document import WorkspaceError, encode, read_bytes, split_lines
from dory_tui.workspace.edits import one_line
from dory_tui.workspace.promotions import AXES, Promotion, read_promotions


def preview(gate: Gate, candidate: Promotion, *, create: bool = False, over: int | None = None) -> promoting.Preview:
    """MEMORY.md as it is and as it would be (`promoting.preview`). PromotingError says what stands in the way."""
    try:
        memory = read_bytes(gate.root / layout.MEMORY, layout.MEMORY) or b""
    except WorkspaceError as error:
        raise promoting.PromotingError(str(error)) from error
    return promoting.preview(memory, candidate, create=create, over=over)


@contextmanager
def _candidate(gate: Gate, wanted: str, digest: str) -> Iterator[tuple[Change, Promotion]]:
    key = MEMORY_PREFIX + wanted
    try:
        with gate.ledger.lock(key):
            found = next((p for p in read_promotions(gate.root) if p.id == wanted), None)
            if found is None:
                raise DecisionError(Exit.USAGE, f"there is no candidate {wanted!r} in {layout.PROMOTIONS}")
            if found.digest != digest:
                raise StaleError(wanted)
            change = Change(gate)
            try:
                yield change, found
            finally:
                change.let_go()
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def _sound(candidate: Promotion) -> None:
    if candidate.problem is not None:
        raise DecisionError(Exit.USAGE, str(candidate.problem))


def promote(gate: Gate, wanted: str, digest: str, *, after: str, create: bool = False, over: int | None = None) -> Done:
    """Write a candidate into MEMORY.md. `after` is the SHA-256 of the file as previewed: else nothing is written.
    `over` is what a human said that it replaces, where that had to be asked (`promoting.preview`).

    Refused below the verdict, over the cap, and when the section is absent and `create` is not set.
    """
    with _candidate(gate, wanted, digest) as (change, candidate):
        _sound(candidate)
        judged = verdict(candidate.scores)
        if not judged.promote:
            raise DecisionError(Exit.REFUSED, f"{wanted} does not earn its place: {judged.reason}; `s` edits scores")
        try:
            would = preview(gate, candidate, create=create, over=over)
            promoting.check_cap(would, config.load(gate.root).cap)
        except (promoting.PromotingError, config.ConfigError) as error:
            raise DecisionError(Exit.REFUSED, str(error)) from error
        if hashlib.sha256(would.after).hexdigest() != after:
            raise StaleError(layout.MEMORY)
        _writable(candidate, {"status": "promoted"})
        data: dict[str, object] = {
            "digest": candidate.digest,
            "scores": dict(candidate.scores),
            "section": candidate.section,
            "before_sha256": hashlib.sha256(would.before).hexdigest(),
            "after_sha256": after,
            "created": would.created,
        }
        if over is not None:
            data["over"] = over
        change.record(MEMORY_PREFIX + wanted, 1, records.PROMOTED, data)
        if not write_promotion(change, candidate, would):
            raise StaleError(layout.MEMORY)
        change.decision_line(f"{wanted}: promoted to MEMORY.md — {candidate.short}")
        return change.commit(
            f"{wanted} is in MEMORY.md", f"Promote {wanted} to MEMORY.md", records.PROMOTED, wanted, candidate.digest
        )


def write_promotion(change: Change, candidate: Promotion, would: promoting.Preview) -> bool:
    """The two files of a promotion: MEMORY.md exactly as previewed, and the candidate's status.

    False when MEMORY.md could not be written so: the candidate then waits as before.
    """
    change.edit(layout.MEMORY, _swap(would))
    if layout.MEMORY not in change.touched:
        return False
    set_keys(change, candidate, {"status": "promoted"})
    return True


def set_keys(change: Change, candidate: Promotion, values: Mapping[str, str]) -> None:
    """Front matter keys of a candidate's file, in one write."""

    change.edit(candidate.path, lambda data: _with_keys(data or b"", values))


def _with_keys(data: bytes, values: Mapping[str, str]) -> bytes:
    for key, value in values.items():
        data = set_front(data, key, value)
    return data


def _writable(candidate: Promotion, values: Mapping[str, str]) -> None:
    """DecisionError when a candidate's front matter cannot hold a decision, which then must not be recorded either."""
    try:
        _with_keys(candidate.data, values)
    except ValueError as error:
        raise DecisionError(Exit.USAGE, f"{candidate.path} line 1: {error}") from error


def _swap(would: promoting.Preview) -> Callable[[bytes | None], bytes]:
    def work(data: bytes | None) -> bytes:
        if (data or b"") != would.before:
            raise ValueError("MEMORY.md changed in the meantime, so it was not written: promote again")
        return would.after

    return work


def discard(gate: Gate, wanted: str, digest: str, note: str = "") -> Done:
    """A no to a candidate."""
    return _close(gate, wanted, digest, note, records.DISCARDED, "discarded")


def send_back(gate: Gate, wanted: str, digest: str, note: str) -> Done:
    """Sent back to the agent with a note."""
    if not one_line(note):
        raise DecisionError(Exit.USAGE, "say what should change: the note is what reaches the agent")
    return _close(gate, wanted, digest, note, records.CHANGES, "changes requested")


def _close(gate: Gate, wanted: str, digest: str, note: str, event: str, status: str) -> Done:
    words = one_line(note)
    with _candidate(gate, wanted, digest) as (change, candidate):
        _writable(candidate, closing(status, words))
        change.record(MEMORY_PREFIX + wanted, 1, event, {"digest": candidate.digest, "note": words})
        set_keys(change, candidate, closing(status, words))
        change.decision_line(f"{wanted}: {status} — {words + ' ' if words else ''}({candidate.short})")
        verb = "Discard" if event == records.DISCARDED else "Request changes to"
        return change.commit(f"{wanted} is {status}", f"{verb} {wanted}", event, wanted, candidate.digest)


def score(gate: Gate, wanted: str, digest: str, scores: Mapping[str, int]) -> Done:
    """The human's scores in place of the agent's; the agent's stay in the file as `agent_scores`."""
    with _candidate(gate, wanted, digest) as (change, candidate):
        _sound(candidate)
        judged = verdict(scores)
        keys = {"agent_scores": flow(agent_scores(candidate)), "scores": flow(scores)}
        _writable(candidate, keys)
        data = {"digest": candidate.digest, "scores": dict(scores), "agent_scores": agent_scores(candidate)}
        change.record(MEMORY_PREFIX + wanted, 1, records.SCORED, data)
        set_keys(change, candidate, keys)
        words = "promote" if judged.promote else "stays out"
        return change.commit(
            f"{wanted} scores {judged.total}: {words}", f"Score {wanted} {judged.total}", records.SCORED, wanted,
            candidate.digest,
        )  # fmt: skip


def agent_scores(candidate: Promotion) -> dict[str, int]:
    """The scores the agent gave, before any human changed them."""
    try:
        kept = frontmatter.load(candidate.data).values.get("agent_scores")
    except frontmatter.FrontMatterError:
        kept = None
    if isinstance(kept, dict) and all(isinstance(kept.get(axis), int) for axis in AXES):
        return {axis: int(kept[axis]) for axis in AXES}
    return dict(candidate.scores)


def closing(status: str, note: str) -> dict[str, str]:
    """The front matter of a candidate that was discarded or sent back."""
    return {"status": status, "note": _quoted(note)} if note else {"status": status}


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar: what YAML cannot hold as it is becomes an escape, half a character U+FFFD."""
    whole = re.sub("[\ud800-\udfff]", "\ufffd", text)
    escaped = whole.replace("\\", "\\\\").replace('"', '\\"')
    unfit = re.compile("[\x85\u2028\u2029\ufeff\ufffe\uffff]")
    return '"' + unfit.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def set_front(data: bytes, key: str, value: str) -> bytes:
    """A file with one top-level front matter key set to a one-line YAML value; all other bytes the same.

    ValueError, with what to do, when the file has no front matter or one that cannot be changed by whole lines.
    """
    spans = split_lines(data)
    inner, _ = frontmatter.split(data)
    if inner is None:
        raise ValueError(f"there is no front matter to write `{key}` into: add one, or delete the file")
    stop = spans[0][2] + len(inner)
    lines = [span for span in spans[1:] if span[0] < stop]
    new = encode(f"{key}: {value}")
    first, last = _place(data, lines, key)
    if first == last:
        made = data[:stop] + new + data[spans[0][1] : spans[0][2]] + data[stop:]
    else:
        made = data[: lines[first][0]] + new + data[lines[last - 1][1] :]
    if _others(made, key) != _others(data, key):
        raise ValueError(f"`{key}` shares its line with other keys: give each its own line, then decide again")
    return made


def _place(data: bytes, lines: Sequence[tuple[int, int, int]], key: str) -> tuple[int, int]:
    """Which lines a key and its value take, first and one past the last; an empty range when it is not there."""
    named = re.compile(rb"([\"']?)%s\1[ \t]*:" % re.escape(encode(key)))
    texts = [data[start:end] for start, end, _ in lines]
    first = next((n for n, text in enumerate(texts) if named.match(text)), len(texts))
    last = first + 1
    # Indented lines and lists run on over blank lines, but what is blank or a comment at the end is not the value's.
    for number in range(last, len(texts)):
        if texts[number][:1] in (b" ", b"\t", b"-"):
            last = number + 1
        elif texts[number].strip():
            break
    return first, min(last, len(texts))


def _others(data: bytes, key: str) -> dict[str, object] | None:
    try:
        return {name: value for name, value in frontmatter.load(data).values.items() if name != key}
    except frontmatter.FrontMatterError:
        return None
