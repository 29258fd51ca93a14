"""What a tool call may do before anybody said yes: commands, tools, hosts and paths."""

from __future__ import annotations

import pytest

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.places import Places
from dory_tui.agent.hooks.reasons import reason
from dory_tui.agent.hooks.rule import READ_VERBS, Denial, judge
from dory_tui.cli.agent_verbs import VERBS

HOME = "/home/ana"
PLACES = Places(
    HOME,
    (
        (f"{HOME}/.config/dory", "the configuration"),
        (f"{HOME}/.local/state/dory", "the ledger"),
        ("/opt/dory-agent", "it"),
    ),
)


def shell(command: str, patterns: Patterns | None = None, folder: str = f"{HOME}/src/ws") -> Denial | None:
    return judge(ToolCall("Bash", {"command": command}, folder), patterns or Patterns(), PLACES)


def tool(name: str, **arguments: object) -> Denial | None:
    return judge(ToolCall(name, arguments, f"{HOME}/src/ws"), Patterns(), PLACES)


GATED = r"""
mail bob
/usr/bin/mail -s x bob
\mail bob
'mail' bob
m''ai"l" bob
$'\x6dail' bob
MAIL bob
git push -f
git push --force origin main
git push origin main --force-with-lease
git -C /x push -uf origin main
git push origin +main
git push origin :old
git push --delete origin old
gh release create v1 --notes x
npm publish
npm --prefix web publish --tag next
npm run deploy
twine upload dist/*
python -m twine upload dist/*
kubectl apply -f x.yaml
kubectl --context prod delete pod x
terraform apply -auto-approve
terraform -chdir=infra destroy
vercel --prod
fly deploy
sendmail -t
mutt -s x bob
msmtp bob
stripe charges create
git clean -fdx
dropdb shop
aws s3 rm --recursive s3://b
aws --profile p ec2 terminate-instances --instance-ids i
docker push me/x
./bin/deploy prod
bash deploy.sh
python3 scripts/post.py
open 'mailto:bob@example.org'
curl https://api.twitter.com/2/tweets -d @f
curl -X POST https://api.x.com/2/tweets
curl -sS "https://hooks.slack.com/services/x" --data '{}'
wget -qO- --post-data=x https://discord.com/api/webhooks/1
http POST https://api.stripe.com/v1/charges
curl https://api.telegram.org/botT/sendMessage?text=x
rm -rf /
rm -rf /usr
rm -fr ~/
rm -r --force ..
rm -rf .
rm -rf ./*
rm -rf *
rm -rf ~/Documents
rm -rf "$BUILD"/*
rm -rf "$BUILD/"
rm -rf .git
find . -delete
psql -c 'DROP TABLE users'
sqlite3 x.db 'delete from users;'
ls; mail bob
ls && mail bob
ls || mail bob
ls | mail bob
ls & mail bob
(mail bob)
{ mail bob; }
if true; then mail bob; fi
for x in a b; do mail $x; done
while mail bob; do :; done
case x in a) mail bob;; esac
! mail bob
f() { mail "$@"; }; f bob
function f { mail bob; }; f
run() { "$@"; }; run mail bob
sudo mail bob
sudo -u ana -E mail bob
env X=1 Y=2 mail bob
X=1 mail bob
nohup mail bob &
timeout 5 mail bob
timeout -s KILL 5 mail bob
time mail bob
time -p mail bob
command mail bob
exec mail bob
nice -n 10 mail bob
xargs mail < list
xargs -n 1 -I {} mail {}
find . -name x -exec mail {} \;
stdbuf -oL mail bob
busybox mail bob
watch -n 5 'mail bob'
ssh host mail bob
ssh -p 22 host 'cd x && mail bob'
docker exec -it c bash -c 'mail bob'
docker run --rm -v a:b image mail bob
uv run mail bob
npx vercel --prod
bash -c 'mail bob'
sh -lc 'mail bob'
bash -euo pipefail -c 'mail bob'
/bin/bash -c "mail bob"
eval 'mail bob'
eval mail bob
trap 'mail bob' EXIT
alias m='mail bob'
echo $(mail bob)
echo "$(mail bob)"
echo `mail bob`
echo "x `mail bob` y"
echo ${X:-$(mail bob)}
echo $((1 + $(mail bob)))
cat <(mail bob)
tee >(mail bob)
[[ -n $(mail bob) ]] && ls
echo 'mail bob' | sh
printf 'mail %s' bob | bash
sh <<< 'mail bob'
X=mail; $X bob
X=mail; "$X" bob
$(which mail) bob
{mail,bob}
/usr/bin/mai? bob
/usr/bin/m* bob
m${X}il bob
FLAG=--force; git push $FLAG
URL=https://api.x.com; curl -d x "$URL/2/tweets"
python -c "import os; os.system('mail bob')"
python3 -c 'import subprocess; subprocess.run(["git", "push", "--force"])'
python -c "import requests; requests.post('https://api.stripe.com/v1')"
node -e "fetch('https://discord.com/api/webhooks/1')"
perl -e 'system("mail bob")'
awk 'BEGIN { system("mail bob") }'
osascript -e 'tell application "Mail" to send'
git -c alias.x='!mail bob' x
git rebase -x 'mail bob' main
tmux new-session -d 'mail bob'
""".strip().splitlines()

