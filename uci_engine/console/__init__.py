"""How the commands write to a terminal, and how an error becomes one line."""

#: The environment variable in which a shell asks for completions.
COMPLETION = "_HALBZUG_COMPLETE"
