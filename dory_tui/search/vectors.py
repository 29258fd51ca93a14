"""The vectors of passages on their way to a store: made once, taken over where the same text has one already."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dory_tui.search import embedding
from dory_tui.search.chunks import CHUNKER, Chunk
from dory_tui.search.index import Index
from dory_tui.search.lookup import Stored
from dory_tui.search.stores import NumpyStore, Row, Store, StoreError

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.search.stores import Vector

IDENTITY = f"{embedding.NAME}, chunks {CHUNKER}"
"""The model and chunker of this version, as a store keeps it."""


class Vectors:
    """A store, and the model where there is one. What fails is in `problem`; keyword search needs none of it.

    `name` is what the index remembers a store by that is not its own; without `load` no vector is made,
    and a store that is elsewhere is told later what is gone.
    """

    def __init__(self, store: Store, name: str = "", *, load: bool = True) -> None:
        self.store, self.name = store, name
        self.problem: str | None = None
        self.asked = load
        """Whether vectors are asked for at all."""
        self._tried = not load
        self._model: embedding.Model | None = None
        self._identity: str | None = None

    @property
    def model(self) -> embedding.Model | None:
        """The model, loaded when somebody first needs it: numpy takes longer than a question."""
        if not self._tried:
            self._tried = True
            try:
                self._model = embedding.load()
            except embedding.ModelError as error:
                self.problem = str(error)
        return self._model

    def again(self) -> None:
        """For the next question: ask a store again that did not answer before, and what its vectors are made with."""
        self._identity = None
        if self._model is not None:
            self.problem = None

    @property
    def ready(self) -> bool:
        """Whether vectors can be made and the store answers, as far as is known."""
        return self.model is not None and self.problem is None

    def identity(self) -> str | None:
        """What the store's vectors were made with; None when it does not answer. Asked once a question."""
        if self._identity is None:
            try:
                self._identity = self.store.identity()
            except StoreError as error:
                self.problem = str(error)
        return self._identity

    def new_to(self, index: Index) -> bool:
        """Whether the store has to be filled though the index takes it for full: it is another one, or was emptied."""
        return self.asked and (self.identity() == "" or index.meta("store") != self.name) and self.ready

    def begin(self, index: Index) -> None:
        """Say what the vectors are made with, where nobody did; a store that is new to this index gets all of them."""
        if not self.new_to(index):
            return
        if self.identity() == "":
            self._try(lambda: self.store.set_identity(IDENTITY))
            self._identity = None
        if self.problem is None:
            index.set_embedded(None, False)
            index.set_meta("store", self.name)

    def clear(self) -> None:
        self._identity = None
        self._try(self.store.clear)

    def keep(self, index: Index, path: str, keys: Sequence[str], passages: Sequence[Chunk | Stored]) -> bool:
        """Make the store's rows of a file those of these passages. Whether it has them now."""
        made = self._made(index, passages) if self.ready else []
        if not self._try(lambda: self.store.delete_by_path(path)) or not self.ready:
            return False
        rows = [
            Row(key, path, one.line_start, one.line_end, one.day, vector)
            for key, one, vector in zip(keys, passages, made, strict=True)
        ]
        return not rows or self._try(lambda: self.store.upsert(rows))

    def _made(self, index: Index, passages: Sequence[Chunk | Stored]) -> list[Vector]:
        """A vector for each passage, looked up first where the store is this machine's."""
        known: dict[str, Vector] = {}
        if isinstance(self.store, NumpyStore):
            keys = index.keys_of([one.hash for one in passages])
            kept = self.store.vectors(list(keys))
            known = {keys[key]: vector for key, vector in kept.items()}
        fresh = [one for one in passages if one.hash not in known]
        if fresh and self.model is not None:
            known |= zip((one.hash for one in fresh), self.model.embed([one.embedded for one in fresh]), strict=True)
        return [known[one.hash] for one in passages]

    def forget(self, index: Index, path: str) -> None:
        """A file is gone; a store that cannot be told now is told later."""
        if self._try(lambda: self.store.delete_by_path(path)):
            index.paid(path)
        else:
            index.owe(path)

    def _try(self, work: Callable[[], None]) -> bool:
        if not isinstance(self.store, NumpyStore) and (self.problem is not None or not self.asked):
            return False  # it is elsewhere: a search by keyword does without, and one that did not answer is left alone
        try:
            work()
        except StoreError as error:
            self.problem = str(error)
            return False
        return True
