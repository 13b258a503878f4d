"""Annotated games: judgements, accuracy, and reports as text, PGN and HTML."""
