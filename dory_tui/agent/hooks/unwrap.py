"""What a simple command starts besides itself: what `sudo`, `xargs` or `bash -c` are given to run. Pure.

Options of these wrappers are not known one by one. A word after an option may be the option's value or the command, and
so both are looked at: a command too many costs a question, one too few lets something out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dory_tui.agent.hooks import unloading
from dory_tui.agent.hooks.harmless import VALUES
from dory_tui.agent.hooks.shell import HOLE, Command, Word
from dory_tui.agent.hooks.tables import words
from dory_tui.values import dataclass, field

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh", "pwsh", "powershell"})
RESERVED = frozenset({"if", "then", "elif", "else", "while", "until", "do", "{", "}", "!", "fi", "done"})
_HEADS = frozenset({"for", "case", "select", "esac", "[[", "in"})
_ASSIGNMENT = r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?="
_INTERPRETERS = words(
    """
    python pypy node nodejs deno bun ruby perl php lua osascript rscript tclsh awk gawk mawk nawk
    """
)
_CODE = r"(?s)-[A-Za-z]*[ceErp]|-e.+|-c.+|--(?:eval|print|command)(?:=.*)?|eval|-Command"
_SHELL_CODE = r"(?i)[-+][a-z]*c[a-z]*|--command"
_SUFFIXES = (".exe", ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php")

_VERSION = r"(?<=.)@(?:latest|next|canary|beta|[\^~]?\d+(?:\.\d+){0,2}(?:-[\w.]+)?)\Z"
_PREFIXES = {
    **dict.fromkeys(
        words(
            """
            sudo doas env genv nohup xargs gxargs command exec builtin nice ionice setsid stdbuf unbuffer caffeinate
            chronic watch numactl busybox toybox strace ltrace proxychains proxychains4 torsocks torify systemd-run
            systemd-inhibit dbus-run-session xvfb-run parallel unshare nsenter firejail bwrap entr npx bunx uvx runuser
            script arch dotenv hyperfine time gtime source .
            """
        ),
        0,
    ),
    **dict.fromkeys(words("timeout gtimeout flock chroot taskset chrt faketime su ssh op coproc"), 1),
}
"""Those that start the command that follows their options, and so many words."""
_GROUPS = {
    "uv": {"run": 0, "tool": 1}, "pipx": {"run": 0}, "poetry": {"run": 0}, "pdm": {"run": 0}, "hatch": {"run": 0},
    "pipenv": {"run": 0}, "rye": {"run": 0}, "conda": {"run": 0}, "bundle": {"exec": 0}, "npm": {"exec": 0, "x": 0},
    "pnpm": {"exec": 0, "dlx": 0}, "yarn": {"exec": 0, "dlx": 0}, "bun": {"x": 0}, "mise": {"exec": 1, "x": 1},
    "direnv": {"exec": 1}, "nix": {"run": 1, "shell": 1, "develop": 1}, "docker": {"exec": 1, "run": 1},
    "podman": {"exec": 1, "run": 1}, "kubectl": {"exec": 1}, "git": {"bisect": 1}, "aws-vault": {"exec": 1},
    "doppler": {"run": 0}, "infisical": {"run": 0},
}  # fmt: skip
_BINS = frozenset({"yarn", "pnpm", "bun"})
_ALONE = frozenset({"--", "-it", "-ti", "--rm"})
"""Options that have no value, whatever the program."""
_TEXTS = frozenset(
    {"eval", "watch", "ssh", "parallel", "entr", "su", "runuser", "script", "trap", "tmux", "screen", "hyperfine"}
)
"""Those that hand words to a shell, which reads them once more."""
_MOST = 32
"""Places at which a command may begin inside of one: nobody writes as many."""
_LISTENERS = frozenset({"at", "batch", "crontab", "ssh", "parallel"})
"""Those that read a script from their input, as a shell without operands does."""


@dataclass(slots=True)
class Inner:
    """What else runs: commands as their words, scripts for a shell, and code in another language."""

    commands: list[Sequence[Word]] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    reads_input: str = ""
    """`script` or `code` when it runs what comes by its standard input."""
    more: bool = False
    """Whether more may be started than is listed here."""

    def start(self, words: Sequence[Word], position: int) -> None:
        """A command that begins at a word."""
        if len(self.commands) < _MOST:
            self.commands.append(words[position:])
        else:
            self.more = True


def _assigns(text: str) -> bool:
    return "=" in text and re.match(_ASSIGNMENT, text) is not None


def interprets(name: str) -> bool:
    """Whether a program runs code in another language than the shell's."""
    return name.rstrip("0123456789.") in _INTERPRETERS


def bare(words: Sequence[Word]) -> Sequence[Word]:
    """The words from the command's name on: reserved words and assignments before it are left out."""
    position = 0
    while position < len(words):
        text = words[position].text
        if text in _HEADS:
            return ()
        if text == "function":  # its body begins after the brace
            position = next((at for at, word in enumerate(words) if word.text == "{"), len(words))
            continue
        if text not in RESERVED and not _assigns(text):
            break
        position += 1
    return words[position:]


def names(word: Word) -> tuple[str, ...]:
    """What a command is called: its last part in small letters, with and without `.sh` and the like.

    `npx vercel@latest` starts vercel.
    """
    last = word.text.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()
    if "@" in last:
        last = re.sub(_VERSION, "", last)
    for suffix in _SUFFIXES:
        if last.endswith(suffix) and len(last) > len(suffix):
            return last, last.removesuffix(suffix)
    return (last,)


def script(text: str) -> str:
    """A text for the reader of shells: what is not known stays unknown in it."""
    return text.replace(HOLE, "${_}")