ALLOWED = r"""
ls -la
git status
git push
git push origin main
git push -u origin feature
git commit -m 'mail the team; git push --force'
git log --grep='npm publish'
gh pr list
npm install publish
npm test
kubectl get pods
terraform plan
echo mail
echo 'mail bob' > todo.txt
grep -r 'mail bob' .
cat mail.py
command -v mail
which mail
man mail
ls mail
python -m pytest tests/mail
python build.py
python -c "print('mail')"
curl https://example.org/x
curl -d 'see https://x.com/a' https://example.org
curl https://max.com
git clone https://github.com/a/x.com
rm -rf build
rm -rf node_modules/.cache dist/*
rm -rf "$tmp"
rm x
rm -f *.pyc
find build -name '*.o' -delete
dory-agent run launch-1
dory-agent claim launch-1
dory-agent stage --id x --title 'mail bob; git push --force'
/opt/venv/bin/dory-agent -C /ws run --due
dory status
dory -C /ws show launch-1
dory-agent log --kind task 'sent mail'
# mail bob
ls # && mail bob
[ -f mail ]
test -x /usr/bin/mail
docker ps
make test
psql -c 'SELECT 1'
git push origin "$BRANCH"; [ -f x ] && rm -f y
cat .dory/ledger/x
ls -R .dory
git add .dory
git diff -- .dory/workspace
cp .dory/workspace /tmp/x
cat ~/.config/dory/hooks.toml
""".strip().splitlines()

PROTECTED = r"""
echo x > .dory/workspace
echo x >> .dory/ledger/a/1-001-approved.json
echo x &> .dory/x
: >| .dory/x
rm -rf .dory
rm .dory/ledger/x
mv .dory old
cp evil.json .dory/ledger/
cp -t .dory x y
ln -s .dory d
tee -a .dory/x
sed -i s/a/b/ .dory/workspace
chmod 777 .dory
dd if=x of=.dory/workspace
cd .dory && rm -rf ledger
cd .dory; cd ledger; rm -rf *
(cd .dory && tee x)
rm -rf .do*
rm -rf .d[o]ry
rm -rf {.dory,x}
touch ./a/../.dory/x
D=.dory; rm -rf $D/ledger
truncate -s 0 .DORY/workspace
python fix.py .dory/workspace
python -c "open('.dory/workspace','w')"
bash -c 'echo x > .dory/workspace'
find .dory -delete
tar xf x.tar -C .dory
rsync -a x/ .dory/
git checkout -- .dory
install x .dory/y
echo x > ~/.config/dory/trusted_keys
echo x > $HOME/.config/dory/hooks.toml
echo x > /home/ana/.local/state/dory/x
rm -rf ~/.local
rm -rf ~/.config/dory
chmod -R 777 ~/.config
mv ~/.config /tmp
cp x /opt/dory-agent
echo '{}' > ~/.claude/settings.json
echo '{}' > .claude/settings.local.json
rm .codex/hooks.json
sed -i d ~/.cursor/hooks.json
rm -rf ~/.claude
""".strip().splitlines()

