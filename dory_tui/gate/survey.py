"""The gate opened on one workspace: its drafts, holds and records read together and judged by the rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from dory_tui import config
from dory_tui.config import ConfigError
from dory_tui.gate import action, policy, rules
from dory_tui.gate.covering import Facts, covers
from dory_tui.gate.window import apart, window
from dory_tui.ledger import journal, records
from dory_tui.ledger.store import HOLD_PREFIX, Item, Ledger, LedgerError
from dory_tui.values import dataclass, field, replace
from dory_tui.workspace import holds as reading
from dory_tui.workspace import layout
from dory_tui.workspace.document import WorkspaceError, locked, parse, read
from dory_tui.workspace.drafts import Draft, Staging, read_staging
from dory_tui.workspace.frontmatter import FrontMatterError
from dory_tui.workspace.holds import Hold

Clock = Callable[[], datetime]


def machine_clock() -> datetime:
    """The machine's time, with its zone."""
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True)
class Gate:
    """One workspace with its ledger, the clock and who is speaking."""

    root: Path
    environment: Mapping[str, str]
    identity: layout.Identity
    ledger: Ledger
    clock: Clock = machine_clock
    who: str = ""
    machine: str = field(default_factory=config.machine)

    @staticmethod
    def open(
        root: Path,
        environment: Mapping[str, str] | None = None,
        clock: Clock = machine_clock,
        by: str = "dory",
    ) -> Gate:
        """Open the gate of a workspace. Nothing is written. WorkspaceError when its id cannot be read."""
        env = os.environ if environment is None else environment
        real = Path(os.path.realpath(root))
        state = config.state_home(env)
        identity = layout.identify(real, state)
        ledger = Ledger.of(real, state, identity.id)
        return Gate(real, env, identity, ledger, clock, f"{config.user_name(env)} ({by})")

    @property
    def state_home(self) -> Path:
        return self.ledger.state.parent

    def settle(self) -> bool:
        """Make the id durable before the first record. LedgerError when it cannot be written, or is another by now."""
        try:
            if self.identity.stored:
                return layout.remember(self.root, self.state_home, self.identity)
            with locked(self.root):
                found = layout.identify(self.root, self.state_home)
                if not found.stored:
                    return layout.remember(self.root, self.state_home, self.identity)
            if found.id == self.identity.id:
                return layout.remember(self.root, self.state_home, found)
        except OSError as error:
            raise LedgerError(f"the workspace's id cannot be written ({error.strerror})") from error
        raise LedgerError("another dory process gave this workspace its id just now: open it again")

    def record(
        self, key: str, attempt: int, event: str, data: Mapping[str, object],
        seal: Callable[[records.Record], str] | None = None, when: datetime | None = None,
    ) -> records.Record:  # fmt: skip
        """Append one record now. The item's lock must be held. `seal` makes a signature over the whole record."""
        self.settle()
        return self.ledger.append(key, attempt, event, self.who, when or self.clock(), data, seal)

    def holds(self) -> list[Hold]:
        """Every hold in force: those in HOLD.md, and those seen once that no human lifted."""
        present = _present_holds(self.root)
        verdicts = self._hold_verdicts()
        kept = [hold for hold in present if verdicts.get(hold.hash) != records.NOT_A_HOLD]
        known = {hold.hash for hold in present}
        for digest, event in verdicts.items():
            if digest not in known and event == records.SEEN:
                kept.append(self._remembered(digest))
        return kept

    def _hold_verdicts(self) -> dict[str, str]:
        """The last event of every hold the ledger knows: `seen`, `lifted` or `not-a-hold`."""
        found = {}
        for key in self.ledger.keys(HOLD_PREFIX):
            items = [item for item in self.ledger.history(key) if _counts(item)]
            if items:
                found[key.removeprefix(HOLD_PREFIX)] = items[-1].event
        return found

    def _remembered(self, digest: str) -> Hold:
        """A hold that was seen and whose words are gone from HOLD.md, as its record tells."""
        for item in reversed(self.ledger.history(HOLD_PREFIX + digest)):
            if item.record is not None and item.event == records.SEEN:
                data = item.record.data
                return reading.restore_hold(str(data.get("text", "")), data.get("kind"), data.get("subject"), digest)
        return reading.restore_hold("a hold whose record cannot be read", digest=digest)

    def notice_holds(self, holds: Sequence[Hold]) -> None:
        """Record holds not seen before, so that they stay when their line disappears (invariant 5)."""
        for hold in holds:
            if not hold.present or hold.kind == "file":
                continue
            key = HOLD_PREFIX + hold.hash
            if self._noticed(key) in (records.SEEN, records.NOT_A_HOLD):
                continue
            with self.ledger.lock(key):
                event = self._noticed(key)
                # A lift takes its line away under this lock: the line that was read may be gone by now.
                lifted = event == records.LIFTED and hold.hash not in {one.hash for one in _present_holds(self.root)}
                if event not in (records.SEEN, records.NOT_A_HOLD) and not lifted:
                    self.record(key, 1, records.SEEN, seen_data(hold))

    def _noticed(self, key: str) -> str | None:
        """The last event of a hold that the authoritative ledger itself has: the mirror can be taken away."""
        items = [item for item in self.ledger.history(key) if item.original and _counts(item)]
        return items[-1].event if items else None

    def staging(self) -> Staging:
        return read_staging(self.root)

    def standing(
        self,
        draft: Draft,
        holds: Sequence[Hold],
        *,
        executable: str | None = None,
        now: datetime | None = None,
    ) -> rules.Standing:
        """Ask the rules about one draft as it is now."""
        items = self.ledger.history(draft.id)
        problem = str(draft.problem) if draft.problem else None
        if problem is None and not _approved_as_is(draft, items):
            problem = _unusable(draft)
        covering = holds
        if any(not hold.everything for hold in holds):
            facts, _ = self.facts(draft, items)
            covering = [hold for hold in holds if hold.everything or facts is None or covers(hold, facts)]
        running = any(item.event == records.CLAIMED for item in items) and self.ledger.running(draft.id)
        last = next((item for item in reversed(items) if item.original), None)
        if last is not None and last.event == records.CLAIMED and not running:
            items = self.ledger.history(draft.id)  # a run that ended between the two looks has written its outcome
        question = rules.Question(
            draft.id, draft.digest, items, covering, now or self.clock(), str(self.root), self.machine,
            problem, running, executable, _ends(draft, items), draft.over, signature=self._signature(draft, items),
            last=journal.last_time(self.ledger.state),
        )  # fmt: skip
        return rules.standing(self._spaced(question))

    def _spaced(self, question: rules.Question) -> rules.Question:
        """The question with what matters only to a yes of ours that could let it run: its lane, and its path."""
        last = rules.deciding(question.items)
        if last is None or last.event != records.APPROVED or last.record is None or not last.original:
            return question
        twin = self.twin()
        given, data = last.record.when, last.record.data
        lane = str(data.get("lane") or action.DEFAULT_LANE)
        try:
            interval = apart(data, policy.min_interval(self.root, self.environment, lane))
            start, _, _ = window(data, given)
            if not interval and start is None:
                return replace(question, twin=twin)
            from dory_tui.gate import lanes  # `check` pays only where it must

            since = min(question.now, max(start, given) if start else question.now) - interval
            starts = lanes.starts(self.ledger, lane, since)
        except (ConfigError, LedgerError) as error:
            return replace(question, twin=twin, unruled=f"{error}: nothing of the lane {lane} starts until then")
        return replace(question, twin=twin, interval=interval, starts=starts)

    def twin(self) -> str | None:
        """The earlier path at which a workspace with this id still is; None when this one has not to say what it is."""
        return layout.twin(self.root, self.state_home, self.identity)

    def _signature(self, draft: Draft, items: Sequence[Item]) -> str | None:
        """Why the signature of the yes that would let it run does not count; None when it does or need not be there."""
        last = rules.deciding(items)
        if last is None or last.event != records.APPROVED or last.record is None or not last.original:
            return None
        folder = config.config_home(self.environment)
        if last.record.data.get("digest") != draft.digest or not signing_is_set_up(folder):
            return None
        from dory_tui.ledger import signing  # with what it starts programs with: `check` pays only where it must

        return signing.problem(last.record, folder, self.root)

    @staticmethod
    def facts(draft: Draft, items: Sequence[Item] = ()) -> tuple[Facts | None, str | None]:
        """What holds are compared with: out of the approval for these very bytes, else out of the front matter.

        (None, sentence) when neither can be read: every hold then covers it.
        """
        for item in reversed(items):
            if item.original and item.event == records.APPROVED and item.record is not None:
                kept = item.record.data
                if kept.get("digest") == draft.digest and isinstance(kept.get("facts"), dict):
                    return Facts(**{"id": draft.id, "path": draft.path, **kept["facts"]}), None
        try:
            title = draft.fact("title")
            joined = draft.title if title is None or title == draft.title else f"{draft.title} {title}"
            found = Facts(draft.id, joined, draft.fact("kind"), draft.lane, draft.path, draft.fact("part"))
        except FrontMatterError as error:
            return None, f"{draft.where} line {error.line}: {error}"
        return found, None


