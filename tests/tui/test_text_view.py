"""The text view on a screen: every line reachable, nothing parsed, what was seen counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Label

from dory_tui.diff import diff
from dory_tui.tui.widgets.text_view import Row, Span, TextView, diff_rows, markdown_rows, source_rows
from dory_tui.visible import visible

HOSTILE = (
    "[/]",
    "[/etc/x]",
    "[stage=1:",
    "[@click=app.approve('x')]yes[/]",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "\u202egnirts\u202c \u200b \u2066x\u2069",
    "é e\u0301 漢字 🇩🇪 👩\u200d💻 ⚠\ufe0f",
    "CRLF\r",
)


class Host(App[None]):
    """One text view, and all that it reported."""

    CSS = "TextView { padding: 0 1; }"

    def __init__(self, rows: Sequence[Row] = (), *, numbers: bool = True) -> None:
        super().__init__()
        self.rows, self.numbers = rows, numbers
        self.seen: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield TextView()

    def on_mount(self) -> None:
        self.view.show(self.rows, key="a", numbers=self.numbers)
        self.view.focus()

    @property
    def view(self) -> TextView:
        return self.query_one(TextView)

    def on_text_view_seen(self, message: TextView.Seen) -> None:
        assert message.control is self.view
        self.seen.append((message.key, message.unseen))


def numbered(count: int, text: str = "line {}") -> list[Row]:
    return [Row(str(number), (Span(text.format(number)),)) for number in range(1, count + 1)]


def painted(app: App[None]) -> list[str]:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def segments(app: App[None]) -> list[Segment]:
    return [segment for strip in app.screen._compositor.render_strips() for segment in strip]


def styled(app: App[None], style: str) -> list[str]:
    """The texts that have the background or, failing that, the colour of one of the view's styles."""
    view = app.query_one(TextView)
    wanted = view.get_visual_style(f"text-view--{style}").rich_style
    return [
        one.text
        for one in segments(app)
        if one.style
        and one.style.without_color == wanted.without_color
        and one.style.color == wanted.color
        and one.style.bgcolor == wanted.bgcolor
    ]


# --- what is shown


async def test_numbers_stand_right_aligned_and_wrapped_lines_hang_below_the_text() -> None:
    rows = [*numbered(9), Row("10", (Span("the part nobody tells you about"),))]
    app = Host(rows)
    async with app.run_test(size=(24, 14)) as pilot:
        await pilot.pause()
        assert painted(app)[7:13] == [
            "  8  line 8",
            "  9  line 9",
            " 10  the part nobody",
            "     tells you about",
            "",
            "",
        ]


class Low(Host):
    """A view as high as its text."""

    CSS = "TextView { height: auto; max-height: 100%; padding: 0 1; }"


@pytest.mark.parametrize("length", [20, 21, 22, 23])
async def test_a_view_as_high_as_its_text_shows_all_of_it(length: int) -> None:
    """The column that is kept free for a scrollbar counts when the lines are counted."""
    app = Low([Row("", (Span("a" * length),))] * 4, numbers=False)
    async with app.run_test(size=(24, 20)) as pilot:
        await pilot.pause()
        assert not app.view.show_vertical_scrollbar
        assert app.view.unseen == 0
        assert "".join(painted(app)).replace(" ", "") == "a" * length * 4


@pytest.mark.parametrize("size", [(80, 24), (20, 10), (7, 5), (1, 1)])
async def test_hostile_text_is_shown_as_it_is_at_every_size(size: tuple[int, int]) -> None:
    app = Host(source_rows(visible("\n".join(HOSTILE))))
    async with app.run_test(size=size) as pilot:
        await pilot.press("G", "g", "j", "k", "space", "pageup", "end", "home")
        app.view.find("[")
        app.view.next_match()
        await pilot.pause()
        text = "".join(segment.text for segment in segments(app))
        assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in text)
        assert not set(text) & set("\u202e\u202c\u200b\u2066\u2069")
        for line in app.screen._compositor.render_strips():
            assert line.cell_length == size[0]


