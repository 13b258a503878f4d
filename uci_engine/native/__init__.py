"""Compiles python-chess and the engine's hot modules at install time.

- passes.py: how python-chess is specialised, as a list of named rewritings; start here -
rewriting.py: the tools the passes are written with - skeleton.py.in, pychess.pxd, bits.h: our part
of the specialised module, its C interface, and bit operations in C - specialise.py: runs the passes
- build.py: what setup.py calls
"""