HUMAN = r"""
dory approve launch-1
dory -C /ws approve launch-1
dory -C/ws approve launch-1
/usr/local/bin/dory approve launch-1
dory undo
dory lift x
dory override x launch-1
dory resolve launch-1 happened
dory key off
dory hooks remove claude-code --yes
dory reject launch-1 --note x
dory revoke launch-1
dory memory prune 1
dory
dory --plain
yes | dory approve x
script -qc 'dory approve x' /dev/null
python -m dory_tui approve x
uvx dory-tui approve x
""".strip().splitlines()


@pytest.mark.parametrize("command", GATED)
def test_what_posts_mails_pays_deploys_forces_or_deletes_is_gated_however_it_is_written(command: str) -> None:
    denial = shell(command)
    # What would take dory's own folders along is denied for their sake first.
    assert denial is not None
    assert denial.kind == "gated" or command.startswith("rm "), denial


@pytest.mark.parametrize("command", ALLOWED)
def test_what_only_sounds_like_it_goes_through(command: str) -> None:
    assert shell(command) is None


@pytest.mark.parametrize("command", PROTECTED)
def test_nothing_writes_what_dory_and_its_human_keep(command: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert denial.kind == "protected"


@pytest.mark.parametrize("command", HUMAN)
def test_the_humans_verbs_are_not_for_a_tool(command: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert denial.kind == "human"


def test_dory_agent_goes_through_alone_and_not_with_what_stands_beside_it() -> None:
    assert shell("dory-agent run x") is None
    for beside in ("dory-agent run x; mail y", "dory-agent claim x | mail y", "dory-agent run $(mail y)"):
        denial = shell(beside)
        assert denial is not None
        assert denial.pattern == "mail"


def test_a_here_document_is_text_for_most_and_a_script_for_a_shell() -> None:
    assert shell("cat <<'EOF' > post.md\nmail bob\ngit push --force\nEOF\n") is None
    assert shell("dory-agent stage --id x <<'EOF'\nmail bob\nEOF\n") is None
    for starts in ("bash <<EOF", "bash -s <<'EOF'", "cat <<EOF | sh", "ssh host <<-EOF", "sudo sh <<EOF"):
        assert shell(f"{starts}\nmail bob\nEOF\n") is not None, starts
    assert shell("cat <<EOF\n$(mail bob)\nEOF\n") is not None
    assert shell("cat <<'EOF'\n$(mail bob)\nEOF\n") is None
    assert shell("cat <<'EOF' > x\n$(mail bob)\nEOF\nmail bob") is not None
    assert shell("python3 - <<'EOF'\nimport smtplib\nEOF\n") is not None


@pytest.mark.parametrize("text", ["mail 'bob", 'echo "mail bob', "echo $(mail bob", "echo `mail"])
def test_what_cannot_be_read_and_names_what_is_gated_is_denied(text: str) -> None:
    denial = shell(text)
    assert denial is not None
    assert denial.kind == "unclear"
    assert "cannot be read" in denial.what


def test_what_cannot_be_read_and_names_nothing_goes_through() -> None:
    assert shell("echo 'unclosed") is None
    assert shell("echo x > '.dory/workspace") is not None
    assert shell("echo " + "$(" * 100) is None
    assert shell("mail " + "$(" * 100) is not None


def test_a_very_long_line_is_searched_for_what_is_gated() -> None:
    assert shell("echo " + "x" * 1_000_000) is None
    assert shell("echo " + "x" * 1_000_000 + "; mail bob") is not None


@pytest.mark.parametrize(
    "name",
    [
        "message", "tweet", "mcp__slack__post_message", "mcp__gmail__send_email", "mcp__gmail__sendEmail",
        "MCP:send_email",
        "mcp__github__create_release", "mcp__stripe__create_refund", "mcp__x__delete_event", "mcp__vercel__deploy-site",
        "mcp__x__y__reply_to_thread", "send_email", "mcp__linkedin__create-post",
    ],
)  # fmt: skip
def test_tools_that_reach_others_are_gated_by_their_names(name: str) -> None:
    assert tool(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "Read", "Grep", "Task", "TodoWrite", "SendMessage", "mcp__github__get_issue", "mcp__slack__list_messages",
        "mcp__fs__delete_file", "mcp__notes__create_note", "unheard_of", "Delete", "ExitPlanMode",
    ],
)  # fmt: skip
def test_other_tools_go_through(name: str) -> None:
    assert tool(name) is None


@pytest.mark.parametrize(
    "name", ["Write", "Edit", "MultiEdit", "write", "mcp__fs__write_file", "Delete", "some_new_tool"]
)
@pytest.mark.parametrize("key", ["file_path", "path", "filePath"])
@pytest.mark.parametrize(
    "path",
    [".dory/workspace", f"{HOME}/.config/dory/hooks.toml", "~/.claude/settings.json", "a/../.dory/x", "/x/.Dory/y"],
)
def test_file_tools_do_not_write_what_is_kept(name: str, key: str, path: str) -> None:
    denial = tool(name, **{key: path, "content": "x"})
    assert denial is not None
    assert denial.kind == "protected"


def test_file_tools_read_it_and_write_anything_else() -> None:
    assert tool("Read", file_path=".dory/workspace") is None
    assert tool("Grep", pattern="x", path=".dory") is None
    assert tool("mcp__fs__read_file", path=".dory/workspace") is None
    assert tool("Write", file_path="notes.md", content="mail bob; git push --force; .dory/x; https://x.com") is None
    assert tool("NotebookEdit", notebook_path=".dory/x.ipynb") is not None
    assert tool("mcp__fs__move_file", source="x", destination=".dory/x") is not None
    assert tool("mcp__fs__edit", edits=[{"path": "x"}, {"path": ".dory/x"}]) is not None


def test_patches_say_which_files_they_change() -> None:
    patch = "*** Begin Patch\n*** Update File: {}\n@@\n-a\n+mail bob\n*** End Patch\n"
    assert tool("apply_patch", command=patch.format("src/x.py")) is None
    assert tool("apply_patch", command=patch.format(".dory/workspace")) is not None
    assert tool("apply_patch", input=patch.format("x") + "*** Move to: .dory/x\n") is not None
    assert shell(f"apply_patch <<'EOF'\n{patch.format('.dory/workspace')}EOF\n") is not None
    assert shell(f"apply_patch <<'EOF'\n{patch.format('x')}EOF\n") is None
    assert shell("patch -p1 <<'EOF'\n--- a/.dory/workspace\n+++ b/.dory/workspace\nEOF\n") is not None


def test_links_are_followed() -> None:
    places = Places(HOME, PLACES.kept, lambda path: path.replace("/link", "/.dory"))
    call = ToolCall("Write", {"file_path": "link/workspace"}, f"{HOME}/ws")
    assert judge(call, Patterns(), places) is not None


def test_addresses_count_where_a_tool_goes_and_not_in_what_it_writes() -> None:
    assert tool("WebFetch", url="https://api.telegram.org/botT/sendMessage", prompt="x") is not None
    assert tool("WebFetch", url="https://docs.python.org", prompt="https://x.com") is None
    assert tool("browser", action="open", targetUrl="https://x.com/compose") is not None
    assert tool("Write", file_path="a.md", content="https://x.com/compose") is None


def test_commands_are_found_wherever_a_tool_takes_them() -> None:
    assert tool("exec", command="mail bob") is not None
    assert tool("local_shell", command=["bash", "-lc", "mail bob"]) is not None
    assert tool("local_shell", command=["git", "push", "--force"]) is not None
    assert tool("mcp__desktop__start_process", cmd="mail bob") is not None
    assert tool("process", action="write", data="mail bob\n") is not None
    assert tool("python", code="import os; os.system('mail bob')") is not None
    assert tool("editor", command="create", path="x") is None


def test_a_command_runs_where_the_tool_says() -> None:
    assert tool("exec", command="rm workspace", workdir="/x/.dory") is not None
    assert tool("exec", command="rm x", workdir="build") is None
    assert tool("exec", command="rm -rf *", workdir="build") is not None


def test_no_verb_that_an_agent_has_is_taken_for_the_humans() -> None:
    assert set(VERBS) <= READ_VERBS


def test_a_shell_without_a_command_that_can_be_found_is_denied() -> None:
    for arguments in ({}, {"command": 7}, {"command": None}, {"cmdline": "mail bob"}):
        denial = judge(ToolCall("Bash", arguments, "/x"), Patterns(), PLACES)
        assert denial is not None
        assert denial.kind == "unclear"


# --- what the human says


def test_what_the_human_allows_goes_through_and_never_what_is_kept() -> None:
    patterns = Patterns(allow=("git push --force", "x.com", "mcp__slack__post_message", "rm", "dory approve"))
    assert shell("git push --force", patterns) is None
    assert shell("git push --force; mail bob", patterns) is not None
    assert shell("curl -d a https://x.com", patterns) is None
    assert shell("curl -d a https://discord.com", patterns) is not None
    assert shell("rm -rf ./*", patterns) is None
    assert shell("rm -rf .dory", patterns) is not None
    assert shell("dory approve x", patterns) is not None
    assert judge(ToolCall("mcp__slack__post_message", {}, "/x"), patterns, PLACES) is None


def test_the_humans_own_patterns() -> None:
    own = Patterns(
        ("notify_*",), ("make ship", "psql -c"), ("example.com",), ("~/.ssh/*", "infra/prod/*"), (), special=False
    )
    assert judge(ToolCall("mcp__x__notify_all", {}, "/x"), own, PLACES) is not None
    assert shell("make -j4 ship", own) is not None
    assert shell("make test", own) is None
    assert shell("psql -c 'select 1'", own) is not None
    assert shell("curl https://api.example.com", own) is not None
    assert shell("echo x > ~/.ssh/authorized_keys", own) is not None
    assert shell("cp x infra/prod/main.tf", own) is not None
    assert judge(ToolCall("Edit", {"file_path": "/x/infra/prod/a"}, "/x"), own, PLACES) is not None
    assert shell("mail bob", own) is None
    assert shell("rm -rf ./*", own) is None


# --- what an agent is told


def test_the_reason_says_what_to_do_instead() -> None:
    denial = shell("sudo git push --force origin 'a b'")
    assert denial is not None
    said = reason(denial, workspace=True, file="/c/hooks.toml")
    assert "`git push --force`" in said
    assert "dory-agent stage --id git-push-force <<'DRAFT'" in said
    assert 'argv: ["git", "push", "--force", "origin", "a b"]' in said
    assert "/c/hooks.toml" in said
    assert "ask your human" in reason(denial, workspace=False)
    assert "line 3" in reason(denial, workspace=True, problem="hooks.toml line 3: broken")


@pytest.mark.parametrize(("command", "words"), [("dory approve x", "own verb"), ("rm -r .dory", "Nobody but dory")])
def test_what_is_never_a_tools_is_said_so(command: str, words: str) -> None:
    denial = shell(command)
    assert denial is not None
    assert words in reason(denial, workspace=True)
    assert "dory-agent stage" not in reason(denial, workspace=True)


def test_nothing_in_a_reason_can_act_on_a_terminal() -> None:
    denial = shell("mail $'\\e[2J' '\u202e' \x1b]52;c;x\x07 bob")
    assert denial is not None
    assert all(char.isprintable() or char == "\n" for char in reason(denial, workspace=True))
    for other in (
        tool("send_\x1b[2J\u202e"),
        tool("Write", file_path="/x\x1b]52;c;x\x07/.dory/x"),
        shell("rm .dory/\x1b[2J"),
    ):
        assert other is not None
        assert all(char.isprintable() or char == "\n" for char in reason(other, workspace=True))


# --- what would take long


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        ";a" * 60_000, "env " + "-u X " * 20_000, "bash -c 'a' " * 9_000, "python -m a " * 9_000, "sudo " * 20_000,
        "find . " + "-exec a b \\; " * 8_000, "eval " + "'a b' " * 20_000, "$((" * 40_000, "(" * 100_000,
        "`a` " * 30_000,
        'echo "' + "${x:-" * 9_000 + "}" * 9_000 + '"', "x={" + "a," * 50_000 + "}", "tmux " + "'a b;c d' " * 10_000,
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_nothing_takes_long_and_what_is_gated_in_it_is_found(text: str) -> None:
    assert shell(text) is None
    denial = shell(f"{text}\nmail bob")
    assert denial is not None
