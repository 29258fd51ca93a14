"""Command lines for the agents' hooks: what a coding agent runs all day, and what reaches others or deletes much."""

from __future__ import annotations

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
kubectl apply -f "$FILE" --dry-run=client
kubectl diff -f deploy.yaml
npm publish --tag "$TAG" --dry-run
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
uvx ruff check . && uvx ruff format .
pre-commit run --all-files
git rebase -i origin/main
git push origin feature:feature
git push origin HEAD:refs/heads/fix-deploy
git fetch --prune
git remote prune origin
git worktree remove ../x
git branch -d old
docker rm -f web
docker image prune -f
docker exec -it db psql -U post -c 'select 1'
psql -h localhost -U publish -d release -f schema.sql
sqlite3 posts.db '.tables'
redis-cli -h x keys '*'
curl -fsSL https://get.docker.com | sh
curl -s localhost:8080/deploy | jq .
pip install -e '.[post]'
pip download mail
npm install nodemailer
npm i -D semantic-release
pnpm add @changesets/cli
yarn add --dev gh-pages
bun add stripe
cargo add lettre
brew install stripe
apt-get install -y mailutils
which stripe fly vercel
gh auth status
gh pr checks 3
gh pr diff 3
gh pr checkout 3
gh run view 1 --log-failed
gh api user
gh api repos/a/b/pulls/3/comments --paginate
python manage.py migrate
python manage.py test posts
rails test test/models/post_test.rb
bundle exec rspec spec/models/post_spec.rb
npx playwright test deploy.spec.ts
npx vitest run src/post.test.ts
npx tsc -p deploy/tsconfig.json
npx eslint src/publish
npx prettier --check release.md
node scripts/build.js --release
npm run test -- --grep 'deploy'
npm run lint && npm run build && echo "ready to publish"
VERSION=$(node -p "require('./package.json').version"); echo $VERSION
BRANCH=$(git rev-parse --abbrev-ref HEAD); git push -u origin "$BRANCH"
SHA=$(git log -1 --format=%H -- deploy.sh) && git show $SHA
for s in deploy.sh post.sh; do shellcheck $s; done
for t in deploy release; do grep -n "^$t:" Makefile; done
find . -name 'deploy*' -not -path './node_modules/*'
find . -type f -name '*.bak' -exec rm {} +
find . -name '*.log' -print0 | xargs -0 rm -f
ls -la .github/workflows/publish.yml
sed -i 's/deploy/release/' Makefile
awk '/deploy/ {print $1}' Makefile
perl -pi -e 's/post/publish/' a.txt
jq '.scripts.deploy' package.json
yq '.jobs.deploy' .github/workflows/ci.yml
diff deploy.sh publish.sh
mv deploy.sh scripts/deploy.sh
tar czf release.tar.gz dist
zip -r release.zip dist
time make release-notes
tmux capture-pane -p
kill %1
open dist/index.html
http-server dist
python -m http.server
python -c "import smtp_mock; print('deploy')"
python - <<< 'print("mail")'
make help | grep deploy
make help
cmake --build build --config Release
cmake --install build
ninja -C release
meson compile -C release
terraform fmt -check
terraform show -json plan
terraform state list
terraform import --help
kubectl get deploy,svc -o wide
kubectl describe deploy/web
kubectl port-forward deploy/web 8080:80
kubectl config use-context prod
helm list -A
helm get values release
argocd app get x
aws sts get-caller-identity
aws cloudformation describe-stacks
aws logs tail /x --follow
gcloud config list
gcloud compute instances list
az account show
vercel ls
vercel logs x
vercel build
vercel inspect x
netlify build
fly ssh console
railway logs
heroku config
wrangler tail
wrangler types
firebase login:list
supabase start
supabase migration new x
eas build --profile preview
expo start
stripe events list
ssh deploy@10.0.0.1 ls
ssh -i key deploy@host uptime
source .venv/bin/activate
. ./.env
dd if=/dev/zero of=/dev/null bs=1M count=10
npx prettier@3 --write .
npx -y create-vite@latest app
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
kubectl apply -f x.yaml $DRY
kubectl apply -f x.yaml --dry-run=$DRY
npm publish $DRY
make $FLAGS deploy
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
git push origin --delete feature
git push --mirror backup
git push -fu origin x
git -C sub push --force
cd x && git push -f
GIT_SSH_COMMAND=x git push --force-with-lease
gh pr comment 3 --body-file x
gh release upload v1 x.zip
gh release delete v1
gh repo delete a/b --yes
gh api -X PUT repos/a/b/pulls/3/merge
gh api graphql --input q.json
glab mr note 3 -m x
npm publish --access public
npm publish ./dist
npm unpublish x@1
npm dist-tag add x@1 latest
npm deprecate x 'old'
pnpm publish -r --no-git-checks
yarn npm publish
bun publish
npx -y @changesets/cli publish
npx @semantic-release/exec publish
npx vsce publish
npx ovsx publish
npx eas-cli submit
npx firebase-tools deploy
npx netlify-cli deploy --prod
npx wrangler publish
npx vercel@latest --prod
npx supabase@latest db push
npx gh-pages@6 -d dist
bunx wrangler deploy
uvx twine upload dist/*
pipx run twine upload dist/*
python3 -m twine upload dist/*
python -m poetry publish
uv run poe release
uv run fab deploy
make release VERSION=1
make -s deploy
make deploy ENV=prod
just release 1.2
task release
mage release
rake release[remote]
./bin/release
./scripts/publish.sh
sh -x deploy.sh
bash -e scripts/deploy.sh prod
zsh deploy
source deploy.sh
. ./deploy.sh
docker push ghcr.io/a/b:latest
docker buildx build --push -t a/b .
docker compose -p x down -v
docker volume rm data
docker system prune -af --volumes
kubectl delete -f x.yaml
kubectl scale deploy/web --replicas 0
kubectl set image deploy/web web=x
helm uninstall x
terraform destroy
terraform state rm x
ansible-playbook -i prod site.yml
aws s3 rb s3://b --force
aws lambda invoke --function-name x out
aws sns publish --topic-arn x --message y
aws dynamodb delete-table --table-name x
aws rds delete-db-instance --db-instance-identifier x
gcloud compute instances delete x
gcloud functions deploy f
az group delete -n x
heroku pg:reset DATABASE
git push heroku main
fly apps destroy x
fly secrets set A=b
vercel rm x --yes
vercel alias set a b
prisma migrate reset --force
prisma migrate deploy
supabase db reset
dropdb x
mysql -e 'DROP DATABASE x'
psql -c 'TRUNCATE users'
redis-cli -h x FLUSHALL
mongo x --eval 'db.users.drop()'
echo hi | mail -s x bob@example.org
echo hi | sendmail bob@example.org
mutt -s x bob < f
swaks --to bob@example.org
curl smtp://smtp.gmail.com --mail-from a --upload-file x
curl -d text=x https://api.telegram.org/botT/sendMessage
curl -H 'Content-type: application/json' --json '{}' https://hooks.slack.com/services/x
curl https://api.sendgrid.com/v3/mail/send -d @m
curl -u sk: https://api.stripe.com/v1/charges -d amount=1
http POST https://slack.com/api/chat.postMessage
rm -rf ~/Documents
rm -rf "$DIR"/*
rm -rf .git
find . -type f -delete
git clean -xfd
shred x
mkfs.ext4 /dev/sdb
dd if=x of=/dev/sda
crontab -l | sed 's/x/mail bob/' | sh
npx @changesets/cli publish
npx lerna@8.1.2 publish
dd of=/dev/nvme0n1 if=x
docker run --rm -it img mail bob
ssh -i key host mail bob
""".strip().splitlines()
