"""What became of a decision, as the command line prints it."""

from __future__ import annotations

from dory_tui.cli.printing import say, say_error, say_json
from dory_tui.gate.rules import Exit

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.review.change import Done


def _said(made: Done) -> None:
    say(made.sentence + (f" · commit {made.commit}" if made.commit else ""))
    if made.postponed:
        say(f"not committed: {made.postponed}")


def decided(made: Done, *, as_json: bool = False) -> int:
    """Say what was decided. It stands, whatever of the files could not be written."""
    if as_json:
        say_json({
            "sentence": made.sentence, "commit": made.commit, "postponed": made.postponed,
            "problems": list(made.problems),
        })  # fmt: skip
        return int(Exit.FINE)
    _said(made)
    for problem in made.problems:
        say_error(f"the decision stands, but: {problem}")
    return int(Exit.FINE)


def done(made: Done) -> int:
    """Say what was done, and what of it was not."""
    _said(made)
    for problem in made.problems:
        say_error(problem)
    return int(Exit.REFUSED if made.problems else Exit.FINE)
