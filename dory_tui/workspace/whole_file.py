"""Files that are one entry as a whole, and files that are none: documents, journals, essays, empty templates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dory_tui.workspace import dates, passages, shapes, vocabulary, words
from dory_tui.workspace.entry_shapes import PARENTHESIS, TITLES, Entry, Maker, first_words, inner, step, unfilled
from dory_tui.workspace.headings import (
    BARE_DAY,
    CLOCK,
    CONTAINERS,
    LISTS,
    NUMBER,
    PRIORITY,
    Node,
    bare,
    has_id,
    has_own_id,
    only_date,
    stated,
)  # fmt: skip

_DOCUMENT = re.compile(
    r"(?:\b(?:plan|roadmap|spec|specification|design|guide|readme|manual|report|proposal|playbook)|计划|设计|文档|指南)\s*$",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\b(?:status|report|summary|bericht|informe|relatório|rapport|отчёт)\b|报告|总结", re.IGNORECASE)
_TASKS = 60


class WholeFile(Maker):
    """What a file is as a whole."""

    def _whole_file(self, root: Node, top: Node | None) -> Entry | None:
        """The file as one entry: front matter with a state, or a title with labels and the parts of one thing."""
        front = self._front()
        state = next((value for name, value in front if words.plain(name) in vocabulary.STATUS_FIELDS), "")
        state = state or self._status_heading(root)
        below = top.kids if top is not None else root.kids
        own = [kid for kid in self._leaves(below) if has_own_id(kid.title)]
        if state and len(own) < 2:
            return self._file(state, tuple(front), top)
        if top is None:
            return self._label_file(root) if not below else None
        if not below:
            return self._label_file(root) or self._titled_file(top) or self._stated_file(top)
        fields = tuple(field for part in top.parts for field in part.fields)
        roles = [kid.role for kid in below]
        known, listing = roles.count("part"), {"live", "todo", "resolved"} & set(roles)
        heading, _ = words.in_heading(top.title)
        named = bool(has_id(top.title)) or dates.find(top.title) is not None or bool(heading)
        more = len(bare(top.title).split()) > 1 and not any(map(self._nothing, top.parts))
        # `# HOLD — things Mara must unblock` names a list; `# BLOCKED — 2026-04-17` and `# Search — ON HOLD` one thing.
        listed = re.match(r"^\W*[A-Z]{3,}(?:\s[A-Z]{2,})*\s*[—–:-]", top.title) and dates.find(top.title) is None
        more = more and not (listed and (len(below) > 1 or any(map(self._strong, below))))
        more = more and not (top.parts and PARENTHESIS.match(top.parts[0].first.shown))
        if self.slot == "hold" and heading == "open" and more and not own and not listing - {"todo"}:
            return self._file("", fields, top)
        if own or (listing - {"todo"} and known < 2):
            return None
        status = stated(fields, "")[0]
        alone = not any(self._dated(kid.title) or stated(self._fields(kid), "")[0] for kid in below)
        if (fields and (known > 1 or (alone and (known or status)))) or (named and known and alone):
            return self._file(stated(fields, "")[1], fields, top)
        return None

    def _titled_file(self, top: Node) -> Entry | None:
        """A title, labels right below it, and then whatever: `# HOLD — do not deploy`, `**Since:** …`, `**By:** …`."""
        parts = [part for part in top.parts if part.form != "quote"]
        fields = tuple(field for part in parts for field in part.fields)
        led = bool(parts) and parts[0].form == "label"
        state, word = stated(fields, top.title)
        listed = sum(part.form in ("bullet", "row") and part.field is None for part in parts)
        if not led or not (len(fields) > 1 or state) or (listed and self.slot not in ("hold", "staging", "active")):
            return None
        names = [words.plain(name) for name, _ in fields]
        if len(names) != len(set(names)) or any(part.form == "row" for part in parts):
            return None
        return self._file(word, fields, top)

    def _stated_file(self, top: Node) -> Entry | None:
        """One draft whose title says what it waits for: `# 待发布…` and the text."""
        state, word = words.in_heading(top.title)
        plain = all(part.form in ("prose", "fence", "quote") for part in top.parts)
        if self.slot != "staging" or not state or not top.parts or not plain or top.role:
            return None
        return self._file(word, (), top)

    def _status_heading(self, root: Node) -> str:
        """The state of a draft whose only heading says it: `## 状态：待手动发布`."""
        if self.slot != "staging" or any(node.parts and node.level > 1 and node.role in LISTS for node in root.walk()):
            return ""
        for node in root.walk():
            name, colon, value = node.title.replace("：", ":").partition(":")
            if colon and words.plain(name) in vocabulary.STATUS_FIELDS:
                return value.strip()
        return ""

    def _fields(self, node: Node) -> tuple[tuple[str, str], ...]:
        return tuple(field for part in node.parts for field in part.fields)

    def _leaves(self, nodes: Sequence[Node]) -> Iterator[Node]:
        for node in nodes:
            yield node
            if not self._strong(node):
                yield from self._leaves(node.kids)

    def _label_file(self, root: Node) -> Entry | None:
        """`Blocked At: …` and `Reason: …` lines, bare or as a list, and nothing else."""
        parts = [part for node in root.walk() for part in node.parts]
        fields = tuple(field for part in parts for field in part.fields)
        names = [words.plain(name) for name, _ in fields]
        if len(names) != len(set(names)):
            return None
        if len(fields) < 2 or any(part.field is None and ":" not in part.first.shown for part in parts):
            return None
        return self._file(stated(fields, "")[1], fields, root.kids[0] if root.kids else None)

    def _file(self, status: str, fields: tuple[tuple[str, str], ...], top: Node | None) -> Entry:
        state, word = (words.condition(status), status) if status else ("", "")
        heading = words.in_heading(top.title) if top is not None else ("", "")
        if not state:
            state, word = heading
        title = top.title if top is not None else next((v for n, v in fields if words.plain(n) in TITLES), "")
        lines = tuple(self.document.lines)
        return Entry(
            "file", title or first_words(lines), lines, self._over(state), state == "proposed", word, fields=fields
        )

    def _front(self) -> list[tuple[str, str]]:
        found = []
        for line in self.document.lines:
            if line.mask != "front":
                break
            name, colon, value = line.text.partition(":")
            if colon and name and not name[0].isspace():
                found.append((name.strip(), value.strip().strip("\"'")))
        return found

    def _said_task(self, root: Node) -> Entry | None:
        """The task of ACTIVE.md in the user's own words: the boxes beside them are its steps."""
        if self.slot != "active":
            return None
        for node in root.walk():
            for line in node.lines if node.role != "example" else ():
                found = passages.labelled(line) if not line.mask else None
                if found is None or words.plain(found[0]) not in vocabulary.SAID:
                    continue
                said = found[1].strip('“”"«»„* ') or next(
                    (one.shown.lstrip("> ") for one in node.lines if one.number > line.number and not one.blank), ""
                )
                if (
                    said
                    and not words.says_nothing(inner(said))
                    and not shapes.is_nothing(said)
                    and not shapes.is_slot(said)
                ):
                    steps = tuple(step(part) for one in root.walk() for part in one.parts if part.box is not None)
                    lines = tuple(self.document.lines)
                    return Entry("file", said, lines, False, False, "", "", (found,), steps)
        return None

    def _idle_file(self, root: Node) -> bool:
        """Whether ACTIVE.md says that no task was given: `**User said:** [none]`, in any language."""
        if self.slot != "active":
            return False
        if root.kids and self._idle("", self._fields(root.kids[0])):
            return True
        labels = (passages.labelled(line) for node in root.walk() for line in node.lines if not line.mask)
        said = [value for name, value in filter(None, labels) if words.plain(name) in vocabulary.SAID]
        return bool(said) and all(words.says_nothing(inner(value)) or shapes.is_nothing(value) for value in said)

    def _blank(self, root: Node) -> bool:
        """Whether the file is a template that nobody filled in. HOLD.md errs towards holding and never is one."""
        if self.slot in ("hold", "decisions"):
            return False
        lines = [line for node in root.walk() for line in node.lines if not line.blank and not line.mask]
        lines = [line for line in lines if not shapes.is_rule(line.shown) and not shapes.is_italic(line.shown)]
        slots = sum(unfilled(line) or shapes.strip_marks(line.shown) == "" for line in lines)
        slots += sum(shapes.is_placeholder(node.title) for node in root.walk())
        return slots > 2 and slots * 10 >= len(lines) * 3

    def _document(self, root: Node, top: Node | None) -> bool:
        """Whether the file is a document about something else: a plan, a guide, a README."""
        if self.notes or top is None or not top.kids:
            return False
        roles = [node.role for node in root.walk()]
        if self.slot == "staging" and _REPORT.search(top.title):
            return True
        if _DOCUMENT.search(top.title) and not {"live", "resolved"} & set(roles):
            return True
        chapters = sum(words.plain(node.title) in vocabulary.MANUAL_CHAPTERS for node in top.kids)
        if chapters > 1 and not any(part.field for part in top.parts):
            return True
        overview = any(words.plain(node.title) == "overview" for node in top.kids)
        fences = sum(part.form == "fence" for node in root.walk() for part in node.parts)
        return overview and fences > 2 and not {"live", "resolved"} & set(roles[2:])

    def _doubtful(self) -> bool:
        """Whether the entries are of many forms, or stand beside much that is none."""
        if self.notes or not self.entries:
            return False
        total = len(self.entries)
        forms = [entry.shape for entry in self.entries]
        main = max(forms.count(form) for form in set(forms))
        mixed = len(set(forms)) > 1 and main * 4 < total * 3 and total > 3
        guessed = len(self.guessed & {entry.line for entry in self.entries})
        return mixed or (guessed and guessed < total) or len(self.rest) > max(4, total)

    def _journal(self) -> bool:
        """Whether ACTIVE.md is a journal: nobody is on so many tasks at once."""
        return self.slot == "active" and sum(not entry.resolved for entry in self.entries) > _TASKS

    def _essay(self, root: Node) -> bool:
        """Whether the file is a text: paragraphs in far more sections than anything listed, and no mark of an entry."""
        if self.notes or not self.entries:
            return False
        marked = [entry for entry in self.entries if entry.line not in self.told_first]
        if any(entry.shape in ("stamp", "file", "row", "heading", "labels") for entry in marked):
            return False
        nodes = [node for node in root.walk() if node.heading is not None]
        roles = {node.role for node in nodes[1:]} & LISTS
        if (roles and self.slot != "hold") or any(part.box is not None for node in nodes for part in node.parts):
            return False
        prose = sum(part.form in ("prose", "fence") for node in root.walk() for part in node.parts)
        bullets = sum(entry.shape == "bullet" for entry in self.entries)
        return prose > 8 and prose > 2 * len(nodes) and prose > 2 * bullets

    def _strong(self, node: Node) -> bool:
        """Whether a heading bears the marks of an entry: an id, a number, a date, a state, or known labels below."""
        known = self.strong.get(id(node))
        if known is None:
            known = self.strong[id(node)] = self._marked(node)
        return known

    def _marked(self, node: Node) -> bool:
        if node.role in CONTAINERS or only_date(node.title):
            return False
        fields = [part.field for part in node.parts if part.field is not None]
        plain = [part for part in node.parts if part.form == "bullet" and part.field is None and part.box is None]
        boxes = any(part.box is not None for part in node.parts)
        if PRIORITY.match(bare(node.title)) and boxes:
            return False
        if has_id(node.title):
            if all(part.form in ("row", "head", "prose") for part in node.parts) and self._rows(node) and not fields:
                return False
            listed = len(plain) > 1 and len(plain) == len(node.parts) and not node.kids
            return not (listed and NUMBER.match(bare(node.title)))
        if self._dated(node.title) and not (self.slot == "active" and len(plain) > 1):
            return True
        state, word = words.in_heading(node.title)
        if state and word and not (self.slot == "decisions" and state in ("open", "resolved")):
            ends = node.title.rstrip("️ ").endswith("✅")
            return ends or not (word == "✅" and (len(plain) > 1 or boxes or node.kids))
        names = {words.plain(name) for name, _ in fields}
        return len(names) > 1 or (bool(names & vocabulary.KEY_FIELDS) and not boxes and len(plain) < 3)

    def _dated(self, title: str) -> bool:
        if CLOCK.match(title):
            return False
        found = dates.find(title) is not None
        return found or (self.slot == "staging" and len(BARE_DAY.findall(title)) == 1)

    def _rows(self, node: Node) -> bool:
        return not node.kids and any(part.form == "row" for part in node.parts)

    def _lists(self, node: Node) -> bool:
        """Whether what stands directly below a heading are boxes to tick, or rows."""
        boxes = sum(part.box is not None for part in node.parts)
        return boxes > 1 or any(part.form == "row" for part in node.parts)
