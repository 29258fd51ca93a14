"""Whatever is to be said: never more than the budget, whole lines only, and nothing is left out in silence."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dory_tui.agent.fitting import Block, Whole, fit

texts = st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=300)
blocks = st.builds(
    Block, st.sampled_from(["A", "B", "C"]), st.lists(texts, max_size=25).map(tuple), st.just("x.md"),
    st.sampled_from([0.05, 0.1, 0.15]), st.booleans(),
)  # fmt: skip
files = st.builds(Whole, st.sampled_from(["x.md", "memory/y.md"]), st.text(max_size=3000))


@settings(max_examples=60)
@given(texts, st.lists(blocks, max_size=8), st.lists(files, max_size=6), st.integers(2000, 9000))
def test_it_fits_and_says_what_is_missing(head: str, parts: list[Block], whole: list[Whole], budget: int) -> None:
    text = fit(head, parts, whole, budget)
    assert len(text) <= budget
    assert text.startswith(f"{head}\n")
    for file in whole:
        assert file.shown in text or f"{file.path} ({len(file.text):,} characters)" in text
    said = [
        int(count) for count in re.findall(r"(?m)^… (\d+) more lines? left out for lack of room: read x\.md$", text)
    ]
    lines = [line for part in parts for line in part.lines]
    if not any("left out" in line for line in lines) and not any("left out" in file.text for file in whole):
        shown = text.partition("\n=== ")[0].partition("\nNot shown here")[0].count("\n")
        titles = 2 * len(parts)
        assert shown >= 1 + titles + len(lines) - sum(said) - 1
