"""The index of a workspace, opened and kept open: made where there is none, made anew where it cannot be read."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import TypeVar

from dory_tui.search import building, places
from dory_tui.search.building import Progress, Updated
from dory_tui.search.index import DamagedError, Index, broken
from dory_tui.search.stores import NumpyStore, Store, StoreError
from dory_tui.search.vectors import Vectors
from dory_tui.values import dataclass
from dory_tui.workspace.document import WorkspaceError

PATIENT = 60.0
"""Seconds that who asked for an index waits for another process to finish one."""
_MEANWHILE = 0.2  # seconds between two looks at whether somebody else has made it
_TRIES = 5

Made = TypeVar("Made")


class SearchError(WorkspaceError):
    """There can be no answer, not even by keyword; the sentence says why and what to do."""


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
    """One workspace's index for as long as it is asked. Of one thread; SearchError when there can be none."""

    def __init__(
        self, root: Path, environment: Mapping[str, str], zone: tzinfo | None = None, remote: Remote | None = None
    ) -> None:
        self.root, self._zone, self._remote = root, zone, remote
        self._place = places.place(root, environment)
        self._index: Index | None = None
        self._vectors: dict[bool, Vectors] = {}
        self.notices: list[str] = []
        """What happened to the index since `take_notices`."""
        if self._place.temporary:
            self.notices.append(
                "neither the workspace nor the cache can be written, so the index is made for this once"
            )

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
        before = self._place.current()
        until = time.monotonic() + PATIENT
        while True:
            with self._place.writing(_MEANWHILE) as got:
                if self._place.current() != before:
                    return None
                if got:
                    self.notices.extend([notice] if notice else [])
                    index = building.fresh(self._place)
                    self._open_vectors(index, load=False)
                    return index
            if time.monotonic() >= until:
                raise SearchError(f"process {self._place.writer()} is writing the index: try again in a minute")

    def anew(self, error: sqlite3.Error) -> None:
        """The index turned out to be damaged when it was asked."""
        self._drop()
        self._index = self._fresh(f"the index was damaged ({error}), so it was made anew")

    def guarded(self, work: Callable[[Index], Made]) -> Made:
        """Do something with the index; when it turns out to be damaged, once more with one made anew."""
        try:
            return work(self.index())
        except sqlite3.Error as error:
            if not broken(error):
                raise SearchError(f"the index cannot be read ({error})") from error
            self.anew(error)
        try:
            return work(self.index())
        except sqlite3.Error as error:
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

    def is_ours(self, vectors: Vectors) -> bool:
        return building.is_ours(self.index(), vectors)

    def update(self, load: bool, progress: Progress | None = None, patience: float = building.PATIENCE) -> Updated:
        """Bring the index up to the files. What hinders is a notice: there is an answer from what it has."""

        def work(index: Index) -> Updated:
            vectors = self.vectors(load)
            if load and not building.is_ours(index, vectors):
                vectors = self.vectors(load=False)  # its words stay as new as the files until it is made anew
            return building.update(self._place, index, self.root, vectors, self._zone, progress, patience)

        try:
            return self.guarded(work)
        except SearchError as error:
            return Updated(notices=(f"{error}: the answer is from what it had",))

    def rebuild(self, progress: Progress | None = None, *, wanted: bool = True) -> Updated:
        """Make the index anew beside the old one. Unless it is `wanted`, only where it is not this version's."""
        self.index()  # makes one where there is none, which takes the lock too
        with self._place.writing(PATIENT) as got:
            if not got:
                raise SearchError(f"process {self._place.writer()} is writing the index: try again in a minute")
            self.vectors(load=True).again()
            if not wanted and self.is_ours(self.vectors(load=True)):
                return Updated()
            try:
                return building.rebuild(
                    self._place, self.root, lambda index: self._open_vectors(index, load=True), self._zone, progress
                )
            except (OSError, sqlite3.Error) as error:
                raise SearchError(f"the index cannot be made anew ({error}): the old one goes on answering") from error

    def build(self, progress: Progress | None, *, anew: bool) -> Report:
        """Bring the index up to the files, or make it anew; also where another version made it."""
        if anew or not self.is_ours(self.vectors(load=True)):
            done = self.rebuild(progress)
        else:
            done = self.guarded(
                lambda index: building.update(
                    self._place, index, self.root, self.vectors(load=True), self._zone, progress, PATIENT
                )
            )
        if done.busy:
            raise SearchError(f"process {self._place.writer()} is writing the index: try again in a minute")
        return self._report(done, [])

    def check(self) -> Report:
        """Compare the index with every byte of every file. Nothing is changed."""
        current = self._place.current()
        if current is None:
            return Report(0, 0, 0, 0, ("there is no index yet: `dory index` makes one",), self.take_notices())
        try:
            self._index = Index.open(current)
        except (DamagedError, OSError) as error:
            unread = f"the index cannot be read ({error}): `dory index` makes it anew"
            return Report(0, 0, 0, 0, (unread,), self.take_notices())
        index = self._index
        found = [f"the index is damaged ({fault}): `dory index --rebuild` makes it anew" for fault in index.faults()]
        vectors = self.vectors(load=True)
        if not self.is_ours(vectors):
            found.append("another version of dory made the index: `dory index` makes it anew")
        found += [f"{path} is not in the index as it is" for path in building.differing(index, self.root)]
        bare = sum(1 for one in index.known().values() if not one.embedded)
        if bare and vectors.ready:
            found.append(f"{bare:,} files have no vectors yet: `dory index` makes them")
        return self._report(Updated(notices=(vectors.problem,) if vectors.problem else ()), found)

    def _report(self, done: Updated, findings: list[str]) -> Report:
        files, passages = self.index().count()
        vectors = self.vectors(load=True)
        try:
            count = vectors.store.count()
        except StoreError as error:
            count = 0
            findings = [*findings, str(error)]
        if count != passages and not findings and vectors.ready:
            findings = [f"{count:,} of {passages:,} passages have vectors: `dory index --rebuild` makes them anew"]
        notices = dict.fromkeys((*self.take_notices(), *done.notices))
        return Report(files, passages, count, done.read, tuple(findings), tuple(notices))
