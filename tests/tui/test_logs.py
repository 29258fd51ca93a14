"""The Logs screen: every log reachable with the keys, and no name or text of a file that breaks it."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from dory_tui.tui.screens import logs as screen_module
from dory_tui.tui.screens.days import Page, day_options, read_page
from dory_tui.tui.screens.logs import LogsScreen
from dory_tui.workspace.logs import Log, list_logs

TODAY = date(2026, 2, 14)
WRITTEN = datetime(2026, 2, 14, 12, tzinfo=UTC).timestamp()
LOG = """# 2026-02-14

## Tasks
- mapped scenes 12 to 19
- wrote the launch thread

## Decisions
- Resend instead of SES
> “ship it”
"""


class Host(App[None]):
    """Nothing but the screen."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.today = TODAY

    def on_mount(self) -> None:
        self.push_screen(LogsScreen(self.root, lambda: self.today))

    @property
    def logs(self) -> LogsScreen:
        assert isinstance(self.screen, LogsScreen)
        return self.screen


def write(root: Path, path: str, text: str = "- x\n") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, newline="")
    os.utime(file, (WRITTEN, WRITTEN))
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "memory/2026-02-14.md", LOG)
    write(tmp_path, "memory/2026-02-13.md", "# yesterday\n" + "- did a thing\n" * 60)
    write(tmp_path, "memory/2026-02-13-deploy.md", "# deploy\n")
    write(tmp_path, "memory/archive/2026-01/2026-01-30.md", "# old\n")
    return tmp_path


def painted(app: App[None]) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def shown(app: Host) -> str:
    return "\n".join(painted(app))


def title(app: Host) -> str:
    return str(app.logs.text._border_title)


def subtitle(app: Host) -> str:
    return str(app.logs.text._border_subtitle)


def focused(app: Host) -> str | None:
    return None if app.focused is None else app.focused.id


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()
    await pilot.pause()


# --- the list


