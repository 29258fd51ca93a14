"""Every key in one place: what it does, its id for a person's own keys, and the sentence that `?` shows.

Enter and Escape decide nothing, anywhere. A letter means the same on every screen.
"""

from __future__ import annotations

from textual.binding import Binding


def _bind(
    key: str, action: str, short: str, says: str, name: str, *, show: bool = True, drawn: str | None = None
) -> Binding:
    return Binding(key, action, short, tooltip=says, id=name, show=show, key_display=drawn)


REVEAL = "Show the secrets in this text as they stand, or mask them again. It decides nothing."
_WALK = "The next thing that waits, and the one before. In the other panels the line below, and above."
_PANELS = "The panels HOLD, ACTIVE, STAGING, MEMORY, DECISIONS."
_PANES = "The next pane, and the one before: the panels, the text, what would run."
_READ = "Read on, and back: the text, then what would run."
_LINES = "The line above, and below, decided ones too."
_ENDS = "The first line, and the last."
_HUNK = "The change before, and the next one."
_CONTEXT = "Fewer unchanged lines around each change, and more."
_READ_DIFF = "Read the diff on, and back."
_AXIS = "The axis above, and below."
_STEP = "One point less, and one more."
_VALUE = "So many points on this axis."


DECIDE: list[Binding] = [
    _bind("a", "approve", "approve", "Yes to this draft, to these bytes. A held one is asked about first.",
          "review.approve"),
    _bind("a", "promote", "promote", "Write this memory into MEMORY.md, as the diff shows.", "review.promote"),
    _bind("a", "kept", "kept", "This promise was kept: its box in the log is ticked, after asking.", "review.kept"),
    _bind("y", "happened", "it happened", "What was started did happen. It never runs again.",
          "review.happened"),
    _bind("n", "not_happened", "it did not", "It did not happen. A fresh yes may run it again.",
          "review.not-happened"),
    _bind("r", "reject", "reject", "No to this draft, and a note if you like.", "review.reject"),
    _bind("r", "discard", "discard", "No to this memory, and a note if you like.", "review.discard"),
    _bind("c", "changes", "changes", "Send it back, with a note on what should change.", "review.changes"),
    _bind("e", "edit", "edit", "Change its text in your own editor. Changed bytes need a fresh yes.", "review.edit"),
    _bind("s", "scores", "scores", "Your own scores; the verdict moves as you do.", "review.scores"),
    _bind("v", "revoke", "take back", "Take back the yes to this draft, before it runs.", "review.revoke"),
    _bind("L", "lift", "lift", "Lift the hold that is shown.", "review.lift"),
    _bind("H", "hold", "hold", "Block something: nothing that it covers runs.", "review.hold"),
    _bind("u", "undo", "undo", "Take back your last decision of this review, after asking.", "review.undo"),
    _bind("x", "mark", "mark", "Mark it, or not: with marks a, r and c are about all that is marked.", "review.mark",
          show=False),
]  # fmt: skip

MOVE: list[Binding] = [
    _bind("j", "walk(1)", "Next", _WALK, "review.next", show=False),
    _bind("k", "walk(-1)", "Previous", _WALK, "review.previous", show=False),
    *(
        _bind(str(number + 1), f"panel({number})", "Panel", _PANELS, f"review.panel-{number + 1}", show=False)
        for number in range(5)
    ),
    _bind("tab", "pane(1)", "Next pane", _PANES, "review.pane-next", show=False),
    _bind("shift+tab", "pane(-1)", "Previous pane", _PANES, "review.pane-previous", show=False),
    _bind("enter", "open", "Read", "Into the text that is shown. It decides nothing.", "review.open", show=False),
    _bind("escape", "back", "Back", "Back to the panel. It decides nothing.", "review.back", show=False),
    _bind("space,pagedown", "read(1)", "Read on", _READ, "review.read-on", show=False),
    _bind("b,pageup", "read(-1)", "Read back", _READ, "review.read-back", show=False),
    _bind("slash", "filter", "filter", "Only what has these words in its title, id or state. Esc ends it.",
          "review.filter"),
    _bind("V", "reveal", "secrets", REVEAL, "review.reveal"),
]  # fmt: skip

FILTER: list[Binding] = [
    _bind("escape", "clear", "all", "Show everything again.", "filter.clear"),
    _bind("tab,shift+tab,down", "keep", "Keep", "Keep the filter, and back to the list.", "filter.keep", show=False),
]

