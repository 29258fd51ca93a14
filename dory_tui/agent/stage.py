"""Put a draft where a human will see it. Staging is never a yes."""

from __future__ import annotations

from pathlib import Path

from dory_tui.agent.stage_errors import EXAMPLES, sentence
from dory_tui.gate import action, attached
from dory_tui.gate.rules import held_sentence
from dory_tui.gate.runner import executable_now
from dory_tui.gate.survey import Gate
from dory_tui.ledger import records
from dory_tui.ledger.store import LedgerError
from dory_tui.values import dataclass
from dory_tui.workspace import edits, frontmatter, layout
from dory_tui.workspace.document import ChangedError, WorkspaceError, locked, read_bytes, replace
from dory_tui.workspace.drafts import Draft, slug, valid_id
from dory_tui.workspace.frontmatter import FrontMatterError

_TRIES = 20


class StageError(Exception):
    """The draft cannot be staged; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What was written and where. `fresh` is False when the same draft was staged already."""

    id: str
    path: str
    digest: str
    fresh: bool
    sentence: str


def stage(gate: Gate, data: bytes, *, identity: str | None, title: str | None, today: str) -> Staged:
    """Write `state/drafts/<id>.md` and list it in STAGING.md as pending.

    The id is front matter `id`, else `identity`, else made of the title. The same bytes again are one draft; others
    revise it, which takes back any yes. StageError when the draft cannot run as written or its id has run already.
    """
    wanted = _identity(data, identity, title)
    path = f"{layout.DRAFTS}/{wanted}.md"
    found = gate.staging().find(wanted)
    if found is not None and found.path not in (path, None):
        path = str(found.path)
    if found is not None and found.origin == "inline":
        raise StageError(f"{wanted} is an inline draft in {layout.STAGING}: edit it there, or use another id")
    name = title or _front_title(data) or wanted
    _refuse_what_cannot_run(gate.root, Draft(wanted, name, "unlisted", path, data, None))
    if (before := read_bytes(gate.root / path, path)) != data and _ran(gate, wanted):
        raise StageError(f"{wanted} has been started already: stage this under a new id")
    if before != data:
        replace(gate.root, path, before, data)
    listed = found is not None and found.entry is not None
    if not listed:
        _list(gate, name, path, today)
    digest = Draft(wanted, name, "file", path, data, None).digest
    if before == data and listed:
        return _already(gate, wanted, path, digest)
    verb = "staged" if before is None else "revised"
    says = f"{verb} {wanted} in {path} and listed it in {layout.STAGING}: it runs only after a human's yes"
    return Staged(wanted, path, digest, True, says + _standing(gate, wanted))


def stage_file(gate: Gate, path: str, *, title: str | None, today: str) -> Staged:
    """List a draft file that lies in the workspace already, where it is."""
    file = layout.inside(gate.root, path)
    data = read_bytes(file, path)
    if data is None:
        raise StageError(f"there is no file {path} in the workspace: write it first, such as {layout.DRAFTS}/post-3.md")
    path = layout.relative(gate.root, file)
    staging = gate.staging()
    found = next((draft for draft in staging.drafts if draft.path == path), None)
    wanted = _identity(data, Path(path).stem.casefold(), None)
    name = title or _front_title(data) or wanted
    _refuse_what_cannot_run(gate.root, Draft(wanted, name, "unlisted", path, data, None))
    twin = staging.find(wanted)
    if twin is not None and twin.path != path:
        raise StageError(f"the id {wanted} is already used by {twin.where}: give the draft another `id`")
    digest = Draft(wanted, name, "file", path, data, None).digest
    if found is not None and found.entry is not None:
        return _already(gate, wanted, path, digest)
    _list(gate, name, path, today)
    says = f"listed {path} in {layout.STAGING} as {wanted}: it runs only after a human's yes"
    return Staged(wanted, path, digest, True, says + _standing(gate, wanted))


