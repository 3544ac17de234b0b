# `make lab` opens the course, `make test` runs every test. Both set up .venv first.
PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN := $(VENV)/bin
UV := $(or $(shell command -v uv 2>/dev/null),$(BIN)/uv)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
LOCK := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-package rfc3987-syntax --no-emit-package lark --custom-compile-command "make lock"
# What an editable install is built with; locked like everything else.
BUILD := printf 'hatchling\neditables\n'

.PHONY: lab test suite course lint build prove bench sweep lock

lab: $(VENV)/.course
	$(BIN)/forge lab $(ARGS)

# The two halves of `make test`. They share no file, so `make --jobs=2 test` runs them beside each other.
test: suite course

suite: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

course: $(VENV)/.dev
	$(BIN)/python -m pytest --nbval -q notebooks
	$(BIN)/forge build --solved
	$(BIN)/python -m pytest --nbval -q build/solved
	$(BIN)/forge prove

lint: $(VENV)/.dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/forge build --check

build: $(VENV)/.dev
	$(BIN)/forge build

prove: $(VENV)/.dev
	$(BIN)/forge prove

# The peers add menus to JupyterLab: they get an environment of their own.
bench:
	$(MAKE) VENV=$(VENV)-bench $(VENV)-bench/.bench
	for file in benchmarks/*.py; do $(VENV)-bench/bin/python $$file || exit 1; done

sweep: $(VENV)/.dev
	FORGE_SWEEP=1 $(BIN)/python -m pytest -s $(ARGS)

lock: $(BIN)/python
	$(BUILD) | $(UV) $(LOCK) --extra harness pyproject.toml - --output-file requirements.lock
	$(BUILD) | $(UV) $(LOCK) --extra dev --extra harness --extra cluster pyproject.toml - --output-file requirements-dev.lock
	$(BUILD) | $(UV) $(LOCK) --extra bench --extra harness pyproject.toml - --output-file requirements-bench.lock

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Forge needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	@if command -v uv >/dev/null; then uv venv --quiet --python "$$(command -v $(PYTHON))" $(VENV); \
	else $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet uv; fi

$(VENV)/.course: requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --require-hashes --no-deps -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.bench: requirements-bench.lock $(VENV)/.dev
	$(INSTALL) --require-hashes --no-deps -r requirements-bench.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --require-hashes --no-deps -r requirements-dev.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