MEMORY: list[Binding] = [
    _bind("A", "promote_all", "all", "Promote every memory that earns its place. All are listed first.",
          "memory.promote-all"),
    _bind("P", "prune", "prune", "Audit and prune: what is stale in MEMORY.md, to be marked and taken out.",
          "memory.prune"),
    _bind("w", "together", "together", "The diff of all that pass together, or of this one again.", "memory.together",
          show=False),
    _bind("t", "style", "style", "The diff in two columns, or in one.", "memory.style", show=False),
    _bind("comma", "hunk(-1)", "change", _HUNK, "memory.hunk-previous", show=False),
    _bind("full_stop", "hunk(1)", "change", _HUNK, "memory.hunk-next", show=False),
    _bind("left_curly_bracket,minus", "context(-1)", "less", _CONTEXT, "memory.context-less", show=False),
    _bind("right_curly_bracket,equals_sign", "context(1)", "more", _CONTEXT, "memory.context-more", show=False),
]  # fmt: skip

PRUNE: list[Binding] = [
    _bind("x,space", "mark", "mark", "Mark this entry, or not. It decides nothing.", "prune.mark"),
    _bind("a", "take_out", "take them out", "Take what is marked out of MEMORY.md, as the diff shows.", "prune.yes"),
    _bind("o", "order", "order", "What is stale first, or the order of the file with its sections.", "prune.order"),
    _bind("t", "style", "style", "The diff in two columns, or in one.", "prune.style"),
    _bind("comma", "hunk(-1)", "change", _HUNK, "prune.hunk-previous", drawn=", ."),
    _bind("full_stop", "hunk(1)", "change", _HUNK, "prune.hunk-next", show=False),
    _bind("tab,shift+tab", "pane", "pane", "From the entries to the diff, and back.", "prune.pane", show=False),
    _bind("pagedown", "read(1)", "read on", _READ_DIFF, "prune.read-on", drawn="PgDn"),
    _bind("pageup", "read(-1)", "read back", _READ_DIFF, "prune.read-back", show=False),
    _bind("V", "reveal", "secrets", REVEAL, "prune.reveal"),
    _bind("escape", "close", "close", "Back to the candidates. It takes nothing out.", "prune.close"),
]  # fmt: skip

HISTORY: list[Binding] = [
    _bind("left", "day(1)", "day", "To the day before.", "history.older", drawn="←→"),
    _bind("right", "day(-1)", "newer", "To the day after.", "history.newer", show=False),
    _bind("slash", "filter", "filter", "Only what has these words in it. Esc ends it.", "history.filter"),
    _bind("i", "only", "item", "The past of this item alone, or of everything again.", "history.item"),
    _bind("V", "reveal", "secrets", REVEAL, "history.reveal"),
    _bind("escape", "back", "Back", "Out of the text, then out of the filter and of the one item.", "history.back",
          show=False),
]  # fmt: skip

SEARCH: list[Binding] = [
    _bind("enter", "read", "read", "Into the text around the passage.", "search.read", show=False),
    _bind("o", "open", "open", "At its line among the days, where it is of a log; else into the text here.",
          "search.open"),
    _bind("m", "propose", "propose", "Propose this passage for MEMORY.md.", "search.propose"),
    _bind("comma", "passage(-1)", "passage", "The passage before, and the next one.", "search.previous", drawn=", ."),
    _bind("full_stop", "passage(1)", "passage", "The passage before, and the next one.", "search.next", show=False),
    _bind("T", "order", "newest", "The newest first, or the best first again.", "search.order"),
    _bind("slash", "question", "ask", "Back to the question.", "search.question"),
    _bind("tab", "pane(1)", "Next pane", "The question, the passages, the text.", "search.pane-next", show=False),
    _bind("shift+tab", "pane(-1)", "Previous pane", "The question, the passages, the text.", "search.pane-previous",
          show=False),
    _bind("escape", "back", "Back", "Out of the text, then back to the question.", "search.back", show=False),
]  # fmt: skip

QUESTION: list[Binding] = [
    _bind("down", "step(1)", "passages", "The next passage, and the one before.", "question.next", drawn="↑↓"),
    _bind("up", "step(-1)", "Previous", "The next passage, and the one before.", "question.previous", show=False),
    _bind("enter", "submit", "to them", "To the passages.", "question.enter", drawn="⏎"),
    _bind("escape", "clear", "clear", "Another question; from an empty line back to the review.", "question.clear"),
]

LIST: list[Binding] = [
    _bind("up", "cursor_up", "Up", _LINES, "panel.up", show=False),
    _bind("down", "cursor_down", "Down", _LINES, "panel.down", show=False),
    _bind("g,home", "first", "First", _ENDS, "panel.first", show=False),
    _bind("G,end", "last", "Last", _ENDS, "panel.last", show=False),
]

