"""Compiles python-chess and the engine's hot modules at install time.

- passes.py: how python-chess is specialised, one named rewriting after another; start here
- rewriting.py: the tools that the passes are written with
- skeleton.py.in, notation.py.in, pychess.pxd, bits.h: our part of the specialised module, its
  reading and writing of FEN and SAN, its C interface, and bit operations in C
- specialise.py: runs the passes
- build.py: called by setup.py
"""
