"""A real Milvus server for a test, with data of its own: `milvus` 2.3.5, which must run where nobody else can reach it.

It listens on every interface, so it is started in a network namespace with nothing but loopback (`make test-milvus`).
As a script, run by the Python it is installed for, it is the process that starts the server and waits.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

SERVER = os.environ.get("DORY_MILVUS_PYTHON", "")
"""A Python that has the server; it has another one's dependencies than the tests."""
PORT = 19530


class Server:
    """A running server. Its data go with the folder."""

    def __init__(self, folder: Path, python: str, port: int = PORT) -> None:
        assert _alone(), "the server listens on every interface: run this by `make test-milvus`, which gives it none"
        self.address = f"http://127.0.0.1:{port}"
        self._folder, self._python, self._port = folder, python, port
        self._process = subprocess.Popen(
            [python, __file__, str(folder), str(port)], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", "the server did not start"

    def again(self) -> Server:
        """Another server with the data of this one, which must be dead."""
        return Server(self._folder, self._python, self._port)

    def kill(self) -> None:
        """SIGKILL to the server and to what started it."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()


def _alone() -> bool:
    """Whether loopback is all there is."""
    return {line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]} == {"lo"}


def _bound(config: object, port: int) -> socket.socket | None:
    """In place of the package's own, which takes ports of a server that was just killed for taken, and then others."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
        made.listen()
    except OSError:
        made.close()
        return None
    return made


def main() -> None:
    """Start it, say so, and stay."""
    import milvus

    milvus.MilvusServerConfig.try_bind_port = _bound
    milvus.default_server.set_base_dir(sys.argv[1])
    milvus.default_server.listen_port = int(sys.argv[2])
    milvus.default_server.start()
    assert milvus.default_server.listen_port == int(sys.argv[2])
    print("ready", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
