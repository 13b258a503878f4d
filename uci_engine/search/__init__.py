"""The search of one process: tree, move ordering, transposition table, time management."""