async def test_days_stand_newest_first_below_their_months_with_size_and_archive(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        days = [line[2:29].rstrip() for line in painted(app)[:8]]
        assert days[0].startswith(" Days  4 ")
        assert days[1:8] == [
            "February 2026",
            " Sat 14  today       0.1 KB",
            " Fri 13  deploy      0.0 KB",
            " Fri 13  yesterday   0.8 KB",
            "January 2026",
            " Fri 30  archive     0.0 KB",
            "",
        ]
        assert title(app) == "Sat 14 February 2026 · today  memory/2026-02-14.md"
        assert subtitle(app) == "9 lines · 3 entries"
        assert focused(app) == "log-days"


async def test_the_files_of_one_day_are_told_apart(root: Path) -> None:
    shutil.rmtree(root / "memory")
    for name in (
        "2026-02-14-1322",
        "20260214",
        "2026-02-14-session2",
        "journal/2026-02-14",
        "archive/2026-02/20260214",
    ):
        write(root, f"memory/{name}.md")
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert [line[2:29].rstrip() for line in painted(app)[2:7]] == [
            " Sat 14  13:22       0.0 KB",
            " Sat 14  session2    0.0 KB",
            " Sat 14  today       0.0 KB",
            " Sat 14  journal     0.0 KB",
            " Sat 14  today  arc… 0.0 KB",
        ]


async def test_a_day_that_can_hardly_be_right_is_pointed_out_above_its_log_alone(root: Path) -> None:
    write(root, "memory/2026-02-12.md", "# 2025-02-12\n- x\n")
    app = Host(root)
    async with app.run_test(size=(100, 24)) as pilot:
        await press(pilot, "j", "j", "j")
        assert "memory/2026-02-12.md line 1: the heading says 2025-02-12" in shown(app)
        await press(pilot, "j")
        assert "the heading says" not in shown(app)
        await press(pilot, "k")
        write(root, "memory/2026-02-12.md", "# 2026-02-12\n- x\n")
        app.logs.reload()
        await press(pilot)
        assert "the heading says" not in shown(app)


async def test_midnight_passes_while_the_screen_stands(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_module, "_LOOK_AGAIN", 0.01)
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        assert " Sat 14  today " in shown(app)
        write(root, "memory/2026-02-15.md", "- early\n")
        app.today = date(2026, 2, 15)
        async with asyncio.timeout(10):
            while " Sat 14  yesterday " not in shown(app):
                await pilot.pause(0.01)
        assert " Sun 15  today " in shown(app)
        assert title(app) == "Sat 14 February 2026 · yesterday  memory/2026-02-14.md"


async def test_left_is_older_right_is_newer_from_every_side_and_the_ends_hold(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(160, 24)) as pilot:
        await press(pilot, "right")
        assert "14 February" in title(app)
        opened = []
        for focus in (app.logs.days, app.logs.text, app.logs.headings, app.logs.text):
            focus.focus()
            await press(pilot, "left")
            opened.append(title(app).split()[1])
            assert focused(app) == focus.id
        assert opened == ["13", "13", "30", "30"]
        await press(pilot, "right", "right")
        assert "deploy" in title(app)


async def test_the_keys_that_move_in_the_list(root: Path) -> None:
    app = Host(root)
    order = ["14 February", "deploy", "yesterday", "30 January"]
    keys = [("down", 1), ("j", 2), ("k", 1), ("up", 0), ("G", 3), ("g", 0), ("end", 3), ("home", 0), ("pagedown", 3)]
    async with app.run_test(size=(80, 24)) as pilot:
        for key, at in [*keys, ("pageup", 0), ("space", 3)]:
            await press(pilot, key)
            assert order[at] in title(app)


async def test_enter_goes_into_the_text_and_escape_comes_back(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "j", "enter")
        assert focused(app) == "log-text"
        await press(pilot, "G")
        assert app.logs.text.top_row > 30
        await press(pilot, "escape")
        assert focused(app) == "log-days"
        await press(pilot, "escape")
        assert focused(app) == "log-days"


async def test_a_click_on_a_day_opens_it(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#log-days", offset=(5, 6))
        await pilot.pause()
        assert "30 January" in title(app)
        assert focused(app) == "log-text"


def test_ten_years_of_days_make_a_list_with_a_line_for_each(tmp_path: Path) -> None:
    days = [Log(TODAY - timedelta(days=number), f"memory/{number}.md", 10, False) for number in range(3650)]
    options = list(day_options(days, TODAY))
    assert sum(option.disabled for option in options) == 121
    assert [option.id for option in options if not option.disabled] == [day.path for day in days]


# --- the cursor


async def test_the_cursor_walks_the_lines_and_the_text_follows_it(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 12)) as pilot:
        await press(pilot, "j", "j")
        assert app.logs.text.cursor is None
        await press(pilot, "enter")
        text = app.logs.text
        assert text.cursor == 0
        await press(pilot, *"jjjjjjjjjjjj")
        assert text.cursor == 12
        assert text.scroll_offset.y == 3
        await press(pilot, *"kkkkkkkkkk")
        assert (text.cursor, text.scroll_offset.y) == (2, 2)
        await press(pilot, "k", "k", "k")
        assert (text.cursor, text.scroll_offset.y) == (0, 0)
        await press(pilot, "G", "j")
        assert text.cursor == len(text.rows) - 1
        await press(pilot, "g")
        assert (text.cursor, text.scroll_offset.y) == (0, 0)


async def test_what_scrolled_away_from_the_cursor_brings_it_along_at_the_next_key(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 12)) as pilot:
        await press(pilot, "j", "j", "enter", "pagedown")
        text = app.logs.text
        assert text.cursor == text.top_row > 0
        text.scroll_to(y=40, animate=False)
        await press(pilot, "j")
        assert text.cursor == 40
        text.scroll_to(y=10, animate=False)
        await press(pilot, "k")
        assert text.cursor == 19


@pytest.mark.long
async def test_a_line_taller_than_the_view_is_read_before_the_cursor_leaves_it(root: Path) -> None:
    write(root, "memory/2026-02-14.md", "- first\n" + "word " * 300 + "\n- last\n")
    app = Host(root)
    async with app.run_test(size=(80, 12)) as pilot:
        await press(pilot, "enter", "j")
        text = app.logs.text
        lines = len(text.lines_of(1))
        assert lines > 20
        for _ in range(lines):
            if text.cursor != 1:
                break
            await press(pilot, "j")
        assert text.cursor == 2
        assert text.scroll_offset.y == text.max_scroll_y
        await press(pilot, "k")
        assert text.cursor == 1
        assert text.scroll_offset.y + 9 >= lines - 1
        for _ in range(lines):
            if text.cursor != 1:
                break
            await press(pilot, "k")
        assert (text.cursor, text.scroll_offset.y) == (0, 0)


