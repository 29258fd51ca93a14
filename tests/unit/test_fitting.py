"""Parts cut to a number of characters, by whole lines and with a word for what is left out."""

import pytest

from dory_tui.agent.fitting import Block, Whole, fit

LINES = tuple(f"- line {number} {'x' * 60}" for number in range(20))


def test_what_fits_is_shown_whole_in_order() -> None:
    blocks = [Block("A", ("one", "two"), "a.md"), Block("B", ("three",), "b.md")]
    files = [Whole("x.md", "text\n"), Whole("y.md", "no end"), Whole("z.md", "")]
    assert fit("head", blocks, files, 1000) == (
        "head\n\n## A\none\ntwo\n\n## B\nthree\n\n=== x.md ===\ntext\n=== end of x.md ===\n"
        "\n=== y.md ===\nno end\n=== end of y.md ===\n\n=== z.md ===\n=== end of z.md ===\n"
    )


def test_a_part_is_cut_by_whole_lines_and_says_how_to_read_the_rest() -> None:
    text = fit("head", [Block("A", LINES, "a.md")], [], 500)
    assert len(text) <= 500
    shown = [line for line in text.splitlines() if line.startswith("- ")]
    assert shown == list(LINES[: len(shown)])
    assert 3 <= len(shown) < 20
    assert text.endswith(f"\n… {20 - len(shown)} more lines left out for lack of room: read a.md\n")


def test_the_parts_below_keep_their_share() -> None:
    blocks = [Block("A", LINES, "a.md"), Block("B", LINES, "b.md", 0.4), Block("C", ("last",), "c.md")]
    text = fit("head", blocks, [], 1000)
    a, b = (text.partition(f"## {name}\n")[2].partition("\n\n")[0].count("- line") for name in "AB")
    assert len(text) <= 1000
    assert (a > 0, b > 3, text.endswith("## C\nlast\n")) == (True, True, True)


@pytest.mark.parametrize(("apart", "shown"), [(True, ["- short", "- too"]), (False, ["- short"])])
def test_a_line_that_is_too_long_hides_those_below_it_only_where_they_go_on_from_it(
    apart: bool, shown: list[str]
) -> None:
    text = fit("head", [Block("A", ("- short", "- " + "x" * 900, "- too"), "a.md", apart=apart)], [], 300)
    assert [line for line in text.splitlines() if line.startswith("- ")] == shown
    assert f"… {3 - len(shown)} more line" in text


def test_files_are_shown_whole_or_named() -> None:
    files = [Whole("a.md", "a" * 100), Whole("b.md", "b" * 5000), Whole("c.md", "c" * 50)]
    text = fit("head", [], files, 400)
    assert "=== a.md ===" in text
    assert "=== c.md ===" in text
    assert "bbb" not in text
    assert text.endswith("\nNot shown here, for lack of room; read: b.md (5,000 characters)\n")
