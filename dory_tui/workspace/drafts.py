"""Drafts: the entries of STAGING.md, the files they point to, and the files that nobody lists."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from dory_tui.values import dataclass, replace
from dory_tui.workspace import frontmatter, shapes
from dory_tui.workspace.document import (
    Document,
    Line,
    Problem,
    WorkspaceError,
    decode,
    parse,
    read,
    read_bytes,
)
from dory_tui.workspace.layout import DRAFTS, STAGING, inside

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from typing import Any, Literal

    Origin = Literal["file", "inline", "unlisted"]

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_STATUSES = {
    "draft": "draft", "pending": "pending", "pending review": "pending", "pending approval": "pending",
    "awaiting approval": "pending", "waiting": "pending", "approved": "approved", "rejected": "rejected",
    "denied": "rejected", "changes requested": "changes requested",
}  # fmt: skip
_FRONT_STATUS = re.compile(rb"(?m)^(?:status|state):[ \t]*([^\r\n#]{1,60})")
_DISPLAY = frozenset({"created", "status", "location", "note"})  # of the canonical form and of a request for changes


@dataclass(frozen=True, slots=True)
class Entry:
    """One `###` entry of STAGING.md."""

    name: str
    labels: dict[str, tuple[str, Line]]
    heading: Line
    body: tuple[Line, ...]
    """The lines below the label block, blank ones at both ends left out."""
    content: tuple[Line, ...]
    """Lines of the label block that say something about the thing itself, such as `**To:** ana@example.org`."""
    stop: int
    """Byte just after the entry's last line with something on it."""
    label_stop: int
    """Byte just after the label block (or the heading): where a new label goes."""

    def value(self, name: str) -> str | None:
        """A label's raw value."""
        return self.labels[name][0] if name in self.labels else None


@dataclass(frozen=True, slots=True)
class Shaped:
    """A draft that stands in STAGING.md as a heading block, a list item, a table row: where, and what it says."""

    line: int
    span: tuple[int, int]
    over: bool
    status: str
    conflict: str


@dataclass(frozen=True)
class Draft:
    """One thing that awaits, or got, a human's word.

    `data` is what is hashed, shown and approved: the whole bytes of the file, or an inline draft's heading and body.
    `problem` is set when it cannot be approved or run as it is; everything else about it may then be empty.
    """

    id: str
    title: str
    origin: Origin
    path: str | None
    data: bytes
    entry: Entry | None
    problem: Problem | None = None
    shaped: Shaped | None = None
    """How the file writes it, where that is not the canonical form."""

    @property
    def over(self) -> bool:
        """Whether its words say that it is past: published, rejected, struck through, below "Done".

        In STAGING.md; or in the front matter of a file whose entry there states nothing.
        """
        if self.shaped is not None and self.shaped.over:
            return True
        return self.stated in ("resolved", "superseded", "rejected")

    @cached_property
    def stated(self) -> str:
        """The condition that the `status` of its front matter states, where STAGING.md states none."""
        told = self.entry is not None and self.entry.value("status")
        found = None if told or self.origin == "inline" else _FRONT_STATUS.search(self.data[:4096])
        if found is None or self.data[:3] != b"---":
            return ""
        from dory_tui.workspace import words

        return words.condition(decode(found[1]).strip(" \t\r\"'"))

    @property
    def folder_conflict(self) -> str | None:
        """The sentence for a folder that says another state than the file: `Rejected/x.md` that awaits a yes."""
        from dory_tui.workspace import words

        folder = self.path.rpartition("/")[0].rpartition("/")[2] if self.path else ""
        if words.condition(folder) not in ("resolved", "rejected") or self.over:
            return None
        return f"its folder is named {folder}, and nothing in it says that it is past"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of `data`, hex."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def short(self) -> str:
        """The first twelve digits of the digest, as lines in DECISIONS.md show it."""
        return self.digest[:12]

    @cached_property
    def front(self) -> frontmatter.FrontMatter:
        """The strict reading of the front matter; empty for an inline draft. May raise FrontMatterError."""
        return frontmatter.load(self.data) if self.origin != "inline" else frontmatter.FrontMatter()

    @property
    def body(self) -> bytes:
        """What an agent would use: the file without its front matter, or the inline draft's text."""
        if self.origin == "inline":
            return self.data.partition(b"\n")[2]
        return frontmatter.split(self.data)[1]

    @property
    def status(self) -> str:
        """The display status of STAGING.md, normalised; "" when there is none. It proves nothing."""
        raw = self.entry.value("status") if self.entry else None
        raw = self.shaped.status if raw is None and self.shaped is not None else raw
        return normal_status(raw) if raw else ""

    @property
    def note(self) -> str:
        return (self.entry.value("note") or "") if self.entry else ""

    @property
    def where(self) -> str:
        """The file a message names."""
        return self.path or STAGING

    def fact(self, name: str) -> str | None:
        """A one-line text of the front matter such as `kind` or `part`."""
        value = self.front.values.get(name)
        return None if value is None or isinstance(value, dict | list) else str(value)

    @property
    def lane(self) -> str | None:
        schedule = self.front.values.get("schedule")
        lane = schedule.get("lane") if isinstance(schedule, dict) else None
        return str(lane) if lane is not None else None


