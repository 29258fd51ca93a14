"""The templates that `dory init` copies: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def folder() -> Path:
    """The folder of templates."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


SKILL = "dory"
"""The name of the skill, which is that of its folder."""


def files() -> Iterator[tuple[str, bytes]]:
    """(path relative to a workspace, bytes) of every workspace template, sorted."""
    base = folder()
    for file in sorted((*base.glob("*.md"), *base.glob("state/*.md"))):
        yield file.relative_to(base).as_posix(), file.read_bytes()


def skill() -> Iterator[tuple[str, bytes]]:
    """(path relative to a folder of skills, bytes) of every file of the skill, sorted."""
    base = folder() / "skills"
    for file in sorted((base / SKILL).rglob("*.md")):
        yield file.relative_to(base).as_posix(), file.read_bytes()


def scheduler(name: str) -> str:
    """What a scheduler is given, with `/ABS/PATH` and `/ABS/WORKSPACE` to be put in: `crontab`, `openclaw.sh`."""
    return (folder() / "schedulers" / name).read_text("utf-8")