async def test_hostile_text_stands_there_letter_by_letter() -> None:
    app = Host(source_rows(visible("\n".join(HOSTILE))))
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.pause()
        screen = painted(app)
        assert [line[4:] for line in screen[:4]] == list(HOSTILE[:4])
        assert any(line.endswith("é e\u0301 漢字 🇩🇪 👩\u200d💻 ⚠\ufe0f") for line in screen)
        assert styled(app, "mark")[:2] == ["⟦U+001B ESCAPE⟧", "⟦U+001B ESCAPE⟧"]
        assert not any((segment.style and segment.style.meta.get("@click")) for segment in segments(app))


async def test_rows_that_nobody_cleaned_are_cleaned() -> None:
    app = Host([Row("1", (Span("a\tb\x1b\n"),))])
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        assert painted(app)[0] == " 1  a    b⟦U+001B ESCAPE⟧⟦U+000A LINE FEED⟧"


async def test_a_diff_has_signs_on_every_line_and_headings_over_the_gutter() -> None:
    old = "## Money\n\n- Terms\n- Sent at the start of the month\n"
    new = old.replace("at the start of the month", "on the 3rd; the 1st is too early")
    app = Host(diff_rows(diff(old, new, 1), old, new))
    async with app.run_test(size=(34, 10)) as pilot:
        await pilot.pause()
        assert painted(app)[:9] == [
            "     ··· 2 lines the same ···",
            " ## Money",
            " 3   - Terms",
            " 4 - - Sent at the start of the",
            "   - month",
            " 4 + - Sent on the 3rd; the 1st",
            "   + is too early",
            "",
            "",
        ]
        assert "month" in styled(app, "removed-word")


async def test_numbers_can_be_left_out_and_empty_is_empty() -> None:
    app = Host(numbered(2), numbers=False)
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        assert painted(app)[:2] == [" line 1", " line 2"]
        app.view.show([], key="b")
        await pilot.pause()
        assert painted(app) == [""] * 4
        assert app.view.unseen == 0
        await pilot.press("j", "G", "g", "space")
        assert app.view.find("x") == 0


