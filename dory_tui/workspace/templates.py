"""The templates that `dory init` copies: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def folder() -> Path:
    """The folder of templates."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def files() -> Iterator[tuple[str, bytes]]:
    """(path relative to a workspace, bytes) of every workspace template, sorted."""
    base = folder()
    for file in sorted(base.rglob("*.md")):
        yield file.relative_to(base).as_posix(), file.read_bytes()