_KEPT = 4000
"""Characters of an entry's words that its record keeps."""


def _approved_as_is(draft: Draft, items: Sequence[Item]) -> bool:
    """Whether an approval on record is for these very bytes, which were read strictly when it was given."""
    return any(
        item.original and item.event == records.APPROVED and item.record is not None
        and item.record.data.get("digest") == draft.digest
        for item in items
    )  # fmt: skip


def _unusable(draft: Draft) -> str | None:
    """Why a draft cannot be approved as it stands, in one sentence with file and line; None when it can."""
    if not draft.data.startswith((b"---", b"\xef\xbb\xbf---")) or draft.origin == "inline":
        return None
    try:
        action.plan(draft)
    except action.ActionError as error:
        return f"{draft.where} line {error.line}: {error}"
    return None


def _ends(draft: Draft, items: Sequence[Item]) -> datetime | None:
    """Where the schedule of a draft without a yes ends; looked up only where the file may name it."""
    if items and items[-1].event in (records.APPROVED, records.CLAIMED, *records.OUTCOMES):
        return None
    if b"expires" not in draft.data:
        return None
    from dory_tui.gate.zoned import moment  # most drafts name no such time

    try:
        schedule = draft.front.values.get("schedule")
        return moment(str(schedule["expires"])) if isinstance(schedule, dict) else None
    except (FrontMatterError, ValueError, KeyError):
        return None


def signing_is_set_up(folder: Path) -> bool:
    """Whether either file of `ledger.trust` is there, or may be."""
    for name in ("signing.toml", "trusted_keys"):
        try:
            os.lstat(folder / name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            return True
        return True
    return False


def seen_data(hold: Hold) -> dict[str, object]:
    """What a `seen` record keeps of a hold: enough to hold the same when its words are gone."""
    if hold.kind != "entry":
        return {"text": hold.text}
    return {"text": hold.text[:_KEPT], "kind": hold.kind, "subject": hold.subject}


def _counts(item: Item) -> bool:
    """A lift or a "not a hold" loosens, so it counts only when it is whole and in the authoritative ledger."""
    return item.event not in records.YESES or (item.original and item.problem is None)


def _present_holds(root: Path) -> list[Hold]:
    try:
        layout.inside(root, layout.HOLD)  # its words are written down where the agent can read them
        document = read(root, layout.HOLD)
    except WorkspaceError as error:
        return [reading.unreadable_holds(str(error))]
    return reading.holds(document or parse(layout.HOLD, b""))
