#!/bin/sh
# A command job of OpenClaw that looks every five minutes. Put in the two paths, both absolute, and run this once.
# One job for the workspace, not one for each post: a one-shot job that a restart interrupted catches up however late.
# Any exit code but 0 counts towards switching the job off, so what is refused exits 0; what ran and failed still shows.
exec openclaw cron add --name dory --cron '*/5 * * * *' --no-deliver --timeout-seconds 0 \
  --command-argv '["/ABS/PATH/dory-agent","-C","/ABS/WORKSPACE","run","--due","--refusal-exit","0"]' "$@"