def normal_status(raw: str) -> str:
    """A status word as it is compared: `pending-approval` is `pending`; an unknown word is itself, casefolded."""
    words = " ".join(re.sub(r"[^\w\s]", " ", raw.casefold().replace("_", " ")).split())
    return _STATUSES.get(words, words)


def valid_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def slug(text: str) -> str:
    """An id out of a heading: ASCII letters and digits joined by `-`; a digest where nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    joined = "-".join(re.findall(r"[a-z0-9]+", plain))[:64].rstrip("-")
    return joined or "item-" + hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def entries(document: Document) -> tuple[list[Entry], list[Problem]]:
    """The `###` entries of STAGING.md, and the passages that are none."""
    found: list[Entry] = []
    text = list(document.problems)
    cut = shapes.sections(document)
    inside_entry = False
    for number, section in enumerate(cut):
        if section.under(shapes.EXAMPLE_TITLES):
            continue
        if section.level > 3 and inside_entry:
            continue
        inside_entry = section.level == 3 and section.heading is not None
        if inside_entry:
            if not shapes.is_placeholder(section.title) and section.title:
                found.append(_entry(section, list(_with_parts(cut, number))))
            continue
        for run in shapes.blocks(section.lines):
            if not _introduces(run, section):
                text.append(Problem(STAGING, run[0].number, "no `### Name` entry, shown as text"))
    return found, text


def _introduces(run: Sequence[Line], section: shapes.Section) -> bool:
    return all(
        shapes.is_quote(line.shown)
        or shapes.is_italic(line.shown)
        or shapes.is_nothing(line.shown)
        or shapes.is_placeholder(line.shown)
        or (section.level <= 1 and not shapes.is_bullet(line.shown))
        for line in run
    )


def _with_parts(cut: Sequence[shapes.Section], number: int) -> Iterable[Line]:
    """An entry's lines: its own, and those of the deeper headings inside it."""
    yield from cut[number].lines
    for index in range(number + 1, len(cut)):
        heading = cut[index].heading
        if cut[index].level <= 3 or heading is None:
            return
        yield heading
        yield from cut[index].lines


def _entry(section: shapes.Section, lines: Sequence[Line]) -> Entry:
    assert section.heading is not None
    labels: dict[str, tuple[str, Line]] = {}
    content: list[Line] = []
    label_stop, below = section.heading.stop, len(lines)
    for index, line in enumerate(lines):
        found = shapes.label(line)
        if found is None:
            if line.blank and line.mask == "":
                continue
            below = index
            break
        if found[0] not in _DISPLAY or found[0] in labels:
            content.append(line)
        labels.setdefault(found[0], (found[1], line))
        label_stop = line.stop
    body = _trim(lines[below:])
    last = body[-1].stop if body else label_stop
    return Entry(section.title, labels, section.heading, body, tuple(content), last, label_stop)


