"""The names that `import halbzug` offers: the engine as a python-chess engine, and functions."""
