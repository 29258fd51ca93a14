"""What counts as an entry in a file as people really write it (workspace.md, "Reading what people really write").

Pure. The shape is decided per section: stamp line, heading block, list item, table row, label block, or the whole
file. Where none fits, nothing is counted and the file is shown as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dory_tui.values import dataclass, replace
from dory_tui.workspace import dates, passages, shapes, vocabulary, words
from dory_tui.workspace.document import Document
from dory_tui.workspace.entry_shapes import Entry, ids_in, leads
from dory_tui.workspace.headings import (
    CONTAINERS,
    LISTS,
    PRIORITY,
    Node,
    bare,
    has_id,
    has_own_id,
    id_of,
    is_title,
    only_date,
    transcript,
    tree,
)
from dory_tui.workspace.passages import Passage
from dory_tui.workspace.whole_file import WholeFile

TYPE_CHECKING = False  # typing costs half a start of Python, and only checkers need it
if TYPE_CHECKING:
    from dory_tui.workspace.entry_shapes import Slot

_STATUS_MARK = re.compile(r"^\s*[🔴🟠🟡🟢🔵⏳🔄🚧⏸🛑⚠]")
_ASIDES = frozenset(
    {"notes", "note", "metadata", "tags", "references", "files", "备注", "说明", "примечания", "notizen"}
)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A file's entries, and the passages that are none: (line, first words)."""

    entries: tuple[Entry, ...]
    rest: tuple[Passage, ...]
    beside: tuple[Passage, ...]
    """Paragraphs that stand beside entries and are none."""
    said_nothing: bool
    """Whether the file says "nothing here" somewhere: it then has no entries, and is not text."""
    quiet: frozenset[int] = frozenset()
    """Lines that are neither entries nor text: examples, rules, introductions, "nothing here"."""
    doubt: bool = False
    """Whether much of the count rests on sections that say nothing of what stands in them: it may be off."""

    @property
    def open(self) -> int:
        return sum(not entry.resolved for entry in self.entries)

    @property
    def closed(self) -> int:
        return sum(entry.resolved for entry in self.entries)

    @property
    def as_text(self) -> bool:
        """Whether nothing was recognised and there is something to read: it is shown as text."""
        return not self.entries and not self.said_nothing and bool(self.rest)


def recognise(document: Document, slot: Slot) -> Recognised:
    """The entries of a file that stands in this slot."""
    return _Reader(document, slot).read()


def count(document: Document, slot: Slot) -> tuple[int, int] | None:
    """(open, resolved) entries; None where nothing is recognised and the file is text."""
    found = recognise(document, slot)
    return None if found.as_text else (found.open, found.closed)


