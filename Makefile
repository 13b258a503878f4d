# One executable file, as OpenBench asks for it: `make EXE=NAME`, then `./NAME bench`. It needs Python
# with venv, a C compiler (CC) and the network. Everybody else installs with pip: see README.md.

EXE = halbzug
PYTHON = $(if $(filter Windows_NT,$(OS)),python,python3)

.PHONY: all
all:
	$(PYTHON) .ci/make_executable.py "$(EXE)"
