"""Shows results on terminals, in notebooks and on pages, and errors in one line."""

#: The environment variable in which a shell asks for completions.
COMPLETION = "_HALBZUG_COMPLETE"
