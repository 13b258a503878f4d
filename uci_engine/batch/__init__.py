"""Many positions, analysed by Halbzug or any other UCI engine: analysts, pools, and a cluster.

Halbzug is driven directly, without UCI. The results are data; the commands display them.
"""

#: The time without any other limit, in seconds: for one position, and for each of many.
DEFAULT_SECONDS = 3.0
DEFAULT_SECONDS_EACH = 1.0
