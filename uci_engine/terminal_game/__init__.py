"""A game against the engine at the terminal, with clocks."""
