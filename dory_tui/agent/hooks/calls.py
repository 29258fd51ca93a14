"""A tool call, as every platform tells it."""

from __future__ import annotations

from collections.abc import Mapping

from dory_tui.values import dataclass


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The tool's name, its arguments, and the folder it would run in; "" where the platform does not say."""

    tool: str
    arguments: Mapping[str, object]
    folder: str = ""