class _Reader(WholeFile):
    """Walks one file's headings and gathers its entries."""

    def read(self) -> Recognised:
        root = tree(self.document)
        top = root.kids[0] if len(root.kids) == 1 and root.kids[0].level == 1 and not self.notes else None
        self.listing = top is not None and (
            top.role == "todo" or words.plain(top.title).split(" ")[-1] in ("todo", "queue", "backlog")
        )
        document = self._document(root, top)
        whole = None if self.notes or document else self._whole_file(root, top)
        task = self._said_task(root)
        if task is not None:
            self._keep(task)
        elif (
            self._idle_file(root) or (whole is not None and self._idle(whole.status, whole.fields)) or self._blank(root)
        ):
            self.said_nothing = True
        elif whole is not None:
            self._keep(whole)
        elif (self.notes and transcript(root)) or document:
            self.rest.extend(part for node in root.walk() for part in node.parts)
        else:
            self._own(root, root.parts, resolved=False, introduces=bool(root.kids) and self.slot != "hold")
            for kid in root.kids:
                self._visit(kid, False, root.kids, title=is_title(kid, root, self.notes))
        if self._essay(root) or self._journal():
            self.rest.extend(part for node in root.walk() for part in node.parts)
            self.entries.clear()
        if self.said_nothing and self.slot != "hold" and len(self.guessed) == len(self.entries):
            self.entries = [entry for entry in self.entries if entry.line not in self.guessed]
        self.entries = self._without_rules(self._without_index(self.entries))
        self.entries = self._twice(self.entries)
        self.entries.sort(key=lambda entry: entry.line)
        quiet = frozenset(self.quiet)
        return Recognised(
            tuple(self.entries), tuple(self.rest), tuple(self.beside), self.said_nothing, quiet, self._doubtful()
        )

    def _twice(self, entries: list[Entry]) -> list[Entry]:
        """The same id twice is a conflict, and both stay."""
        seen = Counter(found for entry in entries if entry.shape == "heading" and (found := id_of(entry.title)))
        double = {found for found, times in seen.items() if times > 1}
        if not double:
            return entries
        said = "the id {} stands here more than once"
        return [
            replace(entry, conflict=said.format(id_of(entry.title)))
            if entry.shape == "heading" and not entry.conflict and id_of(entry.title) in double
            else entry
            for entry in entries
        ]

    def _without_index(self, entries: list[Entry]) -> list[Entry]:
        """The entries without rows and items that only list the ids of heading blocks in the same file."""
        ids = {found for entry in entries if entry.shape == "heading" and (found := id_of(entry.title))}
        if not ids:
            return entries
        ids |= {found.rpartition("-")[2] for found in ids}
        listed = ("row", "bullet")
        return [one for one in entries if one.shape not in listed or not ids & set(ids_in(one))]

    def _without_rules(self, entries: list[Entry]) -> list[Entry]:
        """In a file of rows or of heading blocks, the few bullets under an unknown heading are rules, goals, notes."""
        if self.notes or self.slot == "hold":
            return entries
        blocks = sum(entry.shape == "heading" for entry in entries)
        rows = sum(entry.shape == "row" for entry in entries)
        if (blocks > 2 and (self.slot == "staging" or len(self.guessed) <= blocks)) or rows > 9 * len(self.guessed):
            return [entry for entry in entries if entry.line not in self.guessed]
        return entries

    def _visit(self, node: Node, resolved: bool, siblings: Sequence[Node], *, title: bool) -> None:
        role = node.role
        if self.notes and role == "example" and words.plain(node.title) not in vocabulary.EXAMPLE:
            role = ""
        if role == "example" or (shapes.is_placeholder(node.title) and not self.notes):
            self._stamps_only(node)
            return
        if self.slot == "hold" and not title and self._other_column(node, siblings):
            self._stamps_only(node)
            return
        if self.slot == "active" and not title and not role and "decision" in node.title.casefold():
            role = "about"
        if role == "about" and not title and not self.notes and self._explains(node):
            self._stamps_only(node)
            return
        boxed = resolved and any(part.box is not None for part in node.parts) and not has_id(node.title)
        if not title and not self.notes and not boxed and self._is_entry(node, siblings, role):
            if (entry := self._heading(node, resolved)) is not None:
                self._keep(entry)
            return
        state, _ = words.in_heading(node.title) if not title and role != "live" else ("", "")
        day = dates.find(node.title) if node.heading is not None else None
        self.days += [day] if day is not None else []
        inside = resolved or role in ("resolved", "rejected") or (state == "resolved" and not title)
        self._own(node, node.parts, resolved=inside, introduces=title and self._introduces(node))
        for kid in node.kids:
            self._visit(kid, inside, node.kids, title=False)
        if day is not None:
            self.days.pop()

    def _other_column(self, node: Node, siblings: Sequence[Node]) -> bool:
        """Whether a heading is a column of a board beside the blocked one: only that one holds."""
        if words.plain(node.title) not in vocabulary.OTHER_COLUMNS:
            return False
        beside = [one for one in siblings if one is not node]
        return any(words.plain(one.title) in vocabulary.HOLDING_COLUMNS for one in beside)

    def _explains(self, node: Node) -> bool:
        """Whether a section about the file holds no entries. In HOLD.md only where its title can mean nothing else."""
        if self.slot != "hold":
            return True
        lines = (line.shown for one in node.walk() for line in one.lines)
        return words.plain(node.title) in vocabulary.MANUAL and not any(map(shapes.forbids, lines))

    def _introduces(self, node: Node) -> bool:
        """Whether the text right below a title introduces the file: there are sections, or it is a few words alone."""
        if node.kids:
            return True
        alone = all(part.form in ("prose", "quote") or self._nothing(part) for part in node.parts)
        return self.slot in ("active", "decisions") and alone and len(node.parts) < 3

    def _is_entry(self, node: Node, siblings: Sequence[Node], role: words.Role) -> bool:
        """Whether a heading is an entry with all that stands below it, not a section that lists entries."""
        known = self.judged.get(id(node))
        if known is None:
            known = self.judged[id(node)] = self._judge(node, siblings, role)
        return known

    def _judge(self, node: Node, siblings: Sequence[Node], role: words.Role) -> bool:
        if role in LISTS or only_date(node.title):
            return False
        named = has_id(node.title)
        strong = sum(self._strong(kid) for kid in node.kids)
        if any(PRIORITY.match(bare(kid.title)) and self._lists(kid) for kid in node.kids):
            return False
        if not named and (strong * 2 >= max(len(node.kids), 1) or any(kid.role in LISTS for kid in node.kids)):
            return False
        if self._strong(node):
            return True
        if self._told_first(node) and node.heading is not None:
            self.told_first.add(node.heading.number)
            return True
        if strong or any(self._is_entry(kid, node.kids, kid.role) for kid in node.kids if kid.role != "part"):
            return False
        others, named_ones, alike = self._among(siblings)
        mine = node.role not in CONTAINERS and not only_date(node.title)
        others, named_ones = others - mine, named_ones - (mine and has_own_id(node.title))
        if named_ones > 1:
            return False
        if alike > 1 and alike * 2 >= others and not self._lists(node) and not any(map(self._lists, node.kids)):
            return bool(node.parts or node.kids)
        return False

    def _told_first(self, node: Node) -> bool:
        """Whether a heading is told in prose, with a list below it: the list is then part of what it tells."""
        if self.slot not in ("hold", "decisions") or node.level < 2 or node.role or node.kids:
            return False
        forms = [part.form for part in node.parts if part.form != "quote"]
        listed = any(part.form == "bullet" and part.box is None for part in node.parts)
        return bool(forms) and forms[0] == "prose" and listed and not leads(node.parts[0])

    def _among(self, siblings: Sequence[Node]) -> tuple[int, int, int]:
        """(how many headings side by side may be entries, how many of them bear an id, how many are strong)."""
        known = self.beside_each_other.get(id(siblings))
        if known is None:
            may = [one for one in siblings if one.role not in CONTAINERS and not only_date(one.title)]
            own = sum(has_own_id(one.title) for one in may)
            known = self.beside_each_other[id(siblings)] = (len(may), own, sum(map(self._strong, may)))
        return known

    def _own(self, node: Node, parts: Sequence[Passage], *, resolved: bool, introduces: bool) -> None:
        """The entries among a section's own passages."""
        content = [part for part in parts if part.form not in ("quote", "head")]
        self._hush(line for part in parts if part.form == "head" for line in part.lines)
        boxes = any(part.box is not None for part in content)
        if (told := self._told_in_labels(node, content, resolved)) is not None:
            for one in told:
                self._keep(one)
            return
        listed = len(self.entries)
        prose: list[Passage] = []
        for part in content:
            if self._nothing(part):
                self.said_nothing = True
                self._hush(part.lines)
            elif (entry := self._part(node, part, boxes, resolved, introduces)) is not None:
                self._keep(entry)
                sure = node.role in LISTS or (part.box is not None and self.slot != "staging")
                sure = sure or PRIORITY.match(bare(node.title)) is not None
                if entry.shape == "bullet" and not sure and (not resolved or part.box == " "):
                    self.guessed.add(entry.line)
            elif self._skipped(part):
                self._hush(part.lines)
            elif part.form in ("prose", "fence", "label"):
                prose.append(part)
        if introduces:
            self._hush(line for part in prose for line in part.lines)
        if len(self.entries) > listed or introduces:
            self.beside += [part for part in prose if not introduces and part.form == "prose" and not leads(part)]
            return
        if prose and self._counts_prose(node):
            self._keep(self._prose(node, prose, resolved))
        else:
            self.rest.extend(prose)

    def _told_in_labels(self, node: Node, content: Sequence[Passage], resolved: bool) -> list[Entry] | None:
        """The entries of a section that tells them in labels; None where it does not."""
        if (groups := self._label_groups(content, resolved)) is not None:
            return groups
        block = self._label_block(node, content, resolved)
        return None if block is None else [block]

    def _part(self, node: Node, part: Passage, boxes: bool, resolved: bool, introduces: bool) -> Entry | None:
        if part.form == "stamp":
            return self._stamp(part, resolved)
        if self._skipped(part):
            return None
        if part.form == "row":
            return self._row(node, part, resolved)
        if part.form == "bullet" and self._counts_bullet(node, part, boxes, introduces, resolved):
            return self._bullet(part, resolved)
        if part.form == "bullet":
            self.rest.append(part)
        return None

    def _counts_bullet(self, node: Node, part: Passage, boxes: bool, introduces: bool, resolved: bool) -> bool:
        if self.notes:
            return True
        if part.field is not None:
            return False
        if resolved:
            return True
        if part.box is not None:
            return True
        if node.role in ("live", "todo", "resolved", "rejected"):
            return True
        if node.heading is not None and _STATUS_MARK.match(node.title):
            return True
        if self.slot in ("active", "staging") and self.listing:
            return True
        if self.slot == "active":
            return False
        if introduces and node.heading is not None:
            return False
        if self.slot == "staging" and not self._draft_like(part):
            return False
        return not boxes

    def _draft_like(self, part: Passage) -> bool:
        """Whether a list item below a title that says nothing is led by a bold phrase, struck, or states itself."""
        source = shapes.strip_marks(part.first.shown)
        return passages.bold_lead(part.first) or source.startswith("~~") or bool(words.in_heading(source)[0])

    def _counts_prose(self, node: Node) -> bool:
        if self.notes:
            return words.plain(node.title) not in _ASIDES
        if self.slot in ("hold", "decisions"):
            return node.heading is not None and node.level > 1 and words.plain(node.title) not in _ASIDES
        return self.slot == "staging" and node.heading is not None and node.role == "live"

    def _stamps_only(self, node: Node) -> None:
        self._hush(node.all_lines())
        for one in node.walk():
            for part in one.parts:
                if part.form == "stamp" and (entry := self._stamp(part, False)) is not None:
                    self._keep(entry)
