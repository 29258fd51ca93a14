"""Files that an action carries: hashed when they are approved, handed over as copies of the approved bytes.

The child finds the copies' paths in `DORY_ATTACHMENTS`, one a line, in the order in which the draft names the files;
an argument that is such a file's path in the draft is the path of its copy instead. The copies lie in a private folder
and are gone when the child has ended.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from dory_tui.gate.action import Action, ActionError
from dory_tui.values import dataclass
from dory_tui.workspace.document import WorkspaceError, read_bytes
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.layout import inside

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

CAP = 100 * 1024 * 1024
"""Bytes of the largest file that an action may carry."""
VARIABLE = "DORY_ATTACHMENTS"


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file as it was read. `path` is as the draft writes it; `sha256` is hex."""

    path: str
    data: bytes
    sha256: str

    @property
    def kept(self) -> dict[str, object]:
        """What an approval keeps of it."""
        return {"path": self.path, "sha256": self.sha256, "size": len(self.data), "type": media_type(self.path)}


def read(root: Path, action: Action) -> tuple[Attachment, ...]:
    """The files that an action carries, in order. WorkspaceError when one is missing, outside, too large or no file."""
    return tuple(_one(root, path) for path in action.attach)


def of_draft(root: Path, draft: Draft, action: Action) -> tuple[Attachment, ...]:
    """As `read`, for a draft that is looked at: ActionError names the line of the file that cannot be attached."""
    found = []
    for number, path in enumerate(action.attach):
        try:
            found.append(_one(root, path))
        except WorkspaceError as error:
            raise ActionError(draft.front.line("action", "attach", number), str(error)) from error
    return tuple(found)


def _one(root: Path, path: str) -> Attachment:
    file = inside(root, path)
    try:
        size = file.stat().st_size
    except OSError:
        size = 0  # read_bytes says what is wrong with it
    if size > CAP:
        raise WorkspaceError(f"{path} is larger than the {CAP // 1024 // 1024} MiB that an attachment may have")
    data = read_bytes(file, path)
    if data is None:
        raise WorkspaceError(f"{path}, which is to be attached, does not exist")
    return Attachment(path, data, hashlib.sha256(data).hexdigest())


def media_type(path: str) -> str:
    """What a file's name says it is, such as `image/png`: a word for the reader, which decides nothing."""
    import mimetypes

    return mimetypes.guess_type(path, strict=True)[0] or "of no known type"


def changed(root: Path, action: Action, approved: Sequence[Mapping[str, Any]]) -> str | None:
    """The sentence for the first file that is not what was approved any more; None when all are."""
    kept = [(str(one["path"]), str(one["sha256"])) for one in approved]
    for found, (path, digest) in zip(read(root, action), kept, strict=False):
        if (found.path, found.sha256) != (path, digest):
            return f"the attachment {path} changed after the yes: it needs a fresh one"
    if len(kept) != len(action.attach):
        return "its attachments are not what was approved: it needs a fresh yes"
    return None


def lay_out(folder: Path, attached: Sequence[tuple[str, bytes]]) -> list[str]:
    """Write private copies of (path, bytes) into a new folder; their paths in order. OSError when that fails."""
    folder.mkdir(mode=0o700)
    made = []
    for number, (path, data) in enumerate(attached, 1):
        copy = folder / str(number) / Path(path).name  # two files may have one name
        copy.parent.mkdir(mode=0o700)
        with open(copy, "xb", opener=_private) as handle:
            handle.write(data)
        made.append(str(copy))
    return made


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def arguments(action: Action, copies: Sequence[str]) -> list[str]:
    """The argument list with each attached file's path replaced by that of its copy."""
    at = dict(zip(action.attach, copies, strict=True))
    return [at.get(item, item) for item in action.argv]
