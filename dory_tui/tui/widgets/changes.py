"""What became other in the lists since it was last shown. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, HoldView, Past, Staged
from dory_tui.tui.widgets.entries import Entry, Nothing, PanelView, StateText
from dory_tui.workspace.entries import Decision, Task
from dory_tui.workspace.promises import Promise


def face(entry: Entry, desk: Desk) -> Hashable:
    """What a person decides by when they look at an entry: equal as long as nothing of it changed.

    How long something stood and where it stands in a list is no part of it.
    """
    thing = entry.thing
    match thing:
        case Staged():
            standing, draft = thing.standing, thing.draft
            approval = standing.approval.when if standing.approval is not None else None
            held = tuple(hold.hash for hold in standing.held_by)
            plan = (thing.title, thing.not_before, thing.lane)
            return (draft.digest, standing.state, approval, held, thing.conflict, draft.note, plan)
        case Candidate():
            found = thing.promotion
            return (found.digest, found.status, str(found.problem), desk.memory if thing.waits else None)
        case HoldView():
            return (thing.hold.hash, thing.hold.present, thing.stale, thing.covers)
        case Task():
            return (thing.said, thing.interpretation, thing.steps, thing.over, thing.status, desk.drifted(thing))
        case Promise():
            return (thing.path, thing.time, thing.text)
        case Past():
            return thing.text
        case Decision():
            return (thing.text, thing.over)
        case StateText():
            return (thing.data, thing.sentences)
        case Nothing():
            return thing.sentences


class Changes:
    """Remembers the face of every entry, and which of them were not shown since they changed."""

    def __init__(self) -> None:
        self._faces: dict[str, Hashable] = {}
        self._digests: dict[str, str] = {}
        self.fresh: set[str] = set()
        """Keys of entries that changed, or came, and were not shown since."""

    def differ(self, views: Sequence[PanelView], desk: Desk) -> bool:
        """Whether anything in the lists is other than what was taken last."""
        return self._faces != {entry.key: face(entry, desk) for view in views for entry in view.entries}

    def take(self, views: Sequence[PanelView], desk: Desk, *, own: str | None = None) -> set[str]:
        """Take what is shown from now on. Returns the keys of the entries that changed or came.

        After a decision made here, `own` is the key it was about: only what it cannot have caused, other bytes of
        another item, counts as changed then.
        """
        entries = [entry for view in views for entry in view.entries]
        faces = {entry.key: face(entry, desk) for entry in entries}
        digests = {entry.key: entry.subject.digest for entry in entries if entry.subject is not None}
        before, now = (self._faces, faces) if own is None else (self._digests, digests)
        changed = {key for key in now if before.get(key) != now[key]} if self._faces else set()
        changed -= {own or ""} | {entry.key for entry in entries if isinstance(entry.thing, Nothing)}
        self.fresh = (self.fresh & faces.keys()) | changed
        self._faces, self._digests = faces, digests
        return changed
