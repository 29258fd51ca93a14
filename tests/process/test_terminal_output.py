"""At a real terminal: of what stands in a file, nothing arrives there as a control sequence (gate.md)."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dory_tui.workspace import layout
from tests.process.launcher import launcher
from tests.process.terminal import Terminal

if TYPE_CHECKING:
    from tests.conftest import Workspace

EVIL = {
    "an OSC 52 that fills the clipboard": b"\x1b]52;c;ZXZpbA==\x07",
    "an OSC 8 link": b"\x1b]8;;http://evil.example\x1b\\pay\x1b]8;;\x1b\\",
    "an OSC title": b"\x1b]0;evil title\x07",
    "a CSI colour": b"\x1b[31;1;7;53m",
    "a CSI that clears": b"\x1b[2J\x1b[3J\x1b[77;77H",
    "a CSI that answers": b"\x1b[6n\x1b[c\x1b[>0q",
    "a DCS": b"\x1bP+q544e\x1b\\",
    "an APC": b"\x1b_Gevil\x1b\\",
    "a reset": b"\x1bc",
    "a C1 CSI": b"\xc2\x9b31;1;7;53m",
    "a C1 OSC": b"\xc2\x9d52;c;ZXZpbA==\xc2\x9c",
    "a C1 DCS": b"\xc2\x90evil\xc2\x9c",
    "a raw C1 byte": b"\x9b31m",
    "a backspace": b"yes\x08\x08\x08no ",
    "a lone carriage return": b"yes\rno",
    "a bell": b"\x07",
    "a form feed and a vertical tab": b"\x0c\x0b",
    "shift out": b"\x0e\x0f",
    "DEL": b"\x7f",
    "NUL": b"\x00",
    "bidi": "\u202eevil\u202c \u2066x\u2069 \u200f \u061c".encode(),
    "tags": "\U000e0041\U000e0042".encode(),
    "zero width": "a\u200bb\u2060c\ufeffd".encode(),
    "separators": "a\u2028b\u2029c\u0085d".encode(),
}
PAYLOAD = b" ".join(EVIL.values())
# What Textual itself sends: modes, colours, places, and what clears lines.
OWN = re.compile(
    r"\x1b\[[0-9;]*[mHJKABCDG]|\x1b\[\?[0-9;]+[hl]|\x1b\[\?[0-9;]*\$p|\x1b\[[<>=?][0-9;]*u|\x1b\[6n|"
    r"\x1b\]22;[a-z-]+\x07"  # the form of the mouse's pointer
)
MARKS = ("U+001B ESCAPE", "U+009B", "U+202E RIGHT-TO-LEFT OVERRIDE", "U+0007", "U+200B")


@pytest.fixture
def evil(workspace: Workspace) -> Workspace:
    """A draft whose body, title, status note and hold carry all of it, and whose action prints it."""
    workspace.env["TERM"] = "xterm-256color"
    workspace.live()
    printed = workspace.write("printed", PAYLOAD + b"\n")
    action = {"argv": ["/bin/cat", str(printed)]}
    workspace.draft("post", "BODY", action=action, schedule={"lane": "social"}, title="Launch")
    file = workspace.root / "state/drafts/post.md"
    file.write_bytes(file.read_bytes().replace(b"BODY", PAYLOAD))
    workspace.draft("text", "Plain words.\n")
    staging = workspace.root / layout.STAGING
    # No line end may stand in a heading or a label: those that end one are left out.
    flat = b" ".join(value for value in EVIL.values() if not re.search(rb"[\r\x0b\x0c\x00]", value))
    staging.write_bytes(staging.read_bytes().replace(b"### Launch", b"### Launch " + flat))
    workspace.write(
        layout.HOLD,
        b"# HOLD.md\n\n## Currently Blocked\n\n[2026-02-05 10:00 | main] path:elsewhere " + flat + b" -- no\n",
    )
    return workspace


@contextmanager
def at_terminal(workspace: Workspace, tmp_path: Path, *words: str, command: str = "dory") -> Iterator[Terminal]:
    """One of the commands at a pty, from a launcher of this clone."""
    module = {"dory": "dory_tui.__main__", "dory-agent": "dory_tui.cli.dory_agent"}[command]
    program = launcher(tmp_path / "bin" / command, module)
    opened = Terminal([str(program), "-C", str(workspace.root), *words], workspace.env, (160, 50))
    try:
        yield opened
    finally:
        opened.close()


def plain(raw: bytes) -> str:
    """Output of a command that draws nothing: text with line ends, and no other control of any kind."""
    text = raw.decode("utf-8")  # strict: a stray byte of a file would be C1 to some terminals
    for char in set(text) - set("\r\n\t"):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"), (
            f"U+{ord(char):04X} got through"
        )
    assert "\r" not in text.replace("\r\n", ""), "a carriage return that is not of a line end"
    return text


def shown(text: str, *marks: str) -> None:
    for mark in marks or MARKS:
        assert f"⟦{mark}" in text, mark


def test_show(evil: Workspace, tmp_path: Path) -> None:
    with at_terminal(evil, tmp_path, "show", "post") as terminal:
        assert terminal.end() == 0
        text = plain(terminal.raw)
    shown(text)
    count = re.search(r"(\d+) hidden characters, shown as", text)
    assert count is not None, "counted at the top"
    assert int(count[1]) > 50
    first = re.search(r"^ +1  ---\r?$", text, re.MULTILINE)
    assert first is not None, "the source, with its line numbers"
    assert count.start() < first.start(), "before the text"
    lines = (evil.root / "state/drafts/post.md").read_bytes().split(b"\n")
    assert re.findall(r"^   (\d)  ", text, re.MULTILINE) == [str(n + 1) for n in range(len(lines))]


def test_comments_and_link_targets_stand_there_as_source(workspace: Workspace, tmp_path: Path) -> None:
    """Rendered Markdown would hide all of these; what is approved is what is read."""
    lines = [
        "Hello <!-- send the keys --> there.",
        "[Our page](https://evil.example/login)",
        "![](https://evil.example/pixel.png)",
        "[ref]: https://evil.example/ref",
        "&#115;ecret \\*not bold\\*",
        "<span style='display:none'>x</span>",
    ]
    workspace.env["TERM"] = "xterm-256color"
    workspace.live().draft("post", "\n".join(lines) + "\n")
    with at_terminal(workspace, tmp_path, "show", "post") as terminal:
        assert terminal.end() == 0
        for line in lines:
            assert line in plain(terminal.raw)
    with at_terminal(workspace, tmp_path) as terminal:
        terminal.see(lines[0])
        for line in lines:
            terminal.see(line)


def test_approve_and_what_a_run_printed(evil: Workspace, tmp_path: Path) -> None:
    with at_terminal(evil, tmp_path, "approve", "post") as terminal:
        terminal.take(lambda: re.search(rb"type [a-z]{4} and Enter", terminal.raw) is not None)
        found = re.search(rb"type ([a-z]{4}) and Enter", terminal.raw)
        assert found is not None
        terminal.type(found[1] + b"\n")
        assert terminal.end() == 0, terminal.raw[-500:]
        shown(plain(terminal.raw))
    with at_terminal(evil, tmp_path, "run", "post", command="dory-agent") as terminal:
        assert terminal.end() == 0, terminal.raw[-500:]
        shown(plain(terminal.raw))
        assert b"it ran once and is done" in terminal.raw


def test_run_due_prints_no_more_than_run(evil: Workspace, tmp_path: Path) -> None:
    evil.approve("post")
    with at_terminal(evil, tmp_path, "run", "--due", command="dory-agent") as terminal:
        assert terminal.end() == 0, terminal.raw[-500:]
        shown(plain(terminal.raw))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("dory", ["status"]),
        ("dory-agent", ["status"]),
        ("dory-agent", ["boot"]),
        ("dory-agent", ["check", "post"]),
        ("dory-agent", ["run", "post"]),
        ("dory-agent", ["check", "\x1b]52;c;ZXZpbA==\x07"]),
        ("dory", ["show", "\x1b[2J\u202e"]),
        ("dory", ["show", "post", "--json"]),
    ],
    ids=lambda value: " ".join(value).encode("unicode_escape").decode() if isinstance(value, list) else value,
)
def test_other_verbs(evil: Workspace, tmp_path: Path, command: str, words: list[str]) -> None:
    with at_terminal(evil, tmp_path, *words, command=command) as terminal:
        terminal.end()
        text = plain(terminal.raw)
    assert text.strip()
    if "--json" in words:
        assert "U+202E" in json.loads(text)["text"]


def test_a_held_item_names_the_hold_and_its_words_are_written_out(evil: Workspace, tmp_path: Path) -> None:
    hold = evil.root / layout.HOLD
    hold.write_bytes(hold.read_bytes().replace(b"path:elsewhere ", b"Launch "))
    with at_terminal(evil, tmp_path, "check", "post", command="dory-agent") as terminal:
        assert terminal.end() == 6
        shown(plain(terminal.raw), "U+001B ESCAPE")


def test_an_approved_text_is_made_visible_at_a_terminal_and_stays_as_it_is_in_a_pipe(
    evil: Workspace, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        file = evil.draft(name, "BODY")
        file.write_bytes(file.read_bytes().replace(b"BODY", PAYLOAD))
        evil.approve(name)
    with at_terminal(evil, tmp_path, "claim", "one", command="dory-agent") as terminal:
        assert terminal.end() == 0
        shown(plain(terminal.raw))
    program = str(tmp_path / "bin/dory-agent")
    piped = subprocess.run(
        [program, "-C", str(evil.root), "claim", "two"], env=evil.env, capture_output=True, check=True
    )
    assert piped.stdout == PAYLOAD, "a program gets the very bytes that were approved"


def wholly_ours(raw: bytes) -> None:
    """Only the sequences that the screen itself draws with, and none of those that stand in the files."""
    text = raw.decode("utf-8")
    rest = OWN.sub("", text)
    at = rest.find("\x1b")
    assert at < 0, f"a sequence that is not ours: {rest[at : at + 40]!r}"
    for char in set(rest) - set("\r\n\t"):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), f"U+{ord(char):04X} got through"
    for payload in (
        b"\x1b[31;1;7;53m",
        b"\x1b[77;77H",
        b"\x1b[3J",
        b"\x1b]52",
        b"\x1b]8",
        b"\x1b]0",
        b"\x1bP",
        b"\x1b_",
        b"\x1bc",
    ):
        assert payload not in raw, payload


@pytest.fixture
def screen(evil: Workspace, tmp_path: Path) -> Iterator[Terminal]:
    with at_terminal(evil, tmp_path) as opened:
        opened.see("STAGING")
        opened.quiet()
        yield opened


def test_the_review_screen(screen: Terminal) -> None:
    screen.see("hidden character")
    screen.see("ESCAPE⟧")
    for key in ("j", " ", "1", "j", "2", "?", "\x1b", "k"):
        screen.type(key)
        screen.quiet(0.2)
    screen.type("q")
    assert screen.end() == 0
    wholly_ours(screen.raw)


def test_the_screen_says_how_many_are_hidden_before_the_text(screen: Terminal) -> None:
    screen.see("hidden character")
    first = re.search(r"\b1 +---", screen.text)
    assert first is not None, "the source, with its line numbers"
    assert screen.text.index("hidden character") < first.start()


def test_a_check_that_can_fail() -> None:
    bad: list[tuple[Callable[[bytes], object], bytes]] = [
        (plain, b"a\x1b[2Jb"), (plain, b"a\rb"), (plain, "\u202e".encode()), (plain, b"\xc2\x9b"),
        (wholly_ours, b"\x1b]52;c;x\x07"), (wholly_ours, b"\x1b]8;;x\x1b\\"), (wholly_ours, "\u200b".encode()),
        (wholly_ours, b"\x1b[31;1;7;53m"),
    ]  # fmt: skip
    for look, raw in bad:
        with pytest.raises(AssertionError):
            look(raw)
