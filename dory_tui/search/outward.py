"""Vectors kept by a program outside of this one: what every such store shares, and its errors as StoreError."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite

from dory_tui.search.stores import Hit, Row, StoreError
from dory_tui.visible import cut, visible_line

IDENTITY = "~identity"
"""The id of the row that says what the vectors are made with. It is never found and not counted."""
NO_DAY = -1
"""The day of a row without one: before every other."""
QUICK = 5.0
"""Seconds that a question may take: a person waits for it."""
LONG = 60.0
"""Seconds that making a collection, or writing to it, may take."""
_SAID = 160


@contextmanager
def asking(name: str) -> Iterator[None]:
    """Whatever a store's client raises becomes StoreError: it may be its own, grpc's, or that of a decoder."""
    try:
        yield
    except StoreError:
        raise
    except ImportError as error:
        raise StoreError(f"{name} cannot be asked: {error.name or error} is not installed") from error
    except Exception as error:
        said = cut(visible_line(str(error).partition("\n")[0]), _SAID) or type(error).__name__
        raise StoreError(f"{name} does not answer: {said}") from error


def day_number(row: Row) -> int:
    """A day as stores keep it: its number, counted from the first of January of the year 1."""
    return NO_DAY if row.day is None else row.day.toordinal()


def ranked(found: Iterator[tuple[str, float]], k: int) -> list[Hit]:
    """What a server answered, in the order that a store promises. What is no number is left out."""
    hits = [Hit(id, float(score)) for id, score in found if isfinite(score)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]


def batches(rows: Sequence[Row], size: int) -> Iterator[list[Row]]:
    """Rows in parts that fit into one request; of those with the same id the last."""
    last = list({row.id: row for row in rows}.values())
    for start in range(0, len(last), size):
        yield last[start : start + size]
