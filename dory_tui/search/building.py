"""The index kept as the files are: what changed is read again, what went leaves nothing, the rest is not opened.

A file changes whole, in one transaction. A rebuild goes to a file of its own and takes its name at the end, so that the
old index answers until then, and also when the rebuild is killed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, tzinfo
from pathlib import Path

from dory_tui.search import files
from dory_tui.search.chunks import CHUNKER, chunks, file_day, keys
from dory_tui.search.files import Listing, Stat
from dory_tui.search.index import Index, Known
from dory_tui.search.lookup import Lookup
from dory_tui.search.places import BUILDING, Place, never
from dory_tui.search.vectors import IDENTITY, Vectors
from dory_tui.values import dataclass, replace
from dory_tui.workspace.document import WorkspaceError, read_bytes, sync_folder

PATIENCE = 1.0
"""Seconds that a question waits for another process to finish writing before it is answered from what there is."""
_BATCH = 100  # files a transaction, when there are many; each of them changes whole all the same
_MANY = 20

Progress = Callable[[int, int], None]
"""Told how many files are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What must be looked at again: files that are new or may have changed, files that went, files without vectors."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]
    bare: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.changed) + len(self.gone) + len(self.bare)


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did. `busy` when another process was writing and `waiting` files are not in the index yet."""

    read: int = 0
    busy: bool = False
    waiting: int = 0
    notices: tuple[str, ...] = ()


def plan(found: Listing, known: dict[str, Known]) -> Plan:
    """What an index lacks, the newest days first."""
    changed = [
        path
        for path, held in found.files.items()
        if (one := known.get(path)) is None or one[:4] != held or not one.settled
    ]
    bare = [path for path, one in known.items() if not one.embedded and path in found.files]
    gone = sorted(known.keys() - found.files.keys())
    left = sorted(set(bare) - set(changed), key=_newest)
    return Plan(tuple(sorted(changed, key=_newest)), tuple(gone), tuple(left))


def _missing(found: Listing, known: dict[str, Known]) -> int:
    """How many files are surely not in the index as they are; one written just before it was read is in it."""
    return sum((one := known.get(path)) is None or one[:4] != held for path, held in found.files.items())


def _possible(todo: Plan, vectors: Vectors) -> Plan:
    """Without files that lack vectors, where none can be made."""
    return replace(todo, bare=()) if todo.bare and not vectors.ready else todo


def _newest(path: str) -> tuple[bool, int, str]:
    """Undated files first, which are MEMORY.md and the state, then the newest day."""
    day = file_day(path)
    return day is not None, -(day or date.min).toordinal(), path


def update(
    place: Place, index: Index, root: Path, vectors: Vectors, zone: tzinfo | None,
    progress: Progress | None = None, patience: float = PATIENCE, stopped: Callable[[], bool] = never,
) -> Updated:  # fmt: skip
    """Bring an index up to the files. What cannot be read is a notice; SearchError where the lock cannot be used."""
    found = files.listing(root)
    todo = _possible(plan(found, index.known()), vectors)
    if not todo.size and not index.owed() and not vectors.new_to(index):
        return Updated(notices=found.left_out)
    with place.writing(patience, stopped) as got:
        if not got:
            return Updated(busy=True, waiting=_missing(found, index.known()), notices=found.left_out)
        return _update(index, root, vectors, zone, progress, found)


def _update(
    index: Index, root: Path, vectors: Vectors, zone: tzinfo | None, progress: Progress | None, found: Listing
) -> Updated:
    """`update` once the lock is held. Another process may have done it all by now."""
    with index.transaction():
        vectors.begin(index)
    known = index.known()
    todo = _possible(plan(found, known), vectors)
    unread: list[str] = []
    done = read = 0
    for batch in _batches(todo):
        with index.transaction():
            for work, path in batch:
                if work == "gone":
                    index.drop(path)
                    vectors.forget(index, path)
                elif work == "bare":
                    _embed(index, path, vectors)
                else:
                    sentence = _read(index, root, path, found.files[path], known.get(path), vectors, zone)
                    unread.extend([sentence] if sentence else [])
                    read += 1
        done += len(batch)
        if progress is not None:
            progress(done, todo.size)
    if vectors.ready and (owed := index.owed()):
        with index.transaction():
            for path in owed:
                vectors.forget(index, path)
    problem = [vectors.problem] if vectors.problem else []
    return Updated(read=read, notices=(*found.left_out, *unread, *problem))


def _batches(todo: Plan) -> Iterator[Sequence[tuple[str, str]]]:
    work = [(kind, path) for kind in ("changed", "bare", "gone") for path in getattr(todo, kind)]
    size = _BATCH if len(work) > _MANY else 1
    for at in range(0, len(work), size):
        yield work[at : at + size]


def _read(
    index: Index, root: Path, path: str, held: Stat, known: Known | None, vectors: Vectors, zone: tzinfo | None
) -> str | None:
    """Read one file again. The sentence when it cannot be read: then it is not in the index either."""
    now = time.time_ns()
    try:
        data = read_bytes(root / path, path)
    except WorkspaceError as error:
        index.drop(path)
        vectors.forget(index, path)
        return f"{error}, so it is not searched"
    if data is None:
        return None
    made = hashlib.sha256(data).digest()
    if known is not None and known.hash == made:
        index.touch(path, held, now)
        if not known.embedded and vectors.ready:
            _embed(index, path, vectors)
        return None
    found = chunks(path, data, zone)
    names = keys(path, found)
    index.put(path, Known(*held, now, made, False), found, names)
    index.set_embedded(path, vectors.keep(index, path, names, found))
    return None


def _embed(index: Index, path: str, vectors: Vectors) -> None:
    """Make the vectors of a file that has none, out of what the index has of it."""
    passages = Lookup(index.connection).of_file(path)
    index.set_embedded(path, vectors.keep(index, path, [one.key for one in passages], passages))


def fresh(place: Place) -> Index:
    """An empty index in the place of one that cannot be read, or of none. The lock must be held."""
    place.tidy()
    index = Index.create(place.folder / BUILDING)
    index.finish()
    return Index.open(_named(place))


def _named(place: Place) -> Path:
    """Give the file that was built its name. Older ones go; who has one open goes on reading it."""
    file = place.following()
    (place.folder / BUILDING).rename(file)
    sync_folder(place.folder)
    place.tidy()
    return file


def is_ours(index: Index, vectors: Vectors) -> bool:
    """Whether this version's chunker and, where there are vectors, its model made the index."""
    if index.meta("chunker") != CHUNKER:
        return False
    return not vectors.asked or vectors.identity() in ("", IDENTITY, None) or not vectors.ready


def rebuild(
    place: Place, root: Path, open_vectors: Callable[[Index], Vectors], zone: tzinfo | None, progress: Progress | None
) -> Updated:
    """Make the index anew beside the old one, which answers until the new one is whole. The lock must be held."""
    place.tidy()
    index = Index.create(place.folder / BUILDING)
    try:
        vectors = open_vectors(index)
        vectors.clear()
        done = _update(index, root, vectors, zone, progress, files.listing(root))
        index.finish()
    finally:
        index.close()
    _named(place)
    return done


def differing(index: Index, root: Path) -> list[str]:
    """The files whose bytes are not those in the index, new and gone ones too; each of them is read."""
    found, known = files.listing(root).files, index.known()
    differ = set(found.keys() ^ known.keys())
    for path in found.keys() & known.keys():
        try:
            data = read_bytes(root / path, path)
        except WorkspaceError:
            continue
        if data is None or hashlib.sha256(data).digest() != known[path].hash:
            differ.add(path)
    return sorted(differ)
