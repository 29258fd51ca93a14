"""One run from the yes to the outcome, with real programs: what they get, what is kept of them, how they end."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dory_tui.gate import runner
from dory_tui.gate.due import last_look, run_due
from dory_tui.gate.rules import Exit
from dory_tui.gate.runner import Answer
from dory_tui.gate.spawn import OUTPUT_CAP
from dory_tui.ledger.records import Record, serialise
from dory_tui.review import decide
from dory_tui.review.change import DecisionError, StaleError
from dory_tui.values import replace

if TYPE_CHECKING:
    from tests.conftest import Stop, Workspace

pytestmark = [pytest.mark.gate, pytest.mark.xdist_group("runner")]


def sh(words: str, *more: str) -> list[str]:
    return ["/bin/sh", "-c", words, *more]


def run(workspace: Workspace, identity: str = "post", **environment: str) -> Answer:
    gate = workspace.gate()
    return runner.run(replace(gate, environment={**gate.environment, **environment}), identity)


def approved(workspace: Workspace, argv: list[str], body: str = "Hello.\n", **action: Any) -> None:
    workspace.draft("post", body, action={"argv": argv, **action})
    workspace.approve("post")


def outcome(workspace: Workspace, identity: str = "post") -> dict[str, Any]:
    """The last record of an item, as its file in the mirror has it."""
    item = workspace.gate().ledger.history(identity)[-1]
    name = f"{item.attempt}-{item.number:03}-{item.event}.json"
    found: dict[str, Any] = json.loads((workspace.root / ".dory/ledger" / identity / name).read_text())
    return found


# What the program gets


def test_arguments_arrive_as_they_are_written_and_no_shell_reads_them(workspace: Workspace) -> None:
    show = workspace.write("bin/show", "#!/bin/sh\nfor one; do printf '%s|' \"$one\"; done\n")
    show.chmod(0o755)
    words = ["$(touch pwned)", "`id`", "; touch pwned", "a b", "", "*", "$HOME", "\\n", "'\"", "é漢👩‍💻", "-rf", "a\nb"]
    approved(workspace, ["bin/show", *words])
    found = run(workspace)
    assert found.code == Exit.FINE
    assert found.output.decode() == "".join(f"{word}|" for word in words)
    assert not (workspace.root / "pwned").exists()


def test_standard_input_is_the_body_to_the_byte(workspace: Workspace) -> None:
    body = b"\r\nline\n---\nno: matter\n\xff\xfe\x00 no end"
    front = b'---\nid: post\naction:\n  argv: ["/bin/cat"]\n  stdin: body\n---\n'
    workspace.runs("post")
    workspace.write("state/drafts/post.md", front + body)
    workspace.approve("post")
    assert run(workspace).output == body


def test_standard_input_is_nothing_or_the_file_that_was_approved(workspace: Workspace) -> None:
    workspace.write("notes/in.txt", b"from a file")
    workspace.draft("none", action={"argv": ["/bin/cat"]})
    workspace.draft("file", action={"argv": ["/bin/cat"], "stdin": "file:notes/in.txt"})
    for identity, output in (("none", b""), ("file", b"from a file")):
        workspace.approve(identity)
        assert run(workspace, identity).output == output


def test_the_environment_is_minimal_and_what_the_draft_sets(workspace: Workspace) -> None:
    approved(workspace, ["/usr/bin/env"], env={"TONE": "no", "LANG": "de_DE.UTF-8"}, env_pass=["POST_ROOM", "UNSET"])
    lines = run(workspace, POST_ROOM="den", SECRET="x", PATH="/tmp/evil", LD_PRELOAD="", DORY_ID="other").output
    found = dict(line.split("=", 1) for line in lines.decode().splitlines())
    key = found.pop("DORY_IDEMPOTENCY_KEY")
    assert len(key) == 32
    assert found == {
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": workspace.env["HOME"], "LANG": "de_DE.UTF-8", "TONE": "no",
        "POST_ROOM": "[masked]" if len("den") >= 4 else "den", "DORY_ID": "post", "DORY_ATTEMPT": "1",
    }  # fmt: skip


def test_it_runs_in_its_folder_and_each_attempt_has_a_key_of_its_own(workspace: Workspace) -> None:
    (workspace.root / "sub").mkdir()
    approved(workspace, sh('pwd; echo "$DORY_ATTEMPT $DORY_IDEMPOTENCY_KEY"; exit 1'), cwd="sub")
    first = run(workspace).output.decode().split()
    workspace.approve("post")
    second = run(workspace).output.decode().split()
    assert first[0] == second[0] == str(workspace.root / "sub")
    assert [first[1], second[1]] == ["1", "2"]
    assert first[2] != second[2]


# What is kept of what it prints


def test_a_passed_value_is_neither_stored_nor_printed(workspace: Workspace) -> None:
    approved(workspace, sh('echo "a $TOKEN b $TOKEN"; env >&2'), env_pass=["TOKEN", "WIDE"])
    found = run(workspace, TOKEN="hunter2", WIDE="hunter2-and-more")
    assert b"hunter2" not in found.output
    assert b"more" not in found.output, "of one that stands inside another, the whole"
    assert b"a [masked] b [masked]\n" in found.output
    state = Path(workspace.env["XDG_STATE_HOME"])
    files = [file for folder in (state, workspace.root) for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 8
    assert not [file for file in files if b"hunter2" in file.read_bytes()]
    assert "[masked]" in outcome(workspace)["data"]["output"]


@pytest.mark.parametrize("before", [OUTPUT_CAP - 5, OUTPUT_CAP - 6000, 10])
def test_a_value_that_the_cap_would_cut_in_two_is_masked_whole(workspace: Workspace, before: int) -> None:
    secret = "k3y-" * 2500
    approved(
        workspace,
        sh(f'head -c {before} /dev/zero | tr "\\0" x; printf %s "$TOKEN"; printf %s "$TOKEN"'),
        env_pass=["TOKEN"],
    )
    found = run(workspace, TOKEN=secret)
    assert b"k3y-" not in found.output
    assert found.output.startswith(b"x" * before + b"[masked]"[: OUTPUT_CAP - before])
    assert outcome(workspace)["data"]["output_bytes"] == before + 20_000


def test_half_a_secret_at_the_end_is_masked_too(workspace: Workspace) -> None:
    approved(workspace, sh('printf "so: %.12s" "$TOKEN"'), env_pass=["TOKEN"])
    assert run(workspace, TOKEN="correct horse battery").output == b"so: [masked]"


def test_a_value_that_is_no_text_is_passed_and_masked(workspace: Workspace) -> None:
    approved(workspace, sh('printf "<%s>" "$TOKEN"'), env_pass=["TOKEN"])
    assert run(workspace, TOKEN="ab\udcffcd").output == b"<[masked]>"


def test_output_is_capped_and_its_whole_size_and_hash_are_kept(workspace: Workspace) -> None:
    approved(workspace, sh("head -c 300000 /dev/zero | tr '\\0' x; echo end >&2"))
    found = run(workspace)
    whole = b"x" * 300_000 + b"end\n"
    assert found.output == whole[:OUTPUT_CAP]
    data = outcome(workspace)["data"]
    assert len(data["output"]) == OUTPUT_CAP
    assert data["output_bytes"] == len(whole)
    assert data["output_sha256"] == hashlib.sha256(whole).hexdigest()


def test_output_that_is_no_text_is_kept_as_far_as_it_is(workspace: Workspace) -> None:
    approved(workspace, sh("printf 'a\\377b\\033[2J'"))
    assert run(workspace).output == b"a\xffb\x1b[2J"
    assert outcome(workspace)["data"]["output"] == "a\ufffdb\x1b[2J"


# How it ends


@pytest.mark.parametrize(
    ("words", "good", "code", "state"),
    [
        ("exit 0", [0], Exit.FINE, "done"),
        ("exit 3", [0], Exit.FAILED, "failed"),
        ("exit 3", [0, 3], Exit.FINE, "done"),
        ("exit 0", [3], Exit.FAILED, "failed"),
        ("kill -9 $$", [0], Exit.UNKNOWN, "unknown"),
        ("kill -TERM $$", [0], Exit.UNKNOWN, "unknown"),
    ],
)
def test_how_it_ended_is_what_is_answered_and_recorded(
    workspace: Workspace, words: str, good: list[int], code: Exit, state: str
) -> None:
    approved(workspace, sh(words), ok_exit=good)
    found = run(workspace)
    assert (found.code, found.state, found.started) == (code, state, True)
    assert workspace.standing("post").state == state
    again = run(workspace)
    assert again.code == {"done": Exit.CLAIMED, "failed": Exit.REFUSED, "unknown": Exit.UNKNOWN}[state]
    assert not again.started


def test_a_failure_waits_for_a_fresh_yes_which_opens_the_next_attempt(workspace: Workspace) -> None:
    approved(workspace, sh('echo x >> "$0"; exit 7', str(workspace.effects)))
    assert "exit code 7" in run(workspace).sentence
    for _ in range(3):
        assert run(workspace).code == Exit.REFUSED
    workspace.approve("post")
    assert run(workspace).code == Exit.FAILED
    assert workspace.effects.read_text() == "x\nx\n"
    assert workspace.events("post") == [
        "1-001-approved", "1-500-claimed", "1-501-failed", "2-001-approved", "2-500-claimed", "2-501-failed",
    ]  # fmt: skip


@pytest.mark.parametrize("content", ["#!/nonexistent/interpreter\n", "no program at all\n", "\x7fELF broken"])
def test_what_cannot_be_started_is_aborted_before_the_start(workspace: Workspace, content: str) -> None:
    workspace.write("bin/post", content).chmod(0o755)
    approved(workspace, ["bin/post"])
    found = run(workspace)
    assert (found.code, found.state, found.started) == (Exit.REFUSED, "aborted-before-start", False)
    assert "could not be started" in found.sentence
    assert run(workspace).code == Exit.REFUSED
    workspace.write("bin/post", "#!/bin/sh\necho well\n").chmod(0o755)
    workspace.approve("post")
    assert run(workspace).output == b"well\n"


def test_a_timeout_ends_the_whole_group_and_is_unknown(workspace: Workspace, stop: Stop) -> None:
    approved(workspace, sh(f"echo begun; ( {stop.words} ) & wait"), timeout="1s")
    found = run(workspace)
    stop.reached()
    assert (found.code, found.state, found.output) == (Exit.UNKNOWN, "unknown", b"begun\n")
    assert "took longer than 1 s" in found.sentence
    assert not workspace.gate().ledger.running("post"), "its child ended too"
    assert run(workspace).code == Exit.UNKNOWN
    assert workspace.standing("post").needs_yes


def test_a_timeout_ends_what_ignores_being_asked(workspace: Workspace, stop: Stop) -> None:
    approved(workspace, sh(f"trap '' TERM; ( trap '' TERM; {stop.words} ) & {stop.words}"), timeout="1s")
    assert run(workspace).code == Exit.UNKNOWN
    assert not workspace.gate().ledger.running("post")


def test_a_grandchild_that_holds_the_pipe_hangs_nobody(workspace: Workspace, stop: Stop) -> None:
    approved(workspace, sh(f"( {stop.words}; echo late ) & echo done"))
    found = run(workspace)
    assert (found.code, found.output) == (Exit.FINE, b"done\n")
    stop.reached()
    assert workspace.gate().ledger.running("post"), "it is still there, and was not waited for"
    assert workspace.standing("post").state == "done"
    stop.let_go()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_runner_ends_the_group_and_is_written_down(
    workspace: Workspace, stop: Stop, number: signal.Signals
) -> None:
    workspace.live()
    approved(workspace, sh(f'echo "$DORY_ID" >> "$0"; ( {stop.words} ) & wait', str(workspace.effects)))
    process = workspace.agent("run", "post")
    stop.reached()
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == Exit.UNKNOWN
    assert f"the runner was ended by {number.name}" in said
    assert not workspace.gate().ledger.running("post"), "the whole group ended"
    assert workspace.events("post")[-1] == "1-501-unknown"
    assert run(workspace).code == Exit.UNKNOWN
    assert workspace.count("post") == 1


def test_a_signal_to_the_scheduler_starts_nothing_more(workspace: Workspace, stop: Stop) -> None:
    workspace.live()
    workspace.draft("first", action={"argv": sh(f"{stop.words}")}, schedule={"lane": "a"})
    workspace.runs("second", schedule={"lane": "b"})
    workspace.approve("first")
    workspace.approve("second")
    process = workspace.agent("run", "--due")
    stop.reached()
    process.terminate()
    process.communicate()
    assert process.returncode == Exit.UNKNOWN
    assert workspace.count("second") == 0
    assert workspace.standing("second").state == "approved"


def test_while_it_runs_it_says_so(workspace: Workspace, stop: Stop) -> None:
    workspace.live()
    approved(workspace, sh(stop.words))
    process = workspace.agent("run", "post")
    stop.reached()
    assert runner.check(workspace.gate(), "post").sentence == "it is running now"
    assert run(workspace).code == Exit.CLAIMED
    assert runner.finish(workspace.gate(), "post", True).code == Exit.CLAIMED
    with pytest.raises(DecisionError, match="running now"):
        decide.revoke(workspace.gate(), "post", workspace.find("post").digest)
    stop.let_go()
    process.communicate()
    assert process.returncode == 0


# What is run is what was approved


@pytest.mark.parametrize("change", ["body", "action", "one byte", "line end"])
def test_one_changed_byte_needs_a_fresh_yes(workspace: Workspace, change: str) -> None:
    file = workspace.runs("post")
    workspace.approve("post")
    text = file.read_text()
    file.write_text(
        {
            "body": text.replace("Hello", "Hullo"), "action": text.replace("echo", "true"),
            "one byte": text + " ", "line end": text.replace("\n", "\r\n"),
        }[change]
    )  # fmt: skip
    found = run(workspace)
    assert (found.code, found.state) == (Exit.REFUSED, "superseded")
    file.write_text(text)
    assert run(workspace).code == Exit.FINE, "back to the approved bytes, the yes is for them again"


def test_a_yes_to_what_is_not_there_any_more_is_refused(workspace: Workspace) -> None:
    file = workspace.runs("post")
    seen = workspace.find("post").digest
    file.write_text(file.read_text().replace("Hello", "Bye"))
    with pytest.raises(StaleError, match="changed since you read it"):
        decide.approve(workspace.gate(), "post", seen)
    assert workspace.events("post") == []


def test_a_changed_program_is_refused_and_may_be_approved_afresh(workspace: Workspace) -> None:
    program = workspace.write("bin/post", "#!/bin/sh\necho one\n")
    program.chmod(0o755)
    approved(workspace, ["bin/post"])
    program.write_text("#!/bin/sh\necho two\n")
    for verb in (runner.check, runner.run):
        found = verb(workspace.gate(), "post")
        assert (found.code, found.state) == (Exit.REFUSED, "superseded")
        assert "bin/post changed after the yes" in found.sentence
    workspace.approve("post")
    assert run(workspace).output == b"two\n"


def test_a_program_that_a_link_now_names_otherwise_is_refused(workspace: Workspace) -> None:
    for name in ("one", "two"):
        workspace.write(f"bin/{name}", "#!/bin/sh\necho same\n").chmod(0o755)
    link = workspace.root / "bin/post"
    link.symlink_to("one")
    approved(workspace, ["bin/post"])
    link.unlink()
    link.symlink_to("two")
    found = run(workspace)
    assert found.code == Exit.REFUSED
    assert "bin/two" in found.sentence
    link.unlink()
    assert run(workspace).code == Exit.REFUSED


def test_a_swapped_input_is_refused_and_may_be_approved_afresh(workspace: Workspace) -> None:
    file = workspace.write("notes/in.txt", "one")
    approved(workspace, ["/bin/cat"], stdin="file:notes/in.txt")
    file.write_text("two")
    for verb in (runner.check, runner.run):
        found = verb(workspace.gate(), "post")
        assert (found.code, found.state) == (Exit.REFUSED, "superseded")
        assert "standard input is not what was approved" in found.sentence
    workspace.approve("post")
    assert run(workspace).output == b"two"


def test_an_input_that_is_gone_or_leads_away_is_bad_input(workspace: Workspace) -> None:
    file = workspace.write("notes/in.txt", "one")
    approved(workspace, ["/bin/cat"], stdin="file:notes/in.txt")
    file.unlink()
    assert run(workspace).code == Exit.USAGE
    file.symlink_to("/etc/hostname")
    found = run(workspace)
    assert found.code == Exit.USAGE
    assert "leads out of the workspace" in found.sentence
    assert workspace.events("post") == ["1-001-approved"]


def test_a_second_yes_to_what_is_approved_is_none(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    with pytest.raises(DecisionError, match="cannot be approved: a human said yes"):
        workspace.approve("post")


def test_a_field_that_is_not_of_the_schema_cannot_be_approved_and_does_not_run(workspace: Workspace) -> None:
    workspace.draft("shell", action={"argv": ["/bin/cat"], "shell": True})
    workspace.draft("cron", action={"argv": ["/bin/cat"]}, schedule={"cron": "daily"})
    for identity, word in (("shell", "action.shell"), ("cron", "schedule.cron")):
        with pytest.raises(DecisionError, match=f"line 3: `{word}`|line 4: `{word}`") as caught:
            workspace.approve(identity)
        assert caught.value.code == Exit.USAGE
        assert run(workspace, identity).code == Exit.USAGE


# Time


def test_a_yes_waits_for_its_time_and_ends_in_time(workspace: Workspace) -> None:
    start = workspace.clock.now + timedelta(hours=1)
    workspace.runs("post", schedule={"not_before": start.isoformat(), "grace": "10m"})
    workspace.approve("post")
    found = run(workspace)
    assert (found.code, found.sentence) == (Exit.NOT_YET, "not before 11:00")
    workspace.clock.now = start + timedelta(minutes=11)
    found = run(workspace)
    assert (found.code, found.state) == (Exit.REFUSED, "missed")
    workspace.approve("post")
    workspace.clock.forward(minutes=9)
    assert run(workspace).code == Exit.FINE, "a fresh yes to what was missed lets it run, within the grace"


def test_a_window_that_ended_cannot_be_approved(workspace: Workspace) -> None:
    end = workspace.clock.now + timedelta(hours=1)
    workspace.runs("post", schedule={"expires": end.isoformat()})
    workspace.approve("post")
    workspace.clock.now = end
    assert run(workspace).state == "expired"
    with pytest.raises(DecisionError, match="ended"):
        workspace.approve("post")
    file = workspace.root / "state/drafts/post.md"
    file.write_text(file.read_text() + "more\n")
    with pytest.raises(DecisionError, match=r"its window ended .*: stage it again"):
        workspace.approve("post")


# Holds


HOLD = "[2026-02-05 10:00 | main] X thread tweets 2-7 — awaiting explicit approval"


def thread(workspace: Workspace, *numbers: int) -> None:
    for number in numbers:
        workspace.runs(f"launch-{number}", title=f"Launch thread {number} of 7")
        workspace.approve(f"launch-{number}")


def test_a_hold_beats_a_yes_for_what_it_covers(workspace: Workspace) -> None:
    thread(workspace, 1, 2, 7)
    workspace.hold(HOLD)
    for number in (2, 7):
        found = run(workspace, f"launch-{number}")
        assert found.code == Exit.HELD
        assert "X thread tweets 2-7 — awaiting explicit approval" in found.sentence
        assert runner.check(workspace.gate(), f"launch-{number}").code == Exit.HELD
    assert run(workspace, "launch-1").code == Exit.FINE


@pytest.mark.parametrize("look", [runner.check, runner.run])
def test_a_hold_once_seen_stays_when_its_line_is_deleted(workspace: Workspace, look: Any) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    assert look(workspace.gate(), "launch-3").code == Exit.HELD
    workspace.hold()
    found = run(workspace, "launch-3")
    assert found.code == Exit.HELD
    assert "its line is gone from HOLD.md; only a human lifts it" in found.sentence
    (workspace.root / "state/HOLD.md").unlink()
    assert run(workspace, "launch-3").code == Exit.HELD
    decide.lift(workspace.gate(), workspace.gate().holds()[0].hash)
    assert run(workspace, "launch-3").code == Exit.FINE


def test_lifting_takes_the_line_away_and_a_line_that_comes_back_holds_again(workspace: Workspace) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    decide.lift(workspace.gate(), workspace.gate().holds()[0].hash)
    assert "X thread" not in (workspace.root / "state/HOLD.md").read_text()
    assert workspace.gate().holds() == []
    workspace.hold(HOLD)
    assert run(workspace, "launch-3").code == Exit.HELD
    workspace.hold()
    assert run(workspace, "launch-3").code == Exit.HELD


@pytest.mark.parametrize("event", ["lifted", "not-a-hold"])
def test_a_lift_written_by_hand_lifts_nothing(workspace: Workspace, event: str) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    gate = workspace.gate()
    (hold,) = gate.holds()
    key = f"@hold/{hold.hash}"
    forged = Record(gate.identity.id, key, 1, 9, event, "eve", workspace.clock.now, None, {"text": hold.text})
    folder = workspace.root / ".dory/ledger" / key
    folder.mkdir(parents=True)
    (folder / forged.name).write_bytes(serialise(forged))
    assert run(workspace, "launch-3").code == Exit.HELD, "dory sees it now, whatever stands there"
    workspace.hold()
    for file in folder.iterdir():
        file.unlink()
    assert run(workspace, "launch-3").code == Exit.HELD, "and remembers it out of git's reach"


def test_a_damaged_record_of_a_hold_holds_and_can_be_lifted(workspace: Workspace) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    assert run(workspace, "launch-3").code == Exit.HELD
    workspace.hold()
    gate = workspace.gate()
    (hold,) = gate.holds()
    for folder in (gate.ledger.original, gate.ledger.mirror):
        (folder / "@hold" / hold.hash / "1-001-seen.json").write_bytes(b"{")
    (broken,) = gate.holds()
    assert (broken.hash, broken.everything) == (hold.hash, True)
    assert run(workspace, "launch-3").code == Exit.HELD
    decide.lift(workspace.gate(), broken.hash)
    assert run(workspace, "launch-3").code == Exit.FINE


def test_a_hold_seen_again_after_a_lift_stays_though_its_mirror_is_damaged(workspace: Workspace) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    (hold,) = workspace.gate().holds()
    decide.lift(workspace.gate(), hold.hash)
    workspace.hold(HOLD)
    assert run(workspace, "launch-3").code == Exit.HELD
    workspace.hold()
    (workspace.root / ".dory/ledger/@hold" / hold.hash / "1-003-seen.json").write_bytes(b"")
    assert run(workspace, "launch-3").code == Exit.HELD


def test_looking_in_the_middle_of_a_lift_does_not_bring_the_hold_back(workspace: Workspace) -> None:
    """The scheduler read HOLD.md just before the human lifted, and notes what it saw just after."""
    workspace.gate().settle()
    workspace.hold(HOLD)
    scheduler = workspace.gate(by="dory-agent")
    seen = scheduler.holds()
    decide.lift(workspace.gate(), seen[0].hash)
    scheduler.notice_holds(seen)
    assert workspace.gate().holds() == []


def test_a_passage_holds_everything_until_a_human_marks_it(workspace: Workspace) -> None:
    thread(workspace, 1)
    workspace.hold("Nothing may go out before Ana is back.")
    assert run(workspace, "launch-1").code == Exit.HELD
    decide.lift(workspace.gate(), workspace.gate().holds()[0].hash)
    assert "Ana is back" in (workspace.root / "state/HOLD.md").read_text()
    assert run(workspace, "launch-1").code == Exit.FINE


@pytest.mark.parametrize("content", [b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", None])
def test_a_hold_file_that_cannot_be_trusted_holds_everything(workspace: Workspace, content: bytes | None) -> None:
    thread(workspace, 1)
    file = workspace.root / "state/HOLD.md"
    if content is None:
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(content)
    found = run(workspace, "launch-1")
    assert found.code == Exit.HELD
    assert "everything is held" in found.sentence


def test_an_override_goes_over_that_one_hold(workspace: Workspace) -> None:
    thread(workspace, 3)
    workspace.hold(HOLD)
    (hold,) = workspace.gate().holds()
    workspace.approve("launch-3", [hold.hash])
    assert runner.check(workspace.gate(), "launch-3").code == Exit.FINE
    workspace.hold(HOLD, "[2026-02-05 11:00 | main] thread — another reason")
    assert run(workspace, "launch-3").code == Exit.HELD
    workspace.hold(HOLD)
    assert run(workspace, "launch-3").code == Exit.HELD, "the other one was seen"


# Text that the agent uses itself


def test_a_text_is_handed_out_once(workspace: Workspace) -> None:
    workspace.draft("mail", "Dear Bob,\r\nyes.", kind="mail")
    assert runner.claim(workspace.gate(), "mail").code == Exit.REFUSED
    workspace.approve("mail")
    assert runner.run(workspace.gate(), "mail").code == Exit.REFUSED
    found = runner.claim(workspace.gate(), "mail")
    assert (found.code, found.output) == (Exit.FINE, b"Dear Bob,\r\nyes.")
    again = runner.claim(workspace.gate(), "mail")
    assert (again.code, again.output) == (Exit.CLAIMED, b"")
    assert runner.check(workspace.gate(), "mail").code == Exit.CLAIMED
    assert workspace.standing("mail").needs_yes, "until the agent says what became of it"


@pytest.mark.parametrize(("succeeded", "state", "other"), [(True, "done", False), (False, "failed", True)])
def test_finish_says_what_became_of_it_once(workspace: Workspace, succeeded: bool, state: str, other: bool) -> None:
    workspace.draft("mail")
    workspace.approve("mail")
    assert runner.finish(workspace.gate(), "mail", succeeded).code == Exit.REFUSED
    runner.claim(workspace.gate(), "mail")
    assert runner.finish(workspace.gate(), "mail", succeeded).code == Exit.FINE
    assert workspace.standing("mail").state == state
    assert runner.finish(workspace.gate(), "mail", succeeded).code == Exit.FINE, "the same again is no news"
    assert runner.finish(workspace.gate(), "mail", other).code == Exit.CLAIMED
    assert workspace.standing("mail").state == state


def test_a_failed_text_is_handed_out_again_only_after_a_fresh_yes(workspace: Workspace) -> None:
    workspace.draft("mail")
    workspace.approve("mail")
    runner.claim(workspace.gate(), "mail")
    runner.finish(workspace.gate(), "mail", False)
    assert runner.claim(workspace.gate(), "mail").code == Exit.REFUSED
    workspace.approve("mail")
    assert runner.claim(workspace.gate(), "mail").code == Exit.FINE
    assert runner.claim(workspace.gate(), "mail").code == Exit.CLAIMED


def test_finish_is_not_for_what_dory_ran(workspace: Workspace) -> None:
    approved(workspace, sh("kill -9 $$"))
    run(workspace)
    assert runner.finish(workspace.gate(), "post", True).code == Exit.CLAIMED
    assert workspace.standing("post").state == "unknown"


def test_claim_is_not_for_what_dory_runs(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    assert runner.claim(workspace.gate(), "post").code == Exit.REFUSED
    assert run(workspace).code == Exit.FINE


def test_what_is_not_there_is_bad_input(workspace: Workspace) -> None:
    for verb in (runner.run, runner.check, runner.claim):
        for wanted in ("nothing", "../../x", "-rf", ""):
            assert verb(workspace.gate(), wanted).code == Exit.USAGE


# The scheduler's call


def due(workspace: Workspace, most: int | None = None) -> dict[str, tuple[int, str]]:
    return {found.id: (int(found.code), found.sentence) for found in run_due(workspace.gate(), most)}


def test_a_backlog_in_one_lane_never_bursts(workspace: Workspace) -> None:
    thread(workspace, *range(1, 8))
    for started in range(1, 8):
        answers = due(workspace)
        assert len(workspace.effects.read_text().split()) == started
        assert [code for code, _ in answers.values()].count(0) == 1
        assert [code for code, _ in answers.values()].count(75) == 7 - started
    assert workspace.effects.read_text().split() == [f"launch-{number}" for number in range(1, 8)]
    assert due(workspace) == {}


def test_each_lane_starts_one_and_max_bounds_them_all(workspace: Workspace) -> None:
    for number in range(6):
        workspace.runs(f"post-{number}", schedule={"lane": f"lane-{number % 3}"})
        workspace.approve(f"post-{number}")
    answers = due(workspace, 2)
    assert [code for code, _ in answers.values()] == [0, 0, 75, 75, 75, 75]
    assert answers["post-2"][1] == "this call may start 2"
    assert answers["post-3"][1] == "one item of the lane lane-0 was started in this call"
    assert [code for code, _ in due(workspace).values()].count(0) == 3
    assert sorted(workspace.effects.read_text().split()) == ["post-0", "post-1", "post-2", "post-3", "post-4"]


def test_the_longest_due_comes_first(workspace: Workspace) -> None:
    for identity, minutes in (("late", 5), ("early", 1), ("middle", 3)):
        start = workspace.clock.now + timedelta(minutes=minutes)
        workspace.runs(identity, schedule={"not_before": start.isoformat()})
        workspace.approve(identity)
    workspace.clock.forward(minutes=10)
    assert list(due(workspace)) == ["early", "middle", "late"]
    assert workspace.effects.read_text() == "early\n"


def test_what_failed_took_its_lane_and_what_was_refused_did_not(workspace: Workspace) -> None:
    workspace.runs("a-held")
    workspace.draft("b-fails", action={"argv": sh("exit 1")})
    workspace.runs("c-fine")
    for identity in ("a-held", "b-fails", "c-fine"):
        workspace.approve(identity)
    workspace.hold("[2026-02-05 10:00 | main] id:a-held — wait")
    assert {name: code for name, (code, _) in due(workspace).items()} == {"a-held": 6, "b-fails": 1, "c-fine": 75}
    assert {name: code for name, (code, _) in due(workspace).items()} == {"a-held": 6, "c-fine": 0}


def test_what_is_not_started_is_listed_with_its_reason_and_only_once_it_is_due(workspace: Workspace) -> None:
    now = workspace.clock.now
    soon, later = (now + timedelta(minutes=5)).isoformat(), (now + timedelta(hours=9)).isoformat()
    workspace.runs("missed", schedule={"not_before": soon, "grace": "1m"})
    workspace.runs("nobody", schedule={"not_before": soon})
    workspace.runs("changed", schedule={"lane": "b"})
    workspace.runs("held", schedule={"not_before": later, "lane": "c"})
    workspace.runs("waits", schedule={"not_before": later, "lane": "d"})
    workspace.runs("rejected", schedule={"not_before": soon})
    workspace.runs("someday")
    workspace.draft("text")
    for identity in ("missed", "changed", "held", "waits", "text"):
        workspace.approve(identity)
    decide.reject(workspace.gate(), "rejected", workspace.find("rejected").digest, "no")
    workspace.hold("[2026-02-05 10:00 | main] id:held — wait")
    file = workspace.root / "state/drafts/changed.md"
    file.write_text(file.read_text() + "!")
    workspace.clock.forward(minutes=10)
    answers = due(workspace)
    assert {name: code for name, (code, _) in answers.items()} == {"missed": 3, "nobody": 3, "changed": 3}
    assert "needs a fresh yes" in answers["missed"][1]
    assert "no human has said yes" in answers["nobody"][1]
    assert "changed after the yes" in answers["changed"][1]
    assert not workspace.effects.exists()


def test_one_broken_item_keeps_no_other_from_running(workspace: Workspace) -> None:
    workspace.runs("broken", schedule={"not_before": workspace.clock.now.isoformat()})
    workspace.runs("torn")
    workspace.runs("fine")
    for identity in ("torn", "fine"):
        workspace.approve(identity)
    (workspace.root / ".dory/ledger/broken").symlink_to("broken")
    (workspace.root / ".dory/ledger/torn/1-002-rejected.json").write_bytes(b"")
    workspace.draft("mangled").write_text("---\nid: [\n---\n")
    answers = due(workspace)
    assert answers["fine"][0] == Exit.FINE
    assert answers["broken"][0] == answers["torn"][0] == Exit.REFUSED
    assert workspace.effects.read_text() == "fine\n"


def test_each_look_is_noted(workspace: Workspace) -> None:
    assert last_look(workspace.gate()) is None
    workspace.runs("post")
    workspace.runs("other")
    workspace.approve("post")
    workspace.approve("other")
    due(workspace)
    assert last_look(workspace.gate()) == workspace.clock.now
    note = json.loads((workspace.gate().ledger.state / "looked.json").read_text())
    assert note["started"] == ["other"]
    assert note["refused"] == [["post", "one item of the lane default was started in this call"]]
    workspace.clock.forward(minutes=5)
    due(workspace)
    assert last_look(workspace.gate()) == workspace.clock.now
    (workspace.gate().ledger.state / "looked.json").write_text("[]")
    assert last_look(workspace.gate()) is None


def test_one_item_of_a_lane_runs_at_a_time(workspace: Workspace, stop: Stop) -> None:
    workspace.live()
    workspace.draft("slow", action={"argv": sh(stop.words)})
    workspace.runs("quick")
    workspace.approve("slow")
    workspace.approve("quick")
    process = workspace.agent("run", "slow")
    stop.reached()
    for verb in (runner.check, runner.run):
        found = verb(workspace.gate(), "quick")
        assert (found.code, found.sentence) == (Exit.NOT_YET, "an item of the lane default is running")
    stop.let_go()
    process.communicate()
    assert run(workspace, "quick").code == Exit.FINE


# The human's words around it


def test_after_a_no_nothing_runs_until_it_is_revised_and_approved(workspace: Workspace) -> None:
    file = workspace.runs("post")
    workspace.approve("post")
    decide.reject(workspace.gate(), "post", workspace.find("post").digest, "not today")
    for _ in range(3):
        assert run(workspace).code == Exit.REFUSED
    file.write_text(file.read_text() + "better\n")
    found = run(workspace)
    assert (found.code, found.state) == (Exit.REFUSED, "pending")
    workspace.approve("post")
    assert run(workspace).code == Exit.FINE


def test_a_yes_taken_back_is_none(workspace: Workspace) -> None:
    workspace.runs("post")
    workspace.approve("post")
    decide.revoke(workspace.gate(), "post", workspace.find("post").digest)
    assert run(workspace).code == Exit.REFUSED
    with pytest.raises(DecisionError, match="no yes to take back"):
        decide.revoke(workspace.gate(), "post", workspace.find("post").digest)


@pytest.mark.parametrize("words", ["exit 0", "exit 1", "kill -9 $$"])
def test_what_ran_cannot_be_taken_back(workspace: Workspace, words: str) -> None:
    approved(workspace, sh(words))
    run(workspace)
    with pytest.raises(DecisionError, match="no yes to take back"):
        decide.revoke(workspace.gate(), "post", workspace.find("post").digest)


@pytest.mark.parametrize(("happened", "state", "code"), [(True, "happened", 4), (False, "not-happened", 3)])
def test_an_unknown_outcome_waits_for_a_humans_word(
    workspace: Workspace, happened: bool, state: str, code: int
) -> None:
    approved(workspace, sh("kill -9 $$"))
    assert run(workspace).code == Exit.UNKNOWN
    with pytest.raises(DecisionError, match="did it happen"):
        workspace.approve("post")
    decide.resolve(workspace.gate(), "post", happened)
    found = run(workspace)
    assert (found.state, found.code) == (state, code)
    with pytest.raises(DecisionError, match="nothing to resolve"):
        decide.resolve(workspace.gate(), "post", happened)


def test_the_exit_codes_of_the_command_are_those_of_the_gate(workspace: Workspace) -> None:
    workspace.live().runs("post")
    codes = []
    for words in (["check", "post"], ["run", "post"], ["check", "nothing"]):
        process = workspace.agent(*words)
        process.communicate()
        codes.append(process.returncode)
    workspace.approve("post")
    for words in (["check", "post"], ["run", "post"], ["run", "post"], ["check", "post"]):
        process = workspace.agent(*words)
        process.communicate()
        codes.append(process.returncode)
    assert codes == [3, 3, 2, 0, 0, 4, 4]


def test_the_runner_lets_go_of_everything_it_opened(workspace: Workspace) -> None:
    workspace.runs("warm")
    workspace.approve("warm")
    run(workspace, "warm")
    before = sorted(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else []
    approved(workspace, sh("echo hello"))
    for _ in range(5):
        run(workspace)
        runner.check(workspace.gate(), "post")
    after = sorted(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else []
    assert len(after) <= len(before)
