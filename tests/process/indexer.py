"""Makes the index of a workspace and stops on the way, so that a test can kill it there or ask meanwhile.

`python indexer.py WORKSPACE build|rebuild|lock` writes a line to standard output at each step and waits for a byte on
standard input before it goes on.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dory_tui.search import places
from dory_tui.search.answers import Searcher


def stop(done: int, total: int) -> None:
    sys.stdout.write(f"{done} of {total}\n")
    sys.stdout.flush()
    sys.stdin.read(1)


def main() -> None:
    root = Path(sys.argv[1])
    if sys.argv[2] == "lock":
        place = places.place(root, os.environ)
        place.make()
        with place.writing(0) as got:
            stop(int(got), 1)
        return
    searcher = Searcher(root, os.environ)
    searcher.build(stop, anew=sys.argv[2] == "rebuild")


main()
