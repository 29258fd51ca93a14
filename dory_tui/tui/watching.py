"""Tells when a file of the workspace changed. What became of it is read anew, so no event says more than "look"."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from dory_tui.workspace import layout

DEEP = ("state", layout.PROMOTIONS, layout.MIRROR)
"""Folders that are watched with all that is in them; one that is missing is waited for."""
NAMES = (layout.MEMORY, "dory.toml", layout.LOGS, layout.DORY)
POLL = 3000
"""Milliseconds between two looks where nothing tells of changes."""
_QUIET, _LONGEST = 100, 400  # milliseconds without a change, and with changes, before it is told

Say: TypeAlias = Callable[[str], None]
Watch: TypeAlias = Callable[[Path, Say], AsyncIterator[None]]
"""Yields when something changed under a workspace; says a sentence once where that cannot be known at once."""


async def watch(root: Path, say: Say) -> AsyncIterator[None]:
    """Watch a workspace, without end. The search index and the repository's own files are not looked at."""
    polling: bool | None = None
    while True:
        try:
            async for _ in _until_other_folders(root, polling):
                yield
        except FileNotFoundError:
            await asyncio.sleep(POLL / 1000)  # a folder went away between the look and the watch
        except (OSError, RuntimeError) as error:
            if polling:
                say(f"changes are not seen any more ({error}): close and open dory to see them")
                return
            polling = True
            say(f"too much is watched on this machine already: files are looked at every {POLL // 1000} s")


async def _until_other_folders(root: Path, polling: bool | None) -> AsyncIterator[None]:
    """Watch what is there now, and yield once the watch stands; ends when one of the folders came or went."""
    deep = [root / name for name in DEEP if (root / name).is_dir()]
    flat = [root, *(folder for name in (layout.LOGS, layout.DORY) if (folder := root / name).is_dir())]
    told: asyncio.Queue[bool | Exception] = asyncio.Queue()
    renew = [root / name for name in (*DEEP, layout.LOGS, layout.DORY)]
    tasks = [asyncio.create_task(_tell(told, flat, polling, _flat(root), renew=renew))]
    if deep:
        tasks.append(asyncio.create_task(_tell(told, deep, polling, _plain, renew=None)))
    try:
        while True:
            items = [await told.get()]
            while not told.empty():
                items.append(told.get_nowait())
            if errors := [item for item in items if isinstance(item, Exception)]:
                raise errors[0]
            if any(items):
                return
            yield
    finally:
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


async def _tell(
    told: asyncio.Queue[bool | Exception],
    folders: Sequence[Path],
    polling: bool | None,
    wanted: Callable[[object, str], bool],
    renew: Sequence[Path] | None,
) -> None:
    """Put False for a change, True for one after which other folders must be watched, or the error.

    `renew` are the folders that must be watched anew when they come or go; None watches the folders with all in them.
    """
    from watchfiles import awatch  # a tenth of a second, which the first paint does not wait for

    again = {str(folder) for folder in renew or ()}
    try:
        changes = awatch(
            *folders, watch_filter=wanted, debounce=_LONGEST, step=_QUIET, recursive=renew is None,
            force_polling=polling, poll_delay_ms=POLL if polling else 300, ignore_permission_denied=True,
        )  # fmt: skip
        asyncio.get_running_loop().call_soon(told.put_nowait, False)  # runs once the watch stands
        async for found in changes:
            told.put_nowait(bool(again & {path for _, path in found}))
    except (OSError, RuntimeError) as error:
        told.put_nowait(error)


def _plain(_: object, path: str) -> bool:
    """Not the temporary files of dory, of editors and of git."""
    name = path.rpartition("/")[2]
    return not name.startswith(".") and not name.endswith(("~", ".tmp"))


def _flat(root: Path) -> Callable[[object, str], bool]:
    """Of the folders above the watched ones only what matters there."""
    names = {str(root / name) for name in (*NAMES, *DEEP)}
    return lambda _, path: path in names
