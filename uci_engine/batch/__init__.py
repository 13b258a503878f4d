"""Analyses many positions with Halbzug or any other UCI engine: analysts, pools, and a cluster.

Halbzug is driven directly, without UCI. Results are data, which the commands display.
"""

#: The time limit if there is no other limit, in seconds: for a single position, and for each of
#: many.
DEFAULT_SECONDS = 3.0
DEFAULT_SECONDS_EACH = 1.0
