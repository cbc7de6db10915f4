# `make demo` and `make test` set up all they need: only Python (3.11 or newer), make and a package index.
PYTHON ?= python3
VENV ?= .venv
# Which tests, in pytest's words: all, or TESTS='not one_python'.
TESTS ?=
# Which sweeps are tried whole: `all`, `none`, or those whose files have changed since; of these an eighth with `short`.
export SWEEPS ?=
# The tests start thousands of processes: what these import is compiled once, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin

.PHONY: demo test test-all lint types mypy pyright unit docs docs-serve pages vsix release-check clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

test: lint types unit

# All sweeps whole; after that `make test` tries a tenth until something has changed.
test-all: SWEEPS := all
test-all: test
	$(BIN)/python tests/sweeps.py

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: mypy pyright

mypy: $(VENV)/.installed
	$(BIN)/mypy

pyright: $(VENV)/.installed
	$(BIN)/pyright --pythonpath $(BIN)/python

unit: $(VENV)/.installed
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "$(TESTS)" --durations 30

# The site, in build/site: a broken link or anchor is an error.
docs: $(VENV)/.installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The site at http://127.0.0.1:8000, built again when a page changes.
docs-serve: $(VENV)/.installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

# The pages and pictures that are generated from the commands.
pages: $(VENV)/.installed
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/draw.py

# All of a release except the upload.
release-check: $(VENV)/.installed
	$(BIN)/python release/check.py

# The extension for VS Code, editors/vscode/dist/jaxtyping-core.vsix: needs Node.js 20 or newer and npm.
vsix:
	cp LICENSE editors/vscode/
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run check && npm run build && npm run package

# Without compiling what is never imported, which takes half of the time.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[annotate,lsp,plot]' --group test
	touch $@

clean:
	rm -rf .venv .venv-* build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis editors/vscode/dist editors/vscode/node_modules