async def test_the_end_of_a_line_of_5000_characters_is_reachable() -> None:
    app = Host(source_rows(visible("x" * 4990 + " [/]\u202eEND")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("G")
        await pilot.pause()
        assert painted(app)[23].endswith("[/]⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧END")


async def test_an_emoji_is_not_torn_by_a_style_that_ends_inside_it() -> None:
    app = Host([Row("1", (Span("ok 👩", "added-word"), Span("💻 e"), Span("fine")))])
    async with app.run_test(size=(40, 3)) as pilot:
        app.view.show([Row("1", (Span("a e", "added-word"), Span("\u0301 z")))], key="b")
        await pilot.pause()
        assert styled(app, "added-word") == ["a e\u0301"]


# --- moving


async def test_every_key_moves_and_nothing_goes_past_the_ends() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(40, 11)) as pilot:
        tops = []
        for key in ["k", "up", "pageup", "down", "j", "j", "k", "up", "space", "pagedown", "pageup", "G", "j"]:
            await pilot.press(key)
            await pilot.pause()
            tops.append(app.view.top_row)
        assert tops == [0, 0, 0, 1, 2, 3, 2, 1, 11, 21, 11, 89, 89]
        assert painted(app)[-1].strip() == "100  line 100"
        for key, top in [("g", 0), ("end", 89), ("home", 0)]:
            await pilot.press(key)
            await pilot.pause()
            assert app.view.top_row == top


async def test_the_wheel_and_a_jump_move_too() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await pilot._post_mouse_events([events.MouseScrollDown], offset=(5, 5))
        await pilot.pause()
        assert app.view.top_row == app.scroll_sensitivity_y
        app.view.cursor = 50
        app.view.scroll_to_row(50)
        await pilot.pause()
        assert painted(app)[0].strip() == "51  line 51"
        assert "line 51" in "".join(styled(app, "cursor"))


def test_left_and_right_are_left_to_the_screen() -> None:
    keys = {key for binding in TextView.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")}
    assert keys == {"up", "k", "down", "j", "pageup", "pagedown", "space", "home", "g", "end", "G"}
    assert "left" not in TextView()._bindings.key_to_bindings


async def test_a_new_key_starts_at_the_top_and_the_same_key_keeps_the_place() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.scroll_to_row(40)
        await pilot.pause()
        app.view.show([*numbered(40, "longer than the width of the screen is, number {}"), *numbered(60)], key="a")
        await pilot.pause()
        assert app.view.top_row == 40
        app.view.show(numbered(100), key="b")
        await pilot.pause()
        assert app.view.top_row == 0


async def test_after_a_resize_the_same_row_is_at_the_top() -> None:
    app = Host(numbered(60, "{} is a row that is a good deal longer than the screen is wide, at least when narrow"))
    async with app.run_test(size=(100, 12)) as pilot:
        app.view.scroll_to_row(30)
        await pilot.pause()
        for width in (40, 24, 100):
            await pilot.resize_terminal(width, 12)
            await pilot.pause()
            assert app.view.top_row == 30
        await pilot.press("G")
        await pilot.pause()
        assert painted(app)[-1].endswith("narrow")


async def test_5000_lines_are_measured_to_the_end_without_being_asked() -> None:
    app = Host(numbered(5000, "{} " + "words that wrap " * 12))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        layout = app.view._layout
        while not layout.complete:
            await pilot.pause()
        assert app.view.virtual_size.height == layout.measured > 20_000
        await pilot.resize_terminal(90, 20)
        await pilot.press("G")
        await pilot.pause()
        assert app.view.top_row > 4990
        assert app.view.is_vertical_scroll_end
        assert app.view.virtual_size.height == app.view._layout.measured < layout.measured


# --- what was seen


async def test_unseen_counts_the_rows_below_the_fold_until_each_was_on_screen() -> None:
    app = Host(numbered(25))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert app.view.unseen == 15
        await pilot.press("G")
        await pilot.pause()
        assert app.view.unseen == 5
        await pilot.press("g", "space")
        await pilot.pause()
        assert app.view.unseen == 0
        assert app.seen[-1] == ("a", 0)
        assert [unseen for _, unseen in app.seen] == sorted((unseen for _, unseen in app.seen), reverse=True)


async def test_a_row_that_is_cut_by_the_fold_is_not_seen() -> None:
    app = Host([*numbered(8), Row("9", (Span("words " * 20),))])
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert app.view.unseen == 1
        await pilot.press("j")
        await pilot.pause()
        assert app.view.unseen == 1
        await pilot.press("G")
        await pilot.pause()
        assert app.view.unseen == 0


async def test_a_row_higher_than_the_screen_is_seen_piece_by_piece() -> None:
    app = Host([Row("1", (Span("word " * 400),))])
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        for _ in range(100):
            assert app.view.unseen == 1
            await pilot.press("space")
            await pilot.pause()
            if app.view.is_vertical_scroll_end:
                break
        assert app.view.unseen == 0


async def test_a_new_key_must_be_read_again_and_the_same_key_only_where_it_changed() -> None:
    app = Host(numbered(5))
    async with app.run_test(size=(40, 3)) as pilot:
        await pilot.pause()
        await pilot.press("G")
        await pilot.pause()
        assert app.view.unseen == 0
        app.view.show([Row("1", (Span("other"),)), *numbered(5)[1:]], key="a")
        await pilot.pause()
        assert app.view.unseen == 1
        await pilot.press("g")
        await pilot.pause()
        assert app.view.unseen == 0
        app.view.show(numbered(5), key="b")
        assert app.view.unseen == 5
        await pilot.pause()
        assert app.view.unseen == 2


async def test_what_lies_under_another_screen_is_not_seen() -> None:
    class Over(ModalScreen[None]):
        def compose(self) -> ComposeResult:
            yield Label("over", markup=False)

    app = Host(numbered(5))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await app.push_screen(Over())
        view = app.screen_stack[0].query_one(TextView)
        view.show(numbered(6), key="b")
        await pilot.pause()
        await pilot.pause()
        assert view.unseen == 6
        app.pop_screen()
        await pilot.pause()
        await pilot.pause()
        assert view.unseen == 0


async def test_a_hidden_view_has_shown_nothing() -> None:
    app = Host()
    async with app.run_test(size=(40, 10)) as pilot:
        unseen = []
        for display in (False, True):
            app.view.display = display
            await pilot.pause()
            app.view.show(numbered(5), key="b")
            await pilot.pause()
            unseen.append(app.view.unseen)
        assert unseen == [5, 0]


# --- searching


async def test_matches_are_counted_highlighted_and_walked() -> None:
    app = Host(markdown_rows("\n".join(f"{n} needle" if n % 20 == 0 else f"{n} hay" for n in range(100))))
    async with app.run_test(size=(40, 10)) as pilot:
        assert app.view.find("Needle") == 0
        at = [app.view.match]
        assert app.view.find("needle") == 5
        at.append(app.view.match)
        await pilot.pause()
        assert styled(app, "match-current") == ["needle"]
        app.view.next_match()
        at.append(app.view.match)
        await pilot.pause()
        assert any(line.endswith("20 needle") for line in painted(app))
        app.view.previous_match()
        app.view.previous_match()
        at.append(app.view.match)
        await pilot.pause()
        assert any(line.endswith("80 needle") for line in painted(app))
        assert at == [None, 1, 2, 5]
        assert app.view.find("") == 0
        await pilot.pause()
        assert styled(app, "match-current") == []


async def test_a_search_goes_on_after_a_reload_and_ends_with_another_text() -> None:
    app = Host(numbered(5))
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.find("line")
        app.view.show(numbered(7), key="a")
        await pilot.pause()
        assert styled(app, "match") == ["line"] * 7
        app.view.show(numbered(7), key="b")
        await pilot.pause()
        assert styled(app, "match") == []


# --- marks and places


async def test_marked_rows_have_a_sign_and_keep_it_where_the_row_is_the_same() -> None:
    app = Host(numbered(4))
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.marked = frozenset({1, 3})
        await pilot.pause()
        assert [number for number, line in enumerate(painted(app)) if "◆" in line] == [1, 3]
        app.view.show([*numbered(3), Row("4", (Span("other"),))], key="a")
        assert app.view.marked == {1}
        app.view.show(numbered(4), key="b")
        await pilot.pause()
        assert app.view.marked == frozenset()


async def test_rows_and_lines_are_found_from_each_other() -> None:
    app = Host([Row("1", (Span("one two three four"),)), Row("2", (Span("five"),))])
    async with app.run_test(size=(16, 6)) as pilot:
        await pilot.pause()
        assert (app.view.lines_of(0), app.view.lines_of(1)) == (range(2), range(2, 3))
        assert [app.view.row_at(y) for y in range(4)] == [0, 0, 1, None]


# --- the mouse


async def drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(offset=Offset(*start))
    await pilot.hover(offset=Offset(*end))
    await pilot.mouse_up(offset=Offset(*end))
    await pilot.pause()


async def test_what_is_marked_with_the_mouse_is_the_text_without_gutter_and_wraps() -> None:
    app = Host([Row("1", (Span("one two three four"),)), Row("2", (Span("five"),))])
    async with app.run_test(size=(16, 6)) as pilot:
        await pilot.pause()
        assert painted(app)[:3] == [" 1  one two", "    three four", " 2  five"]
        await drag(pilot, (8, 0), (6, 2))
        assert app.screen.get_selected_text() == "two three four\nfiv"