async def test_a_click_puts_the_cursor_on_a_line(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        await pilot.click("#log-text", offset=(10, 5))
        await pilot.pause()
        assert app.logs.text.cursor == 4


async def test_marks_stay_when_the_log_grows_and_go_with_the_day(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await press(pilot, "enter", "j", "j", "j", "space")
        assert app.logs.text.marked == {3}
        write(root, "memory/2026-02-14.md", LOG + "- more\n")
        app.logs.reload()
        await press(pilot)
        assert app.logs.text.marked == {3}
        assert subtitle(app) == "1 line marked"
        await press(pilot, "left")
        assert app.logs.text.marked == frozenset()


# --- every shape of log that people and agents write

CORPUS = sorted((Path(__file__).parents[1] / "corpus/daily").glob("*.md"))


@pytest.mark.long
async def test_every_log_of_the_corpus_opens_and_every_line_can_be_walked_and_marked(tmp_path: Path) -> None:
    for number, file in enumerate(CORPUS):
        name = ("{}", "{}-1322", "{}_topic [of] it", "archive/2025/{}", "session {}")[number % 5]
        day = TODAY - timedelta(days=number // 3)
        target = tmp_path / f"memory/{name.format(day)}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    app = Host(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        for log in list_logs(tmp_path):
            assert app.logs._open is not None
            assert app.logs._open.path == log.path
            document = app.logs.document
            if document is None:
                assert log.size == 0
                await press(pilot, "left")
                continue
            assert len(app.logs.text.rows) == len(document.lines)
            app.logs.text.focus()
            await press(pilot, "G", "space", "g", "j", "space", "k")
            assert app.logs.text.marked
            await press(pilot, "left")


# --- narrow and wide


async def test_below_80_columns_there_is_one_side_at_a_time(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(60, 16)) as pilot:
        await pilot.pause()
        assert app.logs.days.region.width == 60
        assert not app.logs.text.region
        await press(pilot, "enter")
        assert focused(app) == "log-text"
        assert app.logs.text.region.width == 60
        assert not app.logs.days.region
        await press(pilot, "left")
        assert "deploy" in title(app)
        await press(pilot, "escape")
        assert focused(app) == "log-days"
        assert app.logs.days.region.width == 60
        await press(pilot, "slash", "x")
        assert focused(app) == "log-find"
        assert app.logs.text.region.width == 60


async def test_made_narrow_the_side_with_the_focus_stays(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 24)) as pilot:
        for key, side in [("tab", "log-text"), ("escape", "log-days")]:
            await press(pilot, key)
            await pilot.resize_terminal(60, 16)
            await pilot.pause()
            assert focused(app) == side
            assert app.logs.query_one(f"#{side}").region.width == 60
            await pilot.resize_terminal(100, 24)
            await pilot.pause()


@pytest.mark.parametrize("size", [(1, 1), (60, 16), (139, 30), (200, 60)])
async def test_every_size_and_every_key_holds(root: Path, size: tuple[int, int]) -> None:
    app = Host(root)
    keys = ["j", "enter", "G", "slash", "t", "enter", "n", "N", "o", "j", "enter", "escape", "left", "right", "escape"]
    async with app.run_test(size=size) as pilot:
        await press(pilot, *keys)
        for line in app.screen._compositor.render_strips():
            assert line.cell_length == size[0]
        assert bool(app.logs.headings.region) == (size[0] >= 140)


# --- the outline


async def test_the_outline_lists_headings_goes_to_them_and_follows_the_text(root: Path) -> None:
    text = "# Day\n" + "".join(f"## Part {part}\n" + "- line\n" * 30 for part in range(3))
    write(root, "memory/2026-02-14.md", text)
    app = Host(root)
    async with app.run_test(size=(160, 20)) as pilot:
        await press(pilot, "o", "j", "j")
        assert focused(app) == "log-outline"
        assert app.logs.text.top_row == 32
        assert app.logs.text.cursor == 32
        await press(pilot, "enter")
        assert focused(app) == "log-text"
        await press(pilot, "G")
        assert app.logs.headings.highlighted == 3
        await press(pilot, "g")
        assert app.logs.headings.highlighted == 0
        await press(pilot, "o", "o")
        assert focused(app) == "log-text"
        await press(pilot, "o", "escape")
        assert focused(app) == "log-text"


async def test_without_room_there_is_no_outline_and_without_headings_it_says_so(root: Path) -> None:
    write(root, "memory/2026-02-14.md", "- x\n")
    app = Host(root)
    async with app.run_test(size=(139, 20)) as pilot:
        await press(pilot, "o")
        assert focused(app) == "log-days"
        await pilot.resize_terminal(140, 20)
        await pilot.pause()
        assert "no headings" in shown(app)
        await press(pilot, "o", "j", "enter")


# --- searching


async def test_a_search_counts_walks_and_goes_on_in_the_next_day(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 24)) as pilot:
        assert app.logs.check_action("match", (1,)) is False
        await press(pilot, "slash", *"the", "enter")
        assert focused(app) == "log-text"
        assert subtitle(app) == "“the” 1 of 1"
        await press(pilot, "slash")
        app.logs.search.value = "thing"
        await press(pilot, "enter")
        assert subtitle(app) == "“thing” nowhere here"
        await press(pilot, "left", "left")
        assert subtitle(app) == "“thing” 1 of 60"
        await press(pilot, "n", "n")
        assert subtitle(app) == "“thing” 3 of 60"
        await press(pilot, "N", "N", "N")
        assert subtitle(app) == "“thing” 60 of 60"
        assert app.logs.text.top_row > 30
        await press(pilot, "escape")
        assert subtitle(app) == "61 lines · 60 entries"
        assert focused(app) == "log-text"
        await press(pilot, "escape")
        assert focused(app) == "log-days"


async def test_escape_in_the_search_ends_it(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 24)) as pilot:
        await press(pilot, "slash", *"scenes", "escape")
        assert not app.logs.has_class("-searching")
        assert app.logs.search.value == ""
        assert "9 lines" in subtitle(app)


