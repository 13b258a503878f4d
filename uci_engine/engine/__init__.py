"""The engine: one position and one search at a time, on guard over the search processes."""
