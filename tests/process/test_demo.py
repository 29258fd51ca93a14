"""The demo: a workspace with a past, in which one yes sends one post and the hold stops the other six."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from dory_tui.config import state_home
from dory_tui.demo import build as demo
from dory_tui.gate.due import run_due
from dory_tui.gate.rules import Exit
from dory_tui.gate.survey import Gate
from dory_tui.memory.scoring import verdict
from dory_tui.review import decide, memories
from dory_tui.review.auditing import audit
from dory_tui.review.desk import Desk, load
from dory_tui.review.finish import finish
from dory_tui.review.inspect import inspect
from dory_tui.review.show import headline, status
from dory_tui.workspace.frontmatter import split
from dory_tui.workspace.promotions import AXES
from tests.conftest import Clock, Workspace

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=timezone(timedelta(hours=-5)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A demo on a machine where git knows nobody. For tests that only look."""
    return _build(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    """One of its own, for a test that decides."""
    return _build(tmp_path)


def _build(folder: Path) -> Workspace:
    env = {
        "HOME": str(folder / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": str(folder),
    }  # fmt: skip
    workspace = Workspace(folder / "workspace", env, folder / "effects", Clock(NOW))
    gate = demo.build(workspace.root, env, workspace.clock)
    assert gate.root == workspace.root
    return workspace


def desk(workspace: Workspace) -> Desk:
    return load(workspace.gate())


def texts(workspace: Workspace) -> Iterator[tuple[str, str]]:
    for file in workspace.root.rglob("*"):
        if file.is_file() and not {".git", ".dory"} & set(file.relative_to(workspace.root).parts):
            yield file.relative_to(workspace.root).as_posix(), file.read_text("utf-8")


def test_nothing_is_left_to_fill_in(made: Workspace) -> None:
    for path, text in texts(made):
        assert "{{" not in text, path
    names = {path for path, _ in texts(made)}
    assert {f"memory/2026-11-{day}.md" for day in range(24, 31)} <= names
    assert not any("D-" in name or "D+" in name for name in names)


def test_placeholders_become_dates() -> None:
    text = "{{D-0}} {{D-30}} {{D+3}} {{NOW+3h}} {{NOW-10m}} {{name}}"
    assert demo.fill(text, NOW) == (
        "2026-11-30 2026-10-31 2026-12-03 2026-11-30T12:12:00-05:00 2026-11-30T09:02:00-05:00 {{name}}"
    )


def test_what_a_person_sees_first(made: Workspace) -> None:
    found = desk(made)
    assert found.problems == ()
    assert found.unread == {}
    assert all(item.conflict is None for item in found.staged)
    assert headline(found) == f"{len(found.waiting) - 1} drafts and 3 memories wait · 1 outcome unknown"
    count = len(found.waiting)
    assert found.boot == (
        f"📋 Boot: ACTIVE=[revise to 37 scenes and map it to that …] | HOLD=[2] items | STAGING=[{count}] drafts"
    )
    assert found.queue[0].id == "mail-bob"
    words = {item.draft.id: item.word for item in found.staged}
    assert words == {
        "mail-bob": "did it happen?", "newsletter": "approved", "mail-ana": "waits", "deploy-web": "waits",
        "reply-to-the-festival-programmer": "waits", "launch-1": "waits",
        **{f"launch-{number}": "held" for number in range(2, 8)},
    }  # fmt: skip
    assert re.search(r"\nNEXT\n  newsletter: (tomorrow )?\d\d:\d2$", status(found)), "in the machine's zone"
    thread = next(view for view in found.holds if view.hold.subject == "X thread tweets 2-7")
    assert thread.covers == tuple(f"launch-{number}" for number in range(2, 8))


def test_every_draft_can_be_approved_as_it_is(made: Workspace) -> None:
    found = desk(made)
    assert len(found.staged) == 12
    text = "reply-to-the-festival-programmer"
    for item in found.staged:
        looked = inspect(made.root, item.draft, found.now)
        assert looked.refusal is None, item.draft.id
        assert (looked.action is None) == (item.draft.id == text)
        assert looked.flags == (), item.draft.id
        assert looked.source.hidden == 0
    assert {item.draft.id for item in found.staged if item.draft.origin != "file"} == {text}


def test_one_yes_sends_one_post_and_the_hold_stops_the_rest(fresh: Workspace) -> None:
    gate = fresh.gate()
    draft = fresh.find("launch-1")
    done = decide.approve(gate, "launch-1", draft.digest)
    assert done.commit is not None
    answers = run_due(fresh.gate())
    (started,) = [answer for answer in answers if answer.started]
    assert (started.id, started.state) == ("launch-1", "done")
    assert started.output == b"posted as mira:\n" + split(draft.data)[1] + b"\n"
    refused = {answer.id: answer for answer in answers if not answer.started}
    assert set(refused) == {f"launch-{number}" for number in range(2, 8)}
    for answer in refused.values():
        assert answer.code == Exit.HELD
        assert "held by “X thread tweets 2-7 — awaiting explicit approval”" in answer.sentence
    assert (fresh.root / "outbox/posts.txt").read_bytes() == started.output
    assert [answer.id for answer in run_due(fresh.gate()) if answer.started] == []
    fresh.clock.forward(hours=4)
    later = [answer.id for answer in run_due(fresh.gate()) if answer.started]
    assert later == ["newsletter"], "the one that was approved for tonight"


def test_all_of_it_is_committed_but_the_claim(made: Workspace) -> None:
    assert made.git("status", "--porcelain", "--untracked-files=all") == "?? .dory/ledger/mail-bob/1-500-claimed.json\n"
    log = made.git("log", "--format=%s|%an").splitlines()
    assert [line.partition("|")[0] for line in log] == [
        "Approve mail-bob",
        "Approve newsletter",
        "The workspace as Pip keeps it",
        "Add where things are",
        "Add more lessons",
        "Add people and lessons",
        "Begin MEMORY.md",
    ]
    assert log[2].endswith("|Pip")
    assert made.git("check-ignore", "outbox/posts.txt") == "outbox/posts.txt\n"


def test_an_audit_has_ages_to_show_and_a_few_stale_entries(made: Workspace) -> None:
    found = audit(made.gate())
    assert [one.entry.words.partition(":")[0][:12] for one in found.stale] == [
        "School works", "Exports over", "Captions bur", "Old studio s", "Van papers a",
    ]  # fmt: skip
    assert {one.age(found.today) for one in found.lines} >= {412, 163, 97, 34}


def test_the_past_is_finished(made: Workspace) -> None:
    head = made.git("rev-parse", "HEAD")
    assert finish(made.gate()) == []
    assert made.git("rev-parse", "HEAD") == head


def test_three_candidates_of_three_kinds(fresh: Workspace) -> None:
    found = desk(fresh)
    verdicts = {one.promotion.id: one.verdict for one in found.memories}
    assert set(verdicts) == {"invoice-day", "deploys-need-vpn", "lunch-place"}
    assert [name for name, one in verdicts.items() if one is not None and one.promote] == ["invoice-day"]
    by_id = {one.promotion.id: one.promotion for one in found.memories}

    def with_a_three(name: str) -> set[bool]:
        """The verdicts with one axis set to 3, whichever it is."""
        return {verdict({**by_id[name].scores, axis: 3}).promote for axis in AXES if by_id[name].scores[axis] < 3}

    assert with_a_three("deploys-need-vpn") == {True}
    assert True not in {verdict({**by_id["lunch-place"].scores, axis: 2}).promote for axis in AXES}
    would = memories.preview(fresh.gate(), by_id["invoice-day"])
    assert would.created is None
    assert would.after != would.before
    for name, promotion in by_id.items():
        source, _, line = promotion.source.partition("#L")
        text = (fresh.root / source).read_text().splitlines()[int(line) - 1]
        words = set(re.findall(r"\w{4,}", promotion.title.casefold()))
        assert words & set(re.findall(r"\w{4,}", text.casefold())), f"{name} was learnt at {promotion.source}"


def test_promoting_the_one_that_earns_it(fresh: Workspace) -> None:
    gate = fresh.gate()
    found = next(one for one in desk(fresh).memories if one.promotion.id == "invoice-day")
    would = memories.preview(gate, found.promotion)
    memories.promote(gate, "invoice-day", found.promotion.digest, after=hashlib.sha256(would.after).hexdigest())
    memory = (fresh.root / "MEMORY.md").read_bytes()
    assert memory == would.after
    assert b"- Invoices are sent at the start of the month" not in memory
    assert memory.count(b"- Invoices are sent on the 3rd") == 1


def test_the_memory_is_well_filled_and_below_the_cap(made: Workspace) -> None:
    size = (made.root / "MEMORY.md").stat().st_size
    assert 7_500 < size < 9_000
    assert size < desk(made).settings.cap


def test_a_month_of_logs_and_an_archive(made: Workspace) -> None:
    days = [file.stem for file in (made.root / "memory").glob("2026-*.md")]
    archived = [file.stem for file in (made.root / "memory/archive").glob("2026-*.md")]
    today = NOW.date()
    assert sorted(days) == [(today - timedelta(days=n)).isoformat() for n in range(6, -1, -1)]
    ages = sorted((today - datetime.fromisoformat(day).date()).days for day in archived)
    assert ages[0] == 7
    assert ages[-1] >= 28
    assert len(archived) >= 15
    assert all(age >= 7 for age in ages)
    for file in (made.root / "memory").rglob("2026-*.md"):
        assert file.read_text().splitlines()[0].startswith(f"# {file.stem}"), "its heading is its day"


def test_links_into_files_lead_somewhere(made: Workspace) -> None:
    names = {path for path, _ in texts(made)}
    forms = {"state/drafts/id.md", "memory/YYYY-MM-DD.md"}
    for path, text in texts(made):
        for target in re.findall(r"\b(?:memory|state)/[\w./-]+\.md\b", text):
            assert target in names or target in forms, f"{path} names {target}"


@pytest.mark.parametrize("when", [NOW, datetime(2028, 2, 29, 23, 50, tzinfo=timezone(timedelta(hours=13)))])
def test_on_any_day(tmp_path: Path, when: datetime) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    gate = demo.build(tmp_path / "workspace", env, Clock(when))
    found = load(gate)
    assert found.problems == ()
    assert {item.word for item in found.staged} == {"did it happen?", "approved", "waits", "held"}


def test_without_git_it_works_all_the_same(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "nothing")}
    gate = demo.build(tmp_path / "workspace", env, Clock(NOW))
    found = load(gate)
    assert found.queue[0].id == "mail-bob"
    assert found.problems == ()
    assert not (tmp_path / "workspace/.git").exists()


def test_the_state_of_a_demo_that_is_gone_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    first = demo.temporary()
    assert first.parent.parent == tmp_path
    kept = Gate.open(tmp_path / "mine", env, Clock(NOW))
    (tmp_path / "mine").mkdir()
    kept.settle()
    gone = demo.build(first, env, Clock(NOW)).identity.id
    assert (state_home(env) / gone).is_dir()
    shutil.rmtree(first.parent)
    shutil.rmtree(tmp_path / "mine")
    second = demo.build(demo.temporary(), env, Clock(NOW)).identity.id
    assert sorted(file.name for file in state_home(env).iterdir()) == sorted([kept.identity.id, second])


def test_the_farewell_names_the_folder(made: Workspace) -> None:
    assert demo.farewell(made.gate()).count(str(made.root)) == 4