async def test_what_cannot_be_seen_is_written_out_in_the_search_line_too(root: Path) -> None:
    write(root, "memory/2026-02-14.md", "a\u200bb [/] c\n")
    app = Host(root)
    async with app.run_test(size=(120, 24)) as pilot:
        await press(pilot, "slash")
        app.logs.search.value = "a\u200bb [/]"
        await pilot.pause()
        assert app.logs.search.value == "a⟦U+200B ZERO WIDTH SPACE⟧b [/]"
        assert subtitle(app) == "“a⟦U+200B ZERO WIDTH SPACE⟧b [/]” 1 of 1"


# --- files that are odd, change or are not there


HOSTILE = ("[/]", "[stage=1:", "[@click=app.approve('x')]y[/]", "\x1b[31m\x1b]0;t\x07", "\u202egnirts", "é漢🇩🇪")


async def test_no_name_or_text_is_markup_or_reaches_the_terminal_raw(tmp_path: Path) -> None:
    for number, name in enumerate(HOSTILE, start=1):
        text = f"# {name} [/etc/x]\r\n\r\n- {name}\r\n" + "x" * 5000 + f"\n## {name}\n"
        write(tmp_path, f"memory/2026-02-{number:02}-{name.replace('/', ':')}.md", text)
    app = Host(tmp_path)
    async with app.run_test(size=(160, 30)) as pilot:
        await press(pilot, "o", "j", "enter", "G", "slash", "[", "enter", "n", "escape")
        for _ in HOSTILE:
            await press(pilot, "left", "G")
            screen = shown(app).replace("\n", "")
            assert screen.isprintable()
            assert not any(
                segment.style and "@click" in segment.style.meta
                for strip in app.screen._compositor.render_strips()
                for segment in strip
            )
        assert "[:]" in title(app)
        assert app.return_code is None


def undecodable(root: Path) -> bool:
    try:
        (Path(os.fsdecode(os.fsencode(root) + b"/memory/2026-02-12-\xff.md"))).write_text("- x\n")
    except OSError:
        return False  # macOS refuses such names
    return True


async def test_a_name_that_is_not_text_is_listed_and_opened(root: Path) -> None:
    if not undecodable(root):
        pytest.skip("this file system has no such names")
    app = Host(root)
    async with app.run_test(size=(120, 24)) as pilot:
        await press(pilot, "j", "j", "j")
        assert "⟦byte 0xFF⟧" in title(app)
        assert subtitle(app) == "1 line · 1 entry"


async def test_without_logs_it_says_what_to_do(tmp_path: Path) -> None:
    for size in [(60, 16), (80, 24), (160, 30)]:
        app = Host(tmp_path)
        async with app.run_test(size=size) as pilot:
            await press(pilot, "j", "left", "slash", "x", "escape", "enter", "o")
            assert focused(app) == "log-text"
            text = " ".join(shown(app).split())
            assert "No logs yet." in text
            assert "An agent writes memory/YYYY-MM-DD.md" in text
            assert not app.logs.days.region


