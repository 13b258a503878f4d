"""How the commands write to a terminal, and how an error becomes one line."""
