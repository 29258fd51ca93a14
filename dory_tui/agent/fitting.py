"""A text of several parts in a number of characters: whole lines, the most important first. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from dory_tui.values import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """One part. `where` is what to read for the lines that are left out.

    `share` of the budget is its own before the parts above it may take more. With `apart` each line stands for itself,
    so that one too long is left out and those below it are not; else everything from the first such line on.
    """

    title: str
    lines: tuple[str, ...]
    where: str
    share: float = 0.1
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Whole:
    """A file that is shown from its first to its last line, or not at all."""

    path: str
    text: str

    @property
    def shown(self) -> str:
        """The file between two marks."""
        end = "" if self.text.endswith("\n") or not self.text else "\n"
        return f"\n=== {self.path} ===\n{self.text}{end}=== end of {self.path} ===\n"


def fit(head: str, blocks: Sequence[Block], files: Sequence[Whole], budget: int) -> str:
    """The head, the blocks and as many of the files as there is room for, in at most `budget` characters.

    What is left out of a block is said at its end, what is left out of the files at the end of all. The head, each
    block's title and what is said of the rest are never left out, so that a budget too small for those is exceeded.
    """
    text = f"{head}\n"
    last = _left_out(files)
    for number, block in enumerate(blocks):
        kept_free = sum(_reserved(other, budget) for other in blocks[number + 1 :]) + len(last)
        text += _render(block, budget - len(text) - kept_free)
    left: list[Whole] = []
    for number, file in enumerate(files):
        if len(text) + len(file.shown) + len(_left_out([*left, *files[number + 1 :]])) <= budget:
            text += file.shown
        else:
            left.append(file)
    return text + _left_out(left)


def _left_out(files: Sequence[Whole]) -> str:
    if not files:
        return ""
    named = ", ".join(f"{file.path} ({len(file.text):,} characters)" for file in files)
    return f"\nNot shown here, for lack of room; read: {named}\n"


def _title(block: Block) -> str:
    return f"\n## {block.title}\n"


def _more(block: Block, count: int) -> str:
    return f"… {count} more {'line' if count == 1 else 'lines'} left out for lack of room: read {block.where}\n"


def _size(block: Block) -> int:
    return len(_title(block)) + sum(len(line) + 1 for line in block.lines)


def _reserved(block: Block, budget: int) -> int:
    least = len(_title(block)) + len(_more(block, len(block.lines)))
    return min(_size(block), max(int(block.share * budget), least))


def _render(block: Block, room: int) -> str:
    if _size(block) <= room:
        return _title(block) + "".join(f"{line}\n" for line in block.lines)
    text, left = _title(block), 0
    room -= len(_more(block, len(block.lines)))
    for line in block.lines:
        if (left and not block.apart) or len(text) + len(line) + 1 > room:
            left += 1
        else:
            text += f"{line}\n"
    return text + _more(block, left)
