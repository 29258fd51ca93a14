"""A memory proposed out of a log: where it goes, its four scores, and its words. Only `m` proposes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from dory_tui.secrets import ADVICE, spans
from dory_tui.tui import keys
from dory_tui.tui.guard import Guard, Guarded, Monotonic
from dory_tui.tui.widgets.browser import Browser
from dory_tui.tui.widgets.pages import ScoreCard
from dory_tui.tui.widgets.score_editor import ScoreEditor
from dory_tui.visible import Looking, visible, visible_line, written_out
from dory_tui.workspace.promotions import AXES

_TOO_SOON = "that key came too soon after the one before: press it again"
_NEW = "a new section…"


@dataclass(frozen=True)
class Proposal:
    """What is proposed. `section` is a heading such as `## People`, or the words of a new one."""

    section: str
    scores: Mapping[str, int]
    text: str


class Scores(ScoreEditor, inherit_bindings=False):
    """The score editor as a field among others: edited while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [one for one in keys.SCORES if one.action != "leave"]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.can_focus = True
        self.compact = True

    @property
    def scores(self) -> Mapping[str, int]:
        return dict(self._scores)

    def on_focus(self) -> None:
        self.editing = True

    def action_leave(self) -> None:
        self.editing = False


class Words(TextArea):
    """The text of a memory. What cannot be seen is written out in it, also what is pasted."""

    def seen(self) -> None:
        with Looking(reveal=True):  # what a person types is theirs
            shown = seen(self.text)
        if shown != self.text:
            self.text = shown


def seen(text: str) -> str:
    """Text for a field in which nothing hides."""
    return visible(text.replace("\t", "    ")).text


class Propose(Static):
    """The line that a click proposes by."""

    def __init__(self, says: Content) -> None:
        super().__init__(says, markup=False, id="propose-it")

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if isinstance(self.screen, ProposeScreen):
            self.screen.action_propose()


class ProposeScreen(Guarded, ModalScreen[Proposal | None]):
    """Returns what is proposed, None for nothing.

    `sections` are the headings of MEMORY.md, `source` is where the words stand, such as `memory/2026-02-07.md#L12`,
    `pending` the id of a candidate that says the same, `secret` tells that one is masked in the words.
    """

    CSS_PATH = "propose.tcss"
    AUTO_FOCUS = "#propose-sections"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.PROPOSE]

    def __init__(
        self, start: Proposal, sections: Sequence[str], source: str, clock: Monotonic, *, pending: str | None = None,
        secret: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.guard = Guard(clock)
        self._start, self._sections, self._source = start, sections, source
        self._pending, self._secret = pending, secret
        self._warned: str | None = None
        """The text with a secret in it of which that was said."""

    def compose(self) -> ComposeResult:
        path, _, line = self._source.partition("#L")
        where = f"from {visible_line(path)} line {line}" if line else f"from {visible_line(path)}"
        if self._pending is not None:
            where += f" · these words wait already, as {visible_line(self._pending)}: this revises them"
        if self._secret:
            where += f" · a secret is left out of them: {ADVICE}"
        with VerticalScroll(id="propose-box", can_focus=False):
            yield Static(Content(where), markup=False, id="propose-from")
            yield Words(seen(self._start.text), id="propose-text", compact=True, soft_wrap=True)
            with Vertical(id="propose-where"):
                yield Browser(*self._options(), id="propose-sections", markup=False)
                yield Input(id="propose-new", placeholder="name it", compact=True, select_on_focus=False)
            yield Scores(id="propose-scores")
            yield Propose(
                Content.assemble(("m", "bold $accent"), "  propose it   ", ("Esc", "bold $accent"), "  nothing")
            )

    def _options(self) -> list[Option]:
        names = [Content(visible_line(one.lstrip("# ") or one)) for one in self._sections]
        return [Option(name) for name in [*names, Content.styled(_NEW, "$text-muted")]]

    def on_mount(self) -> None:
        for name, title in (("box", "Propose for MEMORY.md"), ("where", "section"), ("text", "words")):
            self.query_one(f"#propose-{name}").border_title = Content(title)
        self.scores.border_title = Content("scores")
        scores = self._start.scores or dict.fromkeys(AXES, 0)
        self.scores.show(ScoreCard(scores, scores, 0, None, 1))
        known = self._start.section in self._sections
        self.sections.highlighted = self._sections.index(self._start.section) if known else 0
        self._offer_name()
        self.call_after_refresh(self.guard.painted)

    def on_resize(self, event: events.Resize) -> None:
        self.sections.styles.height = min(len(self._sections) + 1, max(2, min(8, event.size.height - 20)))

    @property
    def sections(self) -> Browser:
        return self.query_one("#propose-sections", Browser)

    @property
    def scores(self) -> Scores:
        return self.query_one(Scores)

    @property
    def words(self) -> Words:
        return self.query_one(Words)

    @property
    def name_field(self) -> Input:
        return self.query_one("#propose-new", Input)

    @property
    def section(self) -> str:
        """The heading that is chosen, or the name of a new one."""
        at = self.sections.highlighted
        return self._sections[at] if at is not None and at < len(self._sections) else self.name_field.value.strip()

    @on(OptionList.OptionHighlighted, "#propose-sections")
    def _offer_name(self) -> None:
        self.name_field.display = self.sections.highlighted == len(self._sections)

    @on(OptionList.OptionSelected, "#propose-sections")
    @on(Input.Submitted, "#propose-new")
    def _onwards(self) -> None:
        """Enter goes on to the next field. It proposes nothing."""
        self.app.action_focus_next() if self.name_field.display and self.sections.has_focus else self.scores.focus()

    @on(TextArea.Changed)
    def _written(self) -> None:
        self.words.seen()

    @on(Input.Changed, "#propose-new")
    def _named(self, event: Input.Changed) -> None:
        shown = written_out(event.value.replace("\t", " "))
        if shown != event.value:
            self.name_field.value = shown

    def _say(self, words: str) -> None:
        self.query_one("#propose-box").border_subtitle = Content.styled(words, "$warning")

    def action_propose(self) -> None:
        text = self.words.text.strip("\r\n")
        if not self.guard.ready:
            self._say(_TOO_SOON)
        elif not text.strip():
            self._say("write what should be remembered")
            self.words.focus()
        elif not self.section.strip("# "):
            self._say("name the new section")
            self.name_field.focus()
        elif spans(text) and self._warned != text:
            self._warned = text
            self._say("it holds a secret: m again proposes it all the same")
        else:
            self.dismiss(Proposal(self.section, self.scores.scores, text))

    def action_nothing(self) -> None:
        if self.focused is self.words or self.focused is self.name_field:
            self.sections.focus()
        else:
            self.dismiss(None)
