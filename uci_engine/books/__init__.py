"""The opening book.

`opening_book.py` looks up moves in a Polyglot file, and `builder.py` makes one from PGN.
`checker.py` has a UCI engine judge each position of a source, and `match_openings.py` makes the
opening suite for matches. `default.bin` is built from `source/`; `source/README.md` explains its
format and how to change it.
"""
