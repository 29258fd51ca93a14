"""Which lines of MEMORY.md are old, which the logs still speak of, and how scores differ."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from dory_tui.history.lines import line_times
from dory_tui.memory.audit import Mention, audit, gaps, last_mentions, words

TODAY = date(2026, 3, 5)
MEMORY = b"# M\n\n## People\n\n- Ana sends invoices on the 3rd\n  - to Bo\n- Rent is due\n\n## Tea\n\n- Green\n"


def at(days: int) -> datetime:
    return datetime(2026, 3, 5, 9, 0, tzinfo=UTC) - timedelta(days)


def log(day: date, text: str, path: str = "") -> tuple[date, str, bytes]:
    return day, path or f"memory/{day}.md", text.encode()


def test_the_stale_come_first_then_the_oldest() -> None:
    times: list[datetime | None] = [at(400)] * 11
    times[4], times[6], times[10] = at(300), at(200), at(10)
    times[5] = at(190)
    logs = [log(date(2026, 1, 2), "# Log\n\n- the rent is due soon\n"), log(date(2025, 1, 2), "- Ana sent invoices\n")]
    found = audit(MEMORY, times, at(0), logs, TODAY)
    assert [(one.entry.words, one.entry.section, one.age(TODAY), one.stale) for one in found] == [
        ("Ana sends invoices on the 3rd", "People", 190, True), ("Rent is due", "People", 200, False),
        ("Green", "Tea", 10, False),
    ]  # fmt: skip
    assert [one.size for one in found] == [len("- Ana sends invoices on the 3rd\n  - to Bo\n"), 14, 8]
    assert found[0].mention == Mention(date(2025, 1, 2), "memory/2025-01-02.md", 1)
    assert found[0].silent(TODAY) == 427
    assert found[1].mention == Mention(date(2026, 1, 2), "memory/2026-01-02.md", 3)
    assert found[2].mention is None
    assert found[2].silent(TODAY) is None


@pytest.mark.parametrize(
    ("age", "silent", "stale"),
    [(181, None, True), (180, None, False), (181, 181, True), (181, 180, False), (500, 1, False), (1, None, False)],
)
def test_stale_is_old_and_not_mentioned(age: int, silent: int | None, stale: bool) -> None:
    logs = [] if silent is None else [log(TODAY - timedelta(silent), "- rent is due\n")]
    (found,) = audit(b"- Rent is due\n", [at(age)], None, logs, TODAY)
    assert found.stale is stale


def test_logs_may_come_in_any_order() -> None:
    made = [log(TODAY - timedelta(day), "- the rent is due\n- rent, due again\n") for day in (9, 3, 40)]
    wanted = Mention(date(2026, 3, 2), "memory/2026-03-02.md", 2)
    for order in (made, sorted(made), sorted(made)[::-1]):
        assert last_mentions(["Rent is due"], order) == [wanted]


def test_an_age_of_ones_own_decides() -> None:
    (found,) = audit(b"- Rent\n", [at(31)], None, [], TODAY, 30)
    assert found.stale


def test_without_git_the_files_time_is_the_age_and_without_both_there_is_none() -> None:
    assert [one.age(TODAY) for one in audit(MEMORY, [], at(7), [], TODAY)] == [7, 7, 7]
    assert [one.age(TODAY) for one in audit(b"- new\n- old\n", [None, at(9)], at(1), [], TODAY)] == [9, 1]
    (found,) = audit(b"- Rent\n", [], None, [], TODAY)
    assert found.age(TODAY) is None
    assert not found.stale


def test_lines_are_counted_as_git_does() -> None:
    found = audit(b"- one\r- two\n- three\r\n", [at(5), at(3)], None, [], TODAY)
    assert {one.entry.words: one.age(TODAY) for one in found} == {"one": 5, "two": 5, "three": 3}


def test_a_mention_has_two_of_the_rarest_words_in_one_line() -> None:
    def last(text: str, *lines: str) -> int | None:
        (found,) = last_mentions([text], [log(TODAY, "\n".join(lines))])
        return found.line if found else None

    assert last("Ana sends invoices", "Ana sings", "Bo has an invoice", "invoice for ANA", "nothing") == 3
    assert last("Ana sends invoices", "Ana sings", "Bo has an invoice") is None
    assert last("Tea", "no", "tea!", "steal") == 2
    assert last("请求测试服务", "别的", "测试服务好了") == 2
    assert last("Übergabe an die Prüfung", "ÜBERGABE der Prüfung") == 1
    assert last("is the", "is the") is None


def test_the_last_log_counts_whatever_the_order_they_are_read_in() -> None:
    days = [date(2026, 1, 2), date(2026, 2, 2), date(2025, 12, 31)]
    (found,) = last_mentions(["Ana invoices"], [log(day, "x\nAna invoices\n") for day in days])
    assert found == Mention(date(2026, 2, 2), "memory/2026-02-02.md", 2)


def test_words_fold_and_leave_out_what_says_nothing() -> None:
    assert words("The Invoices, of Ana's 3rd boss") == {"invoice", "ana", "3rd", "boss"}
    assert words("漢字だ") == {"漢字", "字だ"}


def test_gaps_are_by_axis() -> None:
    agent = {"longevity": 3, "reuse": 3, "impact": 2, "uniqueness": 1}
    human = {"longevity": 1, "reuse": 3, "impact": 3, "uniqueness": 1}
    found = {
        one.axis: (one.compared, one.changed, one.mean) for one in gaps([(agent, human), (agent, agent), (agent, {})])
    }
    assert found == {
        "longevity": (2, 1, -1.0), "reuse": (2, 0, 0.0), "impact": (2, 1, 0.5), "uniqueness": (2, 0, 0.0),
    }  # fmt: skip
    assert [(one.compared, one.mean) for one in gaps([])] == [(0, 0.0)] * 4


def test_blame_is_read_line_by_line() -> None:
    sha = b"4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    head = b" 1 1 1\nauthor A\nauthor-time 1767225600\nauthor-tz +0100\nsummary author-time 1\nfilename M\n\t"
    raw = (
        sha + head + b"author-time 5\n" + b"0" * 40 + head + b"new\n" + sha + head.replace(b"1767225600", b"x") + b"\n"
    )
    assert line_times(raw) == [datetime(2026, 1, 1, tzinfo=UTC), None, datetime(1970, 1, 1, tzinfo=UTC)]
    assert line_times(b"") == []
