"""The engine: one position, one search at a time, and the supervision of its processes."""
