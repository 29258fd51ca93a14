"""What a coding agent runs all day goes through; what posts, mails, pays, deploys, force-pushes or deletes does not."""

from __future__ import annotations

import pytest

from tests.unit.test_hook_rule import HOME, shell

# --- variables, and words that are only printed

VALUES_KNOWN = r"""
PY=.venv/bin/python; $PY -m pytest && echo 'ready to deploy'
PY=.venv/bin/python; "${PY}" -m pytest; echo "post mail deploy"
export PY=python3; $PY -m pytest && echo 'npm publish is next'
cd src && PY=python3 && $PY -m pytest && echo 'ready to deploy'
E=echo; $E npm publish
OPTS="-q -x"; $PY -m pytest $OPTS; echo deploy
for f in *.py; do $PY $f; done; echo 'ready to publish'
if $CHECK; then echo 'ready to deploy'; fi; $RUN tests
""".strip().splitlines()

VALUES_THAT_REACH = [
    "X=mail; $X bob",
    "X='mail bob'; $X",
    "X=; $X mail bob",
    'X=~/Documents; rm -rf "$X"',
    'FLAGS="--force origin"; git push $FLAGS',
    "X=mail; Y=\"$X bob\"; $Y",
    "X='a mail'; Y=$X; mail bob",
    # where the assignment may not have happened, or not alone
    '[ -n "$DRY" ] && RUN=echo; $RUN npm publish',
    "if $DRY; then RUN=echo; fi; $RUN npm publish",
    "if $DRY; then\nRUN=echo\nfi\n$RUN npm publish",
    "f() { RUN=echo; }; $RUN npm publish",
    "true || RUN=echo; $RUN npm publish",
    "(RUN=echo); $RUN npm publish",
    "RUN=echo | cat; $RUN npm publish",
    "RUN=echo & $RUN npm publish",
    "RUN=echo; unset RUN; $RUN npm publish",
    "RUN=ls; RUN=mail; $RUN bob",
    "RUN=ls; read RUN <<< mail; $RUN bob",
    "RUN=ls; for RUN in mail; do $RUN bob; done",
    "X=(mail bob); ${X[@]}",
    "f() { $X bob; }; X=mail; f",
    "echo mail | while read X; do $X bob; done",
    "printf -v X mail; $X bob",
    "$(if true; then echo mail; fi) bob",
    "echo 'mail bob' |\nsh",
]  # fmt: skip


@pytest.mark.parametrize("command", VALUES_KNOWN)
def test_what_is_only_printed_gates_nothing_and_plain_assignments_are_known(command: str) -> None:
    assert shell(command) is None


@pytest.mark.parametrize("command", VALUES_THAT_REACH)
def test_what_a_variable_may_give_is_looked_at(command: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert denial.kind == "gated"


# --- deleting

DELETES_A_LITTLE = r"""
cd build && rm -rf ../dist
cd build && cmake .. && rm -rf ../dist ../out
cd /tmp && rm -rf work/x
find . -name __pycache__ | xargs rm -rf
find . -type d -name node_modules -print0 | xargs -0 rm -rf
find . -name '*.egg-info' | sort | xargs -I{} rm -rf {}
find . -type d -name dist -prune -exec rm -rf '{}' \;
find . -name '*.pyc' -delete
find . -mtime +30 -delete
find build -delete
rm -rf build dist *.egg-info
rm -rf .pytest_cache htmlcov .coverage*
rm -rf build-*
fd -t d node_modules | xargs rm -rf
fd -e pyc -x rm
echo build dist | xargs rm -rf
ls -d build-* | xargs rm -rf
""".strip().splitlines()

DELETES_MUCH = [
    "cd build; rm -rf ../Documents",
    "(cd build && make) && rm -rf ../Documents",
    "(cd build) && rm -rf ../Documents",
    "cd build && (make)\nrm -rf ../Documents",
    "cd build & rm -rf ../Documents",
    "cd build && cd - && rm -rf ../Documents",
    'cd build && cd "$X" && rm -rf ../Documents',
    "cd build && pushd .. && popd && rm -rf ../Documents",
    "cd build && rm -rf ../../Documents",
    "cd build && cd .. && rm -rf ../Documents",
    "cd build && bash -c 'cd ..; rm -rf ../Documents'",
    "find . | xargs rm -rf",
    "find -delete",
    "find -L . -delete",
    "find build . -delete",
    "find . -mindepth 1 -exec rm -rf {} +",
    "find . -type f -exec rm {} +",
    "find . ! -name keep -delete",
    "find . -not -name keep -delete",
    "find . -name '*' -delete",
    "ls -A | xargs -I{} rm -rf {}",
    "cat list | xargs rm -rf",
    "xargs rm -rf < list",
    "ls -d */ | xargs rm -rf",
    "fd . | xargs rm -rf",
    "fd -H -t f -x rm",
    "echo * | xargs rm -rf",
    "rm -rf [a-z]*",
    "rm -rf ~/Doc*",
]  # fmt: skip


@pytest.mark.parametrize("command", DELETES_A_LITTLE)
def test_what_is_made_again_may_be_deleted(command: str) -> None:
    assert shell(command, folder=f"{HOME}/ws") is None


@pytest.mark.parametrize("command", DELETES_MUCH)
def test_what_deletes_broadly_is_gated(command: str) -> None:
    denial = shell(command, folder=f"{HOME}/ws")
    assert denial is not None
    assert denial.pattern == "deleting"


@pytest.mark.parametrize(
    "command",
    [
        "find . -name .dory | xargs rm -rf", "find . -name '.do*' | xargs rm -rf",
        "find ~/.config -name dory | xargs rm -rf", "echo .dory/ledger | xargs rm -r",
    ],
)  # fmt: skip
def test_what_is_kept_is_not_deleted_by_way_of_a_pipe(command: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert denial.kind == "protected"
