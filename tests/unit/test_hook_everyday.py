"""What a coding agent runs all day goes through; what posts, mails, pays, deploys, force-pushes or deletes does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dory_tui.agent.hooks.calls import ToolCall
from dory_tui.agent.hooks.defaults import COMMANDS, HOSTS, TOOLS
from dory_tui.agent.hooks.patterns import Patterns
from dory_tui.agent.hooks.rule import judge
from dory_tui.values import replace
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

EVERYDAY = r"""
pytest -x -q tests/deploy
python -m pytest tests/test_post.py -k 'publish or deploy'
npm ci && npm run build
npm run build:release
npm run release:notes
npm run deploy:check
npm --prefix deploy run build
npm --prefix publish install
npm pack --dry-run
npm view react version
npm publish --dry-run --access public
npm version patch --no-git-tag-version
pnpm --filter deploy build
pnpm --filter web deploy /out
yarn workspace web build
yarn install --frozen-lockfile
cargo build --release
cargo publish --dry-run --allow-dirty
cargo publish -n
make release-notes
make -n deploy
make deploy -n
make -C deploy build
make -f deploy/Makefile test
make -j8 all
just --list
just -n deploy
just --show deploy
rake -T deploy
task --dry deploy
./gradlew publishToMavenLocal
./gradlew :lib:publishToMavenLocal build
./gradlew build -x test
./gradlew publish --dry-run
mvn -q package
terraform plan -out p
terraform init && terraform validate
terraform apply --help
kubectl get deploy -n prod
kubectl -n delete get pods
kubectl apply -f x.yaml --dry-run=client -o yaml
kubectl diff -f deploy.yaml
kubectl logs deploy/web -f
kubectl rollout status deploy/web
helm template . | head
helm upgrade --install x ./chart --dry-run
helm lint deploy/chart
ansible-playbook -i inv site.yml --check --diff
ansible-playbook --syntax-check site.yml
docker build -t post .
docker compose up -d
docker compose down
docker compose -f deploy/docker-compose.yml up
docker-compose logs -f
docker run --rm -v $PWD:/w node:20 npm test
docker buildx build --load .
git push origin HEAD
git push -u origin feature/deploy-post
git push --tags
git push --force --dry-run origin main
git clean -n
git clean -fdn
git clean -fdx --dry-run
git commit -m 'release: publish v2 and deploy'
git commit -F - <<< 'deploy'
git log --oneline --grep=deploy
git checkout release/1.0
git branch -D post
git stash push -m deploy
git diff origin/release..HEAD
git tag v1.0
gh pr create --title 'deploy' --body x
gh pr view 3 --comments
gh issue list --label deploy
gh issue view 4
gh run list --workflow deploy.yml
gh run watch 1
gh workflow list
gh release list
gh release view v1
gh release download v1
gh api repos/a/b/releases
gh api -X GET search/issues -f q=deploy
gh api --method=GET repos/a -F per_page=5
gh api graphql -f query='{ viewer { login } }'
gh api repos/a/b --jq .name -q .x
gh repo view
gh repo clone a/b
gh secret list
gh gist list
curl -I https://x.com
lynx -dump https://www.reddit.com/r/python
git -C sub clean -fdn
make release.zip deploy.o
npx nx test deploy-lib
npx turbo run build --filter deploy-lib
$PY -m pytest -k release
curl -s https://www.reddit.com/r/python.json | jq .
curl -sSL -A 'Mozilla' https://old.reddit.com/r/x
curl https://docs.slack.com/x
curl https://api.github.com/repos/a/b/releases/latest
curl -fsSL https://developer.paypal.com/x -o page.html
curl -X GET https://discord.com/developers/docs
wget -q https://bsky.social/about
open https://x.com/a/status/1
python -c "import requests; print(requests.get('https://www.reddit.com/r/x.json').json())"
curl -X POST http://localhost:3000/post -d '{}'
curl -d @f https://example.org/deploy
stripe listen --forward-to localhost:3000/hook
stripe trigger payment_intent.succeeded
stripe logs tail
stripe customers list --limit 3
stripe --version
fastlane test
fastlane ios test
bundle exec fastlane scan
fastlane lanes
./post-install
bash scripts/post-install.sh
python scripts/post_install.py
sh .git/hooks/post-checkout
node scripts/postinstall.js
python post_process.py
vercel dev
vercel env pull
vercel --version
netlify dev
netlify --help
fly status
fly logs
fly deploy --help
wrangler dev
wrangler deploy --dry-run
firebase emulators:start
aws s3 ls s3://b
aws s3 cp s3://b/x .
aws s3 rm s3://b --recursive --dryrun
aws s3 sync s3://b . --delete --dryrun
aws ec2 describe-instances
aws ecs describe-services
aws s3 rm help
gcloud run services list
gcloud builds list
az group list
pulumi preview
cdk diff
cdk synth
sam build
sls package
serverless offline
eb status
heroku logs --tail
twine check dist/*
twine upload --help
uv build && uv publish --dry-run
poetry build
poetry publish --dry-run
npx semantic-release --dry-run
npx changeset
npx changeset version
npx lerna run build
npx nx build web
npx turbo run build
npx gh-pages --no-push -d dist
goreleaser build --snapshot
goreleaser release --snapshot --clean
goreleaser check
./node_modules/.bin/semantic-release --dry-run
mkdocs build
hugo server
hexo generate
cap -T
cap production deploy --dry-run
dropdb --help
mail --version
psql -c 'select * from posts'
redis-cli get deploy
rm -rf node_modules && npm install
rm -rf dist build *.egg-info
rm -rf coverage .next out
rm -f post.md
mkdir -p deploy && cd deploy && ls
cat deploy.sh
vim deploy.sh
chmod +x deploy.sh
bash -n deploy.sh
shellcheck deploy.sh scripts/*.sh
cp deploy.sh deploy.bak
sed -n 1,20p scripts/deploy_prod.sh
grep -rn deploy .github/workflows
rg 'npm publish' -l
echo 'run npm publish' >> README.md
for f in deploy/*.yaml; do kubeconform "$f"; done
for f in a b; do echo "deploy $f"; done
if grep -q deploy Makefile; then echo yes; fi
DEPLOY=staging; echo $DEPLOY
TAG=release; git describe --match "$TAG*"
export NODE_ENV=production; npm run build
node --check deploy.js
ruby -c deploy.rb
python -m py_compile deploy.py
tsc --noEmit
docker volume ls
docker system df
prisma migrate dev
prisma generate
supabase db diff
supabase db push --dry-run
rclone sync a b:c --dry-run
ssh host ls
ssh host 'systemctl status deploy'
tmux send-keys -t 0 'npm test' Enter
mix release
rails runner 'puts 1'
rake db:migrate
invoke test
tox -e py311
nox -s tests
composer install
dotnet publish -c Release
dotnet build
go install ./cmd/deploy
go test ./deploy/...
swift build -c release
xcodebuild -scheme release build
flutter build apk --release
bazel build //deploy:image
""".strip().splitlines()

REACHES = r"""
npm run deploy:prod
npm run release:patch
npm run-script deploy
npm run deploy -- --dry-run
npm run deploy --dry-run
npm run deploy-$ENV
npm run "deploy:$ENV"
npm run publish:all
npm -w web run deploy
npm publish --dry-run=false
npm publish -- --dry-run
npm publish; npm publish --dry-run
npm publish --dry-run && npm publish
yarn deploy
yarn deploy:prod
yarn workspace web deploy
pnpm --filter web run deploy
pnpm deploy:prod
pnpm -r publish
bun run deploy
npx lerna publish
lerna publish from-git
npx changeset publish
changeset publish
yarn changeset publish
pnpm exec changeset publish
npx semantic-release
npx release-it
npx np
npx nx release
npx nx run web:deploy
npx turbo run build deploy
npx gh-pages -d dist
gh-pages -d dist
goreleaser release --clean
make deploy-prod
make deploy_prod
make build deploy
make -j4 release
make -n build; make deploy
make -C infra deploy
make -Cbackend deploy
make release-notes deploy
just deploy-prod
just deploy -n
task deploy:prod
rake deploy
bundle exec rake release
cap production deploy
bundle exec cap production deploy:migrations
./scripts/deploy_prod.sh
bash ./deploy-prod.sh
./deploy.sh --help
./fly deploy --help
tools/stripe listen
./npm.sh publish --dry-run
./deploy.sh --dry-run
bin/deploy --check
deploy --help
sh scripts/release.sh
python tools/publish_post.py
node scripts/tweet.js
python send_mail.py
eb deploy
eb terminate prod
docker-compose down -v
docker compose down --volumes
docker-compose -f x.yml down --volumes
docker compose push
docker buildx bake --push
gh workflow run deploy.yml
gh issue create -t x -b y
gh pr comment 3 -b x
gh pr review 3 --approve
gh api -f title=x repos/a/b/issues
gh api repos/a/b/issues --field title=x
gh api repos/a/b/issues --input f.json
gh api -X DELETE repos/a/b
gh api -XPOST repos/a/b/dispatches
gh api --method=PATCH repos/a
gh api graphql -f query='mutation { addComment }'
gh api graphql -F query=@q.graphql
gh api -X GET repos/a -X POST
gh repo create a/b --public --push
gh release create v1
gh gist create x
curl -d x https://x.com/i/api
curl --data-urlencode status=x https://mastodon.social/api/v1/statuses
curl -XPOST https://discord.com/channels
curl -sSd x https://www.reddit.com/api/submit
curl https://slack.com/api/chat.postMessage?text=x
curl https://api.x.com/2/tweets
curl -F f=@x https://discord.com/api/webhooks/1
curl -d x 'https://docs.slack.com@slack.com/api/chat.postMessage'
curl https://docs.x.com https://api.telegram.org/botT/sendMessage
curl -X POST https://api.github.com/repos/a/b/issues -d '{}'
curl $OPTS https://x.com
wget --post-data=x https://reddit.com
wget --method=DELETE https://x.com/a
xh POST https://bsky.social/xrpc/com.atproto.repo.createRecord
http https://x.com text=hello
python -c "import requests; requests.post('https://www.reddit.com/api/submit')"
node -e "fetch('https://x.com/i/api', {method: 'POST'})"
stripe charges create
stripe payment_intents confirm pi_1
stripe refunds create
fastlane release
fastlane ios beta
fastlane deliver
fastlane test; fastlane release
fastlane $LANE
post-thread.sh
./bin/post
post_to_x.py
./gradlew publish
./gradlew publishToMavenLocal publish
./gradlew clean :lib:publish
./gradlew -p sub publishAllPublicationsToMavenRepository
kubectl apply -f x.yaml --dry-run=none
kubectl delete ns x
kubectl rollout restart deploy/web
helm upgrade x . --dry-run=false
terraform apply -auto-approve
ansible-playbook site.yml -c local
ansible-playbook site.yml --diff
git push --force
git push --force -o --dry-run
git push --force -- --dry-run
git push --force-with-lease origin x
git push origin +HEAD:main
git clean -fdx
git clean -fe -n
mail -s --help bob
mail bob --help
mutt -s x bob --version
msmtp bob
aws s3 rm s3://b --recursive
aws cloudformation deploy --stack-name x
aws ses send-email --to x
vercel --prod
vercel deploy
netlify deploy --prod
firebase deploy --only hosting
wrangler pages deploy dist
fly deploy
flyctl deploy --remote-only
railway up
heroku releases:rollback
gcloud app deploy
gcloud run deploy x
gcloud builds submit
az webapp up
func azure functionapp publish x
pulumi up -y
cdk deploy --all
sam deploy --guided
sls deploy
npx serverless deploy
npx wrangler deploy
npx sst deploy
npx hexo deploy
mkdocs gh-deploy
mike deploy --push v1
hugo deploy
ng deploy
surge dist
zappa deploy prod
chalice deploy
doctl apps create-deployment x
nomad job run x.nomad
dep deploy production
kamal deploy
uv publish
poetry publish --build
hatch run publish
poe release
invoke deploy --env prod
fab deploy
gem push x.gem
cargo publish
cargo publish -p x
pod trunk push
twine upload dist/*
composer deploy
helm push x oci://y
docker push a/b
psql -c 'drop table x'
mongosh --eval 'db.dropDatabase()'
echo ok && npm run deploy:prod
ssh host 'cd app && make deploy'
CMD="npm run deploy"; $CMD
TARGET=deploy; make $TARGET
make "$(echo deploy)"
xargs -n1 npm publish < list
sudo make deploy-prod
timeout 60 npm run deploy:prod
nohup ./deploy_prod.sh &
docker exec web ./deploy.sh
tmux send-keys -t 0 'npm run deploy' Enter
xurl post 'hello'
$SUDO npm publish
$RUN make deploy-prod
npx nx run-many -t deploy
tox -e release
npx turbo run deploy --filter web
""".strip().splitlines()


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
