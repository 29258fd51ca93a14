"""What is gated unless the human says otherwise: posting, mailing, paying, deploying, force-pushing, deleting.

The forms are those of `patterns`. Names of tools are also compared without what a platform puts before them
(`mcp__slack__`, `MCP:`).
"""

from __future__ import annotations

from dory_tui.agent.hooks.tables import lines, words

TOOLS = lines("""
message
send_*
*_send
*_send_*
*send_message*
*send_email*
*send_mail*
post_*
*_post
*_post_*
create_post*
*_add_message
*add_comment*
*add_*_comment*
create_comment*
tweet*
*_tweet*
toot*
publish*
*_publish*
reply_*
*_reply
*_reply_*
share_*
broadcast*
pay_*
payment*
*_payment*
*payout*
*refund*
*_charge*
transfer_*
*_transfer*
*_invoice*
purchase*
*_purchase*
place_order*
deploy*
*_deploy
*_deploy_*
*_rollback*
create_release*
delete_*
*_delete
*_delete_*
drop_*
*_drop_*
truncate_*
""")

ALLOW = lines("""
delete_file         # of the editor's own, or of a memory that is a graph
delete_files
delete_entities
delete_observations
delete_relations
get_*               # of what is read only
list_*
search_*
read_*
find_*
view_*
fetch_*
retrieve_*
describe_*
count_*
api_post_search     # Notion's way of reading
api_post_*_query
docs.*              # pages about a service
developer.*
developers.*
help.*
support.*
status.*
""")

ACTS = words("create add update edit set make new submit execute run trigger upload write put patch move remove")
"""First words of a tool's name that name no service but what it does."""

HOSTS = lines("""
api.twitter.com     # posting
upload.twitter.com
POST twitter.com
api.x.com
upload.x.com
POST x.com
POST bsky.social
POST bsky.app
POST host.bsky.network
POST mastodon.*
POST mstdn.social
POST fosstodon.org
POST hachyderm.io
POST threads.net
POST threads.com
graph.facebook.com
graph.instagram.com
graph.threads.net
api.linkedin.com
oauth.reddit.com
POST reddit.com
api.pinterest.com
api.medium.com
POST api.github.com
hooks.slack.com
slack.com/api
POST slack.com
discord.com/api
discordapp.com/api
POST discord.com
POST discordapp.com
api.telegram.org
api.line.me
graph.whatsapp.com
api.sendgrid.com    # mailing
api.mailgun.net
api.eu.mailgun.net
POST mailgun.net
api.postmarkapp.com
api.resend.com
api.brevo.com
api.mailchimp.com
POST mailchimp.com
mandrillapp.com
gmail.googleapis.com
api.twilio.com
smtp.*
api.stripe.com      # paying
api.paypal.com
api-m.paypal.com
api-m.sandbox.paypal.com
POST paypal.com
api.wise.com
POST transferwise.com
api.coinbase.com
api.mollie.com
api.adyen.com
connect.squareup.com
POST squareup.com
""")

