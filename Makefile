# Everything a contributor does, one target each. `make` alone lists them.
# The environment is .venv, built once and again when constraints.txt, pyproject.toml or this file changes.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test test-fast check lint format types layers definitions docs docs-check dev bench clean

# What a run needs, and what the tests need on top. Model clients (llm, fastembed) are heavy and no run of ours uses them.
RUN_EXTRAS := dagster,ocr,embed,lang
DEV_EXTRAS := $(RUN_EXTRAS),near,ja,ner,postgres,celery,kubernetes,llm,fastembed,serve,metrics,dev

PYTHON ?= $(shell for each in python3.11 python3.12 python3.13 python3; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
# Twice quiet: index warnings of a machine's own pip configuration are not ours to show. Errors still are.
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet --quiet
BIN := .venv/bin
# The generator of clients pins what our environment has newer, so it has an environment of its own.
GENERATOR := .venv/generator
# A process a core, each with whole files: what a file starts (Postgres, the webserver) is started once. Some tests need
# a gigabyte, hence the limit. One process: make test TEST_ARGS=-n0
PYTEST = $(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile
TEST_ARGS ?=
export DAGSTER_DISABLE_TELEMETRY := 1
SAMPLE_QUERY := SELECT key, page, p.capability_id AS read_by, count(chunk_id) AS chunks, count(c.x0) AS with_box \
	FROM pages p JOIN chunks c USING (key, page) GROUP BY ALL ORDER BY ALL

# The sample holds a CSV as a Japanese spreadsheet saves it.
run dev: export INDX_TEXT_ENCODING ?= utf-8-sig,cp932
# What `indx ingest` sets for itself; `dagster dev` is Dagster's own command. DAGSTER_HOME must be absolute; every other
# path is relative, so that a checkout whose path has spaces works.
dev: export DAGSTER_HOME := $(CURDIR)/.dagster
dev: export DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS := 1
dev: export DAGSTER_EVENT_BATCH_SIZE := 500

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/.run  ## ingest the sample corpus, show what came of it
	@$(BIN)/indx ingest sample --no-json
	@echo
	@$(BIN)/indx sql --no-json "$(SAMPLE_QUERY)"
	@echo
	@echo 'Try next:'
	@echo '  make run                                        once more: everything is up to date'
	@echo '  .venv/bin/indx search "再生紙 値上げ"           passages with document, page, box and score'
	@echo '  .venv/bin/indx plan examples/corpus/invoice-with-scan.pdf'
	@echo '  make dev                                        the same lake in the Dagster UI'
	@echo '  put your own folder into indx.toml, or: .venv/bin/indx ingest PATH'
	@echo '  export INDX_TEXT_ENCODING=$(INDX_TEXT_ENCODING)  as here, for what is called by hand: else the sample is stale'

test: .venv/.dev .venv/.generator  ## run every test
	@PATH="$(CURDIR)/$(GENERATOR)/bin:$$PATH" $(PYTEST) $(TEST_ARGS)

test-fast: .venv/.dev  ## run the tests that take no server and no long run
	@$(PYTEST) -m 'not slow and not services' $(TEST_ARGS)

check: lint types layers definitions docs-check test  ## what CI runs

lint: .venv/.dev  ## rules and format of every Python file
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: .venv/.dev  ## put files into the format and fix what can be fixed
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

types: .venv/.dev  ## strict type check
	@$(BIN)/mypy
	@$(BIN)/mypy scripts examples

layers: .venv/.dev  ## which package may import which
	@$(BIN)/lint-imports --no-cache

definitions: .venv/.dev  ## what Dagster loads is valid
	@VIRTUAL_ENV="$(CURDIR)/.venv" PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/dg check defs

docs: .venv/.dev  ## write the generated pages of docs/
	@$(BIN)/python scripts/generated_docs.py

docs-check: .venv/.dev  ## fail when a generated page is out of date
	@$(BIN)/python scripts/generated_docs.py --check

dev: .venv/.run .dagster/dagster.yaml  ## open the Dagster UI on the same lake
	@# A new instance's tables first, one process at a time: what `dg dev` starts takes no lock, and a command may begin now.
	@$(BIN)/python -c 'from indx_dagster.home import open_instance; open_instance()'
	@VIRTUAL_ENV="$(CURDIR)/.venv" PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/dg dev

bench: .venv/.dev  ## measure everything; prints tables, takes long
	@failed=; for each in benchmarks/bench_*.py; do \
		echo "== $$each"; $(BIN)/python "$$each" || failed="$$failed $$each"; done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

clean:  ## remove the environment, the lake and Dagster's storage
	rm -rf .venv lake .dagster

# pip adds and never removes, so the larger environment also serves the smaller one.
.venv/.run: constraints.txt pyproject.toml Makefile
	@$(call install,$(RUN_EXTRAS))
	@touch $@

.venv/.dev: constraints.txt pyproject.toml Makefile
	@$(call install,$(DEV_EXTRAS))
	@touch .venv/.run $@

.venv/.generator: Makefile | .venv/.dev
	@$(BIN)/python -m venv $(GENERATOR)
	@$(GENERATOR)/bin/python -m pip --disable-pip-version-check --quiet --quiet install openapi-python-client==0.29.1
	@touch $@

.dagster/dagster.yaml: | dagster.yaml
	@mkdir -p .dagster && ln -sf ../dagster.yaml $@

define install
test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name one: make PYTHON=/path/to/python" >&2; exit 1; }; \
echo "Installing into .venv (some minutes the first time)"; \
test -x .venv/bin/python || "$(PYTHON)" -m venv .venv; \
$(PIP) install --constraint constraints.txt --editable '.[$(1)]'
endef
