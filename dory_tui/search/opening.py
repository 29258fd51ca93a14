"""The index of a workspace, opened and kept open: made where there is none, made anew where it cannot be read."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import tzinfo
from pathlib import Path
from typing import TypeVar

from dory_tui.search import building, places
from dory_tui.search.building import Progress, Updated
from dory_tui.search.damage import VALUES, DamagedError, broken
from dory_tui.search.index import Index
from dory_tui.search.places import SearchError
from dory_tui.search.stores import NumpyStore, Store, StoreError
from dory_tui.search.vectors import Vectors
from dory_tui.values import dataclass

PATIENT = 60.0
"""Seconds that who asked for an index waits for another process to finish one."""
_MEANWHILE = 0.2  # seconds between two looks at whether somebody else has made it
_TRIES = 5
_UNWRITABLE = "neither the workspace nor the cache can be written"
_NOWHERE = f"{_UNWRITABLE}, so no index can be kept: let one of them be written"

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Remote:
    """A store of vectors that is not in the index, and the name under which the index remembers that it has them."""

    store: Store
    name: str


@dataclass(frozen=True, slots=True)
class Report:
    """What an index has, what was read just now, and what is wrong with it: nothing when it is as the files are."""

    files: int
    passages: int
    vectors: int
    read: int
    findings: tuple[str, ...]
    notices: tuple[str, ...]


class OpenIndex:
    """One workspace's index for as long as it is asked. Of one thread; SearchError when there can be none.

    `stopped` is asked while it waits for another process, and in the middle of reading many files: nobody wants to
    know any more.
    """

    def __init__(
        self, root: Path, environment: Mapping[str, str], zone: tzinfo | None = None, remote: Remote | None = None,
        stopped: Callable[[], bool] = places.never,
    ) -> None:  # fmt: skip
        self.root, self._zone, self._remote, self._stopped = root, zone, remote, stopped
        self._place = places.place(root, environment)
        self._index: Index | None = None
        self._vectors: dict[bool, Vectors] = {}
        once = f"{_UNWRITABLE}, so the index is made for this once"
        self.notices: list[str] = [once] if self._place.temporary else []
        """What happened to the index since `take_notices`."""

    def take_notices(self) -> tuple[str, ...]:
        taken, self.notices = tuple(dict.fromkeys(self.notices)), []
        return taken

    def close(self) -> None:
        self._drop()
        if self._remote is not None:
            self._remote.store.close()
        self._place.close()

    def _drop(self) -> None:
        if self._index is not None:
            self._index.close()
        self._index, self._vectors = None, {}

    def index(self) -> Index:
        """The index that counts now: another process may have made a newer one."""
        for _ in range(_TRIES):
            current = self._place.current()
            if self._index is not None and self._index.file == current:
                return self._index
            self._drop()
            try:
                self._index = self._opened(current)
            except FileNotFoundError:
                continue  # a newer one took its place between two looks
            except (OSError, sqlite3.Error) as error:
                raise SearchError(f"the index in {self._place.folder} cannot be opened ({error})") from error
            if self._index is not None:
                return self._index
        raise SearchError(f"the index in {self._place.folder} keeps changing: try again")

    def _opened(self, current: Path | None) -> Index | None:
        if current is None:
            return self._fresh("")
        try:
            return Index.open(current)
        except DamagedError as error:
            return self._fresh(f"the index could not be read ({error}), so it was made anew")

    def _fresh(self, notice: str) -> Index | None:
        """An empty index; None when another process made one meanwhile."""
        try:
            self._place.make()
            before = self._place.current()
            until = time.monotonic() + PATIENT
            while True:
                with self._writing(_MEANWHILE) as got:
                    if self._place.current() != before:
                        return None
                    if got:
                        self.notices.extend([notice] if notice else [])
                        index = building.fresh(self._place)
                        self._open_vectors(index, load=False)
                        return index
                if self._stopped() or time.monotonic() >= until:
                    raise self._busy()
        except (OSError, sqlite3.Error, StoreError, DamagedError) as error:
            raise SearchError(f"the index in {self._place.folder} cannot be made ({error})") from error

    def _writing(self, patience: float) -> AbstractContextManager[bool]:
        return self._place.writing(patience, self._stopped)

    def _busy(self) -> SearchError:
        return SearchError(f"process {self._place.writer()} is writing the index: try again in a minute")

    def guarded(self, work: Callable[[Index], Made], refill: Callable[[], None] | None = None) -> Made:
        """Do something with the index; when it turns out to be damaged, once more with one made anew.

        The new one is empty: `refill` is called before it is asked.
        """
        try:
            return work(self.index())
        except (sqlite3.Error, StoreError, DamagedError, *VALUES) as error:
            if not broken(error):
                raise SearchError(f"the index cannot be read ({error})") from error
            self._drop()
            self._index = self._fresh(f"the index was damaged ({error}), so it was made anew")
        if refill is not None:
            refill()
        try:
            return work(self.index())
        except (sqlite3.Error, StoreError, DamagedError, *VALUES) as error:
            raise SearchError(f"the index cannot be read ({error})") from error

    def vectors(self, load: bool) -> Vectors:
        """The vectors of the index that is open. `load` is False where nobody asks for the model."""
        if load not in self._vectors:
            self._vectors[load] = self._open_vectors(self.index(), load)
        return self._vectors[load]

    def _open_vectors(self, index: Index, load: bool) -> Vectors:
        if self._remote is not None:
            return Vectors(self._remote.store, self._remote.name, load=load)
        return Vectors(NumpyStore(index.connection), load=load)

    def is_ours(self, index: Index, *, load: bool = True) -> bool:
        """Whether this version made the index, with vectors where somebody asks for the model (`load`)."""
        return building.is_ours(index, self.vectors(load))

    def update(self, load: bool, progress: Progress | None = None, patience: float = building.PATIENCE) -> Updated:
        """Bring the index up to the files. What hinders is a notice: there is an answer from what it has."""

        def work(index: Index) -> Updated:
            vectors = self.vectors(load)
            vectors.again()
            if load and not self.is_ours(index):
                vectors = self.vectors(load=False)  # its words stay as new as the files until it is made anew
            return self._update(index, vectors, progress, patience)

        try:
            return self.guarded(work)
        except SearchError as error:
            return Updated(notices=(f"{error}: the answer is from what it had",))

    def rebuild(self, progress: Progress | None = None, *, wanted: bool = True) -> Updated:
        """Make the index anew beside the old one. Unless it is `wanted`, only where it is not this version's."""
        self.guarded(lambda _: self.vectors(load=True).again())  # makes one where there is none, with the lock too
        with self._writing(PATIENT) as got:
            if not got:
                raise self._busy()
            try:
                if not wanted and self.is_ours(self.index()):
                    return Updated()
                return building.rebuild(
                    self._place, self.root, lambda index: self._open_vectors(index, load=True), self._zone,
                    self._unless_stopped(progress),
                )  # fmt: skip
            except (OSError, sqlite3.Error, StoreError, *VALUES) as error:
                raise SearchError(f"the index cannot be made anew ({error}): the old one goes on answering") from error

    def _update(self, index: Index, vectors: Vectors, progress: Progress | None, patience: float) -> Updated:
        told = self._unless_stopped(progress)
        return building.update(self._place, index, self.root, vectors, self._zone, told, patience, self._stopped)

    def _unless_stopped(self, progress: Progress | None) -> Progress:
        def told(done: int, of: int) -> None:
            if self._stopped():
                raise SearchError("it was stopped")
            if progress is not None:
                progress(done, of)

        return told

    def build(self, progress: Progress | None, *, anew: bool) -> Report:
        """Bring the index up to the files, or make it anew; also where another version made it."""
        if self._place.temporary:
            return _nothing(_NOWHERE)
        if anew or not self.guarded(self.is_ours):
            done = self.rebuild(progress)
        else:
            done = self.guarded(lambda index: self._update(index, self.vectors(load=True), progress, PATIENT))
        if done.busy:
            raise self._busy()
        return self.guarded(lambda index: self._report(index, self.vectors(load=True), done, []))

    def check(self) -> Report:
        """Compare the index with every byte of every file. Nothing is changed."""
        current = self._place.current()
        if current is None:
            return _nothing(_NOWHERE if self._place.temporary else "there is no index yet: `dory index` makes one")
        try:
            self._drop()
            self._index = Index.open(current)
            return self._looked_at(self._index)
        except (OSError, sqlite3.Error, StoreError, DamagedError, *VALUES) as error:
            if broken(error):
                return _nothing(f"the index cannot be read ({error}): `dory index` makes it anew")
            return _nothing(f"the index could not be looked at ({error}): try again")

    def _looked_at(self, index: Index) -> Report:
        found = [f"the index is damaged ({fault}): `dory index --rebuild` makes it anew" for fault in index.faults()]
        vectors = self._vectors[True] = self._open_vectors(index, load=True)
        if not building.is_ours(index, vectors):
            found.append("another version of dory made the index: `dory index` makes it anew")
        found += [f"{path} is not in the index as it is" for path in building.differing(index, self.root)]
        bare = sum(1 for one in index.known().values() if not one.embedded)
        if bare and vectors.ready:
            found.append(f"{bare:,} files have no vectors yet: `dory index` makes them")
        return self._report(index, vectors, Updated(notices=(vectors.problem,) if vectors.problem else ()), found)

    def _report(self, index: Index, vectors: Vectors, done: Updated, findings: list[str]) -> Report:
        files, passages = index.count()
        try:
            count = vectors.store.count()
        except StoreError as error:
            count = 0
            findings = [*findings, str(error)]
        if count != passages and not findings and vectors.ready:
            findings = [f"{count:,} of {passages:,} passages have vectors: `dory index --rebuild` makes them anew"]
        notices = dict.fromkeys((*self.take_notices(), *done.notices))
        return Report(files, passages, count, done.read, tuple(findings), tuple(notices))


def _nothing(finding: str) -> Report:
    return Report(0, 0, 0, 0, (finding,), ())
