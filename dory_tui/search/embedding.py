"""The static model that ships with the program: a text's vector is the mean of its pieces' rows, of length one.

`model/PROVENANCE.md` says where it comes from. Nothing is downloaded, ever. Without numpy, or where the files are not
as they were shipped, ModelError says so and search goes on by keyword.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from dory_tui.search.wordpiece import WordPiece

TYPE_CHECKING = False  # numpy costs several starts of Python, and a keyword search does without
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "model"
NAME = "all-MiniLM-L6-v2 static int8"
DIMENSIONS = 256
PIECES = 29_525


class ModelError(Exception):
    """There are no vectors here; the sentence says why and what to do."""


class Model:
    """The vocabulary and its rows, each of int8 with a scale of its own."""

    def __init__(self, pieces: WordPiece, rows: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        self._pieces, self._rows, self._scales = pieces, rows, scales

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text, shape (texts, 256); all zeros for a text of which no piece is known.

        Unknown pieces are left out, so that two texts of which nothing is known are not alike.
        """
        import numpy as np

        made = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for at, text in enumerate(texts):
            pieces = np.array(self._pieces.ids(text), dtype=np.intp)
            known = pieces[pieces != self._pieces.unknown]
            if len(known):
                made[at] = self._scales.take(known) @ self._rows.take(known, axis=0).astype(np.float32)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        np.divide(made, lengths, out=made, where=lengths > 0)
        return made


@lru_cache(maxsize=1)
def load(folder: Path = FOLDER) -> Model:
    """The model. ModelError without numpy, or when a file is missing or not what it was."""
    try:
        import numpy as np
    except ImportError as error:
        raise ModelError("numpy is not installed, so search is by keyword: pip install 'dory-tui[search]'") from error
    if not hasattr(np, "vecdot"):  # which numpy has from 2.0 on
        raise ModelError(
            f"numpy {np.__version__} is older than 2, so search is by keyword: pip install 'dory-tui[search]'"
        )
    try:
        vocabulary = (folder / "vocabulary.txt").read_bytes().decode("utf-8").split("\n")
        # Mapped, not read: a question touches a dozen rows of the seven megabytes.
        rows = np.asarray(np.load(folder / "rows.npy", mmap_mode="r", allow_pickle=False))
        scales = np.load(folder / "scales.npy", allow_pickle=False)
        pieces = WordPiece(vocabulary)
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise ModelError(
            f"the search model cannot be read ({error}), so search is by keyword: install dory again"
        ) from error
    shapes = (len(vocabulary), rows.shape, scales.shape, rows.dtype.str, scales.dtype.str)
    if shapes != (PIECES, (PIECES, DIMENSIONS), (PIECES,), "|i1", "<f4"):
        raise ModelError(
            "the search model is not the one that was shipped, so search is by keyword: install dory again"
        )
    return Model(pieces, rows, scales)


def alike(texts: Sequence[str], known: Sequence[str]) -> list[list[float]]:
    """For each text the cosine with each known one, -1 to 1. ModelError where there are no vectors."""
    made: list[list[float]] = (load().embed(texts) @ _embedded(tuple(known)).T).tolist()
    return made


@lru_cache(maxsize=2)
def _embedded(known: tuple[str, ...]) -> NDArray[np.float32]:
    """The vectors of texts that others are compared with again and again, as those of one MEMORY.md are."""
    return load().embed(known)
