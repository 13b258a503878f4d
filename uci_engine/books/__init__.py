"""The opening book.

`opening_book.py` looks moves up in a Polyglot file, and `builder.py` makes one from PGN.
`checker.py` lets a UCI engine judge each position of a source, and `match_openings.py` makes the
suite of openings for matches. `default.bin` is built from `source/`; `source/README.md` says how
to read and change it.
"""