def inner(words: Sequence[Word], command: Command) -> Inner:
    """What a command starts. `words` begin with its name; `command` is what they stand in."""
    found = Inner()
    name = names(words[0])[-1]
    rest = words[1:]
    texts = [word.text for word in rest]
    _prefixed(name, rest, found)
    _nested_shells(rest, found)
    if name in SHELLS:
        _shell(rest, command, found)
    elif interprets(name):
        _interpreter(name, rest, command, found)
    elif name in ("find", "fd", "fdfind"):
        _find(rest, found)
    elif name in _BINS:
        _bins(name, rest, found)
    elif name == "alias":
        found.scripts += [script(text.partition("=")[2]) for text in texts if "=" in text]
    elif name == "git":
        found.scripts += [script(text.partition("=!")[2] or text) for text in texts if "=!" in text or text[:1] == "!"]
        runs = [at for at, text in enumerate(texts[:-1]) if text in ("-x", "--exec", "foreach")]
        found.scripts += [script(texts[at + 1]) for at in runs]
    elif name == "openclaw":
        scripts, commands = unloading.started(texts)
        found.scripts += [script(text) for text in scripts]
        found.commands += [[Word(text) for text in argv] for argv in commands]
    if name in _TEXTS:
        starts = sorted({0, *_starts(rest, _PREFIXES.get(name, 0))})
        found.more = found.more or len(starts) > _MOST
        found.scripts += [script(" ".join(texts[start:])) for start in starts[:_MOST]]
        found.scripts += [script(text) for text in texts if set(text) & set(" \n\t=$`;")]
    if name in _LISTENERS:
        found.reads_input = "script"
    return found


def _prefixed(name: str, rest: Sequence[Word], found: Inner) -> None:
    texts = [word.text for word in rest]
    skipped = _PREFIXES.get(name)
    if not name.strip(HOLE):  # a variable without a value is no word at all
        skipped = None if texts[:1] and texts[0].startswith("-") else 0
    if name == "command" and texts and texts[0] in ("-v", "-V"):
        return
    if skipped is None:
        group = _GROUPS.get(name, {})
        position = next((at for at, text in enumerate(texts[:6]) if text in group), None)
        if position is None:
            return
        skipped, rest = group[texts[position]], rest[position + 1 :]
    for start in _starts(rest, skipped):
        found.start(rest, start)
    if name in ("env", "genv"):
        found.scripts += [script(text.removeprefix("-S")) for text in texts if " " in text]


def _starts(words: Sequence[Word], skipped: int) -> Iterable[int]:
    """Where among a wrapper's words its command may begin: `skipped` words stand before it, and values of options."""
    firm = 0
    for position, word in enumerate(words):
        if word.text.startswith("-") or _assigns(word.text):
            continue
        yield position
        before = words[position - 1].text if position else ""
        if before in _ALONE or not before.startswith("-") or "=" in before:
            firm += 1
            if firm > skipped:
                return


def _nested_shells(rest: Sequence[Word], found: Inner) -> None:
    """`docker exec it bash -c …`: a shell with a script, wherever it stands."""
    for position, word in enumerate(rest[:-1]):
        name = names(word)[-1]
        if (name in SHELLS or interprets(name)) and rest[position + 1].text.startswith("-"):
            found.start(rest, position)


def _shell(rest: Sequence[Word], command: Command, found: Inner) -> None:
    if rest and rest[0].text == "-n" and not any(word.text.startswith("+") or not word.known for word in rest):
        return  # it reads, and runs nothing
    for position, word in enumerate(rest):
        if re.fullmatch(_SHELL_CODE, word.text):
            after = [one.text for one in rest[position + 1 :]]
            found.scripts += [script(text) for text in after if not text.startswith("-")][:2]
            return
        if word.text.startswith("--command="):
            found.scripts.append(script(word.text.partition("=")[2]))
            return
    operands = [position for position, word in enumerate(rest) if not word.text.startswith(("-", "+"))]
    if operands and rest[operands[0]].text != "/dev/stdin":
        found.commands.append(rest[operands[0] :])
    if not operands or any(word.text in ("-s", "-", "/dev/stdin") for word in rest):
        found.reads_input = "script"
        found.scripts += [script(text) for text in command.fed]


def _interpreter(name: str, rest: Sequence[Word], command: Command, found: Inner) -> None:
    texts = [word.text for word in rest]
    if name == "node" and texts[:1] == ["--check"]:
        return
    if name.endswith("awk") or any(re.fullmatch(_CODE, text) for text in texts):
        found.code += texts
        return
    if "-m" in texts[:-1]:
        found.commands.append(rest[texts.index("-m") + 1 :])
        return
    operands = [position for position, text in enumerate(texts) if not text.startswith("-")]
    if operands and texts[operands[0]] in ("run", "x") and name in ("bun", "deno"):
        operands = operands[1:]
    if operands and texts[operands[0]] != "/dev/stdin":
        found.commands.append(rest[operands[0] :])
    else:
        found.reads_input = "code"
        found.code += command.fed


def _bins(name: str, rest: Sequence[Word], found: Inner) -> None:
    """`yarn changeset publish`: a program of the project's own, unless it is a verb of the manager's."""
    before = ""
    for position, word in enumerate(rest):
        if not word.text.startswith("-") and before not in VALUES[name]:
            if word.text != "deploy":
                found.start(rest, position)
            return
        before = word.text


def _find(rest: Sequence[Word], found: Inner) -> None:
    for position, word in enumerate(rest):
        if word.text in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
            after = rest[position + 1 :]
            stop = next((at for at, one in enumerate(after) if one.text in (";", "+")), len(after))
            found.start(after[:stop], 0)
            if found.more:
                return
