"""Where `dory` is put together: the command line, the screen and the demo, which do not know each other."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # see dory_tui.values
if TYPE_CHECKING:
    from dory_tui.gate.survey import Gate


def main() -> int:
    """Entry point of `dory`. Returns the exit code."""
    words = sys.argv[1:]
    verb = words[2:3] if words[:1] == ["-C"] else words[:1]
    if verb in (["search"], ["index"]):
        from dory_tui.cli.searching import alone  # the review costs more to load than ten years cost to search

        return alone(words)
    from dory_tui.cli import dory

    return dory.main(open_screen=_screen, open_demo=_demo)


def _screen(gate: Gate) -> int:
    from dory_tui.tui.app import run

    return run(gate)


def _demo() -> int:
    from dory_tui.cli import dory
    from dory_tui.demo.build import build, farewell, temporary

    gate = build(temporary())
    if not dory.screen_possible():
        code = dory.main(["-C", str(gate.root), "status"], open_screen=_screen, open_demo=_demo)
        sys.stdout.write(f"\nThe demo lies in {gate.root}. To see the screen, run this in a terminal: dory demo\n")
        return code
    code = _screen(gate)
    sys.stdout.write(farewell(gate))
    return code


if __name__ == "__main__":
    sys.exit(main())
