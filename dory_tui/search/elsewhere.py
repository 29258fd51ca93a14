"""Which store keeps the vectors: the index on this machine, unless `dory.toml` names another one.

    [search]
    store = "milvus+tls://vectors.example.org:19530/my_agent"

    milvus:vectors.db                    a file beside the index, for one process at a time
    milvus://host:19530/collection       a server or a cluster; milvus+tls:// for an encrypted connection
    pinecone://index-host/namespace      the host of the index, which Pinecone's console shows

The agent can write `dory.toml`, and a store is sent vectors, paths, lines and days of everything that is searched. So a
host that is not this machine must be allowed by the human, in `config.toml` of the human's configuration folder, which
also says in which environment variable its secret is:

    [search.hosts]
    "milvus+tls://vectors.example.org:19530" = "MILVUS_TOKEN"        # "" for one that asks for none

No file holds a secret, and one that seems to is refused.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
from collections.abc import Mapping
from pathlib import Path

from dory_tui import config
from dory_tui.config import ConfigError
from dory_tui.search import places
from dory_tui.search.embedding import DIMENSIONS
from dory_tui.search.opening import Remote
from dory_tui.search.outward import Later
from dory_tui.search.stores import Store, StoreError
from dory_tui.values import dataclass

WORKSPACE = "dory.toml"
HUMAN = "config.toml"

_PORTS = {"milvus": 19530, "milvus+tls": 443, "pinecone": 443}
_FILE = re.compile(r"milvus:([A-Za-z0-9][\w-]{0,63}\.db)", re.ASCII)
_SERVER = re.compile(
    r"(milvus|milvus\+tls|pinecone)://([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]+\])(?::([0-9]{1,5}))?"
    r"(?:/([A-Za-z_][\w-]{0,62}))?",
    re.ASCII | re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""`MILVUS_TOKEN`. Names of one word are not taken: keys of several providers look like one."""
_SECRETS = re.compile(r"(?:.*[_-])?(?:secret|token|key|password|passwd|user|username|credentials?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A store that is named. `host` is empty for a file, whose name is then `name`; `name` is empty for the default."""

    scheme: str
    host: str
    port: int
    name: str
    line: int
    """Of `dory.toml`."""

    @property
    def here(self) -> bool:
        """Whether nothing leaves this machine."""
        if not self.host or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def place(self) -> str:
        """`milvus+tls://host:port`, as the human's file names it; `milvus:` for a file."""
        return f"{self.scheme}://{self.host}:{self.port}" if self.host else f"{self.scheme}:"


def wanted(root: Path) -> Wanted | None:
    """What `dory.toml` asks for; None for the index on this machine. ConfigError, with the line, when it cannot be."""
    data = config.read_settings(root / WORKSPACE, WORKSPACE)
    if data is None or b"search" not in data:
        return None
    table = _table(config.parse_settings(data, WORKSPACE), WORKSPACE, "search")
    for key in table:
        if _SECRETS.fullmatch(key):
            raise ConfigError(
                f"{WORKSPACE} line {_line(data, key)}: {key} has no place in this file: name the environment variable "
                f"that holds it in {HUMAN} of your configuration folder, below [search.hosts]"
            )
    return _named(table["store"], _line(data, "store")) if "store" in table else None


def _named(value: object, line: int) -> Wanted:
    if isinstance(value, str):
        if match := _FILE.fullmatch(value):
            if places.taken(match[1]):
                raise ConfigError(
                    f"{WORKSPACE} line {line}: {match[1]} is a name of dory's own index: write another one, such as "
                    '"milvus:vectors.db"'
                )
            return Wanted("milvus", "", 0, match[1], line)
        match = _SERVER.fullmatch(value)
        scheme = match[1].lower() if match else ""
        port = int(match[3]) if match and match[3] else _PORTS.get(scheme, 0)
        if match and 0 < port < 65_536:
            return Wanted(scheme, match[2].lower(), port, match[4] or "", line)
        if "@" in value or "?" in value:
            # The value is not repeated: it may hold what nobody shall read.
            raise ConfigError(
                f"{WORKSPACE} line {line}: search.store is an address without users, passwords and parameters: name "
                f"the environment variable that holds the secret in {HUMAN} of your configuration folder"
            )
    raise ConfigError(
        f'{WORKSPACE} line {line}: search.store must be "milvus:vectors.db", "milvus://host:19530/collection", '
        f'"milvus+tls://…" or "pinecone://index-host/namespace"'
    )


def allowed(human: Path, asked: Wanted) -> str:
    """The environment variable that holds the secret for a host; empty where none is asked for.

    StoreError for a host that the human does not allow, ConfigError when the human's file cannot be used.
    """
    data = config.read_settings(human, str(human))
    values = config.parse_settings(data, str(human)) if data is not None and b"search" in data else {}
    hosts = _table(_table(values, str(human), "search"), str(human), "search.hosts")
    for place, variable in hosts.items():
        if variable != "" and not (isinstance(variable, str) and _VARIABLE.fullmatch(variable)):
            raise ConfigError(
                f"{human} line {_line(data or b'', place)}: [search.hosts] has the name of an environment variable for "
                f'each host, such as "MILVUS_TOKEN", and never what it holds; "" for none'
            )
    found = hosts.get(asked.place)
    if found is None and not asked.here:
        raise StoreError(
            f"{WORKSPACE} line {asked.line} asks for vectors at {asked.place}, which you have not allowed: add "
            f'"{asked.place}" = "" below [search.hosts] in {human}, or the name of the variable with its secret'
        )
    return str(found or "")


def _table(values: Mapping[str, object], name: str, dotted: str) -> dict[str, object]:
    found = values.get(dotted.rpartition(".")[2], {})
    if not isinstance(found, dict):
        raise ConfigError(f"{name}: `{dotted}` must be a table, as in [{dotted}]")
    return found


def _line(data: bytes, key: str) -> int:
    """The line, from 1, on which a key stands; 1 where it is written in a way of its own."""
    written = re.compile(rb"^[^#=]*(?<![\w.-])[\"']?" + re.escape(key.encode()) + rb"[\"']?\s*=", re.MULTILINE)
    match = written.search(data)
    return data.count(b"\n", 0, match.end()) + 1 if match else 1


def remote(root: Path, environment: Mapping[str, str], identity: str | None) -> Remote | None:
    """The store that `dory.toml` names, None for the index on this machine. It is opened when it is first asked.

    `identity` is the workspace's id, None where none is stored yet: a store with the rows of another one is not used.
    ConfigError when `dory.toml` cannot be used. The store raises StoreError when its host is not allowed, its secret
    is missing, or it does not answer.
    """
    asked = wanted(root)
    if asked is None:
        return None
    owner = identity or hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]
    name = asked.name or f"dory_{owner}"
    return Remote(Later(lambda: _open(root, environment, asked, name, owner)), f"{asked.place}/{name}")


