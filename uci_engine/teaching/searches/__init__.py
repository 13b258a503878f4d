"""The searches of the field, each for every game of `halbzug.teaching.game` that it suits.

A search tells its steps to a listener (`told`), so that a page can step through it.
"""
