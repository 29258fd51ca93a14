"""Whatever the file: one section, nothing of somebody else's changed, and a second time nothing at all."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dory_tui.workspace.marked import put

pieces = st.lists(
    st.sampled_from(
        [b"# Rules", b"text", b"```", b"<!--", b"-->", b"---", b"\n", b"\r\n", b"\r", b"\xff", b"\0", b" "]
    ),
    max_size=20,
).map(b"".join)
bodies = st.lists(
    st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="`~<>"), max_size=20),
    min_size=1,
    max_size=5,
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@settings(max_examples=80)
@given(pieces, pieces, bodies, bodies)
def test_only_the_section_changes(above: bytes, below: bytes, old: str, new: str) -> None:
    first = put("AGENTS.md", above, old)
    assert first.data.startswith(above)
    data = first.data + below
    # A fence that opens above and closes below, or inside, makes the marks an example.
    assume(put("AGENTS.md", data, old).state == "kept")
    second = put("AGENTS.md", data, new)
    assert second.state == ("kept" if old == new else "updated")
    assert second.data.startswith(above)
    assert second.data.endswith(below)
    assert put("AGENTS.md", second.data, new).state == "kept"
