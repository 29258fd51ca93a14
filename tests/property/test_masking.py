"""For any file: what masks its secrets moves no line, and leaves what it masked alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dory_tui.secrets import masked_file
from dory_tui.workspace.document import split_lines

TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = "MIIEpAIBAAKCAQEA7bq2Zc9XkQ1fV0wYtR3sLmN8pOe5HdGjUiKaB4xCvFzWyT6n"
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
PIECES = (
    TOKEN, KEY, BEGIN, END, "hunter2-and-more", "password: ", "api_key=", "postgres://app:s3cr3t@db", "密码是", "key: ",
    "\n", "\r", "\r\n", " ", "> ", "- ", "```", "…", "(1", "characters)", "\udcff",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(PIECES) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=14).map(
        "".join
    )
)
def test_a_masked_file_has_the_lines_that_it_had_and_stays_as_it_is(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    shown = masked_file(data)
    assert len(split_lines(shown)) == len(split_lines(data))
    assert masked_file(shown) == shown


@given(
    st.lists(st.sampled_from([TOKEN, KEY, BEGIN, END, "- one", "", "## Two"]), max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_no_line_that_is_a_secret_is_left_whatever_ends_it(lines: list[str], end: str) -> None:
    shown = masked_file(end.join(lines).encode())
    assert TOKEN.encode() not in shown
    assert KEY.encode() not in shown
