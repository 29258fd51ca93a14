"""Which store `dory.toml` may name: hosts that the human allows, secrets never (search.md, "Beyond one machine")."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

import pytest

from dory_tui import config
from dory_tui.config import ConfigError
from dory_tui.search import answers, elsewhere
from dory_tui.search.answers import Searcher
from dory_tui.search.elsewhere import Wanted, wanted
from dory_tui.search.outward import REST, Later, asking
from dory_tui.search.stores import Store, StoreError
from tests.conftest import Workspace
from tests.search.places import numpy_store

REMOTE = "milvus+tls://vectors.example.org:19530"


def asked(workspace: Workspace, store: str) -> Wanted | None:
    workspace.write("dory.toml", f'time_zone = "UTC"\n\n[search]\nstore = "{store}"\n')
    return wanted(workspace.root)


def human(workspace: Workspace, text: str) -> Path:
    file = config.config_home(workspace.env) / elsewhere.HUMAN
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def opened(workspace: Workspace) -> int:
    made = elsewhere.remote(workspace.root, workspace.env, "f" * 32)
    assert made is not None
    return made.store.count()


@pytest.mark.parametrize(
    ("store", "found"),
    [
        ("milvus:vectors.db", Wanted("milvus", "", 0, "vectors.db", 4)),
        ("milvus://10.0.0.5:19531/my_agent", Wanted("milvus", "10.0.0.5", 19531, "my_agent", 4)),
        ("milvus://Vectors.Example.org", Wanted("milvus", "vectors.example.org", 19530, "", 4)),
        ("milvus+tls://in01.cloud.example/a", Wanted("milvus+tls", "in01.cloud.example", 443, "a", 4)),
        ("milvus://[::1]:19530/a", Wanted("milvus", "[::1]", 19530, "a", 4)),
        ("pinecone://i-1.svc.eu.pinecone.io/a", Wanted("pinecone", "i-1.svc.eu.pinecone.io", 443, "a", 4)),
    ],
)
def test_an_address_is_read(workspace: Workspace, store: str, found: Wanted) -> None:
    assert asked(workspace, store) == found


def test_no_store_is_named(workspace: Workspace) -> None:
    assert wanted(workspace.root) is None
    workspace.write("dory.toml", "# search is not set up\n[search]\n")
    assert elsewhere.remote(workspace.root, workspace.env, None) is None


@pytest.mark.parametrize(
    "store",
    [
        "", "numpy", "milvus:", "milvus:../vectors.db", "milvus:/etc/vectors.db", "milvus:vectors", "milvus:.db",
        "http://host/a", "milvus://", "milvus://host:0/a", "milvus://host:99999/a", "milvus://host/a/b", "milvus://host/1",
        "milvus://-host/a", "milvus://host /a", "milvus://ho\u0455t/a", "pinecone:i.svc",
    ],
)  # fmt: skip
def test_another_address_is_refused_with_its_line(workspace: Workspace, store: str) -> None:
    with pytest.raises(ConfigError, match=r"^dory\.toml line 4: search\.store must be "):
        asked(workspace, store)


@pytest.mark.parametrize("name", ["index-99.db", "INDEX-1.db", "building.db", "Building.db"])
def test_a_file_is_not_named_like_those_of_the_index(workspace: Workspace, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"^dory\.toml line 4: {re.escape(name)} is a name of dory's own index"):
        asked(workspace, f"milvus:{name}")


@pytest.mark.parametrize(
    "store", ["milvus://me:hunter2@host/a", "milvus+tls://sk-hunter2@host", "pinecone://host/a?api_key=hunter2"]
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(workspace: Workspace, store: str) -> None:
    with pytest.raises(ConfigError, match=r"^dory\.toml line 4: ") as caught:
        asked(workspace, store)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["token", "api_key", "secret", "password", "pinecone-key", "USER"])
def test_a_secret_has_no_place_in_the_workspace(workspace: Workspace, key: str) -> None:
    workspace.write("dory.toml", f'[search]\n# token = "x"\nstore = "{REMOTE}/a"\n{key} = "hunter2"\n')
    with pytest.raises(ConfigError, match=rf"^dory\.toml line 4: {key} has no place in this file") as caught:
        wanted(workspace.root)
    assert "hunter2" not in str(caught.value)


def test_a_host_is_not_asked_before_the_human_allows_it(workspace: Workspace) -> None:
    asked(workspace, f"{REMOTE}/a")
    for text in (None, "", '[search.hosts]\n"milvus://vectors.example.org:19530" = ""\n', '[lanes."*"]\n'):
        file = human(workspace, text) if text is not None else config.config_home(workspace.env) / elsewhere.HUMAN
        with pytest.raises(StoreError, match=re.escape(f'add "{REMOTE}" = "" below [search.hosts] in {file}')):
            opened(workspace)


def test_what_the_workspace_says_of_hosts_counts_for_nothing(workspace: Workspace) -> None:
    workspace.write("dory.toml", f'[search]\nstore = "{REMOTE}/a"\n[search.hosts]\n"{REMOTE}" = ""\n')
    with pytest.raises(StoreError, match="which you have not allowed"):
        opened(workspace)


def test_the_secret_is_what_the_variable_of_the_human_holds(workspace: Workspace) -> None:
    named = asked(workspace, f"{REMOTE}/a")
    assert named is not None
    file = human(workspace, f'[search.hosts]\n"{REMOTE}" = "MILVUS_TOKEN"\n')
    assert elsewhere.allowed(file, named) == "MILVUS_TOKEN"
    with pytest.raises(StoreError, match=f"the secret for {re.escape(REMOTE)} is in MILVUS_TOKEN, which is not set"):
        opened(workspace)
    human(workspace, f'[search.hosts]\n"{REMOTE}" = ""\n')
    assert elsewhere.allowed(file, named) == ""


@pytest.mark.parametrize("value", ["AKIAIOSFODNN7EXAMPLE", "pcsk_4rTy", "sk-live-0000", "root:Milvus"])
def test_what_looks_like_a_secret_is_no_name_of_a_variable(workspace: Workspace, value: str) -> None:
    asked(workspace, f"{REMOTE}/a")
    file = human(workspace, f'# mine\n[search.hosts]\n"milvus://other:1" = ""\n"{REMOTE}" = "{value}"\n')
    with pytest.raises(StoreError, match=rf"^{re.escape(str(file))} line 4: ") as caught:
        opened(workspace)
    assert value not in str(caught.value)


def test_a_secret_is_not_sent_in_the_clear(workspace: Workspace) -> None:
    asked(workspace, "milvus://vectors.example.org/a")
    human(workspace, '[search.hosts]\n"milvus://vectors.example.org:19530" = "MILVUS_TOKEN"\n')
    workspace.env["MILVUS_TOKEN"] = "hunter2"
    with pytest.raises(StoreError, match="would be sent unencrypted"):
        opened(workspace)


def test_pinecone_asks_for_a_key(workspace: Workspace) -> None:
    asked(workspace, "pinecone://index.example/a")
    human(workspace, '[search.hosts]\n"pinecone://index.example:443" = ""\n')
    with pytest.raises(StoreError, match="Pinecone asks for a key"):
        opened(workspace)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"])
def test_this_machine_needs_no_leave(workspace: Workspace, host: str) -> None:
    named = asked(workspace, f"milvus://{host}:19530/a")
    assert named is not None
    assert elsewhere.allowed(config.config_home(workspace.env) / elsewhere.HUMAN, named) == ""


@pytest.mark.parametrize("host", ["localhost.example.org", "127.0.0.1.example.org", "0.0.0.0", "[::]", "2130706433"])
def test_what_only_looks_like_this_machine_does(workspace: Workspace, host: str) -> None:
    asked(workspace, f"milvus://{host}:19530/a")
    with pytest.raises(StoreError, match="which you have not allowed"):
        opened(workspace)


@pytest.mark.parametrize(
    ("name", "text"), [("dory.toml", "search = 3\n"), ("human", "[search]\nhosts = 3\n"), ("human", "[search\n")]
)
def test_a_file_that_cannot_be_used_is_named(workspace: Workspace, name: str, text: str) -> None:
    asked(workspace, f"{REMOTE}/a")
    file = workspace.write("dory.toml", text) if name == "dory.toml" else human(workspace, text)
    with pytest.raises((ConfigError, StoreError), match=re.escape(file.name)):
        opened(workspace)


def test_a_store_that_failed_is_left_alone_for_a_while() -> None:
    now, tries = [0.0], []

    def open_store() -> Store:
        tries.append(now[0])
        if len(tries) < 3:
            raise StoreError(f"no {len(tries)}")
        return numpy_store()

    store = Later(open_store, lambda: now[0])
    store.close()
    for said, at in (("no 1", 0), ("no 1", REST - 1), ("no 2", REST), ("no 2", 2 * REST - 1)):
        now[0] = at
        with pytest.raises(StoreError, match=said):
            store.count()
    now[0] = 2 * REST
    assert (store.count(), store.identity(), tries) == (0, "", [0, REST, 2 * REST])
    store.close()


def test_a_part_of_a_client_that_is_not_installed_is_said_with_the_extra_of_the_client() -> None:
    with pytest.raises(StoreError, match=r"'dory-tui\[pinecone\]'$"), asking("Pinecone at x", "pinecone"):
        raise ImportError("No module named 'orjson'", name="orjson")


def test_a_question_by_keyword_opens_no_store(workspace: Workspace) -> None:
    asked(workspace, f"{REMOTE}/a")
    workspace.write("memory/2026-02-04.md", "- the blue boat leaks\n")
    made = elsewhere.remote(workspace.root, workspace.env, None)
    with Searcher(workspace.root, workspace.env, remote=made) as searcher:
        answer = searcher.ask("boat", date(2026, 2, 5))
        assert (answer.mode, [one.line_start for one in answer.results]) == ("keyword", [1])
        assert "which you have not allowed" in answer.notices[0]
        assert searcher.ask("boat", date(2026, 2, 5), answers.Wanted(keyword=True)).notices == ()


@pytest.mark.parametrize(
    ("store", "module", "extra"),
    [("milvus", "pymilvus", "milvus"), ("pinecone", "pinecone", "pinecone")],
)
def test_what_is_not_installed_is_said_with_its_extra(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, store: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    asked(workspace, f"{store}://127.0.0.1:1/a")
    with pytest.raises(StoreError, match=rf"at http://127\.0\.0\.1:1 cannot be asked: .*'dory-tui\[{extra}\]'$"):
        opened(workspace)
