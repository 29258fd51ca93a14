"""How full MEMORY.md is. Pure."""

from __future__ import annotations


def kilobytes(size: int) -> str:
    """`7.9`, in units of 1,024 bytes."""
    return f"{size / 1024:.1f}"


def meter(size: int, cap: int) -> str:
    """`7.9 of 10.0 KB`."""
    return f"{kilobytes(size)} of {kilobytes(cap)} KB"