def _already(gate: Gate, wanted: str, path: str, digest: str) -> Staged:
    says = f"{wanted} is staged already, in {path}: nothing was changed"
    return Staged(wanted, path, digest, False, says + _standing(gate, wanted))


def _standing(gate: Gate, wanted: str) -> str:
    """What an agent should know of its draft besides: a hold, an answer, what keeps a human from saying yes."""
    draft = gate.staging().find(wanted)
    if draft is None:
        return ""
    try:
        base = gate.standing(draft, (), executable=executable_now(gate, draft))
        held = gate.standing(draft, gate.holds()).held_by
    except LedgerError as error:
        return f"; but how it stands cannot be told: {error}"
    found = [] if base.state == "pending" else [f"it stands as {base.state}: {base.reason}"]
    found += [held_sentence(held)] if held else []
    found += _hindrances(gate, draft)
    return "".join(f"; {one}" for one in found)


def _hindrances(gate: Gate, draft: Draft) -> list[str]:
    """What a human could not approve, or would not expect."""
    try:
        odd = [key for key in ("action", "schedule") if isinstance(draft.front.values.get(key), str | int | list)]
        made = action.plan(draft).action
        if made is not None:
            action.resolve_executable(gate.root, made)
    except (FrontMatterError, action.ActionError, WorkspaceError) as error:
        return [f"but as it is a human cannot approve it: {error}"]
    return [f"but its `{key}` is no mapping, so it is text and runs nothing; {EXAMPLES[key]} would" for key in odd]


def _ran(gate: Gate, wanted: str) -> bool:
    """Whether the latest attempt was claimed and nothing reopened it."""
    items = gate.ledger.history(wanted)
    attempt = max((item.attempt for item in items), default=1)
    mine = [item.event for item in items if item.attempt == attempt]
    return records.CLAIMED in mine and mine[-1] not in (records.FAILED, records.ABORTED, records.NOT_HAPPENED)


def _identity(data: bytes, identity: str | None, title: str | None) -> str:
    try:
        front = frontmatter.load(data).values.get("id")
    except frontmatter.FrontMatterError as error:
        raise StageError(sentence(error.line, str(error))) from error
    given = str(front) if front is not None else identity or (slug(title) if title else "")
    if not given:
        raise StageError(
            "it has no id: write `id: post-3` into its front matter, or give --id post-3, or --title 'Post 3 of 7' to "
            "make one of"
        )
    if identity and front is not None and str(front).casefold() != identity.casefold():
        raise StageError(f"its front matter says id {front}, and --id says {identity}: use one")
    if not valid_id(given.casefold()):
        raise StageError(
            f"the id {given!r} must be 1 to 64 of a-z, 0-9, `.`, `_`, `-`, beginning with a letter or digit, such as "
            "post-3"
        )
    return given.casefold()


def _front_title(data: bytes) -> str | None:
    title = frontmatter.load(data).values.get("title")
    return edits.one_line(str(title)) if title is not None else None


def _refuse_what_cannot_run(root: Path, draft: Draft) -> None:
    try:
        plan = action.plan(draft)
        if plan.action is not None:
            attached.of_draft(root, draft, plan.action)
    except action.ActionError as error:
        raise StageError(sentence(error.line, str(error))) from error


def _list(gate: Gate, name: str, path: str, today: str) -> None:
    """Add the entry to STAGING.md; again when another writer was faster."""
    block = f"### {edits.one_line(name)}\n**Created:** {today}\n**Status:** pending\n**Location:** {path}"
    with locked(gate.root):  # two that stage the same at once must not list it twice
        for _ in range(_TRIES):
            before = read_bytes(gate.root / layout.STAGING, layout.STAGING)
            if any(draft.path == path and draft.entry is not None for draft in gate.staging().drafts):
                return
            try:
                replace(gate.root, layout.STAGING, before, edits.staged_entry(before, block))
            except ChangedError:
                continue
            return
    raise StageError(f"{layout.STAGING} kept changing, so the draft was not listed: stage it again")
