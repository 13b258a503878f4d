"""Shows results: at a terminal, in a notebook, on a page; and errors in one line."""

#: The environment variable in which a shell asks for completions.
COMPLETION = "_HALBZUG_COMPLETE"