async def test_a_file_that_vanished_or_cannot_be_read_is_a_sentence(root: Path) -> None:
    (root / "memory/2026-02-13.md").unlink()
    (root / "memory/2026-02-13.md").symlink_to("2026-02-13-deploy.md")
    app = Host(root)
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.pause()
        (root / "memory/2026-02-13-deploy.md").unlink()
        await press(pilot, "j")
        assert "memory/2026-02-13-deploy.md is gone" in shown(app)
        (root / "memory/2026-02-13.md").unlink()
        (root / "memory/2026-02-13.md").mkdir()
        await press(pilot, "j")
        assert "memory/2026-02-13.md is a folder, where a file should be" in shown(app)
        write(root, "memory/archive/2026-01/2026-01-30.md", "")
        await press(pilot, "j")
        assert "memory/archive/2026-01/2026-01-30.md is empty." in shown(app)
        assert subtitle(app) == ""


async def test_looking_again_keeps_day_place_and_focus(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await press(pilot, "j", "j", "enter", "pagedown")
        top = app.logs.text.top_row
        assert top > 0
        write(root, "memory/2026-02-13.md", "# yesterday\n" + "- did a thing\n" * 60 + "- and more\n")
        write(root, "memory/2026-02-12.md")
        app.logs.reload()
        await press(pilot)
        assert "memory/2026-02-13.md" in title(app)
        assert subtitle(app) == "62 lines · 61 entries"
        assert app.logs.text.top_row == top
        assert focused(app) == "log-text"
        assert app.logs.days.option_count == 7


async def test_when_the_day_is_gone_the_nearest_is_opened(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await press(pilot, "G")
        shutil.rmtree(root / "memory/archive")
        app.logs.reload()
        await press(pilot)
        assert "memory/2026-02-13.md" in title(app)
        shutil.rmtree(root / "memory")
        app.logs.reload()
        await press(pilot)
        assert "No logs yet." in shown(app)
        write(root, "memory/2026-02-14.md", LOG)
        app.logs.reload()
        await press(pilot)
        assert "9 lines" in subtitle(app)
        assert app.logs.days.region


async def test_coming_back_to_the_screen_looks_again(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        await app.push_screen(LogsScreen(root, lambda: TODAY))
        write(root, "memory/2026-02-14.md", LOG + "- one more\n")
        app.pop_screen()
        await press(pilot)
        assert subtitle(app) == "10 lines · 4 entries"


async def test_a_very_large_log_is_read_beside_the_screen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_module, "_LARGE", 500)
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await press(pilot, "j", "j")
        assert "Reading 0.8 KB…" in shown(app) or "61 lines" in subtitle(app)
        await app.workers.wait_for_complete()
        await press(pilot)
        assert subtitle(app) == "61 lines · 60 entries"
        app.logs.reload()
        await app.workers.wait_for_complete()
        assert subtitle(app) == "61 lines · 60 entries"


async def test_a_large_log_that_arrives_late_does_not_replace_another_day(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = threading.Event()

    def slow(root: Path, log: Log, known: bytes | None, *, reveal: bool = False) -> Page | None:
        if log.size >= 500:
            may_read.wait(10)
        return read_page(root, log, known, reveal=reveal)

    monkeypatch.setattr(screen_module, "_LARGE", 500)
    monkeypatch.setattr(screen_module, "read_page", slow)
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await press(pilot, "j", "j")
        assert "Reading 0.8 KB…" in shown(app)
        await press(pilot, "k")
        may_read.set()
        await app.workers.wait_for_complete()
        await press(pilot)
        assert subtitle(app) == "1 line"
        assert "# deploy" in shown(app)


async def test_a_held_down_key_reads_only_where_it_stops(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        days = app.logs.days
        last = len(list_logs(root)) + 1
        app.logs.post_message(OptionList.OptionHighlighted(days, days.options[last], last))
        gone = Option("gone", id="memory/2020-01-01.md")
        app.logs.post_message(OptionList.OptionHighlighted(days, gone, days.highlighted or 0))
        await press(pilot)
        assert "memory/2026-02-14.md" in title(app)


async def test_looking_again_leaves_the_list_where_it_stands(root: Path) -> None:
    for number in range(40):
        write(root, f"memory/archive/2025/{date(2025, 6, 1) + timedelta(days=number)}.md")
    app = Host(root)
    async with app.run_test(size=(80, 20)) as pilot:
        await press(pilot, "end", "k", "k", "k")
        scrolled = app.logs.days.scroll_offset.y
        assert scrolled > 20
        write(root, "memory/2026-02-13-deploy.md", "# deploy\n- done\n")
        app.logs.reload()
        await press(pilot)
        assert app.logs.days.scroll_offset.y == scrolled
        assert "4 June 2025" in title(app)
