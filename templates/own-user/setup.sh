#!/bin/sh
# A user of its own for what runs: it owns the credentials, the ledger and the workspace's history. README.txt beside
# this file says what that protects against. May be run again; run it as root, and while the agent is not at work.
set -eu

usage() {
    cat >&2 <<'END'
usage: setup.sh --human USER --agent USER --workspace DIR --program /opt/dory/bin/dory
       [--runner dory-runner] [--home /var/lib/dory-runner] [--group dory] [--review /usr/local/bin/dory-review]
       [--scheduler systemd|cron|none]
END
    exit 2
}

fail() {
    echo "setup.sh: $1" >&2
    exit 1
}

human='' agent='' workspace='' program=''
runner=dory-runner home=/var/lib/dory-runner group=dory review=/usr/local/bin/dory-review scheduler=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
        --human) human=$2 ;; --agent) agent=$2 ;; --workspace) workspace=$2 ;; --program) program=$2 ;;
        --runner) runner=$2 ;; --home) home=$2 ;; --group) group=$2 ;; --review) review=$2 ;;
        --scheduler) scheduler=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[ -n "$human" ] && [ -n "$agent" ] && [ -n "$workspace" ] && [ -n "$program" ] || usage
if [ -z "$scheduler" ]; then
    if [ -d /run/systemd/system ]; then scheduler=systemd; else scheduler=cron; fi
fi

# What is put into files below is quoted nowhere: a path or a name with anything odd in it is refused.
for word in "$human" "$agent" "$workspace" "$program" "$runner" "$home" "$group" "$review"; do
    case $word in *[!A-Za-z0-9._/-]* | -*) fail "$word: only letters, digits, . _ / and - may stand here" ;; esac