def _open(root: Path, environment: Mapping[str, str], asked: Wanted, name: str, owner: str) -> Store:
    if not asked.host:
        place = places.place(root, environment)
        if place.temporary:
            place.close()
            raise StoreError(
                "a file of Milvus lies beside the index, and neither the workspace nor the cache takes one"
            )
        try:
            place.make()
        except OSError as error:
            raise StoreError(f"{place.folder} cannot be made for a file of Milvus ({error.strerror})") from error
        return _milvus(str(place.folder / name), f"dory_{owner}", owner, "")
    secret = _secret(environment, asked)
    tls = asked.scheme != "milvus" and not (asked.scheme == "pinecone" and asked.here)
    address = f"{'https' if tls else 'http'}://{asked.host}:{asked.port}"
    if asked.scheme == "pinecone":
        return _pinecone(asked, address, name, owner, secret)
    if secret and not tls and not asked.here:
        raise StoreError(f"the secret for {asked.place} would be sent unencrypted: write milvus+tls:// instead")
    return _milvus(address, name, owner, secret)


def _secret(environment: Mapping[str, str], asked: Wanted) -> str:
    human = config.config_home(environment) / HUMAN
    try:
        variable = allowed(human, asked)
    except ConfigError as error:
        raise StoreError(str(error)) from error
    if variable and not environment.get(variable):
        raise StoreError(f"{human} says that the secret for {asked.place} is in {variable}, which is not set")
    return environment[variable] if variable else ""


def _pinecone(asked: Wanted, address: str, name: str, owner: str, secret: str) -> Store:
    from dory_tui.search.pinecone import PineconeStore

    if not secret and not asked.here:
        raise StoreError(f"Pinecone asks for a key: name its variable beside {asked.place} below [search.hosts]")
    return PineconeStore(address, name, DIMENSIONS, owner, secret or "none")


def _milvus(uri: str, name: str, owner: str, secret: str) -> Store:
    from dory_tui.search.milvus import MilvusStore

    return MilvusStore(uri, name, DIMENSIONS, owner, secret)