def _trim(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines without blank ones at both ends, and without a closing rule and what stands below it as a footer."""
    first, last = 0, len(lines)
    rules = [n for n, ln in enumerate(lines) if ln.mask == "" and shapes.is_rule(ln.shown)]
    if rules and all(ln.blank or shapes.is_italic(ln.shown) or shapes.is_rule(ln.shown) for ln in lines[rules[-1] :]):
        last = rules[-1]
    while last > first and not lines[last - 1].text.strip():
        last -= 1
    while first < last and not lines[first].text.strip():
        first += 1
    return tuple(lines[first:last])


def inline_bytes(document: Document, entry: Entry) -> bytes:
    """An inline draft's bytes: its heading and its body, the label block left out (gate.md, "Identity").

    Only the labels that STAGING.md shows a draft by are left out: a recipient is part of what gets a yes.
    """
    data = document.data
    parts = [data[entry.heading.start : entry.heading.end]]
    parts += [data[line.start : line.end] for line in entry.content]
    parts += [data[entry.body[0].start : entry.body[-1].end]] if entry.body else []
    return b"\n".join(parts) if len(parts) > 1 else parts[0] + b"\n"


@dataclass(frozen=True, slots=True)
class Staging:
    """STAGING.md with every draft it lists and every file of `state/drafts/` it does not."""

    document: Document
    drafts: tuple[Draft, ...]
    text: tuple[Problem, ...]

    def find(self, wanted: str) -> Draft | None:
        """The draft of an id, compared casefolded."""
        folded = wanted.casefold()
        return next((d for d in self.drafts if d.id.casefold() == folded), None)


def read_staging(root: Path) -> Staging:
    """Every draft of a workspace. A missing STAGING.md lists none; an unreadable one is a WorkspaceError."""
    document = read(root, STAGING) or parse(STAGING, b"")
    if (line := document.conflicted) is not None:
        raise WorkspaceError(f"{STAGING} line {line}: merge conflict markers; resolve them first")
    found, text = entries(document)
    if text or not all(entry.labels.keys() & _DISPLAY for entry in found):
        drafts, text = _shaped(root, document, found)
    else:
        drafts = [_listed(root, document, entry) for entry in found]
    listed = {draft.path for draft in drafts if draft.path}
    drafts.extend(_unlisted(root, listed))
    return Staging(document, tuple(_marked_twins(drafts)), tuple(text))


def _listed(root: Path, document: Document, entry: Entry) -> Draft:
    location = _location(entry)
    if location is None:
        data = inline_bytes(document, entry)
        return _checked(Draft(slug(entry.name), entry.name, "inline", None, data, entry))
    where = Problem(STAGING, entry.labels["location"][1].number, "")
    stem = Path(location).stem.casefold()
    try:
        file = inside(root, location)
        data_or_none = read_bytes(file, location)
    except WorkspaceError as error:
        return _broken(stem, entry, location, where.line, str(error))
    if data_or_none is None:
        return _broken(stem, entry, location, where.line, f"Location {location} does not exist")
    return _from_file(location, data_or_none, entry, "file")


def _shaped(root: Path, document: Document, found: Sequence[Entry]) -> tuple[list[Draft], list[Problem]]:
    """The drafts of a STAGING.md that does not follow the template, each in the shape that it has."""
    from dory_tui.workspace.entries import AS_TEXT, DOUBT
    from dory_tui.workspace.recognise import recognise
    from dory_tui.workspace.shaped_bytes import shaped_bytes

    read = recognise(document, "staging")
    canonical = {entry.heading.number: entry for entry in found if entry.labels.keys() & _DISPLAY}
    drafts = []
    for one in read.entries:
        entry = canonical.get(one.line)
        if entry is not None and one.shape in ("heading", "prose"):
            draft = _listed(root, document, entry)
        else:
            data = shaped_bytes(document, one)
            title = one.title.strip("*_ ")
            draft = _checked(Draft(slug(title), title, "inline", None, data, None))
        place = Shaped(one.line, one.span, one.resolved, one.status, one.conflict)
        drafts.append(replace(draft, shaped=place))
    text = list(document.problems)
    if read.as_text:
        text.append(Problem(STAGING, read.rest[0].first.number, AS_TEXT))
    elif read.doubt:
        text.append(Problem(STAGING, read.entries[0].line, DOUBT))
    return _numbered(drafts), text


def _numbered(drafts: Sequence[Draft]) -> list[Draft]:
    """Drafts told apart where two bear the same words: the second gets `-2`. An id of its own stays as it is."""
    seen: dict[str, int] = {}
    kept = []
    for draft in drafts:
        number = seen.get(draft.id, 0) + 1
        seen[draft.id] = number
        named = draft.entry is not None or number == 1
        kept.append(draft if named else replace(draft, id=f"{draft.id[:60]}-{number}"))
    return kept


def _location(entry: Entry) -> str | None:
    raw = entry.value("location")
    if raw is None:
        return None
    text = raw.strip().strip("`").strip()
    link = re.fullmatch(r"\[[^\]]*\]\(([^)]+)\)", text)
    text = link[1] if link else text
    if not text or shapes.is_nothing(text) or text.casefold() in ("inline", "below", "here"):
        return None
    return text.removeprefix("./")


def _broken(wanted: str, entry: Entry, path: str, line: int, sentence: str) -> Draft:
    identity = wanted if valid_id(wanted) else slug(entry.name)
    return Draft(identity, entry.name, "file", path, b"", entry, Problem(STAGING, line, sentence))


def _unlisted(root: Path, listed: set[str]) -> list[Draft]:
    folder = root / DRAFTS
    try:
        names = sorted(file.name for file in folder.iterdir() if file.suffix == ".md")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WorkspaceError(f"{DRAFTS} cannot be listed ({error.strerror})") from error
    found = []
    for name in names:
        path = f"{DRAFTS}/{name}"
        if path in listed or name.startswith("."):
            continue
        try:
            data = read_bytes(inside(root, path), path)
        except WorkspaceError as error:
            stem = Path(name).stem.casefold()
            identity = stem if valid_id(stem) else slug(stem)
            found.append(Draft(identity, name, "unlisted", path, b"", None, Problem(path, 1, str(error))))
            continue
        if data is not None:
            found.append(_from_file(path, data, None, "unlisted"))
    return found


def _from_file(path: str, data: bytes, entry: Entry | None, origin: Origin) -> Draft:
    """A draft out of a file's bytes; its id costs a YAML parser only where a line does not tell it."""
    stem = Path(path).stem
    title = entry.name if entry else stem
    quick = frontmatter.quick_id(data)
    if quick is not None:
        return _checked(Draft(quick.casefold(), title, origin, path, data, entry))
    if not frontmatter.mentions_id(data):
        return _checked(Draft(stem.casefold(), title, origin, path, data, entry))
    try:
        values = frontmatter.load(data).values
    except frontmatter.FrontMatterError as error:
        identity = stem.casefold() if valid_id(stem.casefold()) else slug(stem)
        problem = Problem(path, error.line, str(error))
        return Draft(identity, title, origin, path, data, entry, problem)
    given: Any = values.get("id")
    identity = stem.casefold() if given is None else str(given).casefold()
    return _checked(Draft(identity, title, origin, path, data, entry))


def _checked(draft: Draft) -> Draft:
    if valid_id(draft.id):
        return draft
    sentence = f"the id {draft.id!r} must be 1 to 64 of a-z, 0-9, `.`, `_`, `-`, beginning with a letter or digit"
    return replace(draft, id=slug(draft.id), problem=Problem(draft.where, 1, sentence))


def _marked_twins(drafts: Iterable[Draft]) -> list[Draft]:
    """A duplicate id blocks both (gate.md, "Identity")."""
    kept = list(drafts)
    seen: dict[str, list[int]] = {}
    for number, draft in enumerate(kept):
        seen.setdefault(draft.id.casefold(), []).append(number)
    for numbers in seen.values():
        if len(numbers) < 2:
            continue
        places = [_place(kept[n]) for n in numbers]
        for position, number in enumerate(numbers):
            draft = kept[number]
            other = places[1 - position] if position < 2 else places[0]
            line = draft.entry.heading.number if draft.entry else 1
            problem = Problem(
                STAGING if draft.entry else draft.where, line,
                f"the id {draft.id} is also used by {other}; give one of them another id",
            )  # fmt: skip
            kept[number] = replace(draft, problem=problem)
    return kept


def _place(draft: Draft) -> str:
    if draft.entry is not None:
        return f"the entry on line {draft.entry.heading.number} of {STAGING}"
    return draft.where
