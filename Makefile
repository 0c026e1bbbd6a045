# Everything that a newcomer, the continuous integration or a release needs. `make` lists it.
# Nothing else has to be set up: Python 3.11 or later, its pip and, on Debian, apt-get are enough.

PYTHON ?= python3
BIN := .venv/bin
CODE := jackpot firmware_sim tests benchmarks
# Real lines, brokers and clocks: these tests come before the others, in two lines beside each other.
BY_THE_CLOCK := $(addprefix tests/,board cctalk interop firmware_sim chaos contract demo)
BY_THE_DAEMON := tests/daemon
UV := uv==0.13.9

.DEFAULT_GOAL := help
.PHONY: help demo test lint types units lock pictures bench fuzz clean

help: ## list what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: .venv/ready ## one table with simulated slots, played by itself; open the address that it prints
	$(BIN)/jackpot demo

test: system-for-test .venv/ready lint units ## every check; installs what it needs

# One after the other, also under `make -j`: two cores, and one report to read.
.NOTPARALLEL:

.PHONY: system-for-test
system-for-test:
	@PYTHON=$(PYTHON) .ci/system-packages test

lint: .venv/ready ## ruff: habits and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready ## mypy, strict, over the whole tree
	$(BIN)/mypy --strict --exclude 'conftest\.py$$' $(CODE)
	@# pytest names them all alike, so mypy takes them one by one
	for file in $$(find tests -name conftest.py); do $(BIN)/mypy --strict $$file || exit 1; done

units: .venv/ready ## the tests, and mypy beside them
	@mkdir -p build
	@# The others work on what the cores have left, so that no clock of a real part is late.
	@nice -n 10 $(MAKE) types >build/types.log 2>&1 & types=$$!; \
	nice -n 10 $(BIN)/pytest -n 2 --dist worksteal -p no:cacheprovider \
	    $(addprefix --ignore=,$(BY_THE_CLOCK) $(BY_THE_DAEMON)) >build/others.log 2>&1 & others=$$!; \
	$(BIN)/pytest -p no:cacheprovider $(BY_THE_CLOCK) >build/clock.log 2>&1 & clock=$$!; \
	$(BIN)/pytest --durations=15 $(BY_THE_DAEMON); daemon=$$?; \
	wait $$types; types=$$?; wait $$others; others=$$?; wait $$clock; clock=$$?; \
	cat build/clock.log build/others.log build/types.log; exit $$((daemon + clock + others + types))

lock: ## choose the newest allowed versions anew: writes requirements.lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install -qq '$(UV)'
	build/lock/bin/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 \
	    --upgrade --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    --quiet --output-file build/requirements
	(echo '# Exact versions and hashes for Linux and Python 3.11 to 3.13. Made by `make lock`.'; \
	    cat build/requirements) > requirements.lock

pictures: .venv/ready ## the pictures of docs/, drawn anew from the real screens
	@PYTHON=$(PYTHON) .ci/system-packages test
	$(BIN)/python tests/browser/pictures.py docs/pictures

fuzz: .venv/ready ## the wire under a million inputs each, guided by coverage
	for target in reader host; do $(BIN)/python tests/fuzz/fuzz_wire.py $$target || exit 1; done

bench: .venv/ready ## every benchmark, one after the other
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

clean: ## remove everything that was made, the environment too
	rm -rf .venv build dist demo-data .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: what the lock names and nothing else, then this project beside it.
.venv/ready: requirements.lock pyproject.toml
	@PYTHON=$(PYTHON) .ci/system-packages demo
	@$(PYTHON) -c 'import sys; v = sys.version_info; \
	    v >= (3, 11) or sys.exit(f"Python 3.11 or later is needed, this is {v[0]}.{v[1]}; make PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@
