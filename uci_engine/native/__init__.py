"""Compiles python-chess and the engine's hot modules at install time.

- passes.py: how python-chess is specialised, one named rewriting after the other; start here
- rewriting.py: the tools the passes are written with
- skeleton.py.in, notation.py.in, pychess.pxd, bits.h: our part of the specialised module, what
  of it reads and writes FEN and SAN, its C interface, and bit operations in C
- specialise.py: runs the passes
- build.py: what setup.py calls
"""