TEXT: list[Binding] = [
    _bind("up,k", "text_move(-1)", "Up", "A line up, and down.", "reading.up", show=False),
    _bind("down,j", "text_move(1)", "Down", "A line up, and down.", "reading.down", show=False),
    _bind("g,home", "text_home", "Top", "To the top, and to the end.", "reading.top", show=False),
    _bind("G,end", "text_end", "End", "To the top, and to the end.", "reading.end", show=False),
]

SCORES: list[Binding] = [
    _bind("up,k", "axis(-1)", "axis", _AXIS, "scores.axis-up", drawn="↑↓"),
    _bind("down,j", "axis(1)", "axis", _AXIS, "scores.axis-down", show=False),
    _bind("left,h", "step(-1)", "less, more", _STEP, "scores.less", drawn="←→"),
    _bind("right,l", "step(1)", "more", _STEP, "scores.more", show=False),
    _bind("0", "value(0)", "value", _VALUE, "scores.value-0", drawn="0-3"),
    *(_bind(str(n), f"value({n})", "value", _VALUE, f"scores.value-{n}", show=False) for n in (1, 2, 3)),
    _bind("s,escape", "leave", "done", "Leave the scores, and keep them if they changed.", "scores.leave"),
    _bind("tab,shift+tab", "leave", "Leave", "Leave the scores, and keep them if they changed.", "scores.leave-by-tab",
          show=False),
]  # fmt: skip

ASK: list[Binding] = [
    _bind("a", "choose('approve')", "", "Yes.", "ask.approve", show=False),
    _bind("o", "choose('override')", "", "Yes, over the hold.", "ask.override", show=False),
    _bind("y", "choose('happened')", "", "It happened.", "ask.happened", show=False),
    _bind("n", "choose('not_happened')", "", "It did not happen.", "ask.not-happened", show=False),
    _bind("v", "choose('revoke')", "", "Take the yes back.", "ask.revoke", show=False),
    _bind("L", "choose('lift')", "", "Lift the hold.", "ask.lift", show=False),
    _bind("u", "choose('undo')", "", "Undo it.", "ask.undo", show=False),
    _bind("R", "choose('restore')", "", "Put the lines back.", "ask.restore", show=False),
    _bind("r", "choose('reject')", "", "No to all of them.", "ask.reject", show=False),
    _bind("c", "choose('changes')", "", "Send all of them back.", "ask.changes", show=False),
    _bind("P", "choose('prune')", "", "Prune MEMORY.md.", "ask.prune", show=False),
    *(_bind(str(n), f"choose('line-{n}')", "", "This line.", f"ask.line-{n}", show=False) for n in range(1, 10)),
    _bind("escape", "nothing", "", "Decide nothing.", "ask.nothing", show=False),
]

PROPOSE: list[Binding] = [
    _bind("m", "propose", "propose", "Propose it for MEMORY.md. In a field m is a letter: Tab or Esc leaves it.",
          "propose.propose"),
    _bind("tab", "app.focus_next", "next", "The sections, the scores, the text.", "propose.next", show=False),
    _bind("shift+tab", "app.focus_previous", "previous", "The one before.", "propose.previous", show=False),
    _bind("escape", "nothing", "", "Out of the text, then propose nothing.", "propose.nothing", show=False),
]  # fmt: skip

NOTE: list[Binding] = [
    _bind("escape", "nothing", "", "Decide nothing.", "note.nothing", show=False),
]

HELP: list[Binding] = [
    _bind("escape,q,question_mark", "close", "close", "Close this.", "help.close"),
]

APP: list[Binding] = [
    _bind("d", "mode('logs')", "days", "The logs, day by day.", "app.logs"),
    _bind("d", "leave('logs')", "review", "Back to the review.", "app.review"),
    _bind("p", "mode('history')", "past", "What was decided and what became of it, newest first.", "app.history",
          show=False),
    _bind("p", "leave('history')", "review", "Back to the review.", "app.leave-history"),
    _bind("f", "mode('search')", "find", "Search in everything that was ever written down here.", "app.search"),
    _bind("f", "leave('search')", "review", "Back to the review.", "app.leave-search"),
    _bind("i", "past_item", "item", "What happened to this item: its records and their commits.", "app.item",
          show=False),
    _bind("question_mark", "help", "help", "What every key does here.", "app.help"),
    _bind("M", "mode('memory')", "memory", "What would be remembered: the diff of MEMORY.md, scores and size.",
          "app.memory"),
    _bind("M", "leave('memory')", "review", "Back to the review.", "app.leave-memory"),
    _bind("colon,ctrl+p", "command_palette", "commands", "Every command by name.", "app.commands", show=False),
    _bind("q", "quit", "quit", "Close dory. Closing decides nothing.", "app.quit"),
]  # fmt: skip
