"""Syzygy tablebases: files, probing, ranking the root moves, download."""
