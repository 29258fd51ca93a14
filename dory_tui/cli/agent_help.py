"""What `dory-agent VERB --help` says: instructions to an agent. When to call it, what to expect, an example, the codes.

Each example is a whole command line; a test has its parser read every one of them.
"""

from __future__ import annotations

from collections.abc import Mapping

GENERAL = """\
You are an agent, and this is how you work in a workspace where a human reviews what you want to do and to remember.
You can look, write down, stage, propose, check, run and claim. You cannot approve: only the human can, with `dory`.

  at the start      boot --context        and repeat its first line, unchanged, as the first thing you say
  given a task      capture               the user's exact words, before you interpret them
  told to wait      hold                  at once; only the human lifts it
  before an act     stage                 what leaves the workspace waits for a yes; then go on with something else
  after a yes       run, or claim         the only two commands that may publish anything
  before you ask    search                what was decided, promised or found out before
  after each act    log                   one short line; `remember` for facts, `decide` for choices
  worth keeping     propose               for MEMORY.md, with four scores
  at the end        finish-task           the task goes into the day's log

Every verb takes --json and -C PATH, takes long text by standard input, and may be called again after a crash: what was
done already is not done twice. What a verb prints on standard error is for you: read it and do what it says.

exit codes: 0 fine · 1 what started failed · 2 bad input: mend it and call again · 3 refused · 4 already claimed · 5 the
outcome is unknown · 6 held · 75 not yet. After 3, 4, 5, 6 and 75 report the sentence and stop: no second try, no other
way round."""

DRAFT = """\
---
id: launch-3
title: Launch thread 3 of 7
kind: post
part: 3/7
action:
  argv: ["bin/post", "--stdin"]
  stdin: body
schedule:
  lane: social
---
The part nobody tells you about notes: you have to read them.
"""
"""A draft that runs something, for the help of `stage`; the skill has the same one, with every field explained."""

_READS = "0 printed · 2 there is no workspace, or the arguments are wrong"
_WRITES = "0 written, or it stood there already · 2 bad input, nothing was written · 3 refused, with the reason"
_GATE = "2 there is no such draft · 3 no valid yes · 4 already claimed · 5 outcome unknown · 6 held · 75 not yet"

