"""Analysis of positions and games: engines that look, what they find, and how it is judged.

The commands show it to people. Any UCI engine can do the looking; Halbzug itself is driven
directly.
"""

#: How long to think if nothing is asked for, in seconds: about one position, about each of many.
DEFAULT_SECONDS = 3.0
DEFAULT_SECONDS_EACH = 1.0
