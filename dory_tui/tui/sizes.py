"""What a screen does with the size of its terminal: one set of classes for the style sheets, one least size."""

from __future__ import annotations

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
LINES = 30
"""Under so many lines the panels are titles, of which one is open."""
LOW = 20
"""Under so many lines the boot line goes, and facts scroll with the text."""


def classes(width: int, height: int) -> dict[str, bool]:
    """Which of the style sheets' size classes hold for a terminal of `width` columns and `height` lines."""
    return {
        "-tiny": width < LEAST_WIDTH or height < LEAST_HEIGHT,
        "-narrow": width < 80,
        "-slim": width < 100,
        "-middle": 100 <= width < 140,
        "-wide": width >= 140,
        "-lines": height < LINES,
        "-low": height < LOW,
    }


def too_small(width: int, height: int) -> str:
    """What a terminal under the least size is told."""
    return f"dory needs {LEAST_WIDTH} × {LEAST_HEIGHT}; this is {width} × {height}."
