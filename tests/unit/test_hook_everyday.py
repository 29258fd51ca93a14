"""What a coding agent runs all day goes through; what posts, mails, pays, deploys, force-pushes or deletes does not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.defaults import COMMANDS, HOSTS, TOOLS
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.rule import judge
from dory_tui.values import replace
from tests.unit.hook_commands import EVERYDAY, REACHES
from tests.unit.test_hook_rule import HOME, PLACES, shell, tool

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
    "{ for X in mail; do $X bob; done; }",
    "if true; then for X in mail; do $X bob; done; fi",
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


# --- reading, building, trying


@pytest.mark.parametrize("command", EVERYDAY)
def test_what_a_coding_agent_runs_all_day_goes_through(command: str) -> None:
    assert shell(command) is None


@pytest.mark.parametrize("command", REACHES)
def test_what_reaches_others_is_gated(command: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert denial.kind == "gated"


def test_a_dry_run_opens_nothing_beside_it() -> None:
    for dry in ("npm publish --dry-run", "make -n deploy", "git clean -n", "kubectl apply -f x --dry-run=client"):
        assert shell(dry) is None
        for beside in (f"{dry}; mail bob", f"mail bob && {dry}", f"{dry} | mail bob", f"{dry} $(mail bob)"):
            denial = shell(beside)
            assert denial is not None
            assert denial.pattern == "mail", beside


@given(
    st.sampled_from(["deploy", "deploy-prod", "release", "post", "post-thread", "publish", "send-mail"]),
    st.sampled_from(["", ".sh", ".py"]),
    st.sampled_from(["./", "bin/", "bash scripts/", "python3 ", "npm run ", "yarn "]),
    st.lists(st.sampled_from(["--dry-run", "--help", "--version", "--check", "-n", "-h", "x"]), max_size=3),
)
def test_no_option_opens_a_script_of_the_workspace(name: str, suffix: str, before: str, options: list[str]) -> None:
    task = before in ("npm run ", "yarn ")
    name = "deploy" if task else name
    assert shell(" ".join([f"{before}{name}{'' if task else suffix}", *options])) is not None


# --- tools, and pages


@pytest.mark.parametrize(
    "name",
    [
        "CronDelete", "TeamDelete", "SendMessage", "send_input", "sendInput", "tmux_send_keys", "mcp__tmux__send_keys",
        "browser_send_keys",
        "mcp__terminal__terminal_send_keys", "mcp__notion__API-post-search", "mcp__notion__API-post-database-query",
        "mcp__x__slack_get_post_reactions", "mcp__x__stripe_list_payment_intents", "mcp__x__get_invoice",
        "mcp__x__wordpress_get_post_meta",
    ],
)  # fmt: skip
def test_tools_that_only_sound_like_it_go_through(name: str) -> None:
    assert tool(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "mcp__notion__API-post-page", "mcp__x__delete_list_item", "mcp__x__create_get_post", "mcp__x__send_list_now",
        "mcp__x__slack_post_message", "mcp__cron__cron_delete_", "mcp__x__send_keys_by_email",
    ],
)  # fmt: skip
def test_tools_that_act_are_gated_whatever_else_they_name(name: str) -> None:
    assert tool(name) is not None


def test_what_is_typed_into_a_terminal_is_a_command() -> None:
    assert tool("send_input", input="npm test\n") is None
    assert tool("send_input", input="mail bob\n") is not None
    assert tool("mcp__tmux__tmux_send_keys", keys="npm run deploy") is not None


def test_the_humans_own_patterns_have_no_exceptions() -> None:
    own = Patterns(
        tools=("get_secret", "send_input", "CronDelete", *TOOLS),
        commands=("make deploy", "stripe", "npm|pnpm|yarn|bun publish", *COMMANDS),
        hosts=("x.com", *HOSTS),
    )
    for command in ("make -n deploy", "stripe listen", "npm publish --dry-run", "curl -I https://x.com"):
        assert shell(command) is None
        assert shell(command, own) is not None, command
    for name in ("get_secret", "send_input", "CronDelete"):
        assert judge(ToolCall(name, {}, "/x"), own, PLACES) is not None
        assert judge(ToolCall(name, {}, "/x"), replace(own, allow=(name,)), PLACES) is None


@pytest.mark.parametrize(
    ("name", "arguments", "gated"),
    [
        ("WebFetch", {"url": "https://www.reddit.com/r/python", "prompt": "x"}, False),
        ("mcp__fetch__fetch", {"url": "https://x.com/a/status/1"}, False),
        ("http_request", {"url": "https://x.com/a", "method": "GET"}, False),
        ("http_request", {"url": "https://x.com/a", "method": "POST"}, True),
        ("fetch", {"url": "https://x.com/a", "body": "x"}, True),
        ("browser", {"action": "open", "targetUrl": "https://www.reddit.com/submit"}, True),
        ("browser", {"action": "open", "targetUrl": "https://docs.slack.com/x"}, False),
        ("browser", {"action": "open", "targetUrl": "https://developer.paypal.com/x"}, False),
        ("WebFetch", {"url": "https://slack.com/api/chat.postMessage?text=x"}, True),
        ("WebFetch", {"url": "https://hooks.slack.com/services/x"}, True),
        ("WebFetch", {"url": "https://docs.x.com@api.telegram.org/botT/sendMessage"}, True),
    ],
)
def test_pages_may_be_read_where_posting_is_gated(name: str, arguments: dict[str, object], gated: bool) -> None:
    assert (tool(name, **arguments) is not None) == gated


def test_a_host_that_is_let_through_opens_no_other() -> None:
    patterns = Patterns(allow=("x.com",))
    assert shell("curl -d a https://x.com", patterns) is None
    assert shell("curl -d a https://x.com https://hooks.slack.com/x", patterns) is not None
    assert patterns.host("https://slack.com/API/chat.postMessage", anywhere=True, sends=False) == "slack.com/api"
    assert patterns.host("https://slack.com/apiary", anywhere=True, sends=False) is None


@pytest.mark.parametrize(
    "command",
    """
