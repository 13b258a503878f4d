"""Writes to the terminal for the commands, and turns errors into one line."""

#: The environment variable in which a shell asks for completions.
COMPLETION = "_HALBZUG_COMPLETE"
