"""The decisions of the review: each key's way from the press to the record. What is drawn is the review screen's.

A decision is made in a thread, one at a time. It is about the bytes that were shown: the subject is taken when the
key is pressed, and the service refuses it when the file changed since.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.screen import Screen

from dory_tui.gate.survey import Gate
from dory_tui.review.desk import Desk
from dory_tui.review.items import Candidate, HoldView, Staged, Subject
from dory_tui.review.previewing import Proposal, propose
from dory_tui.secrets import ADVICE, counted, spans
from dory_tui.tui import verbs
from dory_tui.tui.aside import aside
from dory_tui.tui.guard import Guard, Guarded, Monotonic
from dory_tui.tui.screens.ask import AskScreen, Question
from dory_tui.tui.screens.note import NoteScreen, Prompt
from dory_tui.tui.widgets.detail import Detail
from dory_tui.tui.widgets.entries import Entry
from dory_tui.tui.widgets.score_editor import ScoreEditor
from dory_tui.visible import visible_line
from dory_tui.workspace.document import decode
from dory_tui.workspace.holds import Hold
from dory_tui.workspace.promises import Promise

if TYPE_CHECKING:
    from dory_tui.review.change import Done

_TOO_SOON = "that key came too soon after the one before: press it again"
_NOTE = "A note for the agent"


class Deciding(Guarded, Screen[None]):
    """What the review screen needs to decide. The subclass shows `desk` and says what is selected."""

    def __init__(self, gate: Gate, clock: Monotonic) -> None:
        super().__init__()
        self.gate = gate
        self.clock = clock
        self.guard = Guard(clock)
        self.desk: Desk | None = None
        self.decided = 0
        self.in_flight = ""
        """What is being decided right now; nothing else is until it is done."""

    # What the subclass gives

    @property
    def detail(self) -> Detail:
        raise NotImplementedError

    @property
    def selected(self) -> Entry | None:
        raise NotImplementedError

    def shown(self) -> bool:
        """Whether the detail side shows what is selected, whole enough to decide on it."""
        raise NotImplementedError

    def take(self, desk: Desk, onward: Subject | None, *, own: bool = True) -> None:
        """Show another desk; `onward` is the decided subject from whose place the review goes on.

        `own` says that a decision made here is what changed it.
        """
        raise NotImplementedError

    def catch_up(self) -> None:
        """Nothing is being decided or asked any more: see what changed meanwhile."""

    def say(self, words: str) -> None:
        """Say in the headline what is going on, or what to do."""
        raise NotImplementedError

    def proposal(self, one: Candidate) -> Proposal:
        """What promoting a memory would write."""
        assert self.desk is not None
        return propose(one, self.desk)

    # Whether a key may decide

    def _may(self, *, asked: bool = False) -> bool:
        if self.in_flight or self.desk is None:
            return False
        if asked or (self.guard.ready and self.shown()):
            return True
        self.say(_TOO_SOON)
        return False

    def _seen(self) -> bool:
        """Whether it can be approved and every line was on the screen; else say what is missing."""
        page = self.detail.page
        if page is not None and page.refusal is not None:
            self.tell(visible_line(page.refusal), bad=True)
            return False
        left = self.detail.unseen
        if left:
            lines = "1 line was" if left == 1 else f"{left} lines were"
            self.tell(f"{lines} never on the screen: Space reads on, then a")
            return False
        return True

    def tell(self, words: str, *, bad: bool = False) -> None:
        """A notice. Never markup."""
        self.notify(words, severity="warning" if bad else "information", markup=False, timeout=8)

    def _draft(self) -> tuple[Staged, Subject] | None:
        entry = self.selected
        return (entry.thing, entry.subject) if entry and isinstance(entry.thing, Staged) and entry.subject else None

    def _memory(self) -> tuple[Candidate, Subject] | None:
        entry = self.selected
        return (entry.thing, entry.subject) if entry and isinstance(entry.thing, Candidate) and entry.subject else None

    # The keys

    def action_approve(self, asked: bool = False) -> None:
        found = self._draft()
        if found is None or not self._may(asked=asked) or not self._seen():
            return
        item, subject = found
        page = self.detail.page
        seen, masked = (page.fingerprint, page.masked) if page is not None else (None, 0)
        unseen = [Content.styled(_unseen(masked), "$warning")] if masked else []
        if item.held:
            hashes = [hold.hash for hold in item.standing.held_by if hold.kind != "file"]
            answers = {"approve": (), "override": tuple(hashes)}
            self._ask(_held_question(item, unseen), lambda name: self._approve(subject, seen, answers[name]))
        elif asked or unseen:
            question = _plain_question("Approve this draft?", item.title, "approve", more=unseen)
            self._ask(question, lambda _: self._approve(subject, seen))
        else:
            self._approve(subject, seen)

    def _approve(self, subject: Subject, seen: str | None, override: tuple[str, ...] = ()) -> None:
        if verbs.asks_at_terminal(self.gate):
            signed = aside(self.app, verbs.approve(subject, seen, override, at_terminal=True), subject.id)
            self._decide(f"signing {subject.id}…", signed, subject)
        else:
            self._decide(f"approving {subject.id}…", verbs.approve(subject, seen, override), subject)

    def action_promote(self, asked: bool = False) -> None:
        found = self._memory()
        if found is None or self.desk is None or not self._may(asked=asked):
            return
        one, subject = found
        if one.verdict is not None and not one.verdict.promote:
            self.tell(f"{one.promotion.id} does not earn its place: {one.verdict.reason}. s changes the scores.")
            return
        if not self._seen():
            return
        made = self.proposal(one)
        assert made.preview is not None  # else it has a refusal, which was told
        after = hashlib.sha256(made.preview.after).hexdigest()
        work = verbs.promote(subject, after, made.creates is not None, made.over)
        holds = spans(decode(one.promotion.text))
        secret = [Content.styled(f"It holds a secret: {ADVICE}.", "$warning")] if holds else []
        if made.creates is not None:
            title = f"MEMORY.md has no section “{visible_line(made.creates)}”"
            body = Content("Promoting this memory adds the section at the end of the file, and the memory to it.")
            question = Question(title, [body, *secret], [("approve", "add the section and promote")])
            self._ask(question, lambda _: self._decide(f"promoting {subject.id}…", work, subject))
        elif asked or secret:
            question = _plain_question("Promote this memory?", one.promotion.title, "promote", more=secret)
            self._ask(question, lambda _: self._decide(f"promoting {subject.id}…", work, subject))
        else:
            self._decide(f"promoting {subject.id}…", work, subject)

    def action_reject(self, asked: bool = False) -> None:
        self._send_away("Reject", asked)

    def action_discard(self, asked: bool = False) -> None:
        self._send_away("Discard", asked)

    def _send_away(self, verb: str, asked: bool) -> None:
        found = self._draft() or self._memory()
        if found is None or not self._may(asked=asked):
            return
        subject = found[1]
        prompt = Prompt(f"{verb} {subject.id}", f"{_NOTE} says why. It may stay empty.")
        work = verbs.reject
        self._write(prompt, lambda note: self._decide(f"{verb.lower()}ing {subject.id}…", work(subject, note), subject))

    def action_changes(self, asked: bool = False) -> None:
        found = self._draft() or self._memory()
        if found is None or not self._may(asked=asked):
            return
        subject = found[1]
        needed = "say what should change: the note is what reaches the agent"
        prompt = Prompt(f"Request changes to {subject.id}", f"{_NOTE} says what should change.", needed=needed)
        self._write(
            prompt, lambda note: self._decide(f"sending {subject.id} back…", verbs.changes(subject, note), subject)
        )

    def action_hold(self, asked: bool = False) -> None:
        if not self._may(asked=asked):
            return
        found = self._draft()
        start = f"id:{found[1].id} — " if found else ""
        says = "What is held, and why: words of a title, id:…, lane:…, kind:…, or all."
        prompt = Prompt("Hold", says, start, "say what is held, such as: X thread tweets 2-7 — awaiting approval")
        self._write(prompt, lambda text: self._decide("holding…", verbs.hold(text.strip().rstrip("—").strip())))

    def action_lift(self, asked: bool = False) -> None:
        entry = self.selected
        if entry is None or not isinstance(entry.thing, HoldView) or not self._may(asked=asked):
            return
        view = entry.thing
        marks = view.hold.marks and view.hold.present
        lifts = "mark it as not a hold" if marks else "lift it"
        covers = "everything" if view.hold.everything else ", ".join(view.covers) or "no draft"
        body = [Content(visible_line(view.hold.text)), Content.styled(f"covers {visible_line(covers)}", "$text-muted")]
        title = "Is this passage not a hold?" if marks else "Lift this hold?"
        self._ask(
            Question(title, body, [("lift", lifts)]), lambda _: self._decide("lifting…", verbs.lift(view.hold.hash))
        )

    def action_kept(self, asked: bool = False) -> None:
        entry = self.selected
        if entry is None or not isinstance(entry.thing, Promise) or not self._may(asked=asked):
            return
        promise = entry.thing
        says = f"it was kept: tick its box in {visible_line(promise.path)}"
        question = _plain_question("Was this promise kept?", promise.text, "approve", says)
        self._ask(question, lambda _: self._decide("ticking its box…", verbs.kept(promise)))

    def action_revoke(self, asked: bool = False) -> None:
        found = self._draft()
        if found is None or not self._may(asked=asked):
            return
        item, subject = found
        question = _plain_question("Take back the yes?", item.title, "revoke", "take it back; it waits for a yes again")
        self._ask(question, lambda _: self._decide(f"taking back {subject.id}…", verbs.revoke(subject)))

    def action_happened(self, asked: bool = False) -> None:
        self._resolve(True, asked)

    def action_not_happened(self, asked: bool = False) -> None:
        self._resolve(False, asked)

    def _resolve(self, happened: bool, asked: bool) -> None:
        found = self._draft()
        if found is None or not self._may(asked=asked):
            return
        item, subject = found
        says = "it happened; it never runs again" if happened else "it did not happen; a fresh yes may run it again"
        name = "happened" if happened else "not_happened"
        question = _plain_question("Did it happen?", item.title, name, says)
        self._ask(question, lambda _: self._decide("writing it down…", verbs.resolve(subject.id, happened), subject))

    def action_scores(self, asked: bool = False) -> None:
        if self._memory() is not None and self._may(asked=asked):
            self.detail.scores.edit()
            self.refresh_bindings()

    def on_score_editor_left(self, event: ScoreEditor.Left) -> None:
        found = self._memory()
        self.refresh_bindings()
        if found is not None and event.scores is not None:
            self._decide(f"scoring {found[1].id}…", verbs.score(found[1], event.scores))
        else:
            self.catch_up()

    # Asking and doing

    def _ask(self, question: Question, then: Callable[[str], None]) -> None:
        self.app.push_screen(AskScreen(question, self.clock), lambda name: then(name) if name else None)

    def _write(self, prompt: Prompt, then: Callable[[str], None]) -> None:
        self.app.push_screen(NoteScreen(prompt, self.clock), lambda text: then(text) if text is not None else None)

    def _decide(
        self, words: str, work: verbs.Work, onward: Subject | None = None, then: Callable[[bool], None] | None = None
    ) -> None:
        """Carry a decision out in a thread; `then` is told whether it stands, once the desk after it is shown."""
        if self.in_flight:
            return
        self._begin_work(words)
        self.run_worker(self._carry_out(work, onward, then), group="decide")

    def _begin_work(self, words: str) -> None:
        self.in_flight = words
        self.guard.close()
        self.say(words)

    def _end_work(self) -> None:
        self.in_flight = ""
        self.say("")

    def _give_up(self, words: str, *, bad: bool = True) -> None:
        """Nothing came of it, and what is shown is what was shown."""
        self._end_work()
        self.tell(visible_line(words), bad=bad)
        self.call_after_refresh(self.guard.painted)
        self.catch_up()

    async def _carry_out(self, work: verbs.Work, onward: Subject | None, then: Callable[[bool], None] | None) -> None:
        found = await asyncio.to_thread(verbs.carry_out, self.gate, work)
        self._end_work()
        if found.done is not None:
            self.decided += 1
            self._tell_done(found.done)
        if found.refusal is not None:
            self.tell(visible_line(found.refusal), bad=True)
        stands = found.done is not None
        if found.desk is not None:
            self.take(found.desk, onward if stands else None, own=stands)
        if then is not None:
            then(stands)
        self.catch_up()

    def _tell_done(self, done: Done) -> None:
        tail = f" · commit {done.commit}" if done.commit else ""
        self.tell(visible_line(f"{done.sentence}{tail}"))
        if done.postponed:
            self.tell(visible_line(f"not committed: {done.postponed}"), bad=True)
        for problem in done.problems:
            self.tell(visible_line(f"the decision stands, but: {problem}"), bad=True)


def _unseen(masked: int) -> str:
    """What is said before a yes to something that was not shown whole."""
    are, them = ("is", "it") if masked == 1 else ("are", "them")
    return f"{counted(masked)} in it {are} masked, so you did not see {them}: Esc, then V shows {them}."


def _held_question(item: Staged, more: Sequence[Content]) -> Question:
    holds = item.standing.held_by
    body = [Content.styled(visible_line(item.title), "bold"), *more]
    body += [Content.styled(f"held by “{_words(hold)}”", "$error") for hold in holds]
    choices = []
    if item.standing.can_approve:
        choices.append(("approve", "approve; it stays held until the hold is lifted"))
    if all(hold.kind != "file" for hold in holds):
        these = "this hold" if len(holds) == 1 else f"these {len(holds)} holds"
        choices.append(("override", f"approve and override {these}, for these bytes alone"))
    return Question(f"{item.draft.id} is held", body, choices)


def _words(hold: Hold) -> str:
    return visible_line(f"{hold.subject} — {hold.reason}" if hold.reason else hold.subject)


def _plain_question(title: str, about: str, name: str, says: str = "", *, more: Sequence[Content] = ()) -> Question:
    answer = "approve" if name == "promote" else name
    body = [Content.styled(visible_line(about), "bold"), *more]
    return Question(title, body, [(answer, says or f"{name} it")])