MANUAL: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "boot": (
        """
        Call it first in every session and after your context was compacted. Without options it prints one line:
        say it, unchanged, before anything else.

        With --context it prints what you should know, the most important first and within --budget characters:
        holds and what they cover, the task in the user's exact words, outcomes nobody knows, the human's
        answers with their notes, what waits, open promises, decisions, contradictions, and the files to read
        next, whole where there is room. What is left out is said, with what to read instead.

        With --verify it compares a boot line, or a message that has one, with the truth.
        """,
        (
            "dory-agent boot --context",
            "dory-agent boot --context --budget 4000",
            "dory-agent boot --verify '📋 Boot: ACTIVE=[none] | HOLD=[0] items | STAGING=[0] drafts'",
        ),
        "0 printed, or the line says the same · 2 bad input · 3 the line differs: each part and what it "
        "should be",
    ),
    "status": (
        """
        Call it when you want to know where every draft stands. It prints the boot line, then each draft with
        its state and the reason that `run` would give.
        """,
        (
            "dory-agent status",
            "dory-agent status --json",
        ),
        _READS,
    ),
    "capture": (
        """
        Call it as soon as the user gives you a task, before you interpret it. Send their words by standard
        input, letter for letter: no summary, nothing corrected. They go into state/ACTIVE.md and their digest
        is kept, so that a later change of them is seen. What you take them to mean goes into --interpretation,
        what you will do into --step.

        A task that is not finished is refused: `finish-task` first, or --replace to move it to the log. The
        same words again change nothing.
        """,
        (
            "dory-agent capture < words.txt",
            "dory-agent capture --interpretation 'cut scene 12' --step 'list the scenes' 'revise to 37 scenes'",
        ),
        _WRITES,
    ),
    "finish-task": (
        """
        Call it when the task is done, or given up: it moves the task to today's log and leaves ACTIVE.md idle.
        Called again it changes nothing.
        """,
        (
            "dory-agent finish-task --outcome 'commit 3f9c2a1'",
        ),
        _WRITES,
    ),
    "log": (
        """
        Call it right after each action: one short line, with the commit or the number that proves it. Later
        means never. A promise stays open, and is shown with its age, until `kept`. The same words of the same
        kind within ten minutes are one line.
        """,
        (
            "dory-agent log --kind task 'fixed the redirect, commit 3f9c2a1'",
            "dory-agent log --kind promise 'send Ana the poster by Friday'",
        ),
        _WRITES,
    ),
    "remember": (
        """
        Call it when you are told to remember something, or learn what the next session needs: what is not
        written down is gone. It writes a fact into today's log; with --section and --scores it is proposed for
        MEMORY.md too. Of a secret write where it is kept, never what it is.
        """,
        (
            "dory-agent remember 'Ana prefers Slack to mail'",
            "dory-agent remember --section '## People' --scores 3,2,2,1 'Ana prefers Slack to mail'",
        ),
        _WRITES,
    ),
    "kept": (
        """
        Without words it lists the promises that are open, each with its handle and age. With a handle, or words
        of one promise, it ticks that one.
        """,
        (
            "dory-agent kept",
            "dory-agent kept 'the poster'",
        ),
        _WRITES,
    ),
    "hold": (
        """
        Call it at once when you are told to wait or to stop, or when you doubt that something should go out.
        Say what is held and why, as `Item — reason`. It holds every draft that shares a word with the item (and
        its numbers, where it has some), approved or not. Only the human lifts it.
        """,
        (
            "dory-agent hold 'X thread tweets 2-7 — awaiting explicit approval'",
        ),
        _WRITES,
    ),
    "decide": (
        """
        Call it when you chose between ways that the next session might choose otherwise. Say it as `Item —
        reason`. It is your decision and signed as yours; a human's yes is no decision of yours and is never
        written with this.
        """,
        (
            "dory-agent decide 'One queue for all drafts — two got out of step'",
        ),
        _WRITES,
    ),
    "stage": (
        """
        Call it for whatever would leave the workspace: a post, a mail, a payment, a deployment, a deletion
        elsewhere. Give the draft by standard input, or name a file in the workspace. Front matter with an
        `action` says what would run; without one it is text that you send yourself, once `claim` hands it to
        you. It waits for the human's yes: go on with something else.

        The same draft again is one draft. The same id with other text revises it, and takes back a yes it had.
        What cannot run as written is refused with the line, the field and an example.
        """,
        (
            "dory-agent stage < post-3.md",
            "dory-agent stage state/drafts/post-3.md",
            "dory-agent stage --id reply-ana --title 'Reply to Ana' < reply.txt",
        ),
        _WRITES,
    ),
    "propose": (
        """
        Call it for what should last beyond the log: the human decides whether it goes into MEMORY.md. Score
        honestly, 0 to 3 each: longevity, reuse, impact, uniqueness. It earns a place with 8 in all, or with 6
        when one is 3. --source says where it was learnt, --replaces names the exact line of MEMORY.md that it
        supersedes. The same text again is a revision of the same candidate.
        """,
        (
            "dory-agent propose --section '## People' --scores 3,2,2,1 '- Ana prefers Slack to mail'",
            "dory-agent propose --section '## Lessons' --scores 3,2,3,1 --source memory/2026-02-07.md#L12 < lesson.md",
        ),
        _WRITES,
    ),
    "check": (
        """
        Call it to learn whether a draft would run now. It starts nothing, and answers what `run` would.
        """,
        (
            "dory-agent check post-3",
        ),
        f"0 it would run now · {_GATE}",
    ),
    "run": (
        """
        `run ID` starts one approved draft, at most once, exactly as the human saw it. `run --due` is for a
        scheduler: it starts what is due, one item per lane, and lists what it refuses. A refusal is an answer:
        report its sentence. --refusal-exit gives refusals another code, for schedulers that switch a job off
        after errors.
        """,
        (
            "dory-agent run post-3",
            "dory-agent run --due --max 1",
            "dory-agent run --due --refusal-exit 0",
        ),
        f"0 done (for --due: nothing failed) · 1 it ran and failed · {_GATE}",
    ),
    "claim": (
        """
        Call it for an approved text without an action. It prints the text once, on standard output: send
        exactly that, then say `finish ID ok` or `finish ID failed`. A second claim is refused; nobody may send
        it twice.
        """,
        (
            "dory-agent claim reply-ana",
        ),
        f"0 the text is yours, once · {_GATE}",
    ),
    "finish": (
        """
        Call it after you sent a text that you claimed. Say `failed` only when you know that it did not go out;
        when you do not know, leave it, and the human is asked.
        """,
        (
            "dory-agent finish reply-ana ok",
            "dory-agent finish reply-ana failed",
        ),
        "0 recorded, or recorded before · 2 there is no such draft · 3 it was never claimed · 4 it ended "
        "otherwise · 5 a human must say",
    ),
    "search": (
        """
        Call it before you ask the human what was decided, promised or found out before, and before you decide it
        anew. Ask in your own words; days count, such as "on Monday" or 2026-02-07. Each passage comes with its
        file, its lines and its day: read the file around it before you rely on it.

        A decision that is marked as replaced no longer stands. Nothing found is an answer too: try fewer words.
        """,
        (
            'dory-agent search "why did we choose Resend?"',
            "dory-agent search --days 2026-01-01..2026-01-31 --json invoices",
        ),
        "0 answered, also when nothing was found · 2 there is no workspace, or the arguments are wrong",
    ),
}  # fmt: skip


def manual(verb: str) -> tuple[str, str]:
    """The description and the epilog of a verb's help, wrapped to 100 columns."""
    import textwrap

    says, examples, codes = MANUAL[verb]
    paragraphs = [textwrap.fill(" ".join(part.split()), 100) for part in says.strip().split("\n\n")]
    lines = [f"  {line}" for line in examples]
    if verb == "stage":
        lines += ["", "a draft that runs something:", *(f"  {line}" for line in DRAFT.splitlines())]
    ending = textwrap.fill(codes, 100, initial_indent="  ", subsequent_indent="  ")
    return "\n\n".join(paragraphs), "\n".join(["examples:", *lines, "", "exit codes:", ending])
