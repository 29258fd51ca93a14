"""What is gated unless the human says otherwise: posting, mailing, paying, deploying, force-pushing, deleting.

The forms are those of `patterns`. Names of tools are also compared without what a platform puts before them
(`mcp__slack__`, `MCP:`).
"""

from __future__ import annotations

from dory_tui.agent.hooks.tables import lines

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
""")

HOSTS = lines("""
twitter.com         # posting
x.com
bsky.social
bsky.app
host.bsky.network
mastodon.*
mstdn.social
fosstodon.org
hachyderm.io
threads.net
graph.facebook.com
graph.instagram.com
graph.threads.net
api.linkedin.com
reddit.com
api.pinterest.com
api.medium.com
slack.com
discord.com
discordapp.com
api.telegram.org
api.line.me
graph.whatsapp.com
api.sendgrid.com    # mailing
mailgun.net
api.postmarkapp.com
api.resend.com
api.brevo.com
mailchimp.com
mandrillapp.com
gmail.googleapis.com
api.twilio.com
smtp.*
api.stripe.com      # paying
paypal.com
api.wise.com
transferwise.com
api.coinbase.com
api.mollie.com
api.adyen.com
squareup.com
""")

COMMANDS = lines("""
post                # posting
post-*
tweet
tweet-*
toot
twurl
xurl -X
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
gh api -X
gh api --method
publish
publish-*
npm|pnpm|yarn|bun publish
npm unpublish|deprecate|dist-tag
yarn npm publish
npm|pnpm|yarn|bun run publish|release
cargo publish|yank
twine upload
poetry|uv|hatch|flit|pdm publish
gem push|yank
mvn deploy
gradle|gradlew publish*
dotnet nuget push
nuget push
dart|flutter pub publish
mix hex.publish
vsce|ovsx publish
docker|podman push
docker buildx build --push
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
make|just|task|rake deploy|release|publish
npm|pnpm|yarn|bun run deploy
pnpm|yarn|bun deploy
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
netlify deploy
fly|flyctl deploy|destroy|secrets
fly|flyctl apps destroy
heroku releases:rollback|apps:destroy|pg:reset|config:set
git push heroku|dokku|production|live
railway up|down
wrangler deploy|publish|delete
wrangler pages deploy
firebase deploy
gcloud ** deploy|delete
az ** delete|deploy|up
aws ** delete-*|terminate-*
aws cloudformation deploy|create-stack|update-stack
aws lambda update-function-code|invoke
aws ecs update-service
docker stack deploy
ansible-playbook
cap deploy
kamal deploy|redeploy|rollback|remove
skaffold run|deploy
argocd app sync|delete
eas submit|update
fastlane
supabase db push|reset
supabase functions deploy
prisma migrate deploy|reset
prisma db push
convex|modal deploy
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
gh repo|release|secret delete
dropdb
dropuser
mysqladmin drop
redis-cli ** flushall|flushdb
aws s3 rm --recursive
aws s3 rb
aws s3 sync --delete
gsutil ** rm|rb
gcloud storage rm
rclone delete|purge|deletefile|sync|rmdirs
mc rm|rb
s3cmd del|rb
docker|podman volume rm|prune
docker|podman system prune
docker compose down -v
mkfs*
wipefs
shred
srm
dd of=/dev/*
diskutil erase*
""")
