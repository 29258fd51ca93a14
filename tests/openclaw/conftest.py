"""The real OpenClaw for `make test-openclaw`; the default run does not come here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.openclaw.gateway import Gateway, install, running
from tests.openclaw.outside import Outside, outside

if TYPE_CHECKING:
    from tests.conftest import Workspace

_POST = """\
#!{python}
import sys, urllib.request
urllib.request.urlopen("{address}/post/" + sys.argv[1], data=b"").read()
"""


@pytest.fixture(scope="session")
def binaries() -> Path:
    """Where `openclaw` and its node are."""
    return install()


@pytest.fixture(name="outside")
def the_outside() -> Iterator[Outside]:
    with outside() as made:
        yield made


@pytest.fixture
def place(workspace: Workspace) -> Workspace:
    """A workspace whose state lies where HOME says, as it does under a scheduler."""
    del workspace.env["XDG_STATE_HOME"], workspace.env["XDG_CONFIG_HOME"]
    return workspace.live()


@pytest.fixture
def gateway(binaries: Path, place: Workspace, tmp_path: Path) -> Iterator[Gateway]:
    with running(binaries, tmp_path / "gateway", Path(place.env["HOME"])) as made:
        yield made


@pytest.fixture
def post(outside: Outside, tmp_path: Path) -> Path:
    """A program that posts its argument."""
    program = tmp_path / "bin/post"
    program.parent.mkdir()
    program.write_text(_POST.format(python=sys.executable, address=outside.address))
    program.chmod(0o755)
    return program
