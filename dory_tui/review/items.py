"""What a review is about, each thing as it is shown: subjects, drafts, candidates, holds, and what is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from dory_tui.gate import rules
from dory_tui.memory.scoring import Verdict
from dory_tui.workspace.drafts import Draft
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.promotions import Promotion

SubjectKind = Literal["draft", "memory"]

_WORDS = {
    "pending": "waits", "superseded": "changed", "missed": "missed", "unknown": "did it happen?",
    "approved": "approved", "running": "running", "done": "done", "failed": "failed", "rejected": "rejected",
    "changes-requested": "sent back", "revoked": "taken back", "expired": "expired", "happened": "happened",
    "not-happened": "not happened", "past": "past", "aborted-before-start": "not started", "invalid": "cannot be read",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """What a decision is about: its kind, its id and the digest of the bytes that were shown."""

    kind: SubjectKind
    id: str
    digest: str


@dataclass(frozen=True)
class Staged:
    """One draft as the review shows it."""

    draft: Draft
    standing: rules.Standing
    title: str
    not_before: datetime | None = None
    lane: str | None = None

    @property
    def subject(self) -> Subject:
        return Subject("draft", self.draft.id, self.draft.digest)

    @property
    def held(self) -> bool:
        return bool(self.standing.held_by) and self.standing.state not in (
            "done",
            "happened",
            "unknown",
            "rejected",
            "past",
        )

    @property
    def word(self) -> str:
        """Its state in a word or two, for a list."""
        if self.held and self.standing.state in ("pending", "approved", "superseded", "missed", "expired"):
            return "held"
        return _WORDS.get(self.standing.state, self.standing.state)

    @property
    def conflict(self) -> str | None:
        """The sentence for a `Status:` line that says what no record says."""
        status, state = self.draft.status, self.standing.state
        if self.draft.shaped is not None and self.draft.shaped.conflict:
            return f"STAGING.md contradicts itself: {self.draft.shaped.conflict}"
        if state == "pending" and (folder := self.draft.folder_conflict) is not None:
            return folder
        if status == "approved" and state in ("pending", "rejected", "changes-requested", "revoked"):
            return "STAGING.md says approved, but no approval is on record"
        if status == "rejected" and state in ("approved", "running"):
            return f"STAGING.md says rejected, but the record says {state}"
        if status == "pending" and state == "approved":
            return "STAGING.md says pending, but the record says approved"
        return None


@dataclass(frozen=True)
class Candidate:
    """One promotion as the review shows it; `verdict` is None when its scores cannot be read."""

    promotion: Promotion
    verdict: Verdict | None

    @property
    def subject(self) -> Subject:
        return Subject("memory", self.promotion.id, self.promotion.digest)

    @property
    def waits(self) -> bool:
        return self.promotion.status in ("pending", "draft")


@dataclass(frozen=True)
class HoldView:
    """One hold and the ids of the open drafts that it covers; `stale` after two weeks, or after its own `until:`."""

    hold: Hold
    covers: tuple[str, ...]
    age: timedelta | None
    stale: bool


@dataclass(frozen=True, slots=True)
class Past:
    """An entry that a file says is over."""

    path: str
    line: int
    title: str
    text: str
