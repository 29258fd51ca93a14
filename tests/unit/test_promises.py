"""Promises: which boxes of which logs are open, and one of them ticked."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from dory_tui.workspace.document import WorkspaceError
from dory_tui.workspace.promises import Promise, close, in_log, kept_promises, open_promises

TODAY = date(2026, 2, 28)
PATH = "memory/2026-02-05.md"


def log(root: Path, name: str, text: str) -> None:
    file = root / "memory" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def texts(text: str) -> list[str]:
    return [one.text for one in in_log(PATH, TODAY, text.encode()) if not one.kept]


def test_what_is_a_promise() -> None:
    assert texts(
        "# Log\n- [ ] no heading\n## Tasks\n- [ ] a step\n## Open promises\n- [ ] 14:05 one\n  - [ ] its step\n"
        "- [x] kept\n- no box\n* [ ] two\n1. [ ] three\n- [ ] \n- [ ] none\n### Late\n- [ ] four\n"
        "<!--\n- [ ] hidden\n-->\n```\n- [ ] shown\n```\n## Format\n### Promises\n- [ ] example\n"
    ) == ["one", "two", "three", "four"]
    assert in_log(PATH, TODAY, b"## Promises\n- [ ] 9:05 send it  \n- [X] 10:00 b\n") == [
        Promise(TODAY, PATH, 2, "9:05", "send it"), Promise(TODAY, PATH, 3, "10:00", "b", kept=True),
    ]  # fmt: skip


def test_of_the_last_sixty_days_the_oldest_first_and_not_of_the_archive(tmp_path: Path) -> None:
    for name in (
        "2026-02-28.md", "2026-02-05-topic.md", f"{TODAY - timedelta(days=60)}.md", f"{TODAY - timedelta(days=61)}.md",
        "archive/2026-02-20.md", "promotions/2026-02-20.md", "2026/2026-02-10.md", "2026-04-01.md", "notes.md",
        ".2026-02-20.md", "2026-02-20.txt",
    ):  # fmt: skip
        log(tmp_path, name, f"## Promises\n- [ ] {name}\n")
    found = open_promises(tmp_path, TODAY)
    assert [one.text for one in found] == [
        "2025-12-30.md", "2026-02-05-topic.md", "2026/2026-02-10.md", "2026-02-28.md",
    ]  # fmt: skip
    assert found[1] == Promise(date(2026, 2, 5), "memory/2026-02-05-topic.md", 2, None, "2026-02-05-topic.md")
    assert kept_promises(tmp_path, TODAY) == ()
    assert open_promises(tmp_path / "nowhere", TODAY) == ()


def test_a_log_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    log(tmp_path, "2026-02-05.md", "## Promises\n- [ ] a\n")
    (tmp_path / "memory/2026-02-06.md").symlink_to("2026-02-06.md")
    (tmp_path / "memory/2026-02-07.md").mkdir()
    with pytest.raises(WorkspaceError, match=r"memory/2026-02-06\.md cannot be read"):
        open_promises(tmp_path, TODAY)


def test_one_byte_changes() -> None:
    data = b"\xef\xbb\xbf## Promises\r\n\r\n- [ ] 14:05 a\r\n- [ ] b \xe6\xbc\xa2\xff [ ]\r- [ ] 15:00 a"
    one, two, three = in_log(PATH, TODAY, data)
    assert close(data, one) == data.replace(b"[ ] 14:05", b"[x] 14:05")
    assert close(data, two) == data.replace(b"[ ] b", b"[x] b")
    assert close(data, three) == data.replace(b"[ ] 15:00", b"[x] 15:00")


def test_a_promise_that_moved_is_found_and_one_that_is_gone_is_not() -> None:
    data = b"## Promises\n- [ ] a\n- [ ] a\n"
    second = in_log(PATH, TODAY, data)[1]
    assert close(data, second) == b"## Promises\n- [ ] a\n- [x] a\n"
    assert close(b"## New\n\n" + data, second) == b"## New\n\n## Promises\n- [x] a\n- [ ] a\n"
    with pytest.raises(ValueError, match="is ticked already"):
        close(b"## Promises\n- [x] a\n", second)
    with pytest.raises(ValueError, match="is not there any more"):
        close(b"## Promises\n- [ ] b\n", second)
