"""The standard searches, each for every game of `halbzug.teaching.game_protocol` that it suits.

A search reports its steps to a listener (`told`), so that a page can step through them.
"""
