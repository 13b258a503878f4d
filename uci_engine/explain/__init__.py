"""Explains search and evaluation: a position is searched with techniques switched on in turn.

The techniques are switches of the engine's search (`halbzug.search.settings`), and the terms are
those of the engine's evaluation (`halbzug.eval.features`).
"""
