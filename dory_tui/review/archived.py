"""What an archiving finds and makes of every file: noted before anything is written, so that undo can put it back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from dory_tui.gate.survey import Gate
from dory_tui.memory import archive as rules
from dory_tui.memory.links import Moved
from dory_tui.review import session
from dory_tui.review.change import Change
from dory_tui.review.relinking import Turn, moved_bytes
from dory_tui.review.session import read_note, write_note
from dory_tui.workspace.document import read_bytes

NOTE = "archiving.json"
Cut = Callable[[bytes], rules.Parted]
Pair: TypeAlias = "tuple[bytes | None, bytes | None]"
"""A file before and after; None where there is none."""


def would(
    gate: Gate, moves: Mapping[str, str], moved: Moved, links: Mapping[str, Turn], cuts: Mapping[str, Cut]
) -> dict[str, Pair]:
    """Every file that is about to be touched, as it is and as it would be, worked out in the order of the work."""
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes | None] = {}

    def held(path: str) -> bytes | None:
        if path not in before:
            before[path] = read_bytes(gate.root / path, path)
        return after.get(path, before[path])

    for old, new in moves.items():
        held(new)
        after[new] = moved_bytes(gate.root, held(old) or b"", old, new, moved)
    for path, work in links.items():
        after[path] = work(held(path))
    for path, cut in cuts.items():
        if (data := held(path)) is not None and (parted := cut(data)).old:
            for to, texts in by_file(parted).items():
                after[to] = with_blocks(to, texts)(held(to))
            after[path] = parted.rest
    after |= dict.fromkeys(moves)
    return {path: (before[path], data) for path, data in after.items()}


def begin(gate: Gate, files: Mapping[str, Pair], earlier: Mapping[str, Sequence[str | None]]) -> None:
    """Note what is about to be touched, and keep what it holds and would hold: a death may come anywhere from here on.

    What an archiving that was cut short found is what counts.
    """
    session.begin(gate)
    names = {path: (_kept(gate, data), _kept(gate, made)) for path, (data, made) in files.items()}
    write_note(gate.ledger.state / NOTE, {"paths": {**names, **earlier}})


def _kept(gate: Gate, data: bytes | None) -> str | None:
    try:
        return session.keep(gate, data)
    except OSError:
        return ""  # the name of nothing that is kept: undo will say so


def whole(
    change: Change, files: Mapping[str, Pair], earlier: Mapping[str, Sequence[str | None]], copies: Collection[str]
) -> dict[str, Pair]:
    """What became of every file, in this run and in one that was cut short; nothing where that cannot be told."""
    found: dict[str, Pair] = {}
    for path in {**files, **earlier}:
        touched = change.touched.get(path)
        if touched is None:
            continue
        if path not in earlier:
            found[path] = (files[path][0] if touched.own else touched.before, touched.after)
            continue
        first, last = (session.kept(change.gate, name) for name in earlier[path])
        lost = any(
            (data is None) is not (name is None) for name, data in zip(earlier[path], (first, last), strict=True)
        )
        if lost or (not touched.own and touched.before not in (first, last) and touched.after != last):
            return {}
        # One that was not touched again is as it was to become, whatever was written into it since.
        found[path] = (first, touched.after if path in copies or not touched.own else last)
    return found


def by_file(parted: rules.Parted) -> dict[str, list[bytes]]:
    """The old entries by the file of the archive that they go to."""
    blocks: dict[str, list[bytes]] = {}
    for one in parted.old:
        blocks.setdefault(one.to, []).append(one.data)
    return blocks


def with_blocks(path: str, blocks: list[bytes]) -> Callable[[bytes | None], bytes]:
    return lambda data: rules.added(data, rules.title_of(path), blocks)


def noted(gate: Gate) -> dict[str, Sequence[str | None]]:
    """What an archiving which was cut short has touched, or was about to: the names of each file's bytes before and
    after (`session.kept`)."""
    found = read_note(gate.ledger.state / NOTE)
    paths = found.get("paths") if isinstance(found, dict) else None
    return dict(paths) if isinstance(paths, dict) else {}


def settled(gate: Gate) -> None:
    """The commit is made."""
    with suppress(OSError):
        (gate.ledger.state / NOTE).unlink(missing_ok=True)