done
for path in "$workspace" "$program" "$home" "$review"; do
    case $path in /*) ;; *) fail "$path is not an absolute path" ;; esac
done
[ "$(id -u)" = 0 ] || fail "only root can make users and give files to them: run it with sudo"
for user in "$human" "$agent"; do
    id "$user" >/dev/null 2>&1 || fail "there is no user $user"
done
[ "$human" != "$runner" ] && [ "$agent" != "$runner" ] || fail "$runner must be a user of its own"

# Whoever can change the program, or a folder on the way to it, decides what it does: that may only be root.
only_root() {
    at=$(readlink -f -- "$1")
    while :; do
        [ "$(stat -c %u -- "$at")" = 0 ] || fail "$at does not belong to root: install dory where only root may write"
        case $(stat -c '%F %A' -- "$at") in
            directory*t) ;; # anyone may add to such a folder, and nobody may replace what is another's
            *\ ?????w???? | *\ ????????w?*) fail "$at may be changed by others than root: install dory elsewhere" ;;
        esac
        [ "$at" = / ] && break
        at=$(dirname -- "$at")
    done
}
only_root "$program"
only_root "$(dirname -- "$program")/dory-agent"
environment=$(dirname -- "$(dirname -- "$program")")
if [ -f "$environment/pyvenv.cfg" ]; then
    odd=$(find "$environment" ! -type l \( ! -user root -o -perm /022 \) -print -quit)
    [ -z "$odd" ] || fail "$odd may be changed by others than root: install dory as root"
fi

as_runner() { (cd / && umask 007 && runuser -u "$runner" -- env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"); }

getent group "$group" >/dev/null || groupadd --system "$group"
if ! id "$runner" >/dev/null 2>&1; then
    useradd --system --user-group --home-dir "$home" --no-create-home --shell /usr/sbin/nologin "$runner"
fi
for user in "$runner" "$human" "$agent"; do
    usermod --append --groups "$group" "$user"
done

# The runner's home: credentials, ledger, trusted keys. Nobody else may enter it.
mkdir -p "$home/credentials"
chown "$runner:$runner" "$home" "$home/credentials"
chmod 700 "$home" "$home/credentials"

# The workspace: the group writes in it. The sticky bit keeps the agent from putting another .git in place of ours,
# whose settings would run programs as the runner; .git itself the group may only read.
mkdir -p "$workspace"
case $(find "$workspace" -type f -links +1 -print -quit) in
    '') ;;
    *) fail "$workspace holds files with a second name elsewhere (hard links): copy it without them" ;;
esac
chown "$runner:$group" "$workspace"
chmod 3770 "$workspace"
[ -d "$workspace/.git" ] || as_runner git -C "$workspace" init --quiet
chown -hR "$runner:$group" "$workspace"
find "$workspace" -mindepth 1 -type d -exec chmod 2770 {} +
find "$workspace" -type f -exec chmod u=rwX,g=rwX,o= {} +
find "$workspace/.git" ! -type l -exec chmod g-w,o= {} +
as_runner git -C "$workspace" config user.name "$human"
as_runner git -C "$workspace" config user.email "$human@$(uname -n)"
as_runner git -C "$workspace" config core.hooksPath /dev/null
as_runner "$program" -C "$workspace" init >/dev/null
# What `init` just made, too; .dory is where the agent's commands leave their notes.
find "$workspace" -mindepth 1 -path "$workspace/.git" -prune -o -type d -exec chmod 2770 {} +

# The human's way in: one command, as the runner, for this workspace, with the human's password each time.
cat >"$review.new" <<END
#!/bin/sh
# The review of $workspace, as $runner. \`dory-review\`, \`dory-review approve ID\`, \`dory-review verify\` …
[ "\$(id -un)" = $runner ] || exec sudo -H -u $runner $review "\$@"
umask 007
cd $workspace || exit 2
exec $program -C $workspace "\$@"
END
chmod 755 "$review.new"
mv "$review.new" "$review"
rules=/etc/sudoers.d/dory-review
mkdir -p /etc/sudoers.d
cat >"$rules.new" <<END
Defaults!$review timestamp_timeout=0, use_pty, env_reset, secure_path=/usr/local/bin:/usr/bin:/bin
$human ALL=($runner) PASSWD: $review
END
chmod 440 "$rules.new"
if command -v visudo >/dev/null; then
    visudo -cqf "$rules.new" || fail "the rule for sudo is not accepted: see $rules.new"
    mv "$rules.new" "$rules"
else
    mv "$rules.new" "$rules"
    echo "sudo is not installed here: until it is, the review is \`runuser -u $runner -- $review\` as root"
fi

# The scheduler, as the runner.
look="$(dirname -- "$program")/dory-agent -C $workspace run --due"
case $scheduler in
    systemd)
        cat >/etc/systemd/system/dory-runner.service <<END
[Unit]
Description=Start what $human approved in $workspace and what is due

[Service]
Type=oneshot
User=$runner
UMask=0007
NoNewPrivileges=yes
ProtectSystem=full
KillMode=mixed
TimeoutStartSec=infinity
TimeoutStopSec=30
ExecStart=$look
# Variables that drafts pass on by name (env_pass), one NAME=value a line:
EnvironmentFile=-$home/credentials/environment
END
        cat >/etc/systemd/system/dory-runner.timer <<END
[Timer]
OnBootSec=1min
OnCalendar=*:0/5
AccuracySec=10s

[Install]
WantedBy=timers.target
END
        if [ -d /run/systemd/system ]; then
            systemctl daemon-reload
            systemctl enable --now dory-runner.timer
        fi
        ;;
    cron)
        cat >/etc/cron.d/dory-runner <<END
# Variables that drafts pass on by name (env_pass) stand in $home/credentials/environment, one NAME=value a line.
*/5 * * * * $runner umask 007; f=$home/credentials/environment; [ ! -f \$f ] || { set -a; . \$f; set +a; }; out="\$($look 2>&1)" || echo "\$out"
END
        chmod 644 /etc/cron.d/dory-runner
        ;;
    none) ;;
    *) usage ;;
esac

cat <<END
done. $human reviews with \`dory-review\`, and is asked for a password. $agent works in $workspace with \`dory-agent\`.
Both must log in anew to be in the group $group. Move the credentials into $home/credentials, and take them, and every
copy of them, out of reach of $agent: old ones that it has seen are to be replaced.
END
[ "$human" != "$agent" ] || echo "The agent runs as you: it can type into your terminal. Give it a user of its own."
