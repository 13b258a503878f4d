"""Analysis of positions and games: engines that look, what they find, and how it is judged.

The commands show it to people. Any UCI engine can do the looking; Halbzug itself is driven
directly.
"""
