"""Which calls of a gated program do nothing: dry runs, help, and words that are no task but a folder. Pure.

These hold for the patterns of `defaults` alone; a pattern of the human's has no exceptions. They are for programs whose
options are known. What a script of the workspace makes of `--dry-run` nobody knows, and so `./deploy.sh --dry-run` and
`npm run deploy -- --help` stay gated. An option counts before a `--` only, and not where it may be another's value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from dory_tui.agent.hooks.expansions import HOLE
from dory_tui.agent.hooks.tables import lines
from dory_tui.agent.hooks.tables import words as table

HARMLESS = lines("""
npm|pnpm|bun publish --dry-run
npm unpublish --dry-run
yarn npm publish --dry-run
cargo publish --dry-run|-n
poetry|uv publish --dry-run
dart|flutter pub publish --dry-run|-n
semantic-release --dry-run|-d
release-it|np --dry-run|--preview
goreleaser release --snapshot
gh-pages --no-push|-n
make|gmake --dry-run|--just-print|--recon|--question|-n|-q
rake --dry-run|--tasks|--describe|-n|-T|-D
just|task --dry-run|--dry|-n|--list|--show|--summary
gradle|gradlew --dry-run
kubectl|oc --dry-run
helm --dry-run
argocd app sync --dry-run
ansible-playbook --check|-C|--syntax-check|--list-tasks|--list-hosts|--list-tags
cap --dry-run|--tasks|-n|-T
wrangler|firebase|firebase-tools|supabase --dry-run
sam|aws --no-execute-changeset
aws --dry-run|--dryrun|--generate-cli-skeleton
rclone --dry-run|-n
git push --dry-run|-n
git clean --dry-run|-n
git send-email --dry-run
""")
_STRIPE = table("listen login logout logs status version config completion open samples get trigger")
_STRIPE_READS = table("list retrieve search")
_LANES = table("test tests scan build gym lint snapshot screenshots lanes list env docs actions action init")
_MOBILES = table("ios android mac")
_HOOKS = lines("""
post-install*
post-uninstall*
post-upgrade*
post-commit
post-checkout
post-merge
post-receive
post-rewrite
post-applypatch
post-index-change
post-create
post-start
post-attach
post-build
post-compile
post-process*
post-setup
post-gen*
""")
"""Names of scripts that run after something, and post nothing."""

_UNKNOWN = "post|post-*|tweet|tweet-*|toot|publish|publish-*|deploy|deploy-*|release|send-mail*"
"""Names that say nothing about the program: it is some script."""
_RUNNERS = table("npm pnpm yarn bun just task rake invoke inv fab gulp grunt poe mage nx turbo composer tox nox hatch")
"""Programs that may hand an option on to such a script."""
_FIRST = table("just task")
"""Of these what stands after a task may be the task's."""
_PUBLISHERS = table("publish unpublish deprecate dist-tag npm")
_POSIX = table("mail mailx s-nail nail mutt neomutt sendmail msmtp ssmtp sendemail telegram-send")
"""Programs for which an option after the first operand is an operand."""
_HELP = table("--help -help -h --version")
_CLUSTERS = {"git": "dfqxXv", "make": "Bikswr", "gmake": "Bikswr"}
"""Letters of a program that take no value, and may stand in one word with others."""
_FLAGS = table(
    """
    -f -fd -fdx -fx -v -q -y -k --force --force-with-lease --verbose --quiet --yes --delete --recursive --install
    --allow-dirty --provenance --json --debug --tags --all --mirror --prune --follow-tags --no-verify --no-git-checks
    --diff --atomic --wait --workspaces
    """
)
"""Options without a value, whatever the program."""
_OFF = table("none false f 0 no n off") | {""}
VALUES = {
    **dict.fromkeys(("make", "gmake"), table("-C -f -I -o -W --directory --file --makefile --include-dir")),
    "just": table("-d -f --justfile --working-directory"), "task": table("-d -t --dir --taskfile"),
    "nx": table("-p --project --projects --exclude"), "turbo": table("-F --filter"),
    "rake": table("-f -C --rakefile"), "npm": table("-C -w --prefix --workspace"),
    **dict.fromkeys(("mvn", "mvnw"), table("-f -pl -P -s --file --projects --activate-profiles --settings")),
    "pnpm": table("-C -F --dir --filter"), "yarn": table("--cwd"), "bun": table("--cwd --filter -F"),
    "git": table("-C -c --git-dir --work-tree"), "gh": table("-R --repo"),
    **dict.fromkeys(("docker", "podman", "docker-compose"), table("-f -p --file --project-name --context --profile")),
    **dict.fromkeys(("kubectl", "oc", "helm"), table("-n --namespace --context --kubeconfig --kube-context")),
}  # fmt: skip
"""Options whose value is a folder, a file or a name, and no task."""
_NO_TASK = (
    r"(?:\S*:)?publish\w*tomavenlocal|\S+\.(?:o|a|so|pdf|html|zip|json|ya?ml|md|txt|tar|gz|js|css|exe|apk|deb|rpm)|"
    r"(?:deploy|release|publish)\w*[-_:.](?:dry(?:[-_]?run)?|notes?|check|local|build|lint|plan|diff|status|logs?|help)"
)


