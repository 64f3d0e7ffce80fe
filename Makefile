# make audit   the main job: digitize both figures, rerun both experiments, write the report
# make test    every check and every test
# Both set up .venv by themselves; PYTHON=/path/to/python3 picks the interpreter.

PYTHON ?= python3
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

.PHONY: help setup audit test test-e2e check docs bench-digitize bench-vector bench-train bench-report clean

help:
	@echo "make audit            set up, digitize both figures, rerun both experiments, write the report"
	@echo "make test             set up, then all checks and tests"
	@echo "make test-e2e         the commands as a whole, and the pages in a real browser (chromium, where there is one)"
	@echo "make check            style, types, and the command line's documentation"
	@echo "make docs             write docs/cli.md from --help and docs/claims.md from the predicates"
	@echo "make bench-digitize   measure the digitizer on generated (and, where there, real) figures"
	@echo "make bench-vector     measure the reading of PDF and SVG files"
	@echo "make bench-compare    measure the distances between curves"
	@echo "make bench-train      measure the training loop"
	@echo "make bench-report     measure a large report: its size, and how soon it can be explored"
	@echo "make clean            remove .venv and everything that was built"

setup:
	@PYTHON="$(PYTHON)" scripts/setup.sh

# Exit code 3 means: done, and something in it needs a person; the report says what.
audit: setup
	$(BIN)/replicate audit || [ $$? -eq 3 ]

test: check
	$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2

test-e2e: setup
	$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2 tests/e2e

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python scripts/cli_reference.py --check
	$(BIN)/python scripts/claims_reference.py --check

docs: setup
	$(BIN)/python scripts/cli_reference.py
	$(BIN)/python scripts/claims_reference.py

bench-digitize: setup
	$(BIN)/python tests/bench/digitize.py --profile full --count 200 --seed 1 --real

bench-vector: setup
	$(BIN)/python tests/bench/vector.py --count 200 --seed 1 --real

bench-compare: setup
	$(BIN)/python tests/bench/compare.py

bench-train: setup
	$(BIN)/python tests/bench/train.py

bench-report: setup
	$(BIN)/python tests/bench/report.py

clean:
	rm -rf .venv build dist *.egg-info tests/bench/out .mypy_cache .ruff_cache .pytest_cache .hypothesis