cd /tmp && rm -rf ~/src/ws
cd /tmp && rm -rf ~/src/ws/*
cd /tmp && find ~/src/ws -delete
cd .. && rm -rf ws
cd a; cd ..; cd ..; rm -rf ../Documents
cd / && rm -rf $PWD
cd ~ && rm -rf "$PWD"
cd build && rm -rf "$OLDPWD"
cd .dory && rm -rf $PWD/ledger
cd .dory && echo x > "$PWD/workspace"
cd ~/.claude && cp /tmp/s.json $PWD/settings.json
pnpm -w publish
pnpm -w run deploy
pnpm run -w deploy
npm publish --dry-run false
npm publish --dry-run --no-dry-run
git push --dry-run --no-dry-run --force
git clean -n --no-dry-run -fdx
rclone sync a b -n --dry-run=false
kubectl delete pod x --dry-run=client --dry-run=none
helm uninstall x --dry-run --dry-run=false
wrangler deploy --dry-run false
curl -sX DELETE https://api.github.com/repos/me/app
curl -fsSLX DELETE https://api.github.com/repos/me/app
curl -sXPUT https://api.github.com/repos/me/app/pulls/1/merge
gh api repos/a/b/issues -X POST -f title=x -fX=GET
gh api repos/a/b/issues -f title=x -fX=GET
stripe -p open refunds create
stripe --project-name config charges create
fastlane build deploy
bash -n +n -c 'mail bob'
mvn clean deploy
./mvnw clean package deploy
""".strip().splitlines(),
)
def test_neither_a_change_of_folder_nor_a_dry_run_that_is_off_again_opens_the_way(command: str) -> None:
    assert shell(command) is not None


@pytest.mark.parametrize(
    "command",
    [
        "curl -sG https://api.github.com/search/issues -d q=x", "gh api -iX GET repos/a/b", "stripe customers list",
        "curl -G --data-urlencode q=x https://api.github.com/search/issues", "gh workflow run x.yml --help",
        "fastlane ios test scheme:App --verbose", "git push --dry-run --no-verify --force",
        "bash -n deploy.sh", "mvn clean package", "./mvnw -pl deploy verify",
    ],
)  # fmt: skip
def test_what_only_reads_or_shows_goes_through_however_it_is_written(command: str) -> None:
    assert shell(command) is None


def test_a_folder_that_one_left_may_go() -> None:
    assert shell("cd sub && make && cd .. && rm -rf sub") is None
    assert shell("cd build && rm -rf $PWD/out ../dist") is None


@pytest.mark.parametrize(
    "text",
    ["cd a && rm b; " * 400, "".join(f"cd /srv/app{n} && rm -f x.log y.log\n" for n in range(400)), "cd a && " * 4000],
    ids=["one in another", "one after the other", "and nothing more"],
)
def test_many_folders_are_judged_in_time(text: str) -> None:
    started = time.process_time()
    shell(text)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("padding", ["cd a && rm b; ", "cd /srv/app && rm -f x.log y.log\n", "cd a && "])
def test_many_harmless_commands_hide_none_that_is_not(padding: str) -> None:
    many = "".join(padding.replace(" a ", f" a{n} ").replace("app", f"app{n}") for n in range(2000))
    assert shell(f"{many}rm -rf ~/Documents") is not None


def test_a_page_of_words_is_judged_in_time() -> None:
    text = "cat <<'EOF' > notes.txt\n" + " ".join(f"word{n:x}" for n in range(40_000)) + "\nEOF\n"
    started = time.process_time()
    assert shell(text) is None
    assert shell("'" + text) is None
    assert time.process_time() - started < 2


@pytest.mark.parametrize("name", ["mcp__github__add_issue_comment", "mcp__linear__create_comment"])
def test_tools_that_comment_are_gated(name: str) -> None:
    assert tool(name, body="x") is not None
