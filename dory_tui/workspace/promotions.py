"""Promotions: the candidates for MEMORY.md in `memory/promotions/`, one file each (memory.md, "A candidate")."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from dory_tui.values import dataclass, field
from dory_tui.workspace import frontmatter
from dory_tui.workspace.document import Problem, WorkspaceError, read_bytes
from dory_tui.workspace.drafts import normal_status, slug, valid_id
from dory_tui.workspace.layout import PROMOTIONS, inside
from dory_tui.workspace.shapes import strip_marks

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any

AXES = ("longevity", "reuse", "impact", "uniqueness")
_KEYS = (
    "id",
    "section",
    "source",
    "scores",
    "replaces",
    "status",
    "created",
    "agent_scores",
    "note",
)


@dataclass(frozen=True, slots=True)
class Promotion:
    """One candidate. With a `problem` it is shown with the file and line, and cannot be promoted."""

    id: str
    path: str
    data: bytes
    section: str = ""
    source: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    replaces: str | None = None
    status: str = "pending"
    text: bytes = b""
    """The Markdown to add, without blank lines around it."""
    problem: Problem | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the whole file, hex."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def short(self) -> str:
        return self.digest[:12]

    @property
    def title(self) -> str:
        """The first line to add, without its bullet."""
        lines = (strip_marks(line) for line in re.split("[\r\n]+", self.text.decode("utf-8", "replace")))
        return next((line for line in lines if line), self.id)


def read_promotions(root: Path) -> list[Promotion]:
    """Every candidate, by file name. A broken one is there with its problem."""
    folder = root / PROMOTIONS
    try:
        names = sorted(file.name for file in folder.iterdir() if file.suffix == ".md")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WorkspaceError(f"{PROMOTIONS} cannot be listed ({error.strerror})") from error
    found: list[Promotion] = []
    for name in names:
        path = f"{PROMOTIONS}/{name}"
        try:
            data = read_bytes(inside(root, path), path)
        except WorkspaceError as error:
            found.append(Promotion(slug(Path(name).stem), path, b"", problem=Problem(path, 1, str(error))))
            continue
        if data is not None and not name.startswith("."):
            found.append(parse_promotion(path, data))
    return _without_twins(found)


def parse_promotion(path: str, data: bytes) -> Promotion:
    """A candidate out of a file's bytes."""
    stem = Path(path).stem.casefold()
    fallback = stem if valid_id(stem) else slug(stem)
    _, body = frontmatter.split(data)
    text = body.strip(b"\r\n")
    try:
        front = frontmatter.load(data)
        return _checked(path, data, text, front, fallback)
    except frontmatter.FrontMatterError as error:
        problem = Problem(path, error.line, str(error))
        return Promotion(fallback, path, data, text=text, problem=problem)


def _checked(path: str, data: bytes, text: bytes, front: frontmatter.FrontMatter, fallback: str) -> Promotion:
    values = front.values
    for key in values:
        if key not in _KEYS:
            raise frontmatter.FrontMatterError(front.line(key), f"`{key}` is not a key of a promotion")
    given = values.get("id")
    identity = fallback if given is None else str(given).casefold()
    if not valid_id(identity):
        raise frontmatter.FrontMatterError(front.line("id"), f"the id {identity!r} cannot be used")
    section = values.get("section")
    if not isinstance(section, str) or not section.lstrip("# ").strip() or "\n" in section:
        raise frontmatter.FrontMatterError(
            front.line("section"), 'say where in MEMORY.md it goes, such as section: "## People"'
        )
    replaces = values.get("replaces")
    if replaces is not None and (not isinstance(replaces, str) or "\n" in replaces or not replaces.strip()):
        raise frontmatter.FrontMatterError(front.line("replaces"), "`replaces` is null or one exact line of MEMORY.md")
    if not text.strip():
        raise frontmatter.FrontMatterError(1, "there is nothing to add below the front matter")
    return Promotion(
        identity, path, data, section.strip(), str(values.get("source") or ""), _scores(front),
        replaces, normal_status(str(values.get("status") or "pending")), text,
    )  # fmt: skip


def _scores(front: frontmatter.FrontMatter) -> dict[str, int]:
    given: Any = front.values.get("scores")
    if not isinstance(given, dict):
        raise frontmatter.FrontMatterError(front.line("scores"), f"give four scores of 0 to 3: {', '.join(AXES)}")
    for key in given:
        if key not in AXES:
            raise frontmatter.FrontMatterError(
                front.line("scores", key), f"`{key}` is not an axis; they are {', '.join(AXES)}"
            )
    for axis in AXES:
        value = given.get(axis)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3:
            raise frontmatter.FrontMatterError(front.line("scores", axis), f"the score of {axis} must be 0, 1, 2 or 3")
    return {axis: int(given[axis]) for axis in AXES}


def _without_twins(found: list[Promotion]) -> list[Promotion]:
    seen: dict[str, str] = {}
    kept: list[Promotion] = []
    for candidate in found:
        if candidate.id in seen and candidate.problem is None:
            sentence = f"the id {candidate.id} is also used by {seen[candidate.id]}"
            candidate = Promotion(  # noqa: PLW2901
                candidate.id, candidate.path, candidate.data, text=candidate.text,
                problem=Problem(candidate.path, 1, sentence),
            )  # fmt: skip
        seen.setdefault(candidate.id, candidate.path)
        kept.append(candidate)
    return kept
