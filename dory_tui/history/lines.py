"""What `git blame --line-porcelain` says of the lines of a file. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def line_times(porcelain: bytes) -> list[datetime | None]:
    """The author's date of each line, aware; None for a line that is in no commit yet."""
    found: list[datetime | None] = []
    committed, when = False, _EPOCH
    begins = True
    for line in porcelain.split(b"\n"):
        if begins and line:
            committed, begins = bool(line.split(b" ", 1)[0].strip(b"0")), False
        elif line.startswith(b"author-time "):
            when = _moment(line.split(b" ", 1)[1])
        elif line.startswith(b"\t"):
            found.append(when if committed else None)
            begins = True
    return found


def _moment(seconds: bytes) -> datetime:
    try:
        return _EPOCH + timedelta(seconds=int(seconds))
    except (ValueError, OverflowError):  # commits can claim any time
        return _EPOCH
