"""The human's own proposals for MEMORY.md, out of lines of a log (memory.md, "A candidate")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.ledger.store import MEMORY_PREFIX, BusyError, LedgerError
from dory_tui.memory import proposing
from dory_tui.memory.scoring import flow
from dory_tui.review.change import DecisionError, Done, StaleError, of_files
from dory_tui.review.memories import agent_scores, set_front
from dory_tui.secrets import masked_file
from dory_tui.workspace import shapes
from dory_tui.workspace.document import Document, Line, WorkspaceError, encode, parse, read_bytes
from dory_tui.workspace.drafts import valid_id
from dory_tui.workspace.layout import MEMORY
from dory_tui.workspace.promotions import parse_promotion, read_promotions

PROPOSED = "proposed"
_BULLET = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<rest>.*)$")
_TIME = re.compile(r"^[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?(?:[ \t]*[-–—:|])?[ \t]+(?=\S)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+")
_LONGEST = 60


def passage(document: Document, number: int) -> range:
    """The numbers of the lines that belong together with a line (from 1): an entry with what stands below it, or a
    paragraph. A heading, a blank line, a row of a table and a line of a fence stand alone."""
    lines = document.lines
    if _alone(lines[number - 1]):
        return range(number, number + 1)
    first = number
    while not _begins(lines[first - 1].text) and first > 1 and not _alone(lines[first - 2]):
        first -= 1
    head = lines[first - 1].text
    last = first
    for line in lines[first:]:
        deeper = _begins(head) and _indent(line.text) > _indent(head)
        if _alone(line) or (_begins(line.text) and not deeper):
            break
        last += 1
    return range(first, last + 1)


def _alone(line: Line) -> bool:
    special = line.heading is not None or bool(line.mask) or shapes.is_rule(line.shown)
    return line.blank or special or line.shown.lstrip().startswith("|")


def _begins(text: str) -> bool:
    """Whether a line begins an entry: a bullet, or a time."""
    return _BULLET.match(text) is not None or _TIME.match(text.lstrip()) is not None


def _indent(text: str) -> int:
    expanded = text.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def taken(document: Document, numbers: Sequence[int]) -> tuple[str, bool]:
    """Some lines of a log as a memory, and whether a secret is masked in them. Numbers count from 1, ascending.

    Lines that do not follow each other are entries of their own. It is masked in the whole file, since a part of a
    secret is not known as one.
    """
    shown = parse(document.path, masked_file(document.data)).lines
    texts: list[str] = []
    for at, number in enumerate(numbers):
        texts += [""] if at and numbers[at - 1] != number - 1 else []
        texts.append(shown[number - 1].text)
    return words(texts), any(shown[number - 1].text != document.lines[number - 1].text for number in numbers)


def words(lines: Sequence[str]) -> str:
    """Lines of a log as a memory: bullets without times, boxes and the marks of headings.

    What stands below an entry stays below it, as far indented beyond it as it was.
    """
    made: list[str] = []
    depth, below = 0, False
    for text in (one.expandtabs(4).rstrip() for one in lines):
        beyond = _indent(text) - depth
        if not text:
            below = False
        elif below and _begins(text) and beyond > 0:
            made.append(f"{' ' * beyond}- {_bare(text)}")
        elif below and not _begins(text) and not _HEADING.match(text):
            made.append(f"{' ' * max(2, beyond)}{text.lstrip()}")
        else:
            depth, below = _indent(text), not _HEADING.match(text)
            made.append(f"- {_bare(text)}")
    return "\n".join(made)


def _bare(text: str) -> str:
    """A line without what makes it an entry of a log."""
    found = _BULLET.match(text)
    return _TIME.sub("", found["rest"] if found else _HEADING.sub("", text).lstrip())


def headings(memory: bytes) -> tuple[str, ...]:
    """The sections of MEMORY.md that something can be put into, such as `## People`; its title is none of them."""
    cut = [one for one in shapes.sections(parse(MEMORY, memory)) if one.heading is not None and one.title.strip()]
    deeper = any(one.level > 1 for one in cut)
    found = [f"{'#' * one.level} {one.title.strip()}" for one in cut if one.level > 1 or not deeper]
    return tuple(dict.fromkeys(found))


def read_headings(gate: Gate) -> tuple[str, ...]:
    """The sections of MEMORY.md as it is; none when it cannot be read."""
    try:
        return headings(read_bytes(gate.root / MEMORY, MEMORY) or b"")
    except WorkspaceError:
        return ()


def propose(gate: Gate, text: str, *, section: str, scores: Mapping[str, int], source: str) -> Done:
    """Write `memory/promotions/<id>.md` by the rules of `dory-agent propose`, in one commit `Propose <id>`.

    Words that wait already are revised, and the agent's scores for them kept; words of no candidate get an id that no
    other has. DecisionError when they cannot be proposed.
    """
    body = encode(text).strip(b"\r\n")
    if not body.strip():
        raise DecisionError(Exit.USAGE, "there is nothing to propose: write what should be remembered")
    named = section.strip() if section.strip().startswith("#") else f"## {section.strip()}"
    if not named.lstrip("# "):
        raise DecisionError(Exit.USAGE, "say in which section of MEMORY.md it belongs: choose one, or name a new one")
    with _refusing():
        same = proposing.pending(gate.root, body)
        identity = same.id if same is not None else _free(gate, proposing.named(body))
        with gate.ledger.lock(MEMORY_PREFIX + identity):
            made = proposing.prepare(gate.root, body, section=named, scores=scores, identity=identity, source=source)
            return _written(gate, made) if made.fresh else Done(made.sentence)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except proposing.ProposeError as error:
        raise DecisionError(Exit.USAGE, str(error)) from error
    except (WorkspaceError, LedgerError) as error:
        code = Exit.CLAIMED if isinstance(error, BusyError) else Exit.REFUSED
        raise DecisionError(code, str(error)) from error


def _free(gate: Gate, wanted: str) -> str:
    """An id that no candidate has, whatever became of it."""
    base = wanted[:_LONGEST].rstrip("-._") if valid_id(wanted) else "memory"
    taken = {one.id for one in read_promotions(gate.root)}
    numbered = (base if n == 1 else f"{base}-{n}" for n in range(1, len(taken) + 2))
    return next(name for name in numbered if name not in taken)


def _written(gate: Gate, made: proposing.Prepared) -> Done:
    data = made.data
    if made.before is not None and (earlier := parse_promotion(made.path, made.before)).problem is None:
        data = set_front(data, "agent_scores", flow(agent_scores(earlier)))
    change = of_files(gate, made.path)

    def work(found: bytes | None) -> bytes:
        if found != made.before:
            raise ValueError(f"{made.path} changed just now, so nothing was written: propose it again")
        return data

    try:
        change.edit(made.path, work)
        if made.path not in change.touched:
            raise DecisionError(Exit.REFUSED, change.problems[0]) if change.problems else StaleError(made.path)
        digest = parse_promotion(made.path, data).digest
        return change.commit(made.sentence, f"Propose {made.id}", PROPOSED, made.id, digest)
    finally:
        change.let_go()
