"""Numbers in sentences."""

from __future__ import annotations


def some(count: int, one: str, many: str) -> str:
    """`1 log`, `1,200 logs`; both words are given, since `draft ends` and `drafts end` are asked for too."""
    return f"1 {one}" if count == 1 else f"{count:,} {many}"
