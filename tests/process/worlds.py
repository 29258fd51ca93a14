"""A small world of real users for one module of tests: made by root, gone with it, and nothing outside ever changed.

It is a mount namespace of its own, in which /etc and /usr/local are layers over the real ones: users, groups and the
rules of sudo that are made in there exist in there only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from tests.process.launcher import CLONE, launcher

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_ROOMS = """
set -e
mount --make-rprivate /
cd "$1"
mount -t tmpfs -o mode=755 tmpfs layers
for place in etc usr/local; do
    mkdir -p layers/$place/upper layers/$place/work
    mount -t overlay -o "lowerdir=/$place,upperdir=$1/layers/$place/upper,workdir=$1/layers/$place/work" overlay /$place
done
mount --bind "$2" python
mount --bind "$3" clone
mount --bind "$4" site
echo ready
exec cat
"""


class CannotError(Exception):
    """This machine does not let a test make such a world; the message says why."""


class World:
    """`folder` is on a path that every user may walk; `bin/dory` and `bin/dory-agent` in it run this clone."""

    def __init__(self, folder: Path) -> None:
        if os.geteuid() != 0:
            raise CannotError("only root can make users")
        self.folder = folder
        folder.chmod(0o755)
        for name in ("layers", "python", "clone", "site"):
            (folder / name).mkdir()
        real = Path(os.path.realpath(sys.executable))
        base = Path(os.path.realpath(sys.base_prefix))
        site = sysconfig.get_path("purelib")
        command = ["unshare", "--mount", "sh", "-c", _ROOMS, "sh", str(folder), str(base), str(CLONE), site]
        try:
            self._keeper = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        except FileNotFoundError as error:
            raise CannotError("unshare is not here") from error
        assert self._keeper.stdout is not None
        if self._keeper.stdout.readline() != "ready\n":
            raise CannotError(f"it may not mount: {self._keeper.communicate()[1].strip()[:200]}")
        paths = [folder / "site", folder / "clone"]
        python = str(folder / "python" / real.relative_to(base))
        self.dory = launcher(folder / "bin/dory", "dory_tui.__main__", python, paths)
        self.agent = launcher(folder / "bin/dory-agent", "dory_tui.cli.dory_agent", python, paths)

    def line(self, user: str, *words: str, **environment: str) -> list[str]:
        """The command that runs words as a user of this world, with a login's environment."""
        env = {
            "PATH": PATH,
            "HOME": str(self.folder / "homes" / user),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            **environment,
        }
        inside = ["nsenter", f"--mount=/proc/{self._keeper.pid}/ns/mnt", "--wd=/"]
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--inh-caps=-all"]
        return [
            *inside,
            *([] if user == "root" else become),
            "env",
            "-i",
            *(f"{k}={v}" for k, v in env.items()),
            *words,
        ]

    def run(
        self, user: str, *words: str, stdin: str = "", codes: Sequence[int] | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.line(user, *words, **environment), input=stdin, capture_output=True, text=True, check=False
        )
        assert codes is None or done.returncode in codes, (words, done.returncode, done.stdout, done.stderr)
        return done

    def add_user(self, name: str) -> None:
        """A user with a home of its own, as people have one."""
        home = self.folder / "homes" / name
        home.parent.mkdir(exist_ok=True)
        self.root("useradd", "--no-log-init", "--user-group", "--create-home", "--home-dir", str(home), name)

    def root(self, *words: str, stdin: str = "") -> str:
        return self.run("root", *words, stdin=stdin, codes=(0,)).stdout

    def close(self) -> None:
        if self._keeper.poll() is None:
            self._keeper.communicate("")