COMMANDS = lines("""
post                # posting
post-*
tweet
tweet-*
toot
twurl
xurl -X
xurl post|reply|quote|repost|dm|delete
bird tweet|reply
bsky post|reply
telegram-send
signal-cli ** send
wacli send
imsg send
discord-send
slackcat
slack chat|file
gh release create|edit|upload|delete
gh gist create
gh issue|pr comment
gh issue create
gh pr review
gh api -X|--method
gh api -f|--field|--raw-field|--input
gh repo create --public
gh repo edit --visibility
glab issue|mr note
glab issue|release create
publish
publish-*
npm|pnpm|yarn|bun publish
npm unpublish|deprecate|dist-tag
yarn npm publish
npm|pnpm|yarn|bun run|run-script publish*|release*
pnpm|yarn|bun publish*|release:*|release-*
lerna publish
cli publish|deploy|release   # of a package named @some/cli
changeset|changesets publish
nx release|publish
semantic-release
release-it
np
goreleaser release
jsr|deno publish
cargo publish|yank
twine upload
poetry|uv|hatch|flit|pdm publish
gem push|yank
pod trunk push|delete
mvn|mvnw ** deploy
gradle|gradlew ** publish*|*:publish*
dotnet nuget push
nuget push
dart|flutter pub publish
mix hex.publish
vsce|ovsx publish
docker|podman push
docker buildx build|bake --push
docker|podman compose push
docker-compose|podman-compose push
helm push
mail                # mailing
mailx
s-nail
nail
mutt
neomutt
sendmail
send-mail*
sendemail
msmtp
ssmtp
swaks
himalaya ** send|reply|forward
gog gmail send
gam ** sendemail
aws ses|sesv2 send-*
aws sns publish
open|xdg-open mailto:*
git send-email
stripe              # paying
paypal
lncli payinvoice|sendpayment|sendcoins
bitcoin-cli ** sendtoaddress|sendmany
cast send
solana transfer
deploy              # deploying
deploy-*
release
make|gmake|just|task|rake|mage|invoke|inv|fab|gulp|grunt|poe|tox|nox ** deploy*|release*|publish*
npm|pnpm|yarn|bun run|run-script deploy*
pnpm deploy:*|deploy-*
yarn|bun deploy*
yarn workspace * deploy*|publish*|release*
npm-run-all|run-s|run-p ** deploy*|release*|publish*
turbo run ** deploy*
turbo deploy*
nx run *:deploy*
nx run-many|affected ** deploy*
nx deploy*
composer deploy*
composer run|run-script deploy*
pdm|hatch|poetry|uv|rye run deploy*|publish*|release*
gh workflow run
gh-pages
ghp-import -p|--push
mkdocs gh-deploy
mike deploy --push
hexo deploy|d
hugo|ng deploy
surge
eb deploy|create|terminate|swap
zappa deploy|update|undeploy
chalice deploy|delete
func azure functionapp publish
swa deploy
doctl apps create-deployment|update|delete
clever|scalingo|dokku deploy
platform|upsun push|deploy
nomad run|stop
nomad job run|stop
dep ** deploy*
envoy run deploy*
deployctl deploy
kubectl|oc apply|create|delete|replace|patch|scale|drain|set|edit
kubectl|oc rollout undo|restart
helm install|upgrade|uninstall|delete|rollback
terraform|tofu|terragrunt apply|destroy|import
terraform|tofu state rm|mv|push
pulumi up|destroy
cdk|cdktf deploy|destroy
sam|copilot|amplify deploy|publish
serverless|sls deploy|remove
vercel|now --prod
vercel deploy|promote|rollback|redeploy|remove|rm|alias
netlify|netlify-cli|ntl deploy
fly|flyctl deploy|destroy|secrets
fly|flyctl apps destroy
heroku releases:rollback|apps:destroy|pg:reset|config:set
git push heroku|dokku|production|live
railway up|down
wrangler deploy|publish|delete
wrangler pages deploy
firebase|firebase-tools deploy|hosting:channel:deploy
gcloud ** deploy|delete
az ** delete|deploy|up
aws ** delete-*|terminate-*
aws cloudformation deploy|create-stack|update-stack
aws lambda update-function-code|invoke
aws ecs update-service
docker stack deploy
ansible-playbook
cap ** deploy*
kamal deploy|redeploy|rollback|remove
skaffold run|deploy
sst deploy|remove
argocd app sync|delete
eas|eas-cli submit|update
expo publish
fastlane
supabase db push|reset
supabase functions deploy
prisma migrate deploy|reset
prisma db push
convex|modal deploy
replicate push
git push -f         # force-pushing
git push --force
git push --force-with-lease
git push --mirror
git push --prune
git push ** +*
git push -d         # deleting
git push --delete
git push ** :*
git clean -f
git clean --force
gh repo|release|secret|issue delete
dropdb
dropuser
mysqladmin drop
redis-cli ** flushall|flushdb
aws s3 rm --recursive
aws s3 rb
aws s3 sync --delete
gsutil ** rm|rb
gcloud storage rm
gcloud builds submit
rclone delete|purge|deletefile|sync|rmdirs
mc rm|rb
s3cmd del|rb
docker|podman volume rm|prune
docker|podman system prune
docker|podman compose down -v|--volumes
docker-compose|podman-compose down -v|--volumes
mkfs*
wipefs
shred
srm
dd ** of=/dev/sd*|of=/dev/nvme*|of=/dev/disk*|of=/dev/rdisk*|of=/dev/mmcblk*|of=/dev/*vd*|of=/dev/hd*
diskutil erase*
""")
