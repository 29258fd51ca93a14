# Two commands matter: `make demo` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
STORES := .stores

.PHONY: demo test test-long test-gate test-openclaw test-milvus check lint types unit lock snapshots bench build clean

demo: $(VENV)/.run
	@$(BIN)/dory demo

test: lint types unit

check: test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal -p no:benchmark -m "not long" tests --ignore tests/benchmarks --ignore tests/gate --ignore tests/openclaw

# The tests that take long: kills at every call, races of whole processes, the screens in every size.
test-long: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -p no:benchmark -m long tests --ignore tests/benchmarks --ignore tests/gate --ignore tests/openclaw

# The long rounds: races, revokes, failing disks. A minute or two; DORY_RACE_IDS=1000 make test-gate is the full one.
test-gate: $(STAMP)
	$(BIN)/python -m pytest tests/gate -s -p no:benchmark -p no:xdist

# The real OpenClaw on loopback: 770 MB from npm into .openclaw-try the first time, then some ten minutes.
test-openclaw: $(STAMP)
	$(BIN)/python -m pytest tests/openclaw -s -p no:benchmark -p no:xdist

# Every store of vectors: numpy, a file of Milvus, a real Milvus server, a stand-in for Pinecone. The server listens on
# every interface and locks a file in /run, so that all of it runs where there is nothing but loopback and a /run of its
# own. Linux; some 900 MB, a few minutes.
test-milvus: $(STORES)/.ready
	unshare --user --map-root-user --net --mount \
		sh -c 'ip link set lo up && mount -t tmpfs tmpfs /run && exec "$$@"' sh \
		env DORY_STORES=numpy,milvus-file,milvus,pinecone DORY_MILVUS_PYTHON=$(CURDIR)/$(STORES)/server/bin/python \
		$(STORES)/client/bin/python -m pytest tests/search -p no:xdist -p no:benchmark

bench: $(STAMP)
	$(BIN)/python -m pytest tests/benchmarks -q -s -p no:xdist

snapshots: $(STAMP)
	$(BIN)/python -m pytest tests/tui --snapshot-update -p no:benchmark

lock: $(STAMP)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --quiet --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--python-version 3.11 --group dev --all-extras pyproject.toml -o constraints.txt

build: $(STAMP)
	$(BIN)/python -m pip install --quiet -c constraints.txt build
	$(BIN)/python -m build

# What a user runs: the program alone.
$(VENV)/.run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[search]"
	@touch $@

# What a developer runs: the program and everything that checks it.
$(STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group dev
	@touch $@ $(VENV)/.run

# What test-milvus asks, in environments of their own: the server wants other packages than its client.
$(STORES)/.ready: pyproject.toml constraints.txt
	@test -x $(STORES)/server/bin/python || $(PYTHON) -m venv $(STORES)/server
	@$(STORES)/server/bin/python -m pip install --quiet --disable-pip-version-check "setuptools<81" milvus==2.3.5
	@test -x $(STORES)/client/bin/python || $(PYTHON) -m venv $(STORES)/client
	@$(STORES)/client/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt "pip>=25.1"
	@$(STORES)/client/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		-e ".[milvus,pinecone]" --group dev milvus-lite
	@touch $@

clean:
	rm -rf $(VENV) $(STORES) .pytest_cache .mypy_cache .ruff_cache dist build
