# Two commands matter: `make demo` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

.PHONY: demo test test-long test-gate test-openclaw check lint types unit lock snapshots bench build clean

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
	$(BIN)/python -m pytest -n 2 --dist worksteal -p no:benchmark -m "not long" tests --ignore tests/benchmarks --ignore tests/gate --ignore tests/openclaw

# The tests that take long: kills at every call, races of whole processes, the screens in every size.
test-long: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -p no:benchmark -m long tests --ignore tests/benchmarks --ignore tests/gate --ignore tests/openclaw

# The long rounds: races, revokes, failing disks. A minute or two; DORY_RACE_IDS=1000 make test-gate is the full one.
test-gate: $(STAMP)
	$(BIN)/python -m pytest tests/gate -s -p no:benchmark -p no:xdist

# The real OpenClaw on loopback: 770 MB from npm into .openclaw-try the first time, then some ten minutes.
test-openclaw: $(STAMP)
	$(BIN)/python -m pytest tests/openclaw -s -p no:benchmark -p no:xdist

bench: $(STAMP)
	$(BIN)/python -m pytest tests/benchmarks -q -s -p no:xdist

snapshots: $(STAMP)
	$(BIN)/python -m pytest tests/tui --snapshot-update -p no:benchmark

lock: $(STAMP)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --quiet --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--python-version 3.11 --group dev pyproject.toml -o constraints.txt

build: $(STAMP)
	$(BIN)/python -m pip install --quiet -c constraints.txt build
	$(BIN)/python -m build

# What a user runs: the program alone.
$(VENV)/.run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

# What a developer runs: the program and everything that checks it.
$(STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group dev
	@touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache dist build