def counted(name: str, arguments: Sequence[str]) -> list[str]:
    """The arguments that may say what a program does: values of its options that cannot are left out."""
    values = VALUES.get(name, frozenset())
    runs = name in _RUNNERS or name in ("make", "gmake", "gradle", "gradlew")
    found, before = [], ""
    for text in arguments:
        if before not in values and not (runs and re.fullmatch(_NO_TASK, text.casefold())):
            found.append(text)
        before = text
    return found


def is_known(text: str) -> bool:
    """Whether a command is the program of its name, as far as the way it is written shows."""
    folder, _, last = text.rpartition("/")
    return not re.search(r"\.(?!exe\Z)\w+\Z", last) and (
        not folder or folder.startswith("/") or folder.endswith("bin") or last in ("gradlew", "mvnw")
    )


def harmless(name: str, arguments: Sequence[str], *, known: bool = True) -> bool:
    """Whether a gated command of this name only shows something, or says what it would do.

    Without `known` it may be a script that is only called like the program, as `npm.sh` is.
    """
    if any(fnmatchcase(name.replace("_", "-"), one) for one in _HOOKS):
        return True
    if not known:
        return False
    ends = "--" if name not in _FIRST else "[!-]*"
    texts = [text.replace(HOLE, "\1") for text in counted(name, arguments)]
    texts = texts[: next((at for at, text in enumerate(texts) if fnmatchcase(text, ends)), len(texts))]
    if _helps(name, texts) or (name == "gh" and _looks(texts)) or _begins(name, texts):
        return True
    return any(_fits(one, name, texts) for one in HARMLESS if not name or one[0] == name[0] or "|" in one)


def _helps(name: str, texts: Sequence[str]) -> bool:
    if not texts or any(fnmatchcase(name, one) for one in _UNKNOWN.split("|")):
        return False
    *before, last = texts
    if name == "aws" and last == "help":
        return not any(text.startswith("-") for text in before)
    if last not in _HELP or (name in _POSIX and before):
        return False
    if name in _RUNNERS and not _PUBLISHERS.issuperset(before):
        return False
    word = r"[a-z0-9][\w.:/-]*" if name == "gh" else r"[a-z0-9][a-z0-9:-]*"
    return all(re.fullmatch(word, text) for text in before)


def _begins(name: str, texts: Sequence[str]) -> bool:
    """Whether the very first word is a verb that does nothing: behind an option it may be the option's value."""
    if name == "stripe":
        said = [*texts[:2], "", ""]
        return said[0] in _STRIPE or (re.fullmatch(r"\w+", said[0]) is not None and said[1] in _STRIPE_READS)
    if name == "fastlane":  # which runs one lane after the other; `key:value` is an option
        lanes = [text for text in texts if ":" not in text and text not in _FLAGS]
        lanes = lanes[1:] if lanes[:1] and lanes[0] in _MOBILES else lanes
        return len(lanes) == 1 and lanes[0] in _LANES
    return False


def _looks(texts: Sequence[str]) -> bool:
    """Whether `gh api` only reads: by its method, or a query of GraphQL."""
    if texts[:1] != ["api"]:
        return False
    if (said := method(texts, "i?")) is not None:
        return said in ("GET", "HEAD")
    whole = " ".join(texts)
    return "graphql" in texts[:4] and not re.search("(?i)mutation|=@|--input|\1", whole)


def method(texts: Sequence[str], letters: str = "[A-Za-z#]*") -> str | None:
    """The HTTP method that `-X` or `--method` and the like name last; None when none is named.

    `letters` are the options without a value that may stand before `X` in one word.
    """
    found = None
    for before, text in zip(["", *texts], texts, strict=False):
        if re.fullmatch(rf"-{letters}X|--method|--request", before):
            found = text.upper()
        elif match := re.fullmatch(rf"(?:-{letters}X=?|--(?:method|request)=)(\w+)", text):
            found = match[1].upper()
    return found


def _fits(pattern: str, name: str, texts: Sequence[str]) -> bool:
    first, *parts = pattern.split()
    if not any(fnmatchcase(name, one) for one in first.split("|")):
        return False
    words = [text for text in texts if not text.startswith("-")]
    position = 0
    for part in parts:
        if part.startswith("-"):
            options = part.split("|")
            off = any(
                text.partition("=")[0] in options and text.partition("=")[2].casefold() in _OFF
                for text in texts
                if "=" in text
            )
            if off or not any(_given(one, name, texts) for one in options):
                return False
        elif position >= len(words) or (part != "*" and words[position] not in part.split("|")):
            return False
        else:
            position += 1
    return True


def _given(option: str, name: str, texts: Sequence[str]) -> bool:
    """Whether an option is given, is on, and cannot be the value of the one before it."""
    with_it = f"[{_CLUSTERS[name]}]*" if len(option) == 2 and name in _CLUSTERS else ""
    written = rf"-{with_it}{option[1]}{with_it}" if with_it else re.escape(option)
    given = False
    for before, text, after in zip(["", *texts], texts, [*texts[1:], ""], strict=False):
        said, sign, value = text.partition("=")
        if said.startswith(("--no-dry", f"--no-{option.lstrip('-')}")) and said != option:
            return False  # it, or something like it, is off again
        if not re.fullmatch(written, said):
            continue
        if (sign and value.casefold() in _OFF) or "\1" in value or (after and after.casefold() in _OFF):
            return False
        free = not before.startswith("-") or "=" in before or before in _FLAGS or re.fullmatch(r"-\w\d+", before)
        given = given or bool(free)
    return given
