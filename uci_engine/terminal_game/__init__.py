"""A game at the terminal: the person, the engine and the clock."""
