"""The room of the opening book.

`opening_book.py` answers from a Polyglot file, `builder.py` makes one from PGN, `checker.py` has
a UCI engine judge each position of a source, `match_openings.py` makes the suite for matches.
`default.bin` is built from `source/`; `source/README.md` says how to read and change it.
"""
