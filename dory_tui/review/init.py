"""`dory init`: add what a workspace lacks, overwrite nothing; may be repeated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dory_tui.gate.survey import Gate
from dory_tui.workspace import layout, templates
from dory_tui.workspace.document import WorkspaceError, replace

FOLDERS = (layout.DRAFTS, layout.PROMOTIONS, layout.ARCHIVE)


@dataclass(frozen=True, slots=True)
class Added:
    """What was added, what was there already, and what could not be added, with the reason."""

    added: tuple[str, ...]
    kept: tuple[str, ...]
    failed: tuple[str, ...]


def init(gate: Gate) -> Added:
    """Add the templates, the folders and the id that are missing."""
    added: list[str] = []
    kept: list[str] = []
    failed: list[str] = []
    for path in FOLDERS:
        folder = gate.root / path
        if folder.is_dir():
            kept.append(path + "/")
            continue
        try:
            folder.mkdir(parents=True)
            added.append(path + "/")
        except OSError as error:
            failed.append(f"{path} cannot be made ({error.strerror})")
    for path, data in templates.files():
        _file(gate.root, path, data, added, kept, failed)
    if not (gate.root / layout.IDENTITY).exists():
        gate.settle()
        added.append(layout.IDENTITY)
    else:
        kept.append(layout.IDENTITY)
    return Added(tuple(added), tuple(kept), tuple(failed))


def _file(root: Path, path: str, data: bytes, added: list[str], kept: list[str], failed: list[str]) -> None:
    file = root / path
    if file.exists() or file.is_symlink():
        if file.is_file():
            kept.append(path)
        else:
            failed.append(f"{path} is not a file: move it away")
        return
    try:
        replace(root, path, None, data)
        added.append(path)
    except WorkspaceError as error:
        failed.append(str(error))
