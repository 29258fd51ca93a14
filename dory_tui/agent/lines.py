"""Lines an agent adds to the state files: a hold, which only a human takes away, and a decision of its own."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from dory_tui.agent.write import RefusedError, local_or_machine, splice
from dory_tui.gate.conflicts import HUMAN
from dory_tui.gate.covered import covered
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import LedgerError
from dory_tui.values import dataclass
from dory_tui.visible import refused_in_field, warnings
from dory_tui.workspace import layout, shapes, timestamps
from dory_tui.workspace.day_log import plain
from dory_tui.workspace.document import WorkspaceError, encode, parse
from dory_tui.workspace.edits import add_line, one_line
from dory_tui.workspace.holds import Hold, holds, split_reason

_HUMAN_STAMP = re.compile(rf"\|\s*{HUMAN}\s*\]")
_TURN = "@hold"


@dataclass(frozen=True, slots=True)
class Added:
    """A line of a state file. `fresh` is False when it stood there already."""

    path: str
    line: str
    fresh: bool
    sentence: str


def hold(gate: Gate, text: str, session: str) -> Added:
    """Block something from now on: `[stamp | session] Item — reason` in HOLD.md, and a record that it was seen.

    The same open hold again adds no second line. RefusedError when the words make no hold line.
    """
    source = _stamped(local_or_machine(gate), text, session)
    stamp = shapes.stamp(parse(layout.HOLD, encode(source)).lines[0])
    if stamp is None or shapes.unfilled(stamp):
        raise RefusedError(f"{one_line(text)!r} does not make a hold line: say it as `Item — reason`", Exit.USAGE)
    try:
        gate.settle()
        with gate.ledger.lock(_TURN):
            same = next((one for one in gate.holds() if _says(one, stamp)), None)
            if same is None:
                splice(gate, layout.HOLD, lambda data: _held(data, stamp, source))
            gate.notice_holds(gate.holds())
    except LedgerError as error:
        # Erring towards holding: a line that no record knows of holds all the same.
        splice(gate, layout.HOLD, lambda data: _held(data, stamp, source))
        raise RefusedError(f"held in {layout.HOLD}, but not recorded, so keep its line: {error}") from error
    if same is not None:
        where = f"{layout.HOLD} line {same.line}" if same.present else f"{layout.HOLD} lost its line, but it holds"
        says = f"this hold stands already ({where}): nothing was changed; {_covering(gate, stamp)}"
        return Added(layout.HOLD, same.text, False, says)
    return Added(layout.HOLD, source, True, f"held in {layout.HOLD}: {source}; {_covering(gate, stamp)}")


def _covering(gate: Gate, stamp: shapes.Stamp) -> str:
    """What a hold covers now: words that no draft shares hold nothing, and whoever wrote them should know."""
    try:
        found = next((one for one in gate.holds() if _says(one, stamp)), None)
        ids = [] if found is None else covered(found, [(one, gate.standing(one, ())) for one in gate.staging().drafts])
    except (LedgerError, WorkspaceError) as error:
        return f"what it covers cannot be told ({error})"
    everything = found is not None and found.everything
    what = "everything" if everything else ", ".join(ids) or "no draft that is staged now"
    return f"it covers {what}; only a human lifts it"


def _held(data: bytes | None, stamp: shapes.Stamp, source: str) -> bytes:
    """HOLD.md with the line, once."""
    if data is not None and any(_says(one, stamp) for one in holds(parse(layout.HOLD, data))):
        return data
    return add_line(layout.HOLD, data, source)


def _says(one: Hold, stamp: shapes.Stamp) -> bool:
    """Whether a hold is the one that a stamp line says, in whatever shape; a row may have its reason elsewhere."""
    item, _, reason = split_reason(stamp.text)
    if one.kind == "entry":
        return one.subject in (item, stamp.text) and one.reason in (reason, "")
    return one.kind == "stamp" and (one.subject, one.reason) == (item, reason)


def decide(gate: Gate, text: str, session: str) -> Added:
    """Write down a choice: `[stamp | session] Item — reason` in DECISIONS.md. The same words again that day: nothing.

    RefusedError when the line could be taken for a human's, or is none.
    """
    if (reason := refused_in_field(one_line(text))) is not None:
        raise RefusedError(f"the decision: {reason}", Exit.USAGE)
    now = local_or_machine(gate)
    source = _stamped(now, text, session)
    mine = shapes.stamp(parse(layout.DECISIONS, encode(source)).lines[0])
    if mine is None or shapes.unfilled(mine):
        raise RefusedError(f"{one_line(text)!r} does not make a decision: say it as `Item — reason`", Exit.USAGE)

    def work(data: bytes | None) -> bytes:
        document = parse(layout.DECISIONS, data or b"")
        stamps = [found for line in document.lines if (found := shapes.stamp(line)) is not None]
        if any((one.day, one.text) == (mine.day, mine.text) and one.session != HUMAN for one in stamps):
            return data or b""
        return add_line(layout.DECISIONS, data, source)

    if splice(gate, layout.DECISIONS, work):
        return Added(layout.DECISIONS, source, True, f"written in {layout.DECISIONS}: {source}")
    sentence = f"{layout.DECISIONS} has these words of today already: nothing was changed"
    return Added(layout.DECISIONS, source, False, sentence)


def _stamped(now: datetime, text: str, session: str) -> str:
    words = plain(one_line(text))
    if not words or shapes.is_nothing(words):
        raise RefusedError("there are no words: say it as `Item — reason`", Exit.USAGE)
    folded = unicodedata.normalize("NFKC", words).casefold()
    if words.startswith("[") and shapes.stamp(parse("", encode(words)).lines[0]):
        raise RefusedError("leave the stamp out: the time and the session are written for you", Exit.USAGE)
    if _HUMAN_STAMP.search(folded):
        raise RefusedError(
            f"a line with `| {HUMAN}]` in it reads like a human's decision: say it otherwise", Exit.REFUSED
        )
    return f"[{timestamps.stamp(now)} | {_session(session)}] {words}"


def _session(name: str) -> str:
    """The session a line is signed with. RefusedError when it is the human's, or could be taken for it."""
    session = one_line(name)
    if not session or len(session) > 40 or any(char in session for char in "[]|"):
        raise RefusedError("a session's name is 1 to 40 characters without `[`, `]` and `|`", Exit.USAGE)
    if (reason := refused_in_field(session)) is not None:
        raise RefusedError(f"--session: {reason}", Exit.USAGE)
    letters = "".join(c for c in unicodedata.normalize("NFKC", session).casefold() if c.isalnum())
    if letters == HUMAN or warnings(session):
        raise RefusedError(f"{session!r} reads like the session of a human's decisions: use the name of your own")
    return session
